//! From Markdown to stories. Whatever is not understood is an error with its line.

mod draft;
#[cfg(test)]
mod tests;
mod verbs;

use crate::fence::{Fault, Piece, pieces};
use crate::story::Story;

use self::draft::Draft;

/// Why a file of stories cannot be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{file}:{line}: {fact}")]
pub struct ParseError {
    /// The file, as messages name it.
    pub file: String,
    /// The line, from 1.
    pub line: usize,
    /// What is wrong, in one sentence.
    pub fact: String,
}

/// Reads the stories of a file.
///
/// # Errors
/// A fence or a word that is not understood, a story that could not fail.
pub fn parse(file: &str, text: &str) -> Result<Vec<Story>, ParseError> {
    stories(file, text).map_err(|Fault { line, fact }| ParseError {
        file: file.to_owned(),
        line,
        fact,
    })
}

fn stories(file: &str, text: &str) -> Result<Vec<Story>, Fault> {
    let mut stories: Vec<Story> = Vec::new();
    let mut open: Option<Draft> = None;
    for piece in pieces(text)? {
        match piece {
            Piece::Heading { line, title } => {
                finish(&mut stories, open.replace(Draft::new(file, title, line)))?;
            }
            Piece::Fence(fence) => match &mut open {
                Some(draft) => draft.take(fence)?,
                None => {
                    return Err(Fault::new(
                        fence.line,
                        "The fence stands before the first story.",
                    ));
                }
            },
        }
    }
    finish(&mut stories, open)?;
    if stories.is_empty() {
        return Err(Fault::new(1, "The file holds no story."));
    }
    Ok(stories)
}

fn finish(stories: &mut Vec<Story>, draft: Option<Draft>) -> Result<(), Fault> {
    let Some(draft) = draft else { return Ok(()) };
    let story = draft.finish()?;
    if stories.iter().any(|other| other.heading == story.heading) {
        let fact = format!("There is another story `{}` in this file.", story.heading);
        return Err(Fault::new(story.line, fact));
    }
    stories.push(story);
    Ok(())
}
