use super::context::MOST;
use crate::declare_rule;
use crate::format::context::parts::Parts;
use crate::rule::{Fix, Report};
use crate::text::Edit;

declare_rule! {
    /// Agent-Q keeps the last fifty items of a pack, and drops all before them. So does
    /// `agentmd context` (`--max-items`).
    ///
    /// agentmd compares at most the last 256 items with their files.
    ///
    /// ````markdown bad
    /// ## Context
    ///
    /// ### Text
    /// ```lisp
    /// x
    /// ```
    ///
    /// ### Text
    /// ```lisp
    /// x
    /// ```
    ///
    /// ### Text
    /// ```lisp
    /// x
    /// ```
    ///
    /// ### Text
    /// ```lisp
    /// x
    /// ```
    ///
    /// ### Text
    /// ```lisp
    /// x
    /// ```
    ///
    /// ### Text
    /// ```lisp
    /// x
    /// ```
    ///
    /// ### Text
    /// ```lisp
    /// x
    /// ```
    ///
    /// ### Text
    /// ```lisp
    /// x
    /// ```
    ///
    /// ### Text
    /// ```lisp
    /// x
    /// ```
    ///
    /// ### Text
    /// ```lisp
    /// x
    /// ```
    ///
    /// ### Text
    /// ```lisp
    /// x
    /// ```
    ///
    /// ### Text
    /// ```lisp
    /// x
    /// ```
    ///
    /// ### Text
    /// ```lisp
    /// x
    /// ```
    ///
    /// ### Text
    /// ```lisp
    /// x
    /// ```
    ///
    /// ### Text
    /// ```lisp
    /// x
    /// ```
    ///
    /// ### Text
    /// ```lisp
    /// x
    /// ```
    ///
    /// ### Text
    /// ```lisp
    /// x
    /// ```
    ///
    /// ### Text
    /// ```lisp
    /// x
    /// ```
    ///
    /// ### Text
    /// ```lisp
    /// x
    /// ```
    ///
    /// ### Text
    /// ```lisp
    /// x
    /// ```
    ///
    /// ### Text
    /// ```lisp
    /// x
    /// ```
    ///
    /// ### Text
    /// ```lisp
    /// x
    /// ```
    ///
    /// ### Text
    /// ```lisp
    /// x
    /// ```
    ///
    /// ### Text
    /// ```lisp
    /// x
    /// ```
    ///
    /// ### Text
    /// ```lisp
    /// x
    /// ```
    ///
    /// ### Text
    /// ```lisp
    /// x
    /// ```
    ///
    /// ### Text
    /// ```lisp
    /// x
    /// ```
    ///
    /// ### Text
    /// ```lisp
    /// x
    /// ```
    ///
    /// ### Text
    /// ```lisp
    /// x
    /// ```
    ///
    /// ### Text
    /// ```lisp
    /// x
    /// ```
    ///
    /// ### Text
    /// ```lisp
    /// x
    /// ```
    ///
    /// ### Text
    /// ```lisp
    /// x
    /// ```
    ///
    /// ### Text
    /// ```lisp
    /// x
    /// ```
    ///
    /// ### Text
    /// ```lisp
    /// x
    /// ```
    ///
    /// ### Text
    /// ```lisp
    /// x
    /// ```
    ///
    /// ### Text
    /// ```lisp
    /// x
    /// ```
    ///
    /// ### Text
    /// ```lisp
    /// x
    /// ```
    ///
    /// ### Text
    /// ```lisp
    /// x
    /// ```
    ///
    /// ### Text
    /// ```lisp
    /// x
    /// ```
    ///
    /// ### Text
    /// ```lisp
    /// x
    /// ```
    ///
    /// ### Text
    /// ```lisp
    /// x
    /// ```
    ///
    /// ### Text
    /// ```lisp
    /// x
    /// ```
    ///
    /// ### Text
    /// ```lisp
    /// x
    /// ```
    ///
    /// ### Text
    /// ```lisp
    /// x
    /// ```
    ///
    /// ### Text
    /// ```lisp
    /// x
    /// ```
    ///
    /// ### Text
    /// ```lisp
    /// x
    /// ```
    ///
    /// ### Text
    /// ```lisp
    /// x
    /// ```
    ///
    /// ### Text
    /// ```lisp
    /// x
    /// ```
    ///
    /// ### Text
    /// ```lisp
    /// x
    /// ```
    ///
    /// ### Text
    /// ```lisp
    /// x
    /// ```
    ///
    /// ### Text
    /// ```lisp
    /// x
    /// ```
    /// ````
    ///
    /// ````markdown good
    /// ## Context
    ///
    /// ### Text
    /// ```lisp
    /// x
    /// ```
    ///
    /// ### Text
    /// ```lisp
    /// x
    /// ```
    ///
    /// ### Text
    /// ```lisp
    /// x
    /// ```
    /// ````
    pub static RULE = "context/too-many-items", Info, "Too many items";
}

/// Agent-Q's limit.
pub const WINDOW: usize = 50;

pub fn check(parts: &Parts, report: &mut Report) {
    for pack in parts.packs.iter().filter(|pack| !pack.chat) {
        let Some(more) = pack.items.len().checked_sub(WINDOW).filter(|more| *more > 0) else {
            continue;
        };
        let (first, kept) = (pack.items.start, pack.items.start + more);
        let (Some(first), Some(kept)) = (parts.start_of(first), parts.start_of(kept)) else {
            continue;
        };
        let dropped =
            if more == 1 { "the first one".to_owned() } else { format!("the first {more}") };
        let mut message = format!(
            "{} items, of which Agent-Q keeps {WINDOW} and drops {dropped}; remove some",
            pack.items.len()
        );
        if pack.items.len() > MOST {
            message.push_str(&format!("; agentmd compares the last {MOST}"));
        }
        let fix = Fix::suggestion(format!("Remove {dropped}"), vec![Edit::delete(first..kept)]);
        report.add(&RULE, pack.heading.clone(), message).fix(fix);
    }
}
