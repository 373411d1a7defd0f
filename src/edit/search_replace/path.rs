//! The file that a block names: above its head, in the info string of its fence, in a comment or in
//! a tag.

use super::super::block::Path;
use super::announcement;
use super::filename;
pub use super::filename::{
    is_certain, is_known, is_placeholder, is_product, is_program, is_used, shows,
};
use super::{Line, Marker};

/// The number of non-blank lines to examine above a head.
const LINES_ABOVE: usize = 3;
/// Longer text isn't a name.
const LONGEST: usize = 400;
/// A name with spaces has at most this many words, unless it is quoted.
const MOST_WORDS: usize = 5;
/// A longer line isn't a name with marks, a label and a remark.
const LONGEST_LINE: usize = 1000;
/// The maximum number of words of an info string to examine for a key.
const MOST_KEYS: usize = 50;

/// Files that have no extension.
const BARE_NAMES: &[&str] = &[
    "AUTHORS",
    "BUILD",
    "Brewfile",
    "CHANGELOG",
    "CODEOWNERS",
    "COPYING",
    "Caddyfile",
    "Containerfile",
    "Dockerfile",
    "GNUmakefile",
    "Gemfile",
    "Jenkinsfile",
    "Justfile",
    "LICENCE",
    "LICENSE",
    "Makefile",
    "NOTICE",
    "Pipfile",
    "Podfile",
    "Procfile",
    "README",
    "Rakefile",
    "Snakefile",
    "Tiltfile",
    "Vagrantfile",
    "WORKSPACE",
    "justfile",
    "makefile",
];

/// Quotes and colons that aren't part of a name.
const STRANGE: [char; 7] = ['“', '”', '«', '»', '「', '」', '：'];

/// Labels of a path.
const LABELS: &[&str] = &[
    "file",
    "path",
    "filename",
    "filepath",
    "file path",
    "file name",
    "file_path",
    "target",
    "target file",
    "target_file",
    "location",
    "config file",
    "test file",
    "new file",
    "new module",
    "new script",
    "create file",
    "created file",
    "updated file",
    "modified file",
    "datei",
    "neue datei",
    "fichier",
    "nouveau fichier",
    "archivo",
    "nuevo archivo",
    "archivo nuevo",
    "crear archivo",
    "arquivo",
    "novo arquivo",
    "bestand",
    "dosya",
    "plik",
    "файл",
    "новый файл",
    "文件",
    "新文件",
    "新建文件",
    "新增文件",
    "创建文件",
    "修改文件",
    "文件名",
    "文件路径",
    "路径",
    "檔案",
    "ファイル",
    "ファイル名",
    "新規ファイル",
    "파일",
];
/// Keys of an info string whose value is the name of a file.
const KEYS: &[&str] = &["file", "filename", "filepath", "file_path", "file-path", "path", "title"];
/// Tag attributes that contain a path.
const ATTRIBUTES: &[&str] =
    &["path", "file", "filename", "file_path", "name", "src", "args", "title"];
/// Tags that contain a path.
pub const TAGS: &[&str] =
    &["path", "file_path", "filename", "file", "target_file", "filepath", "file_name"];

/// The path of the block whose head is on line `start`; lines above line `free` aren't examined.
/// `seeks`: the block has a SEARCH text, so a wrong name does no harm.
pub(super) fn find(
    lines: &[Line],
    marks: &[Option<Marker>],
    free: usize,
    start: usize,
    seeks: bool,
) -> Option<Path> {
    let above = above(lines, marks, free, start);
    let named = above.iter().find_map(|index| {
        Some((lines.get(*index)?, in_line(lines.get(*index)?.text.trim(), seeks)?))
    });
    let (line, name) = named.or_else(|| {
        above.iter().find_map(|index| {
            Some((lines.get(*index)?, announcement::path(lines.get(*index)?.text.trim())?))
        })
    })?;
    let at = line.span.start + line.text.find(name)?;
    Some(Path { text: name.to_owned(), span: at..at + name.len(), inherited: false })
}

/// The non-blank lines above a head, the nearest first.
fn above(lines: &[Line], marks: &[Option<Marker>], free: usize, start: usize) -> Vec<usize> {
    let filled = (free..start)
        .rev()
        .filter(|index| lines.get(*index).is_some_and(|line| !line.text.trim().is_empty()));
    filled
        .take_while(|index| !marks.get(*index).is_some_and(Option::is_some))
        .take(LINES_ABOVE)
        .collect()
}

