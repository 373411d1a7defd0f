//! `apply`: changes that need consent are shown, and consent to one kind doesn't cover another.

use std::fs;

use serde_json::json;

use super::Folder;

fn reply(kind: &str, path: &str, content: &str) -> String {
    json!({ "reasoning": "r", "actions": [{ "type": kind, "path": path, "content": content }] })
        .to_string()
}

fn scene() -> Folder {
    let folder = Folder::with(&[
        (".git/HEAD", "ref: refs/heads/main\n"),
        (".gitignore", "/out\n"),
        ("out/log", "old\n"),
        (".env", "OLD=1\n"),
        (".github/workflows/ci.yml", "on: push\n"),
        (".husky/pre-commit", "old\n"),
        ("package.json", "{\n  \"version\": \"1\",\n  \"scripts\": { \"test\": \"old\" }\n}\n"),
        ("build.rs", "fn main() {}\n"),
    ]);
    #[cfg(unix)]
    {
        folder.write("run.sh", "#!/bin/sh\nold\n");
        fs::set_permissions(
            folder.path("run.sh"),
            std::os::unix::fs::PermissionsExt::from_mode(0o755),
        )
        .unwrap();
    }
    folder
}

/// Files, each with the kind of consent that changing it needs.
fn files() -> Vec<(&'static str, &'static str)> {
    let mut files = vec![
        ("out/log", "ignored"),
        (".env", "secret"),
        (".github/workflows/ci.yml", "ci"),
        (".github/workflows/new.yml", "ci"),
        (".husky/pre-commit", "ci"),
        ("package.json", "ci"),
        ("build.rs", "ci"),
    ];
    if cfg!(unix) {
        files.push(("run.sh", "program"));
    }
    files
}

#[test]
fn a_refusal_shows_the_diff_and_names_the_consent_that_it_needs() {
    for (path, kind) in files() {
        let folder = scene();
        let before = fs::read_to_string(folder.path(path)).ok();
        let reply = reply("create_file", path, "new\n");
        let run = |more: &[&str]| {
            folder.run_with(&[&["apply", "-", "--overwrite"], more].concat(), reply.as_bytes())
        };
        for more in [&[][..], &["--dry-run"], &["--check"], &["--partial"]] {
            let answer = run(more);
            assert_eq!((answer.status, answer.out.as_str()), (1, ""), "{path}: {answer:?}");
            let help = format!(
                "help: to apply the diff above, add `--allow {kind}`; `--yes` accepts every kind"
            );
            assert!(
                answer.err.contains("[needs_confirmation]") && answer.err.contains(&help),
                "{path}: {answer:?}"
            );
            let (diff, end) =
                (answer.err.find("\n+new\n").unwrap(), answer.err.find(&help).unwrap());
            assert!(
                diff < end && answer.err.contains(&format!("diff --git a/{path} b/{path}\n")),
                "{path}: {answer:?}"
            );
            assert_eq!(fs::read_to_string(folder.path(path)).ok(), before);
        }
        let failed = run(&["--json"]).json()["failed"][0].clone();
        assert_eq!(
            (&failed["reason"], &failed["doubt"]),
            (&json!("needs_confirmation"), &json!(kind)),
            "{path}"
        );
        assert!(failed["diff"].as_str().unwrap().contains("\n+new\n"), "{failed}");
        // Consent to every other kind doesn't cover this one.
        let others = ["fuzzy", "program", "ignored", "secret", "ci", "declined"]
            .into_iter()
            .filter(|other| *other != kind)
            .collect::<Vec<_>>()
            .join(",");
        assert_eq!(run(&["--allow", &others]).status, 1, "{path}");
        assert_eq!(fs::read_to_string(folder.path(path)).ok(), before);
        assert_eq!(
            (run(&["--allow", kind]).status, folder.read(path).as_str()),
            (0, "new\n"),
            "{path}"
        );
    }
}

