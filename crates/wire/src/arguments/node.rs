//! A JSON value with what reading usually loses: numbers as they were written, and keys in their order.

use serde_json::{Map, Number, Value};

/// How many levels a value may be nested.
pub(crate) const DEPTH: usize = 100;

/// A JSON value. Numbers are text; an object's keys are unique.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Node {
    Null,
    Bool(bool),
    Number(Numeral),
    Text(String),
    List(Vec<Node>),
    Object(Vec<(String, Node)>),
}

/// A number.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Numeral {
    /// How it is written.
    pub(crate) text: String,
    /// Whether that is how the model wrote it, or how we would.
    pub(crate) origin: Origin,
}

/// Where a number's text comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Origin {
    /// The model's own text.
    Source,
    /// A value that somebody else had read: digits may be lost already.
    Value,
}

/// A value is nested too deeply.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct TooDeep;

impl Node {
    /// Takes a value that was read already.
    pub(crate) fn from_value(value: &Value, depth: usize) -> Result<Self, TooDeep> {
        let below = depth.checked_sub(1).ok_or(TooDeep)?;
        Ok(match value {
            Value::Null => Self::Null,
            Value::Bool(flag) => Self::Bool(*flag),
            Value::Number(number) => Self::Number(Numeral {
                text: number.to_string(),
                origin: Origin::Value,
            }),
            Value::String(text) => Self::Text(text.clone()),
            Value::Array(items) => {
                let items = items.iter().map(|item| Self::from_value(item, below));
                Self::List(items.collect::<Result<_, _>>()?)
            }
            Value::Object(map) => {
                let fields = map
                    .iter()
                    .map(|(key, item)| Ok((key.clone(), Self::from_value(item, below)?)));
                Self::Object(fields.collect::<Result<_, _>>()?)
            }
        })
    }

    /// The value as others know it.
    pub(crate) fn into_value(self) -> Value {
        match self {
            Self::Null => Value::Null,
            Self::Bool(flag) => Value::Bool(flag),
            Self::Number(numeral) => numeral.value(),
            Self::Text(text) => Value::String(text),
            Self::List(items) => Value::Array(items.into_iter().map(Self::into_value).collect()),
            Self::Object(fields) => {
                let fields = fields
                    .into_iter()
                    .map(|(key, node)| (key, node.into_value()));
                Value::Object(fields.collect::<Map<_, _>>())
            }
        }
    }

    /// What the value is, as a sentence names it.
    pub(crate) fn kind(&self) -> &'static str {
        match self {
            Self::Null => "null",
            Self::Bool(_) => "a boolean",
            Self::Number(_) => "a number",
            Self::Text(_) => "a text",
            Self::List(_) => "an array",
            Self::Object(_) => "an object",
        }
    }
}

impl Numeral {
    /// A number as the model wrote it.
    pub(crate) fn source(text: impl Into<String>) -> Self {
        Self {
            text: text.into(),
            origin: Origin::Source,
        }
    }

    /// The number as others know it: exact when it is whole and fits 64 bits, else the nearest double.
    pub(crate) fn value(&self) -> Value {
        let text = self.text.as_str();
        if let Ok(whole) = text.parse::<i64>() {
            return Value::from(whole);
        }
        if let Ok(whole) = text.parse::<u64>() {
            return Value::from(whole);
        }
        let double = text.parse::<f64>().ok().and_then(Number::from_f64);
        double.map_or(Value::Null, Value::Number)
    }

    /// Whether the number is whole, written as such, and too long to be kept exactly.
    pub(crate) fn overflows(&self) -> bool {
        let whole = !self.text.contains(['.', 'e', 'E']);
        whole && self.text.parse::<i64>().is_err() && self.text.parse::<u64>().is_err()
    }

    /// The whole number that it is, when it is written with a fraction or an exponent: `3.0`, `1e3`.
    pub(crate) fn whole_fraction(&self) -> Option<i64> {
        const EXACT: f64 = 9_007_199_254_740_992.0;
        if !self.text.contains(['.', 'e', 'E']) {
            return None;
        }
        let double = self.text.parse::<f64>().ok()?;
        let whole = double.fract() == 0.0 && double.abs() <= EXACT;
        #[expect(
            clippy::cast_possible_truncation,
            reason = "the double is whole and within the exact range"
        )]
        whole.then_some(double as i64)
    }
}

