//! `sync`: copies of agent files for other clients stay up to date.

use super::Folder;

const SETTINGS: &str =
    "[[sync]]\nsource = \".claude/agents/*.md\"\nto = [\"copilot-agent\", \"gemini-agent\"]\n";
const AGENT: &str =
    "---\nname: reviewer\ndescription: Reviews code\nmodel: sonnet\n---\n\nReview it.\n";
const COPY: &str = ".github/agents/reviewer.agent.md";

fn folder() -> Folder {
    let folder = Folder::with(&[("agentmd.toml", SETTINGS), (".claude/agents/reviewer.md", AGENT)]);
    let answer = folder.run(&["sync"]);
    assert_eq!(answer.status, 0, "{answer:#?}");
    folder
}

#[test]
fn copies_are_written_once_and_then_up_to_date() {
    let folder = Folder::with(&[("agentmd.toml", SETTINGS), (".claude/agents/reviewer.md", AGENT)]);
    let answer = folder.run(&["sync", "--check"]);
    assert_eq!(answer.status, 1);
    assert!(
        answer.err.contains("missing; its source is .claude/agents/reviewer.md"),
        "{}",
        answer.err
    );
    assert!(!folder.path(COPY).exists() && !folder.path("agentmd.lock").exists());
    let answer = folder.run(&["sync"]);
    assert_eq!(answer.out, ".gemini/agents/reviewer.md\n.github/agents/reviewer.agent.md\n");
    assert!(answer.err.contains("without `model: sonnet`"), "{}", answer.err);
    let lock = folder.read("agentmd.lock");
    let answer = folder.run(&["sync"]);
    assert_eq!((answer.status, answer.out.as_str()), (0, ""), "{answer:#?}");
    assert_eq!(folder.read("agentmd.lock"), lock);
    let answer = folder.run(&["sync", "--check"]);
    assert_eq!(answer.status, 0, "{answer:#?}");
    assert_eq!(folder.run(&["check", "--strict", "--for", "copilot,gemini", "."]).status, 0);
}

#[test]
fn a_changed_source_updates_its_copies() {
    let folder = folder();
    folder.write(".claude/agents/reviewer.md", AGENT.replace("Review it", "Read it"));
    let answer = folder.run(&["sync", "--check"]);
    assert_eq!(answer.status, 1);
    assert!(
        answer.err.contains("out of date: .claude/agents/reviewer.md has changed"),
        "{}",
        answer.err
    );
    let found = folder.run(&["check", "--for", "copilot", ".github"]);
    assert!(found.out.contains("agent/drifted-copy"), "{found:#?}");
    assert_eq!(folder.run(&["sync"]).status, 0);
    assert!(folder.read(COPY).ends_with("\nRead it.\n"));
    let found = folder.run(&["check", "--for", "copilot", ".github"]);
    assert!(!found.out.contains("agent/drifted-copy"), "{found:#?}");
}

#[test]
fn a_copy_that_was_changed_by_hand_is_never_replaced_unasked() {
    let folder = folder();
    let written = folder.read(COPY);
    let edited = written.replace("Reviews code", "Reviews prose");
    folder.write(COPY, &edited);
    folder.write(".claude/agents/new.md", AGENT.replace("reviewer", "new"));
    for arguments in [&["sync"][..], &["sync", "--check"]] {
        let answer = folder.run(arguments);
        assert_eq!(answer.status, 1, "{answer:#?}");
        assert!(answer.err.contains("reviewer.agent.md: was changed by hand"), "{}", answer.err);
        assert_eq!(folder.read(COPY), edited);
    }
    // The others are written.
    assert!(folder.path(".github/agents/new.agent.md").exists());
    folder.write(".claude/agents/reviewer.md", AGENT.replace("Review it", "Read it"));
    let answer = folder.run(&["sync", "--check"]);
    assert!(answer.err.contains("changed by hand, and so was its source"), "{}", answer.err);
    let answer = folder.run(&["sync", "--take", COPY]);
    assert_eq!(answer.status, 0, "{answer:#?}");
    let source = folder.read(".claude/agents/reviewer.md");
    assert!(source.contains("description: Reviews prose\nmodel: sonnet\n"), "{source}");
    assert_eq!(folder.run(&["sync", "--check"]).status, 0);
    folder.write(COPY, "mine");
    assert_eq!(folder.run(&["sync", "--force"]).status, 0);
    assert_ne!(folder.read(COPY), "mine");
}

