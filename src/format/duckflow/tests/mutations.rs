//! Replies broken by every possible single mistake: they are read, nothing in them is lost, and one
//! mistake gives one finding.

use std::path::Path;

use super::super::layout::Layout;
use super::super::{Response, reply, rules};
use super::reference::CASES;
use crate::config::Config;
use crate::format::Context;
use crate::rule::Report;
use crate::source::Source;
use crate::world::Memory;

/// A reply without mistakes.
const GOOD: &str = "[REASONING]\nThe page greets nobody.\n\nA name is asked for first.\n\n[NOTES]\nPython 3.\n\n[CONFIDENCE] 0.9\n[MOOD] 0.8\n[FOCUS] 0.95\n[STAMINA] 0.7\n\n\
[ACTION_0_TYPE] create_file\n[ACTION_0_PATH] src/greet.py\n[ACTION_0_DESCRIPTION] Asks for a name\n[ACTION_0_CONTENT_START]\nname = input(\"🦆? \")\n\nprint(f\"Hello {name}\")\n[ACTION_0_CONTENT_END]\n\n\
[ACTION_1_TYPE] run_command\n[ACTION_1_COMMAND] python src/greet.py\n[ACTION_1_TIMEOUT] 10\n\n\
[ACTION_2_TYPE] finish\n[ACTION_2_RESULT] The page greets.\n[ACTION_2_NEXT_STEPS] Tests.\n";

fn findings(text: &str) -> Vec<&'static str> {
    let (source, config, world) = (Source::new(text), Config::default(), Memory::default());
    let mut report = Report::default();
    let response = Response::new(&source, None);
    rules::check(
        &response,
        &Context::new(&source, Some(Path::new("/w/reply.md")), &world, &config),
        &mut report,
    );
    for finding in &report.diagnostics {
        assert!(
            text.get(finding.span.clone())
                .is_some_and(|part| !part.is_empty() || text.trim().is_empty()),
            "{} {:?}",
            finding.rule.code,
            finding.span
        );
        for fix in &finding.fixes {
            crate::text::apply(text, &fix.edits)
                .unwrap_or_else(|error| panic!("{}: {}: {error}", finding.rule.code, fix.title));
        }
    }
    report.diagnostics.iter().map(|finding| finding.rule.code).collect()
}

fn lines(text: &str) -> Vec<&str> {
    text.split_inclusive('\n').collect()
}

fn lower(line: &str) -> String {
    line.to_lowercase()
}

/// A way to break one line.
type Mutation = (&'static str, fn(&str) -> String);

const MUTATIONS: &[Mutation] = &[
    ("doubled", |line| format!("{line}{line}")),
    ("dropped", |_| String::new()),
    ("indented", |line| format!("  {line}")),
    ("far indented", |line| format!("    {line}")),
    ("lower", lower),
    ("fenced", |line| format!("```\n{line}```\n")),
];

fn mutate(text: &str, at: usize, mutation: fn(&str) -> String) -> String {
    lines(text)
        .iter()
        .enumerate()
        .map(|(index, line)| if index == at { mutation(line) } else { (*line).to_owned() })
        .collect()
}

/// Every text that one mistake makes of a reply.
fn mutants(text: &str) -> impl Iterator<Item = (String, String)> + '_ {
    let line = move |at: usize| lines(text)[at].trim_end().to_owned();
    let by_line = (0..lines(text).len()).flat_map(move |at| {
        MUTATIONS.iter().map(move |(name, mutation)| {
            (format!("{name}: {}", line(at)), mutate(text, at, *mutation))
        })
    });
    let cuts = (0..text.len())
        .filter(|at| text.is_char_boundary(*at))
        .map(|at| (format!("cut at {at}"), text[..at].to_owned()));
    let whole = [
        ("all fenced", format!("```markdown\n{text}```\n")),
        ("all lower", text.to_lowercase()),
        ("all indented", lines(text).iter().map(|line| format!("  {line}")).collect()),
    ];
    by_line.chain(cuts).chain(whole.map(|(name, text)| (name.to_owned(), text)))
}

fn bases() -> impl Iterator<Item = &'static str> {
    CASES.iter().map(|case| case.text).chain([GOOD])
}

