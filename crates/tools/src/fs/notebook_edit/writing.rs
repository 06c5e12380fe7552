//! New JSON in the manner of the file around it.

use serde_json::Value;

use crate::files::json::Node;

/// How a file writes JSON.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Manner {
    /// What a level is indented by; `None` where everything stands on one line.
    unit: Option<String>,
    /// What stands between a key and its value.
    colon: String,
    /// What stands between two values on one line.
    comma: String,
    /// The line break.
    line_break: &'static str,
    /// Whether characters beyond ASCII are escaped.
    escapes: Escapes,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Escapes {
    Needed,
    BeyondAscii,
}

impl Manner {
    /// Learns it from a file's outermost object.
    pub(super) fn of(text: &str, root: &Node) -> Self {
        let part = |from: usize, to: usize| text.get(from..to).unwrap_or_default().to_owned();
        let members = root.members();
        let first = members.first();
        let space = first.map(|first| part(root.span.start + 1, first.key_span.start));
        let unit = space
            .as_deref()
            .and_then(|space| Some(space.rsplit_once('\n')?.1.to_owned()));
        let comma = match members {
            [first, second, ..] if unit.is_none() => {
                part(first.value.span.end, second.key_span.start)
            }
            _ => ", ".to_owned(),
        };
        let colon = first.map(|first| part(first.key_span.end, first.value.span.start));
        let escaped = text.is_ascii() && text.split("\\u").skip(1).any(is_beyond_ascii);
        Self {
            unit,
            comma,
            colon: colon.unwrap_or_else(|| ": ".to_owned()),
            line_break: if text.contains("\r\n") { "\r\n" } else { "\n" },
            escapes: if escaped {
                Escapes::BeyondAscii
            } else {
                Escapes::Needed
            },
        }
    }

    /// The same, with everything on one line.
    pub(super) fn on_one_line(&self) -> Self {
        Self {
            unit: None,
            ..self.clone()
        }
    }

    /// What a level is indented by.
    pub(super) fn unit(&self) -> Option<&str> {
        self.unit.as_deref()
    }

    /// What stands behind the comma between two values on one line.
    pub(super) fn gap(&self) -> String {
        let gap = self.comma.rsplit_once(',').map_or(" ", |(_, gap)| gap);
        gap.to_owned()
    }

    /// A member of an object whose members are indented so.
    pub(super) fn member(&self, key: &str, value: &Value, indent: &str) -> String {
        let mut out = self.string(key) + &self.colon;
        self.write(value, indent, &mut out);
        out
    }

    /// A value that begins in a line indented so.
    pub(super) fn value(&self, value: &Value, indent: &str) -> String {
        let mut out = String::new();
        self.write(value, indent, &mut out);
        out
    }

    fn write(&self, value: &Value, indent: &str, out: &mut String) {
        match value {
            Value::String(text) => out.push_str(&self.string(text)),
            Value::Array(items) => {
                let items = items
                    .iter()
                    .map(|item| move |inner: &str, out: &mut String| self.write(item, inner, out));
                self.surround(['[', ']'], indent, items, out);
            }
            Value::Object(members) => {
                let members = members.iter().map(|(key, value)| {
                    move |inner: &str, out: &mut String| {
                        out.push_str(&self.member(key, value, inner));
                    }
                });
                self.surround(['{', '}'], indent, members, out);
            }
            plain => out.push_str(&plain.to_string()),
        }
    }

    fn surround<W: Fn(&str, &mut String)>(
        &self,
        [open, close]: [char; 2],
        indent: &str,
        parts: impl ExactSizeIterator<Item = W>,
        out: &mut String,
    ) {
        out.push(open);
        let count = parts.len();
        let inner = format!("{indent}{}", self.unit.as_deref().unwrap_or_default());
        for (at, write) in parts.enumerate() {
            if self.unit.is_some() {
                out.push_str(if at > 0 { "," } else { "" });
                out.push_str(self.line_break);
                out.push_str(&inner);
            } else if at > 0 {
                out.push_str(&self.comma);
            }
            write(&inner, out);
        }
        if self.unit.is_some() && count > 0 {
            out.push_str(self.line_break);
            out.push_str(indent);
        }
        out.push(close);
    }

    fn string(&self, text: &str) -> String {
        let plain = Value::from(text).to_string();
        if self.escapes == Escapes::Needed {
            return plain;
        }
        let mut out = String::with_capacity(plain.len());
        for char in plain.chars() {
            if char.is_ascii() {
                out.push(char);
            } else {
                let mut units = [0; 2];
                for unit in char.encode_utf16(&mut units) {
                    out.push_str(&format!("\\u{unit:04x}"));
                }
            }
        }
        out
    }
}

fn is_beyond_ascii(digits: &str) -> bool {
    let digits = digits.get(..4).unwrap_or_default();
    u32::from_str_radix(digits, 16).is_ok_and(|unit| unit > 0x7f)
}

#[cfg(test)]
mod tests {
    use super::Manner;
    use crate::files::json::parse;
    use serde_json::json;

    #[test]
    fn new_text_looks_like_the_old() {
        let value = json!({"a": ["é", 1], "b": [], "c": {}});
        let check = |text: &str, expected: &str| {
            let manner = Manner::of(text, &parse(text).unwrap());
            assert_eq!(manner.value(&value, " "), expected, "{text}");
        };
        check(
            "{\n \"x\": 1\n}",
            "{\n  \"a\": [\n   \"é\",\n   1\n  ],\n  \"b\": [],\n  \"c\": {}\n }",
        );
        check("{\"x\":1,\"y\":2}", "{\"a\":[\"é\",1],\"b\":[],\"c\":{}}");
        check(
            "{\"x\": \"\\u00e9\", \"y\": 2}",
            "{\"a\": [\"\\u00e9\", 1], \"b\": [], \"c\": {}}",
        );
        check(
            "{\r\n\t\"x\": 1}",
            "{\r\n \t\"a\": [\r\n \t\t\"é\",\r\n \t\t1\r\n \t],\r\n \t\"b\": [],\r\n \t\"c\": {}\r\n }",
        );
    }
}
