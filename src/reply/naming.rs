//! Decides which file a block is about. The block names it, or a line above does; a line that could
//! mean two files names neither.

use std::collections::HashSet;

use super::Step;
use super::lines::Line;
use crate::edit::{Path, Reason, Warning, naming as words};
use crate::text::Span;

/// The file names given by the lines above a block.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Names {
    /// The files mentioned since the previous construct, in order.
    pub mentions: Vec<Mention>,
    /// The block names its file itself: in a tag, a key, a header or an info string.
    pub stated: bool,
    /// If the block has no name, it's about the same file as the one before it.
    pub inherits: bool,
    /// Names in places of a different rank: if they name another file, the target is ambiguous.
    pub rivals: Vec<Path>,
    /// The name at the start of the line above, before a remark: it takes precedence over other
    /// existing files.
    pub first: Option<Path>,
    /// The line above has a remark that doesn't call the block the whole file: if the file exists,
    /// the block is a sample.
    pub sampled: bool,
    /// The text above offers the block instead of another one.
    pub offered: bool,
    /// The block may only show how blocks are written: it counts if its file exists.
    pub shown: bool,
    /// Possible names of the file, the likeliest first: only those of existing files count.
    pub guesses: Vec<Path>,
}

/// A place in prose that may name a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mention {
    pub path: String,
    pub span: Span,
    /// Its line has nothing else but marks, a label or a remark in brackets.
    pub alone: bool,
    pub heading: bool,
    /// It's in the last lines before the block, which end with a colon.
    pub leads: bool,
    /// It looks like a path: it has a folder, or a known file extension.
    pub shaped: bool,
    /// It's in code or quotes.
    pub marked: bool,
    /// Its sentence only compares something with it, or says that it stays as it is.
    pub aside: bool,
}

/// A longer line isn't a sentence.
const LONGEST_LINE: usize = 4000;

/// Words before a path that only compare.
const COMPARISONS: &[&str] = &[
    "similar to",
    "like",
    "unlike",
    "see",
    "from",
    "based on",
    "compare",
    "compared to",
    "as in",
    "than",
    "not in",
    "match",
    "matches",
    "matching",
    "mirrors",
    "same as",
    "consistent with",
    "in line with",
    "identical to",
];
/// The same, even if no other file is mentioned.
const SOLE_COMPARISONS: &[&str] = &[
    "similar to",
    "like",
    "like in",
    "unlike",
    "unlike in",
    "see",
    "based on",
    "compare",
    "compared to",
    "compare with",
    "as in",
    "than",
    "than in",
    "not in",
    "matches",
    "mirrors",
    "same as",
    "same as in",
    "consistent with",
    "in line with",
    "identical to",
    "called from",
    "called by",
    "taken from",
    "copied from",
    "imported from",
    "imported by",
    "used by",
    "used in",
];
/// Verbs of change.
const CHANGES: &[&str] = &[
    "adjust",
    "change",
    "changed",
    "changing",
    "edit",
    "edited",
    "editing",
    "modified",
    "modify",
    "modifying",
    "touch",
    "touched",
    "touching",
    "update",
    "updated",
    "updating",
];
/// Words after a file that stays as it is.
const STAYS: &[&str] = &[
    "alone",
    "as is",
    "as it is",
    "as-is",
    "intact",
    "the same",
    "unchanged",
    "unmodified",
    "untouched",
];
/// Words in a remark after a name: what follows isn't the file, but its output or an earlier state.
const SHOWN_AFTER: &[&str] = &[
    "before",
    "current",
    "currently",
    "example",
    "excerpt",
    "output",
    "outputs",
    "previously",
    "printed",
    "prints",
    "result",
    "run",
    "usage",
];
/// Words that put two files on the same level.
const LEVELS: &[&str] = &["both", "either", "or"];

