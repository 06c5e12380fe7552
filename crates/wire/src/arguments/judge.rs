//! What keeps arguments from fitting their schema, in sentences for a model.

use jsonschema::error::ValidationErrorKind as Kind;
use jsonschema::{Draft, ValidationError, Validator};
use serde_json::Value;

use super::node::{Node, below, short, spoken};
use super::reading::{self, Fault};
use super::wanted::Wanted;

/// How many problems are told.
const TOLD: usize = 5;

/// What does not fit, at most five sentences. A schema that is itself not sound judges nothing.
pub(super) fn problems(value: &Value, schema: &Value, courtesy: &[&str]) -> Vec<String> {
    let schema = without_courtesy(schema, courtesy);
    let Some(validator) = validator(&schema) else {
        return Vec::new();
    };
    let mut told: Vec<String> = Vec::new();
    let mut more = 0_usize;
    for error in validator.iter_errors(value) {
        for sentence in sentences(&error, value, &schema) {
            if told.contains(&sentence) {
                continue;
            }
            if told.len() < TOLD {
                told.push(sentence);
            } else {
                more += 1;
            }
        }
    }
    if more > 0
        && let Some(last) = told.last_mut()
    {
        *last = format!("{last} There are {more} more problems.");
    }
    told
}

/// A validator that looks nowhere but into the schema itself.
fn validator(schema: &Value) -> Option<Validator> {
    let told = jsonschema::options().build(schema);
    let built = told.or_else(|_| {
        jsonschema::options()
            .with_draft(Draft::Draft4)
            .build(schema)
    });
    built.ok()
}

fn without_courtesy(schema: &Value, courtesy: &[&str]) -> Value {
    let mut schema = schema.clone();
    if let Some(Value::Array(required)) = schema.get_mut("required") {
        required.retain(|name| !name.as_str().is_some_and(|name| courtesy.contains(&name)));
    }
    schema
}

fn sentences(error: &ValidationError<'_>, value: &Value, schema: &Value) -> Vec<String> {
    let pointer = error.instance_path().to_string();
    let place = if pointer.is_empty() {
        "The arguments".to_owned()
    } else {
        format!("`{}`", spoken(&pointer))
    };
    let is = shown(error.instance());
    let one = |sentence: String| vec![sentence];
    match error.kind() {
        Kind::Required { property } => {
            let name = property.as_str().unwrap_or_default();
            one(missing(name, &pointer, value, schema))
        }
        Kind::AdditionalProperties { unexpected } | Kind::UnevaluatedProperties { unexpected } => {
            unexpected
                .iter()
                .map(|name| unknown(name, &pointer, schema))
                .collect()
        }
        Kind::Type { .. } | Kind::AnyOf { .. } | Kind::OneOfNotValid { .. } => {
            one(unfit(error, &place, &pointer, schema))
        }
        Kind::Enum { options } => one(not_listed(&place, error.instance(), options)),
        Kind::Constant { expected_value } => one(format!(
            "{place} must be {}, and is {is}.",
            shown(expected_value)
        )),
        Kind::Minimum { limit } => one(format!("{place} must be at least {limit}, and is {is}.")),
        Kind::Maximum { limit } => one(format!("{place} must be at most {limit}, and is {is}.")),
        Kind::ExclusiveMinimum { limit } => {
            one(format!("{place} must be more than {limit}, and is {is}."))
        }
        Kind::ExclusiveMaximum { limit } => {
            one(format!("{place} must be less than {limit}, and is {is}."))
        }
        Kind::MultipleOf { multiple_of } => one(format!(
            "{place} must be a multiple of {multiple_of}, and is {is}."
        )),
        Kind::MinLength { limit } => one(format!("{place} must have at least {limit} characters.")),
        Kind::MaxLength { limit } => one(format!("{place} must have at most {limit} characters.")),
        Kind::MinItems { limit } => one(format!("{place} must have at least {limit} items.")),
        Kind::MaxItems { limit } => one(format!("{place} must have at most {limit} items.")),
        Kind::UniqueItems => one(format!("{place} must not hold the same item twice.")),
        Kind::Pattern { pattern } => one(format!(
            "{place} must match the pattern `{}`.",
            short(pattern)
        )),
        Kind::OneOfMultipleValid { .. } => one(format!(
            "{place} fits more than one of the forms that exclude one another."
        )),
        _ => one(format!(
            "{place} does not fit the schema's `{}`.",
            error.kind().keyword()
        )),
    }
}

/// A value that is none of the admitted types, or of a right type and still none of the forms.
fn unfit(error: &ValidationError<'_>, place: &str, pointer: &str, schema: &Value) -> String {
    let types = at(schema, pointer).types();
    let is = error.instance();
    let node = Node::from_value(is, super::node::DEPTH);
    let kind = node.map_or("something else", |node| node.kind());
    let words = types.words();
    if words.is_empty() || words.contains(kind) && !matches!(error.kind(), Kind::Type { .. }) {
        return format!(
            "{place} fits none of the forms that the schema knows{}.",
            closest(error)
        );
    }
    let flaw = is.as_str().and_then(flaw);
    match &**is {
        Value::String(_) if flaw.is_some() => {
            format!("{place} must be {words}, and is {}.", flaw.unwrap_or(kind))
        }
        Value::Array(_) | Value::Object(_) | Value::Null => {
            format!("{place} must be {words}, and is {kind}.")
        }
        _ => format!("{place} must be {words}, and is {kind}: {}.", shown(is)),
    }
}

