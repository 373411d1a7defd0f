//! MDL-13 and MDL-17: findings in a body that isn't a valid template.

use super::{INPUT, OUTPUT, check, findings, fixes, marked};

/// A program with this body, whose input has a few more fields.
fn with_body(body: &str) -> String {
    let input = "input: { type: object, properties: { who: { type: string }, first-name: { type: string }, \
                 list: { type: array, items: { type: object, properties: { a-b: { type: string } }, required: [a-b] } }, \
                 user: { type: object, properties: { last-name: { type: string } }, required: [last-name] } }, \
                 required: [who, first-name, list, user] }\n";
    format!(
        "---\nname: greet\ndescription: Greets a person\n{input}{OUTPUT}---\n\n{{{{/* {{ .who .list .user (index . \"first-name\") }} */}}}}{body}\n"
    )
}

#[track_caller]
fn says(body: &str, codes: &[&str]) {
    check(
        &format!(
            "---\nname: greet\ndescription: Greets a person\n{INPUT}{OUTPUT}---\n\n🦆 {{{{ .who }}}} {body}\n"
        ),
        codes,
    );
}

#[test]
fn mdl_13_mistakes_are_reported_at_their_characters() {
    says("日本 «{{ .who» and\nmore {{ .who }}", &["markdownlang/unclosed-action"]);
    says("«{{/* never closed»\n\n# H {{ .who }}", &["markdownlang/unclosed-action"]);
    says("«{{ if .who }}»x", &["markdownlang/unclosed-block"]);
    says(
        "«{{ range $i, $x := split .who \",\" }}»\n- {{ $i }}{{ $x }}\n\n# H",
        &["markdownlang/unclosed-block"],
    );
    says("e\u{301} «{{ end }}»", &["markdownlang/unopened-block"]);
    says("{{ if .who }}a{{ else }}b«{{ else }}»c{{ end }}", &["markdownlang/unopened-block"]);
    says("{{ «uper» .who }}", &["markdownlang/unknown-function"]);
    says("{{ $x := .who }}{{ $x }}{{ «$y» }}", &["markdownlang/undefined-variable"]);
    says("{{ template «\"x\"» }}", &["markdownlang/undefined-template"]);
    says(
        "{{ define \"x\" }}a{{ end }}{{ define «\"x\"» }}b{{ end }}{{ template \"x\" }}",
        &["markdownlang/template-syntax"],
    );
    says("{{ upper «(».who }}", &["markdownlang/template-syntax"]);
    says("{{ upper «\"abc» }}", &["markdownlang/template-syntax"]);
    says("{{ join .who«,» \"x\" }}", &["markdownlang/template-syntax"]);
    says("«{{ break }}»", &["markdownlang/template-syntax"]);
    says(
        "```\n«{{ end }}»\n```\n\n<div>\n{{ «uper» .who }}\n</div>",
        &["markdownlang/unopened-block", "markdownlang/unknown-function"],
    );
}

#[test]
fn mdl_13_words_of_other_languages_are_answered() {
    let message = |body: &str| {
        let text = format!(
            "---\nname: greet\ndescription: Greets a person\n{INPUT}{OUTPUT}---\n\n{{{{ .who }}}}{body}\n"
        );
        findings(&text).into_iter().next().map(|finding| {
            (finding.message, finding.fixes.into_iter().map(|fix| fix.title).collect::<Vec<_>>())
        })
    };
    let cases = [
        ("{{ if .who == \"x\" }}{{ end }}", "write `eq .a .b`", None),
        ("{{ if .who != \"x\" }}{{ end }}", "write `ne .a .b`", None),
        ("{{ if .who = \"x\" }}{{ end }}", "to compare, write `eq .a .b`", None),
        ("{{ if .who >= 3 }}{{ end }}", "write `ge .a .b`", None),
        ("{{ if .who && .who }}{{ end }}", "write `and .a .b`", None),
        ("{{ .who || .who }}", "write `or .a .b`", None),
        ("{{ if !.who }}{{ end }}", "write `not .a`", None),
        ("{{ length .who }}", "; did you mean `len`?", Some("Replace with `len`")),
        ("{{ lenght .who }}", "; did you mean `len`?", Some("Replace with `len`")),
        (
            "{{ if .who }}{{ endif }}{{ end }}",
            "close every block with `{{ end }}`",
            Some("Replace with `end`"),
        ),
        ("{{ for .who }}", "`range $item := .list`", None),
        (
            "${{ secrets.TOKEN }}",
            "`{{ \"{{\" }}` for literal braces",
            Some("Print the braces as text"),
        ),
        ("{{ user.name }}", "`{{ \"{{\" }}` for literal braces", Some("Print the braces as text")),
        ("{{#each items}}", "unexpected \"#\" in command", Some("Print the braces as text")),
        ("{{> partial}}", "unexpected \">\" in command", Some("Print the braces as text")),
    ];
    for (body, end, fix) in cases {
        let (said, fixes) = message(body).unwrap_or_default();
        assert!(said.ends_with(end), "{body}: {said}");
        assert_eq!(fixes.first().map(String::as_str), fix, "{body}: {said}");
    }
    let braces = |body: &str| {
        format!(
            "---\nname: greet\ndescription: Greets a person\n{INPUT}{OUTPUT}---\n\n{{{{ .who }}}}{body}\n"
        )
    };
    fixes(
        &braces("${{ «secrets».TOKEN }}"),
        "Print the braces as text",
        &braces("${{ \"{{\" }} secrets.TOKEN }}"),
    );
}

