//! Batches: one reply a call, in order, whatever happens to each.

use std::sync::atomic::Ordering;

use serde_json::json;
use toolpost_core::{Completeness, Dialect, EventKind, RawArgs, Status};
use toolpost_policy::Mode;
use toolpost_runtime::{Controls, Order, Selection, Wanted};

use crate::bench::{Bench, call, codes, json_call, with};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_call_gets_one_reply_in_order_that_says_what_to_do() {
    let bench = Bench::new();
    let cut = with(
        "c",
        "test.echo",
        RawArgs::Text("{\"text\": \"hel".to_owned()),
    );
    let replies = bench
        .run(vec![
            call("a", "test.echo", "first"),
            call("b", "test.ecko", "unknown"),
            cut,
            call("d", "test.broken", "late"),
            call("e", "test.broken", "early"),
            call("f", "test.echo", "last"),
        ])
        .await;
    let expected = [
        ("a", "ok"),
        ("b", "unknown_tool"),
        ("c", "truncated"),
        ("d", "internal"),
        ("e", "internal"),
        ("f", "ok"),
    ];
    assert_eq!(codes(&replies), expected);
    assert_eq!(replies[0].text(), "first");
    assert!(
        replies[1].text().contains("test_echo"),
        "{}",
        replies[1].text()
    );
    for reply in &replies[1..5] {
        assert!(
            !reply.body.failure.as_ref().unwrap().hint.is_empty(),
            "{}",
            reply.text()
        );
        assert!(!reply.text().contains("secret"), "{}", reply.text());
    }
    assert_eq!(replies[5].text(), "last");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_cut_off_reply_runs_none_of_its_calls() {
    let bench = Bench::new();
    let mut whole = call("a", "test.add", "x");
    whole.completeness = Completeness::CutOff;
    assert_eq!(codes(&bench.run(vec![whole]).await), [("a", "truncated")]);
    assert_eq!(bench.register.read(), "");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn writers_run_in_call_order_and_each_plans_on_what_the_one_before_left() {
    let bench = Bench::new();
    let calls = ["a", "b", "c", "d"]
        .map(|id| call(id, "test.add", id))
        .to_vec();
    let replies = bench.run(calls).await;
    let texts: Vec<String> = replies.iter().map(toolpost_core::Reply::text).collect();
    assert_eq!(texts, ["a", "ab", "abc", "abcd"]);
    assert_eq!(bench.register.most_inside.load(Ordering::SeqCst), 1);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_call_that_ends_early_lets_nobody_overtake() {
    for round in 0..50 {
        let bench = Bench::new();
        let early = ["test.none", "test.broken", "test.echo"][round % 3];
        let calls = vec![
            call("a", "test.add", "x"),
            json_call("b", early, json!({ "wrong": "early" })),
            call("c", early, "early"),
            call("d", "test.add", "y"),
        ];
        let replies = bench.run(calls).await;
        assert_eq!(replies[3].text(), "xy", "{round}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn readers_run_together() {
    let bench = Bench::new();
    let calls = (0..8)
        .map(|number| call(&number.to_string(), "test.see", "8"))
        .collect();
    bench.run(calls).await;
    assert_eq!(bench.register.most_inside.load(Ordering::SeqCst), 8);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn in_a_sequential_batch_readers_do_not() {
    let bench = Bench::new();
    let calls = (0..8)
        .map(|number| call(&number.to_string(), "test.see", ""))
        .collect();
    bench
        .answer(calls, &Controls::new().order(Order::Sequential))
        .await;
    assert_eq!(bench.register.most_inside.load(Ordering::SeqCst), 1);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_call_that_needs_an_earlier_one_waits_for_it() {
    let bench = Bench::new();
    let calls = vec![
        call("a", "test.add", "x"),
        call("b", "test.add", "after:x"),
        call("c", "test.add", "after:y"),
    ];
    let replies = bench.run(calls).await;
    assert_eq!(
        codes(&replies),
        [("a", "ok"), ("b", "ok"), ("c", "not_found")]
    );
    assert_eq!(bench.register.read(), "xafter:x");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn one_refusal_does_not_stop_the_others() {
    let bench = Bench::with(Mode::Manual, &Selection::usual(Dialect::PLAIN));
    let calls = vec![
        call("a", "test.add", "x"),
        call("b", "test.echo", "y"),
        call("c", "test.touch", "../out"),
    ];
    let replies = bench.run(calls).await;
    assert_eq!(
        codes(&replies),
        [("a", "denied"), ("b", "ok"), ("c", "outside")]
    );
    assert_eq!(replies[0].status, Status::Denied);
    assert_eq!(bench.register.read(), "");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_plan_may_answer_another_call_instead() {
    let bench = Bench::new();
    let replies = bench.run(vec![call("a", "test.touch", "instead")]).await;
    assert_eq!(replies[0].text(), "in its place\n[It is better said.]");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn another_call_instead_cannot_reach_past_the_filters() {
    let wanted = Wanted::Named(vec!["test.touch".to_owned()]);
    let bench = Bench::with(
        Mode::Auto,
        &Selection {
            wanted,
            ..Selection::usual(Dialect::PLAIN)
        },
    );
    let replies = bench.run(vec![call("a", "test.touch", "instead")]).await;
    assert_eq!(codes(&replies), [("a", "unknown_tool")]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn repairs_are_listed() {
    let bench = Bench::new();
    let double = with(
        "a",
        "test.echo",
        RawArgs::Text(json!(json!({ "text": "x" }).to_string()).to_string()),
    );
    let replies = bench.run(vec![double]).await;
    assert_eq!(codes(&replies), [("a", "ok")]);
    assert_eq!(replies[0].body.repairs.len(), 1, "{}", replies[0].text());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_steps_are_told_and_written_down_in_order() {
    let bench = Bench::new();
    let mut events = bench.runtime.events();
    bench
        .run(vec![json_call("a", "test.echo", json!({ "text": "x" }))])
        .await;
    let mut told = Vec::new();
    while let Ok(event) = events.try_recv() {
        told.push(match event.kind {
            EventKind::Arguments(_) => "arguments",
            EventKind::Resolved => "resolved",
            EventKind::Planned { .. } => "planned",
            EventKind::Asked => "asked",
            EventKind::Decided { .. } => "decided",
            EventKind::Started => "started",
            EventKind::Output(_) => "output",
            EventKind::Progress { .. } => "progress",
            EventKind::Ended { .. } => "ended",
        });
    }
    assert_eq!(
        told,
        [
            "resolved",
            "arguments",
            "planned",
            "decided",
            "started",
            "ended"
        ]
    );
    let steps = bench
        .runtime
        .store()
        .steps(&toolpost_store::JournalFilter::default())
        .unwrap();
    let names: Vec<&str> = steps.iter().map(|step| step.what.name()).collect();
    assert_eq!(names, ["proposed", "decided", "started", "ended"]);
}
