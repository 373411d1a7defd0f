use super::*;
use crate::growth;

/// A program whose input is `lines`, indented as below `input:`.
fn input(lines: &str) -> String {
    with_field("input", &format!("input:\n{lines}"))
}

/// A program whose input has one property with this schema, in flow style.
fn property(schema: &str) -> String {
    with_field(
        "input",
        &format!("input: {{ type: object, properties: {{ who: {schema} }}, required: [who] }}\n"),
    )
}

const INVALID: &str = "markdownlang/invalid-schema";
const UNTYPED: &str = "markdownlang/untyped-schema";
const BOOLEAN: &str = "markdownlang/string-boolean";
const NOT_JSON: &str = "markdownlang/not-json";

#[test]
fn mdl_09_mistakes_are_reported_at_their_characters() {
    check(&property("{ type: string, minLength: «\"3\"» }"), &[INVALID]);
    check(&property("{ type: string, minLength: «-1» }"), &[INVALID]);
    check(&property("{ type: string, pattern: «\"(\"» }"), &[INVALID]);
    check(&property("«string»"), &[INVALID]);
    check(
        &input(
            "  type: object\n  properties:\n    who:\n      type: string\n      enum: «Ada»\n  required: [who]\n",
        ),
        &[INVALID],
    );
    check(
        &input(
            "  type: object\n  properties:\n    who: { type: string }\n    «日本»:\n  required: [who]\n",
        ),
        &[INVALID],
    );
    check(
        &input(
            "  type: object\n  properties:\n    who: { type: array, items: { type: «strin» } }\n  required: [who]\n",
        ),
        &["markdownlang/unknown-type"],
    );
    check(&property("{ $ref: «\"#/$defs/x\"» }"), &["markdownlang/unresolved-reference"]);
    check(
        &with_field(
            "output",
            "output:\n  type: object\n  properties: { a: { type: [string, «nul»] } }\n  required: [a]\n",
        ),
        &["markdownlang/unknown-type"],
    );
}

#[test]
fn mdl_09_other_dialects() {
    let schema = |uri: &str| {
        input(&format!(
            "  $schema: {uri}\n  type: object\n  properties:\n    who: {{ type: string }}\n  required: [who]\n"
        ))
    };
    check(&schema("\"https://json-schema.org/draft/2020-12/schema\""), &[]);
    check(
        &schema("«http://json-schema.org/draft-07/schema#»"),
        &["markdownlang/unsupported-dialect"],
    );
    check(
        &schema("«\"https://json-schema.org/draft/2019-09/schema\"»"),
        &["markdownlang/unsupported-dialect"],
    );
}

#[test]
fn mdl_10_schemas_with_too_few_constraints() {
    check(&with_field("input", "«input»: {}\n").replace("{{ .who }}", "them"), &[UNTYPED]);
    check(&property("{ description: someone }").replace("who: {", "«who»: {"), &[UNTYPED]);
    check(&with_field("input", "input: «true»\n"), &["markdownlang/boolean-schema"]);
    check(&property("«false»"), &["markdownlang/boolean-schema"]);
    check(&property("{ enum: [a, b] }"), &[]);
    check(&property("{ const: a }"), &[]);
    check(&property("{ minLength: 1 }").replace("who: {", "«who»: {"), &[UNTYPED]);
    check(&property("{ anyOf: [{ type: string }, { type: integer }] }"), &[]);
    check(
        &input(
            "  type: object\n  properties:\n    who: { type: string }\n  required: [who, «whom»]\n",
        ),
        &["markdownlang/undeclared-required"],
    );
    check(
        &with_field("output", "output: { type: object, «properties»: { a: { type: string } } }\n"),
        &["markdownlang/missing-required"],
    );
    check(&property("{ type: string, «minlength»: 3 }"), &["markdownlang/unknown-keyword"]);
    check(&property("{ type: string, «nullable»: true }"), &["markdownlang/unknown-keyword"]);
    assert_eq!(findings(&with_field("input", "input: {}\n"))[0].severity, Severity::Warning);
}

#[test]
fn mdl_10_fixes_keep_the_style() {
    let text = |schema: &str| {
        input(&format!(
            "  type: object\n  properties:\n    who:\n{schema}  required: [who] # all\n"
        ))
    };
    fixes(
        &text("      # the person\n      minLength: 3\n"),
        "Insert `type: string`",
        &text("      # the person\n      minLength: 3\n      type: string\n"),
    );
    fixes(
        &text("      type: str # text\n"),
        "Replace with `string`",
        &text("      type: string # text\n"),
    );
    fixes(
        &text("      type: string\n      units: x # why\n"),
        "Remove `units`",
        &text("      type: string\n"),
    );
    let stray = |lines: &str| input(&format!("  type: object\n{lines}  required: [who]\n"));
    fixes(
        &stray("  who: { type: string }\n  properties: {}\n"),
        "Move to `properties`",
        &stray("  properties: {who: { type: string }}\n"),
    );
    fixes(
        &stray("  who: { type: string } # x\n"),
        "Move to `properties`",
        &stray("").replace("[who]\n", "[who]\n  properties: { who: { type: string } }\n"),
    );
    fixes(
        &stray("  properties:\n  who: { type: string }\n"),
        "Move to `properties`",
        &stray("  properties: { who: { type: string } }\n"),
    );
    fixes(
        &property("{ type: string, minlength: 3 }"),
        "Rename to `minLength`",
        &property("{ type: string, minLength: 3 }"),
    );
}

