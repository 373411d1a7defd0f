//! Output of `agentmd apply`: messages on stderr, JSON on stdout.

use std::collections::HashSet;
use std::io::Write;

use clap::builder::styling::{AnsiColor, Style};
use serde_json::{Value, json};

use crate::cli::transaction::Recovery;
use crate::cli::{Global, complain, count, note, printable, warn};
use crate::edit::nearest::Nearest;
use crate::plan::doubt::Kind;
use crate::plan::{Applied, FileChange, Plan, Reason, Refusal, Strategy};

/// The limit of lines that show how the nearest match differs.
const MOST_SHOWN: usize = 12;

fn line(style: Style, head: &str, rest: &str) {
    // A closed stderr can't be reported.
    let _ = writeln!(anstream::stderr(), "{style}{head}{style:#}{}", printable(rest));
}

/// Each file, its change, and how its places were found.
pub fn changes(plan: &Plan, written: &[FileChange]) {
    for change in written {
        let (verb, color) = match (&change.before, &change.after) {
            (None, _) => ("created", AnsiColor::Green),
            (_, None) => ("deleted", AnsiColor::Red),
            _ => ("changed", AnsiColor::Yellow),
        };
        let places: Vec<&Applied> =
            plan.applied.iter().filter(|applied| applied.file == change.name).collect();
        line(
            color.on_default().bold(),
            verb,
            &format!(" {}{}", change.name, where_and_how(&places)),
        );
    }
    if written.len() > 1 {
        let of = |kind: fn(&FileChange) -> bool, verb: &str| {
            let number = written.iter().filter(|change| kind(change)).count();
            (number > 0).then(|| format!("{number} {verb}"))
        };
        let parts = [
            of(|change| change.before.is_some() && change.after.is_some(), "changed"),
            of(|change| change.before.is_none(), "created"),
            of(|change| change.after.is_none(), "deleted"),
        ];
        let parts: Vec<String> = parts.into_iter().flatten().collect();
        note(&format!("{}: {}", count(written.len(), "file"), parts.join(", ")));
    }
}

/// Blocks whose old and new text are equal: worth a warning, but not a failure.
pub fn no_ops(plan: &Plan) {
    for applied in plan.applied.iter().filter(|applied| applied.strategy == Strategy::NoOp) {
        let line =
            plan.lines.get(&applied.block).map(|line| format!("line {line}: ")).unwrap_or_default();
        warn(&format!(
            "{line}block {} ({}): the old and the new text are the same",
            applied.block, applied.file
        ));
    }
}

/// Parts of the reply that may be meant as files.
pub fn notices(plan: &Plan) {
    for notice in &plan.notices {
        warn(&format!("line {}: {}", notice.line, notice.message));
    }
}

/// Blocks of changed files that had nothing left to do: an earlier block or an earlier run did it.
pub fn repeats(plan: &Plan) {
    let changed = |file: &str| plan.changes.iter().any(|change| change.name == file);
    let done = plan
        .applied
        .iter()
        .filter(|applied| applied.strategy == Strategy::AlreadyApplied && changed(&applied.file));
    for applied in done {
        let line =
            plan.lines.get(&applied.block).map(|line| format!("line {line}: ")).unwrap_or_default();
        note(&format!(
            "{line}block {} ({}): nothing left to do; an earlier block or run made this change",
            applied.block, applied.file
        ));
    }
}

/// Reports that nothing was written because some blocks fail.
pub fn stopped(plan: &Plan, partial: bool) {
    let (fit, all) = (plan.applied.len(), plan.applied.len() + plan.refusals.len());
    let rest = if partial || fit == 0 { "" } else { "; `--partial` applies those" };
    note(&format!("nothing was written: {fit} of {} can be applied{rest}", count(all, "block")));
}

/// `: line 12 (exact), line 40 (fuzzy, 91 %)`; empty for a file that was written as a whole.
fn where_and_how(places: &[&Applied]) -> String {
    let place = |applied: &&Applied| match applied.strategy {
        Strategy::Edit(tier) if applied.similarity < 1.0 => Some(format!(
            "line {} ({}, {} %)",
            applied.line + 1,
            tier.name(),
            (applied.similarity * 100.0).floor()
        )),
        Strategy::Edit(tier) => Some(format!("line {} ({})", applied.line + 1, tier.name())),
        _ => None,
    };
    let mut shown: Vec<String> = places.iter().filter_map(place).collect();
    let more = shown.len().saturating_sub(5);
    shown.truncate(5);
    if more > 0 {
        shown.push(format!("and {more} more"));
    }
    if shown.is_empty() { String::new() } else { format!(": {}", shown.join(", ")) }
}