#[test]
fn mdl_13_a_body_is_checked_below_broken_front_matter() {
    let (text, spans) = marked(&format!("---\nname: [greet\n{INPUT}{OUTPUT}---\n\n«{{{{ .who»\n"));
    let found: Vec<_> = findings(&text)
        .into_iter()
        .filter(|finding| spans.contains(&finding.span))
        .map(|finding| finding.rule.code)
        .collect();
    assert_eq!(found, ["markdownlang/unclosed-action"]);
}

#[test]
fn mdl_13_mistakes_have_fixes() {
    let cases = [
        ("{{ .who and so on", "Insert `}}`", "{{ .who }} and so on"),
        ("{{ .who } and", "Insert `}`", "{{ .who }} and"),
        ("{{/* c }} and", "Insert `*/}}`", "{{/* c */}} and"),
        (
            "{{ if .who }}x\n\ny",
            "Insert `{{ end }}` at the end of the line",
            "{{ if .who }}x{{ end }}\n\ny",
        ),
        (
            "{{ if .who }}\nx\ny\n\nz",
            "Insert `{{ end }}` after the paragraph",
            "{{ if .who }}\nx\ny\n{{ end }}\n\nz",
        ),
        (
            "{{ if .who }}x\n\ny",
            "Insert `{{ end }}` at the end of the body",
            "{{ if .who }}x\n\ny\n{{ end }}",
        ),
        ("a {{ end }} b", "Remove it", "a  b"),
        ("a\n{{ end }}\nb", "Remove it", "a\nb"),
        ("{{ uper .who }}", "Replace with `upper`", "{{ upper .who }}"),
        ("{{ who }}", "Insert a dot", "{{ .who }}"),
        ("{{ $name := .who }}{{ $nam }}", "Replace with `$name`", "{{ $name := .who }}{{ $name }}"),
        ("{{ $who }}", "Replace with `.who`", "{{ .who }}"),
        ("{{ upper \"abc }}", "Insert the closing quote", "{{ upper \"abc\" }}"),
        ("{{ upper (.who }}", "Insert `)`", "{{ upper (.who) }}"),
        ("{{ upper .who) }}", "Remove the parenthesis", "{{ upper .who }}"),
        (
            "{{ define \"ab\" }}c{{ end }}{{ template \"abb\" }}",
            "Replace with `ab`",
            "{{ define \"ab\" }}c{{ end }}{{ template \"ab\" }}",
        ),
    ];
    for (body, title, expected) in cases {
        let program = |body: &str| {
            format!(
                "---\nname: greet\ndescription: Greets a person\n{INPUT}{OUTPUT}---\n\n{body}\n"
            )
        };
        fixes(&program(body), title, &program(expected));
    }
}

#[test]
fn mdl_17_hyphenated_fields_are_read_with_index() {
    let cases = [
        ("{{ .first-name }}", "{{ index . \"first-name\" }}", true),
        ("{{ upper .first-name }}", "{{ upper (index . \"first-name\") }}", true),
        ("{{ .first-name | upper }}", "{{ index . \"first-name\" | upper }}", true),
        ("{{ .user.last-name }}", "{{ index .user \"last-name\" }}", true),
        (
            "{{ range .list }}{{ .a-b }}{{ end }}",
            "{{ range .list }}{{ index . \"a-b\" }}{{ end }}",
            true,
        ),
        ("{{ .x-y.z }}", "{{ (index . \"x-y\").z }}", false),
        ("{{ .x-y.z-a }}", "{{ index (index . \"x-y\") \"z-a\" }}", false),
        ("{{ $.x-y }}", "{{ index $ \"x-y\" }}", false),
        ("{{ .who-1 }}", "{{ index . \"who-1\" }}", false),
    ];
    for (body, expected, safe) in cases {
        let text = with_body(body);
        let found: Vec<_> = findings(&text)
            .into_iter()
            .filter(|finding| finding.rule.code == "markdownlang/hyphenated-field")
            .collect();
        let [finding] = found.as_slice() else { panic!("{body}: {found:#?}") };
        assert_eq!(text.get(finding.span.clone()), Some("-"), "{body}");
        assert!(finding.message.starts_with("bad character U+002D '-'"), "{}", finding.message);
        let [fix] = finding.fixes.as_slice() else { panic!("{body}: {:#?}", finding.fixes) };
        assert_eq!(crate::text::apply(&text, &fix.edits).unwrap(), with_body(expected));
        assert_eq!(fix.safe, safe, "{body}");
    }
}

