//! Licence expressions, read as SPDX says: `OR` binds less than `AND`, `AND` less than `WITH`.

/// A licence expression.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Expression {
    /// One licence, with its exception if it has one.
    Licence(String),
    /// Both must be kept to.
    Both(Box<Expression>, Box<Expression>),
    /// Either may be chosen.
    Either(Box<Expression>, Box<Expression>),
}

impl Expression {
    /// Reads an expression; `None` when it is none. An old `A/B` means `A OR B`.
    pub(super) fn read(text: &str) -> Option<Self> {
        let spaced = text
            .replace('/', " OR ")
            .replace('(', " ( ")
            .replace(')', " ) ");
        let words: Vec<&str> = spaced.split_whitespace().collect();
        let mut words = words.as_slice();
        let whole = either(&mut words)?;
        words.is_empty().then_some(whole)
    }

    /// Whether one can keep to it with allowed licences alone.
    pub(super) fn is_met(&self, allowed: &[&str]) -> bool {
        match self {
            Self::Licence(name) => allowed.contains(&name.as_str()),
            Self::Both(one, other) => one.is_met(allowed) && other.is_met(allowed),
            Self::Either(one, other) => one.is_met(allowed) || other.is_met(allowed),
        }
    }
}

fn either(words: &mut &[&str]) -> Option<Expression> {
    let mut left = both(words)?;
    while take(words, "OR") {
        left = Expression::Either(Box::new(left), Box::new(both(words)?));
    }
    Some(left)
}

fn both(words: &mut &[&str]) -> Option<Expression> {
    let mut left = single(words)?;
    while take(words, "AND") {
        left = Expression::Both(Box::new(left), Box::new(single(words)?));
    }
    Some(left)
}

fn single(words: &mut &[&str]) -> Option<Expression> {
    if take(words, "(") {
        let inner = either(words)?;
        return take(words, ")").then_some(inner);
    }
    let name = next_name(words)?;
    if take(words, "WITH") {
        let exception = next_name(words)?;
        return Some(Expression::Licence(format!("{name} WITH {exception}")));
    }
    Some(Expression::Licence(name.to_owned()))
}

fn next_name<'a>(words: &mut &[&'a str]) -> Option<&'a str> {
    let (name, rest) = words.split_first()?;
    let is_sign = ["(", ")", "AND", "OR", "WITH"].contains(name);
    (!is_sign).then(|| {
        *words = rest;
        *name
    })
}

fn take(words: &mut &[&str], wanted: &str) -> bool {
    match words.split_first() {
        Some((first, rest)) if *first == wanted => {
            *words = rest;
            true
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::Expression;

    #[test]
    fn expressions_are_met_as_spdx_says() {
        let check = |text: &str, expected: Option<bool>| {
            let met = Expression::read(text).map(|read| read.is_met(&["MIT", "ISC", "A WITH e"]));
            assert_eq!(met, expected, "{text}");
        };
        check("MIT", Some(true));
        check("GPL-3.0", Some(false));
        check("MIT OR GPL-3.0", Some(true));
        check("GPL-3.0/MIT", Some(true));
        check("MIT AND GPL-3.0", Some(false));
        check("MIT AND ISC", Some(true));
        check("GPL-3.0 AND ISC OR MIT", Some(true));
        check("GPL-3.0 AND (ISC OR MIT)", Some(false));
        check("(MIT OR GPL-3.0) AND ISC", Some(true));
        check("A", Some(false));
        check("A WITH e", Some(true));
        check("A WITH f OR B", Some(false));
        check("", None);
        check("MIT OR", None);
        check("MIT ISC", None);
        check("(MIT", None);
        check("MIT)", None);
        check("A WITH AND", None);
    }
}
