//! What models put around a patch.

/// The patch without a heredoc or one Markdown fence around it.
///
/// # Errors
/// What is wrong with a heredoc's opening, as the second half of a sentence.
pub(super) fn unwrapped(text: &str) -> Result<String, String> {
    let text = text.trim();
    let Some((first, rest)) = text.split_once('\n') else {
        return Ok(text.to_owned());
    };
    let first = first.trim();
    if first.starts_with("```") {
        return Ok(match rest.trim_end().strip_suffix("```") {
            Some(inner) => inner.to_owned(),
            None => text.to_owned(),
        });
    }
    let Some(delimiter) = delimiter(first)? else {
        return Ok(text.to_owned());
    };
    let body = rest.trim_end();
    let (inner, last) = body.rsplit_once('\n').unwrap_or(("", body));
    if last.trim() == delimiter {
        Ok(inner.to_owned())
    } else {
        Err(format!("the heredoc does not end in `{delimiter}`"))
    }
}

/// The delimiter of a heredoc's first line; `None` where it is none.
fn delimiter(first: &str) -> Result<Option<String>, String> {
    let command = ["cat", "apply_patch", "applypatch"]
        .iter()
        .find_map(|name| first.strip_prefix(name))
        .unwrap_or(first);
    let Some(word) = command.trim_start().strip_prefix("<<") else {
        return Ok(None);
    };
    let word = word.trim();
    let bare = ['\'', '"']
        .iter()
        .find_map(|quote| word.strip_prefix(*quote)?.strip_suffix(*quote))
        .unwrap_or(word);
    if bare.is_empty() || bare.contains(['\'', '"']) || bare.contains(char::is_whitespace) {
        return Err(format!(
            "the heredoc's delimiter `{word}` is not quoted soundly"
        ));
    }
    Ok(Some(bare.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::unwrapped;

    #[test]
    fn wrappings_come_off() {
        let check = |text: &str, expected: Result<&str, &str>| {
            let seen = unwrapped(text);
            match expected {
                Ok(inner) => assert_eq!(seen.as_deref(), Ok(inner), "{text:?}"),
                Err(what) => assert!(seen.is_err_and(|err| err.contains(what)), "{text:?}"),
            }
        };
        check("p\nq", Ok("p\nq"));
        check("<<EOF\np\nEOF", Ok("p"));
        check("apply_patch <<\"EOF\"\np\nq\nEOF\n", Ok("p\nq"));
        check("```\np\n```", Ok("p\n"));
        check("```\np", Ok("```\np"));
        check("<<EOF\np\n", Err("does not end"));
        check("<<'EOF\np\nEOF", Err("quoted"));
        check("<<\np", Err("quoted"));
    }
}
