use super::Subject;
use crate::declare_rule;
use crate::rule::{Fix, Report};
use crate::text::Edit;

declare_rule! {
    /// A tool of a server that is not started is named in the body.
    ///
    /// A server with `disabled: true` is not started, so the model is told to use a tool that it does not have.
    ///
    /// ````markdown bad
    /// ---
    /// name: greet
    /// description: Greets a person
    /// input: { type: object, properties: { who: { type: string } }, required: [who] }
    /// output: { type: object, properties: { text: { type: string } }, required: [text] }
    /// mcp_servers:
    ///   - name: people
    ///     url: http://localhost:3000/mcp
    ///     disabled: true
    /// ---
    ///
    /// Look up {{ .who }} with mcp__people__find and greet them.
    /// ````
    ///
    /// ````markdown good
    /// ---
    /// name: greet
    /// description: Greets a person
    /// input: { type: object, properties: { who: { type: string } }, required: [who] }
    /// output: { type: object, properties: { text: { type: string } }, required: [text] }
    /// mcp_servers:
    ///   - name: people
    ///     url: http://localhost:3000/mcp
    /// ---
    ///
    /// Look up {{ .who }} with mcp__people__find and greet them.
    /// ````
    pub static RULE = "markdownlang/disabled-server", Warning, "A tool of a server that is not started";
}

pub fn check(subject: &Subject, report: &mut Report) {
    let body = subject.front.as_ref().map_or(0, |front| front.span.end);
    for server in subject.servers.iter().filter(|server| server.disabled) {
        let (Some(name), Some(disabled)) = (&server.name, server.field("disabled")) else { continue };
        let prefix = format!("mcp__{}__", name.text);
        for placed in subject.cx.source.sections().filter(|placed| placed.start >= body) {
            let text = subject.cx.source.section_text(placed);
            for (at, _) in text.match_indices(&prefix) {
                let rest = text.get(at..).unwrap_or_default();
                let length =
                    rest.find(|character: char| !(character.is_ascii_alphanumeric() || matches!(character, '_' | '-'))).unwrap_or(rest.len());
                let tool = rest.get(..length).unwrap_or_default();
                let span = placed.start + at..placed.start + at + length;
                let finding = report.add(&RULE, span, format!("`{tool}` is not there: the server `{}` is disabled.", name.text));
                finding.relate(disabled.span.clone(), "it is disabled here");
                finding.fix(Fix::suggestion(format!("Enable `{}`", name.text), vec![Edit::replace(disabled.value.clone(), "false")]));
            }
        }
    }
}
