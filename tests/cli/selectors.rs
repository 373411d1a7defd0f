//! `index` and `select`: selectors of Markdown documents.

use serde_json::{Value, json};

use super::{Answer, Folder};

/// A document with every type of block.
const DOC: &str = "---\ntitle: x\n---\nBefore.\n\n# One\n\nText here.\n\n- a\n\n  ```\n  nested\n  ```\n- b\n  - inner\n\n## Two\n\n> quote\n>\n> ```\n> quoted\n> ```\n\n```rust\nfn main() {}\n```\n\n| a |\n|---|\n| 1 |\n\nSetext\n------\n\nOf two.\n\n### Deep\n\n    indented\n\n#### Deeper\n\n```\nfirst of deeper\n```\n\n# Last\n\n***\n\n<div>html</div>\n\n### Third\n";

fn select(selectors: &[&str]) -> Answer {
    let folder = Folder::with(&[("doc.md", DOC)]);
    folder.run(&[&["select"], selectors, &["doc.md"]].concat())
}

/// The selector and content of each match in an answer.
fn matches(answer: &Answer) -> Vec<(String, String)> {
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    answer.json()["data"]["matches"]
        .as_array()
        .unwrap()
        .iter()
        .map(|found| (text(&found["selector"]), text(&found["content"])))
        .collect()
}

