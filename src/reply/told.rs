//! Files that a sentence above a fence announces. Only a heading that is nothing but a name also
//! names the fence; a sentence is reported, because it may be about something else.

use super::diff::{is_diff, is_hunk};
use super::extent::extent;
use super::fence::{self, Fence};
use super::lines::Line;
use super::markdown::{Scanner, is_item, untagged};
use super::target::is_selector;
use super::{Fault, naming, shell};
use crate::edit::{Extent, Path, Reason, Split, marker, naming as words};
use crate::text::Span;

/// The most lines between a heading and the fence that it names.
const MOST_LINES: usize = 3;
/// `Unchanged:`, `(left untouched)`
const MOST_OF_A_REMARK: usize = 2;
/// A longer line about a file says more than where the code goes: `In X:`, `Then add this to X:`.
const MOST_AROUND: usize = 3;
/// Verbs of sentences that announce a file.
const MAKES: &[&str] = &["create", "creating", "created", "save", "saving"];
/// Verbs of sentences that announce all of a file, if they call it that.
const REPLACES: &[&str] =
    &["overwrite", "overwriting", "replace", "replacing", "rewrite", "rewriting", "update"];
/// Nouns that mean the same after `new`.
const NEW: &[&str] = &["class", "component", "file", "module", "script"];
/// Words of sentences about what the reader does.
const ADVICE: &[&str] = &["could", "may", "might", "should", "your"];
/// Words of sentences that quote a file, show its use or its effect.
const ASIDES: &[&str] = &[
    "aufruf",
    "beispiel",
    "bisher",
    "bug",
    "called",
    "calls",
    "cause",
    "crashes",
    "défini",
    "ejemplo",
    "existing",
    "exemple",
    "fails",
    "issue",
    "problem",
    "request",
    "response",
    "salida",
    "sortie",
    "throws",
    "today",
    "uso",
    "utilisation",
    "verwendung",
];
const SIGNS: &[&str] =
    &["e.g.", "z. B.", "z.B.", "p. ej.", "par ex", "例如", "示例", "使用", "用法", "运行", "输出"];
/// Languages of data, which often show what a program writes.
const DATA: &[&str] = &["csv", "json", "toml", "xml", "yaml", "yml"];
/// Words of sentences about output.
const RESULTS: &[&str] = &[
    "built",
    "contains",
    "generated",
    "generates",
    "look",
    "looks",
    "produced",
    "produces",
    "resulting",
    "returned",
    "returns",
    "writes",
    "written",
    "yields",
];
/// Languages whose file extensions differ from their names, with the extensions.
const LANGUAGES: &[(&str, &[&str])] = &[
    ("bash", &["sh"]),
    ("c", &["h"]),
    ("c++", &["cc", "cpp", "cxx", "h", "hpp"]),
    ("cpp", &["cc", "cxx", "h", "hpp"]),
    ("csharp", &["cs"]),
    ("elixir", &["ex", "exs"]),
    ("golang", &["go"]),
    ("javascript", &["cjs", "js", "jsx", "mjs"]),
    ("js", &["cjs", "jsx", "mjs"]),
    ("jsonc", &["json"]),
    ("jsx", &["js"]),
    ("kotlin", &["kt", "kts"]),
    ("markdown", &["md", "mdx"]),
    ("python", &["py", "pyi"]),
    ("ruby", &["rb"]),
    ("rust", &["rs"]),
    ("sh", &["bash"]),
    ("terraform", &["tf"]),
    ("ts", &["cts", "mts", "tsx"]),
    ("tsx", &["ts"]),
    ("typescript", &["cts", "mts", "ts", "tsx"]),
    ("yaml", &["yml"]),
    ("yml", &["yaml"]),
];
const NAMELESS: &str =
    "the diff doesn't name its file, so it isn't applied; write the path on the line above it";
const NEGATIONS: &[&str] = &["don't", "never", "no", "not", "without"];

