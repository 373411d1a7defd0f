//! The settings of every folder, combined with the options of the call.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::Context;
use dashmap::DashMap;
use parking_lot::Mutex;
use rustc_hash::FxBuildHasher;

use super::Arguments;
use super::files::repository;
use crate::config::{Config, Level, Options, overrides};
use crate::format::agent::sync;
use crate::format::names;
use crate::rule::Rule;
use crate::world::{canonicalize, read_text};

/// The settings files that the call names, if any.
#[derive(Debug)]
enum Given {
    File(Arc<Config>),
    None,
}

/// The settings of a run.
#[derive(Debug)]
pub struct Settings {
    select: Vec<String>,
    ignore: Vec<String>,
    clients: Vec<String>,
    /// The settings of every folder: one file was named, or `--no-config` was given.
    given: Option<Given>,
    /// The options of a folder without a settings file.
    default: Options,
    /// The current folder.
    here: PathBuf,
    /// The settings of projects without a settings file, by their root.
    projects: DashMap<PathBuf, Arc<Config>, FxBuildHasher>,
    folders: DashMap<PathBuf, Option<Arc<Config>>, FxBuildHasher>,
    files: Mutex<HashMap<PathBuf, Option<Arc<Config>>>>,
    problems: Mutex<Vec<String>>,
    unknown: Mutex<Vec<String>>,
}

impl Settings {
    /// # Errors
    /// If the call names an unknown code, or a missing or invalid settings file.
    pub fn new(arguments: &Arguments) -> anyhow::Result<Self> {
        for name in &arguments.clients {
            names::client(name)?;
        }
        names::codes_or_groups(
            arguments.select.iter().chain(&arguments.ignore).map(String::as_str),
        )?;
        let here = std::env::current_dir()
            .and_then(|here| canonicalize(&here))
            .context("the current folder is unknown")?;
        let mut settings = Self {
            select: arguments.select.clone(),
            ignore: arguments.ignore.clone(),
            clients: arguments.clients.clone(),
            given: None,
            default: Options::default(),
            here,
            projects: DashMap::default(),
            folders: DashMap::default(),
            files: Mutex::default(),
            problems: Mutex::default(),
            unknown: Mutex::default(),
        };
        settings.default = settings.adjust(Options::default());
        if arguments.no_config {
            settings.given = Some(Given::None);
        } else if let Some(path) = &arguments.config {
            let path = canonicalize(path).with_context(|| path.display().to_string())?;
            settings.given = Some(Given::File(Arc::new(settings.load(&path)?)));
        }
        Ok(settings)
    }

    /// The settings of the documents in `folder`; `None` if they can't be used, which
    /// [`Settings::problems`] explains.
    pub fn of(&self, folder: &Path) -> Option<Arc<Config>> {
        if let Some(Given::File(config)) = &self.given {
            return Some(Arc::clone(config));
        }
        if let Some(known) = self.folders.get(folder) {
            return known.clone();
        }
        let found = match self.given {
            None => Config::find(folder),
            Some(_) => None,
        };
        let config = match found {
            None => self.project(folder),
            Some(path) => self.read_once(path),
        };
        self.folders.insert(folder.to_owned(), config.clone());
        config
    }

    /// The settings of a folder without a settings file. Below the current folder, the root is that
    /// folder; elsewhere, it's the repository around the folder, or the folder itself.
    fn project(&self, folder: &Path) -> Option<Arc<Config>> {
        let root = if folder.starts_with(&self.here) {
            &self.here
        } else {
            repository(folder).unwrap_or(folder)
        };
        if let Some(known) = self.projects.get(root) {
            return Some(Arc::clone(&known));
        }
        let config = Arc::new(Config::new(root.to_owned(), self.default.clone()).ok()?);
        self.projects.insert(root.to_owned(), Arc::clone(&config));
        Some(config)
    }

    fn read_once(&self, path: PathBuf) -> Option<Arc<Config>> {
        // Locked while the file is read, so that its problems are reported once.
        let mut files = self.files.lock();
        if let Some(known) = files.get(&path) {
            return known.clone();
        }
        let config = self
            .load(&path)
            .map_err(|error| self.problems.lock().push(format!("{error:#}")))
            .ok()
            .map(Arc::new);
        files.insert(path, config.clone());
        config
    }

