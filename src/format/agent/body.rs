//! What the body of an agent file mentions: arguments, files, imports, tools. Each section is read
//! once, and its mentions are cached with it.

use std::sync::{Arc, LazyLock};

use memchr::memmem;
use rustc_hash::FxHashMap;

use super::commands::{self, Command};
use crate::markdown::{BlockKind, SectionKind};
use crate::source::{Placed, Source};
use crate::text::Span;

/// The mentions in a section. Offsets count from its start.
#[derive(Debug, Default, PartialEq)]
pub struct Mentions {
    pub dollars: Vec<Dollar>,
    /// `$ARGUMENTS`.
    pub all: bool,
    /// Paths in code that begin with one of the folders that skills bundle.
    pub bundled: Vec<Bundled>,
    /// Paths after `${CLAUDE_SKILL_DIR}/`, in code or not.
    pub placed: Vec<Bundled>,
    /// Scripts and targets that commands in code name.
    pub commands: Vec<Command>,
    /// `` `@path` ``, and the path.
    pub quoted: Vec<(Span, String)>,
    /// `@path` outside of code.
    pub imports: Vec<Imported>,
    /// `#tool:name`.
    pub tools: Vec<(Span, String)>,
    /// `` !`command` ``.
    pub shell: Vec<Span>,
    /// Fences whose lines run: those that begin with ```` ```! ````.
    pub shell_blocks: Vec<Span>,
    /// `` !`command` `` after a character that keeps it from running.
    pub glued: Vec<Span>,
    /// Characters that readers can't see, and that change what a model reads.
    pub hidden: Vec<Span>,
    /// The first line of an unclosed fence at the end of the section.
    pub open_fence: Option<Span>,
}

/// `$1` with its number.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Dollar {
    pub span: Span,
    pub number: u32,
    pub code: bool,
    /// It's an argument of the command: not one of a shell function that the code defines, no field in
    /// a program for `awk` or a similar tool, and no number that the text says not to use.
    pub argument: bool,
}

/// A path after an at sign.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Imported {
    /// With the sign.
    pub span: Span,
    pub path: String,
    /// Punctuation follows without a space: clients that read up to a space include it in the path.
    pub glued: bool,
}

/// A path of a bundled file, and whether a command runs it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Bundled {
    pub span: Span,
    pub path: String,
    pub runs: bool,
    /// Its line is about an example.
    pub example: bool,
}

/// Folders that skills bundle files in.
pub const FOLDERS: &[&str] = &["scripts/", "references/", "assets/", "templates/", "resources/"];

/// The prefix of paths from the folder of the skill.
static SKILL_FOLDER: LazyLock<memmem::Finder> =
    LazyLock::new(|| memmem::Finder::new("${CLAUDE_SKILL_DIR}/"));

/// Most sections mention nothing, and there can be very many.
static NOTHING: LazyLock<Arc<Mentions>> = LazyLock::new(Arc::default);

/// All sections of the body with their mentions.
pub fn mentions(source: &Source) -> impl Iterator<Item = (Placed<'_>, Arc<Mentions>)> {
    source.sections().filter(|placed| !matches!(placed.section.kind, SectionKind::Front(_))).map(
        |placed| {
            let kept = placed.section.memo.share(|| {
                let found = read(source, placed);
                if found == **NOTHING { Arc::clone(&NOTHING) } else { Arc::new(found) }
            });
            (placed, kept)
        },
    )
}

