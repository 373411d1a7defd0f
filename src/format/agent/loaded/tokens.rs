//! Tokens: counted with the vocabulary of a client's models if it's public and requested; otherwise
//! a quarter of the bytes.

use ropey::RopeSlice;

use crate::client::Client;
use crate::client::loading::Tokenizer;

/// How tokens are counted for one client.
#[derive(Debug, Clone, Copy)]
pub struct Counter {
    tokenizer: Option<Tokenizer>,
}

impl Counter {
    pub fn new(client: &Client, exact: bool) -> Self {
        let known = exact && cfg!(feature = "tokenizers");
        Self { tokenizer: client.loading.tokenizer.filter(|_| known) }
    }

    /// Its name in answers.
    pub fn name(self) -> &'static str {
        self.tokenizer.map_or("bytes/4", Tokenizer::name)
    }

    /// The tokens of a part of a document.
    pub fn count_all(self, text: &RopeSlice) -> usize {
        match self.tokenizer {
            None => text.len_bytes().div_ceil(4),
            Some(_) => self.count(&text.to_string()),
        }
    }

    pub fn count(self, text: &str) -> usize {
        self.tokenizer
            .and_then(|tokenizer| with_vocabulary(tokenizer, text))
            .unwrap_or_else(|| estimate(text))
    }
}

#[cfg(feature = "tokenizers")]
fn with_vocabulary(tokenizer: Tokenizer, text: &str) -> Option<usize> {
    super::vocabulary::count(tokenizer.name(), text)
}

#[cfg(not(feature = "tokenizers"))]
fn with_vocabulary(_: Tokenizer, _: &str) -> Option<usize> {
    None
}

/// A quarter of the bytes, rounded up.
pub fn estimate(text: &str) -> usize {
    text.len().div_ceil(4)
}
