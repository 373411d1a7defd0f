//! Counts tokens for a web page. The first line on stdin names a vocabulary, the rest is the text;
//! the number goes to stdout.

use std::io::{Read, Write};

/// Counts the tokens of the text on stdin.
// SAFETY: no other function has this name.
#[unsafe(no_mangle)]
pub extern "C" fn answer() {
    let mut question = String::new();
    // Without a question there is no answer, and the page says so.
    if std::io::stdin().read_to_string(&mut question).is_ok()
        && let Some((name, text)) = question.split_once('\n')
        && let Some(count) = count(name, text)
    {
        let mut out = std::io::stdout().lock();
        let _ = write!(out, "{count}").and_then(|()| out.flush());
    }
}

/// The tokens of a text in the vocabulary of this name; `None` if it isn't known.
fn count(name: &str, text: &str) -> Option<usize> {
    (name == "o200k").then(|| tiktoken_rs::o200k_base_singleton().count_ordinary(text))
}
