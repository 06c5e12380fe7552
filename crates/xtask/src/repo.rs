//! The checkout and its files.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};

/// The checkout.
pub(crate) struct Repo {
    /// Its folder.
    pub(crate) root: PathBuf,
}

/// A text file of the checkout.
#[derive(Debug, Clone)]
pub(crate) struct TextFile {
    /// Its path from the root, with `/`.
    pub(crate) path: String,
    /// What it holds.
    pub(crate) text: String,
}

impl TextFile {
    #[cfg(test)]
    pub(crate) fn new(path: &str, text: &str) -> Self {
        Self {
            path: path.to_owned(),
            text: text.to_owned(),
        }
    }
}

impl Repo {
    /// Finds the checkout that this program was built from, or else the one around the current folder.
    pub(crate) fn find() -> Result<Self> {
        let start = match std::env::var_os("CARGO_MANIFEST_DIR") {
            Some(folder) => PathBuf::from(folder),
            None => std::env::current_dir()?,
        };
        let is_root = |folder: &&Path| folder.join("crates/xtask").is_dir();
        let Some(root) = start.ancestors().find(is_root) else {
            bail!("`{}` lies in no checkout of toolpost", start.display());
        };
        Ok(Self {
            root: root.to_owned(),
        })
    }

    /// A path within the checkout.
    pub(crate) fn join(&self, path: &str) -> PathBuf {
        self.root.join(path)
    }

    /// A folder beside the checkout, if it is there and holds a file of this name.
    pub(crate) fn beside(&self, folder: &str, file: &str) -> Option<PathBuf> {
        let path = self.root.parent()?.join(folder);
        path.join(file).is_file().then_some(path)
    }

    /// The folder that a variable names, else the one beside the checkout, if it holds the file; an error when the
    /// variable names a folder without it.
    pub(crate) fn shared(
        &self,
        variable: &str,
        folder: &str,
        file: &str,
    ) -> Result<Option<PathBuf>> {
        let Some(named) = std::env::var_os(variable).filter(|value| !value.is_empty()) else {
            return Ok(self.beside(folder, file));
        };
        let named = PathBuf::from(named);
        if !named.join(file).is_file() {
            bail!("${variable} is `{}`, where no {file} lies", named.display());
        }
        Ok(Some(named))
    }

    /// Every text file that git tracks or would track, sorted. Other files are left out.
    pub(crate) fn text_files(&self) -> Result<Vec<TextFile>> {
        let mut files: Vec<TextFile> = self
            .tracked()?
            .into_iter()
            .filter_map(|path| {
                let text = std::fs::read_to_string(self.join(&path)).ok()?;
                Some(TextFile { path, text })
            })
            .collect();
        files.sort_by(|one, other| one.path.cmp(&other.path));
        Ok(files)
    }

    /// What git tracks or would track; in a folder without git, everything that is not built or hidden.
    fn tracked(&self) -> Result<Vec<String>> {
        if !self.join(".git").exists() {
            let mut names = Vec::new();
            walk(&self.root, "", &mut names)?;
            return Ok(names);
        }
        let made = Command::new("git")
            .args(["-c", "safe.directory=*", "ls-files", "-z"])
            .args(["--cached", "--others", "--exclude-standard"])
            .current_dir(&self.root)
            .output()
            .context("git could not be started")?;
        if !made.status.success() {
            let said = String::from_utf8_lossy(&made.stderr);
            bail!("git ls-files: {}", said.trim());
        }
        let names = String::from_utf8_lossy(&made.stdout);
        let names = names.split('\0').filter(|name| !name.is_empty());
        Ok(names.map(str::to_owned).collect())
    }
}

/// Adds the files below a folder, by their paths from the root.
fn walk(folder: &Path, before: &str, names: &mut Vec<String>) -> Result<()> {
    for entry in std::fs::read_dir(folder)? {
        let entry = entry?;
        let name = entry.file_name().to_string_lossy().into_owned();
        let path = format!("{before}{name}");
        let is_folder = entry.file_type()?.is_dir();
        if is_folder && name != "target" && !name.starts_with('.') {
            walk(&entry.path(), &format!("{path}/"), names)?;
        } else if !is_folder {
            names.push(path);
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::Repo;

    fn names(repo: &Repo) -> Vec<String> {
        let files = repo.text_files().unwrap();
        files.into_iter().map(|file| file.path).collect()
    }

    #[test]
    fn text_files_are_found_with_git_and_without() {
        let folder = tempfile::tempdir().unwrap();
        let repo = Repo {
            root: folder.path().to_owned(),
        };
        let write = |path: &str, bytes: &[u8]| {
            let path = repo.join(path);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, bytes).unwrap();
        };
        write("src/b.rs", b"fn b() {}");
        write("a.md", b"# A");
        write("picture", &[0xff, 0xfe]);
        write("target/c.rs", b"");
        assert_eq!(names(&repo), ["a.md", "src/b.rs"]);

        write(".gitignore", b"/target\n");
        let init = std::process::Command::new("git")
            .args(["init", "--quiet"])
            .current_dir(&repo.root)
            .status();
        assert!(init.unwrap().success());
        assert_eq!(names(&repo), [".gitignore", "a.md", "src/b.rs"]);
    }

    #[test]
    fn a_folder_beside_the_checkout_counts_when_it_holds_the_file() {
        let folder = tempfile::tempdir().unwrap();
        let repo = Repo {
            root: folder.path().join("checkout"),
        };
        std::fs::create_dir_all(folder.path().join("shared/cases")).unwrap();
        assert_eq!(repo.beside("shared/cases", "run.py"), None);
        std::fs::write(folder.path().join("shared/cases/run.py"), "").unwrap();
        let found = repo.beside("shared/cases", "run.py");
        assert_eq!(found, Some(folder.path().join("shared/cases")));
    }
}