/// Why blocks are not applied, with the nearest lines.
pub fn refusals(plan: &Plan, global: &Global) {
    let refusals = &plan.refusals;
    let mut shown: HashSet<&str> = HashSet::new();
    for refusal in refusals {
        // An unwritable target isn't a block's fault.
        let line = refusal
            .line
            .or_else(|| plan.lines.get(&refusal.block).copied())
            .map(|line| format!("line {line}: "))
            .unwrap_or_default();
        let place = match &refusal.file {
            None if refusal.line.is_some() => String::new(),
            Some(file) if refusal.line.is_some() => format!("{file}: "),
            None if refusal.reason == Reason::NotWritten => String::new(),
            // An interrupted run isn't a block.
            Some(_) if refusal.block == 0 && refusal.ask.is_some() => String::new(),
            None => format!("block {}: ", refusal.block),
            Some(file) => format!("block {} ({file}): ", refusal.block),
        };
        complain(&format!("{line}{place}{} [{}]", refusal.message, refusal.reason.name()));
        if let (Some(nearest), false) = (&refusal.nearest, global.quiet) {
            compare(nearest, refusal.file.as_deref().unwrap_or_default());
        }
        // Show the blocks of a file once.
        if let Some(ask) =
            refusal.ask.as_ref().filter(|ask| !global.quiet && shown.insert(&ask.diff))
        {
            diff(&ask.diff);
        }
    }
    if !global.quiet {
        help(refusals);
    }
}

/// The remedy for refusals that the user can lift.
fn help(refusals: &[Refusal]) {
    let mut kinds: Vec<&str> = refusals
        .iter()
        .filter_map(|refusal| refusal.ask.as_ref())
        .flat_map(|ask| ask.doubts.iter().map(|d| d.kind.name()))
        .collect();
    kinds.sort_unstable();
    kinds.dedup();
    if !kinds.is_empty() {
        let all = if kinds.len() == Kind::ALL.len() { "" } else { "; `--yes` accepts every kind" };
        let style = AnsiColor::Cyan.on_default().bold();
        line(
            style,
            "help",
            &format!(": to apply the diff above, add `--allow {}`{all}", kinds.join(",")),
        );
    }
}

/// A refused change, in the colors of a diff.
fn diff(text: &str) {
    for row in text.lines() {
        let color = match row.as_bytes().first() {
            Some(b'+') => AnsiColor::Green.on_default(),
            Some(b'-') => AnsiColor::Red.on_default(),
            Some(b'@') => AnsiColor::Cyan.on_default(),
            _ => Style::new(),
        };
        line(color, &printable(row), "");
    }
}

/// How a match differs from the search text: the block's lines, and the file's.
fn compare(nearest: &Nearest, file: &str) {
    let share = (nearest.similarity * 100.0).floor();
    let (first, last) = (nearest.lines.start + 1, nearest.lines.end);
    let width = last.to_string().len();
    line(
        AnsiColor::Blue.on_default().bold(),
        &format!("{:width$}--> ", ""),
        &format!("{file}:{first}-{last} ({share} % alike; - block, + file)"),
    );
    for difference in nearest.differences.iter().take(MOST_SHOWN) {
        let number = (difference.line + 1).to_string();
        for (sign, text, color) in
            [('-', &difference.want, AnsiColor::Red), ('+', &difference.have, AnsiColor::Green)]
        {
            let Some(text) = text else { continue };
            let number = if sign == '+' { number.as_str() } else { "" };
            let text: String = text.chars().take(200).collect();
            line(
                color.on_default(),
                &format!(
                    "{number:>width$} | {sign}{}",
                    printable(text.trim_end_matches(['\r', '\n']))
                ),
                "",
            );
        }
    }
    let more = nearest.differences.len().saturating_sub(MOST_SHOWN);
    if more > 0 {
        line(Style::new(), &format!("{:width$} | ", ""), &format!("and {more} more"));
    }
}

