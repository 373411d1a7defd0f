use std::path::Path;

use super::*;
use crate::format::agent::convert::origin;
use crate::world::Memory;

const AGENT: &str =
    "---\nname: a\ndescription: Does it\ntools: Read, Bash(git *)\nmodel: sonnet\n---\n\nDo it.\n";

/// A copy's changes in a source that hasn't changed.
fn merged(
    source: &str,
    origin: &convert::Origin,
    copy: &str,
    other: &convert::Origin,
) -> Result<Taken, Refusal> {
    let side = |origin| Side { origin, path: Path::new("/w/x.md") };
    take(&Memory::default(), (source, source, side(origin)), (copy, side(other)))
}

#[test]
fn a_lock_is_read_as_it_was_written() {
    let copy = |name: &str| Copy {
        source: format!(".claude/agents/{name}.md"),
        to: Some("copilot-agent".to_owned()),
        source_hash: hash(name),
        hash: hash("x"),
        base: None,
    };
    let mut lock = Lock::default();
    lock.copies.insert("z \"日本\".md".to_owned(), copy("z"));
    lock.copies.insert(
        "a.md".to_owned(),
        Copy { to: None, base: Some("x\n\"\"\"\r\n".to_owned()), ..copy("a") },
    );
    let text = lock.text();
    assert_eq!(Lock::read(&text), Ok(lock));
    assert!(text.find("a.md") < text.find("日本"), "{text}");
    assert!(Lock::read("version = 1\n<<<<<<< HEAD\n").unwrap_err().starts_with("line 2: "));
    assert!(Lock::read("version = 9\n").unwrap_err().contains("version is 9"));
}

#[test]
fn standings_name_the_side_that_changed() {
    let (path, conversion) = copy(
        (&Memory::default(), Path::new("/w")),
        Path::new(".claude/agents/a.md"),
        AGENT,
        convert::named("copilot-agent", None).unwrap(),
    )
    .unwrap();
    assert_eq!(path, ".github/agents/a.agent.md");
    let written = conversion.text.as_str();
    let known = Copy {
        source: String::new(),
        to: None,
        source_hash: hash(AGENT),
        hash: hash(written),
        base: None,
    };
    let edited = format!("{written}More.\n");
    let changed = AGENT.replace("Do it", "Do that");
    let new = convert::convert(
        &changed,
        &origin(Path::new("/w"), Path::new("/w/.claude/agents/a.md"), None).unwrap(),
        convert::named("copilot-agent", None).unwrap(),
    )
    .unwrap()
    .text;
    for (known, source, copy, expected, standing) in [
        (Some(&known), AGENT, Some(written), written, Standing::UpToDate),
        (Some(&known), AGENT, None, written, Standing::Missing),
        (Some(&known), changed.as_str(), Some(written), new.as_str(), Standing::SourceChanged),
        (Some(&known), AGENT, Some(edited.as_str()), written, Standing::CopyChanged),
        (Some(&known), &changed, Some(&edited), &new, Standing::BothChanged),
        (None, AGENT, Some("mine"), written, Standing::NotACopy),
        (None, AGENT, Some(&written.replace('\n', "\r\n")), written, Standing::UpToDate),
    ] {
        assert_eq!(super::standing(known, source, copy, expected), standing);
    }
}

#[test]
fn changes_of_a_copy_go_to_the_source_and_nothing_else() {
    let at = |path: &str| origin(Path::new("/w"), &Path::new("/w").join(path), None).unwrap();
    let (source, other) = (at(".claude/agents/a.md"), at(".github/agents/a.agent.md"));
    let there = convert::convert(AGENT, &source, other.place).unwrap().text;
    let unchanged = merged(AGENT, &source, &there, &other).unwrap();
    assert_eq!(
        unchanged.text,
        "---\nname: a\ndescription: Does it\ntools: Read, Bash(git *)\nmodel: sonnet\n---\n\nDo it.\n"
    );
    let edited = there.replace("Does it", "Does that").replace("Do it.", "Do that.");
    let taken = merged(AGENT, &source, &edited, &other).unwrap();
    assert_eq!(taken.text, AGENT.replace("Does it", "Does that").replace("Do it.", "Do that."));
    let edited = there.replace("read, execute", "read");
    let taken = merged(AGENT, &source, &edited, &other).unwrap();
    assert!(taken.text.contains("\ntools: Read\nmodel: sonnet\n"), "{}", taken.text);
}

