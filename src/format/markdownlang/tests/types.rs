//! MDL-15 to MDL-18: the body, checked against the input schema.

use super::*;

const UNKNOWN: &str = "markdownlang/unknown-variable";
const MISSING: &str = "markdownlang/possibly-missing";

const FIELDS: &str = "input:\n  type: object\n  properties:\n    who: { type: string }\n    nick: { type: string }\n    tags: { type: array, items: { type: string } }\n    kind: { type: string, enum: [xml, json] }\n    boss: { $ref: \"#/$defs/person\" }\n    \"größe-日\": { type: number }\n  required: [who, tags, kind, boss, größe-日]\n  $defs:\n    person:\n      type: object\n      properties:\n        name: { type: string }\n        mail: { type: [string, \"null\"] }\n      required: [name, mail]\n";

/// A program with this body, which reads every property at its end.
fn body(text: &str) -> String {
    let all =
        "{{ if and .who .nick .tags .kind .boss.name .boss.mail (index . \"größe-日\") }}{{ end }}";
    format!(
        "---\nname: greet\ndescription: Greets 🦆 a person\n{FIELDS}{OUTPUT}---\n\n{text}\n\n{all}\n"
    )
}

#[test]
fn mdl_18_unknown_fields_are_named() {
    check(&body("é🦆 {{ .«whom» }} 日 {{ $.boss.«nme» }}"), &[UNKNOWN, UNKNOWN]);
    check(&body("{{ with .boss }}{{ .name }}{{ .«who» }}{{ $.who }}{{ end }}"), &[UNKNOWN]);
    check(&body("{{ range $i, $t := .tags }}{{ $i }}{{ $t }}{{ $.«tag» }}{{ end }}"), &[UNKNOWN]);
    check(&body("{{ index . \"größe-日\" }}{{ index . \"«größe-月»\" }}"), &[UNKNOWN]);
    check(
        &body(
            "{{ define \"p\" }}{{ .name }}{{ .«nam» }}{{ end }}\n\n# One\n\n{{ template \"p\" .boss }}",
        ),
        &[UNKNOWN],
    );
    check(&body("{{ define \"p\" }}{{ .nam }}{{ end }}"), &[]);
    fixes(&body("{{ .boss.«nme» }}"), "Replace with `name`", &body("{{ .boss.name }}"));
}

#[test]
fn mdl_18_unknown_fields_can_be_declared() {
    let text = program("").replace("{{ .who }}", "{{ .who }} {{ len .«titles» }}");
    let declared = marked(&text).0.replace(
        "{ who: { type: string } }, required: [who]",
        "{ who: { type: string }, titles: { type: array, items: { type: string } } }, required: [who, titles]",
    );
    fixes(&text, "Declare `titles` in the input schema", &declared);
}

#[test]
fn mdl_18_a_name_is_required_in_any_list() {
    for name in
        ["nick", "größe-日", "🦆", "a: b", "[x]", "#", "- ", "null", "7", "it's", "e\u{301}, f"]
    {
        for list in [
            "[who]",
            "['who']",
            "[ \"who\" ,]",
            "[who # first, ]\n  ]",
            "[\r\n    who\r\n    ]",
            "[who,\n    &a\n    who\n    more # ]\n  ]",
            "[!!str who]",
            "[&a who, *a]",
            "[[who]]",
            "[who: 1]",
            "\n    - who",
            "\n    - 'who' # more",
            "[]",
            "",
        ] {
            let text = |list: &str| {
                let key = serde_json::to_string(name).unwrap();
                format!(
                    "---\nname: x\ninput:\n  type: object\n  required: {list}\n  properties:\n    {key}: {{ type: string }}\n    who: {{ type: string }}\n---\n\n{{{{ index . {key} }}}}\n"
                )
            };
            let (text, bare) = (text(list), text("[who]"));
            let required = |text: &str| {
                let found = findings(text);
                let fixes = found.into_iter().flat_map(|found| found.fixes);
                fixes.into_iter().find(|fix| fix.title == format!("Require `{name}`"))
            };
            assert!(required(&bare).is_some(), "{name}");
            let Some(fix) = required(&text) else { continue };
            let fixed = crate::text::apply(&text, &fix.edits).unwrap();
            let tree = |text: &str| crate::yaml::parse(text.split("---").nth(1).unwrap());
            assert!(tree(&fixed).errors.len() <= tree(&text).errors.len(), "{fixed}");
            assert!(required(&fixed).is_none(), "{fixed}");
        }
    }
}

