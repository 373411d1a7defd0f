//! `agentmd new`: a new agent file where a client looks for it, or a program.

use std::fs;
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};

use anyhow::Context as _;
use clap::ValueEnum;

use super::{Global, Status, complain, note};
use crate::client::{Client, Kind, Reads, catalog};
use crate::config::{Config, Options};
use crate::document::Document;
use crate::format::agent::convert::is_file_name;
use crate::format::agent::rules::slug;
use crate::format::agent::skeleton;
use crate::format::markdownlang;
use crate::format::{Context, names};
use crate::ide;
use crate::rule::Severity;
use crate::world::{Memory, canonicalize, slashed};

#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// What to write
    #[arg(value_enum, value_name = "KIND")]
    kind: Word,
    /// Its name
    #[arg(value_name = "NAME")]
    name: String,
    /// The client that reads it; without it, the one that this folder uses
    #[arg(long = "for", value_name = "CLIENT")]
    client: Option<String>,
    /// The folder of the project [default: the current one]
    #[arg(long, value_name = "DIR", value_hint = clap::ValueHint::DirPath)]
    root: Option<PathBuf>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Word {
    /// A folder with a `SKILL.md`
    Skill,
    /// An agent that others hand work to
    Agent,
    /// A command that you type
    Command,
    /// A prompt that you choose
    Prompt,
    /// Instructions that are loaded with files
    Rule,
    /// A markdownlang program
    Program,
}

impl Word {
    /// The kinds that it means, the usual first.
    fn kinds(self) -> &'static [Kind] {
        let word = skeleton::WORDS.iter().find(|(word, _)| *word == self.text());
        word.map_or(&[], |(_, kinds)| kinds)
    }

    fn text(self) -> &'static str {
        match self {
            Self::Skill => "skill",
            Self::Agent => "agent",
            Self::Command => "command",
            Self::Prompt => "prompt",
            Self::Rule => "rule",
            Self::Program => "program",
        }
    }
}

pub fn run(arguments: &Arguments, global: &Global) -> anyhow::Result<Status> {
    let given = arguments.root.as_deref().unwrap_or(Path::new("."));
    let root = canonicalize(given).with_context(|| given.display().to_string())?;
    anyhow::ensure!(root.is_dir(), "{} is not a folder", given.display());
    anyhow::ensure!(
        is_file_name(&arguments.name),
        "`{}` can't be the name of a file",
        arguments.name
    );
    let (name, shown, text, reader) = match arguments.kind {
        Word::Program => {
            anyhow::ensure!(
                arguments.client.is_none(),
                "`--for` is for agent files: no client reads programs"
            );
            let name = stem(&arguments.name, "*.md");
            (name, format!("{name}.md"), markdownlang::skeleton::text(name), None)
        }
        _ => agent_file(arguments, &root)?,
    };
    let path = root.join(&shown);
    let shown = match &arguments.root {
        Some(given) => slashed(&given.join(shown)),
        None => shown,
    };
    let mut wrong = refused(&root, &path, &text, reader.map(|(client, _)| client));
    if let Some((client, _)) =
        reader.filter(|(_, reads)| reads.reserved.iter().any(|reserved| reserved == name))
    {
        wrong.push(format!("{} keeps the name `{name}` for itself", client.title));
    }
    // Some clients accept any name for a skill, but others that read the same skill don't.
    let slug = slug(&arguments.name);
    if wrong.is_empty() && arguments.kind == Word::Skill && slug != arguments.name {
        let near = if slug.is_empty() { String::new() } else { format!("; use `{slug}`") };
        wrong.push(format!("`{}` is not a valid name of a skill{near}", arguments.name));
    }
    if !wrong.is_empty() {
        complain(&format!("{shown} was not written: {}", wrong.join("; ")));
        return Ok(Status::Found);
    }
    match write(&path, &text) {
        Ok(()) => {}
        Err(error) if error.kind() == ErrorKind::AlreadyExists => {
            complain(&format!("{shown} already exists"));
            return Ok(Status::Found);
        }
        Err(error) => return Err(error).with_context(|| format!("cannot write {shown}")),
    }
    let mut out = std::io::stdout().lock();
    writeln!(out, "{shown}")?;
    out.flush()?;
    if let Some((client, reads)) = reader.filter(|_| global.verbose) {
        note(&format!("wrote a {} for {}", reads.kind.name().replace('-', " "), client.title));
    }
    Ok(Status::Fine)
}

/// The name of a new file without its ending, its path from the root, its text, and the client that
/// reads it as a kind.
type New<'a> = (&'a str, String, String, Option<(&'static Client, &'static Reads)>);

