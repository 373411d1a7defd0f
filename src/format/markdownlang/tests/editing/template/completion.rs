use super::*;
use crate::answer::Completion;
use crate::format::markdownlang::tests::OUTPUT;
use crate::growth;
use crate::ide::completion::completions;
use crate::text::apply;

fn items(text: &str) -> (String, Vec<Completion>) {
    let (text, offset) = cursor(text);
    let mut found = ask(&text, |document, cx| completions(document, cx, offset).items);
    found.sort_by_key(|item| item.rank);
    for item in &found {
        let span = &item.edit.span;
        let replaced = text.get(span.clone()).expect("a span on characters");
        assert!(
            span.start <= offset && offset <= span.end && !replaced.contains(['\n', '\r']),
            "{text:?}: {item:?}"
        );
        assert!(!item.label.is_empty(), "{item:?}");
    }
    (text, found)
}

/// The first labels, in every variant of the text.
#[track_caller]
fn first(body: &str, expected: &[&str]) {
    for text in variants(&program(body)) {
        let found: Vec<String> = items(&text).1.into_iter().map(|item| item.label).collect();
        let labels: Vec<&str> = found.iter().map(String::as_str).take(expected.len()).collect();
        assert_eq!(labels, expected, "{body:?}\n{found:?}");
    }
}

#[track_caller]
fn exactly(body: &str, expected: &[&str]) {
    first(body, expected);
    let (_, found) = items(&program(body));
    assert_eq!(
        found.len(),
        expected.len(),
        "{body:?}: {:?}",
        found.iter().map(|item| &item.label).collect::<Vec<_>>()
    );
}

#[track_caller]
fn item(body: &str, label: &str) -> (String, Completion) {
    let (text, found) = items(&program(body));
    let item = found.iter().find(|item| item.label == label);
    let item = item.unwrap_or_else(|| {
        panic!("no {label} in {:?}", found.iter().map(|item| &item.label).collect::<Vec<_>>())
    });
    (text, item.clone())
}

/// Accepting the item gives this body.
#[track_caller]
fn takes(before: &str, label: &str, expected: &str) {
    let (text, item) = item(before, label);
    assert_eq!(body(&apply(&text, std::slice::from_ref(&item.edit)).unwrap()), expected);
}

/// The snippet of the item gives this body, with its placeholders.
#[track_caller]
fn expands(before: &str, label: &str, expected: &str) {
    let (text, item) = item(before, label);
    let mut edit = item.edit;
    edit.text = item.snippet.expect("a snippet");
    assert_eq!(body(&apply(&text, &[edit]).unwrap()), expected);
}

#[test]
fn mdl_18_fields_are_offered_at_any_depth() {
    exactly("{{ .$0 }}", &["user", "items", "kind", "count", ".foo-bar"]);
    exactly("{{ .user.$0 }}", &["name", "email"]);
    exactly("{{ $.user.na$0 }}", &["name", "email"]);
    exactly("{{ range .items }}{{ .$0 }}{{ end }}", &["title", "price"]);
    exactly("{{ range $i, $item := .items }}{{ $item.$0 }}{{ end }}", &["title", "price"]);
    exactly("{{ with .user }}{{ .$0 }}{{ end }}", &["name", "email"]);
    exactly("{{ (index .items 0).$0 }}", &["title", "price"]);
    exactly("{{ define \"x\" }}{{ .$0 }}{{ end }}{{ template \"x\" .user }}", &["name", "email"]);
    exactly("{{ .count.$0 }}", &[]);
    exactly("{{ .unknown.$0 }}", &[]);
    exactly("日本 🦆 {{ .user.$0 }} x", &["name", "email"]);
}

#[test]
fn fields_show_their_types() {
    let (_, kind) = item("{{ .$0 }}", "kind");
    assert_eq!(kind.detail.as_deref(), Some("\"book\" | \"film\""));
    let page = kind.documentation.expect("documentation");
    for part in ["optional", "What is wanted", "Default: `\"book\"`", "`\"film\"`"] {
        assert!(page.contains(part), "{page}");
    }
    assert!(
        item("{{ .user.$0 }}", "name")
            .1
            .documentation
            .expect("documentation")
            .starts_with("required")
    );
}

