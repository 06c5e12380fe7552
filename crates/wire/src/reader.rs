//! Reads a provider's JSON, and keeps the arguments of calls as they are written.
//!
//! Arguments are the model's own text. They are not read here but lifted out, so that a fault in one call's arguments is
//! told to that call alone, numbers keep their spelling, and a key that stands twice is seen by whoever decodes them.

use serde_json::{Map, Number, Value, json};

/// How deeply the document around the arguments may be nested.
const DEPTH: usize = 120;

/// The key of an object that stands for text which was lifted out. Under the keys of [`Place`] every object of the
/// document is lifted, so that none of them can be mistaken for it.
const SOURCE: &str = "\u{0}source";

/// Why a text is no JSON.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Fault {
    /// Where, as a byte offset.
    pub(crate) offset: usize,
    /// What should stand there.
    pub(crate) wanted: &'static str,
}

/// What a value is to the call that holds it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Place {
    /// Nothing in particular.
    Other,
    /// Its arguments.
    Arguments,
    /// A piece of its arguments' text.
    Piece,
}

impl Place {
    fn of(key: &str) -> Self {
        match key {
            "input" | "args" | "arguments" => Self::Arguments,
            "partial_json" | "delta" => Self::Piece,
            _ => Self::Other,
        }
    }
}

/// Reads a text that is one value.
pub(crate) fn read(text: &str) -> Result<Value, Fault> {
    let (value, end) = read_first(text)?;
    let rest = text.get(end..).unwrap_or_default();
    let blank = rest.len() - rest.trim_start_matches(BLANK).len();
    if blank < rest.len() {
        return Err(Fault {
            offset: end + blank,
            wanted: "nothing more, since the value is complete,",
        });
    }
    Ok(value)
}

/// Reads the value with which a text begins, and tells where it ends.
pub(crate) fn read_first(text: &str) -> Result<(Value, usize), Fault> {
    let mut reader = Reader { text, offset: 0 };
    let value = reader.value(Place::Other, DEPTH)?;
    Ok((value, reader.offset))
}

/// An object's fields, each value as it is written. A key may stand in it twice.
pub(crate) fn fields(text: &str) -> Result<Vec<(String, &str)>, Fault> {
    let mut reader = Reader { text, offset: 0 };
    let mut fields = Vec::new();
    reader.blank();
    reader.each_field(|reader, key, _| {
        reader.blank();
        let start = reader.offset;
        reader.skim()?;
        let written = text.get(start..reader.offset).unwrap_or_default();
        fields.push((key, written));
        Ok(())
    })?;
    Ok(fields)
}

/// The text that was lifted out where this value stands.
pub(crate) fn lifted(value: &Value) -> Option<&str> {
    value.get(SOURCE)?.as_str()
}

const BLANK: [char; 4] = [' ', '\n', '\r', '\t'];

#[derive(Clone, Copy)]
struct Reader<'t> {
    text: &'t str,
    offset: usize,
}

