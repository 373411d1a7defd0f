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

/// A program with these schemas and this body.
fn with_schemas(input: &str, output: &str, more: &str, body: &str) -> String {
    format!(
        "---\nname: x\ndescription: 日本 🦆\ninput:\n{input}output:\n{output}{more}---\n\n{body}\n"
    )
}

const PLAIN: &str = "  type: object\n  properties: { z: { type: string } }\n  required: [z]\n";

#[test]
fn a_property_that_aliases_share_is_renamed_in_all_its_uses() {
    let text = |name: &str, body: &str| {
        with_schemas(
            &format!(
                "  type: object\n  properties:\n    a: &user\n      type: object\n      properties: {{ {name}: {{ type: string }} }}\n      required: &names [{name}]\n    b: *user\n    c:\n      type: object\n      properties: {{ {name}: {{ type: number }} }}\n      required: *names\n    d: {{ type: object, properties: {{ id: {{ type: string }} }} }}\n"
            ),
            "  type: object\n  properties: { u: *user }\n",
            &format!(
                "sample: {{ a: &one {{ {name}: x }}, b: *one, c: {{ {name}: 1 }}, d: {{ id: q }} }}\n"
            ),
            body,
        )
    };
    for word in [
        "{{ .a.i$0d }} {{ .b.id }} {{ .c.id }} {{ .d.id }}",
        "{{ .a.id }} {{ .b.i$0d }} {{ .c.id }} {{ .d.id }}",
        "{{ .a.id }} {{ .b.id }} {{ .c.i$0d }} {{ .d.id }}",
    ] {
        let before = text("id", word);
        let after = text("key", "{{ .a.key }} {{ .b.key }} {{ .c.key }} {{ .d.id }}");
        check(&before, "id", "key", &after);
    }
    let before = text("id", "{{ .a.id }} {{ .b.id }} {{ .c.id }} {{ .d.i$0d }}");
    let after = text("id", "{{ .a.id }} {{ .b.id }} {{ .c.id }} {{ .d.key }}")
        .replace("d: { type: object, properties: { id:", "d: { type: object, properties: { key:")
        .replace("d: { id: q }", "d: { key: q }");
    check(&before, "id", "key", &after);
}

#[test]
fn a_property_is_renamed_in_values_of_recursive_schemas() {
    let text = |name: &str, body: &str| {
        with_schemas(
            &format!(
                "  type: object\n  properties:\n    tree: {{ $ref: '#/$defs/node' }}\n    any: {{ type: object, additionalProperties: {{ $ref: '#/$defs/node' }} }}\n  $defs:\n    node:\n      type: object\n      properties:\n        {name}: {{ type: string }}\n        sub: {{ type: array, items: {{ $ref: '#/$defs/node' }} }}\n"
            ),
            PLAIN,
            &format!(
                "sample:\n  tree: {{ {name}: a, sub: [{{ {name}: b, sub: [{{ \"{name}\": c }}] }}] }}\n  any: {{ x: {{ {name}: d, label: id }} }}\n"
            ),
            body,
        )
    };
    check(&text("id", "{{ .tree.i$0d }}"), "id", "key", &text("key", "{{ .tree.key }}"));
    refuses(
        &text("id", "{{ .tree.i$0d }}"),
        "label",
        "the property `label` already exists next to `id`",
    );
}

#[test]
fn a_property_of_the_output_is_renamed_in_expectations_of_tests() {
    let text = |name: &str, cursor: &str| {
        with_schemas(
            PLAIN,
            &format!(
                "  type: object\n  properties:\n    list:\n      type: array\n      items: {{ type: object, properties: {{ {cursor}{name}: {{ type: string }}, n: {{ type: integer }} }} }}\n"
            ),
            &format!(
                "tests:\n  - name: a\n    input: {{ z: id }}\n    expect:\n      equals: {{ list: [{{ {name}: id }}] }}\n      contains: {{ list: {{ {name}: id }} }}\n      schema: {{ required: [id], properties: {{ list: {{ items: {{ required: [n, {name}], properties: {{ {name}: {{ const: id }} }} }} }} }} }}\n      at:\n        /list/0/{name}: id\n        '/list/1': {{ {name}: x }}\n        /list/2: {{ equals: {{ {name}: x }}, at: {{ /{name}: id }} }}\n        /list/0: {{ n: 1 }}\n"
            ),
            "{{ .z }}",
        )
    };
    let (before, offset) = cursor(&text("id", "$0"));
    assert_eq!(renamed(&before, offset, "key").as_deref(), Ok(text("key", "").as_str()));
    let (crlf, offset) = cursor(&text("id", "$0").replace('\n', "\r\n"));
    assert_eq!(renamed(&crlf, offset, "key"), Ok(text("key", "").replace('\n', "\r\n")));
}

#[test]
fn a_property_is_renamed_in_the_tests_next_to_the_program() {
    use crate::config::Config;
    use crate::document::Document;
    use crate::format::Context;
    let program = with_schemas(
        PLAIN,
        "  type: object\n  properties: { y: { type: string } }\n",
        "",
        "{{ .z }}",
    );
    let file = "cases:\r\n  - name: 日本 🦆\r\n    input: { z: z, w: 1 }\r\n    expect: { equals: { y: y }, at: { /y: y } }\r\n";
    let (config, path) = (Config::default(), std::path::Path::new("/w/p.md"));
    let world = crate::world::Memory::default().in_folder("/w").with(path, &program);
    for (name, text, changes) in [
        ("/w/p.test.yaml", file.to_owned(), true),
        ("/w/p.test.yml", file.to_owned(), true),
        ("/w/p.test.yaml", format!("program: ./p.md\r\n{file}"), true),
        ("/w/p.test.yaml", format!("program: ./other.md\r\n{file}"), false),
        ("/w/other.test.yaml", file.to_owned(), false),
    ] {
        let world = world.clone().with(name, &text);
        let document = Document::new(&program, Some(path), &config);
        let cx = Context::new(document.source(), Some(path), &world, &config);
        for (word, expected) in [
            ("{ z: {", text.replace("{ z:", "{ k:")),
            ("{ y: {", text.replace("{ y: y }", "{ k: y }").replace("/y:", "/k:")),
        ] {
            let offset = program.find(word).unwrap() + 2;
            let renaming = rename(&document, &cx, offset, "k").unwrap();
            let other = renaming.files.iter().find(|file| file.path.is_some());
            assert_eq!(other.is_some(), changes, "{name}: {text}");
            let Some(other) = other else { continue };
            assert_eq!(other.path.as_deref(), Some(std::path::Path::new(name)));
            assert_eq!(apply(&text, &other.edits).unwrap(), expected);
            let found = crate::ide::references::references(&document, &cx, offset, true);
            let edits: usize = renaming.files.iter().map(|file| file.edits.len()).sum();
            assert_eq!(found.len(), edits, "{found:?}");
            let here = crate::ide::document_highlight::occurrences(&document, &cx, offset);
            assert!(here.iter().all(|found| found.path.is_none()));
        }
        if changes {
            let offset = program.find("{ z: {").unwrap() + 2;
            let refusal = rename(&document, &cx, offset, "w").unwrap_err();
            assert!(refusal.contains("already exists"), "{refusal}");
        }
    }
}
