//! Templates that Go parses, and the errors of those that it doesn't.

use super::super::parse;
use crate::template::error::SyntaxErrorKind;
use crate::text::Span;

/// Go parses these.
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
fn mdl_13_valid_templates_have_no_errors() {
    for text in GOOD {
        let text = text.replace("{{ range $v = .x }}", "{{ $v := 1 }}{{ range $v = .x }}");
        let template = parse(&text, &[]);
        assert_eq!(template.errors, [], "{text}");
    }
}

/// The text without its markers, and the spans between `«` and `»`.
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

/// Templates with markers at their errors, and how their messages begin.
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
    // Unclosed actions, with words being typed in them.
    ("{{ .a }} «{{ .us»\nmore {{ .b }}", &["unclosed action"]),
    ("«{{ .name», welcome to the club\n{{ .x }}", &["unclosed action"]),
    ("«{{ .a | uppe»", &["unclosed action"]),
    ("«{{ range $i,»\n{{ .x }}{{ end }}", &["unclosed action"]),
    ("«{{ printf \"%s and»\n{{ .x }}", &["unclosed action"]),
    ("«{{ `raw»\n{{ .x }}", &["unclosed action"]),
    ("«{{ .a» {{ .b }} «{{ .c»", &["unclosed action", "unclosed action"]),
    ("«{{ .x»\nAnswer as {\"a\": {\"b\": 1}} please.", &["unclosed action"]),
    ("{{ range .x }}«{{ if .y»\n{{ end }}{{ .z }}", &["unclosed action"]),
    ("{{ if .x }}«{{ else»\n{{ .a }}{{ end }}", &["unclosed action"]),
    ("{{ if .x }}«{{ end»", &["unclosed action"]),
    ("«{{/* c {{ .x }}»", &["unclosed comment"]),
    ("{{/* c */« »}}", &["comment ends before closing delimiter"]),
    ("{{ «/»* c */ }}", &["unexpected \"/\" in command"]),
    // Missing or extra braces.
    ("{{«{» .x }}}", &["unexpected \"{\" in command"]),
    ("{{ .x «}» }}", &["unexpected \"}\" in operand"]),
    // Blocks.
    ("«{{ range .a }}»{{ if .x }}x{{ end }}", &["unexpected EOF"]),
    ("«{{ with .a }}»«{{ if .x }}»x", &["unexpected EOF", "unexpected EOF"]),
    ("«{{ if .a }}»x{{ define \"d\" }}y{{ end }}", &["unexpected EOF"]),
    ("{{ if .a }}{{ «define» \"d\" }}y{{ end }}{{ end }}", &["unexpected <define> in command"]),
    ("«{{ define \"d\" }}»y", &["unexpected EOF"]),
    ("{{ define \"d\" }}«{{ else }}»{{ end }}", &["unexpected {{else}} in define clause"]),
    (
        "{{ if .a }}{{ else }}{{ $x := 1 }}«{{ else }}»{{ $x }}{{ end }}",
        &["expected end; found {{else}}"],
    ),
    ("{{ range .a }}{{ else «if» .b }}{{ end }}", &["unexpected <if> in input"]),
    ("{{ with .a }}{{ else «if» .b }}{{ end }}", &["unexpected <if> in input"]),
    ("{{ if .a }}{{ else «with» .b }}{{ end }}", &["unexpected <with> in input"]),
    ("{{ if .a }}{{ else «.b» }}{{ end }}", &["unexpected \".b\" in else"]),
    ("{{ if .a }}{{ end «.b» }}", &["unexpected \".b\" in end"]),
    ("{{ range .a }}{{ else }}«{{ break }}»{{ end }}", &["{{break}} outside {{range}}"]),
    (
        "{{ range .a }}{{ block \"b\" . }}«{{ continue }}»{{ end }}{{ end }}",
        &["{{continue}} outside {{range}}"],
    ),
    ("{{ range .a }}{{ break «1» }}{{ end }}", &["unexpected \"1\" in {{break}}"]),
    ("{{ define «}}»{{ end }}", &["unexpected \"}}\" in define clause"]),
    ("{{ template «.x» }}", &["unexpected \".x\" in template clause"]),
    ("{{ «block» \"b\" }}{{ end }}", &["missing value for block clause"]),
    // Pipelines, most of them being typed.
    ("{{ $x «:=» }}{{ $x }}", &["missing value for command"]),
    ("{{ range $i«,» }}{{ end }}", &["missing value for range"]),
    ("{{ range $i, «.x» }}{{ end }}", &["range can only initialize variables"]),
    ("{{ $a«,» $b := 1 }}", &["too many declarations in command"]),
    ("{{ upper «()» }}", &["missing value for parenthesized pipeline"]),
    ("{{ .x | «|» upper }}", &["unexpected \"|\" in command"]),
    ("{{ «|» upper }}", &["unexpected \"|\" in command"]),
    ("{{ index .x«,» 0 }}", &["unexpected \",\" in operand"]),
    ("{{ .x «:=» 1 }}", &["unexpected \":=\" in operand"]),
    ("{{ .x «=» 1 }}", &["unexpected \"=\" in operand"]),
    ("{{ \"a\"«\"b\"» }}", &["unexpected \"\\\"b\\\"\" in operand"]),
    ("{{ $x := .x }}{{ $x«.» }}", &["unexpected <.> in operand"]),
    ("{{ .a«.».b }}", &["unexpected <.> in operand"]),
    ("{{ \"a\"«.b» }}", &["unexpected . after term \"\\\"a\\\"\""]),
    ("{{ .«.x» }}", &["unexpected . after term \".\""]),
    ("{{ .x | «1» }}", &["non executable command in pipeline stage 2"]),
    ("{{ .x | upper | «.» }}", &["non executable command in pipeline stage 3"]),
    ("{{ upper «if» }}", &["unexpected <if> in operand"]),
    // Words.
    ("{{ .x«!» }}", &["bad character U+0021 '!'"]),
    ("{{ .user.first«-»name.x }}", &["bad character U+002D '-'"]),
    ("{{ .a«-»b-c.d-e }}", &["bad character U+002D '-'"]),
    ("{{ «🦆» }}", &["unrecognized character in action: U+1F986 '🦆'"]),
    ("{{ «:» }}", &["expected :="]),
    ("{{ «1__0» }}", &["illegal number syntax: \"1__0\""]),
    ("{{ «1x» }}", &["bad number syntax: \"1x\""]),
    ("{{ 3 «-» 1 }}", &["illegal number syntax: \"-\""]),
    ("{{ «08» }}", &["integer overflow: \"08\""]),
    ("{{ \"a«\\q»b\" }}", &["invalid syntax"]),
    ("{{ «'ab'» }}", &["malformed character constant: \"'ab'\""]),
    ("{{ «'a» }}", &["unterminated character constant"]),
    ("{{ upper «\"abc» }} and {{ lower \"x\" }}", &["unterminated quoted string"]),
    ("{{ upper «`abc» }}\n", &["unterminated raw quoted string"]),
    (
        "{{ «uper» .x | «lowr» }}",
        &["function \"uper\" not defined", "function \"lowr\" not defined"],
    ),
    // Variables.
    ("{{ if $x := 1 }}{{ end }}{{ «$x» }}", &["undefined variable \"$x\""]),
    ("{{ if .a }}{{ $x := 1 }}{{ else }}{{ «$x» }}{{ end }}", &["undefined variable \"$x\""]),
    ("{{ $x := 1 }}{{ define \"d\" }}{{ «$x» }}{{ end }}", &["undefined variable \"$x\""]),
    ("{{ «$x» = 1 }}{{ $x }}", &["undefined variable \"$x\""]),
    ("{{ $x := «$x» }}", &["undefined variable \"$x\""]),
    ("{{ «$x».y }}", &["undefined variable \"$x\""]),
];