    fn load(&self, path: &Path) -> anyhow::Result<Config> {
        let mut config = Config::from_file(path)?;
        if !(self.select.is_empty() && self.ignore.is_empty() && self.clients.is_empty()) {
            config = config.with(self.adjust(config.options().clone()))?;
        }
        let unknown = names::unknown_in(config.options()).into_iter();
        let unknown = unknown.map(|unknown| format!("{}: {unknown}", path.display()));
        self.unknown.lock().extend(unknown);
        Ok(config)
    }

    /// The call takes precedence: a selected rule is on, even if the settings turn it off for all
    /// files.
    fn adjust(&self, mut options: Options) -> Options {
        if !self.select.is_empty() {
            options.select.clone_from(&self.select);
            options.ignore.clear();
            options.rules.retain(|_, level| *level != Level::Off);
        }
        if !self.clients.is_empty() {
            options.clients.clone_from(&self.clients);
        }
        options
    }

    /// Whether the call reports this rule.
    pub fn shows(&self, rule: &Rule) -> bool {
        let names =
            |list: &[String]| list.iter().any(|name| name == rule.code || name == rule.group());
        (self.select.is_empty() || names(&self.select)) && !names(&self.ignore)
    }

    /// The settings files of these folders whose own kinds, overrides and sync entries can't all be
    /// used, or whose `agentmd.lock` can't be read, and the schemas that they name.
    pub fn unusable_kinds<'a>(
        &self,
        folders: impl Iterator<Item = &'a Path>,
    ) -> BTreeMap<PathBuf, Vec<PathBuf>> {
        let configs = folders.filter_map(|folder| self.of(folder));
        configs
            .filter(|config| {
                !config.kinds().problems.is_empty()
                    || overrides::have_problems(config.options())
                    || !sync::entries(&config.options().sync).1.is_empty()
                    || has_broken_lock(config)
            })
            .filter_map(|config| Some((config.file()?.to_owned(), config.kinds().files.clone())))
            .collect()
    }

    /// The settings files with a budget for the agent files of one of these paths as a whole.
    pub fn budgets<'a>(
        &self,
        folders: impl Iterator<Item = &'a Path>,
        paths: &[PathBuf],
    ) -> BTreeSet<PathBuf> {
        let paths: Vec<PathBuf> = paths.iter().filter_map(|path| canonicalize(path).ok()).collect();
        let whole = |config: &Config| paths.iter().any(|path| config.root().starts_with(path));
        folders
            .filter_map(|folder| self.of(folder))
            .filter(|config| config.options().budget.always > 0 && whole(config))
            .filter_map(|config| Some(config.file()?.to_owned()))
            .collect()
    }

    /// Whether the settings skip a file or folder.
    pub fn excludes(&self, path: &Path) -> bool {
        Config::skips(path, |folder| self.of(folder))
    }

    /// Whether the settings skip a file: itself, or a folder around it.
    pub fn excludes_file(&self, path: &Path) -> bool {
        let absolute = super::files::absolute(path).ok().or_else(|| std::path::absolute(path).ok());
        let Some((path, folder)) =
            absolute.as_deref().and_then(|path| Some((path, path.parent()?)))
        else {
            return false;
        };
        // A folder around the current one was named to check its files.
        if self.here.starts_with(path) {
            return false;
        }
        // Settings above the project don't apply to it.
        let top = match folder.starts_with(&self.here) {
            true => &self.here,
            false => repository(folder).unwrap_or(folder),
        };
        path.ancestors()
            .take_while(|path| path.parent().is_some_and(|folder| folder.starts_with(top)))
            .any(|path| self.excludes(path))
    }

    /// Whether the settings determine the file's format.
    pub fn names_format(&self, folder: &Path, path: &Path) -> bool {
        self.of(folder).is_some_and(|config| config.format_of(path).is_some())
    }

    /// Unknown names in settings files. The files below are checked without them, which must not
    /// look like a check with them.
    pub fn unknown(&self) -> Vec<String> {
        let mut unknown = self.unknown.lock().clone();
        unknown.sort();
        unknown
    }

    /// Unusable settings files; files below them are not checked.
    pub fn problems(&self) -> Vec<String> {
        let mut problems = self.problems.lock().clone();
        problems.sort();
        problems
    }
}

/// Whether the list of copies next to the settings can't be read.
fn has_broken_lock(config: &Config) -> bool {
    let lock = config.file().map(|file| file.with_file_name(sync::LOCK));
    let lock = lock.filter(|_| !config.options().sync.is_empty());
    lock.and_then(|path| read_text(&path).ok()).is_some_and(|text| sync::Lock::read(&text).is_err())
}
