//! `apply`: runs that are interrupted, that run concurrently, or that run out of disk space.

use std::fs;
use std::io::Write;
use std::process::{Command, Stdio};
use std::time::Duration;

use serde_json::json;

use super::Folder;

fn create(path: &str, text: &str) -> String {
    json!({ "reasoning": "r", "actions": [{ "type": "create_file", "path": path, "content": text }] }).to_string()
}

fn names(folder: &Folder) -> Vec<String> {
    let mut names: Vec<String> = fs::read_dir(folder.root())
        .unwrap()
        .flatten()
        .map(|entry| entry.file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

/// A root in which a run was interrupted while it wrote the new content of `a`.
fn interrupted() -> Folder {
    let head = json!({ "agentmd": "0.1.0", "version": 1, "folders": ["new"], "steps": [
        { "path": "a", "before": null, "after": null, "new": ".agentmd-1-2-0.new", "old": ".agentmd-1-2-0.old" },
    ] });
    Folder::with(&[
        (".agentmd-apply", &format!("{head}\n")),
        (".agentmd-1-2-0.new", "half"),
        ("a", "a\n"),
    ])
}

#[test]
fn a_run_that_writes_nothing_reports_the_journal_and_recovers_nothing() {
    for arguments in [&["apply", "-", "--check"][..], &["apply", "-", "--dry-run"]] {
        let folder = interrupted();
        let before = names(&folder);
        let answer = folder.run_with(arguments, create("b", "b").as_bytes());
        assert!(
            answer.status == 1 && answer.err.contains("`agentmd apply --recover`"),
            "{answer:?}"
        );
        assert_eq!((answer.out.as_str(), names(&folder)), ("", before));
    }
    let answer =
        interrupted().run_with(&["apply", "-", "--check", "--json"], create("b", "b").as_bytes());
    assert_eq!((answer.status, &answer.json()["failed"][0]["reason"]), (1, &json!("not_written")));
}

#[test]
fn other_runs_do_not_recover_an_interrupted_one() {
    let folder = interrupted();
    fs::create_dir(folder.path("new")).unwrap();
    let before = names(&folder);
    let answer = folder.run_with(&["apply", "-", "--yes"], create("b", "b").as_bytes());
    assert!(answer.status == 1 && answer.err.contains("`agentmd apply --recover`"), "{answer:?}");
    assert_eq!(names(&folder), before);
    let answer = folder.run(&["apply", "--recover"]);
    assert!(
        answer.status == 0 && answer.err.contains("interrupted before it changed anything"),
        "{answer:?}"
    );
    assert_eq!(names(&folder), ["a"]);
    assert_eq!(folder.run_with(&["apply", "-"], create("b", "b").as_bytes()).status, 0);
    assert_eq!(names(&folder), ["a", "b"]);
}

/// A planted journal, as an attacker would write it: it claims that a run was about to replace a
/// file's content with `new`.
fn planted(path: &str, old: &str, new: &str) -> Folder {
    use sha2::Digest;
    let print = |text: &str| {
        let hash: String =
            sha2::Sha256::digest(text).iter().map(|byte| format!("{byte:02x}")).collect();
        json!({ "length": text.len(), "hash": hash, "link": false })
    };
    let (folder, _) = path.rsplit_once('/').map_or(("", path), |(folder, name)| (folder, name));
    let beside = |end: &str| format!(".agentmd-1-2-0.{end}");
    let step = json!({ "path": path, "before": print(old), "after": print(new), "new": beside("new"), "old": beside("old") });
    let head = json!({ "agentmd": "0.1.0", "version": 1, "folders": [], "steps": [step] });
    let found = Folder::with(&[
        (".agentmd-apply", &format!("{head}\n{{\"state\":\"commit\"}}\n")),
        (path, old),
    ]);
    found.write(format!("{folder}/{}", beside("new")).trim_start_matches('/'), new);
    found
}

#[test]
fn recovery_shows_its_changes_and_needs_the_same_consent() {
    for (path, kind) in
        [(".github/workflows/ci.yml", "ci"), (".env", "secret"), ("run.sh", "program")]
    {
        let folder = planted(path, "old\n", "planted\n");
        #[cfg(unix)]
        if kind == "program" {
            fs::set_permissions(
                folder.path(path),
                std::os::unix::fs::PermissionsExt::from_mode(0o755),
            )
            .unwrap();
        }
        if kind == "program" && !cfg!(unix) {
            continue;
        }
        let other = folder.run_with(&["apply", "-", "--yes"], create("b", "b").as_bytes());
        assert!(other.status == 1 && other.err.contains("`agentmd apply --recover`"), "{other:?}");
        for more in [&[][..], &["--dry-run"]] {
            let answer = folder.run(&[&["apply", "--recover"], more].concat());
            assert!(
                answer.status == 1
                    && answer.err.contains(&format!("`--allow {kind}`"))
                    && answer.err.contains("+planted\n"),
                "{answer:?}"
            );
        }
        let answer = folder.run(&["apply", "--recover", "--json"]);
        assert_eq!(
            (answer.status, &answer.json()["recovered"], &answer.json()["failed"][0]["doubt"]),
            (1, &json!(null), &json!(kind))
        );
        assert_eq!(
            (folder.read(path).as_str(), folder.path(".agentmd-apply").exists()),
            ("old\n", true)
        );
        let answer = folder.run(&["apply", "--recover", "--allow", kind]);
        assert_eq!((answer.status, folder.read(path).as_str()), (0, "planted\n"), "{answer:?}");
        assert!(!folder.path(".agentmd-apply").exists());
    }
}

#[cfg(unix)]
#[test]
fn recovery_makes_no_file_executable_without_consent() {
    let folder = planted("a", "old\n", "planted\n");
    fs::set_permissions(
        folder.path(".agentmd-1-2-0.new"),
        std::os::unix::fs::PermissionsExt::from_mode(0o755),
    )
    .unwrap();
    let answer = folder.run(&["apply", "--recover"]);
    assert!(answer.status == 1 && answer.err.contains("`--allow program`"), "{answer:?}");
    assert_eq!(folder.read("a"), "old\n");
}

#[test]
fn recovery_has_a_dry_run() {
    let folder = planted("a", "old\n", "new\n");
    let before = names(&folder);
    let answer = folder.run(&["apply", "--recover", "--dry-run"]);
    assert!(answer.status == 0 && answer.out.contains("-old\n+new\n"), "{answer:?}");
    assert_eq!((names(&folder), folder.read("a").as_str()), (before, "old\n"));
    let answer = folder.run(&["apply", "--recover"]);
    assert!(answer.status == 0 && answer.err.contains("changing a\n"), "{answer:?}");
    assert_eq!((names(&folder), folder.read("a").as_str()), (vec!["a".to_owned()], "new\n"));
}

#[test]
fn a_journal_of_another_version_is_left_alone() {
    let head = json!({ "agentmd": "7.0.0", "version": 9, "steps": 3 });
    let folder = Folder::with(&[(".agentmd-apply", &format!("{head}\n"))]);
    for arguments in [&["apply", "-"][..], &["apply", "--recover"]] {
        let answer = folder.run_with(arguments, create("b", "b").as_bytes());
        assert!(
            answer.status == 1
                && answer.err.contains("agentmd 7.0.0")
                && answer.err.contains("version 9"),
            "{answer:?}"
        );
        assert_eq!(names(&folder), [".agentmd-apply"]);
    }
}

#[test]
fn recover_ends_the_run_and_does_nothing_else() {
    let folder = interrupted();
    let answer = folder.run(&["apply", "--recover", "--json"]);
    assert_eq!(
        (answer.status, answer.json()),
        (0, json!({ "recovered": "undone", "files": ["a"], "left": [] }))
    );
    assert_eq!(names(&folder), ["a"]);
    let again = folder.run(&["apply", "--recover"]);
    assert!(again.status == 0 && again.err.contains("nothing to recover"), "{again:?}");
    assert_eq!(names(&folder), ["a"]);
    assert_eq!(folder.run(&["apply", "--recover", "-"]).status, 2);
    assert_eq!(folder.run(&["apply"]).status, 2);
}

#[test]
fn an_unreadable_journal_stops_everything() {
    let folder = Folder::with(&[(".agentmd-apply", "something else\n")]);
    for arguments in [&["apply", "-"][..], &["apply", "--recover"]] {
        let answer = folder.run_with(arguments, create("b", "b").as_bytes());
        assert!(
            answer.status == 1 && answer.err.contains("`.agentmd-apply` is not an agentmd journal"),
            "{answer:?}"
        );
        assert_eq!(names(&folder), [".agentmd-apply"]);
    }
}

#[test]
fn concurrent_runs_wait_for_each_other() {
    const RUNS: usize = 8;
    let text: String = (0..RUNS).map(|line| format!("line {line}\n")).collect();
    let folder = Folder::with(&[("a.txt", &text)]);
    let start = |line: usize| {
        let mut child = folder
            .command(&["apply", "-"])
            .stdin(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let block =
            format!("a.txt\n<<<<<<< SEARCH\nline {line}\n=======\nLINE {line}\n>>>>>>> REPLACE\n");
        child.stdin.take().unwrap().write_all(block.as_bytes()).unwrap();
        child
    };
    for child in (0..RUNS).map(start).collect::<Vec<_>>() {
        let answer = child.wait_with_output().unwrap();
        assert!(answer.status.success(), "{}", String::from_utf8_lossy(&answer.stderr));
    }
    assert_eq!(folder.read("a.txt"), text.replace("line", "LINE"));
    assert_eq!(names(&folder), ["a.txt"]);
}

/// A reply that takes a while to write.
fn long() -> (Vec<(String, String)>, String) {
    let files: Vec<(String, String)> =
        (0..40).map(|index| (format!("f{index:02}"), "old\n".repeat(50))).collect();
    let actions: Vec<_> = files
        .iter()
        .map(
            |(name, _)| json!({ "type": "edit_file", "path": name, "content": "new\n".repeat(50) }),
        )
        .collect();
    (files, json!({ "reasoning": "r", "actions": actions }).to_string())
}

#[cfg(unix)]
#[test]
fn a_terminated_run_leaves_nothing_behind() {
    use std::os::unix::process::ExitStatusExt;

    let (files, reply) = long();
    let mut ended = 0;
    for (round, signal) in ["TERM", "INT"].into_iter().cycle().take(20).enumerate() {
        let folder = Folder::empty();
        files.iter().for_each(|(name, text)| folder.write(name, text));
        let before = names(&folder);
        let mut child = folder
            .command(&["apply", "-"])
            .stdin(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        child.stdin.take().unwrap().write_all(reply.as_bytes()).unwrap();
        while !fs::metadata(folder.path(".agentmd-apply")).is_ok_and(|found| found.len() > 0)
            && child.try_wait().unwrap().is_none()
        {
            std::thread::yield_now();
        }
        std::thread::sleep(Duration::from_millis(u64::try_from(round).unwrap()));
        assert!(
            Command::new("kill")
                .args(["-s", signal, &child.id().to_string()])
                .status()
                .unwrap()
                .success()
                || child.try_wait().unwrap().is_some()
        );
        let answer = child.wait_with_output().unwrap();
        let said = String::from_utf8(answer.stderr).unwrap();
        assert_eq!(names(&folder), before, "{said}");
        let new = files.iter().filter(|(name, _)| folder.read(name).starts_with("new")).count();
        if answer.status.success() {
            assert_eq!(new, files.len(), "{said}");
        } else {
            assert_eq!((new, answer.status.signal().is_some()), (0, true), "{said}");
            assert!(said.contains("interrupted"), "{said}");
            ended += 1;
        }
    }
    assert!(ended > 0, "no run received the signal in time");
}

#[cfg(unix)]
#[test]
fn a_run_without_disk_space_leaves_the_old_state() {
    let text = "x".repeat(100_000);
    let folder = Folder::with(&[("a", "a\n"), ("z", "z\n")]);
    let actions = [
        ("edit_file", "a", "new\n"),
        ("create_file", "b/c", "new\n"),
        ("edit_file", "z", text.as_str()),
    ];
    let actions = actions
        .map(|(kind, path, content)| json!({ "type": kind, "path": path, "content": content }));
    let replies =
        Folder::with(&[("r.json", &json!({ "reasoning": "r", "actions": actions }).to_string())]);
    // Limits files to a few thousand bytes.
    let script = format!(
        "ulimit -f 8; exec {:?} apply --json {:?}",
        env!("CARGO_BIN_EXE_agentmd"),
        replies.path("r.json")
    );
    let answer =
        Command::new("sh").args(["-c", &script]).current_dir(folder.root()).output().unwrap();
    let said: serde_json::Value =
        serde_json::from_slice(&answer.stdout).unwrap_or_else(|_| panic!("{answer:?}"));
    assert_eq!(answer.status.code(), Some(1), "{answer:?}");
    assert_eq!(
        (&said["failed"][0]["reason"], &said["failed"][0]["file"], &said["written"]),
        (&json!("not_written"), &json!("z"), &json!([]))
    );
    let told = String::from_utf8_lossy(&answer.stderr).into_owned();
    assert!(told.contains("nothing was written") && !told.contains("--partial"), "{told}");
    assert_eq!(
        (names(&folder), folder.read("a").as_str(), folder.read("z").as_str()),
        (vec!["a".to_owned(), "z".to_owned()], "a\n", "z\n")
    );
}

#[cfg(unix)]
#[test]
fn a_root_that_cannot_be_written_is_reported() {
    let folder = Folder::with(&[("r.json", &create("a", "a")), ("root/x", "x")]);
    fs::remove_file(folder.path("root/x")).unwrap();
    // A symlink isn't accepted as the journal, which also makes the test work for the superuser.
    std::os::unix::fs::symlink("elsewhere", folder.path("root/.agentmd-apply")).unwrap();
    let answer = folder.run(&["apply", "r.json", "--root", "root", "--json"]);
    assert_eq!(
        (answer.status, &answer.json()["failed"][0]["reason"]),
        (1, &json!("not_written")),
        "{answer:?}"
    );
    // If there is nothing to write, that isn't an error.
    let answer = folder.run_with(&["apply", "-", "--root", "root"], b"[REASONING]\nNothing.\n");
    assert_eq!(answer.status, 0, "{answer:?}");
}

#[test]
fn results_always_have_the_same_shape() {
    let folder = Folder::with(&[("src/a.py", "def f():\n    return 1\n\nx = f()\n")]);
    let block = |path: &str, old: &str, new: &str| {
        format!("{path}\n<<<<<<< SEARCH\n{old}\n=======\n{new}\n>>>>>>> REPLACE\n\n")
    };
    let good = block("src/a.py", "    return 1", "    return 2") + &block("src/b.py", "", "b = 1");
    let bad = block("src/a.py", "x = g(\ny = 2", "y = 1");
    let run = |arguments: &[&str], reply: &str| {
        folder.run_with(&[&["apply", "-", "--json"], arguments].concat(), reply.as_bytes())
    };
    let applied = json!([
        { "block": 1, "file": "src/a.py", "strategy": "exact", "line": 2, "similarity": 1.0 },
        { "block": 2, "file": "src/b.py", "strategy": "create", "line": 1, "similarity": 1.0 },
    ]);
    assert_eq!(
        run(&["--check"], &good).json(),
        json!({ "applied": applied, "failed": [], "written": [] })
    );
    let answer = run(&[], &(good.clone() + &bad));
    assert_eq!(answer.status, 1);
    let said = answer.json();
    assert_eq!((&said["applied"], &said["written"]), (&json!([]), &json!([])));
    let failed = said["failed"][0].as_object().unwrap();
    assert_eq!(
        failed.keys().collect::<Vec<_>>(),
        ["block", "file", "reason", "message", "reply_line", "nearest", "candidates"]
    );
    assert_eq!(
        (&failed["block"], &failed["file"], &failed["reason"]),
        (&json!(3), &json!("src/a.py"), &json!("not_found"))
    );
    assert_eq!(
        run(&[], &good).json(),
        json!({ "applied": applied, "failed": [], "written": ["src/a.py", "src/b.py"] })
    );
    let again = run(&[], &good);
    assert_eq!((again.status, &again.json()["written"]), (0, &json!([])));
    assert!(
        again.json()["applied"]
            .as_array()
            .unwrap()
            .iter()
            .all(|one| one["strategy"] == "already_applied"),
        "{again:?}"
    );
}

#[test]
fn fuzzy_matches_need_a_yes() {
    let text: String =
        (0..20).map(|line| format!("let value_{line} = compute_the_number({line});\n")).collect();
    let folder = Folder::with(&[("a.rs", &text)]);
    let old = "let value_4 = compute_the_number(4);\nlet value_5 = compute_teh_number(5);\nlet value_6 = compute_the_number(6);";
    let new = "let value_4 = compute_the_number(4);\nlet value_5 = compute_teh_number(5);\nlet value_6 = 6;";
    let reply = format!("a.rs\n<<<<<<< SEARCH\n{old}\n=======\n{new}\n>>>>>>> REPLACE\n");
    let answer = folder.run_with(&["apply", "-"], reply.as_bytes());
    assert!(
        answer.status == 1
            && answer.err.contains("[needs_confirmation]")
            && answer.err.contains("`--yes`"),
        "{answer:?}"
    );
    assert_eq!(folder.read("a.rs"), text);
    let answer = folder.run_with(&["apply", "-", "--yes"], reply.as_bytes());
    assert!(answer.status == 0 && answer.err.contains("line 5 (fuzzy"), "{answer:?}");
    assert_eq!(folder.read("a.rs"), text.replace("value_6 = compute_the_number(6)", "value_6 = 6"));
}

#[test]
fn a_reply_is_reversed_byte_for_byte() {
    let folder = Folder::with(&[
        ("src/a.py", "def f():\r\n    return 1\r\n\r\nx = f()"),
        ("mine", "mine\n"),
    ]);
    let reply = "src/a.py\n<<<<<<< SEARCH\n    return 1\n=======\n    return 2\n>>>>>>> REPLACE\n\nsrc/a.py\n<<<<<<< SEARCH\n    return 2\n\nx\n=======\n    return 3\n\ny\n>>>>>>> REPLACE\n\nnew/b.py\n<<<<<<< SEARCH\n=======\nb = 1\n>>>>>>> REPLACE\n";
    let reply = reply.replace("\n\nx\n", "\n\nx = f()\n").replace("\n\ny\n", "\n\ny = f()\n");
    let run = |more: &[&str]| folder.run_with(&[&["apply", "-"], more].concat(), reply.as_bytes());
    assert_eq!(
        (run(&[]).status, folder.read("src/a.py").as_str()),
        (0, "def f():\r\n    return 3\r\n\r\ny = f()")
    );
    let shown = run(&["--reverse", "--dry-run"]);
    assert!(
        shown.status == 0
            && shown.out.contains("deleted file mode")
            && folder.path("new/b.py").exists(),
        "{shown:?}"
    );
    let answer = run(&["--reverse"]);
    assert_eq!(
        (answer.status, folder.read("src/a.py").as_str()),
        (0, "def f():\r\n    return 1\r\n\r\nx = f()"),
        "{answer:?}"
    );
    assert!(!folder.path("new/b.py").exists());
    let again = run(&["--reverse"]);
    assert!(again.status == 0 && again.err.contains("already reversed"), "{again:?}");
    // Content that isn't in the reply is restored, too.
    let whole = "[ACTION_0_TYPE] edit_file\n[ACTION_0_PATH] mine\n[ACTION_0_CONTENT_START]\nyours\n[ACTION_0_CONTENT_END]\n";
    assert_eq!(folder.run_with(&["apply", "-"], whole.as_bytes()).status, 0);
    let answer = folder.run_with(&["apply", "-", "--reverse"], whole.as_bytes());
    assert_eq!((answer.status, folder.read("mine").as_str()), (0, "mine\n"), "{answer:?}");
    // Without a record of the run, it can't be.
    folder.write("mine", "yours");
    let answer = folder.run_with(&["apply", "-", "--reverse"], whole.as_bytes());
    assert!(answer.status == 1 && answer.err.contains("[not_reversible]"), "{answer:?}");
    assert_eq!(folder.read("mine"), "yours");
}
