use std::fs;
use std::path::Path;

use super::*;

fn change(folder: &Path, name: &str, before: Option<&str>, after: Option<&str>) -> FileChange {
    FileChange { blocks: vec![0], ..FileChange::new(folder.join(name), name, before, after) }
}

/// Every file and folder below, with its text.
fn all(folder: &Path) -> Vec<(String, Option<String>)> {
    let mut found = Vec::new();
    let mut open = vec![folder.to_owned()];
    while let Some(at) = open.pop() {
        for entry in fs::read_dir(at).unwrap().flatten() {
            let path = entry.path();
            let name = crate::world::slashed(path.strip_prefix(folder).unwrap());
            if entry.file_type().unwrap().is_dir() {
                open.push(path);
                found.push((name, None));
            } else {
                found.push((name, Some(fs::read_to_string(path).unwrap_or_default())));
            }
        }
    }
    found.sort();
    found
}

fn apply(changes: &[FileChange], root: &Path) -> Result<(), Failure> {
    change_files(Journal::open(root).unwrap(), changes, root)
}

/// A folder, and changes of all kinds for it.
fn several(at: &Path) -> Vec<FileChange> {
    fs::create_dir(at.join("src")).unwrap();
    for (name, text) in
        [("a", "1"), ("src/b", "2\r\n"), ("gone", "3"), ("long", &"x\n".repeat(100))]
    {
        fs::write(at.join(name), text).unwrap();
    }
    vec![
        change(at, "a", Some("1"), Some("one")),
        change(at, "new/deep/c", None, Some("new")),
        change(at, "src/b", Some("2\r\n"), Some("")),
        change(at, "gone", Some("3"), None),
        change(at, "new/d", None, Some("")),
        change(at, "long", Some(&"x\n".repeat(100)), Some(&"y\n".repeat(100))),
    ]
}

#[test]
fn all_changes_are_made() {
    for exchanges in [true, false] {
        fault::EXCHANGES.set(exchanges);
        let folder = tempfile::tempdir().unwrap();
        let at = folder.path();
        apply(&several(at), at).unwrap();
        let text = |text: &str| Some(text.to_owned());
        let found = [
            ("a", text("one")),
            ("long", text(&"y\n".repeat(100))),
            ("new", None),
            ("new/d", text("")),
            ("new/deep", None),
            ("new/deep/c", text("new")),
            ("src", None),
            ("src/b", text("")),
        ];
        assert_eq!(all(at), found.map(|(name, text)| (name.to_owned(), text)));
    }
    fault::EXCHANGES.set(true);
}

/// The files of these changes, each old or new: `true` for new.
#[track_caller]
fn each_is_whole(at: &Path, changes: &[FileChange]) -> Vec<bool> {
    let state = |change: &FileChange| {
        let now = fs::read_to_string(&change.path).ok();
        assert!(now == change.before || now == change.after, "{} is {now:?}", change.name);
        now == change.after
    };
    assert!(at.is_dir());
    changes.iter().map(state).collect()
}

#[test]
fn recovery_after_a_crash_at_any_point_leaves_one_state() {
    for exchanges in [true, false] {
        let mut ends = [0, 0];
        for operation in 1.. {
            let folder = tempfile::tempdir().unwrap();
            let at = folder.path();
            let changes = several(at);
            let before = all(at);
            fault::EXCHANGES.set(exchanges);
            fault::after(operation, true);
            let result = Journal::open(at).map(|journal| change_files(journal, &changes, at));
            if !fault::off() {
                assert!(result.unwrap().is_ok() && operation > 30, "{operation}");
                break;
            }
            each_is_whole(at, &changes);
            // The recovering process may crash, too, and the one after it.
            for again in [operation % 7 + 1, operation % 3 + 1] {
                fault::after(again, true);
                let _ = Journal::open(at).and_then(|mut journal| recover(&mut journal));
                fault::off();
                each_is_whole(at, &changes);
            }
            let mut journal = Journal::open(at).unwrap();
            let then: Vec<_> =
                changes.iter().map(|change| fs::read_to_string(&change.path).ok()).collect();
            let shown = preview(&mut journal, at).unwrap();
            let recovery = recover(&mut journal).unwrap();
            journal.close().unwrap();
            // The preview matched the result exactly.
            assert_eq!(shown.is_some(), recovery.is_some(), "{operation}");
            for (change, then) in changes.iter().zip(then) {
                let shown = shown.iter().flatten().find(|shown| shown.name == change.name);
                let now = fs::read_to_string(&change.path).ok();
                assert_eq!(
                    shown.map(|shown| (&shown.before, &shown.after)),
                    (now != then).then_some((&then, &now)),
                    "{operation} {}",
                    change.name
                );
            }
            let after = each_is_whole(at, &changes);
            assert!(after.iter().all(|new| *new == after[0]), "{operation}: {after:?}");
            if let Some(recovery) = recovery {
                assert_eq!((recovery.finished, recovery.left.len()), (after[0], 0), "{operation}");
            }
            let found = all(at);
            if after[0] {
                assert!(
                    !found.iter().any(|(name, _)| name.contains(".agentmd")),
                    "{operation}: {found:?}"
                );
            } else {
                assert_eq!(found, before, "{operation}");
            }
            ends[usize::from(after[0])] += 1;
        }
        assert!(ends[0] > 10 && ends[1] > 5, "{ends:?}");
    }
    fault::EXCHANGES.set(true);
}

