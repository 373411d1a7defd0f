use super::super::mention::MentionKind;
use super::RuleContext;
use crate::declare_rule;
use crate::rule::Report;

declare_rule! {
    /// The body mentions the tool `python`, and this installation can't run it.
    ///
    /// `agentmd run` then warns and continues without the tool. Python is a separate download, for
    /// builds that include its sandbox; [Python](../../python.md) says how to install it. If the
    /// program runs elsewhere, ignore the rule in `agentmd.toml`.
    ///
    /// ````markdown bad
    /// ---
    /// name: greet
    /// description: Greets a person
    /// input: { type: object, properties: { who: { type: string } }, required: [who] }
    /// output: { type: object, properties: { text: { type: string } }, required: [text] }
    /// ---
    ///
    /// Greet {{ .who }}. Use the python tool to count the letters of the name.
    /// ````
    ///
    /// ````markdown good
    /// ---
    /// name: greet
    /// description: Greets a person
    /// input: { type: object, properties: { who: { type: string } }, required: [who] }
    /// output: { type: object, properties: { text: { type: string } }, required: [text] }
    /// ---
    ///
    /// Greet {{ .who }}.
    /// ````
    pub static RULE = "markdownlang/python-unavailable", Warning, "Python is not installed";
}

pub fn check(context: &RuleContext, report: &mut Report) {
    let mut mentions = context.mentions().iter();
    let Some(first) = mentions.find(|mention| mention.kind == MentionKind::Python) else { return };
    if !context.cx.world.python() {
        let message = "the tool `python` is not installed here, so the model must do without it";
        report.add(&RULE, first.span.clone(), message);
    }
}
