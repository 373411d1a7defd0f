#![cfg(unix)]

use std::fs;
use std::os::unix::fs::symlink;

use super::*;
use crate::world::Disk;

/// The clients that read a file of a workspace as a skill or memory file, of those that matter
/// here.
fn clients(root: &Path, file: &str) -> Vec<&'static str> {
    let disk = Disk::default();
    let path = root.join(file);
    let mut found = roles(&path);
    add(&disk, Some(root), &path, &mut found);
    let wanted = ["claude-code", "codex", "gemini"];
    let names = found.iter().filter(|role| !role.plugin).map(|role| {
        assert!(path.ancestors().nth(role.parts).is_some_and(|base| base.starts_with(root)));
        role.client.name.as_str()
    });
    let mut names: Vec<_> = names.filter(|name| wanted.contains(name)).collect();
    names.sort_unstable();
    names
}

#[test]
fn a_client_follows_links_in_its_places() {
    let folder = tempfile::tempdir().unwrap();
    let root = crate::world::canonicalize(folder.path()).unwrap();
    for file in [
        ".agents/skills/a/SKILL.md",
        "skills/日本/SKILL.md",
        "skills/b/SKILL.md",
        "AGENTS.md",
        "inner/AGENTS.md",
    ] {
        fs::create_dir_all(root.join(file).parent().unwrap()).unwrap();
        fs::write(root.join(file), "text").unwrap();
    }
    let skill = ".agents/skills/a/SKILL.md";
    assert_eq!(clients(&root, skill), ["codex", "gemini"]);
    assert_eq!(clients(&root, "AGENTS.md"), ["codex"]);
    // The whole folder, by a relative and by an absolute link.
    fs::create_dir(root.join(".claude")).unwrap();
    let link = root.join(".claude/skills");
    for target in [PathBuf::from("../.agents/skills"), root.join(".agents/skills")] {
        symlink(target, &link).unwrap();
        assert_eq!(clients(&root, skill), ["claude-code", "codex", "gemini"]);
        assert_eq!(clients(&root, "skills/b/SKILL.md"), [""; 0]);
        fs::remove_file(&link).unwrap();
    }
    // The folder of one skill, which isn't in a place of any client.
    fs::create_dir(&link).unwrap();
    symlink("../../skills/日本", link.join("日本")).unwrap();
    assert_eq!(clients(&root, "skills/日本/SKILL.md"), ["claude-code"]);
    assert_eq!(clients(&root, "skills/b/SKILL.md"), [""; 0]);
    // A copy is a different file.
    fs::create_dir(link.join("a")).unwrap();
    fs::write(link.join("a/SKILL.md"), "text").unwrap();
    assert_eq!(clients(&root, skill), ["codex", "gemini"]);
    // A broken link has no effect.
    symlink("../../skills/none", link.join("b")).unwrap();
    assert_eq!(clients(&root, "skills/b/SKILL.md"), [""; 0]);
    // Memory files, at the top and further down.
    symlink("AGENTS.md", root.join("CLAUDE.md")).unwrap();
    assert_eq!(clients(&root, "AGENTS.md"), ["claude-code", "codex"]);
    assert_eq!(clients(&root, "inner/AGENTS.md"), ["codex"]);
    symlink("AGENTS.md", root.join("inner/GEMINI.md")).unwrap();
    assert_eq!(clients(&root, "inner/AGENTS.md"), ["codex", "gemini"]);
}
