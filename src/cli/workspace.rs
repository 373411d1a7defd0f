//! The workspace that a call is about: its folder, its settings, its files, and the clients that
//! are asked about.

use std::path::{Path, PathBuf};

use anyhow::Context;
use parking_lot::Mutex;

use crate::client::Client;
use crate::config::{Config, Options};
use crate::format::agent::loaded::{self, Files, Question};
use crate::format::names;
use crate::markdown::memo::Memo;
use crate::source::Source;
use crate::world::{
    self, EntryKind, Knowledge, Listing, ReadError, Snapshot, World, canonicalize, is_markdown,
};

/// The options of commands about what clients load.
#[derive(Debug, Default, clap::Args)]
pub struct Scope {
    /// The clients: `codex,claude-code` [default: those of the settings, else those that the
    /// workspace uses]
    #[arg(long = "for", value_name = "CLIENT", value_delimiter = ',')]
    clients: Vec<String>,
    /// Count files in your home folder too
    #[arg(long)]
    home: bool,
    /// Count tokens with the vocabulary of a client's models where it is public, instead of bytes/4
    #[arg(long)]
    exact: bool,
}

#[cfg(feature = "mcp")]
impl Scope {
    /// These clients, or the workspace's if empty.
    pub fn of(clients: Vec<String>) -> Self {
        Self { clients, ..Self::default() }
    }
}

/// A workspace on disk.
#[derive(Debug)]
pub struct Workspace {
    pub disk: Snapshot,
    pub config: Config,
    pub root: PathBuf,
    pub path: PathBuf,
    pub clients: Vec<&'static Client>,
    pub files: Vec<PathBuf>,
    /// The files and folders that couldn't be read during the search, and why.
    pub unread: Vec<String>,
    home: Option<PathBuf>,
    exact: bool,
}

impl Workspace {
    /// The workspace of a path, which need not exist: that of the repository around it.
    ///
    /// # Errors
    /// If a client is unknown, or the settings or the current folder can't be used.
    pub fn of(path: &Path, options: &Scope) -> anyhow::Result<Self> {
        for name in &options.clients {
            names::client(name)?;
        }
        let path = absolute(path)?;
        let folder = if path.is_dir() { path.as_path() } else { path.parent().unwrap_or(&path) };
        let root = root(folder);
        let mut config = match Config::find(folder) {
            Some(file) => Config::from_file(&file)?,
            None => Config::new(root.clone(), Options::default())?,
        };
        if !options.clients.is_empty() {
            let clients = options.clients.clone();
            config = config.with(Options { clients, ..config.options().clone() })?;
        }
        for name in &config.options().clients {
            let whose = || config.file().map(|file| file.display().to_string()).unwrap_or_default();
            names::client(name).with_context(whose)?;
        }
        let disk = Snapshot::default();
        let clients = loaded::clients(&disk, &root, &config);
        let home = if options.home {
            let home = std::env::home_dir().filter(|home| home.is_absolute());
            let home = home.context("the home folder is unknown")?;
            std::fs::read_dir(&home).with_context(|| home.display().to_string())?;
            Some(home)
        } else {
            None
        };
        let (files, unread, exact) = (Vec::new(), Vec::new(), options.exact);
        Ok(Self { disk, config, root, path, clients, files, unread, home, exact })
    }

    /// The folder of the path, or the path itself if it is one.
    pub fn folder(&self) -> &Path {
        if self.path.is_dir() { &self.path } else { self.path.parent().unwrap_or(&self.path) }
    }

    /// Finds the Markdown files below a folder, as git and the settings see them.
    pub fn find_files(&mut self) {
        let folder = self.folder().to_owned();
        let exclude = self.config.clone();
        let (mut walker, _) = world::walk(&folder, move |entry| !exclude.excludes(entry.path()));
        let found = Mutex::new((Vec::new(), Vec::new()));
        walker.threads(0).build_parallel().run(|| {
            Box::new(|entry| {
                match entry {
                    Ok(entry)
                        if entry.file_type().is_some_and(|kind| kind.is_file())
                            && is_markdown(entry.path()) =>
                    {
                        found.lock().0.push(entry.into_path());
                    }
                    Ok(_) => {}
                    Err(error) => found.lock().1.push(error.to_string()),
                }
                ignore::WalkState::Continue
            })
        });
        (self.files, self.unread) = found.into_inner();
        self.files.sort();
        self.unread.sort();
    }

    /// The question about clients that are started in a folder.
    pub fn question(&self, start: PathBuf, path: Option<PathBuf>) -> Question<'_> {
        Question {
            world: &self.disk,
            config: &self.config,
            root: self.root.clone(),
            start,
            assumed: false,
            path,
            home: self.home.clone(),
            files: Files::new(&self.files),
            exact: self.exact,
            cancelled: &|| false,
        }
    }
}

/// An absolute path. Links in its folder are resolved; the file keeps its own name.
pub fn absolute(path: &Path) -> anyhow::Result<PathBuf> {
    if let Ok(folder) = canonicalize(path)
        && folder.is_dir()
    {
        return Ok(folder);
    }
    let full = std::path::absolute(path).with_context(|| path.display().to_string())?;
    let folder = full.parent().and_then(|folder| canonicalize(folder).ok());
    Ok(match (folder, full.file_name()) {
        (Some(folder), Some(name)) => folder.join(name),
        _ => full,
    })
}

/// The folder of the repository around a folder; otherwise the current one, if it is around it.
pub fn root(folder: &Path) -> PathBuf {
    let repository = folder.ancestors().find(|folder| folder.join(".git").exists());
    if let Some(repository) = repository {
        return repository.to_owned();
    }
    let here = std::env::current_dir().and_then(|here| canonicalize(&here)).ok();
    here.filter(|here| folder.starts_with(here)).unwrap_or_else(|| folder.to_owned())
}

/// The disk with the files of a workspace.
#[derive(Debug)]
pub struct Known<'w> {
    workspace: &'w Workspace,
}

impl Workspace {
    /// The world with all files that were found.
    pub fn known(&self) -> Known<'_> {
        Known { workspace: self }
    }
}

impl World for Known<'_> {
    fn read(&self, path: &Path) -> Result<Source, ReadError> {
        self.workspace.disk.read(path)
    }

    fn rules(&self, path: &Path) -> Result<String, ReadError> {
        self.workspace.disk.rules(path)
    }

    fn bytes(&self, path: &Path) -> Result<Vec<u8>, ReadError> {
        self.workspace.disk.bytes(path)
    }

    fn head(&self, path: &Path, most: usize) -> Result<String, ReadError> {
        self.workspace.disk.head(path, most)
    }

    fn kind(&self, path: &Path) -> Option<EntryKind> {
        self.workspace.disk.kind(path)
    }

    fn length(&self, path: &Path) -> Option<u64> {
        self.workspace.disk.length(path)
    }

    fn list(&self, folder: &Path) -> Listing {
        self.workspace.disk.list(folder)
    }

    fn identity(&self, path: &Path) -> PathBuf {
        self.workspace.disk.identity(path)
    }

    fn root(&self, _: Option<&Path>) -> Option<PathBuf> {
        Some(self.workspace.root.clone())
    }

    fn files(&self) -> Vec<PathBuf> {
        self.workspace.files.clone()
    }

    fn known_files(&self) -> Vec<PathBuf> {
        self.workspace.files.clone()
    }

    fn knowledge(&self) -> Knowledge {
        Knowledge::All
    }

    fn memo(&self) -> &Memo {
        self.workspace.disk.memo()
    }
}
