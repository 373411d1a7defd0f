//! The answers, as JSON.

use agentmd::answer::{ActionKind, CompletionKind};
use agentmd::client::catalog;
use agentmd::document::Document;
use agentmd::format::agent::loaded::tokens;
use agentmd::format::{Context, names};
use agentmd::ide::blocks::lenses::{self, Does};
use agentmd::ide::{
    apply, code_actions, code_lens, completion, diagnostics, hover as hovers, preview as previews,
    review, semantic_tokens, verdicts,
};
use agentmd::plan::FileChange;
use agentmd::plan::choice::{Choice, Goal, Way};
use agentmd::rule::{Diagnostic, page};
use agentmd::source::Source;
use agentmd::text::{Edit, Encoding, Position, Span};
use serde_json::{Value, json};

use super::questions::{self, Chosen, Place};
use super::relative;

fn place(source: &Source, offset: usize) -> Value {
    let position = source.position(offset, Encoding::Utf16);
    json!([position.line, position.column])
}

fn offset(source: &Source, (line, column): Place) -> usize {
    source.offset(Position { line, column }, Encoding::Utf16)
}

fn edits(source: &Source, edits: &[Edit]) -> Vec<Value> {
    let edit = |edit: &Edit| {
        json!({
            "from": place(source, edit.span.start),
            "to": place(source, edit.span.end),
            "insert": edit.text,
        })
    };
    edits.iter().map(edit).collect()
}

/// Findings, verdicts, and what can be applied.
pub fn check(document: &Document, cx: &Context) -> Value {
    let most = cx.config.options().max_findings;
    let shown = diagnostics::shown(document, cx, most);
    let found = shown.list();
    let findings: Vec<Value> = found.iter().map(|one| finding(cx, one)).collect();
    let judged = verdicts::verdicts(document, cx);
    let kind = judged.as_ref().map(|(kind, _)| kind.name());
    let verdicts: Vec<Value> = judged
        .iter()
        .flat_map(|(_, verdicts)| verdicts)
        .map(|verdict| {
            json!({
                "client": verdict.client,
                "title": verdict.title,
                "outcome": verdict.outcome,
                "reasons": verdict.reasons,
                "at": verdict.place.map(|at| place(cx.source, at)),
            })
        })
        .collect();
    json!({
        "format": document.format().name,
        "kind": kind,
        "findings": findings,
        "more": shown.rest.map_or(0, |rest| rest.count),
        "safe": code_actions::fix_all(&found).len(),
        "verdicts": verdicts,
        "offers": edits_of(document, cx),
        "tokens": tokens::estimate(&cx.source.text().to_string()),
    })
}

fn finding(cx: &Context, found: &Diagnostic) -> Value {
    let fixes: Vec<Value> = found
        .fixes
        .iter()
        .map(|fix| {
            json!({ "title": fix.title, "safe": fix.safe, "edits": edits(cx.source, &fix.edits) })
        })
        .collect();
    let related: Vec<Value> = found
        .related
        .iter()
        .map(|related| {
            let other = related.path.as_ref();
            let read = other.and_then(|path| cx.world.read(path).ok());
            let source = if other.is_none() { Some(cx.source) } else { read.as_ref() };
            json!({
                "path": other.map(|path| relative(path)),
                "at": source.map(|source| place(source, related.span.start)),
                "message": related.message,
            })
        })
        .collect();
    json!({
        "code": found.rule.code,
        "severity": found.severity,
        "message": found.message,
        "from": place(cx.source, found.span.start),
        "to": place(cx.source, found.span.end),
        "fixes": fixes,
        "related": related,
        "unnecessary": found.unnecessary,
    })
}

