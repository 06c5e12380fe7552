//! The record of a transaction: what is staged where, written down before the first file changes.
//!
//! A record is a text file in a private folder, a line a fact, words apart by blanks, paths with every other byte than
//! visible ASCII as `%` and two digits. It begins when a transaction begins, and is locked as long as its process
//! lives. Files made beside others are named before they are made. The line `ready` closes the plan with a hash of
//! all before it: without it, nothing was changed yet.

use std::fs::{File, OpenOptions};
use std::io::{self, Read as _, Write as _};
use std::os::unix::ffi::{OsStrExt as _, OsStringExt as _};
use std::os::unix::fs::{MetadataExt as _, OpenOptionsExt as _};
use std::path::{Path, PathBuf};

use crate::error::At;
use crate::{ContentHash, HostError, ensure_private_folder};

const HEAD: &str = "toolpost transaction 1\n";
const PREFIX: &str = "transaction-";
const SUFFIX: &str = ".record";

/// One file of a transaction.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Item {
    pub(super) kind: Kind,
    pub(super) target: PathBuf,
    /// Where the new content is; after the change, where the old file is.
    pub(super) temp: PathBuf,
    /// What was there; `None` is nothing.
    pub(super) old: Option<ContentHash>,
    /// What is to be there.
    pub(super) new: Option<ContentHash>,
}

/// How a file changes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Swap,
    Create,
    InPlace,
    Remove,
}

const KINDS: [(Kind, &str); 4] = [
    (Kind::Swap, "swap"),
    (Kind::Create, "create"),
    (Kind::InPlace, "rewrite"),
    (Kind::Remove, "remove"),
];

/// A record that is being written.
#[derive(Debug)]
pub(super) struct Record {
    path: PathBuf,
    file: File,
    hasher: blake3::Hasher,
}

impl Record {
    /// Begins a record in a folder, which is made if need be.
    pub(super) fn begin(folder: &Path) -> Result<Self, HostError> {
        ensure_private_folder(folder)?;
        loop {
            let named = tempfile::Builder::new()
                .prefix(PREFIX)
                .suffix(SUFFIX)
                .make_in(folder, |path| {
                    OpenOptions::new()
                        .append(true)
                        .create_new(true)
                        .mode(0o600)
                        .open(path)
                })
                .at(folder)?;
            named.as_file().lock().at(folder)?;
            // Somebody who looked for dead records may have found it before it was locked.
            if named.as_file().metadata().at(folder)?.nlink() == 0 {
                continue;
            }
            let (file, path) = named.keep().map_err(|err| err.error).at(folder)?;
            let hasher = blake3::Hasher::new();
            let mut record = Self { path, file, hasher };
            record.line(HEAD).at(&record.path.clone())?;
            return Ok(record);
        }
    }

    /// Takes a record over whose process is dead.
    pub(super) fn found(path: PathBuf, file: File) -> Self {
        let hasher = blake3::Hasher::new();
        Self { path, file, hasher }
    }

    /// Names a file that is about to be made beside another.
    pub(super) fn temp(&mut self, path: &Path) -> io::Result<()> {
        self.line(&format!("temp {}\n", escape(path)))
    }

    /// Names a folder that is about to be made.
    pub(super) fn folder(&mut self, path: &Path) -> io::Result<()> {
        self.line(&format!("folder {}\n", escape(path)))
    }

    /// Where the new content of a file that is written in place is kept; the old one is at [`aside`] of it.
    pub(super) fn image(&self, number: usize) -> PathBuf {
        let mut path = self.path.clone().into_os_string();
        path.push(format!(".{number}"));
        path.into()
    }

    /// Writes the plan down, for good.
    pub(super) fn ready(&mut self, items: &[Item]) -> Result<(), HostError> {
        let path = self.path.clone();
        self.line(&items.iter().map(Item::line).collect::<String>())
            .at(&path)?;
        let hash = self.hasher.finalize().to_hex();
        self.line(&format!("ready {hash}\n")).at(&path)?;
        self.file.sync_all().at(&path)?;
        let folder = path.parent().unwrap_or(Path::new("/"));
        File::open(folder)
            .and_then(|folder| folder.sync_all())
            .at(folder)
    }

    /// Says that what was changed is being taken back.
    pub(super) fn back(&self) {
        // Without this line, what is left would be finished instead where it can be: as good.
        let _ = (&self.file).write_all(b"back\n");
    }

