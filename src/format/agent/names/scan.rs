//! The names that the sections of a body mention. Fenced and indented code contains no mentions.
//! Each section is read once, and its mentions are cached with it.

use std::sync::{Arc, LazyLock};

use memchr::memmem;

use super::mentions::Word;
use crate::format::agent::body;
use crate::markdown::{BlockKind, LinkKind, SectionKind};
use crate::source::{Placed, Source};
use crate::text::Span;

/// A mention in a section. Offsets count from its start.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Said {
    /// The name, without the characters around it.
    pub span: Span,
    pub word: Word,
    /// A code span begins with it.
    pub code: bool,
    /// Its text may mean something else.
    pub doubtful: bool,
}

#[derive(Debug, Default, PartialEq)]
struct All(Vec<Said>);

/// Shared by sections without mentions, which are most of them.
static NOTHING: LazyLock<Arc<All>> = LazyLock::new(Arc::default);

/// Built once: for most sections, building a searcher would take longer than searching.
static MARKS: LazyLock<[memmem::Finder; 2]> =
    LazyLock::new(|| ["#file:", "#tool:"].map(memmem::Finder::new));
static SERVER: LazyLock<memmem::Finder> = LazyLock::new(|| memmem::Finder::new("mcp__"));

/// A noun, and how the name next to it is read.
type Noun = (memmem::Finder<'static>, fn(String) -> Word);

static NOUNS: LazyLock<[Noun; 3]> = LazyLock::new(|| {
    let find = memmem::Finder::new;
    [
        (find("skill"), Word::NamedSkill),
        (find("agent"), Word::NamedAgent),
        (find("command"), Word::NamedCommand),
    ]
});

/// Every mention in the body, in order, with the start of its section.
pub fn all(source: &Source) -> Vec<(usize, Said)> {
    sections(source).flat_map(|placed| section(source, placed)).collect()
}

/// The mentions in the section at an offset.
pub fn around(source: &Source, offset: usize) -> Vec<(usize, Said)> {
    let placed = source.section_at(offset).filter(is_body);
    placed.map_or_else(Vec::new, |placed| section(source, placed))
}

fn sections(source: &Source) -> impl Iterator<Item = Placed<'_>> {
    source.sections().filter(is_body)
}

fn is_body(placed: &Placed) -> bool {
    !matches!(placed.section.kind, SectionKind::Front(_))
}

fn section(source: &Source, placed: Placed) -> Vec<(usize, Said)> {
    let kept = placed.section.memo.share(|| {
        let found = read(source, placed);
        if found.is_empty() { Arc::clone(&NOTHING) } else { Arc::new(All(found)) }
    });
    kept.0.iter().map(|said| (placed.start, said.clone())).collect()
}

fn read(source: &Source, placed: Placed) -> Vec<Said> {
    let text = source.section_text(placed);
    let text = text.as_ref();
    let blocks = source.blocks(placed);
    let fenced: Vec<&Span> = blocks
        .blocks
        .iter()
        .filter(|block| matches!(block.kind, BlockKind::Code { .. }))
        .map(|block| &block.span)
        .collect();
    let spans = body::code_spans(text, &fenced);
    let text = Text { text, fenced, spans };
    let mut found = Vec::new();
    text.signs(&mut found);
    text.servers(&mut found);
    text.roles(&mut found);
    text.scoped(&mut found);
    for link in blocks.links.iter().filter(|link| link.kind != LinkKind::Autolink) {
        if let Some(span) = link.destination_span.clone() {
            let path = link.destination.clone();
            found.push(Said { span, word: Word::File(path), code: false, doubtful: false });
        }
    }
    text.paths(&mut found);
    found.sort_by_key(|said| (said.span.start, said.span.end));
    // Each place has only one mention.
    found.dedup_by(|next, kept| next.span.start < kept.span.end && !next.span.is_empty());
    found
}