/// The edits of a reply: all that can be applied together, then each.
fn edits_of(document: &Document, cx: &Context) -> Vec<Value> {
    let offer = |title: String, at: usize, choices: Vec<Value>, goal: Goal| {
        json!({
            "title": title,
            "at": place(cx.source, at),
            "choices": choices,
            "goal": goal.name(),
        })
    };
    let mut found = Vec::new();
    if document.model().goals().is_empty() {
        for all in code_lens::lenses(document, cx, &together) {
            if all.blocks.len() > 1 {
                let choices = all.blocks.iter().map(|block| chosen(&Choice::found(*block)));
                found.push(offer(all.title, all.span.start, choices.collect(), Goal::Workspace));
            }
        }
    } else {
        for all in lenses::lenses(document, cx) {
            if let Does::Apply { choices, goal } = all.does
                && choices.len() > 1
            {
                let choices = choices.iter().map(chosen).collect();
                found.push(offer(all.title, all.span.start, choices, goal));
            }
        }
    }
    for item in review::items(document, cx) {
        let choose = |way: Way| chosen(&Choice { number: item.number, way });
        let choices = match item.state {
            review::State::Fits => vec![choose(Way::Found)],
            review::State::Likely => vec![choose(Way::Confirmed)],
            _ => Vec::new(),
        };
        let open = item.state == review::State::Ambiguous;
        let places: Vec<Value> = item
            .places
            .iter()
            .filter(|_| open)
            .map(|place| {
                json!({
                    "title": format!("Line {}: {}", place.line + 1, place.text.trim()),
                    "choices": [choose(Way::At(place.line))],
                    "goal": item.goal.name(),
                })
            })
            .collect();
        let mut offered = offer(item.title, item.span.start, choices, item.goal);
        offered["state"] = json!(item.state.name());
        offered["message"] = json!(item.message);
        offered["places"] = json!(places);
        found.push(offered);
    }
    found
}

fn chosen(choice: &Choice) -> Value {
    let way = match choice.way {
        Way::Found => json!("found"),
        Way::Confirmed => json!("confirmed"),
        Way::Everywhere => json!("everywhere"),
        Way::At(line) => json!({ "at": line }),
    };
    json!({ "block": choice.number, "way": way })
}

impl From<&Chosen> for Choice {
    fn from(chosen: &Chosen) -> Self {
        let way = match chosen.way {
            questions::Way::Found => Way::Found,
            questions::Way::Confirmed => Way::Confirmed,
            questions::Way::Everywhere => Way::Everywhere,
            questions::Way::At(line) => Way::At(line),
        };
        Self { number: chosen.block, way }
    }
}

/// Changes that lose something are looked at one by one.
fn together(change: &FileChange) -> bool {
    !change.risky && change.doubts.is_empty()
}

/// The files that blocks change, before and after.
///
/// # Errors
/// If they can't be applied.
pub fn plan(
    document: &Document,
    cx: &Context,
    choices: &[Chosen],
    goal: &str,
) -> Result<Value, String> {
    let goal = Goal::named(goal).ok_or_else(|| format!("unknown goal `{goal}`"))?;
    let choices: Vec<Choice> = choices.iter().map(Choice::from).collect();
    let unsure = review::unconfirmed(document, cx, &choices, goal);
    let plan = apply::chosen(document, cx, &choices, goal, &together);
    if let Some(refusal) = unsure.or_else(|| plan.refusals.into_iter().next()) {
        return Err(refusal.message);
    }
    let change = |change: &FileChange| {
        // Without a path, the document itself changes.
        let own = change.path.as_os_str().is_empty();
        let path = if own { cx.path } else { Some(change.path.as_path()) };
        json!({
            "path": path.map(relative),
            "exists": change.before.is_some(),
            "after": change.after,
            "hunks": change.hunks(),
            "risky": change.risky,
            "doubts": change.doubts.iter().map(|doubt| doubt.what).collect::<Vec<_>>(),
        })
    };
    Ok(json!({ "changes": plan.changes.iter().map(change).collect::<Vec<_>>() }))
}

/// The colours of a document: type, line, column and length.
pub fn highlights(document: &Document, cx: &Context) -> Value {
    let found = semantic_tokens::highlights(document, cx, 0..cx.source.len());
    found
        .iter()
        .map(|highlight| {
            let Span { start, end } = highlight.span;
            json!([highlight.kind, place(cx.source, start), place(cx.source, end)])
        })
        .collect()
}