#[test]
fn a_file_that_sync_did_not_write_is_left_alone() {
    let folder = Folder::with(&[
        ("agentmd.toml", SETTINGS),
        (".claude/agents/reviewer.md", AGENT),
        (COPY, "mine"),
    ]);
    let answer = folder.run(&["sync"]);
    assert_eq!((answer.status, folder.read(COPY).as_str()), (1, "mine"));
    assert!(answer.err.contains("isn't a copy of"), "{}", answer.err);
    let json = folder.run(&["sync", "--check", "--format", "json"]);
    let json: serde_json::Value = serde_json::from_str(&json.out).unwrap();
    let states: Vec<&str> = json["copies"]
        .as_array()
        .unwrap()
        .iter()
        .filter_map(|copy| copy["state"].as_str())
        .collect();
    assert_eq!(states, ["up-to-date", "not-a-copy"], "{json:#}");
}

#[test]
fn sources_that_go_away_and_broken_locks_are_reported() {
    let folder = folder();
    std::fs::remove_file(folder.path(".claude/agents/reviewer.md")).unwrap();
    let answer = folder.run(&["sync", "--check"]);
    assert_eq!(answer.status, 1);
    assert!(answer.err.contains("no longer kept up to date"), "{}", answer.err);
    assert!(folder.path(COPY).exists());
    folder.write("agentmd.lock", "<<<<<<< HEAD\n");
    let answer = folder.run(&["sync"]);
    assert_eq!(answer.status, 1);
    assert!(answer.err.contains("agentmd.lock: line 1: "), "{}", answer.err);
}

#[test]
fn entries_that_cannot_be_used_stop_it() {
    for (settings, status, message) in [
        ("", 2, "has no `[[sync]]`"),
        (
            "[[sync]]\nsource = \"a.md\"\nto = [\"copilot-agnet\"]\n",
            2,
            "did you mean `copilot-agent`?",
        ),
        (
            "[[sync]]\nsource = \"../a.md\"\nto = [\"copilot-agent\"]\n",
            2,
            "is outside of the folder",
        ),
        ("[[sync]]\nsource = 7\n", 2, "agentmd.toml"),
    ] {
        let folder = Folder::with(&[("agentmd.toml", settings)]);
        let answer = folder.run(&["sync"]);
        assert_eq!(answer.status, status, "{answer:#?}");
        assert!(answer.err.contains(message), "{answer:#?}");
    }
    let folder = Folder::with(&[
        ("agentmd.toml", "[[sync]]\nsource = \"a.md\"\nto = [\"copilot-agnet\"]\n"),
        ("a.md", "x\n"),
    ]);
    let answer = folder.run(&["check", "."]);
    assert!(answer.out.contains("settings/unusable-sync"), "{answer:#?}");
    // A ring of sources and copies.
    let folder = Folder::with(&[
        (
            "agentmd.toml",
            "[[sync]]\nsource = \".claude/agents/*.md\"\nto = [\"gemini-agent\"]\n\n[[sync]]\nsource = \".gemini/agents/*.md\"\nto = [\"claude-agent\"]\n",
        ),
        (".claude/agents/a.md", AGENT),
        (".gemini/agents/a.md", AGENT),
    ]);
    let answer = folder.run(&["sync"]);
    assert_eq!(answer.status, 1);
    assert!(answer.err.contains("is a source and a copy of"), "{}", answer.err);
}
