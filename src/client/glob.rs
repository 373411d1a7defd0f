//! Globs of places: `*` within a name, `**` for any number of folders. They name files below any
//! folder of a workspace.

/// Whether the last parts of a path match a glob, and how many parts that takes.
pub fn matches(glob: &str, path: &[&str]) -> Option<usize> {
    let parts: Vec<&str> = glob.split('/').collect();
    matches_parts(&parts, path)
}

/// The same for the parts of a glob.
pub fn matches_parts(glob: &[&str], path: &[&str]) -> Option<usize> {
    if !name_matches(glob.last()?, path.last()?) {
        return None;
    }
    (0..path.len())
        .rev()
        .find(|start| path.get(*start..).is_some_and(|rest| parts_match(glob, rest)))
        .map(|start| path.len() - start)
}

fn parts_match(glob: &[&str], path: &[&str]) -> bool {
    match glob.split_first() {
        None => path.is_empty(),
        Some((&"**", rest)) => (0..=path.len())
            .any(|skipped| path.get(skipped..).is_some_and(|path| parts_match(rest, path))),
        Some((part, rest)) => path
            .split_first()
            .is_some_and(|(name, path)| name_matches(part, name) && parts_match(rest, path)),
    }
}

/// Whether a name matches a pattern with at most a few `*`.
fn name_matches(pattern: &str, name: &str) -> bool {
    let Some((head, rest)) = pattern.split_once('*') else { return pattern == name };
    let Some(mut name) = name.strip_prefix(head) else { return false };
    let mut pieces: Vec<&str> = rest.split('*').collect();
    let tail = pieces.pop().unwrap_or_default();
    for piece in pieces {
        let Some((_, after)) = name.split_once(piece) else { return false };
        name = after;
    }
    name.ends_with(tail)
}

#[cfg(test)]
mod tests {
    use super::matches;

    #[test]
    fn globs_match_the_end_of_a_path() {
        for (glob, path, parts) in [
            (".claude/skills/*/SKILL.md", "w/.claude/skills/a/SKILL.md", Some(4)),
            (".claude/skills/*/SKILL.md", "w/.claude/skills/a/b/SKILL.md", None),
            (".claude/commands/**/*.md", "w/.claude/commands/a.md", Some(3)),
            (".claude/commands/**/*.md", "w/.claude/commands/a/b/c.md", Some(5)),
            (".claude/commands/**/*.md", "w/claude/commands/a.md", None),
            (".github/**/*.instructions.md", ".github/x/日本.instructions.md", Some(3)),
            (".roo/skills-*/*/SKILL.md", ".roo/skills-code/x/SKILL.md", Some(4)),
            ("AGENTS.md", "a/AGENTS.md", Some(1)),
            ("AGENTS.md", "a/agents.md", None),
            ("*.mdc", "a/🦆.mdc", Some(1)),
        ] {
            let path: Vec<&str> = path.split('/').collect();
            assert_eq!(matches(glob, &path), parts, "{glob} {path:?}");
        }
        assert_eq!(matches("*.md", &[]), None);
    }
}
