//! MDL-18, MDL-23 and MDL-24: the mentions in a body.

use super::*;
use crate::format::markdownlang::program::{Server, Text};
use crate::text::Edit;

/// The mentions in some text, as `written → meant`.
fn found(text: &str) -> Vec<String> {
    let written = |mention: &Mention| text.get(mention.span.clone()).unwrap_or("?").to_owned();
    let show = |mention: Mention| match &mention.kind {
        MentionKind::Tool { name, mangled: true } => format!("{} → {name}", written(&mention)),
        MentionKind::Tool { name, .. } if *name == written(&mention) => name.clone(),
        MentionKind::Tool { name, .. } => format!("{} is not {name}", written(&mention)),
        MentionKind::Python => format!("python: {}", written(&mention)),
    };
    mentions(text).into_iter().map(show).collect()
}

#[test]
fn mdl_24_tools_are_found_by_name() {
    for (text, expected) in [
        ("Use mcp__filesystem__read_file.", &["mcp__filesystem__read_file"][..]),
        ("`mcp__a__b`, **mcp__a__c** and _mcp__a__d_", &["mcp__a__b", "mcp__a__c", "mcp__a__d"]),
        ("```\nmcp__a__b\n```\n", &["mcp__a__b"]),
        ("<!-- mcp__a__b -->", &["mcp__a__b"]),
        ("mcp__a-b_c__d-e is", &["mcp__a-b_c__d-e"]),
        ("all of mcp__a, mcp__b__* and mcp__c__", &["mcp__a", "mcp__b", "mcp__c"]),
        ("日本mcp__a__b工具 émcp__a__b 🙂mcp__c__d🙂", &["mcp__a__b", "mcp__c__d"]),
        ("mcp__{server}__{tool}, mcp__ and mcp_a_b, xmcp__a__b, tcp__a__b, MCP__a__b", &[]),
        ("/mcp__a__b $mcp__a__b a.mcp__a__b", &[]),
        (
            "{{ .mcp__a__b }} {{/* mcp__a__c */}} {{ print \"mcp__a__d\" }} {{ print `mcp__a__e` }} mcp__a__f",
            &["mcp__a__d", "mcp__a__e", "mcp__a__f"],
        ),
    ] {
        assert_eq!(found(text), expected, "{text}");
    }
}

#[test]
fn mdl_18_mangled_names_are_found_with_their_intended_names() {
    for (text, expected) in [
        (
            "using the mcp**filesystem**read_file tool",
            &["mcp**filesystem**read_file → mcp__filesystem__read_file"][..],
        ),
        (
            r"mcp\_\_filesystem\_\_read\_file.",
            &[r"mcp\_\_filesystem\_\_read\_file → mcp__filesystem__read_file"],
        ),
        (
            r"mcp__filesystem\_\_read_file",
            &[r"mcp__filesystem\_\_read_file → mcp__filesystem__read_file"],
        ),
        ("mcp**filesystem** and **mcp**", &[]),
        ("mcp**a**b**c**d", &["mcp**a**b**c**d → mcp__a__b__c__d"]),
        ("**mcp__a__b**", &["mcp__a__b"]),
    ] {
        assert_eq!(found(text), expected, "{text}");
    }
}

#[test]
fn mdl_24_the_python_tool_is_found_in_clear_contexts() {
    for (text, expected) in [
        ("Use the python tool.", &["python: python"][..]),
        ("Use `python` to add.", &["python: python"]),
        ("the `python` tool; The Python\ninterpreter", &["python: python", "python: Python"]),
        (
            "Python is a language. ```python\nx\n``` pythons, python-tool, `python -c`, ``python``",
            &[],
        ),
    ] {
        assert_eq!(found(text), expected, "{text}");
    }
}

#[test]
fn names_are_whole_words() {
    let places = |text: &str, name: &str| named(text, name).len();
    for (text, count) in [
        ("Call word-count.", 1),
        ("_word-count_ **word-count** `word-count` Word-Count 日本，word-count。", 5),
        ("my-word-count word-counts word-count-2 word_count", 0),
        ("word-count--the second--word-count", 2),
    ] {
        assert_eq!(places(text, "word-count"), count, "{text}");
    }
    assert_eq!(places("anything", ""), 0);
}

#[test]
fn mdl_24_the_longest_declared_name_is_the_server() {
    let server = |name: &str| Server {
        name: Some(Text { text: name.to_owned(), span: 0..0 }),
        ..Server::default()
    };
    let servers = [server("a_b"), server("a_b__c"), server("x-y"), server("")];
    let parts = |name: &str| {
        resolve(name, &servers).map(|found| {
            format!("{} {:?} {}", found.server_name, found.tool, found.server.is_some())
        })
    };
    for (name, expected) in [
        ("mcp__a_b__d", "a_b Some(\"d\") true"),
        ("mcp__a_b__c__d", "a_b__c Some(\"d\") true"),
        ("mcp__a_b__c", "a_b__c None true"),
        ("mcp__a_b__cd", "a_b Some(\"cd\") true"),
        ("mcp__a_bc__d", "a_bc Some(\"d\") false"),
        ("mcp__x-y", "x-y None true"),
        ("mcp__z__a__b", "z Some(\"a__b\") false"),
        ("mcp__z", "z None false"),
        ("mcp__a_b___d", "a_b Some(\"_d\") true"),
    ] {
        assert_eq!(parts(name).as_deref(), Some(expected), "{name}");
    }
    assert_eq!(resolve("python", &servers), None);
}

#[test]
fn a_section_is_read_once() {
    let text = format!(
        "# A\n\nmcp__a__b and helper\n\n{}# C\n\nmcp__c__d, Helper\n",
        "# B\n\ntext\n\n".repeat(50)
    );
    let source = Source::new(&text);
    let wanted: Arc<[String]> = vec!["helper".to_owned()].into();
    let spans = |source: &Source| {
        all(source).map(|mention| source.slice(mention.span).into_owned()).collect::<Vec<_>>()
    };
    assert_eq!(spans(&source), ["mcp__a__b", "mcp__c__d"]);
    assert_eq!(names(&source, &wanted).len(), 2);
    let edited = source.edit(&Edit::insert(2, "日本 mcp__new__x "));
    let kept = edited
        .sections()
        .filter(|placed| placed.section.memo.get::<Notes>().mentions.get().is_some())
        .count();
    assert_eq!(kept, edited.sections().count() - 1);
    assert_eq!(spans(&edited), ["mcp__new__x", "mcp__a__b", "mcp__c__d"]);
    let places: Vec<_> = names(&edited, &wanted)
        .into_iter()
        .map(|(index, span)| (index, edited.slice(span).into_owned()))
        .collect();
    assert_eq!(places, [(0, "helper".to_owned()), (0, "Helper".to_owned())]);
    let other: Arc<[String]> = vec!["text".to_owned(), "helper".to_owned()].into();
    assert_eq!(names(&edited, &other).len(), 52);
    let offset = edited.slice(0..edited.len()).find("a__b").unwrap();
    assert_eq!(
        at(&edited, offset).map(|mention| edited.slice(mention.span).into_owned()).as_deref(),
        Some("mcp__a__b")
    );
    assert_eq!(at(&edited, 0), None);
}
