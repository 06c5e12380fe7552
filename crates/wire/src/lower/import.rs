//! A list of tools from an MCP server, made fit to be offered.

use serde_json::{Value, json};

use super::names;
use super::portable::portable;
use crate::Wire;
use crate::document::text_at;

/// The tools of a server under names of our own with schemas that every provider takes, and what was changed or left out.
pub(crate) fn import(server: &str, tools: &[Value]) -> (Vec<Value>, Vec<String>) {
    let mut imported: Vec<Value> = Vec::new();
    let mut warnings: Vec<String> = Vec::new();
    for (place, tool) in tools.iter().enumerate() {
        let given = text_at(tool, "name");
        if given.is_empty() {
            warnings.push(format!(
                "Tool {} of `{server}` has no name and was left out.",
                place + 1
            ));
            continue;
        }
        let name = names::imported(server, given);
        if imported.iter().any(|other| text_at(other, "name") == name) {
            warnings.push(format!(
                "`{given}` was left out: the server lists it twice."
            ));
            continue;
        }
        let schema = tool.get("inputSchema").unwrap_or(&Value::Null);
        match portable(schema, Wire::Mcp) {
            Ok(made) => {
                warnings.extend(
                    made.notes
                        .into_iter()
                        .map(|note| format!("`{given}`: {note}.")),
                );
                let card = super::described(text_at(tool, "description"), &made.remarks);
                imported.push(json!({ "name": name, "tool": given, "description": card, "schema": made.schema }));
            }
            Err(why) => warnings.push(format!("`{given}` was left out: {why}.")),
        }
    }
    (imported, warnings)
}