fn read(source: &Source, placed: Placed) -> Mentions {
    let text = source.section_text(placed);
    let text = text.as_ref();
    let blocks = &source.blocks(placed).blocks;
    let mut found = Mentions::default();
    let fenced: Vec<&Span> = blocks
        .iter()
        .filter(|block| matches!(block.kind, BlockKind::Code { .. }))
        .map(|block| &block.span)
        .collect();
    let spans = code_spans(text, &fenced);
    let in_code = |at: usize| holder(&fenced, at).is_some() || holder(&spans, at).is_some();
    let functions: Vec<Span> = fenced.iter().filter_map(|block| function(text, block)).collect();
    let is_argument = |at: usize| {
        let before = around(text, at).0;
        let is_field = in_code(at) && is_field(before);
        holder(&functions, at).is_none() && !is_field && !is_refused(before)
    };
    dollars(text, &in_code, &is_argument, &mut found);
    for span in &spans {
        let inside = span.start + 1..span.end.saturating_sub(1);
        // The target of a link is checked with the link.
        let is_link = text.get(..span.start).is_some_and(|before| before.ends_with('['))
            && text.get(span.end..).is_some_and(|after| after.starts_with("]("));
        if !is_link {
            bundled(text, inside.clone(), false, &mut found);
        }
        let named = commands::read(text, inside.clone());
        if !named.is_empty() && !is_example(around(text, span.start).1) {
            found.commands.extend(named);
        }
        let written = text.get(inside).and_then(|code| code.strip_prefix('@'));
        if let Some(path) = written.filter(|path| !path.contains(is_end)) {
            found.quoted.push((span.clone(), path.to_owned()));
        }
    }
    for span in &fenced {
        let shell = is_shell(text.get((*span).clone()).unwrap_or_default());
        bundled(text, (*span).clone(), !shell, &mut found);
        if shell {
            found.commands.extend(commands::read(text, (*span).clone()));
        }
    }
    after_variable(text, &mut found);
    let runs = |block: &Span| {
        let line = text.get(block.clone()).and_then(|code| code.lines().next());
        line.is_some_and(|line| line.trim() == "```!")
    };
    found.shell_blocks =
        fenced.iter().filter(|block| runs(block)).map(|block| (*block).clone()).collect();
    words(text, &in_code, &mut found);
    hidden(text, &mut found);
    let struck = |at: usize| holder(&source.blocks(placed).struck, at).is_some();
    found.bundled.retain(|path| !struck(path.span.start));
    found.placed.retain(|path| !struck(path.span.start));
    found.commands.retain(|command| !struck(command.span.start));
    found.open_fence = blocks
        .iter()
        .rfind(|block| matches!(block.kind, BlockKind::Code { info: Some(_) }))
        .and_then(|block| open_fence(text, &block.span));
    found
}

/// The span that contains an offset, if any; the spans are in order.
pub(super) fn holder<S: std::borrow::Borrow<Span>>(spans: &[S], at: usize) -> Option<&Span> {
    let after = spans.partition_point(|span| span.borrow().start <= at);
    let last = spans.get(after.checked_sub(1)?)?.borrow();
    last.contains(&at).then_some(last)
}

/// The starts of runs of backticks, by their lengths.
fn runs(text: &str) -> FxHashMap<usize, Vec<usize>> {
    let mut found: FxHashMap<usize, Vec<usize>> = FxHashMap::default();
    let mut last = 0..0;
    for at in memchr::memchr_iter(b'`', text.as_bytes()) {
        if at != last.end {
            found.entry(last.len()).or_default().push(last.start);
            last = at..at;
        }
        last.end += 1;
    }
    found.entry(last.len()).or_default().push(last.start);
    found
}

/// Code spans, backticks included, outside of code blocks.
pub(super) fn code_spans(text: &str, fenced: &[&Span]) -> Vec<Span> {
    let bytes = text.as_bytes();
    let runs = runs(text);
    let is_blank = |at: &usize| {
        let rest = bytes.get(at + 1..).unwrap_or_default();
        rest.starts_with(b"\n") || rest.starts_with(b"\r\n")
    };
    let mut blank_lines = memchr::memchr_iter(b'\n', bytes).filter(is_blank).peekable();
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(start) =
        memchr::memchr(b'`', bytes.get(at..).unwrap_or_default()).map(|offset| at + offset)
    {
        if let Some(block) = holder(fenced, start) {
            at = block.end;
            continue;
        }
        let ticks =
            bytes.get(start..).unwrap_or_default().iter().take_while(|byte| **byte == b'`').count();
        at = start + ticks;
        while blank_lines.next_if(|blank| *blank < at).is_some() {}
        let same = runs.get(&ticks).map(Vec::as_slice).unwrap_or_default();
        let close = same.get(same.partition_point(|run| *run < at)).copied();
        // A code span can't contain a blank line.
        if let Some(close) =
            close.filter(|close| blank_lines.peek().is_none_or(|blank| blank >= close))
        {
            found.push(start..close + ticks);
            at = close + ticks;
        }
    }
    found
}

/// Whether a `$1` after this part of a line is a field or a group of another program.
fn is_field(before: &str) -> bool {
    const PROGRAMS: &[&str] = &["awk ", "perl -", "sed ", "gsub("];
    PROGRAMS.iter().any(|program| before.contains(program)) && before.contains(['\'', '"'])
}

