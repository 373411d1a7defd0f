use crate::declare_rule;
use crate::format::Context;
use crate::format::selectors::names::Names;
use crate::format::selectors::target::called;
use crate::rule::{Fix, Report};
use crate::selector::Selector;
use crate::selector::mention::Mention;
use crate::selector::resolve;
use crate::suggestion::did_you_mean;
use crate::text::Edit;

declare_rule! {
    /// No Markdown file of the workspace has the name before `::`. The name of a document is its
    /// file name in lower case without the extension; every character other than ASCII letters,
    /// digits, `_` and `-` becomes `-`. For example, `My Notes.md` is `my-notes`.
    ///
    /// This is only a hint about a possible typo, because examples may mention documents that don't
    /// exist. Only unmistakable selectors are checked: those with `heading:` or `block:`, and those
    /// in commands.
    ///
    /// ````markdown bad
    /// # Guide
    ///
    /// Read `progam::heading:h1[0]` first.
    /// ````
    ///
    /// ````markdown good
    /// # Guide
    ///
    /// Read `program::heading:h1[0]` first.
    /// ````
    pub static RULE = "selector/unknown-document", Info, "Unknown document in a selector";
}

/// Reports a name that no document has.
pub fn report(cx: &Context, mention: &Mention, selector: &Selector, report: &mut Report) {
    let Some(name) = selector.namespace.as_deref().filter(|_| mention.certain) else { return };
    let written = cx.source.slice(mention.span.clone());
    let length = written.find("::").unwrap_or(written.len());
    let span = mention.span.start..mention.span.start + length;
    let likely = Names::of(cx.world).likely(&name.to_ascii_lowercase());
    let message = format!("unknown document `{name}`{}", did_you_mean(likely.as_deref()));
    let diagnostic = report.add(&RULE, span.clone(), message);
    let Some(likely) = likely else { return };
    let resolves =
        called(cx, &likely).list.iter().any(|target| !resolve(&target.tree, selector).is_empty());
    if resolves {
        diagnostic
            .fix(Fix::suggestion(format!("Write `{likely}`"), vec![Edit::replace(span, likely)]));
    }
}
