use proptest::prelude::*;
use serde_json::{Value, json};
use toolpost_core::{Grammar, Shape};

use super::{Listed, gemini_parameters, import, lower};
use crate::Wire;

fn listed(name: &str, schema: Value) -> Listed {
    Listed {
        name: name.to_owned(),
        card: "What it does.".to_owned(),
        shape: Shape::Function(schema),
    }
}

fn plain() -> Value {
    json!({
        "type": "object",
        "properties": {"path": {"type": "string", "description": "The file."}, "n": {"type": "integer", "minimum": 0}},
        "required": ["path"],
        "additionalProperties": false,
    })
}

/// The schema that comes out on a wire, and the warnings.
fn lowered(wire: Wire, schema: Value) -> (Value, Vec<String>) {
    let lowered = lower(wire, &[listed("t", schema)]);
    let tool = match wire {
        Wire::Gemini => &lowered.tools[0]["functionDeclarations"][0]["parametersJsonSchema"],
        Wire::Anthropic => &lowered.tools[0]["input_schema"],
        Wire::OpenAiChat => &lowered.tools[0]["function"]["parameters"],
        Wire::OpenAiResponses => &lowered.tools[0]["parameters"],
        Wire::Mcp => &lowered.tools[0]["inputSchema"],
        Wire::Plain => &lowered.tools[0]["schema"],
    };
    (tool.clone(), lowered.warnings)
}

#[test]
fn each_wire_has_its_own_list() {
    let tools = [listed("fs.read", plain())];
    let check = |wire: Wire, expected: Value| {
        let lowered = lower(wire, &tools);
        assert_eq!(lowered.tools, expected, "{wire:?}");
        assert!(lowered.warnings.is_empty());
    };
    let (name, about) = ("fs_read", "What it does.");
    check(
        Wire::Anthropic,
        json!([{"name": name, "description": about, "input_schema": plain()}]),
    );
    let function = json!({"name": name, "description": about, "parameters": plain()});
    check(
        Wire::OpenAiChat,
        json!([{"type": "function", "function": function}]),
    );
    check(
        Wire::OpenAiResponses,
        json!([{"type": "function", "name": name, "description": about, "parameters": plain(), "strict": false}]),
    );
    check(
        Wire::Gemini,
        json!([{"functionDeclarations": [{"name": name, "description": about, "parametersJsonSchema": plain()}]}]),
    );
    check(
        Wire::Mcp,
        json!([{"name": name, "description": about, "inputSchema": plain()}]),
    );
    check(
        Wire::Plain,
        json!([{"name": "fs.read", "description": about, "schema": plain()}]),
    );
    assert_eq!(
        lower(Wire::Gemini, &tools).names,
        [("fs_read".to_owned(), "fs.read".to_owned())]
    );
    for wire in Wire::ALL {
        assert_eq!(lower(*wire, &[]).tools, json!([]));
    }
}

#[test]
fn free_text_is_custom_where_there_is_such_a_thing() {
    let grammar = Grammar {
        syntax: "lark",
        definition: "start: \"x\"",
    };
    let tool = Listed {
        shape: Shape::Free {
            grammar,
            field: "input",
            fallback: json!({"type": "object", "properties": {"input": {"type": "string"}}, "required": ["input"]}),
        },
        ..listed("apply_patch", json!(null))
    };
    let tools = [tool];
    let custom = &lower(Wire::OpenAiResponses, &tools).tools[0];
    assert_eq!(custom["type"], "custom");
    assert_eq!(
        custom["format"],
        json!({"type": "grammar", "syntax": "lark", "definition": "start: \"x\""})
    );
    assert!(custom.get("parameters").is_none());
    let function = &lower(Wire::OpenAiChat, &tools).tools[0]["function"];
    assert_eq!(function["parameters"]["required"], json!(["input"]));
}

#[test]
fn roots_become_objects() {
    let check = |schema: Value, expected: Value, warnings: usize| {
        let (made, told) = lowered(Wire::Anthropic, schema.clone());
        assert_eq!(made, expected, "{schema}");
        assert_eq!(told.len(), warnings, "{schema}: {told:?}");
    };
    let empty = json!({"type": "object", "properties": {}});
    check(json!(null), empty.clone(), 0);
    check(json!(true), empty.clone(), 0);
    check(json!({}), empty.clone(), 0);
    check(json!({"type": "object"}), empty.clone(), 0);
    check(
        json!({"type": ["object", "null"], "$schema": "x"}),
        empty,
        0,
    );
    check(
        json!({"properties": {"a": {"type": "string"}}, "required": ["a", "b"]}),
        json!({"type": "object", "properties": {"a": {"type": "string"}, "b": {}}, "required": ["a", "b"]}),
        0,
    );
    check(
        json!({"anyOf": [
            {"type": "object", "properties": {"kind": {"const": "x"}, "a": {"type": "string"}}, "required": ["kind", "a"]},
            {"type": "object", "properties": {"kind": {"const": "y"}, "b": {"type": "string"}}, "required": ["kind"]},
        ]}),
        json!({"type": "object", "properties": {
            "kind": {"type": "string", "enum": ["x", "y"]}, "a": {"type": "string"}, "b": {"type": "string"},
        }, "required": ["kind"]}),
        1,
    );
    check(
        json!({"allOf": [
            {"properties": {"a": {"type": "string"}}, "required": ["a"]},
            {"properties": {"b": {"type": "integer"}}, "required": ["b"]},
        ]}),
        json!({"type": "object", "properties": {"a": {"type": "string"}, "b": {"type": "integer"}}, "required": ["a", "b"]}),
        1,
    );
}

