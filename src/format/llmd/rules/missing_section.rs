use super::{RuleContext, skeleton};
use crate::declare_rule;
use crate::format::llmd::layout::{SECTIONS, SectionKind};
use crate::rule::{Fix, Report};
use crate::text::Edit;

declare_rule! {
    /// An LLMD document has a Meta section (or includes one), a Mission, a Code Context, a
    /// Changelog and a Conversation Thread, in this order. An assistant's changes to a missing
    /// section are lost.
    ///
    /// ````markdown bad
    /// # Project: Clock
    ///
    /// ## Meta: LLMD
    ///
    /// The assistant answers with edit blocks.
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
    pub static RULE = "llmd/missing-section", Warning, "Missing section";
}

pub fn check(context: &RuleContext, report: &mut Report) {
    let layout = context.layout();
    let Some(title) = layout
        .project
        .as_ref()
        .map(|project| project.span.clone())
        .or_else(|| context.first_line())
    else {
        return;
    };
    // Sections below an open fence aren't found.
    if layout.extent.is_empty() || context.open_fence().is_some() {
        return;
    }
    for (name, kind) in SECTIONS {
        let there = layout.sections.iter().any(|section| section.kind == *kind);
        let included = *kind == SectionKind::Meta && !layout.includes.is_empty();
        if there || included || context.is_meant(*kind) {
            continue;
        }
        if let Some((_, line)) = layout.meant.iter().find(|(meant, _)| meant == kind) {
            let written = context.text(line);
            let written = written.trim();
            let message = format!(
                "`{written}` doesn't begin a section; write `## {name}` for the missing section"
            );
            let named = *kind == SectionKind::Meta;
            let text = written.trim_matches(['\\', '#', '*', ' ', '\t']).trim_end_matches(':');
            let heading = format!("## {}", if named { text } else { name });
            let edits = vec![Edit::replace(line.clone(), heading)];
            report
                .add(&RULE, line.clone(), message)
                .fix(Fix::suggestion(format!("Write `## {name}`"), edits));
            continue;
        }
        let finding = report.add(&RULE, title.clone(), format!("missing section `## {name}`"));
        let edit = skeleton::insert(context, *kind);
        finding.fix(Fix::suggestion(format!("Insert `## {name}`"), vec![edit]));
    }
}
