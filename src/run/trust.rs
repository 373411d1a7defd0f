//! What a program starts, and whether the user has allowed it. The permission is for exactly these
//! commands and addresses: after a change, it's asked for again.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use super::agreement::rfc3339;
use super::program::Program;
use super::secret;
use crate::format::markdownlang::program::{Server, Text};

/// The file in the user's home folder.
const FILE: &str = ".agentmd-trust.json";

/// Everything that a program and its imports start.
#[derive(Debug)]
pub struct Plan {
    /// One line for each server, without secrets.
    pub lines: Vec<String>,
    /// Programs with servers that aren't below any of the user's folders.
    pub foreign: Vec<PathBuf>,
    /// A hash of everything that is started.
    hash: String,
}

/// What the user has decided about a plan.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Standing {
    /// Nothing is started, or it's allowed.
    Allowed,
    /// Another plan was allowed.
    Changed,
    Unknown,
}

#[derive(Debug, Default, Serialize, Deserialize)]
struct File {
    programs: BTreeMap<String, Entry>,
}

#[derive(Debug, Serialize, Deserialize)]
struct Entry {
    hash: String,
    allowed_at: String,
}

impl Plan {
    /// What a program and its imports start. `folders` are the user's own.
    pub fn new(program: &Arc<Program>, folders: &[PathBuf]) -> Self {
        let mut programs = Vec::new();
        closure(program, &mut programs);
        let (mut lines, mut foreign, mut parts) = (Vec::new(), Vec::new(), Vec::new());
        for program in &programs {
            let servers: Vec<&Server> =
                program.servers.iter().filter(|server| !server.disabled).collect();
            let is_own = folders.iter().any(|folder| program.path.starts_with(folder));
            if !servers.is_empty() && !is_own {
                foreign.push(program.path.clone());
            }
            for server in servers {
                lines.push(format!("{}: {}", program.shown, line(server)));
                parts.push(json!([program.path.to_string_lossy(), whole(server)]));
            }
        }
        let digest = Sha256::digest(Value::Array(parts).to_string().as_bytes());
        let hash = digest.iter().fold(String::new(), |mut hash, byte| {
            // Writing to a string can't fail.
            let _ = write!(hash, "{byte:02x}");
            hash
        });
        Self { lines, foreign, hash }
    }

    /// What the user has decided about it.
    pub fn standing(&self, home: &Path, program: &Path) -> Standing {
        if self.lines.is_empty() {
            return Standing::Allowed;
        }
        match read(home).programs.get(&*program.to_string_lossy()) {
            Some(entry) if entry.hash == self.hash => Standing::Allowed,
            Some(_) => Standing::Changed,
            None => Standing::Unknown,
        }
    }

    /// Records that the user has allowed it.
    ///
    /// # Errors
    /// If the file can't be written.
    pub fn allow(&self, home: &Path, program: &Path) -> std::io::Result<()> {
        let mut file = read(home);
        let allowed_at = rfc3339(std::time::SystemTime::now());
        let entry = Entry { hash: self.hash.clone(), allowed_at };
        file.programs.insert(program.to_string_lossy().into_owned(), entry);
        let text = serde_json::to_string_pretty(&file)?;
        let temporary = home.join(format!("{FILE}.{}.tmp", std::process::id()));
        let mut options = std::fs::OpenOptions::new();
        options.write(true).create_new(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        // Left over by an earlier process with the same number.
        let _ = std::fs::remove_file(&temporary);
        let mut out = options.open(&temporary)?;
        std::io::Write::write_all(&mut out, format!("{text}\n").as_bytes())?;
        out.sync_all()?;
        std::fs::rename(&temporary, home.join(FILE))
    }
}

fn read(home: &Path) -> File {
    // An unreadable file allows nothing.
    let text = std::fs::read_to_string(home.join(FILE)).unwrap_or_default();
    serde_json::from_str(&text).unwrap_or_default()
}

/// The program and everything that it imports, each once.
fn closure(program: &Arc<Program>, found: &mut Vec<Arc<Program>>) {
    if found.iter().any(|known| Arc::ptr_eq(known, program)) {
        return;
    }
    found.push(Arc::clone(program));
    program.imports.iter().for_each(|import| closure(import, found));
}

/// A server as written: variables aren't expanded, so their values don't matter.
fn whole(server: &Server) -> Value {
    let text = |text: &Option<Text>| text.as_ref().map(|text| text.text.clone());
    let pairs = |pairs: &[(Text, Text)]| -> Vec<Value> {
        pairs.iter().map(|(name, value)| json!([name.text, value.text])).collect()
    };
    json!({
        "command": text(&server.command),
        "args": server.args.iter().map(|argument| argument.text.as_str()).collect::<Vec<_>>(),
        "env": pairs(&server.env),
        "url": text(&server.url),
        "headers": pairs(&server.headers),
        "transport": text(&server.transport),
    })
}

fn line(server: &Server) -> String {
    let text =
        |text: &Option<Text>| text.as_ref().map(|text| text.text.clone()).unwrap_or_default();
    let names = |pairs: &[(Text, Text)]| {
        pairs.iter().map(|(name, _)| name.text.as_str()).collect::<Vec<_>>().join(", ")
    };
    let by_url = server.url.is_some() && text(&server.transport) != "command";
    let mut line = if by_url || server.command.is_none() {
        format!("connects to {}", text(&server.url))
    } else {
        let words = std::iter::once(text(&server.command))
            .chain(server.args.iter().map(|argument| argument.text.clone()));
        let words: Vec<String> =
            words.map(|word| if word.contains(' ') { format!("{word:?}") } else { word }).collect();
        format!("starts {}", words.join(" "))
    };
    let arguments: Vec<&str> = server.args.iter().map(|argument| argument.text.as_str()).collect();
    let secrets = secret::in_arguments(&arguments).into_iter();
    for secret in secrets.chain(secret::in_url(&text(&server.url))) {
        line = line.replace(&secret.text, "[hidden]");
    }
    if !server.env.is_empty() {
        line.push_str(&format!(", with {} in its environment", names(&server.env)));
    }
    if !server.headers.is_empty() {
        line.push_str(&format!(", with the headers {}", names(&server.headers)));
    }
    line
}
