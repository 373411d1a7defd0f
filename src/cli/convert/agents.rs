//! Converts agent files of one client to those of another: all of them, or none.

use std::collections::HashMap;
use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::Context;
use ignore::WalkBuilder;
use serde_json::{Value, json};

use super::{Arguments, Format, bundle};
use crate::cli::input::Input;
use crate::cli::transaction::{self, Journal};
use crate::cli::{Global, Status, complain, count, note, warn, workspace};
use crate::client::Kind;
use crate::format::agent::convert::{self, Conversion, Origin, Place};
use crate::plan::FileChange;
use crate::world::{Disk, World, canonicalize, read_text, slashed};

/// One file of the call.
struct Item {
    shown: String,
    /// `None` for stdin.
    path: Option<PathBuf>,
    root: PathBuf,
    result: Result<Conversion, String>,
    changes: Vec<FileChange>,
    /// The target, if everything is there already.
    current: Option<String>,
}

impl Item {
    fn target(&self) -> Option<&Path> {
        self.changes.first().map(|change| change.path.as_path())
    }

    fn refuse(&mut self, message: String) {
        self.changes.clear();
        self.result = Err(message);
    }
}

pub fn run(arguments: &Arguments, to: Place, global: &Global) -> anyhow::Result<Status> {
    let from = arguments.from.as_ref().map(|name| convert::named(name, None)).transpose()?;
    let here = std::env::current_dir().and_then(|here| canonicalize(&here));
    let here = here.context("the current folder is unknown")?;
    let stdin = |path: &PathBuf| path.as_os_str() == "-";
    if arguments.files.iter().any(stdin) {
        anyhow::ensure!(arguments.files.len() == 1, "stdin is converted alone");
        anyhow::ensure!(from.is_some(), "`--from` must say what stdin is, such as `claude-agent`");
    }
    let single = arguments.output.as_ref();
    if single.is_some() {
        let one = arguments.files.len() == 1 && !arguments.files.iter().any(|path| path.is_dir());
        anyhow::ensure!(one, "`--output` takes a single file");
    }
    let (files, skipped) = files(&arguments.files, from, to)?;
    let mut items = Vec::new();
    for path in files {
        items.push(item(&path, from, to, &here)?);
    }
    let prints = single.is_some_and(stdin) || single.is_none() && arguments.files.iter().any(stdin);
    if prints {
        return print(&mut items, arguments, global);
    }
    if let (Some(output), Some(item)) = (single, items.first_mut()) {
        let path = std::path::absolute(output)?;
        item.root = path.parent().unwrap_or(Path::new("/")).to_owned();
        if let Some(change) = item.changes.first_mut() {
            change.path = path;
            change.name = slashed(output);
        }
        item.changes.truncate(1);
    }
    judge(&mut items, arguments.force);
    let failed = items.iter().any(|item| item.result.is_err());
    let stopped = failed && !arguments.partial;
    let mut written = false;
    let mut trouble = None;
    let changes: Vec<FileChange> = items.iter().flat_map(|item| item.changes.clone()).collect();
    if !stopped && !arguments.dry_run && !changes.is_empty() {
        match write(&items, &changes) {
            Ok(()) => written = true,
            Err(error) => trouble = Some(format!("{error:#}")),
        }
    }
    let mut out = std::io::stdout().lock();
    if arguments.format == Format::Json {
        let answer = answer(&items, written, skipped, trouble.as_deref());
        writeln!(out, "{answer}")?;
    } else if arguments.dry_run && !stopped {
        for change in &changes {
            write!(out, "{}", change.diff())?;
        }
    } else if written {
        for change in &changes {
            writeln!(out, "{}", change.name)?;
        }
    }
    out.flush()?;
    if arguments.format == Format::Human {
        say(&items, global);
        if let Some(trouble) = &trouble {
            complain(trouble);
        }
        if (stopped || trouble.is_some()) && items.len() > 1 && !global.quiet {
            note("nothing was written");
        }
        if skipped > 0 && global.verbose {
            note(&format!("skipped {} of other kinds", count(skipped, "agent file")));
        }
        if items.is_empty() && !global.quiet {
            note(&format!("nothing here becomes {}", to.words()));
        }
    }
    Ok(if failed || trouble.is_some() { Status::Found } else { Status::Fine })
}

