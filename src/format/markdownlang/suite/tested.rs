//! The program that cases test, as far as its front matter describes it.

use std::path::PathBuf;
use std::sync::Arc;

use serde_json::Value;

use crate::format::markdownlang::program::Header;
use crate::format::markdownlang::{FORMAT, header, interface};
use crate::format::{Context, Format};
use crate::template::function::Kinds;
use crate::template::types::{Field, Type, Types};

/// A tested program.
#[derive(Debug)]
pub struct Tested {
    /// Its name in messages.
    pub shown: String,
    pub path: Option<PathBuf>,
    pub header: Arc<Header>,
}

/// Why the program can't be used.
#[derive(Debug)]
pub enum Missing {
    File,
    NotAProgram,
}

impl Tested {
    /// The program at a path, for a document that depends on its interface.
    pub fn read(cx: &Context, path: PathBuf) -> Result<Self, Missing> {
        let shown = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let source = cx.world.look(&path);
        interface::note(cx.world, &path, source.as_ref().ok());
        let source = source.map_err(|_| Missing::File)?;
        if !std::ptr::eq(Format::of(Some(&path), &source, cx.config), &raw const FORMAT) {
            return Err(Missing::NotAProgram);
        }
        Ok(Self { shown, header: header(&source), path: Some(path) })
    }

    /// `input` or `output`, if it is a schema without mistakes.
    pub fn schema(&self, field: &str) -> Option<&Value> {
        let header = &self.header;
        if !header.tree().errors.is_empty() {
            return None;
        }
        let (_, schema) = header.schemas().each().find(|(name, _)| *name == field)?;
        (schema.problems.is_empty() && schema.errors.is_empty()).then_some(&schema.value)
    }

    /// `input` or `output` in a message.
    pub fn named(&self, field: &str, is_file: bool) -> String {
        match is_file {
            true => format!("the `{field}` schema of {}", self.shown),
            false => format!("the `{field}` schema"),
        }
    }
}

/// The target of a JSON Pointer.
#[derive(Debug)]
pub enum Found {
    Type(Type),
    /// It can't be determined.
    Unknown,
    /// The schema has no such field; `others` are those that it has.
    NoField {
        step: usize,
        others: Vec<String>,
        /// It allows no others.
        is_closed: bool,
    },
    /// The value before this step has no parts.
    NoParts {
        step: usize,
    },
}

/// Follows the steps of a JSON Pointer.
pub fn follow(types: &Types, steps: &[String]) -> Found {
    let mut kind = types.root();
    for (step, name) in steps.iter().enumerate() {
        let kinds = types.kinds(&kind);
        let index = name.parse::<usize>().ok();
        if let (Some(index), true) = (index, kinds.holds(Kinds::LIST)) {
            kind = types.item(&kind, index);
            continue;
        }
        match types.field(&kind, name) {
            Field::Declared { kind: found, .. } => kind = found,
            Field::Open => return Found::Unknown,
            Field::Unknown => {
                let others = types.fields(&kind).into_iter().map(|(name, _)| name).collect();
                return Found::NoField { step, others, is_closed: types.forbids(&kind, name) };
            }
            Field::NotAnObject(_) => return Found::NoParts { step },
        }
    }
    Found::Type(kind)
}