struct Text<'a> {
    text: &'a str,
    fenced: Vec<&'a Span>,
    spans: Vec<Span>,
}

/// Whether names of skills, agents and commands can contain a byte.
fn is_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_')
}

/// Longer text isn't a name.
const LONGEST: usize = 100;

/// Schemes of modules in JavaScript: `bun:sqlite`.
const MODULES: &[&str] = &["bun", "cloudflare", "deno", "jsr", "node", "npm"];

impl Text<'_> {
    fn before(&self, at: usize) -> Option<char> {
        self.text.get(..at).and_then(|before| before.chars().next_back())
    }

    fn rest(&self, at: usize) -> &str {
        self.text.get(at..).unwrap_or_default()
    }

    fn is_fenced(&self, at: usize) -> bool {
        body::holder(&self.fenced, at).is_some()
    }

    /// The code span that contains an offset.
    fn span(&self, at: usize) -> Option<&Span> {
        body::holder(&self.spans, at)
    }

    /// The length of the name that begins at an offset.
    fn name(&self, at: usize) -> usize {
        let bytes = self.text.as_bytes().get(at..).unwrap_or_default();
        let length = bytes.iter().take(LONGEST).take_while(|byte| is_name(**byte)).count();
        // A hyphen or an underscore at the end is punctuation.
        let name = bytes.get(..length).unwrap_or_default();
        name.iter().rposition(u8::is_ascii_alphanumeric).map_or(0, |last| last + 1)
    }

    /// `/name`, `$name`, `@agent-name`, `#tool:name` and `#file:path`.
    fn signs(&self, found: &mut Vec<Said>) {
        let bytes = self.text.as_bytes();
        let slashes = memchr::memchr3_iter(b'/', b'$', b'@', bytes);
        let marks = MARKS.iter().flat_map(|mark| mark.find_iter(bytes));
        for at in slashes.chain(marks) {
            let before = self.before(at);
            let opens = before
                .is_none_or(|letter| letter.is_whitespace() || "`([\"'*_“‘「（>|".contains(letter));
            if !opens || self.is_fenced(at) {
                continue;
            }
            let code = self.span(at);
            let leads = code.is_some_and(|span| {
                self.text
                    .get(span.start..at)
                    .is_some_and(|ticks| ticks.trim_matches('`').trim().is_empty())
            });
            match bytes.get(at) {
                Some(b'/') => self.slash(at + 1, code.is_some(), leads, found),
                Some(b'$') => self.dollar(at + 1, leads, found),
                Some(b'@') => {
                    let agent = self.rest(at).strip_prefix("@agent-").map(|_| at + 7);
                    if let Some(start) = agent.filter(|_| code.is_none() || leads) {
                        let length = self.name(start);
                        self.push(start, length, Word::Agent, leads, false, found);
                    }
                }
                _ => self.mark(at, code.is_some(), found),
            }
        }
    }

    fn slash(&self, start: usize, code: bool, leads: bool, found: &mut Vec<Said>) {
        let length = self.name(start);
        let begins = self.text.as_bytes().get(start).is_some_and(u8::is_ascii_alphanumeric);
        let (mut end, mut plugin) = (start + length, None);
        if self.rest(end).starts_with(':') && self.name(end + 1) > 0 {
            plugin = self.text.get(start..end).map(str::to_owned);
            end += 1 + self.name(end + 1);
        }
        let after = self.rest(end);
        let mut next = after.chars();
        let ends = match next.next() {
            None => true,
            // A path, a file, a pattern or a URL.
            Some('/' | '=' | '\\' | '{' | '<' | '$' | '@' | '%' | '~' | '+' | '&') => false,
            Some('.') => next
                .next()
                .is_none_or(|letter| !letter.is_alphanumeric() && letter != '/' && letter != '.'),
            Some(':') => next.next().is_none_or(|letter| letter.is_whitespace() || letter == '*'),
            Some('*') => !code,
            Some(letter) => !letter.is_alphanumeric() && !matches!(letter, '-' | '_'),
        };
        // In a code span, only at its start: `cat /etc` is a path.
        if length == 0 || !begins || !ends || code && !leads {
            return;
        }
        let Some(name) = self.text.get(start..end) else { return };
        let word = match plugin {
            Some(plugin) => {
                let own = name.get(plugin.len() + 1..).unwrap_or_default().to_owned();
                Word::Scoped(plugin, own)
            }
            // A prompt of a server.
            None if name.starts_with("mcp__") => Word::Tool(name.to_owned()),
            None => Word::Slash(name.to_owned()),
        };
        found.push(Said { span: start..end, word, code: leads, doubtful: !leads });
    }

    fn dollar(&self, start: usize, leads: bool, found: &mut Vec<Said>) {
        let length = self.name(start);
        let name = self.text.get(start..start + length).unwrap_or_default();
        let skill = name.starts_with(|letter: char| letter.is_ascii_lowercase())
            && !name.contains(|letter: char| letter.is_ascii_uppercase());
        if skill && !self.rest(start + length).starts_with(['(', '{', '=', '/', '[']) {
            self.push(start, length, Word::Dollar, leads, !leads, found);
        }
    }

    fn mark(&self, at: usize, code: bool, found: &mut Vec<Said>) {
        let start = at + 6;
        let rest = self.rest(start);
        let end = rest
            .find(|letter: char| letter.is_whitespace() || "`\"'()[]<>,;|".contains(letter))
            .unwrap_or(rest.len());
        let name = rest.get(..end).unwrap_or_default().trim_end_matches(['.', ':', '*', '!', '?']);
        if name.is_empty() || code {
            return;
        }
        let word = if self.rest(at).starts_with("#file:") {
            Word::File(name.to_owned())
        } else {
            Word::Tool(name.to_owned())
        };
        found.push(Said { span: start..start + name.len(), word, code: false, doubtful: false });
    }

    fn push(
        &self,
        start: usize,
        length: usize,
        word: fn(String) -> Word,
        code: bool,
        doubtful: bool,
        found: &mut Vec<Said>,
    ) {
        if let Some(name) = self.text.get(start..start + length).filter(|name| !name.is_empty()) {
            let word = word(name.to_owned());
            found.push(Said { span: start..start + length, word, code, doubtful });
        }
    }

    /// `mcp__server__tool`.
    fn servers(&self, found: &mut Vec<Said>) {
        for at in SERVER.find_iter(self.text.as_bytes()) {
            let joined = self.before(at).is_some_and(|letter| {
                letter.is_alphanumeric() || matches!(letter, '_' | '-' | '/' | '.' | '\\')
            });
            let length = self.name(at);
            if !joined && !self.is_fenced(at) && length > 5 {
                self.push(at, length, Word::Tool, false, false, found);
            }
        }
    }

    /// `` the `brew-tea` skill ``, `the agent **cook**`.
    fn roles(&self, found: &mut Vec<Said>) {
        let bytes = self.text.as_bytes();
        for (noun, word) in &*NOUNS {
            for at in noun.find_iter(bytes) {
                if self.is_fenced(at) || self.span(at).is_some() {
                    continue;
                }
                let end = at + noun.needle().len();
                let head = self.text.get(..at).unwrap_or_default();
                // `subagent`, `sub-agent`
                let head = head.strip_suffix("sub").or(head.strip_suffix("sub-")).unwrap_or(head);
                let whole = !self
                    .rest(end)
                    .starts_with(|letter: char| letter.is_alphanumeric() && letter != 's');
                if !whole || !head.ends_with([' ', '\n']) {
                    continue;
                }
                if let Some((start, length, marked)) = self.word_before(head) {
                    let name = self.text.get(start..start + length).unwrap_or_default();
                    if marked || name.contains('-') {
                        self.push(start, length, *word, false, true, found);
                    }
                }
                let after = self.rest(end);
                let after = after.strip_prefix([':']).unwrap_or(after);
                if let Some(rest) = after.strip_prefix(' ') {
                    let marks = rest.len() - rest.trim_start_matches(['`', '*', '"']).len();
                    let start = self.text.len() - rest.len() + marks;
                    let length = self.name(start);
                    let closed = self.rest(start + length).starts_with(['`', '*', '"']);
                    if marks > 0 && closed {
                        self.push(start, length, *word, false, true, found);
                    }
                }
            }
        }
    }

    /// The name at the end of `head`, before a space: its start and length, and whether it's in
    /// code, bold or quotes.
    fn word_before(&self, head: &str) -> Option<(usize, usize, bool)> {
        let head = head.trim_end_matches([' ', '\n', '\r']);
        let inner = head.trim_end_matches(['`', '*', '"']);
        let marked = inner.len() < head.len();
        let length = inner.bytes().rev().take(LONGEST).take_while(|byte| is_name(*byte)).count();
        let start = inner.len() - length;
        let before = inner.get(..start)?;
        let opened = before.ends_with(['`', '*', '"']);
        let free = before.is_empty() || before.ends_with([' ', '\n', '(']);
        let is_word = length > 0 && (if marked { opened } else { free });
        (is_word && inner.get(start..)?.starts_with(|letter: char| letter.is_ascii_alphanumeric()))
            .then_some((start, length, marked))
    }

    /// `` `plugin:skill` ``.
    fn scoped(&self, found: &mut Vec<Said>) {
        for span in &self.spans {
            let Some(code) = self.text.get(span.clone()) else { continue };
            let inner = code.trim_matches('`');
            let Some((plugin, name)) = inner.split_once(':') else { continue };
            let shaped = |word: &str| {
                !word.is_empty()
                    && word.len() <= LONGEST
                    && word.bytes().all(is_name)
                    && word.starts_with(|letter: char| letter.is_ascii_lowercase())
            };
            if shaped(plugin) && shaped(name) && !MODULES.contains(&plugin) {
                let start = span.start + (code.len() - code.trim_start_matches('`').len());
                let word = Word::Scoped(plugin.to_owned(), name.to_owned());
                found.push(Said {
                    span: start..start + inner.len(),
                    word,
                    code: true,
                    doubtful: true,
                });
            }
        }
    }

    /// `@path`, and paths in code spans.
    fn paths(&self, found: &mut Vec<Said>) {
        for at in memchr::memchr_iter(b'@', self.text.as_bytes()) {
            let begins = self.before(at).is_none_or(char::is_whitespace);
            if !begins || self.is_fenced(at) || self.span(at).is_some() {
                continue;
            }
            let rest = self.rest(at + 1);
            let path = rest.split(ends_path).next().unwrap_or_default();
            let path = path.trim_end_matches(['.', ':', '!', '?']);
            if path.contains(['/', '.']) {
                let word = Word::File(path.to_owned());
                found.push(Said {
                    span: at + 1..at + 1 + path.len(),
                    word,
                    code: false,
                    doubtful: false,
                });
            }
        }
        for span in &self.spans {
            let Some(code) = self.text.get(span.clone()) else { continue };
            found.extend(paths_in(code).map(|(at, path)| Said {
                span: span.start + at..span.start + at + path.len(),
                word: Word::File(path.to_owned()),
                code: true,
                doubtful: false,
            }));
        }
    }
}

