//! Settings of a session: those sent by the editor, and the nearest `agentmd.toml`, which takes
//! precedence.

use std::collections::hash_map::Entry;
use std::collections::{BTreeSet, HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use parking_lot::{Mutex, MutexGuard};
use serde_json::{Value, json};

use super::convert::{self, to_range_in_file};
use super::outgoing::Outgoing;
use super::unwatched::Unwatched;
use super::uri;
use crate::config::{Config, FILE_NAME, overrides};
use crate::document::Document;
use crate::format::{Context, names};
use crate::ide::diagnostics::diagnostics;
use crate::text::Encoding;
use crate::world::Disk;

#[derive(Default)]
pub(super) struct Settings {
    state: Mutex<State>,
    /// The possible settings files, with their state when they were read.
    files: Unwatched,
}

#[derive(Default)]
struct State {
    folders: Vec<PathBuf>,
    /// The settings sent with `initialize`.
    options: Value,
    editor: Value,
    /// How often the editor was asked for settings or sent some, and the last of these that was
    /// accepted.
    asked: u64,
    accepted: u64,
    by_folder: HashMap<PathBuf, Arc<Config>>,
    by_file: HashMap<PathBuf, Arc<Config>>,
    /// Incremented whenever loaded settings become outdated.
    generation: u64,
    complained: HashSet<String>,
    /// How the client counts columns.
    encoding: Encoding,
    /// Settings files with findings.
    found: HashMap<PathBuf, Found>,
    /// Set while the findings are compared with the documents that use them; whether that was
    /// requested again.
    showing: Option<bool>,
    /// Folders whose settings are being read for open documents, and whether they were requested
    /// again since.
    reading: HashMap<PathBuf, bool>,
}

/// The findings in a settings file.
struct Found {
    findings: Vec<Value>,
    /// The client has them.
    shown: bool,
}

/// The limit of folders to check for changed settings.
const MOST_FOLDERS: usize = 256;

impl Settings {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock()
    }

    pub(super) fn set_encoding(&self, encoding: Encoding) {
        self.state().encoding = encoding;
    }

    pub(super) fn set_folders(&self, folders: &[PathBuf]) {
        let mut state = self.state();
        state.folders = folders.to_vec();
        state.outdate();
    }

    /// Accepts the settings sent with `initialize`, which apply until the editor sends others.
    pub(super) fn set_options(&self, value: Value) {
        self.state().options = section(value);
        self.set_editor(Value::Null, self.ask_editor());
    }

    /// Numbers a request to the editor, or settings that it sends.
    pub(super) fn ask_editor(&self) -> u64 {
        let mut state = self.state();
        state.asked += 1;
        state.asked
    }

    /// Takes settings from the editor: the section `agentmd`, with or without that name around it.
    /// Ignores them if a later request has been answered. Returns true if they changed.
    pub(super) fn set_editor(&self, value: Value, asked: u64) -> bool {
        let value = section(value);
        let mut state = self.state();
        if asked < state.accepted {
            return false;
        }
        state.accepted = asked;
        // `null` means that the editor has no such section. In VS Code, `{}` means that the user has
        // removed the last setting.
        let value = if value.is_null() { state.options.clone() } else { value };
        let changed = state.editor != value;
        state.editor = value;
        state.outdate();
        changed
    }

    /// Forgets settings read from files.
    pub(super) fn forget_files(&self) {
        // Before settings are read again, so that no change after that is missed.
        self.files.forget();
        let mut state = self.state();
        state.outdate();
        state.by_file.clear();
        state.complained.clear();
    }

    /// Whether a settings file has findings.
    pub(super) fn have_findings(&self) -> bool {
        !self.state().found.is_empty()
    }

    /// Shows the findings in the settings files of these folders, and clears all others. `inside`
    /// are the folders of the workspace with documents, and of open documents. Reads files.
    pub(super) fn show_findings(
        &self,
        folders: &dyn Fn() -> Vec<PathBuf>,
        inside: &dyn Fn() -> BTreeSet<PathBuf>,
        outgoing: &Outgoing,
    ) {
        let mut state = self.state();
        if state.showing.is_some() {
            state.showing = Some(true);
            return;
        }
        state.showing = Some(false);
        drop(state);
        let _end = AfterPanic(self);
        loop {
            self.show_used(folders, inside, outgoing);
            let mut state = self.state();
            if !std::mem::take(state.showing.get_or_insert_default()) {
                state.showing = None;
                return;
            }
        }
    }

    fn show_used(
        &self,
        folders: &dyn Fn() -> Vec<PathBuf>,
        inside: &dyn Fn() -> BTreeSet<PathBuf>,
        outgoing: &Outgoing,
    ) {
        let file_of = |folder: PathBuf| {
            let config = self.config_for(Some(&folder.join(FILE_NAME)), outgoing);
            config.file().map(Path::to_owned)
        };
        let mut used: HashSet<PathBuf> = folders().into_iter().filter_map(file_of).collect();
        let found: Vec<PathBuf> = self.state().found.keys().cloned().collect();
        let below = |folder: &PathBuf| {
            found.iter().filter_map(|file| file.parent()).any(|own| folder.starts_with(own))
        };
        if !found.is_empty() {
            used.extend(inside().into_iter().filter(below).filter_map(file_of));
        }
        for (file, found) in &mut self.state().found {
            let now = used.contains(file);
            if std::mem::replace(&mut found.shown, now) != now {
                publish(file, if now { &found.findings } else { &[] }, outgoing);
            }
        }
    }

    /// Whether a file has changed that the settings of these folders come from, or could come from.
    pub(super) fn have_changed(&self, folders: &BTreeSet<PathBuf>) -> bool {
        // Folders that aren't checked are forgotten: their settings would be stale.
        let looked_at: BTreeSet<&PathBuf> = folders.iter().take(MOST_FOLDERS).collect();
        let mut files: BTreeSet<PathBuf> =
            looked_at.iter().flat_map(|folder| Config::candidates(folder)).collect();
        let mut state = self.state();
        let schemas: Vec<PathBuf> = state
            .by_file
            .iter()
            .filter(|(file, _)| files.contains(*file))
            .flat_map(|(_, config)| config.kinds().files.iter().cloned())
            .collect();
        state.by_folder.retain(|folder, _| looked_at.contains(folder));
        state.by_file.retain(|file, _| files.contains(file));
        drop(state);
        files.extend(schemas);
        !self.files.changed(&files).is_empty()
    }

    /// The settings for a file if they have been read.
    pub(super) fn known(&self, path: Option<&Path>) -> Option<Arc<Config>> {
        self.state().by_folder.get(folder_of(path)).cloned()
    }

    /// Returns true if the settings for a file must be read, unless they are being read already.
    pub(super) fn begin_to_read(&self, path: Option<&Path>) -> bool {
        let mut state = self.state();
        let folder = folder_of(path);
        if state.by_folder.contains_key(folder) {
            return false;
        }
        match state.reading.entry(folder.to_owned()) {
            Entry::Occupied(mut again) => {
                again.insert(true);
                false
            }
            Entry::Vacant(entry) => {
                entry.insert(false);
                true
            }
        }
    }

    /// Returns true if the settings were requested again since reading began.
    pub(super) fn end_reading(&self, path: Option<&Path>) -> bool {
        self.state().reading.remove(folder_of(path)).unwrap_or_default()
    }

    /// The settings for a file, or for a document without one. Errors are reported once. Reads
    /// files, which may take forever.
    pub(super) fn config_for(&self, path: Option<&Path>, outgoing: &Outgoing) -> Arc<Config> {
        let folder = folder_of(path).to_owned();
        loop {
            let state = self.state();
            if let Some(config) = state.by_folder.get(&folder) {
                return Arc::clone(config);
            }
            let (generation, editor) = (state.generation, state.editor.clone());
            let root = state
                .folders
                .iter()
                .filter(|root| folder.starts_with(root))
                .max_by_key(|root| root.as_os_str().len())
                .cloned();
            let encoding = state.encoding;
            // Don't hold the lock while a large file is read.
            drop(state);
            #[cfg(debug_assertions)]
            super::testing::before_file(&folder.join(FILE_NAME));
            let file = path.and_then(|_| {
                // Before reading, so that the next check notices a change in between.
                let candidates: Vec<PathBuf> = Config::candidates(&folder).collect();
                self.files.note(candidates.iter().map(PathBuf::as_path));
                candidates.into_iter().find(|path| path.is_file())
            });
            let known = file.as_ref().and_then(|file| self.state().by_file.get(file).cloned());
            let is_new = known.is_none();
            let (config, complaints) = match known {
                Some(config) => (config, Vec::new()),
                None => read(file.as_deref(), root, editor),
            };
            self.files.note(config.kinds().files.iter().map(PathBuf::as_path));
            // Once per file: many folders may have the same.
            let new = file.as_deref().filter(|_| is_new);
            let findings = new.map(|file| findings(file, &config, encoding));
            let mut state = self.state();
            if state.generation != generation {
                continue;
            }
            if let (Some(file), Some(findings)) = (&file, findings) {
                keep_findings(&mut state, file, findings, outgoing);
            }
            complaints.into_iter().for_each(|what| complain(&mut state, what, outgoing));
            if let Some(file) = file {
                state.by_file.insert(file, Arc::clone(&config));
            }
            state.by_folder.insert(folder, Arc::clone(&config));
            return config;
        }
    }
}

