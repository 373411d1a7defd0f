//! The documents of `index` and `select`: files, folders, stdin, and their names.

use std::collections::HashMap;
use std::ffi::OsStr;
use std::fs::File;
use std::io::{IsTerminal, Read};
use std::path::{Path, PathBuf};

use serde::Serialize;

use crate::selector::namespace::Namespaces;
use crate::world::{self, LARGEST_FILE, ReadError, is_markdown, slashed};

/// The documents of a call, in order.
#[derive(Debug, Default)]
pub struct Documents {
    pub list: Vec<Listed>,
    pub warnings: Vec<String>,
    pub errors: Vec<Fault>,
}

/// A document that hasn't been read yet.
#[derive(Debug)]
pub struct Listed {
    pub namespace: String,
    /// Its path as given.
    pub shown: String,
    place: Place,
}

#[derive(Debug)]
enum Place {
    File(PathBuf),
    /// Stdin can only be read once.
    Read(Text),
}

/// The text of a document.
#[derive(Debug, Clone)]
pub struct Text {
    pub text: String,
    /// The first invalid UTF-8 byte, if any; it's read as `U+FFFD`.
    pub broken: Option<usize>,
}

/// A document that can't be read.
#[derive(Debug, Clone, Serialize)]
pub struct Fault {
    pub file: String,
    pub r#type: &'static str,
    pub message: String,
}

impl Documents {
    /// Finds the documents of a call. Without paths: stdin if something is piped in, otherwise the
    /// Markdown files of the current folder.
    pub fn find(paths: &[PathBuf]) -> Self {
        let mut found = Self::default();
        let mut places: Vec<(PathBuf, Option<Text>)> = Vec::new();
        if paths.is_empty() {
            match piped() {
                Some(bytes) => places.push((PathBuf::from("-"), Some(decode(bytes)))),
                None => places.extend(found.here().into_iter().map(|path| (path, None))),
            }
        }
        let mut stdin_read = false;
        for path in paths {
            if path.as_os_str() == "-" {
                if !std::mem::replace(&mut stdin_read, true) {
                    match read_stdin() {
                        Ok(bytes) => places.push((path.clone(), Some(decode(bytes)))),
                        Err(error) => found.errors.push(Fault {
                            file: "-".to_owned(),
                            r#type: "READ_ERROR",
                            message: format!("cannot read stdin: {error}"),
                        }),
                    }
                }
            } else if path.is_dir() {
                places.extend(found.below(path).into_iter().map(|path| (path, None)));
            } else {
                places.push((path.clone(), None));
            }
        }
        let mut names = Namespaces::default();
        let mut shared: HashMap<String, Vec<String>> = HashMap::new();
        let mut order: Vec<String> = Vec::new();
        for (path, text) in places {
            let shown = shown(&path);
            let (file_name, place) = match text {
                Some(text) => ("stdin".to_owned(), Place::Read(text)),
                None => {
                    if let Err(fault) = open(&path, &shown) {
                        found.errors.push(fault);
                        continue;
                    }
                    (
                        path.file_name()
                            .map_or_else(String::new, |name| name.to_string_lossy().into_owned()),
                        Place::File(path),
                    )
                }
            };
            let namespace = names.next(&file_name);
            let base = crate::selector::namespace(&file_name);
            let sharing = shared.entry(base.clone()).or_default();
            sharing.push(format!("`{namespace}` is {shown}"));
            if sharing.len() == 2 {
                order.push(base);
            }
            found.list.push(Listed { namespace, shown, place });
        }
        for base in order {
            let sharing = shared.remove(&base).unwrap_or_default();
            const SHOWN: usize = 5;
            let listed =
                sharing.iter().take(SHOWN).map(String::as_str).collect::<Vec<_>>().join(", ");
            let more = if sharing.len() > SHOWN { ", and so on" } else { "" };
            found.warnings.push(format!(
                "{} documents would have the name `{base}`: {listed}{more}",
                sharing.len()
            ));
        }
        found
    }

    /// The Markdown files directly in the current folder, sorted.
    fn here(&mut self) -> Vec<PathBuf> {
        let folder = Path::new(".");
        let mut found = Vec::new();
        match std::fs::read_dir(folder).and_then(Iterator::collect::<std::io::Result<Vec<_>>>) {
            Ok(entries) => found.extend(entries.iter().map(std::fs::DirEntry::path)),
            Err(error) => self.errors.push(unread_folder(folder, &error.to_string())),
        }
        found.retain(|path| {
            path.extension()
                .and_then(OsStr::to_str)
                .is_some_and(|extension| extension.eq_ignore_ascii_case("md"))
                && path.is_file()
        });
        found.sort();
        found
    }

