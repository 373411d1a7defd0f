use super::*;
use crate::ide::definition::definition;

/// The targets of a definition request at the cursor.
#[track_caller]
fn leads(body: &str, expected: &[&str]) {
    for text in variants(&program(body)) {
        let (text, offset) = cursor(&text);
        let found = ask(&text, |document, cx| definition(document, cx, offset));
        let places: Vec<String> =
            found.iter().map(|target| place(&text, &target.selection)).collect();
        assert_eq!(places, expected, "{body}");
    }
}

#[test]
fn a_use_leads_to_the_property() {
    leads("{{ .ki$0nd }}", &["kind@17"]);
    leads("{{ .user.na$0me }}", &["name@29"]);
    leads("{{ range .items }}{{ .title$0 }}{{ end }}", &["title@14"]);
    leads("{{ index . \"foo$0-bar\" }}", &["foo-bar@23"]);
    leads("{{ .noth$0ing }}", &[]);
}

#[test]
fn a_variable_leads_to_its_declaration_and_a_call_to_the_template() {
    let line = first_line();
    leads(
        "{{ $a := 1 }}\n{{ if $a }}{{ $a := 2 }}{{ $$0a }}{{ end }}",
        &[&format!("$a@{}", line + 1)],
    );
    leads("{{ $a := 1 }}\n{{ if $$0a }}{{ $a := 2 }}{{ $a }}{{ end }}", &[&format!("$a@{line}")]);
    leads("{{ template \"i$0t\" }}\n{{ define \"it\" }}{{ end }}", &[&format!("it@{}", line + 1)]);
    leads("{{ template \"i$0t\" }}", &[]);
}

#[test]
fn a_use_in_a_union_leads_to_every_declaration() {
    let text = "---\nname: x\ndescription: y\ninput:\n  type: object\n  properties:\n    v:\n      anyOf:\n        - { type: object, properties: { a: { type: string } } }\n        - { type: object, properties: { a: { type: number } } }\noutput: { type: object }\n---\n{{ .v.a }}\n";
    let offset = text.rfind(".a").unwrap() + 1;
    let found = ask(text, |document, cx| definition(document, cx, offset));
    assert_eq!(
        found.iter().map(|target| place(text, &target.selection)).collect::<Vec<_>>(),
        ["a@9", "a@10"]
    );
}
