//! Reads JSON text strictly, forgiving three slips whose meaning is plain: control characters inside a text, a comma
//! before a closing bracket, and a byte-order mark.
//!
//! Where it fails it says why and where. Nothing open is ever closed, no quote and no key is ever made up.

use super::node::{DEPTH, Node, Numeral, below, is_number};

/// A text that was read.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Reading {
    /// The value.
    pub(super) node: Node,
    /// What was forgiven, as (JSON pointer, sentence).
    pub(super) forgiven: Vec<(String, &'static str)>,
}

/// Why a text could not be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Fault {
    /// It ends before its end.
    Cut {
        /// The place that was being written, as a JSON pointer.
        at: String,
    },
    /// It is not JSON.
    Broken {
        /// Where, as a byte offset.
        offset: usize,
        /// What should stand there.
        wanted: &'static str,
    },
    /// An object names a key twice.
    Twice {
        /// The object, as a JSON pointer.
        at: String,
        /// The key.
        key: String,
    },
    /// It is nested too deeply.
    Deep,
}

/// What is told about control characters inside a text.
pub(super) const CONTROL: &str =
    "A text held bare line breaks or other control characters; they were taken as they are.";
/// What is told about a comma before a closing bracket.
pub(super) const COMMA: &str = "A comma before a closing bracket was passed over.";
/// What is told about a byte-order mark.
pub(super) const MARK: &str = "A byte-order mark before the arguments was passed over.";

/// Reads a text that is one JSON value.
pub(super) fn read(text: &str) -> Result<Reading, Fault> {
    read_within(text, DEPTH)
}

/// Reads a text that is one JSON value of so many levels at the most.
pub(super) fn read_within(text: &str, depth: usize) -> Result<Reading, Fault> {
    let mut reader = Reader {
        text,
        offset: 0,
        forgiven: Vec::new(),
    };
    if reader.take(b"\xef\xbb\xbf") {
        reader.forgive("", MARK);
    }
    let node = reader.value("", depth)?;
    reader.blank();
    if reader.peek().is_some() {
        return Err(reader.broken("nothing more, since the value is complete"));
    }
    Ok(Reading {
        node,
        forgiven: reader.forgiven,
    })
}

struct Reader<'a> {
    text: &'a str,
    offset: usize,
    forgiven: Vec<(String, &'static str)>,
}

