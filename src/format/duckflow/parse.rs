//! What a program would read from a reply, as JSON: the shape is a contract. Reading never fails;
//! wrong input has `errors`.

use serde_json::{Map, Value, json};

use super::reply::{self, Reply, ReplySource};
use super::{Response, rules};
use crate::format::Context;
use crate::rule::{Report, Severity};
use crate::text::Encoding;

/// The code of a step of the fallback chain in `errors`.
pub const FALLBACK: &str = "duckflow/fallback";

/// The result for a reply of any kind.
pub fn parse(cx: &Context) -> Value {
    let reply = reply::read(&cx.source.slice(0..cx.source.len()));
    let steps =
        reply.steps.iter().map(|step| json!({ "code": FALLBACK, "message": step, "line": 1 }));
    let mut errors: Vec<Value> = steps.collect();
    errors.extend(
        reply
            .mistakes
            .iter()
            .map(|mistake| json!({ "code": mistake.code, "message": mistake.message, "line": 1 })),
    );
    if reply.source == ReplySource::Markers {
        errors.extend(mistakes(cx));
    }
    json!({
        "format": "duckflow",
        "source": reply.source.name(),
        "reasoning": reply.reasoning,
        "vitals": vitals(&reply),
        "sections": object(&reply.sections),
        "actions": actions(&reply),
        "errors": errors,
    })
}

/// Whether the document is a reply in JSON.
pub fn is_json(cx: &Context) -> bool {
    reply::is_json(&cx.source.slice(0..cx.source.len()))
}

fn vitals(reply: &Reply) -> Map<String, Value> {
    reply.vitals.iter().map(|(name, number)| (name.clone(), json!(number))).collect()
}

fn object(list: &[(String, String)]) -> Map<String, Value> {
    list.iter().map(|(name, value)| (name.clone(), json!(value))).collect()
}

fn actions(reply: &Reply) -> Vec<Value> {
    let one = |action: &reply::Action| json!({ "index": action.index, "type": action.kind, "params": object(&action.parameters), "content": action.content });
    reply.actions.iter().map(one).collect()
}

/// The findings that are errors, in document order.
fn mistakes(cx: &Context) -> Vec<Value> {
    let mut report = Report::default();
    rules::check(&Response::new(cx.source, None), cx, &mut report);
    let mut found = report.diagnostics;
    found.retain(|finding| finding.severity == Severity::Error);
    found.sort_by_key(|finding| finding.span.start);
    let line = |offset: usize| cx.source.position(offset, Encoding::Utf8).line + 1;
    found.iter().map(|finding| json!({ "code": finding.rule.code, "message": finding.message, "line": line(finding.span.start) })).collect()
}