#[test]
fn mdl_11_yaml_that_json_cannot_express() {
    check(&property("{ type: number, maximum: «.inf» }"), &[NOT_JSON]);
    check(&property("{ type: number, default: «.NaN» }"), &[NOT_JSON]);
    check(&property("&a { type: array, items: «*a» }"), &[NOT_JSON]);
    check(&property("{ type: string, enum: [\"1\", \"2\"] }"), &[]);
    check(
        &input(
            "  type: object\n  properties:\n    who: { type: string }\n    1: { type: string }\n    true: { type: string }\n  required: [who]\n",
        ),
        &[],
    );
    let mut bomb = String::from(
        "input:\n  type: object\n  properties:\n    who: { type: string }\n  required: [who]\n  $defs:\n    a0: &a0 { type: string, enum: [x, y] }\n",
    );
    for level in 1..30 {
        bomb.push_str(&format!(
            "    a{level}: &a{level} {{ type: object, properties: {{ l: *a{0}, r: *a{0} }} }}\n",
            level - 1
        ));
    }
    let found = findings(&with_field("input", &bomb));
    assert_eq!(
        found.iter().map(|finding| finding.rule.code).collect::<Vec<_>>(),
        [NOT_JSON],
        "{found:#?}"
    );
}

#[test]
fn mdl_11_anchors_aliases_and_merge_keys() {
    check(
        &input(
            "  type: object\n  properties:\n    who: &text { type: string, minLength: 1 }\n    «title»: *text\n    «nick»: { <<: *text, maxLength: 9 }\n  required: [who]\n",
        ),
        &["markdownlang/unused-input"; 2],
    );
    check(
        &input(
            "  type: object\n  properties:\n    who: &text { type: «strin» }\n    title: *text\n  required: [who]\n",
        ),
        &["markdownlang/unknown-type"],
    );
    let schemas = |text: &str| {
        super::super::read(&crate::source::Source::new(text), None)
            .schemas()
            .input
            .as_ref()
            .map(|schema| schema.value.clone())
    };
    let value = schemas(&input("  type: object\n  properties:\n    who: &t { type: string }\n    on: { <<: *t, default: yes }\n")).unwrap();
    assert_eq!(
        value,
        serde_json::json!({ "type": "object", "properties": { "who": { "type": "string" }, "on": { "default": "yes", "type": "string" } } })
    );
}

#[test]
fn mdl_11_old_booleans_are_strings() {
    check(&property("{ type: boolean, default: «yes» }"), &[BOOLEAN]);
    check(&property("{ type: boolean, default: «Off» }"), &[BOOLEAN]);
    check(&property("{ type: array, items: { type: string }, uniqueItems: «yes» }"), &[BOOLEAN]);
    check(&property("{ type: object, additionalProperties: «no» }"), &[BOOLEAN]);
    check(&property("{ type: string, default: yes, enum: [yes, no] }"), &[]);
    check(
        &input(
            "  type: object\n  properties:\n    «default»: { type: string, const: on }\n    «deprecated»: { type: boolean, default: false }\n    who: { type: string }\n  required: [who]\n",
        ),
        &["markdownlang/unused-input"; 2],
    );
    fixes(
        &property("{ type: boolean, default: yes }"),
        "Replace with `true`",
        &property("{ type: boolean, default: true }"),
    );
}

#[test]
fn mdl_12_outputs_that_are_not_objects() {
    check(&with_field("output", "output: { type: string }\n"), &[]);
    check(&with_field("output", "output: { type: «string» }\n"), &["compat/non-object-output"]);
    check(
        &with_field("output", "output:\n  type: «array»\n  items: { type: string }\n"),
        &["compat/non-object-output"],
    );
}

#[test]
fn a_header_is_read_once() {
    use std::sync::Arc;
    let config = Config::default();
    let text = program("");
    let document = Document::new(&text, Some(Path::new(PATH)), &config);
    let header = |document: &Document| {
        Arc::clone(
            &document.model().as_any().downcast_ref::<super::super::Program>().unwrap().header,
        )
    };
    let before = header(&document);
    let typed = document.edit(
        &[crate::text::Edit::insert(text.len(), "More.\n")],
        Some(Path::new(PATH)),
        &config,
    );
    assert!(Arc::ptr_eq(&before, &header(&typed)));
    let edited = typed.edit(&[crate::text::Edit::insert(10, "x")], Some(Path::new(PATH)), &config);
    assert!(!Arc::ptr_eq(&before, &header(&edited)));
    assert_eq!(header(&edited).name.as_ref().map(|name| name.text.as_str()), Some("xgreet"));
}