#[test]
fn mdl_18_optional_values_are_guarded() {
    check(
        &body("{{ .«nick» }} 日 {{ if .nick }}{{ .nick }}{{ end }}{{ .nick | default \"x\" }}"),
        &[MISSING],
    );
    check(
        &body(
            "{{ .boss.«mail» }}{{ upper .boss.name }}{{ with .boss.mail }}{{ upper . }}{{ end }}",
        ),
        &[MISSING],
    );
    fixes(&body("{{ .«nick» }}"), "Add `default \"\"`", &body("{{ .nick | default \"\" }}"));
    fixes(
        &body("a {{- .«nick» -}} b"),
        "Wrap in `{{ if .nick }}`",
        &body("a {{- if .nick }}{{- .nick -}}{{ end -}} b"),
    );
    fixes(
        &body("{{ upper .«nick» }}"),
        "Add `default \"\"`",
        &body("{{ upper (.nick | default \"\") }}"),
    );
}

#[test]
fn mdl_18_an_optional_entry_is_guarded_as_a_whole() {
    let text = |body: &str| {
        let input = "input: { type: object, properties: { map: { type: object, additionalProperties: { type: string } }, a-b: { type: string } }, required: [map] }\n";
        format!(
            "---\nname: greet\ndescription: Greets a person\n{input}{OUTPUT}---\n\n{body}{{{{ if and .map (index . \"a-b\") }}}}{{{{ end }}}}\n"
        )
    };
    let (one, other) = ("{{ index . \"«a-b»\" }}", "{{ index .map \"«k»\" }}");
    fixes(
        &text(one),
        "Wrap in `{{ if index . \"a-b\" }}`",
        &text("{{ if index . \"a-b\" }}{{ index . \"a-b\" }}{{ end }}"),
    );
    fixes(&text(one), "Add `default \"\"`", &text("{{ index . \"a-b\" | default \"\" }}"));
    fixes(
        &text(other),
        "Wrap in `{{ if index .map \"k\" }}`",
        &text("{{ if index .map \"k\" }}{{ index .map \"k\" }}{{ end }}"),
    );
    check(&text("{{ if index .map \"k\" }}{{ index .map \"k\" }}{{ end }}"), &[]);
}

#[test]
fn mdl_18_the_value_of_a_field_decides_the_shape_of_an_object() {
    let text = |body: &str| {
        let shapes = "oneOf: [{ type: object, properties: { kind: { type: string, const: url }, url: { type: string } }, required: [kind, url] }, \
                      { type: object, properties: { kind: { type: string, enum: [file, folder] }, path: { type: string } }, required: [kind, path] }]";
        let input = format!(
            "input: {{ type: object, properties: {{ at: {{ {shapes} }} }}, required: [at] }}\n"
        );
        format!("---\nname: greet\ndescription: Greets a person\n{input}{OUTPUT}---\n\n{body}\n")
    };
    check(
        &text(
            "{{ if eq .at.kind \"url\" }}{{ .at.url }}{{ .at.«path» }}{{ else }}{{ .at.path }}{{ .at.«url» }}{{ end }}",
        ),
        &[MISSING, MISSING],
    );
    check(
        &text(
            "{{ with .at }}{{ if eq \"file\" .kind }}{{ .path }}{{ else }}{{ .«url» }}{{ end }}{{ end }}",
        ),
        &[MISSING],
    );
    check(
        &text("{{ $at := .at }}{{ if ne $at.kind \"file\" \"folder\" | not }}{{ end }}")
            .replace(" \"folder\" | not", ""),
        &[],
    );
    check(
        &text(
            "{{ $at := .at }}{{ if eq $at.kind \"file\" \"folder\" }}{{ $at.path }}{{ else }}{{ $at.url }}{{ end }}",
        ),
        &[],
    );
    check(
        &text(
            "{{ if ne .at.kind \"url\" }}{{ .at.path }}{{ else }}{{ .at.url }}{{ end }}{{ .at.«url» }}",
        ),
        &[MISSING],
    );
    // The declaration already requires it.
    let found = findings(&text("{{ .at.url }}"))
        .into_iter()
        .find(|finding| finding.rule.code == MISSING)
        .expect("finding");
    assert!(found.fixes.iter().all(|fix| !fix.title.starts_with("Require")), "{:?}", found.fixes);
    // If both objects have it, each would have to require it.
    let text = text("{{ .at.«size» }}")
        .replace("url: { type: string }", "url: { type: string }, size: { type: integer }")
        .replace("path: { type: string }", "path: { type: string }, size: { type: integer }");
    let text = marked(&text).0;
    let found = findings(&text);
    let found = found.iter().find(|finding| finding.rule.code == MISSING).unwrap();
    assert!(found.fixes.iter().all(|fix| !fix.title.starts_with("Require")), "{:?}", found.fixes);
}

