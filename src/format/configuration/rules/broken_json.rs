use crate::client::{is_aside, is_left_alone};
use crate::declare_rule;
use crate::format::Context;
use crate::format::agent::names;
use crate::format::configuration::listed;
use crate::rule::{Report, Severity};
use crate::world::Knowledge;

declare_rule! {
    /// A manifest of a plugin, a list of plugins, settings, or a file of MCP servers can't be parsed. The
    /// client ignores it: the plugin isn't loaded, or the servers don't start.
    ///
    /// Comments and trailing commas are not reported. Only `agentmd check` reports this, because editors
    /// check JSON themselves. In tests, templates and archives it is a hint.
    ///
    /// ````json bad path=.mcp.json
    /// {"mcpServers": {"kettle": {"command": "kettle"}}
    /// ````
    ///
    /// ````json good path=.mcp.json
    /// {"mcpServers": {"kettle": {"command": "kettle"}}}
    /// ````
    pub static RULE = "configuration/broken-json", Error, "Configuration file is not valid JSON";
}

/// Reports invalid JSON at the place of the error.
pub fn check(cx: &Context, report: &mut Report) {
    if cx.world.knowledge() == Knowledge::Later {
        return;
    }
    let Some((message, offset)) = names::json_error(cx.source) else { return };
    // If the file ends too early, mark its last line.
    let written = cx.source.slice(0..cx.source.len()).trim_end().len();
    let line = cx.source.line_span(offset.min(written.saturating_sub(1)));
    let start = if offset < line.end { offset } else { line.start };
    let finding = report.add(&RULE, start..line.end, format!("not valid JSON: {message}"));
    // Tests, templates and unused folders may contain such a file on purpose.
    let below = listed::below(cx);
    if is_aside(&below) || is_left_alone(cx.world, cx.root().as_deref(), &below) {
        finding.severity = Severity::Hint;
    }
}
