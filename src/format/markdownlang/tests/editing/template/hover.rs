use super::super::super::marked;
use super::*;
use crate::ide::hover::hover;

/// Hover at both ends of the text between `«` and `»` covers exactly that and contains all of
/// `parts`.
#[track_caller]
fn check(body: &str, parts: &[&str]) {
    for text in variants(&program(body)) {
        let (text, spans) = marked(&text);
        let [span] = spans.as_slice() else { panic!("one mark") };
        for offset in [span.start, span.end] {
            let found = ask(&text, |document, cx| hover(document, cx, offset))
                .unwrap_or_else(|| panic!("nothing at {offset} in {text:?}"));
            assert_eq!(&text[found.span.clone()], &text[span.clone()], "{text:?}");
            for part in parts {
                assert!(found.markdown.contains(part), "{part:?} is not in\n{}", found.markdown);
            }
        }
    }
}

#[track_caller]
fn silent(body: &str) {
    let (text, offset) = cursor(&program(body));
    assert_eq!(ask(&text, |document, cx| hover(document, cx, offset)), None);
}

#[test]
fn fields_show_their_schemas() {
    check(
        "日本 {{ .«kind» }}",
        &[
            "**kind**: optional",
            "\"book\" | \"film\"",
            "What is wanted",
            "Default: `\"book\"`",
            "Allowed: `\"book\"`, `\"film\"`",
        ],
    );
    check(
        "{{ .user.«name» }}",
        &["**name**: required", "string", "The whole name", "Declared in `input`, line 29"],
    );
    check(
        "{{ range .items }}{{ .«title» }}{{ end }}",
        &["**title**: required", "What it is called"],
    );
    check("{{ $u := .user }}{{ $u.«email» }}", &["**email**: optional", "email"]);
    check("{{ if .kind }}{{ .«kind» }}{{ end }}", &["**kind**: optional, present here"]);
    check("{{ index . \"«foo-bar»\" }}", &["**foo-bar**: optional"]);
}

#[test]
fn the_other_words() {
    check("{{ range «$x» := .items }}{{ end }}", &["**$x**", "title: string"]);
    check("{{ range $x := .items }}{{ «$x».title }}{{ end }}", &["**$x**", "title: string"]);
    check("{{ «$».kind }}", &["**$**", "The whole input"]);
    check("{{ with .user }}{{ «.» }}{{ end }}", &["**.**", "name: string"]);
    check(
        "{{ .kind | «default» \"x\" }}",
        &[
            "default fallback: any, value: any → any",
            "`false` counts as a value",
            "{{ .value | default \"N/A\" }}",
        ],
    );
    check("{{ «range» .items }}{{ end }}", &["**range**", "once for every element"]);
    check("{{ if .kind }}{{ «else» }}{{ end }}", &["**else**"]);
    check("{{ if .kind }}{{ else «if» .user }}{{ end }}", &["**if**"]);
    check("{{ define \"x\" }}{{ end }}{{ template «\"x\"» }}", &["a template of this program"]);
    check("{{ template «\"y\"» }}", &["does not define this template"]);
}

#[test]
fn text_has_no_hover() {
    for body in [
        "wo$0rd",
        "{$0{ .kind }}",
        "{{/* com$0ment */}}",
        "{{ 1$02 }}",
        "{{ \"te$0xt\" }}",
        "{{ .noth$0ing }}",
    ] {
        silent(body);
    }
}
