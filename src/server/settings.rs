//! Settings of a session: what the editor says, and the `agentmd.toml` that governs a file, which wins.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use serde_json::{Value, json};

use super::outgoing::Outgoing;
use crate::config::{Config, ConfigError};

#[derive(Default)]
pub(super) struct Settings {
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    folders: Vec<PathBuf>,
    editor: Value,
    by_folder: HashMap<PathBuf, Arc<Config>>,
    complained: HashSet<String>,
}

impl Settings {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn set_folders(&self, folders: &[PathBuf]) {
        let mut state = self.state();
        state.folders = folders.to_vec();
        state.by_folder.clear();
    }

    /// Takes what the editor sends: the section `agentmd`, with or without that name around it. True when it differs.
    pub(super) fn set_editor(&self, value: Value) -> bool {
        let value = match value {
            Value::Object(mut map) if map.contains_key("agentmd") => map.remove("agentmd").unwrap_or_default(),
            value => value,
        };
        let mut state = self.state();
        let changed = state.editor != value;
        state.editor = value;
        state.by_folder.clear();
        changed
    }

    /// Forgets what was read from files.
    pub(super) fn forget_files(&self) {
        let mut state = self.state();
        state.by_folder.clear();
        state.complained.clear();
    }

    /// The settings for a file, or for a document that is none. What is wrong with them is said once.
    pub(super) fn config_for(&self, path: Option<&Path>, outgoing: &Outgoing) -> Arc<Config> {
        let mut state = self.state();
        let folder = path.and_then(Path::parent).unwrap_or(Path::new("")).to_owned();
        if let Some(config) = state.by_folder.get(&folder) {
            return Arc::clone(config);
        }
        let file = path.is_some().then(|| Config::find(&folder)).flatten();
        let root = state.folders.iter().filter(|root| folder.starts_with(root)).max_by_key(|root| root.as_os_str().len()).cloned();
        let read = match &file {
            Some(file) => Config::from_file(file),
            None => Config::from_json(root.unwrap_or_default(), state.editor.clone()),
        };
        let config = Arc::new(read.unwrap_or_else(|error| {
            complain(&mut state, &error, outgoing);
            Config::default()
        }));
        state.by_folder.insert(folder, Arc::clone(&config));
        config
    }
}

fn complain(state: &mut State, error: &ConfigError, outgoing: &Outgoing) {
    let message = format!("agentmd: {error}. The default settings are used until this is mended.");
    if state.complained.insert(message.clone()) {
        outgoing.notify("window/showMessage", json!({ "type": 2, "message": message }));
    }
}