/// The name in a line above a block, if the line contains nothing else.
pub fn alone_above(text: &str) -> Option<&str> {
    if is_plain(text) { alone_name(text, true) } else { None }
}

/// The name in a line with nothing else but punctuation, a label and a remark in brackets.
pub fn alone(text: &str) -> Option<&str> {
    if is_plain(text) { alone_name(text, false) } else { None }
}

/// Whether a line isn't a fence or a tag.
fn is_plain(text: &str) -> bool {
    fence(text).is_none() && (!text.starts_with('<') || text.starts_with("<!--"))
}

/// Whether a line that is nothing but this name is about a file even if it doesn't exist.
pub fn is_certain_in(text: &str, name: &str) -> bool {
    let labelled = bared(text).labelled;
    let Some((before, last)) = name.rsplit_once(char::is_whitespace) else {
        let meant = labelled || text.starts_with('`');
        let product = if meant { filename::is_title(name) } else { is_product(name) };
        let doubtful = product || is_version(name) || name.starts_with('/');
        return !product && filename::is_formed(name) || labelled && is_path(name) && !doubtful;
    };
    let delimited = labelled || text.contains(['`', '"']);
    let word = |word: &str| {
        word.starts_with(|letter: char| letter.is_uppercase() || letter.is_ascii_digit())
            || word.contains(['/', '\\'])
    };
    let titled = !last.contains(['/', '\\']) && name.split_whitespace().all(word);
    let several = before.split_whitespace().any(has_extension);
    has_extension(name)
        && is_name(name)
        && !several
        && !is_product(last)
        && !filename::is_command(name)
        && (delimited || titled && !shows(before))
}

/// Whether a line that is nothing but this name may be about a file that doesn't exist yet.
pub fn is_possible_in(text: &str, name: &str) -> bool {
    match name.split_once(char::is_whitespace) {
        Some((folder, _)) => {
            folder.contains(['/', '\\'])
                && !has_extension(folder)
                && has_extension(name)
                && is_name(name)
                && !filename::is_command(name)
        }
        // Words around a slash are a file only if they are code.
        None if !name.contains('.') => text.contains('`') && filename::is_possible(name),
        None => !is_version(name) && filename::is_possible(name),
    }
}

/// Names in a line that only count if there is such a file, the likeliest first.
pub fn guesses(text: &str) -> Vec<&str> {
    if !is_plain(text) {
        return Vec::new();
    }
    match alone_name(text, false) {
        Some(name) if name.contains(char::is_whitespace) => {
            [name].into_iter().chain(filename::labelled(name)).collect()
        }
        Some(name) => vec![name],
        None => word(text).into_iter().collect(),
    }
}

/// A line that is nothing but a word, which could be a file without an extension: `gradlew`
pub fn word(text: &str) -> Option<&str> {
    let word = bared(text).rest;
    let letter = |letter: char| letter.is_alphanumeric() || matches!(letter, '-' | '_');
    (word.len() < LONGEST && word.starts_with(char::is_alphanumeric) && word.chars().all(letter))
        .then_some(word)
}

/// `3.11`, `v1.2`
fn is_version(text: &str) -> bool {
    let rest = text.strip_prefix('v').unwrap_or(text);
    rest.starts_with(|first: char| first.is_ascii_digit())
        && rest.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.')
}

/// A name without a remark after it: `src/app.py (updated)`
pub fn without_remarks(text: &str) -> &str {
    let text = without_remark(text);
    let ends = [" - ", " – ", " — ", " -- "].iter().filter_map(|mark| text.find(mark));
    text.get(..ends.min().unwrap_or(text.len())).unwrap_or(text).trim_end()
}

/// A file name at the start of a line that says more about the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Remarked<'t> {
    pub name: &'t str,
    /// The name with the remark, unless marks show where the name ends: a file could be called that.
    pub whole: Option<&'t str>,
}

