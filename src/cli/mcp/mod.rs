//! `agentmd mcp`: answers for coding agents over the Model Context Protocol, on stdin and stdout.
//! It reads files below one folder, and neither writes, starts nor fetches anything.

mod hook;
mod pages;
mod root;
mod text;
mod tools;

use std::path::PathBuf;

use anyhow::Context;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, Implementation,
    InitializeResult, ListResourceTemplatesResult, ListResourcesResult, ListToolsResult,
    PaginatedRequestParams, ReadResourceRequestParams, ReadResourceResponse, ReadResourceResult,
    ResourceContents, ServerCapabilities,
};
use rmcp::service::{RequestContext, RoleServer};
use rmcp::{ErrorData, ServerHandler, ServiceExt};

use super::Status;
use root::Root;

#[derive(Debug, clap::Args)]
#[command(
    after_help = "The server reads files below ROOT and writes none. Agents start it themselves: \
        see docs/mcp.md."
)]
pub struct Arguments {
    /// The folder that questions are about; files outside of it are refused
    #[arg(value_name = "ROOT", default_value = ".", value_hint = clap::ValueHint::DirPath)]
    root: PathBuf,
    /// Instead, check the file that a hook's event on stdin names; with findings, print them on
    /// stderr and exit with 2
    #[arg(long, conflicts_with = "root")]
    hook: bool,
}

/// Sent to clients, which show it to the model.
const INSTRUCTIONS: &str = "agentmd checks the Markdown that agents read: skills, agents, commands, \
    prompts, rules, memory files such as CLAUDE.md and AGENTS.md, and replies with edits. After you \
    write or change such a file, call `check` with its path and repair what it finds. Before you \
    hand over a reply with edit blocks, call `rehearse`. To read part of a long Markdown file, call \
    `index`, then `select`. All paths are relative to the root; nothing is written.";

pub fn run(arguments: &Arguments) -> anyhow::Result<Status> {
    if arguments.hook {
        return Ok(hook::run());
    }
    let root = Root::new(&arguments.root)?;
    // The answers name paths relative to the current folder.
    std::env::set_current_dir(root.folder()).context("cannot enter the root")?;
    let runtime =
        tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build()?;
    runtime.block_on(async {
        let (stdin, stdout) = (tokio::io::stdin(), tokio::io::stdout());
        let server = Server { root }.serve((stdin, stdout)).await;
        match server {
            Ok(server) => server.waiting().await.map(|_| Status::Fine).map_err(Into::into),
            // The client ended the session before it began.
            Err(rmcp::service::ServerInitializeError::ConnectionClosed(_)) => Ok(Status::Fine),
            Err(error) => Err(error.into()),
        }
    })
}

#[derive(Debug, Clone)]
struct Server {
    root: Root,
}

impl ServerHandler for Server {
    fn get_info(&self) -> InitializeResult {
        let capabilities = ServerCapabilities::builder().enable_tools().enable_resources().build();
        let this = Implementation::new("agentmd", env!("CARGO_PKG_VERSION"));
        InitializeResult::new(capabilities).with_server_info(this).with_instructions(INSTRUCTIONS)
    }

    async fn list_tools(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        Ok(ListToolsResult::with_all_items(tools::list()))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let root = self.root.clone();
        let CallToolRequestParams { name, arguments, .. } = request;
        if !tools::list().iter().any(|tool| tool.name == name) {
            return Err(ErrorData::invalid_params(format!("unknown tool `{name}`"), None));
        }
        let arguments = serde_json::Value::Object(arguments.unwrap_or_default());
        let answer =
            tokio::task::spawn_blocking(move || tools::call(&root, &name, arguments)).await;
        let answer = answer.map_err(|_| {
            ErrorData::internal_error("the tool crashed, which is a bug in agentmd", None)
        })?;
        // The model should read why a call failed, so it's an answer, not a protocol error.
        Ok(match answer {
            Ok(answer) => {
                let mut result = CallToolResult::structured(answer.value);
                result.content = vec![ContentBlock::text(answer.text)];
                result
            }
            Err(error) => CallToolResult::error(vec![ContentBlock::text(format!("{error:#}"))]),
        }
        .into())
    }

    async fn list_resources(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListResourcesResult, ErrorData> {
        Ok(ListResourcesResult::with_all_items(pages::list()))
    }

    async fn list_resource_templates(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListResourceTemplatesResult, ErrorData> {
        Ok(ListResourceTemplatesResult::with_all_items(pages::templates()))
    }

    async fn read_resource(
        &self,
        request: ReadResourceRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<ReadResourceResponse, ErrorData> {
        let uri = request.uri;
        let page = pages::read(&uri)
            .map_err(|error| ErrorData::resource_not_found(format!("{error:#}"), None))?;
        let contents = ResourceContents::text(page, uri).with_mime_type("text/markdown");
        Ok(ReadResourceResult::new(vec![contents]).into())
    }
}
