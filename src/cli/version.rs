//! `agentmd --version`: which build this is.

use std::io::Write;

use serde::Serialize;

use super::Status;

/// Identifies a build of the program.
#[derive(Debug, Serialize)]
pub struct Version {
    pub version: &'static str,
    /// The commit that a release was built from; `None` for other builds.
    pub commit: Option<&'static str>,
    /// The optional parts that are built in.
    pub features: &'static [&'static str],
    /// The target triple.
    pub target: &'static str,
}

/// This build.
pub const THIS: Version = Version {
    version: env!("CARGO_PKG_VERSION"),
    commit: option_env!("AGENTMD_COMMIT"),
    features: FEATURES,
    target: env!("AGENTMD_TARGET"),
};

const FEATURES: &[&str] = &[
    #[cfg(feature = "run")]
    "run",
    #[cfg(feature = "mcp")]
    "mcp",
    #[cfg(feature = "python")]
    "python",
];

/// Prints the version, or everything about the build as JSON.
pub fn print(json: bool) -> anyhow::Result<Status> {
    let mut out = std::io::stdout().lock();
    if json {
        writeln!(out, "{}", serde_json::to_string(&THIS)?)?;
    } else {
        writeln!(out, "agentmd {}", THIS.version)?;
    }
    Ok(Status::Fine)
}
