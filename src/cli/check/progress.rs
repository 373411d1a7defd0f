//! A progress bar: on a terminal only, and only if it takes a while.

use std::io::{IsTerminal, stderr};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// The time before the bar appears.
const PATIENCE: Duration = Duration::from_millis(300);

pub struct Progress {
    bar: Option<ProgressBar>,
    started: Instant,
}

impl Progress {
    /// A bar for `count` files on stderr, if that is a terminal.
    pub fn new(count: usize, quiet: bool) -> Self {
        let bar = (!quiet && stderr().is_terminal()).then(|| {
            let style = ProgressStyle::with_template("{bar:30} {pos}/{len} files")
                .unwrap_or_else(|_| ProgressStyle::default_bar());
            ProgressBar::with_draw_target(Some(count as u64), ProgressDrawTarget::hidden())
                .with_style(style)
        });
        Self { bar, started: Instant::now() }
    }

    /// No bar.
    #[cfg(test)]
    pub fn hidden() -> Self {
        Self { bar: None, started: Instant::now() }
    }

    /// Counts one file as done.
    pub fn step(&self) {
        if let Some(bar) = &self.bar {
            bar.inc(1);
        }
        self.tick();
    }

    /// Shows the bar once it's time.
    pub fn tick(&self) {
        if let Some(bar) =
            self.bar.as_ref().filter(|bar| bar.is_hidden() && self.started.elapsed() > PATIENCE)
        {
            bar.set_draw_target(ProgressDrawTarget::stderr());
        }
    }

    /// Hides the bar while `print` runs.
    pub fn suspend<T>(&self, print: impl FnOnce() -> T) -> T {
        match &self.bar {
            Some(bar) => bar.suspend(print),
            None => print(),
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}
