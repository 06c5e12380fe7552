//! The pages that the program writes about itself.

use anyhow::Result;

use crate::binary;
use crate::repo::Repo;
use crate::step::Line;

/// A page: an opening, and sections that each hold what the program prints.
struct Page {
    path: &'static str,
    opening: &'static str,
    sections: &'static [Section],
}

/// A part of a page.
struct Section {
    heading: &'static str,
    /// The words after `toolpost`.
    words: &'static str,
    /// How the fence around the output is marked.
    fence: &'static str,
}

/// Every generated page. A page is added here, and written by `cargo xtask docs`.
const PAGES: &[Page] = &[];

/// A page as it is to be.
pub(crate) struct Made {
    /// Where it lies, from the root.
    pub(crate) path: &'static str,
    /// What it holds.
    pub(crate) text: String,
}

/// Makes every page; builds the program when there is one to make.
pub(crate) fn make_all(repo: &Repo) -> Result<Vec<Made>> {
    if PAGES.is_empty() {
        return Ok(Vec::new());
    }
    let program = binary::build(repo)?.display().to_string();
    let print = |words: &str| {
        let line = words
            .split_whitespace()
            .fold(Line::new([&program]), Line::and);
        line.output(&repo.root)
    };
    PAGES.iter().map(|page| make(page, print)).collect()
}

/// Writes every page.
pub(crate) fn write_all(repo: &Repo) -> Result<()> {
    let made = make_all(repo)?;
    for page in &made {
        let path = repo.join(page.path);
        if let Some(folder) = path.parent() {
            std::fs::create_dir_all(folder)?;
        }
        std::fs::write(&path, &page.text)?;
        println!("docs: {} is written", page.path);
    }
    println!("docs: {} generated pages", made.len());
    Ok(())
}

fn make(page: &Page, print: impl Fn(&str) -> Result<String>) -> Result<Made> {
    let mut text = format!(
        "{}\n\nThis page is generated: `cargo xtask docs` writes it.\n",
        page.opening
    );
    for section in page.sections {
        let output = print(section.words)?;
        text.push_str(&format!(
            "\n## {}\n\n`toolpost {}`\n\n{fence}{}\n{}\n{fence}\n",
            section.heading,
            section.words,
            section.fence,
            output.trim_end(),
            fence = fence_around(&output),
        ));
    }
    Ok(Made {
        path: page.path,
        text,
    })
}

/// A fence longer than any within.
fn fence_around(text: &str) -> String {
    let ticks = |line: &str| line.len() - line.trim_start_matches('`').len();
    let longest = text.lines().map(ticks).max().unwrap_or_default();
    "`".repeat(longest.max(2) + 1)
}

#[cfg(test)]
mod tests {
    use super::{Page, Section, fence_around, make};

    #[test]
    fn a_page_holds_what_the_program_prints() {
        let page = Page {
            path: "docs/a.md",
            opening: "# A",
            sections: &[Section {
                heading: "All",
                words: "tools --json",
                fence: "json",
            }],
        };
        let made = make(&page, |words| Ok(format!("<{words}>\n"))).unwrap();
        assert_eq!(made.path, "docs/a.md");
        assert_eq!(
            made.text,
            "# A\n\nThis page is generated: `cargo xtask docs` writes it.\n\n## All\n\n\
             `toolpost tools --json`\n\n```json\n<tools --json>\n```\n"
        );
        assert!(make(&page, |_| anyhow::bail!("no")).is_err());
    }

    #[test]
    fn a_fence_is_longer_than_those_within() {
        assert_eq!(fence_around("a\n````\nb"), "`````");
        assert_eq!(fence_around("a"), "```");
    }
}