#[test]
fn mdl_18_a_variable_may_be_marked_as_unused() {
    check(
        &body(
            "{{ range $i, $_ := .tags }}{{ $i }}{{ end }}{{ range $i, «$t» := .tags }}{{ $i }}{{ end }}",
        ),
        &["markdownlang/unused-template-variable"],
    );
    // Without the second variable, the first one would have another meaning.
    let message = |text: &str| {
        let found = findings(&body(text));
        found.iter().map(|finding| finding.message.clone()).collect::<Vec<_>>()
    };
    assert_eq!(
        message("{{ range $i, $t := .tags }}{{ $i }}{{ end }}"),
        ["`$t` is never read; use it, or name it `$_`"]
    );
    assert_eq!(
        message("{{ range $t := .tags }}x{{ end }}"),
        ["`$t` is never read; use it, or remove it"]
    );
}

#[test]
fn mdl_18_values_functions_and_comparisons() {
    check(&body("{{ upper «.tags» }}{{ .tags | join \", \" }}"), &["markdownlang/wrong-argument"]);
    check(
        &body("{{ «upper .who .who» }}{{ .who.«name» }}"),
        &["markdownlang/argument-count", "markdownlang/not-an-object"],
    );
    check(
        &body("{{ range «.who» }}{{ end }}{{ .who | «split \",\"» }}"),
        &["markdownlang/range-over-scalar", "markdownlang/piped-split"],
    );
    check(
        &body("{{ if eq .kind «\"xlm\"» }}{{ end }}{{ if eq .kind \"json\" }}{{ end }}"),
        &["markdownlang/impossible-comparison"],
    );
    check(&body("{{ «printf \"%s %d\" .who» }}"), &["markdownlang/format-verb"]);
    check(
        &body("{{ $«unused» := 1 }}").replace("$«unused»", "«$unused»"),
        &["markdownlang/unused-template-variable"],
    );
    check(&body("{{ $x := 1 }}\n\n# One\n\n{{ $x }}"), &[]);
    fixes(
        &body("{{ range .who | «split \",\"» }}{{ . }}{{ end }}"),
        "Replace with `split .who \",\"`",
        &body("{{ range split .who \",\" }}{{ . }}{{ end }}"),
    );
    fixes(
        &body("{{ if eq .kind «\"xlm\"» }}{{ end }}"),
        "Replace with `xml`",
        &body("{{ if eq .kind \"xml\" }}{{ end }}"),
    );
}

#[test]
fn mdl_18_unused_inputs() {
    let text = program("")
        .replace("{ who: { type: string } }", "{ who: { type: string }, «🦆»: { type: string } }");
    check(&text, &["markdownlang/unused-input"]);
    check(&marked(&text).0.replace("{{ .who }}", "{{ . }}"), &[]);
    check(
        &marked(&text).0.replace("{{ .who }}", "{{ .who }}{{ define \"p\" }}{{ .x }}{{ end }}"),
        &[],
    );
}

