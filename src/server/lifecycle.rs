//! The life of a server process: it starts, serves one client, and exits with the client.

use std::io;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use tower_lsp::LspService;
use tracing_subscriber::Layer;
use tracing_subscriber::filter::{LevelFilter, Targets};
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;

use super::backend::Backend;
use super::outgoing::Outgoing;
use super::transport::{End, Transport};
use super::{pool, turns};

/// How often to check for the parent process.
#[cfg(not(windows))]
const PARENT_CHECK: Duration = Duration::from_secs(2);

/// The time for a client to read the last answers.
const LAST_WORDS: Duration = Duration::from_secs(2);

/// Serves on standard input and output.
///
/// # Errors
/// If threads can't be started or standard input can't be read.
pub(super) fn serve() -> io::Result<ExitCode> {
    log();
    // More threads than cores: a few slow answers must not hold up the quick ones.
    let threads =
        std::thread::available_parallelism().map_or(8, |cores| cores.get() * 4).clamp(8, 32);
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(1)
        .max_blocking_threads(threads)
        .thread_stack_size(pool::STACK)
        .enable_time()
        .build()?;
    let (outgoing, writer) = Outgoing::start(output())?;
    let queue = outgoing.clone();
    let (service, socket) = LspService::new(move |client| Backend::new(client, queue));
    let session = std::sync::Arc::clone(&service.inner().session);
    watch_parent();
    let transport = Transport::new(service, socket, outgoing.clone(), runtime.handle().clone());
    let end = turns::serve(transport, input());
    outgoing.close();
    // Queued messages are still written, unless the client has stopped reading.
    let deadline = Instant::now() + LAST_WORDS;
    while !writer.is_finished() && Instant::now() < deadline {
        std::thread::sleep(Duration::from_millis(1));
    }
    // Running analyses are abandoned.
    runtime.shutdown_background();
    let clean = session.is_shut_down() && matches!(end, Ok(End::Exit | End::Stream));
    std::process::exit(i32::from(!clean));
}

/// Standard input without the buffer of the standard library.
#[cfg(unix)]
fn input() -> Box<dyn io::Read + Send> {
    use std::os::unix::io::AsFd;
    match io::stdin().as_fd().try_clone_to_owned() {
        Ok(input) => Box::new(std::fs::File::from(input)),
        Err(_) => Box::new(io::stdin()),
    }
}

/// Standard output without the buffer of the standard library, which searches all text for its last
/// line break.
#[cfg(unix)]
fn output() -> Box<dyn io::Write + Send> {
    use std::os::unix::io::AsFd;
    match io::stdout().as_fd().try_clone_to_owned() {
        Ok(output) => {
            widen(&output);
            Box::new(std::fs::File::from(output))
        }
        Err(_) => Box::new(io::stdout()),
    }
}

/// Makes room for the findings of a large document, in bytes, so that writing them doesn't wait for the client
/// every 64 KB. Only pipes need it.
#[cfg(any(target_os = "linux", target_os = "android"))]
fn widen(output: &std::os::unix::io::OwnedFd) {
    const ROOM: usize = 1 << 20;
    let _ = rustix::pipe::fcntl_setpipe_size(output, ROOM);
}

#[cfg(all(unix, not(any(target_os = "linux", target_os = "android"))))]
fn widen(_: &std::os::unix::io::OwnedFd) {}

#[cfg(not(unix))]
fn input() -> Box<dyn io::Read + Send> {
    Box::new(io::stdin())
}

#[cfg(not(unix))]
fn output() -> Box<dyn io::Write + Send> {
    Box::new(io::stdout())
}

/// Writes the log to stderr: warnings, or what `AGENTMD_LOG` asks for.
fn log() {
    let asked = std::env::var("AGENTMD_LOG").ok().and_then(|filter| filter.parse().ok());
    let filter: Targets = asked.unwrap_or_else(|| Targets::new().with_default(LevelFilter::WARN));
    let lines = tracing_subscriber::fmt::layer().with_writer(io::stderr).with_ansi(false);
    let _ = tracing_subscriber::registry().with(lines.with_filter(filter)).try_init();
}

/// Exits when the parent process has ended: others may keep its end of the pipe open.
fn watch_parent() {
    #[cfg(unix)]
    {
        let parent = std::os::unix::process::parent_id();
        let watch = move || {
            while std::os::unix::process::parent_id() == parent {
                std::thread::sleep(PARENT_CHECK);
            }
            std::process::exit(1);
        };
        let _ =
            std::thread::Builder::new().name("parent".to_owned()).stack_size(64 << 10).spawn(watch);
    }
}

/// Exits when the client with the given process ID has ended.
pub(super) fn watch_client(process: Option<i32>) {
    let Some(ends) = process.and_then(end_of) else { return };
    let watch = move || {
        if ends() {
            std::process::exit(1);
        }
    };
    let _ = std::thread::Builder::new().name("client".to_owned()).stack_size(64 << 10).spawn(watch);
}

/// Waits until a process has ended; false if that can't be determined. `None` if the process
/// doesn't exist.
#[cfg(any(windows, target_vendor = "apple"))]
fn end_of(process: i32) -> Option<impl FnOnce() -> bool + Send> {
    let mut handle = waitpid_any::WaitHandle::open(process).ok()?;
    Some(move || handle.wait().is_ok())
}

/// The same on systems that expose processes as files.
#[cfg(not(any(windows, target_vendor = "apple")))]
fn end_of(process: i32) -> Option<impl FnOnce() -> bool + Send> {
    let entry = std::path::PathBuf::from(format!("/proc/{process}"));
    let known = entry.exists();
    let ends = move || {
        while entry.exists() {
            std::thread::sleep(PARENT_CHECK);
        }
        true
    };
    known.then_some(ends)
}