/// Whether a `$1` after this part of a line is one that the text says not to use: in `$ARGUMENTS, not
/// $1 or $2`, both numbers.
fn is_refused(before: &str) -> bool {
    let is_number = |word: &str| {
        let digits = word.strip_prefix('$').unwrap_or_default();
        !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())
    };
    let is_between = |word: &&str| word.is_empty() || matches!(*word, "or" | "and" | "nor");
    let around = |letter: char| !letter.is_alphanumeric() && letter != '$';
    let mut words = before.split_whitespace().rev().map(|word| word.trim_matches(around));
    let word = words.find(|word| !is_between(word) && !is_number(word)).unwrap_or_default();
    let refuses = match word.to_ascii_lowercase().as_str() {
        "not" | "never" => true,
        "of" => words.next() == Some("instead"),
        "than" => words.next() == Some("rather"),
        _ => false,
    };
    refuses && words.any(|word| word.starts_with('$'))
}

/// The part of a code block that may be in a shell function.
fn function(text: &str, block: &Span) -> Option<Span> {
    let code = text.get(block.clone())?;
    let at = ["() {", "(){", "()\n{"].iter().filter_map(|head| code.find(head)).min()?;
    Some(block.start + at..block.end)
}

fn dollars(
    text: &str,
    in_code: &dyn Fn(usize) -> bool,
    is_argument: &dyn Fn(usize) -> bool,
    found: &mut Mentions,
) {
    for start in memchr::memchr_iter(b'$', text.as_bytes()) {
        let before = text.get(..start).unwrap_or_default();
        let rest = text.get(start + 1..).unwrap_or_default();
        if before.ends_with('\\') {
            continue;
        }
        found.all |= rest.starts_with("ARGUMENTS");
        let digits =
            rest.len() - rest.trim_start_matches(|letter: char| letter.is_ascii_digit()).len();
        let after = rest.get(digits..).and_then(|after| after.chars().next());
        let ends = after.is_none_or(|letter| !(letter.is_alphanumeric() || letter == '_'));
        if let (true, Some(Ok(number))) = (digits > 0 && ends, rest.get(..digits).map(str::parse)) {
            found.dollars.push(Dollar {
                span: start..start + 1 + digits,
                number,
                code: in_code(start),
                argument: is_argument(start),
            });
        }
    }
}

/// Whether a code block is shell code, or has no language.
fn is_shell(block: &str) -> bool {
    let first = block.lines().next().unwrap_or_default().trim().trim_start_matches(['`', '~']);
    let language = first.split([' ', '{']).next().unwrap_or_default().trim();
    matches!(language, "" | "sh" | "bash" | "shell" | "zsh" | "console" | "shell-session")
}

/// Words that end a path.
fn is_end(letter: char) -> bool {
    letter.is_whitespace()
        || matches!(
            letter,
            '`' | '"' | '\'' | '(' | ')' | '[' | ']' | ',' | ';' | '|' | '<' | '>' | '='
        )
}

/// Words of lines that show what paths look like.
const EXAMPLES: &[&str] = &[
    "example",
    "Example",
    "e.g.",
    "such as",
    "for instance",
    "would ",
    "could ",
    "short form",
    "[text](",
    "✅",
    "❌",
];

fn is_example(line: &str) -> bool {
    EXAMPLES.iter().any(|word| line.contains(word))
}

/// Words before a file that a skill is about to write.
const MADE: &[&str] = &["save", "write ", "creat", "generat", "output", "paste", "store "];
/// Placeholder names.
const SHOWN: &[&str] = &[
    "filename",
    "example",
    "file.",
    "name.",
    "foo",
    "bar.",
    "xxx",
    "your",
    "my_",
    "my-",
    "x.",
    "script_name",
    "script-name",
    "script.",
    "tool.",
    // "File name" in other languages.
    "檔名",
    "文件名",
    "ファイル名",
    "파일명",
    "파일이름",
    "nombre",
    "dateiname",
    "имя",
];

/// Whether a line is about the changes of a version: it begins with a version number or a date.
fn is_version(line: &str) -> bool {
    let line = line.trim_start_matches([' ', '|', '-', '*', '#', '[', '`']);
    let word = line.split([' ', '|', ':', ']', '*', '`']).next().unwrap_or_default();
    let number = word.strip_prefix(['v', 'V']).unwrap_or(word);
    number.matches(['.', '-']).count() >= 2
        && number.bytes().all(|byte| byte.is_ascii_digit() || matches!(byte, b'.' | b'-'))
        && number.starts_with(|letter: char| letter.is_ascii_digit())
}

