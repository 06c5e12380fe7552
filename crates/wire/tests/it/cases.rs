//! The stages as `toolpost try` offers them, on mishaps that agents' tools have really had.

use serde_json::{Value, json};
use toolpost_wire::try_stages::{decode, import, lower};

/// A schema of these properties; what is named in `required` is required.
fn schema(properties: &str, required: &[&str]) -> Value {
    let properties: Value = serde_json::from_str(properties).unwrap();
    json!({"type": "object", "properties": properties, "required": required})
}

fn accepted(raw: &str, schema: &Value, value: &str) -> Value {
    let answer = decode(json!({"raw": raw, "schema": schema}));
    assert_eq!(answer["status"], "ok", "{raw}: {answer}");
    assert_eq!(
        answer["value"],
        serde_json::from_str::<Value>(value).unwrap(),
        "{raw}"
    );
    answer
}

fn refused(request: Value, code: &str, words: &[&str]) {
    let answer = decode(request);
    assert_eq!(answer["status"], "invalid", "{answer}");
    assert_eq!(answer["error"]["code"], code, "{answer}");
    assert!(answer["value"].is_null() && answer["error"]["hint"].is_string());
    for word in words {
        assert!(
            answer["error"]["fact"].as_str().unwrap().contains(word),
            "{word}: {answer}"
        );
    }
}

