//! Hostile input: a located error, in linear time, without a stack overflow.

use super::super::error::SyntaxErrorKind;
use super::super::parse;
use crate::growth;

const MANY: usize = 100_000;

/// Parses, clones and drops; returns the kinds of the errors.
fn kinds(text: &str) -> Vec<SyntaxErrorKind> {
    let template = parse(text, &[]);
    let copy = template.clone();
    assert_eq!(copy, template);
    for error in &template.errors {
        assert!(text.get(error.span.clone()).is_some());
        assert!(error.message.len() < 500, "{}", error.message.len());
    }
    template.errors.into_iter().map(|error| error.kind).collect()
}

#[test]
fn mdl_13_nesting_has_a_limit() {
    let deep = |count: usize| {
        (
            format!("{{{{ {}.x{} }}}}", "(".repeat(count), ")".repeat(count)),
            "{{ if .x }}".repeat(count) + &"{{ end }}".repeat(count),
        )
    };
    for count in [1, 100, 128] {
        let (parentheses, blocks) = deep(count);
        assert_eq!((kinds(&parentheses), kinds(&blocks)), (vec![], vec![]), "{count}");
    }
    for count in [129, MANY] {
        let (parentheses, blocks) = deep(count);
        assert_eq!(kinds(&parentheses), [SyntaxErrorKind::TooDeep], "{count}");
        assert_eq!(kinds(&blocks), [SyntaxErrorKind::TooDeep], "{count}");
    }
    assert_eq!(kinds(&format!("{{{{ {} }}}}", "(".repeat(MANY))), [SyntaxErrorKind::TooDeep]);
    let open = kinds(&"{{ if .x }}".repeat(MANY));
    assert_eq!(open.iter().filter(|kind| **kind == SyntaxErrorKind::TooDeep).count(), 1);
    assert!(open.len() <= 129);
    for opener in [
        "{{ define \"a\" }}",
        "{{ block \"a\" . }}",
        "{{ range .x }}",
        "{{ if .x }}{{ else }}",
        "{{ ((.a)",
    ] {
        assert!(!kinds(&opener.repeat(MANY)).is_empty(), "{opener}");
    }
    // An `else if` follows the one before it rather than nesting in it.
    assert_eq!(
        kinds(&format!("{{{{ if .x }}}}{}{{{{ end }}}}", "{{ else if .y }}".repeat(MANY))),
        []
    );
}

#[test]
fn mdl_13_time_is_linear() {
    let patterns = [
        "{{",
        "{{ ",
        "{",
        "}}",
        "text ",
        "{{.}}",
        "{{ .x ",
        "{{ \"",
        "{{ \"a }}",
        "{{ \\\"x }}",
        "{{ 'a }} ",
        "{{ `",
        "{{ ` ` \n",
        "{{ \"`\\\"\" ` \n",
        "{{/* ",
        "{{/* }}\n",
        "{{/**/ ",
        "{{ (",
        "{{ $a }}",
        "{{ $a := 1 }}",
        "{{ .a-b }}",
        "{{ x }}",
        "{{ .x }\n",
        "{{- -}} \n",
        "{{ .a.",
        "| ",
    ];
    for pattern in patterns {
        growth::is_linear(
            pattern,
            600_000,
            |size| format!("{{{{ .x {}", pattern.repeat(size / pattern.len())),
            |text| {
                let template = parse(&text, &[]);
                assert!(template.errors.len() <= 1200, "{pattern:?}: {}", template.errors.len());
            },
        );
    }
}

#[test]
fn mdl_13_ten_megabytes_are_read() {
    for pattern in ["{{", "text and {{ .x }} more\n", "{{ \"", "{{/* "] {
        let template = parse(&pattern.repeat((10 << 20) / pattern.len()), &[]);
        assert_eq!(template.errors.is_empty(), pattern.starts_with("text"), "{pattern}");
    }
    let names: String =
        (0..50_000).map(|index| format!("{{{{ $v{index} := 1 }}}}{{{{ $v{index} }}}}")).collect();
    assert_eq!(parse(&names, &[]).errors, []);
}
