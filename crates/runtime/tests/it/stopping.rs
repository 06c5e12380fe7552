//! Deadlines and calls that are taken back.

use std::time::Duration;

use toolpost_core::{CallId, Status};
use toolpost_runtime::Controls;

use crate::bench::{Bench, call, codes};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn at_its_deadline_a_call_winds_down_and_its_output_is_kept() {
    let bench = Bench::new();
    let controls = Controls::new();
    let answering = bench.answer(vec![call("a", "test.wait", "kind")], &controls);
    let turning = async {
        bench.waiting.notified().await;
        bench.hands.turn(Duration::from_millis(9_999));
        tokio::task::yield_now().await;
        bench.hands.turn(Duration::from_millis(1));
    };
    let (answer, ()) = tokio::join!(answering, turning);
    assert_eq!(codes(&answer.replies), [("a", "timeout")]);
    assert_eq!(answer.replies[0].status, Status::Timeout);
    assert_eq!(answer.replies[0].text(), "as far as it came, Deadline");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_call_that_does_not_wind_down_is_dropped() {
    let bench = Bench::new();
    let controls = Controls::new();
    let answering = bench.answer(
        vec![
            call("a", "test.wait", "stubborn"),
            call("b", "test.echo", "x"),
        ],
        &controls,
    );
    let turning = async {
        bench.waiting.notified().await;
        // The first turn passes the deadline; the later ones the time for winding down, however soon it began.
        for _ in 0..100 {
            bench.hands.turn(Duration::from_secs(10));
            tokio::task::yield_now().await;
        }
    };
    let (answer, ()) = tokio::join!(answering, turning);
    assert_eq!(codes(&answer.replies), [("a", "timeout"), ("b", "ok")]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn one_call_is_taken_back_and_the_others_go_on() {
    let bench = Bench::new();
    let controls = Controls::new();
    let calls = vec![call("a", "test.wait", "kind"), call("b", "test.echo", "x")];
    let answering = bench.answer(calls, &controls);
    let cancelling = async {
        bench.waiting.notified().await;
        controls.cancel(&CallId("a".to_owned()));
    };
    let (answer, ()) = tokio::join!(answering, cancelling);
    assert_eq!(codes(&answer.replies), [("a", "cancelled"), ("b", "ok")]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_call_taken_back_before_it_came_does_not_run() {
    let bench = Bench::new();
    let controls = Controls::new();
    controls.cancel_all();
    let answer = bench
        .answer(
            vec![call("a", "test.add", "x"), call("b", "test.add", "y")],
            &controls,
        )
        .await;
    assert_eq!(
        codes(&answer.replies),
        [("a", "cancelled"), ("b", "cancelled")]
    );
    assert_eq!(bench.register.read(), "");
}