#[test]
fn one_level_of_encoding_too_much_is_taken_out() {
    let queries = schema(
        r#"{"queries": {"type": "array", "items": {"type": "string"}}}"#,
        &["queries"],
    );
    let answer = accepted(
        r#"{"queries":"[\"test\"]"}"#,
        &queries,
        r#"{"queries": ["test"]}"#,
    );
    assert_eq!(answer["repairs"][0]["at"], "/queries");
    let plan = schema(
        r#"{"plan": {"type": "array", "items": {"type": "object"}}}"#,
        &["plan"],
    );
    accepted(
        r#"{"plan":"[{\"step\":\"a\"}]"}"#,
        &plan,
        r#"{"plan": [{"step": "a"}]}"#,
    );
    let path = schema(r#"{"path": {"type": "string"}}"#, &["path"]);
    accepted(r#""{\"path\":\"a.txt\"}""#, &path, r#"{"path": "a.txt"}"#);
}

#[test]
fn a_file_s_content_stays_what_it_is() {
    let write = schema(
        r#"{"path": {"type": "string"}, "content": {"type": "string"}}"#,
        &["path", "content"],
    );
    let raw = r#"{"path":"a.json","content":"{\"a\":1}"}"#;
    assert_eq!(accepted(raw, &write, raw)["repairs"], json!([]));
    let edit = schema(
        r#"{"old": {"type": "string"}, "new": {"type": "string"}, "count": {"type": "integer"}}"#,
        &["old"],
    );
    refused(
        json!({"raw": r#"{"old":"true","new":"false","count":"x"}"#, "schema": edit}),
        "invalid",
        &["count", "an integer"],
    );
    accepted(
        r#"{"old":"true","new":"false"}"#,
        &edit,
        r#"{"old": "true", "new": "false"}"#,
    );
}

#[test]
fn scalars_that_came_as_text_are_taken_uniformly() {
    let tail = schema(r#"{"tail": {"type": "integer"}}"#, &[]);
    accepted(r#"{"tail":"10"}"#, &tail, r#"{"tail": 10}"#);
    refused(
        json!({"raw": r#"{"tail":""}"#, "schema": tail}),
        "invalid",
        &["tail"],
    );
    let force = schema(
        r#"{"force": {"anyOf": [{"type": "boolean"}, {"type": "null"}], "default": null}}"#,
        &[],
    );
    accepted(r#"{"force":"true"}"#, &force, r#"{"force": true}"#);
    let version = schema(r#"{"version": {"type": "string"}}"#, &[]);
    accepted(r#"{"version":1.10}"#, &version, r#"{"version": "1.10"}"#);
}

#[test]
fn absence_and_emptiness_are_the_tool_s_business() {
    let fetch = schema(
        r#"{"url": {"type": "string"}, "mode": {"type": "string"}}"#,
        &["url"],
    );
    accepted(
        r#"{"url":"https://e.example","mode":null}"#,
        &fetch,
        r#"{"url": "https://e.example"}"#,
    );
    accepted("", &schema("{}", &[]), "{}");
    let list = schema(
        r#"{"path": {"type": "string"}, "depth": {"type": "integer"}}"#,
        &[],
    );
    accepted(
        r#"{"path":"","depth":2}"#,
        &list,
        r#"{"path": "", "depth": 2}"#,
    );
}

#[test]
fn what_was_cut_off_never_runs() {
    let write = schema(
        r#"{"path": {"type": "string"}, "content": {"type": "string"}}"#,
        &["path", "content"],
    );
    refused(
        json!({"raw": r#"{"path":"a.txt","content":"hel"#, "schema": write}),
        "truncated",
        &["cut off", "content"],
    );
    for reason in [
        "length",
        "max_tokens",
        "MAX_TOKENS",
        "incomplete",
        "refusal",
        "content_filter",
    ] {
        let request =
            json!({"raw": r#"{"path":"x.txt"}"#, "schema": write, "finish_reason": reason});
        // The words are true for every reason.
        refused(request, "truncated", &["cut off before its end"]);
    }
    let request = json!({"raw": "{}", "schema": schema("{}", &[]), "finish_reason": "stop"});
    assert_eq!(decode(request)["status"], "ok");
}

#[test]
fn aliases_are_taken_in_both_forms() {
    let path = schema(r#"{"path": {"type": "string"}}"#, &["path"]);
    for aliases in [
        json!({"file_path": "path"}),
        json!({"path": ["filename", "file_path"]}),
    ] {
        let answer =
            decode(json!({"raw": r#"{"file_path":"a"}"#, "schema": path, "aliases": aliases}));
        assert_eq!(
            (&answer["status"], &answer["value"]),
            (&json!("ok"), &json!({"path": "a"}))
        );
        assert_eq!(answer["repairs"].as_array().unwrap().len(), 1);
    }
}

#[test]
fn requests_that_are_not_sound_are_answered() {
    refused(json!({}), "invalid", &["`raw`"]);
    assert_eq!(decode(json!({"raw": {"a": 1}}))["value"], json!({"a": 1}));
    assert_eq!(import(json!(3)), json!({"tools": [], "warnings": []}));
    assert!(
        lower(json!({"wire": "smtp"}))["warnings"][0]
            .as_str()
            .unwrap()
            .contains("smtp")
    );
}

fn imported(server: &str, tools: Value) -> (Vec<Value>, String) {
    let answer = import(json!({"server": server, "tools": tools}));
    (
        answer["tools"].as_array().unwrap().clone(),
        answer["warnings"].to_string(),
    )
}

#[test]
fn one_bad_tool_spoils_no_server() {
    let healthy = json!({"name": "healthy", "inputSchema": {"type": "object", "properties": {"q": {"type": "string"}}, "required": ["q"]}});
    let branch = |name: &str| json!({"type": "object", "properties": {name: {"type": "string"}}, "required": [name]});
    let create =
        json!({"name": "create", "inputSchema": {"anyOf": [branch("content"), branch("url")]}});
    let cond = json!({"name": "cond", "inputSchema": {
        "type": "object", "properties": {"mode": {"type": "string"}, "size": {"type": "integer"}},
        "allOf": [{"if": {"properties": {"mode": {"const": "a"}}}, "then": {"properties": {"size": {"maximum": 10}}}}],
    }});
    let scalar = json!({"name": "lookup", "inputSchema": {"type": "string"}});
    let (tools, warnings) = imported(
        "srv",
        json!([healthy, create, cond, scalar, {"name": "none"}, {"name": "null", "inputSchema": null}]),
    );
    let names: Vec<&str> = tools
        .iter()
        .map(|tool| tool["name"].as_str().unwrap())
        .collect();
    assert_eq!(
        names,
        ["healthy", "create", "cond", "none", "null"].map(|name| format!("mcp__srv__{name}"))
    );
    for tool in &tools {
        assert_eq!(tool["schema"]["type"], "object");
        for key in ["anyOf", "oneOf", "allOf", "if", "then", "else"] {
            assert!(tool["schema"].get(key).is_none());
        }
    }
    assert!(warnings.contains("create") && warnings.contains("lookup"));
    assert!(
        tools[2]["description"]
            .as_str()
            .unwrap()
            .contains("maximum")
    );
    assert_eq!(
        tools[1]["schema"]["properties"].as_object().unwrap().len(),
        2
    );
}

#[test]
fn names_stay_apart_and_the_same() {
    let object = json!({"type": "object", "properties": {}});
    let long =
        |end: &str| json!({"name": format!("{}{end}", "x".repeat(70)), "inputSchema": object});
    let (tools, _) = imported(
        "a-rather-long-server-name",
        json!([long("_read"), long("_write")]),
    );
    let (turned, _) = imported(
        "a-rather-long-server-name",
        json!([long("_write"), long("_read")]),
    );
    assert_ne!(tools[0]["name"], tools[1]["name"]);
    assert_eq!(tools[0]["name"], turned[1]["name"]);
    assert!(
        tools
            .iter()
            .all(|tool| tool["name"].as_str().unwrap().len() <= 64)
    );
    let go = json!([{"name": "go", "inputSchema": object}]);
    assert_ne!(
        imported("café", go.clone()).0[0]["name"],
        imported("cafè", go).0[0]["name"]
    );
}

#[test]
fn lists_are_lowered() {
    let tools = json!([{"name": "a.b", "description": "d", "schema": {"type": "object", "properties": {}}}]);
    let answer = lower(json!({"wire": "gemini", "tools": tools}));
    assert_eq!(answer["tools"][0]["functionDeclarations"][0]["name"], "a_b");
    assert_eq!(answer["names"], json!({"a_b": "a.b"}));
    assert_eq!(answer["warnings"], json!([]));
}