/// A printed selector, and how its content begins and ends.
type Expected = (&'static str, &'static str, &'static str);

/// Every selector in the specification, with its matches here. The first column is the selector as
/// it's written there, with the names of its documents.
const EXAMPLES: &[(&str, &[Expected])] = &[
    ("root", &[("doc::root", "---\ntitle", "Before.\n\n"), ("doc1::root", "First.", "First.\n\n")]),
    ("doc1::root", &[("doc1::root", "First.", "First.\n\n")]),
    ("doc2::heading:h2[3]", &[("doc2::heading:h2[3]", "## D", "four\n\n")]),
    (
        "doc::heading:h2[1]/section[0]/block:code[0]",
        &[("doc::block:code[1]", "    indented", "indented")],
    ),
    ("doc::heading:h2[1]", &[("doc::heading:h2[1]", "Setext\n---", "deeper\n```\n\n")]),
    (
        "section[2]",
        &[("doc::section[2]", "Setext", "```\n\n"), ("doc2::section[2]", "## B", "two\n\n")],
    ),
    ("doc::section[2]/page[1]", &[]),
    ("doc::section[2]?full=true", &[("doc::section[2]", "Setext", "deeper\n```\n\n")]),
    ("block:code[0]", &[("doc::block:code[0]", "```rust", "```")]),
    ("doc::heading:h3[1]", &[("doc::heading:h3[1]", "### Third", "### Third\n")]),
    ("doc::section[5]", &[("doc::section[5]", "# Last", "### Third\n")]),
    (
        "heading:h1",
        &[
            ("doc::heading:h1[0]", "# One", "```\n\n"),
            ("doc::heading:h1[1]", "# Last", "### Third\n"),
            ("doc1::heading:h1[0]", "# T", "# T\n"),
            ("doc2::heading:h1[0]", "# M", "four\n\n"),
        ],
    ),
    (
        "block:paragraph[1]",
        &[
            ("doc::block:paragraph[1]", "Text here.", "Text here."),
            ("doc2::block:paragraph[1]", "two", "two"),
        ],
    ),
    ("block:list[0]", &[("doc::block:list[0]", "- a", "- inner")]),
    ("block:table[0]", &[("doc::block:table[0]", "| a |", "| 1 |")]),
    ("block:blockquote[0]", &[("doc::block:blockquote[0]", "> quote", "> ```")]),
    ("heading:h4[0]", &[("doc::heading:h4[0]", "#### Deeper", "```\n\n")]),
];

#[test]
fn every_selector_of_the_specification_works_as_described() {
    let second = "# M\n\n## A\n\none\n\n## B\n\ntwo\n\n## C\n\nthree\n\n## D\n\nfour\n\n";
    let folder =
        Folder::with(&[("doc.md", DOC), ("doc1.md", "First.\n\n# T\n"), ("doc2.md", second)]);
    for (selector, expected) in EXAMPLES {
        let answer = folder.run(&["select", selector, "doc.md", "doc1.md", "doc2.md"]);
        let found = matches(&answer);
        let names: Vec<&str> = found.iter().map(|(selector, _)| selector.as_str()).collect();
        assert_eq!(
            names,
            expected.iter().map(|(selector, _, _)| *selector).collect::<Vec<_>>(),
            "{selector}"
        );
        assert_eq!(answer.status, i32::from(expected.is_empty()), "{selector}");
        for ((_, start, end), (_, content)) in expected.iter().zip(&found) {
            assert!(
                content.starts_with(start) && content.ends_with(end),
                "{selector}: {content:?}"
            );
        }
    }
}

#[test]
fn sel_10_printed_selectors_select_themselves() {
    let folder = Folder::with(&[("doc.md", DOC), ("b/doc.md", "# x\n\n- y\n")]);
    let index = folder.run(&["index", "--blocks", "doc.md", "b/doc.md"]).json();
    assert_eq!(
        index["warnings"],
        json!(["2 documents would have the name `doc`: `doc` is doc.md, `doc-2` is b/doc.md"])
    );
    let listed = index["data"]["documents"]
        .as_array()
        .unwrap()
        .iter()
        .flat_map(|document| document["block_selectors"].as_array().unwrap());
    let listed: Vec<&str> = listed.map(|block| block["selector"].as_str().unwrap()).collect();
    assert!(listed.contains(&"doc-2::block:list[0]") && listed.len() > 25);
    assert_eq!(index["data"]["summary"]["total_selectors"], listed.len());
    let found = folder.run(&[&["select", "doc.md", "b/doc.md"], listed.as_slice()].concat());
    assert_eq!(found.status, 0);
    assert_eq!(
        matches(&found).iter().map(|(selector, _)| selector.as_str()).collect::<Vec<_>>(),
        listed
    );
    // The selectors of children also select themselves.
    let children = found.json();
    let children = children["data"]["matches"]
        .as_array()
        .unwrap()
        .iter()
        .flat_map(|found| found["children_available"].as_array().unwrap());
    assert!(
        children
            .map(|child| child["selector"].as_str().unwrap())
            .all(|child| listed.contains(&child))
    );
}

#[test]
fn sel_12_the_inventory_of_a_document() {
    let folder = Folder::with(&[
        ("My Doc.md", "\u{feff}intro a b\n\n# One *two*\r\n\r\ntext\r\n\r\n## Sub\r\n\r\n- x\r\n"),
        ("blank.md", " \n# A\n"),
    ]);
    let answer = folder.run(&["index", "My Doc.md", "blank.md", "--max-words", "2"]);
    assert_eq!(answer.status, 0);
    let heading = |selector: &str, depth: u32, text: &str, counts: [u32; 3], truncated: bool| {
        json!({ "selector": selector, "type": format!("heading:h{depth}"), "depth": depth, "text": text, "children_count": counts[0],
            "word_count": counts[1], "section_word_count": counts[2], "truncated": truncated })
    };
    let expected = json!({ "success": true, "command": "index", "data": {
        "documents": [
            { "namespace": "my-doc", "file_path": "My Doc.md",
                "root": { "selector": "my-doc::root", "type": "root", "content": "\u{feff}intro a", "truncated": true,
                    "pagination": { "current_page": 0, "total_pages": 2, "word_count": 2, "has_more": true }, "children_count": 1, "word_count": 3 },
                "headings": [heading("my-doc::heading:h1[0]", 1, "One *two*", [2, 3, 8], true), heading("my-doc::heading:h2[0]", 2, "Sub", [1, 2, 4], true)],
                "blocks": { "paragraphs": 2, "code_blocks": 0, "lists": 1, "tables": 0, "blockquotes": 0 } },
            { "namespace": "blank", "file_path": "blank.md", "root": null, "headings": [heading("blank::heading:h1[0]", 1, "A", [0, 2, 2], false)],
                "blocks": { "paragraphs": 0, "code_blocks": 0, "lists": 0, "tables": 0, "blockquotes": 0 } },
        ],
        "summary": { "total_documents": 2, "total_nodes": 7, "total_selectors": 10 } } });
    // Compared as text, because the order of the keys matters.
    assert_eq!(answer.out, format!("{expected}\n"));
    let pretty = folder.run(&["index", "My Doc.md", "blank.md", "--max-words", "2", "--pretty"]);
    assert_eq!((pretty.json(), pretty.out.lines().count() > 20), (expected, true));
}

#[test]
fn sel_07_truncation_pages_and_full() {
    let folder = Folder::with(&[("doc.md", "# a\n\nb c d e f\n")]);
    let run = |selector: &str| {
        folder.run(&["select", selector, "doc.md", "--max-words", "3"]).json()["data"]["matches"]
            .clone()
    };
    let found = |selector: &str, content: &str, page: Option<u32>| {
        let pagination = json!({ "current_page": page.unwrap_or(0), "total_pages": 3, "word_count": if page == Some(2) { 1 } else { 3 }, "has_more": page != Some(2) });
        json!([{ "selector": selector, "type": "heading:h1", "content": content, "truncated": true, "pagination": pagination, "children_available":
            if page.is_none_or(|page| page == 0) { json!([{ "selector": "doc::block:paragraph[0]", "type": "block:paragraph", "preview": "b c d e f" }]) } else { json!([]) } }])
    };
    assert_eq!(run("h1.0").to_string(), found("doc::heading:h1[0]", "# a\n\nb", None).to_string());
    assert_eq!(run("h1.0/page[0]"), found("doc::heading:h1[0]/page[0]", "# a\n\nb", Some(0)));
    assert_eq!(run("h1.0/page[2]"), found("doc::heading:h1[0]/page[2]", " f\n", Some(2)));
    assert_eq!(run("h1.0?full=TRUE")[0]["content"], "# a\n\nb c d e f\n");
    assert_eq!(run("h1.0?full=true")[0]["truncated"], false);
    assert_eq!(run("para.0")[0]["pagination"]["total_pages"], 2);
    let mut command = folder.command(&["select", "h1.0", "doc.md"]);
    let output = command.env("MDSEL_MAX_WORDS", "3").output().unwrap();
    assert!(String::from_utf8(output.stdout).unwrap().contains("\"total_pages\":3"));
    let output = folder
        .command(&["select", "h1.0", "doc.md"])
        .env("MDSEL_MAX_WORDS", "few")
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(2));
    let answer = folder.run(&["select", "h1.0/page[7]", "doc.md", "--max-words", "3"]);
    let unresolved = &answer.json()["data"]["unresolved"][0];
    assert_eq!(
        (answer.status, &unresolved["code"], &unresolved["reason"]),
        (1, &json!("PAGE_OUT_OF_RANGE"), &json!("page 7 is out of range: pages go from 0 to 2"))
    );
}

