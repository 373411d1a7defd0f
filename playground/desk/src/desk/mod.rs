//! A workspace in memory, and the questions that the page asks about it. Every answer is that of a
//! function which the server and the command line call too.

mod answers;
mod questions;

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use agentmd::config::{Config, FILE_NAME};
use agentmd::document::Document;
use agentmd::format::{Context, names};
use agentmd::world::{Memory, World};
use serde_json::{Value, json};

use questions::{File, Question};

/// The folder of the workspace.
const ROOT: &str = "/workspace";

/// The open files, as the page last described them.
pub struct Desk {
    world: Memory,
    documents: HashMap<PathBuf, Document>,
    config: Config,
    clients: Vec<String>,
}

impl Default for Desk {
    fn default() -> Self {
        Self {
            world: Memory::default().in_folder(ROOT),
            documents: HashMap::new(),
            config: Config::default(),
            clients: Vec::new(),
        }
    }
}

/// The answer to a question that has none.
pub fn failure(message: &str) -> String {
    json!({ "error": message }).to_string()
}

/// A path of the workspace. Slashes at its start don't lead out of it.
fn absolute(path: &str) -> PathBuf {
    Path::new(ROOT).join(path.trim_start_matches('/'))
}

/// The path as the page knows it.
fn relative(path: &Path) -> String {
    agentmd::world::slashed(path.strip_prefix(ROOT).unwrap_or(path))
}

impl Desk {
    /// Answers a question in JSON; the answer is JSON too.
    pub fn answer(&mut self, question: &str) -> String {
        let answer = serde_json::from_str(question)
            .map_err(|error| format!("the question can't be read: {error}"))
            .and_then(|question| self.ask(question));
        match answer {
            Ok(answer) => answer.to_string(),
            Err(message) => failure(&message),
        }
    }

    fn ask(&mut self, question: Question) -> Result<Value, String> {
        match question {
            Question::Open { files, clients } => self.open(&files, clients),
            Question::Change { path, text } => {
                self.change(&path, &text)?;
                self.settings()
            }
            Question::Check { path } => self.about(&path, answers::check),
            Question::Highlights { path } => self.about(&path, answers::highlights),
            Question::Hover { path, at } => {
                self.about(&path, |document, cx| answers::hover(document, cx, at))
            }
            Question::Complete { path, at } => {
                self.about(&path, |document, cx| answers::complete(document, cx, at))
            }
            Question::Actions { path, from, to } => {
                self.about(&path, |document, cx| answers::actions(document, cx, from, to))
            }
            Question::FixAll { path } => self.about(&path, answers::fix_all),
            Question::Preview { path, input } => {
                self.about(&path, |document, cx| answers::preview(document, cx, input))
            }
            Question::Plan { path, choices, goal } => {
                self.about(&path, |document, cx| answers::plan(document, cx, &choices, &goal))?
            }
            Question::Explain { code } => answers::explain(&code),
            Question::Clients => Ok(answers::clients()),
            Question::Vocabularies => Ok(answers::vocabularies()),
        }
    }

    /// Replaces the whole workspace.
    fn open(&mut self, files: &[File], clients: Vec<String>) -> Result<Value, String> {
        for client in &clients {
            names::client(client).map_err(|error| error.to_string())?;
        }
        self.clients = clients;
        self.world = Memory::default().in_folder(ROOT);
        for file in files {
            self.world = std::mem::take(&mut self.world).with(absolute(&file.path), &file.text);
        }
        let settings = self.settings();
        self.documents.clear();
        for file in files {
            self.read(&absolute(&file.path))?;
        }
        settings
    }

    fn change(&mut self, path: &str, text: &str) -> Result<(), String> {
        let path = absolute(path);
        self.world = std::mem::take(&mut self.world).with(path.clone(), text);
        self.read(&path)
    }

    /// Reads a document again; what is the same in it stays.
    fn read(&mut self, path: &Path) -> Result<(), String> {
        let source = self.world.read(path).map_err(|error| error.to_string())?;
        let config = &self.config;
        let document = match self.documents.get(path) {
            Some(known) => known.with_source(source, Some(path), config),
            None => Document::from_source(source, Some(path), config),
        };
        self.documents.insert(path.to_owned(), document);
        Ok(())
    }

    /// Reads the settings again. With settings that can't be used, the usual ones apply, and the
    /// answer says why.
    fn settings(&mut self) -> Result<Value, String> {
        let path = absolute(FILE_NAME);
        let usual = || Config::new(PathBuf::from(ROOT), Default::default());
        let text = self.world.read(&path).ok().map(|source| source.text().to_string());
        let found = text.map_or_else(usual, |text| Config::from_text(&path, &text));
        let (config, problem) = match found {
            Ok(config) => (config, None),
            Err(error) => (usual().map_err(|error| error.to_string())?, Some(error.to_string())),
        };
        let config = if self.clients.is_empty() {
            config
        } else {
            let mut options = config.options().clone();
            options.clients.clone_from(&self.clients);
            config.with(options).map_err(|error| error.to_string())?
        };
        if config.options() != self.config.options() {
            self.config = config;
            self.documents.clear();
        } else {
            self.config = config;
        }
        Ok(json!({ "settings": problem }))
    }

    /// Asks about one document.
    fn about<A>(
        &mut self,
        path: &str,
        ask: impl FnOnce(&Document, &Context) -> A,
    ) -> Result<A, String> {
        let path = absolute(path);
        if !self.documents.contains_key(&path) {
            self.read(&path).map_err(|error| format!("{}: {error}", relative(&path)))?;
        }
        let document = self.documents.get(&path).ok_or("no such file")?;
        let cx = Context::new(document.source(), Some(&path), &self.world, &self.config);
        Ok(ask(document, &cx))
    }
}
