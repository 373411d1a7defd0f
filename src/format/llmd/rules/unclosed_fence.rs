use super::Subject;
use super::file_fence::refence;
use crate::declare_rule;
use crate::format::llmd::layout::SectionKind;
use crate::rule::{Fix, Report};
use crate::text::Edit;

declare_rule! {
    /// A fence is open to the end of the document: the sections and entries below are a part of it.
    /// Where the text of a file holds fences of its own, one of them has closed the fence around
    /// it, and the line meant to close it has opened another.
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
    /// ````markdown good
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
    pub static RULE = "llmd/unclosed-fence", Error, "A fence that nothing closes";
}

pub fn check(subject: &Subject, report: &mut Report) {
    let source = subject.cx.source;
    let Some((fence, file)) = subject.open_fence() else { return };
    let eol = source.line_break();
    let line = source.line_span(fence.span.start);
    let body = subject.text(&fence.content);
    let torn = file
        .and_then(|file| file.fences.first())
        .filter(|first| first.span.start < fence.span.start && fence.info.is_empty());
    if fence.content.len() == body.trim().len()
        && body.is_empty()
        && torn.is_none()
        && line.end == source.len()
    {
        // It is being typed.
        return;
    }
    let message = match torn {
        Some(_) => {
            "This was meant to close the fence above, which a fence in the text has closed already: now all that follows is in it."
        }
        None => {
            "Nothing closes this fence: all that follows is in it. Close it behind its last line."
        }
    };
    let finding = report.add(&RULE, line.clone(), message);
    if let Some(first) = torn {
        finding.relate(source.line_span(first.span.start), "the fence that it was meant to close");
        finding.fix(Fix::suggestion(
            "Put all of it into one longer fence",
            refence(source, first, line, fence.span.start),
        ));
        return;
    }
    let at = next_part(&body).map_or(source.len(), |at| fence.content.start + at);
    let before = subject.text(&(fence.content.start..at));
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
