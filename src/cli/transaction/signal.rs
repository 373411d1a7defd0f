//! Signals that end the process: it first completes the files, and then ends by the signal.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use signal_hook::consts::{SIGINT, SIGTERM};

/// The first signal received; 0 for none.
static CAME: AtomicUsize = AtomicUsize::new(0);
static TWICE: AtomicBool = AtomicBool::new(false);

/// Records signals from now on. A second one ends the process immediately: the journal allows
/// recovery.
pub fn watch() {
    for signal in [SIGINT, SIGTERM] {
        // If signals can't be handled, they end the process immediately.
        let _ = signal_hook::flag::register_conditional_default(signal, &TWICE);
        let _ = signal_hook::flag::register(signal, &TWICE);
        let _ =
            signal_hook::flag::register_usize(signal, &CAME, usize::try_from(signal).unwrap_or(1));
    }
    // Exceeding the file size limit is an error like a full disk, rather than the end of the
    // process.
    #[cfg(unix)]
    let _ = signal_hook::flag::register(signal_hook::consts::SIGXFSZ, &IGNORED);
}

#[cfg(unix)]
static IGNORED: AtomicBool = AtomicBool::new(false);

pub fn came() -> bool {
    CAME.load(Ordering::SeqCst) != 0
}

/// Ends the process by the signal that was received, if any.
pub fn obey() {
    if let Ok(signal @ 1..) = i32::try_from(CAME.load(Ordering::SeqCst)) {
        let _ = signal_hook::low_level::emulate_default_handler(signal);
    }
}
