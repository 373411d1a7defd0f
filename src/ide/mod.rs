//! What an editor asks, one file per request. The command line asks the same functions.

pub mod diagnostics;