#[test]
fn what_a_root_can_no_longer_say_is_in_the_description() {
    let description = |schema: Value| {
        let lowered = lower(Wire::Anthropic, &[listed("t", schema)]);
        lowered.tools[0]["description"].as_str().unwrap().to_owned()
    };
    let choice = description(
        json!({"oneOf": [{"required": ["a"]}, {"required": ["b"]}], "properties": {"a": {}, "b": {}}}),
    );
    assert!(choice.contains("`a`; or `b`"), "{choice}");
    let condition = description(json!({"if": {"required": ["a"]}, "then": {"required": ["b"]}}));
    assert!(condition.contains("\"required\":[\"b\"]"), "{condition}");
}

#[test]
fn a_hopeless_tool_is_left_out_alone() {
    let check = |schema: Value| {
        let lowered = lower(
            Wire::Gemini,
            &[listed("bad", schema.clone()), listed("good", plain())],
        );
        let names: Vec<&str> = lowered
            .names
            .iter()
            .map(|(wire, _)| wire.as_str())
            .collect();
        assert_eq!(names, ["good"], "{schema}");
        assert!(
            lowered.warnings[0].contains("`bad` was left out"),
            "{:?}",
            lowered.warnings
        );
    };
    check(json!({"type": "string"}));
    check(json!("object"));
    check(json!([]));
    check(json!(false));
    check(json!({"anyOf": [{"type": "string"}, {"type": "null"}]}));
    check(json!({"$ref": "#/$defs/s", "$defs": {"s": {"type": "array"}}}));
    let twice = lower(Wire::Mcp, &[listed("a", plain()), listed("a", plain())]);
    assert_eq!(
        (twice.tools.as_array().unwrap().len(), twice.warnings.len()),
        (1, 1)
    );
}

#[test]
fn references_are_replaced() {
    let schema = json!({
        "type": "object",
        "properties": {"a": {"$ref": "#/$defs/a", "description": "Own."}, "node": {"$ref": "#/definitions/node"}, "x": {"$ref": "#/no"}},
        "$defs": {"a": {"type": "string", "description": "Shared."}},
        "definitions": {"node": {"type": "object", "properties": {"next": {"$ref": "#/definitions/node"}}}},
    });
    let (made, told) = lowered(Wire::OpenAiChat, schema);
    assert_eq!(
        made,
        json!({"type": "object", "properties": {
            "a": {"type": "string", "description": "Own."},
            "node": {"type": "object", "properties": {"next": {"type": "object"}}},
            "x": {},
        }})
    );
    assert_eq!(told.len(), 2, "{told:?}");
    let mut doubling =
        json!({"type": "object", "properties": {"a": {"$ref": "#/$defs/d0"}}, "$defs": {}});
    for level in 0..30 {
        let next = json!({"$ref": format!("#/$defs/d{}", level + 1)});
        doubling["$defs"][format!("d{level}")] =
            json!({"type": "object", "properties": {"l": next, "r": next}});
    }
    let (_, told) = lowered(Wire::Anthropic, doubling);
    assert!(
        told.iter().any(|warning| warning.contains("too large")),
        "{told:?}"
    );
}

