use super::super::{header, kind};
use super::RuleContext;
use crate::declare_rule;
use crate::format::context::swallowed::{Swallowed, swallowed};
use crate::rule::{Fix, Report};
use crate::source::Source;
use crate::text::{Edit, Span};

declare_rule! {
    /// The header of an item is `### `, its type, and ` (from FILE:START-END)` if it's from a file,
    /// with one space each. Under any other header, the item is read as part of the one above.
    ///
    /// ````markdown file=a.lisp
    /// (a)
    /// ````
    ///
    /// ````markdown bad
    /// ## Context
    ///
    /// ### Code (from a.lisp)
    /// ```lisp
    /// (a)
    /// ```
    ///
    /// #### Error
    /// ```text
    /// unbound variable
    /// ```
    /// ````
    ///
    /// ````markdown good
    /// ## Context
    ///
    /// ### Code (from a.lisp)
    /// ```lisp
    /// (a)
    /// ```
    ///
    /// ### Error
    /// ```text
    /// unbound variable
    /// ```
    /// ````
    pub static RULE = "context/unread-header", Warning, "Header that isn't read as one";
}

pub fn check(context: &RuleContext, report: &mut Report) {
    for item in context.items() {
        let Some(found) = swallowed(context.cx.source, item) else { continue };
        let header = found.header;
        if found.lacks_fence {
            let message = "this item has no opening fence, so it belongs to the one above; write one below the header";
            let edit = opening(context.cx.source, &found.span, &header);
            report
                .add(&RULE, found.span, message)
                .fix(Fix::suggestion("Write the opening fence", vec![edit]));
            continue;
        }
        let message = format!(
            "this isn't read as a header, so its item belongs to the one above; write `{header}`"
        );
        let edit = Edit::replace(found.span.clone(), header.clone());
        report
            .add(&RULE, found.span, message)
            .fix(Fix::suggestion(format!("Write `{header}`"), vec![edit]));
    }
}

/// Reports the first header of what would be a pack with it.
pub fn first(found: &Swallowed, report: &mut Report) {
    if found.lacks_fence {
        return;
    }
    let header = &found.header;
    let message = format!("this isn't read as a header, so no pack begins here; write `{header}`");
    let edit = Edit::replace(found.span.clone(), header.clone());
    report
        .add(&RULE, found.span.clone(), message)
        .fix(Fix::suggestion(format!("Write `{header}`"), vec![edit]));
}

/// The edit that writes the opening fence below a header.
pub fn opening(source: &Source, header: &Span, written: &str) -> Edit {
    let start = source.line_span(header.end).end;
    let next = source.line_span((start + source.line_break().len()).min(source.len()));
    let below = source.slice(next.clone());
    // Two backticks, or a fence that is indented, quoted or escaped.
    let fence = below.trim_start_matches([' ', '\t', '>', '\\']);
    let word = fence.trim_start_matches('`');
    if word.len() < fence.len() && !word.trim_end().contains([' ', '`']) {
        let ticks = "`".repeat((fence.len() - word.len()).max(3));
        return Edit::replace(next.start..next.end - word.len(), ticks);
    }
    Edit::insert(start, format!("{}{}", source.line_break(), opener(written)))
}

/// The line that opens the fence of an item with this header.
pub fn opener(written: &str) -> String {
    let header = header::read(written);
    let part = |span: Option<Span>| written.get(span?);
    let kind = part(header.as_ref().map(|header| header.kind.clone())).and_then(kind::named);
    let file = part(header.and_then(|header| header.file));
    format!("```{}", kind::language(kind.unwrap_or_default(), file))
}
