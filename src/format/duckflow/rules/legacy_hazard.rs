use super::super::layout::End;
use super::super::mark::{Mark, MarkKind};
use super::RuleContext;
use crate::declare_rule;
use crate::rule::Report;

declare_rule! {
    /// A line of content looks like a marker. agentmd keeps it, byte for byte. The reference parser
    /// doesn't:
    ///
    /// - `[REASONING]`, and a word in capitals with a number, such as `[MOOD] 0.5`: it drops the
    ///   line.
    /// - `[ACTION_N_CONTENT_START]`: it drops all content before the line.
    /// - `[ACTION_N_CONTENT_END]`: it ends the content there.
    ///
    /// If the reference parser may read the reply, indent these lines where the file allows it, or
    /// send JSON (`agentmd convert --to json`).
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
    /// [ACTION_0_PATH] example.md
    /// [ACTION_0_CONTENT_START]
    /// A reply says how sure it is:
    ///
    /// [CONFIDENCE] 0.9
    /// [ACTION_0_CONTENT_END]
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
    /// [ACTION_0_PATH] example.md
    /// [ACTION_0_CONTENT_START]
    /// A reply says how sure it is:
    ///
    ///     [CONFIDENCE] 0.9
    /// [ACTION_0_CONTENT_END]
    ///
    /// [ACTION_1_TYPE] finish
    /// [ACTION_1_RESULT] Nothing was left to do.
    /// ````
    pub static RULE = "duckflow/legacy-hazard", Warning, "Content the reference parser would drop", strict;
}

/// At most this many lines are listed per content block.
const MOST_RELATED: usize = 8;

pub fn check(context: &RuleContext, report: &mut Report) {
    let layout = context.layout();
    // `unclosed-content` already reports content without an end.
    for content in layout.contents.iter().filter(|content| !matches!(content.end, End::Missing(_)))
    {
        let inside = layout
            .marks
            .iter()
            .enumerate()
            .skip(content.start + 1)
            .take_while(|(at, _)| layout.inside.get(*at).is_some_and(Option::is_some));
        let mut hazards = inside.filter_map(|(_, mark)| Some((mark, loss(context, mark)?)));
        let Some((mark, loss)) = hazards.next() else { continue };
        let message = format!("the reference parser {loss}; indent the line, or send JSON");
        let finding = report.add(&RULE, mark.line.clone(), message);
        for (mark, loss) in hazards.take(MOST_RELATED) {
            finding.relate(mark.line.clone(), format!("the reference parser {loss}"));
        }
    }
}

/// What the reference parser does with a line of content; `None` if it keeps it.
fn loss(context: &RuleContext, mark: &Mark) -> Option<&'static str> {
    if mark.line.start != mark.span.start {
        return None;
    }
    let number = || {
        context
            .text(&(mark.span.end..mark.value.end))
            .trim_start()
            .starts_with(|first: char| first.is_ascii_digit() || first == '.')
    };
    match mark.kind {
        MarkKind::Section(0) => Some("drops this line"),
        MarkKind::Vital(_) | MarkKind::ExtraVital if number() => {
            Some("drops this line, which it reads as a vital")
        }
        MarkKind::ContentStart { .. } => Some("drops all content before this line"),
        MarkKind::ContentEnd { .. } => Some("ends the content here"),
        _ => None,
    }
}