/// The marker on a line, and its index, read without the parser.
fn boundary(line: &str, key: &str) -> Option<u64> {
    let rest = line.trim_start_matches('\u{feff}');
    let bare = rest.trim_start_matches(' ');
    let rest =
        if rest.len() - bare.len() <= 3 { bare.strip_prefix("[ACTION_")? } else { return None };
    let (digits, rest) = rest.split_once('_')?;
    rest.strip_prefix(key)?
        .strip_prefix(']')
        .filter(|after| !after.starts_with(['(', '[', ':']))?;
    digits.parse().ok()
}

/// The text between markers, as long as every start has its end.
fn enclosed(text: &str) -> Vec<(u64, String)> {
    let lines = lines(text);
    let (mut found, mut at) = (Vec::new(), 0);
    while at < lines.len() {
        if let Some(index) = boundary(lines[at], "CONTENT_START") {
            let Some(end) = (at + 1..lines.len())
                .find(|end| boundary(lines[*end], "CONTENT_END") == Some(index))
            else {
                break;
            };
            let content = lines[at + 1..end].concat();
            found.push((index, content.strip_suffix('\n').map(str::to_owned).unwrap_or(content)));
            at = end;
        }
        at += 1;
    }
    found
}

/// The non-whitespace bytes that belong to no part of the layout.
fn lost(text: &str, layout: &Layout) -> String {
    let mut kept = vec![false; text.len()];
    let pieces = layout.sections.iter().flat_map(|section| &section.pieces).chain(
        layout
            .actions
            .values()
            .flat_map(|action| &action.parameters)
            .flat_map(|parameter| &parameter.pieces),
    );
    let spans = pieces
        .chain(&layout.stray)
        .chain(layout.contents.iter().map(|content| &content.span))
        .chain(layout.marks.iter().map(|mark| &mark.line));
    for span in spans.chain(layout.fence.iter().flat_map(|(open, close)| [open, close])) {
        kept[span.clone()].fill(true);
    }
    text.char_indices()
        .filter(|(at, character)| {
            !kept[*at] && !character.is_whitespace() && *character != '\u{feff}'
        })
        .map(|(_, character)| character)
        .collect()
}

#[test]
fn nothing_is_lost_after_any_mistake() {
    for base in bases() {
        for (name, text) in mutants(base) {
            let layout = super::read(&text);
            assert_eq!(lost(&text, &layout), "", "{name}\n{text}");
            let contents: Vec<(u64, String)> = layout
                .contents
                .iter()
                .map(|content| (content.index, text[content.span.clone()].to_owned()))
                .collect();
            for content in enclosed(&text) {
                assert!(
                    contents.contains(&content),
                    "{name}\n{text}\n{content:?} is not in {contents:?}"
                );
            }
            reply::read(&text);
        }
    }
}

/// A cut has several consequences: the last line is incomplete, the action lacks parts, the task
/// isn't finished.
const MOST_OF_A_CUT: usize = 4;

#[test]
fn one_mistake_gives_one_finding() {
    assert_eq!(findings(GOOD), [""; 0]);
    for (name, text) in mutants(GOOD) {
        // In a reply that is completely indented or in lower case, every marker is reported,
        // because each has its fix.
        let most = if name.starts_with("all") {
            GOOD.matches("\n[").count() + 1
        } else if name.starts_with("cut") {
            MOST_OF_A_CUT
        } else {
            1
        };
        let found = findings(&text);
        assert!(found.len() <= most, "{name}: {found:?}\n{text}");
    }
}

#[test]
fn a_mistake_in_a_broken_reply_adds_few_findings() {
    for base in bases() {
        let before = findings(base).len();
        for (name, text) in mutants(base).filter(|(name, _)| !name.starts_with("all")) {
            let found = findings(&text);
            // If a mistake hid others, fixing it reveals them.
            assert!(found.len() <= before + MOST_OF_A_CUT, "{name}: {found:?}\n{text}");
        }
    }
}

#[test]
fn every_mistake_in_a_marker_is_reported() {
    let silent = |line: &str| !line.starts_with('[');
    for (at, line) in lines(GOOD).iter().enumerate().filter(|(_, line)| !silent(line)) {
        // These may be left out.
        if ["[NOTES]", "[ACTION_0_DESCRIPTION]", "[ACTION_1_TIMEOUT]", "[ACTION_2_NEXT_STEPS]"]
            .iter()
            .any(|name| line.starts_with(name))
        {
            continue;
        }
        for (name, mutation) in MUTATIONS {
            assert_eq!(findings(&mutate(GOOD, at, *mutation)).len(), 1, "{name}: {line}");
        }
    }
}