/// The files mentioned in some lines of prose.
pub(super) fn mentions(lines: &[Line]) -> Vec<Mention> {
    let last = lines.iter().rposition(|line| !line.is_blank());
    let first = last.map(|last| {
        (0..last)
            .rev()
            .take_while(|index| lines.get(*index).is_some_and(|line| !line.is_blank()))
            .last()
            .unwrap_or(last)
    });
    let colon = last.and_then(|last| lines.get(last)).is_some_and(|line| {
        line.text.trim_end().trim_end_matches(['*', '_', '`']).ends_with([':', '：'])
    });
    let mut found = Vec::new();
    for (index, line) in lines.iter().enumerate() {
        let leads = colon && first.is_some_and(|first| index >= first);
        found.extend(in_line(line).into_iter().map(|mention| Mention { leads, ..mention }));
    }
    found
}

/// The name at the start of a line that also says what happens to the file, unless nothing does.
pub(super) fn remarked(text: &str) -> Option<words::Remarked<'_>> {
    let found = words::remarked(text.trim())?;
    let at = (found.name.as_ptr() as usize).saturating_sub(text.as_ptr() as usize);
    let piece = Piece { text: found.name, at, marked: true };
    let product = words::is_product(found.name);
    let remark = text.get(at + found.name.len()..).unwrap_or_default().to_ascii_lowercase();
    let remark = remark.trim_start_matches(|letter: char| !letter.is_alphanumeric());
    let stays = STAYS.iter().chain(&["no change"]).any(|words| remark.starts_with(words));
    let shows = remark
        .split(|letter: char| !letter.is_alphanumeric())
        .any(|word| SHOWN_AFTER.contains(&word));
    (is_name(&piece) && !product && !stays && !shows && !is_left(text, &piece)).then_some(found)
}

/// Whether a remark in brackets says that what follows the name is an earlier state of the file or
/// stays as it is: `src/a.rs (before)`
pub(super) fn shows_earlier(text: &str, name: &str) -> bool {
    let after = text.split_once(name).map_or("", |(_, after)| after);
    let remark = after.split(['(', '（']).nth(1).and_then(|rest| rest.split([')', '）']).next());
    let remark = remark.unwrap_or_default().trim().to_ascii_lowercase();
    super::prose::is_before(&remark) || STAYS.iter().any(|words| remark.starts_with(words))
}

/// Words of a remark on all of a file, besides those that call it whole.
const WHOLE: &[&str] = &[
    "completed",
    "corrected",
    "final",
    "fixed",
    "modified",
    "new",
    "refactored",
    "replaced",
    "revised",
    "rewritten",
    "updated",
    "完整",
    "新",
    "新建",
    "更新",
    "修改后",
];
/// Words of a remark on a part or an earlier version, besides those of sentences.
const PIECE: &[&str] = &[
    "add",
    "added",
    "adds",
    "append",
    "earlier",
    "example",
    "insert",
    "line",
    "lines",
    "old",
    "original",
    "previous",
    "reference",
    "sample",
    "usage",
];

/// Whether the remark after a name calls what follows all of the file.
pub(super) fn calls_whole(text: &str, name: &str) -> bool {
    let remark = text.split_once(name).map_or("", |(_, remark)| remark);
    let words = super::prose::words_of(remark);
    let has = |known: &[&str]| words.iter().any(|word| known.contains(&word.as_str()));
    (has(WHOLE) || has(super::extent::WHOLE))
        && !has(PIECE)
        && !super::extent::is_about_part(&words)
}

