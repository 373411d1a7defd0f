//! The names in settings and options, with suggestions for unknown ones.

use std::borrow::Cow;
use std::collections::BTreeSet;

use super::{FORMATS, Format, rules};
use crate::client::{Client, catalog};
use crate::config::Options;
use crate::rule::Rule;
use crate::suggestion::{closest, closest_in_groups};

/// The rule with a code.
///
/// # Errors
/// If the code is unknown; the message suggests the nearest one.
pub fn rule(code: &str) -> Result<&'static Rule, UnknownName> {
    rules()
        .into_iter()
        .find(|rule| rule.code == code)
        .ok_or_else(|| unknown("rule", code, rules().into_iter().map(|rule| rule.code)))
}

/// Checks that every name is the code of a rule, or a group of rules.
///
/// # Errors
/// If one is neither; the message suggests the nearest one.
pub fn codes_or_groups<'a>(names: impl IntoIterator<Item = &'a str>) -> Result<(), UnknownName> {
    let known = known();
    match names.into_iter().find(|name| !known.contains(name)) {
        Some(name) => Err(neither(name, &known)),
        None => Ok(()),
    }
}

fn known() -> BTreeSet<&'static str> {
    rules().into_iter().flat_map(|rule| [rule.code, rule.group()]).collect()
}

fn neither(name: &str, known: &BTreeSet<&str>) -> UnknownName {
    unknown("rule or group of rules", name, known.iter().copied())
}

/// Settings with more unknown names than this were not mistyped.
const MOST_UNKNOWN: usize = 8;

/// Messages for unknown names in the settings, which have no effect. Only the first few are listed.
pub fn unknown_in(options: &Options) -> Vec<String> {
    let overrides =
        options.overrides.iter().flat_map(|item| item.ignore.iter().chain(item.rules.keys()));
    let names =
        options.select.iter().chain(&options.ignore).chain(options.rules.keys()).chain(overrides);
    let formats = options.formats.values().filter(|format| Format::named(format).is_none());
    let known = known();
    let rules = names
        .map(String::as_str)
        .filter(|name| !known.contains(name))
        .map(|name| (Some("rule"), name));
    let formats = formats.map(|format| (None, format.as_str()));
    let clients = options
        .clients
        .iter()
        .map(String::as_str)
        .filter(|name| catalog().named(name).is_none())
        .map(|name| (Some("client"), name));
    let mut unknown = rules.chain(formats).chain(clients);
    let say = |(what, name): (Option<&str>, &str)| match what {
        Some("rule") => neither(name, &known).to_string(),
        Some(_) => client(name).err().map(|error| error.to_string()).unwrap_or_default(),
        None => format(name).err().map(|error| error.to_string()).unwrap_or_default(),
    };
    let mut said: Vec<String> = unknown.by_ref().take(MOST_UNKNOWN).map(say).collect();
    match unknown.count() {
        0 => {}
        more => said.push(format!("{more} more names are unknown")),
    }
    said
}

/// The names of all formats that can be set, sorted.
pub fn formats() -> Vec<&'static str> {
    let mut names: Vec<&str> = FORMATS.iter().map(|format| format.name).collect();
    names.sort_unstable();
    names.dedup();
    names
}

/// The format with a name.
///
/// # Errors
/// If the name is unknown; the message suggests the nearest one.
pub fn format(name: &str) -> Result<&'static Format, UnknownName> {
    Format::named(name).ok_or_else(|| UnknownName {
        what: "format",
        name: brief(name).into_owned(),
        nearest: closest(name, formats()).map(str::to_owned),
        all: format!("use one of {}", formats().join(", ")),
    })
}

/// The client with a name or an alias.
///
/// # Errors
/// If the name is unknown; the message suggests the nearest one.
pub fn client(name: &str) -> Result<&'static Client, UnknownName> {
    catalog().named(name).ok_or_else(|| {
        let names: Vec<&str> =
            catalog().clients.iter().map(|client| client.name.as_str()).collect();
        UnknownName {
            what: "client",
            name: brief(name).into_owned(),
            nearest: closest(name, catalog().names()).map(str::to_owned),
            all: format!("use one of {}", names.join(", ")),
        }
    })
}

/// An unknown name.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("unknown {what} `{name}`; {}", .nearest.as_ref().map_or_else(|| .all.clone(), |nearest| format!("did you mean `{nearest}`?")))]
pub struct UnknownName {
    /// What to use if no name is similar.
    all: String,
    what: &'static str,
    name: String,
    nearest: Option<String>,
}

fn unknown<'a>(
    what: &'static str,
    name: &str,
    known: impl IntoIterator<Item = &'a str>,
) -> UnknownName {
    let all = "`agentmd explain` lists them all".to_owned();
    UnknownName {
        what,
        name: brief(name).into_owned(),
        nearest: closest_in_groups(name, known).map(str::to_owned),
        all,
    }
}

/// No rule has a longer name.
const LONGEST: usize = 64;

fn brief(name: &str) -> Cow<'_, str> {
    match name.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", name.get(..end).unwrap_or_default()).into(),
        None => name.into(),
    }
}
