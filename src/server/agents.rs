//! Commands for editors: the files that clients load, their cost, and which files use which.

use std::path::PathBuf;
use std::sync::Arc;

use serde_json::{Value, json};
use tower_lsp::gen_lsp_types::{ExecuteCommandParams, LspAny};
use tower_lsp::jsonrpc::{Error, Result};

use super::backend::Backend;
use super::overlay::Overlay;
use super::pool::Cancellation;
use super::{command, uri, whole};
use crate::client::Client;
use crate::config::{self, Config, Options};
use crate::format::agent::loaded::{self, Files, Question, cost};
use crate::format::names;
use crate::ide;
use crate::world::{EntryKind, World};

/// What clients load for a file.
pub(super) const LOADED: &str = "agentmd.loaded";
/// What the agent files of a workspace cost.
pub(super) const COST: &str = "agentmd.cost";
/// Who uses whom.
pub(super) const GRAPH: &str = "agentmd.graph";

/// All agent files and programs, with their state for each client.
pub(super) const OVERVIEW: &str = "agentmd.overview";

/// A request, resolved to a path and its settings.
struct Asked {
    command: String,
    path: PathBuf,
    root: PathBuf,
    config: Arc<Config>,
    home: Option<PathBuf>,
    exact: bool,
    session: Arc<super::session::Session>,
    world: Overlay,
}

impl AsRef<Overlay> for Asked {
    fn as_ref(&self) -> &Overlay {
        &self.world
    }
}

impl Backend {
    /// Answers with the JSON that the command line prints. Takes one object: `uri` (by default the
    /// first folder of the workspace), `clients`, `home`, `exact`, and `format` for maps.
    pub(super) fn agents(
        &self,
        params: ExecuteCommandParams,
    ) -> impl Future<Output = Result<Option<LspAny>>> + use<> {
        let asked = self.asked(params);
        async move {
            let (asked, format) = asked?;
            let answer = whole::ask(asked, move |asked: &Asked, cancellation: &Cancellation| {
                asked.answer(format.as_deref(), cancellation)
            })
            .await?;
            Ok(serde_json::from_value(answer).ok())
        }
    }

    fn asked(&self, params: ExecuteCommandParams) -> Result<(Asked, Option<String>)> {
        let given = command::argument(params.arguments);
        let uri = given.get("uri").and_then(Value::as_str);
        let path = match uri {
            Some(uri) => uri::to_path(uri),
            None => self.session.folders().first().cloned(),
        };
        let path = path.ok_or_else(|| {
            Error::invalid_params(format!("`{}` takes one object with a `uri`", params.command))
        })?;
        let world = self.session.world_of(self.session.documents());
        // For a folder, use the settings of a file in it.
        let inside = match world.kind(&path) {
            Some(EntryKind::Folder) => path.join(config::FILE_NAME),
            _ => path.clone(),
        };
        let mut config = self.session.settings.config_for(Some(&inside), &self.session.outgoing);
        let clients = given.get("clients").and_then(Value::as_array);
        let clients: Vec<String> = clients
            .into_iter()
            .flatten()
            .filter_map(|name| name.as_str().map(str::to_owned))
            .collect();
        for name in &clients {
            names::client(name).map_err(|error| Error::invalid_params(error.to_string()))?;
        }
        if !clients.is_empty() {
            let options = Options { clients, ..config.options().clone() };
            let changed = config.with(options);
            config = Arc::new(changed.map_err(|error| Error::invalid_params(error.to_string()))?);
        }
        let folder = || path.parent().map(std::path::Path::to_owned);
        let root = world.root(Some(&path)).or_else(folder).unwrap_or_else(|| path.clone());
        let flag = |name: &str| given.get(name).and_then(Value::as_bool).unwrap_or_default();
        let home = flag("home").then(std::env::home_dir).flatten();
        let format = given.get("format").and_then(Value::as_str).map(str::to_owned);
        let asked = Asked {
            command: params.command,
            path,
            root,
            config,
            home,
            exact: flag("exact"),
            session: Arc::clone(&self.session),
            world,
        };
        Ok((asked, format))
    }
}

impl Asked {
    fn clients(&self) -> Vec<&'static Client> {
        loaded::clients(&self.world, &self.root, &self.config)
    }

    fn answer(&self, format: Option<&str>, cancellation: &Cancellation) -> Value {
        let cancelled = || cancellation.is_cancelled();
        if self.command == GRAPH {
            let outgoing = &self.session.outgoing;
            let config =
                |path: &std::path::Path| self.session.settings.config_for(Some(path), outgoing);
            // Once these are known, so are the names of all files.
            let _ = self.world.files();
            let found = ide::graph::graph(&self.world, &self.root, &config, &cancelled);
            return match format {
                Some("mermaid") => Value::String(found.mermaid()),
                Some("dot") => Value::String(found.dot()),
                _ => serde_json::to_value(found).unwrap_or_default(),
            };
        }
        let files = self.world.files();
        let is_folder = self.world.kind(&self.path) == Some(EntryKind::Folder);
        let folder = self.path.parent().unwrap_or(&self.path);
        let start = if is_folder { self.path.clone() } else { folder.to_owned() };
        let mut question = Question {
            world: &self.world,
            config: &self.config,
            root: self.root.clone(),
            start,
            assumed: true,
            path: (!is_folder).then(|| self.path.clone()),
            home: self.home.clone(),
            files: Files::new(&files),
            exact: self.exact,
            cancelled: &cancelled,
        };
        let shown = self.path.strip_prefix(&self.root).unwrap_or(&self.path);
        if self.command == LOADED {
            let clients = loaded::loaded(&question, &self.clients());
            return json!({ "path": crate::world::slashed(shown), "clients": clients });
        }
        question.start.clone_from(&self.root);
        question.assumed = false;
        question.path = None;
        let costs = cost::costs(&question, &self.clients());
        let mut answer = match self.command.as_str() {
            OVERVIEW => {
                let outgoing = &self.session.outgoing;
                let config =
                    |path: &std::path::Path| self.session.settings.config_for(Some(path), outgoing);
                let found =
                    ide::overview::overview(&self.world, &self.root, &costs, &config, &cancelled);
                serde_json::to_value(found).unwrap_or_default()
            }
            _ => json!({ "clients": costs }),
        };
        let budget = self.config.options().budget.always;
        if let Some(answer) = answer.as_object_mut().filter(|_| budget > 0) {
            answer.insert("budget".to_owned(), budget.into());
        }
        answer
    }
}
