use super::super::program;
use super::{ask, variants};
use crate::answer::{Fold, FoldKind, Symbol};
use crate::ide::folding::folds;
use crate::ide::symbols::symbols;

fn shown(symbols: &[Symbol], depth: usize, out: &mut String) {
    for symbol in symbols {
        let detail =
            symbol.detail.as_deref().map_or_else(String::new, |detail| format!(" ({detail})"));
        out.push_str(&format!("{}{}{detail}\n", "  ".repeat(depth), symbol.name));
        shown(&symbol.children, depth + 1, out);
    }
}

#[test]
fn symbols_of_a_program() {
    let text = "---\nname: greet\ndescription: Greets 👋🏽\ninput:\n  type: object\n  properties:\n    who:\n      type: object\n      properties:\n        \
                größe: { type: string }\n    tags: { type: array, items: { type: object, properties: { tag: { type: string } } } }\noutput: {}\nimports:\n  \
                - ./helper.md\nmcp_servers:\n  - name: fs\n    command: npx\n  - url: http://x\n---\n\n# Title\n";
    for text in variants(text) {
        let mut found = String::new();
        shown(&ask(&text, symbols), 0, &mut found);
        let expected = "greet (Greets 👋🏽)\n  input\n    who (object { größe?: string })\n      größe (string)\n    tags (array of object { tag?: string })\n      \
                        tag (string)\n  output (any)\n  imports\n    ./helper.md\n  mcp_servers\n    fs (npx)\n    (no name) (http://x)\nTitle\n";
        assert_eq!(found, expected);
    }
    let names =
        |text: &str| ask(text, symbols).into_iter().map(|symbol| symbol.name).collect::<Vec<_>>();
    assert_eq!(names("---\nname:\ninput: {}\noutput: {}\n---\n"), ["greet"]);
    assert_eq!(names("---\nname: \" \"\ninput: *x\noutput: [\n"), ["greet"]);
}

#[test]
fn folds_of_front_matter() {
    let text = program(
        "imports:\n  - ./a.md\n  - ./b.md\nmcp_servers:\n  - name: x\n    env:\n      A: b\n\n# comment\nmodel: x\n",
    );
    for text in variants(&text) {
        let found: Vec<Fold> = ask(&text, folds);
        let shown: Vec<String> = found
            .iter()
            .map(|fold| {
                format!("{:?} {}", fold.kind, text[fold.span.clone()].replace("\r\n", "\n"))
            })
            .collect();
        let expected = [
            "Imports imports:\n  - ./a.md\n  - ./b.md",
            "Region mcp_servers:\n  - name: x\n    env:\n      A: b",
            "Region name: x\n    env:\n      A: b",
            "Region env:\n      A: b",
        ];
        assert_eq!(shown.get(1..5).unwrap(), expected);
        assert!(found.iter().all(|fold| fold.kind != FoldKind::Comment));
    }
}
