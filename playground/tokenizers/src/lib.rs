//! Counts tokens for a web page. The first line on stdin names a vocabulary, the rest is the text;
//! the number goes to stdout.

use std::io::{Read, Write};

#[path = "../../../src/format/agent/loaded/vocabulary.rs"]
mod vocabulary;

/// Counts the tokens of the text on stdin.
// SAFETY: no other function has this name.
#[unsafe(no_mangle)]
pub extern "C" fn answer() {
    let mut question = String::new();
    // Without a question there is no answer, and the page says so.
    if std::io::stdin().read_to_string(&mut question).is_ok()
        && let Some((name, text)) = question.split_once('\n')
        && let Some(count) = vocabulary::count(name, text)
    {
        let mut out = std::io::stdout().lock();
        let _ = write!(out, "{count}").and_then(|()| out.flush());
    }
}
