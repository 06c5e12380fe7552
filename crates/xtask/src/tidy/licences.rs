//! Everything that toolpost is built from may be given away with it.

use super::Finding;
use super::spdx::Expression;
use crate::metadata::{Metadata, Package};

/// The licences that oblige nobody to more than a notice, or, with MPL-2.0, only within its own files.
const ALLOWED: &[&str] = &[
    "0BSD",
    "Apache-2.0",
    "Apache-2.0 WITH LLVM-exception",
    "BSD-2-Clause",
    "BSD-3-Clause",
    "BSL-1.0",
    "CC0-1.0",
    "CDLA-Permissive-2.0",
    "ISC",
    "MIT",
    "MIT-0",
    "MPL-2.0",
    "Unicode-3.0",
    "Unicode-DFS-2016",
    "Unlicense",
    "Zlib",
];

/// Packages without a licence that can be read and is allowed.
pub(super) fn check(metadata: &Metadata) -> Vec<Finding> {
    metadata.packages.iter().filter_map(of_package).collect()
}

fn of_package(package: &Package) -> Option<Finding> {
    let place = format!("{} {}", package.name, package.version);
    let Some(licence) = &package.licence else {
        return Some(Finding::new(place, "It states no licence."));
    };
    let fact = match Expression::read(licence) {
        Some(expression) if expression.is_met(ALLOWED) => return None,
        Some(_) => format!("Its licence is not allowed: `{licence}`."),
        None => format!("Its licence cannot be read: `{licence}`."),
    };
    Some(Finding::new(place, fact))
}

#[cfg(test)]
mod tests {
    use super::check;
    use crate::metadata::{Metadata, Package};

    #[test]
    fn licences_that_do_not_do_are_found() {
        let check = |licence: Option<&str>, expected: Option<&str>| {
            let package = Package {
                name: "a".to_owned(),
                version: "1.0.0".to_owned(),
                licence: licence.map(str::to_owned),
                ..Package::default()
            };
            let metadata = Metadata {
                packages: vec![package],
                ..Metadata::default()
            };
            let found: Vec<String> = check(&metadata).iter().map(ToString::to_string).collect();
            assert_eq!(found.first().map(String::as_str), expected, "{licence:?}");
        };
        check(Some("MIT OR Apache-2.0"), None);
        check(Some("MIT OR Apache-2.0 OR LGPL-2.1-or-later"), None);
        check(Some("(MIT OR Apache-2.0) AND Unicode-3.0"), None);
        check(Some("MPL-2.0"), None);
        check(
            Some("GPL-3.0-only"),
            Some("a 1.0.0: Its licence is not allowed: `GPL-3.0-only`."),
        );
        check(
            Some("MIT AND AGPL-3.0"),
            Some("a 1.0.0: Its licence is not allowed: `MIT AND AGPL-3.0`."),
        );
        check(
            Some("MIT Apache-2.0"),
            Some("a 1.0.0: Its licence cannot be read: `MIT Apache-2.0`."),
        );
        check(None, Some("a 1.0.0: It states no licence."));
    }
}