/// Where a name ends and a remark begins, and the part of it that belongs to the name.
const REMARKS: &[(&str, usize)] = &[
    (" - ", 0),
    (" – ", 0),
    (" — ", 0),
    (" -- ", 0),
    ("——", 0),
    (" (", 0),
    ("（", 0),
    ("`: ", 1),
    ("**: ", 2),
    (":** ", 3),
    ("`：", 1),
    ("**：", 2),
];

/// The name in a line such as ``### `src/a.rs` - the queue`` or `File: src/a.rs — fixed`.
pub fn remarked(text: &str) -> Option<Remarked<'_>> {
    let mut ends: Vec<usize> =
        REMARKS.iter().filter_map(|(mark, kept)| Some(text.find(mark)? + kept)).collect();
    ends.sort_unstable();
    ends.into_iter().find_map(|end| {
        let (head, remark) = text.split_at_checked(end)?;
        let name = alone(head)?;
        let marked = head.contains(['`', '"']) || head.contains("**");
        let start = (name.as_ptr() as usize).saturating_sub(text.as_ptr() as usize);
        let whole = text.get(start..)?.trim_end_matches([':', '：', ' ']);
        // `main.py - run it:`
        let leads = !marked && !head.starts_with('#') && remark.trim_end().ends_with([':', '：']);
        let named = is_file_name(name) || marked && name.contains('/');
        (named && !leads).then_some(Remarked { name, whole: (!marked).then_some(whole) })
    })
}

/// Whether this is a file name: by its extension, or a known name without one.
pub fn is_file_name(text: &str) -> bool {
    has_extension(text) || is_bare_name(text.rsplit(['/', '\\']).next().unwrap_or(text))
}

/// Whether a file contains prose or patches, which may show edits.
pub fn is_document(path: &str) -> bool {
    let extension = path.rsplit_once('.').map(|(_, end)| end.to_ascii_lowercase());
    extension.is_some_and(|end| {
        announcement::is_prose(&end) || matches!(&*end, "diff" | "patch" | "rej")
    })
}

/// A file that is known by its name alone: `Makefile`.
pub fn is_bare_name(text: &str) -> bool {
    BARE_NAMES.contains(&text)
}

fn in_line(text: &str, seeks: bool) -> Option<&str> {
    match fence(text) {
        Some(info) => in_info(info),
        None if text.starts_with('<') && !text.starts_with("<!--") => in_tag(text),
        None => alone_name(text, seeks),
    }
}

/// The info string of a fence.
fn fence(text: &str) -> Option<&str> {
    let rest = text.strip_prefix("```").or_else(|| text.strip_prefix("~~~"))?;
    Some(rest.trim_start_matches(['`', '~']).trim())
}

/// `md f.md`, `python:src/a.py`, `src/a.py`, `12:15:src/a.py`, `js title="a b.js"`
pub fn in_info(info: &str) -> Option<&str> {
    if let Some(name) = in_key(info) {
        return Some(name);
    }
    if let Some(quoted) = info.split_once("=\"").and_then(|(_, rest)| rest.split('"').next()) {
        let named = has_extension(quoted) || is_path(quoted) && !is_version(quoted);
        return named.then_some(quoted);
    }
    fn bare(word: &str) -> &str {
        let word = word.trim_matches(['{', '}', '"', '\'', '(', ')']);
        word.strip_prefix('[').and_then(|inner| inner.strip_suffix(']')).unwrap_or(word)
    }
    let keyed = info.split_whitespace().map(bare).find_map(|word| {
        let (key, path) = word.split_once('=')?;
        ATTRIBUTES.contains(&key).then(|| bare(path)).filter(|path| is_path(path))
    });
    if keyed.is_some() {
        return keyed;
    }
    let (outer, braced) = info.split_once('{').unwrap_or((info, ""));
    // Pandoc's classes and the labels of R Markdown: `{.python .numberLines}`
    if !braced.is_empty() && (braced.starts_with(['.', '#']) || braced.contains(' ')) {
        return None;
    }
    // A command, or text typed at a prompt.
    if outer.split_whitespace().any(|word| matches!(word, "$" | ">>>" | "%")) {
        return None;
    }
    // `python src/my file.py`
    let spaced = info.split_once(' ').map(|(_, rest)| rest.trim()).filter(|rest| {
        rest.split_once(' ').is_some_and(|(folder, _)| {
            folder.contains('/')
                && folder.starts_with(char::is_alphanumeric)
                && is_path(folder)
                && !has_extension(folder)
                && !folder.contains(':')
        }) && has_extension(rest)
    });
    if spaced.is_some() {
        return spaced;
    }
    let word = info.split_whitespace().next_back()?;
    let word = bare(word.rsplit_once('=').map_or(word, |(_, path)| path));
    // `python{src/a.py}`
    let word = word.rsplit_once('{').map_or(word, |(_, path)| path);
    let divided = word != info || word.contains(':');
    let path = word.split(':').find(|part| {
        part.contains('.') || divided && (part.contains('/') || BARE_NAMES.contains(part))
    })?;
    // `rust src/main.rs,editable`, `py,src/b.py`
    let path = path.split(',').find(|part| is_path(part))?;
    (is_path(path) && !path.starts_with("//") && !is_version(path) && !is_product(path))
        .then_some(path)
}

