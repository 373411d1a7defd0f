//! Workspace symbols: every heading and program of every file, found by a few letters.

use crate::answer::{Symbol, SymbolKind};
use crate::format::{Context, agent};

/// A symbol without its children, as kept in an index.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Named<'a> {
    pub symbol: &'a Symbol,
    /// The name of its parent symbol.
    pub container: Option<&'a str>,
}

/// The name that an agent file has for other files, which its outline may not have.
pub fn own(cx: &Context) -> Option<Symbol> {
    agent::names::symbol(cx.world, cx.path, cx.source)
}

/// The symbols of an outline that a workspace search can find, in order: headings and programs.
pub fn flatten(symbols: &[Symbol]) -> Vec<Named<'_>> {
    let mut found = Vec::new();
    collect(symbols, None, &mut found);
    found
}

fn collect<'a>(symbols: &'a [Symbol], container: Option<&'a str>, found: &mut Vec<Named<'a>>) {
    for symbol in symbols {
        if matches!(symbol.kind, SymbolKind::Heading | SymbolKind::Program) {
            found.push(Named { symbol, container });
        }
        collect(&symbol.children, Some(&symbol.name), found);
    }
}

/// How well `name` matches `query`: smaller is better, `None` means not at all. The letters of the
/// query appear in the name in order, ignoring case; a prefix ranks above a substring, a substring
/// above scattered letters.
pub fn score(query: &str, name: &str) -> Option<u32> {
    if query.is_empty() {
        return Some(0);
    }
    let lower = |char: char| char.to_lowercase().next().unwrap_or(char);
    let mut wanted = query.chars().filter(|char| !char.is_whitespace()).map(lower).peekable();
    let (mut gaps, mut first, mut last) = (0, None, None);
    for (at, char) in name.chars().enumerate() {
        let Some(next) = wanted.peek() else { break };
        if lower(char) == *next {
            wanted.next();
            gaps += last.map_or(0, |last| u32::from(at - last > 1));
            first = first.or(Some(at));
            last = Some(at);
        }
    }
    let start = u32::try_from(first.unwrap_or(0)).unwrap_or(u32::MAX).min(1000);
    wanted.peek().is_none().then_some(gaps * 1000 + start)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn better_matches_score_lower() {
        let score = |name| score("land", name);
        assert!(score("Landmark 7") < score("The landmark"));
        assert!(score("The landmark") < score("Long and wide"));
        assert_eq!(score("nothing"), None);
        assert_eq!(super::score("", "x"), Some(0));
        assert!(super::score("hello world", "Hello, World").is_some());
    }
}