#[test]
fn a_disk_error_at_any_point_leaves_the_old_state() {
    for exchanges in [true, false] {
        let mut failures = 0;
        for operation in 2.. {
            let folder = tempfile::tempdir().unwrap();
            let at = folder.path();
            let changes = several(at);
            let before = all(at);
            fault::EXCHANGES.set(exchanges);
            let journal = Journal::open(at).unwrap();
            fault::after(operation, false);
            let result = change_files(journal, &changes, at);
            if !fault::off() {
                break;
            }
            if let Err(failure) = result {
                assert_eq!((all(at), failure.left), (before, Vec::<String>::new()), "{operation}");
                failures += 1;
            } else {
                // Only the backups could not be removed: the next process does it.
                assert!(each_is_whole(at, &changes).iter().all(|new| *new));
                let mut journal = Journal::open(at).unwrap();
                assert!(
                    recover(&mut journal)
                        .unwrap()
                        .is_none_or(|recovery| recovery.finished && recovery.untouched)
                );
                journal.close().unwrap();
                assert!(!all(at).iter().any(|(name, _)| name.contains(".agentmd")));
            }
        }
        assert!(failures > 20, "{failures}");
    }
    fault::EXCHANGES.set(true);
}

/// A root after a crash within step 4, with this many files changed.
fn interrupted(at: &Path, changes: &[FileChange], files: usize) {
    for operation in 1.. {
        for entry in fs::read_dir(at).unwrap().flatten() {
            let path = entry.path();
            let _ = if path.is_dir() { fs::remove_dir_all(path) } else { fs::remove_file(path) };
        }
        several(at);
        fault::after(operation, true);
        let _ = Journal::open(at).map(|journal| change_files(journal, changes, at));
        assert!(fault::off(), "no operation failed");
        if each_is_whole(at, changes).iter().filter(|new| **new).count() == files {
            return;
        }
    }
}

#[test]
fn concurrent_changes_after_an_interruption_are_kept() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let changes = several(at);
    // A file that was not changed yet: all others are restored.
    interrupted(at, &changes, 2);
    fs::write(at.join("long"), "mine").unwrap();
    let recovery = recover(&mut Journal::open(at).unwrap()).unwrap().unwrap();
    assert!(!recovery.finished && recovery.left.is_empty(), "{recovery:?}");
    assert_eq!(
        (fs::read_to_string(at.join("a")).unwrap(), fs::read_to_string(at.join("long")).unwrap()),
        ("1".to_owned(), "mine".to_owned())
    );
    assert!(!at.join("new").exists());
    // A changed one: the rest is completed.
    interrupted(at, &changes, 2);
    fs::write(at.join("a"), "mine").unwrap();
    let recovery = recover(&mut Journal::open(at).unwrap()).unwrap().unwrap();
    assert!(recovery.finished, "{recovery:?}");
    assert_eq!(
        (fs::read_to_string(at.join("a")).unwrap(), at.join("gone").exists()),
        ("mine".to_owned(), false)
    );
    // Both: neither is lost, and the message names the backup.
    interrupted(at, &changes, 2);
    fs::write(at.join("a"), "mine").unwrap();
    fs::write(at.join("long"), "mine").unwrap();
    fs::write(at.join("new/deep/c"), "mine").unwrap();
    let recovery = recover(&mut Journal::open(at).unwrap()).unwrap().unwrap();
    assert!(!recovery.finished && recovery.left.len() == 2, "{recovery:?}");
    for name in ["a", "long", "new/deep/c"] {
        assert_eq!(fs::read_to_string(at.join(name)).unwrap(), "mine");
    }
    let aside = recovery.left.iter().find_map(|left| left.rsplit_once(" in ")).unwrap().1;
    assert_eq!(fs::read_to_string(at.join(aside)).unwrap(), "1");
}