/// The bytes of a line to read before and after the start of a word. Lines can be very long.
const AROUND: usize = 512;

/// The line around an offset: the part before it, and the whole line.
fn around(text: &str, at: usize) -> (&str, &str) {
    let near = text.floor_char_boundary(at.saturating_sub(AROUND));
    let before = text.get(near..at).unwrap_or_default();
    let start = before.rfind('\n').map_or(near, |line| near + line + 1);
    let end = text.floor_char_boundary((at + AROUND).min(text.len()));
    let line = text.get(start..end).and_then(|rest| rest.lines().next()).unwrap_or_default();
    (text.get(start..at).unwrap_or_default(), line)
}

/// The start of a word, up to the length of any name.
fn near(text: &str) -> &str {
    text.get(..text.floor_char_boundary(AROUND.min(text.len()))).unwrap_or_default()
}

/// Programs that run the file after them.
const RUNNERS: &[&str] = &[
    "python", "python3", "bash", "sh", "node", "deno", "bun", "ruby", "uv", "run", "npx", "tsx",
    "perl", "zsh", "source",
];

/// Whether a file can be run by its path.
fn is_program(name: &str) -> bool {
    let ending = name.rsplit_once('.').map_or("", |(_, ending)| ending);
    matches!(ending, "sh" | "bash" | "zsh" | "py" | "js" | "mjs" | "ts" | "rb" | "pl" | "ps1")
}

/// Commands that create the last file that they name, and commands that create all of them.
const COPIES: &[&str] = &["cp", "mv", "ln"];
const MAKES: &[&str] = &["touch", "tee"];

/// Whether a command creates the file after `before`.
fn makes(before: &str) -> bool {
    let mut words = before.split_whitespace().filter(|word| !word.starts_with('-'));
    let command = words.next().unwrap_or_default().trim_start_matches('`');
    MAKES.contains(&command) || COPIES.contains(&command) && words.next().is_some()
}

/// Whether code changes to another folder, which later names are relative to.
fn changes_folder(code: &str) -> bool {
    let words = |line: &str| {
        let line = line.trim_start_matches([' ', '\t', '$', '>']);
        line.starts_with("cd ") || line.starts_with("pushd ")
    };
    code.lines().any(|line| line.split(['&', ';']).any(words))
}

/// Finds paths of bundled files in code. `shows`: the code is in a language that only shows them.
fn bundled(text: &str, within: Span, shows: bool, found: &mut Mentions) {
    let Some(inside) = text.get(within.clone()) else { return };
    for slash in memchr::memchr_iter(b'/', inside.as_bytes()) {
        let until = inside.get(..=slash).unwrap_or_default();
        let Some(before) = FOLDERS.iter().find_map(|folder| until.strip_suffix(folder)) else {
            continue;
        };
        let before = before.strip_suffix("./").unwrap_or(before);
        if before.ends_with(|letter| !is_end(letter)) {
            continue;
        }
        let rest = inside.get(before.len()..).unwrap_or_default();
        let word = rest.split(is_end).next().unwrap_or_default();
        found.bundled.extend(bundled_at(text, &within, within.start + before.len(), word, shows));
    }
}

/// Finds paths from the folder of the skill.
fn after_variable(text: &str, found: &mut Mentions) {
    for at in SKILL_FOLDER.find_iter(text.as_bytes()) {
        let start = at + SKILL_FOLDER.needle().len();
        let word = near(text.get(start..).unwrap_or_default()).split(is_end).next();
        let path = word.unwrap_or_default().trim_end_matches(['.', ':', '!', '?', '*']);
        let (before, line) = around(text, at);
        let name = path.rsplit('/').next().unwrap_or_default();
        if !is_literal(path.trim_start_matches("../")) || !is_file(name) {
            continue;
        }
        let example = makes(before)
            || before.trim_end().ends_with('>')
            || MADE.iter().any(|word| before.to_lowercase().contains(word))
            || is_version(line)
            || is_example(line)
            || SHOWN.iter().any(|stem| name.starts_with(stem));
        let (span, runs) = (start..start + path.len(), is_program(name));
        found.placed.push(Bundled { span, path: path.to_owned(), runs, example });
    }
}

/// Whether a path has no placeholders or `..`.
fn is_literal(path: &str) -> bool {
    !path.contains(['*', '{', '}', '$', '…', '\\', '%', '?'])
        && !path.contains("..")
        && !path.contains("//")
}

