//! Servers as child processes, each in its own process group, so that its own children end with it.

use std::collections::VecDeque;
use std::process::Stdio;
use std::sync::Arc;
use std::time::Duration;

use parking_lot::Mutex;
use tokio::io::{AsyncBufReadExt, AsyncRead, AsyncReadExt, BufReader};
use tokio::process::{Child, ChildStdin, ChildStdout, Command};

use crate::run::journal::Journal;

/// The time for a server to end by itself after its input is closed.
const ORDERLY: Duration = Duration::from_secs(2);
/// The time between SIGTERM and SIGKILL.
const TOLD: Duration = Duration::from_millis(1_500);
/// The time for the system to end it: it may be busy with many.
const ENDED: Duration = Duration::from_secs(5);
const GLANCE: Duration = Duration::from_millis(20);
/// The number of last lines of a server to keep.
const LINES: usize = 5;
const LONGEST_LINE: u64 = 4_096;

/// How to stop servers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Manner {
    /// Close their input; they may end by themselves first.
    Orderly,
    /// Terminate them immediately.
    Quick,
}

/// All child processes of a run. They belong to the run rather than to their starters, so that none
/// survives an interruption.
#[derive(Debug, Default)]
pub struct Processes {
    list: Mutex<Vec<Option<Process>>>,
    /// Children that this process had before the first server, which aren't the run's.
    before: std::sync::OnceLock<Vec<i32>>,
}

#[derive(Debug)]
struct Process {
    child: Child,
    /// The process group that it leads.
    group: Option<u32>,
    said: Arc<Mutex<VecDeque<String>>>,
}

impl Processes {
    /// Starts a server's command, without a shell. Its stderr goes to the journal.
    ///
    /// # Errors
    /// If the command doesn't exist.
    pub fn start(
        &self,
        name: &str,
        command: &str,
        args: &[String],
        env: &[(String, String)],
        journal: &Arc<Journal>,
    ) -> std::io::Result<(usize, ChildStdout, ChildStdin)> {
        self.before.get_or_init(adopt);
        let mut process = Command::new(program(command));
        process.args(args).env_clear().envs(inherited());
        process.envs(env.iter().map(|(name, value)| (name, value)));
        process
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .kill_on_drop(true);
        #[cfg(unix)]
        process.process_group(0);
        let mut child = process.spawn()?;
        let missing = || std::io::Error::other("it has no pipes");
        let (input, output) =
            (child.stdin.take().ok_or_else(missing)?, child.stdout.take().ok_or_else(missing)?);
        let said = Arc::default();
        if let Some(errors) = child.stderr.take() {
            tokio::spawn(listen(errors, name.to_owned(), Arc::clone(&said), Arc::clone(journal)));
        }
        let mut list = self.list.lock();
        list.push(Some(Process { group: child.id(), child, said }));
        Ok((list.len() - 1, output, input))
    }

    /// Stops one, and reports its last output.
    pub async fn stop(&self, index: usize, manner: Manner) -> String {
        match self.take(index) {
            Some(process) => process.stop(manner).await,
            None => String::new(),
        }
    }

    /// Stops all that are left.
    pub async fn stop_all(&self, manner: Manner) {
        let count = self.list.lock().len();
        let left: Vec<Process> = (0..count).filter_map(|index| self.take(index)).collect();
        futures_util::future::join_all(left.into_iter().map(|process| process.stop(manner))).await;
        if let Some(before) = self.before.get() {
            end_orphans(before).await;
        }
    }

    fn take(&self, index: usize) -> Option<Process> {
        self.list.lock().get_mut(index)?.take()
    }
}

impl Process {
    async fn stop(mut self, manner: Manner) -> String {
        if manner == Manner::Orderly {
            // Processes that don't end are killed below.
            let _ = tokio::time::timeout(ORDERLY, self.child.wait()).await;
        }
        for (told, patience) in [(Signal::Terminate, TOLD), (Signal::Kill, ENDED)] {
            if !self.is_gone() {
                signal(self.group, told, &mut self.child);
                self.wait_until_gone(patience).await;
            }
        }
        let said = self.said.lock();
        said.iter().cloned().collect::<Vec<_>>().join(" ")
    }

