//! The files that cases are drawn from: sources of packages, and other source files on the machine.

use std::path::{Path, PathBuf};

use super::draw::Draw;
use super::packages;

/// Larger files are skipped, so that the time is spent on many cases instead of a few.
const LARGEST: u64 = 60_000;
const FEWEST_LINES: usize = 30;

/// Packages with code, documents and data, on which the guards were tuned.
const KNOWN: [&str; 12] = [
    "tokio",
    "jsonschema",
    "tower",
    "clap",
    "clap_builder",
    "serde_json",
    "toml_edit",
    "regex-automata",
    "criterion",
    "proptest",
    "schemars",
    "tree-sitter",
];

/// Packages on which nothing was tuned.
const OTHERS: [&str; 16] = [
    "hyper",
    "http",
    "rustls",
    "winnow",
    "syn",
    "chrono",
    "reqwest",
    "rmcp",
    "pulldown-cmark",
    "ropey",
    "ignore",
    "itertools",
    "libc",
    "rustix",
    "tower-http",
    "insta",
];

/// Folders with Python, JavaScript and Markdown, if they're installed.
const FOLDERS: [&str; 4] =
    ["/usr/lib/python3", "/usr/lib/python3.11", "/usr/lib/python3.12", "/usr/lib/node_modules"];

/// The most files taken from one folder.
const MOST_FILES: usize = 600;

pub struct Sources {
    known: Vec<PathBuf>,
    others: Vec<PathBuf>,
}

impl Sources {
    pub fn new() -> Self {
        let folders = |names: &[&str]| {
            names.iter().filter_map(|name| packages::folder(name)).collect::<Vec<_>>()
        };
        let known = folders(&KNOWN).iter().flat_map(|folder| files(folder)).collect();
        let installed = FOLDERS.iter().map(PathBuf::from).filter(|folder| folder.is_dir());
        let others = folders(&OTHERS)
            .into_iter()
            .chain(installed)
            .flat_map(|folder| files(&folder))
            .collect();
        Self { known, others }
    }

    pub fn len(&self) -> usize {
        self.known.len() + self.others.len()
    }

    /// Draws a text file, half of the time from those on which nothing was tuned.
    pub fn draw(&self, draw: &mut Draw) -> (&Path, String) {
        loop {
            let set =
                if draw.once_in(2) && !self.others.is_empty() { &self.others } else { &self.known };
            let path = &set[draw.below(set.len())];
            let text = std::fs::read_to_string(path)
                .ok()
                .filter(|text| text.lines().count() > FEWEST_LINES);
            if let Some(text) = text {
                return (path, text.replace("\r\n", "\n"));
            }
        }
    }
}

/// The files of a folder, in an order that doesn't depend on the file system.
fn files(folder: &Path) -> Vec<PathBuf> {
    let (mut found, mut folders) = (Vec::new(), vec![folder.to_owned()]);
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).into_iter().flatten().flatten() {
            let Ok(kind) = entry.file_type() else { continue };
            let size = entry.metadata().map_or(0, |metadata| metadata.len());
            match entry.path() {
                path if kind.is_dir() => folders.push(path),
                path if kind.is_file() && (600..LARGEST).contains(&size) => found.push(path),
                _ => {}
            }
        }
    }
    found.sort();
    // Pick files from all over the folder.
    let step = found.len().div_ceil(MOST_FILES).max(1);
    found.into_iter().step_by(step).collect()
}
