use crate::config::overrides;
use crate::declare_rule;
use crate::format::Context;
use crate::rule::Report;

declare_rule! {
    /// An entry in `[[overrides]]` has no `files`, so its settings are for no file. All other settings
    /// apply.
    ///
    /// ````toml bad path=agentmd.toml
    /// [[overrides]]
    /// ignore = ["markdown"]
    /// ````
    ///
    /// ````toml good path=agentmd.toml
    /// [[overrides]]
    /// files = ["notes/**"]
    /// ignore = ["markdown"]
    /// ````
    pub static RULE = "settings/unusable-override", Error, "Override without files";
}

/// Reports overrides without files.
pub fn check(cx: &Context, report: &mut Report) {
    for (span, message) in overrides::problems(&cx.source.text().to_string()) {
        report.add(&RULE, span, message);
    }
}