/// The findings about properties are kept from one key press to the next.
#[test]
fn mdl_18_unused_inputs_follow_the_body() {
    let start = program("").replace(
        "{ who: { type: string } }",
        "{ who: { type: string }, nick: { type: string }, tags: { type: string } }",
    );
    let (path, config, world) = (Some(Path::new(PATH)), config(&[]), world());
    let unused = |document: &Document| {
        let cx = Context::new(document.source(), path, &world, &config);
        let found = diagnostics(document, &cx).into_iter();
        let unused = found.filter(|found| found.rule.code == "markdownlang/unused-input");
        unused.map(|found| found.message).collect::<Vec<_>>()
    };
    let mut document = Document::new(&start, path, &config);
    let mut before = "{{ .who }}".to_owned();
    for (body, count) in [
        ("{{ .who }}{{ .nick }}", 1),
        ("{{ .who }}{{ .nikc }}", 1),
        ("{{ .who }}{{ .other }}", 2),
        ("{{ .who }}{{ .tasg }}", 1),
        ("{{ .who }}{{ .nick }}{{ .tags }}", 0),
        ("{{ . }}", 0),
        ("{{ .tags }}", 2),
    ] {
        let at = document.source().text().to_string().find(&before).unwrap();
        let edit = crate::text::Edit::replace(at..at + before.len(), body);
        document = document.edit(&[edit], path, &config);
        before = body.to_owned();
        let text = document.source().text().to_string();
        assert_eq!(unused(&document), unused(&Document::new(&text, path, &config)), "{body}");
        assert_eq!(unused(&document).len(), count, "{body}");
    }
}

/// A variable's type can change far from the units that read it.
#[test]
fn mdl_18_types_of_variables_reach_all_later_units() {
    let body = "# A\n\n{{ $one := .who }}\n\n".to_owned()
        + &"# B\n\nText {{ .who }}\n\n".repeat(40)
        + "# C\n\n{{ $one.name }}\n";
    let start = program("") + "\n" + &body;
    let start = start.replace(
        "{ who: { type: string } }",
        "{ who: { type: string }, one: { type: object, properties: { nick: { type: string } } } }",
    );
    let (path, config, world) = (Some(Path::new(PATH)), config(&[]), world());
    let found = |document: &Document| {
        let cx = Context::new(document.source(), path, &world, &config);
        let found = diagnostics(document, &cx).into_iter();
        found.map(|found| (found.span, found.message)).collect::<Vec<_>>()
    };
    let mut document = Document::new(&start, path, &config);
    let at = start.find(":= .who").unwrap() + ":= ".len();
    for (old, new) in [(".who", ".one"), (".one", ".who")] {
        let before = found(&document);
        let edit = crate::text::Edit::replace(at..at + old.len(), new);
        document = document.edit(&[edit], path, &config);
        let text = document.source().text().to_string();
        assert_eq!(found(&document), found(&Document::new(&text, path, &config)), "{new}");
        assert_ne!(found(&document), before, "{new}");
    }
}

#[test]
fn mdl_18_a_broken_schema_is_not_used() {
    let text = program("")
        .replace("{ who: { type: string } }", "{ who: { type: «strin» } }")
        .replace("{{ .who }}", "{{ .whom }}{{ upper .x.y }}");
    check(&text, &["markdownlang/unknown-type"]);
}

#[test]
fn mdl_17_keys_that_the_reference_implementation_renames() {
    let text = program("")
        .replace("who: { type: string }", "who: { type: string }, «\"a b\"»: { type: string }")
        .replace("[who]", "[who, \"a b\"]");
    check(
        &text.replace("{{ .who }}", "{{ .who }}{{ index . \"a b\" }}"),
        &["compat/sanitized-key"],
    );
}

#[test]
fn mdl_18_recursive_templates() {
    let tree = "input:\n  type: object\n  properties:\n    tree: { $ref: \"#/$defs/node\" }\n  required: [tree]\n  $defs:\n    node:\n      type: object\n      properties:\n        name: { type: string }\n        kids: { type: array, items: { $ref: \"#/$defs/node\" } }\n      required: [name, kids]\n";
    let text = format!(
        "---\nname: greet\ndescription: Greets\n{tree}{OUTPUT}---\n\n{{{{ template \"n\" .tree }}}}\n\n# Node\n\n{{{{ define \"n\" }}}}{{{{ .name }}}}{{{{ .«nam» }}}}{{{{ range .kids }}}}{{{{ template \"n\" . }}}}{{{{ end }}}}{{{{ end }}}}\n"
    );
    check(&text, &[UNKNOWN]);
}

