//! Rendering, feature by feature: MDL-13, 14, 16 and 17.

use super::{check, refuse, rendered};

#[test]
fn mdl_13_branches_and_scopes() {
    check("{{ if .a }}a{{ else if .b }}b{{ else }}c{{ end }}", r#"{"b": 1}"#, "b");
    check(
        "{{ if $x := .a }}{{ $x }}{{ else if $y := .b }}{{ $x }}{{ $y }}{{ end }}",
        r#"{"a": 0, "b": 1}"#,
        "01",
    );
    check(
        "{{ with .a }}{{ .b }}{{ $.c }}{{ else with .c }}{{ . }}{{ else }}{{ .d }}{{ end }}",
        r#"{"c": 3, "d": 4}"#,
        "3",
    );
    check("{{ with .a }}x{{ else }}{{ .d }}{{ end }}", r#"{"d": 4}"#, "4");
    check(
        "{{ $x := 1 }}{{ if true }}{{ $x := 2 }}{{ $x }}{{ $x = 3 }}{{ $x }}{{ end }}{{ $x }}",
        "{}",
        "231",
    );
    check("{{ $x := 1 }}{{ range .l }}{{ $x = . }}{{ end }}{{ $x }}", r#"{"l": [5, 6]}"#, "6");
    check(
        "{{ define \"a\" }}{{ $x := 1 }}{{ $x }}{{ $ }}{{ end }}{{ $x := 2 }}{{ template \"a\" 9 }}{{ $x }}",
        "{}",
        "192",
    );
}

#[test]
fn mdl_13_range() {
    check(
        "{{ range .l }}{{ . }},{{ else }}none{{ end }}",
        r#"{"l": [1, "a", null]}"#,
        "1,a,<no value>,",
    );
    check(
        "{{ range .l }}x{{ else }}none{{ .d }}{{ end }}{{ range .missing }}x{{ else }}-{{ end }}",
        r#"{"l": [], "d": 1}"#,
        "none1-",
    );
    check(
        "{{ range $k, $v := .o }}{{ $k }}={{ $v }} {{ end }}{{ range .o }}{{ . }}{{ end }}",
        r#"{"o": {"b": 2, "é": 3, "B": 1, "a": 0}}"#,
        "B=1 a=0 b=2 é=3 1023",
    );
    check(
        "{{ range $i, $v := .l }}{{ if eq $i 1 }}{{ continue }}{{ end }}{{ if eq $i 3 }}{{ break }}{{ end }}{{ $v }}{{ end }}!",
        r#"{"l": [1, 2, 3, 4, 5]}"#,
        "13!",
    );
    check(
        "{{ range .l }}{{ range . }}{{ with . }}{{ if eq . 2 }}{{ break }}{{ end }}{{ . }}{{ end }}{{ end }};{{ end }}",
        r#"{"l": [[1, 2, 3], [4]]}"#,
        "1;4;",
    );
    check(
        "{{ range 3 }}{{ . }}{{ end }}{{ range $i := 2 }}{{ $i }}{{ end }}{{ range 0 }}x{{ else }}-{{ end }}{{ range len .l }}.{{ end }}",
        r#"{"l": [1, 2]}"#,
        "01201-..",
    );
    check(
        "{{ $i := 9 }}{{ $v := 9 }}{{ range $i, $v = .l }}{{ end }}{{ $i }}{{ $v }}",
        r#"{"l": ["a", "b"]}"#,
        "1b",
    );
    refuse("{{ range .n }}x{{ end }}", r#"{"n": 3}"#, ".n", "range can't iterate over 3");
    refuse(
        "{{ range $x := .s }}x{{ end }}",
        r#"{"s": "a\nb"}"#,
        ".s",
        r#"range can't iterate over "a\nb""#,
    );
    refuse(
        "{{ range $i, $v := 3 }}x{{ end }}",
        "{}",
        "3",
        "can't use 3 to iterate over more than one variable",
    );
}

#[test]
fn mdl_13_templates() {
    check(
        "{{ define \"t\" }}[{{ . }}]{{ end }}{{ template \"t\" .x }}{{ template \"t\" }}",
        r#"{"x": 1}"#,
        "[1][<no value>]",
    );
    check(
        "{{ block \"b\" .x }}({{ . }}{{ template \"c\" }}){{ end }}{{ template \"b\" 2 }}{{ define \"c\" }}c{{ end }}",
        r#"{"x": 1}"#,
        "(1c)(2c)",
    );
    check(
        "{{ define \"n\" }}{{ . }}{{ if lt . 3 }}{{ template \"n\" (len (slice \"xxxx\" 0 (len (printf \"%*s\" . \"\")))) }}{{ end }}{{ end }}",
        "{}",
        "",
    );
    check(
        "{{ define \"t\" }} {{ end }}{{ define \"t\" }}T{{ end }}{{ template \"t\" }}",
        "{}",
        "T",
    );
    check(
        "{{ $y := 0 }}{{ template \"t\" $x := 5 }}{{ $x }}{{ define \"t\" }}{{ . }}{{ end }}",
        "{}",
        "55",
    );
    refuse("{{ template \"no\" . }}", "{}", "\"no\"", "template \"no\" not defined");
    refuse(
        "{{ define \"t\" }}a{{ end }}{{ define \"t\" }}b{{ end }}",
        "{}",
        "\"t\"",
        "multiple definition of template \"t\"",
    );
    // A loop outside a template doesn't count.
    check(
        "{{ define \"t\" }}{{ range . }}{{ break }}{{ end }}t{{ end }}{{ range .l }}{{ template \"t\" $.l }}{{ end }}",
        r#"{"l": [1, 2]}"#,
        "tt",
    );
}

#[test]
fn mdl_13_pipelines_and_arguments() {
    check("{{ .a | printf \"%s-%s\" \"x\" | upper }}", r#"{"a": "b"}"#, "X-B");
    check(
        "{{ (index .l 0).b }}{{ (.o).a.b }}{{ (print \"a\" | upper) }}",
        r#"{"l": [{"b": 1}], "o": {"a": {"b": 2}}}"#,
        "12A",
    );
    check("{{ $x := .o.a }}{{ $x.b }}{{ $.o.a.b }}", r#"{"o": {"a": {"b": 2}}}"#, "22");
    check(
        "{{ and .a .z (index .l 9) }}|{{ or .a (index .l 9) }}|{{ and 1 2 }}|{{ or 0 \"\" }}|{{ 1 | and 0 }}",
        r#"{"a": 1, "z": 0}"#,
        "0|1|2||0",
    );
    check("{{- /* c */ -}} a {{- \" b \" -}} c {{ `x` }}", "{}", "a b c x");
    refuse(
        "{{ upper .a .b }}",
        "{}",
        "upper .a .b",
        "wrong number of args for upper: want 1 got 2",
    );
    refuse("{{ .a | default }}", "{}", "default", "wrong number of args for default: want 2 got 1");
    refuse("{{ and }}", "{}", "and", "wrong number of args for and: want at least 1 got 0");
    refuse("{{ print len }}", "{}", "len", "wrong number of args for len: want 1 got 0");
    refuse("{{ slice }}", "{}", "slice", "wrong number of args for slice: want 1 to 4 got 0");
    refuse("{{ .a 1 }}", "{}", "a", "a is not a method but has arguments");
    refuse("{{ 1 2 }}", "{}", "1", "can't give argument to non-function 1");
    refuse("{{ (print) 2 }}", "{}", "(print)", "can't give argument to non-function (print)");
    refuse("{{ nil }}", "{}", "nil", "nil is not a command");
    refuse(
        "{{ call .f }}",
        r#"{"f": "x"}"#,
        "call .f",
        "error calling call: non-function .f of type string",
    );
    refuse(
        "{{ 9223372036854775808 }}",
        "{}",
        "9223372036854775808",
        "9223372036854775808 overflows int",
    );
}

#[test]
fn mdl_14_the_examples_of_the_specification() {
    let greet = "Hello {{ .name | title }}!\n\n{{ if .debug }}\nDebug mode: processing {{ .items | len }} files\n{{ end }}\n\nYou have {{ len .items }} items:\n{{ join .items \"\\n- \" }}";
    let input = r#"{"name": "ann lee", "items": ["a", "b"], "debug": true}"#;
    check(
        greet,
        input,
        "Hello Ann Lee!\n\n\nDebug mode: processing 2 files\n\n\nYou have 2 items:\na\n- b",
    );
    check(greet, r#"{"name": "ann", "items": []}"#, "Hello Ann!\n\n\n\nYou have 0 items:\n");
    check(
        "Calculate the mean and median of {{ .numbers }}.",
        r#"{"numbers": [1, 2.5, 1000000]}"#,
        "Calculate the mean and median of [1 2.5 1000000].",
    );
    check(
        "Fetches {{ .url }}. Format: {{ .format | default \"json\" }}.",
        r#"{"url": "https://a.b/?c&d"}"#,
        "Fetches https://a.b/?c&d. Format: json.",
    );
    check(
        "{{ upper .name }} {{ lower .name }} {{ split .text \",\" }}",
        r#"{"name": "Ann", "text": "a,b"}"#,
        "ANN ann [a b]",
    );
    check(
        "For each number from {{ .start }} to {{ .end }}",
        r#"{"start": 1, "end": 15}"#,
        "For each number from 1 to 15",
    );
}

#[test]
fn mdl_14_index_and_its_errors() {
    let input = r#"{"l": [[1], null], "o": {"a-b": {"c": 2}}, "s": "hé"}"#;
    check(
        "{{ index .l 0 0 }}{{ index .o \"a-b\" \"c\" }}{{ index .o \"no\" }}{{ index .s 1 }}{{ index .l }}",
        input,
        "12<no value>195[[1] <nil>]",
    );
    refuse("{{ index .l 5 }}", input, "index .l 5", "error calling index: index out of range: 5");
    refuse("{{ index .l 2 }}", input, "index .l 2", "error calling index: index out of range: 2");
    refuse(
        "{{ index .l -1 }}",
        input,
        "index .l -1",
        "error calling index: index out of range: -1",
    );
    refuse("{{ index .s 3 }}", input, "index .s 3", "error calling index: index out of range: 3");
    refuse(
        "{{ index .l \"a\" }}",
        input,
        "index .l \"a\"",
        "error calling index: cannot index list with type string",
    );
    refuse(
        "{{ index .o 1 }}",
        input,
        "index .o 1",
        "error calling index: value has type number; should be string",
    );
    refuse(
        "{{ index .l 1 0 }}",
        input,
        "index .l 1 0",
        "error calling index: index of nil pointer",
    );
    refuse("{{ index .no 0 }}", input, "index .no 0", "error calling index: index of untyped nil");
    refuse(
        "{{ index 1 0 }}",
        input,
        "index 1 0",
        "error calling index: can't index item of type number",
    );
}

#[test]
fn mdl_14_default_replaces_empty_values_but_not_false() {
    for (value, expected) in [
        ("null", "d"),
        ("\"\"", "d"),
        ("0", "d"),
        ("0.0", "d"),
        ("[]", "d"),
        ("false", "false"),
        ("{}", "map[]"),
        ("\"v\"", "v"),
        ("1", "1"),
    ] {
        check("{{ .x | default \"d\" }}", &format!("{{\"x\": {value}}}"), expected);
    }
    check("{{ .x | default \"d\" }}{{ default .x \"v\" }}", "{}", "dv");
}

#[test]
fn mdl_14_comparisons() {
    check(
        "{{ eq .a \"x\" \"a\" }} {{ eq .n nil }} {{ eq .no nil }} {{ ne .a nil }} {{ eq .l nil }}",
        r#"{"a": "a", "n": null, "l": []}"#,
        "true true true true false",
    );
    check(
        "{{ lt \"a\" \"b\" }} {{ ge \"é\" \"z\" }} {{ eq true true }} {{ not .l }}",
        r#"{"l": []}"#,
        "true true true true",
    );
    refuse(
        "{{ eq .l .l }}",
        r#"{"l": []}"#,
        "eq .l .l",
        "error calling eq: non-comparable type list",
    );
    refuse(
        "{{ lt true false }}",
        "{}",
        "lt true false",
        "error calling lt: invalid type for comparison: boolean",
    );
    refuse(
        "{{ lt .no 1 }}",
        "{}",
        "lt .no 1",
        "error calling lt: invalid type for comparison: no value",
    );
    refuse(
        "{{ eq .l \"a\" }}",
        r#"{"l": []}"#,
        "eq .l \"a\"",
        "error calling eq: incompatible types for comparison: list and string",
    );
}

#[test]
fn mdl_16_missing_values_print_no_value_and_are_reported() {
    let found = rendered(
        "{{ .a }} {{ .z }} {{ .a.b.c }} {{ html .a }} {{ range .l }}{{ .x }}{{ end }}{{ print .a }}",
        r#"{"z": null, "l": [{}, {"x": null}]}"#,
    );
    assert_eq!(
        found.text,
        "<no value> <no value> <no value> &lt;no value&gt; <no value><no value><nil>"
    );
    assert_eq!(found.missing, [3..5, 12..14, 21..27, 39..41, 62..64]);
    assert!(
        rendered("{{ .l }}{{ with .z }}{{ else }}-{{ end }}", r#"{"l": [null], "z": null}"#)
            .missing
            .is_empty()
    );
}

#[test]
fn mdl_16_fields_of_null_and_of_non_objects_are_missing() {
    refuse("{{ .z.b }}", r#"{"z": null}"#, "b", "can't evaluate field b in type null");
    refuse(
        "{{ range .l }}{{ .b }}{{ end }}",
        r#"{"l": [null]}"#,
        "b",
        "can't evaluate field b in type null",
    );
    refuse("{{ .a.b.c }}", r#"{"a": {"b": "str"}}"#, "c", "can't evaluate field c in type string");
    refuse("{{ .l.b }}", r#"{"l": []}"#, "b", "can't evaluate field b in type list");
    // A pipeline passes null on as a missing value.
    check("{{ (.z).b }}{{ $x := .z }}{{ $x.b }}", r#"{"z": null}"#, "<no value><no value>");
}

#[test]
fn mdl_17_values_are_never_read_as_templates() {
    let input = r#"{"x": "{{ .y }}{{ end }}{{", "y": "secret", "k": {"{{ .y }}": 1}}"#;
    check(
        "{{ .x }}|{{ print .x }}|{{ printf .x }}|{{ .k }}",
        input,
        "{{ .y }}{{ end }}{{|{{ .y }}{{ end }}{{|{{ .y }}{{ end }}{{|map[{{ .y }}:1]",
    );
    check(
        "{{ index .k .x | printf \"%v\" }}{{ range $k, $v := .k }}{{ $k }}{{ end }}",
        input,
        "<nil>{{ .y }}",
    );
    // Keys are looked up verbatim; the original takes `a b` for `ab`.
    check("{{ index . \"a b\" }} {{ .ab }}", r#"{"a b": 1}"#, "1 <no value>");
}
