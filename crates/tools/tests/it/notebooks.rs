//! Notebooks: one cell changes, and everything else keeps its bytes.

use proptest::prelude::*;
use serde_json::{Value, json};
use toolpost_core::{Code, PriorRead};

use crate::bench::Bench;

const BOOK: &str = r##"{
 "cells": [
  {
   "cell_type": "markdown",
   "id": "t",
   "metadata": {},
   "source": [
    "# T\n"
   ]
  },
  {
   "cell_type": "code",
   "execution_count": 3,
   "id": "c",
   "metadata": {"x":  1.50},
   "outputs": [
    {
     "name": "stdout",
     "output_type": "stream",
     "text": [
      "hi\n"
     ]
    }
   ],
   "source": [
    "a\n",
    "b"
   ]
  }
 ],
 "metadata": {},
 "nbformat": 4,
 "nbformat_minor": 5
}
"##;

/// Reads a notebook, changes it, and gives its text.
fn changed(before: &str, args: Value) -> (String, toolpost_core::Output) {
    let bench = Bench::with(&[("n.ipynb", before)]);
    bench.call("fs.read", json!({"path": "n.ipynb"})).unwrap();
    let mut all = json!({"path": "n.ipynb"});
    all.as_object_mut()
        .unwrap()
        .extend(args.as_object().unwrap().clone());
    let output = bench.call("fs.notebook_edit", all).unwrap();
    (bench.text("n.ipynb"), output)
}

#[test]
fn only_the_cell_changes() {
    let check = |before: &str, args: Value, from: &str, to: &str| {
        assert!(before.contains(from), "{from}");
        let (after, _) = changed(before, args.clone());
        assert_eq!(after, before.replacen(from, to, 1), "{args}");
    };
    check(BOOK, json!({"cell": "t", "source": "# U\n"}), "# T", "# U");
    check(
        BOOK,
        json!({"cell": 0, "source": ""}),
        "[\n    \"# T\\n\"\n   ]",
        "[]",
    );
    check(
        BOOK,
        json!({"cell": "t", "cell_type": "raw"}),
        "markdown",
        "raw",
    );
    let (first, last) = (
        BOOK.find("{\n   \"cell_type\": \"markdown").unwrap(),
        BOOK.find(",\n  {").unwrap(),
    );
    check(
        BOOK,
        json!({"cell": "t", "mode": "delete"}),
        &format!("{},\n  ", BOOK.get(first..last).unwrap()),
        "",
    );
    let compact = r#"{"cells":[{"cell_type":"raw","metadata":{},"source":"x"}],"metadata":{},"nbformat":4,"nbformat_minor":4}"#;
    check(
        compact,
        json!({"cell": 0, "source": "é\n"}),
        r#""x""#,
        r#""é\n""#,
    );
    check(
        compact,
        json!({"mode": "insert", "after": 0, "cell_type": "code", "source": "y\nz"}),
        r#""x"}"#,
        r#""x"},{"cell_type":"code","execution_count":null,"metadata":{},"outputs":[],"source":"y\nz"}"#,
    );
    check(
        compact,
        json!({"cell": 0, "mode": "delete"}),
        r#"[{"cell_type":"raw","metadata":{},"source":"x"}]"#,
        "[]",
    );
    let crlf = BOOK.replace('\n', "\r\n");
    check(
        &crlf,
        json!({"cell": "t", "source": "# A\nb"}),
        "    \"# T\\n\"\r\n",
        "    \"# A\\n\",\r\n    \"b\"\r\n",
    );
}

#[test]
fn outputs_go_only_with_their_source() {
    let (after, output) = changed(BOOK, json!({"cell": "c", "source": "a\nc"}));
    let cell = &serde_json::from_str::<Value>(&after).unwrap()["cells"][1];
    assert_eq!(cell["outputs"], json!([]));
    assert_eq!(cell["execution_count"], Value::Null);
    assert_eq!(cell["source"], json!(["a\n", "c"]));
    assert!(after.contains("1.50"));
    assert!(output.words.text().contains("cleared"));
    let (after, _) = changed(BOOK, json!({"cell": "c", "cell_type": "markdown"}));
    let cell = &serde_json::from_str::<Value>(&after).unwrap()["cells"][1];
    assert_eq!(
        cell.as_object().unwrap().keys().collect::<Vec<_>>(),
        ["cell_type", "id", "metadata", "source"]
    );
    let (after, _) = changed(BOOK, json!({"cell": "t", "cell_type": "code"}));
    let cell = &serde_json::from_str::<Value>(&after).unwrap()["cells"][0];
    assert_eq!(
        (&cell["outputs"], &cell["execution_count"]),
        (&json!([]), &Value::Null)
    );
    assert_eq!(cell["source"], json!(["# T\n"]));
}

