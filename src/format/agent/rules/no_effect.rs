use crate::declare_rule;
use crate::format::agent::problem::Cause;
use crate::format::agent::subject::Subject;
use crate::rule::Report;

declare_rule! {
    /// A client knows the key and ignores it in files of this kind, in plugins, or without another
    /// key; or it reads the front matter of the whole file as text.
    ///
    /// Remove it, or set the other key.
    ///
    /// ````markdown bad path=agents/helper.md clients=claude-code
    /// ---
    /// name: helper
    /// description: Helps
    /// permissionMode: plan
    /// ---
    ///
    /// Help.
    /// ````
    ///
    /// ````markdown good path=agents/helper.md clients=claude-code
    /// ---
    /// name: helper
    /// description: Helps
    /// ---
    ///
    /// Help.
    /// ````
    pub static RULE = "agent/no-effect", Hint, "Key or front matter without effect";
}

/// Reports it.
pub fn check(subject: &Subject, report: &mut Report) {
    for group in subject.groups(Cause::IgnoredKey) {
        let Some(first) = group.first() else { continue };
        let words = format!("`{}` has no effect here", first.key.as_deref().unwrap_or_default());
        subject.report(&RULE, &group, first.span.clone(), &words, report).unnecessary();
    }
    for group in subject.groups(Cause::NoUse) {
        let Some(first) = group.first() else { continue };
        subject.report(
            &RULE,
            &group,
            first.span.clone(),
            "front matter has no effect in this file",
            report,
        );
    }
}
