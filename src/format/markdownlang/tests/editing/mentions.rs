//! MDL-23 and MDL-24: editor features for the tools, servers and programs that the body mentions.

use super::super::{INPUT, OUTPUT, marked};
use super::{ask, cursor, variants};
use crate::ide::completion::completions;
use crate::ide::definition::definition;
use crate::ide::hover::hover;
use crate::ide::references::references;
use crate::ide::rename::{prepare, rename};
use crate::ide::semantic_tokens::highlights;
use crate::text::apply;

const FILES: &str = "mcp_servers:\n  - name: «fs»\n    command: npx\n    args: [-y, \"@modelcontextprotocol/server-filesystem\", .]\n";

fn program(fields: &str, body: &str) -> String {
    format!("---\nname: greet\ndescription: Greets\n{INPUT}{OUTPUT}{fields}---\n\n{body}\n")
}

fn plain(text: &str) -> String {
    text.replace(['«', '»'], "")
}

/// Hover at both ends of the mark covers it and contains all of `parts`.
#[track_caller]
fn hovers(text: &str, parts: &[&str]) {
    for text in variants(text) {
        let (text, spans) = marked(&text);
        let [span] = spans.as_slice() else { panic!("one mark") };
        for offset in [span.start + 1, span.end] {
            let found = ask(&text, |document, cx| hover(document, cx, offset))
                .unwrap_or_else(|| panic!("nothing at {offset} in {text:?}"));
            assert_eq!(&text[found.span.clone()], &text[span.clone()]);
            for part in parts {
                assert!(found.markdown.contains(part), "{part:?} is not in\n{}", found.markdown);
            }
        }
    }
}

#[test]
fn mdl_24_hover_on_a_mention() {
    let files = plain(FILES);
    hovers(
        &program(&files, "日本🙂 mcp__fs__«read_file»."),
        &["**mcp__fs__read_file**", "server `fs`", "contents of a file", "`npx -y @model"],
    );
    hovers(
        &program(&files, "Use mcp__«fs»__read_file."),
        &["**fs**: a server", "`write_file`", "`npx -y"],
    );
    hovers(&program(&files, r"Use mcp\_\_fs\_\_«read\_file»."), &["**mcp__fs__read_file**"]);
    hovers(FILES_IN_FRONT, &["**fs**: a server", "`list_directory`"]);
    hovers(
        &program(&files.replace("fs\n", "fs\n    disabled: true\n"), "mcp__fs__«x»"),
        &["**Disabled**"],
    );
    hovers(&program("", "mcp__other__«x»"), &["`other` is not declared"]);
    hovers(&program("", "the «python» tool"), &["built-in interpreter", "`stdout`"]);
    hovers(
        &program("imports: [./helper.md]\n", "Call «helper» for each."),
        &["**helper**", "Helps", "`who`", "`./helper.md`"],
    );
}

const FILES_IN_FRONT: &str = "---\nname: x\ninput: {}\nmcp_servers: [{ name: «fs», command: npx, args: [\"@modelcontextprotocol/server-filesystem\"] }]\n---\n";

#[test]
fn prose_has_no_hover() {
    let silent = |text: &str| {
        let (text, offset) = cursor(text);
        assert_eq!(ask(&text, |document, cx| hover(document, cx, offset)), None, "{text:?}");
    };
    silent(&program("imports: [./helper.md]\n", "Hel$0per"));
    silent(&program("imports: [./helper.md]\n", "{{ .hel$0per }}"));
    silent(&program("", "Use pyt$0hon as a language."));
}

#[test]
fn mdl_24_definitions_of_mentions() {
    for body in ["Use mcp__fs__re$0ad_file.", "Use mcp__f$0s.", "mcp**fs**r$0ead"] {
        for text in variants(&program(FILES, body)) {
            let (marked, offset) = cursor(&text);
            let (text, spans) = super::super::marked(&marked);
            let offset = offset - "«»".len();
            let found = ask(&text, |document, cx| definition(document, cx, offset));
            let [target] = found.as_slice() else { panic!("{found:?} in {text:?}") };
            assert_eq!((&target.path, &target.selection), (&None, &spans[0]), "{text:?}");
        }
    }
    let (text, offset) = cursor(&program("imports: [./helper.md]\n", "Call `hel$0per`."));
    let found = ask(&text, |document, cx| definition(document, cx, offset));
    assert_eq!(
        found.first().and_then(|target| target.path.as_deref()),
        Some(std::path::Path::new("/w/helper.md"))
    );
}

