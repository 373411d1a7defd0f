//! Runs the complete examples of the markdownlang specification. Most of them lack a description,
//! and one an output, which the tests add.

use serde_json::{Value, json};

use super::servers::told;
use super::{Folder, Provider, Reply, server};

const RANGE: &str = "input:
  type: object
  properties:
    start: { type: integer }
    end: { type: integer }
  required: [start, end]
";
const RESULTS: &str = "output:
  type: object
  properties:
    results:
      type: array
      items: { type: string }
  required: [results]
";
const COUNT: &str = "input:
  type: object
  properties:
    text: { type: string }
  required: [text]
output:
  type: object
  properties:
    count: { type: integer }
  required: [count]
";

fn program(name: &str, fields: &str, body: &str) -> String {
    format!("---\nname: {name}\ndescription: An example\n{fields}---\n\n{body}\n")
}

/// Runs a program whose output must be the last reply, and returns the provider with its requests.
#[track_caller]
fn runs(folder: &Folder, name: &str, input: &Value, replies: &[Reply]) -> Provider {
    let provider = Provider::with(replies.iter().cloned());
    let answer = folder.ask(&provider, &[name, "--input", &input.to_string()]);
    assert_eq!(answer.status, 0, "{name}: {answer:?}");
    assert!(answer.json().is_object(), "{answer:?}");
    assert_eq!(provider.asked().len(), replies.len(), "{name}");
    provider
}

/// The rendered body in the first request.
fn body(provider: &Provider) -> String {
    provider.asked()[0].body["messages"][1]["content"].as_str().unwrap().to_owned()
}

fn text(value: &Value) -> Reply {
    Reply::text(&value.to_string())
}

#[test]
fn mdl_27_fizzbuzz_and_calculate_stats() {
    let fizzbuzz = "For each number from {{ .start }} to {{ .end }}, output:

- \"FizzBuzz\" if divisible by both 3 and 5
- \"Fizz\" if divisible by 3
- \"Buzz\" if divisible by 5
- The number itself otherwise

Return a JSON object with a \"results\" array containing the strings in order.";
    let stats = "input:
  type: object
  properties:
    numbers:
      type: array
      items: { type: number }
  required: [numbers]
output:
  type: object
  properties:
    mean: { type: number }
    median: { type: number }
  required: [mean, median]
";
    let calculate = "Calculate the mean and median of {{ .numbers }}.
Use the python tool to perform the calculations.";
    let folder = Folder::agreed(&[
        ("fizzbuzz.md", &program("fizzbuzz", &format!("{RANGE}{RESULTS}"), fizzbuzz)),
        ("calculate-stats.md", &program("calculate-stats", stats, calculate)),
    ]);
    let input = json!({ "start": 1, "end": 3 });
    let reply = text(&json!({ "results": ["1", "2", "Fizz"] }));
    let asked = runs(&folder, "fizzbuzz.md", &input, &[reply]);
    assert!(body(&asked).starts_with("For each number from 1 to 3, output:\n"));
    let reply = text(&json!({ "mean": 3.0, "median": 2 }));
    let asked = runs(&folder, "calculate-stats.md", &json!({ "numbers": [1, 2, 6] }), &[reply]);
    assert!(body(&asked).starts_with("Calculate the mean and median of [1 2 6].\n"));
}