/// Whether a name is that of a file: it has an extension.
fn is_file(name: &str) -> bool {
    name.split_once('.')
        .is_some_and(|(stem, ending)| !stem.is_empty() && !ending.is_empty() && ending.len() <= 8)
}

/// The file that a word at `start` names, if it is one.
fn bundled_at(text: &str, within: &Span, start: usize, word: &str, shows: bool) -> Option<Bundled> {
    let path = word.strip_prefix("./").unwrap_or(word);
    let shift = word.len() - path.len();
    let path = path.split('#').next().unwrap_or_default().trim_end_matches(['.', ':']);
    let name = path.rsplit('/').next().unwrap_or_default();
    if !is_literal(path) || !is_file(name) {
        return None;
    }
    let (before, line) = around(text, start);
    let runs = before
        .split_whitespace()
        .next_back()
        .is_some_and(|runner| RUNNERS.contains(&runner.trim_start_matches('`')))
        || word.starts_with("./") && is_program(name);
    // The file is in the code of a project, or in another skill: `` `cook` skill
    // `references/oven.md` ``.
    let named = before.trim_end_matches('`').trim_end();
    let other = named.ends_with("skill") || named.ends_with(['→', '›', '»']);
    let elsewhere = before.contains("import ") || other || makes(before);
    let before = before.to_lowercase();
    // A script that isn't run may be one of the project.
    let elsewhere = elsewhere || !runs && path.starts_with("scripts/");
    let made = elsewhere || !runs && MADE.iter().any(|word| before.contains(word));
    let example = made
        || shows
        || text.get(within.start..start).is_some_and(changes_folder)
        || is_version(line)
        || is_example(line)
        || SHOWN.iter().any(|stem| name.starts_with(stem));
    Some(Bundled {
        span: start + shift..start + shift + path.len(),
        path: path.to_owned(),
        runs,
        example,
    })
}

fn words(text: &str, in_code: &dyn Fn(usize) -> bool, found: &mut Mentions) {
    for at in memchr::memchr3_iter(b'@', b'#', b'!', text.as_bytes()) {
        let rest = text.get(at..).unwrap_or_default();
        let before = text.get(..at).and_then(|before| before.chars().next_back());
        let begins = before.is_none_or(char::is_whitespace);
        if let (true, Some(path)) = (begins, rest.strip_prefix('@')) {
            let whole = path.split(char::is_whitespace).next().unwrap_or_default();
            let path = whole.split(is_end).next().unwrap_or_default();
            let path =
                path.trim_end_matches(['.', ':', '!', '?', '*', '。', '，', '、', '：', '；']);
            if !path.is_empty() && !in_code(at) {
                let after = whole.get(path.len()..).and_then(|rest| rest.chars().next());
                found.imports.push(Imported {
                    span: at..at + 1 + path.len(),
                    path: path.to_owned(),
                    glued: after.is_some_and(|letter| ".,:;!?)。，、：；".contains(letter)),
                });
            }
        } else if let Some(tool) = rest.strip_prefix("#tool:") {
            let tool = near(tool)
                .split(|letter| is_end(letter) || letter == '#')
                .next()
                .unwrap_or_default()
                .trim_end_matches(['.', ':', '*', '/']);
            if !tool.is_empty() && !in_code(at) {
                found.tools.push((at..at + 6 + tool.len(), tool.to_owned()));
            }
        } else if begins
            && rest.starts_with("!`")
            && rest.get(2..).is_some_and(|rest| rest.contains('`') && !rest.starts_with('`'))
        {
            found.shell.push(at..at + 2);
        } else if before.is_some_and(|letter| letter.is_alphanumeric() || "=:(".contains(letter))
            && rest.strip_prefix("!`").is_some_and(|rest| {
                rest.lines().next().is_some_and(|line| !line.starts_with('`') && line.contains('`'))
            })
            && !in_code(at)
        {
            found.glued.push(at..at + 2);
        }
    }
}