fn agent_file<'a>(arguments: &'a Arguments, root: &Path) -> anyhow::Result<New<'a>> {
    let client = match &arguments.client {
        Some(name) => names::client(name)?,
        None => used(root, arguments.kind)?,
    };
    let Some(reads) = skeleton::reads(client, arguments.kind.kinds()) else {
        let kind = arguments.kind.kinds();
        if let Some(file) = client.toml_files.iter().find(|file| kind.contains(&file.kind)) {
            anyhow::bail!(
                "{} reads files of the kind {} in TOML, which `new` does not write; write one for another client, then run `agentmd convert FILE --to {}-{}`",
                client.title,
                arguments.kind.text(),
                client.name,
                file.kind.name()
            );
        }
        let mut kinds: Vec<String> =
            client.reads.iter().map(|reads| plural(reads.kind.name())).collect();
        kinds.dedup();
        let read = match kinds.split_last() {
            Some((last, rest)) if !rest.is_empty() => format!("{} and {last}", rest.join(", ")),
            _ => kinds.join(""),
        };
        let wanted = plural(arguments.kind.text());
        anyhow::bail!("{} doesn't read {wanted}; it reads {read}", client.title);
    };
    let place = skeleton::place(reads).context("the client has no place for it")?;
    let name = stem(&arguments.name, place);
    let shown = skeleton::filled(place, name);
    Ok((name, shown, skeleton::text(reads, name), Some((client, reads))))
}

/// Files of a kind: `skills`, `memory files`.
fn plural(kind: &str) -> String {
    let kind = kind.replace('-', " ");
    match kind.as_str() {
        "memory" => "memory files".to_owned(),
        "instructions" => kind,
        _ => format!("{kind}s"),
    }
}

/// A name without the ending of the files in a place, or of any Markdown file. Names of folders are
/// unchanged.
fn stem<'a>(name: &'a str, place: &str) -> &'a str {
    let file = place.rsplit('/').next().unwrap_or_default();
    let Some((_, own)) = file.split_once('*') else { return name };
    let without = |ending: &str| {
        let (stem, end) = name.split_at_checked(name.len().checked_sub(ending.len())?)?;
        (end.eq_ignore_ascii_case(ending) && !stem.is_empty()).then_some(stem)
    };
    [own, ".md", ".mdc"].into_iter().find_map(without).unwrap_or(name)
}

/// The client that a folder uses: the only one with this kind among those in its settings, or else
/// among those whose files it has.
fn used(root: &Path, word: Word) -> anyhow::Result<&'static Client> {
    let config = match Config::find(root) {
        Some(file) => Config::from_file(&file)?,
        None => Config::default(),
    };
    let named = &config.options().clients;
    let has = |sign: &String| root.join(sign).symlink_metadata().is_ok();
    let mut found: Vec<&'static Client> = if named.is_empty() {
        catalog().clients.iter().filter(|client| client.signs.iter().any(has)).collect()
    } else {
        named.iter().filter_map(|name| catalog().named(name)).collect()
    };
    found.retain(|client| skeleton::reads(client, word.kinds()).is_some());
    match found.as_slice() {
        [one] => Ok(one),
        // Every client that reads skills reads those of the open specification.
        [] if word == Word::Skill => names::client("spec").map_err(Into::into),
        [] => anyhow::bail!("no client is used here; choose one with `--for`"),
        several => {
            let names: Vec<&str> = several.iter().map(|client| client.name.as_str()).collect();
            anyhow::bail!(
                "several clients are used here; choose one with `--for`: {}",
                names.join(", ")
            )
        }
    }
}

/// Why the client would reject the file, or the errors in a program.
fn refused(root: &Path, path: &Path, text: &str, client: Option<&Client>) -> Vec<String> {
    let clients = client.map(|client| client.name.clone()).into_iter().collect();
    let options = Options { clients, ..Options::default() };
    let Ok(config) = Config::new(root.to_owned(), options) else { return Vec::new() };
    let world = Memory::default().in_folder(root).with(path, text);
    let document = Document::new(text, Some(path), &config);
    if client.is_none() && document.format().name != markdownlang::FORMAT.name {
        return vec!["a file of this name is not read as a program".to_owned()];
    }
    let cx = Context::new(document.source(), Some(path), &world, &config);
    let found = ide::diagnostics::diagnostics(&document, &cx).into_iter();
    found.filter(|found| found.severity >= Severity::Warning).map(|found| found.message).collect()
}

/// Writes a file that must not exist, with the folders around it.
fn write(path: &Path, text: &str) -> std::io::Result<()> {
    if path.symlink_metadata().is_ok() {
        return Err(ErrorKind::AlreadyExists.into());
    }
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    let mut file = fs::File::create_new(path)?;
    file.write_all(text.as_bytes())?;
    file.sync_all()
}
