//! MDL-35: converting skills.

use std::path::Path;

use serde_json::json;

use super::{Conversion, convert};
use crate::answer::ActionKind;
use crate::config::{Config, Options};
use crate::document::Document;
use crate::format::Context;
use crate::ide::code_actions::actions;
use crate::ide::diagnostics::{Shown, diagnostics};
use crate::rule::Severity;
use crate::source::Source;
use crate::template::{self, render::Limits};
use crate::text::apply;
use crate::world::Memory;

const PATH: &str = "/skills/url-fetcher/SKILL.md";
/// The path of the program: at the path of a skill, it would be a skill.
const PROGRAM: &str = "/skills/url-fetcher/program.md";

const SPECIFIED: &str = "# URL Fetcher

Fetches a URL and returns the status and content.

Parameters:

- url (required): The URL to fetch
- format (optional): Response format (json, xml, html, text)

Uses the fetch tool to make HTTP requests.
";

fn world() -> Memory {
    let program = |name: &str| {
        format!(
            "---\nname: {name}\ndescription: Helps\ninput: {{ type: object, properties: {{}} }}\noutput: {{ type: object, properties: {{}} }}\n---\n\nHelp.\n"
        )
    };
    Memory::default()
        .with("/skills/url-fetcher/summarize.md", &program("summarize"))
        .with("/skills/translate.md", &program("translate"))
        .with(
            "/skills/review/SKILL.md",
            "---\nname: review\ndescription: Reviews\n---\n\nReview.\n",
        )
}

fn converted(text: &str) -> Conversion {
    let found = convert(&Source::new(text), Some(Path::new(PATH)), None, &world());
    found.unwrap_or_else(|error| panic!("{error}: {text:?}"))
}

fn program(text: &str) -> String {
    apply(text, &converted(text).edits).unwrap_or_else(|error| panic!("{error}: {text:?}"))
}

/// The converted skill, which has no error and no warning.
#[track_caller]
fn sound(text: &str) -> String {
    let program = program(text);
    let (path, world, config) = (
        Some(Path::new(PROGRAM)),
        world(),
        Config::new("/skills".into(), Options::default()).unwrap(),
    );
    let document = Document::new(&program, path, &config);
    assert_eq!(document.format().name, "markdownlang", "{program}");
    let found = diagnostics(&document, &Context::new(document.source(), path, &world, &config));
    let severe: Vec<_> =
        found.iter().filter(|finding| finding.severity >= Severity::Warning).collect();
    let said: Vec<_> = severe
        .iter()
        .map(|finding| (finding.rule.code, &finding.message, program.get(finding.span.clone())))
        .collect();
    assert!(severe.is_empty(), "{said:#?}\n{program}");
    program
}

