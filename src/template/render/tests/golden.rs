//! The output of the original renderer for seventy templates, and where this one is deliberately
//! better (MDL-15).

use serde_json::Value;

use super::attempt;

struct Case {
    input: &'static str,
    template: &'static str,
    /// The original's output; `None` if it failed.
    original: Option<&'static str>,
    /// The text, or the start of the message.
    expected: Result<&'static str, &'static str>,
    /// The letter of MDL-15 that explains the difference.
    improvement: Option<char>,
}

const fn same(input: &'static str, template: &'static str, text: &'static str) -> Case {
    Case { input, template, original: Some(text), expected: Ok(text), improvement: None }
}

const fn improved(
    letter: char,
    input: &'static str,
    template: &'static str,
    original: Option<&'static str>,
    text: &'static str,
) -> Case {
    Case { input, template, original, expected: Ok(text), improvement: Some(letter) }
}

const fn refused(input: &'static str, template: &'static str, message: &'static str) -> Case {
    Case { input, template, original: None, expected: Err(message), improvement: None }
}

const CASES: &[Case] = &[
    same(r#"{"n": 15}"#, "{{ .n }}", "15"),
    improved('c', r#"{"n": 1000000}"#, "{{ .n }}", Some("1e+06"), "1000000"),
    same(r#"{"n": 0.1}"#, "{{ .n }}", "0.1"),
    same(r#"{"n": 1e+21}"#, "{{ .n }}", "1e+21"),
    improved('c', r#"{"n": 20999999}"#, "{{ .n }}", Some("2.0999999e+07"), "20999999"),
    improved('a', r#"{"items": ["a", "b"]}"#, r#"{{ join .items ", " }}"#, None, "a, b"),
    same(r#"{"items": [1, 2.5, "x", null, true]}"#, "{{ .items }}", "[1 2.5 x <nil> true]"),
    same(r#"{"o": {"b": 1, "a": "x"}}"#, "{{ .o }}", "map[a:x b:1]"),
    same("{}", "{{ .missing }}", "<no value>"),
    same("{}", "{{ .a.b }}", "<no value>"),
    refused(r#"{"a": "str"}"#, "{{ .a.b }}", "can't evaluate field b in type string"),
    refused("{}", "{{ upper .missing }}", "invalid value; expected string"),
    improved('e', r#"{"x": 5}"#, "{{ upper .x }}", None, "5"),
    same("{}", r#"{{ .missing | default "N/A" }}"#, "N/A"),
    same(r#"{"x": 0}"#, r#"{{ .x | default "N/A" }}"#, "N/A"),
    same(r#"{"x": false}"#, r#"{{ .x | default "N/A" }}"#, "false"),
    same(r#"{"x": {}}"#, r#"{{ .x | default "N/A" }}"#, "map[]"),
    same(r#"{"x": "v"}"#, r#"{{ default .x "N/A" }}"#, "N/A"),
    improved('b', r#"{"x": ["a", "b", "c"]}"#, "{{ .x | slice 0 2 }}", None, "[a b]"),
    refused(
        r#"{"x": ["a", "b", "c"]}"#,
        "{{ slice .x 0 5 }}",
        "error calling slice: index out of range: 5",
    ),
    same(r#"{"x": "héllo"}"#, "{{ slice .x 0 2 }}", "hé"),
    improved('f', r#"{"x": "héllo"}"#, "{{ len .x }}", Some("6"), "5"),
    refused(r#"{"x": 5}"#, "{{ len .x }}", "error calling len: len of type number"),
    refused("{}", "{{ len .missing }}", "error calling len: len of nil pointer"),
    same(r#"{"x": "a,b,c"}"#, r#"{{ join (split .x ",") "\n- " }}"#, "a\n- b\n- c"),
    same(r#"{"x": "a,b,c"}"#, r#"{{ range split .x "," }}[{{ . }}]{{ end }}"#, "[a][b][c]"),
    same(r#"{"x": ["a", "b"]}"#, "{{ range $i, $e := .x }}{{ $i }}={{ $e }};{{ end }}", "0=a;1=b;"),
    same(
        r#"{"x": {"b": 1, "a": 2}}"#,
        "{{ range $k, $v := .x }}{{ $k }}={{ $v }};{{ end }}",
        "a=2;b=1;",
    ),
    same(r#"{"x": ["a"]}"#, "{{ with .x }}{{ index . 0 }}{{ end }}", "a"),
    improved('d', r#"{"x": 1}"#, "{{ if eq .x 1 }}one{{ end }}", None, "one"),
    improved('d', r#"{"x": 1}"#, "{{ if gt .x 0 }}pos{{ end }}", None, "pos"),
    same(r#"{"x": "{{ .y }}", "y": "P"}"#, "{{ .x }}", "{{ .y }}"),
    refused(r#"{"foo-bar": "v"}"#, "{{ .foo-bar }}", "bad character U+002D '-'"),
    same(r#"{"foo-bar": "v"}"#, r#"{{ index . "foo-bar" }}"#, "v"),
    same(r#"{"x": "<b>&\"'"}"#, "{{ .x }}", r#"<b>&"'"#),
    same(r#"{"x": "a"}"#, "{{- .x -}}", "a"),
    refused(r#"{"x": "a"}"#, "{{ nofunc .x }}", r#"function "nofunc" not defined"#),
    refused(r#"{"x": "a"}"#, "{{ .x", "unclosed action"),
    same(r#"{"x": "a"}"#, r#"{{ printf "%q" .x }}"#, r#""a""#),
    same(r#"{"x": "a"}"#, r#"{{ define "t" }}T{{ . }}{{ end }}{{ template "t" .x }}"#, "Ta"),
    same(r#"{"x": "a"}"#, "{{ html .x }}{{ js .x }}{{ urlquery .x }}", "aaa"),
    refused(r#"{"x": 3}"#, "{{ range .x }}.{{ end }}", "range can't iterate over 3"),
    same(r#"{"x": "a"}"#, "{{ $y := .x }}{{ $y }}", "a"),
    refused(r#"{"x": "a"}"#, "{{ break }}", "{{break}} outside {{range}}"),
    same(
        r#"{"name": "xe", "items": ["a"], "debug": true}"#,
        r#"Hello {{ .name | title }}!\n\n{{ if .debug }}\nDebug mode: processing {{ .items | len }} files\n{{ end }}\n{{ len .items }} items"#,
        r#"Hello Xe!\n\n\nDebug mode: processing 1 files\n\n1 items"#,
    ),
    same(r#"{"t": "x"}"#, "mcp**filesystem**read_file {{ .t }}", "mcp**filesystem**read_file x"),
    same(r#"{"x": "b a"}"#, r#"{{ .x | split " " }}"#, "[ ]"),
    same(r#"{"x": "Ünï ß"}"#, "{{ upper .x }} {{ lower .x }} {{ title .x }}", "ÜNÏ ß ünï ß Ünï ß"),
    same(r#"{"x": "a"}"#, "{{ if and .x (not .y) }}ok{{ end }}", "ok"),
    same(r#"{"x": "a"}"#, "{{ if or .y .x }}ok{{ end }}", "ok"),
    same(r#"{"x": ""}"#, "{{ if .x }}t{{ else }}f{{ end }}", "f"),
    same(r#"{"x": []}"#, "{{ if .x }}t{{ else }}f{{ end }}", "f"),
    same(r#"{"x": null}"#, "{{ if .x }}t{{ else }}f{{ end }}", "f"),
    same("{}", "{{ if .x }}t{{ else if .y }}u{{ else }}f{{ end }}", "f"),
    same(r#"{"x": "a"}"#, "{{ .x }}{{ . }}", "amap[x:a]"),
    same(r#"{"x": "a"}"#, r#"{{ print .x 1 "b" 2 3 }}"#, "a1b2 3"),
    same(
        r#"{"x": "a"}"#,
        "{{ `raw` }} {{ 'c' }} {{ 1_000 }} {{ 0x1f }} {{ 1e3 }}",
        "raw 99 1000 31 1000",
    ),
    same(r#"{"x": "a"}"#, "{{ .X }}", "<no value>"),
    refused(r#"{"x": "a"}"#, "{{ }}", "missing value for command"),
    refused(r#"{"x": "a"}"#, "{{ nil }}", "nil is not a command"),
    refused(r#"{"x": "a"}"#, "{{ call .x }}", "error calling call: non-function .x of type string"),
    same(r#"{"x": "a"}"#, r#"{{ block "b" . }}D{{ .x }}{{ end }}"#, "Da"),
    improved(
        'c',
        r#"{"x": 9007199254740993}"#,
        "{{ .x }}",
        Some("9.007199254740992e+15"),
        "9007199254740993",
    ),
    same(r#"{"x": -0.0}"#, "{{ .x }}", "-0"),
    same(r#"{"x": 1e-07}"#, "{{ .x }}", "1e-07"),
    same(r#"{"x": [1, 2]}"#, "{{ len .x }} {{ index .x 0 }}", "2 1"),
    same(r#"{"x": "a"}"#, r#"{{ eq .x "a" "b" }} {{ ne .x "b" }}"#, "true true"),
    same(r#"{"x": true}"#, "{{ eq .x true }} {{ not .x }}", "true false"),
    same(r#"{"x": "y"}"#, "a {{- .x -}} b", "ayb"),
    same(
        r#"{"x": "y"}"#,
        "{{ with $z := .x }}{{ $z }}{{ end }}{{ with .q }}no{{ else }}els{{ end }}",
        "yels",
    ),
];

#[test]
fn mdl_14_output_is_the_same_as_the_originals_or_better() {
    assert_eq!(CASES.len(), 70);
    for case in CASES {
        let input: Value = serde_json::from_str(case.input).unwrap();
        let found = attempt(case.template, &input);
        match case.expected {
            Ok(text) => {
                assert_eq!(found.as_deref(), Ok(text), "{} over {}", case.template, case.input)
            }
            Err(message) => assert!(
                found.as_ref().is_err_and(|found| found.starts_with(message)),
                "{}: {found:?}, not {message}",
                case.template
            ),
        }
        let differs = case.original != case.expected.ok();
        assert_eq!(differs, case.improvement.is_some(), "{} over {}", case.template, case.input);
    }
}

#[test]
fn mdl_15_every_difference_has_its_letter() {
    let mut letters: Vec<char> = CASES.iter().filter_map(|case| case.improvement).collect();
    letters.sort_unstable();
    letters.dedup();
    assert_eq!(letters, ['a', 'b', 'c', 'd', 'e', 'f']);
}
