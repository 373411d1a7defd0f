use super::RuleContext;
use super::file_fence::refence;
use crate::declare_rule;
use crate::format::llmd::layout::SectionKind;
use crate::rule::{Fix, Report};
use crate::text::Edit;

declare_rule! {
    /// A fence is open to the end of the document, so it swallows the sections and entries below.
    /// If the contents of a file include fences, one of them has closed the fence around it, and
    /// the line meant to close it opened another.
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
    pub static RULE = "llmd/unclosed-fence", Error, "Unclosed fence";
}

pub fn check(context: &RuleContext, report: &mut Report) {
    let source = context.cx.source;
    let Some((fence, file)) = context.open_fence() else { return };
    let eol = source.line_break();
    let line = source.line_span(fence.span.start);
    let body = context.text(&fence.content);
    let torn = file
        .and_then(|file| file.fences.first())
        .filter(|first| first.span.start < fence.span.start && fence.info.is_empty());
    if fence.content.len() == body.trim().len()
        && body.is_empty()
        && torn.is_none()
        && line.end == source.len()
    {
        // The user is still typing it.
        return;
    }
    let message = match torn {
        Some(_) => {
            "this fence opens a new block, since a fence in the contents closed the one above"
        }
        None => "unclosed fence: the rest of the document is in it; close it after its last line",
    };
    let finding = report.add(&RULE, line.clone(), message);
    if let Some(first) = torn {
        finding.relate(source.line_span(first.span.start), "the fence that it was meant to close");
        finding.fix(Fix::suggestion(
            "Put everything in one longer fence",
            refence(source, first, line, fence.span.start),
        ));
        return;
    }
    let at = next_part(&body).map_or(source.len(), |at| fence.content.start + at);
    let before = context.text(&(fence.content.start..at));
    let end = fence.content.start + before.trim_end().len();
    let lead = if end == fence.content.start && before.trim().is_empty() {
        String::new()
    } else {
        eol.to_owned()
    };
    let tail = if before.trim().is_empty() { eol } else { "" };
    finding.fix(Fix::suggestion(
        "Close the fence",
        vec![Edit::insert(end, format!("{lead}{}{tail}", fence.mark))],
    ));
}

/// Where the next section, file or entry begins.
fn next_part(text: &str) -> Option<usize> {
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let section = line
            .strip_prefix("## ")
            .is_some_and(|name| SectionKind::of(name.trim()) != SectionKind::Unknown);
        if section || line.starts_with("### ") {
            return Some(at);
        }
        at += line.len();
    }
    None
}
