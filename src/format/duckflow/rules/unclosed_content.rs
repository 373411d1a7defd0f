use super::super::layout::{Content, End};
use super::super::mark::{self, Mark, MarkKind};
use super::RuleContext;
use super::context::index_of;
use crate::declare_rule;
use crate::rule::{Fix, Report};
use crate::suggestion::closest;
use crate::text::Edit;

declare_rule! {
    /// A `[ACTION_N_CONTENT_START]` has no `[ACTION_N_CONTENT_END]`. agentmd ends the content
    /// before the next action, or at the end of the file. The reference parser continues to the
    /// next end marker of any action, loses this content, and adds the lines between to that one.
    ///
    /// At the end of a file it usually means that the reply was cut short: ask for the rest instead
    /// of applying it.
    ///
    /// ````markdown bad
    /// [REASONING]
    /// All tests pass.
    ///
    /// [CONFIDENCE] 0.9
    /// [MOOD] 0.8
    /// [FOCUS] 0.9
    /// [STAMINA] 0.7
    ///
    /// [ACTION_0_TYPE] create_file
    /// [ACTION_0_PATH] hello.py
    /// [ACTION_0_CONTENT_START]
    /// print("hello")
    ///
    /// [ACTION_1_TYPE] finish
    /// [ACTION_1_RESULT] Nothing was left to do.
    /// ````
    ///
    /// ````markdown good
    /// [REASONING]
    /// All tests pass.
    ///
    /// [CONFIDENCE] 0.9
    /// [MOOD] 0.8
    /// [FOCUS] 0.9
    /// [STAMINA] 0.7
    ///
    /// [ACTION_0_TYPE] create_file
    /// [ACTION_0_PATH] hello.py
    /// [ACTION_0_CONTENT_START]
    /// print("hello")
    /// [ACTION_0_CONTENT_END]
    ///
    /// [ACTION_1_TYPE] finish
    /// [ACTION_1_RESULT] Nothing was left to do.
    /// ````
    pub static RULE = "duckflow/unclosed-content", Error, "Unclosed content";
}

pub fn check(context: &RuleContext, report: &mut Report) {
    let layout = context.layout();
    for content in &layout.contents {
        let (End::Missing(next), Some(mark)) = (content.end, context.mark(content.start)) else {
            continue;
        };
        let index = content.index;
        let until = if next.is_some() {
            "which the reference parser loses, up to the next end marker"
        } else {
            "which the reference parser loses; the reply may be cut short"
        };
        let message = format!("unclosed content, {until}; add `[ACTION_{index}_CONTENT_END]`");
        let finding = report.add(&RULE, mark.span.clone(), message);
        let end = mark.line.end;
        let close = context.meant_in(&(mark.span.end..content.span.end.max(end)));
        if let Some((meant, wrong)) =
            close.and_then(|meant| Some((meant, context.mark(meant.mark)?)))
        {
            finding.relate(wrong.span.clone(), format!("did you mean `[{}]`?", meant.name));
            let name = format!("[{}]", meant.name);
            let indent = context.text(&(wrong.line.start..wrong.span.start));
            let (title, from) = match (indent.trim().is_empty(), context.text(&wrong.span) == name)
            {
                (true, true) => ("Remove the indentation".to_owned(), wrong.line.start),
                (true, false) => (format!("Replace with `{name}`"), wrong.line.start),
                (false, _) => (format!("Replace with `{name}`"), wrong.span.start),
            };
            let title = match wrong.kind {
                MarkKind::Inline => "Put it on its own line".to_owned(),
                _ => title,
            };
            let edit = match wrong.kind {
                MarkKind::Inline => Edit::replace(
                    wrong.line.start..wrong.span.end,
                    format!("{}{name}", context.line_break),
                ),
                _ => Edit::replace(from..wrong.span.end, name),
            };
            finding.fix(Fix::suggestion(title, vec![edit]));
            continue;
        }
        let limit = next_action(context, content).unwrap_or(content.span.end);
        // Blank lines before the next action aren't content.
        let text = context.trimmed_end(&(content.span.start..limit));
        let last = context.cx.source.line_span(text).start.max(content.span.start)..text;
        let name = format!("[ACTION_{index}_CONTENT_END]");
        if is_end(&context.text(&last)) {
            finding.relate(last.clone(), format!("did you mean `{name}`?"));
            let title = format!("Replace with `{name}`");
            finding.fix(Fix::suggestion(title, vec![Edit::replace(last, name)]));
            continue;
        }
        let at = if text == content.span.start { end } else { text };
        let line = format!("{}{name}", context.line_break);
        finding.fix(Fix::suggestion("Add the end", vec![Edit::insert(at, line)]));
    }
}

/// The start of the first line in some content that was meant as a marker of another action.
fn next_action(context: &RuleContext, content: &Content) -> Option<usize> {
    let marks = (content.start + 1..).map_while(|at| context.mark(at));
    let inside = marks.take_while(|mark| mark.line.start < content.span.end);
    let index = |mark: &Mark| match mark.kind {
        MarkKind::LookAlike | MarkKind::Malformed => {
            let name = context.text(&mark.name).to_ascii_uppercase();
            match mark::named(&name.replace([' ', '-'], "_"))? {
                MarkKind::Action { index, is_type: true, .. } => Some(index),
                _ => None,
            }
        }
        _ => index_of(mark).map(|(index, _)| index),
    };
    inside
        .filter(|mark| index(mark).is_some_and(|index| index != content.index))
        .map(|mark| mark.line.start)
        .next()
}

/// Whether the last line of unclosed content was meant to end it: a marker in capitals that isn't
/// that of a parameter, such as `[/ACTION_0_CONTENT]` or `[END]`.
fn is_end(line: &str) -> bool {
    let line = line.trim();
    let is_marker = line.starts_with('[') && line.ends_with(']')
        || line.starts_with("ACTION_") && !line.contains([' ', '\t']);
    let name = line.trim_matches(|letter: char| !letter.is_ascii_alphanumeric());
    let shouted = name
        .bytes()
        .all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit() || b" _-/".contains(&byte));
    let words = || name.split(|letter: char| !letter.is_ascii_alphanumeric());
    let is_own = |word: &str| ["ACTION", "CONTENT", "END"].contains(&word);
    let starts = closest(words().next_back().unwrap_or_default(), ["START"]).is_some();
    is_marker && shouted && words().any(is_own) && !starts
}