impl<'t> Scanner<'t, '_> {
    /// The file that the heading of the section names, if only sentences are between it and the
    /// fence. It counts only if it doesn't exist.
    pub(super) fn section_file(&self, language: &str) -> Option<Path> {
        let mut said = 0;
        for line in self.prose.iter().rev() {
            if line.is_construct() {
                return None;
            }
            let text = line.text.trim();
            if text.is_empty() {
                continue;
            }
            if text.starts_with('#') {
                let name = words::alone(text).filter(|name| words::is_certain_in(text, name))?;
                let fits = said > 0 && !leaves(text) && is_written_in(name, language);
                return fits.then(|| self.named(line, name));
            }
            said += 1;
            let other = spans(text).any(words::is_certain) || leaves(text);
            if said > MOST_LINES || other || is_item(text) || words::shows(text) {
                return None;
            }
        }
        None
    }

    /// Reports a fence below a sentence that creates or replaces a file, or names one that would be
    /// new. Returns whether there is such a sentence.
    pub(super) fn told_file(&mut self, fence: &Fence<'t>) -> bool {
        let language = fence.language();
        let announced = self.announced();
        let fresh = announced.is_none();
        let mentioned = || self.mentioned(&language);
        let Some((span, name, leads)) = announced
            .map(|(span, name)| (span, name, true))
            .or_else(mentioned)
            .or_else(|| self.headed(&language))
        else {
            return false;
        };
        if shell::LANGUAGES.contains(&language.as_str()) && !shell::is_script(&name) {
            return false;
        }
        let message = format!(
            "the sentence may say that what follows is `{name}`; write only the name on the line \
             above the fence to make it that file"
        );
        let fault = Fault::new(span, Reason::MissingPath, message);
        let fault = Fault { file: Some(name), fresh, ..fault };
        let line = self.line_above();
        let whole =
            line.is_some_and(|line| extent(std::slice::from_ref(line), "") == Extent::Whole);
        if leads {
            self.draft.faults.push(fault.clone());
        }
        if whole || !leads {
            self.draft.notices.push(Fault { fresh: fresh && !whole, ..fault });
        }
        true
    }

    /// Reports that something may be an edit.
    fn notice(&mut self, span: Span, file: Option<String>, message: impl Into<String>) {
        let fault = Fault::new(span, Reason::MissingPath, message);
        self.draft.notices.push(Fault { file, ..fault });
    }

    /// Reports a fence with changed lines whose file nothing names.
    pub(super) fn nameless_diff(&mut self, fence: &Fence<'t>, body: &[Line<'t>]) {
        if body.iter().any(|line| line.text.starts_with(['+', '-'])) {
            let lines = |sign: char| {
                let lines = body.iter().filter_map(|line| line.text.strip_prefix(sign));
                lines.flat_map(|line| [line, "\n"]).collect::<String>()
            };
            let change = Some(Box::new(Split::new(lines('-'), lines('+'))));
            let span = self.span(fence.open, fence.open + 1);
            let fault = Fault::new(span, Reason::MissingPath, NAMELESS);
            self.draft.notices.push(Fault { change, ..fault });
        }
    }

    /// Reports the hunk of a diff that isn't in a fence and has no header.
    pub(super) fn nameless_hunk(&mut self, at: usize) {
        if is_hunk(self.text_of(at)) && self.text_of(at + 1).starts_with(['+', '-', ' ']) {
            self.notice(self.span(at, at + 1), None, NAMELESS);
        }
    }

    /// Reports a fence whose file a comment names below the lines that must come first. Returns
    /// whether there is such a comment.
    pub(super) fn named_late(&mut self, fence: &Fence<'t>, language: &str) -> bool {
        let Some((line, name)) = fence::late_name(&self.lines, &fence.body) else { return false };
        if shell::LANGUAGES.contains(&language) && !shell::is_script(name) {
            return false;
        }
        let message = format!(
            "the comment may say that this is `{name}`; write only the name on the line above the \
             fence to make it that file"
        );
        self.notice(self.span(line, line + 1), Some(name.to_owned()), message);
        true
    }

    /// Reports a line right below a fence that is nothing but the name of a file.
    pub(super) fn caption(&mut self, at: usize, to: usize) {
        let Some((start, language)) = self.uncaptioned.take() else { return };
        let mut above = self.prose.iter().rev().take(2);
        if !above.any(|line| line.is_construct() && line.span.start == start) {
            return;
        }
        let text = untagged(self.text_of(at));
        let leads = text.starts_with('#') || is_item(text) && !text.starts_with('*');
        let fits = |name: &&str| language.is_empty() || fits(name, &language);
        let certain = |name: &&str| words::is_certain_in(text, name);
        let name = words::alone(text).filter(certain).filter(fits);
        let Some(name) = name.filter(|_| !leads && !text.ends_with([':', '：'])) else { return };
        let next = (at + 1..to).find(|index| !self.text_of(*index).trim().is_empty());
        // The name may be the title of what follows.
        self.open |= next.is_none();
        let text = next.map_or("", |next| self.text_of(next));
        let begins = marker(text).is_some() || is_diff(&self.lines, next.unwrap_or(to));
        if begins || fence::opener(text).is_some() || text.trim_start().starts_with(['<', '{']) {
            return;
        }
        let message = format!(
            "the fence above may be `{name}`; write only the name on the line above the fence to \
             make it that file"
        );
        self.notice(self.span(at, at + 1), Some(name.to_owned()), message);
    }

    /// The only file in the line right above, if a fence in this language can be that file:
    /// ``### Taxes (`src/tax.py`)``. A longer sentence may be about something else.
    fn mentioned(&self, language: &str) -> Option<(Span, String, bool)> {
        let line = self.line_above()?;
        let mut found = naming::mentions(std::slice::from_ref(line)).into_iter();
        let mention = found.next().filter(|mention| !mention.aside)?;
        let name = naming::without_position(&mention.path);
        let said = line.text.replacen(&mention.path, "", 1);
        let words = super::prose::words_of(&said);
        let is = |known: &[&str]| words.iter().any(|word| known.contains(&word.as_str()));
        let text = line.text.trim();
        let leads = text.starts_with('#')
            || text.trim_end_matches([':', '.', '*', '_', ' ']).ends_with([')', ']', '）', '】'])
            || words.len() <= MOST_AROUND;
        let aside = words::shows(&said)
            || verbs(&words).any(|effect| effect)
            || is(ASIDES)
            || !leads && is(ADVICE)
            || SIGNS.iter().any(|sign| said.contains(sign))
            || said.trim_end().ends_with(['?', '？'])
            || leaves(&said);
        let other = found.any(|other| other.path != mention.path);
        let result = DATA.contains(&language) && is(RESULTS);
        let counts = words::is_certain(name) && fits(name, language);
        (counts && !aside && !other && !result)
            .then(|| (line.span.start..line.end(), name.to_owned(), leads))
    }

    /// The new file that the heading of the section announces, if only sentences are between it and
    /// the fence.
    fn headed(&self, language: &str) -> Option<(Span, String, bool)> {
        let prose = self.prose.iter().rev().take_while(|line| !line.is_construct());
        let mut lines = prose.filter(|line| !line.is_blank()).take(MOST_LINES + 1);
        let heading = lines.find(|line| {
            let text = line.text.trim();
            text.starts_with('#') || spans(text).any(words::is_certain) || words::shows(text)
        })?;
        let said = super::prose::words_of(heading.text);
        let makes = verbs(&said).any(|effect| !effect) || said.iter().any(|word| word == "new");
        let mut found = naming::mentions(std::slice::from_ref(heading)).into_iter();
        let name = found.next().filter(|mention| !mention.aside)?.path;
        let alone = found.next().is_none() && words::is_certain(&name) && fits(&name, language);
        let announces = heading.text.starts_with('#') && makes && alone;
        announces.then(|| (heading.span.start..heading.end(), name, false))
    }

    /// The file that the line right above announces: ``Create a new file `src/a.py`:``
    fn announced(&self) -> Option<(Span, String)> {
        let line = self.line_above()?;
        let mut names = spans(line.text).filter(|code| words::is_certain(code));
        let name = names.next().filter(|_| names.next().is_none())?;
        let (before, _) = line.text.split_once(name)?;
        // The last sentence alone.
        let before = before.rsplit(['.', ';', '!', '?']).next().unwrap_or(before);
        let said = super::prose::words_of(before);
        let is = |word: &String, known: &[&str]| known.contains(&word.as_str());
        let makes = verbs(&said).any(|effect| !effect)
            || said
                .windows(2)
                .any(|pair| matches!(pair, [new, kind] if new == "new" && is(kind, NEW)));
        let whole = extent(std::slice::from_ref(line), "") == Extent::Whole;
        let denied = line.text.contains("n't ") || said.iter().any(|word| is(word, NEGATIONS));
        let announces = makes || whole && said.iter().any(|word| is(word, REPLACES));
        (announces && !denied && !words::shows(&line.text.replacen(name, "", 1)))
            .then(|| (line.span.start..line.end(), name.to_owned()))
    }

    /// A name that is part of a line.
    fn named(&self, line: &Line<'t>, name: &str) -> Path {
        let at =
            line.span.start + (name.as_ptr() as usize).saturating_sub(line.text.as_ptr() as usize);
        Path { text: name.to_owned(), span: at..at + name.len(), inherited: false }
    }
}