/// Finds controls that change the direction of text, and tags that spell invisible letters. Flags
/// consist of tags, too.
fn hidden(text: &str, found: &mut Mentions) {
    if text.is_ascii() {
        return;
    }
    let mut flag = false;
    for (at, letter) in text.char_indices() {
        let tag = matches!(letter, '\u{e0000}'..='\u{e007f}');
        flag = letter == '\u{1f3f4}' || flag && tag;
        let turns = matches!(letter, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
        if !(turns || tag && !flag) {
            continue;
        }
        match found.hidden.last_mut() {
            Some(last) if last.end == at => last.end = at + letter.len_utf8(),
            _ => found.hidden.push(at..at + letter.len_utf8()),
        }
    }
}

/// The first line of a fence that isn't closed before the end of the section.
fn open_fence(text: &str, block: &Span) -> Option<Span> {
    if !text.get(block.end..)?.trim().is_empty() {
        return None;
    }
    let code = text.get(block.clone())?;
    let first = code.lines().next()?.trim();
    let mark = first.chars().next()?;
    let length = first.chars().take_while(|letter| *letter == mark).count();
    let last = code.trim_end().lines().last()?.trim().trim_start_matches(['>', ' ']);
    let closed = code.trim_end().lines().count() > 1
        && last.chars().all(|letter| letter == mark)
        && last.chars().count() >= length;
    (!closed).then(|| {
        block.start..block.start + code.lines().next().unwrap_or_default().trim_end().len()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn first(text: &str) -> (Source, Vec<(usize, Vec<String>)>) {
        let source = Source::new(text);
        let found = mentions(&source)
            .map(|(placed, found)| {
                (
                    placed.start,
                    found
                        .dollars
                        .iter()
                        .map(|dollar| {
                            text[placed.start + dollar.span.start..placed.start + dollar.span.end]
                                .to_owned()
                        })
                        .collect(),
                )
            })
            .collect();
        (source, found)
    }

    #[test]
    fn dollars_are_those_that_claude_replaces() {
        let (_, found) = first(
            "Use \\$1, ${1}, $HOME, $(pwd), x$1y, $10, `$2` 日本🦆$3.\n\n```sh\nawk '{print $4}'\n```\n",
        );
        assert_eq!(found[0].1, ["$10", "$2", "$3", "$4"]);
    }

    #[test]
    fn paths_imports_tools_and_commands() {
        let text = "Run `python scripts/a.py --x` and `references/b.md`, not `scripts/*.sh`.\r\nSee @docs/c.md. `@d.md` a@b.de #tool:search !`ls`\r\n\r\n```sh\nbash ./scripts/e.sh\n```\r\n";
        let source = Source::new(text);
        let (_, found) = mentions(&source).next().unwrap();
        assert_eq!(
            found
                .bundled
                .iter()
                .map(|path| (&text[path.span.clone()], path.runs))
                .collect::<Vec<_>>(),
            [("scripts/a.py", true), ("references/b.md", false), ("scripts/e.sh", true)]
        );
        assert_eq!(
            found
                .imports
                .iter()
                .map(|import| (&text[import.span.clone()], import.path.as_str(), import.glued))
                .collect::<Vec<_>>(),
            [("@docs/c.md", "docs/c.md", true)]
        );
        assert_eq!(found.tools[0].1, "search");
        assert_eq!(found.shell.len(), 1);
    }

    #[test]
    fn hidden_characters_and_open_fences() {
        let flag = "\u{1f3f4}\u{e0067}\u{e0062}\u{e007f}";
        for (text, hidden, open) in [
            ("a \u{202e}b", 1, false),
            ("a \u{e0041}\u{e0042}", 1, false),
            (flag, 0, false),
            ("\u{200f}עברית", 0, false),
            ("```sh\nls\n", 0, true),
            ("```sh\nls\n```\n", 0, false),
            ("````\n```\n````\n\nEnd.\n", 0, false),
            ("> ```\n> x\n> ```\n", 0, false),
        ] {
            let source = Source::new(text);
            let (_, found) = mentions(&source).next().unwrap();
            assert_eq!(
                (found.hidden.len(), found.open_fence.is_some()),
                (hidden, open),
                "{text:?}"
            );
        }
    }

    proptest::proptest! {
        #[test]
        fn spans_lie_on_characters(text in "(\\$[0-9]{0,2}|`{1,4}|@|#tool:|!`|scripts/|\\./|[a-z]{1,3}\\.py|\\r?\\n|🦆|日本|\u{202e}| ){0,40}") {
            let source = Source::new(&text);
            for (placed, found) in mentions(&source) {
                let spans = found.dollars.iter().map(|dollar| &dollar.span).chain(found.bundled.iter().map(|path| &path.span)).chain(found.imports.iter().map(|import| &import.span)).chain(&found.hidden).chain(&found.open_fence);
                for span in spans {
                    proptest::prop_assert!(text.get(placed.start + span.start..placed.start + span.end).is_some());
                }
            }
        }
    }
}