    /// The Markdown files below a folder, sorted; excludes files in `.gitignore`, and links.
    fn below(&mut self, folder: &Path) -> Vec<PathBuf> {
        let mut found = Vec::new();
        for entry in world::walk(folder, |_| true).0.sort_by_file_path(Path::cmp).build() {
            match entry {
                Ok(entry) => {
                    let is_file = entry.file_type().is_some_and(|kind| kind.is_file());
                    if is_file && is_markdown(entry.path()) {
                        found.push(entry.into_path());
                    }
                }
                Err(error) => {
                    let (path, why) = world::unread(&error);
                    self.errors.push(unread_folder(path.unwrap_or(folder), &why));
                }
            }
        }
        found
    }
}

fn unread_folder(path: &Path, why: &str) -> Fault {
    let message = format!("cannot read the folder: {why}");
    Fault { file: shown(path), r#type: "READ_ERROR", message }
}

impl Listed {
    /// Reads the text, with invalid UTF-8 bytes as `U+FFFD`.
    ///
    /// # Errors
    /// If it can't be read.
    pub fn read(&self) -> Result<Text, Fault> {
        let path = match &self.place {
            Place::Read(text) => return Ok(text.clone()),
            Place::File(path) => path,
        };
        let fault = |kind: &'static str, message: String| Fault {
            file: self.shown.clone(),
            r#type: kind,
            message,
        };
        let file = open(path, &self.shown)?;
        let mut bytes = Vec::new();
        file.take(LARGEST_FILE + 1)
            .read_to_end(&mut bytes)
            .map_err(|error| fault("READ_ERROR", format!("cannot read the file: {error}")))?;
        if bytes.len() as u64 > LARGEST_FILE {
            return Err(fault(
                "FILE_TOO_LARGE",
                format!("the file has more than {LARGEST_FILE} bytes"),
            ));
        }
        if bytes.starts_with(&[0xff, 0xfe]) || bytes.starts_with(&[0xfe, 0xff]) {
            return Err(fault("ENCODING_ERROR", "the file is UTF-16; save it as UTF-8".to_owned()));
        }
        Ok(decode(bytes))
    }

    /// The warning about invalid UTF-8 bytes.
    pub fn warning(&self, text: &Text) -> Option<String> {
        let offset = text.broken?;
        Some(format!(
            "{}: invalid UTF-8 at offset {offset}; such bytes are read as U+FFFD",
            self.shown
        ))
    }
}

fn decode(bytes: Vec<u8>) -> Text {
    match String::from_utf8(bytes) {
        Ok(text) => Text { text, broken: None },
        Err(error) => Text {
            text: String::from_utf8_lossy(error.as_bytes()).into_owned(),
            broken: Some(error.utf8_error().valid_up_to()),
        },
    }
}

/// Opens a file that can be read to its end.
fn open(path: &Path, shown: &str) -> Result<File, Fault> {
    let fault = |kind: &'static str, message: String| Fault {
        file: shown.to_owned(),
        r#type: kind,
        message,
    };
    world::open_regular(path).map(|(file, _)| file).map_err(|error| match error {
        ReadError::Missing => fault("FILE_NOT_FOUND", "no such file".to_owned()),
        ReadError::TooLarge { .. } => {
            fault("FILE_TOO_LARGE", format!("the file has more than {LARGEST_FILE} bytes"))
        }
        ReadError::Irregular | ReadError::Folder => {
            fault("READ_ERROR", "not a regular file".to_owned())
        }
        error => fault("READ_ERROR", format!("cannot read the file: {error}")),
    })
}

fn read_stdin() -> std::io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    std::io::stdin().lock().take(LARGEST_FILE).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Piped input, if any. Programs are often started with an open and empty stdin.
fn piped() -> Option<Vec<u8>> {
    if std::io::stdin().is_terminal() {
        return None;
    }
    read_stdin().ok().filter(|bytes| !bytes.is_empty())
}

/// The path for display: without leading `./` and with `/` between its parts.
fn shown(path: &Path) -> String {
    slashed(path.strip_prefix(".").unwrap_or(path))
}
