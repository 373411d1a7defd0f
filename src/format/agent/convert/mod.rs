//! Converts an agent file of one client to that of another: keys, tools, globs, arguments and the
//! place of the file, all based on the data of the two clients. Whatever has no counterpart is
//! dropped and listed; different spellings are noted.
//!
//! - [`place`]: what a path is, and what a new file of the same name is called elsewhere
//! - [`scan`], [`body`]: what clients replace in the text; [`links`]: where it leads
//! - [`keys`], [`tools`], [`scope`], [`globs`]: front matter, value by value
//! - [`repair`]: values that the other client would refuse
//! - [`print`]: the new file, read back with the client's own reading

mod body;
mod globs;
mod keys;
mod links;
mod place;
mod print;
mod repair;
mod scan;
mod scope;
mod source;
mod tools;

#[cfg(test)]
mod tests;

use std::path::Path;

use serde_json::{Map, Value};

use crate::client::{Client, Effect, Kind, LimitOf, Occasion, Outcome, Reads, Unit};
use crate::world::World;

use links::Around;
pub use place::{Origin, Place, UnknownPlace, is_file_name, named, origin, places, targets};

/// A converted file.
#[derive(Debug, Clone, PartialEq)]
pub struct Conversion {
    /// Relative to the folder that both clients look into, with `/`.
    pub path: String,
    pub text: String,
    /// What has no counterpart in the other client.
    pub dropped: Vec<Dropped>,
    /// Different spellings, and additions.
    pub notes: Vec<String>,
}

/// A value without a counterpart.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct Dropped {
    /// The key of the front matter; `None` for something in the text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub key: Option<String>,
    /// The original value: as JSON, unless it's text.
    pub value: String,
    pub why: String,
    /// It is in the new text as it was.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub stays: bool,
}

impl Dropped {
    fn key(key: &str, value: &Value, why: impl Into<String>) -> Self {
        let value = match value {
            Value::String(text) => text.clone(),
            value => value.to_string(),
        };
        Self { key: Some(key.to_owned()), value, why: why.into(), stays: false }
    }

    fn text(value: &str, why: impl Into<String>) -> Self {
        Self { key: None, value: value.to_owned(), why: why.into(), stays: false }
    }

    /// Something that stays in the text, where the other client does something else with it.
    fn kept(value: &str, why: impl Into<String>) -> Self {
        Self { stays: true, ..Self::text(value, why) }
    }

    /// [`Self::line`], and in front of it what became of the value; `lost` is the word if it's not in the new file.
    pub fn said(&self, lost: &str) -> String {
        format!("{} {}", if self.stays { "kept" } else { lost }, self.line())
    }

    /// The value in one line for people: `` `tools`: Cursor has no such key ``.
    pub fn line(&self) -> String {
        const LONGEST: usize = 60;
        let mut value: String = self.value.split_whitespace().collect::<Vec<_>>().join(" ");
        if value.chars().count() > LONGEST {
            value = value.chars().take(LONGEST).chain(['…']).collect();
        }
        match &self.key {
            Some(key) => format!("`{key}: {value}`: {}", self.why),
            None => format!("`{value}`: {}", self.why),
        }
    }
}

/// Why a file can't be converted.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    #[error("the front matter isn't closed: add a line `---` after it")]
    Unclosed,
    #[error("the front matter is TOML; clients read YAML between `---` lines")]
    Toml,
    #[error("{client} can't read the front matter: {message} (see `agentmd check`)")]
    Unreadable { client: String, message: String },
    #[error("{client} can't read the TOML: line {line}: {message}")]
    BrokenToml { client: String, line: usize, message: String },
    #[error("the front matter has {length} bytes; more than {most} are not converted")]
    Long { length: usize, most: usize },
    #[error("{0}")]
    Family(String),
    #[error("{client} needs `{key}`, and the file has nothing for it")]
    Missing { client: String, key: String },
    #[error("`{name}` can't be the name of a file")]
    Name { name: String },
    #[error("the {of} has {length} {unit}; {client} takes {most} ({effect})")]
    Limit {
        client: String,
        of: &'static str,
        length: usize,
        most: usize,
        unit: &'static str,
        effect: String,
    },
    #[error("{client} would read `{key}` differently from what was written")]
    Differs { client: String, key: String },
}

/// Kinds that can become each other.
fn family(kind: Kind) -> Option<u8> {
    Some(match kind {
        Kind::Skill => 0,
        Kind::Agent => 1,
        Kind::Command | Kind::Prompt | Kind::Workflow => 2,
        Kind::Rule | Kind::Instructions => 3,
        Kind::Memory => 4,
        _ => return None,
    })
}

/// Whether files of a kind can become files of the other: a command can also become a skill, and a
/// skill a command.
pub fn converts(from: Kind, to: Kind) -> bool {
    match (family(from), family(to)) {
        (Some(from), Some(to)) => from == to || from.max(to) == 2 && from.min(to) == 0,
        _ => false,
    }
}

/// The state of a conversion: both sides, and its results so far.
struct Work<'a> {
    from: Place,
    to: Place,
    name: &'a str,
    /// When the new rule is loaded, if its front matter determines that.
    loaded: Option<Occasion>,
    dropped: Vec<Dropped>,
    notes: Vec<String>,
}

