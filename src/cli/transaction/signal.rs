//! A user who ends the process: it waits until files are whole, and then ends as it was told to.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use signal_hook::consts::{SIGINT, SIGTERM};

/// The first signal that came; 0 before.
static CAME: AtomicUsize = AtomicUsize::new(0);
static TWICE: AtomicBool = AtomicBool::new(false);

/// From now on a signal is noted. A second one ends the process at once: the journal knows what to
/// do then.
pub fn watch() {
    for signal in [SIGINT, SIGTERM] {
        // Where signals cannot be watched, they end the process at once.
        let _ = signal_hook::flag::register_conditional_default(signal, &TWICE);
        let _ = signal_hook::flag::register(signal, &TWICE);
        let _ =
            signal_hook::flag::register_usize(signal, &CAME, usize::try_from(signal).unwrap_or(1));
    }
    // A file that grows beyond what is allowed is an error like a full disk, and no reason to die
    // in the middle.
    #[cfg(unix)]
    let _ = signal_hook::flag::register(signal_hook::consts::SIGXFSZ, &IGNORED);
}

#[cfg(unix)]
static IGNORED: AtomicBool = AtomicBool::new(false);

pub fn came() -> bool {
    CAME.load(Ordering::SeqCst) != 0
}

/// Ends the process as the signal would have done, if one came.
pub fn obey() {
    if let Ok(signal @ 1..) = i32::try_from(CAME.load(Ordering::SeqCst)) {
        let _ = signal_hook::low_level::emulate_default_handler(signal);
    }
}
