//! Hover on a mention: its kind, its origin, its purpose.

use super::thing::{Thing, thing};
use crate::answer::Hover;
use crate::format::Context;
use crate::format::markdownlang::Program;
use crate::format::markdownlang::known::{self, Known};
use crate::format::markdownlang::program::Server;

/// At most this many arguments and tools are shown.
const MOST: usize = 20;

/// The hover for a mention at `offset` of the body.
pub fn hover(program: &Program, cx: &Context, offset: usize) -> Option<Hover> {
    let found = thing(program, cx, offset)?;
    let markdown = match found.thing {
        Thing::Server { name, server } => describe(&name, server),
        Thing::Tool { name, tool, server_name, server } => {
            let known = package(&server_name, server).and_then(|known| known.tools.iter().find(|(name, _)| *name == tool));
            let does = known.map_or_else(String::new, |(_, does)| format!("{does}.\n\n"));
            format!("**{name}**: a tool of the server `{server_name}`.\n\n{does}{}", start(&server_name, server))
        }
        Thing::Python => "**python**: the built-in interpreter. The model gives it `code` and gets back `stdout`, `stderr` and `error`.\n\nIt runs \
            in a sandbox: no network, files in a temporary folder alone, 30 seconds, 128 MB."
            .to_owned(),
        Thing::Import(import) => crate::format::markdownlang::hover::import(program, cx, import),
    };
    Some(Hover { span: found.span, markdown })
}

/// A server, how it is started, and its known tools.
pub fn describe(name: &str, server: Option<&Server>) -> String {
    let mut page = format!(
        "**{name}**: a server. Its tools are called `mcp__{name}__{{tool}}`.\n\n{}",
        start(name, server)
    );
    if let Some(known) = package(name, server) {
        page.push_str(&format!("\n\nIt {}.", known.about));
        if !known.tools.is_empty() {
            let tools: Vec<String> = known
                .tools
                .iter()
                .take(MOST)
                .map(|(tool, does)| format!("- `{tool}`: {does}"))
                .collect();
            page.push_str(&format!("\n\n{}", tools.join("\n")));
        }
    }
    page
}

/// The published server, by the package that it starts, else by its name if it doesn't start a
/// visible package.
pub fn package(name: &str, server: Option<&Server>) -> Option<&'static Known> {
    let Some(server) = server else { return known::named(name) };
    let arguments = || server.args.iter().chain(&server.command).map(|text| text.text.as_str());
    known::started_by(arguments())
}

fn start(name: &str, server: Option<&Server>) -> String {
    let Some(server) = server else { return format!("`{name}` is not declared in `mcp_servers`.") };
    let started = match (&server.url, &server.command) {
        (Some(url), _) => format!("Reached at {}", code(&url.text)),
        (None, Some(command)) => {
            let words: Vec<&str> = std::iter::once(command)
                .chain(server.args.iter().take(MOST))
                .map(|text| text.text.as_str())
                .collect();
            format!("Started with {}", code(&words.join(" ")))
        }
        (None, None) => "It has neither `command` nor `url`".to_owned(),
    };
    let disabled = if server.disabled {
        "\n\n**Disabled**: it is not started, and its tools are not available."
    } else {
        ""
    };
    format!("{started}.{disabled}")
}

/// A code span for any text.
fn code(text: &str) -> String {
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if text.contains('`') { format!("`` {text} ``") } else { format!("`{text}`") }
}
