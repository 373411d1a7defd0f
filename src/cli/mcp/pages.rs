//! The pages of rules and clients as resources.

use anyhow::Context;
use rmcp::model::{Resource, ResourceTemplate};
use serde_json::{Value, json};

use crate::client::{self, catalog};
use crate::format::{self, names};
use crate::rule::page::page;

const RULES: &str = "agentmd://rules/";
const CLIENTS: &str = "agentmd://clients/";

/// Every page.
pub fn list() -> Vec<Resource> {
    let page = |uri: String, name: &str, title: &str| json!({ "uri": uri, "name": name, "title": title, "mimeType": "text/markdown" });
    let rules = format::rules()
        .into_iter()
        .map(|rule| page(format!("{RULES}{}", rule.code), rule.code, rule.summary));
    let clients = catalog()
        .clients
        .iter()
        .map(|client| page(format!("{CLIENTS}{}", client.name), &client.name, &client.title));
    rules.chain(clients).filter_map(read_as).collect()
}

/// The form of the addresses.
pub fn templates() -> Vec<ResourceTemplate> {
    [
        json!({ "uriTemplate": "agentmd://rules/{group}/{rule}", "name": "rule", "title": "The page of a rule: what is wrong, why it matters, and a bad and a good example", "mimeType": "text/markdown" }),
        json!({ "uriTemplate": "agentmd://clients/{client}", "name": "client", "title": "The page of a client: the files and fields that it reads", "mimeType": "text/markdown" }),
    ]
    .into_iter()
    .filter_map(read_as)
    .collect()
}

fn read_as<T: serde::de::DeserializeOwned>(value: Value) -> Option<T> {
    serde_json::from_value(value).ok()
}

/// The page at an address, in Markdown.
///
/// # Errors
/// If the address is unknown.
pub fn read(uri: &str) -> anyhow::Result<String> {
    if let Some(code) = uri.strip_prefix(RULES) {
        return Ok(page(names::rule(code)?));
    }
    let name = uri.strip_prefix(CLIENTS).with_context(|| {
        format!("unknown resource `{uri}`; rules are at {RULES}CODE, clients at {CLIENTS}NAME")
    })?;
    Ok(client::page(names::client(name)?))
}
