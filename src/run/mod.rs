//! `agentmd run`: executes markdownlang programs. The only room that uses the network or starts
//! processes, and only after the user has accepted the agreement.
//!
//! - [`agreement`]: the agreement before the first run
//! - [`program`]: a program and all of its imports, ready to run
//! - [`agent`]: the loop: ask the model, call tools, check the reply
//! - [`message`], [`provider`], [`retry`]: messages to the model, over HTTP, with retries
//! - [`python`]: the built-in tool `python`, a sandbox
//! - [`tool`], [`mcp`]: imported programs and the tools of servers, as the model calls them
//! - [`trust`]: what a program starts, and whether that is allowed
//! - [`reply`]: extracts JSON from the model's text
//! - [`summary`], [`prices`], [`duration`]: what a run cost
//! - [`tape`]: recordings of runs
//! - [`journal`], [`secret`]: the log, without secrets

pub mod agent;
pub mod agreement;
pub mod duration;
pub mod journal;
pub mod mcp;
pub mod message;
pub mod prices;
pub mod program;
pub mod provider;
pub mod python;
pub mod reply;
pub mod retry;
pub mod secret;
pub mod summary;
pub mod tape;
pub mod tool;
pub mod trust;

use std::sync::Arc;
use std::time::{Duration, Instant};

use serde_json::Value;

use journal::Journal;
use mcp::{Pool, Processes};
use prices::Prices;
use program::Program;
use provider::Provider;
use summary::{Calls, Metrics, Summary};

/// The options of a run.
#[derive(Debug, Clone)]
pub struct Options {
    /// The model for programs that don't name one.
    pub model: String,
    /// The limit of dollars.
    pub max_cost: Option<f64>,
    /// The limit of tool calls at the same time.
    pub parallel: usize,
    /// The time limit for a server to start, if the program sets none.
    pub server_start: Duration,
    /// The time limit for a call of a server's tool, if the program sets none.
    pub tool_call: Duration,
    /// The limit of requests to the model per program.
    pub max_iterations: usize,
    /// The time limit.
    pub timeout: Duration,
    /// A server that fails to start ends the run.
    pub strict_servers: bool,
}

/// One run: the state that all of its programs share.
#[derive(Debug)]
pub struct Run {
    pub provider: Provider,
    pub options: Options,
    pub journal: Arc<Journal>,
    pub pool: Pool,
    pub processes: Processes,
    pub calls: Calls,
    pub prices: Prices,
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
    /// Executes a program. When this returns, every process that it started has ended.
    pub async fn execute(
        &self,
        program: &Arc<Program>,
        input: Value,
        signal: impl Future<Output = i32>,
    ) -> Outcome {
        let metrics = Metrics::default();
        let mut ended_by = None;
        let result = tokio::select! {
            result = agent::execute(self, program, input, &metrics, "") => result,
            () = tokio::time::sleep(self.options.timeout) => {
                Err(format!("timeout: the run took more than {}; raise `--timeout` to allow more", duration::format(self.options.timeout)))
            }
            signal = signal => {
                ended_by = Some(signal);
                Err("the run was interrupted".to_owned())
            }
        };
        if ended_by.is_none() {
            self.pool.stop(self).await;
        }
        self.processes
            .stop_all(if ended_by.is_some() { mcp::Manner::Quick } else { mcp::Manner::Orderly })
            .await;
        let result = result.map_err(|error| self.journal.hide(&error));
        let summary = Summary::new(program, self, &metrics, result.as_ref().err());
        Outcome { result, summary, signal: ended_by }
    }

    /// The model of a program.
    pub fn model<'a>(&'a self, program: &'a Program) -> &'a str {
        program.model.as_deref().unwrap_or(&self.options.model)
    }

    /// The remaining time of the run.
    pub fn remaining(&self) -> Duration {
        self.options.timeout.saturating_sub(self.began.elapsed())
    }
}
