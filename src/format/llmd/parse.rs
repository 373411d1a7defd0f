//! What a program would read from a document, as JSON: the shape is a contract. Reading never
//! fails; wrong input has `errors`.

use serde_json::{Value, json};

use super::layout::{File, Placed, Role, SectionKind};
use super::plan::name_of;
use super::{Project, read, rules};
use crate::edit::Subject;
use crate::format::{Context, parse};
use crate::rule::{Report, Severity};
use crate::text::{Encoding, Span};

/// The result for a document.
pub fn parse(cx: &Context) -> Value {
    let project = read(cx.source, None);
    let layout = &project.layout;
    let body = |kind: SectionKind| {
        let section = layout.sections.iter().find(|section| section.kind == kind);
        section.map(|section| text(cx, &section.body))
    };
    let sections = layout.sections.iter().map(|section| {
        let span = section.heading.span.start..section.body.end;
        json!({ "name": &*section.heading.text, "range": range(cx, &span) })
    });
    let entries = layout.entries.iter().map(|entry| {
        let said = |span: &Option<Span>| span.as_ref().map(|span| text(cx, span).trim().to_owned());
        json!({ "number": entry.number, "human": said(&entry.human), "assistant": said(&entry.assistant) })
    });
    json!({
        "format": "llmd",
        "project": layout.project.as_ref().map(|project| &*project.text),
        "sections": sections.collect::<Vec<_>>(),
        "mission": body(SectionKind::Mission).map(|mission| mission.trim().to_owned()),
        "code_context": layout.files.iter().map(|own| file(cx, own)).collect::<Vec<_>>(),
        "changelog": items(&body(SectionKind::Changelog).unwrap_or_default()),
        "entries": entries.collect::<Vec<_>>(),
        "blocks": layout.blocks.iter().map(|placed| block(cx, placed)).collect::<Vec<_>>(),
        "errors": mistakes(&project, cx),
    })
}

fn text(cx: &Context, span: &Span) -> String {
    cx.source.slice(span.clone()).into_owned()
}

fn range(cx: &Context, span: &Span) -> Value {
    let place = |offset: usize| {
        let position = cx.source.position(offset, Encoding::Utf32);
        json!({ "line": position.line + 1, "column": position.column + 1, "offset": offset })
    };
    json!({ "start": place(span.start), "end": place(span.end) })
}

fn file(cx: &Context, file: &File) -> Value {
    let fence = file.fences.first();
    let language = fence
        .map(|fence| text(cx, &fence.info))
        .and_then(|info| info.split_whitespace().next().map(str::to_owned));
    json!({ "file": name_of(file), "language": language, "content": fence.map(|fence| text(cx, &fence.content)) })
}

fn block(cx: &Context, placed: &Placed) -> Value {
    let kind = match placed.block.subject {
        Subject::File => "replace",
        Subject::Mission => "mission",
        Subject::Changelog => "changelog",
    };
    let split = placed.block.splits.first();
    let search =
        split.filter(|_| placed.block.subject != Subject::Changelog).map(|split| &split.search);
    json!({
        "kind": kind,
        "file": placed.own_path().map(|path| &path.text),
        "search": search,
        "replace": split.map(|split| &split.replace),
        "live": placed.role == Role::Live,
        "range": range(cx, &placed.block.span()),
    })
}

/// The items of a list: their text, without the marks, with the lines that continue them.
fn items(body: &str) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    for line in body.lines() {
        match (line.strip_prefix(['-', '*', '+']), found.last_mut()) {
            (Some(item), _) if item.is_empty() || item.starts_with([' ', '\t']) => {
                found.push(item.trim().to_owned())
            }
            (_, Some(last)) if line.starts_with([' ', '\t']) => {
                last.push('\n');
                last.push_str(line.strip_prefix("  ").unwrap_or(line).trim_end());
            }
            _ => {}
        }
    }
    found
}

/// The findings that are errors, in document order.
fn mistakes(project: &Project, cx: &Context) -> Vec<Value> {
    let mut report = Report::default();
    rules::check(project, cx, &mut report);
    let mut found = report.diagnostics;
    found.retain(|finding| finding.severity == Severity::Error);
    found.sort_by_key(|finding| finding.span.start);
    found
        .iter()
        .map(|finding| parse::error(finding.rule.code, &finding.message, cx.source, &finding.span))
        .collect()
}
