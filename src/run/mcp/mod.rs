//! The MCP servers of a program: started when it begins and stopped when it ends, in every case.

mod event;
mod process;
mod sse;

use std::time::Duration;

use futures_util::future::join_all;
use reqwest::Url;
use rmcp::RoleClient;
use rmcp::model::{
    CallToolRequestParams, CallToolResult, ClientCapabilities, ClientConfig, ContentBlock,
    Implementation, PaginatedRequestParams,
};
use rmcp::model::{ResourceContents, Tool};
use rmcp::service::{RunningService, serve_client};
use rmcp::transport::StreamableHttpClientTransport;
use rmcp::transport::streamable_http_client::StreamableHttpClientTransportConfig;
use serde_json::{Map, Value};

use super::Run;
use super::journal::Journal;
use super::provider;
use crate::format::markdownlang::program::Server;
pub use process::{Manner, Processes};

/// The time limit for a server to start: it may have to download a package first.
const START: Duration = Duration::from_secs(120);
/// The time limit for a tool call.
const CALL: Duration = Duration::from_secs(300);
/// The time limit for a clean shutdown.
const CLOSE: Duration = Duration::from_secs(2);
/// More tools than this are not listed.
const MOST_TOOLS: usize = 1_000;

type Client = RunningService<RoleClient, ClientConfig>;

/// The servers of a running program.
#[derive(Debug, Default)]
pub struct Servers {
    running: Vec<Running>,
}

#[derive(Debug)]
struct Running {
    name: String,
    client: Client,
    tools: Vec<Tool>,
    process: Option<usize>,
}

/// The result of a tool call.
#[derive(Debug, PartialEq, Eq)]
pub enum Given {
    Result(String),
    Error(String),
}

/// The connection to a server.
enum Way<'a> {
    Command(&'a str),
    /// Streamable HTTP, then the older transport if the server doesn't support it.
    Either(Url),
    Http(Url),
    Sse(Url),
}

impl Servers {
    /// Starts all servers that aren't disabled, concurrently. Returns the failures of those that
    /// can't be started.
    pub async fn start(run: &Run, servers: &[Server]) -> (Self, Vec<String>) {
        let wanted = servers.iter().filter(|server| !server.disabled);
        let (mut running, mut failures) = (Vec::new(), Vec::new());
        for (server, started) in
            join_all(wanted.map(async |server| (server, start(run, server).await))).await
        {
            match started {
                Ok(server) => running.push(server),
                Err(reason) => {
                    let name = server.name.as_ref().map_or("(no name)", |name| &name.text);
                    failures.push(format!("the MCP server `{name}` can't be used: {reason}"));
                }
            }
        }
        (Self { running }, failures)
    }

    /// Every tool: the index of its server, the tool's name, and its description by the server.
    pub fn tools(&self) -> impl Iterator<Item = (usize, &str, &Tool)> {
        let servers = self.running.iter().enumerate();
        servers.flat_map(|(place, server)| {
            server.tools.iter().map(move |tool| (place, server.name.as_str(), tool))
        })
    }

    /// Calls a tool of the server at this index.
    pub async fn call(&self, place: usize, tool: &str, arguments: Map<String, Value>) -> Given {
        let Some(server) = self.running.get(place) else {
            return Given::Error("the server is gone".to_owned());
        };
        let call = server
            .client
            .call_tool(CallToolRequestParams::new(tool.to_owned()).with_arguments(arguments));
        match tokio::time::timeout(CALL, call).await {
            Ok(Ok(result)) => given(&result),
            Ok(Err(error)) => Given::Error(error.to_string()),
            Err(_) => {
                Given::Error(format!("the tool did not answer within {} seconds", CALL.as_secs()))
            }
        }
    }

    /// Stops all of them, and waits until they have ended.
    pub async fn stop(self, run: &Run) {
        let stopped = self.running.into_iter().map(async |mut server| {
            // A server that doesn't shut down cleanly is killed.
            let _ = server.client.close_with_timeout(CLOSE).await;
            if let Some(process) = server.process {
                run.processes.stop(process, Manner::Orderly).await;
            }
            run.journal.debug(|| format!("stopped the MCP server `{}`", server.name));
        });
        join_all(stopped).await;
    }
}

async fn start(run: &Run, server: &Server) -> Result<Running, String> {
    let name = server.name.as_ref().map(|name| name.text.clone()).unwrap_or_default();
    let (client, process) = match way(server)? {
        Way::Command(command) => {
            let (client, process) = start_process(run, server, &name, command).await?;
            (client, Some(process))
        }
        Way::Either(url) => (connect_either(run, &name, url).await?, None),
        Way::Http(url) => (connect_http(run, &name, &url).await?, None),
        Way::Sse(url) => (connect_sse(run, &name, &url).await?, None),
    };
    let tools = match tokio::time::timeout(START, list(&client)).await {
        Ok(Ok(tools)) => tools,
        Ok(Err(reason)) => {
            return give_up(run, process, format!("its tools can't be listed: {reason}")).await;
        }
        Err(_) => return give_up(run, process, "it doesn't list its tools".to_owned()).await,
    };
    run.journal.debug(|| {
        let names: Vec<&str> = tools.iter().map(|tool| tool.name.as_ref()).collect();
        format!(
            "the MCP server `{name}` is ready: {}",
            if names.is_empty() { "no tools".to_owned() } else { names.join(", ") }
        )
    });
    Ok(Running { name, client, tools, process })
}

