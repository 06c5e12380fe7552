//! Paths that somebody may have meant.

use std::path::{Path, PathBuf};

use super::Rules;
use super::walk::{Filter, is_folder, walk};

/// How many entries are looked at: a hint has to be quick.
const ENTRIES_MAX: usize = 20_000;
/// How deep is looked.
const DEPTH_MAX: usize = 10;
/// How alike names have to be, from 0 to 1. Two of six characters may differ.
const LIKENESS_MIN: f64 = 0.65;

/// Finds files whose name is close to one that is not there, the closest first. Only so many entries are looked at.
#[must_use]
pub fn near_names(root: &Path, wanted: &str, limit: usize) -> Vec<PathBuf> {
    let wanted_path = Path::new(wanted);
    let Some(wanted_name) = wanted_path.file_name() else {
        return Vec::new();
    };
    let wanted_name = wanted_name.to_string_lossy().to_lowercase();
    let wanted = wanted.to_lowercase();
    let rules = Rules {
        depth: Some(DEPTH_MAX),
        ..Rules::default()
    };
    let Ok(filter) = Filter::new(root, &rules) else {
        return Vec::new();
    };
    let mut near: Vec<(f64, PathBuf)> = walk(root, &rules, &filter)
        .build()
        .take(ENTRIES_MAX)
        .filter_map(Result::ok)
        .filter(|entry| entry.depth() > 0 && !is_folder(entry))
        .filter_map(|entry| {
            let name = entry.file_name().to_string_lossy().to_lowercase();
            let alike = strsim::normalized_damerau_levenshtein(&name, &wanted_name);
            if alike < LIKENESS_MIN {
                return None;
            }
            // Among equal names the one in the most similar place comes first.
            let below = entry.path().strip_prefix(root).unwrap_or(entry.path());
            let below = below.to_string_lossy().to_lowercase();
            let place = strsim::normalized_levenshtein(&below, &wanted);
            Some((alike + place / 10.0, entry.into_path()))
        })
        .collect();
    near.sort_by(|a, b| b.0.total_cmp(&a.0).then_with(|| a.1.cmp(&b.1)));
    near.truncate(limit);
    near.into_iter().map(|(_, path)| path).collect()
}
