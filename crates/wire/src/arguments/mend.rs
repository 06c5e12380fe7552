//! The mends that cannot change a meaning. The schema alone decides: where it admits a text, a text stays a text.
//!
//! Absent on purpose: a single value where a list is wanted is not wrapped, since a text such as `a, b` may stand for
//! several; a boolean never becomes a text; `"007"`, `" 5"`, `"yes"` and an empty text are no numbers and no booleans.

use std::borrow::Cow;

use toolpost_core::{Code, Repair, ToolError};

use super::node::{DEPTH, Node, Numeral, Origin, below, is_number, short, spoken};
use super::reading;
use super::wanted::{Types, Wanted};

/// Mends values and keeps a list of what it did.
pub(super) struct Mender<'a> {
    pub(super) spellings: &'a [(Cow<'a, str>, Cow<'a, str>)],
    pub(super) courtesy: &'a [&'a str],
    pub(super) repairs: Vec<Repair>,
}

impl Mender<'_> {
    pub(super) fn tell(&mut self, at: &str, what: impl Into<String>) {
        self.repairs.push(Repair {
            at: at.to_owned(),
            what: what.into(),
        });
    }

    /// Mends a value and all below it.
    pub(super) fn mend(
        &mut self,
        node: Node,
        wanted: &Wanted<'_>,
        at: &str,
    ) -> Result<Node, ToolError> {
        let types = wanted.types();
        match node {
            Node::Text(text) if !types.admit(Types::STRING) => self.text(text, wanted, at),
            Node::Number(numeral) => Ok(self.number(numeral, types, at)),
            Node::List(items) if types.admit(Types::ARRAY) => {
                let each = items.into_iter().enumerate();
                let mended = each.map(|(index, item)| {
                    self.mend(item, &wanted.item(index), &below(at, &index.to_string()))
                });
                mended.collect::<Result<_, _>>().map(Node::List)
            }
            Node::Object(fields) if types.admit(Types::OBJECT) => self.object(fields, wanted, at),
            other => Ok(other),
        }
    }

    /// A text where none is wanted.
    fn text(&mut self, text: String, wanted: &Wanted<'_>, at: &str) -> Result<Node, ToolError> {
        let types = wanted.types();
        if types.admit(Types::BOOLEAN)
            && let Some(flag) = boolean(&text)
        {
            self.tell(
                at,
                format!("The text `{text}` was taken as the boolean {flag}."),
            );
            return Ok(Node::Bool(flag));
        }
        if types.admit(Types::NULL) && text == "null" {
            self.tell(at, "The text `null` was taken as null.");
            return Ok(Node::Null);
        }
        if types.admit(Types::INTEGER) && is_number(&text) {
            let numeral = Numeral::source(text.as_str());
            let whole = numeral.whole_fraction();
            let plain = !text.contains(['.', 'e', 'E']);
            if types.admit(Types::FRACTION) || whole.is_some() || (plain && !numeral.overflows()) {
                self.tell(at, format!("The text `{text}` was taken as a number."));
                return Ok(self.number(numeral, types, at));
            }
        }
        let left = DEPTH.saturating_sub(at.matches('/').count());
        let inner = match reading::read_within(&text, left) {
            Ok(inner) if fits(&inner.node, types) => inner,
            _ => return Ok(Node::Text(text)),
        };
        let kind = inner.node.kind();
        self.tell(
            at,
            format!("A text that holds {kind} as JSON was taken as {kind}."),
        );
        for (inside, what) in inner.forgiven {
            self.tell(&format!("{at}{inside}"), what);
        }
        self.mend(inner.node, wanted, at)
    }

    fn number(&mut self, numeral: Numeral, types: Types, at: &str) -> Node {
        let whole = numeral.whole_fraction();
        if types.admit(Types::FRACTION) || (types.admit(Types::INTEGER) && whole.is_none()) {
            return Node::Number(numeral);
        }
        if let Some(whole) = whole.filter(|_| types.admit(Types::INTEGER)) {
            self.tell(
                at,
                format!(
                    "The number `{}` was taken as the integer {whole}.",
                    numeral.text
                ),
            );
            return Node::Number(Numeral::source(whole.to_string()));
        }
        // A double that somebody else has read may have lost digits; its text would be a guess.
        let exact = numeral.origin == Origin::Source || !numeral.text.contains(['.', 'e', 'E']);
        if types.admit(Types::STRING) && exact {
            self.tell(
                at,
                format!(
                    "The number `{}` was taken as text, as it was written.",
                    numeral.text
                ),
            );
            return Node::Text(numeral.text);
        }
        Node::Number(numeral)
    }

    fn object(
        &mut self,
        mut fields: Vec<(String, Node)>,
        wanted: &Wanted<'_>,
        at: &str,
    ) -> Result<Node, ToolError> {
        self.respell(&mut fields, wanted, at)?;
        let mut mended = Vec::with_capacity(fields.len());
        for (key, node) in fields {
            let place = below(at, &key);
            if node == Node::Null && self.is_absence(&key, wanted, at) {
                self.tell(
                    &place,
                    "A null for something that may be left out was taken as absent.",
                );
                continue;
            }
            let node = self.mend(node, &wanted.property(&key), &place)?;
            mended.push((key, node));
        }
        Ok(Node::Object(mended))
    }

    /// Whether a null under the key means that nothing is there.
    fn is_absence(&self, key: &str, wanted: &Wanted<'_>, at: &str) -> bool {
        if wanted.refuses(key) {
            return true;
        }
        let courtesy = at.is_empty() && self.courtesy.contains(&key);
        let may_lack = courtesy || wanted.optional(key);
        wanted.knows(key) && may_lack && !wanted.property(key).types().admit(Types::NULL)
    }

    /// Renames what other dialects call differently.
    fn respell(
        &mut self,
        fields: &mut Vec<(String, Node)>,
        wanted: &Wanted<'_>,
        at: &str,
    ) -> Result<(), ToolError> {
        for (other, own) in self.spellings {
            let alien = wanted.knows(own) && !wanted.knows(other);
            let place = fields.iter().position(|(key, _)| key == other);
            let Some(place) = place.filter(|_| alien) else {
                continue;
            };
            let (_, value) = fields.remove(place);
            let here = below(at, own);
            let rival = fields.iter_mut().find(|(key, _)| key == own);
            match rival {
                None => {
                    fields.insert(place, (own.to_string(), value));
                    self.tell(&here, format!("`{other}` was taken as `{own}`."));
                }
                Some((_, known)) if *known == value || value == Node::Null => {
                    self.tell(&here, format!("`{other}` was passed over beside `{own}`."));
                }
                Some((_, known)) if *known == Node::Null => {
                    *known = value;
                    self.tell(&here, format!("`{other}` was taken as `{own}`."));
                }
                Some(_) => return Err(contradiction(other, &spoken(&here))),
            }
        }
        Ok(())
    }
}

