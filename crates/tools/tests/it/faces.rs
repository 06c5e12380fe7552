//! Names and parameters as the families know them; what differs stands in `deviations.md`, and nothing else does.

use std::collections::BTreeSet;

use serde_json::{Value, json};
use toolpost_core::{Offer, Offered, Shape};
use toolpost_tools::{DIALECTS, catalogue};

/// What the families declare: `dialect name`, whether it is in the default list, whether the object is closed, and the
/// parameters as `name`, `*` if required, type or choices, default.
const FACTS: &str = "
claude Read default closed: file_path*:string offset:number limit:number
claude Write default closed: file_path*:string content*:string
claude Edit default closed: file_path*:string old_string*:string new_string*:string replace_all:boolean=false
claude MultiEdit request closed: file_path*:string edits*:array
claude NotebookEdit request closed: notebook_path*:string new_source*:string cell_id:string cell_type:code|markdown edit_mode:replace|insert|delete=\"replace\"
claude Glob request closed: pattern*:string path:string
claude Grep request closed: pattern*:string path:string glob:string output_mode:content|files_with_matches|count -B:number -A:number -C:number context:number -n:boolean -i:boolean type:string head_limit:number offset:number multiline:boolean
claude LS request closed: path*:string ignore:array
claude Bash default closed: command*:string timeout:number description*:string run_in_background:boolean
codex shell_command default closed: command*:string workdir:string timeout_ms:number=10000 login:boolean=true sandbox_permissions:use_default|with_additional_permissions|require_escalated=\"use_default\" justification:string prefix_rule:array additional_permissions:object
codex apply_patch default closed: input*:string
codex read_file request closed: file_path*:string offset:number=1 limit:number=2000 mode:slice|indentation=\"slice\" indentation:object
codex list_dir request closed: dir_path*:string offset:number=1 limit:number=25 depth:number=2
codex grep_files request closed: pattern*:string include:string path:string limit:number=100
gemini read_file default open: file_path*:string start_line:integer end_line:integer
gemini write_file default open: file_path*:string content*:string
gemini replace default open: file_path*:string instruction*:string old_string*:string new_string*:string allow_multiple:boolean=false
gemini glob default open: pattern*:string dir_path:string case_sensitive:boolean=false respect_git_ignore:boolean=true respect_gemini_ignore:boolean=true
gemini grep_search default open: pattern*:string dir_path:string include_pattern:string exclude_pattern:string names_only:boolean=false max_matches_per_file:integer total_max_matches:integer=100 case_sensitive:boolean=false fixed_strings:boolean=false context:integer after:integer before:integer no_ignore:boolean=false
gemini list_directory default open: dir_path*:string ignore:array file_filtering_options:object
gemini run_shell_command default open: command*:string description:string dir_path:string is_background:boolean=false delay_ms:integer=200 additional_permissions:object
";

const DEVIATIONS: &str = include_str!("../../src/deviations.md");

fn offers() -> Vec<Offer> {
    let tools = catalogue(Vec::new());
    tools.iter().flat_map(|tool| tool.offers()).collect()
}

/// One parameter as a line of the facts writes it.
fn written(name: &str, schema: &Value, required: bool) -> String {
    let choices = schema["enum"].as_array().map(|all| {
        let words: Vec<&str> = all.iter().map(|word| word.as_str().unwrap()).collect();
        words.join("|")
    });
    let kind = choices.unwrap_or_else(|| schema["type"].as_str().unwrap_or("?").to_owned());
    let default = schema.get("default").map(|value| format!("={value}"));
    let star = if required { "*" } else { "" };
    format!("{name}{star}:{kind}{}", default.unwrap_or_default())
}

fn parameters(schema: &Value) -> Vec<(String, String)> {
    let required = schema["required"].as_array().cloned().unwrap_or_default();
    let all = schema["properties"].as_object().unwrap();
    all.iter()
        .map(|(name, schema)| {
            (
                name.clone(),
                written(name, schema, required.contains(&json!(name))),
            )
        })
        .collect()
}