impl Reader<'_> {
    fn rest(&self) -> &[u8] {
        self.text.as_bytes().get(self.offset..).unwrap_or_default()
    }

    fn peek(&self) -> Option<u8> {
        self.rest().first().copied()
    }

    fn take(&mut self, bytes: &[u8]) -> bool {
        let there = self.rest().starts_with(bytes);
        if there {
            self.offset += bytes.len();
        }
        there
    }

    fn blank(&mut self) {
        while let Some(b' ' | b'\n' | b'\r' | b'\t') = self.peek() {
            self.offset += 1;
        }
    }

    fn forgive(&mut self, at: &str, what: &'static str) {
        let slip = (at.to_owned(), what);
        if !self.forgiven.contains(&slip) {
            self.forgiven.push(slip);
        }
    }

    fn broken(&self, wanted: &'static str) -> Fault {
        Fault::Broken {
            offset: self.offset,
            wanted,
        }
    }

    /// What stands here is not what should: the text is broken, or it has ended.
    fn unlike(&self, at: &str, wanted: &'static str) -> Fault {
        match self.peek() {
            None => Fault::Cut { at: at.to_owned() },
            Some(_) => self.broken(wanted),
        }
    }

    fn value(&mut self, at: &str, depth: usize) -> Result<Node, Fault> {
        let below = depth.checked_sub(1).ok_or(Fault::Deep)?;
        self.blank();
        match self.peek() {
            Some(b'{') => self.object(at, below),
            Some(b'[') => self.list(at, below),
            Some(b'"') => self.string(at).map(Node::Text),
            Some(b'-' | b'0'..=b'9') => self.number(at),
            _ => self.literal(at),
        }
    }

    fn literal(&mut self, at: &str) -> Result<Node, Fault> {
        let literals = [
            ("true", Node::Bool(true)),
            ("false", Node::Bool(false)),
            ("null", Node::Null),
        ];
        for (word, node) in literals {
            if self.take(word.as_bytes()) {
                return Ok(node);
            }
            let begun = !self.rest().is_empty() && word.as_bytes().starts_with(self.rest());
            if begun && !at.is_empty() {
                return Err(Fault::Cut { at: at.to_owned() });
            }
        }
        Err(self.unlike(
            at,
            "a value: `{`, `[`, a text in double quotes, a number, true, false or null",
        ))
    }

    fn number(&mut self, at: &str) -> Result<Node, Fault> {
        let start = self.offset;
        while let Some(b'0'..=b'9' | b'-' | b'+' | b'.' | b'e' | b'E') = self.peek() {
            self.offset += 1;
        }
        let text = self.text.get(start..self.offset).unwrap_or_default();
        if is_number(text) {
            return Ok(Node::Number(Numeral::source(text)));
        }
        if self.peek().is_none() && !at.is_empty() {
            return Err(Fault::Cut { at: at.to_owned() });
        }
        Err(Fault::Broken {
            offset: start,
            wanted: "a number in plain JSON form",
        })
    }

    fn list(&mut self, at: &str, depth: usize) -> Result<Node, Fault> {
        self.offset += 1;
        let mut items = Vec::new();
        loop {
            self.blank();
            let place = below(at, &items.len().to_string());
            if self.take(b"]") {
                if !items.is_empty() {
                    self.forgive(at, COMMA);
                }
                return Ok(Node::List(items));
            }
            items.push(self.value(&place, depth)?);
            self.blank();
            if self.take(b"]") {
                return Ok(Node::List(items));
            }
            if !self.take(b",") {
                return Err(self.unlike(&place, "`,` or `]`"));
            }
        }
    }

    fn object(&mut self, at: &str, depth: usize) -> Result<Node, Fault> {
        self.offset += 1;
        let mut fields: Vec<(String, Node)> = Vec::new();
        let mut known = std::collections::HashSet::new();
        loop {
            self.blank();
            if self.take(b"}") {
                if !fields.is_empty() {
                    self.forgive(at, COMMA);
                }
                return Ok(Node::Object(fields));
            }
            if self.peek() != Some(b'"') {
                return Err(self.unlike(at, "a key in double quotes, or `}`"));
            }
            let key = self.string(at)?;
            self.blank();
            let place = below(at, &key);
            if !self.take(b":") {
                return Err(self.unlike(&place, "`:`"));
            }
            if !known.insert(key.clone()) {
                return Err(Fault::Twice {
                    at: at.to_owned(),
                    key,
                });
            }
            let node = self.value(&place, depth)?;
            fields.push((key, node));
            self.blank();
            if self.take(b"}") {
                return Ok(Node::Object(fields));
            }
            if !self.take(b",") {
                return Err(self.unlike(&place, "`,` or `}`"));
            }
        }
    }

    fn string(&mut self, at: &str) -> Result<String, Fault> {
        self.offset += 1;
        let mut read = String::new();
        loop {
            let start = self.offset;
            while !matches!(self.peek(), None | Some(b'"' | b'\\' | 0..=0x1f)) {
                self.offset += 1;
            }
            read.push_str(self.text.get(start..self.offset).unwrap_or_default());
            match self.peek() {
                None => return Err(Fault::Cut { at: at.to_owned() }),
                Some(b'"') => {
                    self.offset += 1;
                    return Ok(read);
                }
                Some(b'\\') => read.push(self.escape(at)?),
                Some(control) => {
                    self.offset += 1;
                    read.push(char::from(control));
                    self.forgive(at, CONTROL);
                }
            }
        }
    }

    fn escape(&mut self, at: &str) -> Result<char, Fault> {
        let letter = match self.rest().get(1) {
            None => return Err(Fault::Cut { at: at.to_owned() }),
            Some(b'u') => return self.code_point(at),
            Some(b'n') => '\n',
            Some(b't') => '\t',
            Some(b'r') => '\r',
            Some(b'b') => '\u{8}',
            Some(b'f') => '\u{c}',
            Some(plain @ (b'"' | b'\\' | b'/')) => char::from(*plain),
            Some(_) => {
                return Err(
                    self.broken("an escape that JSON knows; a backslash itself is written `\\\\`")
                );
            }
        };
        self.offset += 2;
        Ok(letter)
    }

    /// `\uXXXX`, or two of them for a character beyond the first 65,536.
    fn code_point(&mut self, at: &str) -> Result<char, Fault> {
        let first = self.unit(0, at)?;
        if let Some(letter) = char::from_u32(first) {
            self.offset += 6;
            return Ok(letter);
        }
        let half = "both halves of a surrogate pair";
        match self.rest().get(6) {
            None => return Err(Fault::Cut { at: at.to_owned() }),
            Some(b'\\') if first < 0xdc00 => {}
            Some(_) => return Err(self.broken(half)),
        }
        let second = self.unit(6, at)?;
        let joined = 0x1_0000 + ((first & 0x3ff) << 10) + (second & 0x3ff);
        let letter = (0xdc00..0xe000)
            .contains(&second)
            .then(|| char::from_u32(joined))
            .flatten();
        let letter = letter.ok_or_else(|| self.broken(half))?;
        self.offset += 12;
        Ok(letter)
    }

    fn unit(&self, skip: usize, at: &str) -> Result<u32, Fault> {
        let rest = self.rest().get(skip..).unwrap_or_default();
        if rest.get(1).is_some_and(|letter| *letter != b'u') {
            return Err(self.broken("both halves of a surrogate pair"));
        }
        let digits = rest.get(2..).unwrap_or_default();
        let mut unit = 0;
        for place in 0..4 {
            let Some(digit) = digits.get(place) else {
                return Err(Fault::Cut { at: at.to_owned() });
            };
            let digit = char::from(*digit).to_digit(16);
            unit = unit * 16 + digit.ok_or_else(|| self.broken("four hexadecimal digits"))?;
        }
        Ok(unit)
    }
}

