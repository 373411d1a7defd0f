//! Snippets: text with placeholders (`${1:name}`, `${2|yes,no|}`, `$0`) for editors that support
//! them, and the plain text for those that don't.

use std::collections::HashMap;

/// Escapes text that is literal in a snippet.
pub fn escape(text: &str) -> String {
    text.replace('\\', "\\\\").replace('$', "\\$").replace('}', "\\}")
}

/// A piece of a snippet.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Piece {
    Text(char),
    /// Its number, its text (the first of several choices), and the source after its number.
    Stop(u32, String, String),
}

/// Reads a snippet. Nested placeholders are not supported, since agentmd doesn't write them.
fn pieces(snippet: &str) -> Vec<Piece> {
    let mut found = Vec::new();
    let mut rest = snippet;
    while let Some(first) = rest.chars().next() {
        if let Some((stop, length)) = stop(rest) {
            found.push(stop);
            rest = rest.get(length..).unwrap_or_default();
            continue;
        }
        rest = rest.get(first.len_utf8()..).unwrap_or_default();
        let escaped =
            rest.chars().next().filter(|next| first == '\\' && matches!(next, '$' | '}' | '\\'));
        found.push(Piece::Text(escaped.unwrap_or(first)));
        rest = rest.get(escaped.map_or(0, char::len_utf8)..).unwrap_or_default();
    }
    found
}

/// The placeholder at the start of the text, and its length.
fn stop(text: &str) -> Option<(Piece, usize)> {
    let braced = text.starts_with("${");
    let after = text.strip_prefix("${").or_else(|| text.strip_prefix('$'))?;
    let digits =
        after.len() - after.trim_start_matches(|character: char| character.is_ascii_digit()).len();
    let (number, rest) = after.split_at_checked(digits)?;
    let number: u32 = number.parse().ok()?;
    if !braced {
        return Some((Piece::Stop(number, String::new(), String::new()), 1 + digits));
    }
    let (mut shown, mut escaped, mut choices) = (String::new(), false, 0);
    for (at, character) in rest.char_indices() {
        match character {
            _ if escaped => {
                shown.push(character);
                escaped = false;
            }
            '\\' => escaped = true,
            '}' => {
                let tail = rest.get(..at)?.to_owned();
                return Some((Piece::Stop(number, shown, tail), 2 + digits + at + 1));
            }
            ':' if at == 0 => {}
            '|' => choices += 1,
            ',' if choices > 0 => choices += 1,
            _ if choices > 1 => {}
            _ => shown.push(character),
        }
    }
    None
}

/// Whether every editor reads a snippet as agentmd does. Some ignore a snippet with a `$` that
/// isn't escaped and doesn't begin a placeholder.
pub fn is_strict(snippet: &str) -> bool {
    let mut rest = snippet;
    while let Some(at) = rest.find(['$', '\\']) {
        rest = rest.get(at..).unwrap_or_default();
        let length = if rest.starts_with('\\') {
            1 + rest
                .chars()
                .nth(1)
                .filter(|next| matches!(next, '$' | '}' | '\\'))
                .map_or(0, char::len_utf8)
        } else {
            match stop(rest) {
                Some((Piece::Stop(_, _, tail), length)) if is_escaped(&tail) => length,
                _ => return false,
            }
        };
        rest = rest.get(length..).unwrap_or_default();
    }
    true
}

/// Whether the source after a placeholder's number has no bare `$`.
fn is_escaped(tail: &str) -> bool {
    let mut escaped = false;
    tail.chars().all(|character| {
        let bare = character == '$' && !escaped;
        escaped = character == '\\' && !escaped;
        !bare
    })
}

/// The text of a snippet with its placeholders filled in.
pub fn plain(snippet: &str) -> String {
    let pieces = pieces(snippet);
    let mut shown: HashMap<u32, &str> = HashMap::new();
    for piece in &pieces {
        if let Piece::Stop(number, text, _) = piece
            && !text.is_empty()
        {
            shown.entry(*number).or_insert(text);
        }
    }
    let mut out = String::with_capacity(snippet.len());
    for piece in &pieces {
        match piece {
            Piece::Text(character) => out.push(*character),
            Piece::Stop(number, text, _) if text.is_empty() => {
                out.push_str(shown.get(number).copied().unwrap_or_default())
            }
            Piece::Stop(_, text, _) => out.push_str(text),
        }
    }
    out
}

