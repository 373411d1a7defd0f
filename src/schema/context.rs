//! Which words are valid at a place inside a schema.

use super::keyword::{Keyword, keyword};
use super::pointer;
use super::shape::Shape;

/// A place inside a schema.
#[derive(Debug, Clone, PartialEq)]
pub struct Position {
    /// What the place expects.
    pub shape: Shape,
    /// The keyword whose value contains the place: `required` for one of its names. `None` at the
    /// root.
    pub keyword: Option<&'static Keyword>,
    /// The innermost schema that contains the place (the place itself if it's a schema), as a JSON
    /// pointer.
    pub schema: String,
}

impl Position {
    /// Where the properties are that a [`Shape::Name`] or [`Shape::Names`] may list.
    pub fn properties(&self) -> String {
        pointer::join(&self.schema, "properties")
    }
}

/// What a path of keys and list indices expects inside a schema. `None` below an unknown keyword
/// and where nothing is allowed.
///
/// Data (`enum`, `const`, `default`, `examples`) is never taken for a schema, and the names under
/// `properties` never for keywords.
pub fn context<S: AsRef<str>>(path: &[S]) -> Option<Position> {
    let mut shape = Shape::Schema;
    let mut last = None;
    let mut schema = 0;
    for (index, segment) in path.iter().enumerate() {
        if shape == Shape::Schema {
            schema = index;
            last = keyword(segment.as_ref());
        }
        shape = shape.step(segment.as_ref())?;
    }
    if shape == Shape::Schema {
        schema = path.len();
    }
    Some(Position {
        shape,
        keyword: last,
        schema: pointer::from_path(path.get(..schema).unwrap_or_default()),
    })
}
