use super::*;
use crate::answer::{FoldKind, Symbol, SymbolKind};
use crate::ide::folding::folds;
use crate::ide::symbols::symbols;

#[test]
fn arms_and_comments_fold_up_to_the_line_before_the_next() {
    let text = program(
        "{{ if .kind }}\na\n{{ else }}\nb\n\n{{ end }}\n{{ range .items }}x{{ end }}\n{{/* one\ntwo */}}\n{{ define \"x\" }}\nc\ntext {{ end }}\n",
    );
    for text in variants(&text) {
        let start = text.len() - body(&text).len();
        let found = ask(&text, folds);
        let shown: Vec<(String, FoldKind)> = found
            .into_iter()
            .filter(|fold| fold.span.start >= start)
            .map(|fold| (text[fold.span].replace('\r', ""), fold.kind))
            .collect();
        let region = |text: &str| (text.to_owned(), FoldKind::Region);
        assert_eq!(
            shown,
            [
                region("{{ if .kind }}\na"),
                region("{{ else }}\nb"),
                ("{{/* one\ntwo */}}".to_owned(), FoldKind::Comment),
                region("{{ define \"x\" }}\nc"),
            ]
        );
    }
}

#[test]
fn templates_are_below_their_heading() {
    let text = program(
        "# One\n\n{{ define \"it\" }}x{{ end }}\n\n# Two\n\n{{ block \"other one\" . }}{{ define \"inner\" }}{{ end }}{{ end }}\n",
    );
    let found = ask(&text, symbols);
    fn shown(symbols: &[Symbol], depth: usize, out: &mut Vec<String>) {
        for symbol in symbols
            .iter()
            .filter(|symbol| matches!(symbol.kind, SymbolKind::Heading | SymbolKind::Template))
        {
            out.push(format!("{}{}", "  ".repeat(depth), symbol.name));
            shown(&symbol.children, depth + 1, out);
        }
    }
    let mut out = Vec::new();
    shown(&found, 0, &mut out);
    assert_eq!(out, ["One", "  it", "Two", "  other one", "    inner"]);
}