#[test]
fn new_cells_have_ids_from_format_4_5_on() {
    let args = json!({"mode": "insert", "after": "t", "cell_type": "code", "source": "n\nm"});
    let (after, output) = changed(BOOK, args.clone());
    let cell = &serde_json::from_str::<Value>(&after).unwrap()["cells"][1];
    let id = output.state["cell"].as_str().unwrap();
    assert_eq!((cell["id"].as_str().unwrap(), id.len()), (id, 8));
    assert_eq!(output.state["cell_index"], 1);
    let at = after
        .find("  },\n  {\n   \"cell_type\": \"code\",\n   \"execution_count\": null,\n")
        .unwrap();
    assert!(
        after
            .get(at..)
            .unwrap()
            .contains("\"source\": [\n    \"n\\n\",\n    \"m\"\n   ]\n  },\n")
    );
    let older = BOOK.replace("\"nbformat_minor\": 5", "\"nbformat_minor\": 4");
    let older = older
        .replace("   \"id\": \"t\",\n", "")
        .replace("   \"id\": \"c\",\n", "");
    let (after, output) = changed(
        &older,
        json!({"mode": "insert", "cell_type": "markdown", "source": "n"}),
    );
    assert_eq!(output.state["cell"], 0);
    assert!(!after.contains("\"id\""));
    let empty =
        "{\n \"cells\": [],\n \"metadata\": {},\n \"nbformat\": 4,\n \"nbformat_minor\": 4\n}";
    let (after, _) = changed(
        empty,
        json!({"mode": "insert", "cell_type": "raw", "source": "n"}),
    );
    let list = "[\n  {\n   \"cell_type\": \"raw\",\n   \"metadata\": {},\n   \"source\": [\n    \"n\"\n   ]\n  }\n ]";
    assert_eq!(after, empty.replace("[]", list));
}

#[test]
fn what_is_wrong_is_told_and_nothing_changes() {
    let check = |before: &str, args: Value, code: Code| {
        let bench = Bench::with(&[("n.ipynb", before)]);
        let _ = bench.call("fs.read", json!({"path": "n.ipynb"}));
        let mut all = json!({"path": "n.ipynb"});
        all.as_object_mut()
            .unwrap()
            .extend(args.as_object().unwrap().clone());
        let err = bench.call("fs.notebook_edit", all).unwrap_err();
        assert_eq!(err.code, code, "{args}: {}", err.fact);
        assert_eq!(bench.text("n.ipynb"), before);
    };
    check(
        BOOK,
        json!({"mode": "insert", "source": "x"}),
        Code::Invalid,
    );
    check(
        BOOK,
        json!({"mode": "insert", "cell_type": "code"}),
        Code::Invalid,
    );
    check(BOOK, json!({"mode": "delete"}), Code::Invalid);
    check(BOOK, json!({"source": "x"}), Code::Invalid);
    check(BOOK, json!({"cell": "t"}), Code::Invalid);
    check(BOOK, json!({"cell": "zz", "source": "x"}), Code::NotFound);
    check(BOOK, json!({"cell": 2, "source": "x"}), Code::NotFound);
    check(BOOK, json!({"cell": "c", "source": "a\nb"}), Code::NoChange);
    check("{}", json!({"cell": 0, "source": "x"}), Code::Unsupported);
    check(
        "{\"cells\": [",
        json!({"cell": 0, "source": "x"}),
        Code::Unsupported,
    );
}

#[test]
fn a_notebook_has_to_be_known() {
    let mut bench = Bench::with(&[("n.ipynb", BOOK)]);
    let args = json!({"path": "n.ipynb", "cell": "t", "source": "x"});
    let code = |bench: &Bench| {
        let done = bench.call("fs.notebook_edit", args.clone());
        done.map(drop).map_err(|err| err.code)
    };
    assert_eq!(code(&bench), Err(Code::Unread));
    bench.call("fs.read", json!({"path": "n.ipynb"})).unwrap();
    bench.put("n.ipynb", BOOK.replace("hi", "ho"));
    assert_eq!(code(&bench), Err(Code::Stale));
    bench.prior_read = PriorRead::Off;
    assert_eq!(code(&bench), Ok(()));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn a_source_and_its_reverse_leave_every_byte(source in "(?s).{0,12}") {
        prop_assume!(source != "# T\n");
        let bench = Bench::with(&[("n.ipynb", BOOK)]);
        bench.call("fs.read", json!({"path": "n.ipynb"})).unwrap();
        for (source, mode) in [(source.as_str(), "new"), ("# T\n", "old")] {
            let args = json!({"path": "n.ipynb", "cell": "t", "source": source});
            bench.call("fs.notebook_edit", args).unwrap();
            let book: Value = serde_json::from_str(&bench.text("n.ipynb")).unwrap();
            let lines = book["cells"][0]["source"].as_array().unwrap();
            let joined: String = lines.iter().map(|line| line.as_str().unwrap()).collect();
            prop_assert_eq!(joined, source, "{}", mode);
        }
        prop_assert_eq!(bench.text("n.ipynb"), BOOK);
    }

    #[test]
    fn a_new_cell_and_its_deletion_leave_every_byte(source in "(?s).{0,12}", after in 0usize..2, first: bool) {
        let bench = Bench::with(&[("n.ipynb", BOOK)]);
        bench.call("fs.read", json!({"path": "n.ipynb"})).unwrap();
        let mut args = json!({"path": "n.ipynb", "mode": "insert", "cell_type": "code", "source": source});
        if !first {
            args["after"] = json!(after);
        }
        let made = bench.call("fs.notebook_edit", args).unwrap().state["cell"].clone();
        let args = json!({"path": "n.ipynb", "mode": "delete", "cell": made});
        bench.call("fs.notebook_edit", args).unwrap();
        prop_assert_eq!(bench.text("n.ipynb"), BOOK);
    }
}
