use serde_json::json;
use toolpost_wire::{Wire, read};

use crate::common::check;

#[test]
fn requests_are_read() {
    let request = json!({"jsonrpc": "2.0", "id": 7, "method": "tools/call", "params": {"name": "fs_read", "arguments": {"path": "a"}}});
    check(
        Wire::Mcp,
        &request.to_string(),
        &[r#"7 fs_read {"path":"a"}"#],
    );
    check(
        Wire::Mcp,
        &request["params"].to_string(),
        &[r#"? fs_read {"path":"a"}"#],
    );
    check(Wire::Mcp, &json!({"name": "x"}).to_string(), &["? x {}"]);
    let other = json!({"jsonrpc": "2.0", "id": 7, "method": "tools/list", "params": {"name": "x"}});
    assert!(read(Wire::Mcp, other.to_string().as_bytes()).is_err());
}
