use super::*;

const MISSING: &str = "markdownlang/missing-field";
const NAME: &str = "markdownlang/invalid-name";
const TYPE: &str = "markdownlang/wrong-type";
const UNKNOWN: &str = "markdownlang/unknown-field";

#[test]
fn mdl_05_missing_fields_are_reported_on_the_opening_line() {
    for field in ["name", "description", "output"] {
        check(&with_field(field, "").replacen("---", "«---»", 1), &[MISSING]);
    }
    check(
        "«««---»»»\ninput: { type: object }\nmodel: x\n---\n\nBody.\n",
        &[MISSING, MISSING, MISSING],
    );
}

#[test]
fn mdl_05_empty_fields_are_reported_on_themselves() {
    check(&with_field("description", "«description»:\n"), &[MISSING]);
    check(&with_field("description", "description: «\"\"»\n"), &[MISSING]);
    check(&with_field("description", "description: «~» # nothing\n"), &[MISSING]);
    check(&with_field("name", "name: «null»\n"), &[MISSING]);
    check(&with_field("output", "«output»:\n"), &[MISSING]);
}

#[test]
fn mdl_05_a_broken_field_is_not_missing() {
    check(
        &with_field("description", "description: «Greets: you»\n"),
        &["markdownlang/yaml-syntax"],
    );
    check(&with_field("output", "output: «{ type: object»\n"), &["markdownlang/yaml-syntax"]);
    check(&with_field("description", "«descr»\n"), &["markdownlang/yaml-syntax"]);
}

#[test]
fn mdl_05_a_misspelled_field_is_reported_once() {
    check(&with_field("description", "«desciption»: Greets\n"), &[MISSING]);
    check(&with_field("output", "«Output»: { type: object }\n"), &[MISSING]);
}

#[test]
fn mdl_05_skeletons() {
    let body = "\n# Greeter\n\nGreet *the* person named {{ .who | title }}: kindly! Then stop.\n";
    let (rest, start) = (INPUT.to_owned() + OUTPUT, "---\n");
    let text = |head: &str| format!("{start}{head}{rest}---\n{body}");
    fixes(
        &text("name: greet\n"),
        "Insert `description`",
        &text("name: greet\ndescription: \"Greet the person named who: kindly\"\n"),
    );
    fixes(&text("description: x\n"), "Insert `name`", &text("name: greet\ndescription: x\n"));
    let without_input = format!("{start}name: greet\ndescription: x\n{OUTPUT}---\n{body}");
    let skeleton =
        "input:\n  type: object\n  properties:\n    who: { type: string }\n  required: [who]\n";
    fixes(
        &without_input,
        "Insert `input`",
        &without_input.replace("output:", &format!("{skeleton}output:")),
    );
    let found = findings(&text("name: greet\n"));
    assert_eq!(
        found[0].fixes[0].snippet.as_deref(),
        Some("\ndescription: ${1:\"Greet the person named who: kindly\"}")
    );
    fixes(
        &with_field("description", "description: \n"),
        "Fill in `description`",
        &with_field("description", "description: Greet who\n").replace("who\n", "who \n"),
    );
}

#[test]
fn mdl_05_the_file_names_the_program() {
    let text = with_field("name", "");
    let found = findings_at(Some("/w/My cool program.v2.md"), &text, &[]);
    assert_eq!(
        apply(&text, &found[0].fixes[0].edits).unwrap(),
        with_field("name", "name: My-cool-program-v2\n")
    );
    let found = findings_at(None, &text, &[]);
    assert_eq!(
        apply(&text, &found[0].fixes[0].edits).unwrap(),
        with_field("name", "name: my-program\n")
    );
}

#[test]
fn mdl_06_names() {
    check(&with_field("name", "name: «Greet a person»\n"), &[NAME]);
    check(&with_field("name", "name: «\"größe\"»\n"), &[NAME]);
    check(&with_field("name", &format!("name: «{}»\n", "x".repeat(65))), &[NAME]);
    check(&with_field("name", &format!("name: {}\n", "x".repeat(64))), &[]);
    check(&with_field("name", "name: «42»\n"), &[TYPE]);
    check(&with_field("name", "name: «true»\n"), &[TYPE]);
    check(&with_field("name", "name: «[a, b]»\n"), &[TYPE]);
    check(&with_field("name", "name: «python»\n"), &["markdownlang/reserved-name"]);
    check(&with_field("name", "name: «mcp__fs__read»\n"), &["markdownlang/reserved-name"]);
    check(&with_field("name", "name: «日本»\n"), &[NAME]);
    fixes(
        &with_field("name", "name: Greet a person!\n"),
        "Rename to `Greet-a-person`",
        &with_field("name", "name: Greet-a-person\n"),
    );
}

#[test]
fn mdl_07_unknown_fields() {
    check(&program("«modle»: gpt-4o\n"), &[UNKNOWN]);
    check(&program("«version»: 1\n"), &[UNKNOWN]);
    check(&program("«\"mcp-servers\"»: []\n"), &[UNKNOWN]);
    check(&program("x-shared: &a 1\n"), &[]);
    fixes(&program("modle: gpt-4o\n"), "Rename to `model`", &program("model: gpt-4o\n"));
    let warning = &findings(&program("modle: gpt-4o\n"))[0];
    assert_eq!(
        (warning.severity, warning.message.contains("; did you mean `model`?")),
        (crate::rule::Severity::Warning, true)
    );
    assert!(findings(&program("version: 1\n"))[0].fixes.is_empty());
}

