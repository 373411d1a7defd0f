//! `agentmd select`: the text of selected nodes, as JSON.

use std::ffi::OsString;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

use serde::Serialize;
use serde::ser::{Error, SerializeMap, SerializeSeq, Serializer};

use super::documents::{Documents, Fault, Listed};
use super::output::{Output, OutputFormat};
use super::{Global, Status, printable};
use crate::selector::selection::{
    Partial, Unresolved, amounts, excess, malformed, select, selects, speaks_of, unresolved,
};
use crate::selector::{Selector, Tree, parse};
use crate::source::Source;
use crate::world::is_markdown;

#[derive(Debug, clap::Args)]
#[command(
    after_help = "Exit status: 0 if every selector matches, 1 if a selector or a file fails, 2 for a \
    usage error.\n\n\
    Selectors and files may be in any order. A valid selector is never taken for a file: write \
    ./root for a file with that name."
)]
pub struct Arguments {
    /// Selectors such as `readme::heading:h2[1]`, and files and folders; `-` is stdin [default:
    /// stdin if something is piped in, otherwise the `*.md` files of this folder]
    #[arg(value_name = "SELECTOR|FILE", required = true, value_hint = clap::ValueHint::AnyPath)]
    words: Vec<OsString>,
    #[command(flatten)]
    output: Output,
}

/// The limit of text in bytes to keep between searching and printing.
const MOST_KEPT: usize = 128 << 20;

pub fn run(arguments: &Arguments, _: &Global) -> anyhow::Result<Status> {
    let max_words = arguments.output.max_words()?;
    let (selectors, files): (Vec<&OsString>, Vec<&OsString>) =
        arguments.words.iter().partition(|word| is_selector(word));
    anyhow::ensure!(!selectors.is_empty(), "missing selector; add one, such as `section[0]`");
    let files: Vec<PathBuf> = files.into_iter().map(PathBuf::from).collect();
    let selectors = selectors.into_iter().map(|word| word.to_string_lossy().into_owned());
    let answer = Answer::find(selectors.collect(), Documents::find(&files), max_words);
    let mut out = BufWriter::new(std::io::stdout().lock());
    match arguments.output.format {
        OutputFormat::Json => arguments.output.print_json(&answer, &mut out)?,
        OutputFormat::Text => answer.print_text(&mut out)?,
    }
    out.flush()?;
    Ok(if answer.success() { Status::Fine } else { Status::Found })
}

/// The nodes that selectors select in files, as `--format json` prints them.
///
/// # Errors
/// If a file changes while it's read.
#[cfg(feature = "mcp")]
pub fn answer(
    selectors: Vec<String>,
    files: &[PathBuf],
    max_words: usize,
) -> anyhow::Result<serde_json::Value> {
    Ok(serde_json::to_value(Answer::find(selectors, Documents::find(files), max_words))?)
}

/// Whether a word of the call is a selector rather than a file.
fn is_selector(word: &OsString) -> bool {
    let path = Path::new(word);
    let Some(text) = word.to_str() else { return !path.exists() };
    if text == "-" {
        return false;
    }
    parse(text).is_ok() || !(path.exists() || is_markdown(path) && !text.contains("::"))
}

/// A document to select from.
struct Kept {
    listed: Listed,
    /// Its text and tree, if they were small enough to keep.
    loaded: Option<(String, Tree)>,
    /// The selectors that match in it.
    selects: Vec<bool>,
}

/// The answer: matching selectors are known by now; the text is read again if it wasn't kept.
struct Answer {
    max_words: usize,
    /// As written, and as parsed.
    selectors: Vec<(String, Option<Selector>)>,
    documents: Vec<Kept>,
    unresolved: Vec<Unresolved>,
    partial: Vec<Partial>,
    warnings: Vec<String>,
    errors: Vec<Fault>,
}

impl Answer {
    fn find(words: Vec<String>, found: Documents, max_words: usize) -> Self {
        let Documents { list, mut warnings, mut errors } = found;
        let parsed: Vec<_> = words.into_iter().map(|word| (parse(&word), word)).collect();
        for (selector, word) in &parsed {
            let said = selector.iter().flat_map(|selector| &selector.warnings);
            warnings.extend(said.map(|warning| format!("{word}: {warning}")));
        }
        let mut documents = Vec::new();
        let mut pages: Vec<Option<usize>> = vec![None; parsed.len()];
        let mut most: Vec<Vec<usize>> = vec![Vec::new(); parsed.len()];
        let mut kept = 0;
        for listed in list {
            let text = match listed.read() {
                Ok(text) => text,
                Err(fault) => {
                    errors.push(fault);
                    continue;
                }
            };
            warnings.extend(listed.warning(&text));
            let tree = Tree::read(&Source::new(&text.text));
            let each = parsed.iter().zip(&mut pages).zip(&mut most);
            let each = each.map(|(((selector, _), pages), most)| {
                let spoken_of = selector
                    .as_ref()
                    .ok()
                    .filter(|selector| speaks_of(selector, &listed.namespace));
                let amounts = spoken_of
                    .map(|selector| amounts(&text.text, &tree, selector, max_words))
                    .unwrap_or_default();
                most.resize(most.len().max(amounts.len()), 0);
                most.iter_mut().zip(amounts).for_each(|(most, amount)| *most = amount.max(*most));
                match spoken_of.map(|selector| selects(&text.text, &tree, selector, max_words)) {
                    Some(Err(count)) => {
                        *pages = pages.or(Some(count));
                        false
                    }
                    Some(Ok(selects)) => selects,
                    None => false,
                }
            });
            let selects = each.collect();
            kept += text.text.len();
            documents.push(Kept {
                listed,
                loaded: (kept <= MOST_KEPT || documents.is_empty()).then_some((text.text, tree)),
                selects,
            });
        }
        let known: Vec<(&str, &Tree)> = documents
            .iter()
            .filter_map(|kept| Some((kept.listed.namespace.as_str(), &kept.loaded.as_ref()?.1)))
            .collect();
        let names: Vec<&str> =
            documents.iter().map(|kept| kept.listed.namespace.as_str()).collect();
        let (mut failed, mut partial) = (Vec::new(), Vec::new());
        let each = parsed.iter().zip(pages).zip(most);
        for (index, (((selector, word), pages), most)) in each.enumerate() {
            match selector {
                Err(problem) => failed.push(malformed(word, problem.clone(), &known)),
                Ok(selector)
                    if documents
                        .iter()
                        .any(|kept| kept.selects.get(index).is_some_and(|selects| *selects)) =>
                {
                    failed.extend(excess(word, selector, &most, &known, &names));
                }
                Ok(selector) => {
                    let (mut said, reached) = unresolved(word, selector, pages, &known, &names);
                    if documents.is_empty() && !errors.is_empty() {
                        said.reason = unread(&errors);
                    }
                    failed.push(said);
                    partial.extend(reached);
                }
            }
        }
        let selectors = parsed.into_iter().map(|(selector, word)| (word, selector.ok())).collect();
        Self { max_words, selectors, unresolved: failed, partial, warnings, errors, documents }
    }

