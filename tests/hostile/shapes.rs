//! Patterns that make Markdown parsers quadratic, repeated up to a size: some for Markdown itself,
//! some for each format. Work is compared for two sizes, and memory is limited.

use std::path::Path;

use agentmd::config::Config;
use agentmd::document::Document;
use agentmd::format::Context;
use agentmd::ide;
use agentmd::world::Memory;

use crate::growth;
#[cfg(target_os = "linux")]
use crate::{program, workspace::Workspace};

const PROGRAM: &str = "---\nname: x\ndescription: x\ninput: { type: object, properties: { a: { type: array, items: { type: string } } }, required: [a] }\noutput: { type: object, properties: { t: { type: string } }, required: [t] }\n---\n\n";

/// The name of each pattern, and the text that is repeated.
const PATTERNS: &[(&str, &str)] = &[
    ("brackets", "["),
    ("links", "[a](b "),
    ("images", "![[]()"),
    ("emphasis", "*a **a "),
    ("underscores", "a_b_ _"),
    ("quotes", "> "),
    ("html", "<!-- "),
    ("tags", "<a "),
    ("entities", "&amp"),
    ("hard breaks", "a  \n"),
    ("bullets", "- a\n"),
    ("bullets in bullets", "- "),
    ("tables", "| a | b |\n|---|---|\n| 1 | 2 |\n\n"),
    ("a long line", "word "),
    ("headings", "# a\n"),
    ("fences", "```\n"),
    ("line breaks", "\n"),
    ("searches", "a.py\n<<<<<<< SEARCH\nx\n"),
    ("conflicts", "<<<<<<< SEARCH\n=======\n"),
    ("actions", "[ACTION_0_CONTENT_START]\n"),
    ("templates", "{{ if .a }}"),
    ("paths", "`scripts/a.py` "),
    ("tools", "#tool:"),
    ("imports", "@a.md "),
    ("arguments", "$1 `$2` "),
    ("commands", "!`"),
    ("selectors", "`agentmd select a:section[0]` "),
];

/// A document with this pattern and about this size.
fn shape(name: &str, size: usize) -> String {
    let plain = "Plain words.\n\n";
    let repeat = |pattern: &str| pattern.repeat(size / pattern.len());
    let around = |open: &str, close: &str| {
        let count = size / (open.len() + close.len());
        format!("{PROGRAM}{}x{}\n", open.repeat(count), close.repeat(count))
    };
    match name {
        // Runs of all lengths, all of them unclosed.
        "backticks" => {
            let count = (1..).take_while(|count| count * count / 2 < size).count();
            plain.to_owned()
                + &(1..count).map(|run| format!("e{}", "`".repeat(run))).collect::<String>()
        }
        "lists in lists" => {
            let unit: String = (0..60).map(|depth| "  ".repeat(depth) + "- a\n").collect();
            plain.to_owned() + &repeat(&unit)
        }
        "references" => {
            let each = |number| format!("[r{number}]: ./f{number}.md\n\nSee [r{number}] here.\n\n");
            plain.to_owned() + &(0..size / 36).map(each).collect::<String>()
        }
        "properties" => {
            let each = |number| format!("    p{number}: {{ type: string }}\n");
            let all: String = (0..size / 27).map(each).collect();
            format!("---\nname: a\ninput:\n  type: object\n  properties:\n{all}---\n\n{plain}")
        }
        "keys" => {
            let all: String = (0..size / 10).map(|number| format!("k{number}: 1\n")).collect();
            format!("---\nname: a\n{all}---\n\n{plain}")
        }
        "ranges in ranges" => around("{{ range .a }}", "{{ end }}"),
        "ranges without an end" => format!("{PROGRAM}{}\n", repeat("{{ range .a }}")),
        "ifs in ifs" => around("{{ if .a }}", "{{ end }}"),
        "parentheses" => format!("{PROGRAM}{{{{ {} }}}}\n", repeat("(")),
        name => {
            let pattern = PATTERNS.iter().find(|(known, _)| *known == name);
            format!("{plain}{}\n", repeat(pattern.expect("a pattern").1))
        }
    }
}

fn names() -> impl Iterator<Item = &'static str> {
    let made = ["backticks", "lists in lists", "references", "properties", "keys"];
    let nested = ["ranges in ranges", "ranges without an end", "ifs in ifs", "parentheses"];
    PATTERNS.iter().map(|(name, _)| *name).chain(made).chain(nested)
}

