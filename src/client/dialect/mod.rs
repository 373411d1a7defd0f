//! Globs as the libraries of clients match them. Each dialect is a file that turns a glob into the
//! same few nodes; `tests/globs.rs` compares them with the originals.

mod braces;
mod gitignore;
mod machine;
mod minimatch;
mod picomatch;
mod segment;
mod vscode;

use super::loading::{Dialect, GlobReading};
use machine::Program;

/// A glob of a client, ready to be matched.
#[derive(Debug)]
pub struct Glob {
    kind: Kind,
}

#[derive(Debug)]
enum Kind {
    /// It matches every path.
    Everything,
    /// Any of these, or none if `negated`; or the glob's own text.
    Programs {
        programs: Vec<Program>,
        negated: bool,
        literal: Option<String>,
    },
    Gitignore(gitignore::Rule),
}

/// Longer globs match nothing.
const LONGEST: usize = 4096;

impl Glob {
    /// Reads a glob as a client does. One that the client cannot read matches nothing.
    pub fn new(reading: &GlobReading, glob: &str) -> Self {
        if reading.everything.iter().any(|every| every == glob) {
            return Self { kind: Kind::Everything };
        }
        let mut glob = glob;
        if let Some(end) = &reading.strip {
            glob = glob.strip_suffix(end.as_str()).unwrap_or(glob);
        }
        let prefixed;
        if let Some(prefix) = &reading.prefix
            && !glob.starts_with('/')
            && !glob.starts_with(prefix.as_str())
        {
            prefixed = format!("{prefix}{glob}");
            glob = &prefixed;
        }
        if glob.is_empty() || glob.len() > LONGEST {
            let programs = Vec::new();
            return Self { kind: Kind::Programs { programs, negated: false, literal: None } };
        }
        let kind = match reading.dialect {
            Dialect::Minimatch => minimatch::read(glob, reading.dot, reading.ignore_case),
            Dialect::Picomatch => picomatch::read(glob, reading.dot, reading.ignore_case),
            Dialect::Vscode => vscode::read(glob, reading.ignore_case),
            Dialect::Gitignore => Kind::Gitignore(gitignore::Rule::read(glob)),
        };
        Self { kind }
    }

    /// Whether it matches a path with `/` between its parts.
    pub fn matches(&self, path: &str) -> bool {
        match &self.kind {
            Kind::Everything => true,
            Kind::Gitignore(rule) => gitignore::ignores(std::slice::from_ref(rule), path),
            Kind::Programs { programs, negated, literal } => {
                if literal.as_deref() == Some(path) {
                    return true;
                }
                let path: Vec<char> = path.chars().collect();
                programs.iter().any(|program| program.matches(&path)) != *negated
            }
        }
    }
}

/// The globs of a value in front matter, as written: those of a string, or of each item.
pub fn split<'t>(reading: &GlobReading, text: &'t str) -> Vec<&'t str> {
    if !reading.commas {
        let whole = text.trim();
        return if whole.is_empty() { Vec::new() } else { vec![whole] };
    }
    separated(text)
}

/// The globs of a string, separated by commas outside of braces.
pub fn separated(text: &str) -> Vec<&str> {
    let (mut found, mut depth, mut start) = (Vec::new(), 0_usize, 0);
    for (at, letter) in text.char_indices() {
        match letter {
            '{' => depth += 1,
            '}' => depth = depth.saturating_sub(1),
            ',' if depth == 0 => {
                found.extend(text.get(start..at));
                start = at + 1;
            }
            _ => {}
        }
    }
    found.extend(text.get(start..));
    found.into_iter().map(str::trim).filter(|glob| !glob.is_empty()).collect()
}

/// The globs that a client makes of one: itself, or the expansion of its braces.
pub fn expanded(reading: &GlobReading, glob: &str) -> Vec<String> {
    if reading.expand { braces::expand(glob) } else { vec![glob.to_owned()] }
}

/// The glob in a list that makes a client load a path, if any: the last one that matches if globs
/// can exclude what others match, otherwise the first.
pub fn find<'g>(reading: &GlobReading, globs: &'g [String], path: &str) -> Option<&'g str> {
    if reading.dialect == Dialect::Gitignore {
        let mut rules = Vec::new();
        let mut written = Vec::new();
        for glob in globs {
            if reading.everything.contains(glob) {
                rules.push(gitignore::Rule::read("*"));
                written.push(glob);
                continue;
            }
            for one in expanded(reading, glob) {
                let end = reading.strip.as_deref().unwrap_or_default();
                let one = if end.is_empty() { &one } else { one.strip_suffix(end).unwrap_or(&one) };
                rules.push(gitignore::Rule::read(one));
                written.push(glob);
            }
        }
        let at = gitignore::decides(&rules, path)?;
        return written.get(at).map(|glob| glob.as_str());
    }
    globs.iter().find(|glob| Glob::new(reading, glob).matches(path)).map(String::as_str)
}

/// The rules of a `.gitignore`.
pub struct Ignores(Vec<gitignore::Rule>);

impl Ignores {
    pub fn read(lines: &str) -> Self {
        Self(lines.lines().map(gitignore::Rule::read).collect())
    }

    /// Whether they ignore a file, by its path from their folder.
    pub fn ignore(&self, path: &str) -> bool {
        gitignore::ignores(&self.0, path)
    }
}

#[cfg(test)]
mod tests {
    use super::separated;

    #[test]
    fn globs_are_separated_outside_of_braces() {
        assert_eq!(separated("a/*.{ts,js}, b,,日"), ["a/*.{ts,js}", "b", "日"]);
    }
}
