//! Globs of places: `*` within a name, `**` for any number of folders. They name files below any
//! folder of a workspace.

use std::path::Path;

use super::catalog::parts;

/// A glob, parsed once for many paths.
#[derive(Debug)]
pub struct Glob<'g> {
    parts: Vec<Part<'g>>,
    /// Any number of folders may be somewhere in between.
    deep: bool,
}

#[derive(Debug)]
enum Part<'g> {
    /// `**`
    Folders,
    Name(&'g str),
    /// A name with `*`: its beginning, the parts that it contains in this order, and its end.
    Pattern {
        head: &'g str,
        middle: Vec<&'g str>,
        tail: &'g str,
    },
}

impl<'g> Glob<'g> {
    pub fn new(glob: &'g str) -> Self {
        let parts: Vec<Part> = glob.split('/').map(Part::new).collect();
        let deep = parts.iter().any(|part| matches!(part, Part::Folders));
        Self { parts, deep }
    }

    /// A part that every matching path contains.
    pub fn name(&self) -> Option<&'g str> {
        self.parts.iter().find_map(|part| match part {
            Part::Name(name) => Some(*name),
            _ => None,
        })
    }

    /// Whether the last parts of a path match, and how many parts that takes.
    pub fn matches(&self, path: &[&str]) -> Option<usize> {
        if !self.parts.last()?.matches(path.last()?) {
            return None;
        }
        if !self.deep {
            let start = path.len().checked_sub(self.parts.len())?;
            let mut pairs = self.parts.iter().zip(path.get(start..)?);
            return pairs.all(|(part, name)| part.matches(name)).then_some(self.parts.len());
        }
        (0..path.len())
            .rev()
            .find(|start| path.get(*start..).is_some_and(|rest| parts_match(&self.parts, rest)))
            .map(|start| path.len() - start)
    }
}

/// Whether the end of a path matches a glob.
pub fn reaches(glob: &str, path: &Path) -> bool {
    matches(glob, &parts(path)).is_some()
}

/// Whether the last parts of a path match a glob, and how many parts that takes.
pub fn matches(glob: &str, path: &[&str]) -> Option<usize> {
    Glob::new(glob).matches(path)
}

fn parts_match(glob: &[Part], path: &[&str]) -> bool {
    match glob.split_first() {
        None => path.is_empty(),
        Some((Part::Folders, rest)) => (0..=path.len())
            .any(|skipped| path.get(skipped..).is_some_and(|path| parts_match(rest, path))),
        Some((part, rest)) => path
            .split_first()
            .is_some_and(|(name, path)| part.matches(name) && parts_match(rest, path)),
    }
}

impl<'g> Part<'g> {
    fn new(part: &'g str) -> Self {
        match part.split_once('*') {
            _ if part == "**" => Self::Folders,
            None => Self::Name(part),
            Some((head, rest)) => {
                let mut middle: Vec<&str> = rest.split('*').collect();
                let tail = middle.pop().unwrap_or_default();
                Self::Pattern { head, middle, tail }
            }
        }
    }

    /// Whether a name matches.
    fn matches(&self, name: &str) -> bool {
        match self {
            Self::Folders => true,
            Self::Name(own) => *own == name,
            Self::Pattern { head, middle, tail } => {
                let Some(mut name) = name.strip_prefix(head) else { return false };
                for piece in middle {
                    let Some((_, after)) = name.split_once(piece) else { return false };
                    name = after;
                }
                name.ends_with(tail)
            }
        }
    }
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
            (".claude/**", "w/.claude/a/b.md", Some(3)),
            ("a*b*c.md", "w/a-b-b-c.md", Some(1)),
            ("a*b*c.md", "w/a-c.md", None),
            ("x/*/y/z.md", "y/z.md", None),
        ] {
            let path: Vec<&str> = path.split('/').collect();
            assert_eq!(matches(glob, &path), parts, "{glob} {path:?}");
        }
        assert_eq!(matches("*.md", &[]), None);
    }
}
