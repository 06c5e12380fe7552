"""The checker's own test: hand-made documents that must be taken, and spoiled ones that must be refused."""

import strict
import wires

SCHEMA = {"type": "object", "properties": {"path": {"type": "string"}}, "required": ["path"]}
GOOGLE_SCHEMA = {"type": "OBJECT", "properties": {"path": {"type": "STRING"}}, "required": ["path"]}

GOOD_TOOLS = {
    "anthropic": [{"name": "Read", "description": "Reads.", "input_schema": {**SCHEMA, "additionalProperties": False}}],
    "openai-chat": [{"type": "function", "function": {"name": "a", "description": "b", "parameters": SCHEMA}}],
    "openai-responses": [
        {"type": "function", "name": "a", "description": "b", "parameters": SCHEMA, "strict": False},
        {"type": "custom", "name": "p", "format": {"type": "grammar", "syntax": "lark", "definition": "start: x"}},
    ],
    "gemini": [
        {
            "functionDeclarations": [
                {"name": "a", "description": "b", "parameters": GOOGLE_SCHEMA},
                {"name": "c", "parametersJsonSchema": SCHEMA},
            ]
        }
    ],
}
BAD_TOOLS = {
    "anthropic": [
        [],
        [{"name": "Read"}],
        [{"name": 1, "input_schema": SCHEMA}],
        [{"name": "Read", "input_schema": "none"}],
        [{"name": "Read", "input_schema": SCHEMA, "parameters": SCHEMA}],
    ],
    "openai-chat": [
        [{"type": "function", "name": "a", "parameters": SCHEMA}],
        [{"type": "tool", "function": {"name": "a"}}],
        [{"type": "function", "function": {"name": "a", "strict": 1}}],
    ],
    "openai-responses": [
        [{"type": "function", "name": "a", "parameters": SCHEMA}],
        [{"type": "function", "function": {"name": "a", "parameters": SCHEMA}}],
        [{"type": "custom", "name": "p", "format": {"type": "grammar", "syntax": "bnf", "definition": "x"}}],
    ],
    "gemini": [
        [{"function_declarations": [{"name": "a"}]}],
        [{"functionDeclarations": [{"name": "a", "parameters": {"type": "OBJECT", "additional": 1}}]}],
        [{"functionDeclarations": [{"name": "a", "input_schema": SCHEMA}]}],
    ],
}
RESULT = {"type": "tool_result", "tool_use_id": "t", "content": [{"type": "text", "text": "x"}], "is_error": True}
GOOD_ANSWERS = {
    "anthropic": [{"role": "user", "content": [RESULT, {**RESULT, "content": "plain"}]}],
    "openai-chat": [[{"role": "tool", "tool_call_id": "t", "content": "x"}]],
    "openai-responses": [
        [
            {"type": "function_call_output", "call_id": "t", "output": "x"},
            {"type": "custom_tool_call_output", "call_id": "u", "output": "y"},
        ],
        [{"type": "function_call_output", "call_id": "t", "output": [{"type": "input_text", "text": "x"}]}],
    ],
    "gemini": [
        {"role": "user", "parts": [{"functionResponse": {"id": "t", "name": "a", "response": {"output": "x"}}}]}
    ],
}
BAD_ANSWERS = {
    "anthropic": [
        {"role": "assistant", "content": [RESULT]},
        {"role": "user", "content": [{**RESULT, "status": "ok"}]},
        {"role": "user", "content": [{"type": "tool_result", "content": "x"}]},
        {"role": "user", "content": [{**RESULT, "content": [{"type": "text", "words": "x"}]}]},
        {"role": "user", "content": [RESULT, {"type": "text", "text": "x"}]},
    ],
    "openai-chat": [
        [{"role": "tool", "content": "x"}],
        [{"role": "tool", "tool_call_id": "t", "content": "x", "name": "a"}],
        [{"role": "tool", "tool_call_id": "t", "content": [{"type": "input_text", "text": "x"}]}],
    ],
    "openai-responses": [
        [{"type": "function_call_output", "output": "x"}],
        [{"type": "function_call_output", "call_id": "t", "output": {"text": "x"}}],
        [{"type": "custom_tool_call_output", "call_id": "t", "output": "x", "status": "completed"}],
        [{"type": "message", "role": "user", "content": "x"}],
    ],
    "gemini": [
        {"role": "user", "parts": [{"function_response": {"name": "a", "response": {}}}]},
        {"role": "user", "parts": [{"functionResponse": {"name": "a", "response": "x"}}]},
        {"role": "user", "parts": [{"functionResponse": {"response": {}}}]},
        {"role": "model", "parts": [{"functionResponse": {"name": "a", "response": {}}}]},
    ],
}


def is_taken(look, document: object) -> str:
    """Empty, or why the document was refused."""
    try:
        look(document)
        return ""
    except (strict.Refused, wires.Faulty) as err:
        return str(err) or "refused"


def run() -> int:
    failed = 0
    for wire in wires.ALL:
        good = [(wire.tools, GOOD_TOOLS[wire.NAME]), *((wire.answer, one) for one in GOOD_ANSWERS[wire.NAME])]
        bad = [(wire.tools, one) for one in BAD_TOOLS[wire.NAME]]
        bad += [(wire.answer, one) for one in BAD_ANSWERS[wire.NAME]]
        for look, document in good:
            if why := is_taken(look, document):
                print(f"FAIL {wire.NAME}: refused, though it is good: {why}: {document}")
                failed += 1
        for look, document in bad:
            if not is_taken(look, document):
                print(f"FAIL {wire.NAME}: taken, though it is bad: {document}")
                failed += 1
        print(f"{wire.NAME}: {len(good)} good and {len(bad)} bad documents")
    if not is_taken(lambda value: strict.prove(value, dict[str, object]), {"a": 1}):
        print("FAIL a document without a fixed key counts as proved")
        failed += 1
    print("selftest passed" if failed == 0 else f"selftest: {failed} failed")
    return 1 if failed else 0