#[test]
fn a_file_that_changes_during_preparation_is_left_alone() {
    for (name, text) in [
        ("a", Some("mine")),
        ("new/d", Some("mine")),
        ("gone", Some("mine")),
        ("a", None),
        ("gone", None),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let at = folder.path();
        let changes = several(at);
        match text {
            Some(text) => {
                fs::create_dir_all(at.join(name).parent().unwrap()).unwrap();
                fs::write(at.join(name), text).unwrap();
            }
            None => fs::remove_file(at.join(name)).unwrap(),
        }
        let before = all(at);
        let failure = apply(&changes, at).unwrap_err();
        assert_eq!((failure.reason, all(at)), (Reason::StaleVersion, before), "{name}");
        assert_eq!(failure.change.map(|index| changes[index].name.as_str()), Some(name));
    }
}

#[test]
fn a_file_that_changes_at_the_last_moment_is_left_alone() {
    for exchanges in [true, false] {
        fault::EXCHANGES.set(exchanges);
        let folder = tempfile::tempdir().unwrap();
        let at = folder.path();
        let changes = several(at);
        let before = all(at);
        for name in ["long", "gone", "new/d"] {
            let mut journal = Journal::open(at).unwrap();
            let mut record = Record::default();
            Stage { root: at, journal: &mut journal, record: &mut record }
                .prepare(&changes)
                .unwrap();
            let old = fs::read_to_string(at.join(name)).ok();
            fs::write(at.join(name), "mine").unwrap();
            let failure = commit(&mut journal, &changes, &record).unwrap_err();
            assert_eq!(failure.reason, Reason::StaleVersion);
            assert_eq!(steps::undo(&journal.root, &record, true).unwrap(), Vec::<String>::new());
            journal.close().unwrap();
            assert_eq!(fs::read_to_string(at.join(name)).unwrap(), "mine");
            match old {
                Some(old) => fs::write(at.join(name), old).unwrap(),
                None => {
                    fs::remove_file(at.join(name)).unwrap();
                    fs::remove_dir(at.join("new")).unwrap();
                }
            }
            assert_eq!(all(at), before, "{name}");
        }
    }
    fault::EXCHANGES.set(true);
}

#[test]
fn a_forged_journal_changes_nothing_outside() {
    let folder = tempfile::tempdir().unwrap();
    let (root, away) = (folder.path().join("root"), folder.path().join("away"));
    fs::create_dir_all(root.join(".git")).unwrap();
    fs::create_dir(&away).unwrap();
    fs::write(away.join("f"), "1").unwrap();
    fs::write(root.join(".git/config"), "1").unwrap();
    let print = serde_json::to_string(&Print::of(b"1")).unwrap();
    let before = (all(&away), all(&root.join(".git")));
    let absolute = away.join("f");
    for path in
        ["../away/f", absolute.to_str().unwrap(), ".git/config", "x/../../away/f", ".GIT/config"]
    {
        for (new, old) in [
            (".agentmd-1.new", ".agentmd-1.old"),
            ("../away/f", ".agentmd-1.old"),
            (".agentmd-1.new", "f"),
        ] {
            for state in
                ["", "{\"state\":\"commit\"}\n", "{\"state\":\"undo\"}\n", "{\"state\":\"done\"}\n"]
            {
                let head = format!(
                    "{{\"agentmd\":\"0\",\"version\":1,\"folders\":[],\"steps\":[{{\"path\":{path:?},\"before\":{print},\"after\":null,\"new\":{new:?},\"old\":{old:?}}}]}}\n"
                );
                fs::write(root.join(path::JOURNAL), head + state).unwrap();
                assert!(recover(&mut Journal::open(&root).unwrap()).is_err(), "{path} {new} {old}");
                assert_eq!((all(&away), all(&root.join(".git"))), before);
            }
        }
    }
    fs::write(root.join(path::JOURNAL), "not a journal\n").unwrap();
    assert!(recover(&mut Journal::open(&root).unwrap()).is_err());
    fs::write(root.join(path::JOURNAL), "{\"agentmd\":\"0\",\"fold").unwrap();
    assert_eq!(recover(&mut Journal::open(&root).unwrap()).unwrap(), None);
}

