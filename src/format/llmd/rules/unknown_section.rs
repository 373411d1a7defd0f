use super::RuleContext;
use crate::declare_rule;
use crate::edit::naming::is_file_name;
use crate::format::llmd::layout::{Section, SectionKind};
use crate::rule::{Fix, Report};
use crate::suggestion::did_you_mean;
use crate::text::Edit;

declare_rule! {
    /// LLMD has five sections: Meta, Mission, Code Context, Changelog and Conversation Thread. Any
    /// other level-2 heading outside the conversation is kept, but programs ignore it.
    ///
    /// The files of the Code Context have level-3 headings: one of level 2 ends it.
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
        if is_file(context, section) {
            let message = format!(
                "`## {0}` ends the Code Context; write `### {0}` for a file of it",
                section.heading.text
            );
            let edits = vec![Edit::insert(section.heading.span.start, "#")];
            report
                .add(&RULE, section.heading.name.clone(), message)
                .fix(Fix::suggestion("Make it the heading of a file", edits));
            continue;
        }
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

/// Whether a heading was meant to name a file of the Code Context.
fn is_file(context: &RuleContext, section: &Section) -> bool {
    let sections = context.layout().sections.iter().rev();
    let mut before = sections.filter(|other| other.body.end <= section.heading.span.start);
    let known = before.find(|other| other.kind != SectionKind::Unknown);
    let name = section.heading.text.trim_matches(['`', '*']);
    let body = context.text(&(section.body.start..section.body.end.min(section.body.start + NEAR)));
    known.is_some_and(|known| known.kind == SectionKind::CodeContext)
        && is_file_name(name)
        && body.trim_start().starts_with("```")
}

/// A fence after the heading is within this many bytes.
const NEAR: usize = 256;
