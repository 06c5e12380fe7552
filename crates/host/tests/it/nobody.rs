//! The promises hold for root and for nobody: run by root, every test is run once more by a user who may nothing.

use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Set where the tests run for nobody.
const AGAIN: &str = "HOST_TEST_NOBODY";
/// The user and group that own nothing.
const NOBODY: u32 = 65534;

#[test]
fn all_tests_pass_for_nobody_too() {
    if !rustix::process::geteuid().is_root() || std::env::var_os(AGAIN).is_some() {
        return;
    }
    // Everybody may read and run here, and write to nothing but the one folder for temporary files.
    let place = tempfile::tempdir().unwrap();
    let open = |path: &Path| {
        std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o755)).unwrap();
    };
    open(place.path());
    let temp = place.path().join("tmp");
    std::fs::create_dir(&temp).unwrap();
    std::os::unix::fs::chown(&temp, Some(NOBODY), Some(NOBODY)).unwrap();
    for (number, binary) in test_binaries().iter().enumerate() {
        let copy = place.path().join(format!("tests{number}"));
        std::fs::copy(binary, &copy).unwrap();
        open(&copy);
        let output = Command::new("setpriv")
            .args(["--reuid=65534", "--regid=65534", "--clear-groups"])
            .arg(&copy)
            .args(["--test-threads", "2"])
            .env(AGAIN, "1")
            .env("HOME", &temp)
            .env("TMPDIR", &temp)
            .current_dir(&temp)
            .output()
            .unwrap();
        let said = String::from_utf8_lossy(&output.stdout);
        assert!(output.status.success(), "{}\n{said}", binary.display());
        assert!(said.contains("test result: ok."), "{said}");
    }
}

/// This binary, and the newest of the unit tests beside it.
fn test_binaries() -> Vec<PathBuf> {
    let this = std::env::current_exe().unwrap();
    let is_ours = |path: &PathBuf| {
        let name = path
            .file_name()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        name.starts_with("toolpost_host-") && path.extension().is_none()
    };
    let made = |path: &PathBuf| {
        std::fs::metadata(path)
            .and_then(|meta| meta.modified())
            .ok()
    };
    let beside = std::fs::read_dir(this.parent().unwrap()).unwrap();
    let units = beside
        .map(|entry| entry.unwrap().path())
        .filter(is_ours)
        .max_by_key(made);
    [Some(this), units].into_iter().flatten().collect()
}
