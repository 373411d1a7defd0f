//! Where agent files are: the kind of file that a client sees at a path, and the path of a file
//! with the same name in another client's place.

use std::path::{Component, Path, PathBuf};

use serde_json::{Map, Value};

use super::{Refusal, Work, converts, text_of};
use crate::client::{self, Client, Kind, Outcome, Reading, Reads, catalog};
use crate::format::agent::rules::slug;
use crate::format::agent::skeleton::{self, filled};
use crate::suggestion::{closest, did_you_mean};

/// One kind of file of one client.
#[derive(Clone, Copy)]
pub struct Place {
    pub client: &'static Client,
    pub reads: &'static Reads,
}

impl std::fmt::Debug for Place {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(&self.name())
    }
}

impl PartialEq for Place {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self.client, other.client) && std::ptr::eq(self.reads, other.reads)
    }
}

impl Place {
    /// The name in options and settings: `claude-agent`.
    pub fn name(&self) -> String {
        format!("{}-{}", short(self.client), self.reads.kind.name())
    }

    /// Whether the client reads front matter from files of this kind.
    pub fn has_front_matter(&self) -> bool {
        self.reads.text_key.is_some() || !self.reads.plain && self.reads.reading != Reading::None
    }

    /// In a sentence: `an agent of Claude Code`.
    pub fn words(&self) -> String {
        let kind = self.reads.kind.name().replace('-', " ");
        let article = match self.reads.kind {
            Kind::Memory | Kind::Instructions => "",
            _ if kind.starts_with(['a', 'o']) => "an ",
            _ => "a ",
        };
        let kind = if self.reads.kind == Kind::Memory { "a memory file".to_owned() } else { kind };
        format!("{article}{kind} of {}", self.client.title)
    }
}

/// The shortest alias of a client that its name begins with.
fn short(client: &Client) -> &str {
    let aliases = client.aliases.iter().map(String::as_str);
    aliases
        .filter(|alias| client.name.starts_with(alias))
        .chain([client.name.as_str()])
        .min_by_key(|name| name.len())
        .unwrap_or(&client.name)
}

/// An unknown name of a place.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum UnknownPlace {
    #[error("unknown kind `{name}`{suggestion}")]
    Name { name: String, suggestion: String },
    #[error("{client} has no {kind}; it has: {others}")]
    Kind { client: String, kind: String, others: String },
}

/// Every place, in the order of the catalog.
pub fn places() -> impl Iterator<Item = Place> {
    catalog().clients.iter().flat_map(|client| {
        client
            .reads
            .iter()
            .chain(&client.toml_files)
            .filter(|reads| super::family(reads.kind).is_some())
            .map(move |reads| Place { client, reads })
    })
}

/// What a file can become: the places of other clients.
pub fn targets(from: Place) -> impl Iterator<Item = Place> {
    places().filter(move |to| {
        !std::ptr::eq(to.client, from.client)
            && converts(from.reads.kind, to.reads.kind)
            && !to.reads.anywhere
    })
}

/// The kinds that a word may mean; for a client, the first one that it has.
fn kinds(word: &str) -> &'static [Kind] {
    match word {
        "skill" => &[Kind::Skill],
        "agent" => &[Kind::Agent],
        "command" => &[Kind::Command, Kind::Prompt, Kind::Workflow],
        "prompt" => &[Kind::Prompt, Kind::Command, Kind::Workflow],
        "workflow" => &[Kind::Workflow, Kind::Command, Kind::Prompt],
        "rule" => &[Kind::Rule, Kind::Instructions],
        "instructions" => &[Kind::Instructions, Kind::Rule],
        "memory" => &[Kind::Memory],
        _ => &[],
    }
}

const WORDS: &[&str] =
    &["agent", "command", "instructions", "memory", "prompt", "rule", "skill", "workflow"];

/// The place with a name: `claude-agent`, `agent@claude`, or only the kind if `client` is given.
///
/// # Errors
/// If the name is unknown; the message suggests the nearest one.
pub fn named(name: &str, client: Option<&str>) -> Result<Place, UnknownPlace> {
    let unknown = || {
        let known: Vec<String> = places().map(|place| place.name()).collect();
        let near = match client {
            Some(_) => closest(name, WORDS.iter().copied()),
            None => closest(name, known.iter().map(String::as_str)),
        };
        let suggestion = match (did_you_mean(near), client) {
            (said, None) if said.is_empty() => {
                "; write a client and a kind, such as `claude-agent` or `copilot-prompt`".to_owned()
            }
            (said, Some(_)) if said.is_empty() => format!("; use one of: {}", WORDS.join(", ")),
            (said, _) => said,
        };
        UnknownPlace::Name { name: name.to_owned(), suggestion }
    };
    let parts = match client {
        Some(client) => Some((client, name)),
        None => name
            .split_once('@')
            .map(|(kind, client)| (client, kind))
            .or_else(|| name.rsplit_once('-')),
    };
    let (client, word) = parts.ok_or_else(unknown)?;
    let client = catalog().named(client).ok_or_else(unknown)?;
    let word = word.strip_suffix('s').filter(|word| WORDS.contains(word)).unwrap_or(word);
    if kinds(word).is_empty() {
        return Err(unknown());
    }
    let all = || client.reads.iter().chain(&client.toml_files);
    let found = kinds(word).iter().find_map(|kind| all().find(|reads| reads.kind == *kind));
    let reads = found.ok_or_else(|| {
        let mut others: Vec<&str> = all()
            .filter(|reads| super::family(reads.kind).is_some())
            .map(|reads| reads.kind.name())
            .collect();
        others.dedup();
        UnknownPlace::Kind {
            client: client.title.clone(),
            kind: word.to_owned(),
            others: others.join(", "),
        }
    })?;
    Ok(Place { client, reads })
}

