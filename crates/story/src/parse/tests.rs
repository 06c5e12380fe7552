use super::parse;
use crate::story::{Args, Given, Step, Story};

const CALL: &str = "```call a\n{}\n```\n";
const REPLY: &str = "```reply ok\nx\n```\n";

fn fault(text: &str) -> String {
    match parse("a.md", text) {
        Ok(stories) => format!("{} stories", stories.len()),
        Err(err) => err.to_string(),
    }
}

#[test]
fn what_is_not_understood_is_told_with_its_line() {
    let check = |text: &str, expected: &str| assert_eq!(fault(text), expected, "{text}");
    check("# A\n", "a.md:1: The file holds no story.");
    check(
        "```given a\n```\n",
        "a.md:1: The fence stands before the first story.",
    );
    check("## A\n```call a\n", "a.md:2: The fence is never closed.");
    check(
        "## A\n ```call a\n```\n",
        "a.md:2: A fence begins in the first column.",
    );
    check("## A\nprose\n", "a.md:1: The story calls nothing.");
    check(
        &format!("## A\n{CALL}{REPLY}## A\n{CALL}{REPLY}"),
        "a.md:8: There is another story `A` in this file.",
    );
}

#[test]
fn words_that_are_not_understood_are_told() {
    let check = |fence: &str, expected: &str| {
        let text = format!("## A\n```{fence}\n```\n{CALL}{REPLY}");
        assert_eq!(fault(&text), format!("a.md:2: {expected}"), "{fence}");
    };
    check("", "The fence has no word that says what it is for.");
    check("json", "There is no block `json`.");
    check("given \"a", "A quote is never closed.");
    let given = "It is `given PATH`, `given PATH base64`, `given empty PATH` or `given dir PATH`.";
    check("given", given);
    check("given a b", given);
    check("given empty a base64", given);
    check("then", "It is `then PATH` or `then PATH base64`.");
    check("then a b", "It is `then PATH` or `then PATH base64`.");
    check("gone", "It is `gone PATH`.");
    let outside = "`/a` is no path below the workspace; one `../` in front is the most.";
    check("given /a", outside);
    check("then /a", outside);
    check("gone /a", outside);
    check("call", "It is `call NAME [as DIALECT] [free]`.");
    check("call a in plain", "It is `call NAME [as DIALECT] [free]`.");
    check("call a as latin", "There is no dialect `latin`.");
    check("policy strict", "`policy` takes no further word.");
    check("view wide", "`view` takes no further word.");
    check("reply", "`reply` needs a status.");
    check("reply fine", "There is no status `fine`.");
    check("reply error fine", "There is no code `fine`.");
}

#[test]
fn bodies_that_are_not_understood_are_told() {
    let check = |block: &str, expected: &str| {
        let text = format!("## A\n{block}\n```\n{CALL}{REPLY}");
        let fault = fault(&text);
        assert!(fault.starts_with(&format!("a.md:2: {expected}")), "{fault}");
    };
    check("```given empty a\nx", "The block must be empty.");
    check("```given dir a\nx", "The block must be empty.");
    check("```gone a\nx", "The block must be empty.");
    check("```given a base64\n!", "This is no base64: ");
    check("```then a base64\n!", "This is no base64: ");
    check("```policy\nmode", "`mode` is not `key = value`.");
    check("```policy\nmode = mild", "There is no mode `mild`.");
    check(
        "```policy\nprior_read = maybe",
        "`files.prior_read` is `evidence`, `strict` or `off`.",
    );
    check("```policy\ncolour = red", "There is no key `colour`.");
    let text = format!("## A\n{CALL}{REPLY}```state\n[]\n```\n");
    assert!(fault(&text).starts_with("a.md:8: The state is no JSON object: "));
}

