//! Servers as child processes, each in its own process group, so that its own children end with it.

use std::collections::VecDeque;
use std::process::Stdio;
use std::sync::Arc;
use std::time::Duration;

use parking_lot::Mutex;
use tokio::io::{AsyncBufReadExt, AsyncRead, AsyncReadExt, BufReader};
use tokio::process::{Child, ChildStdin, ChildStdout, Command};

use crate::format::markdownlang::program::Server;
use crate::run::journal::Journal;

/// The time for a server to end by itself after its input is closed.
const ORDERLY: Duration = Duration::from_secs(2);
/// The time after SIGTERM until it is killed.
const TOLD: Duration = Duration::from_millis(1_500);
/// The time for the system to end it, which may be busy with many.
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
        server: &Server,
        name: &str,
        command: &str,
        journal: &Arc<Journal>,
    ) -> std::io::Result<(usize, ChildStdout, ChildStdin)> {
        let mut process = Command::new(program(command));
        process.args(server.args.iter().map(|argument| &argument.text));
        process.envs(server.env.iter().map(|(name, value)| (&name.text, &value.text)));
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
