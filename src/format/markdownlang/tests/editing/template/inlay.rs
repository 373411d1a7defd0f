use super::*;
use crate::config::{Config, Options};
use crate::document::Document;
use crate::format::Context;
use crate::ide::inlay_hints::inlays;
use crate::world::Memory;

/// The body with its hints in the text.
fn hinted(text: &str, span: Span) -> String {
    let found = ask(text, |document, cx| inlays(document, cx, span));
    let mut out = text.to_owned();
    for inlay in found.iter().rev() {
        out.insert_str(inlay.offset, &format!("«{}»", inlay.label));
    }
    body(&out).to_owned()
}

#[track_caller]
fn check(before: &str, after: &str) {
    let text = program(before);
    assert_eq!(hinted(&text, 0..text.len()), after);
}

#[test]
fn variables_and_dots_show_their_types() {
    check("{{ $n := .user.name }}{{ $n }}", "{{ $n«: string» := .user.name }}{{ $n }}");
    check(
        "{{ range $i, $x := .items }}{{ $x.title }}{{ end }}",
        "{{ range $i«: integer», $x«: object { title: string, price?: number }» := .items }}{{ $x.title }}{{ end }}",
    );
    check(
        "{{ range .items }}{{ .title }}{{ end }}",
        "{{ range .items«: object { title: string, price?: number }» }}{{ .title }}{{ end }}",
    );
    check(
        "{{ with .kind }}{{ . }}{{ end }}",
        "{{ with .kind«: \"book\" | \"film\"» }}{{ . }}{{ end }}",
    );
}

#[test]
fn unknown_types_have_no_hints() {
    check(
        "{{ $n := index .unknown 0 }}{{ with .other }}{{ . }}{{ end }}",
        "{{ $n := index .unknown 0 }}{{ with .other }}{{ . }}{{ end }}",
    );
    check(
        "{{ with .user }}a{{ else if .kind }}b{{ end }}",
        "{{ with .user«: object { name: string, email?: string }» }}a{{ else if .kind }}b{{ end }}",
    );
    check("{{ if .kind }}x{{ end }}", "{{ if .kind }}x{{ end }}");
    check("Text without actions.", "Text without actions.");
}

#[test]
fn only_hints_in_the_requested_range_are_returned() {
    let text = program("{{ $a := .kind }}\n{{ $b := .count }}\n");
    let second = text.rfind("{{ $b").unwrap();
    assert_eq!(
        hinted(&text, second..text.len()),
        "{{ $a := .kind }}\n{{ $b«: integer» := .count }}\n"
    );
}

#[test]
fn the_settings_switch_them_off() {
    let text = program("{{ $a := .kind }}");
    let config =
        Config::new("/w".into(), Options { inlay_hints: false, ..Options::default() }).unwrap();
    let (world, document) = (Memory::default(), Document::new(&text, None, &config));
    assert_eq!(
        inlays(&document, &Context::new(document.source(), None, &world, &config), 0..text.len()),
        []
    );
}
