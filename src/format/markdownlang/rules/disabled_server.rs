use super::super::mention::{self, MentionKind, Resolved};
use super::RuleContext;
use crate::declare_rule;
use crate::rule::{Fix, Report};
use crate::text::Edit;

declare_rule! {
    /// The body mentions a tool of a disabled server.
    ///
    /// A server with `disabled: true` isn't started, so the body tells the model to use a tool that
    /// it doesn't have.
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
    pub static RULE = "markdownlang/disabled-server", Warning, "Tool of a disabled server";
}

pub fn check(context: &RuleContext, report: &mut Report) {
    let servers = mention::Servers::new(&context.servers);
    for found in context.mentions() {
        let MentionKind::Tool { name, .. } = &found.kind else { continue };
        let Some(Resolved { server: Some(server), server_name, .. }) = servers.resolve(name) else {
            continue;
        };
        let Some(disabled) = server.field("disabled").filter(|_| server.disabled) else { continue };
        let finding = report.add(
            &RULE,
            found.span.clone(),
            format!("`{name}` is not available: the server `{server_name}` is disabled; enable it, or remove the tool"),
        );
        finding.relate(disabled.span.clone(), "disabled here");
        finding.fix(Fix::suggestion(
            format!("Enable `{server_name}`"),
            vec![Edit::replace(disabled.value.clone(), "false")],
        ));
    }
}
