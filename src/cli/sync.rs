//! `agentmd sync`: keeps copies of agent files for other clients up to date, as `[[sync]]` in the
//! settings asks. A copy that was changed by hand is never replaced unasked.

use std::collections::{BTreeMap, HashMap};
use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::Context;
use clap::ValueEnum;
use ignore::WalkBuilder;
use serde_json::{Value, json};

use super::convert::{bundle, write_below};
use super::{Global, Status, complain, count, note, warn};
use crate::client::Kind;
use crate::config::Config;
use crate::format::agent::convert::{self, Dropped, Place};
use crate::format::agent::sync::{self, Copy, Entry, LOCK, Lock, Standing, hash};
use crate::plan::FileChange;
use crate::world::{Disk, ReadError, canonicalize, read_text, slashed};

#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// Change nothing; exit with 1 if a copy is missing, out of date or was changed by hand
    #[arg(long, conflicts_with_all = ["force", "take", "dry_run"])]
    check: bool,
    /// Print what would change, as a diff
    #[arg(long)]
    dry_run: bool,
    /// Replace copies that were changed by hand
    #[arg(long)]
    force: bool,
    /// Take over the changes in this copy: it goes to the source, and from there to the others
    #[arg(long, value_name = "COPY", value_hint = clap::ValueHint::FilePath)]
    take: Vec<PathBuf>,
    /// The format of the answer
    #[arg(long, value_enum, default_value_t, value_name = "FORMAT")]
    format: Format,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
enum Format {
    /// The files that were written, and what keeps others from it
    #[default]
    Human,
    /// One JSON object
    Json,
}

/// A copy as it should be according to its source.
struct Planned {
    path: String,
    source: String,
    /// `None` for a bundled file.
    to: Option<Place>,
    source_text: String,
    expected: String,
    dropped: Vec<Dropped>,
    executable: bool,
    standing: Standing,
    current: Option<String>,
    /// Its changes went to the source.
    taken: bool,
}

/// The planned copies, and the problems on the way.
#[derive(Default)]
struct Found {
    copies: Vec<Planned>,
    errors: Vec<String>,
    warnings: Vec<String>,
}

