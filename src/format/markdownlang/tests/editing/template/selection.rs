use super::*;
use crate::ide::selection::selections;

#[test]
fn selections_grow_from_the_name_to_the_block() {
    let (text, offset) =
        cursor(&program("a {{ if .user.na$0me | eq \"x\" }}b{{ else }}c{{ end }} d"));
    let found = ask(&text, |document, cx| selections(document, cx, offset));
    let shown: Vec<&str> = found.iter().map(|span| &text[span.clone()]).collect();
    let expected = [
        "name",
        ".user.name",
        ".user.name | eq \"x\"",
        "if .user.name | eq \"x\"",
        "{{ if .user.name | eq \"x\" }}",
        "{{ if .user.name | eq \"x\" }}b",
        "{{ if .user.name | eq \"x\" }}b{{ else }}c{{ end }}",
    ];
    assert_eq!(&shown[..expected.len()], expected);
}

#[test]
fn an_unclosed_string_is_selected_to_its_last_letter() {
    for (body, inner) in [
        ("{{ upper \"ab$0c }}", "abc"),
        ("{{ upper \"ab$0c\" }}", "abc"),
        ("{{ template \"ab$0c }}", "abc"),
        ("{{ upper `ab$0c`}}", "abc"),
    ] {
        let (text, offset) = cursor(&program(body));
        let found = ask(&text, |document, cx| selections(document, cx, offset));
        let shown: Vec<&str> = found.iter().map(|span| &text[span.clone()]).collect();
        assert!(shown.contains(&inner) && !shown.contains(&"ab"), "{body}: {shown:?}");
    }
}