/// The verbs that make a file, and whether a program does what each says.
fn verbs(said: &[String]) -> impl Iterator<Item = bool> {
    let makes = said.iter().enumerate().filter(|(_, word)| MAKES.contains(&word.as_str()));
    makes.map(|(at, _)| is_effect(said, at))
}

/// Whether a program does what a verb says: `The script will create`
fn is_effect(said: &[String], verb: usize) -> bool {
    let mut before = said.iter().take(verb).rev().map(String::as_str).peekable();
    let mut would = false;
    while before
        .next_if(|word| ["also", "can", "may", "then", "will", "would"].contains(word))
        .is_some()
    {
        would = true;
    }
    would && before.next().is_some_and(|subject| !["i", "we", "you"].contains(&subject))
}

/// Whether a line says that its file stays as it is: `You don't have to change it.`
fn leaves(text: &str) -> bool {
    let said = super::prose::words_of(text);
    let is = |known: &[&str]| said.iter().any(|word| known.contains(&word.as_str()));
    let denied = text.contains("n't ") || text.contains("n’t ") || is(NEGATIONS);
    let itself = is(&["anything", "file", "it", "nothing"]);
    let addressed = is(&["need", "you"]) && itself;
    let stays = is(&["unchanged", "untouched"]) && (itself || said.len() <= MOST_OF_A_REMARK);
    let shown = said.ends_with(&["for".to_owned(), "reference".to_owned()]);
    stays || shown || denied && addressed && is(&["change", "edit", "modify", "touch"])
}