/// Lets [`Settings::show_findings`] begin again after a panic in it.
struct AfterPanic<'a>(&'a Settings);

impl Drop for AfterPanic<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.state().showing = None;
        }
    }
}

/// The section `agentmd`, if the value contains it under that name; otherwise the value itself.
fn section(value: Value) -> Value {
    match value {
        Value::Object(mut map) if map.contains_key("agentmd") => {
            map.remove("agentmd").unwrap_or_default()
        }
        value => value,
    }
}

fn folder_of(path: Option<&Path>) -> &Path {
    path.and_then(Path::parent).unwrap_or(Path::new(""))
}

impl State {
    fn outdate(&mut self) {
        self.by_folder.clear();
        self.generation += 1;
    }
}

/// Publishes findings in a settings file.
fn publish(file: &Path, found: &[Value], outgoing: &Outgoing) {
    outgoing.notify(
        "textDocument/publishDiagnostics",
        json!({ "uri": uri::from_path(file), "diagnostics": found }),
    );
}

/// Reads settings, and reports errors.
fn read(file: Option<&Path>, root: Option<PathBuf>, editor: Value) -> (Arc<Config>, Vec<String>) {
    let read = match file {
        Some(file) => Config::from_file(file),
        None => Config::from_json(root.unwrap_or_default(), editor),
    };
    let mut complaints = Vec::new();
    let config = read.unwrap_or_else(|error| {
        complaints.push(format!("{error}; the default settings are used until this is fixed"));
        Config::default()
    });
    let whose =
        file.map_or_else(|| "the editor's settings".to_owned(), |file| file.display().to_string());
    for unknown in names::unknown_in(config.options()) {
        let end = if unknown.ends_with('?') { "" } else { "." };
        complaints.push(format!("{whose}: {unknown}{end} The setting has no effect."));
    }
    (Arc::new(config), complaints)
}

