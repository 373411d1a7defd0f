//! Tests that need another program or files fail if these are missing, instead of passing without
//! running.

/// Fails the test because `what` is missing. Returns if `AGENTMD_TESTS_WITHOUT` lists it, as in
/// `git,python`; the caller then skips the test.
#[track_caller]
pub fn missing(what: &str, remedy: &str) {
    let without = std::env::var("AGENTMD_TESTS_WITHOUT").unwrap_or_default();
    let is_named = without.split(',').any(|name| name.trim() == what);
    assert!(is_named, "this test needs {what}: {remedy}, or set AGENTMD_TESTS_WITHOUT={what}");
    eprintln!("skipped: AGENTMD_TESTS_WITHOUT lists {what}");
}