    fn success(&self) -> bool {
        self.unresolved.is_empty() && self.errors.is_empty()
    }

    /// Calls `each` with every match: by selector, then by document.
    fn each<E>(
        &self,
        mut each: impl FnMut(&crate::selector::selection::Selected) -> Result<(), E>,
        failed: impl Fn(String) -> E,
    ) -> Result<(), E> {
        for (index, (_, selector)) in self.selectors.iter().enumerate() {
            let Some(selector) = selector else { continue };
            for kept in self
                .documents
                .iter()
                .filter(|kept| kept.selects.get(index).is_some_and(|selects| *selects))
            {
                let again;
                let (text, tree) = match &kept.loaded {
                    Some(loaded) => loaded,
                    None => {
                        let text = kept
                            .listed
                            .read()
                            .map_err(|fault| failed(format!("{}: {}", fault.file, fault.message)))?
                            .text;
                        let tree = Tree::read(&Source::new(&text));
                        again = (text, tree);
                        &again
                    }
                };
                for selected in select(&kept.listed.namespace, text, tree, selector, self.max_words)
                    .unwrap_or_default()
                {
                    each(&selected)?;
                }
            }
        }
        Ok(())
    }

    fn print_text(&self, out: &mut impl Write) -> std::io::Result<()> {
        let mut count = 0;
        self.each(
            |_| {
                count += 1;
                Ok::<(), std::io::Error>(())
            },
            std::io::Error::other,
        )?;
        self.each(
            |selected| {
                if count > 1 {
                    writeln!(out, "{}:", selected.selector)?;
                }
                write!(out, "{}", selected.content)?;
                if selected.content.ends_with('\n') { Ok(()) } else { writeln!(out) }
            },
            std::io::Error::other,
        )?;
        for Unresolved { selector, reason, suggestions, .. } in &self.unresolved {
            writeln!(out, "!{selector}\n{reason}")?;
            if !suggestions.is_empty() {
                writeln!(
                    out,
                    "{}",
                    suggestions
                        .iter()
                        .map(|suggestion| format!("~{suggestion}"))
                        .collect::<Vec<_>>()
                        .join(" ")
                )?;
            }
        }
        for Fault { file, r#type, message } in &self.errors {
            writeln!(out, "!{type}: {}\nfile: {}", printable(message), printable(file))?;
        }
        Ok(())
    }
}

/// Why there is no document to select from.
fn unread(errors: &[Fault]) -> String {
    const SHOWN: usize = 3;
    let mut each: Vec<String> = errors
        .iter()
        .take(SHOWN)
        .map(|fault| format!("`{}`: {}", printable(&fault.file), printable(&fault.message)))
        .collect();
    each.extend((errors.len() > SHOWN).then(|| format!("{} more", errors.len() - SHOWN)));
    format!("no document could be read: {}", each.join("; "))
}

impl Serialize for Answer {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("success", &self.success())?;
        map.serialize_entry("command", "select")?;
        map.serialize_entry("data", &Data(self))?;
        if !self.partial.is_empty() {
            map.serialize_entry("partial_results", &self.partial)?;
        }
        if !self.unresolved.is_empty() {
            let names: Vec<&str> =
                self.unresolved.iter().map(|unresolved| unresolved.selector.as_str()).collect();
            map.serialize_entry("unresolved_selectors", &names)?;
        }
        if !self.warnings.is_empty() {
            map.serialize_entry("warnings", &self.warnings)?;
        }
        if !self.errors.is_empty() {
            map.serialize_entry("errors", &self.errors)?;
        }
        map.end()
    }
}

struct Data<'a>(&'a Answer);

impl Serialize for Data<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(2))?;
        map.serialize_entry("matches", &Matches(self.0))?;
        map.serialize_entry("unresolved", &self.0.unresolved)?;
        map.end()
    }
}

struct Matches<'a>(&'a Answer);

impl Serialize for Matches<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut sequence = serializer.serialize_seq(None)?;
        self.0.each(|selected| sequence.serialize_element(selected), S::Error::custom)?;
        sequence.end()
    }
}
