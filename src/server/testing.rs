//! In debug builds only: analyses that panic or wait because a test wants to see what happens then.
//!
//! While `AGENTMD_TEST_GATE` names a path, an analysis of a document that holds
//! `agentmd-test-panic` panics, and one of a document that holds `agentmd-test-wait` says so on
//! standard error, and does not begin before that path is gone, or the request is cancelled.
//! While the path exists that `AGENTMD_TEST_SLOW` names, reading a file takes forever if its name
//! starts with `slow`, as on a file system that doesn't answer.

use std::path::Path;
use std::time::Duration;

use crate::cache::Limit;
use crate::source::Source;

/// The workspace is not read while the path is there that `AGENTMD_TEST_READING` names.
pub(super) fn before_reading() {
    let Some(gate) = std::env::var_os("AGENTMD_TEST_READING") else { return };
    while Path::new(&gate).exists() {
        std::thread::sleep(Duration::from_millis(1));
    }
}

pub(super) fn before_analysis(source: &Source, cancelled: &dyn Fn() -> bool) {
    let Some(gate) = std::env::var_os("AGENTMD_TEST_GATE") else { return };
    let text = source.slice(0..source.len());
    assert!(!text.contains("agentmd-test-panic"), "a test asked for this");
    if !text.contains("agentmd-test-wait") {
        return;
    }
    eprintln!("agentmd-test-wait: waiting");
    while Path::new(&gate).exists() && !cancelled() {
        std::thread::sleep(Duration::from_millis(1));
    }
}

/// The bytes that all caches hold together, if a test wants fewer.
pub(super) fn limit() -> Limit {
    let most = std::env::var("AGENTMD_TEST_LIMIT").ok().and_then(|most| most.parse().ok());
    most.map_or_else(Limit::default, Limit::new)
}

pub(super) fn before_file(path: &Path) {
    let Some(gate) = std::env::var_os("AGENTMD_TEST_SLOW") else { return };
    if !path.file_name().is_some_and(|name| name.to_string_lossy().starts_with("slow")) {
        return;
    }
    eprintln!("agentmd-test-slow: {}", path.display());
    while Path::new(&gate).exists() {
        std::thread::sleep(Duration::from_millis(1));
    }
}
