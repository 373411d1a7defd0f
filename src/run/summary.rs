//! The summary of a run, as printed by `-summary`.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use parking_lot::Mutex;
use serde::Serialize;

use super::message::Tokens;
use super::prices::Prices;
use super::program::Program;
use super::{Run, duration};

/// The counters of one program while it runs.
#[derive(Debug, Default)]
pub struct Metrics {
    pub iterations: AtomicU64,
    pub input: AtomicU64,
    pub output: AtomicU64,
    pub tools_called: AtomicU64,
}

impl Metrics {
    pub fn spend(&self, tokens: Tokens) {
        self.input.fetch_add(tokens.input, Ordering::Relaxed);
        self.output.fetch_add(tokens.output, Ordering::Relaxed);
    }

    fn tokens(&self) -> Tokens {
        let count = |counter: &AtomicU64| counter.load(Ordering::Relaxed);
        Tokens { input: count(&self.input), output: count(&self.output) }
    }
}

/// The calls of imported programs in a run.
#[derive(Debug, Default)]
pub struct Calls {
    counted: Mutex<Counted>,
}

#[derive(Debug, Default)]
struct Counted {
    by_agent: BTreeMap<String, u64>,
    duration: Duration,
    tokens: u64,
    cost: Cost,
}

/// A sum of dollars; unknown if a part of it is.
#[derive(Debug, Clone, Copy)]
struct Cost(Option<f64>);

impl Default for Cost {
    fn default() -> Self {
        Self(Some(0.0))
    }
}

/// A call in progress; it is counted when it ends, in every case.
#[derive(Debug)]
pub struct Call<'a> {
    calls: &'a Calls,
    name: &'a str,
    model: String,
    prices: &'a Prices,
    began: Instant,
    pub metrics: Metrics,
}

impl Calls {
    /// Begins a call of a program with a model.
    pub fn begin<'a>(&'a self, name: &'a str, model: &str, prices: &'a Prices) -> Call<'a> {
        let (model, began, metrics) = (model.to_owned(), Instant::now(), Metrics::default());
        Call { calls: self, name, model, prices, began, metrics }
    }
}

impl Drop for Call<'_> {
    fn drop(&mut self) {
        let mut counted = self.calls.counted.lock();
        *counted.by_agent.entry(self.name.to_owned()).or_default() += 1;
        counted.duration += self.began.elapsed();
        let tokens = self.metrics.tokens();
        counted.tokens += tokens.input.saturating_add(tokens.output);
        let cost = match tokens {
            Tokens { input: 0, output: 0 } => Some(0.0),
            tokens => self.prices.cost(&self.model, tokens),
        };
        counted.cost = Cost(counted.cost.0.zip(cost).map(|(sum, cost)| sum + cost));
    }
}

/// The summary; fields are printed in this order.
#[derive(Debug, Serialize)]
pub struct Summary {
    program: String,
    success: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
    iterations: u64,
    tokens: TokenSummary,
    tools_called: u64,
    duration: String,
    model: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    agent_calls: Option<CallSummary>,
}

#[derive(Debug, Default, Serialize)]
struct TokenSummary {
    input: u64,
    output: u64,
    total: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    cost: Option<f64>,
}

#[derive(Debug, Serialize)]
struct CallSummary {
    total_calls: u64,
    calls_by_agent: BTreeMap<String, u64>,
    total_duration: String,
    average_duration: String,
    tokens_used: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    cost: Option<f64>,
}

impl Summary {
    pub fn new(program: &Program, run: &Run, metrics: &Metrics, error: Option<&String>) -> Self {
        let count = |counter: &AtomicU64| counter.load(Ordering::Relaxed);
        let model = run.model(program).to_owned();
        let Tokens { input, output } = metrics.tokens();
        let tokens = TokenSummary {
            input,
            output,
            total: input.saturating_add(output),
            cost: run.prices.cost(&model, Tokens { input, output }),
        };
        Self {
            program: program.shown.clone(),
            success: error.is_none(),
            error: error.cloned(),
            iterations: count(&metrics.iterations),
            tokens,
            tools_called: count(&metrics.tools_called),
            duration: duration::format(run.began.elapsed()),
            model,
            agent_calls: run.calls.summary(),
        }
    }

    /// For a run that ended before it began.
    pub fn refused(program: &str, model: &str, error: &str) -> Self {
        Self {
            program: program.to_owned(),
            success: false,
            error: Some(error.to_owned()),
            iterations: 0,
            tokens: TokenSummary {
                cost: Prices::default().cost(model, Tokens::default()),
                ..TokenSummary::default()
            },
            tools_called: 0,
            duration: duration::format(Duration::ZERO),
            model: model.to_owned(),
            agent_calls: None,
        }
    }

    /// The cost of the run in dollars, including the programs that it called, if all of it is
    /// known.
    pub fn cost(&self) -> Option<f64> {
        let called = self.agent_calls.as_ref().map_or(Some(0.0), |calls| calls.cost)?;
        Some(rounded(self.tokens.cost? + called))
    }

    /// One JSON object.
    pub fn text(&self) -> String {
        serde_json::to_string_pretty(self).unwrap_or_default()
    }
}

/// Drops rounding errors of the sum, which are after the tenth decimal place.
fn rounded(dollars: f64) -> f64 {
    (dollars * 1e10).round() / 1e10
}

impl Calls {
    fn summary(&self) -> Option<CallSummary> {
        let counted = self.counted.lock();
        let total: u64 = counted.by_agent.values().sum();
        let average = counted.duration.checked_div(u32::try_from(total).unwrap_or(u32::MAX))?;
        Some(CallSummary {
            total_calls: total,
            calls_by_agent: counted.by_agent.clone(),
            total_duration: duration::format(counted.duration),
            average_duration: duration::format(average),
            tokens_used: counted.tokens,
            cost: counted.cost.0.map(rounded),
        })
    }
}
