use crate::config::kinds;
use crate::declare_rule;
use crate::format::Context;
use crate::rule::Report;

declare_rule! {
    /// A kind in `[[kinds]]` can't be used: its schema is missing, can't be read or isn't a valid
    /// JSON Schema, or it has no name or no globs. Files of the kind aren't checked; all other
    /// settings apply.
    ///
    /// A schema is a table in `agentmd.toml`, or the path of a JSON file in its folder: no symlink,
    /// and at most 1 MiB. References to other schemas aren't followed.
    ///
    /// ````toml bad path=agentmd.toml
    /// [[kinds]]
    /// name = "runbook"
    /// files = ["runbooks/**/*.md"]
    /// schema = { type = "objekt" }
    /// ````
    ///
    /// ````toml good path=agentmd.toml
    /// [[kinds]]
    /// name = "runbook"
    /// files = ["runbooks/**/*.md"]
    /// schema = { type = "object", required = ["owner"] }
    /// ````
    pub static RULE = "settings/unusable-kind", Error, "Kind that can't be used";
}

/// Reports kinds that can't be used.
pub fn check(cx: &Context, report: &mut Report) {
    let Some(root) = cx.path.and_then(std::path::Path::parent) else { return };
    let read = |path: &std::path::Path| cx.world.rules(path).map_err(|error| error.to_string());
    let text = cx.source.text().to_string();
    for (span, message) in kinds::problems(&text, root, &read) {
        report.add(&RULE, span, message);
    }
}
