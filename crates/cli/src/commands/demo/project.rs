//! The sample project: a small almanac in shell, with a test that fails.

use std::collections::BTreeMap;
use std::path::Path;

use toolpost::host::{EntryKind, HostError, list_folder, read_whole};

/// The largest file that is read back, in bytes.
const FILE_BYTES: u64 = 1024 * 1024;

/// The command that runs the project's test.
pub(super) const TEST: &str = "sh test.sh";

/// The project's files: path and content.
pub(super) const FILES: &[(&str, &str)] = &[
    ("README.md", include_str!("../../../demo/project/README.md")),
    (
        "almanac.sh",
        include_str!("../../../demo/project/almanac.sh"),
    ),
    (
        "lib/calendar.sh",
        include_str!("../../../demo/project/lib/calendar.sh"),
    ),
    (
        "lib/parse.sh",
        include_str!("../../../demo/project/lib/parse.sh"),
    ),
    (
        "lib/words.sh",
        include_str!("../../../demo/project/lib/words.sh"),
    ),
    ("test.sh", include_str!("../../../demo/project/test.sh")),
];

/// All that lies in a folder and below it: path within it, and content; of what is no file, the kind.
pub(super) fn files(folder: &Path) -> Result<BTreeMap<String, Vec<u8>>, HostError> {
    let mut found = BTreeMap::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(next) = folders.pop() {
        for entry in list_folder(&next)? {
            let within = entry.path.strip_prefix(folder).unwrap_or(&entry.path);
            let name = within.to_string_lossy().into_owned();
            match entry.kind {
                EntryKind::Folder => folders.push(entry.path),
                EntryKind::File => {
                    found.insert(name, read_whole(&entry.path, FILE_BYTES)?.bytes);
                }
                kind => {
                    found.insert(name, kind.name().into());
                }
            }
        }
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::{FILES, files};
    use std::path::Path;

    #[test]
    fn the_table_holds_the_whole_project() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("demo/project");
        let there = files(&folder).unwrap();
        let table = FILES
            .iter()
            .map(|(path, text)| ((*path).to_owned(), text.as_bytes().to_vec()));
        assert_eq!(there, table.collect());
    }
}