#[test]
fn entries_that_cannot_be_used_are_reported_at_their_values() {
    for (toml, place, message) in [
        (
            "source = \"a.md\"\nto = [\"claude-agnet\"]",
            "[\"claude-agnet\"]",
            "did you mean `claude-agent`?",
        ),
        (
            "source = \"../a.md\"\nto = [\"claude-agent\"]",
            "\"../a.md\"",
            "is outside of the folder",
        ),
        ("source = \"/a.md\"\nto = [\"claude-agent\"]", "\"/a.md\"", "is outside of the folder"),
        ("source = \"a[\"\nto = [\"claude-agent\"]", "\"a[\"", "is not a glob"),
        ("source = \"a.md\"", "[[sync]]", "needs `to`"),
        ("to = [\"claude-agent\"]", "[[sync]]", "needs a `source`"),
        (
            "source = \".claude/agents/*.md\"\nto = [\"cursor-rule\"]",
            "[\"cursor-rule\"]",
            "can't become",
        ),
    ] {
        let text = format!("[[sync]]\n{toml}\n");
        let found = problems(&text);
        assert_eq!(found.len(), 1, "{toml}: {found:?}");
        assert_eq!(&text[found[0].0.clone()], place, "{toml}");
        assert!(found[0].1.contains(message), "{}", found[0].1);
    }
    let (usable, problems) = entries(&[SyncEntry {
        source: "./.claude/agents/**/*.md".to_owned(),
        to: vec!["copilot-agent".to_owned(), "agent@copilot".to_owned()],
    }]);
    assert_eq!((usable.len(), problems.len()), (1, 0));
    assert_eq!((usable[0].to.len(), usable[0].folder.as_path()), (1, Path::new(".claude/agents")));
    assert!(usable[0].matches(Path::new(".claude/agents/x/a.md")));
}

#[test]
fn a_change_in_a_copy_changes_nothing_else() {
    let at = |path: &str| origin(Path::new("/w"), &Path::new("/w").join(path), None).unwrap();
    for (own, source, copy, old, new, expected) in [
        (
            ".claude/agents/a.md",
            "---\nname: a\ndescription: Does it\ntools: Read, Write, Edit, Grep, Glob\n---\n\nDo it.\n",
            ".github/agents/a.agent.md",
            "tools: [",
            "tools: [execute, ",
            "---\nname: a\ndescription: Does it\ntools: Read, Write, Edit, Grep, Glob, Bash, PowerShell\n---\n\nDo it.\n",
        ),
        (
            ".claude/commands/c.md",
            "---\ndescription: d\n---\n\nRun $0 `x` \\$3 $ARGUMENTS\r\nand stop.\r\n",
            ".opencode/commands/c.md",
            "Run",
            "Start",
            "---\ndescription: d\n---\n\nStart $0 `x` \\$3 $ARGUMENTS\r\nand stop.\r\n",
        ),
        (
            ".claude/commands/c.md",
            "---\ndescription: d\n---\n\nRun $0, costs \\$5.\n",
            ".gemini/commands/c.toml",
            "costs",
            "it costs",
            "---\ndescription: d\n---\n\nRun $0, it costs \\$5.\n",
        ),
    ] {
        let (own, copy) = (at(own), at(copy));
        let there = convert::convert(source, &own, copy.place).unwrap().text;
        assert!(there.contains(old), "{there}");
        let taken = merged(source, &own, &there.replacen(old, new, 1), &copy).unwrap();
        assert_eq!(taken.text, expected, "from {there}");
    }
}