pub fn run(arguments: &Arguments, global: &Global) -> anyhow::Result<Status> {
    let here = std::env::current_dir().and_then(|here| canonicalize(&here));
    let here = here.context("the current folder is unknown")?;
    let file = Config::find(&here).context(
        "no `agentmd.toml` here or above: `[[sync]]` in it says what to keep up to date",
    )?;
    let config = Config::from_file(&file)?;
    let root = config.root().to_owned();
    let (entries, problems) = sync::entries(&config.options().sync);
    if !problems.is_empty() {
        for problem in problems {
            complain(&format!("{}: {}", file.display(), problem.message));
        }
        return Ok(Status::Wrong);
    }
    anyhow::ensure!(!entries.is_empty(), "{} has no `[[sync]]`", file.display());
    let locked =
        read_optional(&root.join(LOCK)).map_err(|error| anyhow::anyhow!("{LOCK}: {error}"))?;
    let lock = match locked.as_deref().map(Lock::read) {
        None => Lock::default(),
        Some(Ok(lock)) => lock,
        // Without the hashes, every copy that differs counts as changed by hand.
        Some(Err(message)) if arguments.force => {
            warn(&format!("{LOCK}: {message}; it is written again"));
            Lock::default()
        }
        Some(Err(message)) => {
            complain(&format!("{LOCK}: {message}"));
            return Ok(Status::Found);
        }
    };
    let mut sources = sources(&root, &entries, &config)?;
    let mut found = plan(&sources, &lock, &root, &New::new());
    let before: BTreeMap<String, String> =
        found.copies.iter().map(|copy| (copy.path.clone(), copy.source_text.clone())).collect();
    let mut changes: Vec<FileChange> = Vec::new();
    let mut taken: Vec<String> = Vec::new();
    if !arguments.take.is_empty() {
        let mut new = New::new();
        for path in &arguments.take {
            let path = std::path::absolute(path)?;
            let path = slashed(path.strip_prefix(&root).unwrap_or(&path));
            match take(&path, (&found, &lock), &root, &mut new)? {
                Take::Taken => taken.push(path),
                Take::Unchanged => {}
                Take::Refused(why) => {
                    complain(&why);
                    return Ok(Status::Found);
                }
            }
        }
        for (path, text) in &new {
            if let Some((source, _)) = sources.get_mut(path) {
                *source = Ok(text.clone());
            }
            let old = found.copies.iter().find(|copy| copy.source == *path);
            let old = old.map(|copy| copy.source_text.as_str());
            if old != Some(text) {
                changes.push(FileChange::new(root.join(path), path, old, Some(text)));
            }
        }
        found = plan(&sources, &lock, &root, &new);
    }
    for copy in &mut found.copies {
        copy.taken = taken.contains(&copy.path);
    }
    let blocked: Vec<usize> = (0..found.copies.len())
        .filter(|at| {
            found
                .copies
                .get(*at)
                .is_some_and(|copy| !copy.standing.is_safe() && !arguments.force && !copy.taken)
        })
        .collect();
    let stale = found.copies.iter().any(|copy| copy.standing != Standing::UpToDate);
    let orphans: Vec<(&String, &Copy)> = lock
        .copies
        .iter()
        .filter(|(path, _)| found.copies.iter().all(|copy| copy.path != **path))
        .collect();
    for copy in &found.copies {
        let differs = copy.standing != Standing::UpToDate;
        let free = copy.standing.is_safe() || arguments.force || copy.taken;
        if differs && free {
            let path = root.join(&copy.path);
            let change =
                FileChange::new(path, &copy.path, copy.current.as_deref(), Some(&copy.expected));
            changes.push(FileChange { executable: copy.executable, ..change });
        }
    }
    let new_lock = locked_now(&found, &lock, &before, arguments).text();
    if locked.as_deref() != Some(&new_lock) && found.errors.is_empty() {
        changes.push(FileChange::new(root.join(LOCK), LOCK, locked.as_deref(), Some(&new_lock)));
    }
    let failed = !found.errors.is_empty();
    let writes = !arguments.check && !arguments.dry_run && !failed;
    let mut trouble = None;
    if writes && !changes.is_empty() {
        trouble = write_below(&root, &changes).err().map(|error| format!("{error:#}"));
    }
    let written = writes && trouble.is_none();
    let mut out = std::io::stdout().lock();
    if arguments.format == Format::Json {
        writeln!(out, "{}", answer(&found, &changes, &orphans, written, trouble.as_deref()))?;
    } else if arguments.dry_run && !failed {
        for change in &changes {
            write!(out, "{}", change.diff())?;
        }
    } else if written {
        for change in changes.iter().filter(|change| change.name != LOCK) {
            writeln!(out, "{}", change.name)?;
        }
    }
    out.flush()?;
    if arguments.format == Format::Human {
        say(&found, &blocked, &lock, arguments, global);
        for (path, copy) in &orphans {
            let why = format!("`{}` is gone or has no such copy any more", copy.source);
            warn(&format!("{path}: no longer kept up to date: {why}"));
        }
        if let Some(trouble) = &trouble {
            complain(trouble);
        }
        if !global.quiet && !failed && !stale {
            note(&format!(
                "{} up to date",
                count(found.copies.len(), "copy").replace("copys", "copies")
            ));
        }
    }
    let drifted = arguments.check && (stale || !orphans.is_empty());
    let wrong = failed || trouble.is_some() || !blocked.is_empty() || drifted;
    Ok(if wrong { Status::Found } else { Status::Fine })
}

fn read_optional(path: &Path) -> Result<Option<String>, String> {
    match read_text(path) {
        Ok(text) => Ok(Some(text)),
        Err(ReadError::Missing) => Ok(None),
        Err(error) => Err(error.to_string()),
    }
}

/// The sources with their contents and copies, in order.
type Sources = BTreeMap<String, (Result<String, String>, Vec<Place>)>;

