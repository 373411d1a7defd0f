//! Tests that need something that not every machine has. If it's missing, the harness lists them
//! as ignored instead of passed.

use libtest_mimic::{Arguments, Trial};

/// A test. If something it needs is missing, `missing` says what.
pub struct Optional {
    pub name: &'static str,
    pub missing: Option<String>,
    pub run: fn(),
}

/// Runs the tests as `cargo test` does and exits.
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
