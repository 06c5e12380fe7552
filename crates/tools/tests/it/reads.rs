//! `fs.read`: blocks, notebooks, pictures, and what is no text.

use base64::Engine as _;
use serde_json::json;
use toolpost_core::{Code, Segment};

use crate::bench::Bench;

/// A whole PNG of one pixel.
const PIXEL: &str =
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGNgYGAAAAAEAAH2FzhVAAAAAElFTkSuQmCC";

fn decoded(text: &str) -> Vec<u8> {
    base64::engine::general_purpose::STANDARD
        .decode(text)
        .unwrap()
}

#[test]
fn a_block_is_given_with_its_numbers() {
    let text = "use x;\n\n// One.\nfn one() {\n    if a {\n        b();\n    }\n}\n\nfn two() {}\n";
    let bench = Bench::with(&[("a.rs", text)]);
    let read = |args: serde_json::Value| bench.call("fs.read", args).unwrap().words.text();
    let block = read(json!({"path": "a.rs", "mode": "block", "anchor": 6}));
    assert!(
        block.starts_with("5\t    if a {\n6\t        b();\n7\t    }"),
        "{block}"
    );
    let codex =
        json!({"file_path": "a.rs", "mode": "indentation", "indentation": {"anchor_line": 6}});
    let told = bench.reads("codex read_file", codex);
    assert!(told.starts_with("L3: // One.\nL4: fn one() {"), "{told}");
    assert!(told.contains("L8: }\n"), "{told}");
    let code = |args: serde_json::Value| bench.call("fs.read", args).unwrap_err().code;
    assert_eq!(
        code(json!({"path": "a.rs", "mode": "block"})),
        Code::Invalid
    );
    assert_eq!(
        code(json!({"path": "a.rs", "mode": "block", "anchor": 99})),
        Code::Invalid
    );
    assert_eq!(code(json!({"path": "a.rs", "anchor": 1})), Code::Invalid);
}

#[test]
fn pictures_are_known_by_content() {
    let bench = Bench::new();
    bench.put("p.jpg", decoded(PIXEL));
    bench.put("cut.png", &decoded(PIXEL)[..40]);
    bench.put("fake.png", "<svg/>\n");
    let output = bench.call("fs.read", json!({"path": "p.jpg"})).unwrap();
    let image = Segment::Image {
        media_type: "image/png".to_owned(),
        base64: PIXEL.to_owned(),
    };
    assert!(output.words.segments.contains(&image));
    assert_eq!(
        (&output.state["width"], &output.state["media_type"]),
        (&json!(1), &json!("image/png"))
    );
    let err = bench
        .call("fs.read", json!({"path": "cut.png"}))
        .unwrap_err();
    assert_eq!(err.code, Code::Binary);
    assert!(
        err.fact.contains("damaged PNG image (40 bytes)"),
        "{}",
        err.fact
    );
    let text = bench.call("fs.read", json!({"path": "fake.png"})).unwrap();
    assert_eq!(text.words.text(), "1\t<svg/>");
}

#[test]
fn what_is_no_text_is_described() {
    let bench = Bench::new();
    bench.put("a.zip", b"PK\x03\x04\0\0\0\0");
    bench.put("a.pdf", b"%PDF-1.4\n<</Type/Page>>\0\xFF\n");
    bench.put("a.txt", "plain\n");
    let told = |args: serde_json::Value| {
        let err = bench.call("fs.read", args).unwrap_err();
        (err.code, format!("{} {}", err.fact, err.hint))
    };
    let (code, zip) = told(json!({"path": "a.zip"}));
    assert_eq!(code, Code::Binary);
    assert!(
        zip.contains("ZIP archive, 8 bytes") && zip.contains("unzip -l"),
        "{zip}"
    );
    let (_, pdf) = told(json!({"path": "a.pdf", "pages": "2-3"}));
    assert!(
        pdf.contains("1 page") && pdf.contains("pdftotext -layout -f 2 -l 3"),
        "{pdf}"
    );
    assert!(!pdf.contains("encryption"), "{pdf}");
    assert_eq!(
        told(json!({"path": "a.txt", "pages": "1"})).0,
        Code::Invalid
    );
    assert_eq!(
        told(json!({"path": "a.pdf", "pages": "0"})).0,
        Code::Invalid
    );
}

#[test]
fn notebooks_are_cells_and_broken_ones_text() {
    let cell = |source: &str| {
        json!({"cell_type": "code", "execution_count": 2, "metadata": {}, "source": [source], "outputs": [
            {"output_type": "stream", "name": "stdout", "text": ["hi\n"]},
            {"output_type": "display_data", "metadata": {}, "data": {"image/png": "AAAA", "text/plain": "<Figure>"}},
            {"output_type": "error", "ename": "E", "evalue": "bad", "traceback": []},
        ]})
    };
    let book = json!({"cells": [cell("a"), cell("b")], "metadata": {}, "nbformat": 4, "nbformat_minor": 4});
    let text = serde_json::to_string_pretty(&book).unwrap();
    let bench = Bench::with(&[("n.ipynb", text.as_str()), ("broken.ipynb", "{\n")]);
    let output = bench.call("fs.read", json!({"path": "n.ipynb"})).unwrap();
    let words = output.words.text();
    let first = "--- cell 0 (code, run 2)\na\n--- output of cell 0\nhi\n--- output of cell 0\n[image/png, 4 characters]\n<Figure>\n--- output of cell 0\nE: bad\n\n--- cell 1";
    assert!(words.starts_with(first), "{words}");
    assert!(words.contains("2 cells"), "{words}");
    assert_eq!(output.changes.seen[0].lines, None);
    let part = bench
        .call("fs.read", json!({"path": "n.ipynb", "offset": 2}))
        .unwrap();
    assert!(part.words.text().starts_with("--- cell 1 "));
    let (start, end) = part.changes.seen[0].lines.unwrap();
    assert!(start > 10 && end > start);
    let raw = bench
        .call("fs.read", json!({"path": "broken.ipynb"}))
        .unwrap();
    assert_eq!(raw.words.text(), "1\t{");
}

#[test]
fn a_cell_that_was_not_shown_is_not_changed() {
    let cell = |source: &str| json!({"cell_type": "raw", "metadata": {}, "source": source});
    let book = json!({"cells": [cell("a"), cell("b")], "metadata": {}, "nbformat": 4, "nbformat_minor": 4});
    let text = serde_json::to_string_pretty(&book).unwrap();
    let bench = Bench::with(&[("n.ipynb", text.as_str())]);
    bench
        .call("fs.read", json!({"path": "n.ipynb", "limit": 1}))
        .unwrap();
    let change = |cell: u64| {
        let args = json!({"path": "n.ipynb", "cell": cell, "source": "x"});
        bench
            .call("fs.notebook_edit", args)
            .map(drop)
            .map_err(|err| err.code)
    };
    assert_eq!(change(1), Err(Code::Unread));
    assert_eq!(change(0), Ok(()));
}