/// The files mentioned in one line.
fn in_line(line: &Line) -> Vec<Mention> {
    let text = line.text;
    if text.len() > LONGEST_LINE {
        return Vec::new();
    }
    let heading = text.trim_start().starts_with('#');
    let mention = |path: &str, alone: bool, marked: bool| {
        let at = line.span.start + (path.as_ptr() as usize).saturating_sub(text.as_ptr() as usize);
        let shaped = words::is_file_name(path)
            || path.contains('/') && !path.ends_with('/') && !path.starts_with("//");
        Mention {
            path: path.to_owned(),
            span: at..at + path.len(),
            alone,
            heading,
            leads: false,
            shaped,
            marked,
            aside: false,
        }
    };
    if let Some(path) = words::alone(text.trim()) {
        return if is_address(text) { Vec::new() } else { vec![mention(path, true, true)] };
    }
    let words_of = text.to_ascii_lowercase();
    let leveled = LEVELS.iter().any(|word| {
        words_of.split(|letter: char| !letter.is_alphanumeric()).any(|other| other == *word)
    });
    let found: Vec<Piece> = pieces(text).into_iter().filter(|piece| is_name(piece)).collect();
    let several = found.len() > 1;
    let kept =
        found.iter().filter(|piece| !several || leveled || !is_compared(text, piece, COMPARISONS));
    kept.map(|piece| {
        let compared = !several && is_compared(text, piece, SOLE_COMPARISONS);
        let aside = compared || is_left(text, piece);
        Mention { aside, ..mention(piece.text, false, piece.marked) }
    })
    .collect()
}

/// A part of a line that could be a name.
struct Piece<'t> {
    text: &'t str,
    at: usize,
    /// In backticks, quotes, bold or a link.
    marked: bool,
}

/// Code spans, quotations, links, and words of a line.
fn pieces(text: &str) -> Vec<Piece<'_>> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(rest) = text.get(at..).filter(|rest| !rest.is_empty()) {
        let Some(first) = rest.chars().next() else { break };
        let enclosed = |close: char| {
            let inner = rest.get(first.len_utf8()..)?;
            let end = inner.find(close)?;
            Some((inner.get(..end)?, first.len_utf8() + end + close.len_utf8()))
        };
        let close = match first {
            '`' => Some('`'),
            '"' => Some('"'),
            '“' => Some('”'),
            '«' => Some('»'),
            '「' => Some('」'),
            _ => None,
        };
        if let Some((inner, length)) = close.and_then(enclosed) {
            let trimmed = inner.trim_matches(['`', ' ']);
            if !trimmed.is_empty() {
                found.push(Piece { text: trimmed, at, marked: true });
            }
            at += length;
            continue;
        }
        if first == '['
            && let Some((inner, length)) = enclosed(']')
            && let Some(target) = rest
                .get(length..)
                .and_then(|tail| tail.strip_prefix('('))
                .and_then(|tail| tail.split_once(')'))
                .map(|(target, _)| target)
        {
            let label = inner.trim_matches(['`', '*', ' ']);
            // A link to a web page isn't a file, regardless of its text.
            if !is_address(target) {
                let target = target.trim_start_matches("./");
                found.push(Piece {
                    text: if words::is_file_name(label) || target.is_empty() {
                        label
                    } else {
                        target
                    },
                    at,
                    marked: true,
                });
            }
            at += length + 2 + target.len();
            continue;
        }
        let length = rest
            .find([
                ' ', '\t', '<', '>', '`', '"', '“', '«', '「', '[', '，', '、', '。', '：', '（',
                '）',
            ])
            .unwrap_or(rest.len());
        if length == 0 {
            at += first.len_utf8();
            continue;
        }
        let word = rest.get(..length).unwrap_or_default();
        let trimmed = word
            .trim_matches(['*', '_', '(', ')', ',', ';', ':', '!', '?', '\'', '<', '>', '|', '#'])
            .trim_end_matches('.');
        if !trimmed.is_empty()
            && (words::is_file_name(trimmed)
                || trimmed.contains('/')
                || words::is_bare_name(trimmed))
            && !is_address(word)
        {
            found.push(Piece { text: trimmed, at, marked: false });
        }
        at += length;
    }
    found
}

fn is_address(text: &str) -> bool {
    text.contains("://")
        || text.starts_with("//")
        || text.starts_with("mailto:")
        || text.starts_with("www.")
}