/// Whether a file at this path can be in this language.
fn fits(path: &str, language: &str) -> bool {
    let name = path.rsplit(['/', '\\']).next().unwrap_or(path);
    if words::is_bare_name(name) || name.starts_with('.') {
        return !matches!(language, "text" | "txt" | "plaintext" | "output" | "log" | "http")
            && !is_selector(name, language);
    }
    let extension = name.rsplit_once('.').map_or("", |(_, extension)| extension);
    let ends = LANGUAGES.iter().find(|(name, _)| *name == language).map(|(_, ends)| *ends);
    extension == language || ends.is_some_and(|ends| ends.contains(&extension))
}

/// Whether a fence in this language can be this file: data and output often follow a sentence.
fn is_written_in(path: &str, language: &str) -> bool {
    let extension = path.rsplit_once('.').map_or("", |(_, extension)| extension);
    match language {
        "" | "text" | "txt" | "plaintext" | "output" | "log" | "http" | "csv" | "diff" => false,
        "json" | "yaml" | "yml" | "xml" | "html" | "sql" | "toml" | "css" => {
            extension == language
                || matches!((extension, language), ("yml", "yaml") | ("yaml", "yml"))
        }
        _ => true,
    }
}

/// The code spans of a line.
fn spans(text: &str) -> impl Iterator<Item = &str> {
    text.split('`').skip(1).step_by(2).map(str::trim)
}
