//! The agent files and programs of a workspace in one list: which client reads which file, whether
//! it loads it, and what that costs.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde::Serialize;

use crate::client::{self, Client, Kind, Outcome, catalog};
use crate::config::Config;
use crate::document::Document;
use crate::format::Context;
use crate::format::agent::loaded::cost::{Cost, When};
use crate::format::agent::names;
use crate::format::agent::skeleton;
use crate::format::markdownlang::FORMAT;
use crate::ide::verdicts;
use crate::parallel;
use crate::source::Source;
use crate::world::{World, slashed};

/// The agent files and programs of a workspace.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Overview {
    pub clients: Vec<ClientFiles>,
    pub programs: Vec<Program>,
}

/// What one client reads.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ClientFiles {
    pub client: String,
    pub title: String,
    /// The tokens that it loads before it does anything.
    pub always: usize,
    /// How tokens are counted: with a vocabulary, or `bytes/4`.
    pub counted: &'static str,
    /// The kinds of files that `agentmd new` can write for it.
    pub new: Vec<&'static str>,
    /// By kind and path.
    pub files: Vec<File>,
}

/// An agent file as one client sees it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct File {
    /// Relative to the workspace's folder, if it is inside.
    pub path: String,
    pub name: String,
    pub kind: &'static str,
    pub outcome: Outcome,
    /// Why it isn't simply loaded, each in a few words.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub reasons: Vec<String>,
    pub always: usize,
    pub matched: usize,
    pub on_demand: usize,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Program {
    pub path: String,
    pub name: String,
}

/// A file of any client.
enum Found {
    Agent { path: PathBuf, name: String, verdicts: Vec<(Kind, verdicts::Verdict)> },
    Program(Program),
}

/// The files in a world, with the cost of each. `config` returns the settings of a file.
pub fn overview(
    world: &dyn World,
    root: &Path,
    costs: &[Cost],
    config: &(dyn Fn(&Path) -> Arc<Config> + Sync),
    cancelled: &(dyn Fn() -> bool + Sync),
) -> Overview {
    let found = parallel::filter_map(&world.files(), &|path: &PathBuf| {
        (!cancelled()).then(|| look(world, root, path, config, cancelled)).flatten()
    });
    let clients = costs.iter().filter_map(|cost| {
        let client = catalog().named(&cost.client)?;
        Some(ClientFiles {
            client: client.name.clone(),
            title: client.title.clone(),
            always: cost.always,
            counted: cost.files.first().map_or("bytes/4", |file| file.counted),
            new: skeleton::words(client),
            files: files(world, root, client, cost, &found),
        })
    });
    let clients = clients.collect();
    let mut programs: Vec<Program> = found
        .into_iter()
        .filter_map(|found| match found {
            Found::Program(program) => Some(program),
            Found::Agent { .. } => None,
        })
        .collect();
    programs.sort_by(|one, other| one.path.cmp(&other.path));
    Overview { clients, programs }
}

fn shown(root: &Path, path: &Path) -> String {
    slashed(path.strip_prefix(root).unwrap_or(path))
}

fn look(
    world: &dyn World,
    root: &Path,
    path: &Path,
    config: &dyn Fn(&Path) -> Arc<Config>,
    cancelled: &(dyn Fn() -> bool + Sync),
) -> Option<Found> {
    let is_agent =
        client::may_be_read(path) && !client::roles(client::place(world, path)).is_empty();
    let source = world.look(path).ok()?;
    // A program has front matter with an output or an input.
    let fronted = || {
        source.front_matter().is_some_and(|front| {
            ["output", "input", "imports"].iter().any(|key| front.tree.get(key).is_some())
        })
    };
    if !is_agent && !fronted() {
        return None;
    }
    let config = config(path);
    let document = Document::from_source(source, Some(path), &config);
    let cx = Context { cancelled, ..Context::new(document.source(), Some(path), world, &config) };
    let stem = || {
        let stem = path.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default();
        stem.to_owned()
    };
    if document.format().name == FORMAT.name {
        return Some(Found::Program(Program { path: shown(root, path), name: stem() }));
    }
    let (kind, verdicts) = verdicts::verdicts(&document, &cx)?;
    let name = name(world, path, document.source());
    let verdicts = verdicts.into_iter().map(|verdict| (kind, verdict)).collect();
    Some(Found::Agent { path: path.to_owned(), name, verdicts })
}

/// The name that an agent file declares, or that of the file.
fn name(world: &dyn World, path: &Path, source: &Source) -> String {
    let declared = names::declaration(world, path, source);
    let file = || path.file_name().and_then(|file| file.to_str()).unwrap_or_default().to_owned();
    declared.map_or_else(file, |declared| declared.shown().to_owned())
}