#[test]
fn subschemas_are_cleaned() {
    let check = |schema: Value, expected: Value| {
        let (made, _) = lowered(
            Wire::Mcp,
            json!({"type": "object", "properties": {"p": schema}}),
        );
        assert_eq!(made["properties"]["p"], expected);
    };
    check(json!(true), json!({}));
    check(json!("string"), json!({}));
    check(
        json!({"type": "array"}),
        json!({"type": "array", "items": {}}),
    );
    check(
        json!({"type": "array", "items": true}),
        json!({"type": "array", "items": {}}),
    );
    check(json!({"type": ["string"]}), json!({"type": "string"}));
    check(
        json!({"type": ["string", "null"]}),
        json!({"type": "string"}),
    );
    check(
        json!({"type": "array", "items": [{"type": "string"}]}),
        json!({"type": "array", "prefixItems": [{"type": "string"}], "items": {}}),
    );
    check(
        json!({"type": "int", "minimum": "x"}),
        json!({"type": "integer"}),
    );
    check(
        json!({"type": ["string", "integer"], "minLength": 1, "minimum": 2, "description": "d", "enum": ["a", 3]}),
        json!({"description": "d", "anyOf": [
            {"type": "string", "minLength": 1, "enum": ["a"]}, {"type": "integer", "minimum": 2, "enum": [3]},
        ]}),
    );
    check(
        json!({"oneOf": [{"type": "string"}, false]}),
        json!({"oneOf": [{"type": "string"}]}),
    );
    check(
        json!({"type": "object", "properties": {"id": {"type": "string"}}, "additionalProperties": true, "$id": "x"}),
        json!({"type": "object", "properties": {"id": {"type": "string"}}, "additionalProperties": true}),
    );
    check(
        json!({"type": "string", "enum": [], "anyOf": 3}),
        json!({"type": "string"}),
    );
    check(
        json!({"enum": [{"$ref": "#/x"}], "default": {"$schema": 1}}),
        json!({"enum": [{"$ref": "#/x"}], "default": {"$schema": 1}}),
    );
}

#[test]
fn what_can_never_be_given_is_left_out() {
    let (made, told) = lowered(
        Wire::Mcp,
        json!({"type": "object", "properties": {"never": false, "p": {}}}),
    );
    assert_eq!(
        (made["properties"].clone(), told.len()),
        (json!({"p": {}}), 1)
    );
}

#[test]
fn anthropic_refuses_some_names_of_parameters() {
    let schema = |required: Value| json!({"type": "object", "properties": {"$filter": {}, "a.b-c_1": {}}, "required": required});
    let (made, told) = lowered(Wire::Anthropic, schema(json!([])));
    assert_eq!(
        (&made["properties"], told.len()),
        (&json!({"a.b-c_1": {}}), 1)
    );
    assert!(
        lowered(Wire::Anthropic, schema(json!(["$filter"])))
            .0
            .is_null()
    );
    assert!(
        lowered(Wire::OpenAiChat, schema(json!(["$filter"])))
            .1
            .is_empty()
    );
}

#[test]
fn gemini_gets_only_the_words_it_knows() {
    let schema = json!({"type": "object", "properties": {
        "n": {"type": "integer", "exclusiveMinimum": 0, "description": "A number."},
        "u": {"type": "string", "format": "uri"},
        "c": {"const": "x"},
        "m": {"type": "object", "patternProperties": {"^a": {"type": "string"}}},
    }});
    let (made, told) = lowered(Wire::Gemini, schema.clone());
    assert_eq!(
        made["properties"],
        json!({
            "n": {"type": "integer", "description": "A number. It must be more than 0."},
            "u": {"type": "string"},
            "c": {"enum": ["x"]},
            "m": {"type": "object"},
        })
    );
    assert_eq!(told.len(), 3, "{told:?}");
    assert!(lowered(Wire::Anthropic, schema).1.is_empty());
}

#[test]
fn the_subset_is_narrower_still() {
    let schema = json!({"type": "object", "additionalProperties": false, "properties": {
        "maybe": {"anyOf": [{"type": "string"}, {"type": "null"}], "default": null},
        "either": {"oneOf": [{"type": "string"}, {}]},
        "list": {"type": "array"},
        "sizes": {"type": "integer", "enum": [1, 2]},
    }});
    assert_eq!(
        gemini_parameters(&schema).unwrap(),
        json!({"type": "object", "properties": {
            "maybe": {"type": "string", "nullable": true},
            "either": {"anyOf": [{"type": "string"}, {"type": "string"}]},
            "list": {"type": "array", "items": {"type": "string"}},
            "sizes": {"type": "integer"},
        }})
    );
    assert_eq!(gemini_parameters(&json!({"type": "array"})), None);
}