/// The name that a key of an info string states: `title="src/a.py"`, `{filename: "a.py"}`
pub fn in_key(info: &str) -> Option<&str> {
    let begins = |at: usize| {
        let before = info.get(..at).unwrap_or_default();
        before.is_empty() || before.ends_with([' ', '\t', '{', ',', '('])
    };
    let keys =
        info.char_indices().filter(|(at, letter)| letter.is_ascii_alphabetic() && begins(*at));
    keys.take(MOST_KEYS).find_map(|(at, _)| {
        let rest = info.get(at..)?;
        let (key, value) = rest.split_at_checked(rest.find(['=', ':'])?)?;
        let (key, value) = (key.trim_end(), value.get(1..)?);
        let quote = value.trim_start().chars().next().filter(|first| matches!(first, '"' | '\''));
        let value = match quote {
            Some(quote) => value.trim_start().get(1..)?.split(quote).next()?,
            None => value.trim_start().split([' ', '\t', ',', '}', ')']).next()?,
        };
        (KEYS.contains(&key) && states(key, value)).then_some(value)
    })
}

/// Whether the value of a key of an info string is the name of a file.
fn states(key: &str, value: &str) -> bool {
    if key != "title" {
        let named = has_extension(value) || is_path(value) && !is_version(value);
        return named && !value.contains("//") && !value.ends_with('/');
    }
    let path = value.contains(char::is_whitespace) && is_certain_in(&format!("`{value}`"), value);
    let plain = is_path(value) && !is_version(value) && !filename::is_title(value);
    path || plain
        && (filename::is_formed(value) || value.contains('.') && filename::is_possible(value))
}

/// `<file path="src/a.rs">`, `<path>src/a.rs</path>`
fn in_tag(text: &str) -> Option<&str> {
    let inner = text.strip_prefix('<')?;
    let attribute = |name: &&str| {
        let rest = inner.split_once(&format!(" {name}="))?.1;
        let quote = rest.chars().next().filter(|quote| matches!(quote, '"' | '\''))?;
        rest.get(1..)?.split(quote).next()
    };
    let content = || {
        let (name, rest) = inner.split_once('>')?;
        TAGS.contains(&name.trim()).then(|| rest.split('<').next().map(str::trim)).flatten()
    };
    let named = |path: &&str| is_path(path) || has_extension(path);
    ATTRIBUTES.iter().filter_map(attribute).find(named).or_else(|| content().filter(named))
}

/// A line without the marks around a name.
struct Bared<'t> {
    rest: &'t str,
    labelled: bool,
}

/// `path`, `` `path` ``, `**path**`, `### path`, `File: path`, `- path:`, `1. path`, `// path`,
/// `[path](path)`
fn bared(text: &str) -> Bared<'_> {
    let text = without_rules(text.trim_matches(is_invisible));
    let (mut rest, mut labelled) = (text, false);
    // Each mark is removed in a separate round.
    if text.len() > LONGEST_LINE {
        return Bared { rest, labelled };
    }
    loop {
        let mut next = rest
            .trim()
            .trim_start_matches(['#', '*', '`', '-', '>', ';', '%', '{'])
            .trim_start_matches("//")
            .trim_start_matches("/*")
            .trim_start_matches("<!--")
            .trim_end_matches("-->")
            .trim_end_matches("*/}")
            .trim_end_matches("*/")
            .trim_end_matches(['*', '`', ':', '：'])
            .trim()
            .trim_matches(is_invisible);
        next = without_sign(without_number(next));
        let label = next.split_once([':', '：']).filter(|(label, _)| is_label(label));
        // ``File `src/a.py` ``
        let label = label.or_else(|| next.split_once(" `").filter(|(label, _)| is_label(label)));
        if let Some((_, after)) = label {
            (next, labelled) = (after, true);
        }
        next = without_quotes(without_remark(next));
        if next == rest {
            break;
        }
        rest = next;
    }
    // A comment sign or a rooted path: both begin with a slash.
    let rooted = text.starts_with('/') && !text.starts_with("//") && !text.starts_with("/*");
    let rest = if rooted { text.trim_end_matches(':') } else { rest };
    Bared { rest: without_line(link(rest).unwrap_or(rest)), labelled }
}

