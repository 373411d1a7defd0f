//! The last resort, as the specification describes it: the first lines, numbers after the names of
//! vitals, and every fenced block (DUCK-14).

use super::super::vocabulary::VITALS;
use super::{Action, Reply, ReplySource};

/// At most this many lines become the reasoning.
const FIRST_LINES: usize = 10;

pub fn extract(text: &str) -> Reply {
    let lines = text
        .lines()
        .filter(|line| !line.trim().is_empty())
        .take(FIRST_LINES)
        .filter(|line| !line.starts_with('['));
    let reasoning = lines.collect::<Vec<_>>().join("\n");
    let lower = text.to_ascii_lowercase();
    let vitals = VITALS.iter().filter_map(|vital| {
        let name = vital.name.to_ascii_lowercase();
        let number =
            lower.match_indices(&name).find_map(|(at, _)| number(lower.get(at + name.len()..)?))?;
        Some((name, number))
    });
    let actions = fences(text).into_iter().zip(0..).map(|(content, index)| Action {
        index,
        kind: "unknown".to_owned(),
        parameters: vec![("index".to_owned(), index.to_string())],
        content: Some(content),
    });
    Reply {
        source: ReplySource::Flexible,
        reasoning,
        vitals: vitals.collect(),
        actions: actions.collect(),
        ..Reply::default()
    }
}

/// `: 0.85`: at least a colon or a space comes before the number.
fn number(rest: &str) -> Option<f64> {
    let digits =
        rest.trim_start_matches(|character: char| character == ':' || character.is_whitespace());
    let length = digits.bytes().take_while(|byte| byte.is_ascii_digit() || *byte == b'.').count();
    if digits.len() == rest.len() {
        return None;
    }
    digits.get(..length)?.parse().ok()
}

/// The content of each fence of backticks.
fn fences(text: &str) -> Vec<String> {
    let (mut found, mut open) = (Vec::new(), None);
    for line in text.split_inclusive('\n') {
        let bare = line.trim_end();
        match &mut open {
            None if bare.starts_with("```") => open = Some(String::new()),
            None => {}
            Some(_) if bare == "```" => {
                found.extend(open.take().map(|content: String| strip_break(&content).to_owned()))
            }
            Some(content) => content.push_str(line),
        }
    }
    found
}

fn strip_break(content: &str) -> &str {
    content
        .strip_suffix('\n')
        .map_or(content, |content| content.strip_suffix('\r').unwrap_or(content))
}
