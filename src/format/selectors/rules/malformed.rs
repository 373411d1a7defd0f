use crate::declare_rule;
use crate::format::Context;
use crate::format::selectors::target::{Target, called, targets};
use crate::rule::Report;
use crate::selector::Problem;
use crate::selector::mention::Mention;
use crate::selector::suggest::suggestions;

declare_rule! {
    /// The text starts like a selector but isn't valid: an unknown type, an index that isn't a
    /// number, or a missing bracket. A command that uses it fails.
    ///
    /// A selector is a path of `root`, `section`, `heading:h1` to `heading:h6`, `block:paragraph`,
    /// `block:list`, `block:code`, `block:table`, `block:blockquote`, each with an index from 0,
    /// optionally followed by `page[1]` and `?full=true`. The fixes write selectors that resolve in
    /// the document.
    ///
    /// ````markdown bad
    /// # Guide
    ///
    /// ## Setup
    ///
    /// Run `mdsel select 'program::heading:h9[0]'`.
    /// ````
    ///
    /// ````markdown good
    /// # Guide
    ///
    /// ## Setup
    ///
    /// Run `mdsel select 'program::heading:h2[0]'`.
    /// ````
    pub static RULE = "selector/malformed", Warning, "Malformed selector";
}

/// Reports malformed selectors.
pub fn report(
    cx: &Context,
    mention: &Mention,
    problem: &Problem,
    searches: &mut usize,
    report: &mut Report,
) {
    if !mention.certain {
        return;
    }
    let start = mention.span.start;
    let written = cx.source.slice(mention.span.clone()).into_owned();
    let span = (start + problem.span.start).min(mention.span.end)
        ..(start + problem.span.end).min(mention.span.end);
    let span = if span.is_empty() { mention.span.clone() } else { span };
    let diagnostic = report.add(&RULE, span, problem.message.clone());
    if !super::is_searched(searches) {
        return;
    }
    let documents: Vec<Target> = match written.split_once("::") {
        Some((name, _)) if mention.files.is_empty() => called(cx, &name.to_ascii_lowercase()).list,
        _ => targets(cx, mention).list,
    };
    let known: Vec<_> =
        documents.iter().map(|target| (target.name.as_str(), &*target.tree)).collect();
    let found = suggestions(&written, &known);
    super::offer(cx, mention, &found, diagnostic);
}
