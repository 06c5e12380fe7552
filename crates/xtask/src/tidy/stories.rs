//! How a file of stories is read here: just far enough to see how each of them ends.

/// How a story's calls end: the statuses behind its `reply` fences.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Story {
    /// Its heading.
    pub(super) title: String,
    /// The statuses, in order.
    pub(super) replies: Vec<String>,
}

/// The stories of a file: headings with at least one `reply` before the next heading.
pub(super) fn stories(text: &str) -> Vec<Story> {
    let mut all: Vec<Story> = Vec::new();
    let mut open: Option<Fence> = None;
    for line in text.lines() {
        if let Some(fence) = open {
            open = (!fence.closes(line)).then_some(fence);
            continue;
        }
        if let Some(title) = heading(line) {
            all.push(Story {
                title: title.to_owned(),
                replies: Vec::new(),
            });
        } else if let Some((fence, words)) = Fence::opens(line) {
            open = Some(fence);
            if let (Some(story), Some(status)) = (all.last_mut(), replied(words)) {
                story.replies.push(status.to_owned());
            }
        }
    }
    all.retain(|story| !story.replies.is_empty());
    all
}

/// The status of a `reply` fence; one without a status promises nothing.
fn replied(words: &str) -> Option<&str> {
    let mut words = words.split_whitespace();
    words.next().filter(|word| *word == "reply")?;
    words.next()
}

fn heading(line: &str) -> Option<&str> {
    let title = line.trim_start_matches('#');
    let is_heading = title.len() < line.len() && title.starts_with(' ');
    is_heading.then(|| title.trim())
}

/// An open fence.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Fence {
    mark: char,
    length: usize,
}

impl Fence {
    /// The fence that a line opens, and the words behind it.
    fn opens(line: &str) -> Option<(Self, &str)> {
        let mark = line.chars().next().filter(|mark| "`~".contains(*mark))?;
        let words = line.trim_start_matches(mark);
        let length = line.len() - words.len();
        (length >= 3).then_some((Self { mark, length }, words.trim()))
    }

    fn closes(self, line: &str) -> bool {
        Self::opens(line).is_some_and(|(other, words)| {
            other.mark == self.mark && other.length >= self.length && words.is_empty()
        })
    }
}

#[cfg(test)]
mod tests {
    use super::stories;

    #[test]
    fn stories_are_headings_with_replies() {
        let check = |text: &str, expected: &[(&str, &[&str])]| {
            let read = stories(text);
            let read: Vec<(&str, Vec<&str>)> = read
                .iter()
                .map(|story| {
                    let replies = story.replies.iter().map(String::as_str).collect();
                    (story.title.as_str(), replies)
                })
                .collect();
            let expected: Vec<(&str, Vec<&str>)> = expected
                .iter()
                .map(|(title, replies)| (*title, replies.to_vec()))
                .collect();
            assert_eq!(read, expected, "{text}");
        };
        check("# All\nprose\n", &[]);
        check(
            "# A\n```call fs.read\n{}\n```\n```reply ok\nx\n```\n",
            &[("A", &["ok"])],
        );
        check(
            "# A\n```reply\nx\n```\n```reply error not_found\n```\n",
            &[("A", &["error"])],
        );
        check("# A\n````given a.md\n# B\n```reply ok\n```\n````\n", &[]);
        check(
            "# A\n~~~ reply denied\n```\n~~~\n## B\n```reply ok\n```\n",
            &[("A", &["denied"]), ("B", &["ok"])],
        );
        check("```reply ok\n```\n# A\n#tag\n", &[]);
    }
}
