//! Agent files: what clients do with them, for the clients of the call, in text and in JSON; the
//! pages of clients.

use super::Folder;

const SKILL: &str = "---\nname: tea\ndescription: Brews tea\n---\n\nBrew it.\n";
const PATH: &str = ".agents/skills/brew-tea/SKILL.md";

#[test]
fn for_chooses_the_clients() {
    let folder = Folder::with(&[(PATH, SKILL)]);
    let codex = folder.run(&["check", "--for", "codex", PATH]);
    assert_eq!(
        (codex.status, codex.out.as_str()),
        (0, ".agents/skills/brew-tea/SKILL.md: Codex ✓\n\nNo problems in the file.\n")
    );
    let both = folder.run(&["check", "--for", "codex,cline", "."]);
    assert_eq!(both.status, 1);
    assert!(
        both.out.starts_with(".agents/skills/brew-tea/SKILL.md: Codex ✓ · Cline: not loaded\n"),
        "{}",
        both.out
    );
    assert!(both.out.contains("error[agent/name-folder]"), "{}", both.out);
    let unknown = folder.run(&["check", "--for", "codx", "."]);
    assert_eq!(unknown.status, 2);
    assert!(
        unknown.err.contains("unknown client `codx`; did you mean `codex`?"),
        "{}",
        unknown.err
    );
}

#[test]
fn the_settings_choose_the_clients_and_a_call_wins() {
    let folder =
        Folder::with(&[(PATH, SKILL), ("agentmd.toml", "clients = [\"cline\", \"nobody\"]\n")]);
    let settings = folder.run(&["check", "."]);
    assert_eq!(settings.status, 1);
    assert!(settings.err.contains("unknown client `nobody`"), "{}", settings.err);
    assert_eq!(folder.run(&["check", "--for", "codex", "."]).status, 0);
}

#[test]
fn json_has_the_kind_and_the_verdicts() {
    let folder = Folder::with(&[(PATH, SKILL), ("a.md", "# A\n")]);
    let json = folder.run(&["check", "--format", "json", "--for", "codex,cline", "."]).json();
    let files = json["files"].as_array().unwrap();
    assert_eq!(files.len(), 1);
    assert_eq!(files[0]["format"], "agent");
    assert_eq!(files[0]["kind"], "skill");
    let expected = serde_json::json!([
        { "client": "codex", "outcome": "loaded", "reasons": [] },
        { "client": "cline", "outcome": "not-loaded", "reasons": ["name: skill not loaded"] },
    ]);
    assert_eq!(files[0]["verdicts"], expected);
    assert_eq!(files[0]["diagnostics"][0]["code"], "agent/name-folder");
}

#[test]
fn fix_repairs_front_matter_or_leaves_it() {
    let broken = "---\nname: brew-tea\ndescription: Use: it. Examples:\n\n<example>\nuser: x\n</example>\n---\n\nBrew it.\n";
    let fixed = "---\nname: brew-tea\ndescription: |-\n  Use: it. Examples:\n\n  <example>\n  user: x\n  </example>\n---\n\nBrew it.\n";
    let lost = "---\nname: b\ndescription: Use it。license: MIT\n---\n";
    let folder = Folder::with(&[(PATH, broken), (".agents/skills/b/SKILL.md", lost)]);
    folder.run(&["check", "--fix", "--for", "codex", "."]);
    assert_eq!(folder.read(PATH), fixed);
    assert_eq!(folder.read(".agents/skills/b/SKILL.md"), lost);
    assert_eq!(folder.run(&["check", "--for", "codex", PATH]).status, 0);
}

#[test]
fn explain_prints_clients() {
    let folder = Folder::empty();
    let page = folder.run(&["explain", "claude", "--format", "markdown"]).out;
    assert!(page.starts_with("# Claude Code\n") && page.contains("| `argument-hint` |"), "{page}");
    let list = folder.run(&["explain", "clients", "--format", "json"]).json();
    assert!(list.as_array().unwrap().iter().any(|client| client["name"] == "codex"));
}