#[test]
fn mdl_13_an_error_is_reported_once_at_its_characters() {
    let variants: [fn(&str) -> String; 5] = [
        str::to_owned,
        |text| text.replace('\n', "\r\n"),
        |text| format!("\u{feff}{text}"),
        |text| format!("日本 🦆 e\u{301}\t{text}"),
        |text| format!("{{{{ .x }}}}\n\n{text}\n\n日本"),
    ];
    let mut wrong = Vec::new();
    for (text, messages) in WRONG {
        for variant in variants {
            let (text, spans) = marked(&variant(text));
            let errors = parse(&text, &[]).errors;
            let found: Vec<_> = errors
                .iter()
                .map(|error| (text.get(error.span.clone()).unwrap(), error.message.as_str()))
                .collect();
            let places = errors.iter().map(|error| error.span.clone()).eq(spans);
            let said = found.len() == messages.len()
                && found
                    .iter()
                    .zip(*messages)
                    .all(|((_, found), expected)| found.starts_with(expected));
            if !places || !said {
                wrong.push(format!("{text:?}: {found:?}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn mdl_13_actions_may_span_lines() {
    for text in [
        "{{\n range $i, $f := .files\n}}{{ $i }}{{\r\n else }}{{\nend }}",
        "{{\nif .a }}{{\nelse if .b }}{{\nelse\nif .c }}{{ end }}",
        "{{\n  block \"x\" .\n}}{{\nend\n}}{{\ntemplate \"x\" . }}",
        "{{ .a |\n  default\n  \"x\"\n}}",
    ] {
        assert_eq!(parse(text, &[]).errors, [], "{text}");
    }
    // Text after unclosed braces is still text.
    let unclosed = parse("{{ .a\n\nUse range, if, and the like: }}", &[]);
    assert!(unclosed.errors.iter().all(|error| error.span.end < 8), "{:?}", unclosed.errors);
}

#[test]
fn a_comment_before_an_unclosed_one_stays_closed_when_a_guess_was_wrong() {
    let text = "{{ if .a }}{{/* c */}}x{{ endif }}{{/* un }} {{ end }}";
    let errors = super::super::parse(text, &[]).errors;
    let unclosed: Vec<Span> = errors
        .into_iter()
        .filter(|error| error.kind == SyntaxErrorKind::UnclosedComment)
        .map(|error| error.span)
        .collect();
    assert_eq!(unclosed.len(), 1, "{unclosed:?}");
    assert_eq!(unclosed[0].start, text.find("{{/* un").unwrap());
}
