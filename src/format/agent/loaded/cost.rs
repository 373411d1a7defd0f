//! What a workspace's agent files cost each client: always, when a file matches, and on demand.

use serde::Serialize;

use super::folders::Folders;
use super::found::{self, Found};
use super::tokens::Counter;
use super::{Question, Why, chain, listing};
use crate::client::loading::{Below, Mode};
use crate::client::{Client, Kind};
use crate::parallel;

/// The cost for one client.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Cost {
    pub client: String,
    pub always: usize,
    pub matched: usize,
    pub on_demand: usize,
    pub files: Vec<Costs>,
}

/// What one file costs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Costs {
    pub path: String,
    pub kind: &'static str,
    pub when: When,
    pub tokens: usize,
    pub counted: &'static str,
    /// Only a line of a list.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub listing: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum When {
    Always,
    Match,
    Demand,
}

impl When {
    pub fn name(self) -> &'static str {
        match self {
            Self::Always => "always",
            Self::Match => "match",
            Self::Demand => "demand",
        }
    }
}

/// What the agent files of a workspace cost each client.
pub fn costs(question: &Question, clients: &[&'static Client]) -> Vec<Cost> {
    clients.iter().map(|client| cost(question, client)).collect()
}

fn cost(question: &Question, client: &'static Client) -> Cost {
    let counter = Counter::new(client, question.exact);
    let folders = Folders::of(question, client);
    let mut files = Vec::new();
    let mut add = |path: &str, kind, when, tokens, listing| {
        let counted = counter.name();
        files.push(Costs { path: path.to_owned(), kind, when, tokens, counted, listing });
    };
    let (memory, _) = chain::chain(question, client, &folders, &counter, &mut Vec::new());
    for file in &memory {
        add(&file.path, file.kind, When::Always, file.tokens, false);
    }
    if client.loading.below == Below::Match {
        for file in nested(question, client, &folders, &counter) {
            if !memory.iter().any(|known| known.path == file.path) {
                add(&file.path, file.kind, When::Match, file.tokens, false);
            }
        }
    }
    let found = found::found(question, client, &folders, true);
    let (nested, own): (Vec<Found>, Vec<Found>) = found.into_iter().partition(|found| found.nested);
    for (found, when) in [(&own, When::Always), (&nested, When::Match)] {
        let (lines, _) = listing::lines(question, client, found, &counter);
        for line in lines.iter().filter(|line| line.why == Why::Listing) {
            add(&line.path, line.kind, when, line.tokens, true);
        }
        let counted = parallel::filter_map(found, &|found: &Found| {
            let when = match found.mode {
                Mode::Never => return None,
                _ if found.on_demand() => When::Demand,
                Mode::Always => when,
                Mode::Match => When::Match,
                Mode::Listed | Mode::Demand => When::Demand,
            };
            let (tokens, ..) = found.size(&counter)?;
            Some((question.shown(&found.path), found.reads.kind, when, tokens))
        });
        for (path, kind, when, tokens) in counted {
            add(&path, kind.name(), when, tokens, false);
        }
    }
    let sum = |when: When| -> usize {
        files.iter().filter(|file| file.when == when).map(|file| file.tokens).sum()
    };
    Cost {
        client: client.name.clone(),
        always: sum(When::Always),
        matched: sum(When::Match),
        on_demand: sum(When::Demand),
        files,
    }
}

/// Memory files in folders below the start.
fn nested(
    question: &Question,
    client: &'static Client,
    folders: &Folders,
    counter: &Counter,
) -> Vec<super::Loaded> {
    let mut below: Vec<_> = question
        .files
        .of(question.world, client)
        .iter()
        .filter(|(path, role)| {
            role.reads.kind == Kind::Memory && !role.plugin && path.starts_with(&question.start)
        })
        .filter_map(|(path, _)| path.parent())
        .filter(|folder| folders.chain.iter().all(|known| known != folder))
        .map(std::path::Path::to_owned)
        .collect();
    below.sort();
    below.dedup();
    // `.claude/CLAUDE.md` belongs to the folder around it.
    let folders = Folders { nested: below, ..Folders::default() };
    chain::chain(question, client, &folders, counter, &mut Vec::new()).0
}
