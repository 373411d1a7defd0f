//! A document is a value: a source, its format, and the format's model of it. An edit makes a new
//! document and shares everything that it did not touch.

use std::path::Path;
use std::sync::{Arc, OnceLock};

use crate::config::Config;
use crate::format::{Format, Model};
use crate::source::Source;
use crate::text::Edit;

#[derive(Clone)]
pub struct Document {
    source: Source,
    format: &'static Format,
    model: Arc<OnceLock<Arc<dyn Model>>>,
    /// The model of the previous version, until this one has its own.
    previous: Option<Arc<dyn Model>>,
}

impl Document {
    pub fn new(text: &str, path: Option<&Path>, config: &Config) -> Self {
        Self::from_source(Source::new(text), path, config)
    }

    pub fn from_source(source: Source, path: Option<&Path>, config: &Config) -> Self {
        let format = Format::of(path, &source, config);
        Self { source, format, model: Arc::default(), previous: None }
    }

    /// The document after `edits`, each of which refers to the text after the one before it.
    #[must_use]
    pub fn edit(&self, edits: &[Edit], path: Option<&Path>, config: &Config) -> Self {
        let source = edits.iter().fold(self.source.clone(), |source, edit| source.edit(edit));
        self.with_source(source, path, config)
    }

    /// The document with new text; equal parts are kept.
    #[must_use]
    pub fn with_source(&self, source: Source, path: Option<&Path>, config: &Config) -> Self {
        let format = Format::of(path, &source, config);
        let previous = self
            .model
            .get()
            .or(self.previous.as_ref())
            .filter(|_| std::ptr::eq(format, self.format))
            .cloned();
        Self { source, format, model: Arc::default(), previous }
    }

    pub fn source(&self) -> &Source {
        &self.source
    }

    pub fn format(&self) -> &'static Format {
        self.format
    }

    /// The format's model of the text, built on first use.
    pub fn model(&self) -> &dyn Model {
        self.model
            .get_or_init(|| (self.format.read)(&self.source, self.previous.as_deref()))
            .as_ref()
    }
}
