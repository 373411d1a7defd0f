//! Plain Markdown: every file that is nothing else.

use std::any::Any;
use std::sync::Arc;

use super::{Format, Model};

pub mod rules;

pub static FORMAT: Format = Format { name: "plain", recognise: |_, _| true, read: |_, _| Arc::new(Plain), rules: rules::all };

struct Plain;

impl Model for Plain {
    fn as_any(&self) -> &dyn Any {
        self
    }
}