    async fn wait_until_gone(&mut self, patience: Duration) {
        let told = tokio::time::Instant::now();
        while !self.is_gone() && told.elapsed() < patience {
            tokio::time::sleep(GLANCE).await;
        }
    }

    /// Whether the process and all of its children have ended.
    fn is_gone(&mut self) -> bool {
        matches!(self.child.try_wait(), Ok(Some(_))) && !is_alive(self.group)
    }
}

impl Drop for Process {
    /// Nothing survives if this future is dropped while a process is being stopped.
    fn drop(&mut self) {
        if !self.is_gone() {
            signal(self.group, Signal::Kill, &mut self.child);
        }
    }
}

/// The environment variables that every server gets: those that programs need to be found and to
/// work, but no keys. Keys are only for the servers whose `env` names them.
const INHERITED: &[&str] = &[
    "PATH",
    "HOME",
    "USER",
    "LOGNAME",
    "SHELL",
    "TERM",
    "LANG",
    "LANGUAGE",
    "TZ",
    "TMPDIR",
    "TEMP",
    "TMP",
    "XDG_CACHE_HOME",
    "XDG_CONFIG_HOME",
    "XDG_DATA_HOME",
    "XDG_RUNTIME_DIR",
    "NO_PROXY",
    "no_proxy",
    "SSL_CERT_FILE",
    "SSL_CERT_DIR",
    "NODE_EXTRA_CA_CERTS",
    "REQUESTS_CA_BUNDLE",
    "NIX_SSL_CERT_FILE",
    "LD_LIBRARY_PATH",
    "NVM_DIR",
    "PYENV_ROOT",
    "VIRTUAL_ENV",
    // Windows.
    "APPDATA",
    "COMSPEC",
    "HOMEDRIVE",
    "HOMEPATH",
    "LOCALAPPDATA",
    "PATHEXT",
    "PROCESSOR_ARCHITECTURE",
    "PROGRAMDATA",
    "PROGRAMFILES",
    "PROGRAMFILES(X86)",
    "SYSTEMDRIVE",
    "SYSTEMROOT",
    "USERNAME",
    "USERPROFILE",
    "WINDIR",
];
/// Proxies, unless they contain a password.
const PROXIES: &[&str] =
    &["HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "https_proxy", "all_proxy"];

fn inherited() -> impl Iterator<Item = (std::ffi::OsString, std::ffi::OsString)> {
    std::env::vars_os().filter(|(name, value)| {
        let name = name.to_string_lossy();
        // Windows writes names in any case.
        let same = |known: &&str| {
            if cfg!(windows) { name.eq_ignore_ascii_case(known) } else { name == **known }
        };
        INHERITED.iter().any(&same)
            || name.starts_with("LC_")
            || PROXIES.iter().any(&same) && !value.to_string_lossy().contains('@')
    })
}

/// On Linux, processes whose parents have ended become children of this one, even those that have
/// left their group with `setsid`.
#[cfg(target_os = "linux")]
fn adopt() -> Vec<i32> {
    let before = descendants();
    // Without it, such processes survive, as on other systems.
    let _ = rustix::process::set_child_subreaper(Some(rustix::process::getpid()));
    before
}

#[cfg(not(target_os = "linux"))]
fn adopt() -> Vec<i32> {
    Vec::new()
}

/// Kills the processes that servers have left running.
#[cfg(target_os = "linux")]
async fn end_orphans(before: &[i32]) {
    use rustix::process::{Pid, Signal, WaitOptions, kill_process, waitpid};
    let began = tokio::time::Instant::now();
    // Killing one may leave its children to this process.
    while began.elapsed() < ENDED {
        let mut left = descendants();
        left.retain(|pid| !before.contains(pid));
        if left.is_empty() {
            return;
        }
        for pid in left.into_iter().filter_map(Pid::from_raw) {
            // One that has just ended needs no signal.
            let _ = kill_process(pid, Signal::KILL);
            let _ = waitpid(Some(pid), WaitOptions::NOHANG);
        }
        tokio::time::sleep(GLANCE).await;
    }
}

#[cfg(not(target_os = "linux"))]
async fn end_orphans(_: &[i32]) {}

/// Every process that this one has started, directly or indirectly.
#[cfg(target_os = "linux")]
fn descendants() -> Vec<i32> {
    let processes = std::fs::read_dir("/proc").into_iter().flatten().flatten();
    let parents: Vec<(i32, i32)> = processes
        .filter_map(|entry| {
            let pid = entry.file_name().to_str()?.parse().ok()?;
            let stat = std::fs::read_to_string(entry.path().join("stat")).ok()?;
            // The name before it may contain anything.
            let parent = stat.rsplit_once(") ")?.1.split_whitespace().nth(1)?.parse().ok()?;
            Some((pid, parent))
        })
        .collect();
    let mut found = vec![rustix::process::getpid().as_raw_nonzero().get()];
    let mut next = 0;
    while let Some(parent) = found.get(next).copied() {
        let children = parents.iter().filter(|(pid, of)| *of == parent && !found.contains(pid));
        let children: Vec<i32> = children.map(|(pid, _)| *pid).collect();
        found.extend(children);
        next += 1;
    }
    found.remove(0);
    found
}

enum Signal {
    Terminate,
    Kill,
}

#[cfg(unix)]
fn group_id(group: Option<u32>) -> Option<rustix::process::Pid> {
    rustix::process::Pid::from_raw(i32::try_from(group?).ok()?)
}

#[cfg(unix)]
fn is_alive(group: Option<u32>) -> bool {
    group_id(group).is_some_and(|group| rustix::process::test_kill_process_group(group).is_ok())
}

#[cfg(unix)]
fn signal(group: Option<u32>, signal: Signal, _: &mut Child) {
    let signal = match signal {
        Signal::Terminate => rustix::process::Signal::TERM,
        Signal::Kill => rustix::process::Signal::KILL,
    };
    if let Some(group) = group_id(group) {
        // A group that has just ended needs no signal.
        let _ = rustix::process::kill_process_group(group, signal);
    }
}

#[cfg(not(unix))]
fn is_alive(_: Option<u32>) -> bool {
    false
}

#[cfg(not(unix))]
fn signal(_: Option<u32>, signal: Signal, child: &mut Child) {
    if let Signal::Kill = signal {
        // A process that has just ended need not be killed.
        let _ = child.start_kill();
    }
}

/// The executable file of a command.
#[cfg(not(windows))]
fn program(command: &str) -> std::ffi::OsString {
    command.into()
}

/// The executable file of a command: `npx` is `npx.cmd` on Windows, which only a shell would find.
#[cfg(windows)]
fn program(command: &str) -> std::ffi::OsString {
    let plain = std::path::Path::new(command);
    if plain.extension().is_some() || plain.components().count() > 1 {
        return command.into();
    }
    let folders = std::env::var_os("PATH").unwrap_or_default();
    let files = std::env::split_paths(&folders).flat_map(|folder| {
        ["exe", "cmd", "bat"].map(|extension| folder.join(command).with_extension(extension))
    });
    files
        .into_iter()
        .find(|file| file.is_file())
        .map_or_else(|| command.into(), std::path::PathBuf::into_os_string)
}

/// Passes on a server's output, line by line, and keeps the last lines.
async fn listen(
    errors: impl AsyncRead + Unpin,
    name: String,
    said: Arc<Mutex<VecDeque<String>>>,
    journal: Arc<Journal>,
) {
    let mut errors = BufReader::new(errors);
    let mut line = Vec::new();
    loop {
        line.clear();
        match (&mut errors).take(LONGEST_LINE).read_until(b'\n', &mut line).await {
            Ok(0) | Err(_) => return,
            Ok(_) => {}
        }
        let text = String::from_utf8_lossy(&line).trim().to_owned();
        if text.is_empty() {
            continue;
        }
        journal.debug(|| format!("{name}: {text}"));
        let mut said = said.lock();
        if said.len() == LINES {
            said.pop_front();
        }
        said.push_back(text);
    }
}
