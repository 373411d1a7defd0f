use crate::declare_rule;
use crate::format::Context;
use crate::format::selectors::target::Target;
use crate::rule::Report;
use crate::selector::Selector;
use crate::selector::mention::Mention;

declare_rule! {
    /// The selector doesn't match anything in its document: an index is out of range, or the
    /// heading or block doesn't exist. In a list, such as `h2[0,5]`, every index must exist.
    /// Selectors count headings and blocks, so adding, removing or
    /// moving one can break them.
    ///
    /// The fixes suggest the last nodes of the same type, and the most similar names. Before you
    /// save a document, the action "Rewrite selectors" updates the selectors of all files that the
    /// edit would break.
    ///
    /// ````markdown bad
    /// # Guide
    ///
    /// ## Setup
    ///
    /// Read `program::heading:h2[1]` first.
    /// ````
    ///
    /// ````markdown good
    /// # Guide
    ///
    /// ## Setup
    ///
    /// Read `program::heading:h2[0]` first.
    /// ````
    pub static RULE = "selector/unresolved", Warning, "Selector without a match";
}

/// Reports a selector that doesn't match in any of the documents that it may refer to.
pub fn report(
    cx: &Context,
    mention: &Mention,
    selector: &Selector,
    documents: &[Target],
    searches: &mut usize,
    report: &mut Report,
) {
    let written = cx.source.slice(mention.span.clone()).into_owned();
    let mut first = None;
    for target in documents {
        match target.failure(&written, selector) {
            Some(failure) => first = first.or(Some((target, failure))),
            None => return,
        }
    }
    let Some((target, found)) = first else { return };
    let start = mention.span.start;
    let span = (start + found.failure.span.start).min(mention.span.end)
        ..(start + found.failure.span.end).min(mention.span.end);
    let span = if span.is_empty() { mention.span.clone() } else { span };
    let diagnostic = report.add(&RULE, span, found.failure.message.clone());
    if super::is_searched(searches) {
        super::offer(cx, mention, found.suggestions(&written, target), diagnostic);
    }
}
