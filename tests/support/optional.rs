//! Tests that need something that not every machine has. Where it is missing, the harness lists
//! them as ignored instead of passed.

use libtest_mimic::{Arguments, Trial};

/// A test, and what it needs if that is missing.
pub struct Optional {
    pub name: &'static str,
    pub missing: Option<String>,
    pub run: fn(),
}

/// Runs the tests as `cargo test` does, and ends the process.
pub fn main(tests: Vec<Optional>) -> ! {
    let trials = tests.into_iter().map(|Optional { name, missing, run }| {
        if let Some(what) = &missing {
            eprintln!("{name} is ignored: {what}");
        }
        let trial = move || {
            run();
            Ok(())
        };
        Trial::test(name, trial).with_ignored_flag(missing.is_some())
    });
    libtest_mimic::run(&Arguments::from_args(), trials.collect()).exit()
}
