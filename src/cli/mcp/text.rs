//! Answers in few words, for models: a line per finding, file or block.

use std::fmt::Write as _;

use serde_json::Value;

fn str_of<'v>(value: &'v Value, key: &str) -> &'v str {
    value.get(key).and_then(Value::as_str).unwrap_or_default()
}

fn number(value: &Value, key: &str) -> u64 {
    value.get(key).and_then(Value::as_u64).unwrap_or_default()
}

fn list<'v>(value: &'v Value, key: &str) -> &'v [Value] {
    value.get(key).and_then(Value::as_array).map_or(&[], Vec::as_slice)
}

/// `SKILL.md:3:14 error markdownlang/yaml-syntax: …`, with a line per fix.
pub fn findings(answer: &Value) -> String {
    let mut out = String::new();
    for finding in list(answer, "findings") {
        let _ = writeln!(
            out,
            "{}:{}:{} {} {}: {}",
            str_of(finding, "path"),
            number(finding, "line"),
            number(finding, "column"),
            str_of(finding, "severity"),
            str_of(finding, "code"),
            str_of(finding, "message"),
        );
        for fix in list(finding, "fixes") {
            let change = match str_of(fix, "change") {
                "" => String::new(),
                change => format!(": {change}"),
            };
            let _ = writeln!(out, "  fix: {}{change}", str_of(fix, "title"));
        }
    }
    let omitted = number(answer, "omitted");
    if omitted > 0 {
        let _ = writeln!(out, "{omitted} more findings; raise `limit` or name fewer paths");
    }
    lines(answer, "not_checked", "not checked", &mut out);
    let count = |key: &str, noun: &str| {
        crate::cli::count(usize::try_from(number(answer, key)).unwrap_or(usize::MAX), noun)
    };
    let (errors, warnings) = (count("errors", "error"), count("warnings", "warning"));
    let files = count("files", "file");
    let _ = match (number(answer, "errors"), number(answer, "warnings")) {
        (0, 0) => write!(out, "no problems in {files}"),
        _ => write!(out, "{errors}, {warnings} in {files}"),
    };
    out
}

fn lines(answer: &Value, key: &str, words: &str, out: &mut String) {
    for problem in list(answer, key).iter().filter_map(Value::as_str) {
        let _ = writeln!(out, "{words}: {problem}");
    }
}

pub fn verdicts(answer: &Value) -> String {
    let mut out = String::new();
    for file in list(answer, "files") {
        let _ = writeln!(out, "{} ({})", str_of(file, "path"), str_of(file, "kind"));
        for verdict in list(file, "verdicts") {
            let reasons: Vec<&str> =
                list(verdict, "reasons").iter().filter_map(Value::as_str).collect();
            let why = if reasons.is_empty() {
                String::new()
            } else {
                format!(": {}", reasons.join("; "))
            };
            let _ = writeln!(
                out,
                "  {} {}{why}",
                str_of(verdict, "client"),
                str_of(verdict, "outcome")
            );
        }
    }
    lines(answer, "not_checked", "not checked", &mut out);
    if out.is_empty() { "no agent files".to_owned() } else { out }
}

pub fn loaded(answer: &Value) -> String {
    let mut out = String::new();
    for client in list(answer, "clients") {
        let _ = writeln!(
            out,
            "{}: {} tokens ({})",
            str_of(client, "client"),
            number(client, "tokens"),
            str_of(client, "counted")
        );
        for file in list(client, "files") {
            let cut =
                if file.get("cut").is_some_and(|cut| !cut.is_null()) { ", cut off" } else { "" };
            let _ = writeln!(
                out,
                "  {} {} tokens, {}{cut}",
                str_of(file, "path"),
                number(file, "tokens"),
                str_of(file, "why")
            );
        }
    }
    lines(answer, "unread", "not read", &mut out);
    if out.is_empty() { "no client loads anything here".to_owned() } else { out }
}

pub fn cost(answer: &Value) -> String {
    let mut out = String::new();
    for client in list(answer, "clients") {
        let _ = writeln!(
            out,
            "{}: {} tokens always, {} on a match, {} on demand",
            str_of(client, "client"),
            number(client, "always"),
            number(client, "matched"),
            number(client, "on_demand"),
        );
    }
    lines(answer, "unread", "not read", &mut out);
    if out.is_empty() { "no agent files".to_owned() } else { out }
}

/// The selected text; a selector that matches nothing with the reason and similar ones.
pub fn selected(answer: &Value) -> String {
    let mut out = String::new();
    let data = answer.get("data").unwrap_or(&Value::Null);
    for found in list(data, "matches") {
        let _ = writeln!(
            out,
            "{}:\n{}",
            str_of(found, "selector"),
            str_of(found, "content").trim_end()
        );
    }
    for missing in list(data, "unresolved") {
        let _ = writeln!(out, "{}: {}", str_of(missing, "selector"), str_of(missing, "reason"));
        let similar: Vec<&str> =
            list(missing, "suggestions").iter().filter_map(Value::as_str).collect();
        if !similar.is_empty() {
            let _ = writeln!(out, "  try {}", similar.join(", "));
        }
    }
    for fault in list(answer, "errors") {
        let _ = writeln!(out, "{}: {}", str_of(fault, "file"), str_of(fault, "message"));
    }
    out
}

/// The diff, and each block that fails with its reason.
pub fn rehearsed(answer: &Value) -> String {
    let mut out = String::new();
    for failed in list(answer, "failed") {
        let place = match number(failed, "reply_line") {
            0 => String::new(),
            line => format!("line {line} of the reply: "),
        };
        let _ =
            writeln!(out, "{place}{} [{}]", str_of(failed, "message"), str_of(failed, "reason"));
        if let Some(nearest) = failed.get("nearest").filter(|nearest| !nearest.is_null()) {
            let _ = writeln!(
                out,
                "  nearest: {} line {}",
                str_of(failed, "file"),
                number(nearest, "line")
            );
            for row in list(nearest, "diff") {
                for (sign, key) in [('-', "want"), ('+', "have")] {
                    if let Some(text) = row.get(key).and_then(Value::as_str) {
                        let _ = writeln!(out, "  {sign}{}", text.trim_end());
                    }
                }
            }
        }
    }
    out.push_str(str_of(answer, "diff"));
    match (out.is_empty(), list(answer, "applied").is_empty()) {
        (false, _) => out,
        (true, true) => "nothing to apply".to_owned(),
        (true, false) => "already applied: the files are up to date".to_owned(),
    }
}
