use std::collections::HashSet;

use super::RuleContext;
use crate::declare_rule;
use crate::format::llmd::layout::{Section, SectionKind};
use crate::format::llmd::order;
use crate::rule::{Fix, Report};

declare_rule! {
    /// The sections of an LLMD document have a fixed order: Meta, Mission, Code Context, Changelog,
    /// Conversation Thread. Models learn that order from the Meta section, and a document that ends
    /// with its conversation is easy to continue.
    ///
    /// ````markdown bad
    /// # Project: Clock
    ///
    /// ## Meta: LLMD
    ///
    /// The assistant answers with edit blocks.
    ///
    /// ## Changelog
    ///
    /// - Created
    ///
    /// ## Mission
    ///
    /// Tell the time.
    ///
    /// ## Code Context
    ///
    /// ### clock.py
    ///
    /// ```python
    /// import time
    ///
    /// print(time.time())
    /// ```
    ///
    /// ## Conversation Thread
    ///
    /// ### Entry 1
    ///
    /// **Human:** Show the local time.
    ///
    /// **Assistant:** Done.
    ///
    /// clock.py
    /// <<<<<< SEARCH
    /// print(time.time())
    /// =======
    /// print(time.ctime())
    /// >>>>>> REPLACE
    /// ````
    ///
    /// ````markdown good within=clock
    /// **Assistant:** Done.
    ///
    /// clock.py
    /// <<<<<< SEARCH
    /// print(time.time())
    /// =======
    /// print(time.ctime())
    /// >>>>>> REPLACE
    /// ````
    pub static RULE = "llmd/section-order", Warning, "Sections out of order";
}

pub fn check(context: &RuleContext, report: &mut Report) {
    let (mut highest, mut seen): (Option<&Section>, HashSet<SectionKind>) = (None, HashSet::new());
    for section in &context.layout().sections {
        match highest {
            _ if section.kind == SectionKind::Unknown || !seen.insert(section.kind) => {}
            Some(before) if section.kind < before.kind => {
                let message = format!(
                    "`{}` belongs before `{}`",
                    context.text(&section.heading.span),
                    context.text(&before.heading.span)
                );
                let finding = report.add(&RULE, section.heading.span.clone(), message);
                finding.relate(before.heading.span.clone(), "it belongs before this");
                if let Some(edits) = order::sort(context.layout(), context.cx.source) {
                    finding.fix(Fix::suggestion("Reorder the sections", edits));
                }
                return;
            }
            _ => highest = Some(section),
        }
    }
}
