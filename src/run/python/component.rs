//! The component's file: where it is, and whether it is the right one.

use std::fmt::Write;
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};

use super::Missing;

/// The hash of the only component that this build accepts, if it was built with one.
const OWN: Option<&str> = option_env!("AGENTMD_PYTHON_SHA256");

/// A component that has been verified.
#[derive(Debug)]
pub struct Component {
    pub path: PathBuf,
    pub bytes: Vec<u8>,
}

/// Reads the component and verifies it.
pub fn read() -> Result<Component, Missing> {
    let path = crate::world::python_component().ok_or(Missing::Folder)?;
    let bytes = std::fs::read(&path).map_err(|error| match error.kind() {
        std::io::ErrorKind::NotFound => Missing::Component(path.clone()),
        _ => Missing::Broken { path: path.clone(), why: error.to_string() },
    })?;
    let wanted = match OWN {
        Some(hash) => hash.to_owned(),
        None => written(&path)?,
    };
    let found = hash(&bytes);
    match found.eq_ignore_ascii_case(wanted.trim()) {
        true => Ok(Component { path, bytes }),
        false => Err(Missing::Hash { path, found, wanted }),
    }
}

/// The hash in the file next to the component: `HASH  python.wasm`.
fn written(path: &Path) -> Result<String, Missing> {
    let mut beside = path.as_os_str().to_owned();
    beside.push(".sha256");
    let text = std::fs::read_to_string(&beside)
        .map_err(|error| Missing::Broken { path: beside.clone().into(), why: error.to_string() })?;
    Ok(text.split_whitespace().next().unwrap_or_default().to_owned())
}

fn hash(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}