#[test]
fn mdl_23_references_and_rename_of_a_server() {
    let body = "# A\n\nmcp__«fs»__read_file and `mcp__«fs»`\n\n# B\n\n日本🙂 mcp**«fs»**read_file, mcp__fsx__y, mcp__fs_x\n";
    for text in variants(&program(FILES, body)) {
        let (text, spans) = marked(&text);
        for offset in spans.iter().map(|span| span.start + 1) {
            let found = ask(&text, |document, cx| references(document, cx, offset, true));
            assert_eq!(
                found.iter().map(|place| place.span.clone()).collect::<Vec<_>>(),
                spans,
                "{text:?}"
            );
            assert_eq!(found.iter().filter(|place| place.defines).count(), 1);
            let name = ask(&text, |document, cx| prepare(document, cx, offset)).expect("a name");
            assert_eq!((name.name.as_str(), &text[name.span]), ("fs", "fs"));
            let files =
                ask(&text, |document, cx| rename(document, cx, offset, "files-2")).expect("edits");
            let [file] = files.files.as_slice() else { panic!("{files:?}") };
            let renamed = apply(&text, &file.edits).expect("edits that fit");
            let expected = text
                .replace("mcp__fs__", "mcp__files-2__")
                .replace("mcp__fs`", "mcp__files-2`")
                .replace("mcp**fs", "mcp**files-2");
            assert_eq!(
                renamed,
                expected
                    .replace("name: fs\r", "name: files-2\r")
                    .replace("name: fs\n", "name: files-2\n")
            );
        }
    }
}

#[test]
fn mdl_23_invalid_server_names() {
    let fields = plain(FILES)
        + "  - name: 'two'\n    command: x\n  - name: &n three\n    command: y\n  - name: *n\n    command: z\n";
    let (text, offset) = cursor(&program(&fields, "mcp__f$0s__x mcp__two__y mcp__three__z"));
    let rename =
        |offset: usize, name: &str| ask(&text, |document, cx| rename(document, cx, offset, name));
    for (name, part) in [
        ("two", "already"),
        ("a b", "cannot be part"),
        ("", "cannot be part"),
        ("日本", "cannot be part"),
    ] {
        assert!(rename(offset, name).is_err_and(|error| error.contains(part)), "{name}");
    }
    let quoted = text.find("two'").expect("a quoted name");
    let name = ask(&text, |document, cx| prepare(document, cx, quoted)).expect("a name");
    assert_eq!(&text[name.span], "two");
    let files = rename(quoted, "deux").expect("edits");
    let renamed = apply(&text, &files.files[0].edits).expect("edits that fit");
    assert!(renamed.contains("name: 'deux'\n") && renamed.contains("mcp__deux__y"), "{renamed}");
    let tool = text.find("__x").expect("a tool") + 2;
    assert_eq!(ask(&text, |document, cx| prepare(document, cx, tool)), None);
}

#[test]
fn mdl_24_highlights_of_mentions() {
    let (text, spans) = marked(&program(
        &plain(FILES),
        "# A\n\nUse «mcp__fs»«__read» and the «python» tool. {{ print \"mcp__fs__x\" }} «mcp__none»",
    ));
    let found = ask(&text, |document, cx| highlights(document, cx, 0..text.len()));
    let kinds: Vec<_> = spans
        .iter()
        .map(|span| {
            found.iter().find(|highlight| highlight.span == *span).map(|highlight| highlight.kind)
        })
        .collect();
    assert_eq!(kinds, [Some("namespace"), Some("function"), Some("function"), Some("namespace")]);
}

#[track_caller]
fn offers(text: &str, expected: &[&str]) {
    for text in variants(text) {
        let (text, offset) = cursor(&text);
        let mut found = ask(&text, |document, cx| completions(document, cx, offset).items);
        found.sort_by_key(|item| item.rank);
        let labels: Vec<_> =
            found.iter().map(|item| item.label.as_str()).take(expected.len().max(1)).collect();
        assert_eq!(labels, expected, "{text:?}");
        assert!(
            found.iter().all(|item| (item.edit.span.start..=item.edit.span.end).contains(&offset))
        );
    }
}

#[test]
fn mdl_24_names_are_completed_in_the_body() {
    let fields = plain(FILES)
        + "  - name: off\n    command: x\n    disabled: true\nimports: [./helper.md]\n";
    let at = |body: &str| program(&fields, body);
    offers(&at("Use mc$0"), &["mcp__fs__"]);
    offers(&at("Use mcp__$0"), &["mcp__fs__"]);
    offers(&at("日本🙂「mcp$0」"), &["mcp__fs__"]);
    offers(
        &at("Use mcp__fs__my_own. Use mcp__fs__$0"),
        &["mcp__fs__create_directory", "mcp__fs__directory_tree"],
    );
    offers(&at("Use mcp__fs__my_own. Use `mcp__fs__my$0`"), &["mcp__fs__create_directory"]);
    offers(&at("Use `$0`"), &["mcp__fs__", "python", "helper"]);
    offers(&at("Use py$0"), &["python"]);
    offers(&at("Call he$0 now"), &["helper"]);
    for silent in ["Use m$0", "Call h$0", "a $0b", "the $0", "see ./he$0", "x.py$0", "`a` $0"] {
        offers(&at(silent), &[]);
    }
    // Actions only offer the words of templates.
    offers(&at("{{ .he$0 }}"), &["who"]);
    offers(&at("{{ he$0"), &[".who"]);
}