/// The snippet with its placeholders renumbered from `first + 1`, and the highest number in it.
pub fn renumbered(snippet: &str, first: u32) -> (String, u32) {
    let mut highest = first;
    let mut out = String::with_capacity(snippet.len());
    for piece in pieces(snippet) {
        match piece {
            Piece::Text(character) => out.push_str(&escape(character.encode_utf8(&mut [0; 4]))),
            Piece::Stop(number, _, tail) => {
                let number = number.saturating_add(first);
                highest = highest.max(number);
                out.push_str(&format!("${{{number}{tail}}}"));
            }
        }
    }
    (out, highest)
}

/// Block style YAML converted to flow style: `a:\n  b: c` becomes `a: { b: c }`.
pub fn flow(snippet: &str) -> String {
    let lines: Vec<(usize, &str)> = snippet
        .lines()
        .map(|line| (line.len() - line.trim_start().len(), line.trim()))
        .filter(|(_, line)| !line.is_empty())
        .collect();
    entries(&lines).join(", ")
}

/// The entries or items of the lines, each on one line.
fn entries(lines: &[(usize, &str)]) -> Vec<String> {
    let Some(column) = lines.first().map(|(indent, _)| *indent) else { return Vec::new() };
    let mut found = Vec::new();
    let mut rest = lines;
    while let Some(((_, head), below)) = rest.split_first() {
        let length = below.iter().position(|(indent, _)| *indent <= column).unwrap_or(below.len());
        let (own, next) = below.split_at_checked(length).unwrap_or((below, &[]));
        rest = next;
        match head.strip_prefix("- ") {
            Some(item) if own.is_empty() && !item.contains(": ") => found.push(item.to_owned()),
            Some(item) => {
                let lines: Vec<_> =
                    std::iter::once((column + 2, item)).chain(own.iter().copied()).collect();
                found.push(format!("{{ {} }}", entries(&lines).join(", ")));
            }
            None if own.is_empty() => found.push((*head).to_owned()),
            None => {
                let list = own.first().is_some_and(|(_, line)| line.starts_with("- "));
                let inner = entries(own).join(", ");
                found.push(if list {
                    format!("{head} [{inner}]")
                } else {
                    format!("{head} {{ {inner} }}")
                });
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn snippets_without_placeholders() {
        for (snippet, expected) in [
            ("name: ${1:x}", "name: x"),
            ("a: ${1|b,c|}$0", "a: b"),
            ("${1:a}: $1, ${1}", "a: a, a"),
            ("\\$ref: '#/\\$defs/${1:name}'", "$ref: '#/$defs/name'"),
            ("${1:a\\}b} }", "a}b }"),
            ("{{ .$1 }}", "{{ . }}"),
            ("$x ${y} $", "$x ${y} $"),
            ("${1:never", "${1:never"),
            ("日本 ${1:é}", "日本 é"),
        ] {
            assert_eq!(plain(snippet), expected);
        }
        assert_eq!(plain(&escape("a $1 ${2:b} \\ }")), "a $1 ${2:b} \\ }");
    }

    #[test]
    fn a_bare_dollar_does_not_work_in_every_editor() {
        for strict in ["a ${1:b\\$} \\$ $0", "${1|a,b|} \\\\", "}", "${2}x\\n", "{{ .$1 }}"] {
            assert!(is_strict(strict), "{strict}");
        }
        for not in ["'${1:^[a-z]+$}'", "$", "cost: $x", "${x}", "${1:never"] {
            assert!(!is_strict(not), "{not}");
            assert!(is_strict(&escape(not)), "{not}");
        }
        let keywords = crate::schema::keywords();
        let wrong: Vec<&str> = keywords
            .filter(|keyword| !is_strict(keyword.snippet))
            .map(|keyword| keyword.name)
            .collect();
        assert_eq!(wrong, [""; 0]);
    }

    #[test]
    fn numbers_continue() {
        assert_eq!(
            renumbered("${1:a}: ${2|b,c|} $1 \\$", 3),
            ("${4:a}: ${5|b,c|} ${4} \\$".to_owned(), 5)
        );
        assert_eq!(renumbered("x", 3), ("x".to_owned(), 3));
    }

    #[test]
    fn blocks_between_braces() {
        for (block, expected) in [
            ("name: ${1:x}", "name: ${1:x}"),
            (
                "input:\n  type: object\n  properties:\n    a: { type: b }\n  required: [a]",
                "input: { type: object, properties: { a: { type: b } }, required: [a] }",
            ),
            (
                "allOf:\n  - type: a\n  - type: b\n    c: d",
                "allOf: [{ type: a }, { type: b, c: d }]",
            ),
            ("imports:\n  - ./a.md\n  - ./b.md", "imports: [./a.md, ./b.md]"),
            ("not:\n  ${1}", "not: { ${1} }"),
        ] {
            assert_eq!(flow(block), expected);
        }
    }
}