impl<'t> Reader<'t> {
    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.offset).copied()
    }

    fn take(&mut self, byte: u8) -> bool {
        let there = self.peek() == Some(byte);
        if there {
            self.offset += 1;
        }
        there
    }

    fn blank(&mut self) {
        while let Some(b' ' | b'\n' | b'\r' | b'\t') = self.peek() {
            self.offset += 1;
        }
    }

    fn fault(&self, wanted: &'static str) -> Fault {
        Fault {
            offset: self.offset,
            wanted,
        }
    }

    fn since(&self, start: usize) -> &'t str {
        self.text.get(start..self.offset).unwrap_or_default()
    }

    fn value(&mut self, place: Place, depth: usize) -> Result<Value, Fault> {
        let below = depth
            .checked_sub(1)
            .ok_or_else(|| self.fault("something nested less deeply"))?;
        self.blank();
        let start = self.offset;
        match self.peek() {
            Some(b'"') => self.string(place),
            Some(b'{' | b'[' | b'-' | b'0'..=b'9') if place == Place::Arguments => {
                self.skim()?;
                Ok(json!({ SOURCE: self.since(start) }))
            }
            Some(b'{') => self.object(below),
            Some(b'[') => self.list(below),
            _ => self.scalar(),
        }
    }

    fn object(&mut self, depth: usize) -> Result<Value, Fault> {
        let mut map = Map::new();
        self.each_field(|reader, key, at| {
            let value = reader.value(Place::of(&key), depth)?;
            let says_nothing = |value: &Value| value.is_null() || value.as_str() == Some("");
            match map.get(&key) {
                Some(known) if *known == value || says_nothing(&value) => {}
                Some(known) if !says_nothing(known) => {
                    return Err(Fault {
                        offset: at,
                        wanted: "a key that the object does not have yet",
                    });
                }
                _ => {
                    map.insert(key, value);
                }
            }
            Ok(())
        })?;
        Ok(Value::Object(map))
    }

    /// Reads an object's keys and what stands around them; `take` reads a value, and gets its key and the key's place.
    fn each_field(
        &mut self,
        mut take: impl FnMut(&mut Self, String, usize) -> Result<(), Fault>,
    ) -> Result<(), Fault> {
        if !self.take(b'{') {
            return Err(self.fault("an object"));
        }
        self.blank();
        if self.take(b'}') {
            return Ok(());
        }
        loop {
            self.blank();
            let at = self.offset;
            if self.peek() != Some(b'"') {
                return Err(self.fault("a key in double quotes"));
            }
            let Value::String(key) = self.string(Place::Other)? else {
                return Err(self.fault("a key in double quotes"));
            };
            self.blank();
            if !self.take(b':') {
                return Err(self.fault("`:`"));
            }
            take(self, key, at)?;
            self.blank();
            if self.take(b'}') {
                return Ok(());
            }
            if !self.take(b',') {
                return Err(self.fault("`,` or `}`"));
            }
        }
    }

    fn list(&mut self, depth: usize) -> Result<Value, Fault> {
        self.offset += 1;
        let mut items = Vec::new();
        self.blank();
        if self.take(b']') {
            return Ok(Value::Array(items));
        }
        loop {
            items.push(self.value(Place::Other, depth)?);
            self.blank();
            if self.take(b']') {
                return Ok(Value::Array(items));
            }
            if !self.take(b',') {
                return Err(self.fault("`,` or `]`"));
            }
        }
    }

    fn scalar(&mut self) -> Result<Value, Fault> {
        let start = self.offset;
        self.skim_word();
        let word = self.since(start);
        let value = match word {
            "true" => Some(Value::Bool(true)),
            "false" => Some(Value::Bool(false)),
            "null" => Some(Value::Null),
            number => serde_json::from_str::<Number>(number)
                .ok()
                .map(Value::Number),
        };
        // A word at the very end may have gone on.
        let cut = self.peek().is_none()
            && (word.starts_with(['-', '1', '2', '3', '4', '5', '6', '7', '8', '9', '0'])
                || ["true", "false", "null"]
                    .iter()
                    .any(|whole| whole.starts_with(word)));
        value.ok_or(Fault {
            offset: if cut { self.offset } else { start },
            wanted: "a value",
        })
    }

    /// A text. Where it is arguments and not sound, it is lifted out; elsewhere it is only passed over, and what cannot
    /// be read of it is replaced.
    fn string(&mut self, place: Place) -> Result<Value, Fault> {
        let start = self.offset;
        self.skim_text()?;
        let written = self.since(start);
        if let Ok(text) = serde_json::from_str(written) {
            return Ok(Value::String(text));
        }
        if place != Place::Other {
            return Ok(json!({ SOURCE: written }));
        }
        loosely(written).map(Value::String).ok_or(Fault {
            offset: start,
            wanted: "a text without broken escapes",
        })
    }

    /// Passes over a value by its brackets alone, however deeply it is nested.
    fn skim(&mut self) -> Result<(), Fault> {
        let mut open = 0_usize;
        loop {
            match self.peek() {
                None => return Err(self.fault("the end of the value")),
                Some(b'"') => self.skim_text()?,
                Some(b'{' | b'[') => {
                    open += 1;
                    self.offset += 1;
                }
                Some(b'}' | b']') => {
                    open = open.saturating_sub(1);
                    self.offset += 1;
                }
                Some(_) if open == 0 => self.skim_word(),
                Some(_) => self.offset += 1,
            }
            if open == 0 {
                return Ok(());
            }
        }
    }

    fn skim_text(&mut self) -> Result<(), Fault> {
        self.offset += 1;
        loop {
            match self.peek() {
                None => return Err(self.fault("the end of the text")),
                Some(b'"') => {
                    self.offset += 1;
                    return Ok(());
                }
                Some(b'\\') if self.offset + 1 < self.text.len() => self.offset += 2,
                Some(_) => self.offset += 1,
            }
        }
    }

    fn skim_word(&mut self) {
        while let Some(b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'+' | b'.') = self.peek() {
            self.offset += 1;
        }
    }
}

