//! agentmd: the language server for agent markdown.
pub mod text;
pub mod yaml;
pub mod schema;
pub mod markdown;
pub mod source;
pub mod rule;
pub mod world;
pub mod config;
pub mod answer;
pub mod format;
pub mod document;
pub mod ide;
pub mod server;
pub mod cli;
