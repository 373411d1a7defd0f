//! What a program reads from a reply, as JSON whose shape is stable. Invalid input never fails; its
//! errors are part of the result.

use serde_json::{Map, Value, json};

use super::Reply;
use crate::edit::{Block, Operation, Reason};
use crate::format::Context;
use crate::text::{Encoding, Span};

/// The operations of a reply, in the order of the text.
pub fn parse(cx: &Context) -> Value {
    let reply = Reply::read(cx.source).resolved(cx);
    let faults =
        reply.faults.iter().map(|fault| error(cx, fault.reason, &fault.message, &fault.span));
    let failed = reply.blocks.iter().filter_map(|block| Some((block, block.error?)));
    let mut errors: Vec<Value> = faults
        .chain(failed.map(|(block, reason)| {
            error(cx, reason, &crate::plan::why(reason, block), &block.span)
        }))
        .collect();
    errors.sort_by_key(|error| error.get("line").and_then(Value::as_u64));
    json!({
        "format": "reply",
        "operations": reply.blocks.iter().map(|block| operation(cx, block)).collect::<Vec<_>>(),
        "skipped": reply.skipped.iter().map(|skipped| json!({ "range": range(cx, &skipped.span), "why": skipped.why.name() })).collect::<Vec<_>>(),
        "errors": errors,
    })
}

/// Whether text that isn't a document of another format contains more than fences that could be
/// samples.
pub fn is_reply(cx: &Context) -> bool {
    let draft = &Reply::read(cx.source).draft;
    draft.envelope
        || draft.steps.iter().any(|step| !matches!(step.block.operation, Operation::Listing { .. }))
}

fn range(cx: &Context, span: &Span) -> Value {
    let place = |offset: usize| {
        let position = cx.source.position(offset, Encoding::Utf32);
        json!({ "line": position.line + 1, "column": position.column + 1, "offset": offset })
    };
    json!({ "start": place(span.start), "end": place(span.end) })
}

fn error(cx: &Context, reason: Reason, message: &str, span: &Span) -> Value {
    let line = cx.source.position(span.start, Encoding::Utf8).line + 1;
    json!({ "code": reason.name(), "message": message, "line": line })
}

fn operation(cx: &Context, block: &Block) -> Value {
    let kind = match &block.operation {
        Operation::Edit | Operation::Lazy | Operation::Lines(_) => "edit",
        Operation::Create => "create",
        Operation::Write | Operation::Replace | Operation::Listing { .. } => "replace-file",
        Operation::Delete => "delete",
        Operation::Move(_) => "move",
    };
    let path = block.path.as_ref();
    let mut fields = Map::new();
    fields.insert("dialect".to_owned(), json!(block.dialect.name()));
    fields.insert("kind".to_owned(), json!(kind));
    fields.insert("file".to_owned(), json!(path.map(|path| &path.text)));
    fields.insert("range".to_owned(), range(cx, &block.span));
    let split = block.splits.first();
    let edits = split.filter(|split| !split.search.is_empty() || !split.replace.is_empty());
    match &block.operation {
        Operation::Edit | Operation::Move(_) => {
            if let Some(split) = edits {
                fields.insert("search".to_owned(), json!(split.search));
                fields.insert("replace".to_owned(), json!(split.replace));
            }
        }
        Operation::Lazy => {
            fields.insert("lazy".to_owned(), json!(true));
            fields.insert("replace".to_owned(), json!(split.map(|split| &split.replace)));
        }
        Operation::Lines(lines) => {
            fields
                .insert("lines".to_owned(), json!({ "start": lines.start + 1, "end": lines.end }));
            fields.insert("replace".to_owned(), json!(split.map(|split| &split.replace)));
        }
        Operation::Create | Operation::Write | Operation::Replace | Operation::Listing { .. } => {
            fields.insert("content".to_owned(), json!(split.map(|split| &split.replace)));
        }
        Operation::Delete => {}
    }
    if let Operation::Move(to) = &block.operation {
        fields.insert("to".to_owned(), json!(to));
    }
    if let Some(line) = block.hint.filter(|_| block.operation == Operation::Edit) {
        fields.insert("line".to_owned(), json!(line));
    }
    if block.all {
        fields.insert("all".to_owned(), json!(true));
    }
    fields.insert("inherited".to_owned(), json!(path.is_some_and(|path| path.inherited)));
    Value::Object(fields)
}
