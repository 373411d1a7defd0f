//! agentmd: the language server for agent markdown.
pub mod answer;
pub mod config;
pub mod document;
pub mod format;
pub mod ide;
pub mod markdown;
pub mod rule;
pub mod source;
pub mod text;
pub mod world;
pub mod yaml;
pub mod server;