#[test]
fn sel_07_text_of_exactly_the_limit_is_not_truncated() {
    let folder = Folder::with(&[("doc.md", &"a ".repeat(500)), ("more.md", &"a ".repeat(501))]);
    let found = folder.run(&["select", "root", "doc.md", "more.md"]).json();
    assert_eq!(found["data"]["matches"][0]["truncated"], false);
    assert_eq!(found["data"]["matches"][1]["truncated"], true);
    assert_eq!(found["data"]["matches"][1]["content"], "a ".repeat(500).trim_end());
}

#[test]
fn sel_11_without_a_namespace_every_document_is_searched_in_order() {
    let folder =
        Folder::with(&[("b.md", "# b\n"), ("none.md", "Nothing.\n"), ("a.md", "# a\n\n# aa\n")]);
    let answer = folder.run(&["select", "h1", "b.md", "none.md", "a.md"]);
    let names: Vec<_> = matches(&answer).into_iter().map(|(selector, _)| selector).collect();
    assert_eq!(names, ["b::heading:h1[0]", "a::heading:h1[0]", "a::heading:h1[1]"]);
    assert_eq!((answer.status, &answer.json()["data"]["unresolved"]), (0, &json!([])));
    let nowhere = folder.run(&["select", "h4", "b.md", "none.md", "a.md"]);
    assert_eq!(
        (nowhere.status, &nowhere.json()["data"]["unresolved"][0]["selector"]),
        (1, &json!("h4"))
    );
    assert_eq!(nowhere.json()["data"]["unresolved"].as_array().map(Vec::len), Some(1));
}

