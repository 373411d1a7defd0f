//! Settings of a client that affect what it loads.

use std::path::{Path, PathBuf};

use serde_json::Value;

use super::folders::Folders;
use super::found::Found;
use super::{Question, Trouble};
use crate::client::loading::{Excludes, Of, Setting, Shown};
use crate::client::{Client, dialect};
use crate::format::agent::names::json;
use crate::world::{ReadError, slashed};
use crate::yaml::{Kind, Node};

/// The values of a setting, by precedence: those of the project, then those of the home folder.
pub fn values(
    question: &Question,
    folders: &Folders,
    setting: &Setting,
    problems: &mut Vec<Trouble>,
) -> Vec<Value> {
    let names = || std::iter::once(&setting.file).chain(&setting.also).rev();
    let places: Vec<&Path> = match setting.of {
        Of::Top => vec![folders.top(question)],
        Of::Start => vec![started(question, setting)],
        Of::Home => Vec::new(),
        Of::Chain => folders.chain.iter().rev().map(PathBuf::as_path).collect(),
    };
    let project = places.into_iter().flat_map(|folder| names().map(|name| folder.join(name)));
    let mut files: Vec<PathBuf> = project.collect();
    if let Some(home) = &question.home {
        match setting.home.as_slice() {
            [] => files.extend(names().map(|name| home.join(name))),
            own => files.extend(own.iter().rev().map(|name| home.join(name))),
        }
    }
    let found = files.iter().filter_map(|path| match value(question, path, &setting.key) {
        Ok(value) => value,
        Err((line, message)) => {
            let trouble = Trouble { path: question.shown(path), line, message };
            if !problems.contains(&trouble) {
                problems.push(trouble);
            }
            None
        }
    });
    found.collect()
}

/// The folder whose settings apply for the start of a client. If the start is only assumed, it's
/// the nearest folder with settings.
fn started<'q>(question: &'q Question, setting: &Setting) -> &'q Path {
    let start = question.start.as_path();
    let has = |folder: &&Path| {
        let mut names = std::iter::once(&setting.file).chain(&setting.also);
        names.any(|name| question.world.kind(&folder.join(name)).is_some())
    };
    let inside = start.ancestors().take_while(|folder| folder.starts_with(&question.root));
    inside.filter(|_| question.assumed).find(has).unwrap_or(start)
}

/// The strings of a setting, which is a string or a list, from the file that takes precedence.
pub fn texts(
    question: &Question,
    folders: &Folders,
    setting: &Setting,
    problems: &mut Vec<Trouble>,
) -> Option<Vec<String>> {
    values(question, folders, setting, problems).first().map(listed)
}

/// The strings of a setting from all files, the one with the lowest precedence first.
pub fn all_texts(
    question: &Question,
    folders: &Folders,
    setting: &Setting,
    problems: &mut Vec<Trouble>,
) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    for text in values(question, folders, setting, problems).iter().rev().flat_map(listed) {
        if !found.contains(&text) {
            found.push(text);
        }
    }
    found
}

fn listed(value: &Value) -> Vec<String> {
    let one = |value: &Value| value.as_str().map(str::to_owned);
    match value {
        Value::Array(items) => items.iter().filter_map(one).collect(),
        value => one(value).into_iter().collect(),
    }
}

/// The value of a key in a file; the error is the line and the problem of the file.
fn value(
    question: &Question,
    path: &Path,
    key: &str,
) -> Result<Option<Value>, (Option<usize>, String)> {
    if path.extension().is_some_and(|extension| extension == "toml") {
        return in_toml(question, path, key);
    }
    if let Some(broken) = json::broken(question.world, path) {
        return Err((None, broken.message));
    }
    let Ok(read) = json::read(question.world, path) else { return Ok(None) };
    let root = read.tree.root.as_ref();
    // Keys of VS Code contain dots.
    let node = inside(root, key).or_else(|| key.split('.').fold(root, inside));
    Ok(node.and_then(plain))
}

fn inside<'n>(node: Option<&'n Node>, key: &str) -> Option<&'n Node> {
    Some(&node?.as_mapping()?.get(key)?.value)
}

/// A string, or a list or mapping of strings.
fn plain(node: &Node) -> Option<Value> {
    match &node.kind {
        Kind::Sequence(list) => {
            Some(list.items.iter().filter_map(Node::as_str).map(Value::from).collect())
        }
        Kind::Mapping(map) => {
            let entries = map.entries.iter().filter_map(|entry| {
                Some((entry.key.as_str()?.to_owned(), Value::from(entry.value.as_str()?)))
            });
            Some(Value::Object(entries.collect()))
        }
        _ => node.as_str().map(Value::from),
    }
}

fn in_toml(
    question: &Question,
    path: &Path,
    key: &str,
) -> Result<Option<Value>, (Option<usize>, String)> {
    let text = match question.world.bytes(path) {
        Ok(bytes) => String::from_utf8_lossy(&bytes).into_owned(),
        Err(ReadError::Missing) => return Ok(None),
        Err(error) => return Err((None, error.to_string())),
    };
    let table = text.parse::<toml::Table>().map_err(|error| {
        let before = error.span().and_then(|span| text.get(..span.start));
        let line = before.map(|before| before.matches('\n').count() + 1);
        (line, format!("is not valid TOML: {}", error.message()))
    })?;
    Ok(table.get(key).and_then(|value| serde_json::to_value(value).ok()))
}

/// How a file is listed, if the user's settings change that.
pub fn shown(client: &Client, found: &Found, values: &[Value]) -> Option<Shown> {
    let visibility = client.loading.visibility.as_ref()?;
    let name = found.stem();
    let says = |value: &Value| value.get(&name).and_then(Value::as_str).map(str::to_owned);
    let value =
        values.iter().find_map(says).filter(|_| visibility.kinds.contains(&found.reads.kind));
    visibility.values.get(&value?).copied()
}

/// The files that the user's settings exclude.
pub struct Excluded {
    excludes: Option<&'static Excludes>,
    globs: Vec<String>,
}

impl Excluded {
    pub fn of(
        question: &Question,
        client: &'static Client,
        folders: &Folders,
        problems: &mut Vec<Trouble>,
    ) -> Self {
        let excludes = client.loading.excludes.as_ref();
        let globs = excludes
            .map(|excludes| all_texts(question, folders, &excludes.setting, problems))
            .unwrap_or_default();
        let globs = globs.iter().filter_map(|glob| whole(glob)).map(str::to_owned).collect();
        Self { excludes, globs }
    }

    pub fn has(&self, path: &Path) -> bool {
        let Some(excludes) = self.excludes.filter(|_| !self.globs.is_empty()) else { return false };
        let path = slashed(path);
        let path = path.strip_prefix('/').unwrap_or(&path);
        dialect::find(&excludes.globs, &self.globs, path).is_some()
    }
}

/// A glob that can match a whole path, without the leading slash.
fn whole(glob: &str) -> Option<&str> {
    let drive = || glob.get(1..).is_some_and(|rest| rest.starts_with(":/"));
    glob.strip_prefix('/').or_else(|| (glob.starts_with("**") || drive()).then_some(glob))
}
