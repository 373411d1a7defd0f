use super::RuleContext;
use crate::declare_rule;
use crate::format::llmd::layout::SectionKind;
use crate::rule::{Fix, Report};
use crate::suggestion::did_you_mean;
use crate::text::Edit;

declare_rule! {
    /// LLMD has five sections: Meta, Mission, Code Context, Changelog and Conversation Thread. Any
    /// other level-2 heading outside the conversation is kept, but programs ignore it.
    ///
    /// ````markdown bad
    /// # Project: Clock
    ///
    /// ## Meta: LLMD
    ///
    /// The assistant answers with edit blocks.
    ///
    /// ## Mision
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
    /// ## Changelog
    ///
    /// - Created
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
    pub static RULE = "llmd/unknown-section", Info, "Unknown section";
}

pub fn check(context: &RuleContext, report: &mut Report) {
    for section in
        context.layout().sections.iter().filter(|section| section.kind == SectionKind::Unknown)
    {
        let meant = context.meant(section).map(SectionKind::title);
        let name = &section.heading.text;
        let message =
            format!("unknown section `{name}`, which programs ignore{}", did_you_mean(meant));
        let finding = report.add(&RULE, section.heading.name.clone(), message);
        if let Some(meant) = meant {
            finding.fix(Fix::suggestion(
                format!("Replace with `{meant}`"),
                vec![Edit::replace(section.heading.name.clone(), meant)],
            ));
        }
    }
}
