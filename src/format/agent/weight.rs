//! How much a finding weighs. Errors and warnings are for findings that authors would act on, so
//! the claim must be certain, and so must its basis: that a client reads the file, as this kind of
//! file. All other findings are hints.
//!
//! | | text | own name | key | missing | files | name | mention |
//! |---|---|---|---|---|---|---|---|
//! | read by a client where it is | ✓ | ✓ | ✓ | ✓ | ✓ | with a sign | with a sign |
//! | in no client's place | ✓ | unless common | unless common | unless common | ✓ | with a sign | with a sign |
//! | also read by another program | ✓ | ✓ | | ✓ | ✓ | | with a sign |
//! | made for or from other files | ✓ | ✓ | ✓ | ✓ | | | |
//! | form, archive, page or guess | | | | | | | |
//!
//! In a skill that a lock file lists, only findings that keep a client from loading it are more
//! than hints: see [`super::installed`].
//!
//! What neighbours have in common is a convention; mistakes are exceptions. This applies if a
//! program of the project may read the files instead of a client, or if a client of a plugin
//! doesn't need what all of them lack.
//!
//! In public repositories, claims about the text were right in nearly all repositories, for every
//! rule. Claims that something doesn't exist were wrong in every third one, unless something else
//! suggests that it should.

use std::collections::HashMap;
use std::sync::OnceLock;

use serde_json::Value;

use super::neighbours;
use super::problem::{Cause, Problem};
use super::subject::Subject;
use crate::client::{Outcome, Role, catalog};
use crate::rule::Severity;
use crate::source::Source;
use crate::yaml::{Entry, Kind, Node};

/// What a finding claims.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Claim {
    /// What a client does with the text of the file.
    Text,
    /// The file's own name doesn't follow the open specification.
    OwnName(Common),
    /// A client loads the file, but ignores a key or reads it differently.
    Key(Common),
    /// Front matter lacks a key that files of this kind have, or the file has no front matter.
    Missing(Common),
    /// A claim about other files: a link has no target, or another file has the same name.
    Files,
    /// Something that front matter names doesn't exist.
    Name(Sign),
    /// Something that the body mentions doesn't exist.
    Mention(Sign),
}

/// What else suggests that a missing item should exist.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sign {
    /// An item with a similar name exists.
    Near,
    /// Other items that the file mentions in the same way exist.
    Others,
    /// Nothing: the author may mean another place or a later time.
    None,
}

/// Whether a file has, or lacks, the same as its neighbours.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Common {
    /// They differ, it matters to a client, or there are no neighbours.
    No,
    /// Several neighbours are alike, so this is intended.
    Yes,
}

impl Common {
    fn of(common: bool) -> Self {
        if common { Self::Yes } else { Self::No }
    }
}

impl Sign {
    pub fn of(near: bool, others: bool) -> Self {
        match (near, others) {
            (true, _) => Self::Near,
            (false, true) => Self::Others,
            (false, false) => Self::None,
        }
    }
}

impl Subject<'_> {
    /// The severity of a finding: that of its rule, or less.
    pub fn weigh(&self, claim: Claim, severity: Severity) -> Severity {
        let file = &self.file;
        let carries = match claim {
            Claim::Text => true,
            Claim::OwnName(common) => common == Common::No,
            Claim::Key(common) => common == Common::No && !file.shared,
            Claim::Missing(common) => common == Common::No,
            Claim::Files => !file.moved,
            Claim::Name(sign) => sign != Sign::None && !file.moved && !file.shared,
            Claim::Mention(sign) => sign != Sign::None && !file.moved,
        };
        if carries && !file.guess { severity } else { Severity::Hint }
    }

    /// The severity of a group of problems with the same cause.
    pub fn severity(&self, group: &[&Problem]) -> Severity {
        let worst =
            group.iter().map(|problem| problem.effect.outcome).max().unwrap_or(Outcome::Loaded);
        let claim = group.first().map_or(Claim::Text, |problem| self.claim(problem, worst));
        self.weigh(claim, of_outcome(worst))
    }

    fn claim(&self, problem: &Problem, outcome: Outcome) -> Claim {
        match problem.cause {
            Cause::UnknownKey | Cause::IgnoredKey | Cause::WrongType | Cause::WrongValue
                if outcome <= Outcome::Partly =>
            {
                let shared = |key| neighbours::have(self, key);
                Claim::Key(Common::of(self.is_unclaimed() && problem.key().is_some_and(shared)))
            }
            Cause::InvalidName | Cause::Folder => {
                let alike = || neighbours::are_named_alike(self, &problem.detail);
                let meant = || alike() || neighbours::is_described(self);
                Claim::OwnName(Common::of(self.is_unclaimed() && meant()))
            }
            Cause::NoFrontMatter | Cause::MissingKey => {
                // The folder has the name, too, but only a key of the project's own can describe
                // the skill.
                let said = || problem.keys.iter().all(|key| key == "name") || self.has_own_key();
                let late = || problem.keys.is_empty() && self.late().is_some();
                let lack = || match problem.keys.as_slice() {
                    [] => neighbours::lack(self, None),
                    keys => keys.iter().all(|key| neighbours::lack(self, Some(key))),
                };
                // Agents of a plugin are named after their files, and lose nothing without another
                // name.
                let named = || {
                    let mut roles = self.file.judged.iter();
                    outcome <= Outcome::Partly
                        && !problem.keys.is_empty()
                        && roles.all(|role| role.plugin)
                };
                let unread = self.is_unclaimed() || named();
                Claim::Missing(Common::of(unread && said() && !late() && lack()))
            }
            _ => Claim::Text,
        }
    }

    /// Whether a file outside the places of clients has a sentence in an unknown key that most
    /// neighbours have, too.
    fn has_own_key(&self) -> bool {
        let own = |entry: &Entry| {
            let text = entry.value.as_str().unwrap_or_default();
            let key = entry.key.as_str().filter(|key| !known().contains_key(key));
            text.split_whitespace().count() >= LEAST_WORDS
                && !text.trim_end().contains('\n')
                && key.is_some_and(|key| neighbours::have(self, key))
        };
        self.is_unclaimed() && self.entries().any(own)
    }

    /// Whether its clients read it only because of its name or its extension.
    pub fn is_unclaimed(&self) -> bool {
        is_unclaimed(&self.file.judged)
    }
}