/// The files of the call, and the number of skipped agent files. From folders, only the files that
/// can be converted.
type Listed = Vec<PathBuf>;

fn files(paths: &[PathBuf], from: Option<Place>, to: Place) -> anyhow::Result<(Listed, usize)> {
    let mut found = Listed::new();
    let mut skipped = 0;
    for path in paths {
        if path.as_os_str() == "-" || !path.is_dir() {
            found.push(path.clone());
            continue;
        }
        let walk = WalkBuilder::new(path).hidden(false).sort_by_file_name(Ord::cmp).build();
        for entry in walk {
            let entry = entry.with_context(|| format!("cannot read {}", path.display()))?;
            if entry.file_type().is_none_or(|kind| kind.is_dir()) {
                continue;
            }
            let file = std::path::absolute(entry.path())?;
            let origin = convert::origin(&around(&file), &file, None).filter(is_real);
            let Some(origin) = origin else { continue };
            let wanted = from.is_none_or(|from| from == origin.place);
            let fits = convert::targets(origin.place).any(|target| target == to)
                || to.reads.anywhere
                    && convert::converts(origin.place.reads.kind, to.reads.kind)
                    && origin.place != to;
            if wanted && fits {
                found.push(entry.into_path());
            } else {
                skipped += 1;
            }
        }
    }
    Ok((found, skipped))
}

/// The workspace that a file is in.
fn around(path: &Path) -> PathBuf {
    workspace::root(path.parent().unwrap_or(path))
}

/// Whether a place for plugins is in one: the folder in front of it has the plugin's file, or a
/// folder above lists it.
fn is_real(origin: &Origin) -> bool {
    let (client, Some(root)) = (origin.place.client, &origin.root) else { return true };
    let has = |folder: &Path, file: &Option<String>| {
        file.as_ref().is_some_and(|file| folder.join(file).exists())
    };
    !origin.plugin
        || has(root, &client.plugin_marker)
        || root.ancestors().any(|folder| has(folder, &client.plugin_list))
}

fn item(path: &Path, from: Option<Place>, to: Place, here: &Path) -> anyhow::Result<Item> {
    let input = Input::read(path)?;
    let absolute = input.path.clone();
    let mut item = Item {
        shown: input.shown.clone(),
        path: absolute.clone(),
        root: here.to_owned(),
        result: Err(String::new()),
        changes: Vec::new(),
        current: None,
    };
    let origin = match (&absolute, from) {
        (Some(path), from) => convert::origin(&around(path), path, from),
        (None, Some(place)) => {
            Some(Origin { place, root: None, plugin: false, name: "stdin".to_owned() })
        }
        (None, None) => None,
    };
    let converted = match origin {
        _ if input.broken.is_some() => {
            let offset = input.broken.unwrap_or_default();
            Err(format!("it isn't UTF-8: invalid byte at offset {offset}"))
        }
        None => Err("no client reads this path; `--from` says what the file is".to_owned()),
        Some(origin) if origin.place == to => Err(format!("this already is {}", to.words())),
        Some(origin) => {
            item.root = root(&origin, absolute.as_deref(), here);
            let disk = Disk::default();
            let around = absolute.as_deref().map(|path| (&disk as &dyn World, path));
            convert::convert_at(&input.text, &origin, to, around)
                .map_err(|refusal| refusal.to_string())
        }
    };
    if let (Ok(conversion), Some(source)) = (&converted, &absolute) {
        let path = item.root.join(&conversion.path);
        let name = path.strip_prefix(here).map_or_else(|_| slashed(&path), slashed);
        let change = FileChange::new(path.clone(), &name, None, Some(&conversion.text));
        item.changes.push(change);
        if to.reads.kind == Kind::Skill && is_skill(source) {
            bundled(&mut item, source, &path, here);
        }
    }
    item.result = converted.map(|mut conversion| {
        if to.reads.kind != Kind::Skill && absolute.as_deref().is_some_and(is_skill) {
            let path = absolute.as_deref().unwrap_or(Path::new(""));
            for (file, _, _) in bundle::read(path).files {
                conversion.dropped.push(left(&file, "only skills bundle files"));
            }
        }
        conversion
    });
    Ok(item)
}

fn is_skill(path: &Path) -> bool {
    path.file_name().is_some_and(|name| name == "SKILL.md")
}

