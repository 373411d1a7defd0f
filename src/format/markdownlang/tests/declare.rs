//! The fix that declares a field of the input.

use proptest::prelude::*;
use std::collections::BTreeSet;

use super::*;

const INPUT: &str = "input: { type: object, properties: { e: { type: string }, n: { type: integer }, l: { type: array, items: { type: string } }, p: { type: array, items: { type: object, properties: { q: { type: string } }, required: [q] } } }, required: [e, n, l, p] }\n";

/// Uses of an undeclared field.
const USES: &[&str] = &[
    "{{ .b }}",
    "{{ printf \"%d\" .b }}",
    "{{ printf \"%5.2f\" .b }}",
    "{{ printf \"%t\" .b }}",
    "{{ printf \"%s: %d\" .e .b }}",
    "{{ if gt .b 3 }}x{{ end }}",
    "{{ if lt 2.5 .b }}x{{ end }}",
    "{{ if eq .b true }}x{{ end }}",
    "{{ if eq .b 3 }}x{{ end }}",
    "{{ if eq .b \"x\" \"y\" }}x{{ end }}",
    "{{ if .b }}x{{ end }}",
    "{{ if and .b .c }}x{{ end }}",
    "{{ range .b }}{{ .name }}{{ end }}",
    "{{ range $x := .b }}{{ $x.name }}{{ end }}",
    "{{ range $i, $x := .b }}{{ $i }}{{ $x.name }}{{ end }}",
    "{{ range $k, $v := .b }}{{ split $k \",\" }}{{ $v }}{{ end }}",
    "{{ range .b }}{{ range . }}{{ . }}{{ end }}{{ end }}",
    "{{ range .b }}{{ if . }}x{{ else }}y{{ end }}{{ end }}",
    "{{ range .p }}{{ .c }}{{ .q }}{{ range .b }}{{ .n }}{{ end }}{{ end }}",
    "{{ with .b }}{{ .name }}{{ end }}",
    "{{ with .b }}{{ range . }}{{ .q }}{{ end }}{{ end }}",
    "{{ with .b }}{{ . }}{{ end }}",
    "{{ if .b }}{{ .b.name }}{{ end }}",
    "{{ .b.name }}",
    "{{ .b.c.d }}",
    "{{ range $x := .b.rows }}{{ $x.v }}{{ end }}",
    "{{ $x := .b }}{{ $x.name }}",
    "{{ $x := .c }}{{ if .n }}{{ $x = .b }}{{ end }}{{ $x.name }}",
    "{{ index .b 0 }}",
    "{{ (index .b 0).name }}",
    "{{ index .b \"k\" }}",
    "{{ index .b .e }}",
    "{{ index .b .n }}",
    "{{ index .b .c }}",
    "{{ index .l .b }}",
    "{{ len .b }}",
    "{{ if ge (len .b) 2 }}{{ slice .b 0 2 }}{{ end }}",
    "{{ join .b \", \" }}",
    "{{ slice .b 0 2 }}",
    "{{ range slice .b 1 }}{{ .name }}{{ end }}",
    "{{ slice .l 0 .b }}",
    "{{ .b | upper }}",
    "{{ not .b }}",
    "{{ lt .b .n }}",
    "{{ eq .b .n }}",
    "{{ eq .b .e }}",
    "{{ eq .b .c }}",
    "{{ lt .b .c }}",
    "{{ default 5 .b }}",
    "{{ .b | default true }}",
    "{{ (default .c .b).name }}",
    "{{ range or .b .l }}{{ . }}{{ end }}",
    "{{ range or .b .c }}{{ .name }}{{ end }}",
    "{{ upper (or .b \"x\") }}",
    "{{ gt (len .b) 2 }}",
    "{{ json .b }}",
    "{{ html .b }}",
    "{{ split .b \",\" }}",
    "{{ template \"t\" .b }}{{ define \"t\" }}{{ .name }}{{ end }}",
];