/// The changes to files that recovery is about to make.
pub fn outlook(changes: &[FileChange]) {
    for change in changes {
        let verb = match (&change.before, &change.after) {
            (None, _) => "creating",
            (_, None) => "deleting",
            _ => "changing",
        };
        line(Style::new().bold(), verb, &format!(" {}", change.name));
    }
}

/// How an earlier run was completed.
pub fn recovered(recovery: &Recovery, global: &Global) {
    for left in &recovery.left {
        complain(left);
    }
    if global.quiet {
        return;
    }
    let files = match recovery.files.as_slice() {
        files @ [_, _, _, _, _, ..] => count(files.len(), "file"),
        files => files.join(", "),
    };
    note(&match (recovery.finished, recovery.untouched) {
        (false, true) => "an earlier run was interrupted before it changed anything; its \
            temporary files are removed"
            .to_owned(),
        (true, true) => format!(
            "an earlier run was interrupted after it changed everything \
            ({files}); its backups are removed"
        ),
        (true, false) => format!(
            "an earlier run was interrupted; its remaining changes are now \
            made: {files}"
        ),
        (false, false) => format!(
            "an earlier run was interrupted; its changes are now undone: \
            {files}"
        ),
    });
}

/// The same as JSON.
pub fn recovery(recovery: Option<&Recovery>) -> Value {
    let state = recovery.map(|recovery| if recovery.finished { "finished" } else { "undone" });
    json!({ "recovered": state, "files": recovery.map_or(&[][..], |recovery| &recovery.files), "left": recovery.map_or(&[][..], |recovery| &recovery.left) })
}

/// The same if consent is missing.
pub fn unrecovered(plan: &Plan) -> Value {
    json!({ "recovered": null, "files": [], "left": [], "failed": plan.refusals.iter().map(|refusal| failed(refusal, None)).collect::<Vec<_>>() })
}

/// The nearest lines to a block's search text, and how they differ.
fn shown(nearest: &Nearest) -> Value {
    let differences = nearest
        .differences
        .iter()
        .map(|difference| json!({ "line": difference.line + 1, "want": difference.want, "have": difference.have, "kind": difference.kind.name() }));
    let similarity = (nearest.similarity * 1000.0).round() / 1000.0;
    json!({ "line": nearest.lines.start + 1, "line_end": nearest.lines.end, "similarity": similarity, "diff": differences.collect::<Vec<_>>() })
}

/// The result as JSON. If it `stopped`, only earlier changes count as applied.
pub fn answer(plan: &Plan, written: &[FileChange], stopped: bool) -> Value {
    let applied = plan.applied.iter().filter(|applied| {
        !stopped || matches!(applied.strategy, Strategy::AlreadyApplied | Strategy::NoOp)
    });
    let applied = applied.map(|applied| {
        let (line, similarity) = (applied.line + 1, (applied.similarity * 1000.0).round() / 1000.0);
        json!({ "block": applied.block, "file": applied.file, "strategy": applied.strategy.name(), "line": line, "similarity": similarity })
    });
    let failed = plan.refusals.iter().map(|refusal| {
        failed(refusal, refusal.line.or_else(|| plan.lines.get(&refusal.block).copied()))
    });
    let written = written.iter().map(|change| &change.name);
    let mut answer = json!({ "applied": applied.collect::<Vec<_>>(), "failed": failed.collect::<Vec<_>>(), "written": written.collect::<Vec<_>>() });
    if let Some(answer) = answer.as_object_mut().filter(|_| !plan.notices.is_empty()) {
        let notices = plan.notices.iter().map(|notice| {
            json!({ "reply_line": notice.line, "file": notice.file, "message": notice.message })
        });
        answer.insert("notices".to_owned(), notices.collect());
    }
    answer
}

fn failed(refusal: &Refusal, line: Option<u32>) -> Value {
    let candidates: Vec<usize> = refusal.candidates.iter().map(|line| line + 1).collect();
    let mut entry = json!({
        "block": refusal.block, "file": refusal.file, "reason": refusal.reason.name(), "message": refusal.message,
        "reply_line": line,
        "nearest": refusal.nearest.as_ref().map(shown), "candidates": candidates,
    });
    if let (Some(ask), Some(entry)) = (&refusal.ask, entry.as_object_mut()) {
        entry.insert("doubt".to_owned(), ask.kinds().into());
        entry.insert("diff".to_owned(), ask.diff.as_str().into());
    }
    entry
}
