use super::RuleContext;
use crate::declare_rule;
use crate::rule::{Fix, Report};
use crate::text::Edit;

declare_rule! {
    /// The name belongs to a built-in tool: `python` is the interpreter that every program can
    /// call, and names that begin with `mcp__` belong to the tools of MCP servers.
    ///
    /// A program that imports this one couldn't tell the two apart.
    ///
    /// ````markdown bad
    /// ---
    /// name: python
    /// description: Greets a person
    /// input: { type: object, properties: { who: { type: string } }, required: [who] }
    /// output: { type: object, properties: { text: { type: string } }, required: [text] }
    /// ---
    ///
    /// Greet {{ .who }}.
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
    pub static RULE = "markdownlang/reserved-name", Warning, "Reserved name";
}

pub fn check(context: &RuleContext, report: &mut Report) {
    let Some(name) = &context.name else { return };
    let (why, other) = match (name.text.as_str(), name.text.strip_prefix("mcp__")) {
        ("python", _) => ("`python` is the built-in interpreter", "python-program".to_owned()),
        (_, Some(rest)) => {
            ("names with `mcp__` belong to MCP tools", rest.trim_matches('_').to_owned())
        }
        _ => return,
    };
    let finding =
        report.add(&RULE, name.span.clone(), format!("reserved name: {why}; choose another one"));
    if !other.is_empty() {
        finding.fix(Fix::suggestion(
            format!("Rename to `{other}`"),
            vec![Edit::replace(name.span.clone(), context.print(&name.span, &other))],
        ));
    }
}
