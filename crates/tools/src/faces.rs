//! What the families' numbers have in common.

use toolpost_core::{Code, Number, ToolError};

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
