use super::RuleContext;
use crate::declare_rule;
use crate::rule::{Fix, Report};
use crate::text::Edit;

declare_rule! {
    /// The annotation of an item starts with `(from ` and must end with `)`. Without the end, the
    /// file is ambiguous.
    ///
    /// ````markdown file=a.lisp
    /// (a)
    /// ````
    ///
    /// ````markdown bad
    /// ## Context
    ///
    /// ### Code (from a.lisp:1-1
    /// ```lisp
    /// (a)
    /// ```
    /// ````
    ///
    /// ````markdown good
    /// ## Context
    ///
    /// ### Code (from a.lisp:1-1)
    /// ```lisp
    /// (a)
    /// ```
    /// ````
    pub static RULE = "context/unclosed-annotation", Warning, "Unclosed annotation";
}

pub fn check(context: &RuleContext, report: &mut Report) {
    for item in context.items() {
        let Some(file) = item.header.file.clone().filter(|_| item.header.open) else { continue };
        let written = context.text(&file);
        let span = item.header.kind.end + 1..file.end;
        let Some(at) = written.rfind([')', ']']) else {
            let fix = Fix::safe("Add `)`", vec![Edit::insert(file.end, ")")]);
            report
                .add(&RULE, span, "unclosed annotation; add `)` after the file and its lines")
                .fix(fix);
            continue;
        };
        let edit = Edit::replace(file.start + at..file.end, ")");
        report
            .add(&RULE, span, "the annotation must end with `)`")
            .fix(Fix::suggestion("End it with `)`", vec![edit]));
    }
}