fn with_body(body: &str) -> String {
    format!("---\nname: greet\ndescription: Greets a person\n{INPUT}{OUTPUT}---\n\n{body}\n")
}

/// The rules of the findings in `text`, and the marked characters.
fn named(text: &str, findings: &[Diagnostic]) -> BTreeSet<String> {
    let others = findings.iter().filter(|finding| !finding.rule.code.contains("unused"));
    others
        .map(|finding| format!("{}: {}", finding.rule.code, &text[finding.span.clone()]))
        .collect()
}

fn unknown(findings: &[Diagnostic]) -> usize {
    findings.iter().filter(|finding| finding.rule.code == "markdownlang/unknown-variable").count()
}

/// Every fix that declares a field removes its finding, and adds no other.
fn declares(body: &str) -> usize {
    let text = with_body(body);
    let found = findings(&text);
    let before = named(&text, &found);
    let fixes = found.iter().flat_map(|finding| &finding.fixes);
    let fixes = fixes.filter(|fix| fix.title.starts_with("Declare"));
    let mut count = 0;
    for fix in fixes {
        count += 1;
        let declared = apply(&text, &fix.edits).unwrap();
        let left = findings(&declared);
        let after = named(&declared, &left);
        let new: Vec<_> = after.difference(&before).collect();
        assert!(
            new.is_empty() && unknown(&left) < unknown(&found),
            "{declared}\n{new:#?}\n{after:#?}"
        );
    }
    count
}

#[test]
fn mdl_18_a_declaration_fits_every_use() {
    for body in USES {
        let is_followed = !body.contains("template");
        assert_eq!(declares(body) > 0, is_followed, "{body}");
    }
    // Nothing fits both.
    assert_eq!(declares("{{ upper .b }}{{ range .b }}{{ . }}{{ end }}"), 0);
    assert_eq!(declares("{{ upper .b }}\n\n# More\n\n{{ range .b }}{{ . }}{{ end }}"), 0);
}

#[test]
fn mdl_18_a_declaration_has_the_type_of_its_use() {
    for (body, expected) in [
        ("{{ .b }}", "b: { type: string }"),
        ("{{ if .b }}x{{ end }}", "b: { type: boolean }"),
        ("{{ if gt .b 3 }}x{{ end }}", "b: { type: integer }"),
        ("{{ lt .b .c }}", "b: { type: number }"),
        ("{{ len .b }}", "b: { type: array, items: { type: string } }"),
        ("{{ index .b 1 }}", "b: { type: array, items: { type: string }, minItems: 2 }"),
        ("{{ index .b .e }}", "b: { type: object, additionalProperties: { type: string } }"),
        (
            "{{ range .b }}{{ .a }}{{ printf \"%d\" .m }}{{ end }}",
            "b: { type: array, items: { type: object, properties: { a: { type: string }, m: { type: integer } }, required: [a, m] } }",
        ),
        ("{{ .b }}\n\n# More\n\n{{ printf \"%d\" .b }}", "b: { type: integer }"),
    ] {
        let text = with_body(body);
        let found = findings(&text);
        let fixes = found.iter().flat_map(|finding| &finding.fixes);
        let fix = fixes.into_iter().find(|fix| fix.title.starts_with("Declare `b`")).unwrap();
        let declared = apply(&text, &fix.edits).unwrap();
        assert!(declared.contains(expected), "{body}: {declared}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 100, ..ProptestConfig::default() })]

    #[test]
    fn mdl_18_a_declaration_fits_uses_together(
        uses in prop::collection::vec((prop::sample::select(USES), any::<bool>(), any::<bool>()), 1..4)
    ) {
        let body = |(text, swaps, section): &(&str, bool, bool)| {
            let text = if *swaps {
                text.replace(".b", ".\0").replace(".c", ".b").replace(".\0", ".c")
            } else {
                (*text).to_owned()
            };
            format!("{text}{}", if *section { "\n\n# More\n\n" } else { "" })
        };
        declares(&uses.iter().map(body).collect::<String>());
    }
}