#[cfg(unix)]
#[test]
fn llmd_20_links_that_appear_after_the_plan_are_not_followed() {
    use std::os::unix::fs::symlink;

    let folder = tempfile::tempdir().unwrap();
    let (root, away) = (folder.path().join("root"), folder.path().join("away"));
    fs::create_dir_all(root.join(".git")).unwrap();
    fs::create_dir_all(&away).unwrap();
    fs::write(away.join("f"), "1").unwrap();
    fs::write(root.join(".git/f"), "1").unwrap();
    symlink(&away, root.join("out")).unwrap();
    symlink(away.join("f"), root.join("f")).unwrap();
    symlink(root.join(".git"), root.join("repository")).unwrap();
    let (before, git) = (all(&away), all(&root.join(".git")));
    for (name, old, new) in [
        ("out/f", Some("1"), Some("2")),
        ("out/f", Some("1"), None),
        ("out/new", None, Some("2")),
        ("out/new/deep/f", None, Some("2")),
        ("f", Some("1"), Some("2")),
        ("repository/f", Some("1"), Some("2")),
        ("repository/new", None, Some("2")),
    ] {
        let failure = apply(&[change(&root, name, old, new)], &root).unwrap_err();
        assert!(
            matches!(failure.reason, Reason::PathOutsideRoot | Reason::PathForbidden),
            "{name}: {failure:?}"
        );
        assert_eq!((all(&away), all(&root.join(".git"))), (before.clone(), git.clone()), "{name}");
    }
    // The journal isn't a link, either.
    fs::write(away.join("journal"), "").unwrap();
    symlink(away.join("journal"), root.join(path::JOURNAL)).unwrap();
    assert!(Journal::open(&root).is_err());
    fs::remove_file(root.join(path::JOURNAL)).unwrap();
    symlink(away.join("none"), root.join(path::JOURNAL)).unwrap();
    assert!(Journal::open(&root).is_err() && !away.join("none").exists());
}

#[cfg(unix)]
#[test]
fn llmd_20_a_folder_replaced_by_a_link_at_any_moment_is_not_followed() {
    use std::os::unix::fs::symlink;

    let folder = tempfile::tempdir().unwrap();
    let (root, away) = (folder.path().join("root"), folder.path().join("away"));
    fs::create_dir_all(root.join("src")).unwrap();
    fs::create_dir_all(&away).unwrap();
    for file in [root.join("src/f"), away.join("f")] {
        fs::write(file, "1").unwrap();
    }
    for after in [Some("2"), None] {
        let changes = [change(&root, "src/f", Some("1"), after)];
        let mut journal = Journal::open(&root).unwrap();
        let mut record = Record::default();
        Stage { root: &root, journal: &mut journal, record: &mut record }
            .prepare(&changes)
            .unwrap();
        fs::rename(root.join("src"), root.join("moved")).unwrap();
        symlink(&away, root.join("src")).unwrap();
        assert!(commit(&mut journal, &changes, &record).is_err());
        assert_eq!(steps::undo(&journal.root, &record, true).unwrap().len(), 1);
        assert_eq!(all(&away), [("f".to_owned(), Some("1".to_owned()))]);
        assert_eq!(fs::read_to_string(root.join("moved/f")).unwrap(), "1");
        journal.close().unwrap();
        fs::remove_file(root.join("src")).unwrap();
        fs::rename(root.join("moved"), root.join("src")).unwrap();
    }
}

#[cfg(unix)]
#[test]
fn permissions_and_links_within_the_root_stay() {
    use std::os::unix::fs::{PermissionsExt, symlink};

    for exchanges in [true, false] {
        fault::EXCHANGES.set(exchanges);
        let folder = tempfile::tempdir().unwrap();
        let at = folder.path();
        fs::write(at.join("a"), "1").unwrap();
        fs::set_permissions(at.join("a"), fs::Permissions::from_mode(0o750)).unwrap();
        symlink("a", at.join("link")).unwrap();
        apply(&[change(at, "link", Some("1"), Some("2"))], at).unwrap();
        assert!(fs::symlink_metadata(at.join("link")).unwrap().is_symlink());
        assert_eq!(fs::metadata(at.join("a")).unwrap().permissions().mode() & 0o777, 0o750);
        assert_eq!(fs::read_to_string(at.join("a")).unwrap(), "2");
        // To delete a link, delete the link itself.
        apply(&[change(at, "link", Some("2"), None)], at).unwrap();
        assert_eq!(all(at), [("a".to_owned(), Some("2".to_owned()))]);
    }
    fault::EXCHANGES.set(true);
}

#[test]
fn two_changes_of_one_file_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    fs::write(at.join("a"), "1").unwrap();
    apply(&[change(at, "a", Some("1"), Some("2")), change(at, "./a", Some("1"), Some("3"))], at)
        .unwrap_err();
    assert_eq!(all(at), [("a".to_owned(), Some("1".to_owned()))]);
}
