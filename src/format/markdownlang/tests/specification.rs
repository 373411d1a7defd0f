//! The complete examples of the markdownlang specification, verbatim.

use super::*;
use crate::world::World;

const MISSING: &str = "markdownlang/missing-field";

fn example(name: &str, front: &str, body: &str) -> (String, String) {
    (format!("/w/{name}.md"), format!("---\nname: {name}\n{front}---\n\n{body}\n"))
}

const RANGE: &str = "input:\n  type: object\n  properties:\n    start: { type: integer }\n    end: { type: integer }\n  required: [start, end]\n";
const RESULTS: &str = "output:\n  type: object\n  properties:\n    results:\n      type: array\n      items: { type: string }\n  required: [results]\n";
const COUNT: &str = "input:\n  type: object\n  properties:\n    text: { type: string }\n  required: [text]\noutput:\n  type: object\n  properties:\n    count: { type: integer }\n  required: [count]\n";
const FILE: &str = "mcp_servers:\n  - name: filesystem\n    command: npx\n    args: [\"-y\", \"@modelcontextprotocol/server-filesystem\", \"/path/to/dir\"]\ninput:\n  type: object\n  properties:\n    filename: { type: string }\n  required: [filename]\noutput:\n  type: object\n  properties:\n    content: { type: string }\n  required: [content]\n";
const NUMBERS: &str = "input:\n  type: object\n  properties:\n    numbers:\n      type: array\n      items: { type: number }\n  required: [numbers]\noutput:\n  type: object\n  properties:\n    mean: { type: number }\n    median: { type: number }\n  required: [mean, median]\n";
const GREET: &str = "input:\n  type: object\n  properties:\n    name: { type: string }\n    items: { type: array, items: { type: string } }\n    debug: { type: boolean }\n  required: [name, items]\n";
const FETCH: &str = "input:\n  type: object\n  properties:\n    url: { type: string, format: uri }\n    format: { type: string, enum: [json, xml, html, text], default: json }\n  required: [url]\noutput:\n  type: object\n  properties:\n    status: { type: integer }\n    content: { type: string }\n  required: [status, content]\nmcp_servers:\n  - name: fetch\n    command: npx\n    args: [\"-y\", \"@modelcontextprotocol/server-fetch\"]\n";
const MAIN: &str = "description: Does stuff # Required: Human-readable description\ninput: # Required: JSON Schema for input validation\n  type: object\n  properties:\n    url: { type: string }\n  required: [url]\noutput: # Required: JSON Schema for output validation\n  type: object\n  properties:\n    summary: { type: string }\n  required: [summary]\nimports: # Optional: Other .md programs this can call\n  - ./helper.md\n  - ../tools/analyzer.md\nmcp_servers: # Optional: MCP servers for tool access\n  - name: filesystem\n    command: npx\n    args: [\"-y\", \"@modelcontextprotocol/server-filesystem\", \".\"]\nmodel: gpt-4o # Optional: Override default model\n";

