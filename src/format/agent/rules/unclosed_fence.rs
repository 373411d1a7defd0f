use crate::declare_rule;
use crate::format::agent::body;
use crate::format::agent::subject::Subject;
use crate::format::agent::weight::Claim;
use crate::format::fences;
use crate::rule::Report;
use crate::rule::{Fix, Severity};
use crate::text::Edit;

declare_rule! {
    /// A code fence that nothing closes makes the rest of the file code: instructions below it are
    /// read as an example.
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

/// Reports it.
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
        // Reported where it was meant to end.
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
        let finding = report.add(&RULE, span.clone(), words);
        finding.severity = subject.weigh(Claim::Text, severity);
        let line = subject.cx.source.slice(span);
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

/// Whether every fence is closed for a reader that knows no HTML: after `<usage>`, Markdown takes an
/// opening fence for HTML and the closing one for an opening one. A model doesn't.
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
