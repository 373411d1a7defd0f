//! agentmd for a web page. WASI is the whole interface: a question is read from stdin as JSON, and
//! its answer is written to stdout.

use std::cell::RefCell;
use std::io::Write;

mod desk;

use desk::Desk;

thread_local! {
    static DESK: RefCell<Desk> = RefCell::default();
}

/// Answers the question on stdin.
// SAFETY: no other function has this name.
#[unsafe(no_mangle)]
pub extern "C" fn answer() {
    let answer = match std::io::read_to_string(std::io::stdin()) {
        Ok(question) => DESK.with_borrow_mut(|desk| desk.answer(&question)),
        Err(error) => desk::failure(&error.to_string()),
    };
    let mut out = std::io::stdout().lock();
    // The page sees that an answer is missing.
    let _ = out.write_all(answer.as_bytes()).and_then(|()| out.flush());
}
