//! In debug builds only: analyses that panic or wait on behalf of tests.
//!
//! If `AGENTMD_TEST_GATE` names a path, an analysis of a document that contains
//! `agentmd-test-panic` panics, and one of a document that contains `agentmd-test-wait` prints that
//! on standard error and waits until the path is removed or the request is cancelled.

use std::path::Path;
use std::time::Duration;

use crate::cache::Limit;
use crate::source::Source;

/// The workspace isn't read while the path named by `AGENTMD_TEST_READING` exists.
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

/// The limit of all caches, if a test needs a smaller one.
pub(super) fn limit() -> Limit {
    let most = std::env::var("AGENTMD_TEST_LIMIT").ok().and_then(|most| most.parse().ok());
    most.map_or_else(Limit::default, Limit::new)
}

/// Files whose names or folders begin with `slow` aren't read while the path named by
/// `AGENTMD_TEST_SLOW` exists.
pub(super) fn before_file(path: &Path) {
    let Some(gate) = std::env::var_os("AGENTMD_TEST_SLOW") else { return };
    let mut names = path.iter().rev().take(2);
    if !names.any(|name| name.to_string_lossy().starts_with("slow")) {
        return;
    }
    eprintln!("agentmd-test-slow: {}", path.display());
    while Path::new(&gate).exists() {
        std::thread::sleep(Duration::from_millis(1));
    }
}
