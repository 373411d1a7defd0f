//! Programs across the workspace: references, calls, renames, moved files.

use std::path::PathBuf;

use super::*;
use crate::answer::{CallableKind, FileEdit};
use crate::format::markdownlang::moves;
use crate::world::World;

fn named(name: &str, imports: &[&str], body: &str) -> String {
    let list: String = imports.iter().map(|import| format!("  - {import}\n")).collect();
    let fields = if imports.is_empty() { String::new() } else { format!("imports:\n{list}") };
    program(&fields)
        .replace("name: greet", &format!("name: {name}"))
        .replace("Greet {{ .who }}.", body)
}

fn library() -> Memory {
    Memory::default()
        .with(
            "/w/main.md",
            &named(
                "main",
                &["./tools/help-me.md", "'./other.md'"],
                "{{ .who }}: call help-me, `help-me`, not helping-me.",
            ),
        )
        .with("/w/tools/help-me.md", &named("help-me", &["../leaf.md"], "{{ .who }}"))
        .with(
            "/w/other.md",
            &named(
                "other",
                &["./tools/../tools/help-me.md"],
                "{{ .who }} {{ \"help-me\" }}\n\n# H\n\n**help-me** 🦆 help-me",
            ),
        )
        .with("/w/leaf.md", &named("leaf", &[], "{{ .who }}"))
}

fn text(world: &dyn World, path: &str) -> String {
    let source = world.read(Path::new(path)).unwrap();
    source.slice(0..source.len()).into_owned()
}

/// Runs `ask` on a file of the world at the first occurrence of `at`.
fn ask<T>(
    world: &dyn World,
    path: &str,
    at: &str,
    question: impl FnOnce(&Document, &Context, usize) -> T,
) -> T {
    let (text, config) = (text(world, path), config(&[]));
    let document = Document::new(&text, Some(Path::new(path)), &config);
    let offset = text.find(at).unwrap() + 1;
    question(
        &document,
        &Context::new(document.source(), Some(Path::new(path)), world, &config),
        offset,
    )
}

fn references(world: &dyn World, path: &str, at: &str) -> Vec<String> {
    let found = ask(world, path, at, |document, cx, offset| {
        crate::ide::references::references(document, cx, offset, true)
    });
    let show = |occurrence: crate::answer::Occurrence| {
        let file = occurrence
            .path
            .map_or_else(|| path.to_owned(), |path| crate::world::slashed(path.as_ref()));
        format!(
            "{file} {}{}",
            text(world, &file)[occurrence.span].to_owned(),
            if occurrence.defines { " !" } else { "" }
        )
    };
    found.into_iter().map(show).collect()
}

#[test]
fn a_program_is_found_wherever_it_is_imported_or_mentioned() {
    let world = library();
    let expected = [
        "/w/tools/help-me.md help-me !",
        "/w/main.md ./tools/help-me.md",
        "/w/main.md help-me",
        "/w/main.md help-me",
        "/w/other.md ./tools/../tools/help-me.md",
        "/w/other.md help-me",
        "/w/other.md help-me",
    ];
    assert_eq!(references(&world, "/w/tools/help-me.md", "help-me"), expected, "from its name");
    assert_eq!(references(&world, "/w/main.md", "./tools/help-me.md"), expected, "from an import");
    assert_eq!(references(&world, "/w/main.md", "help-me,"), expected, "from a mention");
    assert_eq!(
        references(&world, "/w/leaf.md", "leaf"),
        ["/w/leaf.md leaf !", "/w/tools/help-me.md ../leaf.md"]
    );
    let here = ask(
        &world,
        "/w/main.md",
        "./tools/help-me.md",
        crate::ide::document_highlight::occurrences,
    );
    assert_eq!(here.len(), 3, "{here:?}");
}