type Question = (&'static str, fn(&Document, &Context));

const QUESTIONS: &[Question] = &[
    ("diagnostics", |document, cx| drop(ide::diagnostics::diagnostics(document, cx))),
    ("symbols", |document, cx| drop(ide::symbols::symbols(document, cx))),
    ("folds", |document, cx| drop(ide::folding::folds(document, cx))),
    ("links", |document, cx| drop(ide::links::links(document, cx))),
    ("tokens", |document, cx| {
        drop(ide::semantic_tokens::highlights(document, cx, 0..cx.source.len()));
    }),
    ("inlays", |document, cx| drop(ide::inlay_hints::inlays(document, cx, 0..cx.source.len()))),
    ("selections", |document, cx| {
        drop(ide::selection::selections(document, cx, cx.source.len() / 2));
    }),
    ("hover", |document, cx| drop(ide::hover::hover(document, cx, cx.source.len() / 2))),
    ("completions", |document, cx| {
        drop(ide::completion::completions(document, cx, cx.source.len() / 2));
    }),
];

/// The size of the larger document in bytes.
const SIZE: usize = 32 << 10;

#[test]
fn every_request_takes_linear_time_for_every_shape() {
    let config = Config::default();
    let only = std::env::var("HOSTILE_SHAPE").ok();
    for name in names().filter(|name| only.as_deref().is_none_or(|only| only == *name)) {
        // Agent files and other files are parsed differently.
        for path in ["/w/CLAUDE.md", "/w/doc.md"].map(Path::new) {
            let all = path.ends_with("CLAUDE.md");
            for (question, ask) in QUESTIONS.iter().take(if all { QUESTIONS.len() } else { 1 }) {
                let what = format!("{question} of {name} in {}", path.display());
                let work = |text: String| {
                    let world = Memory::default().with(path, &text);
                    let document = Document::new(&text, Some(path), &config);
                    let cx = Context::new(document.source(), Some(path), &world, &config);
                    ask(&document, &cx);
                };
                growth::is_linear(&what, SIZE, |size| shape(name, size), work);
            }
        }
    }
}

/// The size of a document, and the memory that it may need at most, in bytes.
#[cfg(target_os = "linux")]
const LARGE: usize = 1 << 20;
#[cfg(target_os = "linux")]
const MOST_MEMORY: u64 = 256 << 20;
/// A server also keeps the document, and the allocator's overhead varies from run to run.
#[cfg(target_os = "linux")]
const MOST_OF_A_SERVER: u64 = 320 << 20;

#[cfg(target_os = "linux")]
#[test]
fn checking_a_megabyte_of_any_shape_needs_little_memory() {
    let mut most = (0, "");
    for name in names() {
        let workspace = Workspace::with(&[("CLAUDE.md", &shape(name, LARGE))]);
        let Some(bytes) = program::memory_of(workspace.root(), &["check", "CLAUDE.md"]) else {
            return;
        };
        eprintln!("{:>4} MiB for {name}", bytes >> 20);
        most = most.max((bytes, name));
    }
    assert!(most.0 > 1 << 20 && most.0 <= MOST_MEMORY, "{} MiB for {}", most.0 >> 20, most.1);
}

/// The shapes for which a server needs the most memory, in agent files and in others.
#[cfg(target_os = "linux")]
const HEAVY: &[(&str, &str)] = &[
    ("headings", "CLAUDE.md"),
    ("searches", "CLAUDE.md"),
    ("tools", "CLAUDE.md"),
    ("conflicts", "CLAUDE.md"),
    ("imports", "CLAUDE.md"),
    ("headings", "doc.md"),
    ("searches", "doc.md"),
    ("properties", "doc.md"),
];

/// Requests that an editor sends when it opens a document.
#[cfg(target_os = "linux")]
const REQUESTS: &[&str] = &[
    "documentSymbol",
    "foldingRange",
    "semanticTokens/full",
    "codeLens",
    "inlayHint",
    "documentLink",
    "codeAction",
    "completion",
    "hover",
];

#[cfg(target_os = "linux")]
#[test]
fn a_server_with_a_megabyte_of_any_shape_needs_little_memory() {
    use serde_json::json;
    let only = std::env::var("HOSTILE_SHAPE").ok();
    let wanted: Vec<(&str, &str)> = match &only {
        Some(only) => names().filter(|name| name == only).map(|name| (name, "doc.md")).collect(),
        None => HEAVY.to_vec(),
    };
    let mut most = (0, "");
    for (name, file) in wanted {
        let workspace = Workspace::with(&[(file, "")]);
        let mut client = program::serve(workspace);
        let text = shape(name, LARGE);
        client.write(file, &text);
        client.open_with(file, &text);
        client.diagnostics(file);
        let end = client.position(file, text.len());
        for request in REQUESTS {
            let params = json!({
                "textDocument": { "uri": client.uri(file) },
                "range": { "start": { "line": 0, "character": 0 }, "end": end },
                "position": end,
                "context": { "diagnostics": [], "triggerKind": 1 },
            });
            let method = format!("textDocument/{request}");
            if let Err(error) = client.ask(&method, params) {
                panic!("{method} of {name}: {error:?}");
            }
        }
        client.edit(file, text.len()..text.len(), "x");
        client.diagnostics(file);
        let Some(peak) = crate::client::peak_memory(client.process()) else { return };
        // Don't count the pages of the program file: processes share them, and a debug build has
        // many.
        let program = crate::client::memory_of(client.process(), "RssFile:").unwrap_or_default();
        let bytes = peak.saturating_sub(program);
        eprintln!("{:>4} MiB for {name} in {file}", bytes >> 20);
        most = most.max((bytes, name));
    }
    assert!(most.0 > 1 << 20 && most.0 <= MOST_OF_A_SERVER, "{} MiB for {}", most.0 >> 20, most.1);
}
