//! Files: the end of a large one, one edit, a patch over many.

use std::fs::File;
use std::io::{Read as _, Write as _};
use std::path::{Path, PathBuf};

use toolpost_host::{
    Change, Expect, LineStart, Nul, PageLimits, Permit, Splice, Text, Transactions, read_lines,
    read_whole,
};

use crate::Fallible;
use crate::measure::{Measured, Race};

const MIB: usize = 1024 * 1024;

/// Measures all of it in a folder of its own.
pub(crate) fn all(place: &Path) -> Fallible<Vec<Measured>> {
    let mut measured = Vec::new();
    for mib in [1, 10, 50] {
        measured.push(edit(place, mib)?);
    }
    measured.push(patch(place)?);
    measured.push(tail(place)?);
    Ok(measured)
}

/// The last 2,000 lines of 1 GiB, beside counting its newlines.
fn tail(place: &Path) -> Fallible<Measured> {
    let path = place.join("large");
    fill(&path, 1024)?;
    let limits = PageLimits {
        lines: 2_000,
        line_chars: 2_000,
        total_chars: usize::MAX,
    };
    Race {
        workload: "last 2,000 lines of 1 GiB".into(),
        limit: "counting its newlines",
        goal: 1.3,
        rounds: 5,
        ours: &mut |_| {
            let page = read_lines(&path, LineStart::FromEnd(2_000), limits)?;
            expect(page.lines.len() == 2_000)
        },
        best: &mut |_| expect(newlines(&path)? > 0),
    }
    .run()
}

/// One edit in the middle of a file, beside reading it and writing a synced copy.
fn edit(place: &Path, mib: usize) -> Fallible<Measured> {
    let path = place.join("edited");
    fill(&path, mib)?;
    let copy = place.join("copied");
    let records = Transactions::at(&place.join("records"));
    Race {
        workload: format!("one edit in {mib} MiB"),
        limit: "reading it and writing a synced copy",
        goal: 1.5,
        rounds: 15,
        ours: &mut |round| {
            let content = read_whole(&path, u64::MAX)?;
            let text = Text::decode_owned(content.bytes, Nul::Accepted)?;
            let start = memchr::memmem::find(text.as_str().as_bytes(), b"the middle").ok_or("?")?;
            let edit = Splice {
                range: start + 10..start + 12,
                with: format!("{:02}", round % 100),
            };
            let bytes = text.into_replaced(&[edit])?;
            let written = records.write(
                &Permit::issue(),
                &path,
                &bytes,
                Expect::Content(content.hash),
            )?;
            expect(written.note.is_none())
        },
        best: &mut |_| write_synced(&copy, &std::fs::read(&path)?),
    }
    .run()
}

/// 200 hunks over 50 files, beside writing these files synced.
fn patch(place: &Path) -> Fallible<Measured> {
    let file = |number: usize| place.join(format!("src{}/file{number}.txt", number % 5));
    let files: Vec<PathBuf> = (0..50).map(file).collect();
    for path in &files {
        std::fs::create_dir_all(path.parent().ok_or("?")?)?;
        std::fs::write(path, lines(20_000))?;
    }
    let content = lines(20_000);
    let records = Transactions::at(&place.join("records"));
    Race {
        workload: "200 hunks over 50 files".into(),
        limit: "writing 50 files synced",
        goal: 2.0,
        rounds: 15,
        ours: &mut |round| {
            let changes: Vec<Change> = files
                .iter()
                .map(|path| hunks(path, round))
                .collect::<Fallible<_>>()?;
            expect(records.apply(&Permit::issue(), &changes)?.len() == 50)
        },
        best: &mut |_| {
            files
                .iter()
                .try_for_each(|path| write_synced(&path.with_extension("copy"), &content))
        },
    }
    .run()
}

/// Four changes of a file.
fn hunks(path: &Path, round: usize) -> Fallible<Change> {
    let content = read_whole(path, u64::MAX)?;
    let text = Text::decode_owned(content.bytes, Nul::Accepted)?;
    let edit = |place: usize| Splice {
        range: place..place + 2,
        with: format!("{:02}", round % 100),
    };
    Ok(Change::Write {
        path: path.to_path_buf(),
        bytes: text.replace(&[100, 5_000, 10_000, 15_000].map(edit))?,
        expect: Expect::Content(content.hash),
        mode: None,
    })
}

/// Counts newlines as fast as can be without holding the file.
fn newlines(path: &Path) -> Fallible<usize> {
    let mut file = File::open(path)?;
    let mut buffer = vec![0; 128 * 1024];
    let mut count = 0;
    loop {
        let read = file.read(&mut buffer)?;
        if read == 0 {
            return Ok(count);
        }
        count += memchr::memchr_iter(b'\n', buffer.get(..read).unwrap_or_default()).count();
    }
}

/// Writes a file beside another, synced, and renames it into place.
fn write_synced(path: &Path, bytes: &[u8]) -> Fallible<()> {
    let temp = path.with_extension("temp");
    let mut file = File::create(&temp)?;
    file.write_all(bytes)?;
    file.sync_all()?;
    std::fs::rename(temp, path)?;
    Ok(())
}

/// Lines of text, so many bytes of them.
fn lines(bytes: usize) -> Vec<u8> {
    let line =
        |number: usize| format!("line {number:08}: some words as they stand in a source file\n");
    let mut text: Vec<u8> = (0..bytes / 40)
        .flat_map(|number| line(number).into_bytes())
        .collect();
    text.truncate(bytes);
    text
}

/// Makes a file of so many MiB, with a mark in its middle.
fn fill(path: &Path, mib: usize) -> Fallible<()> {
    let block = lines(MIB);
    let mut file = File::create(path)?;
    for number in 0..mib {
        if number == mib / 2 {
            file.write_all(b"\nthe middle 00\n")?;
        }
        file.write_all(&block)?;
    }
    file.sync_all()?;
    Ok(())
}

/// Fails when something was not done as it was meant.
fn expect(done: bool) -> Fallible<()> {
    if done {
        Ok(())
    } else {
        Err("a workload did not do its work".into())
    }
}
