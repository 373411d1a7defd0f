use std::collections::HashMap;

use super::RuleContext;
use crate::declare_rule;
use crate::format::llmd::layout::{Fence, File, SectionKind};
use crate::format::llmd::plan::{fence_for, name_of};
use crate::rule::{Fix, Report};
use crate::source::Source;
use crate::text::{Edit, Span};

declare_rule! {
    /// Each `### file` of the Code Context has its contents in one fence. Without a fence, blocks
    /// can't be matched; with two, programs use only one of them.
    ///
    /// Contents that include fences need a longer fence around them.
    ///
    /// ````markdown bad
    /// # Project: Clock
    ///
    /// ## Meta: LLMD
    ///
    /// The assistant answers with edit blocks.
    ///
    /// ## Mission
    ///
    /// Tell the time.
    ///
    /// ## Code Context
    ///
    /// ### clock.py
    ///
    ///
    /// ## Changelog
    ///
    /// - Created
    ///
    /// ## Conversation Thread
    ///
    /// ### Entry 1
    ///
    /// **Human:** Show the local time.
    ///
    /// **Assistant:** Done.
    /// ````
    ///
    /// ````markdown bad
    /// # Project: Clock
    ///
    /// ## Meta: LLMD
    ///
    /// The assistant answers with edit blocks.
    ///
    /// ## Mission
    ///
    /// Tell the time.
    ///
    /// ## Code Context
    ///
    /// ### clock.py
    ///
    /// ```python
    /// import time
    ///
    /// print(time.time())
    /// ```
    ///
    /// ```python
    /// x = 1
    /// ```
    ///
    /// ## Changelog
    ///
    /// - Created
    ///
    /// ## Conversation Thread
    ///
    /// ### Entry 1
    ///
    /// **Human:** Show the local time.
    ///
    /// **Assistant:** Done.
    ///
    /// clock.py
    /// <<<<<< SEARCH
    /// print(time.time())
    /// =======
    /// print(time.ctime())
    /// >>>>>> REPLACE
    /// ````
    ///
    /// ````markdown good within=clock
    /// **Assistant:** Done.
    ///
    /// clock.py
    /// <<<<<< SEARCH
    /// print(time.time())
    /// =======
    /// print(time.ctime())
    /// >>>>>> REPLACE
    /// ````
    pub static RULE = "llmd/file-fence", Warning, "Code Context file is not a single fenced block";
}

pub fn check(context: &RuleContext, report: &mut Report) {
    let source = context.cx.source;
    let mut names: HashMap<&str, usize> = HashMap::new();
    context.layout().files.iter().for_each(|file| *names.entry(name_of(file)).or_default() += 1);
    // `llmd/duplicate-file` reports duplicates.
    let is_section = |file: &File| {
        let kind = SectionKind::meant(&file.heading.text);
        kind.is_some_and(|kind| context.layout().sections.iter().all(|other| other.kind != kind))
    };
    // `llmd/missing-section` reports headings of sections.
    let files = context.layout().files.iter().filter(|file| !is_section(file));
    for file in files.filter(|file| names.get(name_of(file)) == Some(&1)) {
        let eol = source.line_break();
        match file.fences.as_slice() {
            [_] => {}
            _ if file.fences.iter().any(|fence| !fence.closed) => {}
            [] => {
                let message = format!(
                    "missing contents of `{}`; put them in a fence below its heading",
                    name_of(file)
                );
                let finding = report.add(&RULE, file.heading.span.clone(), message);
                let body = context.text(&file.body);
                let text = body.trim();
                if text.is_empty() {
                    let after = file.heading.span.end;
                    finding.fix(Fix::suggestion(
                        "Insert an empty fence",
                        vec![Edit::insert(after, format!("{eol}{eol}```{eol}```"))],
                    ));
                } else {
                    let start = file.body.start + (body.len() - body.trim_start().len());
                    let mark = fence_for(text);
                    let edits = vec![
                        Edit::insert(start, format!("{mark}{eol}")),
                        Edit::insert(start + text.len(), format!("{eol}{mark}")),
                    ];
                    finding.fix(Fix::suggestion("Put the contents in a fence", edits));
                }
            }
            [first, second, ..] => {
                let opening = source.line_span(second.span.start);
                let message = format!(
                    "`{}` has more than one fence, and programs read only one; use one longer fence",
                    name_of(file)
                );
                let finding = report.add(&RULE, opening, message);
                finding.relate(source.line_span(first.span.start), "the first is here");
                if let Some(last) = file.fences.last() {
                    let edits =
                        refence(source, first, source.line_span(last.span.end), last.span.end);
                    finding.fix(Fix::suggestion("Put everything in one longer fence", edits));
                }
            }
        }
    }
}

/// The edits that make one fence of all text from the opening line of `first` to the line
/// `closing`.
pub(super) fn refence(source: &Source, first: &Fence, closing: Span, end: usize) -> Vec<Edit> {
    let text = source.slice(first.content.start..end);
    let mark = fence_for(&text);
    let opening = first.span.start
        + (source.line_span(first.span.start).end - first.span.start).min(indent(source, first));
    vec![
        Edit::replace(opening..opening + first.mark.len(), mark.clone()),
        Edit::replace(closing, mark),
    ]
}

fn indent(source: &Source, fence: &Fence) -> usize {
    let line = source.slice(source.line_span(fence.span.start));
    line.len() - line.trim_start_matches(' ').len()
}