#[test]
fn calls_are_followed_both_ways() {
    let world = library();
    let item = |at| {
        ask(&world, "/w/main.md", at, crate::ide::call_hierarchy::prepare)
            .map(|item| (item.path, item.name))
    };
    let helper = Some((Some(PathBuf::from("/w/tools/help-me.md")), "help-me".to_owned()));
    assert_eq!(item("./tools/help-me.md"), helper);
    assert_eq!(item("help-me,"), helper);
    assert_eq!(item("description:"), Some((None, "main".to_owned())));
    assert_eq!(item("{{ .who"), None);
    let show = |path: &str, calls: Vec<crate::answer::Call>, callers: bool| {
        let own = path.to_owned();
        let each = calls.into_iter().map(|call| {
            let other = call
                .other
                .path
                .as_ref()
                .map_or_else(|| own.clone(), |path| crate::world::slashed(path.as_ref()));
            let text = text(&world, if callers { &other } else { &own });
            let spans: Vec<&str> = call.spans.iter().map(|span| &text[span.clone()]).collect();
            format!("{} {other}: {}", call.other.name, spans.join(", "))
        });
        each.collect::<Vec<_>>()
    };
    let callers = ask(&world, "/w/tools/help-me.md", "name", |document, cx, _| {
        crate::ide::call_hierarchy::incoming(document, cx, None)
    });
    assert_eq!(
        show("/w/tools/help-me.md", callers, true),
        [
            "main /w/main.md: ./tools/help-me.md, help-me, help-me",
            "other /w/other.md: ./tools/../tools/help-me.md, help-me, help-me"
        ]
    );
    let calls = ask(&world, "/w/main.md", "name", |document, cx, _| {
        crate::ide::call_hierarchy::outgoing(document, cx)
    });
    assert_eq!(
        show("/w/main.md", calls, false),
        [
            "help-me /w/tools/help-me.md: ./tools/help-me.md, help-me, help-me",
            "other /w/other.md: './other.md'"
        ]
    );
}

#[test]
fn tools_of_servers_are_called_too() {
    let fields = "mcp_servers:\n  - name: files\n    command: npx\n";
    let body = program(fields).replace(
        "Greet {{ .who }}.",
        "{{ .who }}: mcp__files__read, mcp__other__x and mcp__files__read.",
    );
    let world = Memory::default().with(PATH, &body);
    let calls = ask(&world, PATH, "name", |document, cx, _| {
        crate::ide::call_hierarchy::outgoing(document, cx)
    });
    let [call] = calls.as_slice() else { panic!("{calls:?}") };
    assert_eq!(
        (call.other.name.as_str(), call.other.kind, &body[call.other.selection.clone()]),
        ("mcp__files__read", CallableKind::Tool, "files")
    );
    assert_eq!(call.spans.len(), 2);
    let callers = ask(&world, PATH, "name", |document, cx, _| {
        crate::ide::call_hierarchy::incoming(document, cx, Some("mcp__files__read"))
    });
    assert_eq!(
        (callers.len(), callers[0].other.name.as_str(), callers[0].spans.len()),
        (1, "greet", 2)
    );
}

/// The files after edits, by path.
fn applied(world: &dyn World, own: &str, files: &[FileEdit]) -> Vec<(String, String)> {
    let each = files.iter().map(|file| {
        let path = file
            .path
            .as_ref()
            .map_or_else(|| own.to_owned(), |path| crate::world::slashed(path.as_ref()));
        let after = apply(&text(world, &path), &file.edits).unwrap();
        (path, after)
    });
    each.collect()
}

#[test]
fn a_program_is_renamed_with_its_unambiguous_mentions() {
    let world = library();
    let renamed = ask(&world, "/w/tools/help-me.md", "help-me", |document, cx, offset| {
        assert!(crate::ide::rename::rename(document, cx, offset, "no name").is_err());
        assert!(crate::ide::rename::rename(document, cx, offset, "python").is_err());
        assert_eq!(
            crate::ide::rename::prepare(document, cx, offset).map(|found| found.name).as_deref(),
            Some("help-me")
        );
        crate::ide::rename::rename(document, cx, offset, "aid").unwrap().files
    });
    let after = applied(&world, "/w/tools/help-me.md", &renamed);
    assert_eq!(after.len(), 3);
    assert!(after[0].1.contains("name: aid\n"));
    assert!(
        after[1].1.contains("call aid, `aid`, not helping-me.")
            && after[1].1.contains("./tools/help-me.md"),
        "{}",
        after[1].1
    );
    assert!(after[2].1.contains("{{ \"help-me\" }}\n\n# H\n\n**aid** 🦆 aid"), "{}", after[2].1);
    // An ordinary word is only changed in code.
    let world =
        Memory::default().with("/w/translate.md", &named("translate", &[], "{{ .who }}")).with(
            "/w/main.md",
            &named("main", &["./translate.md"], "{{ .who }}: translate with `translate`."),
        );
    let renamed = ask(&world, "/w/translate.md", "translate", |document, cx, offset| {
        crate::ide::rename::rename(document, cx, offset, "turn").unwrap().files
    });
    assert!(
        applied(&world, "/w/translate.md", &renamed)[1]
            .1
            .contains("{{ .who }}: translate with `turn`.")
    );
}

