//! The page of a rule: its documentation with its examples.

use std::fmt::Write as _;

use super::Rule;
use super::fixture::Fixture;

/// The page of a rule for use outside `docs/`, with absolute links.
pub fn standalone(rule: &Rule) -> String {
    let (page, url) = (page(rule), rule.url());
    let mut fence: Option<&str> = None;
    let mut out = String::with_capacity(page.len());
    for line in page.split_inclusive('\n') {
        let ticks = line.trim_start_matches('`').len();
        let ticks = line.get(..line.len() - ticks).filter(|ticks| ticks.len() >= 3);
        match (fence, ticks) {
            (None, None) => {
                out.push_str(&absolute(line, &url));
                continue;
            }
            (None, Some(_)) => fence = ticks,
            (Some(open), Some(ticks)) if ticks.len() >= open.len() => fence = None,
            (Some(_), _) => {}
        }
        out.push_str(line);
    }
    out
}

/// A line whose relative links are relative to `url`.
fn absolute(line: &str, url: &str) -> String {
    let mut parts = line.split("](");
    let mut out = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (mut folder, mut rest) = (url.rsplit_once('/').map_or(url, |(folder, _)| folder), part);
        while let Some(above) = rest.strip_prefix("../") {
            (folder, rest) = (folder.rsplit_once('/').map_or(folder, |(above, _)| above), above);
        }
        out.push_str("](");
        let target = rest.split(')').next().unwrap_or_default();
        if !target.contains("://") && !target.starts_with('#') {
            out.push_str(folder);
            out.push('/');
        }
        out.push_str(rest);
    }
    out
}

/// The page of a rule, in Markdown.
pub fn page(rule: &Rule) -> String {
    let mut out = format!(
        "# {}\n\n{}.\n\nSeverity: {}{}\n\n",
        rule.code,
        rule.summary.trim_end_matches('.'),
        rule.severity.name(),
        if rule.off { ", off by default" } else { "" }
    );
    let mut fence: Option<usize> = None;
    let mut introduced = false;
    let mut fixtures: Vec<&Fixture> = Vec::new();
    // Every line of a doc comment begins with a space.
    for line in rule.page.lines().map(|line| line.strip_prefix(' ').unwrap_or(line).trim_end()) {
        let ticks = line.bytes().take_while(|byte| *byte == b'`').count();
        match fence {
            Some(length) => {
                if ticks >= length && ticks == line.len() {
                    fence = None;
                }
                let _ = writeln!(out, "{line}");
            }
            None if ticks >= 3 => {
                fence = Some(ticks);
                let info: Vec<&str> = line.get(ticks..).unwrap_or("").split_whitespace().collect();
                let value = |key: &str| info.iter().find_map(|word| word.strip_prefix(key));
                let fixture = Fixture::of(line);
                fixtures.extend(fixture.filter(|fixture| !fixtures.contains(fixture)));
                let place = match (value("path="), fixture) {
                    (Some(path), _) => format!(", `{path}`"),
                    (None, Some(_)) => ", after the document below".to_owned(),
                    (None, None) => String::new(),
                };
                let title = match value("file=") {
                    Some(file) => format!("With `{file}`:\n\n"),
                    None if info.contains(&"bad") => format!("Bad{place}:\n\n"),
                    None if info.contains(&"good") => format!("Good{place}:\n\n"),
                    None => String::new(),
                };
                let kept: Vec<&str> = info
                    .into_iter()
                    .filter(|word| !matches!(*word, "bad" | "good") && !word.contains('='))
                    .collect();
                let _ = writeln!(
                    out,
                    "{}{}{}",
                    if introduced { "" } else { &title },
                    "`".repeat(ticks),
                    kept.join(" ")
                );
            }
            None => {
                let _ = writeln!(out, "{line}");
            }
        }
        if !line.is_empty() {
            introduced = line.ends_with(':');
        }
    }
    out.truncate(out.trim_end().len());
    out.push('\n');
    for fixture in fixtures {
        let text = fixture.text.trim_end();
        let _ = write!(out, "\nThe document:\n\n````markdown\n{text}\n````\n");
    }
    out
}
