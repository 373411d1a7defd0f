//! Editor features in front matter; the tests of completion are next to it.

mod definition;
mod highlight;
mod hover;
mod laws;
mod mentions;
mod outline;
mod template;

use std::path::Path;

use super::{PATH, world};
use crate::config::{Config, Options};
use crate::document::Document;
use crate::format::Context;

/// Asks about a document.
fn ask<T>(text: &str, question: impl FnOnce(&Document, &Context) -> T) -> T {
    let (path, world, config) =
        (Some(Path::new(PATH)), world(), Config::new("/w".into(), Options::default()).unwrap());
    let document = Document::new(text, path, &config);
    question(&document, &Context::new(document.source(), path, &world, &config))
}

/// The text without its cursor `$0`, and the cursor's offset.
#[track_caller]
fn cursor(text: &str) -> (String, usize) {
    let offset = text.find("$0").expect("a cursor");
    (text.replacen("$0", "", 1), offset)
}

/// The same text with other line breaks and with a byte order mark.
fn variants(text: &str) -> [String; 3] {
    [text.to_owned(), text.replace('\n', "\r\n"), format!("\u{feff}{text}")]
}