#[test]
fn a_server_s_tools_are_imported_each_on_its_own() {
    let object = json!({"type": "object", "properties": {}});
    let tools = [
        json!({"name": "healthy", "inputSchema": plain()}),
        json!({"name": "none"}),
        json!({"name": "null", "inputSchema": null, "outputSchema": {"$id": "x"}}),
        json!({"name": "scalar", "inputSchema": {"type": "string"}}),
        json!({"inputSchema": object}),
        json!({"name": "healthy", "inputSchema": object}),
        json!({"name": "either", "inputSchema": {"anyOf": [{"type": "object", "properties": {"a": {}}}, {"type": "object"}]}}),
        json!({"name": "nested", "inputSchema": {"type": "object", "properties": {"t": {"oneOf": [{"type": "object"}]}}}}),
        json!("tool"),
    ];
    let (imported, warnings) = import("srv", &tools);
    let names: Vec<&str> = imported
        .iter()
        .map(|tool| tool["name"].as_str().unwrap())
        .collect();
    let expected =
        ["healthy", "none", "null", "either", "nested"].map(|name| format!("mcp__srv__{name}"));
    assert_eq!(names, expected);
    for tool in &imported {
        assert_eq!(tool["schema"]["type"], "object");
    }
    assert!(imported[4]["schema"]["properties"]["t"]["oneOf"].is_array());
    for word in ["scalar", "either", "no name", "twice"] {
        assert!(
            warnings.iter().any(|warning| warning.contains(word)),
            "{word}: {warnings:?}"
        );
    }
}

fn any_schema() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(json!(true)),
        Just(json!(false)),
        Just(json!(null)),
        Just(json!({"type": "string"})),
        Just(json!({"type": ["integer", "null"]})),
        Just(json!({"$ref": "#"})),
        Just(json!({"$ref": "#/properties/a"})),
        Just(json!({"const": 1, "format": "uri"})),
    ];
    leaf.prop_recursive(4, 24, 3, |inner| {
        let several = prop::collection::vec(inner.clone(), 0..3);
        prop_oneof![
            prop::collection::btree_map("[ab]", inner.clone(), 0..3)
                .prop_map(|map| json!({"type": "object", "properties": map, "required": ["a"]})),
            several.clone().prop_map(|branches| json!({"anyOf": branches})),
            several.clone().prop_map(|branches| json!({"oneOf": branches, "properties": {}})),
            several.prop_map(|branches| json!({"allOf": branches})),
            inner.clone().prop_map(|items| json!({"type": "array", "items": items})),
            inner.prop_map(|part| json!({"if": part, "not": part, "$defs": {"a": part}, "additionalProperties": part})),
        ]
    })
}

/// No boolean where a schema should stand, no reference, no list of types; in the subset no word that it does not know.
fn check_parts(schema: &Value) {
    let Value::Object(map) = schema else {
        panic!("{schema}")
    };
    assert!(
        !map.contains_key("$ref") && !map.contains_key("$defs"),
        "{schema}"
    );
    assert!(!map.get("type").is_some_and(Value::is_array), "{schema}");
    for part in map
        .get("properties")
        .and_then(Value::as_object)
        .into_iter()
        .flat_map(|parts| parts.values())
    {
        check_parts(part);
    }
    for key in ["anyOf", "oneOf", "allOf"] {
        map.get(key)
            .and_then(Value::as_array)
            .into_iter()
            .flatten()
            .for_each(check_parts);
    }
    map.get("items").into_iter().for_each(check_parts);
}

/// Every part has a type or typed branches, and no word beyond the subset.
fn check_subset(schema: &Value) {
    let Value::Object(map) = schema else {
        panic!("{schema}")
    };
    let branches = map.get("anyOf").and_then(Value::as_array);
    assert!(
        map.contains_key("type")
            || branches
                .is_some_and(|branches| branches.iter().all(|branch| branch.get("type").is_some())),
        "{schema}"
    );
    for key in [
        "additionalProperties",
        "oneOf",
        "allOf",
        "const",
        "$ref",
        "default",
        "prefixItems",
        "if",
        "not",
    ] {
        assert!(!map.contains_key(key), "{schema}");
    }
    map.get("properties")
        .and_then(Value::as_object)
        .into_iter()
        .flat_map(|parts| parts.values())
        .for_each(check_subset);
    branches.into_iter().flatten().for_each(check_subset);
    map.get("items").into_iter().for_each(check_subset);
}

proptest! {
    #[test]
    fn any_schema_fits_the_subset(schema in any_schema()) {
        if let Some(made) = gemini_parameters(&schema) {
            check_subset(&made);
        }
    }

    #[test]
    fn any_schema_becomes_portable_or_is_left_out(schema in any_schema()) {
        for wire in [Wire::Anthropic, Wire::OpenAiChat, Wire::OpenAiResponses, Wire::Gemini, Wire::Mcp] {
            let (made, told) = lowered(wire, schema.clone());
            if made.is_null() {
                prop_assert!(!told.is_empty());
                continue;
            }
            prop_assert_eq!(&made["type"], "object");
            prop_assert!(made["properties"].is_object());
            for key in ["anyOf", "oneOf", "allOf", "if", "not"] {
                prop_assert!(made.get(key).is_none());
            }
            check_parts(&made);
            prop_assert!(jsonschema::draft202012::meta::is_valid(&made));
            if wire != Wire::Gemini {
                prop_assert_eq!(&lowered(wire, made.clone()).0, &made);
            }
        }
    }
}