/// A slip in one value of the front matter only hides findings that it puts in doubt.
#[test]
fn yaml_slips_leave_the_rest_checked() {
    let text = |input: &str, more: &str, body: &str| {
        format!(
            "---\nname: greet\ndescription: Greets\n{more}input:\n  type: object\n  required: [boss]\n  properties:\n    boss:\n      type: object\n{input}{OUTPUT}---\n\n{{{{ .boss }}}} {body}\n"
        )
    };
    let names = "      properties:\n        name: { type: string }\n";
    let both = "{{ .boss.«nme» }} {{ .«bos» }}";
    let found = |text: &str| -> Vec<String> {
        let all = findings(text);
        let of = all.iter().filter(|finding| finding.rule.code == UNKNOWN);
        of.map(|finding| text[finding.span.clone()].to_owned()).collect()
    };
    for slip in
        ["model: a: b\n", "model: \"a\n", "model: @x\n", "model: [a\n", "- x\n", "\tmodel: a\n"]
    {
        assert_eq!(found(&marked(&text(names, slip, both)).0), ["nme", "bos"], "{slip}");
    }
    for (input, words) in [
        // The value is text in any case.
        (format!("      description: Use when: asked 日\n{names}"), &["nme", "bos"][..]),
        (format!("      description: \"Use when\n{names}"), &["nme", "bos"]),
        (
            format!(
                "{names}        mail:\n          type: string\n          description: e.g.: a@b\n"
            ),
            &["nme", "bos"],
        ),
        // The object may have more fields than could be read.
        ("      properties: { name: { type: string }\n".to_owned(), &["bos"]),
        ("      properties: { name: { type: string, description: a: b } }\n".to_owned(), &["bos"]),
        (names.replace("type: string", "type: string, description: a: b"), &["nme", "bos"]),
        // It's unclear where these lines belong.
        (format!("{names}       mail: {{ type: string }}\n"), &[]),
        (format!("{names}    mail\n"), &[]),
    ] {
        let text = marked(&text(&input, "", both)).0;
        assert!(
            findings(&text).iter().any(|finding| finding.rule.code == "markdownlang/yaml-syntax"),
            "{text}"
        );
        assert_eq!(found(&text), words, "{text}");
    }
}

#[test]
fn a_declaration_leaves_merged_and_shared_schemas_alone() {
    let text = |input: &str| {
        format!(
            "---\nname: x\ndescription: 日本 🦆\nbase: &s\n  type: object\n  properties: {{ who: {{ type: string }}, boss: &b {{ type: object, properties: {{ name: {{ type: string }} }} }} }}\n  required: [who]\n{input}output: {{ type: object, properties: {{ z: {{ type: string }} }}, required: [z] }}\n---\n\n{{{{ .who }}}} {{{{ .«whose» }}}}\n"
        )
    };
    for (input, offered) in [
        ("input: *s\n", false),
        ("input:\n  <<: *s\n", false),
        ("input: { <<: *s }\n", false),
        ("input:\n  <<: *s\n  properties: { who: { type: string } }\n", false),
        ("input:\n  <<: *s\n  properties: { who: { type: string } }\n  required: [who]\n", true),
        (
            "input:\n  type: object\n  properties: { who: *b, a: &b2 { type: object } }\n  required: []\n",
            true,
        ),
        ("input: &only\n  type: object\n  properties: { who: { type: string } }\n", true),
    ] {
        for eol in ["\n", "\r\n"] {
            let (text, _) = marked(&text(input).replace('\n', eol));
            let found = findings(&text);
            let finding = found.iter().find(|finding| finding.message.contains("`whose`"));
            let finding = finding.unwrap_or_else(|| panic!("{input}: {found:#?}"));
            let is_declared = finding.fixes.iter().any(|fix| fix.title.starts_with("Declare"));
            assert_eq!(is_declared, offered, "{input}");
        }
    }
}