#[test]
fn many_aliases_do_not_repeat_findings() {
    let mut text = String::from(
        "input:\n  type: object\n  properties:\n    who: { type: string }\n  required: [who]\n  $defs:\n    a0: &a0 { «minlength»: 3, type: string }\n",
    );
    for level in 1..10 {
        text.push_str(&format!(
            "    a{level}: &a{level} {{ type: object, properties: {{ l: *a{0}, r: *a{0} }} }}\n",
            level - 1
        ));
    }
    check(&with_field("input", &text), &["markdownlang/unknown-keyword"]);
}

#[test]
fn large_front_matter_is_checked_in_time() {
    let input = |count: usize| {
        let mut fields = String::from("imports:\n");
        (0..count).for_each(|index| fields.push_str(&format!("  - ./none{index}.md\n")));
        (0..count).for_each(|index| fields.push_str(&format!("unknown{index}: x\n")));
        (count, program(&fields))
    };
    growth::is_linear("fields", 2000, input, |(count, text)| {
        assert_eq!(findings(&text).len(), 2 * count)
    });
    let input = |count: usize| {
        let properties: String =
            (0..count).map(|number| format!("    p{number}: {{ }}\n")).collect();
        (
            count,
            with_field("input", &format!("input:\n  type: object\n  properties:\n{properties}")),
        )
    };
    growth::is_linear("properties", 4000, input, |(count, text)| {
        assert!(findings(&text).len() >= count)
    });
}

#[test]
fn a_cancelled_check_reports_nothing_wrong_and_is_not_cached() {
    use std::sync::atomic::{AtomicUsize, Ordering};

    let properties: String =
        (0..500).map(|number| format!("    p{number}: {{ type: strng }}\n")).collect();
    let text = format!(
        "---\nname: x\ndescription: x\nmodle: x\ninput:\n  type: object\n  properties:\n    who: {{ type: string }}\n{properties}---\n\n{}",
        "{{ .who }} {{ .p1 }} {{ .none }}\n\n".repeat(125)
    );
    let (world, config) = (world(), config(&[]));
    let checked = |document: &Document, last: usize| {
        let asked = AtomicUsize::new(0);
        let cancelled = || asked.fetch_add(1, Ordering::Relaxed) + 1 >= last;
        let cx = Context {
            cancelled: &cancelled,
            ..Context::new(document.source(), Some(Path::new(PATH)), &world, &config)
        };
        let found = diagnostics(document, &cx);
        (
            found.into_iter().map(|finding| (finding.span, finding.message)).collect::<Vec<_>>(),
            asked.into_inner(),
        )
    };
    let open = || Document::new(&text, Some(Path::new(PATH)), &config);
    let (all, questions) = checked(&open(), usize::MAX);
    assert!(all.len() >= 500, "{}", all.len());
    for last in [1, 2, 3, 5, 8, questions / 2] {
        let document = open();
        let (some, asked) = checked(&document, last);
        assert!(some.len() < all.len() && asked <= last + 8, "{} {asked}", some.len());
        assert!(some.iter().all(|finding| all.contains(finding)), "{last}");
        assert_eq!(checked(&document, usize::MAX).0, all);
    }
}

#[test]
fn mdl_10_an_inserted_type_fits_the_values() {
    let text = |schema: &str| {
        input(&format!(
            "  type: object\n  properties:\n    who: {schema} # 日本 🦆\n  required: [who]\n"
        ))
    };
    for (schema, title, kind) in [
        ("{ default: 3 }", "Insert `type: integer`", "integer"),
        ("{ examples: [a, b] }", "Insert `type: string`", "string"),
        ("{ default: a, examples: [1] }", "Insert `type: [string, integer]`", "[string, integer]"),
        ("{ examples: [1, 2.5] }", "Insert `type: number`", "number"),
        ("{ minimum: 1, default: 2 }", "Insert `type: number`", "number"),
        ("{ minLength: 1, default: 2 }", "Insert `type: [string, integer]`", "[string, integer]"),
        ("{ description: x }", "Insert `type: string`", "string"),
    ] {
        let after = schema.replace(" }", &format!(", type: {kind} }}"));
        fixes(&text(schema), title, &text(&after));
    }
    let block = |lines: &str| {
        input(&format!("  type: object\n  properties:\n    who:\n{lines}  required: [who]\n"))
    };
    for (line, more, kind) in [
        ("type:", "      enum: [1, 2]\n", "integer"),
        ("type:", "      items: { type: string }\n", "array"),
        ("type:", "      description: x\n", "string"),
        ("type: # 🦆", "      default: true\n", "boolean"),
    ] {
        let before = block(&format!("      {line}\n{more}"));
        let found = findings(&before);
        let finding = found.iter().find(|one| one.rule.code == "markdownlang/invalid-schema");
        let finding = finding.unwrap_or_else(|| panic!("{before}: {found:#?}"));
        assert!(finding.message.starts_with("`type` has no value; write "), "{finding:?}");
        let after =
            block(&format!("      {}\n{more}", line.replace("type:", &format!("type: {kind}"))));
        fixes(&before, &format!("Insert `{kind}`"), &after);
    }
    let found = findings(&block("      type: null\n"));
    assert!(
        found.iter().any(|one| one.message.contains("in quotes for the null type")),
        "{found:#?}"
    );
}