#[test]
fn mdl_13_a_program_without_front_matter_mistakes_is_silent() {
    let body = "{{- /* c */ -}}\n{{ if .who }}{{ .who | upper }}{{ else }}{{ `raw {{ }}` }}{{ end }}\n\n# H\n\n{{ with $x := .who }}{{ $x }}{{ end }}";
    let text =
        format!("---\nname: greet\ndescription: Greets a person\n{INPUT}{OUTPUT}---\n\n{body}\n");
    assert_eq!(
        findings(&text)
            .iter()
            .filter(|finding| finding.severity == crate::rule::Severity::Error)
            .count(),
        0
    );
}

#[test]
fn mdl_13_one_misspelled_keyword_is_one_finding() {
    let text = |body: &str| {
        format!(
            "---\nname: x\ndescription: 日本 🦆\ninput:\n  type: object\n  properties: {{ who: {{ type: string }}, list: {{ type: array, items: {{ type: object, properties: {{ id: {{ type: string }} }}, required: [id] }} }} }}\n  required: [who, list]\n{OUTPUT}---\n\n{{{{ .who }}}} {{{{ len .list }}}} 🦆\n{body}\n"
        )
    };
    for (body, word) in [
        ("{{ «rang» .list }}{{ .id }}{{ end }} {{ .who }}", "range"),
        (
            "{{ «rnge» $i, $x := .list }}\n\n# H\n\n{{ $i }}{{ $x.id }}\n\n# I\n\n{{ end }}\n\n# J {{ .who }}",
            "range",
        ),
        ("{{ range .list }}{{ .id }}{{ «en» }}\n\n# H {{ .who }}", "end"),
        ("{{ range .list }}{{ .id }}{{ «End» }} {{ .who }}", "end"),
        ("{{ range .list }}{{ if .id }}x{{- «edn» -}}{{ .id }}{{ end }} {{ .who }}", "end"),
        ("{{ if .who }}a{{ «esle» }}b{{ end }}", "else"),
        ("{{ if .who }}a{{ «esle» if .list }}b{{ end }}", "else"),
        ("{{ «iff» .who }}a{{ else }}b{{ end }}", "if"),
        ("{{ if .who }}a{{ else «iff» .list }}b{{ end }}", "if"),
        ("{{ with .who }}a{{ else «wth» .list }}{{ len . }}{{ end }}", "with"),
        ("{{ «wth» index .list 0 }}{{ .id }}{{ end }}", "with"),
        ("{{ «defin» \"t\" }}x{{ end }}{{ template \"t\" }}", "define"),
        ("{{ define \"t\" }}x{{ end }}{{ «templte» \"t\" }}", "template"),
        ("{{ range .list }}{{ .id }}{{ «brek» }}{{ end }}", "break"),
        // Not a block.
        ("{{ if .who }}{{ «rang» .list }}{{ end }} {{ .who }}", "range"),
        ("{{ if .who }}{{ «send» }}{{ end }} {{ .who }}", "end"),
        ("{{ «wth» .list }} {{ .who }}\n\n# H\n\n{{ if .who }}x{{ end }}", "with"),
    ] {
        for eol in ["\n", "\r\n"] {
            let (text, spans) = marked(&text(body).replace('\n', eol));
            let found = findings(&text);
            let shown: Vec<_> =
                found.iter().map(|one| (one.rule.code, one.message.as_str())).collect();
            assert_eq!(shown.len(), 1, "{body}: {shown:#?}");
            assert_eq!(found[0].span, spans[0], "{body}");
            let end = format!("did you mean `{word}`?");
            assert!(found[0].message.ends_with(&end), "{body}: {shown:?}");
            let mended = crate::text::apply(&text, &found[0].fixes[0].edits).unwrap();
            assert!(mended.contains(word), "{mended}");
        }
    }
    let words = "{{ for .list }}{{ .id }}{{ end }}{{ if .who }}x{{ elif .list }}y{{ endif }}";
    let found = findings(&text(words));
    assert_eq!(found.len(), 3, "{found:#?}");
    let body = "{{ $v «:» .who }}{{ $v }} {{ if $v }}{{ end }}";
    let (declared, spans) = marked(&text(body));
    let found = findings(&declared);
    assert_eq!(found.len(), 1, "{found:#?}");
    assert_eq!(found[0].span, spans[0]);
    fixes(&text(body), "Replace with `:=`", &text(&body.replace("«:»", ":=")));
}
