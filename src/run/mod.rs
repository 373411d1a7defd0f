//! `agentmd run`: executes markdownlang programs. The only room that talks to a network and starts
//! other programs, and it does so for a program only once its user has accepted the agreement.
//!
//! - [`agreement`]: what is accepted before the first run
//! - [`program`]: a program and all that it imports, ready to run
//! - [`agent`]: the loop: ask the model, call tools, check the reply
//! - [`message`], [`provider`], [`retry`]: what is said to the model, over HTTP, again where that
//!   helps
//! - [`tool`], [`mcp`]: imported programs and the tools of servers, as the model calls them
//! - [`reply`]: what the model's text is as JSON
//! - [`summary`], [`duration`]: what a run took
//! - [`journal`]: what is told meanwhile, without secrets

pub mod agent;
pub mod agreement;
pub mod duration;
pub mod journal;
pub mod mcp;
pub mod message;
pub mod program;
pub mod provider;
pub mod reply;
pub mod retry;
pub mod summary;
pub mod tool;

use std::sync::Arc;
use std::time::{Duration, Instant};

use serde_json::Value;

use journal::Journal;
use mcp::Processes;
use program::Program;
use provider::Provider;
use summary::{Calls, Metrics, Summary};

/// What a run may do.
#[derive(Debug, Clone)]
pub struct Options {
    /// The model of programs that name none.
    pub model: String,
    /// How many times each program may ask the model.
    pub max_iterations: usize,
    /// How long all of it may take.
    pub timeout: Duration,
    /// A server that does not start ends the run.
    pub strict_servers: bool,
}

/// One run: what all of its programs share.
#[derive(Debug)]
pub struct Run {
    pub provider: Provider,
    pub options: Options,
    pub journal: Arc<Journal>,
    pub processes: Processes,
    pub calls: Calls,
    pub began: Instant,
}

/// How a run ended.
#[derive(Debug)]
pub struct Outcome {
    pub result: Result<Value, String>,
    pub summary: Summary,
    /// The signal that ended it.
    pub signal: Option<i32>,
}

impl Run {
    /// Executes a program. When this returns, nothing that it started is left.
    pub async fn execute(
        &self,
        program: &Arc<Program>,
        input: Value,
        signal: impl Future<Output = i32>,
    ) -> Outcome {
        let metrics = Metrics::default();
        let mut ended_by = None;
        let result = tokio::select! {
            result = agent::execute(self, program, input, &metrics) => result,
            () = tokio::time::sleep(self.options.timeout) => {
                Err(format!("the time is up: the run took more than {}; `--timeout` allows more", duration::format(self.options.timeout)))
            }
            signal = signal => {
                ended_by = Some(signal);
                Err("the run was interrupted".to_owned())
            }
        };
        self.processes
            .stop_all(if ended_by.is_some() { mcp::Manner::Quick } else { mcp::Manner::Orderly })
            .await;
        let result = result.map_err(|error| self.journal.hide(&error));
        let summary = Summary::new(program, self, &metrics, result.as_ref().err());
        Outcome { result, summary, signal: ended_by }
    }

    /// How long the run may still take.
    pub fn remaining(&self) -> Duration {
        self.options.timeout.saturating_sub(self.began.elapsed())
    }
}
