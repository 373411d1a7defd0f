//! `agentmd.toml` as a document, with findings about single entries. All other mistakes keep the
//! settings from being used at all, and are reported where the file is read.

mod rules;

use std::any::Any;
use std::path::Path;
use std::sync::Arc;

use super::{Context, Format, Model};
use crate::config;
use crate::rule::Report;
use crate::text::Span;

pub static FORMAT: Format = Format {
    name: "settings",
    recognise: |path, _| {
        path.and_then(Path::file_name).is_some_and(|name| name == config::FILE_NAME)
    },
    read: |source, _| {
        let whole = 0..source.len();
        Arc::new(Settings { opaque: vec![whole] })
    },
    rules: rules::all,
    workspace: &(),
    start: &(),
    parse: None,
};

struct Settings {
    /// Nothing in the file is Markdown.
    opaque: Vec<Span>,
}

impl Model for Settings {
    fn as_any(&self) -> &dyn Any {
        self
    }

    fn opaque(&self) -> &[Span] {
        &self.opaque
    }

    fn check(&self, cx: &Context, report: &mut Report) {
        rules::check(cx, report);
    }
}
