//! The real program, command by command.
