//! Rules, skills, agents, commands: where a client finds them, and when each is loaded.

use std::path::{Path, PathBuf};

use rustc_hash::FxHashSet;
use serde_json::{Map, Value};

use super::folders::{self, Folders};
use super::settings::{self, Excluded};
use super::tokens::Counter;
use super::{Cut, Question, Trouble};
use crate::client::loading::{Base, Below, Mode, Shown};
use crate::client::{self, Client, Kind, LimitOf, Outcome, Reads, Role, Unit, dialect};
use crate::format::Context;
use crate::format::agent::file::File;
use crate::format::agent::subject::Subject;
use crate::format::agent::verdict;
use crate::parallel;
use crate::source::Source;
use crate::text;
use crate::world::{ReadError, slashed};

/// A file that a client reads, and when.
#[derive(Debug)]
pub struct Found {
    pub path: PathBuf,
    pub reads: &'static Reads,
    /// In a folder below the start.
    pub nested: bool,
    pub mode: Mode,
    /// The glob that matched, or one that matches everything.
    pub pattern: Option<String>,
    pub keys: Map<String, Value>,
    /// Listed without its description.
    pub bare: bool,
    source: Result<Source, ReadError>,
    /// Why the client doesn't load it.
    refused: Option<String>,
}

impl Found {
    /// Whether the file is loaded on demand: at the start, it's at most a line in a list.
    pub fn on_demand(&self) -> bool {
        !matches!(self.reads.kind, Kind::Rule | Kind::Instructions)
    }

    /// The tokens and bytes of the part that the client reads, and where it stops.
    pub fn size(&self, counter: &Counter) -> Option<(usize, usize, Option<Cut>)> {
        let source = self.source.as_ref().ok()?;
        let text = source.text();
        let mut end = text.len_bytes();
        let mut most = 0;
        for limit in self.reads.limits.iter().filter(|limit| limit.of == LimitOf::File) {
            let at = match limit.unit {
                Unit::Characters if text.len_chars() > limit.most => text.char_to_byte(limit.most),
                Unit::Bytes if text.len_bytes() > limit.most => text::floor(text, limit.most),
                _ => continue,
            };
            if limit.effect.outcome == Outcome::Partly && at < end {
                (end, most) = (at, limit.most);
            }
        }
        let kept = text.byte_slice(..end);
        let breaks = |chunk: &str| chunk.matches('\n').count();
        let cut = (end < text.len_bytes()).then(|| Cut {
            line: kept.chunks().map(breaks).sum::<usize>() + 1,
            limit: most,
            bytes: end,
        });
        Some((counter.count_all(&kept), end, cut))
    }

    /// A key's value as text.
    pub fn key(&self, key: &str) -> Option<&str> {
        self.keys.get(key).and_then(Value::as_str).map(str::trim).filter(|text| !text.is_empty())
    }

    /// The name given by its folder or file.
    pub fn stem(&self) -> String {
        let folder = self.path.parent().filter(|_| self.reads.kind == Kind::Skill);
        let name = folder.unwrap_or(&self.path).file_name().and_then(|name| name.to_str());
        let name = name.unwrap_or_default();
        if folder.is_some() { name } else { client::stem(name) }.to_owned()
    }

    /// A problem that its author should know about.
    pub fn trouble(&self, question: &Question) -> Option<Trouble> {
        let path = question.shown(&self.path);
        match (&self.source, &self.refused) {
            (Err(error), _) => Some(Trouble { path, line: None, message: error.to_string() }),
            (_, Some(message)) => Some(Trouble { path, line: None, message: message.clone() }),
            _ => None,
        }
    }
}

/// A path that a client may read.
struct Candidate {
    path: PathBuf,
    /// The folder that contains the client's folder.
    base: PathBuf,
    nested: bool,
}

/// At most this many files are read for one client.
const MOST_FILES: usize = 20_000;

/// Every file of a client except memory files. `all`: also those below the start that the question
/// knows.
pub fn found(
    question: &Question,
    client: &'static Client,
    folders: &Folders,
    all: bool,
) -> Vec<Found> {
    let mut candidates = Vec::new();
    let mut seen = FxHashSet::default();
    let mut add = |path: PathBuf, base: &Path, nested: bool| {
        if candidates.len() < MOST_FILES && seen.insert(path.clone()) {
            candidates.push(Candidate { path, base: base.to_owned(), nested });
        }
    };
    if let Some(home) = &question.home {
        for place in &client.loading.home_places {
            for path in folders::files(question.world, home, place) {
                add(path, home, false);
            }
        }
    }
    let chain = folders.chain.iter().map(|folder| (folder, false));
    let nested = folders.nested.iter().map(|folder| (folder, true));
    for (folder, nested) in chain.chain(nested) {
        for reads in client.reads.iter().filter(|reads| reads.kind != Kind::Memory) {
            for place in &reads.places {
                for path in folders::files(question.world, folder, place) {
                    add(path, folder, nested);
                }
            }
        }
    }
    if all && client.loading.below != Below::Ignored {
        for (path, role) in question.files.of(question.world, client) {
            let read = !role.plugin && role.reads.kind != Kind::Memory;
            if read
                && path.starts_with(&question.start)
                && let Some(base) = path.ancestors().nth(role.parts)
            {
                add((*path).to_owned(), base, true);
            }
        }
    }
    let excluded = Excluded::of(question, client, folders, &mut Vec::new());
    let visibility = client.loading.visibility.as_ref();
    let overrides = visibility.map_or_else(Vec::new, |visibility| {
        settings::values(question, folders, &visibility.setting, &mut Vec::new())
    });
    parallel::filter_map(&candidates, &|candidate| {
        if question.is_cancelled() {
            return None;
        }
        let mut found = read(question, client, candidate)?;
        match settings::shown(client, &found, &overrides) {
            Some(Shown::Name) => found.bare = true,
            Some(Shown::Hidden) if found.mode != Mode::Never => found.mode = Mode::Demand,
            Some(Shown::Off) => found.mode = Mode::Never,
            _ => {}
        }
        // Settings only exclude files that a client would load by itself.
        let excluded = !found.on_demand() && excluded.has(&found.path);
        Some(Found { mode: if excluded { Mode::Never } else { found.mode }, ..found })
    })
}

