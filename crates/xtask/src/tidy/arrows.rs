//! Arrows between the rooms point down, and only where the floor plan has one.

use super::Finding;
use crate::metadata::{Dependency, Metadata, Package, Purpose};

/// The floor plan: each room, and the rooms it may use. Rooms are named like their folders.
const PLAN: &[(&str, &[&str])] = &[
    ("host", &[]),
    ("store", &["host"]),
    ("core", &["host"]),
    ("policy", &["core", "host"]),
    ("govern", &["core", "host", "store"]),
    ("wire", &["core"]),
    ("view", &["core"]),
    ("tools", &["core", "host"]),
    (
        "runtime",
        &["core", "govern", "host", "policy", "store", "wire"],
    ),
    (
        "toolpost",
        &[
            "core", "govern", "host", "policy", "runtime", "store", "tools", "view", "wire",
        ],
    ),
    ("story", &["toolpost"]),
    ("cli", &["toolpost"]),
    ("bench", &["host", "toolpost"]),
    ("xtask", &[]),
];

/// The rooms that may use `anyhow`.
const ANYHOW: &[&str] = &["cli", "xtask"];

/// Arrows that the floor plan does not have. Dependencies of tests are none.
pub(super) fn check(metadata: &Metadata) -> Vec<Finding> {
    metadata.ours().flat_map(of_room).collect()
}

fn of_room(package: &Package) -> Vec<Finding> {
    let room = room(&package.name);
    let place = format!("crates/{room}/Cargo.toml");
    let Some((_, allowed)) = PLAN.iter().find(|(name, _)| *name == room) else {
        return vec![Finding::new(
            place,
            format!("The floor plan has no room `{room}`."),
        )];
    };
    let mut found = Vec::new();
    for other in package.dependencies.iter().filter_map(arrow) {
        if !allowed.contains(&other) {
            found.push(Finding::new(
                &place,
                format!("`{room}` may not use `{other}`."),
            ));
        }
    }
    let is_anyhow = |dependency: &Dependency| dependency.name == "anyhow";
    if package.dependencies.iter().any(is_anyhow) && !ANYHOW.contains(&room) {
        found.push(Finding::new(&place, "`anyhow` is for `cli` and `xtask`."));
    }
    found
}

/// The room that a dependency points to, if it is one of ours and no test's.
fn arrow(dependency: &Dependency) -> Option<&str> {
    let is_ours = dependency.name.starts_with("toolpost") || dependency.name == "xtask";
    let counts = is_ours && dependency.purpose == Purpose::Crate;
    counts.then(|| room(&dependency.name))
}

/// The folder of a package.
fn room(name: &str) -> &str {
    name.strip_prefix("toolpost-").unwrap_or(name)
}

#[cfg(test)]
mod tests {
    use super::{PLAN, check};
    use crate::metadata::{Dependency, Metadata, Package, Purpose};

    fn found(name: &str, dependencies: &[(&str, Purpose)]) -> Vec<String> {
        let dependency = |(name, purpose): &(&str, Purpose)| Dependency {
            name: (*name).to_owned(),
            purpose: *purpose,
        };
        let package = Package {
            name: name.to_owned(),
            dependencies: dependencies.iter().map(dependency).collect(),
            ..Package::default()
        };
        let metadata = Metadata {
            packages: vec![package],
            ..Metadata::default()
        };
        check(&metadata).iter().map(ToString::to_string).collect()
    }

    #[test]
    fn arrows_out_of_plan_are_found() {
        let check = |name: &str, other: &str, purpose: Purpose, expected: usize| {
            assert_eq!(
                found(name, &[(other, purpose)]).len(),
                expected,
                "{name} → {other}"
            );
        };
        check("toolpost-tools", "toolpost-host", Purpose::Crate, 0);
        check("toolpost-tools", "toolpost-runtime", Purpose::Crate, 1);
        check("toolpost-tools", "toolpost-policy", Purpose::Crate, 1);
        check("toolpost-tools", "toolpost-wire", Purpose::Crate, 1);
        check("toolpost-runtime", "toolpost-tools", Purpose::Crate, 1);
        check("toolpost-runtime", "toolpost-tools", Purpose::Tests, 0);
        check("toolpost-cli", "toolpost", Purpose::Crate, 0);
        check("toolpost-cli", "toolpost-core", Purpose::Crate, 1);
        check("toolpost-cli", "toolpost-story", Purpose::Tests, 0);
        check("toolpost-core", "xtask", Purpose::Crate, 1);
        check("toolpost-core", "anyhow", Purpose::Crate, 1);
        check("toolpost-core", "anyhow", Purpose::Tests, 1);
        check("toolpost-core", "serde", Purpose::Crate, 0);
        check("xtask", "anyhow", Purpose::Crate, 0);
    }

    #[test]
    fn a_room_out_of_plan_is_found() {
        assert_eq!(
            found("toolpost-attic", &[]),
            ["crates/attic/Cargo.toml: The floor plan has no room `attic`."]
        );
    }

    #[test]
    fn the_plan_points_down() {
        for (at, (room, allowed)) in PLAN.iter().enumerate() {
            for other in *allowed {
                let below = PLAN.iter().position(|(name, _)| name == other).unwrap();
                assert!(below < at, "{room} → {other}");
            }
        }
    }
}