/// The findings about single entries of a settings file, as `check` reports them. Reads files.
fn findings(file: &Path, config: &Config, encoding: Encoding) -> Vec<Value> {
    let judged = !config.kinds().problems.is_empty()
        || overrides::have_problems(config.options())
        || !config.options().sync.is_empty();
    let Some(text) = judged.then(|| crate::world::read_rules(file).ok()).flatten() else {
        return Vec::new();
    };
    let (document, disk) = (Document::new(&text, Some(file), config), Disk::default());
    let source = document.source();
    let found = diagnostics(&document, &Context::new(source, Some(file), &disk, config));
    let written = found.into_iter().map(|diagnostic| {
        json!({
            "range": to_range_in_file(source, &diagnostic.span, encoding),
            "severity": convert::severity(diagnostic.severity),
            "source": "agentmd",
            "code": diagnostic.rule.code,
            "message": diagnostic.message,
        })
    });
    written.collect()
}

/// Keeps and publishes the findings in a settings file: the client doesn't treat it as one of our
/// documents.
fn keep_findings(state: &mut State, file: &Path, findings: Vec<Value>, outgoing: &Outgoing) {
    let before = state.found.remove(file);
    if findings.is_empty() && !before.is_some_and(|before| before.shown) {
        return;
    }
    publish(file, &findings, outgoing);
    if !findings.is_empty() {
        state.found.insert(file.to_owned(), Found { findings, shown: true });
    }
}

/// Reports a message once.
fn complain(state: &mut State, what: String, outgoing: &Outgoing) {
    if state.complained.insert(what.clone()) {
        outgoing.notify(
            "window/showMessage",
            json!({ "type": 2, "message": format!("agentmd: {what}") }),
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_to_earlier_requests_are_ignored() {
        let settings = Settings::default();
        let (first, second) = (settings.ask_editor(), settings.ask_editor());
        assert!(settings.set_editor(json!({ "ignore": ["agent"] }), second));
        assert!(!settings.set_editor(json!({}), first));
        assert_eq!(settings.state().editor, json!({ "ignore": ["agent"] }));
        assert!(settings.set_editor(json!({}), settings.ask_editor()));
    }
}