#[test]
fn sel_13_files_and_selectors_in_any_order() {
    let folder = Folder::with(&[
        ("a.md", "# a\n"),
        ("b.md", "# b\n\n# bb\n"),
        ("sub/c.md", "# c\n"),
        ("notes.txt", "# n\n"),
        ("section", "# s\n"),
    ]);
    let names = |arguments: &[&str], stdin: &str| -> Vec<String> {
        matches(&folder.run_with(&[&["select"], arguments].concat(), stdin.as_bytes()))
            .into_iter()
            .map(|(selector, _)| selector)
            .collect()
    };
    assert_eq!(names(&["a.md", "h1.0", "b.md"], ""), ["a::heading:h1[0]", "b::heading:h1[0]"]);
    assert_eq!(names(&["h1.1", "b.md", "h1.0"], ""), ["b::heading:h1[1]", "b::heading:h1[0]"]);
    assert_eq!(names(&["h1"], ""), ["a::heading:h1[0]", "b::heading:h1[0]", "b::heading:h1[1]"]);
    assert_eq!(names(&["h1"], "# piped\n"), ["stdin::heading:h1[0]"]);
    assert_eq!(
        names(&["h1", "-", "a.md"], "# piped\n"),
        ["stdin::heading:h1[0]", "a::heading:h1[0]"]
    );
    assert_eq!(names(&["h1", "sub"], ""), ["c::heading:h1[0]"]);
    assert_eq!(names(&["h1", "notes.txt"], ""), ["notes::heading:h1[0]"]);
    assert_eq!(names(&["section[0]", "./section"], ""), ["section::section[0]"]);
    assert_eq!(names(&["B::h1[1]", "a.md", "b.md"], ""), ["b::heading:h1[1]"]);
    assert_eq!(folder.run(&["select"]).status, 2);
    assert_eq!(folder.run(&["select", "a.md"]).status, 2);
}

#[test]
fn sel_15_each_index_of_a_list_must_exist() {
    let folder = Folder::with(&[
        ("a.md", "# 日本 🦆\r\n\r\n## One\r\n\r\n## Two\r\n\r\ne\u{301} b c d\r\n"),
        ("b.md", "# b\n\n## One\n\n## Two\n\n## Three\n"),
    ]);
    let run = |selector: &str, files: &[&str]| {
        let answer = folder.run(&[&["select", selector], files, &["--max-words", "3"]].concat());
        let value = answer.json();
        let text = |value: &Value| value.as_str().unwrap().to_owned();
        let found: Vec<String> = matches(&answer).into_iter().map(|found| found.0).collect();
        let failed: Vec<(String, String)> = value["data"]["unresolved"]
            .as_array()
            .unwrap()
            .iter()
            .map(|failed| (text(&failed["code"]), text(&failed["reason"])))
            .collect();
        assert_eq!(value["success"], json!(failed.is_empty()));
        assert_eq!(
            value["unresolved_selectors"].as_array().map_or(0, Vec::len),
            failed.len(),
            "{value}"
        );
        (answer.status, found, failed)
    };
    let index = |reason: &str| ("INDEX_OUT_OF_RANGE".to_owned(), reason.to_owned());
    let (status, found, failed) = run("heading:h2[0,5]", &["a.md"]);
    assert_eq!((status, found), (1, vec!["a::heading:h2[0]".to_owned()]));
    assert_eq!(
        failed,
        [index("index 5 is out of range: `heading:h2` goes from 0 to 1 in the document")]
    );
    let (status, found, failed) = run("section[7-9,0,99999999999999999999]/h2[1,4]", &["a.md"]);
    assert_eq!((status, found), (1, vec!["a::heading:h2[1]".to_owned()]));
    let reasons: Vec<&str> = failed.iter().map(|(_, reason)| reason.as_str()).collect();
    assert!(
        matches!(reasons.as_slice(), [a, b]
            if a.starts_with("index 7-9,99999999999999999999 is") && b.starts_with("index 4 is")),
        "{reasons:?}"
    );
    // It's enough if one of the documents has the index.
    assert_eq!(run("heading:h2[0,2]", &["a.md", "b.md"]).2, []);
    assert_eq!(run("heading:h2[0,3]", &["a.md", "b.md"]).0, 1);
    assert_eq!(run("a::heading:h2[0,2]", &["a.md", "b.md"]).0, 1);
    // A range may go past the last index.
    assert_eq!(run("heading:h2[0-9]", &["a.md"]).2, []);
    let (status, found, failed) = run("h2[1]/page[0,7]", &["a.md"]);
    assert_eq!((status, found), (1, vec!["a::heading:h2[1]/page[0]".to_owned()]));
    assert_eq!(
        failed,
        [(
            "PAGE_OUT_OF_RANGE".to_owned(),
            "page 7 is out of range: pages go from 0 to 1".to_owned()
        )]
    );
    let (_, _, failed) = run("section[99999999999999999999]", &["a.md"]);
    assert!(failed[0].1.starts_with("index 99999999999999999999 is out of range"), "{failed:?}");
    let (_, _, failed) =
        run("section[1-99999999999999999999]/page[88888888888888888888]", &["b.md"]);
    assert!(failed[0].1.starts_with("page 88888888888888888888 is"), "{failed:?}");
}