fn sources(root: &Path, entries: &[Entry], config: &Config) -> anyhow::Result<Sources> {
    let mut found = Sources::new();
    for entry in entries {
        let folder = root.join(&entry.folder);
        let mut paths: Vec<PathBuf> = Vec::new();
        if folder.is_dir() {
            let walk = WalkBuilder::new(&folder).standard_filters(false).build();
            for listed in walk {
                let listed = listed.with_context(|| format!("cannot read {}", folder.display()))?;
                let below = listed.path().strip_prefix(root).unwrap_or(listed.path()).to_owned();
                let file = listed.file_type().is_some_and(|kind| kind.is_file());
                let link = listed.path_is_symlink() && listed.path().is_file();
                if (file || link) && entry.matches(&below) && !config.excludes(listed.path()) {
                    paths.push(below);
                }
            }
        }
        if paths.is_empty() {
            warn(&format!("`{}` matches no file", entry.source));
        }
        for path in paths {
            let text = read_text(&root.join(&path)).map_err(|error| error.to_string());
            let (_, to) = found.entry(slashed(&path)).or_insert_with(|| (text, Vec::new()));
            to.extend(entry.to.iter().copied());
        }
    }
    for (_, to) in found.values_mut() {
        let all = std::mem::take(to);
        for place in all {
            if !to.contains(&place) {
                to.push(place);
            }
        }
    }
    Ok(found)
}

/// Sources with the changes of their copies, by path.
type New = BTreeMap<String, String>;

/// The current and the intended state of every copy. `new`: contents that sources are about to get.
fn plan(sources: &Sources, lock: &Lock, root: &Path, new: &New) -> Found {
    let mut found = Found::default();
    let disk = Disk::default();
    for (source, (text, to)) in sources {
        let text = match text {
            Ok(text) => text,
            Err(error) => {
                found.errors.push(format!("{source}: {error}"));
                continue;
            }
        };
        for place in to {
            match sync::copy((&disk, root), Path::new(source), text, *place) {
                Err(refusal) => {
                    found.errors.push(format!("{source}: {}: {refusal}", place.name()));
                }
                Ok((path, conversion)) => {
                    let skill = place.reads.kind == Kind::Skill && source.ends_with("/SKILL.md");
                    if skill {
                        bundled(&mut found, (source, &path), root, new);
                    }
                    found.copies.push(Planned {
                        path,
                        source: source.clone(),
                        to: Some(*place),
                        source_text: text.clone(),
                        expected: conversion.text,
                        dropped: conversion.dropped,
                        executable: false,
                        standing: Standing::Missing,
                        current: None,
                        taken: false,
                    });
                }
            }
        }
    }
    found.copies.sort_by(|a, b| a.path.cmp(&b.path));
    let mut names: HashMap<String, String> = HashMap::new();
    for copy in &mut found.copies {
        let folded = copy.path.to_lowercase();
        if let Some(other) = names.get(&folded) {
            let message = format!("{} and {other} become one file: {}", copy.source, copy.path);
            found.errors.push(message);
        }
        names.insert(folded, copy.source.clone());
        if sources.contains_key(&copy.path) {
            let message = format!("{} is a source and a copy of {}", copy.path, copy.source);
            found.errors.push(message);
        }
        match read_optional(&root.join(&copy.path)) {
            Ok(current) => copy.current = current,
            Err(error) => found.errors.push(format!("{}: {error}", copy.path)),
        }
        let known = lock.copies.get(&copy.path);
        copy.standing = sync::standing(
            known.filter(|known| known.source == copy.source),
            &copy.source_text,
            copy.current.as_deref(),
            &copy.expected,
        );
    }
    found
}

/// The other files of a skill's folder.
fn bundled(found: &mut Found, (source, target): (&str, &str), root: &Path, new: &New) {
    let (Some((from, _)), Some((to, _))) = (source.rsplit_once('/'), target.rsplit_once('/'))
    else {
        return;
    };
    let bundle = bundle::read(&root.join(source));
    for (below, text, executable) in bundle.files {
        let below = slashed(&below);
        let source = format!("{from}/{below}");
        let text = new.get(&source).cloned().unwrap_or(text);
        found.copies.push(Planned {
            path: format!("{to}/{below}"),
            source,
            to: None,
            source_text: text.clone(),
            expected: text,
            dropped: Vec::new(),
            executable,
            standing: Standing::Missing,
            current: None,
            taken: false,
        });
    }
    for (below, why) in bundle.left {
        found.warnings.push(format!("{from}/{} is not copied: {why}", slashed(&below)));
    }
}

