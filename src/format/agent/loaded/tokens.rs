//! Tokens: counted with the vocabulary of a client's models where it is public and that is asked
//! for, else a quarter of the bytes.

use crate::client::Client;
use crate::client::loading::Tokenizer;

/// How the tokens of one client are counted.
#[derive(Debug, Clone, Copy)]
pub struct Counter {
    tokenizer: Option<Tokenizer>,
}

impl Counter {
    pub fn new(client: &Client, exact: bool) -> Self {
        Self { tokenizer: client.loading.tokenizer.filter(|_| exact) }
    }

    /// What answers call it.
    pub fn name(self) -> &'static str {
        self.tokenizer.map_or("bytes/4", Tokenizer::name)
    }

    pub fn count(self, text: &str) -> usize {
        match self.tokenizer {
            None => estimate(text),
            Some(Tokenizer::O200k) => {
                tiktoken_rs::o200k_base_singleton().encode_ordinary(text).len()
            }
            Some(Tokenizer::Cl100k) => {
                tiktoken_rs::cl100k_base_singleton().encode_ordinary(text).len()
            }
        }
    }
}

/// A quarter of the bytes, rounded up.
pub fn estimate(text: &str) -> usize {
    text.len().div_ceil(4)
}