impl Work<'_> {
    fn drop_key(&mut self, key: &str, value: &Value, why: impl Into<String>) {
        self.dropped.push(Dropped::key(key, value, why));
    }

    /// Whether both sides are the same client.
    fn stays(&self) -> bool {
        std::ptr::eq(self.from.client, self.to.client)
    }

    fn note(&mut self, note: impl Into<String>) {
        let note = note.into();
        if !self.notes.contains(&note) {
            self.notes.push(note);
        }
    }
}

/// Converts the text of an agent file.
///
/// # Errors
/// If the file can't be read, the kinds don't convert, or the other client couldn't load the
/// result.
pub fn convert(text: &str, origin: &Origin, to: Place) -> Result<Conversion, Refusal> {
    convert_at(text, origin, to, None)
}

/// The same for a file in a workspace, whose links lead to the same files afterwards.
///
/// # Errors
/// As for [`convert`].
pub fn convert_at(
    text: &str,
    origin: &Origin,
    to: Place,
    around: Option<(&dyn World, &Path)>,
) -> Result<Conversion, Refusal> {
    let from = origin.place;
    if !converts(from.reads.kind, to.reads.kind) {
        return Err(Refusal::Family(format!("{} can't become {}", from.words(), to.words())));
    }
    let read = source::read(text, from)?;
    let (name, dropped, notes) = (origin.name.as_str(), read.dropped, read.notes);
    let mut work = Work { from, to, name, loaded: None, dropped, notes };
    let (body, arguments) = body::convert(&mut work, &read.values, &read.body);
    let mut values = keys::convert(&mut work, &read.values, &arguments);
    let path = place::path(&mut work, &mut values, &read.values)?;
    let around = around.zip(origin.root.as_deref());
    let around = around.map(|((world, path), root)| Around { world, path, root });
    let body = links::convert(&mut work, around, &path, &body);
    repair::repair(&mut work, &mut values, &body)?;
    if !to.has_front_matter() {
        let why = format!("{} reads no front matter here", to.client.title);
        work.dropped.extend(read.comments.iter().map(|(_, text)| Dropped::text(text, &why)));
    }
    let text = print::print(&work, &values, &body, &read.comments, read.line_break)?;
    limits(&mut work, &text, &body)?;
    Ok(Conversion { path, text, dropped: work.dropped, notes: work.notes })
}

/// The values and the text of a file, as its client reads them.
///
/// # Errors
/// If the client can't read the file.
pub fn parts(text: &str, place: Place) -> Result<source::Text, Refusal> {
    source::read(text, place)
}

/// A file of the same client with other values or text. `like` is the original file.
///
/// # Errors
/// If there's no way to write a value so that the client reads it back unchanged.
pub fn assemble(
    origin: &Origin,
    values: &Map<String, Value>,
    body: &str,
    like: &source::Text,
) -> Result<String, Refusal> {
    let work = Work {
        from: origin.place,
        to: origin.place,
        name: &origin.name,
        loaded: None,
        dropped: Vec::new(),
        notes: Vec::new(),
    };
    print::print(&work, values, body, &like.comments, like.line_break)
}

/// Reports text that is longer than the client allows.
fn limits(work: &mut Work, text: &str, body: &str) -> Result<(), Refusal> {
    for limit in &work.to.reads.limits {
        let (of, whole) = match limit.of {
            LimitOf::Body => ("text", body),
            LimitOf::File => ("file", text),
        };
        let (length, unit) = match limit.unit {
            Unit::Characters => (whole.chars().count(), "characters"),
            Unit::Bytes => (whole.len(), "bytes"),
        };
        if length <= limit.most {
            continue;
        }
        if limit.effect.outcome >= Outcome::NotLoaded {
            return Err(Refusal::Limit {
                client: work.to.client.title.clone(),
                of,
                length,
                most: limit.most,
                unit,
                effect: limit.effect.text.clone(),
            });
        }
        let client = &work.to.client.title;
        let why = format!("{length} {unit}; {client}: {}", limit.effect.text);
        work.dropped.push(Dropped::kept(of, why));
    }
    Ok(())
}

/// What a client does with a value that its schema rejects.
fn effect(reads: &Reads, key: &str, keyword: &str) -> Effect {
    reads.effect(key, keyword).unwrap_or_else(|| Effect {
        outcome: Outcome::Partly,
        text: format!("`{key}` has no effect"),
    })
}

/// The value of a key as text, if it has one.
fn text_of<'v>(values: &'v Map<String, Value>, key: &str) -> Option<&'v str> {
    values.get(key).and_then(Value::as_str).map(str::trim).filter(|text| !text.is_empty())
}

/// Whether a value is empty.
fn is_empty(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::String(text) => text.trim().is_empty(),
        Value::Array(items) => items.is_empty(),
        Value::Object(entries) => entries.is_empty(),
        _ => false,
    }
}

/// The items of a list under a key with this schema, in any notation; `None` for other values.
pub fn items(schema: Option<&Value>, value: &Value) -> Option<Vec<String>> {
    match schema.and_then(keys::names) {
        Some("tool") => tools::listed(value),
        Some("glob") => Some(scope::globs(value)),
        _ => value.as_array()?.iter().map(|item| item.as_str().map(str::to_owned)).collect(),
    }
}

/// Whether a client names tools at all.
fn has_tools(client: &Client) -> bool {
    !client.tools.names.is_empty() || !client.writes.names.is_empty()
}