/// Everything in which the faces differ from the facts, as `dialect tool` or `dialect tool.parameter`.
fn differences() -> BTreeSet<String> {
    let offers = offers();
    let mut found = BTreeSet::new();
    for line in FACTS.trim().lines() {
        let (head, facts) = line.split_once(": ").unwrap();
        let [dialect, name, list, end] = head.split(' ').collect::<Vec<_>>()[..] else {
            panic!("{line}")
        };
        let key = format!("{dialect} {name}");
        let fits = |offer: &&Offer| offer.dialect.0 == dialect && offer.name == name;
        let offer = offers
            .iter()
            .find(fits)
            .unwrap_or_else(|| panic!("no face {key}"));
        let shape = offer.shape();
        let schema = shape.schema();
        let by_default = offer.offered == Offered::ByDefault;
        let closed = schema["additionalProperties"] == false;
        if by_default != (list == "default") || closed != (end == "closed") {
            found.insert(key.clone());
        }
        let wanted: Vec<&str> = facts.split(' ').collect();
        let named = |fact: &str| fact.split(['*', ':']).next().unwrap().to_owned();
        let ours = parameters(schema);
        let missing = wanted
            .iter()
            .filter(|fact| !ours.iter().any(|(_, own)| own == *fact));
        found.extend(missing.map(|fact| format!("{key}.{}", named(fact))));
        let extra = ours
            .iter()
            .filter(|(_, own)| !wanted.contains(&own.as_str()));
        found.extend(extra.map(|(name, _)| format!("{key}.{name}")));
    }
    found
}

#[test]
fn faces_differ_only_where_it_is_written_down() {
    let written: BTreeSet<String> = DEVIATIONS
        .lines()
        .filter_map(|line| line.strip_prefix("- `")?.split_once("` (shape)"))
        .map(|(key, _)| key.to_owned())
        .collect();
    assert_eq!(differences(), written);
}

#[test]
fn every_deviation_has_a_reason_in_one_line() {
    for line in DEVIATIONS.lines().filter(|line| line.starts_with("- ")) {
        let (_, reason) = line.split_once(": ").unwrap_or_else(|| panic!("{line}"));
        assert!(reason.ends_with('.') && reason.len() > 20, "{line}");
    }
}

#[test]
fn every_face_is_among_the_facts() {
    for offer in offers().iter().filter(|offer| offer.dialect.0 != "plain") {
        let key = format!("\n{} {} ", offer.dialect.0, offer.name);
        assert!(FACTS.contains(&key), "{key}");
        assert!(
            DIALECTS.iter().any(|about| about.dialect == offer.dialect),
            "{key}"
        );
    }
}

#[test]
fn spellings_lead_to_parameters_that_are_there() {
    for offer in offers() {
        let shape = offer.shape();
        let all = parameters(shape.schema());
        let known = |name: &str| all.iter().any(|(own, _)| own == name);
        for (other, own) in &offer.spellings {
            assert!(known(own), "{} {}: {own}", offer.dialect.0, offer.name);
            assert!(
                !known(other),
                "{} {}: {other} is its own",
                offer.dialect.0,
                offer.name
            );
        }
        for name in offer.courtesy {
            assert!(known(name), "{}: {name}", offer.name);
        }
        for parameter in shape.schema()["properties"].as_object().unwrap().values() {
            assert!(
                parameter["description"].is_string(),
                "{}: {parameter}",
                offer.name
            );
        }
    }
}

#[test]
fn the_patch_comes_as_bare_text_where_a_wire_has_it() {
    let codex = offers()
        .into_iter()
        .find(|offer| offer.name == "apply_patch" && offer.dialect.0 == "codex");
    let Shape::Free { grammar, field, .. } = codex.unwrap().shape() else {
        panic!("free form")
    };
    assert_eq!((grammar.syntax, field), ("lark", "input"));
    assert!(grammar.definition.contains("*** Begin Patch"));
}

#[test]
fn no_id_and_no_name_of_a_family_stands_twice() {
    let mut seen = std::collections::HashSet::new();
    for offer in offers() {
        let name = (offer.dialect, offer.name.to_string());
        assert!(seen.insert(name.clone()), "{name:?}");
    }
}
