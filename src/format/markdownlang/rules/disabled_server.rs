use super::super::mention::{self, MentionKind, Resolved};
use super::Subject;
use crate::declare_rule;
use crate::rule::{Fix, Report};
use crate::text::Edit;

declare_rule! {
    /// A tool of a server that is not started is named in the body.
    ///
    /// A server with `disabled: true` is not started, so the model is told to use a tool that it
    /// does not have.
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
    for found in subject.mentions() {
        let MentionKind::Tool { name, .. } = &found.kind else { continue };
        let Some(Resolved { server: Some(server), server_name, .. }) =
            mention::resolve(name, &subject.servers)
        else {
            continue;
        };
        let Some(disabled) = server.field("disabled").filter(|_| server.disabled) else { continue };
        let finding = report.add(
            &RULE,
            found.span.clone(),
            format!("`{name}` is not there: the server `{server_name}` is disabled. Enable it, or leave the tool out."),
        );
        finding.relate(disabled.span.clone(), "it is disabled here");
        finding.fix(Fix::suggestion(
            format!("Enable `{server_name}`"),
            vec![Edit::replace(disabled.value.clone(), "false")],
        ));
    }
}
