use crate::declare_rule;
use crate::format::Context;
use crate::format::selectors::target::Target;
use crate::rule::Report;
use crate::selector::Selector;
use crate::selector::mention::Mention;

declare_rule! {
    /// The selector means nothing in the document that it names: an index is too high, or there is
    /// no such heading or block. Selectors count headings and blocks, so they lead elsewhere or
    /// nowhere when some are added, taken away or moved.
    ///
    /// The fixes write what may be meant: the last ones of the same type, and what is written most
    /// alike. Before a document is saved, the action "Rewrite selectors" rewrites the selectors of
    /// all files that the edit would lead astray.
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
    pub static RULE = "selector/unresolved", Warning, "A selector that means nothing in its document";
}

/// Reports a selector that means nothing in any of the documents that it may speak of.
pub fn report(
    cx: &Context,
    mention: &Mention,
    selector: &Selector,
    documents: &[Target],
    report: &mut Report,
) {
    let written = cx.source.slice(mention.span.clone()).into_owned();
    let mut first = None;
    for target in documents {
        match target.failure(&written, selector) {
            Some(failure) => first = first.or(Some(failure)),
            None => return,
        }
    }
    let Some(found) = first else { return };
    let start = mention.span.start;
    let span = (start + found.failure.span.start).min(mention.span.end)
        ..(start + found.failure.span.end).min(mention.span.end);
    let span = if span.is_empty() { mention.span.clone() } else { span };
    let diagnostic = report.add(&RULE, span, found.failure.message.clone());
    super::offer(cx, mention, &found.suggestions, diagnostic);
}