fn contradiction(other: &str, own: &str) -> ToolError {
    ToolError::new(
        Code::Invalid,
        format!("`{other}` is another name of `{own}`, and the two say different things."),
    )
    .hint(format!("Send the call again with `{own}` alone."))
}

fn boolean(text: &str) -> Option<bool> {
    match text {
        "true" | "True" | "TRUE" => Some(true),
        "false" | "False" | "FALSE" => Some(false),
        _ => None,
    }
}

fn fits(node: &Node, types: Types) -> bool {
    match node {
        Node::List(_) => types.admit(Types::ARRAY),
        Node::Object(_) => types.admit(Types::OBJECT),
        _ => false,
    }
}

/// The whole numbers of a value that are too long to be kept exactly where an integer is wanted, by place.
pub(super) fn overflowing(node: &Node, wanted: &Wanted<'_>, at: &str, found: &mut Vec<String>) {
    match node {
        Node::Number(numeral) if numeral.overflows() => {
            let types = wanted.types();
            if types.admit(Types::INTEGER) && !types.admit(Types::FRACTION) {
                let place = spoken(at);
                found.push(format!(
                    "`{place}` is `{}`, too long for an integer.",
                    short(&numeral.text)
                ));
            }
        }
        Node::List(items) => {
            for (index, item) in items.iter().enumerate() {
                overflowing(
                    item,
                    &wanted.item(index),
                    &below(at, &index.to_string()),
                    found,
                );
            }
        }
        Node::Object(fields) => {
            for (key, item) in fields {
                overflowing(item, &wanted.property(key), &below(at, key), found);
            }
        }
        _ => {}
    }
}
