use super::super::{INPUT, OUTPUT, marked, program};
use super::{ask, variants};
use crate::ide::hover::hover;

/// Hover at every character between `«` and `»` covers exactly these and contains all of `parts`.
#[track_caller]
fn check(text: &str, parts: &[&str]) {
    for text in variants(text) {
        let (text, spans) = marked(&text);
        let [span] = spans.as_slice() else { panic!("one mark") };
        for offset in [span.start, text.floor_char_boundary(span.start + span.len() / 2), span.end]
        {
            let found = ask(&text, |document, cx| hover(document, cx, offset))
                .unwrap_or_else(|| panic!("nothing at {offset} in {text:?}"));
            assert_eq!(&text[found.span.clone()], &text[span.clone()], "{text:?}");
            for part in parts {
                assert!(found.markdown.contains(part), "{part:?} is not in\n{}", found.markdown);
            }
        }
    }
}

#[track_caller]
fn silent(text: &str) {
    let (text, offset) = super::cursor(text);
    assert_eq!(ask(&text, |document, cx| hover(document, cx, offset)), None);
}

fn input(schema: &str) -> String {
    format!("---\nname: greet\ndescription: Greets\n{OUTPUT}input:{schema}\n---\n")
}

#[test]
fn keys() {
    check(&program("«model»: x\n"), &["**model**: a string", "gpt-4o"]);
    check(
        &format!(
            "---\nname: x\n{OUTPUT}«input»: {{ type: object, properties: {{ who: {{ type: string }} }}, required: [who] }}\n---\n"
        ),
        &["`who`: string, required"],
    );
    check(&program("«imports»:\n  - ./a.md\n"), &["**imports**", "tool"]);
    check(&program("mcp_servers:\n  - name: x\n    «command»: y\n"), &["**command**"]);
    check(&program("mcp_servers: [{ name: «日本», command: y }]\n"), &["mcp__日本__"]);
    check(&program("mcp_servers:\n  - name: x\n    transport: «sse»\n"), &["Server-Sent Events"]);
    check(
        &format!("---\nname: «greet»\ndescription: Greets 👋🏽\n{INPUT}{OUTPUT}---\n"),
        &["**greet**", "Greets 👋🏽", "Input", "`who`: string, required", "Output", "`text`"],
    );
    silent(&program("unknown$0: x\n"));
    silent(&program("# comm$0ent\n"));
    silent(&program("model:$0\n"));
    silent(&(program("") + "model$0\n"));
}

#[test]
fn schemas() {
    check(&input("\n  «type»: object"), &["**type**", "json-schema.org"]);
    check(&input("\n  type: «object»"), &["**object**", "properties"]);
    check(&input("\n  type: [string, «\"null\"»]"), &["**null**"]);
    check(
        &input("\n  type: object\n  properties:\n    when: { type: string, format: «date-time» }"),
        &["**date-time**", "RFC 3339"],
    );
    check(
        &input(
            "\n  type: object\n  properties:\n    «größe»: { type: string, description: How large, enum: [s, m], default: m }\n  required: [größe]",
        ),
        &[
            "**größe**: required",
            "\"s\" | \"m\"",
            "How large",
            "Default: `\"m\"`",
            "Allowed: `\"s\"`, `\"m\"`",
            "{{ .größe }}",
        ],
    );
    check(
        &input("\n  properties:\n    a: { type: integer, minimum: 1 }\n  required:\n    - «a»"),
        &["**a**: required", "integer (at least 1)"],
    );
    check(&input("\n  properties: {}\n  required: [«gone»]"), &["`gone` is not among"]);
    check(&input("\n  properties:\n    type: { «enum»: [x] }"), &["**enum**"]);
    check(&input("\n  properties:\n    «type»: { enum: [x] }"), &["**type**: optional", "\"x\""]);
    check(
        &input("\n  $defs: { p: { type: string } }\n  properties: { a: { $ref: «'#/$defs/p'» } }"),
        &["`/$defs/p`", "string"],
    );
    check(&input("\n  properties: { a: { $ref: «'#/$defs/q'» } }"), &["does not exist in `input`"]);
    check(&input("\n  «definitions»: {}"), &["not a keyword", "$defs"]);
    check(
        &input(
            "\n  properties:\n    a: { type: object, properties: { «b»: { type: array, items: { type: string } } } }",
        ),
        &["array of string"],
    );
    silent(&input("\n  default: { type$0: x }"));
    silent(&input("\n  enum: [str$0ing]"));
}

#[test]
fn imports() {
    check(
        &program("imports:\n  - «./helper.md»\n"),
        &["**helper**", "Helps", "Input", "`who`", "Output"],
    );
    check(&program("imports: [«\"./tools/analyzer.md\"»]\n"), &["**helper**"]);
    check(&program("imports:\n  - «./gone.md»\n"), &["no such file"]);
    check(&program("imports:\n  - «./tools»\n"), &["is a folder"]);
    check(&program("imports:\n  - «./notes.txt»\n"), &["no front matter"]);
    check(&program("imports:\n  - «stdlib:x»\n"), &["reserved"]);
    check(&program("imports:\n  - «./greet.md»\n"), &["cannot import itself"]);
}

#[test]
fn aliases() {
    check(
        "---\nname: x\ninput: &io\n  type: object\n  properties: {}\noutput: «*io»\n---\n",
        &["```yaml\ntype: object\nproperties: {}\n```"],
    );
    check(&format!("---\nname: x\n{INPUT}output: «*io»\n---\n"), &["undefined alias `*io`"]);
}