fn left(file: &Path, why: &str) -> convert::Dropped {
    let why = format!("not copied: {why}");
    convert::Dropped { key: None, value: slashed(file), why, stays: false }
}

/// Copies the other files of a skill.
fn bundled(item: &mut Item, source: &Path, target: &Path, here: &Path) {
    let Some(folder) = target.parent() else { return };
    // A skill in a folder that has others isn't the owner of everything in it.
    if source.parent().is_some_and(|folder| folder == here) {
        return;
    }
    let bundle = bundle::read(source);
    for (below, text, executable) in bundle.files {
        let path = folder.join(&below);
        let name = path.strip_prefix(here).map_or_else(|_| slashed(&path), slashed);
        let change = FileChange::new(path, &name, None, Some(&text));
        item.changes.push(FileChange { executable, ..change });
    }
    for (below, why) in bundle.left {
        warn(&format!("{}: {} was not copied: {why}", item.shown, slashed(&below)));
    }
}

/// The folder that the new file is relative to.
fn root(origin: &Origin, path: Option<&Path>, here: &Path) -> PathBuf {
    if let Some(root) = &origin.root {
        return root.clone();
    }
    let inside = |path: &&Path| path.starts_with(here);
    match path {
        Some(path) if !inside(&path) => path.parent().unwrap_or(here).to_owned(),
        _ => here.to_owned(),
    }
}

/// Refuses conversions that would replace a file, or that have the same target.
fn judge(items: &mut [Item], force: bool) {
    let mut taken: HashMap<String, usize> = HashMap::new();
    for index in 0..items.len() {
        let Some(item) = items.get(index) else { continue };
        let Some(target) = item.target().map(Path::to_owned) else { continue };
        let folded = target.to_string_lossy().to_lowercase();
        if let Some(first) = taken.get(&folded).copied() {
            let same = items.get(first).and_then(Item::target) == Some(&target);
            let shown =
                |index: usize| items.get(index).map_or(String::new(), |item| item.shown.clone());
            let what =
                if same { "become one file" } else { "become files that differ in case only" };
            let name = slashed(&target);
            let message = |other: String| format!("this and {other} {what}: {name}");
            let (a, b) = (message(shown(index)), message(shown(first)));
            if let Some(item) = items.get_mut(first) {
                item.refuse(a);
            }
            if let Some(item) = items.get_mut(index) {
                item.refuse(b);
            }
            continue;
        }
        taken.insert(folded, index);
        let Some(item) = items.get_mut(index) else { continue };
        if item.path.as_deref() == Some(&target) {
            let name = slashed(&target);
            item.refuse(format!("the client reads this very file: {name}"));
            continue;
        }
        let mut problem = None;
        for change in &mut item.changes {
            match existing(&change.path) {
                Existing::None => {}
                Existing::Case(other) => {
                    problem = Some(format!("{} exists, and differs in case only", other));
                }
                Existing::Other(why) => problem = Some(format!("{}: {why}", change.name)),
                Existing::Text(text) if change.after.as_ref() == Some(&text) => {
                    change.before = Some(text);
                }
                Existing::Text(_) if !force => {
                    problem = Some(format!("{} exists; `--force` replaces it", change.name));
                }
                Existing::Text(text) => change.before = Some(text),
            }
        }
        if let Some(problem) = problem {
            item.refuse(problem);
        }
    }
    for item in items {
        let target = item.changes.first().map(|change| change.name.clone());
        item.changes.retain(|change| change.before != change.after);
        item.current = target.filter(|_| item.changes.is_empty());
    }
}

enum Existing {
    None,
    Text(String),
    /// A name in the folder that differs in case.
    Case(String),
    Other(String),
}

fn existing(path: &Path) -> Existing {
    if path.symlink_metadata().is_ok() {
        return match read_text(path) {
            Ok(text) => Existing::Text(text),
            Err(error) => Existing::Other(error.to_string()),
        };
    }
    // The same for folders of skills.
    for part in path.ancestors() {
        let (Some(folder), Some(name)) = (part.parent(), part.file_name()) else { continue };
        if part.symlink_metadata().is_ok() {
            break;
        }
        let Ok(entries) = std::fs::read_dir(folder) else { continue };
        let lower = name.to_string_lossy().to_lowercase();
        let twin = entries
            .flatten()
            .map(|entry| entry.file_name())
            .find(|other| other != name && other.to_string_lossy().to_lowercase() == lower);
        if let Some(twin) = twin {
            return Existing::Case(slashed(&folder.join(twin)));
        }
    }
    Existing::None
}