#[test]
fn mdl_07_wrong_types() {
    check(&program("imports: «./helper.md»\n"), &[TYPE]);
    check(&program("imports:\n  - «7»\n"), &[TYPE]);
    check(&program("imports:\n  «-»\n  - ./helper.md\n"), &[TYPE]);
    check(&program("imports:\n  - «{ a: b }»\n"), &[TYPE]);
    check(&program("mcp_servers: «none»\n"), &[TYPE]);
    check(&program("mcp_servers:\n  «fs:\n    command: npx»\n"), &[TYPE]);
    check(&program("mcp_servers:\n  - «fs»\n"), &[TYPE]);
    check(&program("mcp_servers:\n  - name: a\n    command: b\n    args: «-y server»\n"), &[TYPE]);
    check(&program("mcp_servers:\n  - name: a\n    command: b\n    env: «[A=b, C=d]»\n"), &[TYPE]);
    check(
        &program(
            "mcp_servers:\n  - name: a\n    command: b\n    env:\n      «- A=b\n      - C=d»\n",
        ),
        &[TYPE],
    );
    check(&program("mcp_servers:\n  - name: a\n    command: «[npx, -y]»\n"), &[TYPE]);
    check(
        &program("mcp_servers:\n  - name: a\n    command: b\n    disabled: «\"true\"»\n"),
        &[TYPE],
    );
    check(&program("mcp_servers:\n  - name: a\n    command: b\n    args: [«[x]»]\n"), &[TYPE]);
    check(&program("model: «4»\n"), &[TYPE]);
    check(&with_field("description", "description: «[a]»\n"), &[TYPE]);
    check(&with_field("input", "input: «object»\n").replace("{{ .who }}", "them"), &[TYPE]);
    check(&with_field("output", "output: «[a]»\n"), &[TYPE]);
    fixes(
        &program("imports: ./helper.md\n"),
        "Make it a list",
        &program("imports: [./helper.md]\n"),
    );
    fixes(
        &with_field("output", "output: object # x\n"),
        "Write `{ type: object }`",
        &with_field("output", "output: { type: object } # x\n"),
    );
    let server =
        |rest: &str| program(&format!("mcp_servers:\n  - name: a\n    command: b\n    {rest}\n"));
    fixes(
        &server("env:\n      - A=b\n      - C=1"),
        "Make it a mapping",
        &server("env: { A: b, C: \"1\" }"),
    );
    fixes(&server("args: -y server"), "Split into a list", &server("args: [-y, server]"));
    fixes(
        &program("mcp_servers:\n  fs:\n    command: npx\n"),
        "Make it a list",
        &program("mcp_servers:\n  - name: fs\n    command: npx\n"),
    );
    fixes(
        &program("mcp_servers: { fs: { command: npx } }\n"),
        "Make it a list",
        &program("mcp_servers: [ { name: fs, command: npx } ]\n"),
    );
    fixes(
        &program("mcp_servers:\n  fs: { command: npx }\n  two: { url: \"http://x\" }\n"),
        "Make it a list",
        &program(
            "mcp_servers:\n  - { name: fs, command: npx }\n  - { name: two, url: \"http://x\" }\n",
        ),
    );
    fixes(
        &program("mcp_servers:\n  name: fs\n  command: npx\n"),
        "Make it a list",
        &program("mcp_servers:\n  - name: fs\n    command: npx\n"),
    );
}

#[test]
fn mdl_07_numbers_and_booleans_become_strings() {
    let code = "markdownlang/coerced-scalar";
    check(
        &program(
            "mcp_servers:\n  - name: a\n    command: b\n    args: [--port, «8080», \"1\", «true»]\n    env: { A: «1.10», B: x }\n",
        ),
        &[code, code, code],
    );
    check(
        &program("mcp_servers:\n  - name: a\n    command: b\n    args:\n      - «0x1F»\n"),
        &[code],
    );
    let found = findings(&program("mcp_servers:\n  - name: a\n    command: b\n    args: [1.10]\n"));
    assert_eq!(found[0].severity, crate::rule::Severity::Hint);
    fixes(
        &program("mcp_servers:\n  - name: a\n    command: b\n    args: [1.10]\n"),
        "Quote the value",
        &program("mcp_servers:\n  - name: a\n    command: b\n    args: [\"1.10\"]\n"),
    );
}

#[test]
fn mdl_08_the_model_is_an_optional_string() {
    check(&program("model: gpt-4o\n"), &[]);
    check(&program("model:\n"), &[]);
    check(&program("model: «[gpt-4o]»\n"), &[TYPE]);
    let source = crate::source::Source::new(&program("model: \"gpt-4o\"\n"));
    let read = super::super::read(&source, None);
    assert_eq!(read.model.as_ref().map(|model| model.text.as_str()), Some("gpt-4o"));
}