/// Whether the changes of a copy are taken over.
enum Take {
    Taken,
    /// It has none.
    Unchanged,
    /// Why not, and what to do.
    Refused(String),
}

/// Takes over the changes of a copy: puts the new text of its source into `new`.
fn take(
    path: &str,
    (found, lock): (&Found, &Lock),
    root: &Path,
    new: &mut New,
) -> anyhow::Result<Take> {
    let copy = found
        .copies
        .iter()
        .find(|copy| copy.path == path)
        .with_context(|| format!("`{path}` is not a copy of anything in `[[sync]]`"))?;
    let current = copy.current.as_deref().with_context(|| format!("`{path}` doesn't exist"))?;
    let source = copy.source.as_str();
    let known = lock.copies.get(path).filter(|known| known.source == source);
    let same = known.is_some_and(|known| hash(current) == known.hash);
    if same || copy.standing == Standing::UpToDate {
        note(&format!("{path}: nothing to take: it wasn't changed by hand"));
        return Ok(Take::Unchanged);
    }
    let Some(known) = known else {
        return Ok(Take::Refused(format!(
            "`{path}` isn't a copy of `{source}` yet, so its changes are unknown: move the parts \
             that you want to keep to the source, then run `agentmd sync --force`"
        )));
    };
    let now = new.get(source).unwrap_or(&copy.source_text);
    // The source that the copy was made from.
    let base = match (&known.base, &copy.source_text) {
        (_, text) if hash(text) == known.source_hash => Some(text),
        (base, _) => base.as_ref(),
    };
    let advice = "make the changes of the copy in the source yourself, then run \
                  `agentmd sync --force` (with `--dry-run`, it shows how they differ)";
    let text = match (copy.to, base) {
        (_, None) => {
            return Ok(Take::Refused(format!(
                "`{path}` was changed by hand, and its source `{source}` has changed since the \
                 last sync: {advice}"
            )));
        }
        (None, Some(base)) => {
            if hash(base) != hash(now) && hash(now) != hash(current) {
                let why = format!("`{source}` has other changes than `{path}`: {advice}");
                return Ok(Take::Refused(why));
            }
            current.to_owned()
        }
        (Some(to), Some(base)) => {
            let at = |path: &str, place| convert::origin(root, &root.join(path), place);
            let origin = at(source, None).context("the source is not an agent file")?;
            let own = at(path, Some(to)).context("the copy is not an agent file")?;
            let source_path = root.join(source);
            let own_path = root.join(path);
            let side = |origin, path| sync::Side { origin, path };
            let own_side = (base.as_str(), now.as_str(), side(&origin, &source_path));
            let taken =
                match sync::take(&Disk::default(), own_side, (current, side(&own, &own_path))) {
                    Ok(taken) => taken,
                    Err(refusal) => return Ok(Take::Refused(format!("{path}: {refusal}"))),
                };
            if let Some(first) = taken.dropped.first() {
                let all: Vec<String> = taken.dropped.iter().map(Dropped::line).collect();
                return Ok(Take::Refused(format!(
                    "`{path}` can't be taken over whole, because {} has nothing for {}: {}; \
                     remove it from the copy first",
                    origin.place.client.title,
                    first.key.as_deref().unwrap_or("a part of the text"),
                    all.join("; ")
                )));
            }
            if !taken.conflicts.is_empty() {
                let all: Vec<String> =
                    taken.conflicts.iter().map(|text| format!("`{}`", text.trim())).collect();
                return Ok(Take::Refused(format!(
                    "`{path}` and `{source}` have changed the same part since the last sync: the \
                     source has {}; write the same in both, then take it again",
                    all.join(", ")
                )));
            }
            for text in &taken.replaced {
                warn(&format!("{path}: replaced in {source}: `{}`", text.trim()));
            }
            taken.text
        }
    };
    new.insert(source.to_owned(), text);
    Ok(Take::Taken)
}