#[test]
fn sel_15_failures_are_soft() {
    let answer = select(&[
        "heading:h2[0]",
        "doc::heading:h1[0]/block:code[9]",
        "section[",
        "x::section[0]",
        "none.md",
        "root?full=false",
    ]);
    let value = answer.json();
    assert_eq!((answer.status, &value["success"]), (1, &json!(false)));
    assert_eq!(matches(&answer).len(), 2);
    assert_eq!(
        value["unresolved_selectors"],
        json!(["doc::heading:h1[0]/block:code[9]", "section[", "x::section[0]"])
    );
    assert_eq!(
        value["partial_results"],
        json!([{ "selector": "doc::heading:h1[0]", "type": "heading:h1", "unresolved": "doc::heading:h1[0]/block:code[9]" }])
    );
    assert_eq!(
        value["errors"],
        json!([{ "file": "none.md", "type": "FILE_NOT_FOUND", "message": "no such file" }])
    );
    assert_eq!(value["warnings"], json!(["root?full=false: `full=false` is the default"]));
    let unresolved = value["data"]["unresolved"].as_array().unwrap();
    let codes: Vec<_> = unresolved
        .iter()
        .map(|unresolved| {
            (
                unresolved["code"].as_str().unwrap(),
                unresolved["position"]["start"].as_u64().unwrap(),
            )
        })
        .collect();
    assert_eq!(
        codes,
        [("INDEX_OUT_OF_RANGE", 19), ("INVALID_INDEX", 7), ("NAMESPACE_NOT_FOUND", 0)]
    );
    assert_eq!(unresolved[0]["suggestions"][0], "doc::block:code[2]");
    assert_eq!(unresolved[2]["suggestions"][0], "doc::section[0]");
    let keys: Vec<&str> = value.as_object().unwrap().keys().map(String::as_str).collect();
    assert_eq!(
        keys,
        [
            "success",
            "command",
            "data",
            "partial_results",
            "unresolved_selectors",
            "warnings",
            "errors"
        ]
    );
    let fine = select(&["heading:h2[0]"]);
    assert_eq!((fine.status, fine.json().as_object().unwrap().len()), (0, 3));
}

#[test]
fn sel_14_plain_text() {
    assert_eq!(
        select(&["h3.0", "--format", "text"]).out,
        "### Deep\n\n    indented\n\n#### Deeper\n\n```\nfirst of deeper\n```\n\n"
    );
    assert_eq!(
        select(&["table.0", "code.1", "--format", "text"]).out,
        "doc::block:table[0]:\n| a |\n|---|\n| 1 |\ndoc::block:code[1]:\n    indented\n"
    );
    let wrong = select(&["h1.7", "--format", "text"]);
    assert!(
        wrong.out.starts_with("!h1.7\nindex 7 is out of range: `heading:h1` goes from 0 to 1 in the document\n~doc::heading:h1[1] "),
        "{wrong:?}"
    );
    let folder = Folder::with(&[("doc.md", "# A b\n\n## C\n\n- x\n\ny\n")]);
    assert_eq!(
        folder.run(&["index", "doc.md", "--format", "text"]).out,
        "h1.0 A b\n h2.0 C\n---\npara:1 list:1\n"
    );
}

#[test]
fn sel_18_the_same_twice() {
    let folder = Folder::with(&[("a/doc.md", DOC), ("b/doc.md", DOC), ("c.md", DOC)]);
    for arguments in [
        &["index", "--blocks", "."][..],
        &["select", ".", "section", "h9.1", "doc::block:kode[3]", "nix::root", "*"],
    ] {
        assert_eq!(folder.run(arguments), folder.run(arguments));
    }
}

