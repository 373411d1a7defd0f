//! `run`, with a local provider and MCP servers that are real processes.

mod apis;
mod endless;
mod flags;
mod imports;
mod interruption;
mod loops;
mod output;
mod provider;
mod python;
mod refusals;
mod retries;
mod secrets;
mod servers;
mod session;
mod settings;
mod specification;
mod suites;
mod tapes;
mod together;
mod trust;

use std::process::{Command, Stdio};

use serde_json::{Value, json};

use super::{Answer, Folder};
pub use provider::{Provider, Reply};

/// A key that must not be visible anywhere.
const KEY: &str = "sk-test-0123456789";

/// A program whose output is `{"n": integer}`.
const COUNT: &str = "---
name: count
description: Counts the words of a text.
input: { type: object, properties: { text: { type: string } }, required: [text] }
output: { type: object, properties: { n: { type: integer } }, required: [n], additionalProperties: false }
---

Count the words of {{ .text }}
";

impl Folder {
    /// A folder with these files, which is also the home of a user who has accepted the agreement.
    fn agreed(files: &[(&str, &str)]) -> Self {
        let folder = Self::with(files);
        folder.write(
            ".markdownlang-agreement.json",
            r#"{"agreed_at":"2024-01-15T10:30:00Z","phrase_index":7}"#,
        );
        folder
    }

    /// `agentmd` with this folder as its home, without the developer's own environment.
    fn at_home(&self, arguments: &[&str]) -> Command {
        let mut command = self.command(arguments);
        for name in [
            "OPENAI_API_KEY",
            "OPENAI_BASE_URL",
            "ANTHROPIC_API_KEY",
            "ANTHROPIC_BASE_URL",
            "GEMINI_API_KEY",
            "GEMINI_BASE_URL",
            "GOOGLE_API_KEY",
            "GOOGLE_GEMINI_BASE_URL",
            "OLLAMA_API_KEY",
            "OLLAMA_HOST",
            "AGENTMD_PROVIDER",
            "HTTP_PROXY",
            "HTTPS_PROXY",
            "ALL_PROXY",
            "http_proxy",
            "https_proxy",
            "all_proxy",
        ] {
            command.env_remove(name);
        }
        command.env("HOME", self.root()).env("USERPROFILE", self.root()).env("NO_PROXY", "*");
        command
    }

    /// Runs `agentmd run` with these arguments against a provider.
    fn ask(&self, provider: &Provider, arguments: &[&str]) -> Answer {
        answer(
            self.at_home(&[&["run"], arguments].concat())
                .env("OPENAI_BASE_URL", &provider.url)
                .env("OPENAI_API_KEY", KEY),
        )
    }
}

fn answer(command: &mut Command) -> Answer {
    let output = command.stdin(Stdio::null()).output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    Answer {
        status: output.status.code().unwrap_or(-1),
        out: text(output.stdout),
        err: text(output.stderr),
    }
}

/// The summary, if it's all there is on stderr.
#[track_caller]
fn summary(answer: &Answer) -> Value {
    serde_json::from_str(&answer.err).unwrap_or_else(|error| panic!("{error}: {answer:#?}"))
}

/// The command of the test server, as YAML; `None`, with a message, if Python is missing.
fn server() -> Option<String> {
    let python = ["python3", "python"].into_iter().find(|name| {
        Command::new(name).arg("--version").output().is_ok_and(|output| output.status.success())
    });
    if python.is_none() {
        crate::needs::missing("python", "install Python 3");
    }
    Some(format!(
        "command: {}, args: [{}]",
        python?,
        json!(format!("{}/tests/cli/run/server.py", env!("CARGO_MANIFEST_DIR")))
    ))
}

/// A program with the test server, with more of the server's keys in YAML.
fn with_server(server: &str, more: &str) -> String {
    COUNT.replace(
        "\n---\n\n",
        &format!("\nmcp_servers:\n  - {{ name: tools, {server}{more} }}\n---\n\n"),
    )
}