#[cfg(test)]
mod tests {
    use super::{COMMA, CONTROL, Fault, MARK, read};
    use serde_json::{Value, json};

    #[test]
    fn sound_text_is_read() {
        let check = |text: &str| {
            let expected: Value = serde_json::from_str(text).unwrap();
            let reading = read(text).unwrap();
            assert_eq!(reading.node.into_value(), expected, "{text}");
            assert!(reading.forgiven.is_empty());
        };
        check(r#"{"a": [1, -2.5, 1e3, true, false, null], "b": {}, "c": []}"#);
        check(r#"" \" \\ \/ \b \f \n \r \t \u00e9 \ud83d\ude00 é 😀 ""#);
        check(" \r\n\t 42 ");
        check(r#"{"": {"/~": 1}}"#);
    }

    #[test]
    fn slips_are_forgiven_and_told() {
        let check = |text: &str, value: Value, told: &[(&str, &str)]| {
            let reading = read(text).unwrap();
            assert_eq!(reading.node.into_value(), value);
            let forgiven: Vec<_> = reading
                .forgiven
                .iter()
                .map(|(at, what)| (at.as_str(), *what))
                .collect();
            assert_eq!(forgiven, told);
        };
        check(
            "{\"a\":\"x\ny\tz\"}",
            json!({"a": "x\ny\tz"}),
            &[("/a", CONTROL)],
        );
        check(
            "{\"a\":[1,],}",
            json!({"a": [1]}),
            &[("/a", COMMA), ("", COMMA)],
        );
        check("\u{feff}{}", json!({}), &[("", MARK)]);
    }

    #[test]
    fn an_early_end_is_told_by_place() {
        let check = |text: &str, at: &str| {
            assert_eq!(
                read(text).unwrap_err(),
                Fault::Cut { at: at.to_owned() },
                "{text}"
            );
        };
        check(r#"{"path":"a.txt","content":"hel"#, "/content");
        check(r#"{"path":"a.txt","content":"hel\"#, "/content");
        check(r#"{"path":"a.txt","content":"hel\u00"#, "/content");
        check(r#"{"path":"a.txt","content":"hel\ud83d"#, "/content");
        check(r#"{"path":"a.txt","content":"hel\ud83d\u"#, "/content");
        check(r#"{"path":"a.txt""#, "/path");
        check(r#"{"path":"a.txt","#, "");
        check(r#"{"path"#, "");
        check(r#"{"path":"#, "/path");
        check(r#"{"n":12"#, "/n");
        check(r#"{"n":-"#, "/n");
        check(r#"{"n":tru"#, "/n");
        check(r#"{"edits":[{"old":"a"},{"old":"b"#, "/edits/1/old");
        check(r#"{"edits":[1,"#, "/edits/1");
        check("{", "");
        check(r#""abc"#, "");
    }

    #[test]
    fn broken_text_is_told_by_offset() {
        let check = |text: &str, expected: usize| match read(text).unwrap_err() {
            Fault::Broken { offset, .. } => assert_eq!(offset, expected, "{text}"),
            fault => panic!("{text}: {fault:?}"),
        };
        check(r#"{"a":1}}"#, 7);
        check(r#"{"a":1}{"b":2}"#, 7);
        check("{'a':1}", 1);
        check("{a:1}", 1);
        check(r#"{"a" 1}"#, 5);
        check(r#"{"a":1 "b":2}"#, 7);
        check(r#"{"a":True}"#, 5);
        check(r#"{"a":007}"#, 5);
        check(r#"{"a":NaN}"#, 5);
        check(r#"{"a":1e400}"#, 5);
        check(r#"{"a":"\d"}"#, 6);
        check(r#"{"a":"\ud83d x"}"#, 6);
        check(r#"{"a":"\ude00\ude00"}"#, 6);
        check(r#"{"a":"\u12g4"}"#, 6);
        check(r#"{"a":,}"#, 5);
        check(r#"[,]"#, 1);
        check("hello", 0);
    }

    #[test]
    fn keys_are_unique_and_depth_is_bounded() {
        let twice = |at: &str| Fault::Twice {
            at: at.to_owned(),
            key: "a".to_owned(),
        };
        assert_eq!(read(r#"{"a":1,"a":1}"#).unwrap_err(), twice(""));
        assert_eq!(read(r#"{"b":[{"a":1,"a":2}]}"#).unwrap_err(), twice("/b/0"));
        let nested = |depth: usize| "[".repeat(depth) + &"]".repeat(depth);
        assert!(read(&nested(99)).is_ok());
        assert_eq!(read(&nested(100_000)).unwrap_err(), Fault::Deep);
    }
}
