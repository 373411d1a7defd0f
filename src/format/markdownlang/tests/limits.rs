//! Long and deep programs: checked in linear time, and without a stack overflow.

use super::*;
use crate::growth;

fn with_input(input: &str, body: &str) -> String {
    format!("---\nname: a\ndescription: a\ninput: {input}\n{OUTPUT}---\n{body}\n")
}

fn listed(count: usize, item: impl Fn(usize) -> String) -> String {
    (0..count).map(item).collect()
}

#[test]
fn long_programs_are_checked_in_linear_time() {
    type Shape = (&'static str, usize, fn(usize) -> String);
    const ENUM: fn(usize) -> String = |count| {
        let values = listed(count, |number| format!("v{number}, "));
        format!(
            "{{ type: object, properties: {{ a: {{ type: string, enum: [{values}] }} }}, required: [a] }}"
        )
    };
    let shapes: &[Shape] = &[
        ("names in a chain", 8000, |count| {
            let input = "{ type: object, properties: { x: { type: string } } }";
            with_input(input, &format!("{{{{ .a{} }}}}", ".b".repeat(count)))
        }),
        ("else if of undeclared names", 4000, |count| {
            let arms = listed(count, |number| format!("{{{{ else if .a{number} }}}}x"));
            let input = "{ type: object, properties: { x: { type: string } } }";
            with_input(input, &format!("{{{{ if .x }}}}{arms}{{{{ end }}}}"))
        }),
        ("one comparison with an enum", 16_000, |count| {
            with_input(&ENUM(count), "{{ if eq .a \"v1\" }}x{{ end }}")
        }),
        ("comparisons with an enum", 2000, |count| {
            let each = |number| format!("{{{{ if eq .a \"v{number}\" }}}}x{{{{ end }}}}");
            with_input(&ENUM(count), &listed(count, each))
        }),
        ("else if of an enum", 2000, |count| {
            let each = |number| format!("{{{{ else if eq .a \"v{number}\" }}}}x");
            let arms = listed(count, each);
            with_input(&ENUM(count), &format!("{{{{ if eq .a \"v0\" }}}}{arms}{{{{ end }}}}"))
        }),
        ("tools of servers", 4000, |count| {
            let servers =
                listed(count, |number| format!("  - {{ name: s{number}, command: x }}\n"));
            let tools = listed(count, |number| format!("mcp__s{number}__tool "));
            with_input("{ type: object }", &tools).replacen(
                "---\n",
                &format!("---\nmcp_servers:\n{servers}"),
                1,
            )
        }),
        ("variables that take each other's values", 500, |count| {
            let each = "{{ if .x }}{{ $x = $y }}{{ else }}{{ $y = $x }}{{ end }}";
            let input = "{ type: object, properties: { x: { type: string } } }";
            let body = format!("{{{{ $x := .a }}}}{{{{ $y := .b }}}}{}", each.repeat(count));
            with_input(input, &format!("{body}{{{{ $x.c }}}}"))
        }),
        ("variables that are their own elements", 100, |count| {
            let each = "{{ range $x }}{{ $x = . }}{{ end }}";
            let body = format!("{{{{ $x := .a }}}}{}{{{{ $x.c }}}}", each.repeat(count));
            with_input("{ type: object, properties: { x: { type: string } } }", &body)
        }),
        ("values or themselves", 2000, |count| {
            let body = format!("{{{{ $x := .a }}}}{}", "{{ $x = or $x $x }}".repeat(count));
            with_input(
                "{ type: object, properties: { x: { type: string } } }",
                &format!("{body}{{{{ $x.c }}}}"),
            )
        }),
        ("servers of one name", 4000, |count| {
            let servers = listed(count, |number| {
                format!("  - {{ name: s, command: x }}\n  - {{ name: s-{number}, command: x }}\n")
            });
            with_input("{ type: object }", "x").replacen(
                "---\n",
                &format!("---\nmcp_servers:\n{servers}"),
                1,
            )
        }),
    ];
    for (what, size, shape) in shapes {
        growth::is_linear(what, *size, shape, |text| drop(findings(&text)));
    }
}

#[test]
fn deep_programs_do_not_overflow_the_stack() {
    const DEEP: usize = 20_000;
    let around = |open: &str, close: &str| format!("{}x{}", open.repeat(DEEP), close.repeat(DEEP));
    let input = "{ type: object, properties: { x: { type: string } } }";
    let body = |body: String| with_input(input, &body);
    let nested = |open: &str, close: &str| with_input(&around(open, close), "{{ .x }}");
    for text in [
        body(format!("{{{{ .a{} }}}}", ".b".repeat(DEEP))),
        body(format!("{{{{ $x := .a }}}}{{{{ $x{} }}}}", ".b".repeat(DEEP))),
        body(format!("{{{{ (.a){} }}}}", ".b".repeat(DEEP))),
        body(format!("{{{{ index .a{} }}}}", " \"b\"".repeat(DEEP))),
        body(format!("{{{{ {} }}}}", around("(", ").b").replace('x', ".x"))),
        body(format!("{{{{ .x {} }}}}", "| default .y ".repeat(DEEP))),
        body(around("{{ with .a }}", "{{ end }}")),
        body(format!("{{{{ if .x }}}}{}{{{{ end }}}}", "{{ else if .y }}".repeat(DEEP))),
        body(format!("{{{{ with .x }}}}{}{{{{ end }}}}", "{{ else with .y }}".repeat(DEEP))),
        nested("{ properties: { x: ", "} }"),
        nested("[", "]"),
        nested("{ not: ", "}"),
        with_input(input, "x").replacen(
            "---\n",
            &format!("---\nsample: {}\n", around("[", "]")),
            1,
        ),
        with_input(input, "x").replacen("---\n", &format!("---\nx: {}\n", "- ".repeat(DEEP)), 1),
    ] {
        findings(&text);
    }
}