#[test]
fn sel_19_any_bytes() {
    let folder = Folder::with(&[
        ("deep.md", &("> ".repeat(10_000) + "x\n")),
        ("open.md", "```\n# no\n"),
        ("cr.md", "# a\rb\r\r## c\rd"),
    ]);
    folder.write("latin.md", b"# caf\xe9 \0\n");
    folder.write("utf16.md", b"\xff\xfe#\0 \0");
    let answer =
        folder.run(&["index", "deep.md", "open.md", "cr.md", "latin.md", "utf16.md", "--blocks"]);
    let value = answer.json();
    assert_eq!(answer.status, 1);
    assert_eq!(value["errors"][0]["type"], "ENCODING_ERROR");
    assert_eq!(value["warnings"].as_array().unwrap().len(), 2, "{}", value["warnings"]);
    assert_eq!(value["data"]["documents"][3]["headings"][0]["text"], "caf\u{fffd} \0");
    assert_eq!(value["data"]["documents"][2]["headings"].as_array().unwrap().len(), 2);
    assert_eq!(folder.run(&["select", "cr.md", "h2.0", "--format", "text"]).out, "## c\rd\n");
    let deep = vec!["quote.0"; 5000].join("/");
    let found = folder.run(&["select", &deep, "deep.md"]);
    assert!(matches(&found)[0].1.starts_with("> > "));
}

#[test]
fn sel_19_many_files_and_a_large_one() {
    let folder = Folder::empty();
    for index in 0..2000 {
        folder.write(&format!("{}/README.md", index), "# a\n\ntext\n");
    }
    let answer = folder.run(&["index", "."]);
    assert_eq!(answer.json()["data"]["summary"]["total_documents"], 2000);
    assert_eq!(answer.json()["warnings"].as_array().unwrap().len(), 1);
    folder.write("large.txt", "# a\n\nsome text of a document\n\n".repeat(100_000));
    let found = folder.run(&["select", "section[99999]", "block:paragraph[99999]", "large.txt"]);
    assert_eq!((found.status, matches(&found).len()), (0, 2));
}

#[test]
fn check_finds_selectors_without_matches() {
    let folder = Folder::with(&[
        ("notes.md", "`guide::section[3]` `gide::heading:h1[0]` `guide::section[0]`\n"),
        ("docs/guide.md", "# Guide\n\n`notes::section[0]`\n"),
    ]);
    let codes = |arguments: &[&str]| -> Vec<String> {
        let answer = folder.run(&[&["check", "--format", "json"], arguments].concat()).json();
        let files = answer["files"]
            .as_array()
            .unwrap()
            .iter()
            .flat_map(|file| file["diagnostics"].as_array().unwrap().clone());
        files
            .map(|finding| {
                format!(
                    "{} {}",
                    finding["code"].as_str().unwrap(),
                    finding["range"]["start"]["column"]
                )
            })
            .collect()
    };
    assert_eq!(
        codes(&["."]),
        ["selector/unresolved 9", "selector/unresolved 9", "selector/unknown-document 22"]
    );
    assert_eq!(
        codes(&["notes.md", "docs/guide.md"]),
        ["selector/unresolved 9", "selector/unresolved 9"]
    );
    // If only one file is checked, other documents are unknown, so nothing is reported.
    assert_eq!(codes(&["notes.md"]), [""; 0]);
}

#[test]
fn documents_that_cannot_be_read_are_named() {
    let folder = Folder::with(&[("README.md", "# a\n\n## b\n")]);
    let text = folder.run(&["select", "--format", "text", "h2.0", "REDME.md"]);
    assert!(
        text.out.contains("!h2.0\nno document could be read: `REDME.md`: no such file\n"),
        "{text:?}"
    );
    let json = folder.run(&["select", "h2.0", "REDME.md", "日本.md"]).json();
    let reason = "no document could be read: `REDME.md`: no such file; `日本.md`: no such file";
    assert_eq!(json["data"]["unresolved"][0]["reason"], reason, "{json}");
    let empty = Folder::empty().run(&["select", "h2.0", "."]).json();
    assert_eq!(empty["data"]["unresolved"][0]["reason"], "no document was given", "{empty}");
}
