//! A patch as a value, and the text it is written in.

/// A patch: what is to happen to some files.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Patch {
    pub(crate) operations: Vec<Operation>,
}

/// What is to happen to one file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Operation {
    /// A new file.
    Add { path: String, lines: Vec<String> },
    /// A file that goes.
    Delete { path: String },
    /// A file that changes, moves, or both.
    Update {
        path: String,
        to: Option<String>,
        chunks: Vec<Chunk>,
    },
}

/// A changed place of a file.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Chunk {
    /// Lines behind which the place lies, from the outermost inwards.
    pub(crate) anchors: Vec<String>,
    /// Its lines.
    pub(crate) lines: Vec<PatchLine>,
    /// Where in the file it may lie.
    pub(crate) place: Place,
}

/// Where in a file a chunk may lie.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum Place {
    /// Anywhere behind the chunk before.
    #[default]
    Anywhere,
    /// At the end of the file.
    EndOfFile,
}

/// A line of a chunk.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct PatchLine {
    pub(crate) role: Role,
    pub(crate) text: String,
}

/// What a line of a chunk is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Role {
    /// It is there and stays.
    Context,
    /// It goes.
    Removed,
    /// It comes.
    Added,
}

#[cfg(test)]
impl Role {
    /// The character before the line.
    pub(crate) fn mark(self) -> char {
        match self {
            Self::Context => ' ',
            Self::Removed => '-',
            Self::Added => '+',
        }
    }
}

impl Operation {
    /// The file, as the patch names it.
    pub(crate) fn path(&self) -> &str {
        match self {
            Self::Add { path, .. } | Self::Delete { path } | Self::Update { path, .. } => path,
        }
    }
}

impl Chunk {
    /// The lines that have to be in the file.
    pub(crate) fn old(&self) -> Vec<&PatchLine> {
        let old = self.lines.iter().filter(|line| line.role != Role::Added);
        old.collect()
    }
}

/// Writes the patch in its canonical form; used where a reading is checked against it.
#[cfg(test)]
impl std::fmt::Display for Patch {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        writeln!(out, "*** Begin Patch")?;
        for operation in &self.operations {
            match operation {
                Operation::Add { path, lines } => {
                    writeln!(out, "*** Add File: {path}")?;
                    lines.iter().try_for_each(|line| writeln!(out, "+{line}"))?;
                }
                Operation::Delete { path } => writeln!(out, "*** Delete File: {path}")?,
                Operation::Update { path, to, chunks } => {
                    writeln!(out, "*** Update File: {path}")?;
                    if let Some(to) = to {
                        writeln!(out, "*** Move to: {to}")?;
                    }
                    chunks.iter().try_for_each(|chunk| write!(out, "{chunk}"))?;
                }
            }
        }
        write!(out, "*** End Patch")
    }
}

#[cfg(test)]
impl std::fmt::Display for Chunk {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if self.anchors.is_empty() {
            writeln!(out, "@@")?;
        }
        self.anchors
            .iter()
            .try_for_each(|anchor| writeln!(out, "@@ {anchor}"))?;
        for line in &self.lines {
            writeln!(out, "{}{}", line.role.mark(), line.text)?;
        }
        if self.place == Place::EndOfFile {
            writeln!(out, "*** End of File")?;
        }
        Ok(())
    }
}
