//! A text file that is to be changed.

use std::path::Path;

use toolpost_core::{Look, ToolError};
use toolpost_host::{Content, HostError, Nul, Text};

use super::place;
use crate::fault;

/// A text file with its bytes as they were read.
pub(crate) struct Opened {
    /// The file as a person writes it.
    pub(crate) shown: String,
    /// Its bytes and their hash.
    pub(crate) content: Content,
    /// Its text.
    pub(crate) text: Text,
}

impl Opened {
    /// Reads a file that is to be changed.
    pub(crate) fn read(path: &Path, look: &Look) -> Result<Self, ToolError> {
        Self::of(Self::bytes(path), path, look)
    }

    /// Reads the bytes alone, for a tool that has its own answer where nothing is.
    pub(crate) fn bytes(path: &Path) -> Result<Content, HostError> {
        toolpost_host::read_whole(path, place::WHOLE_LIMIT_BYTES)
    }

    /// Makes text of what was read, and words of what could not be.
    pub(crate) fn of(
        read: Result<Content, HostError>,
        path: &Path,
        look: &Look,
    ) -> Result<Self, ToolError> {
        let content = read.map_err(|err| place::fault(&err, look, path, "edited"))?;
        let shown = look.show(path);
        let text = Text::decode_with(&content.bytes, Nul::Accepted)
            .map_err(|err| fault::told(&err, &shown, "edited"))?;
        Ok(Self {
            shown,
            content,
            text,
        })
    }
}
