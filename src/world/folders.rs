//! The system's folders for data and caches.

use std::path::PathBuf;

/// The environment variable with the path of another `python.wasm`.
const COMPONENT: &str = "AGENTMD_PYTHON";

/// Where the component of the tool `python` should be.
pub fn python_component() -> Option<PathBuf> {
    let named = std::env::var_os(COMPONENT).filter(|path| !path.is_empty()).map(PathBuf::from);
    let data = || match cfg!(target_os = "macos") {
        true => Some(folder("HOME")?.join("Library").join("Application Support")),
        false => folder("XDG_DATA_HOME")
            .or_else(|| folder("LOCALAPPDATA"))
            .or_else(|| Some(folder("HOME")?.join(".local").join("share"))),
    };
    named.or_else(|| Some(data()?.join("agentmd").join("python.wasm")))
}

/// agentmd's folder for files that can be recreated.
pub fn cache_folder() -> Option<PathBuf> {
    let cache = match cfg!(target_os = "macos") {
        true => folder("HOME")?.join("Library").join("Caches"),
        false => folder("XDG_CACHE_HOME")
            .or_else(|| folder("LOCALAPPDATA"))
            .or_else(|| Some(folder("HOME")?.join(".cache")))?,
    };
    Some(cache.join("agentmd"))
}

fn folder(name: &str) -> Option<PathBuf> {
    std::env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute())
}