fn alone_name(text: &str, seeks: bool) -> Option<&str> {
    let Bared { rest, labelled } = bared(text);
    // `**Create src/a.rs**`
    let told = |(before, name): &(&str, &str)| {
        is_path(name) && has_extension(name) && before.split(' ').all(announcement::is_word)
    };
    let bold = text.contains("**") && !text.contains('`');
    let rest = rest.rsplit_once(' ').filter(|_| bold).filter(told).map_or(rest, |(_, name)| name);
    let quoted = labelled || text.contains(['`', '"']) || text.contains("**");
    (is_path(rest) || has_extension(rest) && (quoted || seeks && is_name(rest)))
        .then_some(rest)
        .filter(|path| !path.is_empty())
}

/// Without quotes, brackets or emphasis around a name.
fn without_quotes(text: &str) -> &str {
    let pairs = [
        ('"', '"'),
        ('\'', '\''),
        ('“', '”'),
        ('‘', '’'),
        ('«', '»'),
        ('「', '」'),
        ('【', '】'),
        ('(', ')'),
        ('[', ']'),
        ('_', '_'),
    ];
    let strong = text.strip_prefix("__").and_then(|rest| rest.strip_suffix("__"));
    let inner = strong.or_else(|| {
        pairs.iter().find_map(|(open, close)| text.strip_prefix(*open)?.strip_suffix(*close))
    });
    inner
        .map(|inner| inner.trim().trim_matches(is_invisible))
        .filter(|inner| text.starts_with('"') || has_extension(inner))
        .unwrap_or(text)
}

/// Invisible characters: they aren't part of a name.
pub fn is_invisible(character: char) -> bool {
    matches!(character, '\u{200b}' | '\u{200e}' | '\u{200f}' | '\u{2060}' | '\u{feff}')
}

fn is_label(text: &str) -> bool {
    let text = text.trim_matches(['*', '_', ' ']).to_lowercase();
    // `File 2:`
    let text = text.trim_end_matches(|sign: char| sign.is_ascii_digit() || sign == ' ');
    LABELS.contains(&text)
}

/// Without the number of an item: `1. `, `2) `, `2.1 `, `A. `, `1️⃣ `
fn without_number(text: &str) -> &str {
    let Some((number, rest)) = text.split_once(' ') else { return text };
    let bare = number.trim_end_matches(['.', ')', '\u{fe0f}', '\u{20e3}']);
    let marked = bare.len() < number.len();
    let digits = |part: &str| {
        (1..=3).contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_digit())
    };
    let letter = bare.len() == 1 && bare.bytes().all(|byte| byte.is_ascii_alphabetic());
    let outline = bare.contains('.') && bare.split('.').all(digits) && has_extension(rest);
    if marked && digits(bare)
        || outline
        || marked && letter && is_path(rest.trim_end_matches([':', '*', '`']))
    {
        rest
    } else {
        text
    }
}

/// Without an emoji at the start or the end.
fn without_sign(text: &str) -> &str {
    let is_sign = |character: char| !character.is_ascii() && !character.is_alphanumeric();
    let rest = text.trim_start_matches(is_sign);
    let text =
        if rest.len() < text.len() && rest.starts_with(' ') { rest.trim_start() } else { text };
    let rest = text.trim_end_matches(is_sign);
    if rest.len() < text.len() && rest.ends_with(' ') { rest.trim_end() } else { text }
}