#[test]
fn edits_replace_the_word_and_close_the_action_once() {
    takes("{{ .us$0er }}", "user", "{{ .user }}");
    takes("{{ .us$0", "user", "{{ .user }}");
    takes("{{ .$0\n\nMore.", "user", "{{ .user }}\n\nMore.");
    takes("{{.$0", "user", "{{.user}}");
    takes("{{ .$0 and more text", "user", "{{ .user and more text");
    takes("{{$0}}", ".user", "{{ .user }}");
    takes("{{$0", ".user", "{{ .user }}");
    takes("{{ $0}}", ".user", "{{ .user}}");
    takes("{{ if .$0 }}", "user", "{{ if .user }}");
    takes("{{ if .$0", "user", "{{ if .user");
    expands("{{ if .$0", "user", "{{ if .user$0 }}");
    takes("{{- $0 -}}", ".kind", "{{- .kind -}}");
    takes("{{ $0", "upper", "{{ upper ");
    expands("{{ $0", "upper", "{{ upper $0 }}");
}

#[test]
fn mdl_17_names_with_hyphens_are_read_by_index() {
    takes("{{ .$0 }}", ".foo-bar", "{{ index . \"foo-bar\" }}");
    takes("{{ $.$0 }}", "$.foo-bar", "{{ index $ \"foo-bar\" }}");
    takes("{{ upper .$0 }}", ".foo-bar", "{{ upper (index . \"foo-bar\") }}");
    takes("{{ index . \"$0\" }}", "foo-bar", "{{ index . \"foo-bar\" }}");
    takes("{{ index . \"$0 }}", "foo-bar", "{{ index . \"foo-bar\" }}");
    exactly("{{ index .user \"$0\" }}", &["name", "email"]);
}

#[test]
fn fitting_items_come_first() {
    first("{{ range $0 }}", &[".items"]);
    first("{{ range .$0 }}", &["items"]);
    first("{{ upper .$0 }}", &["kind", "count", ".foo-bar", "user"]);
    first("{{ .items | $0 }}", &["default", "len", "slice", "join"]);
    first("{{ .kind | $0 }}", &["upper", "lower", "title", "default", "len"]);
    first(
        "{{ range $i, $x := .items }}{{ upper $0 }}{{ end }}",
        &[".title", ".price", "$i", "upper"],
    );
}

#[test]
fn members_of_an_enum_are_offered_in_comparisons() {
    first("{{ if eq .kind $0 }}", &["\"book\"", "\"film\""]);
    exactly("{{ if eq .kind \"$0\" }}", &["book", "film"]);
    exactly("{{ if eq .kind \"$0 }}", &["book", "film"]);
    first("{{ if eq .kind \"book\" $0 }}", &["\"film\""]);
    first("{{ if ne \"book\" $0 }}", &[".kind"]);
    takes("{{ if eq .kind \"f$0\" }}", "film", "{{ if eq .kind \"film\" }}");
    takes("{{ if eq .kind \"$0 }}", "film", "{{ if eq .kind \"film\" }}");
    takes("{{ if eq .kind \"$0", "film", "{{ if eq .kind \"film\"");
    takes("{{ if eq .kind $0 }}", "\"film\"", "{{ if eq .kind \"film\" }}");
    exactly("{{ if eq .user.name \"$0\" }}", &[]);
}

#[test]
fn an_open_block_is_ended_first() {
    first("{{ if .kind }}a{{ $0 }}", &["end", "else", "else if"]);
    first("{{ if .kind }}a{{ else }}b{{ $0 }}", &["end"]);
    first("{{ range .items }}{{ if .title }}a{{ end }}{{ $0", &["end", "else", "else if"]);
    takes("{{ if .kind }}a{{ en$0", "end", "{{ if .kind }}a{{ end }}");
    let (_, found) = items(&program("{{ if .kind }}a{{ end }}{{ $0 }}"));
    assert!(
        found.iter().all(|item| !matches!(item.label.as_str(), "end" | "else" | "break")),
        "nothing is open here"
    );
    let (_, found) = items(&program("{{ range .items }}{{ $0 }}{{ end }}"));
    assert!(found.iter().any(|item| item.label == "break"));
}

