//! The MCP servers of a run: each is started when its program first needs it, and stopped when the
//! run ends, in every case.

mod event;
mod http;
mod inbox;
mod pipe;
mod process;
mod settings;
mod sse;

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use futures_util::future::join_all;
use parking_lot::Mutex;
use reqwest::Url;
use reqwest::header::HeaderMap;
use rmcp::RoleClient;
use rmcp::model::{
    CallToolRequestParams, CallToolResult, ClientCapabilities, ClientConfig, ContentBlock,
    Implementation, PaginatedRequestParams,
};
use rmcp::model::{ResourceContents, Tool};
use rmcp::service::{RunningService, serve_client};
use rmcp::transport::StreamableHttpClientTransport;
use rmcp::transport::streamable_http_client::StreamableHttpClientTransportConfig;
use serde_json::{Map, Value, json};
use tokio::sync::OnceCell;

use super::Run;
use super::duration;
use super::program::Program;
use super::provider;
use crate::format::markdownlang::program::Server;
pub use event::{Event, Reader};
pub use process::{Manner, Processes};
use settings::{Settings, Transport, Way};

/// The time limit for a server to start: it may have to download a package first.
pub const START: Duration = Duration::from_secs(120);
/// The time limit for a tool call.
pub const CALL: Duration = Duration::from_secs(300);
/// The time limit for a clean shutdown.
const CLOSE: Duration = Duration::from_secs(2);
/// More tools than this are not listed.
const MOST_TOOLS: usize = 1_000;

type Client = RunningService<RoleClient, ClientConfig>;
type Started = Result<Arc<Running>, String>;
/// The number of a program, and the place of a server in it.
type Key = (usize, usize);

/// The servers of a run, by program and place. A program that is called again finds its servers
/// running.
#[derive(Debug, Default)]
pub struct Pool {
    started: Mutex<HashMap<Key, Arc<OnceCell<Started>>>>,
}

/// The servers of a running program.
#[derive(Debug, Default)]
pub struct Servers {
    running: Vec<Arc<Running>>,
    /// The servers of a recording, with their tools. Their calls are recorded, too.
    recorded: Vec<(String, Vec<Tool>)>,
}

#[derive(Debug)]
struct Running {
    name: String,
    client: tokio::sync::RwLock<Client>,
    tools: Vec<Tool>,
    process: Option<usize>,
    call: Duration,
}

/// The result of a tool call.
#[derive(Debug, PartialEq, Eq)]
pub enum Given {
    Result(String),
    Error(String),
}

impl Servers {
    /// The servers of a program that aren't disabled; those that don't run yet are started,
    /// concurrently. Returns the failures of those that can't be started.
    pub async fn of(run: &Run, program: &Arc<Program>) -> (Self, Vec<String>) {
        let wanted = program.servers.iter().enumerate().filter(|(_, server)| !server.disabled);
        let (mut running, mut failures) = (Vec::new(), Vec::new());
        let owner = Arc::as_ptr(program) as usize;
        for (server, started) in join_all(wanted.map(async |(place, server)| {
            (server, run.pool.server(run, (owner, place), server).await)
        }))
        .await
        {
            match started {
                Ok(server) => running.push(server),
                Err(reason) => {
                    let name = server.name.as_ref().map_or("(no name)", |name| &name.text);
                    failures.push(format!("the MCP server `{name}` can't be used: {reason}"));
                }
            }
        }
        (Self { running, recorded: Vec::new() }, failures)
    }

    /// The servers and the failures of a recording.
    pub fn recorded(recorded: &Value) -> (Self, Vec<String>) {
        let list = |name: &str| recorded.get(name).and_then(Value::as_array).cloned();
        let servers = list("servers").unwrap_or_default().into_iter().filter_map(|server| {
            let tools = server.get("tools").cloned().unwrap_or_default();
            let tools = serde_json::from_value(tools).unwrap_or_default();
            Some((server.get("name")?.as_str()?.to_owned(), tools))
        });
        let failures = list("failures").unwrap_or_default().into_iter();
        let failures = failures.filter_map(|failure| failure.as_str().map(str::to_owned));
        (Self { running: Vec::new(), recorded: servers.collect() }, failures.collect())
    }

