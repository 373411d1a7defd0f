//! `agentmd server`: the language server, for editors.

use std::ffi::OsString;
use std::process::ExitCode;

#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// Use stdin and stdout; the default, and the only transport
    #[arg(long)]
    stdio: bool,
    /// The process ID of the editor; also sent by the `initialize` request
    #[arg(long = "clientProcessId", alias = "client-process-id", value_name = "ID")]
    client_process_id: Option<u32>,
}

/// The command line that editors use: `agentmd server`, at most with `--stdio`. The user waits for
/// it, so it isn't worth building the options of all commands.
pub fn is_all(arguments: &[OsString]) -> bool {
    matches!(arguments, [_, command, rest @ ..]
        if command == "server" && rest.iter().all(|argument| argument == "--stdio"))
}

pub fn run(Arguments { stdio: _, client_process_id: _ }: Arguments) -> ExitCode {
    crate::server::run()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_plain_command_line_is_recognised() {
        let all = |line: &str| is_all(&line.split(' ').map(OsString::from).collect::<Vec<_>>());
        assert!(all("agentmd server") && all("agentmd server --stdio"));
        for other in ["agentmd", "agentmd server --help", "agentmd server --clientProcessId 3"] {
            assert!(!all(other), "{other}");
        }
        assert!(!all("agentmd check") && !all("agentmd --quiet server"));
    }
}
