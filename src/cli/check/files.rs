//! Finds the files to check.

use std::collections::HashSet;
use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use anyhow::Context;
use ignore::WalkState;
use parking_lot::Mutex;

use super::settings::Settings;
use super::spelling::Spelling;
use crate::format::configuration::is_configuration;
use crate::format::markdownlang::suite::is_suite;
use crate::source::Source;
use crate::world::{self, LARGEST_FILE, ReadError, canonicalize, is_markdown, slashed};

/// A file to check.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct File {
    /// Its path as given, for messages.
    pub shown: String,
    /// Its absolute path in the world.
    pub path: PathBuf,
    /// Stdin without a name: in no folder.
    pub nameless: bool,
}

/// The files of a call.
#[derive(Debug, Default)]
pub struct Found {
    /// Sorted by path.
    pub files: Vec<File>,
    /// Paths that don't exist or can't be read.
    pub wrong: Vec<String>,
    /// Files and folders below a path that can't be read.
    pub skipped: Vec<String>,
    /// Ignore files without effect: files that they exclude are checked.
    pub warnings: Vec<String>,
}

/// Finds every file of `paths`. Errors don't stop the search; they are part of the result.
pub fn find(paths: &[PathBuf], settings: &Arc<Settings>) -> Found {
    let (mut found, spelling) = (Found::default(), Spelling::new(paths.iter()));
    for path in paths {
        if let Err(error) = add(path, settings, &spelling, &mut found) {
            found.wrong.push(format!("{}: {error:#}", path.display()));
        }
    }
    found.files.sort();
    let mut seen = HashSet::new();
    found.files.retain(|file| seen.insert(file.path.clone()));
    found.skipped.sort();
    found
}

fn add(
    path: &Path,
    settings: &Arc<Settings>,
    spelling: &Spelling,
    found: &mut Found,
) -> anyhow::Result<()> {
    let metadata = fs::metadata(path).map_err(|error| match error.kind() {
        std::io::ErrorKind::NotFound => anyhow::anyhow!("no such file or folder"),
        _ => error.into(),
    })?;
    if metadata.is_dir() {
        let absolute = canonicalize(path)?;
        fs::read_dir(&absolute)?;
        let mut links = walk(path, &absolute, settings, found);
        let workspace = workspace(&absolute);
        let named = absolute.clone();
        let mut walked = vec![absolute];
        while let Some(link) = links.pop() {
            let Ok(target) = canonicalize(&link) else { continue };
            // A link to a folder that contains the checked files doesn't add the rest of that
            // folder.
            let known = named.starts_with(&target)
                || walked.iter().any(|folder| target.starts_with(folder));
            if !known && target.starts_with(&workspace) && leads(&workspace, &target, settings) {
                let shown = PathBuf::from(spelling.of(&target));
                if target.is_dir() {
                    links.extend(walk(&shown, &target, settings, found));
                    walked.push(target);
                } else if target.is_file() {
                    let folder = target.parent().unwrap_or(&target);
                    let shown = shown.parent().unwrap_or(Path::new(""));
                    found.files.extend(pick(target.clone(), shown, folder, settings));
                }
            }
        }
        return Ok(());
    }
    if metadata.is_file() {
        world::open_regular(path).map_err(|error| anyhow::anyhow!("{error}"))?;
    }
    found.files.push(File { shown: shown(path), path: absolute(path)?, nameless: false });
    Ok(())
}

/// The absolute path of a file. Links in its folder are resolved, so that settings are found
/// upwards from it; the file itself is not, so that a link keeps its own name.
pub fn absolute(path: &Path) -> anyhow::Result<PathBuf> {
    let name = path.file_name().context("is not a file")?;
    let folder = match path.parent() {
        Some(folder) if folder != Path::new("") => folder,
        _ => Path::new("."),
    };
    Ok(canonicalize(folder)?.join(name))
}

/// The path for display: without leading `./` and with `/` between its parts.
pub fn shown(path: &Path) -> String {
    slashed(path.strip_prefix(".").unwrap_or(path))
}

/// The folder that links may lead to: the repository around a folder, or else the current folder,
/// or the folder itself.
fn workspace(folder: &Path) -> PathBuf {
    let current = || canonicalize(Path::new(".")).ok().filter(|here| folder.starts_with(here));
    let around = repository(folder).map(Path::to_owned);
    around.or_else(current).unwrap_or_else(|| folder.to_owned())
}

/// Whether neither an ignore file nor the settings exclude a path of the workspace.
fn leads(workspace: &Path, path: &Path, settings: &Settings) -> bool {
    let mut above = path.ancestors().take_while(|above| *above != workspace);
    world::reaches(workspace, path) && above.all(|above| !settings.excludes(above))
}

