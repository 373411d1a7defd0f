fn main() -> std::process::ExitCode { agentmd::server::run() }
