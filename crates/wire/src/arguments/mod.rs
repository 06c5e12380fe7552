//! From what a model wrote to arguments that a schema takes.
//!
//! **Invariant:** a call that was cut off is never decoded, even where its text is whole by chance.
//! **Invariant:** a text stays a text wherever the schema admits one; each mend is listed.

use std::borrow::Cow;

use serde_json::Value;
use toolpost_core::{Completeness, RawArgs, Repair, ToolError};

use self::mend::Mender;
use self::node::{DEPTH, Node, TooDeep};
use self::wanted::Wanted;

mod fault;
mod judge;
mod mend;
mod node;
mod reading;
#[cfg(test)]
mod tests;
mod wanted;

/// What a tool takes, as its face says.
#[derive(Debug, Clone, Copy)]
pub struct Expected<'a> {
    /// The schema of the arguments.
    pub schema: &'a Value,
    /// Other spellings of parameters, as (other, own).
    pub spellings: &'a [(Cow<'a, str>, Cow<'a, str>)],
    /// Required parameters whose absence is never a reason to refuse.
    pub courtesy: &'a [&'a str],
    /// The parameter that takes the text of a free-form call.
    pub free_field: Option<&'a str>,
}

/// Arguments that the schema takes.
#[derive(Debug, Clone, PartialEq)]
pub struct Decoded {
    /// The arguments.
    pub value: Value,
    /// What was mended on the way.
    pub repairs: Vec<Repair>,
}

/// Decodes a call's arguments: reads them strictly, mends what has one meaning only, and lets the schema judge.
///
/// A schema that is itself not sound judges nothing; then the tool has the last word.
///
/// # Errors
/// `truncated` when they were cut off, `parse` when they are not JSON, `invalid` when the schema does not take them.
pub fn decode(
    raw: &RawArgs,
    completeness: Completeness,
    expected: &Expected<'_>,
) -> Result<Decoded, ToolError> {
    if completeness == Completeness::CutOff {
        return Err(fault::cut_off(raw));
    }
    let mut mender = Mender {
        spellings: expected.spellings,
        courtesy: expected.courtesy,
        repairs: Vec::new(),
    };
    let node = match (raw, expected.free_field) {
        (RawArgs::Free(text), Some(field)) => {
            Node::Object(vec![(field.to_owned(), Node::Text(text.clone()))])
        }
        (RawArgs::Text(text) | RawArgs::Free(text), field) => {
            read(text, &mut mender).map_err(|err| fault::with_field(err, field))?
        }
        (RawArgs::Value(value), _) => {
            Node::from_value(value, DEPTH).map_err(|TooDeep| fault::too_deep())?
        }
    };
    let node = unwrap(node, expected, &mut mender)?;
    let wanted = Wanted::of(expected.schema);
    let node = mender.mend(node, &wanted, "")?;
    let value = judged(node, &wanted, expected)?;
    Ok(Decoded {
        value,
        repairs: mender.repairs,
    })
}

/// Reads argument text. Nothing at all means that there are no arguments.
fn read(text: &str, mender: &mut Mender<'_>) -> Result<Node, ToolError> {
    if text.trim().is_empty() {
        mender.tell("", "Empty arguments were taken as none.");
        return Ok(Node::Object(Vec::new()));
    }
    let fenced = Fenced::of(text);
    let bare = fenced.as_ref().map_or(text, |fenced| fenced.inside);
    let reading = reading::read(bare).map_err(|fault| fault::error(&fault, bare))?;
    match fenced {
        Some(Fenced { closed: false, .. }) => return Err(fault::open_fence()),
        Some(_) => mender.tell("", "A code fence around the arguments was passed over."),
        None => {}
    }
    for (at, what) in reading.forgiven {
        mender.tell(&at, what);
    }
    Ok(reading.node)
}

/// What stands inside a code fence that is around the whole.
struct Fenced<'t> {
    inside: &'t str,
    closed: bool,
}

impl<'t> Fenced<'t> {
    fn of(text: &'t str) -> Option<Self> {
        let rest = text.trim().strip_prefix("```")?;
        let (language, rest) = rest.split_once('\n')?;
        let named = language.trim();
        if !named.is_empty() && !named.eq_ignore_ascii_case("json") {
            return None;
        }
        let inside = rest.strip_suffix("```");
        Some(Self {
            inside: inside.unwrap_or(rest),
            closed: inside.is_some(),
        })
    }
}

/// Takes one level of encoding too much from the whole, and null as no arguments.
fn unwrap(node: Node, expected: &Expected<'_>, mender: &mut Mender<'_>) -> Result<Node, ToolError> {
    let node = match node {
        Node::Null => {
            mender.tell("", "A null for the arguments was taken as none.");
            return Ok(Node::Object(Vec::new()));
        }
        Node::Text(text) => {
            let inner = read(&text, mender)?;
            mender.tell(
                "",
                "The arguments were JSON inside a JSON text and were taken out once.",
            );
            inner
        }
        node => node,
    };
    match node {
        Node::Object(_) => Ok(node),
        node => Err(fault::not_an_object(&node, expected.schema)),
    }
}

/// Lets the schema judge.
fn judged(node: Node, wanted: &Wanted<'_>, expected: &Expected<'_>) -> Result<Value, ToolError> {
    let mut problems = Vec::new();
    mend::overflowing(&node, wanted, "", &mut problems);
    let value = node.into_value();
    if problems.is_empty() {
        problems = judge::problems(&value, expected.schema, expected.courtesy);
    }
    if problems.is_empty() {
        Ok(value)
    } else {
        Err(fault::unfit(&problems))
    }
}
