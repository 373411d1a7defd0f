use super::super::kind::{KINDS, capitalize};
use super::super::line::Naming;
use super::Subject;
use crate::declare_rule;
use crate::rule::{Fix, Report};
use crate::suggestion::{closest, did_you_mean};
use crate::text::Edit;

declare_rule! {
    /// Agent-Q knows six types of items: `Code`, `Text`, `File`, `Repl-History`, `Error` and
    /// `Custom`. An item of another type is written by no one, and other readers may take its
    /// header for an ordinary heading.
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
    pub static RULE = "context/unknown-type", Warning, "An item of a type that Agent-Q does not know";
}

pub fn check(subject: &Subject, report: &mut Report) {
    let names = KINDS.map(capitalize);
    for item in subject.items().filter(|item| item.naming != Naming::Known) {
        let kind = subject.text(&item.header.kind);
        let meant = closest(&kind, names.iter().map(String::as_str));
        let message = format!("`{kind}` is no type of an item.{}", did_you_mean(meant));
        let message = if meant.is_none() {
            format!("{message} There are {}.", list(&names))
        } else {
            message
        };
        let finding = report.add(&RULE, item.header.kind.clone(), message);
        if let Some(meant) = meant {
            finding.fix(Fix::suggestion(
                format!("Replace by `{meant}`"),
                vec![Edit::replace(item.header.kind.clone(), meant)],
            ));
        }
    }
}

fn list(names: &[String]) -> String {
    let quoted: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    match quoted.split_last() {
        Some((last, rest)) if !rest.is_empty() => format!("{} and {last}", rest.join(", ")),
        _ => quoted.concat(),
    }
}
