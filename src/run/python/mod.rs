//! The built-in tool `python`: runs the model's code in a sandbox of WebAssembly.
//!
//! CPython is a component, which `scripts/python.sh` builds. It is installed separately, because it
//! is as large as the rest of agentmd, and verified by its hash. Builds without the feature `python`
//! can't run it.

#[cfg(feature = "python")]
mod component;
#[cfg(feature = "python")]
mod sandbox;

use std::path::PathBuf;
use std::time::Duration;

use serde_json::{Map, Value, json};
#[cfg(feature = "python")]
use tokio::sync::OnceCell;

/// The limits of a run of code.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    pub time: Duration,
    /// Bytes of the interpreter's memory.
    pub memory: usize,
    /// Bytes of stdout, and as many of stderr.
    pub output: usize,
    /// Bytes in the temporary folder, and files in it.
    pub disk: u64,
    pub files: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            time: Duration::from_secs(30),
            memory: 128 << 20,
            output: 128 << 10,
            disk: 64 << 20,
            files: 1000,
        }
    }
}

/// What the code printed, and why it failed.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Ran {
    pub stdout: String,
    pub stderr: String,
    pub error: Option<String>,
}

impl Ran {
    /// As the specification gives it to the model.
    pub fn to_json(&self) -> Value {
        json!({ "stdout": self.stdout, "stderr": self.stderr, "error": self.error })
    }
}

/// Why Python isn't available.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Missing {
    #[error(
        "this build of agentmd has no Python; build one with `cargo install agentmd --features \
        python`"
    )]
    Feature,
    #[error(
        "Python is not installed: {} is missing; download it from the release, or build it with \
        `scripts/python.sh`", .0.display()
    )]
    Component(PathBuf),
    #[error("the folder for data is unknown; set AGENTMD_PYTHON to the path of python.wasm")]
    Folder,
    #[error("{} is not the Python of this build: its SHA-256 is {found}, not {wanted}", .path.display())]
    Hash { path: PathBuf, found: String, wanted: String },
    #[error("{} can't be used: {why}", .path.display())]
    Broken { path: PathBuf, why: String },
}

/// The tool's parameters and description, for the model.
pub const DESCRIPTION: &str = "Runs Python 3 code and returns what it prints. Only the standard \
    library; no network, no files except in the current folder, which is empty and temporary. \
    Nothing is kept between calls.";

pub fn parameters() -> Value {
    json!({
        "type": "object",
        "properties": { "code": { "type": "string", "description": "The program to run; print its results" } },
        "required": ["code"],
        "additionalProperties": false,
    })
}

/// The code among a call's arguments.
///
/// # Errors
/// If it's missing.
pub fn code(arguments: &Map<String, Value>) -> Result<&str, String> {
    let code = arguments.get("code").and_then(Value::as_str);
    code.ok_or_else(|| "`code` is missing: a string with a Python program".to_owned())
}

/// Whether code can be run: reads the component, once, and verifies it.
///
/// # Errors
/// If it can't.
#[cfg(feature = "python")]
pub async fn verify() -> Result<(), Missing> {
    component().await.map(|_| ())
}

#[cfg(feature = "python")]
async fn component() -> Result<&'static component::Component, Missing> {
    static COMPONENT: OnceCell<component::Component> = OnceCell::const_new();
    COMPONENT.get_or_try_init(|| blocking(component::read)).await
}

/// Runs a program in a new interpreter. The first call compiles the component if no earlier run has.
///
/// # Errors
/// If Python isn't available. Errors of the code are in the result.
#[cfg(feature = "python")]
pub async fn run(code: &str, limits: &Limits) -> Result<Ran, Missing> {
    static SANDBOX: OnceCell<sandbox::Sandbox> = OnceCell::const_new();
    let component = component().await?;
    let load = || blocking(|| sandbox::Sandbox::load(component));
    Ok(SANDBOX.get_or_try_init(load).await?.run(code, limits).await)
}

#[cfg(feature = "python")]
async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, Missing> + Send + 'static,
) -> Result<T, Missing> {
    tokio::task::spawn_blocking(work).await.map_err(|_| Missing::Folder)?
}

#[cfg(not(feature = "python"))]
pub async fn verify() -> Result<(), Missing> {
    Err(Missing::Feature)
}

#[cfg(not(feature = "python"))]
pub async fn run(_code: &str, _limits: &Limits) -> Result<Ran, Missing> {
    Err(Missing::Feature)
}