#[test]
fn mdl_24_mentioned_tools_are_offered_again() {
    let text = program(
        "mcp_servers: [{ name: people, url: \"http://x\" }]\n",
        "mcp__people__find, then mcp__people__$0",
    );
    offers(&text, &["mcp__people__find"]);
}

#[test]
fn mdl_23_published_servers_are_offered_with_their_commands() {
    let with = |line: &str| program(&format!("mcp_servers:\n{line}"), "x");
    let taken = |text: &str, label: &str| {
        let (text, offset) = cursor(text);
        let found = ask(&text, |document, cx| completions(document, cx, offset).items);
        let item = found
            .iter()
            .find(|item| item.label == label)
            .unwrap_or_else(|| panic!("{found:#?}"))
            .clone();
        (apply(&text, std::slice::from_ref(&item.edit)).expect("an edit that fits"), item.snippet)
    };
    let lines = "command: uvx\n    args: [\"mcp-server-git\"]\n";
    for (line, expected) in [
        ("  - name: $0\n", format!("  - name: git\n    {lines}")),
        ("  - name: gi$0\n    command: x\n", "  - name: git\n    command: x\n".to_owned()),
        (
            "  - { name: $0 }\n",
            "  - { name: git, command: uvx, args: [\"mcp-server-git\"] }\n".to_owned(),
        ),
        ("  - name: '$0'\n", "  - name: 'git'\n".to_owned()),
    ] {
        assert_eq!(taken(&with(line), "git").0, with(&expected), "{line}");
    }
    assert_eq!(
        taken(&with("  - name: $0\n"), "git").1.as_deref(),
        Some("git\n  command: uvx\n  args: [\"mcp-server-git\"]")
    );
}

#[test]
fn mdl_24_ranges_contain_the_cursor() {
    for body in
        ["Use mcp__fs__read_file.", "日本 🦆 mcp__fs.", r"mcp\_\_fs\_\_read", "mcp**fs**read"]
    {
        for text in variants(&plain(&program(FILES, body))) {
            let start = text.rfind("mcp").unwrap();
            let end = start + text[start..].find(['.', '\r', '\n']).unwrap();
            for offset in start..=end {
                let contains =
                    |span: &crate::text::Span| span.start <= offset && offset <= span.end;
                let found =
                    ask(&text, |document, cx| hover(document, cx, offset)).expect("a hover");
                assert!(contains(&found.span), "{offset}: {:?}", &text[found.span]);
                if let Some(found) = ask(&text, |document, cx| prepare(document, cx, offset)) {
                    assert!(contains(&found.span), "{offset}: {:?}", &text[found.span]);
                }
                let found = ask(&text, |document, cx| {
                    crate::ide::document_highlight::occurrences(document, cx, offset)
                });
                assert!(
                    found.iter().any(|found| contains(&found.span)),
                    "{offset} {text}: {found:?}"
                );
            }
        }
    }
}

#[test]
fn mdl_24_a_program_is_renamed_where_it_is_mentioned_or_imported() {
    let body = "Call `helper`, then use the helper for 日本 🦆.";
    for text in variants(&program("imports: ['./helper.md']\n", body)) {
        let places: Vec<(usize, &str)> = vec![
            (text.find("./helper").unwrap() + 1, "./helper.md"),
            (text.find("`helper").unwrap() + 3, "helper"),
            (text.find("the helper").unwrap() + 5, "helper"),
        ];
        for (offset, shown) in places {
            let found = ask(&text, |document, cx| prepare(document, cx, offset)).expect("a name");
            assert_eq!((&text[found.span], found.name.as_str()), (shown, "helper"));
            let renaming =
                ask(&text, |document, cx| rename(document, cx, offset, "aid")).expect("edits");
            let other =
                renaming.files.iter().find(|file| file.path.is_some()).expect("the program");
            assert!(other.path.as_ref().is_some_and(|path| path.ends_with("helper.md")));
            assert!(other.edits.len() == 1 && other.edits[0].text == "aid", "{other:?}");
            let here = renaming.files.iter().find(|file| file.path.is_none()).expect("mentions");
            let after = apply(&text, &here.edits).unwrap();
            assert!(after.contains("Call `aid`") && after.contains("./helper.md"), "{after}");
            // An ordinary word is only renamed under the cursor.
            assert_eq!(
                after.contains("the aid for"),
                text[..offset].ends_with("the he") || text[..offset].ends_with("the h"),
                "{after}"
            );
        }
    }
}
