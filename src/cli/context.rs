//! `agentmd context`: makes context packs from parts of files, and updates packs.

use std::io::{Read, Write};
use std::path::{Path, PathBuf};

use anyhow::Context as _;
use clap::ValueEnum;
use serde_json::Value;

use super::diff::{self, Change};
use super::input::Input;
use super::write::write_atomically;
use super::{Global, Status, count, note, warn};
use crate::config::{Config, Options};
use crate::format::Context;
use crate::format::context::write::{Entry, Style, unreadable, write};
use crate::format::context::{FORMAT, Packs, kind, read, refresh, rules};
use crate::source::Source;
use crate::text;
use crate::world::{Disk, LARGEST_FILE, read_text};

#[derive(Debug, clap::Args)]
#[command(
    after_help = "By default, the output equals Agent-Q's byte for byte: the last 50 items, in \
        fences marked `lisp`."
)]
pub struct Arguments {
    /// A file, or lines of it: `FILE` or `FILE:START-END`, counted from 1
    #[arg(value_name = "ITEM", value_hint = clap::ValueHint::FilePath)]
    files: Vec<String>,
    /// Read the items from a JSON file: a list of objects with `type`, `content`, and optionally
    /// `filename`, `start_line`, `end_line`; `-` is stdin
    #[arg(long, value_name = "FILE", value_hint = clap::ValueHint::FilePath, conflicts_with = "files")]
    items: Option<PathBuf>,
    /// Keep the last N items
    #[arg(long, value_name = "N", default_value_t = rules::WINDOW, value_parser = at_least_one)]
    max_items: usize,
    /// The language of fences: always `lisp`, or the item's
    #[arg(long, value_enum, value_name = "LANGUAGE", default_value_t)]
    lang: Language,
    /// Three backticks for all fences, or more if the content requires it
    #[arg(long, value_enum, value_name = "FENCE", default_value_t)]
    fence: Fence,
    /// Update the items of a document from their files
    #[arg(long, value_name = "DOCUMENT", value_hint = clap::ValueHint::FilePath, conflicts_with_all = ["files", "items"])]
    refresh: Option<PathBuf>,
    /// With `--refresh`, the folder that files are relative to, and outside of which no file is
    /// read [default: the folder of `agentmd.toml`, or of the document]
    #[arg(long, value_name = "DIR", requires = "refresh", value_hint = clap::ValueHint::DirPath)]
    root: Option<PathBuf>,
    /// With `--refresh`, write nothing; print the changes as a unified diff
    #[arg(long, requires = "refresh")]
    dry_run: bool,
    /// With `--refresh`, write nothing; only report whether an item is out of date
    #[arg(long, requires = "refresh", conflicts_with = "dry_run")]
    check: bool,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
enum Language {
    #[default]
    Lisp,
    /// The language of the file, or of the item's type
    Auto,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
enum Fence {
    #[default]
    Plain,
    Safe,
}

fn at_least_one(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(0) => Err("a pack needs at least one item".to_owned()),
        Ok(number) => Ok(number),
        Err(_) => Err("not a number".to_owned()),
    }
}

pub fn run(arguments: &Arguments, global: &Global) -> anyhow::Result<Status> {
    if let Some(document) = &arguments.refresh {
        return refresh_document(arguments, document, global);
    }
    // clap doesn't require an option that conflicts with a given one.
    for (option, given) in [
        ("--check", arguments.check),
        ("--dry-run", arguments.dry_run),
        ("--root", arguments.root.is_some()),
    ] {
        anyhow::ensure!(!given, "`{option}` needs `--refresh`");
    }
    let mut entries = match &arguments.items {
        Some(file) => listed(file)?,
        None => arguments.files.iter().map(|item| taken(item)).collect::<anyhow::Result<_>>()?,
    };
    let dropped = entries.len().saturating_sub(arguments.max_items);
    entries.drain(..dropped);
    let style =
        Style { languages: arguments.lang == Language::Auto, safe: arguments.fence == Fence::Safe };
    let mut out = std::io::stdout().lock();
    out.write_all(write(&entries, style).as_bytes())?;
    out.flush()?;
    if dropped > 0 && !global.quiet {
        note(&format!(
            "{} left out: only the last {} are kept (`--max-items`)",
            count(dropped, "item"),
            arguments.max_items
        ));
    }
    for (index, entry) in entries
        .iter()
        .enumerate()
        .filter(|(_, entry)| kind::named(&kind::capitalize(&entry.kind)).is_none())
    {
        warn(&format!("item {}: unknown type `{}`", dropped + index + 1, entry.kind));
    }
    for index in unreadable(&entries, style) {
        let title = entries.get(index).map(Entry::title).unwrap_or_default();
        let advice = if style.safe { "its header is ambiguous" } else { "use `--fence safe`" };
        warn(&format!(
            "item {} ({title}) cannot be read back from the output: {advice}",
            dropped + index + 1
        ));
    }
    Ok(Status::Fine)
}

/// An item of the call: a file, or lines of one.
fn taken(item: &str) -> anyhow::Result<Entry> {
    let lines = match item.rsplit_once(':') {
        // A file may have this name.
        Some((file, range)) if !Path::new(item).exists() => {
            range_of(range).map(|(start, end)| (file, start, end))
        }
        _ => None,
    };
    let name = lines.map_or(item, |(file, ..)| file);
    let text = read_text(Path::new(name)).map_err(|error| {
        let line = name.rsplit_once(':').map(|(_, line)| line);
        match line.filter(|line| line.parse::<usize>().is_ok()) {
            Some(line) => anyhow::anyhow!("{name}: {error}; for one line, write `{name}-{line}`"),
            None => anyhow::anyhow!("{name}: {error}"),
        }
    })?;
    let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
    let Some((_, start, end)) = lines else {
        return Ok(Entry {
            kind: "file".to_owned(),
            filename: Some(name.to_owned()),
            lines: None,
            content: without_break(text).to_owned(),
        });
    };
    anyhow::ensure!(
        start > 0 && start <= end,
        "{item}: lines count from 1, and the first must not be after the last"
    );
    let all: Vec<&str> = text.split_inclusive('\n').collect();
    let Some(content) = all.get(start - 1..end).map(<[&str]>::concat) else {
        anyhow::bail!("{item}: {name} has {}", count(all.len(), "line"));
    };
    let lines = Some((start.to_string(), end.to_string()));
    Ok(Entry {
        kind: "code".to_owned(),
        filename: Some(name.to_owned()),
        lines,
        content: without_break(&content).to_owned(),
    })
}

fn range_of(text: &str) -> Option<(usize, usize)> {
    let (start, end) = text.split_once('-')?;
    let number = |digits: &str| {
        digits.bytes().all(|byte| byte.is_ascii_digit()).then(|| digits.parse().ok()).flatten()
    };
    Some((number(start)?, number(end)?))
}

fn without_break(text: &str) -> &str {
    text.strip_suffix("\r\n").or_else(|| text.strip_suffix('\n')).unwrap_or(text)
}

/// The items of a JSON file.
fn listed(file: &Path) -> anyhow::Result<Vec<Entry>> {
    let stdin = file.as_os_str() == "-";
    let shown = if stdin { "<stdin>".to_owned() } else { file.display().to_string() };
    let text = if stdin {
        let mut text = String::new();
        std::io::stdin()
            .lock()
            .take(LARGEST_FILE)
            .read_to_string(&mut text)
            .with_context(|| format!("cannot read {shown}"))?;
        text
    } else {
        read_text(file).map_err(|error| anyhow::anyhow!("{shown}: {error}"))?
    };
    let value: Value = serde_json::from_str(text.trim_start_matches('\u{feff}'))
        .with_context(|| format!("{shown} is not JSON"))?;
    let Value::Array(items) = value else { anyhow::bail!("{shown}: expected a list of items") };
    let entries = items
        .iter()
        .enumerate()
        .map(|(index, item)| entry(item).with_context(|| format!("{shown}: item {}", index + 1)));
    entries.collect()
}

fn entry(value: &Value) -> anyhow::Result<Entry> {
    let Value::Object(fields) = value else { anyhow::bail!("expected an object") };
    const KNOWN: [&str; 5] = ["type", "content", "filename", "start_line", "end_line"];
    if let Some(unknown) = fields.keys().find(|key| !KNOWN.contains(&key.as_str())) {
        anyhow::bail!(
            "unknown field `{unknown}`; use `type`, `content`, `filename`, `start_line` and \
                `end_line`"
        );
    }
    let text = |key: &str| match fields.get(key) {
        None | Some(Value::Null) => Ok(None),
        Some(Value::String(text)) => Ok(Some(text.clone())),
        Some(_) => Err(anyhow::anyhow!("`{key}` must be a string")),
    };
    let line = |key: &str| match fields.get(key) {
        None | Some(Value::Null) => Ok(None),
        Some(Value::Number(number)) if number.is_u64() => Ok(Some(number.to_string())),
        // The original prints any value.
        Some(Value::String(text)) if !text.contains(['\n', '\r']) => Ok(Some(text.clone())),
        Some(_) => Err(anyhow::anyhow!("`{key}` must be a line number")),
    };
    let kind = text("type")?.context("missing `type`")?;
    let kind = kind.strip_prefix(':').unwrap_or(&kind).to_owned();
    anyhow::ensure!(
        !kind.is_empty() && !kind.contains(char::is_whitespace),
        "`type` must be a single word"
    );
    let filename = text("filename")?;
    anyhow::ensure!(
        !filename.as_deref().unwrap_or_default().contains(['\n', '\r']),
        "`filename` contains a line break"
    );
    let lines = line("start_line")?.zip(line("end_line")?);
    Ok(Entry { kind, filename, lines, content: text("content")?.context("missing `content`")? })
}

fn refresh_document(
    arguments: &Arguments,
    document: &Path,
    global: &Global,
) -> anyhow::Result<Status> {
    anyhow::ensure!(
        document.as_os_str() != "-",
        "cannot refresh a document on stdin; name its file"
    );
    let input = Input::read(document)?;
    if let Some(offset) = input.broken {
        anyhow::bail!("{} is not UTF-8: invalid byte at offset {offset}", input.shown);
    }
    let path = input.path.as_deref().context("the document has no path")?;
    let config = match (&arguments.root, path.parent().and_then(Config::find)) {
        (Some(root), _) => {
            anyhow::ensure!(root.is_dir(), "{} is not a folder", root.display());
            Config::new(std::path::absolute(root)?, Options::default())?
        }
        (None, Some(file)) => Config::from_file(&file)?,
        (None, None) => Config::default(),
    };
    let source = Source::new(&input.text);
    anyhow::ensure!((FORMAT.recognise)(None, &source), "{} has no context pack", input.shown);
    let world = Disk::default();
    let done = refresh::all(
        &Packs::new(read::read(&source)),
        &Context::new(&source, Some(path), &world, &config),
    );
    let after = text::apply(&input.text, &done.edits)?;
    let changed = after != input.text;
    let idle = arguments.check || arguments.dry_run;
    if changed && !idle {
        write_atomically(path, &after).with_context(|| format!("cannot write {}", input.shown))?;
    }
    if arguments.dry_run && changed {
        diff::print(&[Change {
            shown: &input.shown,
            path: Some(path),
            old: &input.text,
            new: &after,
        }])?;
    }
    for (title, why) in &done.left {
        warn(&format!("{title}: unchanged, {why}"));
    }
    if !global.quiet {
        let verb = if idle { "out of date" } else { "refreshed" };
        done.written.iter().for_each(|title| note(&format!("{title}: {verb}")));
        if !changed && done.left.is_empty() {
            note("every item is up to date");
        }
    }
    Ok(if !done.left.is_empty() || arguments.check && changed {
        Status::Found
    } else {
        Status::Fine
    })
}
