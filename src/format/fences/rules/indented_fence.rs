use crate::declare_rule;
use crate::format::Context;
use crate::format::fences::indented;
use crate::rule::{Fix, Report};
use crate::text::Edit;

declare_rule! {
    /// A fence that closes a code block may be indented by three spaces at most. With more, Markdown
    /// reads it as code, and the block goes on to the next fence: previews and clients that parse
    /// Markdown show the instructions in between as an example.
    ///
    /// Dedent it to the column of the opening fence.
    ///
    /// ````markdown bad path=.claude/skills/bake-bread/SKILL.md clients=claude-code
    /// ---
    /// name: bake-bread
    /// description: Bakes a loaf
    /// ---
    ///
    /// ```sh
    /// knead
    ///     ```
    ///
    /// Let the dough rest.
    /// ````
    ///
    /// ````markdown good path=.claude/skills/bake-bread/SKILL.md clients=claude-code
    /// ---
    /// name: bake-bread
    /// description: Bakes a loaf
    /// ---
    ///
    /// ```sh
    /// knead
    /// ```
    ///
    /// Let the dough rest.
    /// ````
    pub static RULE = "markdown/indented-fence", Warning, "Closing fence indented too far";
}

/// Reports closing fences that are indented too far.
pub fn check(cx: &Context, report: &mut Report) {
    for closing in indented(cx.source) {
        let finding = report.add(
            &RULE,
            closing.marks,
            "this fence closes nothing: it is indented by more than 3 spaces",
        );
        finding.fix(Fix::suggestion(
            "Dedent the closing fence",
            vec![Edit::replace(closing.indent, closing.wanted)],
        ));
    }
}
