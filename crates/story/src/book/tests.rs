#![expect(
    clippy::disallowed_methods,
    reason = "the tests look at files as anybody else would"
)]

use std::path::Path;

use super::{Book, books};
use crate::fake::Fake;
use crate::run::run;

/// A file of stories, in a folder of its own, brought up to date.
fn refreshed(text: &str, wanted: &str) -> String {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.md");
    std::fs::write(&path, text).unwrap();
    let book = Book::open(&path, "a.md").unwrap();
    let fake = Fake::default();
    let fresh = book
        .refresh(&fake, &|story| story.heading.contains(wanted))
        .unwrap();
    let now = std::fs::read_to_string(&path).unwrap();
    let again = Book::open(&path, "a.md").unwrap();
    assert_eq!(format!("{fresh:?}"), format!("{again:?}"));
    now
}

const STALE: &str = "\
# Title\r
## A  \r
Prose  with ``` odd ``` spaces.
~~~~call write
{\"text\": \"one\\n~~~\\ntook 5 ms\\n\"}
~~~~
~~~  reply error io
old
~~~
Between.

```view
old
```
```then a.txt
old
```
```call deny
{\"text\": \"[WORKSPACE]/x\"}
```
```reply ok
```
the end";

const FRESH: &str = "\
# Title\r
## A  \r
Prose  with ``` odd ``` spaces.
~~~~call write
{\"text\": \"one\\n~~~\\ntook 5 ms\\n\"}
~~~~
~~~~  reply ok
one
~~~
took [MS] ms

~~~~
Between.

```view
<one
~~~
took [MS] ms
>
```
```then a.txt
one
~~~
took 5 ms
```
```call deny
{\"text\": \"[WORKSPACE]/x\"}
```
```reply denied outside
[WORKSPACE]/x
```
the end";

#[test]
fn stale_blocks_are_rewritten_and_nothing_else() {
    assert_eq!(refreshed(STALE, ""), FRESH);
    assert_eq!(refreshed(FRESH, ""), FRESH);
    assert_eq!(refreshed(STALE, "other"), STALE);
}

#[test]
fn what_was_rewritten_holds() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.md");
    std::fs::write(&path, STALE).unwrap();
    let fake = Fake::default();
    let book = Book::open(&path, "a.md").unwrap();
    assert!(run(&book.stories[0], &fake).is_err());
    assert_eq!(std::fs::read_to_string(&path).unwrap(), STALE);
    let book = book.refresh(&fake, &|_| true).unwrap();
    run(&book.stories[0], &fake).unwrap();
}

#[test]
fn promises_are_not_rewritten() {
    let call = "## A\n```call say\n{}\n```\n```reply ok\n```\n";
    for promise in ["```state\n{\"length\": 9}\n```\n", "```then b\n```\n"] {
        let text = format!("{call}{promise}");
        assert_eq!(refreshed(&text, ""), text);
    }
}

#[test]
fn books_are_found_and_what_is_none_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let base = folder.path();
    let named = |below: &str| {
        let name = |book: Result<Book, super::BookError>| match book {
            Ok(book) => book.name,
            Err(err) => format!("! {err}"),
        };
        let found = books(&base.join(below), base);
        found.into_iter().map(name).collect::<Vec<_>>()
    };
    let put = |path: &str, text: &str| {
        let path = base.join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    };
    put("none/a.md", "## A\n");
    assert_eq!(named("none"), ["! none: There is no story in it."]);
    let story = "## A\n```call a\n{}\n```\n```reply ok\n```\n";
    put("src/b/stories/one.md", story);
    put("src/a/stories/two.md", story);
    put("src/a/stories/broken.md", "## A\n```x\n```\n");
    put("src/c/stories/note.txt", "");
    put("src/a/card.md", "## A\n");
    put("src/d/card.md", "## A\n");
    put("src/d/faces/x.md", story);
    assert_eq!(
        named("src"),
        [
            "! src/a/stories/broken.md:2: There is no block `x`.",
            "src/a/stories/two.md",
            "src/b/stories/one.md",
            "! src/c/stories: There is no story in it.",
            "! src/d: There is no story in it.",
        ]
    );
    let missing = named("missing");
    assert!(missing[0].starts_with("! missing: "), "{missing:?}");
    assert!(Book::open(Path::new("/nowhere/a.md"), "a.md").is_err());
}
