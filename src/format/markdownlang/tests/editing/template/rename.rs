use super::*;
use crate::ide::diagnostics::diagnostics;
use crate::ide::rename::{prepare, rename};
use crate::text::apply;

fn renamed(text: &str, offset: usize, name: &str) -> Result<String, String> {
    let files = ask(text, |document, cx| rename(document, cx, offset, name))?;
    let edits = files.files.into_iter().flat_map(|file| file.edits).collect::<Vec<_>>();
    Ok(apply(text, &edits).expect("edits that do not overlap"))
}

/// The name under the cursor is exactly `old`, and renaming replaces `was` with `is` everywhere.
#[track_caller]
fn check(text: &str, old: &str, new: &str, expected: &str) {
    for text in variants(text).into_iter().zip(variants(expected)) {
        let ((text, offset), expected) = (cursor(&text.0), text.1);
        let name =
            ask(&text, |document, cx| prepare(document, cx, offset)).expect("something to rename");
        assert_eq!((&text[name.span.clone()], name.name.as_str()), (old, old));
        assert_eq!(renamed(&text, offset, new).as_deref(), Ok(expected.as_str()));
        // Its findings stay the same, except for the name.
        let codes = |text: &str| {
            ask(text, |document, cx| {
                diagnostics(document, cx)
                    .into_iter()
                    .map(|found| found.rule.code)
                    .collect::<Vec<_>>()
            })
        };
        assert_eq!(codes(&expected), codes(&text), "{expected}");
    }
}

#[track_caller]
fn refuses(text: &str, new: &str, why: &str) {
    let (text, offset) = cursor(text);
    let refusal = renamed(&text, offset, new).expect_err("a refusal");
    assert!(refusal.contains(why), "{refusal}");
}

#[test]
fn a_property_is_renamed_in_the_schema_in_required_and_in_the_body() {
    let before =
        program("{{ .user.na$0me }} {{ with .user }}{{ .name }}{{ end }} {{ .kind }} name\n");
    let after = program(
        "{{ .user.full_name }} {{ with .user }}{{ .full_name }}{{ end }} {{ .kind }} name\n",
    )
    .replace("        name: {", "        full_name: {")
    .replace("required: [name]", "required: [full_name]");
    check(&before, "name", "full_name", &after);
    let before = program("{{ range .items }}{{ .title }}{{ end }}{{ range $.items }}{{ end }}\n")
        .replacen("[user, items]", "[user, it$0ems]", 1);
    let after = program("{{ range .rows }}{{ .title }}{{ end }}{{ range $.rows }}{{ end }}\n")
        .replacen("    items:\n      type: array", "    rows:\n      type: array", 1)
        .replacen("[user, items]", "[user, rows]", 1);
    check(&before, "items", "rows", &after);
}

#[test]
fn names_that_are_not_identifiers_are_read_by_index() {
    let before = program(
        "{{ .ki$0nd }} {{ upper .kind }} {{ if .kind }}x{{ end }} {{ .kind | upper }} {{ $.kind }} {{ (upper .kind) | lower }}\n",
    );
    let after = program(
        "{{ index . \"a b\" }} {{ upper (index . \"a b\") }} {{ if index . \"a b\" }}x{{ end }} {{ index . \"a b\" | upper }} {{ index $ \"a b\" }} {{ (upper (index . \"a b\")) | lower }}\n",
    )
    .replacen("    kind:", "    a b:", 1);
    check(&before, "kind", "a b", &after);
    let before = program("{{ .us$0er.name }} {{ with .user }}{{ .email }}{{ end }}\n");
    let after = program(
        "{{ (index . \"the-user\").name }} {{ with index . \"the-user\" }}{{ .email }}{{ end }}\n",
    )
    .replacen("    user:\n      $ref", "    the-user:\n      $ref", 1)
    .replacen("[user, items]", "[the-user, items]", 1);
    check(&before, "user", "the-user", &after);
    let before = program("{{ index . \"foo$0-bar\" }}\n");
    let after = program("{{ index . \"foo_bar\" }}\n").replacen("    foo-bar:", "    foo_bar:", 1);
    check(&before, "foo-bar", "foo_bar", &after);
}

#[test]
fn names_are_quoted_where_yaml_needs_it() {
    let before = program("{{ .user.na$0me }}\n");
    let after = program("{{ index .user \"a: b, c\" }}\n")
        .replace("        name: {", "        \"a: b, c\": {")
        .replace("required: [name]", "required: [\"a: b, c\"]");
    check(&before, "name", "a: b, c", &after);
    let quoted =
        |text: String, name: &str| text.replacen("    kind:", &format!("    'k{name}':"), 1);
    check(
        &quoted(program("{{ .kind$0 }}\n").replacen(".kind", ".kx", 1), "x"),
        "kx",
        "it_s",
        &quoted(program("{{ .it_s }}\n"), "§").replace("k§", "it_s"),
    );
}