fn moved(world: &dyn World, moves: &[(&str, &str)]) -> Vec<(String, Vec<String>)> {
    let moves: Vec<(PathBuf, PathBuf)> =
        moves.iter().map(|(old, new)| (old.into(), new.into())).collect();
    let files = moves::edits(world, &moves, &|| false);
    let inserted = |file: &FileEdit| file.edits.iter().map(|edit| edit.text.clone()).collect();
    files
        .iter()
        .map(|file| (crate::world::slashed(file.path.as_ref().unwrap()), inserted(file)))
        .collect()
}

fn edits(path: &str, texts: &[&str]) -> (String, Vec<String>) {
    (path.to_owned(), texts.iter().map(|text| (*text).to_owned()).collect())
}

#[test]
fn imports_follow_a_file_that_moves() {
    let world = library();
    assert_eq!(
        moved(&world, &[("/w/leaf.md", "/w/twig.md")]),
        [edits("/w/tools/help-me.md", &["../twig.md"])]
    );
    assert_eq!(
        moved(&world, &[("/w/other.md", "/w/a b/o: x.md")]),
        [edits("/w/main.md", &["'./a b/o: x.md'"]), edits("/w/other.md", &["../tools/help-me.md"])]
    );
    assert_eq!(
        moved(&world, &[("/w/tools/help-me.md", "/w/help.md")]),
        [
            edits("/w/main.md", &["./help.md"]),
            edits("/w/other.md", &["./help.md"]),
            edits("/w/tools/help-me.md", &["./leaf.md"])
        ]
    );
    assert_eq!(
        moved(&world, &[("/w/main.md", "/w/deep/er/main.md")]),
        [edits("/w/main.md", &["../../tools/help-me.md", "'../../other.md'"])],
        "its own imports"
    );
    assert_eq!(
        moved(&world, &[("/w/main.md", "/w/renamed.md")]),
        [],
        "no program imports it, and its imports still work"
    );
    assert_eq!(moved(&world, &[("/w/nothing.md", "/w/x.md"), ("/w/leaf.md", "/w/leaf.md")]), []);
}

#[test]
fn imports_follow_a_folder_that_moves() {
    let world = library();
    let expected =
        [edits("/w/main.md", &["./lib/help-me.md"]), edits("/w/other.md", &["./lib/help-me.md"])];
    assert_eq!(moved(&world, &[("/w/tools", "/w/lib")]), expected, "imports inside it stay");
    assert_eq!(moved(&world, &[("/w/tools/", "/w/lib")]), expected);
    assert_eq!(moved(&world, &[("/w", "/v")]), [], "all together");
    let both = [("/w/tools", "/w/lib"), ("/w/leaf.md", "/w/lib/leaf.md")];
    let of_helper = moved(&world, &both).into_iter().find(|(path, _)| path.ends_with("help-me.md"));
    assert_eq!(of_helper, Some(edits("/w/tools/help-me.md", &["./leaf.md"])), "two moves at once");
}

#[test]
fn an_import_that_moves_keeps_its_form() {
    let world = Memory::default()
        .with(
            "/w/a.md",
            &named(
                "a",
                &["b.md", "\"./b.md\"", "/w/b.md", "./B.md", "./sub/../b.md"],
                "{{ .who }}",
            ),
        )
        .with("/w/flow.md", &program("imports: [./b.md, \"./b.md\" ]\n"))
        .with("/w/b.md", &named("b", &[], "{{ .who }}"));
    assert_eq!(
        moved(&world, &[("/w/b.md", "/w/sub/c, d.md")]),
        [
            edits(
                "/w/a.md",
                &["sub/c, d.md", "\"./sub/c, d.md\"", "/w/sub/c, d.md", "./sub/c, d.md"]
            ),
            edits("/w/flow.md", &["\"./sub/c, d.md\"", "\"./sub/c, d.md\""])
        ]
    );
}

#[test]
fn mdl_22_an_imported_program_as_a_tool() {
    let world = Memory::default()
        .with("/w/main.md", &named("main", &["./tool.md"], "{{ .who }}"))
        .with("/w/tool.md", &named("tool-name", &["../x/y.md", "./main.md"], "{{ .who }}"))
        .with("/x/y.md", &named("y", &[], "{{ .who }}"));
    let hover = ask(&world, "/w/main.md", "./tool.md", crate::ide::hover::hover).unwrap().markdown;
    for expected in [
        "**tool-name**",
        "Greets a person",
        "Input",
        "- `who`",
        "Output",
        "- `text`",
        "the tool `tool-name`",
        "parameters",
        "result",
        "imports `y`, `main`",
    ] {
        assert!(hover.contains(expected), "{expected} in\n{hover}");
    }
}
