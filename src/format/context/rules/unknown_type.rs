use super::super::kind::NAMES;
use super::super::line::Naming;
use super::RuleContext;
use crate::declare_rule;
use crate::rule::{Fix, Report};
use crate::suggestion::{closest, did_you_mean};
use crate::text::Edit;

declare_rule! {
    /// Agent-Q defines six types of items: `Code`, `Text`, `File`, `Repl-History`, `Error` and
    /// `Custom`. Other parsers may treat a header with another type as an ordinary heading.
    ///
    /// ````markdown bad
    /// ## Context
    ///
    /// ### Code (from a.lisp)
    /// ```lisp
    /// (a)
    /// ```
    ///
    /// ### Eror
    /// ```lisp
    /// Unbound variable FOO
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
    /// ```lisp
    /// Unbound variable FOO
    /// ```
    /// ````
    ///
    /// ````markdown file=a.lisp
    /// (a)
    /// ````
    pub static RULE = "context/unknown-type", Warning, "Unknown item type";
}

pub fn check(context: &RuleContext, report: &mut Report) {
    for item in context.items().filter(|item| item.naming != Naming::Known) {
        let kind = context.text(&item.header.kind);
        let meant = closest(&kind, NAMES);
        let message = format!("unknown item type `{kind}`{}", did_you_mean(meant));
        let message = if meant.is_none() { format!("{message}; use {}", list()) } else { message };
        let finding = report.add(&RULE, item.header.kind.clone(), message);
        if let Some(meant) = meant {
            finding.fix(Fix::suggestion(
                format!("Replace with `{meant}`"),
                vec![Edit::replace(item.header.kind.clone(), meant)],
            ));
        }
    }
}

fn list() -> String {
    let quoted: Vec<String> = NAMES.iter().map(|name| format!("`{name}`")).collect();
    match quoted.split_last() {
        Some((last, rest)) if !rest.is_empty() => format!("{} or {last}", rest.join(", ")),
        _ => quoted.concat(),
    }
}
