use crate::declare_rule;
use crate::format::agent::body;
use crate::format::agent::nested_fences::lengthened;
use crate::format::agent::subject::Subject;
use crate::format::agent::weight::Claim;
use crate::format::fences;
use crate::rule::Report;
use crate::rule::{Fix, Severity};
use crate::text::{self, Edit, Span};

declare_rule! {
    /// A code fence that nothing closes makes the rest of the file code: instructions below it are
    /// read as an example.
    ///
    /// Often the cause is further up: a fence around Markdown ends at the first fence inside it that has as
    /// many backticks. Then the outer one is reported. Make it longer.
    ///
    /// ````markdown bad path=.claude/skills/bake-bread/SKILL.md clients=claude-code
    /// ---
    /// name: bake-bread
    /// description: Bakes a loaf
    /// ---
    ///
    /// ```sh
    /// knead
    /// ````
    ///
    /// ````markdown good path=.claude/skills/bake-bread/SKILL.md clients=claude-code
    /// ---
    /// name: bake-bread
    /// description: Bakes a loaf
    /// ---
    ///
    /// ```sh
    /// knead
    /// ```
    /// ````
    pub static RULE = "agent/unclosed-fence", Warning, "Unclosed fence";
}

pub fn check(subject: &Subject, report: &mut Report) {
    let length = subject.cx.source.len();
    for (placed, found) in
        body::mentions(subject.cx.source).filter(|(placed, _)| placed.span().end == length)
    {
        let Some(fence) = &found.open_fence else { continue };
        if closed_by_lines(&subject.cx.source.slice(subject.body()..length)) {
            continue;
        }
        let span = placed.start + fence.start..placed.start + fence.end;
        // This one is reported where it was meant to end.
        if fences::indented(subject.cx.source).any(|closing| closing.opening.start == span.start) {
            continue;
        }
        let after = subject.cx.source.slice(span.end..length);
        let (words, severity) = if after.trim().is_empty() {
            (
                "this fence opens a code block that is empty; a fence above it has no end or no beginning",
                Severity::Info,
            )
        } else {
            ("this fence is never closed, so the rest of the file is code", Severity::Warning)
        };
        if let Some((fix, outer)) = longer(subject, span.start) {
            let words = "this fence ends at one inside it, so a later one is never closed";
            let finding = report.add(&RULE, outer, words);
            finding.severity = subject.weigh(Claim::Text, severity);
            finding.fix(fix).relate(span, "never closed");
            continue;
        }
        let finding = report.add(&RULE, span.clone(), words);
        finding.severity = subject.weigh(Claim::Text, severity);
        let line = subject.cx.source.slice(span);
        if !is_code(&line, &after) {
            continue;
        }
        let indent: String = line.chars().take_while(|letter| letter.is_whitespace()).collect();
        let marks: String =
            line.trim_start().chars().take_while(|letter| matches!(letter, '`' | '~')).collect();
        let end = subject.cx.source.line_break();
        let last = subject.cx.source.slice(length.saturating_sub(1)..length);
        let before = if last == "\n" { "" } else { end };
        finding.fix(Fix::suggestion(
            "Close the fence at the end of the file",
            vec![Edit::insert(length, format!("{before}{indent}{marks}{end}"))],
        ));
    }
}

/// Whether all text after a fence is code, so that the fence can be closed at the end of the file.
/// Otherwise, that would only hide the mistake: there's another fence or a heading, or the fence
/// itself was meant as a closing one.
fn is_code(fence: &str, after: &str) -> bool {
    let marks = |letter: char| matches!(letter, '`' | '~' | ' ' | '\t' | '>');
    let closes = fence.trim_matches(marks).is_empty()
        && after.lines().nth(1).is_none_or(|next| next.trim().is_empty());
    let is_text =
        |line: &str| ["```", "~~~", "##"].iter().any(|mark| line.trim_start().starts_with(mark));
    !closes && !after.lines().any(is_text)
}

/// Lengthens the fences that inner ones of the same length close, if that closes every fence. Also
/// returns the first line of the fence around an offset.
fn longer(subject: &Subject, at: usize) -> Option<(Fix, Span)> {
    let start = subject.body();
    let source = subject.cx.source;
    let text = source.slice(start..source.len());
    let (edits, length) = lengthened(&text, start)?;
    let fixed = text::apply(&source.slice(0..source.len()), &edits).ok()?;
    let number = match length {
        4 => "four".to_owned(),
        5 => "five".to_owned(),
        more => more.to_string(),
    };
    let fences = if edits.len() > 2 { "fences" } else { "fence" };
    let tildes = edits.first().is_some_and(|edit| edit.text.starts_with('~'));
    let marks = if tildes { "tildes" } else { "backticks" };
    let title = format!("Lengthen the outer {fences} to {number} {marks}");
    let pairs = || edits.chunks(2).filter_map(|pair| Some((pair.first()?, pair.last()?)));
    let around = pairs().find(|(open, close)| (open.span.start..=close.span.end).contains(&at));
    let (outer, _) = around.or_else(|| pairs().next())?;
    let line = source.line_span(outer.span.start);
    let outer = outer.span.start..line.end.max(outer.span.start);
    closed_by_lines(fixed.get(start..)?).then(|| (Fix::suggestion(title, edits), outer))
}

/// Whether every fence is closed for a reader that ignores HTML: after `<usage>`, Markdown reads an
/// opening fence as HTML and the closing one as an opening one. A model doesn't.
fn closed_by_lines(text: &str) -> bool {
    let mut open: Option<(char, usize)> = None;
    for line in text.lines() {
        let line = line.trim().trim_start_matches(['>', ' ']);
        let Some(mark) = line.chars().next().filter(|mark| matches!(mark, '`' | '~')) else {
            continue;
        };
        let length = line.chars().take_while(|letter| *letter == mark).count();
        let rest = line.get(length..).unwrap_or_default();
        match open {
            Some((with, least)) if mark == with && length >= least && rest.trim().is_empty() => {
                open = None;
            }
            None if length >= 3 && !rest.contains('`') => open = Some((mark, length)),
            _ => {}
        }
    }
    open.is_none()
}
