//! What models cost: a list with its sources and date in `prices.json`, and the setting `prices`.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;
use std::sync::atomic::{AtomicU64, Ordering};

use parking_lot::Mutex;
use serde::Deserialize;

use super::message::Tokens;
use crate::config::Price;

/// The list.
#[derive(Debug, Deserialize)]
pub struct List {
    pub date: String,
    pub source: Vec<String>,
    models: BTreeMap<String, Price>,
}

static DATA: &str = include_str!("prices.json");

/// The published prices.
pub static LIST: LazyLock<List> = LazyLock::new(|| {
    let read = serde_json::from_str(DATA);
    debug_assert!(read.is_ok(), "{read:?}");
    read.unwrap_or_else(|_| List {
        date: String::new(),
        source: Vec::new(),
        models: BTreeMap::new(),
    })
});

/// Amounts are counted in ten-billionths of a dollar: prices have at most four decimal places, for a
/// million tokens.
const UNITS: f64 = 1e10;

/// The prices of a run, and its cost so far.
#[derive(Debug, Default)]
pub struct Prices {
    own: BTreeMap<String, Price>,
    spent: AtomicU64,
    /// Models for which [`Prices::newly_free`] was called.
    free: Mutex<BTreeSet<String>>,
}

impl Prices {
    /// The published prices, and your own, which take precedence.
    pub fn new(own: BTreeMap<String, Price>) -> Self {
        Self { own, ..Self::default() }
    }

    /// The price of a model, if it's known. `gpt-4o-2024-08-06` is a version of `gpt-4o`.
    pub fn of(&self, model: &str) -> Option<Price> {
        let bare = model.rsplit_once('/').map_or(model, |(_, bare)| bare);
        let names = [model, bare, undated(bare)];
        names
            .into_iter()
            .find_map(|name| self.own.get(name).or_else(|| LIST.models.get(name)).copied())
    }

    /// The part of a model's use that is free, when first asked about: `input`, `output` or both.
    pub fn newly_free(&self, model: &str) -> Option<&'static str> {
        let price = self.of(model)?;
        let what = match (fine(price.input), fine(price.output)) {
            (0, 0) => "input and output",
            (0, _) => "input",
            (_, 0) => "output",
            _ => return None,
        };
        self.free.lock().insert(model.to_owned()).then_some(what)
    }

    /// Dollars, if the price is known.
    pub fn cost(&self, model: &str, tokens: Tokens) -> Option<f64> {
        // Integers as long as possible: 0.001125 must not become 0.0011250000000000001.
        Some(units(self.of(model)?, tokens) as f64 / UNITS)
    }

    /// Adds the cost of an answer.
    pub fn spend(&self, model: &str, tokens: Tokens) {
        let cost = self.of(model).map_or(0, |price| units(price, tokens));
        self.spent.fetch_add(u64::try_from(cost).unwrap_or(u64::MAX), Ordering::Relaxed);
    }

    /// The cost of the run so far, in dollars.
    pub fn spent(&self) -> f64 {
        self.spent.load(Ordering::Relaxed) as f64 / UNITS
    }
}

/// Converts a price per million tokens to units per token.
fn fine(dollars: f64) -> u128 {
    (dollars * 1e4).round().clamp(0.0, 1e12) as u128
}

fn units(price: Price, tokens: Tokens) -> u128 {
    u128::from(tokens.input) * fine(price.input) + u128::from(tokens.output) * fine(price.output)
}

/// The name without the date of a version: `-2024-08-06`, `-20241022`, `-latest`.
fn undated(name: &str) -> &str {
    if let Some(name) = name.strip_suffix("-latest") {
        return name;
    }
    let is_date = |text: &str, form: &[usize]| {
        let parts: Vec<&str> = text.split('-').collect();
        parts.len() == form.len()
            && parts.iter().zip(form).all(|(part, length)| {
                part.len() == *length && part.bytes().all(|byte| byte.is_ascii_digit())
            })
    };
    for (length, form) in [(10, &[4, 2, 2][..]), (8, &[8][..])] {
        let start = name.len().saturating_sub(length);
        if let Some(date) = name.get(start..).filter(|date| is_date(date, form))
            && let Some(bare) = name.strip_suffix(date).and_then(|bare| bare.strip_suffix('-'))
        {
            return bare;
        }
    }
    name
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mdl_33_cost_follows_the_price_list_or_is_unknown() {
        let prices = Prices::default();
        let cost = |model, input, output| prices.cost(model, Tokens { input, output });
        assert_eq!(cost("gpt-4o", 150, 75), Some(0.001125));
        assert_eq!(cost("gpt-4o", 500, 250), Some(0.00375));
        assert_eq!(cost("gpt-4o", 0, 0), Some(0.0));
        assert_eq!(cost("gpt-4o-2024-08-06", 150, 75), Some(0.001125));
        assert_eq!(cost("gpt-4o-2024-05-13", 1_000_000, 0), Some(5.0));
        assert_eq!(cost("claude-3-5-sonnet-20241022", 1_000_000, 0), Some(3.0));
        assert_eq!(cost("anthropic/claude-sonnet-4-5", 1_000_000, 0), Some(3.0));
        for unknown in ["my-model", "gpt-4o-my-own", "", "2024-05-13", "日本-20240102"] {
            assert_eq!(cost(unknown, 150, 75), None, "{unknown}");
        }
        assert_eq!(serde_json::to_string(&cost("gpt-4o", 150, 75)).unwrap(), "0.001125");
        prices.spend("gpt-4o", Tokens { input: 1_000_000, output: 0 });
        assert!((prices.spent() - 2.5).abs() < 1e-9);
        assert!(!LIST.date.is_empty() && LIST.source.len() > 2);
    }

    #[test]
    fn your_own_prices_take_precedence() {
        let own = |input| Price { input, output: 0.0 };
        let prices =
            Prices::new([("gpt-4o".to_owned(), own(1.0)), ("mine".to_owned(), own(7.0))].into());
        let cost = |model| prices.cost(model, Tokens { input: 1_000_000, output: 1 });
        assert_eq!((cost("gpt-4o"), cost("mine")), (Some(1.0), Some(7.0)));
    }
}
