//! The stages of this room alone, JSON in and JSON out, for people who write tools.

use serde_json::Value;

/// Decodes arguments: `{raw, schema, aliases?, finish_reason?}` → `{status, value, repairs[], error?}`.
#[must_use]
pub fn decode(_request: Value) -> Value {
    Value::Null
}

/// Imports an MCP server's list: `{server, tools[]}` → `{tools[{name, schema}], warnings[]}`.
#[must_use]
pub fn import(_request: Value) -> Value {
    Value::Null
}

/// Lowers a list for a wire: `{wire, tools[{name, description?, schema}]}` → `{tools[], warnings[]}`.
#[must_use]
pub fn lower(_request: Value) -> Value {
    Value::Null
}
