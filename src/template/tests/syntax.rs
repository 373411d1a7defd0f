//! Templates that Go reads, and what is said of those that it does not read.

use super::super::parse;
use crate::text::Span;

/// What Go reads.
const GOOD: &[&str] = &[
    "",
    "text only } {",
    "{{ .x }}{{.}}{{ $ }}{{ $.x.y }}",
    "a {{- .x -}} b{{-3}}{{- 3 -}}",
    "{{- /* a */ -}} b {{/* {{ }} \n */}}",
    "{{ .a.b.c | upper | printf \"%s %s\" .d }}",
    "{{ (index .items 0).name.first }}{{ (.a).b }}{{ ((.a)) }}",
    "{{ `raw }} {{\n` }} {{ 'c' }} {{ '\\'' }} {{ 1_000 }} {{ 0x1f }} {{ 1e3 }} {{ 0x1p-2 }} {{ 0b1 }} {{ 0o7 }} {{ 2i }} {{ 1+2i }} {{ -.5 }}",
    "{{ $x := 1 }}{{ $x = 2 }}{{ $x }}{{ ($y := 3) }}{{ $y }}",
    "{{ if .x }}a{{ else if .y }}b{{ else }}c{{ end }}",
    "{{ if $x := .x }}{{ $x }}{{ else if $y := .y }}{{ $x }}{{ $y }}{{ else }}{{ $x }}{{ $y }}{{ end }}",
    "{{ with .x }}a{{ else with .y }}b{{ else }}c{{ end }}",
    "{{ range .x }}{{ break }}{{ continue }}{{ else }}none{{ end }}",
    "{{ range $i, $v := .x }}{{ $i }}{{ if $v }}{{ break }}{{ end }}{{ end }}{{ range $i := .x }}{{ end }}{{ range $v = .x }}{{ end }}",
    "{{ define \"t\" }}T{{ . }}{{ end }}{{ template \"t\" .x }}{{ template `t` }}{{ block \"b\" . }}{{ $ }}{{ end }}",
    "{{ printf\n\t\"%s\"\n\t.x\n}}",
    "{{ .x | }}",
    "{{ nil }}{{ true }}{{ upper.x }}{{ eq nil nil }}",
    "{{ .日本 }}{{ .é1_ }}",
];

#[test]
fn mdl_13_what_go_reads_is_read_without_a_word() {
    for text in GOOD {
        let text = text.replace("{{ range $v = .x }}", "{{ $v := 1 }}{{ range $v = .x }}");
        let template = parse(&text, &[]);
        assert_eq!(template.errors, [], "{text}");
    }
}

/// The text without its marks, and the spans between `«` and `»`.
fn marked(text: &str) -> (String, Vec<Span>) {
    let (mut plain, mut spans, mut open) = (String::new(), Vec::new(), Vec::new());
    for character in text.chars() {
        match character {
            '«' => open.push(plain.len()),
            '»' => spans.push(open.pop().unwrap()..plain.len()),
            other => plain.push(other),
        }
    }
    spans.sort_by_key(|span| (span.start, span.end));
    (plain, spans)
}

/// Templates with marks at their mistakes, and how what is said of these begins.
const WRONG: &[(&str, &[&str])] = &[
    ("a «{{ .us»\nb {{ .x }}", &["unclosed action"]),
    ("a «{{ .us» and so on\nb", &["unclosed action"]),
    ("«{{ .x }» and {{ .y }}", &["unclosed action"]),
    ("«{{»", &["unclosed action"]),
    ("«{{ if .x» \n{{ .y }}", &["unclosed action"]),
    ("«{{ }}»", &["missing value for command"]),
    ("{{ «if» }}x{{ end }}", &["missing value for if"]),
    ("«{{ if .x }}»x{{ .y }}", &["unexpected EOF"]),
    ("{{ .user«.» }}", &["unexpected <.> in operand"]),
    ("{{ «uper» .x }}", &["function \"uper\" not defined"]),
    ("{{ .foo«-»bar }}", &["bad character U+002D '-'"]),
    ("{{ «$x» }}", &["undefined variable \"$x\""]),
    ("«{{ end }}»", &["unexpected {{end}}"]),
    ("«{{ else }}»", &["unexpected {{else}}"]),
    ("«{{ break }}»", &["{{break}} outside {{range}}"]),
    ("{{ «(»upper .x }}", &["unclosed left paren"]),
    ("{{ upper .x «)» }}", &["unexpected right paren U+0029 ')'"]),
    ("{{ upper «\"abc» }}", &["unterminated quoted string"]),
    ("{{ .x | «nil» }}", &["non executable command in pipeline stage 2"]),
    ("{{ «@» }}", &["unexpected \"@\" in command"]),
];

#[test]
fn mdl_13_a_mistake_is_said_once_at_its_characters() {
    for (text, messages) in WRONG {
        let (text, spans) = marked(text);
        let errors = parse(&text, &[]).errors;
        let found: Vec<_> = errors.iter().map(|error| (error.span.clone(), error.message.as_str())).collect();
        assert_eq!(found.iter().map(|(span, _)| span.clone()).collect::<Vec<_>>(), spans, "{text}: {found:?}");
        for ((_, found), expected) in found.iter().zip(*messages) {
            assert!(found.starts_with(expected), "{text}: {found} is not {expected}");
        }
    }
}