    /// Ends the record: nothing is left to do.
    pub(super) fn finish(self, images: usize) {
        for number in 0..images {
            let image = self.image(number);
            let _ = std::fs::remove_file(aside(&image));
            let _ = std::fs::remove_file(image);
        }
        let _ = std::fs::remove_file(&self.path);
    }

    fn line(&mut self, text: &str) -> io::Result<()> {
        self.hasher.update(text.as_bytes());
        self.file.write_all(text.as_bytes())
    }
}

/// Where the old content is put, if it cannot be where the new one was.
pub(super) fn aside(temp: &Path) -> PathBuf {
    let mut path = temp.as_os_str().to_owned();
    path.push("~");
    path.into()
}

/// What a record says that was left behind.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Left {
    /// The files that may have been made beside others.
    pub(super) temps: Vec<PathBuf>,
    /// The folders that may have been made, outermost first.
    pub(super) folders: Vec<PathBuf>,
    /// The plan; empty when no file was changed yet.
    pub(super) items: Vec<Item>,
    /// Whether it was being taken back.
    pub(super) back: bool,
}

impl Left {
    /// Reads a record as far as it was written.
    pub(super) fn read(file: &mut File) -> io::Result<Self> {
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes)?;
        Ok(Self::parse(&String::from_utf8_lossy(&bytes)))
    }

    pub(super) fn parse(text: &str) -> Self {
        let mut left = Self::default();
        let (mut items, mut hasher) = (Vec::new(), blake3::Hasher::new());
        for line in text
            .split_inclusive('\n')
            .filter(|line| line.ends_with('\n'))
        {
            let words: Vec<&str> = line.split_ascii_whitespace().collect();
            match words.as_slice() {
                ["temp", path] => left.temps.extend(unescape(path)),
                ["folder", path] => left.folders.extend(unescape(path)),
                ["ready", hash] if *hash == hasher.finalize().to_hex().as_str() => {
                    left.items = std::mem::take(&mut items);
                }
                ["back"] => left.back = true,
                words => items.extend(Item::parse(words)),
            }
            hasher.update(line.as_bytes());
        }
        left
    }
}

/// The records in a folder.
pub(super) fn records(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut paths = Vec::new();
    for entry in std::fs::read_dir(folder)? {
        let entry = entry?;
        let name = entry.file_name();
        let name = name.as_bytes();
        if name.starts_with(PREFIX.as_bytes()) && name.ends_with(SUFFIX.as_bytes()) {
            paths.push(entry.path());
        }
    }
    paths.sort_unstable();
    Ok(paths)
}

impl Item {
    fn line(&self) -> String {
        let kind = KINDS.iter().find(|(kind, _)| *kind == self.kind);
        let hash = |hash: Option<ContentHash>| hash.map_or("-".to_owned(), |hash| hash.to_string());
        format!(
            "{} {} {} {} {}\n",
            kind.map_or("", |(_, name)| name),
            hash(self.old),
            hash(self.new),
            escape(&self.target),
            escape(&self.temp)
        )
    }

    fn parse(words: &[&str]) -> Option<Self> {
        let [kind, old, new, target, temp] = words else {
            return None;
        };
        let hash = |text: &str| match text {
            "-" => Some(None),
            text => ContentHash::from_hex(text).map(Some),
        };
        Some(Self {
            kind: KINDS.iter().find(|(_, name)| name == kind)?.0,
            target: unescape(target)?,
            temp: unescape(temp)?,
            old: hash(old)?,
            new: hash(new)?,
        })
    }
}

fn escape(path: &Path) -> String {
    let mut text = String::new();
    for &byte in path.as_os_str().as_bytes() {
        if byte.is_ascii_graphic() && byte != b'%' {
            text.push(char::from(byte));
        } else {
            text.push_str(&format!("%{byte:02x}"));
        }
    }
    text
}

fn unescape(text: &str) -> Option<PathBuf> {
    let (mut bytes, mut rest) = (Vec::new(), text.as_bytes());
    while let [first, after @ ..] = rest {
        if *first != b'%' {
            bytes.push(*first);
            rest = after;
            continue;
        }
        let (digits, after) = after.split_at_checked(2)?;
        bytes.push(u8::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok()?);
        rest = after;
    }
    Some(std::ffi::OsString::from_vec(bytes).into())
}
