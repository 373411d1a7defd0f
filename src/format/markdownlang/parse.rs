//! A program as JSON, for other tools. Wrong input isn't a failure; the answer has `errors`.

use serde_json::{Map, Value, json};

use super::program::{Server, Text};
use super::reads::reads;
use super::{Program, read, rules};
use crate::format::Context;
use crate::format::parse::error;
use crate::rule::{Report, Severity};

/// The program in a document. Missing values are `null`; `errors` are those of `check`, in document
/// order.
pub fn parse(cx: &Context) -> Value {
    let program = read(cx.source, None);
    let reads = reads(&program.body);
    let schema = |field: &str| program.schema_value(field).cloned().unwrap_or(Value::Null);
    json!({
        "format": "markdownlang",
        "name": text(&program.name),
        "description": text(&program.description),
        "model": text(&program.model),
        "input": schema("input"),
        "output": schema("output"),
        "imports": program.imports.iter().map(|import| import.text.as_str()).collect::<Vec<_>>(),
        "mcp_servers": program.servers.iter().map(server).collect::<Vec<_>>(),
        "template": { "variables": reads.variables, "functions": reads.functions },
        "errors": errors(&program, cx),
    })
}

fn text(text: &Option<Text>) -> Option<&str> {
    text.as_ref().map(|text| text.text.as_str())
}

/// Includes `headers`, if it has any.
fn server(server: &Server) -> Value {
    let map = |pairs: &[(Text, Text)]| -> Map<String, Value> {
        pairs
            .iter()
            .map(|(name, value)| (name.text.clone(), Value::from(value.text.as_str())))
            .collect()
    };
    let mut read = json!({
        "name": text(&server.name),
        "command": text(&server.command),
        "args": server.args.iter().map(|argument| argument.text.as_str()).collect::<Vec<_>>(),
        "env": map(&server.env),
        "url": text(&server.url),
        "transport": text(&server.transport),
        "disabled": server.disabled,
    });
    if let Some(entries) = read.as_object_mut().filter(|_| !server.headers.is_empty()) {
        entries.insert("headers".to_owned(), Value::Object(map(&server.headers)));
    }
    read
}

fn errors(program: &Program, cx: &Context) -> Vec<Value> {
    let mut report = Report::default();
    rules::check(program, cx, &mut report);
    report.diagnostics.retain(|finding| finding.severity == Severity::Error);
    report.diagnostics.sort_by_key(|finding| (finding.span.start, finding.span.end));
    report
        .diagnostics
        .iter()
        .map(|finding| error(finding.rule.code, &finding.message, cx.source, &finding.span))
        .collect()
}
