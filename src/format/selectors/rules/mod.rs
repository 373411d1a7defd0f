//! The rules about selectors, for documents of any format.

pub mod malformed;
pub mod unknown_document;
pub mod unresolved;

use crate::format::Context;
use crate::rule::{Diagnostic, Fix, Rule};
use crate::selector::mention::Mention;
use crate::text::Edit;

/// All rules, by code.
pub fn all() -> Vec<&'static Rule> {
    vec![&malformed::RULE, &unknown_document::RULE, &unresolved::RULE]
}

/// At most this many selectors of a document get suggestions: each search reads all headings and
/// blocks.
pub const MOST_SEARCHES: usize = 16;

/// Whether suggestions are searched once more.
fn is_searched(searches: &mut usize) -> bool {
    let left = searches.checked_sub(1);
    *searches = left.unwrap_or(0);
    left.is_some()
}

/// Offers other selectors, written to fit the mention.
fn offer(cx: &Context, mention: &Mention, suggestions: &[String], diagnostic: &mut Diagnostic) {
    let written = cx.source.slice(mention.span.clone());
    let query = written
        .find('?')
        .and_then(|at| written.get(at..))
        .filter(|_| mention.selector.is_ok())
        .unwrap_or_default();
    for suggestion in suggestions {
        let text = match suggestion.split_once("::") {
            Some((_, path)) if !written.contains("::") => path,
            _ => suggestion,
        };
        let text = format!("{text}{query}");
        diagnostic.fix(Fix::suggestion(
            format!("Write `{text}`"),
            vec![Edit::replace(mention.span.clone(), text)],
        ));
    }
}
