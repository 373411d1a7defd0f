//! Files that a sentence above a fence announces. Only a heading that is nothing but a name also
//! names the fence; a sentence is reported, because it may be about something else.

use super::extent::extent;
use super::fence::Fence;
use super::lines::Line;
use super::markdown::{Scanner, is_item};
use super::{Fault, shell};
use crate::edit::{Extent, Path, Reason, naming as words};

/// The most lines between a heading and the fence that it names.
const MOST_LINES: usize = 3;
/// Verbs of sentences that announce a file.
const MAKES: &[&str] = &["create", "creating", "created", "save", "saving"];
/// Verbs of sentences that announce all of a file, if they call it that.
const REPLACES: &[&str] =
    &["overwrite", "overwriting", "replace", "replacing", "rewrite", "rewriting", "update"];
/// Nouns that mean the same after `new`.
const NEW: &[&str] = &["class", "component", "file", "module", "script"];
const NEGATIONS: &[&str] = &["don't", "never", "no", "not", "without"];

impl<'t> Scanner<'t, '_> {
    /// The file that the heading of the section names, if only a sentence is between it and the
    /// fence. It counts if there is no such file.
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
                let fits = said > 0 && is_written_in(name, language);
                return fits.then(|| self.named(line, name));
            }
            said += 1;
            let other = spans(text).any(words::is_certain);
            if said > MOST_LINES || other || is_item(text) || words::shows(text) {
                return None;
            }
        }
        None
    }

    /// Reports a fence below a sentence that creates or replaces a file. Returns whether it does.
    pub(super) fn told_file(&mut self, fence: &Fence<'t>) -> bool {
        let Some((span, name)) = self.announced() else { return false };
        let language = fence.language();
        if shell::LANGUAGES.contains(&language.as_str()) && !shell::is_script(&name) {
            return false;
        }
        let message = format!(
            "the sentence may say that what follows is `{name}`; write only the name on the line \
             above the fence to make it that file"
        );
        let fault = Fault { file: Some(name), ..Fault::new(span, Reason::MissingPath, message) };
        self.draft.faults.push(fault);
        true
    }

    /// The file that the line right above announces: ``Create a new file `src/a.py`:``
    fn announced(&self) -> Option<(crate::text::Span, String)> {
        let (index, line) =
            self.prose.iter().enumerate().rev().find(|(_, line)| !line.text.trim().is_empty())?;
        if self.prose.len() - index > 2 {
            return None;
        }
        let mut names = spans(line.text).filter(|code| words::is_certain(code));
        let name = names.next().filter(|_| names.next().is_none())?;
        let (before, _) = line.text.split_once(name)?;
        // The last sentence alone.
        let before = before.rsplit(['.', ';', '!', '?']).next().unwrap_or(before);
        let said = super::prose::words_of(before);
        let is = |word: &String, known: &[&str]| known.contains(&word.as_str());
        let makes =
            said.iter().enumerate().any(|(at, word)| is(word, MAKES) && !is_effect(&said, at))
                || said
                    .windows(2)
                    .any(|pair| matches!(pair, [new, kind] if new == "new" && is(kind, NEW)));
        let whole = extent(std::slice::from_ref(line), "") == Extent::Whole;
        let denied = line.text.contains("n't ") || said.iter().any(|word| is(word, NEGATIONS));
        let announces = makes || whole && said.iter().any(|word| is(word, REPLACES));
        (announces && !denied && !words::shows(line.text))
            .then(|| (line.span.start..line.end(), name.to_owned()))
    }

    /// A name that is part of a line.
    fn named(&self, line: &Line<'t>, name: &str) -> Path {
        let at =
            line.span.start + (name.as_ptr() as usize).saturating_sub(line.text.as_ptr() as usize);
        Path { text: name.to_owned(), span: at..at + name.len(), inherited: false }
    }
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
