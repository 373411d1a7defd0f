//! Schemas that require more work than any computer can do.

use serde_json::json;
use tower_lsp::gen_lsp_types::*;

use crate::program::{serve, serve_pull};
use crate::workspace::Workspace;

const COMPLEX: &str = "markdownlang/complex-schema";

/// A program with this `input`.
fn program(input: &str) -> String {
    let output = "output: { type: object, properties: { t: { type: string } }, required: [t] }";
    format!("---\nname: bomb\ndescription: A bomb\n{input}\n{output}\n---\n\nHi {{{{ .a }}}}.\n")
}

/// Levels of definitions, each with branches that refer to the next one, and a default that none
/// of them allows.
fn levels(container: &str, depth: usize, branches: usize) -> String {
    let mut text = format!(
        "input:\n  type: object\n  properties: {{ a: {{ $ref: '#/{container}/l0', default: 1 }} }}\n  required: [a]\n  {container}:\n"
    );
    for level in 0..depth {
        let next = format!("{{ $ref: '#/{container}/l{}' }}", level + 1);
        let schema = if branches == 1 {
            next
        } else {
            format!("{{ anyOf: [{}] }}", vec![next; branches].join(", "))
        };
        text.push_str(&format!("    l{level}: {schema}\n"));
    }
    program(&(text + &format!("    l{depth}: {{ type: string }}")))
}

/// Small schemas that once took minutes or gigabytes.
fn bombs() -> Vec<(&'static str, String)> {
    let patterns: String = (0..150)
        .map(|n| {
            format!(
                "    a{n}: {{ type: string, pattern: '^(a|a)*(?=b)$', default: {} }}\n",
                "a".repeat(60)
            )
        })
        .collect();
    let large: String = (0..1000)
        .map(|n| format!("    a{n}: {{ type: string, pattern: '(a{{1000}}){{{n}}}' }}\n"))
        .collect();
    let nested = format!(
        "input: {}{{ type: string }}{}",
        "{ type: object, default: {}, properties: { a: ".repeat(100),
        " } }".repeat(100)
    );
    let unevaluated = (0..40).fold("{ type: string }".to_owned(), |inner, _| {
        format!("{{ allOf: [{inner}], unevaluatedProperties: false }}")
    });
    vec![
        ("anyOf", levels("$defs", 16, 3)),
        ("anyOf under a key that is not a keyword", levels("x-defs", 16, 3)),
        ("a long chain", levels("$defs", 5000, 1)),
        (
            "a loop",
            program(
                "input: { type: object, properties: { a: { $ref: '#/x/a', default: 1 } }, x: { a: { $ref: '#/x/a' } } }",
            ),
        ),
        ("backtracking", program(&format!("input:\n  type: object\n  properties:\n{patterns}"))),
        ("large patterns", program(&format!("input:\n  type: object\n  properties:\n{large}"))),
        ("nested defaults", program(&nested)),
        (
            "unevaluated",
            program(&format!(
                "input: {{ type: object, properties: {{ a: {{ anyOf: [{unevaluated}], default: {{}} }} }} }}"
            )),
        ),
    ]
}

#[test]
fn schemas_that_explode_are_checked_within_limits() {
    for (what, text) in bombs() {
        eprintln!("{what}");
        let workspace = Workspace::with(&[("bomb.md", &text)]);
        workspace.run(&["check", "--format", "json"]).json();
        workspace.run(&["render", "bomb.md", "--input", "{\"a\": 1}"]);
        workspace.run(&["parse", "bomb.md"]);
    }
}

#[test]
fn a_schema_that_is_too_complex_is_a_finding() {
    let workspace = Workspace::with(&[
        ("bomb.md", &levels("$defs", 16, 3)),
        ("fine.md", &levels("$defs", 4, 3)),
    ]);
    assert!(workspace.run(&["check", "--format", "json", "bomb.md"]).finds(COMPLEX));
    assert!(!workspace.run(&["check", "--format", "json", "fine.md"]).finds(COMPLEX));
    let render = workspace.run(&["render", "bomb.md", "--input", "{\"a\": 1}"]);
    assert_eq!(render.status, 1, "{render:?}");
    assert!(render.err.contains("too complex"), "{}", render.err);
}

#[test]
fn a_bomb_in_an_import_does_not_stop_the_server() {
    let importer = program(
        "input: { type: object, properties: { a: { type: string } }, required: [a] }\nimports: [./bomb.md]",
    );
    let workspace = Workspace::with(&[("bomb.md", &levels("$defs", 16, 3)), ("a.md", &importer)]);
    let mut client = serve(workspace);
    client.open_with("a.md", &importer);
    client.diagnostics("a.md");
    client.open_with("bomb.md", &levels("$defs", 16, 3));
    assert!(client.codes("bomb.md").iter().any(|code| code == COMPLEX));
}

#[test]
fn a_bomb_in_a_closed_file_does_not_stop_the_server() {
    let workspace = Workspace::with(&[("bomb.md", &levels("$defs", 16, 3))]);
    let mut client = serve_pull(workspace);
    client.wait_for_index();
    let answer = client.request::<WorkspaceDiagnosticRequest>(json!({ "previousResultIds": [] }));
    assert_eq!(answer.items.len(), 1);
}
