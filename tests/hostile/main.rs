//! Workspaces as an attacker would leave them, made by code and opened with the real program.
//! Nothing hangs, dies, leaves the folder or is run. Every program has a deadline and a limit of
//! memory; only a hang ever meets the deadline.
#![cfg(unix)]

#[path = "../lsp/client.rs"]
#[allow(dead_code)]
mod client;
#[path = "../lsp/fixture.rs"]
#[allow(dead_code)]
mod fixture;
#[path = "../lsp/profile.rs"]
#[allow(dead_code)]
mod profile;
#[path = "../lsp/text.rs"]
#[allow(dead_code)]
mod text;

#[path = "../support/growth.rs"]
mod growth;
#[path = "../support/needs.rs"]
mod needs;
mod program;
mod workspace;

mod corpus;
mod caches;
mod links;
mod outside;
mod schemas;
mod settings;
mod shapes;
mod slow;
