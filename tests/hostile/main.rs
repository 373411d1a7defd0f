//! Workspaces that an attacker could have made, generated here and opened with the real program.
//! The program must not hang, crash, leave the folder, or run anything. Every run has a deadline,
//! which only a hang reaches, and a memory limit.
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