    /// The servers as stored in a recording. `hide` hides secrets, except in names, which are
    /// needed unchanged.
    pub fn record(&self, failures: &[String], hide: impl Fn(&mut Value)) -> Value {
        let hidden = |mut value: Value| {
            hide(&mut value);
            value
        };
        let tool = |tool: &Tool| {
            let mut recorded = hidden(json!(tool));
            recorded["name"] = json!(tool.name);
            recorded
        };
        let servers: Vec<Value> = self
            .running
            .iter()
            .map(|server| {
                let tools: Vec<Value> = server.tools.iter().map(tool).collect();
                json!({ "name": server.name, "tools": tools })
            })
            .collect();
        json!({ "servers": servers, "failures": hidden(json!(failures)) })
    }

    /// Every tool: the index of its server, the tool's name, and its description by the server.
    pub fn tools(&self) -> impl Iterator<Item = (usize, &str, &Tool)> {
        let running = self.running.iter().map(|server| (&server.name, &server.tools));
        let recorded = self.recorded.iter().map(|(name, tools)| (name, tools));
        running.chain(recorded).enumerate().flat_map(|(place, (name, tools))| {
            tools.iter().map(move |tool| (place, name.as_str(), tool))
        })
    }

    /// Calls a tool of the server at this index.
    pub async fn call(&self, place: usize, tool: &str, arguments: Map<String, Value>) -> Given {
        let Some(server) = self.running.get(place) else {
            return Given::Error("the server is gone".to_owned());
        };
        let peer = server.client.read().await.peer().clone();
        let call =
            peer.call_tool(CallToolRequestParams::new(tool.to_owned()).with_arguments(arguments));
        match tokio::time::timeout(server.call, call).await {
            Ok(Ok(result)) => given(&result),
            Ok(Err(error)) => Given::Error(error.to_string()),
            Err(_) => Given::Error(format!(
                "the tool did not answer within {}",
                duration::format(server.call)
            )),
        }
    }
}

impl Pool {
    async fn server(&self, run: &Run, key: (usize, usize), server: &Server) -> Started {
        let mut first = true;
        loop {
            let cell = Arc::clone(self.started.lock().entry(key).or_default());
            let started = cell.get_or_init(|| start(run, server)).await.clone();
            let Ok(running) = &started else { return started };
            // One that has ended since then is started again, once.
            let ended = running.client.read().await.peer().is_transport_closed();
            if !ended || !first {
                return started;
            }
            first = false;
            let mut known = self.started.lock();
            if known.get(&key).is_some_and(|known| Arc::ptr_eq(known, &cell)) {
                known.remove(&key);
            }
        }
    }

    /// Stops all of them, and waits until they have ended.
    pub async fn stop(&self, run: &Run) {
        let known = std::mem::take(&mut *self.started.lock());
        let running = known.into_values().filter_map(|cell| cell.get()?.as_ref().ok().cloned());
        let stopped = running.collect::<Vec<_>>().into_iter().map(async |server| {
            // A server that doesn't shut down cleanly is killed.
            let _ = server.client.write().await.close_with_timeout(CLOSE).await;
            if let Some(process) = server.process {
                run.processes.stop(process, Manner::Orderly).await;
            }
            run.journal.debug(|| format!("stopped the MCP server `{}`", server.name));
        });
        join_all(stopped).await;
    }
}

