//! The language server as editors see it: the real program, over real pipes, message by message.

mod client;
mod fixture;
mod profile;
mod text;

mod bad_input;
mod cancellation;
mod code_actions;
mod completion;
mod configuration;
mod conformance;
mod definition;
mod diagnostics;
mod duckflow;
mod document_highlight;
mod encodings;
mod files;
mod folders;
mod folding;
mod imports;
mod hover;
mod inlay_hints;
mod lifecycle;
mod linked_editing;
mod links;
mod order;
mod panics;
mod profiles;
mod references;
mod rename;
mod selection;
mod semantic_tokens;
mod signature_help;
mod staleness;
mod symbols;
mod tools;