/// Name and text of the nine examples, with the fields that they lack.
fn examples() -> Vec<((String, String), Vec<&'static str>)> {
    let combined = format!(
        "imports:\n  - ./fizzbuzz.md\n  - ./word-count.md\n{RANGE}output:\n  type: object\n  properties:\n    fizzbuzz_results:\n      type: array\n      items: {{ type: string }}\n    total_words: {{ type: integer }}\n  required: [fizzbuzz_results, total_words]\n"
    );
    vec![
        (example("my-program", MAIN, "Summarize {{ .url }}."), vec![]),
        (
            example(
                "fizzbuzz",
                &format!("description: Generate FizzBuzz sequence\n{RANGE}{RESULTS}"),
                "For each number from {{ .start }} to {{ .end }}, output:\n\n- \"FizzBuzz\" if divisible by both 3 and 5\n\nReturn a JSON object with a \"results\" array containing the strings in order.",
            ),
            vec![],
        ),
        (
            example(
                "file-reader",
                FILE,
                "Read the file {{ .filename }} using the mcp__filesystem__read_file tool\nand return its content.",
            ),
            vec!["description"],
        ),
        (
            example(
                "calculate-stats",
                NUMBERS,
                "Calculate the mean and median of {{ .numbers }}.\nUse the python tool to perform the calculations.",
            ),
            vec!["description"],
        ),
        (
            example(
                "greet",
                GREET,
                "Hello {{ .name | title }}!\n\n{{ if .debug }}\nDebug mode: processing {{ .items | len }} files\n{{ end }}\n\nYou have {{ len .items }} items:\n{{ join .items \"\\n- \" }}",
            ),
            vec!["description", "output"],
        ),
        (
            example(
                "fizzbuzz",
                &format!("{RANGE}{RESULTS}"),
                "Generate FizzBuzz from {{ .start }} to {{ .end }}.",
            ),
            vec!["description"],
        ),
        (example("word-count", COUNT, "Count the words in: {{ .text }}"), vec!["description"]),
        (
            example(
                "fizzbuzz-word-count",
                &combined,
                "1. Call the fizzbuzz tool with start={{ .start }} and end={{ .end }}\n2. For each result, call word-count to count words",
            ),
            vec!["description"],
        ),
        (
            example(
                "url-fetcher",
                FETCH,
                "# URL Fetcher\n\nFetches {{ .url }} and returns the status and content.\n\nUses the fetch tool to make HTTP requests. Response format: {{ .format | default \"json\" }}.",
            ),
            vec!["description"],
        ),
    ]
}

/// The world in which the examples import each other.
fn library() -> Memory {
    let mut world = world();
    let analyzer = world.read(Path::new("/w/tools/analyzer.md")).unwrap();
    for ((path, text), _) in examples() {
        world = world.with(path, &text);
    }
    world.with(
        "/tools/analyzer.md",
        &analyzer.slice(0..analyzer.len()).replace("name: helper", "name: analyzer"),
    )
}

fn check_in(world: &Memory, path: &str, text: &str) -> Vec<Diagnostic> {
    let config = Config::default();
    let document = Document::new(text, Some(Path::new(path)), &config);
    assert_eq!(document.format().name, "markdownlang");
    let mut found = diagnostics(
        &document,
        &Context::new(document.source(), Some(Path::new(path)), world, &config),
    );
    found.retain(|finding| !finding.rule.code.starts_with("markdown/"));
    found
}

#[test]
fn mdl_05_the_examples_lack_exactly_these_fields() {
    let world = library();
    let (mut lacking, mut invalid) = (0, 0);
    for ((path, text), missing) in examples() {
        let found = check_in(&world, &path, &text);
        // An importer of an incomplete example is reported too.
        let (imports, front): (Vec<_>, Vec<_>) = found
            .iter()
            .filter(|finding| finding.span.end <= text.find("\n---\n").unwrap())
            .partition(|finding| finding.rule.code == "markdownlang/invalid-import");
        invalid += imports.len();
        let expected: Vec<String> =
            missing.iter().map(|field| format!("{MISSING} 0..3 missing field `{field}`")).collect();
        let short: Vec<String> = front
            .iter()
            .map(|finding| {
                format!(
                    "{} {:?} {}",
                    finding.rule.code,
                    finding.span,
                    finding.message.split(';').next().unwrap_or_default()
                )
            })
            .collect();
        assert_eq!(short, expected, "{path}");
        lacking += usize::from(!missing.is_empty());
    }
    assert_eq!((lacking, invalid), (7, 2));
}

#[test]
fn mdl_05_the_fixes_make_the_examples_valid() {
    let world = library();
    for ((path, mut text), missing) in examples() {
        for _ in &missing {
            let found = check_in(&world, &path, &text);
            let fix = found
                .iter()
                .find(|finding| finding.rule.code == MISSING)
                .and_then(|finding| finding.fixes.first());
            text = apply(&text, &fix.unwrap().edits).unwrap();
        }
        let left = check_in(&world, &path, &text);
        assert!(
            left.iter().all(|finding| finding.rule.code != MISSING),
            "{path}: {left:#?}\n{text}"
        );
    }
}
