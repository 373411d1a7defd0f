//! A document is a value: a source, its format, and the format's model of it. An edit makes a new
//! document and shares everything that it did not touch.

use std::path::Path;
use std::sync::{Arc, OnceLock};

use parking_lot::Mutex;

use crate::config::Config;
use crate::format::{Format, Model};
use crate::source::Source;
use crate::text::Edit;

#[derive(Clone)]
pub struct Document {
    source: Source,
    format: &'static Format,
    model: Arc<Read>,
}

#[derive(Default)]
struct Read {
    model: OnceLock<Arc<dyn Model>>,
    /// The model of the previous version, until this one has its own.
    previous: Mutex<Option<Arc<dyn Model>>>,
}

impl Read {
    fn previous(&self) -> Option<Arc<dyn Model>> {
        self.previous.lock().clone()
    }

    fn get(&self, read: impl FnOnce(Option<&dyn Model>) -> Arc<dyn Model>) -> &dyn Model {
        let model = self.model.get_or_init(|| {
            let model = read(self.previous().as_deref());
            *self.previous.lock() = None;
            model
        });
        model.as_ref()
    }
}

impl Document {
    pub fn new(text: &str, path: Option<&Path>, config: &Config) -> Self {
        Self::from_source(Source::new(text), path, config)
    }

    pub fn from_source(source: Source, path: Option<&Path>, config: &Config) -> Self {
        let format = Format::of(path, &source, config);
        Self { source, format, model: Arc::default() }
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
        let known = || self.model.model.get().cloned().or_else(|| self.model.previous());
        let previous = if std::ptr::eq(format, self.format) { known() } else { None };
        let model = Read { model: OnceLock::new(), previous: Mutex::new(previous) };
        Self { source, format, model: Arc::new(model) }
    }

    pub fn source(&self) -> &Source {
        &self.source
    }

    pub fn format(&self) -> &'static Format {
        self.format
    }

    /// The format's model of the text, built on first use.
    pub fn model(&self) -> &dyn Model {
        self.model.get(|previous| (self.format.read)(&self.source, previous))
    }
}