#[test]
fn several_doubts_are_asked_about_at_once() {
    let folder =
        Folder::with(&[(".git/HEAD", "x"), (".gitignore", ".env\n"), (".env", "A=1\nB=2\n")]);
    let answer =
        folder.run_with(&["apply", "-", "--json"], reply("edit_file", ".env", "A=2\n").as_bytes());
    assert_eq!(answer.json()["failed"][0]["doubt"], "ignored,secret", "{answer:?}");
    assert_eq!(
        folder
            .run_with(
                &["apply", "-", "--allow", "ignored"],
                reply("edit_file", ".env", "A=2\n").as_bytes()
            )
            .status,
        1
    );
    let answer = folder.run_with(
        &["apply", "-", "--allow", "ignored", "--allow", "secret"],
        reply("edit_file", ".env", "A=2\n").as_bytes(),
    );
    assert_eq!((answer.status, folder.read(".env").as_str()), (0, "A=2\n"), "{answer:?}");
}

#[test]
fn declined_edits_are_shown_and_applied_on_request() {
    let block = "a.txt\n<<<<<<< SEARCH\none\n=======\ntwo\n>>>>>>> REPLACE\n";
    let reply = format!("## User\n\nChange it\n\n## Assistant\n\n{block}\n## User\n\nNo\n");
    let scene = || Folder::with(&[("a.txt", "one\n")]);
    for more in [&[][..], &["--partial"], &["--dry-run"], &["--allow", "fuzzy,program,ci"]] {
        let folder = scene();
        let answer = folder.run_with(&[&["apply", "-"], more].concat(), reply.as_bytes());
        assert_eq!((answer.status, answer.out.as_str()), (1, ""), "{answer:?}");
        assert!(
            answer.err.contains("[declined]")
                && answer.err.contains("-one\n+two\n")
                && answer.err.contains("add `--allow declined`;"),
            "{answer:?}"
        );
        assert_eq!(folder.read("a.txt"), "one\n");
    }
    let answer = scene().run_with(&["apply", "-", "--json"], reply.as_bytes()).json();
    let failed = &answer["failed"][0];
    assert_eq!(
        (&failed["reason"], &failed["doubt"], &failed["reply_line"]),
        (&json!("declined"), &json!("declined"), &json!(14))
    );
    assert!(failed["diff"].as_str().unwrap().contains("-one\n+two\n"), "{failed}");
    assert_eq!((&answer["applied"], &answer["written"]), (&json!([]), &json!([])));
    for more in [&["--allow", "declined"][..], &["--yes"]] {
        let folder = scene();
        let answer = folder.run_with(&[&["apply", "-"], more].concat(), reply.as_bytes());
        assert_eq!((answer.status, folder.read("a.txt").as_str()), (0, "two\n"), "{answer:?}");
        // Taking back what the user declined needs no consent.
        let answer = folder.run_with(&["apply", "-", "--reverse"], reply.as_bytes());
        assert_eq!((answer.status, folder.read("a.txt").as_str()), (0, "one\n"), "{answer:?}");
    }
}

#[test]
fn other_doubts_about_declined_edits_need_their_own_consent() {
    let block =
        |path: &str| format!("{path}\n<<<<<<< SEARCH\none\n=======\ntwo\n>>>>>>> REPLACE\n\n");
    let (plain, secret) = (block("a.txt"), block(".env"));
    let reply = format!("## User\n\nx\n\n## Assistant\n\n{plain}{secret}## User\n\nNo\n");
    let folder = Folder::with(&[("a.txt", "one\n"), (".env", "one\n")]);
    let answer = folder.run_with(&["apply", "-"], reply.as_bytes());
    assert!(answer.err.contains("add `--allow declined,secret`;"), "{answer:?}");
    let allow =
        |kinds: &str| folder.run_with(&["apply", "-", "--allow", kinds], reply.as_bytes()).status;
    assert_eq!(
        (allow("declined"), allow("secret"), folder.read("a.txt").as_str()),
        (1, 1, "one\n")
    );
    assert_eq!((allow("declined,secret"), folder.read(".env").as_str()), (0, "two\n"));
}