/// Whether a piece can be a file name.
fn is_name(piece: &Piece) -> bool {
    let text = piece.text;
    let odd = words::is_placeholder(text)
        || text.contains(['*', '|', '=', '(', ')', ';', '<', '\n'])
        || text.contains('@') && !text.contains('/');
    let folder = text.ends_with('/');
    // In a command, words precede the file.
    let spaced = text.contains(' ') && !(piece.marked && words::is_file_name(text));
    !odd && !folder && !spaced && !is_address(text) && text.len() < 400
}

/// Whether a sentence says that a file stays as it is: ``Leave `src/a.rs` unchanged``
fn is_left(text: &str, piece: &Piece) -> bool {
    let words = |text: &str| -> Vec<String> {
        text.to_ascii_lowercase()
            .replace('’', "'")
            .split(|letter: char| !letter.is_alphanumeric() && !matches!(letter, '\'' | '-'))
            .filter(|word| !word.is_empty())
            .map(str::to_owned)
            .collect()
    };
    let ends = [". ", "! ", "? ", "; ", ", but "];
    let before = text.get(..piece.at).unwrap_or_default();
    let start = ends.iter().filter_map(|end| Some(before.rfind(end)? + end.len())).max();
    let before = words(before.get(start.unwrap_or(0)..).unwrap_or_default());
    let after = text
        .get(piece.at..)
        .and_then(|rest| rest.split_once(piece.text))
        .map_or("", |(_, after)| after.trim_start_matches(['`', '"', '”', '*', ')']));
    let end = ends.iter().filter_map(|end| after.find(end)).min().unwrap_or(after.len());
    let after = words(after.get(..end).unwrap_or_default()).join(" ");
    let is = |word: &String, known: &[&str]| known.contains(&word.as_str());
    let not = |word: &String| {
        is(word, &["not", "never", "without", "cannot", "no"]) || word.ends_with("n't")
    };
    // `do not edit`, `haven't changed`, `without touching`
    let unchanged = before
        .windows(2)
        .skip(before.len().saturating_sub(6))
        .any(|pair| matches!(pair, [no, verb] if not(no) && is(verb, CHANGES)));
    // `no changes are needed in`
    let none = before.windows(2).any(
        |pair| matches!(pair, [no, change] if is(no, &["no"]) && is(change, &["change", "changes", "edits"])),
    ) || before.windows(3).any(
        |words| matches!(words, [nothing, to, change] if is(nothing, &["nothing"]) && is(to, &["to"]) && is(change, CHANGES)),
    );
    let starts = |known: &[&str]| known.iter().any(|words| after.starts_with(words));
    let leaves = before
        .iter()
        .rev()
        .take(3)
        .any(|word| is(word, &["leave", "leaves", "leaving", "keep", "keeps"]));
    let stays = ["stays ", "remains ", "is ", "was ", "stay ", "remain "].iter().any(|verb| {
        after.strip_prefix(verb).is_some_and(|rest| {
            STAYS
                .iter()
                .chain(&["fine", "not changed", "correct"])
                .any(|word| rest.starts_with(word))
        })
    });
    let needs = starts(&[
        "needs no ",
        "need no ",
        "doesn't need ",
        "does not need ",
        "isn't changed",
        "wasn't changed",
    ]);
    unchanged || none || leaves && starts(STAYS) || stays || needs
}

/// Whether the words before a piece only compare with it, or it's in brackets.
fn is_compared(text: &str, piece: &Piece, comparisons: &[&str]) -> bool {
    let before = text
        .get(..piece.at)
        .unwrap_or_default()
        .trim_end_matches([' ', '*', '_', '('])
        .to_ascii_lowercase();
    let word = |comparison: &str| {
        before.strip_suffix(comparison).is_some_and(|rest| {
            let wished = comparison == "like" && rest.trim_end().ends_with('d');
            !wished && (rest.is_empty() || rest.ends_with(|letter: char| !letter.is_alphanumeric()))
        })
    };
    comparisons.iter().any(|comparison| word(comparison))
}

