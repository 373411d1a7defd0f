//! The language server: the only room that knows LSP.
//!
//! One thread at a time reads messages and handles each, in order, before it reads the next: a
//! change is applied, a request gets its snapshot ([`transport`]). Analysis runs on other threads, on
//! snapshots, inside `catch_unwind`: those of a pool ([`pool`]), or the one that read the message,
//! while another reads on ([`turns`]). One thread at a time writes ([`outgoing`]). So reading never
//! waits for work, answers match the text at their place in the stream, and a failing analysis
//! doesn't affect the next one.

mod agents;
mod apply;
mod backend;
mod capabilities;
mod code_actions;
mod code_lens;
mod command;
mod completion;
mod context;
mod conversions;
mod convert;
mod definition;
mod direct;
mod disk_events;
mod document_highlight;
mod finding;
mod folding;
mod hierarchy;
mod hover;
mod index;
mod inlay_hints;
mod insertion;
mod json;
mod lifecycle;
mod links;
mod message;
mod outgoing;
mod outline;
mod overlay;
mod params;
mod places;
mod pool;
mod preview;
mod publish;
mod pull;
mod reader;
mod reading;
mod recent;
mod references;
mod refresh;
mod review;
mod runnables;
mod selectors;
mod session;
mod settings;
mod shared;
mod show;
mod signature_help;
#[cfg(debug_assertions)]
mod testing;
mod tokens;
mod transport;
mod turns;
mod disable;
mod duplicate_server;
mod unsaved;
mod unwatched;
mod uri;
mod watch;
mod whole;
mod workspace_edit;
mod workspace_diagnostics;
mod written;

use std::process::ExitCode;

/// Serves one client on standard input and output until it sends `exit`, closes its end, or exits.
pub fn run() -> ExitCode {
    match lifecycle::serve() {
        Ok(code) => code,
        Err(error) => {
            eprintln!("agentmd server: {error}");
            ExitCode::FAILURE
        }
    }
}