#[test]
fn dependent_names_and_references_are_renamed_too() {
    let header = |name: &str| {
        format!(
            "---\nname: x\ndescription: y\ninput:\n  type: object\n  properties:\n    {name}: {{ type: object, properties: {{ b: {{ type: string }} }} }}\n    c: {{ $ref: '#/properties/{name}/properties/b' }}\n  allOf:\n    - required: [{name}]\n  dependentRequired:\n    c: [{name}]\n    {name}: [c]\noutput: {{ type: object, properties: {{ {name}: {{ type: string }} }}, required: [{name}] }}\n---\n"
        )
    };
    let output = |text: &str| {
        text.replacen(
            "output: { type: object, properties: { z: { type: string } }, required: [z] }",
            "output: { type: object, properties: { a: { type: string } }, required: [a] }",
            1,
        )
    };
    let before = header("a") + "{{ .a$0.b }} {{ .c }}\n";
    let after = output(&(header("z") + "{{ .z.b }} {{ .c }}\n"));
    check(&before, "a", "z", &after);
}

#[test]
fn definitions_variables_and_templates_are_renamed() {
    let before = program("x\n").replacen("    user:\n      type", "    us$0er:\n      type", 1);
    let after = program("x\n")
        .replacen("    user:\n      type", "    person:\n      type", 1)
        .replacen("#/$defs/user", "#/$defs/person", 1);
    check(&before, "user", "person", &after);
    check(
        &program("{{ $a := 1 }}{{ if $a$0 }}{{ $a := 2 }}{{ $a }}{{ end }}{{ $a = 3 }}\n"),
        "$a",
        "abc",
        &program("{{ $abc := 1 }}{{ if $abc }}{{ $a := 2 }}{{ $a }}{{ end }}{{ $abc = 3 }}\n"),
    );
    check(
        &program("{{ define \"it\" }}x{{ end }}{{ template \"i$0t\" . }}{{ template `it` . }}\n"),
        "it",
        "a \"b\"",
        &program(
            "{{ define \"a \\\"b\\\"\" }}x{{ end }}{{ template \"a \\\"b\\\"\" . }}{{ template `a \"b\"` . }}\n",
        ),
    );
}

#[test]
fn impossible_names_are_refused_with_a_reason() {
    refuses(
        &program("{{ .ki$0nd }}"),
        "count",
        "the property `count` already exists next to `kind`",
    );
    refuses(&program("{{ .ki$0nd }}"), "", "must not be empty");
    refuses(&program("{{ .ki$0nd }}"), "a\nb", "must not contain line breaks");
    refuses(&program("{{ .noth$0ing }}"), "x", "nothing here can be renamed");
    refuses(&program("wo$0rd"), "x", "nothing here can be renamed");
    refuses(
        &program("{{ $a$0 := 1 }}{{ $b := 2 }}{{ $a }}"),
        "$b",
        "already exists where `$a` is used",
    );
    refuses(
        &program("{{ $b := 2 }}{{ $a$0 := 1 }}{{ $b }}"),
        "b",
        "the variable `$b` already exists",
    );
    refuses(&program("{{ $a$0 := 1 }}"), "a-b", "is not a valid variable name");
    refuses(
        &program("{{ define \"i$0t\" }}{{ end }}{{ define \"b\" }}{{ end }}"),
        "b",
        "the template `b` already exists",
    );
}

#[test]
fn a_variable_may_take_a_name_that_is_free_in_its_scope() {
    check(
        &program("{{ if 1 }}{{ $b := 1 }}{{ $b }}{{ end }}{{ $a$0 := 1 }}{{ $a }}\n"),
        "$a",
        "$b",
        &program("{{ if 1 }}{{ $b := 1 }}{{ $b }}{{ end }}{{ $b := 1 }}{{ $b }}\n"),
    );
}

#[test]
fn a_property_is_renamed_in_the_values_of_its_front_matter() {
    let text = |name: &str, cursor: &str| {
        format!(
            "---\nname: greet\ndescription: Greets 日本 🦆\ninput:\n  type: object\n  properties:\n    who: {{ type: string }}\n    list:\n      type: array\n      items:\n        type: object\n        properties:\n          {cursor}{name}: {{ type: string }}\n        default: {{ {name}: a }}\n  default: {{ who: x, list: [{{ {name}: b, who: c }}] }}\n  examples:\n    - list:\n        - {name}: d\n          other: {name}\nsample:\n  {last}: 1\n  list:\n    - \"{name}\": e\ntests:\n  - name: first\n    input: {{ who: a, list: [{{ {name}: f }}] }}\noutput: {{ type: object, properties: {{ text: {{ type: string }} }} }}\n---\n\nGreet {{{{ .who }}}}: {{{{ range .list }}}}{{{{ .{name} }}}}{{{{ end }}}}.\n",
            last = "who"
        )
    };
    let before = text("kind", "$0").replace("other: kind", "other: x");
    let after = text("sort", "").replace("other: sort", "other: x");
    let (before, offset) = cursor(&before);
    assert_eq!(renamed(&before, offset, "sort").as_deref(), Ok(after.as_str()));
    let crlf = before.replace('\n', "\r\n");
    let offset = crlf.find("kind").unwrap();
    assert_eq!(renamed(&crlf, offset, "sort"), Ok(after.replace('\n', "\r\n")));
}
