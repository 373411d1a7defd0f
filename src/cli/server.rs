//! `agentmd server`: the language server, for editors.

use std::process::ExitCode;

#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// Speak over stdin and stdout; this is the only way, and the default
    #[arg(long)]
    stdio: bool,
    /// The process of the editor; the server asks it in the `initialize` request too
    #[arg(long = "clientProcessId", alias = "client-process-id", value_name = "ID")]
    client_process_id: Option<u32>,
}

pub fn run(Arguments { stdio: _, client_process_id: _ }: Arguments) -> ExitCode {
    crate::server::run()
}