/// The relative paths among the words of a command, with their offsets.
pub fn paths_in(command: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut at = 0;
    command.split(ends_path).filter_map(move |word| {
        let start = at;
        at += word.len();
        at += command.get(at..)?.chars().next().map_or(0, char::len_utf8);
        // In JSON, there's a backslash before a quote.
        let path = word.trim_end_matches(['.', ':', '\\']);
        let shift = usize::from(path.starts_with('@'));
        let path = path.strip_prefix('@').unwrap_or(path);
        let relative = path.contains('/') && !path.starts_with('/') && !path.contains("//");
        relative.then_some((start + shift, path))
    })
}

/// The relative paths with spaces in quotes in a command, with their offsets. Only an existing file
/// shows that one is a path rather than text with several paths.
pub fn quoted_paths_in(command: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut rest = command;
    std::iter::from_fn(move || {
        loop {
            let quote = rest.find(['"', '\''])?;
            let (sign, inside) = rest.get(quote..)?.split_at_checked(1)?;
            let start = command.len() - inside.len();
            let Some(end) = inside.find(sign) else {
                rest = inside;
                continue;
            };
            rest = inside.get(end + 1..)?;
            let path = inside.get(..end)?.trim_end_matches('\\');
            let spaced = path.contains(' ') && path.trim() == path && !path.contains(['\n', '\r']);
            if spaced && path.contains('/') && !path.starts_with('/') && !path.contains("//") {
                return Some((start, path));
            }
        }
    })
}