/// How the front matter configures a server: a URL takes precedence over a command.
fn way(server: &Server) -> Result<Way<'_>, String> {
    let transport = server.transport.as_ref().map_or("auto", |transport| transport.text.as_str());
    let command = server
        .command
        .as_ref()
        .map(|command| command.text.as_str())
        .filter(|command| !command.trim().is_empty());
    let url = server.url.as_ref().filter(|_| transport != "command" || command.is_none());
    match (url, command) {
        (Some(url), _) => {
            let url = Url::parse(url.text.trim()).map_err(|error| {
                format!(
                    "`url` is not a valid URL: \
                    {error}"
                )
            })?;
            if !matches!(url.scheme(), "http" | "https") {
                return Err(format!(
                    "its `url` begins with `{}:`; only `http:` and `https:` are supported",
                    url.scheme()
                ));
            }
            Ok(match transport {
                "http" => Way::Http(url),
                "sse" => Way::Sse(url),
                _ => Way::Either(url),
            })
        }
        (None, Some(command)) => Ok(Way::Command(command)),
        (None, None) => Err("missing `command` or `url`".to_owned()),
    }
}

async fn start_process(
    run: &Run,
    server: &Server,
    name: &str,
    command: &str,
) -> Result<(Client, usize), String> {
    keep_secrets(&run.journal, server);
    run.journal.debug(|| {
        let arguments: Vec<&str> =
            server.args.iter().map(|argument| argument.text.as_str()).collect();
        let names: Vec<&str> = server.env.iter().map(|(name, _)| name.text.as_str()).collect();
        let names = if names.is_empty() {
            String::new()
        } else {
            format!(" with {} in its environment", names.join(", "))
        };
        format!(
            "starting the MCP server `{name}`: {:?}{names}",
            [&[command], arguments.as_slice()].concat()
        )
    });
    let (process, output, input) = run
        .processes
        .start(server, name, command, &run.journal)
        .map_err(|error| format!("`{command}` can't be started: {error}"))?;
    let client =
        match tokio::time::timeout(START, serve_client(introduction(), (output, input))).await {
            Ok(Ok(client)) => Ok(client),
            Ok(Err(error)) => Err(format!("`{command}` doesn't speak MCP: {error}")),
            Err(_) => Err(format!("`{command}` did not answer within {} seconds", START.as_secs())),
        };
    match client {
        Ok(client) => Ok((client, process)),
        Err(reason) => {
            let last = run.processes.stop(process, Manner::Orderly).await;
            let last = if last.is_empty() {
                String::new()
            } else {
                format!(
                    "; its last output: \
                {last}"
                )
            };
            Err(format!("{reason}{last}"))
        }
    }
}

async fn give_up(run: &Run, process: Option<usize>, reason: String) -> Result<Running, String> {
    if let Some(process) = process {
        run.processes.stop(process, Manner::Orderly).await;
    }
    Err(reason)
}

async fn connect_either(run: &Run, name: &str, url: Url) -> Result<Client, String> {
    let first = match connect_http(run, name, &url).await {
        Ok(client) => return Ok(client),
        Err(reason) => reason,
    };
    run.journal.debug(|| {
        format!(
            "connecting to the MCP server `{name}` with the older transport, \
            because {first}"
        )
    });
    connect_sse(run, name, &url).await.map_err(|second| {
        if second == first { first } else { format!("{first}; with the older transport: {second}") }
    })
}

async fn connect_http(run: &Run, name: &str, url: &Url) -> Result<Client, String> {
    remember_secrets(&run.journal, url);
    run.journal
        .debug(|| format!("connecting to the MCP server `{name}`: {}", provider::shown(url)));
    let config = StreamableHttpClientTransportConfig::with_uri(url.as_str());
    let transport =
        StreamableHttpClientTransport::with_client(provider::client(url, None)?, config);
    match tokio::time::timeout(START, serve_client(introduction(), transport)).await {
        Ok(Ok(client)) => Ok(client),
        Ok(Err(error)) => Err(format!("{}: {}", provider::shown(url), reason(&error))),
        Err(_) => Err(format!(
            "{} did not answer within {} seconds",
            provider::shown(url),
            START.as_secs()
        )),
    }
}