#[test]
fn blocks_are_inserted_whole() {
    expands("a {{ $0 }} b", "if … end", "a {{ if ${1:.condition} }}$0{{ end }} b");
    expands("{{ ra$0 }}\n", "range … end", "{{ range ${1:.items} }}\n$0\n{{ end }}\n");
    expands("{{$0}}", "with … end", "{{ with ${1:.value} }}\n$0\n{{ end }}");
    expands("{{$0", "with … end", "{{ with ${1:.value} }}\n$0\n{{ end }}");
    takes(
        "{{ $0 }}",
        "range $index, $item … end",
        "{{ range $index, $item := .items }}\n\n{{ end }}",
    );
    let (text, found) = items(&program("{{ $0 }}\n").replace('\n', "\r\n"));
    let block = found.iter().find(|item| item.label == "if … end").expect("a block");
    assert!(block.edit.text.contains("}}\r\n"), "{text:?} {block:?}");
}

#[test]
fn templates_are_named_after_template() {
    let defined = "{{ define \"item\" }}{{ end }}{{ define \"a b\" }}{{ end }}";
    exactly(&format!("{defined}{{{{ template $0 }}}}"), &["\"item\"", "\"a b\""]);
    exactly(&format!("{defined}{{{{ template \"$0\" }}}}"), &["item", "a b"]);
    first(&format!("{defined}{{{{ template \"item\" $0 }}}}"), &[".user"]);
    exactly("{{ block \"$0\" . }}{{ end }}", &[]);
}

#[test]
fn nothing_is_offered_outside_actions_and_in_comments() {
    for body in [
        "Some te$0xt",
        "{$0",
        "{ $0 }",
        "{{ .kind }}$0",
        "$0{{ .kind }}",
        "{$0{ .kind }}",
        "{{ .kind }$0}",
        "{{/* .$0 */}}",
        "{{ \"te$0xt\" }}",
        "{{ 1$0 }}",
        "{{ .kind\n\nA paragraph $0 that follows.",
        "{{ end $0 }}",
        "{{ define $0 }}",
    ] {
        exactly(body, &[]);
    }
}

#[test]
fn variables_are_offered_in_scope() {
    let labels = |body: &str| {
        items(&program(body))
            .1
            .into_iter()
            .map(|item| item.label)
            .filter(|label| label.starts_with('$'))
            .collect::<Vec<_>>()
    };
    assert_eq!(labels("{{ $a := .kind }}{{ $$0 }}"), ["$a", "$"]);
    assert_eq!(labels("{{ if .kind }}{{ $a := 1 }}{{ end }}{{ $$0 }}"), ["$"]);
    assert_eq!(labels("{{ $a := 1 }}{{ define \"x\" }}{{ $$0 }}{{ end }}"), ["$"]);
    takes("{{ $abc := 1 }}{{ $a$0b }}", "$abc", "{{ $abc := 1 }}{{ $abc }}");
}

#[test]
fn very_many_fields_are_offered_in_time() {
    let input = |count: usize| {
        let fields: String = (0..count)
            .map(|index| {
                format!("    field_{index}: {{ type: string, description: Number {index} }}\n")
            })
            .collect();
        let head = "---\nname: many\ndescription: Has many fields\ninput:\n  type: object\n  properties:\n";
        (count, format!("{head}{fields}{OUTPUT}---\n\n{{{{ .$0 }}}}\n"))
    };
    growth::is_linear("fields", 3000, input, |(count, text)| {
        let found = items(&text).1;
        let last = found.last().and_then(|item| item.documentation.clone());
        // The limit of listed items.
        let shown = count.min(200);
        assert_eq!((found.len(), last), (shown, Some(format!("optional\n\nNumber {}", shown - 1))));
    });
}