#[test]
fn a_fuzzy_match_is_shown_as_a_diff() {
    let text: String =
        (0..20).map(|line| format!("let value_{line} = compute_the_number({line});\n")).collect();
    let folder = Folder::with(&[("a.rs", &text), ("b.rs", "one\n")]);
    let old = "let value_4 = compute_the_number(4);\nlet value_5 = compute_teh_number(5);\nlet value_6 = compute_the_number(6);";
    let likely = format!(
        "a.rs\n<<<<<<< SEARCH\n{old}\n=======\n{}\n>>>>>>> REPLACE\n\n",
        old.replace("value_6 = compute_the_number(6)", "value_6 = 6")
    );
    let exact = "b.rs\n<<<<<<< SEARCH\none\n=======\ntwo\n>>>>>>> REPLACE\n";
    let reply = likely + exact;
    let answer = folder.run_with(&["apply", "-"], reply.as_bytes());
    assert!(
        answer.err.contains("-let value_6 = compute_the_number(6);\n+let value_6 = 6;\n"),
        "{answer:?}"
    );
    assert!(answer.err.contains("`--allow fuzzy`"), "{answer:?}");
    let failed =
        folder.run_with(&["apply", "-", "--json"], reply.as_bytes()).json()["failed"][0].clone();
    assert_eq!(failed["doubt"], "fuzzy");
    // With consent, exactly the diff that was shown is applied.
    let answer =
        folder.run_with(&["apply", "-", "--allow", "fuzzy", "--dry-run"], reply.as_bytes());
    assert!(answer.out.starts_with(failed["diff"].as_str().unwrap()), "{answer:?} {failed}");
    // With `--partial`, the rest is applied anyway.
    assert_eq!(folder.run_with(&["apply", "-", "--partial"], reply.as_bytes()).status, 1);
    assert_eq!((folder.read("a.rs"), folder.read("b.rs").as_str()), (text, "two\n"));
}

#[test]
fn package_scripts_need_consent_and_the_rest_of_a_manifest_does_not() {
    let folder = scene();
    let block = |old: &str, new: &str| {
        format!("package.json\n<<<<<<< SEARCH\n{old}\n=======\n{new}\n>>>>>>> REPLACE\n")
    };
    let version = block("  \"version\": \"1\",", "  \"version\": \"2\",");
    assert_eq!(folder.run_with(&["apply", "-"], version.as_bytes()).status, 0);
    let scripts = block(
        "  \"scripts\": { \"test\": \"old\" }",
        "  \"scripts\": { \"test\": \"old\", \"postinstall\": \"new\" }",
    );
    let answer = folder.run_with(&["apply", "-"], scripts.as_bytes());
    assert!(
        answer.status == 1 && answer.err.contains("`package.json` changes package scripts"),
        "{answer:?}"
    );
}

#[cfg(unix)]
#[test]
fn a_symlink_does_not_avoid_consent() {
    let folder = scene();
    std::os::unix::fs::symlink(".github/workflows", folder.path("docs")).unwrap();
    std::os::unix::fs::symlink(".env", folder.path("notes")).unwrap();
    for (path, kind) in [("docs/ci.yml", "ci"), ("notes", "secret")] {
        let answer = folder
            .run_with(&["apply", "-", "--json"], reply("edit_file", path, "new\n").as_bytes());
        assert_eq!(answer.json()["failed"][0]["doubt"], kind, "{answer:?}");
    }
    // Neither does using that folder as the root.
    let answer = folder.run_with(
        &["apply", "-", "--json", "--root", ".github/workflows"],
        reply("edit_file", "ci.yml", "new\n").as_bytes(),
    );
    assert_eq!(answer.json()["failed"][0]["doubt"], "ci", "{answer:?}");
}

#[test]
fn both_halves_of_a_move_wait_for_consent() {
    let folder = Folder::with(&[("a.txt", "one\n"), ("b.txt", "x\n")]);
    let reply = "*** Begin Patch\n*** Update File: a.txt\n*** Move to: .github/workflows/a.yml\n@@\n-one\n+two\n*** Update File: b.txt\n@@\n-x\n+y\n*** End Patch\n";
    let answer = folder.run_with(&["apply", "-", "--partial"], reply.as_bytes());
    assert!(
        answer.status == 1 && answer.err.contains("`--allow ci`") && answer.err.contains("+two"),
        "{answer:?}"
    );
    assert_eq!((folder.read("a.txt").as_str(), folder.read("b.txt").as_str()), ("one\n", "y\n"));
    assert!(!folder.path(".github").exists());
}