#[test]
fn mdl_35_the_specification_s_example() {
    let expected = "---
name: url-fetcher
description: Fetches a URL and returns the status and content
input:
  type: object
  properties:
    url: { type: string, format: uri, description: The URL to fetch }
    format: { type: string, enum: [json, xml, html, text], default: json, description: \"Response format (json, xml, html, text)\" }
  required: [url]
output:
  type: object
  properties:
    status: { type: integer }
    content: { type: string }
  required: [status, content]
mcp_servers:
  - name: fetch
    command: npx
    args: [\"-y\", \"@modelcontextprotocol/server-fetch\"]
---

# URL Fetcher

Fetches {{ .url }} and returns the status and content.

Uses the fetch tool to make HTTP requests. Response format: {{ .format | default \"json\" }}.
";
    assert_eq!(sound(SPECIFIED), expected);
    assert_eq!(sound(&SPECIFIED.replace('\n', "\r\n")), expected.replace('\n', "\r\n"));
    assert_eq!(sound(&format!("\u{feff}{SPECIFIED}")), expected);
}

const CASES: &[&str] = &[
    "",
    "\n",
    "# Only a title\n",
    "Only a sentence.",
    "---\nname: pdf\ndescription: Reads PDFs. Use when: a PDF is there\nlicense: MIT\nallowed-tools: Read, Grep, Bash(git add:*), WebFetch\n---\n\n# PDF\n\nRead `$ARGUMENTS` and say what is in it.\n",
    "---\nname: My Skill 🦆\ndescription: >\n  Two\n  lines: here\nmetadata:\n  version: 1.0\n  tags: [a, b]\n---\n日本語の本文。 {{name}} と {{ name }}。\n",
    "---\nname: [broken\ndescription: \"unclosed\n---\n\nText {{ if x }} and ${{ github.sha }} and {{{html}}} and {{#each}}.\n",
    "---\nname: x\n---\n",
    "---\nname: python\ndescription: Runs code\n---\n\nUse mcp__people__find, mcp__python__run and `mcp__server__tool`.\n",
    "---\nname: fix-issue\ndescription: Fix an issue\nargument-hint: [issue-number] [priority]\nmodel: claude-sonnet-4-5\n---\n\nFix issue #$1 with priority $2. Pay 5$ or $100.\n",
    "# Report\n\n## Inputs\n\n| Name | Type | Required | Default | Description |\n| --- | --- | --- | --- | --- |\n| `topic` | string | yes | | What it is about |\n| max_items | int | no | 10 | How many |\n| `tags` | string[] | no | - | Tags to use |\n| verbose | boolean | no | false | Say more |\n\n## Output\n\n- `report` (string): The report\n- `score` (number, optional): How good it is\n\n## Steps\n\n1. Write about <topic>.\n",
    "# Search\n\n**Parameters:**\n- **query** (string, required) - What to look for\n- **limit** (integer, optional, default: 5) - Maximum number of results\n- `--dry-run`: Whether to do nothing. Optional.\n- **start date** (date): First day\n\nReturns a list of links.\n",
    "# Code\n\n```js\nconst a = `${url}`; // {{ user.name }} {{name}}\n```\n\nParameters:\n\n- url: The page\n- url: again\n\n```\nend\n```\n",
    "Takes a URL and an optional topic.\n\nReturns the number of words, a short summary of the page and errors.\n",
    "# Deploy\n\nRun /summarize first, then `/translate`, then /review. See /usr/bin and https://x.y/z, [more](../translate/SKILL.md).\n",
    "# A\n\nParameters:\n\n- a (required): {{ braces }} in it\n- b: more }} and {{\n",
    "---\ndescription: no name: here\n---\n# Name from the title!\n\nUse the filesystem tool and the `git` server.\n",
    "---\nnot yaml at all\n---\ntext\n",
    "---\nname: open\ndescription: never closed\n\nText.\n",
    "{{",
    "{<url>} {{url}}{{url}} {{{url}}} <url>x</url>\n\nParameters:\n- url: x\n",
    "# Output\n\n```json\n{\"ok\": true, \"items\": [\"a\"], \"n\": 1, \"x\": {\"y\": 2}, \"f\": 1.5}\n```\n",
    "{{/* a */}} {{- trimmed -}} {{ \"quoted\" }} {{ range .x }}{{ end }}\n",
    "- item\n\n---\n\ninput: x\noutput: y\n\n---\n",
    "Parameters:\n\n- end (required): last\n- if: condition\n- größe: 日本\n- 1st: number\n- a.b.c: dotted\n",
];

#[test]
fn mdl_35_every_program_passes_check() {
    for case in CASES {
        for text in [(*case).to_owned(), case.replace('\n', "\r\n"), format!("\u{feff}{case}")] {
            sound(&text);
        }
    }
}

/// The body of a program with an input filled in.
fn rendered(program: &str, input: &serde_json::Value) -> String {
    let source = Source::new(program);
    let start = source.front_matter().expect("front matter").span.end;
    let body = source.slice(start..source.len());
    let template = template::parse(&body, &[]);
    template::render(&template, &body, input, &Limits::default())
        .unwrap_or_else(|error| panic!("{error:?}\n{program}"))
        .text
}

#[test]
fn mdl_35_a_program_renders_the_text_of_its_skill() {
    for (text, input) in [
        ("\nText {{ if x }} and ${{ github.sha }} and {{#each}} }} { {{.\n", json!({})),
        ("\n{{/* a */}} {{- trimmed -}} {{ \"quoted\" }} {{`raw`}} {{{{ x }}}}\n", json!({})),
        ("\n```\n{{ user.name }} {{name}} ${url} {x}\n```\n", json!({})),
        ("\nSee {{url}} and {{ url }}, {{{url}}}.\n", json!({ "url": "{{url}}" })),
        ("\n{$ARGUMENTS} and `$ARGUMENTS`\n", json!({ "arguments": "$ARGUMENTS" })),
        ("\n日本🙂 {{ größe }}\r\n", json!({ "größe": "{{ größe }}" })),
    ] {
        let program = sound(text);
        let plain = text.replace("{{ url }}", "{{url}}").replace("{{{url}}}", "{{url}}");
        if input == json!({}) {
            // The skill doesn't describe its input.
            let (kept, end) = plain.split_at(plain.trim_end().len());
            let expected = format!("{kept}\n\nDo it.{end}");
            assert_eq!(rendered(&program, &json!({ "request": "Do it." })), expected, "{program}");
            continue;
        }
        assert_eq!(rendered(&program, &input), plain, "{program}");
    }
    let input = json!({ "url": "a URL" });
    assert_eq!(
        rendered(&sound(SPECIFIED), &input),
        "\n# URL Fetcher\n\nFetches a URL and returns the status and content.\n\nUses the fetch tool to make HTTP requests. Response format: json.\n"
    );
}

#[test]
fn mdl_35_every_program_can_be_filled_in() {
    for case in CASES {
        let program = sound(case);
        let source = Source::new(&program);
        let header = super::super::read(&source, None);
        let input = &header.schemas().input.as_ref().expect("an input").value;
        let properties =
            input.get("properties").and_then(serde_json::Value::as_object).expect("properties");
        let value = |schema: &serde_json::Value| match schema
            .get("type")
            .and_then(serde_json::Value::as_str)
        {
            Some("integer" | "number") => json!(1),
            Some("boolean") => json!(true),
            Some("array") => json!(["a", "b"]),
            Some("object") => json!({ "a": 1 }),
            _ => json!("text"),
        };
        let all: serde_json::Map<_, _> =
            properties.iter().map(|(name, schema)| (name.clone(), value(schema))).collect();
        let needed = |name: &str| {
            input["required"]
                .as_array()
                .is_some_and(|names| names.iter().any(|other| other == name))
        };
        let required: serde_json::Map<_, _> = all
            .iter()
            .filter(|(name, _)| needed(name))
            .map(|(name, value)| (name.clone(), value.clone()))
            .collect();
        for input in [all, required] {
            let text = rendered(&program, &serde_json::Value::Object(input));
            assert!(!text.contains("<no value>"), "{text}\n{program}");
        }
    }
}

/// A line of the program.
#[track_caller]
fn holds(text: &str, lines: &[&str]) {
    let program = sound(text);
    for line in lines {
        assert!(
            program.lines().any(|other| other.trim() == *line),
            "no line `{line}` in\n{program}"
        );
    }
}

#[test]
fn mdl_35_parameters_are_read_from_lists_and_tables() {
    let list = |item: &str| format!("# X\n\n## Parameters\n\n{item}\n");
    for (item, line) in [
        ("- url (required): The page", "url: { type: string, format: uri, description: The page }"),
        (
            "- `max-items` (integer, default: 5): How many",
            "max_items: { type: integer, default: 5, description: How many }",
        ),
        (
            "- **verbose** (optional) - Whether to say more",
            "verbose: { type: boolean, description: Whether to say more }",
        ),
        (
            "* tags: List of tags",
            "tags: { type: array, items: { type: string }, description: List of tags }",
        ),
        ("- mode (fast|slow): How", "mode: { type: string, enum: [fast, slow], description: How }"),
        (
            "- level: One of 1, 2 or 3",
            "level: { type: integer, enum: [1, 2, 3], description: \"One of 1, 2 or 3\" }",
        ),
        (
            "- ratio: A number. Defaults to `0.5`.",
            "ratio: { type: number, default: 0.5, description: A number. Defaults to `0.5`. }",
        ),
        (
            "- to (email): Who gets it",
            "to: { type: string, format: email, description: Who gets it }",
        ),
        ("1. day: date — The day", "day: { type: string, description: date — The day }"),
        (
            "| Name | Type |\n| - | - |\n| a\\|b | int |\n| c | `string[]` |",
            "c: { type: array, items: { type: string } }",
        ),
    ] {
        holds(&list(item), &[line]);
    }
    holds(&list("- a (required): x\n- b (optional): y"), &["required: [a]"]);
}

#[test]
fn mdl_35_results_are_read() {
    for (text, line) in [
        ("Returns the status and content.", "required: [status, content]"),
        ("Returns a list of links.", "links: { type: array, items: { type: string } }"),
        ("Returns the number of words.", "number_of_words: { type: integer }"),
        ("Return a list of findings, each with file, line, message.", "required: [findings]"),
        (
            "Returns whatever it finds out about the thing when it looked.",
            "result: { type: string }",
        ),
        (
            "## Output\n\n- `ok` (boolean): It went well",
            "ok: { type: boolean, description: It went well }",
        ),
        (
            "## Output\n\n```json\n{ \"n\": [\"x\"] }\n```",
            "\"n\": { type: array, items: { type: string } }",
        ),
    ] {
        holds(&format!("# X\n\nDoes it.\n\n{text}\n"), &[line]);
    }
}

#[test]
fn mdl_35_nothing_of_the_front_matter_is_lost() {
    let text = "---\nname: pdf\ndescription: Reads: all\nlicense: MIT\nmetadata:\n  # why\n  version: 1.0\nallowed-tools: Read, mcp__people__find\n---\n\nX.\n";
    holds(
        text,
        &[
            "# license: MIT",
            "# metadata:",
            "#   # why",
            "#   version: 1.0",
            "# allowed-tools: Read, mcp__people__find",
            "- name: people",
        ],
    );
    let found = converted(text);
    assert_eq!(
        found.notes,
        [
            "the skill doesn't say what it takes: `input` is `request`, a string",
            "the skill doesn't say which fields it returns: `output` is `result`, a string",
            "the server `people` is unknown; add its command or URL",
            "no counterpart, kept as comments: `license`, `metadata`, `allowed-tools`",
        ]
    );
}

#[test]
fn mdl_35_without_clear_evidence_a_skill_takes_a_request_and_gives_a_result() {
    for text in [
        "# Review\n\nUse it when a function returns null or an error.\n",
        "# Review\n\nDoes it.\n\n## How\n\nReturns the status and content.\n",
        "# Review\n\n## Output\n\n- **Summary**: what was found\n- Findings: each of them\n",
        "# Review\n\n## Results\n\n| Name | Meaning |\n| - | - |\n| Good | It works |\n",
        "# Review\n\nThe API returns a list of links.\n",
    ] {
        holds(
            text,
            &[
                "request: { type: string }",
                "required: [request]",
                "result: { type: string }",
                "{{ .request }}",
            ],
        );
    }
    holds("# X\n\nReads a page and returns a list of links.\n", &["required: [links]"]);
}

#[test]
fn mdl_35_called_programs_are_imported() {
    let text = "# Deploy\n\nRun /summarize, `/translate` and /review, not /usr/bin. See [it](../translate/SKILL.md).\n";
    holds(
        text,
        &[
            "- ./summarize.md",
            "- ../translate.md",
            "# /review is the skill ../review/SKILL.md: convert it, then import it.",
        ],
    );
    let target = Some(Path::new("/skills/deploy.md"));
    let found = convert(&Source::new("Run /translate.\n"), Some(Path::new(PATH)), target, &world())
        .expect("a program");
    assert!(
        found.edits.iter().any(|edit| edit.text.contains("imports:\n  - ./translate.md\n")),
        "{found:?}"
    );
}

#[test]
fn mdl_35_a_program_is_not_converted() {
    let program = program(SPECIFIED);
    assert!(
        convert(&Source::new(&program), Some(Path::new(PATH)), None, &world())
            .is_err_and(|error| error.contains("already"))
    );
}

#[test]
fn mdl_35_huge_skills_end_in_bounded_time() {
    for piece in [
        "{{",
        "{",
        "<",
        "${",
        "$ARGUMENTS ",
        "- a: b\n",
        "/x ",
        "](a.md",
        "mcp__a__b ",
        "{{a}} ",
        "| a | b |\n",
        "(",
        "a ",
    ] {
        let text =
            format!("# X\n\nParameters:\n\n- a: b\n\n{}", piece.repeat(200_000 / piece.len()));
        program(&text);
    }
}

#[test]
fn mdl_35_an_editor_offers_the_conversion() {
    let offered = |path: &str, text: &str, offset: usize| {
        let (path, world, config) = (
            Some(Path::new(path)),
            world(),
            Config::new("/skills".into(), Options::default()).unwrap(),
        );
        let document = Document::new(text, path, &config);
        let offers = actions(
            &document,
            &Context::new(document.source(), path, &world, &config),
            &Shown::default(),
            offset..offset,
            false,
        );
        offers
            .into_iter()
            .map(|offer| offer.action)
            .find(|action| action.title == "Convert to a markdownlang program")
    };
    let action = offered(PATH, SPECIFIED, 3).expect("an offer");
    assert_eq!(action.kind, ActionKind::Rewrite);
    assert_eq!(apply(SPECIFIED, &action.edits).expect("edits that fit"), program(SPECIFIED));
    let kept: usize = action.edits.iter().map(|edit| edit.span.len()).sum();
    assert!(kept < SPECIFIED.len() * 3 / 4, "most of the text stays: {action:#?}");
    let front = "---\nname: x\ndescription: y\n---\n\n# X\n\nText.\n";
    assert!(offered("/w/.claude/commands/x.md", front, 5).is_some());
    assert_eq!(offered("/w/notes.md", front, 5), None);
    assert_eq!(offered(PATH, front, front.len() - 2), None);
    assert_eq!(offered(PATH, &program(SPECIFIED), 3), None);
}
