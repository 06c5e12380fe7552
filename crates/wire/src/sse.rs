//! Event streams as the HTML standard describes them.

use serde_json::Value;

use crate::document::{End, Stream};
use crate::reader;

/// Whether a text seems to be an event stream.
pub(crate) fn is_likely(text: &str) -> bool {
    let first = text
        .lines()
        .map(str::trim_end)
        .find(|line| !line.is_empty());
    first.is_some_and(|line| {
        line.starts_with(':')
            || ["data:", "event:", "id:", "retry:"]
                .iter()
                .any(|field| line.starts_with(field))
    })
}

/// Reads a whole event stream. An event at its end counts when its value is whole, since saved files often lack the
/// last blank line.
pub(crate) fn read(text: &str) -> Stream {
    let mut stream = Stream::default();
    let mut event = Event::default();
    for line in lines(text) {
        if line.is_empty() {
            std::mem::take(&mut event).dispatch(&mut stream);
        } else {
            event.line(line);
        }
    }
    event.dispatch(&mut stream);
    stream
}

/// Lines end with a carriage return, a line feed, or both.
fn lines(text: &str) -> impl Iterator<Item = &str> {
    text.split('\n').flat_map(|line| {
        let line = line.strip_suffix('\r').unwrap_or(line);
        line.split('\r')
    })
}

#[derive(Debug, Default)]
struct Event {
    name: String,
    data: Option<String>,
}

impl Event {
    fn line(&mut self, line: &str) {
        let (field, value) = line.split_once(':').unwrap_or((line, ""));
        let value = value.strip_prefix(' ').unwrap_or(value);
        match field {
            "event" => value.clone_into(&mut self.name),
            "data" => match &mut self.data {
                Some(data) => {
                    data.push('\n');
                    data.push_str(value);
                }
                None => self.data = Some(value.to_owned()),
            },
            _ => {}
        }
    }

    fn dispatch(self, stream: &mut Stream) {
        let Some(data) = self.data else { return };
        if data.trim().is_empty() {
            return;
        }
        if data.trim() == "[DONE]" {
            if stream.end == End::Open {
                stream.end = End::Done;
            }
            return;
        }
        let mut value = match reader::read(&data) {
            Ok(value) => value,
            Err(fault) => return stream.broken(&data, &fault),
        };
        if let Value::Object(map) = &mut value
            && !self.name.is_empty()
            && self.name != "message"
        {
            map.entry("type").or_insert(Value::String(self.name));
        }
        stream.values.push(value);
    }
}

#[cfg(test)]
mod tests {
    use super::{is_likely, read};
    use crate::document::End;
    use serde_json::json;

    #[test]
    fn events_are_read() {
        let check = |text: &str, values: serde_json::Value, end: End| {
            let stream = read(text);
            assert_eq!(serde_json::Value::Array(stream.values), values, "{text:?}");
            assert_eq!(stream.end, end, "{text:?}");
        };
        check(
            "data: {\"a\":1}\n\ndata: {\"a\":2}\n\n",
            json!([{"a": 1}, {"a": 2}]),
            End::Open,
        );
        check(
            "data:{\"a\":1}\r\n\r\ndata: {\"a\":2}",
            json!([{"a": 1}, {"a": 2}]),
            End::Open,
        );
        check("data: {\r\rdata: {}\r\r", json!([{}]), End::Broken);
        check("data: {\ndata: \"a\":1}\n\n", json!([{"a": 1}]), End::Open);
        check(
            ": hello\nevent: ping\ndata: {}\nid: 3\n\n",
            json!([{"type": "ping"}]),
            End::Open,
        );
        check(
            "event: a\ndata: {\"type\":\"b\"}\n\n",
            json!([{"type": "b"}]),
            End::Open,
        );
        check("data: {}\n\ndata: [DONE]\n\n", json!([{}]), End::Done);
        check("data: {}\n\ndata: {\"a\"", json!([{}]), End::Broken);
        check("event: ping\n\ndata:\n\n", json!([]), End::Open);
    }

    #[test]
    fn streams_are_known() {
        let check = |text, expected| assert_eq!(is_likely(text), expected, "{text}");
        check("\n\ndata: x", true);
        check(": comment", true);
        check("event: x", true);
        check("{\"data\": 1}", false);
        check("database", false);
    }
}
