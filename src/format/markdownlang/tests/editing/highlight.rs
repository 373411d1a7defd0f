use super::{ask, variants};
use crate::ide::semantic_tokens::highlights;
use crate::markdown::highlight::TOKEN_TYPES;

/// The front matter's highlights, each as `text kind`.
#[track_caller]
fn check(front: &str, expected: &[&str]) {
    for text in variants(&format!("---\n{front}---\n")) {
        let found = ask(&text, |document, cx| highlights(document, cx, 0..text.len()));
        assert!(found.iter().all(|highlight| TOKEN_TYPES.contains(&highlight.kind)));
        let shown: Vec<String> = found
            .iter()
            .map(|highlight| format!("{} {}", &text[highlight.span.clone()], highlight.kind))
            .collect();
        assert_eq!(shown, expected, "{text:?}");
    }
}

#[test]
fn words_of_front_matter() {
    check(
        "name: greet # 日本\nmodel: gpt-4o\nother: 1\ninput: &io\n  type: object\n  properties:\n    größe: { type: [string, \"null\"], enum: [a, 2], format: uri }\n  required: [größe]\n  x: y\noutput: *io\n",
        &[
            "name property",
            "greet function",
            "# 日本 comment",
            "model property",
            "gpt-4o string",
            "1 number",
            "input property",
            "&io macro",
            "type keyword",
            "object type",
            "properties keyword",
            "größe variable",
            "type keyword",
            "string type",
            "\"null\" type",
            "enum keyword",
            "a enumMember",
            "2 enumMember",
            "format keyword",
            "uri type",
            "required keyword",
            "größe variable",
            "output property",
            "*io macro",
        ],
    );
    check(
        "input: { minimum: 1, additionalProperties: false, default: { type: string }, properties: { type: { const: x } }, $ref: '#/a' }\noutput: {}\nmcp_servers:\n  - name: a\n    disabled: true\n    env: { K: v }\n    transport: sse\nimports: [./a.md]\n",
        &[
            "input property",
            "minimum keyword",
            "1 number",
            "additionalProperties keyword",
            "false keyword",
            "default keyword",
            "properties keyword",
            "type variable",
            "const keyword",
            "x enumMember",
            "$ref keyword",
            "'#/a' string",
            "output property",
            "mcp_servers property",
            "name property",
            "a function",
            "disabled property",
            "true keyword",
            "env property",
            "K variable",
            "v string",
            "transport property",
            "sse enumMember",
            "imports property",
            "./a.md string",
        ],
    );
    check(
        "name: |\n  two\n  lines\ninput: {}\noutput: {}\n",
        &[
            "name property",
            "| function",
            "  two function",
            "  lines function",
            "input property",
            "output property",
        ],
    );
}