/// Adds the files below a folder, including hidden folders (agent files live in `.claude` and
/// `.github`), but excluding files ignored by `.gitignore` or the settings. Returns links.
fn walk(folder: &Path, root: &Path, settings: &Arc<Settings>, found: &mut Found) -> Vec<PathBuf> {
    let excluder = Arc::clone(settings);
    let (mut walker, unused) = world::walk(root, move |entry| !excluder.excludes(entry.path()));
    let walker = walker.threads(super::pool::threads()).build_parallel();
    let gathered = Mutex::new((Vec::new(), Vec::new(), Vec::new()));
    walker.run(|| {
        Box::new(|entry| {
            let mut gathered = gathered.lock();
            match entry {
                Ok(entry) if entry.file_type().is_some_and(|kind| kind.is_file()) => {
                    if let Some(file) = pick(entry.into_path(), folder, root, settings) {
                        gathered.0.push(file);
                    }
                }
                Ok(entry) if entry.path_is_symlink() => gathered.2.push(entry.into_path()),
                Ok(_) => {}
                Err(error) => gathered.1.push(error.to_string()),
            }
            WalkState::Continue
        })
    });
    let (files, skipped, links) = gathered.into_inner();
    found.files.extend(files);
    found.skipped.extend(skipped);
    found.warnings.extend(unused.lines());
    links
}

fn pick(path: PathBuf, folder: &Path, root: &Path, settings: &Settings) -> Option<File> {
    // A named file is checked regardless of its extension; this one was found.
    let known = is_markdown(&path) || is_suite(&path) || is_configuration(&path);
    if !known && !settings.names_format(path.parent()?, &path) {
        return None;
    }
    let shown = shown(&folder.join(path.strip_prefix(root).ok()?));
    Some(File { shown, path, nameless: false })
}

/// The repository around a folder, unless it's the user's home folder.
pub fn repository(folder: &Path) -> Option<&Path> {
    static HOME: OnceLock<Option<PathBuf>> = OnceLock::new();
    let home = || std::env::home_dir().and_then(|home| canonicalize(&home).ok());
    folder
        .ancestors()
        .find(|folder| folder.join(".git").exists())
        .filter(|top| Some(*top) != HOME.get_or_init(home).as_deref())
}

/// The paths of a list.
#[derive(Debug, Default)]
pub struct Listed {
    pub paths: Vec<PathBuf>,
    /// Names that can't be names of files on this system.
    pub wrong: Vec<String>,
}

/// The paths of a list: separated by NUL if it contains one, otherwise one per line.
///
/// # Errors
/// If the list can't be read.
pub fn listed(list: &Path) -> anyhow::Result<Listed> {
    let mut bytes = Vec::new();
    let read = if list.as_os_str() == "-" {
        std::io::stdin().lock().take(LARGEST_FILE).read_to_end(&mut bytes)
    } else {
        fs::File::open(list).and_then(|file| file.take(LARGEST_FILE).read_to_end(&mut bytes))
    };
    read.with_context(|| format!("cannot read the list of files `{}`", list.display()))?;
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&bytes);
    let separator = if bytes.contains(&0) { 0 } else { b'\n' };
    let mut listed = Listed::default();
    for name in bytes.split(|byte| *byte == separator) {
        let name = match separator {
            b'\n' => name.strip_suffix(b"\r").unwrap_or(name),
            _ => name,
        };
        match world::path_of_bytes(name) {
            _ if name.is_empty() => {}
            Some(path) => listed.paths.push(path),
            None => listed.wrong.push(format!("{}: not UTF-8", String::from_utf8_lossy(name))),
        }
    }
    Ok(listed)
}

/// Stdin as a file.
#[derive(Debug)]
pub struct Stdin {
    pub file: File,
    pub text: Result<Source, ReadError>,
    /// The bytes, if they aren't text.
    pub unreadable: Vec<u8>,
}

/// Reads stdin. A name determines its path, as if it were a file.
///
/// # Errors
/// If stdin can't be read.
pub fn stdin(name: Option<&Path>) -> anyhow::Result<Stdin> {
    let mut bytes = Vec::new();
    std::io::stdin()
        .lock()
        .take(LARGEST_FILE + 1)
        .read_to_end(&mut bytes)
        .context("cannot read stdin")?;
    let mut unreadable = Vec::new();
    let text = match String::from_utf8(bytes) {
        Ok(text) if text.len() as u64 > LARGEST_FILE => {
            Err(ReadError::TooLarge { bytes: text.len() as u64, limit: LARGEST_FILE })
        }
        Ok(text) => Ok(Source::new(&text)),
        Err(error) => {
            let offset = error.utf8_error().valid_up_to();
            unreadable = error.into_bytes();
            Err(ReadError::NotUtf8 { offset })
        }
    };
    let file = match name {
        // The folder of the name may not exist.
        Some(name) => File {
            shown: shown(name),
            path: absolute(name).or_else(|_| Ok::<_, anyhow::Error>(std::path::absolute(name)?))?,
            nameless: false,
        },
        None => File {
            shown: "<stdin>".to_owned(),
            path: std::path::absolute("<stdin>")?,
            nameless: true,
        },
    };
    Ok(Stdin { file, text, unreadable })
}