#[test]
fn mdl_18_a_compared_field_narrows_completion() {
    let shapes = "oneOf: [{ type: object, properties: { kind: { const: bug }, steps: { type: string } }, required: [kind, steps] }, \
                  { type: object, properties: { kind: { const: idea }, votes: { type: integer } }, required: [kind, votes] }]";
    let input = format!(
        "input: {{ type: object, properties: {{ issue: {{ {shapes} }} }}, required: [issue] }}\n"
    );
    let labels = |body: &str| {
        let text = format!(
            "---\nname: triage\ndescription: Sorts 🦆 issues\n{input}{OUTPUT}---\n\n{body}\n"
        );
        let mut labels = Vec::new();
        for text in variants(&text) {
            labels = items(&text).1.into_iter().map(|item| item.label).collect();
        }
        labels
    };
    assert_eq!(labels("{{ .issue.$0 }}"), ["kind", "steps", "votes"]);
    assert_eq!(
        labels("{{ if eq .issue.kind \"bug\" }}{{ .issue.$0 }}{{ end }}"),
        ["kind", "steps"]
    );
    assert_eq!(
        labels("{{ if eq .issue.kind \"bug\" }}{{ else }}{{ .issue.s$0 }}{{ end }}"),
        ["kind", "votes"]
    );
    let of_dot = labels("{{ with .issue }}{{ if ne .kind \"bug\" }}{{ $0 }}{{ end }}{{ end }}");
    assert!(
        of_dot.contains(&".votes".to_owned()) && !of_dot.contains(&".steps".to_owned()),
        "{of_dot:?}"
    );
}

#[test]
fn nothing_that_is_certainly_wrong_is_offered() {
    // After a value, after too many arguments, and after a pipe.
    for body in [
        "{{ .kind $0 }}",
        "{{ .kind .$0 }}",
        "{{ \"a\" $0 }}",
        "{{ (len .items) $0 }}",
        "{{ $x := .kind $0 }}",
        "{{ if .kind $0 }}{{ end }}",
        "{{ $x := 1 }}{{ $x $0:= 2 }}",
        "{{ upper .kind $0 }}",
        "{{ .kind | upper $0 }}",
        "{{ .kind | .$0 }}",
        "{{ define \"t\" }}{{ end }}{{ template \"t\" .kind $0 }}",
        "日本 🦆 {{ .kind $0",
    ] {
        exactly(body, &[]);
    }
    let kinds = |body: &str| {
        let mut kinds: Vec<String> =
            items(&program(body)).1.iter().map(|item| format!("{:?}", item.kind)).collect();
        kinds.sort();
        kinds.dedup();
        kinds.join(" ")
    };
    assert_eq!(kinds("{{ .kind | $0 }}"), "Function");
    assert_eq!(kinds("{{ .kind | up$0 }}"), "Function");
    assert_eq!(kinds("{{ $0 .kind }}"), "Function Keyword");
    assert_eq!(kinds("{{ if $0 .kind }}{{ end }}"), "Function");
    assert_eq!(kinds("{{ $0 | upper }}"), "Function Key Variable");
    assert_eq!(kinds("{{ $x := 1 }}{{ $$0x }}"), "Variable");
    exactly("{{ $a := 1 }}{{ range $i, $0 := .items }}{{ end }}", &["$a"]);
    exactly("{{ $a := 1 }}{{ range $i, $0", &["$a"]);
    exactly("{{ $a := 1 }}{{ $0 = 2 }}", &["$a"]);
    first("{{ default $0 }}", &[".user", ".items", ".kind"]);
}

#[test]
fn an_item_does_not_merge_with_the_following_text() {
    takes("{{ default $0\"a\" }}", ".kind", "{{ default .kind \"a\" }}");
    takes("{{ default $0.count }}", ".kind", "{{ default .kind .count }}");
    takes("{{ default $0(len .items) }}", ".kind", "{{ default .kind (len .items) }}");
    takes("{{ $a := 1 }}{{ default $0$a }}", ".kind", "{{ $a := 1 }}{{ default .kind $a }}");
    takes("{{ $0\"a\" }}", "upper", "{{ upper \"a\" }}");
    takes("{{ upper $0}}", ".kind", "{{ upper .kind}}");
    expands("{{ gt (len $0.items) 3 }}", "json", "{{ gt (len (json $1)$0 .items) 3 }}");
    takes("{{ upper $0| lower }}", ".kind", "{{ upper .kind| lower }}");
    takes("{{ .us$0.name }}", "user", "{{ .user.name }}");
}