async fn connect_sse(run: &Run, name: &str, url: &Url) -> Result<Client, String> {
    remember_secrets(&run.journal, url);
    run.journal.debug(|| {
        format!(
            "connecting to the MCP server `{name}` by server-sent events: {}",
            provider::shown(url)
        )
    });
    let connect = async {
        let transport =
            sse::SseTransport::connect(provider::client(url, None)?, url.clone()).await?;
        serve_client(introduction(), transport).await.map_err(|error| reason(&error))
    };
    match tokio::time::timeout(START, connect).await {
        Ok(connected) => connected.map_err(|error| format!("{}: {error}", provider::shown(url))),
        Err(_) => Err(format!(
            "{} did not answer within {} seconds",
            provider::shown(url),
            START.as_secs()
        )),
    }
}

/// The root cause of an error, which is what the user can act on.
fn reason(error: &rmcp::service::ClientInitializeError) -> String {
    provider::excerpt(&match error {
        rmcp::service::ClientInitializeError::TransportError { error, .. } => {
            provider::cause(error.error.as_ref())
        }
        other => provider::cause(other),
    })
}

fn remember_secrets(journal: &Journal, url: &Url) {
    let values = url
        .query_pairs()
        .filter(|(name, value)| looks_secret(name) || looks_drawn(value))
        .map(|(_, value)| value.into_owned());
    for secret in values.chain(url.password().map(str::to_owned)) {
        journal.keep_secret(&secret);
    }
}

/// Values in front matter that are meant for a server alone.
fn keep_secrets(journal: &Journal, server: &Server) {
    let values = server
        .env
        .iter()
        .filter(|(name, value)| looks_secret(&name.text) || looks_drawn(&value.text))
        .map(|(_, value)| value.text.as_str());
    let arguments = server.args.iter().map(|argument| argument.text.as_str());
    let assigned = arguments
        .clone()
        .filter_map(|argument| argument.split_once('='))
        .filter(|(name, _)| looks_secret(name))
        .map(|(_, value)| value);
    let follows = arguments
        .clone()
        .zip(arguments.skip(1))
        .filter(|(name, _)| name.starts_with('-') && !name.contains('=') && looks_secret(name));
    values
        .chain(assigned)
        .chain(follows.map(|(_, value)| value))
        .for_each(|secret| journal.keep_secret(secret));
}

/// A long value that is neither prose nor a path was probably generated: it may be a credential.
fn looks_drawn(value: &str) -> bool {
    value.len() >= 16
        && !value.contains(char::is_whitespace)
        && !value.starts_with(['/', '.', '~', '\\'])
        && value.get(1..3) != Some(":\\")
}

fn looks_secret(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    ["key", "token", "secret", "password", "passwd", "credential", "auth"]
        .iter()
        .any(|word| name.contains(word))
}

/// The client's name and version.
fn introduction() -> ClientConfig {
    ClientConfig::new(
        ClientCapabilities::default(),
        Implementation::new("agentmd", env!("CARGO_PKG_VERSION")),
    )
}

async fn list(client: &Client) -> Result<Vec<Tool>, String> {
    let mut tools = Vec::new();
    let mut cursor = None;
    loop {
        let page = client
            .list_tools(Some(PaginatedRequestParams::default().with_cursor(cursor)))
            .await
            .map_err(|error| error.to_string())?;
        tools.extend(page.tools);
        tools.truncate(MOST_TOOLS);
        cursor = page.next_cursor.filter(|_| tools.len() < MOST_TOOLS);
        if cursor.is_none() {
            return Ok(tools);
        }
    }
}

/// A result as text, for the model.
fn given(result: &CallToolResult) -> Given {
    let parts: Vec<String> = result.content.iter().map(content).collect();
    let text = match &result.structured_content {
        Some(value) if parts.iter().all(|part| part.trim().is_empty()) => value.to_string(),
        _ => parts.join("\n"),
    };
    if result.is_error == Some(true) { Given::Error(text) } else { Given::Result(text) }
}

fn content(block: &ContentBlock) -> String {
    match block {
        ContentBlock::Text(text) => text.text.clone(),
        ContentBlock::Image(image) => {
            format!("[image, {}, {} bytes of base64]", image.mime_type, image.data.len())
        }
        ContentBlock::Audio(audio) => {
            format!("[audio, {}, {} bytes of base64]", audio.mime_type, audio.data.len())
        }
        ContentBlock::Resource(resource) => match &resource.resource {
            ResourceContents::TextResourceContents { uri, text, .. } => format!("{uri}:\n{text}"),
            ResourceContents::BlobResourceContents { uri, blob, .. } => {
                format!("{uri}: [{} bytes of base64]", blob.len())
            }
            _ => "[a resource]".to_owned(),
        },
        ContentBlock::ResourceLink(link) => link.uri.clone(),
        _ => "[unsupported content]".to_owned(),
    }
}