fn ends_path(letter: char) -> bool {
    letter.is_whitespace() || "`\"'()[]<>,;|=*{}$".contains(letter)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<(String, Word)> {
        let source = Source::new(text);
        let found = all(&source).into_iter();
        found
            .map(|(start, said)| {
                (text[start + said.span.start..start + said.span.end].to_owned(), said.word)
            })
            .collect()
    }

    fn texts(text: &str) -> Vec<String> {
        words(text).into_iter().map(|(text, _)| text).collect()
    }

    #[test]
    fn names_after_signs() {
        for (text, expected) in [
            ("Run /brew-tea first.", vec!["brew-tea"]),
            ("日本🦆 `/brew-tea now`, **/stir**\r\n/sip\r\n", vec!["brew-tea", "stir", "sip"]),
            ("/tea:brew and `tea:brew`", vec!["tea:brew", "tea:brew"]),
            ("$brew-tea, `$stir`", vec!["brew-tea", "stir"]),
            ("/usr/bin, $PATH, a@b.de, and/or, docs/, /etc/x, https://x.de/y, `cat /tmp`", vec![]),
            ("</b> /file.txt /a=b `$HOME` ${x} $(pwd) $name(1)", vec![]),
            ("```\n/brew-tea $brew-tea `tea:brew` mcp__a__b\n```\n", vec![]),
            ("    /brew-tea\n", vec![]),
            ("Ask @agent-cook. #tool:search #file:a/b.md", vec!["cook", "search", "a/b.md"]),
            ("Use mcp__tea__boil or `mcp__tea`.", vec!["mcp__tea__boil", "mcp__tea"]),
            ("Run /mcp__tea__brew, `/mcp__tea__sip x`.", vec!["mcp__tea__brew", "mcp__tea__sip"]),
            (
                "the `brew` skill, the brew-tea skill, the skill `sip`, a new skill",
                vec!["brew", "brew-tea", "sip"],
            ),
            ("the **cook** subagent, the agent `chef`", vec!["cook", "chef"]),
            (
                "[x](../brew-tea/SKILL.md) `scripts/a.py` @docs/b.md",
                vec!["../brew-tea/SKILL.md", "scripts/a.py", "docs/b.md"],
            ),
        ] {
            assert_eq!(texts(text), expected, "{text:?}");
        }
    }

    proptest::proptest! {
        #[test]
        fn spans_lie_on_characters(text in "(/|\\$|@agent-|#file:|#tool:|`{1,3}|\\*\\*|mcp__|[a-z]{1,3}|:|-| skill| agent|\\r?\\n|🦆|日本|\\]\\(| ){0,40}") {
            for (written, word) in words(&text) {
                proptest::prop_assert!(!written.is_empty() || matches!(word, Word::File(_)));
            }
        }
    }
}