/// A file that can be converted.
#[derive(Debug, Clone, PartialEq)]
pub struct Origin {
    pub place: Place,
    /// The folder that the place is relative to; `None` if the path doesn't show it.
    pub root: Option<PathBuf>,
    /// The place counts only if `root` is the folder of a plugin.
    pub plugin: bool,
    /// The name of the file in its place, including folders below the place: `folder/name`.
    pub name: String,
}

/// What the file at a path in a workspace is. `as_place` overrides what the path suggests.
pub fn origin(root: &Path, path: &Path, as_place: Option<Place>) -> Option<Origin> {
    let roles = client::roles(client::below(root, path));
    let fits = |place: &Place| as_place.is_none_or(|wanted| wanted == *place);
    let mut found: Vec<(Place, usize, bool)> = roles
        .iter()
        .map(|role| {
            let place = Place { client: role.client, reads: role.reads };
            (place, role.parts, role.reads.anywhere)
        })
        .collect();
    // The client that owns the place comes first, then those that share it.
    let own = |place: &Place| {
        roles
            .iter()
            .any(|role| std::ptr::eq(role.client, place.client) && role.own && !role.reads.anywhere)
    };
    found.sort_by_key(|(place, _, anywhere)| (!own(place), !*anywhere));
    if let Some(parts) = toml(path) {
        found.push((parts.0, parts.1, false));
    }
    let known = found
        .into_iter()
        .find(|(place, _, _)| super::family(place.reads.kind).is_some() && fits(place));
    match (known, as_place) {
        (Some((place, parts, anywhere)), _) => {
            // A skill can be anywhere: another client's place shows where its root is.
            let wider = roles.iter().filter(|role| !role.plugin && !role.reads.anywhere);
            let parts_of_root = match anywhere && place.reads.kind != Kind::Memory {
                true => wider.map(|role| role.parts).max(),
                false => Some(parts),
            };
            let root = parts_of_root.and_then(|parts| path.ancestors().nth(parts));
            let root = root.map(Path::to_owned);
            let plugin =
                roles.iter().any(|role| std::ptr::eq(role.reads, place.reads) && role.plugin);
            Some(Origin { place, root, plugin, name: name(path, place, parts) })
        }
        (None, Some(place)) => {
            Some(Origin { place, root: None, plugin: false, name: name(path, place, 1) })
        }
        (None, None) => None,
    }
}

/// The place of a TOML file, and the number of its parts.
fn toml(path: &Path) -> Option<(Place, usize)> {
    let parts: Vec<&str> = path
        .components()
        .filter_map(|part| match part {
            Component::Normal(name) => name.to_str(),
            _ => None,
        })
        .collect();
    places().filter(|place| place.reads.text_key.is_some()).find_map(|place| {
        let count = place.reads.places.iter().find_map(|glob| client::matches(glob, &parts))?;
        Some((place, count))
    })
}

/// The name of a file in its place.
fn name(path: &Path, place: Place, parts: usize) -> String {
    let names: Vec<&str> = path.iter().filter_map(|part| part.to_str()).collect();
    let last = names.last().copied().unwrap_or_default();
    let folder = || names.len().checked_sub(2).and_then(|at| names.get(at)).copied();
    if place.reads.kind == Kind::Skill {
        return folder().unwrap_or("skill").to_owned();
    }
    let all = || place.reads.places.iter().chain(&place.reads.plugin_places);
    let endings = all().filter_map(|glob| glob.rsplit('/').next()?.strip_prefix('*'));
    let ending = endings.filter(|ending| last.ends_with(*ending)).max_by_key(|ending| ending.len());
    let stem = match ending {
        Some(ending) => last.strip_suffix(ending).unwrap_or(last),
        None => client::stem(last),
    };
    // Folders that `**` matches are part of the name.
    let place = all().find(|glob| {
        let inside = names.get(names.len().saturating_sub(parts)..).unwrap_or_default();
        glob.contains("**") && client::matches(glob, inside) == Some(inside.len())
    });
    let fixed = place.map_or(0, |glob| glob.split('/').take_while(|part| *part != "**").count());
    let below = names.get((names.len().saturating_sub(parts) + fixed)..names.len() - 1);
    match (place, below.filter(|below| !below.is_empty())) {
        (Some(_), Some(below)) => format!("{}/{stem}", below.join("/")),
        _ => stem.to_owned(),
    }
}

