//! The real program with a watchdog.

use std::io::{Read, Write};
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use crate::client::{Client, Setup};
use crate::workspace::Workspace;

/// Far longer than anything here takes, so only a hang reaches it.
const DEADLINE: Duration = Duration::from_secs(180);
/// Limit for the address space, in KiB. Threads and the allocator reserve much more than they use.
const MEMORY: u32 = 3 << 20;

/// The exit status and output of the program.
#[derive(Debug)]
pub struct Answer {
    pub status: i32,
    pub out: String,
    pub err: String,
}

impl Answer {
    pub fn json(&self) -> serde_json::Value {
        serde_json::from_str(&self.out).unwrap_or_else(|error| panic!("{error}: {self:#?}"))
    }

    /// Everything that reaches a terminal or a log.
    pub fn all(&self) -> String {
        format!("{}{}", self.out, self.err)
    }

    /// Whether a finding has this code.
    pub fn finds(&self, code: &str) -> bool {
        let answer = self.json();
        let files = answer["files"].as_array().into_iter().flatten();
        files
            .flat_map(|file| file["diagnostics"].as_array().into_iter().flatten())
            .any(|found| found["code"] == code)
    }
}

/// The start of a command that runs a program with the memory limit.
fn limited() -> Vec<String> {
    ["sh", "-c", &format!("ulimit -v {MEMORY}; ulimit -c 0; exec \"$@\""), "sh"]
        .map(str::to_owned)
        .to_vec()
}

/// Runs the program in a folder, and checks that it ends by itself.
#[track_caller]
pub fn run(folder: &Path, arguments: &[&str], stdin: &str) -> Answer {
    let words = limited();
    let mut command = Command::new(&words[0]);
    command
        .args(&words[1..])
        .arg(env!("CARGO_BIN_EXE_agentmd"))
        .args(arguments)
        .current_dir(folder);
    command
        .env("RUST_BACKTRACE", "0")
        .env("XDG_STATE_HOME", env!("CARGO_TARGET_TMPDIR"))
        .env_remove("GITHUB_ACTIONS");
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = child.stdin.take().unwrap();
    let stdin = stdin.to_owned();
    std::thread::spawn(move || drop(input.write_all(stdin.as_bytes())));
    let (out, err) = (gather(child.stdout.take().unwrap()), gather(child.stderr.take().unwrap()));
    let Some(status) = wait(&mut child) else { panic!("`agentmd {}` hangs", arguments.join(" ")) };
    let answer = Answer {
        status: status.code().unwrap_or(-1),
        out: out.join().unwrap(),
        err: err.join().unwrap(),
    };
    assert!(
        (0..=2).contains(&answer.status),
        "`agentmd {}` died of {status}: {}",
        arguments.join(" "),
        answer.err
    );
    assert!(!answer.err.contains("panicked"), "{}", answer.err);
    answer
}

/// Runs a program in the folder and prints its peak memory in KiB.
#[cfg(target_os = "linux")]
const MEASURE: &str = "import os, sys
child = os.fork()
if child == 0:
    null = os.open(os.devnull, os.O_RDWR)
    for stream in 0, 1, 2:
        os.dup2(null, stream)
    os.execv(sys.argv[1], sys.argv[1:])
_, status, usage = os.wait4(child, 0)
print(os.waitstatus_to_exitcode(status), usage.ru_maxrss)";

/// The peak memory of a run of the program, in bytes. `None` without Python.
#[cfg(target_os = "linux")]
#[track_caller]
pub fn memory_of(folder: &Path, arguments: &[&str]) -> Option<u64> {
    let mut command = Command::new("python3");
    command.args(["-c", MEASURE, env!("CARGO_BIN_EXE_agentmd")]).args(arguments);
    let Ok(output) = command.current_dir(folder).output() else {
        crate::needs::missing("python", "install Python 3");
        return None;
    };
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    let mut numbers = said.split_whitespace().map(|number| number.parse::<i64>().unwrap());
    let (Some(status), Some(kib)) = (numbers.next(), numbers.next()) else {
        panic!("{said}{}", String::from_utf8_lossy(&output.stderr));
    };
    assert!((0..=2).contains(&status), "`agentmd {}` died: {status}", arguments.join(" "));
    Some(u64::try_from(kib).unwrap() << 10)
}

fn gather(mut stream: impl Read + Send + 'static) -> std::thread::JoinHandle<String> {
    std::thread::spawn(move || {
        let mut bytes = Vec::new();
        let _ = stream.read_to_end(&mut bytes);
        String::from_utf8_lossy(&bytes).into_owned()
    })
}

/// Waits until a program has ended; `None` if it had to be killed.
fn wait(child: &mut Child) -> Option<ExitStatus> {
    let end = Instant::now() + DEADLINE;
    while Instant::now() < end {
        if let Some(status) = child.try_wait().unwrap() {
            return Some(status);
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    let _ = child.kill();
    let _ = child.wait();
    None
}

/// Starts a server on a workspace. Its answers have a deadline, and it must shut down cleanly.
pub fn serve(workspace: Workspace) -> Client {
    setup(workspace).start()
}

/// Starts a server for a client with pull diagnostics.
pub fn serve_pull(workspace: Workspace) -> Client {
    setup(workspace).pull().start()
}

pub fn setup(workspace: Workspace) -> Setup {
    let mut setup = Setup::new("");
    setup.folder = Some(workspace.into_folder());
    setup.wrapper = limited();
    setup
}
