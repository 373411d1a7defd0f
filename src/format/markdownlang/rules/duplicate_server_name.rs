use rustc_hash::FxHashMap;

use super::super::program::Text;
use super::RuleContext;
use super::missing_server_name::Free;
use crate::declare_rule;
use crate::rule::{Fix, Report};
use crate::text::Edit;

declare_rule! {
    /// Two servers in `mcp_servers` have the same name, so their tools are ambiguous.
    ///
    /// ````markdown bad
    /// ---
    /// name: greet
    /// description: Greets a person
    /// input: { type: object, properties: { who: { type: string } }, required: [who] }
    /// output: { type: object, properties: { text: { type: string } }, required: [text] }
    /// mcp_servers:
    ///   - name: filesystem
    ///     command: npx
    ///     args: ["-y", "@modelcontextprotocol/server-filesystem", "."]
    ///   - name: filesystem
    ///     url: http://localhost:3000/mcp
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
    /// mcp_servers:
    ///   - name: filesystem
    ///     command: npx
    ///     args: ["-y", "@modelcontextprotocol/server-filesystem", "."]
    ///   - name: search
    ///     url: http://localhost:3000/mcp
    /// ---
    ///
    /// Greet {{ .who }}.
    /// ````
    pub static RULE = "markdownlang/duplicate-server-name", Error, "Duplicate server name";
}

pub fn check(context: &RuleContext, report: &mut Report) {
    let mut free = Free::new(&context.servers);
    let mut known: FxHashMap<&str, &Text> = FxHashMap::default();
    for server in &context.servers {
        let Some(name) = server.name.as_ref().filter(|name| !name.text.trim().is_empty()) else {
            continue;
        };
        let first = *known.entry(&name.text).or_insert(name);
        if std::ptr::eq(first, name) {
            continue;
        }
        let finding = report.add(
            &RULE,
            name.span.clone(),
            format!("duplicate server name `{}`; give each server its own name", name.text),
        );
        finding.relate(first.span.clone(), "the first server of this name");
        let free = free.name(&name.text);
        finding.fix(Fix::suggestion(
            format!("Rename to `{free}`"),
            vec![Edit::replace(name.span.clone(), context.print(&name.span, &free))],
        ));
    }
}