/// Whether a text is a JSON number and nothing else.
pub(crate) fn is_number(text: &str) -> bool {
    let digits = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    let unsigned = text.strip_prefix('-').unwrap_or(text);
    let (mantissa, exponent) = match unsigned.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, Some(exponent)),
        None => (unsigned, None),
    };
    let (whole, fraction) = match mantissa.split_once('.') {
        Some((whole, fraction)) => (whole, Some(fraction)),
        None => (mantissa, None),
    };
    let sound_exponent = exponent.is_none_or(|part| {
        let part = part.strip_prefix(['+', '-']).unwrap_or(part);
        digits(part)
    });
    let sound_whole = digits(whole) && (whole == "0" || !whole.starts_with('0'));
    let finite = text.parse::<f64>().is_ok_and(f64::is_finite);
    sound_whole && fraction.is_none_or(digits) && sound_exponent && finite
}

/// A step below a place, as a JSON pointer.
pub(crate) fn below(at: &str, key: &str) -> String {
    format!("{at}/{}", key.replace('~', "~0").replace('/', "~1"))
}

/// A JSON pointer as a person writes it: `edits[0].old`.
pub(crate) fn spoken(pointer: &str) -> String {
    let mut words = String::new();
    for step in pointer.split('/').skip(1) {
        let step = step.replace("~1", "/").replace("~0", "~");
        if step.bytes().all(|byte| byte.is_ascii_digit()) && !step.is_empty() && !words.is_empty() {
            words.push_str(&format!("[{step}]"));
            continue;
        }
        if !words.is_empty() {
            words.push('.');
        }
        words.push_str(&step);
    }
    words
}

/// The beginning of a text, short enough for a sentence.
pub(crate) fn short(text: &str) -> String {
    const SHOWN_CHARS: usize = 60;
    let mut shown: String = text
        .chars()
        .take(SHOWN_CHARS)
        .map(|letter| if letter.is_control() { ' ' } else { letter })
        .collect();
    if text.chars().nth(SHOWN_CHARS).is_some() {
        shown.push('…');
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::{Numeral, is_number, short, spoken};

    #[test]
    fn numbers_are_clean() {
        let check = |text, expected| assert_eq!(is_number(text), expected, "{text}");
        check("0", true);
        check("-12", true);
        check("1.50", true);
        check("-1.5e-3", true);
        check("1e400", false);
        check("", false);
        check("-", false);
        check("007", false);
        check("+5", false);
        check(" 5", false);
        check("1.", false);
        check(".5", false);
        check("1,000", false);
        check("0x10", false);
        check("NaN", false);
        check("٣", false);
    }

    #[test]
    fn whole_numbers_are_exact() {
        let check =
            |text, expected| assert_eq!(Numeral::source(text).value().to_string(), expected);
        check("9007199254740993", "9007199254740993");
        check("18446744073709551615", "18446744073709551615");
        check("-3", "-3");
        check("1.10", "1.1");
        assert!(Numeral::source("18446744073709551616").overflows());
        assert!(!Numeral::source("18446744073709551615").overflows());
        assert_eq!(Numeral::source("3.0").whole_fraction(), Some(3));
        assert_eq!(Numeral::source("1e3").whole_fraction(), Some(1000));
        assert_eq!(Numeral::source("3.5").whole_fraction(), None);
        assert_eq!(Numeral::source("3").whole_fraction(), None);
    }

    #[test]
    fn places_are_spoken() {
        let check = |pointer, expected| assert_eq!(spoken(pointer), expected);
        check("", "");
        check("/path", "path");
        check("/edits/0/old", "edits[0].old");
        check("/a~1b/c~0d", "a/b.c~d");
    }

    #[test]
    fn texts_are_shortened_between_characters() {
        assert_eq!(short("a\nb"), "a b");
        assert_eq!(short(&"é".repeat(61)), format!("{}…", "é".repeat(60)));
    }
}
