//! Two servers on one document.

use std::path::Path;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tower_lsp::gen_lsp_types::*;

use crate::client::{Client, DEADLINE, Setup};
use crate::fixture::program;
use crate::profile;

/// Longer than a server waits for another one to end.
const LONG: Duration = Duration::from_millis(6500);

/// A client of this process without a folder, so that its folder doesn't set it apart from others.
fn editor(locks: &Path) -> Setup {
    let mut setup = Setup::new(&program("modle: x\n")).no_folder().capabilities(shows());
    setup.process = json!(std::process::id());
    setup.environment("XDG_RUNTIME_DIR", locks.to_string_lossy())
}

fn shows() -> Value {
    profile::with(profile::push(), "/window", "showMessage", json!({}))
}

fn left(locks: &Path) -> usize {
    std::fs::read_dir(locks.join("agentmd")).map_or(0, Iterator::count)
}

/// Waits until `count` documents are locked. No message announces a lock, so this looks on disk.
fn wait_for_locks(locks: &Path, count: usize) {
    let end = Instant::now() + DEADLINE;
    while left(locks) != count {
        assert!(Instant::now() < end, "{} of {count} locks", left(locks));
        std::thread::sleep(Duration::from_millis(10));
    }
}

fn stays_silent(client: &mut Client) {
    client.sync();
    let said: Vec<_> =
        client.heard.iter().filter(|heard| heard.method == "window/showMessage").collect();
    assert!(said.is_empty(), "{said:?}");
}

#[test]
fn the_second_server_on_a_document_warns_once_and_goes_on() {
    let locks = tempfile::tempdir().unwrap();
    let text = program("modle: x\n");
    let mut first = editor(locks.path()).start();
    let names = [first.uri("a b.md"), first.uri("c.md"), "untitled:Untitled-1".to_owned()];
    let mut second = editor(locks.path()).start();
    for name in &names {
        first.open_with(name, &text);
    }
    assert_eq!(first.codes(&names[0]).len(), 1);
    wait_for_locks(locks.path(), names.len());
    for name in &names {
        second.open_with(name, &text);
    }
    let said = second.take::<ShowMessageNotification>(|_| true);
    assert_eq!(said.kind, MessageType::Warning);
    // The documents wait concurrently; the first one to find its lock taken is named.
    let known = ["`a b.md`", "`c.md`", "a document"]
        .map(|name| format!("Two agentmd servers are running for {name} in this editor"));
    assert!(
        known.iter().any(|known| said.message.starts_with(known))
            && said.message.contains("turn one of them off"),
        "{}",
        said.message
    );
    assert_eq!(second.codes(&names[0]).len(), 1);
    std::thread::sleep(LONG);
    stays_silent(&mut first);
    stays_silent(&mut second);
    assert_eq!(
        std::fs::read_dir(first.path("")).unwrap().count(),
        1,
        "nothing is written next to the documents"
    );
    first.shut_down();
    second.shut_down();
    assert_eq!(left(locks.path()), 0);
}

#[test]
fn of_two_servers_only_the_one_that_should_warn_does() {
    let locks = tempfile::tempdir().unwrap();
    let text = program("modle: x\n");
    let mut warning =
        editor(locks.path()).options(json!({ "agentmd": {}, "warnsOfTwins": true })).start();
    let name = warning.uri("a.md");
    let mut other = editor(locks.path()).start();
    // The first server to open the document would normally get the lock.
    warning.open_with(&name, &text);
    warning.sync();
    other.open_with(&name, &text);
    wait_for_locks(locks.path(), 1);
    // On a busy machine, the lock may have come too late for the first document, so try another.
    let second = warning.uri("b.md");
    other.open_with(&second, &text);
    wait_for_locks(locks.path(), 2);
    warning.open_with(&second, &text);
    let said = warning.take::<ShowMessageNotification>(|_| true);
    let known =
        ["a.md", "b.md"].map(|name| format!("Two agentmd servers are running for `{name}`"));
    assert!(known.iter().any(|known| said.message.starts_with(known)), "{}", said.message);
    std::thread::sleep(LONG);
    stays_silent(&mut warning);
    stays_silent(&mut other);
    warning.shut_down();
    other.shut_down();
    assert_eq!(left(locks.path()), 0);
}

/// How long a server waits for another one to end.
#[cfg(unix)]
const PATIENCE: Duration = Duration::from_secs(5);

#[cfg(unix)]
#[test]
fn servers_that_have_nothing_in_common_raise_no_alarm() {
    // If the machine is too busy to end the other servers in time, the result means nothing.
    assert!((0..8).any(|_| no_alarm_is_raised()), "the machine is too busy for this test");
}

/// False when the other servers did not end in time.
#[cfg(unix)]
fn no_alarm_is_raised() -> bool {
    let locks = tempfile::tempdir().unwrap();
    let text = program("");
    let mut first = editor(locks.path()).start();
    let name = first.uri("doc.md");
    // Another window is another process, which must be alive: a server ends with its client.
    let mut window = editor(locks.path());
    window.process = json!(std::os::unix::process::parent_id());
    let mut nameless = editor(locks.path());
    nameless.process = Value::Null;
    let agent = editor(locks.path()).capabilities(profile::push());
    let project = editor(locks.path()).folders(&[""]);
    // One server that is shut down while another starts, one that has closed the document, and one
    // that is killed.
    let mut ending = editor(locks.path()).start();
    let mut closing = editor(locks.path()).start();
    let mut killed = editor(locks.path()).start();
    let other = |name: &str| first.uri(name);
    let (ended, closed, left_behind) = (other("ended.md"), other("closed.md"), other("killed.md"));
    first.open_with(&name, &text);
    ending.open_with(&ended, &text);
    closing.open_with(&closed, &text);
    killed.open_with(&left_behind, &text);
    wait_for_locks(locks.path(), 4);
    let mut others: Vec<Client> =
        [window, nameless, agent, project].into_iter().map(Setup::start).collect();
    for client in &mut others {
        client.open_with(&name, &text);
    }
    let began = Instant::now();
    for document in [&ended, &closed, &left_behind] {
        first.open_with(document, &text);
    }
    first.sync();
    ending.shut_down();
    closing.close(&closed);
    closing.sync();
    killed.kill_child();
    killed.exit_code();
    let in_time = began.elapsed() < PATIENCE / 2;
    if !in_time {
        first.shut_down();
        first.heard.clear();
        others.iter_mut().chain([&mut closing]).for_each(Client::shut_down);
        return false;
    }
    std::thread::sleep(LONG);
    stays_silent(&mut first);
    others.iter_mut().for_each(stays_silent);
    first.shut_down();
    for client in others.iter_mut().chain([&mut closing]) {
        client.shut_down();
    }
    assert_eq!(left(locks.path()), 0, "the lock of the killed server is gone too");
    true
}
