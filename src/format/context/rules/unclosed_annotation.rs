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
        let Some(at) = written.rfind([')', ']']).filter(|at| is_end(&written, *at)) else {
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

/// Whether an unpaired bracket in the text of an annotation is meant as its end.
fn is_end(written: &str, at: usize) -> bool {
    let (inside, after) = written.split_at(at);
    let open = |mark: char| inside.matches(mark).count();
    let unpaired = open('(') == open(')') && open('[') == open(']');
    let after = after.get(1..).unwrap_or_default();
    unpaired && (after.starts_with(' ') || after.trim_matches([':', '.']).is_empty())
}