/// Whether a name can be that of a file or folder on every system.
pub fn is_file_name(name: &str) -> bool {
    let reserved = |letter: char| {
        letter.is_control()
            || matches!(letter, '/' | '\\' | ':' | '*' | '?' | '"' | '<' | '>' | '|')
    };
    !name.trim().is_empty()
        && !name.starts_with(['.', '-', ' '])
        && !name.ends_with(['.', ' '])
        && !name.contains(reserved)
        && name.len() <= 200
        && !crate::plan::is_device(name)
}

/// The path of the new file; gives it the name that its client knows it by.
pub fn path(
    work: &mut Work,
    values: &mut Map<String, Value>,
    before: &Map<String, Value>,
) -> Result<String, Refusal> {
    let (from, to) = (work.from.reads, work.to.reads);
    let place = skeleton::place(to).unwrap_or_default();
    if to.kind == Kind::Memory {
        // A place of this client alone takes precedence over one that several share.
        let own = |place: &&String| {
            place.contains('/')
                && work.to.client.signs.iter().any(|sign| place.starts_with(sign.as_str()))
        };
        let own = to.places.iter().find(own).or(to.places.first());
        return Ok(own.cloned().unwrap_or_default());
    }
    let stem = work.name.rsplit('/').next().unwrap_or(work.name).to_owned();
    let folders = work.name.rsplit_once('/').map(|(folders, _)| folders);
    let reads_name =
        |reads: &Reads| reads.key("name").is_some_and(|schema| schema.get("x-ignored").is_none());
    let given = text_of(before, "name").filter(|_| reads_name(from)).map(str::to_owned);
    // Without a key for it, the name of the file is the name.
    let mut leaf = stem;
    if to.kind == Kind::Agent
        && !reads_name(to)
        && let Some(given) = given.as_ref().filter(|given| **given != leaf)
    {
        let new = if is_file_name(given) { given.clone() } else { slug(given) };
        if !new.is_empty() {
            work.note(format!("the file is named `{new}`: {} has no `name`", work.to.client.title));
            leaf = new;
        }
    }
    if to.kind == Kind::Skill && !is_slug(&leaf) && !slug(&leaf).is_empty() {
        let new = slug(&leaf);
        work.note(format!("the folder `{leaf}` became `{new}`"));
        leaf = new;
    }
    if reads_name(to) {
        let needed = to.requires("name");
        let fixed = to.folder.as_ref().is_some_and(|effect| effect.outcome > Outcome::Loaded);
        let now = text_of(values, "name").map(str::to_owned);
        if to.kind == Kind::Skill && (fixed || needed && now.is_none()) {
            if let Some(other) = now.filter(|now| *now != leaf) {
                work.note(format!("`name: {other}` became `{leaf}`, the name of the folder"));
            }
            first(values, "name", Value::String(leaf.clone()));
        } else if needed && now.is_none() {
            work.note(format!("added `name: {leaf}`"));
            first(values, "name", Value::String(leaf.clone()));
        }
    }
    if !is_file_name(&leaf) {
        return Err(Refusal::Name { name: leaf });
    }
    // A client may read files in folders without expecting new ones there.
    let deep = |other: &String| other.contains("**") && other.replace("**/", "") == place;
    let keeps = (place.contains("**") || to.places.iter().any(deep)) && to.kind != Kind::Skill;
    let Some(folders) = folders.filter(|_| to.kind != Kind::Skill) else {
        return Ok(filled(place, &leaf));
    };
    if let Some(wrong) = folders.split('/').find(|folder| !is_file_name(folder)) {
        return Err(Refusal::Name { name: wrong.to_owned() });
    }
    if keeps {
        let path = filled(place, &leaf);
        let (folder, file) = path.rsplit_once('/').unwrap_or(("", &path));
        return Ok(format!("{folder}/{folders}/{file}"));
    }
    let joined = format!("{}-{leaf}", folders.replace('/', "-"));
    let client = &work.to.client.title;
    work.note(format!("`{folders}/{leaf}` became `{joined}`: {client} reads no folders here"));
    Ok(filled(place, &joined))
}

fn is_slug(name: &str) -> bool {
    name.len() <= 64 && slug(name) == name
}

/// Inserts a key before all others, or replaces its value.
fn first(values: &mut Map<String, Value>, key: &str, value: Value) {
    if let Some(old) = values.get_mut(key) {
        *old = value;
    } else {
        values.shift_insert(0, key.to_owned(), value);
    }
}
