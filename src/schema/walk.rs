//! Visits every subschema without recursion: depth is limited by memory and [`MAX_DEPTH`] only.

use serde_json::Value;

use super::keyword::shape_of;
use super::shape::Shape;
use super::{MAX_DEPTH, pointer};

/// A place where a schema is expected, and its value.
#[derive(Debug, Clone)]
pub(super) struct Place<'a> {
    pub pointer: String,
    pub value: &'a Value,
    /// The parent schema, as an index into the walk.
    pub parent: Option<usize>,
    /// The keyword of the parent that contains it; empty for the root.
    pub keyword: &'a str,
    /// The property, pattern or definition whose schema this is.
    pub name: Option<&'a str>,
    depth: usize,
}

impl Place<'_> {
    /// The steps to check this schema without its subschemas.
    pub fn work(&self) -> u64 {
        let size = |value: &Value| {
            value.as_array().map_or(0, Vec::len) + value.as_object().map_or(0, serde_json::Map::len)
        };
        1 + self
            .value
            .as_object()
            .into_iter()
            .flatten()
            .map(|(_, value)| 1 + size(value) as u64)
            .sum::<u64>()
    }
}

/// All schemas of `root` in source order, parents before children, except those deeper than
/// [`MAX_DEPTH`].
pub(super) fn places(root: &Value) -> Vec<Place<'_>> {
    let mut places: Vec<Place<'_>> = Vec::new();
    let mut open = vec![Place {
        pointer: String::new(),
        value: root,
        parent: None,
        keyword: "",
        name: None,
        depth: 0,
    }];
    while let Some(place) = open.pop() {
        let index = places.len();
        let first = open.len();
        if place.depth + 2 <= MAX_DEPTH {
            children(&place, index, &mut open);
        }
        open.get_mut(first..).unwrap_or_default().reverse();
        places.push(place);
    }
    places
}

fn children<'a>(place: &Place<'a>, index: usize, found: &mut Vec<Place<'a>>) {
    let Value::Object(entries) = place.value else { return };
    for (keyword, value) in entries {
        let Some(shape) = shape_of(keyword) else { continue };
        let at = || pointer::join(&place.pointer, keyword);
        let mut add = |pointer: String, value: &'a Value, name: Option<&'a str>, steps: usize| {
            found.push(Place {
                pointer,
                value,
                parent: Some(index),
                keyword,
                name,
                depth: place.depth + steps,
            });
        };
        match (shape, value) {
            (Shape::Schema, _) => add(at(), value, None, 1),
            (Shape::Schemas, Value::Array(items)) => {
                let at = at();
                items
                    .iter()
                    .enumerate()
                    .for_each(|(index, item)| add(pointer::item(&at, index), item, None, 2));
            }
            (Shape::SchemaMap | Shape::PatternMap, Value::Object(named)) => {
                let at = at();
                named
                    .iter()
                    .for_each(|(name, value)| add(pointer::join(&at, name), value, Some(name), 2));
            }
            (Shape::Dependencies, Value::Object(named)) => {
                let at = at();
                let schemas = named.iter().filter(|(_, value)| !value.is_array());
                schemas
                    .for_each(|(name, value)| add(pointer::join(&at, name), value, Some(name), 2));
            }
            _ => {}
        }
    }
}

/// The pointer to the first value nested more than `limit` steps deep.
pub(super) fn too_deep(root: &Value, limit: usize) -> Option<String> {
    enum Children<'a> {
        Items(std::iter::Enumerate<std::slice::Iter<'a, Value>>),
        Entries(serde_json::map::Iter<'a>),
    }
    fn children(value: &Value) -> Option<Children<'_>> {
        match value {
            Value::Array(items) => Some(Children::Items(items.iter().enumerate())),
            Value::Object(entries) => Some(Children::Entries(entries.iter())),
            _ => None,
        }
    }
    let mut path: Vec<String> = Vec::new();
    let mut open = vec![children(root)?];
    while let Some(last) = open.last_mut() {
        let next = match last {
            Children::Items(items) => items.next().map(|(index, value)| (index.to_string(), value)),
            Children::Entries(entries) => entries.next().map(|(key, value)| (key.clone(), value)),
        };
        match next {
            None => {
                open.pop();
                path.pop();
            }
            Some((segment, value)) => {
                if let Some(inner) = children(value) {
                    path.push(segment);
                    if path.len() > limit {
                        return Some(pointer::from_path(&path));
                    }
                    open.push(inner);
                }
            }
        }
    }
    None
}