/// A path without a position in the file: `src/a.rs:12`, `src/a.rs#L1-L5`.
pub fn without_position(path: &str) -> &str {
    let digits = |text: &str| {
        !text.is_empty()
            && text.bytes().all(|byte| {
                byte.is_ascii_digit() || matches!(byte, b'-' | b',' | b'L' | b'C' | b':')
            })
    };
    if let Some((name, position)) = path.rsplit_once('#')
        && position.starts_with('L')
        && digits(position)
    {
        return name;
    }
    match path.rsplit_once(':') {
        Some((name, position)) if name.len() > 1 && digits(position) => without_position(name),
        _ => path,
    }
}

/// Possible file names in a line above a block.
pub(super) fn guesses(line: &Line) -> Vec<Path> {
    let path = |name: &str| {
        let at =
            line.span.start + (name.as_ptr() as usize).saturating_sub(line.text.as_ptr() as usize);
        Path { text: name.to_owned(), span: at..at + name.len(), inherited: false }
    };
    words::guesses(line.text.trim()).into_iter().map(path).collect()
}

/// Gives blocks without a certain name the first possible one that is the name of a file, in the
/// workspace or elsewhere in the reply.
pub(super) fn take_guesses(steps: &mut [Step], exists: &dyn Fn(&str) -> bool) {
    let named: HashSet<String> =
        steps.iter().filter_map(|step| Some(step.block.path.as_ref()?.text.clone())).collect();
    let there = |path: &str| exists(path) || exists(without_position(path));
    for step in steps.iter_mut().filter(|step| !step.names.guesses.is_empty()) {
        let plain = step.block.path.is_none();
        if step.block.path.as_ref().is_none_or(|path| !there(&path.text)) {
            let known = |path: &&Path| there(&path.text) || plain && named.contains(&path.text);
            if let Some(path) = step.names.guesses.iter().find(known) {
                step.block.path = Some(path.clone());
            }
        }
    }
}

/// Whether a block only shows some of a file that exists, or code that isn't a file.
pub(super) fn is_sample(step: &Step, exists: &dyn Fn(&str) -> bool) -> bool {
    let known = |path: &Path| exists(&path.text) || exists(without_position(&path.text));
    let unnamed = !step.names.guesses.is_empty()
        && step.block.path.is_none()
        && step.block.dialect == crate::edit::Dialect::WholeFile;
    unnamed || step.names.sampled && step.block.path.as_ref().is_some_and(known)
}

/// Sets the file of every block, or the reason why it has none.
pub(super) fn resolve(steps: Vec<Step>, exists: &dyn Fn(&str) -> bool) -> Vec<crate::edit::Block> {
    let mut last: Option<Path> = None;
    let mut blocks = Vec::new();
    for Step { mut block, names, .. } in steps {
        if block.subject != crate::edit::Subject::File {
            blocks.push(block);
            continue;
        }
        let known = |path: &str| exists(path) || exists(without_position(path));
        match block.path.take() {
            Some(path) if !path.inherited => {
                let heading = |mention: &&Mention| {
                    mention.heading
                        && !mention.aside
                        && !mention.alone
                        && !same(&mention.path, &path.text)
                        && known(&mention.path)
                };
                let other = names
                    .mentions
                    .iter()
                    .filter(|_| !names.stated)
                    .find(heading)
                    .map(|mention| mention.path.clone());
                let rival = names
                    .rivals
                    .iter()
                    .find(|rival| !same(&rival.text, &path.text) && known(&rival.text))
                    .map(|rival| rival.text.clone());
                let other = other.or(rival);
                match other {
                    Some(other) => refuse(&mut block, vec![path.text.clone(), other]),
                    None => block.path = Some(path),
                }
            }
            None if block.error == Some(Reason::AmbiguousPath) => {}
            _ => choose(&mut block, &names, last.as_ref(), &known),
        }
        if let Some(path) = &mut block.path
            && !exists(&path.text)
        {
            path.text = without_position(&path.text).to_owned();
        }
        last.clone_from(&block.path);
        blocks.push(block);
    }
    blocks
}