/// Without the rules of a line such as `=== src/a.py ===`.
fn without_rules(text: &str) -> &str {
    let ruled = |sign: &str| text.starts_with(sign) && text.ends_with(sign);
    if ruled("---") || ruled("===") { text.trim_matches(['-', '=', ' ']) } else { text }
}

/// Without a remark in brackets after a name: `(new file)`, `*(new)*`
fn without_remark(text: &str) -> &str {
    let ascii = || {
        let inner = text.trim_end_matches(['*', '_']).strip_suffix(')')?;
        let marks = [" (", " *(", " **(", " _("];
        let at = marks.iter().filter_map(|mark| inner.rfind(mark)).max()?;
        inner.split_at_checked(at)
    };
    let wide = || text.strip_suffix('）')?.rsplit_once('（');
    ascii().or_else(wide).map_or(text, |(before, _)| before.trim_end())
}

/// Without the line number after a name: `src/a.rs:12`
fn without_line(text: &str) -> &str {
    match text.rsplit_once(':') {
        Some((path, line))
            if path.len() > 1
                && !line.is_empty()
                && line.bytes().all(|byte| byte.is_ascii_digit() || byte == b'-') =>
        {
            without_line(path)
        }
        _ => text,
    }
}

/// The text of a link, if there's nothing else.
fn link(text: &str) -> Option<&str> {
    let (name, target) = text.strip_prefix('[')?.split_once("](")?;
    target.strip_suffix(')').filter(|target| !target.contains(['(', ')', ' ']))?;
    Some(name.trim_matches('`'))
}

/// Whether text without spaces may be a path.
pub(super) fn is_path(text: &str) -> bool {
    let known = BARE_NAMES.contains(&text);
    let shaped = text.contains(['.', '/', '\\']) && !text.ends_with(['.', ',', ';', '!', '?']);
    !text.is_empty()
        && text.len() < LONGEST
        && !text.contains(char::is_whitespace)
        && !text.contains(['<', '>', '|', '"', '`'])
        && !text.contains(STRANGE)
        && (known || shaped)
}

/// Whether text, possibly with spaces, ends like a file name.
fn has_extension(text: &str) -> bool {
    let plain = text.len() < LONGEST
        && text.trim() == text
        && !text.contains(['<', '>', '|', '"', '`', '\n', '*', '?'])
        && !text.contains(STRANGE);
    let name = text.rsplit(['/', '\\']).next().unwrap_or(text);
    plain
        && name.rsplit_once('.').is_some_and(|(stem, extension)| {
            !stem.is_empty() && !stem.ends_with(' ') && announcement::is_extension(extension)
        })
}

/// Whether text with spaces is a name, and not a sentence that ends with one.
fn is_name(text: &str) -> bool {
    let words: Vec<&str> = text.split_whitespace().collect();
    let said =
        |word: &&str| announcement::is_word(word) || word.ends_with([',', ':', '.', ';', '!', '?']);
    words.len() <= MOST_WORDS && !words.iter().any(said)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::growth;

    #[test]
    fn marks_around_a_name_are_removed_in_linear_time() {
        for (name, mark, after) in [("numbers", "1. ", "a.py"), ("remarks", "a.py *(x) ", "")] {
            let input = |marks: usize| format!("{}{after}", mark.repeat(marks));
            growth::is_linear(name, 2_000, input, |text| {
                std::hint::black_box(alone(&text));
            });
        }
    }

    #[test]
    fn names_in_keys_of_info_strings() {
        for (info, name) in [
            ("js title=\"web/a.js\"", "web/a.js"),
            ("js className=\"wide\" title='my b.js'", "my b.js"),
            ("php {filename: \"b.php\"}", "b.php"),
            ("{r, file=src/a.r}", "src/a.r"),
            ("meson title=meson.build", "meson.build"),
            ("js filename=\"moment.js\"", "moment.js"),
        ] {
            assert_eq!(in_key(info), Some(name), "{info}");
        }
        for info in [
            "js title=\"Node.js\"",
            "text title=\"Output\"",
            "text title=\"Output of main.py\"",
            "json title=\"/api/users\"",
            "text title=\"example.com\"",
            "js title=\"v1.2\"",
            "r fig.path=\"figures/\"",
            "sh path=$HOME",
            "js src/a.js",
        ] {
            assert_eq!(in_key(info), None, "{info}");
        }
    }
}
