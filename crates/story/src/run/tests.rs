use super::run;
use crate::fake::Fake;
use crate::parse::parse;

/// Runs the one story of a text and tells how it went, and what came through the door.
fn told(text: &str) -> (String, Vec<String>) {
    let stories = parse("a.md", &format!("## A\n{text}")).unwrap();
    let fake = Fake::default();
    let told = match run(&stories[0], &fake) {
        Ok(()) => "holds".to_owned(),
        Err(mismatch) => mismatch.to_string(),
    };
    (told, fake.batches.into_inner().unwrap())
}

const SAY: &str = "```call say\n{\"text\": \"hello\"}\n```\n";

#[test]
fn stories_hold_that_agree() {
    let check = |text: &str| assert_eq!(told(text).0, "holds", "{text}");
    check(&format!("{SAY}```reply ok\nhello\n```\n"));
    check("```call say\n{}\n```\n```reply ok\n```\n");
    check("```call say\n{\"text\": \"a\\n\"}\n```\n```reply ok\na\n\n```\n");
    check("```call say\nraw\n```\n```reply ok\nraw\n```\n");
    check("```call say free\nraw\n```\n```reply ok\nraw\n\n```\n");
    check("```call deny\n{}\n```\n```reply denied outside\n```\n");
    check("```call say\n{\"text\": \"took 7 ms\"}\n```\n```reply ok\ntook [MS] ms\n```\n");
    check("```call say\n{\"text\": \"[WORKSPACE]/a\"}\n```\n```reply ok\n[WORKSPACE]/a\n```\n");
    check(&format!(
        "{SAY}```reply ok\nhello\n```\n```view\n<hello>\n```\n```state\n{{\"length\": 5}}\n```\n"
    ));
    check(
        "```given sub/b.txt\nb\n```\n```given empty c.txt\n```\n```given dir d\n```\n\
         ```call write\n{\"text\": \"x\\n\"}\n```\n```reply ok\nx\n\n```\n\
         ```then a.txt\nx\n```\n```then sub/b.txt\nb\n```\n```then c.txt\n```\n```gone e.txt\n```\n",
    );
}

#[test]
fn calls_without_a_reply_between_them_are_a_batch() {
    let reply = "```reply ok\nhello\n```\n";
    let text = format!(
        "```policy\nmode = edits\n```\n{SAY}{SAY}{reply}{reply}{SAY}{reply}\
         ```call say as codex\n{{}}\n```\n```reply ok\n```\n"
    );
    let (told, batches) = told(&text);
    assert_eq!(told, "holds");
    assert_eq!(
        batches,
        ["edits plain say,say", "edits plain say", "edits codex say"]
    );
}

#[test]
fn what_came_otherwise_is_told_with_its_place() {
    let check = |text: &str, expected: &str| {
        let head = "The story `A` does not hold, through a fake.\n";
        assert_eq!(told(text).0, format!("{head}{expected}"), "{text}");
    };
    check(
        &format!("{SAY}```reply ok\nbye\nhello\n```\n"),
        "a.md:5: The model reads something else.\n    --- the story\n    +++ what came\n    \
         @@ -1,2 +1 @@\n    -bye\n     hello\n",
    );
    check(
        &format!("{SAY}```reply error no_match\nhello\n```\n"),
        "a.md:5: The call ended `ok`, not `error no_match` (plain dialect).\n",
    );
    check(
        &format!(
            "{SAY}```reply ok\nhello\n```\n```view\nx\n```\n```state\n{{\"length\": 1}}\n```\n"
        ),
        "a.md:11: `state.length` is 5, not 1.\na.md:8: A person sees something else.\n    \
         --- the story\n    +++ what came\n    @@ -1 +1 @@\n    -x\n    +<hello>\n",
    );
    let write = "```call write\n{\"text\": \"x\"}\n```\n```reply ok\nx\n```\n";
    check(
        &format!("{write}```then a.txt\nx\n```\n"),
        "a.md:8: `a.txt` holds something else.\n    --- the story\n    +++ what came\n    \
         @@ -1 +1 @@\n    -x\n    +x\n    \\ No newline at end of file\n",
    );
    check(
        &format!("{write}```gone a.txt\n```\n"),
        "a.md:8: `a.txt` is still there.\n",
    );
}

#[test]
fn what_cannot_be_done_is_told() {
    let check = |text: &str, expected: &str| {
        let told = told(text).0;
        assert!(told.contains(expected), "{told}");
    };
    let reply = "```reply ok\nhello\n```\n";
    check(
        &format!("```policy\nmode = plan\n```\n{SAY}{reply}"),
        "a.md:1: Not today.\n",
    );
    check(
        &format!("{SAY}```asks\n```\n```answer\n```\n{reply}"),
        "a.md:5: Questions cannot be asked in stories yet: `asks` and `answer` are not built.\n",
    );
    check(
        &format!("{SAY}```call drop\n{{}}\n```\n{reply}{reply}"),
        "a.md:1: 2 calls got 1 replies.\n",
    );
    check(
        &format!("{SAY}{reply}```then b.txt\n```\n"),
        "a.md:8: `b.txt` cannot be read: ",
    );
    check(
        &format!("```given a\n```\n```given a/b\n```\n{SAY}{reply}"),
        "a.md:4: `a/b` cannot be put there: ",
    );
}