/// The lock after the run. `before`: the sources of the copies, before anything was taken over.
fn locked_now(
    found: &Found,
    lock: &Lock,
    before: &BTreeMap<String, String>,
    arguments: &Arguments,
) -> Lock {
    let mut new = Lock::default();
    for copy in &found.copies {
        let free = copy.standing.is_safe() || arguments.force || copy.taken;
        let entry = match lock.copies.get(&copy.path) {
            // Keep the entry of the last write.
            Some(known) if !free => {
                let source = before.get(&copy.path).filter(|_| copy.to.is_some());
                let base = source.filter(|text| hash(text) == known.source_hash).cloned();
                Copy { base: base.or_else(|| known.base.clone()), ..known.clone() }
            }
            None if !free => continue,
            _ => Copy {
                source: copy.source.clone(),
                to: copy.to.map(|place| place.name()),
                source_hash: hash(&copy.source_text),
                hash: hash(&copy.expected),
                base: None,
            },
        };
        new.copies.insert(copy.path.clone(), entry);
    }
    new
}

fn words(copy: &Planned) -> String {
    match copy.standing {
        Standing::UpToDate => "up to date".to_owned(),
        Standing::Missing => format!("missing; its source is {}", copy.source),
        Standing::SourceChanged => format!("out of date: {} has changed", copy.source),
        Standing::CopyChanged => {
            format!("was changed by hand; its source is {}", copy.source)
        }
        Standing::BothChanged => {
            format!("was changed by hand, and so was its source {}", copy.source)
        }
        Standing::NotACopy => {
            format!("exists, and isn't a copy of {} yet", copy.source)
        }
    }
}

/// Whether the source that a copy was made from is known.
fn has_base(lock: &Lock, copy: &Planned) -> bool {
    let known = lock.copies.get(&copy.path);
    known.is_some_and(|known| known.base.is_some() || hash(&copy.source_text) == known.source_hash)
}

fn say(found: &Found, blocked: &[usize], lock: &Lock, arguments: &Arguments, global: &Global) {
    found.errors.iter().for_each(|error| complain(error));
    if !global.quiet {
        found.warnings.iter().for_each(|warning| warn(warning));
    }
    for (at, copy) in found.copies.iter().enumerate() {
        if blocked.contains(&at) {
            let advice = match copy.standing {
                _ if arguments.check => "",
                Standing::NotACopy => "; `--force` replaces it",
                // `--take` can't tell the changes of the two apart.
                Standing::BothChanged if !has_base(lock, copy) => {
                    "; make its changes in the source, then `--force` replaces it"
                }
                _ => "; `--take` keeps its changes, `--force` replaces it",
            };
            complain(&format!("{}: {}{advice}", copy.path, words(copy)));
        } else if arguments.check && copy.standing != Standing::UpToDate {
            complain(&format!("{}: {}", copy.path, words(copy)));
        } else if copy.standing != Standing::UpToDate && !global.quiet {
            for dropped in &copy.dropped {
                warn(&format!("{}: {}", copy.path, dropped.said("without")));
            }
        }
    }
}

fn answer(
    found: &Found,
    changes: &[FileChange],
    orphans: &[(&String, &Copy)],
    written: bool,
    trouble: Option<&str>,
) -> Value {
    let copy = |copy: &Planned| {
        let changed = changes.iter().any(|change| change.name == copy.path);
        json!({
            "path": copy.path,
            "source": copy.source,
            "to": copy.to.map(|place| place.name()),
            "state": copy.standing,
            "written": written && changed,
            "dropped": copy.dropped,
        })
    };
    let current = found.copies.iter().filter(|copy| copy.standing == Standing::UpToDate).count();
    let mut answer = json!({
        "version": 1,
        "copies": found.copies.iter().map(copy).collect::<Vec<_>>(),
        "orphans": orphans.iter().map(|(path, copy)| json!({ "path": path, "source": copy.source })).collect::<Vec<_>>(),
        "errors": found.errors,
        "summary": { "copies": found.copies.len(), "up_to_date": current },
    });
    if let (Some(error), Some(answer)) = (trouble, answer.as_object_mut()) {
        answer.insert("error".to_owned(), error.into());
    }
    answer
}
