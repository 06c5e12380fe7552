//! What the families' faces have in common: numbers, and the names in what a failure says.

use toolpost_core::{Code, Dialect, Face, Failure, Number, Offered, Tool, ToolError, schema_of};

/// A count that must not be negative; 0 means that it was left out.
pub(crate) fn count(name: &str, number: Option<Number>) -> Result<Option<u64>, ToolError> {
    let Some(number) = number else {
        return Ok(None);
    };
    let count = number
        .at_least_zero()
        .ok_or_else(|| below(name, number, 0))?;
    Ok((count > 0).then_some(count))
}

/// A number that must be at least 1.
pub(crate) fn at_least_one(name: &str, number: Option<Number>) -> Result<Option<u64>, ToolError> {
    let Some(number) = number else {
        return Ok(None);
    };
    match number.at_least_zero() {
        Some(count) if count > 0 => Ok(Some(count)),
        _ => Err(below(name, number, 1)),
    }
}

fn below(name: &str, number: Number, least: u64) -> ToolError {
    let fact = format!("`{name}` is {}, and must be at least {least}.", number.0);
    ToolError::new(Code::Invalid, fact)
}

/// Words a failure with the family's names for tools and parameters in place of ours.
pub(crate) fn failure<T: Tool, F: Face<T>>(failure: &Failure) -> String {
    failure_with::<T, F>(failure, &[])
}

/// The same, with names that lie deeper in the arguments, as (ours, theirs).
pub(crate) fn failure_with<T: Tool, F: Face<T>>(
    failure: &Failure,
    deeper: &[(&str, &str)],
) -> String {
    let mut told = failure.clone();
    let about = F::ABOUT;
    let schema = schema_of::<T::Input>();
    let ours = |name: &str| {
        schema
            .pointer("/properties")
            .is_some_and(|all| all.get(name).is_some())
    };
    let parameters = about
        .spellings
        .iter()
        .filter(|(other, _)| ours(other))
        .chain(deeper)
        .map(|(other, own)| ((*other).to_owned(), (*own).to_owned()));
    for (ours, theirs) in parameters.chain(tool_names(about.dialect)) {
        for text in [&mut told.fact, &mut told.hint] {
            *text = text.replace(&format!("`{ours}`"), &format!("`{theirs}`"));
        }
    }
    told.words()
}

/// The tools' canonical ids with their names in a family. Where the family has no such tool, its shell does the work.
fn tool_names(dialect: Dialect) -> Vec<(String, String)> {
    let tools = crate::catalogue(Vec::new());
    let named = |tool: &std::sync::Arc<dyn toolpost_core::AnyTool>| {
        let offers = tool.offers();
        let known = |offer: &&toolpost_core::Offer| {
            offer.dialect == dialect && offer.offered == Offered::ByDefault
        };
        offers
            .iter()
            .find(known)
            .map(|offer| offer.name.to_string())
    };
    let shell = tools
        .iter()
        .find(|tool| tool.about().id == "shell.run")
        .and_then(named);
    tools
        .iter()
        .filter_map(|tool| {
            let name = named(tool).or_else(|| shell.clone())?;
            Some((tool.about().id.to_owned(), name))
        })
        .collect()
}
