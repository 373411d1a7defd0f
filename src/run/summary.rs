//! The summary of a run, as printed by `-summary`.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use parking_lot::Mutex;
use serde::Serialize;

use super::message::Tokens;
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

    fn tokens(&self) -> u64 {
        self.input.load(Ordering::Relaxed).saturating_add(self.output.load(Ordering::Relaxed))
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
}

/// A call in progress; it is counted when it ends, in every case.
#[derive(Debug)]
pub struct Call<'a> {
    calls: &'a Calls,
    name: &'a str,
    began: Instant,
    pub metrics: Metrics,
}

impl Calls {
    pub fn begin<'a>(&'a self, name: &'a str) -> Call<'a> {
        Call { calls: self, name, began: Instant::now(), metrics: Metrics::default() }
    }
}

impl Drop for Call<'_> {
    fn drop(&mut self) {
        let mut counted = self.calls.counted.lock();
        *counted.by_agent.entry(self.name.to_owned()).or_default() += 1;
        counted.duration += self.began.elapsed();
        counted.tokens += self.metrics.tokens();
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
}

impl Summary {
    pub fn new(program: &Program, run: &Run, metrics: &Metrics, error: Option<&String>) -> Self {
        let count = |counter: &AtomicU64| counter.load(Ordering::Relaxed);
        let model = program.model.clone().unwrap_or_else(|| run.options.model.clone());
        let (input, output) = (count(&metrics.input), count(&metrics.output));
        let tokens = TokenSummary {
            input,
            output,
            total: input.saturating_add(output),
            cost: cost(&model, input, output),
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
            tokens: TokenSummary { cost: cost(model, 0, 0), ..TokenSummary::default() },
            tools_called: 0,
            duration: duration::format(Duration::ZERO),
            model: model.to_owned(),
            agent_calls: None,
        }
    }

    /// One JSON object.
    pub fn text(&self) -> String {
        serde_json::to_string_pretty(self).unwrap_or_default()
    }
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
        })
    }
}

/// The price of a million tokens, in hundredths of a dollar: input, output. Unlisted models have no
/// price.
const PRICES: &[(&str, u64, u64)] =
    &[("gpt-4o", 250, 1_000), ("gpt-4o-2024-08-06", 250, 1_000), ("gpt-4o-2024-11-20", 250, 1_000)];

/// Dollars, if the price is known.
fn cost(model: &str, input: u64, output: u64) -> Option<f64> {
    let (_, input_price, output_price) = PRICES.iter().find(|(name, ..)| *name == model)?;
    // Integers as long as possible: 0.001125 must not become 0.0011250000000000001.
    let units = u128::from(input) * u128::from(*input_price)
        + u128::from(output) * u128::from(*output_price);
    Some(units as f64 / 1e8)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mdl_33_cost_follows_the_price_list_or_is_unknown() {
        assert_eq!(cost("gpt-4o", 150, 75), Some(0.001125));
        assert_eq!(cost("gpt-4o", 500, 250), Some(0.00375));
        assert_eq!(cost("gpt-4o", 0, 0), Some(0.0));
        assert_eq!(cost("gpt-4o-mini", 150, 75), None);
        assert_eq!(serde_json::to_string(&cost("gpt-4o", 150, 75)).unwrap(), "0.001125");
    }
}
