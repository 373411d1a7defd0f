//! `sync`: keeps copies of agent files for other clients up to date.

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
fn a_copy_that_was_changed_by_hand_is_never_replaced_without_force() {
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
    // The other copies are written.
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
fn a_file_that_sync_did_not_write_is_not_changed() {
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
    let answer = folder.run(&["check", "."]);
    assert!(answer.out.contains("`agentmd.lock` can't be read: line 1: "), "{}", answer.out);
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
    // A cycle of sources and copies.
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

const TEAM: &str =
    "[[sync]]\nsource = \".claude/agents/*.md\"\nto = [\"copilot-agent\", \"opencode-agent\"]\n";
const THREE: &str =
    "---\nname: x\ndescription: Reviews\n---\n\nOne two.\n\nThree four.\n\nFive six.\n";
const SOURCE: &str = ".claude/agents/x.md";
const COPILOT: &str = ".github/agents/x.agent.md";
const OPENCODE: &str = ".opencode/agents/x.md";

fn team() -> Folder {
    let folder = Folder::with(&[("agentmd.toml", TEAM), (SOURCE, THREE)]);
    assert_eq!(folder.run(&["sync"]).status, 0);
    folder
}

fn edit(folder: &Folder, path: &str, old: &str, new: &str) {
    let text = folder.read(path);
    assert!(text.contains(old), "{text}");
    folder.write(path, text.replace(old, new));
}

#[test]
fn taking_a_copy_keeps_changes_of_its_source_or_takes_nothing() {
    let folder = team();
    edit(&folder, SOURCE, "One", "Eins");
    edit(&folder, COPILOT, "Three", "Drei");
    let (source, copy) = (folder.read(SOURCE), folder.read(COPILOT));
    let answer = folder.run(&["sync", "--take", COPILOT]);
    assert_eq!(answer.status, 1, "{answer:#?}");
    assert!(answer.err.contains("has changed since the last sync"), "{}", answer.err);
    assert_eq!((folder.read(SOURCE), folder.read(COPILOT)), (source, copy));
    // Once the source has the same changes, the copy is written again.
    edit(&folder, SOURCE, "Three", "Drei");
    assert_eq!(folder.run(&["sync", "--force"]).status, 0);
    assert!(folder.read(COPILOT).contains("Eins two.\n\nDrei four."));
}

#[test]
fn an_unchanged_copy_has_nothing_to_take() {
    let folder = team();
    edit(&folder, SOURCE, "One", "Eins");
    let answer = folder.run(&["sync", "--take", COPILOT]);
    assert_eq!(answer.status, 0, "{answer:#?}");
    assert!(answer.err.contains("nothing to take"), "{}", answer.err);
    assert!(folder.read(SOURCE).contains("Eins two."));
    assert!(folder.read(COPILOT).contains("Eins two."));
}

#[test]
fn copies_that_were_changed_in_different_places_are_taken_one_by_one_or_together() {
    let expected = "Eins two.\n\nThree four.\n\nFünf six.\n";
    for together in [true, false] {
        let folder = team();
        edit(&folder, COPILOT, "One", "Eins");
        edit(&folder, OPENCODE, "Five", "Fünf");
        let calls: &[&[&str]] = if together {
            &[&["sync", "--take", COPILOT, "--take", OPENCODE]]
        } else {
            &[&["sync", "--take", COPILOT], &["sync", "--take", OPENCODE]]
        };
        for (at, call) in calls.iter().enumerate() {
            let answer = folder.run(call);
            let last = at + 1 == calls.len();
            assert_eq!(answer.status, i32::from(!last), "{answer:#?}");
        }
        for path in [SOURCE, COPILOT, OPENCODE] {
            assert!(folder.read(path).ends_with(expected), "{}", folder.read(path));
        }
        assert_eq!(folder.run(&["sync", "--check"]).status, 0);
        assert!(!folder.read("agentmd.lock").contains("base ="));
    }
}

#[test]
fn changes_of_two_copies_in_one_place_are_not_taken() {
    let folder = team();
    edit(&folder, COPILOT, "Three", "Drei");
    edit(&folder, OPENCODE, "Three", "Trois");
    let before = [SOURCE, COPILOT, OPENCODE].map(|path| folder.read(path));
    let answer = folder.run(&["sync", "--take", COPILOT, "--take", OPENCODE]);
    assert_eq!(answer.status, 1, "{answer:#?}");
    assert!(answer.err.contains("Drei"), "{}", answer.err);
    assert_eq!([SOURCE, COPILOT, OPENCODE].map(|path| folder.read(path)), before);
}

#[test]
fn keys_that_the_source_cannot_have_are_not_lost_from_the_copy() {
    let folder = team();
    edit(&folder, COPILOT, "name: x\n", "name: x\nhandoffs: [{label: a, agent: b}]\n");
    let copy = folder.read(COPILOT);
    let answer = folder.run(&["sync", "--take", COPILOT]);
    assert_eq!(answer.status, 1, "{answer:#?}");
    assert!(answer.err.contains("handoffs"), "{}", answer.err);
    assert_eq!(folder.read(COPILOT), copy);
    // A file that `sync` didn't write isn't taken, either.
    folder.write(".claude/agents/y.md", THREE);
    folder.write(".github/agents/y.agent.md", "mine\n");
    let answer = folder.run(&["sync", "--take", ".github/agents/y.agent.md"]);
    assert_eq!(answer.status, 1, "{answer:#?}");
    assert_eq!(folder.read(".claude/agents/y.md"), THREE);
    assert_eq!(folder.read(".github/agents/y.agent.md"), "mine\n");
}

#[test]
fn a_script_that_was_changed_in_a_copy_goes_to_the_source_and_the_other_copies() {
    let skill = "---\nname: tea\ndescription: Brews tea\n---\n\nRun `scripts/a.sh`.\n";
    let folder = Folder::with(&[
        (
            "agentmd.toml",
            "[[sync]]\nsource = \".claude/skills/*/SKILL.md\"\nto = [\"codex-skill\", \"gemini-skill\"]\n",
        ),
        (".claude/skills/tea/SKILL.md", skill),
        (".claude/skills/tea/scripts/a.sh", "echo 1\n"),
    ]);
    assert_eq!(folder.run(&["sync"]).status, 0);
    let [own, copy, other] =
        [".claude", ".agents", ".gemini"].map(|client| format!("{client}/skills/tea/scripts/a.sh"));
    folder.write(&copy, "echo 2\n");
    let answer = folder.run(&["sync", "--take", &copy]);
    assert_eq!(answer.status, 0, "{answer:#?}");
    for path in [&own, &copy, &other] {
        assert_eq!(folder.read(path), "echo 2\n", "{path}");
    }
    assert_eq!(folder.run(&["sync", "--check"]).status, 0);
    // If the source has changed as well, nothing is taken.
    folder.write(&own, "echo 3\n");
    folder.write(&copy, "echo 4\n");
    assert_eq!(folder.run(&["sync", "--take", &copy]).status, 1);
    assert_eq!((folder.read(&own), folder.read(&copy)), ("echo 3\n".into(), "echo 4\n".into()));
}

#[test]
fn folders_stay_folders_where_the_other_client_reads_them() {
    let folder = Folder::with(&[
        ("agentmd.toml", TEAM.replace("*.md", "**/*.md").as_str()),
        (".claude/agents/a/x.md", THREE),
        (".claude/agents/a-x.md", &THREE.replace("name: x", "name: a-x")),
    ]);
    let answer = folder.run(&["sync"]);
    assert_eq!(answer.status, 0, "{answer:#?}");
    for path in [
        ".github/agents/a/x.agent.md",
        ".github/agents/a-x.agent.md",
        ".opencode/agents/a/x.md",
        ".opencode/agents/a-x.md",
    ] {
        assert!(folder.path(path).exists(), "{path}");
    }
    assert_eq!(folder.run(&["sync", "--check"]).status, 0);
}

#[test]
fn links_of_copies_lead_to_the_same_files_and_stay_as_they_are_in_the_source() {
    let source = ".claude/agents/review/x.md";
    let copy = ".gemini/agents/review-x.md";
    let folder = Folder::with(&[
        (
            "agentmd.toml",
            "[[sync]]\nsource = \".claude/agents/**/*.md\"\nto = [\"gemini-agent\"]\n",
        ),
        ("docs/a.md", "# A\n"),
        (source, &THREE.replace("One", "[One](../../../docs/a.md)")),
    ]);
    assert_eq!(folder.run(&["sync"]).status, 0);
    assert!(folder.read(copy).contains("[One](../../docs/a.md) two."), "{}", folder.read(copy));
    let found = folder.run(&["check", "--for", "gemini", ".gemini"]);
    assert!(!found.out.contains("drifted"), "{}", found.out);
    edit(&folder, copy, "two", "zwei");
    assert_eq!(folder.run(&["sync", "--take", copy]).status, 0);
    assert!(folder.read(source).contains("[One](../../../docs/a.md) zwei."));
    assert_eq!(folder.run(&["sync", "--check"]).status, 0);
}