async fn start(run: &Run, server: &Server) -> Started {
    let settings = Settings::read(server, &run.journal)?;
    let (name, limit) = (&settings.name, settings.timeout.unwrap_or(run.options.server_start));
    let call = settings.timeout.unwrap_or(run.options.tool_call);
    let (client, process) = match &settings.way {
        Way::Command { command, args, env } => {
            let (client, process) = start_process(run, name, command, args, env, limit).await?;
            (client, Some(process))
        }
        Way::Url { url, headers, transport } => {
            let place = Place { run, name, url, headers, limit };
            let client = match transport {
                Transport::Either => place.connect_either().await?,
                Transport::Http => place.connect_http().await?,
                Transport::Sse => place.connect_sse().await?,
            };
            (client, None)
        }
    };
    let tools = match tokio::time::timeout(limit, list(&client)).await {
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
    let client = tokio::sync::RwLock::new(client);
    Ok(Arc::new(Running { name: name.clone(), client, tools, process, call }))
}

async fn start_process(
    run: &Run,
    name: &str,
    command: &str,
    args: &[String],
    env: &[(String, String)],
    limit: Duration,
) -> Result<(Client, usize), String> {
    run.journal.debug(|| {
        let line: Vec<&str> =
            std::iter::once(command).chain(args.iter().map(String::as_str)).collect();
        let names: Vec<&str> = env.iter().map(|(name, _)| name.as_str()).collect();
        let names = if names.is_empty() {
            String::new()
        } else {
            format!(" with {} in its environment", names.join(", "))
        };
        format!("starting the MCP server `{name}`: {line:?}{names}")
    });
    let (process, output, input) = run
        .processes
        .start(name, command, args, env, &run.journal)
        .map_err(|error| format!("`{command}` can't be started: {error}"))?;
    let transport = pipe::Pipe::new(output, input);
    let client = match tokio::time::timeout(limit, serve_client(introduction(), transport)).await {
        Ok(Ok(client)) => Ok(client),
        Ok(Err(error)) => Err(format!("`{command}` doesn't speak MCP: {error}")),
        Err(_) => Err(format!("`{command}` did not answer within {}", duration::format(limit))),
    };
    match client {
        Ok(client) => Ok((client, process)),
        Err(reason) => {
            let last = run.processes.stop(process, Manner::Orderly).await;
            let last =
                if last.is_empty() { String::new() } else { format!("; its last output: {last}") };
            Err(format!("{reason}{last}"))
        }
    }
}

async fn give_up(run: &Run, process: Option<usize>, reason: String) -> Started {
    if let Some(process) = process {
        run.processes.stop(process, Manner::Orderly).await;
    }
    Err(reason)
}

/// A server that is already running somewhere.
struct Place<'a> {
    run: &'a Run,
    name: &'a str,
    url: &'a Url,
    headers: &'a HeaderMap,
    limit: Duration,
}

impl Place<'_> {
    async fn connect_either(&self) -> Result<Client, String> {
        let first = match self.connect_http().await {
            Ok(client) => return Ok(client),
            Err(reason) => reason,
        };
        self.run.journal.debug(|| {
            format!(
                "connecting to the MCP server `{}` with the older transport, because {first}",
                self.name
            )
        });
        self.connect_sse().await.map_err(|second| {
            if second == first {
                first
            } else {
                format!("{first}; with the older transport: {second}")
            }
        })
    }

    async fn connect_http(&self) -> Result<Client, String> {
        let shown = provider::shown(self.url);
        self.run.journal.debug(|| format!("connecting to the MCP server `{}`: {shown}", self.name));
        let config = StreamableHttpClientTransportConfig::with_uri(self.url.as_str());
        let client = http::Lenient(provider::client(self.url, None, self.headers)?);
        let transport = StreamableHttpClientTransport::with_client(client, config);
        let served = serve_client(introduction(), transport);
        match tokio::time::timeout(self.limit, served).await {
            Ok(Ok(client)) => Ok(client),
            Ok(Err(error)) => Err(format!("{shown}: {}", reason(&error))),
            Err(_) => Err(self.silent(&shown)),
        }
    }

    async fn connect_sse(&self) -> Result<Client, String> {
        let shown = provider::shown(self.url);
        self.run.journal.debug(|| {
            format!("connecting to the MCP server `{}` by server-sent events: {shown}", self.name)
        });
        let connect = async {
            let client = provider::client(self.url, None, self.headers)?;
            let transport = sse::SseTransport::connect(client, self.url.clone()).await?;
            serve_client(introduction(), transport).await.map_err(|error| reason(&error))
        };
        match tokio::time::timeout(self.limit, connect).await {
            Ok(connected) => connected.map_err(|error| format!("{shown}: {error}")),
            Err(_) => Err(self.silent(&shown)),
        }
    }

    fn silent(&self, shown: &str) -> String {
        format!("{shown} did not answer within {}", duration::format(self.limit))
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
