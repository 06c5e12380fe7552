//! JSON text as a tree that knows where everything stands, so that a part can be changed and the rest keeps its bytes.

use std::ops::Range;

use serde::de::IgnoredAny;

/// How deep a text may be nested.
const DEPTH: usize = 128;

/// A value and where it stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Node {
    /// Its place in the text.
    pub(crate) span: Range<usize>,
    /// What it is.
    pub(crate) kind: Kind,
}

/// What a value is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Kind {
    /// An object's members, in order.
    Object(Vec<Member>),
    /// A list's items, in order.
    Array(Vec<Node>),
    /// A string, a number, or a word.
    Plain,
}

/// A member of an object.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Member {
    /// Its key, unescaped.
    pub(crate) key: String,
    /// Where the key stands, quotes included.
    pub(crate) key_span: Range<usize>,
    /// Its value.
    pub(crate) value: Node,
}

impl Node {
    /// An object's members; none for other values.
    pub(crate) fn members(&self) -> &[Member] {
        match &self.kind {
            Kind::Object(members) => members,
            Kind::Array(_) | Kind::Plain => &[],
        }
    }

    /// A list's items; `None` for other values.
    pub(crate) fn items(&self) -> Option<&[Self]> {
        match &self.kind {
            Kind::Array(items) => Some(items),
            Kind::Object(_) | Kind::Plain => None,
        }
    }

    /// The member with a key; of several, the last, as most readers have it.
    pub(crate) fn member(&self, key: &str) -> Option<&Member> {
        self.members().iter().rev().find(|member| member.key == key)
    }

    /// The value of the member with a key.
    pub(crate) fn get(&self, key: &str) -> Option<&Self> {
        self.member(key).map(|member| &member.value)
    }

    /// The value as data.
    pub(crate) fn read<T: serde::de::DeserializeOwned>(&self, text: &str) -> Option<T> {
        serde_json::from_str(text.get(self.span.clone())?).ok()
    }
}

/// Reads a text that is one JSON value; what is wrong with it otherwise, as the end of a sentence.
pub(crate) fn parse(text: &str) -> Result<Node, String> {
    serde_json::from_str::<IgnoredAny>(text).map_err(|err| err.to_string())?;
    let mut scan = Scan { text, at: 0 };
    scan.value(0)
        .ok_or_else(|| format!("it is nested deeper than {DEPTH} levels"))
}

/// A walk over a text that is known to be sound.
struct Scan<'a> {
    text: &'a str,
    at: usize,
}

impl Scan<'_> {
    fn value(&mut self, depth: usize) -> Option<Node> {
        if depth > DEPTH {
            return None;
        }
        self.pass_space();
        let start = self.at;
        let kind = match self.peek()? {
            b'{' => Kind::Object(self.object(depth)?),
            b'[' => Kind::Array(self.array(depth)?),
            b'"' => {
                self.pass_string();
                Kind::Plain
            }
            _ => {
                self.pass_word();
                Kind::Plain
            }
        };
        Some(Node {
            span: start..self.at,
            kind,
        })
    }

    fn object(&mut self, depth: usize) -> Option<Vec<Member>> {
        let mut members = Vec::new();
        self.at += 1;
        loop {
            self.pass_space();
            match self.peek()? {
                b'}' => break,
                b',' => self.at += 1,
                _ => {
                    let start = self.at;
                    self.pass_string();
                    let key_span = start..self.at;
                    let key = serde_json::from_str(self.text.get(key_span.clone())?).ok()?;
                    self.pass_space();
                    self.at += 1;
                    let value = self.value(depth + 1)?;
                    members.push(Member {
                        key,
                        key_span,
                        value,
                    });
                }
            }
        }
        self.at += 1;
        Some(members)
    }

    fn array(&mut self, depth: usize) -> Option<Vec<Node>> {
        let mut items = Vec::new();
        self.at += 1;
        loop {
            self.pass_space();
            match self.peek()? {
                b']' => break,
                b',' => self.at += 1,
                _ => items.push(self.value(depth + 1)?),
            }
        }
        self.at += 1;
        Some(items)
    }

    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn pass_space(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\t' | b'\n' | b'\r')) {
            self.at += 1;
        }
    }

    fn pass_word(&mut self) {
        let ends = |byte: u8| matches!(byte, b',' | b']' | b'}' | b' ' | b'\t' | b'\n' | b'\r');
        while self.peek().is_some_and(|byte| !ends(byte)) {
            self.at += 1;
        }
    }

    fn pass_string(&mut self) {
        self.at += 1;
        while let Some(byte) = self.peek() {
            self.at += if byte == b'\\' { 2 } else { 1 };
            if byte == b'"' {
                break;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Node, parse};
    use proptest::prelude::*;

    #[test]
    fn everything_has_its_place() {
        let text = " {\"a\\u0062\": [1, {\"c\": \"x\\\"]}\"}] , \"d\":null}\n";
        let root = parse(text).unwrap();
        let here = |node: &Node| text.get(node.span.clone()).unwrap().to_owned();
        let list = root.get("ab").unwrap();
        assert_eq!(here(list), "[1, {\"c\": \"x\\\"]}\"}]");
        let items = list.items().unwrap();
        assert_eq!(here(&items[0]), "1");
        assert_eq!(
            items[1].get("c").unwrap().read::<String>(text).unwrap(),
            "x\"]}"
        );
        assert_eq!(here(root.get("d").unwrap()), "null");
        assert_eq!(
            text.get(root.member("d").unwrap().key_span.clone()),
            Some("\"d\"")
        );
    }

    #[test]
    fn unsound_text_is_told() {
        assert!(parse("{").unwrap_err().contains("EOF"));
        assert!(parse(&"[".repeat(200)).is_err());
        let deep = format!("{}{}", "[".repeat(200), "]".repeat(200));
        assert!(parse(&deep).is_err());
    }

    proptest! {
        #[test]
        fn what_serde_reads_is_read_here(keys in prop::collection::vec("(?s).{0,6}", 0..5), pretty: bool) {
            let object: serde_json::Map<String, serde_json::Value> =
                keys.iter().map(|key| (key.clone(), serde_json::json!([key, 1.5e3]))).collect();
            let text = if pretty {
                serde_json::to_string_pretty(&object).unwrap()
            } else {
                serde_json::to_string(&object).unwrap()
            };
            let root = parse(&text).unwrap();
            prop_assert_eq!(root.members().len(), object.len());
            for (key, value) in &object {
                let read: serde_json::Value = root.get(key).unwrap().read(&text).unwrap();
                prop_assert_eq!(&read, value);
            }
        }
    }
}
