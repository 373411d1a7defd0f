use super::*;
use crate::ide::document_highlight::occurrences;
use crate::ide::linked_editing::linked;
use crate::ide::references::references;

/// The references from the cursor, the same from each of them.
#[track_caller]
fn check(text: &str, expected: &[&str]) {
    for text in variants(text) {
        let (text, offset) = cursor(&text);
        let found = ask(&text, |document, cx| references(document, cx, offset, true));
        assert_eq!(shown(&text, &found), expected, "{text}");
        for other in &found {
            let again = ask(&text, |document, cx| references(document, cx, other.span.start, true));
            assert_eq!(again, found, "from {}", place(&text, &other.span));
        }
        let uses = ask(&text, |document, cx| references(document, cx, offset, false));
        assert_eq!(uses.len(), found.iter().filter(|occurrence| !occurrence.defines).count());
    }
}

fn line(add: usize) -> usize {
    first_line() + add
}

#[test]
fn a_property_is_found_in_the_schema_and_in_the_body() {
    let body =
        "{{ .us$0er.name }}\n{{ with $.user }}{{ .name }}{{ end }}\n{{ index . \"user\" }}\n";
    check(
        &program(body),
        &[
            "user@7!",
            "user@24",
            &format!("user@{}", line(0)),
            &format!("user@{}", line(1)),
            &format!("user@{}", line(2)),
        ],
    );
    let body = "{{ .user.na$0me }}\n{{ with .user }}{{ .name }}{{ end }}{{ .name }}";
    check(
        &program(body),
        &["name@29!", "name@31", &format!("name@{}", line(0)), &format!("name@{}", line(1))],
    );
    let body = "{{ range .items }}{{ .tit$0le }}{{ end }}";
    check(&program(body), &["title@14!", "title@16", &format!("title@{}", line(0))]);
}

#[test]
fn a_definition_is_found_with_its_references() {
    let text = program("x").replacen("    user:\n      type", "    us$0er:\n      type", 1);
    check(&text, &["user@8", "user@26!"]);
}

#[test]
fn a_union_is_one_property() {
    let header = "---\nname: x\ndescription: y\ninput:\n  type: object\n  properties:\n    v:\n      anyOf:\n        - { type: object, properties: { a: { type: string } }, required: [a] }\n        - { type: object, properties: { a: { type: number } } }\noutput: { type: object }\n---\n";
    check(&format!("{header}{{{{ .v.$0a }}}}"), &["a@9!", "a@9", "a@10!", "a@13"]);
}

#[test]
fn variables_and_templates() {
    let l = line(0);
    check(
        &program("{{ $a$0 := 1 }}{{ $a = 2 }}{{ if $a }}{{ $a := 3 }}{{ $a }}{{ end }}"),
        &[&format!("$a@{l}!"), &format!("$a@{l}"), &format!("$a@{l}")],
    );
    check(
        &program("{{ define \"it\" }}{{ end }}\n{{ template \"i$0t\" }}{{ template \"other\" }}"),
        &[&format!("it@{l}!"), &format!("it@{}", l + 1)],
    );
    check(&program("{{ $x$0 }}"), &[]);
}

#[track_caller]
fn marks(body: &str, expected: &[&str]) {
    let (text, offset) = cursor(&program(body));
    let found = ask(&text, |document, cx| occurrences(document, cx, offset));
    let found: Vec<String> = found
        .iter()
        .map(|found| {
            format!("{}{}", &text[found.span.clone()], if found.defines { "!" } else { "" })
        })
        .collect();
    assert_eq!(found, expected, "{body}");
}

#[test]
fn keywords_of_one_block_are_highlighted_together() {
    let all = ["if", "else", "if", "else", "end"];
    for body in [
        "{{ i$0f .kind }}{{ if 1 }}{{ end }}{{ else if .user }}{{ else }}{{ end }}",
        "{{ if .kind }}{{ else $0if .user }}{{ else }}{{ end }}",
        "{{ if .kind }}{{ else if .user }}{{ else }}{{ en$0d }}",
    ] {
        marks(body, &all);
    }
    marks(
        "{{ range .items }}{{ if .title }}{{ br$0eak }}{{ end }}{{ end }}",
        &["range", "break", "end"],
    );
    marks("{{ range .items }}{{ range .x }}{{ continue }}{{ end }}{{ en$0d }}", &["range", "end"]);
    marks("{{ define \"x\" }}{{ e$0nd }}", &["define", "end"]);
    marks("{{ $a := 1 }}{{ $$0a = 2 }}{{ $a }}", &["$a!", "$a!", "$a"]);
    marks("wo$0rd {{ .kind }}", &[]);
}

#[track_caller]
fn links(body: &str, expected: &[&str]) {
    let (text, offset) = cursor(&program(body));
    let found = ask(&text, |document, cx| linked(document, cx, offset));
    assert_eq!(
        found.iter().map(|span| &text[span.clone()]).collect::<Vec<_>>(),
        expected,
        "{body}"
    );
}

#[test]
fn names_of_variables_and_templates_are_edited_together() {
    links("{{ $a$0b := 1 }}{{ $ab }}{{ if 1 }}{{ $ab := 2 }}{{ end }}", &["ab", "ab"]);
    links(
        "{{ define \"i$0t\" }}{{ end }}{{ template \"it\" }}{{ template `it` }}",
        &["it", "it", "it"],
    );
    links("{{ if .kind }}{{ e$0nd }}", &[]);
    links("{{ .ki$0nd }}{{ .kind }}", &[]);
    links("{{ $a$0b := 1 }}", &[]);
}
