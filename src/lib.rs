//! agentmd understands the markdown that programs for language models are written in, and serves it
//! to editors, coding agents and CI. The house in five sentences:
//!
//! 1. A [`Document`](document::Document) is a value: text, sections, format; an edit makes a new
//!    one and shares everything that it did not touch.
//! 2. A [`Format`](format::Format) says what one kind of file means; all that it knows is in its
//!    folder, and one line in [`format::FORMATS`] adds it.
//! 3. A [`Rule`](rule::Rule) is one kind of finding: its page and its check in one file; one line
//!    in its format's list adds it.
//! 4. [Features](ide) answer with byte ranges and strings; they never see the protocol, the disk,
//!    the clock or the network. They read other files through [`World`](world::World).
//! 5. The [server] and the [command line](cli) are two thin callers of the same functions.
//!
//! The rooms follow in reading order, and a room may use only those above it (`tests/tidy.rs`
//! looks):
//!
//! - [`steps`], [`parallel`], [`suggestion`]: cancellation of long analyses; work on all processors;
//!   "did you mean"
//! - [`text`]: characters in a rope, places in it, changes to it
//! - [`markdown`]: lines, sections, blocks, syntax trees
//! - [`source`]: text and sections together, the incremental heart
//! - [`yaml`], [`schema`], [`template`]: YAML with spans and recovery; JSON Schema and its
//!   keywords; Go templates
//! - [`edit`], [`selector`]: edit blocks, read, located and merged; addresses of every chunk of a
//!   document
//! - [`rule`], [`world`], [`plan`]: findings, other files, the changes to them when a reply is
//!   applied
//! - [`reply`]: the edits that a model's whole reply asks for, in all dialects
//! - [`client`]: the programs that read agent files, as data
//! - [`config`], [`answer`]: settings, and the answers of features
//! - [`mod@format`]: what each kind of file means
//! - [`document`], [`ide`]: a document's value, and every question an editor has about one
//! - [`server`], `run`, [`cli`]: the edges; `run` alone talks to a network and starts programs, and
//!   only `cli` uses it
//!
//! The library exists for the program and its tests. It has no stable interface: what stays
//! compatible is listed in `docs/compatibility.md`.

pub mod steps;
pub mod cache;
pub mod parallel;
pub mod suggestion;
pub mod text;
pub mod yaml;
pub mod markdown;
pub mod source;
pub mod schema;
pub mod template;
pub mod edit;
pub mod selector;
pub mod rule;
pub mod world;
pub mod plan;
pub mod reply;
pub mod client;
pub mod config;
pub mod answer;
pub mod format;
pub mod document;
pub mod ide;
#[cfg(feature = "command")]
pub mod server;
#[cfg(feature = "run")]
pub mod run;
#[cfg(feature = "command")]
pub mod cli;

#[cfg(test)]
#[path = "../tests/support/growth.rs"]
mod growth;