fn read(question: &Question, client: &'static Client, candidate: &Candidate) -> Option<Found> {
    let path = &candidate.path;
    let role = role(client, client::place(question.world, path))?;
    let reads = role.reads;
    let source = question.world.read(path);
    let (keys, refused) =
        source.as_ref().map(|source| judge(question, &role, path, source)).unwrap_or_default();
    let (mut mode, globs) = when(reads, &keys);
    let everything = globs.iter().find(|glob| reads.globs.everything.contains(glob));
    let mut pattern = None;
    if mode == Mode::Match {
        pattern = everything.cloned();
        if pattern.is_some() {
            mode = Mode::Always;
        } else {
            pattern = matched(question, candidate, reads, &globs);
        }
    }
    if refused.is_some() || source.is_err() {
        mode = Mode::Never;
    }
    Some(Found {
        path: path.clone(),
        reads,
        nested: candidate.nested,
        mode,
        pattern,
        keys,
        bare: false,
        source,
        refused,
    })
}

/// The role of a file for a client.
fn role(client: &'static Client, path: &Path) -> Option<Role<'static>> {
    if let Some(role) = client::role_of(client, path) {
        return (role.reads.kind != Kind::Memory).then_some(role);
    }
    // Places in the home folder may have other names.
    let skill = path.file_name().is_some_and(|name| name == "SKILL.md");
    let home = client.loading.home_places.iter().any(|place| {
        let text = slashed(path);
        let parts: Vec<&str> = text.split('/').collect();
        client::matches(place, &parts).is_some()
    });
    let reads =
        client.reads.iter().find(|reads| reads.kind == Kind::Skill).filter(|_| skill && home)?;
    Some(Role { client, reads, parts: 1, own: true, plugin: false })
}

/// When a file is loaded, and the globs that determine it.
pub fn when(reads: &Reads, keys: &Map<String, Value>) -> (Mode, Vec<String>) {
    for condition in &reads.when {
        let value = condition.key.as_ref().and_then(|key| keys.get(key));
        let value = value.filter(|value| condition.of.is_none_or(|of| of.has(value)));
        let holds = match (&condition.key, value) {
            (None, _) => true,
            (Some(_), None) => false,
            (Some(_), Some(value)) if condition.is.is_empty() => match value {
                Value::String(text) => !text.trim().is_empty(),
                Value::Array(list) => !list.is_empty(),
                Value::Null => false,
                _ => true,
            },
            (Some(_), Some(value)) => condition.is.contains(value),
        };
        if !holds {
            continue;
        }
        if condition.mode != Mode::Match {
            return (condition.mode, Vec::new());
        }
        let key = condition.globs.as_ref().or(condition.key.as_ref());
        let globs = key.and_then(|key| keys.get(key)).map(|value| globs(reads, value));
        return (Mode::Match, globs.unwrap_or_default());
    }
    (Mode::Demand, Vec::new())
}

fn globs(reads: &Reads, value: &Value) -> Vec<String> {
    let texts: Vec<&str> = match value {
        Value::Array(list) => list.iter().filter_map(Value::as_str).collect(),
        value => value.as_str().into_iter().collect(),
    };
    let split = texts.into_iter().flat_map(|text| dialect::split(&reads.globs, text));
    split.map(str::to_owned).collect()
}

/// The glob that matches the file of the question.
fn matched(
    question: &Question,
    candidate: &Candidate,
    reads: &Reads,
    globs: &[String],
) -> Option<String> {
    let path = question.path.as_ref()?;
    let base = match reads.globs.base {
        Base::Folder => candidate.base.as_path(),
        Base::Workspace => question.root.as_path(),
        Base::Absolute => Path::new(""),
    };
    // Rules in the home folder apply to the files of any workspace.
    let base = if question.home.as_deref() == Some(base) { &question.root } else { base };
    let path = slashed(path.strip_prefix(base).ok()?);
    dialect::find(&reads.globs, globs, &path).map(str::to_owned)
}

/// The keys that a client reads, and why it doesn't load the file, if so.
fn judge(
    question: &Question,
    role: &Role<'static>,
    path: &Path,
    source: &Source,
) -> (Map<String, Value>, Option<String>) {
    let cx = Context::new(source, Some(path), question.world, question.config);
    let file = File {
        path,
        kind: role.reads.kind,
        readers: vec![*role],
        judged: vec![*role],
        guess: false,
        moved: false,
        form: false,
        shared: false,
    };
    let subject = Subject::of_keys(&cx, file);
    let read = subject.read(role.reads.reading);
    let keys = read.keys().map(|keys| keys.values.clone()).unwrap_or_default();
    let verdict = verdict::of(&subject).into_iter().find(|verdict| {
        verdict.outcome >= Outcome::NotLoaded && verdict.client == role.client.name
    });
    let refused = verdict.map(|verdict| match verdict.reasons.join("; ") {
        reasons if reasons.is_empty() => "not loaded".to_owned(),
        reasons if reasons.contains("not loaded") => reasons,
        reasons => format!("not loaded: {reasons}"),
    });
    (keys, refused)
}