/// Whether these read a file only because of its name or its extension, outside the places of
/// clients.
pub fn is_unclaimed(roles: &[Role]) -> bool {
    let mut roles = roles.iter();
    roles.all(|role| role.reads.anywhere || role.parts == 1 && !role.own && !role.plugin)
}

/// How much an outcome matters.
pub fn of_outcome(outcome: Outcome) -> Severity {
    match outcome {
        Outcome::DoesNotStart | Outcome::NotLoaded => Severity::Error,
        Outcome::Partly => Severity::Warning,
        Outcome::Loaded => Severity::Hint,
    }
}

/// Whether front matter is also written for another program: it has keys that no client knows, and
/// structures that no client accepts. Single values, such as a version, are often added for people.
/// If it's `unclaimed`, outside the places of clients, one unknown key is enough.
pub fn is_shared(source: &Source, unclaimed: bool) -> bool {
    let Some(front) = source.front_matter() else { return false };
    let known = known();
    let (mut foreign, mut structures) = (0, 0);
    for entry in front.tree.entries() {
        let takes = entry.key.as_str().and_then(|key| known.get(key));
        foreign += usize::from(takes.is_none());
        structures += usize::from(takes != Some(&true) && is_structure(&entry.value));
    }
    structures > 0 && foreign >= if unclaimed { 1 } else { LEAST_FOREIGN }
}

/// A value with fewer words isn't a sentence.
const LEAST_WORDS: usize = 3;

/// Fewer unknown keys may be mistakes.
const LEAST_FOREIGN: usize = 3;

/// A mapping, or a list with one.
fn is_structure(value: &Node) -> bool {
    match &value.kind {
        Kind::Mapping(mapping) => !mapping.entries.is_empty(),
        Kind::Sequence(list) => list.items.iter().any(|item| matches!(item.kind, Kind::Mapping(_))),
        _ => false,
    }
}

/// Every key that any client reads in any kind of file, and whether it accepts a structure.
fn known() -> &'static HashMap<&'static str, bool> {
    static KNOWN: OnceLock<HashMap<&str, bool>> = OnceLock::new();
    KNOWN.get_or_init(|| {
        let mut known = HashMap::new();
        for reads in catalog().clients.iter().flat_map(|client| &client.reads) {
            for (key, schema) in reads.properties() {
                let schema = reads.resolved(schema);
                let items = schema.get("items").map(|items| reads.resolved(items));
                let takes = takes_mapping(schema) || items.is_some_and(takes_mapping);
                *known.entry(key).or_default() |= takes;
            }
        }
        known
    })
}

/// Whether a schema allows a mapping: by its type or, if it has none, by its other keywords.
fn takes_mapping(schema: &Value) -> bool {
    let is_mapping = |kind: &Value| kind == "object";
    match schema.get("type") {
        Some(Value::Array(kinds)) => kinds.iter().any(is_mapping),
        Some(kind) => is_mapping(kind),
        None => ["properties", "additionalProperties", "oneOf", "anyOf"]
            .iter()
            .any(|keyword| schema.get(keyword).is_some()),
    }
}