pub(super) fn same(one: &str, other: &str) -> bool {
    plain(one) == plain(other)
}

/// A path without a position, in the form that all systems read.
pub(super) fn plain(path: &str) -> String {
    without_position(path).trim_start_matches("./").replace('\\', "/")
}

/// Whether one name is the end of the other, so that both mean one file.
pub(super) fn is_one(one: &str, other: &str) -> bool {
    let (one, other) = (plain(one), plain(other));
    let ends = |path: &str, end: &str| {
        path.strip_suffix(end).is_some_and(|rest| rest.is_empty() || rest.ends_with('/'))
    };
    ends(&one, &other) || ends(&other, &one)
}

fn refuse(block: &mut crate::edit::Block, candidates: Vec<String>) {
    block.path = None;
    block.candidates = candidates;
    block.error = block.error.or(Some(Reason::AmbiguousPath));
}

fn choose(
    block: &mut crate::edit::Block,
    names: &Names,
    last: Option<&Path>,
    known: &dyn Fn(&str) -> bool,
) {
    let mut seen = HashSet::new();
    let distinct = |mention: &&Mention| {
        seen.insert(without_position(&mention.path).trim_start_matches("./").to_owned())
    };
    let there: Vec<&Mention> =
        names.mentions.iter().filter(|mention| !mention.aside && known(&mention.path)).collect();
    let path = |mention: &Mention| {
        Some(Path { text: mention.path.clone(), span: mention.span.clone(), inherited: false })
    };
    let only = |pick: &dyn Fn(&Mention) -> bool| {
        let mut picked = there.iter().filter(|mention| pick(mention));
        let first = picked.next()?;
        picked.all(|other| same(&other.path, &first.path)).then_some(*first)
    };
    if let Some(mention) = only(&|_| true) {
        block.path = path(mention);
        return;
    }
    if !there.is_empty() {
        let heading = only(&|mention| mention.heading);
        let chosen = only(&|mention| mention.alone).or_else(|| only(&|mention| mention.leads));
        match chosen.filter(|chosen| {
            heading.is_none_or(|heading| same(&heading.path, &chosen.path) || chosen.alone)
        }) {
            Some(mention) => block.path = path(mention),
            None if names.first.as_ref().is_some_and(|first| known(&first.text)) => {
                block.path.clone_from(&names.first);
            }
            None => refuse(
                block,
                there.into_iter().filter(distinct).map(|mention| mention.path.clone()).collect(),
            ),
        }
        return;
    }
    let named: Vec<&Mention> = names
        .mentions
        .iter()
        .filter(|mention| {
            mention.shaped
                && !mention.aside
                && (mention.alone
                    || (mention.leads || mention.heading)
                        && (mention.marked || mention.path.contains('/')))
        })
        .collect();
    if let Some(mention) =
        named.last().filter(|last| named.iter().all(|other| same(&other.path, &last.path)))
    {
        block.path = path(mention);
        return;
    }
    // Another file, even if only its name is mentioned.
    let other = |mention: &Mention| {
        let (path, last) = (without_position(&mention.path), last.map_or("", |last| &last.text));
        let name = path.trim_start_matches("./");
        let ends =
            last.strip_suffix(name).is_some_and(|rest| rest.is_empty() || rest.ends_with('/'));
        !ends && !words::is_product(path)
    };
    let unclear = names.mentions.iter().any(|mention| {
        mention.shaped && (mention.path.contains('/') || other(mention))
            || mention.aside && known(&mention.path) && other(mention)
    });
    match last.filter(|_| names.inherits && !unclear) {
        Some(path) => {
            block.path = Some(Path { inherited: true, ..path.clone() });
            if !block.warnings.contains(&Warning::InheritedPath) {
                block.warnings.push(Warning::InheritedPath);
            }
        }
        None => block.error = block.error.or(Some(Reason::MissingPath)),
    }
}
