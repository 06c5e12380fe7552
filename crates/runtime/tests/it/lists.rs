//! Toolsets: what is offered, and what a reply to it may call.

use serde_json::json;
use toolpost_core::{Dialect, Set};
use toolpost_policy::Mode;
use toolpost_runtime::{Controls, Selection, Wanted};

use crate::bench::{Bench, call, codes, json_call};

const PARROT: Dialect = Dialect("parrot");

fn names(bench: &Bench) -> Vec<String> {
    bench
        .toolset
        .entries()
        .iter()
        .map(|entry| entry.offer.name.to_string())
        .collect()
}

fn selecting(dialect: Dialect, wanted: Wanted) -> Bench {
    Bench::with(
        Mode::Auto,
        &Selection {
            wanted,
            ..Selection::usual(dialect)
        },
    )
}

#[test]
fn a_selection_offers_what_it_says() {
    let check = |dialect, wanted, expected: &[&str]| {
        assert_eq!(names(&selecting(dialect, wanted)), expected);
    };
    let all = [
        "test.echo",
        "test.broken",
        "test.add",
        "test.see",
        "test.wait",
        "test.touch",
    ];
    check(Dialect::PLAIN, Wanted::Usual, &all);
    check(PARROT, Wanted::Usual, &["Say"]);
    check(PARROT, Wanted::Of(Set::ReadOnly), &["Say", "test.see"]);
    check(PARROT, Wanted::None, &[]);
    check(
        PARROT,
        Wanted::Named(vec!["test.add".to_owned(), "Say".to_owned()]),
        &["Say", "test.add"],
    );
}

#[test]
fn an_unknown_name_is_told_with_near_ones() {
    let bench = Bench::new();
    let wanted = Wanted::Named(vec!["test.eco".to_owned()]);
    let selection = Selection {
        wanted,
        ..Selection::usual(PARROT)
    };
    let err = bench.runtime.freeze(&selection).err().unwrap();
    assert!(err.to_string().contains("test.echo"), "{err}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_a_filter_excludes_exists_in_no_dialect() {
    let bench = selecting(PARROT, Wanted::Of(Set::ReadOnly));
    let calls = vec![
        call("a", "test.add", "x"),
        call("b", "test_add", "x"),
        json_call("c", "Say", json!({ "words": "x" })),
        call("d", "test.see", ""),
    ];
    let replies = bench.run(calls).await;
    assert_eq!(
        codes(&replies),
        [
            ("a", "unknown_tool"),
            ("b", "unknown_tool"),
            ("c", "ok"),
            ("d", "ok")
        ]
    );
    assert_eq!(bench.register.read(), "");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_name_of_another_family_is_served_where_it_fits_one_only() {
    let bench = selecting(PARROT, Wanted::Usual);
    let calls = vec![
        json_call("a", "Say", json!({ "lines": ["x", "y"] })),
        call("b", "test.echo", "x"),
        json_call("c", "test_see", json!({ "text": "" })),
    ];
    let replies = bench.run(calls).await;
    // The offered face takes the name for itself; its arguments do not fit.
    assert_eq!(
        codes(&replies),
        [("a", "invalid"), ("b", "ok"), ("c", "ok")]
    );
    assert!(
        replies[1].body.notices[0].contains("plain"),
        "{:?}",
        replies[1].body.notices
    );
    // Where neither family is the toolset's own, the arguments tell which one is meant.
    let bench = Bench::new();
    let replies = bench.run(vec![
        json_call("a", "Say", json!({ "lines": ["x", "y"] })),
        json_call("b", "Say", json!({ "words": "x" })),
        json_call("c", "Say", json!({})),
    ]);
    let replies = replies.await;
    assert_eq!(
        codes(&replies),
        [("a", "ok"), ("b", "ok"), ("c", "unknown_tool")]
    );
    assert!(
        replies[1].text().starts_with("Squawk: x"),
        "{}",
        replies[1].text()
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_callers_own_functions_are_left() {
    let selection = Selection {
        left: vec!["ask_user".to_owned()],
        ..Selection::usual(Dialect::PLAIN)
    };
    let bench = Bench::with(Mode::Auto, &selection);
    let calls = vec![
        call("a", "test.echo", "x"),
        call("b", "ask_user", "?"),
        call("c", "test.echo", "y"),
    ];
    let answer = bench.answer(calls, &Controls::new()).await;
    assert_eq!(codes(&answer.replies), [("a", "ok"), ("c", "ok")]);
    assert_eq!(answer.left.len(), 1);
    assert_eq!(
        (answer.left[0].id.0.as_str(), answer.left[0].name.as_str()),
        ("b", "ask_user")
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_toolset_is_the_same_when_it_is_had_again() {
    let bench = selecting(PARROT, Wanted::Of(Set::ReadOnly));
    bench.runtime.keep(&bench.toolset).unwrap();
    let again = bench.runtime.thaw(bench.toolset.id()).unwrap();
    assert_eq!(again.id(), bench.toolset.id());
    assert_eq!(again.dialect(), PARROT);
    let calls = vec![
        call("a", "test.add", "x"),
        json_call("b", "Say", json!({ "words": "x" })),
    ];
    let controls = Controls::new();
    let answer = bench
        .runtime
        .batch(&bench.session, &again, calls, &controls)
        .await;
    assert_eq!(codes(&answer.replies), [("a", "unknown_tool"), ("b", "ok")]);
    assert!(bench.runtime.thaw("ts-none").is_err());
}

#[test]
fn the_id_follows_the_content() {
    let (one, same, other) = (
        selecting(PARROT, Wanted::Usual),
        selecting(PARROT, Wanted::Usual),
        selecting(PARROT, Wanted::All),
    );
    assert_eq!(one.toolset.id(), same.toolset.id());
    assert_ne!(one.toolset.id(), other.toolset.id());
}