#[test]
fn blocks_out_of_place_are_told() {
    let check = |blocks: &[&str], expected: &str| {
        let text = format!("## A\n{}", blocks.concat());
        assert_eq!(fault(&text), expected, "{text}");
    };
    let (given, policy) = ("```given a\n```\n", "```policy\nmode = plan\n```\n");
    let (asks, answer) = ("```asks\n```\n", "```answer\n```\n");
    let (state, view) = ("```state\n{}\n```\n", "```view\n```\n");
    let between = "a.md:5: The block stands between a call and its `reply`.";
    check(&[CALL], "a.md:2: The call has no `reply`.");
    check(&[CALL, CALL, REPLY], "a.md:5: The call has no `reply`.");
    check(&[REPLY], "a.md:2: There is no call for this `reply`.");
    check(
        &[CALL, REPLY, REPLY],
        "a.md:8: There is no call for this `reply`.",
    );
    check(&[CALL, given], between);
    check(&[CALL, "```gone a\n```\n"], between);
    check(&[CALL, "```then a\n```\n"], between);
    check(
        &[CALL, CALL, REPLY, CALL],
        "a.md:11: The call before this one has no `reply` yet.",
    );
    check(
        &[CALL, "```call b as claude\n{}\n```\n"],
        "a.md:5: The calls of a batch are of one dialect.",
    );
    check(&[view], "a.md:2: There is no `reply` for this `view`.");
    check(
        &[CALL, state],
        "a.md:5: There is no `reply` for this `state`.",
    );
    check(
        &[CALL, REPLY, view, view],
        "a.md:10: A reply has one `view`.",
    );
    check(
        &[CALL, REPLY, state, state],
        "a.md:11: A reply has one `state`.",
    );
    check(&[policy, policy], "a.md:5: A story has one `policy`.");
    check(
        &[CALL, REPLY, policy],
        "a.md:8: A `policy` stands before the first call.",
    );
    let asked = "A question and its answer stand between a call and its `reply`.";
    check(&[asks], &format!("a.md:2: {asked}"));
    check(&[CALL, REPLY, answer], &format!("a.md:8: {asked}"));
    check(&[CALL, asks, answer, REPLY], "1 stories");
}

const WHOLE: &str = "\
# Title
## First
Prose.
```given \"a b.txt\"
x

```
```given raw.bin base64
AP8=
```
```given dir sub
```
~~~policy
mode = \"plan\"

prior_read = strict
~~~
```call fs.read
{\"path\": \"a\"}
```
```call fs.read
[not json
```
```reply ok
one
```
```state
{\"n\": 1}
```
```view
seen
```
```reply error not_found
two
```
```call apply_patch as codex free
*** Begin Patch
```
```reply ok
```
```then a.txt
new
```
```gone old.txt
```
## Second
```call x
{}
```
```reply ok
```
";

/// The two stories of `WHOLE`.
fn whole() -> [Story; 2] {
    parse("a.md", WHOLE).unwrap().try_into().unwrap()
}

/// What a function finds in the steps of the first of them.
fn found<T>(find: impl Fn(&Step) -> Option<T>) -> Vec<T> {
    let [first, _] = whole();
    first.steps.iter().filter_map(find).collect()
}

#[test]
fn headings_and_policies_are_read() {
    let [first, second] = whole();
    assert_eq!((first.heading.as_str(), first.line), ("First", 2));
    assert_eq!((second.heading.as_str(), second.line), ("Second", 46));
    assert_eq!(first.policy.mode.name(), "plan");
    assert_eq!(first.policy.settings, ["files.prior_read=strict"]);
    assert_eq!(second.policy.mode.name(), "headless");
    assert!(second.policy.settings.is_empty());
}

#[test]
fn what_is_on_disk_is_read() {
    let given = found(|step| match step {
        Step::Given { path, given, .. } => Some((path.clone(), given.clone())),
        _ => None,
    });
    let expected = [
        ("a b.txt", Given::File(b"x\n\n".to_vec())),
        ("raw.bin", Given::File(vec![0, 255])),
        ("sub", Given::Folder),
    ];
    assert_eq!(
        given,
        expected.map(|(path, given)| (path.to_owned(), given))
    );
    let then = found(|step| match step {
        Step::Then { path, content, .. } => Some((path.clone(), content.clone())),
        Step::Gone { path, .. } => Some((path.clone(), b"gone".to_vec())),
        _ => None,
    });
    let expected = [("a.txt", "new\n"), ("old.txt", "gone")];
    let expected = expected.map(|(path, content)| (path.to_owned(), content.as_bytes().to_vec()));
    assert_eq!(then, expected);
}

#[test]
fn batches_are_read() {
    let batches = found(|step| match step {
        Step::Batch(batch) => Some(batch.clone()),
        _ => None,
    });
    let [both, patch] = batches.as_slice() else {
        panic!("{batches:?}");
    };
    assert!(matches!(&both.calls[0].args, Args::Json(map) if map["path"] == "a"));
    assert_eq!(both.calls[1].args, Args::Raw("[not json".to_owned()));
    assert_eq!(both.dialect.0, "plain");
    assert_eq!(both.replies[0].text.text, "one\n");
    assert_eq!(both.replies[0].state.as_ref().unwrap().values["n"], 1);
    assert_eq!(both.replies[0].view.as_ref().unwrap().text, "seen\n");
    assert_eq!(both.replies[1].ending.to_string(), "error not_found");
    assert_eq!(patch.dialect.0, "codex");
    let text = "*** Begin Patch\n".to_owned();
    assert_eq!(patch.calls[0].args, Args::Free(text));
}
