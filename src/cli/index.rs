//! `agentmd index`: lists everything that can be selected in Markdown documents, as JSON.

use std::cell::RefCell;
use std::io::{BufWriter, Write};
use std::path::PathBuf;

use serde::Serialize;
use serde::ser::{SerializeMap, SerializeSeq, Serializer};

use super::documents::{Documents, Fault};
use super::output::{Output, OutputFormat};
use super::{Global, Status, printable};
use crate::selector::Tree;
use crate::selector::inventory::{DEEPEST_LISTED, Summary, inventory, outline, unlisted};
use crate::source::Source;

#[derive(Debug, clap::Args)]
#[command(
    after_help = "Files that can't be read are listed in `errors`, and the exit status is 1."
)]
pub struct Arguments {
    /// Files and folders; `-` is stdin [default: stdin if something is piped in, otherwise the
    /// `*.md` files of this folder]
    #[arg(value_name = "FILE", value_hint = clap::ValueHint::AnyPath)]
    files: Vec<PathBuf>,
    /// List the selector of every block too
    #[arg(long)]
    blocks: bool,
    #[command(flatten)]
    output: Output,
}

pub fn run(arguments: &Arguments, _: &Global) -> anyhow::Result<Status> {
    let max_words = arguments.output.max_words()?;
    let documents = Documents::find(&arguments.files);
    let mut out = BufWriter::new(std::io::stdout().lock());
    let errors = match arguments.output.format {
        OutputFormat::Text => print_text(&documents, max_words, arguments.blocks, &mut out)?,
        OutputFormat::Json => {
            let answer = Answer {
                documents: &documents,
                max_words,
                blocks: arguments.blocks,
                told: RefCell::default(),
            };
            arguments.output.print_json(&answer, &mut out)?;
            documents.errors.len() + answer.told.into_inner().errors.len()
        }
    };
    out.flush()?;
    Ok(if errors == 0 { Status::Fine } else { Status::Found })
}

/// Everything that can be selected in files, as `--format json` prints it.
///
/// # Errors
/// If the answer can't be converted, which would be a bug.
#[cfg(feature = "mcp")]
pub fn answer(
    files: &[PathBuf],
    max_words: usize,
    blocks: bool,
) -> anyhow::Result<serde_json::Value> {
    let documents = Documents::find(files);
    let told = RefCell::default();
    Ok(serde_json::to_value(Answer { documents: &documents, max_words, blocks, told })?)
}

fn print_text(
    documents: &Documents,
    max_words: usize,
    blocks: bool,
    out: &mut impl Write,
) -> anyhow::Result<usize> {
    let mut errors = documents.errors.clone();
    for listed in &documents.list {
        let text = match listed.read() {
            Ok(text) => text.text,
            Err(fault) => {
                errors.push(fault);
                continue;
            }
        };
        let tree = Tree::read(&Source::new(&text));
        let inventory =
            inventory(&listed.namespace, &listed.shown, &text, &tree, max_words, blocks);
        if documents.list.len() > 1 {
            writeln!(out, "{} {}", printable(&listed.namespace), printable(&listed.shown))?;
        }
        write!(out, "{}", outline(&inventory))?;
        for block in inventory.block_selectors.iter().flatten() {
            writeln!(out, "{}", block.selector)?;
        }
    }
    for Fault { file, r#type, message } in &errors {
        writeln!(out, "!{type}: {}\nfile: {}", printable(message), printable(file))?;
    }
    Ok(errors.len())
}

/// The answer; its documents are read while it's printed, one at a time.
struct Answer<'d> {
    documents: &'d Documents,
    max_words: usize,
    blocks: bool,
    told: RefCell<Told>,
}

/// The totals, known when all documents have been read.
#[derive(Default)]
struct Told {
    summary: Summary,
    warnings: Vec<String>,
    errors: Vec<Fault>,
}

impl Serialize for Answer<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        // By now, all files have been opened or failed to.
        map.serialize_entry("success", &self.documents.errors.is_empty())?;
        map.serialize_entry("command", "index")?;
        map.serialize_entry("data", &Data(self))?;
        let told = self.told.borrow();
        let warnings: Vec<&String> = self.documents.warnings.iter().chain(&told.warnings).collect();
        if !warnings.is_empty() {
            map.serialize_entry("warnings", &warnings)?;
        }
        let errors: Vec<&Fault> = self.documents.errors.iter().chain(&told.errors).collect();
        if !errors.is_empty() {
            map.serialize_entry("errors", &errors)?;
        }
        map.end()
    }
}

struct Data<'a>(&'a Answer<'a>);

impl Serialize for Data<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(2))?;
        map.serialize_entry("documents", &Each(self.0))?;
        map.serialize_entry("summary", &self.0.told.borrow().summary)?;
        map.end()
    }
}

struct Each<'a>(&'a Answer<'a>);

impl Serialize for Each<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let answer = self.0;
        let mut sequence = serializer.serialize_seq(None)?;
        for listed in &answer.documents.list {
            let text = match listed.read() {
                Ok(text) => text,
                Err(fault) => {
                    answer.told.borrow_mut().errors.push(fault);
                    continue;
                }
            };
            let tree = Tree::read(&Source::new(&text.text));
            sequence.serialize_element(&inventory(
                &listed.namespace,
                &listed.shown,
                &text.text,
                &tree,
                answer.max_words,
                answer.blocks,
            ))?;
            let mut told = answer.told.borrow_mut();
            told.summary.add(&tree);
            told.warnings.extend(listed.warning(&text));
            let deep = if answer.blocks { unlisted(&tree) } else { 0 };
            if deep > 0 {
                told.warnings.push(format!(
                    "{}: {deep} blocks are nested in more than {DEEPEST_LISTED} \
                        lists and quotes, and are not listed",
                    listed.shown
                ));
            }
        }
        sequence.end()
    }
}