/// Writes all of the files, or none.
fn write(items: &[Item], changes: &[FileChange]) -> anyhow::Result<()> {
    let roots = items.iter().filter(|item| !item.changes.is_empty()).map(|item| &item.root);
    let common = roots.fold(None::<PathBuf>, |common, root| {
        Some(match common {
            None => root.clone(),
            Some(common) => {
                let shared = common.iter().zip(root.iter()).take_while(|(a, b)| a == b);
                shared.map(|(part, _)| part).collect()
            }
        })
    });
    let Some(root) = common else { return Ok(()) };
    write_below(&root, changes)
}

/// Writes all of the changes below a folder, or none.
///
/// # Errors
/// If one can't be made, or another process was interrupted.
pub fn write_below(root: &Path, changes: &[FileChange]) -> anyhow::Result<()> {
    anyhow::ensure!(root.is_dir(), "folder {} does not exist", root.display());
    let mut journal = Journal::open(root)
        .with_context(|| format!("nothing can be written below {}", root.display()))?;
    if journal.interrupted()?.is_some() {
        let _ = journal.close();
        anyhow::bail!(
            "an earlier change of files was interrupted; run `agentmd apply --recover` first"
        );
    }
    transaction::change_files(journal, changes, root).map_err(|failure| {
        let left = failure.left.join("; ");
        let left = if left.is_empty() { left } else { format!(" ({left})") };
        anyhow::anyhow!("{}{left}", failure.message)
    })
}

/// Prints the new text.
fn print(items: &mut [Item], arguments: &Arguments, global: &Global) -> anyhow::Result<Status> {
    let mut out = std::io::stdout().lock();
    if arguments.format == Format::Json {
        writeln!(out, "{}", answer(items, false, 0, None))?;
    } else if let Some(Ok(conversion)) = items.first().map(|item| &item.result) {
        out.write_all(conversion.text.as_bytes())?;
    }
    out.flush()?;
    if arguments.format == Format::Human {
        say(items, global);
    }
    let failed = items.iter().any(|item| item.result.is_err());
    Ok(if failed { Status::Found } else { Status::Fine })
}

/// Dropped parts are a warning; different spellings are only shown for a single file.
fn say(items: &[Item], global: &Global) {
    for item in items {
        match &item.result {
            Err(message) => complain(&format!("{}: {message}", item.shown)),
            Ok(conversion) if !global.quiet => {
                for dropped in &conversion.dropped {
                    warn(&format!("{}: {}", item.shown, dropped.said("dropped")));
                }
                if let Some(target) = &item.current {
                    note(&format!("{}: {target} is up to date", item.shown));
                }
                if items.len() == 1 || global.verbose {
                    for said in &conversion.notes {
                        note(&format!("{}: {said}", item.shown));
                    }
                }
            }
            Ok(_) => {}
        }
    }
}

fn answer(items: &[Item], written: bool, skipped: usize, trouble: Option<&str>) -> Value {
    let file = |item: &Item| match &item.result {
        Ok(conversion) => json!({
            "path": item.shown,
            "target": item.target().map_or_else(|| conversion.path.clone(), slashed),
            "text": conversion.text,
            "written": written && !item.changes.is_empty(),
            "dropped": conversion.dropped,
            "notes": conversion.notes,
        }),
        Err(message) => json!({ "path": item.shown, "error": message }),
    };
    let lossless = items
        .iter()
        .filter(|item| item.result.as_ref().is_ok_and(|conversion| conversion.dropped.is_empty()));
    let failed = items.iter().filter(|item| item.result.is_err()).count();
    let mut answer = json!({
        "version": 1,
        "files": items.iter().map(file).collect::<Vec<_>>(),
        "summary": {
            "converted": items.len() - failed,
            "without_loss": lossless.count(),
            "failed": failed,
            "skipped": skipped,
        },
    });
    if let (Some(error), Some(answer)) = (trouble, answer.as_object_mut()) {
        answer.insert("error".to_owned(), error.into());
    }
    answer
}