/// The files of a client: those that it loads, and those that it should load and doesn't.
fn files(
    world: &dyn World,
    root: &Path,
    client: &Client,
    cost: &Cost,
    found: &[Found],
) -> Vec<File> {
    let mut files: BTreeMap<String, File> = BTreeMap::new();
    for one in found {
        let Found::Agent { path, name, verdicts } = one else { continue };
        let own = verdicts.iter().find(|(_, verdict)| verdict.client == client.name);
        let Some((_, verdict)) = own else { continue };
        let path = shown(root, path);
        files.insert(
            path.clone(),
            File {
                path,
                name: name.clone(),
                kind: verdict.kind.name(),
                outcome: verdict.outcome,
                reasons: verdict.reasons.clone(),
                always: 0,
                matched: 0,
                on_demand: 0,
            },
        );
    }
    for counted in &cost.files {
        // Clients also load files that git ignores, which aren't in the world's list.
        let named = || {
            let path = root.join(&counted.path);
            let file = || counted.path.rsplit('/').next().unwrap_or_default().to_owned();
            world.look(&path).map_or_else(|_| file(), |source| name(world, &path, &source))
        };
        let file = files.entry(counted.path.clone()).or_insert_with(|| File {
            path: counted.path.clone(),
            name: named(),
            kind: counted.kind,
            outcome: Outcome::Loaded,
            reasons: Vec::new(),
            always: 0,
            matched: 0,
            on_demand: 0,
        });
        match counted.when {
            When::Always => file.always += counted.tokens,
            When::Match => file.matched += counted.tokens,
            When::Demand => file.on_demand += counted.tokens,
        }
    }
    let mut files: Vec<File> = files.into_values().collect();
    files.sort_by(|one, other| (one.kind, &one.path).cmp(&(other.kind, &other.path)));
    files
}

#[cfg(test)]
mod tests {
    use std::path::Path;
    use std::sync::Arc;

    use super::{File, Overview, overview};
    use crate::client::Outcome;
    use crate::config::{Config, Options};
    use crate::format::agent::loaded::{Files, Question, clients, cost};
    use crate::world::{Memory, World};

    fn of(world: &Memory, names: &[&str]) -> Overview {
        let names = names.iter().map(|name| (*name).to_owned()).collect();
        let options = Options { clients: names, ..Options::default() };
        let config = Arc::new(Config::new(Path::new("/w").to_owned(), options).unwrap());
        let files = world.files();
        let question = Question {
            world,
            config: &config,
            root: Path::new("/w").to_owned(),
            start: Path::new("/w").to_owned(),
            assumed: false,
            path: None,
            home: None,
            files: Files::new(&files),
            exact: false,
            cancelled: &|| false,
        };
        let costs = cost::costs(&question, &clients(world, Path::new("/w"), &config));
        overview(world, Path::new("/w"), &costs, &|_| Arc::clone(&config), &|| false)
    }

    fn named<'o>(found: &'o Overview, client: usize, name: &str) -> &'o File {
        let files = &found.clients[client].files;
        files.iter().find(|file| file.name == name).expect("the file")
    }

    #[test]
    fn every_file_has_its_state_for_each_client() {
        let skill = |name: &str, description: &str| {
            format!("---\nname: {name}\ndescription: {description}\n---\n\nBoil.\n")
        };
        let program = "---\nname: sort\ndescription: Sorts\ninput: { type: object }\noutput: { type: object }\n---\n\nSort.\n";
        let world = Memory::default()
            .in_folder("/w")
            .with("/w/CLAUDE.md", "Be brief.\n")
            .with("/w/.claude/skills/tea/SKILL.md", &skill("tea", "Makes tea"))
            .with("/w/.claude/skills/jam/SKILL.md", &skill("jam", "Use when: asked"))
            .with("/w/programs/sort.md", program)
            .with("/w/README.md", "# No agent file\n");
        let found = of(&world, &["claude-code", "cline"]);
        let file = |client, name| named(&found, client, name);
        assert_eq!((file(0, "jam").kind, file(0, "jam").outcome), ("skill", Outcome::Loaded));
        assert_eq!(file(1, "jam").outcome, Outcome::NotLoaded);
        assert!(!file(1, "jam").reasons.is_empty());
        assert_eq!(file(1, "tea").outcome, Outcome::Loaded);
        assert_eq!(file(0, "CLAUDE.md").kind, "memory");
        let tea = file(0, "tea");
        assert!(tea.always > 0 && tea.on_demand > 0, "{tea:?}");
        let claude = &found.clients[0];
        let sum: usize = claude.files.iter().map(|file| file.always).sum();
        assert_eq!(sum, claude.always);
        assert!(claude.new.contains(&"skill") && claude.new.contains(&"agent"));
        let programs: Vec<_> = found.programs.iter().map(|one| one.path.as_str()).collect();
        assert_eq!(programs, ["programs/sort.md"]);
    }
}
