use serde_json::{Value, json};
use toolpost_wire::Wire;

#[test]
fn wires_have_names() {
    for wire in Wire::ALL {
        assert_eq!(Wire::from_name(wire.name()), Some(*wire));
    }
    assert_eq!(Wire::from_name("smtp"), None);
    let names: Value = Wire::ALL.iter().map(|wire| wire.name()).collect();
    assert_eq!(
        names,
        json!([
            "anthropic",
            "openai-chat",
            "openai-responses",
            "gemini",
            "mcp",
            "plain"
        ])
    );
}
