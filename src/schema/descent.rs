//! Values and their schemas, walked together.

use std::collections::BTreeSet;

use serde_json::Value;

use super::companion::Companions;
use super::pointer;

/// The schemas that describe one value: representatives of sets of companions.
pub type Classes = BTreeSet<usize>;

/// Finds the schemas of the parts of a value, given those of the value.
#[derive(Debug)]
pub struct Descent<'a> {
    companions: &'a Companions<'a>,
    /// The places in the set of each representative.
    members: Vec<Vec<usize>>,
}

impl<'a> Descent<'a> {
    pub fn new(companions: &'a Companions<'a>) -> Self {
        let places = companions.places();
        let mut members = vec![Vec::new(); places.len()];
        for index in 0..places.len() {
            if let Some(set) = members.get_mut(companions.leader(index)) {
                set.push(index);
            }
        }
        Self { companions, members }
    }

    /// The schemas of the value that the schema at a pointer describes.
    pub fn classes(&self, pointer: &str) -> Classes {
        self.companions.class(pointer).into_iter().collect()
    }

    /// The schemas of a property.
    pub fn property(&self, classes: &Classes, name: &str) -> Classes {
        let named = self.below(classes, |schema, at| {
            let map = pointer::join(at, "properties");
            schema.get("properties")?.get(name).map(|_| pointer::join(&map, name))
        });
        if !named.is_empty() {
            return named;
        }
        let keywords = ["additionalProperties", "unevaluatedProperties"];
        self.first(classes, &keywords)
    }

    /// The schemas of an item.
    pub fn item(&self, classes: &Classes, index: usize) -> Classes {
        let placed = self.below(classes, |schema, at| {
            let list = ["prefixItems", "items"].into_iter().find(|keyword| {
                let list = schema.get(*keyword).and_then(Value::as_array);
                list.is_some_and(|list| index < list.len())
            })?;
            Some(pointer::item(&pointer::join(at, list), index))
        });
        if !placed.is_empty() {
            return placed;
        }
        self.first(classes, &["items", "additionalItems", "unevaluatedItems"])
    }

    fn first(&self, classes: &Classes, keywords: &[&str]) -> Classes {
        self.below(classes, |schema, at| {
            let keyword = keywords.iter().find(|keyword| schema.get(**keyword).is_some())?;
            Some(pointer::join(at, keyword))
        })
    }

    /// The classes of the schemas at the pointers that `lead` returns for each schema of `classes`.
    fn below(&self, classes: &Classes, lead: impl Fn(&Value, &str) -> Option<String>) -> Classes {
        let members = classes.iter().filter_map(|class| self.members.get(*class)).flatten();
        let places = members.filter_map(|index| self.companions.places().get(*index));
        places
            .filter_map(|place| self.companions.class(&lead(place.value, &place.pointer)?))
            .collect()
    }
}