/// Why a text that was to hold JSON does not.
fn flaw(text: &str) -> Option<&'static str> {
    if !text.trim_start().starts_with(['[', '{']) {
        return None;
    }
    Some(match reading::read(text) {
        Err(Fault::Cut { .. }) => "a text whose JSON ends too early",
        Err(_) => "a text whose JSON is not valid",
        Ok(_) => "a text that holds other JSON",
    })
}

/// What the best of several forms lacks.
fn closest(error: &ValidationError<'_>) -> String {
    let (Kind::AnyOf { context } | Kind::OneOfNotValid { context }) = error.kind() else {
        return String::new();
    };
    let best = context.iter().min_by_key(|errors| errors.len());
    let first = best.and_then(|errors| errors.first());
    first.map_or_else(String::new, |first| match first.kind() {
        Kind::Required { property } => {
            format!(
                "; the nearest one wants `{}`",
                property.as_str().unwrap_or_default()
            )
        }
        _ => format!(
            "; the nearest one refuses `{}`",
            spoken(&first.instance_path().to_string())
        ),
    })
}

fn missing(name: &str, pointer: &str, value: &Value, schema: &Value) -> String {
    let place = spoken(&below(pointer, name));
    let mut sentence = format!("`{place}` is required and is not there");
    let known = at(schema, pointer).keys();
    let given = value.pointer(pointer).and_then(Value::as_object);
    let strangers = given
        .into_iter()
        .flat_map(serde_json::Map::keys)
        .map(String::as_str)
        .filter(|key| !known.contains(key));
    if let Some(near) = nearest(name, strangers) {
        sentence.push_str(&format!(
            "; `{near}` is not known and may have been meant for it"
        ));
    }
    sentence.push('.');
    sentence
}

fn unknown(name: &str, pointer: &str, schema: &Value) -> String {
    let place = spoken(&below(pointer, name));
    let known = at(schema, pointer).keys();
    let near = nearest(name, known.iter().copied());
    let near = near.map_or_else(String::new, |near| format!("; the nearest is `{near}`"));
    if known.is_empty() {
        return format!("`{place}` is not a parameter; there are none.");
    }
    let listed: Vec<String> = known.iter().map(|key| format!("`{key}`")).collect();
    format!(
        "`{place}` is not a parameter; known are {}{near}.",
        listed.join(", ")
    )
}

fn not_listed(place: &str, is: &Value, options: &Value) -> String {
    const SHOWN: usize = 20;
    let options = options.as_array().map(Vec::as_slice).unwrap_or_default();
    let listed: Vec<String> = options.iter().take(SHOWN).map(shown).collect();
    let more = if options.len() > SHOWN { ", …" } else { "" };
    let texts = options.iter().filter_map(Value::as_str);
    let near = nearest(is.as_str().unwrap_or_default(), texts);
    let near = near.map_or_else(String::new, |near| format!("; the nearest is `{near}`"));
    format!(
        "{place} must be one of {}{more}, and is {}{near}.",
        listed.join(", "),
        shown(is)
    )
}

/// What is wanted at a place of the arguments.
fn at<'s>(schema: &'s Value, pointer: &str) -> Wanted<'s> {
    let mut wanted = Wanted::of(schema);
    for step in pointer.split('/').skip(1) {
        let key = step.replace("~1", "/").replace("~0", "~");
        let item = key.parse().ok().map(|index| wanted.item(index));
        let property = wanted.property(&key);
        wanted = match item {
            Some(item) if !wanted.knows(&key) && !item.types().words().is_empty() => item,
            _ => property,
        };
    }
    wanted
}

/// The name that is nearest to another, if one is near at all.
pub(super) fn nearest<'n>(name: &str, others: impl Iterator<Item = &'n str>) -> Option<&'n str> {
    const NEAR: f64 = 0.75;
    let plain = |text: &str| text.to_lowercase().replace(['_', '-', '.'], "");
    let wanted = plain(name);
    let scored = others.map(|other| {
        let candidate = plain(other);
        let contained = wanted.len() > 2
            && (candidate.contains(&wanted) || candidate.len() > 2 && wanted.contains(&candidate));
        let score = strsim::jaro_winkler(&wanted, &candidate);
        (if contained { score.max(NEAR) } else { score }, other)
    });
    scored
        .filter(|(score, _)| *score >= NEAR)
        .max_by(|(one, _), (two, _)| one.total_cmp(two))
        .map(|(_, other)| other)
}

/// A value as a sentence quotes it.
fn shown(value: &Value) -> String {
    match value {
        Value::String(text) => format!("`{}`", short(text)),
        Value::Array(_) => "an array".to_owned(),
        Value::Object(_) => "an object".to_owned(),
        scalar => format!("`{scalar}`"),
    }
}
