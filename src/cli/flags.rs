//! `agentmd run` with the original's syntax: flags with one dash, before or after the command,
//! which is optional.

use std::ffi::{OsStr, OsString};

use clap::Subcommand as _;

use super::Command;

/// Flags of `run` that take a value.
const VALUES: &[&str] = &[
    "program",
    "input",
    "input-file",
    "output",
    "model",
    "api-key",
    "base-url",
    "max-iterations",
    "timeout",
    "request-timeout",
    "provider",
    "record",
    "replay",
    "max-cost",
    "parallel",
    "mcp-timeout",
    "mcp-start-timeout",
];
/// Flags of `run` that are on or off: `-debug`, `-debug=false`.
const SWITCHES: &[&str] =
    &["debug", "summary", "agree", "lenient", "strict-mcp", "sample", "trust", "progress"];

/// A flag of `run`, with its value if that is in the same argument.
struct Flag<'a> {
    name: &'a str,
    value: Option<&'a str>,
    takes_value: bool,
}

/// Converts the arguments to the usual syntax. Those of other commands are unchanged.
pub fn rewrite(arguments: Vec<OsString>) -> Vec<OsString> {
    let Some((own, rest)) = arguments.split_first() else { return arguments };
    let (mut command, mut flags) = (None, false);
    let mut at = 0;
    while let Some(argument) = rest.get(at) {
        let text = argument.to_string_lossy();
        match flag(&text) {
            Some(flag) => {
                flags = true;
                at += usize::from(flag.takes_value && flag.value.is_none());
            }
            None if text == "--" => break,
            None if text == "--color" => at += 1,
            None if text.starts_with('-') && text != "-" => {}
            None => {
                command = Command::has_subcommand(&text).then_some(at);
                if command.is_none() && text == "help" {
                    return arguments;
                }
                break;
            }
        }
        at += 1;
    }
    let run = OsStr::new("run");
    match command.and_then(|at| rest.get(at)) {
        Some(other) if other != run => return arguments,
        None if !flags => return arguments,
        _ => {}
    }
    let mut rewritten = vec![own.clone(), run.to_owned()];
    let mut at = 0;
    while let Some(argument) = rest.get(at) {
        if argument == "--" {
            rewritten.extend(rest.iter().skip(at).cloned());
            break;
        }
        if command == Some(at) {
            at += 1;
            continue;
        }
        let text = argument.to_string_lossy();
        match flag(&text) {
            Some(Flag { name, value: None, takes_value: true }) => {
                let mut whole = OsString::from(format!("--{name}"));
                if let Some(value) = rest.get(at + 1) {
                    whole.push("=");
                    whole.push(value);
                }
                rewritten.push(whole);
                at += 1;
            }
            // A value may not be Unicode: only prepend a dash.
            Some(_) if !text.starts_with("--") => {
                let mut whole = OsString::from("-");
                whole.push(argument);
                rewritten.push(whole);
            }
            _ => rewritten.push(argument.clone()),
        }
        at += 1;
    }
    rewritten
}

fn flag(text: &str) -> Option<Flag<'_>> {
    let bare = text.strip_prefix("--").or_else(|| text.strip_prefix('-'))?;
    let (name, value) =
        bare.split_once('=').map_or((bare, None), |(name, value)| (name, Some(value)));
    let takes_value = VALUES.contains(&name);
    (takes_value || SWITCHES.contains(&name)).then_some(Flag { name, value, takes_value })
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;
    use crate::cli::Cli;

    fn rewritten(line: &str) -> String {
        let arguments = std::iter::once("agentmd")
            .chain(line.split(' ').filter(|word| !word.is_empty()))
            .map(OsString::from)
            .collect();
        let rewritten: Vec<String> = rewrite(arguments)
            .into_iter()
            .skip(1)
            .map(|word| word.into_string().unwrap())
            .collect();
        rewritten.join(" ")
    }

    #[test]
    fn mdl_32_flags_are_accepted_as_in_go() {
        for (line, expected) in [
            ("run -program a.md -input {}", "run --program=a.md --input={}"),
            ("-program a.md", "run --program=a.md"),
            ("--program a.md -debug", "run --program=a.md --debug"),
            ("-program=a.md -debug=false", "run --program=a.md --debug=false"),
            ("-debug run a.md -summary", "run --debug a.md --summary"),
            ("-input -5 run -program run.md", "run --input=-5 --program=run.md"),
            ("-debug a.md", "run --debug a.md"),
            ("-q -program a.md --color never", "run -q --program=a.md --color never"),
            ("run a.md -- -debug", "run a.md -- -debug"),
            ("run a.md -input", "run a.md --input"),
            ("-agree", "run --agree"),
            // Arguments of other commands are unchanged.
            ("render -input {}", "render -input {}"),
            ("check -q a.md", "check -q a.md"),
            ("-q check a.md", "-q check a.md"),
            ("render a.md --input {} run", "render a.md --input {} run"),
            ("help run", "help run"),
            ("a.md", "a.md"),
            ("--version", "--version"),
            ("", ""),
        ] {
            assert_eq!(rewritten(line), expected, "{line}");
        }
    }

    #[test]
    fn every_flag_of_run_is_known_here() {
        let cli = Cli::command();
        let run = cli.get_subcommands().find(|command| command.get_name() == "run").unwrap();
        for argument in run.get_arguments().filter(|argument| !argument.is_global_set()) {
            let Some(name) = argument.get_long().filter(|name| *name != "help") else { continue };
            assert!(VALUES.contains(&name) || SWITCHES.contains(&name), "{name}");
        }
    }
}
