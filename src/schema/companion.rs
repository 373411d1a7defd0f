//! Which schemas describe the same values: a schema, the schemas it refers to or combines, and
//! those that refer to it.

use std::collections::BTreeSet;

use serde_json::Value;

use super::pointer;
use super::reference::{References, Target};
use super::walk::Place;

/// Keywords whose schemas apply to the same value as the schema around them.
const IN_PLACE: &[&str] =
    &["allOf", "anyOf", "oneOf", "not", "if", "then", "else", "dependentSchemas", "dependencies"];

/// The schemas of a root, grouped into sets that describe the same values.
#[derive(Debug)]
pub struct Companions<'a> {
    references: References<'a>,
    /// For each place, a representative of its set.
    leaders: Vec<usize>,
}

impl<'a> Companions<'a> {
    pub fn new(root: &'a Value) -> Self {
        let references = References::new(root);
        let mut companions = Self { leaders: (0..references.places.len()).collect(), references };
        for index in 0..companions.leaders.len() {
            let Some(place) = companions.references.places.get(index) else { break };
            let parent = place.parent.filter(|_| IN_PLACE.contains(&place.keyword));
            let target = place.value.get("$ref").and_then(Value::as_str).and_then(|reference| {
                match companions.references.resolve(&place.pointer, reference) {
                    Target::Found { pointer, .. } => companions.references.index(&pointer),
                    _ => None,
                }
            });
            for other in parent.into_iter().chain(target) {
                companions.unite(index, other);
            }
        }
        companions
    }

    pub(super) fn leader(&self, mut index: usize) -> usize {
        while let Some(&next) = self.leaders.get(index).filter(|next| **next != index) {
            index = next;
        }
        index
    }

    fn unite(&mut self, a: usize, b: usize) {
        let (a, b) = (self.leader(a), self.leader(b));
        // The smaller leads: chains stay short in typical schemas.
        if let Some(leader) = self.leaders.get_mut(a.max(b)) {
            *leader = a.min(b);
        }
    }

    /// The schema at a pointer and all that describe the same values, as pointers.
    pub fn of(&self, pointer: &str) -> BTreeSet<String> {
        let Some(index) = self.references.index(pointer) else { return BTreeSet::new() };
        let leader = self.leader(index);
        let places = self.references.places.iter().enumerate();
        places
            .filter(|(index, _)| self.leader(*index) == leader)
            .map(|(_, place)| place.pointer.clone())
            .collect()
    }

    /// The representative of the set that contains the schema at a pointer.
    pub fn class(&self, pointer: &str) -> Option<usize> {
        Some(self.leader(self.references.index(pointer)?))
    }

    pub(super) fn places(&self) -> &[Place<'a>] {
        &self.references.places
    }

    /// Every schema, with its pointer.
    pub fn schemas(&self) -> impl Iterator<Item = (&str, &'a Value)> {
        self.references.places.iter().map(|place| (place.pointer.as_str(), place.value))
    }

    /// Every `$ref` of the root: the pointer to its schema, its text, and its target.
    pub fn references(&self) -> impl Iterator<Item = (&str, &'a str, String)> {
        self.references.places.iter().filter_map(|place| {
            let text = place.value.get("$ref")?.as_str()?;
            match self.references.resolve(&place.pointer, text) {
                Target::Found { pointer, .. } | Target::NotASchema { pointer } => {
                    Some((place.pointer.as_str(), text, pointer))
                }
                _ => None,
            }
        })
    }
}

/// The text of a `$ref` whose last steps are those of `pointer`, with the step at `depth` of the
/// pointer (from 0) renamed to `name`; `None` if the text doesn't contain that step.
pub fn renamed_reference(text: &str, target: &str, depth: usize, name: &str) -> Option<String> {
    let (address, fragment) = text.split_once('#')?;
    let fragment = percent_encoding::percent_decode_str(fragment).decode_utf8().ok()?;
    // A fragment is relative to the innermost `$id`: its steps are the last ones of the pointer.
    let (written, all) = (pointer::to_path(&fragment), pointer::to_path(target));
    let outer = all.len().checked_sub(written.len())?;
    let mut steps = written;
    *steps.get_mut(depth.checked_sub(outer)?)? = name.to_owned();
    Some(format!(
        "{address}#{}",
        percent_encoding::utf8_percent_encode(
            &pointer::from_path(&steps),
            super::reference::ESCAPED
        )
    ))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn schemas_of_the_same_values_are_grouped() {
        let root = json!({
            "properties": { "a": { "$ref": "#/$defs/user" }, "b": { "type": "string" } },
            "allOf": [{ "required": ["a"] }, { "if": { "required": ["b"] } }],
            "$defs": { "user": { "properties": { "name": {} } } },
        });
        let companions = Companions::new(&root);
        let of = |pointer: &str| companions.of(pointer).into_iter().collect::<Vec<_>>();
        assert_eq!(of(""), ["", "/allOf/0", "/allOf/1", "/allOf/1/if"]);
        assert_eq!(of("/properties/a"), ["/$defs/user", "/properties/a"]);
        assert_eq!(of("/properties/b"), ["/properties/b"]);
        assert_eq!(of("/nowhere"), [""; 0]);
        assert_eq!(
            companions.references().collect::<Vec<_>>(),
            [("/properties/a", "#/$defs/user", "/$defs/user".to_owned())]
        );
    }

    #[test]
    fn references_are_renamed_step_by_step() {
        let renamed = |text, target, depth| renamed_reference(text, target, depth, "x y");
        assert_eq!(renamed("#/$defs/user", "/$defs/user", 1).as_deref(), Some("#/$defs/x%20y"));
        assert_eq!(
            renamed("#/$defs/user/properties/a~1b", "/$defs/user/properties/a~1b", 1).as_deref(),
            Some("#/$defs/x%20y/properties/a~1b")
        );
        assert_eq!(
            renamed("id#/$defs/a", "/$defs/inner/$defs/a", 3).as_deref(),
            Some("id#/$defs/x%20y")
        );
        assert_eq!(renamed("id#/$defs/a", "/$defs/inner/$defs/a", 1), None);
        assert_eq!(renamed("#anchor", "/$defs/user", 1), None);
        assert_eq!(renamed("id", "/$defs/user", 1), None);
    }
}
