use super::*;
use crate::ide::semantic_tokens::highlights;

fn painted(text: &str, range: Span) -> Vec<String> {
    let found = ask(text, |document, cx| highlights(document, cx, range));
    found
        .iter()
        .map(|highlight| format!("{} {}", highlight.kind, &text[highlight.span.clone()]))
        .collect()
}

#[track_caller]
fn check(text: &str, expected: &[&str]) {
    for text in variants(&program(text)) {
        let start = text.len() - body(&text).len();
        assert_eq!(painted(&text, start..text.len()), expected, "{text}");
    }
}

#[test]
fn the_words_of_an_action() {
    check(
        "日本 {{- range $i, $x := .items -}} {{ $x.title | printf \"%d: %s\" 12 }} {{ end }}\n",
        &[
            "macro {{-",
            "keyword range",
            "variable $i",
            "operator ,",
            "variable $x",
            "operator :=",
            "property .items",
            "macro -}}",
            "macro {{",
            "variable $x",
            "property .title",
            "operator |",
            "function printf",
            "string \"%d: %s\"",
            "number 12",
            "macro }}",
            "macro {{",
            "keyword end",
            "macro }}",
        ],
    );
    check(
        "{{ if not (eq .kind \"🦆\") }}{{ . }}{{ else if true }}{{/* é */}}{{ end }}{{ template \"x\" $ }}\n",
        &[
            "macro {{",
            "keyword if",
            "function not",
            "operator (",
            "function eq",
            "property .kind",
            "string \"🦆\"",
            "operator )",
            "macro }}",
            "macro {{",
            "variable .",
            "macro }}",
            "macro {{",
            "keyword else",
            "keyword if",
            "keyword true",
            "macro }}",
            "macro {{",
            "comment /* é */",
            "macro }}",
            "macro {{",
            "keyword end",
            "macro }}",
            "macro {{",
            "keyword template",
            "string \"x\"",
            "variable $",
            "macro }}",
        ],
    );
}

#[test]
fn markdown_highlights_the_rest() {
    check(
        "# Hello {{ .kind }} there\n",
        &["keyword #", "class Hello ", "macro {{", "property .kind", "macro }}", "class  there"],
    );
}

#[test]
fn a_range_only_gets_its_own_highlights() {
    let text =
        program(&"Some {{ .kind }} words.\n\n# Next {{ if .user }}a{{ end }}\n\n".repeat(20));
    let all = ask(&text, |document, cx| highlights(document, cx, 0..text.len()));
    for start in (0..text.len()).step_by(97) {
        let range = start..(start + 120).min(text.len());
        let part = ask(&text, |document, cx| highlights(document, cx, range.clone()));
        let expected: Vec<_> = all
            .iter()
            .filter(|token| token.span.start < range.end && range.start < token.span.end)
            .cloned()
            .collect();
        assert_eq!(part, expected);
    }
}