pub fn hover(document: &Document, cx: &Context, at: Place) -> Value {
    hovers::hover(document, cx, offset(cx.source, at)).map_or(Value::Null, |hover| {
        json!({
            "from": place(cx.source, hover.span.start),
            "to": place(cx.source, hover.span.end),
            "markdown": hover.markdown,
        })
    })
}

pub fn complete(document: &Document, cx: &Context, at: Place) -> Value {
    completion::completions(document, cx, offset(cx.source, at))
        .items
        .iter()
        .map(|item| {
            json!({
                "label": item.label,
                "kind": kind(item.kind),
                "detail": item.detail,
                "documentation": item.documentation,
                "from": place(cx.source, item.edit.span.start),
                "to": place(cx.source, item.edit.span.end),
                "insert": item.edit.text,
                "snippet": item.snippet,
                "rank": item.rank,
                "more": item.more,
            })
        })
        .collect()
}

fn kind(kind: CompletionKind) -> &'static str {
    match kind {
        CompletionKind::Key => "property",
        CompletionKind::Value => "constant",
        CompletionKind::EnumMember => "enum",
        CompletionKind::Type => "type",
        CompletionKind::File | CompletionKind::Folder | CompletionKind::Glob => "file",
        CompletionKind::Snippet | CompletionKind::Heading => "text",
        CompletionKind::Keyword => "keyword",
        CompletionKind::Variable => "variable",
        CompletionKind::Function => "function",
    }
}

/// Fixes and refactorings at the selected characters.
pub fn actions(document: &Document, cx: &Context, from: Place, to: Place) -> Value {
    let span = offset(cx.source, from)..offset(cx.source, to);
    let found = diagnostics::shown(document, cx, 0);
    code_actions::actions(document, cx, &found, span, false)
        .iter()
        .filter(|offer| offer.action.kind != ActionKind::FixAll)
        .map(|offer| {
            json!({
                "title": offer.action.title,
                "edits": edits(cx.source, &offer.action.edits),
                "finding": offer.mends.as_ref().map(|found| found.rule.code),
            })
        })
        .collect()
}

/// The edits of all safe fixes.
pub fn fix_all(document: &Document, cx: &Context) -> Value {
    let found = diagnostics::diagnostics(document, cx);
    edits(cx.source, &code_actions::fix_all(&found)).into()
}

/// A program as the model would read it; null for other documents.
pub fn preview(document: &Document, cx: &Context, input: Option<Value>) -> Value {
    previews::preview(document, cx, input).map_or(Value::Null, |shown| {
        let problem = |problem: &previews::Problem| {
            json!({
                "at": problem.span.as_ref().map(|span| place(cx.source, span.start)),
                "message": problem.message,
                "fails": problem.fails,
            })
        };
        json!({
            "text": shown.text,
            "tokens": shown.text.as_deref().map(tokens::estimate),
            "input": shown.input,
            "sample": shown.sample,
            "problems": shown.problems.iter().map(problem).collect::<Vec<_>>(),
        })
    })
}

/// The vocabularies that are public, and the clients whose models use each.
pub fn vocabularies() -> Value {
    let mut found: Vec<(&str, Vec<&str>)> = Vec::new();
    for client in &catalog().clients {
        let Some(tokenizer) = client.loading.tokenizer else { continue };
        match found.iter_mut().find(|(name, _)| *name == tokenizer.name()) {
            Some((_, clients)) => clients.push(&client.title),
            None => found.push((tokenizer.name(), vec![&client.title])),
        }
    }
    found.iter().map(|(name, clients)| json!({ "name": name, "clients": clients })).collect()
}

/// The page of a rule.
///
/// # Errors
/// If there is no such rule.
pub fn explain(code: &str) -> Result<Value, String> {
    let rule = names::rule(code).map_err(|error| error.to_string())?;
    Ok(json!({ "code": rule.code, "markdown": page::page(rule) }))
}

/// All clients, by name.
pub fn clients() -> Value {
    let clients = &catalog().clients;
    clients.iter().map(|client| json!({ "name": client.name, "title": client.title })).collect()
}