#[test]
fn mdl_16_greet_renders_as_specified() {
    let fields = "input:
  type: object
  properties:
    name: { type: string }
    items: { type: array, items: { type: string } }
    debug: { type: boolean }
  required: [name, items]
output: { type: object }
";
    let greet = "Hello {{ .name | title }}!

{{ if .debug }}
Debug mode: processing {{ .items | len }} files
{{ end }}

You have {{ len .items }} items:
{{ join .items \"\\n- \" }}";
    let folder = Folder::agreed(&[("greet.md", &program("greet", fields, greet))]);
    let input = json!({ "name": "ada", "items": ["a", "b"], "debug": true });
    // "If there's nothing to return, output `{}`."
    let asked = runs(&folder, "greet.md", &input, &[text(&json!({}))]);
    let body = body(&asked);
    assert!(
        body.starts_with("Hello Ada!\n\n\nDebug mode: processing 2 files\n")
            && body.contains("a\n- b"),
        "{body}"
    );
}

#[test]
fn mdl_22_fizzbuzz_word_count_calls_its_imports() {
    let combined = format!(
        "imports:
  - ./fizzbuzz.md
  - ./word-count.md
{RANGE}output:
  type: object
  properties:
    fizzbuzz_results:
      type: array
      items: {{ type: string }}
    total_words: {{ type: integer }}
  required: [fizzbuzz_results, total_words]
"
    );
    let steps = "1. Call the fizzbuzz tool with start={{ .start }} and end={{ .end }}
2. For each result, call word-count to count words
3. Use the python tool to sum all word counts
4. Return both the FizzBuzz results and total word count";
    let generate = "Generate FizzBuzz from {{ .start }} to {{ .end }}.";
    let folder = Folder::agreed(&[
        ("fizzbuzz.md", &program("fizzbuzz", &format!("{RANGE}{RESULTS}"), generate)),
        ("word-count.md", &program("word-count", COUNT, "Count the words in: {{ .text }}")),
        ("fizzbuzz-word-count.md", &program("fizzbuzz-word-count", &combined, steps)),
    ]);
    let result = json!({ "fizzbuzz_results": ["1", "2"], "total_words": 2 });
    let replies = [
        Reply::calls(&[("fizzbuzz", r#"{"start": 1, "end": 2}"#)]),
        text(&json!({ "results": ["1", "2"] })),
        Reply::calls(&[("word-count", r#"{"text": "1 2"}"#)]),
        text(&json!({ "count": 2 })),
        text(&result),
    ];
    let input = json!({ "start": 1, "end": 2 });
    let asked = runs(&folder, "fizzbuzz-word-count.md", &input, &replies);
    assert!(body(&asked).starts_with("1. Call the fizzbuzz tool with start=1 and end=2\n"));
    assert_eq!(told(&asked), [r#"{"results":["1","2"]}"#, r#"{"count":2}"#]);
}

/// The examples' servers come from the npm registry; a local one with their names replaces them.
#[test]
fn mdl_24_the_examples_with_servers() {
    let Some(server) = server() else { return };
    let schema = |input: &str, output: &str, required: &str| {
        format!(
            "input: {{ type: object, properties: {input}, required: {required} }}
output: {{ type: object, properties: {output} }}
"
        )
    };
    let servers = |name: &str| format!("mcp_servers:\n  - {{ name: {name}, {server} }}\n");
    let reader =
        schema("{ filename: { type: string } }", "{ content: { type: string } }", "[filename]")
            + &servers("filesystem");
    let fetcher = schema(
        "{ url: { type: string, format: uri }, format: { type: string, enum: [json, xml, html, text], default: json } }",
        "{ status: { type: integer }, content: { type: string } }",
        "[url]",
    ) + &servers("fetch");
    let main = schema("{ url: { type: string } }", "{ summary: { type: string } }", "[url]")
        + "imports:\n  - ./helper.md\n  - ../tools/analyzer.md\nmodel: gpt-4o\n"
        + &servers("filesystem");
    let read = "Read the file {{ .filename }} using the mcp__filesystem__add tool
and return its content.";
    let fetch = "# URL Fetcher

Fetches {{ .url }} and returns the status and content.

Uses the fetch tool to make HTTP requests. Response format: {{ .format | default \"json\" }}.";
    let helper = |name: &str| program(name, COUNT, "Count the words in: {{ .text }}");
    let folder = Folder::agreed(&[
        ("w/file-reader.md", &program("file-reader", &reader, read)),
        ("w/url-fetcher.md", &program("url-fetcher", &fetcher, fetch)),
        ("w/my-program.md", &program("my-program", &main, "Summarize {{ .url }}.")),
        ("w/helper.md", &helper("helper")),
        ("tools/analyzer.md", &helper("analyzer")),
    ]);
    let call = |name: &str| Reply::calls(&[(name, r#"{"a": 1, "b": 2}"#)]);
    let replies = [call("mcp__filesystem__add"), text(&json!({ "content": "3" }))];
    let asked = runs(&folder, "w/file-reader.md", &json!({ "filename": "a.txt" }), &replies);
    assert_eq!(told(&asked), ["3"]);
    let replies = [call("mcp__fetch__add"), text(&json!({ "status": 200, "content": "3" }))];
    let asked = runs(&folder, "w/url-fetcher.md", &json!({ "url": "http://a.example" }), &replies);
    assert!(body(&asked).contains("Response format: json."), "{}", body(&asked));
    let replies = [
        Reply::calls(&[("analyzer", r#"{"text": "a"}"#)]),
        text(&json!({ "count": 1 })),
        text(&json!({ "summary": "short" })),
    ];
    let asked = runs(&folder, "w/my-program.md", &json!({ "url": "http://a.example" }), &replies);
    assert_eq!(told(&asked), [r#"{"count":1}"#]);
}