/// Reads a written text in which halves of surrogate pairs are replaced and control characters stand as they are.
fn loosely(written: &str) -> Option<String> {
    let mut sound = String::with_capacity(written.len());
    let mut rest = written;
    while let Some(letter) = rest.chars().next() {
        let length = match (
            surrogate(rest),
            surrogate(rest.get(6..).unwrap_or_default()),
        ) {
            (Some(0xd800..0xdc00), Some(0xdc00..0xe000)) => 12,
            (Some(_), _) => {
                sound.push_str("\\ufffd");
                rest = rest.get(6..)?;
                continue;
            }
            (None, _) if letter == '\\' => 1 + rest.chars().nth(1)?.len_utf8(),
            (None, _) if letter.is_control() => {
                sound.push_str(&format!("\\u{:04x}", u32::from(letter)));
                rest = rest.get(letter.len_utf8()..)?;
                continue;
            }
            (None, _) => letter.len_utf8(),
        };
        sound.push_str(rest.get(..length)?);
        rest = rest.get(length..)?;
    }
    serde_json::from_str(&sound).ok()
}

/// The half of a surrogate pair that a text begins with.
fn surrogate(text: &str) -> Option<u32> {
    let digits = text.strip_prefix("\\u")?.get(..4)?;
    let unit = u32::from_str_radix(digits, 16).ok()?;
    (0xd800..0xe000).contains(&unit).then_some(unit)
}

#[cfg(test)]
mod tests {
    use super::{fields, lifted, read, read_first};
    use serde_json::{Value, json};

    #[test]
    fn sound_documents_are_read_as_elsewhere() {
        let check = |text: &str| {
            let expected: Value = serde_json::from_str(text).unwrap();
            assert_eq!(read(text).unwrap(), expected, "{text}");
        };
        check(
            " {\"a\": [1, -2.5, 1e3, true, false, null, {}, []], \"b\": {\"c\": \"é\\n\\ud83d\\ude00\"}}\n",
        );
        check("[]");
        check("\"x\"");
        check("-0.5");
        check(r#"{"input": "text", "delta": {"a": {}}, "args": null}"#);
    }

    #[test]
    fn arguments_are_lifted_as_they_are_written() {
        let check = |args: &str| {
            let value = read(&format!("{{\"input\": {args} , \"id\": 1}}")).unwrap();
            assert_eq!(lifted(&value["input"]), Some(args), "{args}");
            assert_eq!(value["id"], json!(1));
        };
        check(r#"{"a":1.10, "a":"\ud83d", "b":"}\"]"}"#);
        check("[{'x': tru}, ]");
        check("12345678901234567890123");
        check(r#""half \ud83d""#);
        check(&("[".repeat(100_000) + &"]".repeat(100_000)));
    }

    #[test]
    fn text_around_the_arguments_may_be_unsound() {
        let value = read("{\"text\": \"a\\ud83d b\u{1}\\\\\\ude00\\ud83d\\ude00\"}").unwrap();
        assert_eq!(value["text"], json!("a\u{fffd} b\u{1}\\\u{fffd}😀"));
    }

    #[test]
    fn faults_are_told_by_place() {
        let check = |text: &str, offset: usize| {
            assert_eq!(read(text).unwrap_err().offset, offset, "{text}");
        };
        check("hello", 0);
        check("", 0);
        check(r#"{"a":1"#, 6);
        check(r#"{"a":tr"#, 7);
        check(r#"{"input":{"#, 10);
        check(r#"{"a":"b\"#, 8);
        check(r#"{"a":1}x"#, 7);
        check(r#"{"a":1,}"#, 7);
        check(r#"{"a":1,"a":2}"#, 7);
        check(r#"["\d"]"#, 1);
        check("[01]", 1);
        check(&"[".repeat(100_000), super::DEPTH);
    }

    #[test]
    fn a_key_may_stand_twice_when_it_says_the_same() {
        let check = |text: &str, expected: Value| assert_eq!(read(text).unwrap(), expected);
        check(r#"{"a":1,"a":1}"#, json!({"a": 1}));
        check(r#"{"a":null,"a":[1]}"#, json!({"a": [1]}));
        check(r#"{"a":[1],"a":""}"#, json!({"a": [1]}));
    }

    #[test]
    fn fields_are_told_as_they_are_written() {
        let told = fields(r#" {"a" : 1.0, "b":{"c":[]},"a":"x"}"#).unwrap();
        let expected = [("a", "1.0"), ("b", r#"{"c":[]}"#), ("a", "\"x\"")];
        assert_eq!(told, expected.map(|(key, value)| (key.to_owned(), value)));
        assert!(fields("[]").is_err());
    }

    #[test]
    fn the_first_of_several_is_read() {
        assert_eq!(read_first("{} {}").unwrap(), (json!({}), 2));
    }
}
