//! Prints answers with parts of documents.

use std::io::Write;
use std::num::NonZeroUsize;

use clap::ValueEnum;
use serde::Serialize;

use crate::selector::page::MAX_WORDS;

/// The options of printed answers.
#[derive(Debug, clap::Args)]
pub struct Output {
    /// Truncate nodes with more words; also MDSEL_MAX_WORDS [default: 500]
    #[arg(long, value_name = "N", value_parser = above_zero)]
    max_words: Option<NonZeroUsize>,
    /// The output format
    #[arg(long, value_enum, default_value_t, value_name = "FORMAT")]
    pub format: OutputFormat,
    /// Print JSON on several lines
    #[arg(long)]
    pretty: bool,
}

fn above_zero(text: &str) -> Result<NonZeroUsize, &'static str> {
    text.parse().map_err(|_| "must be a number above 0")
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub enum OutputFormat {
    /// One JSON object
    #[default]
    Json,
    /// As few characters as possible
    Text,
}

impl Output {
    /// The limit of words per node: from the call, otherwise the environment, otherwise 500.
    ///
    /// # Errors
    /// If the environment variable isn't a number.
    pub fn max_words(&self) -> anyhow::Result<usize> {
        const VARIABLE: &str = "MDSEL_MAX_WORDS";
        match (self.max_words, std::env::var_os(VARIABLE)) {
            (Some(given), _) => Ok(given.get()),
            (None, Some(value)) if !value.is_empty() => {
                let number =
                    value.to_str().and_then(|value| value.trim().parse::<NonZeroUsize>().ok());
                number.map(NonZeroUsize::get).ok_or_else(|| {
                    anyhow::anyhow!("{VARIABLE} is `{}`, not a number above 0", value.display())
                })
            }
            _ => Ok(MAX_WORDS),
        }
    }

    /// Prints an answer while it's computed.
    ///
    /// # Errors
    /// If it can't be written.
    pub fn print_json(&self, answer: &impl Serialize, out: &mut impl Write) -> std::io::Result<()> {
        match self.pretty {
            true => serde_json::to_writer_pretty(&mut *out, answer)?,
            false => serde_json::to_writer(&mut *out, answer)?,
        }
        writeln!(out)
    }
}
