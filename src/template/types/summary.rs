//! A type in one line.

use super::graph::{Graph, Node};
use super::{Field, Part, Type};
use crate::template::function::Kinds;

const DEEPEST: usize = 3;
const MOST: usize = 6;

impl Graph {
    pub fn summary(&self, of: &Type) -> String {
        self.write(of, 0)
    }

    fn write(&self, of: &Type, depth: usize) -> String {
        if of.is_unknown() && of.parts.iter().all(|part| self.is_bare(part)) {
            return "any".to_owned();
        }
        if let Some(values) = self.values(of).filter(|values| !values.is_empty()) {
            let shown = values.iter().take(MOST).map(|value| value.to_string());
            return shown
                .chain((values.len() > MOST).then(|| "…".to_owned()))
                .collect::<Vec<_>>()
                .join(" | ");
        }
        let mut words: Vec<String> = Vec::new();
        for word in of.parts.iter().flat_map(|part| self.part(part, depth)) {
            if !words.contains(&word) {
                words.push(word);
            }
        }
        if words.len() > MOST {
            words.truncate(MOST);
            words.push("…".to_owned());
        }
        words.join(" | ")
    }

    fn nodes<'a>(&'a self, part: &'a Part) -> impl Iterator<Item = &'a Node> {
        part.nodes.iter().filter_map(|id| self.node(*id))
    }

    /// The content is unknown.
    fn is_bare(&self, part: &Part) -> bool {
        part.is_unknown()
            && self.nodes(part).all(|node| {
                node.properties.is_empty() && node.items.is_none() && node.prefix.is_empty()
            })
    }

    fn part(&self, part: &Part, depth: usize) -> Vec<String> {
        if self.is_bare(part) {
            return vec!["any".to_owned()];
        }
        let mut words = Vec::new();
        // An untyped schema with fields or items describes an object or a list.
        let has_fields = self.nodes(part).any(|node| !node.properties.is_empty());
        let has_items =
            self.nodes(part).any(|node| node.items.is_some() || !node.prefix.is_empty());
        let kinds = match (part.is_unknown(), has_fields, has_items) {
            (true, true, _) => Kinds::OBJECT,
            (true, false, true) => Kinds::LIST,
            _ => part.kinds,
        };
        if kinds.holds(Kinds::OBJECT) {
            words.push(self.object(part, depth));
        }
        if kinds.holds(Kinds::LIST) {
            words.push(self.list(part, depth));
        }
        let scalars = kinds.without(Kinds::OBJECT.or(Kinds::LIST));
        let table = [
            (Kinds::STRING, "string"),
            (Kinds::NUMBER, "number"),
            (Kinds::INTEGER, "integer"),
            (Kinds::FLOAT, "number"),
            (Kinds::BOOLEAN, "boolean"),
            (Kinds::NULL, "null"),
        ];
        let mut left = scalars;
        for (kind, word) in table {
            if left.holds(kind) {
                words.push(word.to_owned());
                left = left.without(kind);
            }
        }
        words
    }

    fn object(&self, part: &Part, depth: usize) -> String {
        let of = Type::of_parts(vec![Part { kinds: Kinds::OBJECT, ..part.clone() }]);
        let fields = self.fields(&of);
        if fields.is_empty() {
            return "object".to_owned();
        }
        if depth >= DEEPEST {
            return "object { … }".to_owned();
        }
        let shown = fields.iter().take(MOST).map(|(name, field)| match field {
            Field::Declared { kind, required, .. } => format!(
                "{name}{}: {}",
                if *required { "" } else { "?" },
                self.write(kind, depth + 1)
            ),
            _ => name.clone(),
        });
        let more = (fields.len() > MOST).then(|| "…".to_owned());
        format!("object {{ {} }}", shown.chain(more).collect::<Vec<_>>().join(", "))
    }

    fn list(&self, part: &Part, depth: usize) -> String {
        let typed = part.element.is_some()
            || self.nodes(part).any(|node| node.items.is_some() || !node.prefix.is_empty());
        if !typed {
            return "array".to_owned();
        }
        if depth >= DEEPEST {
            return "array of …".to_owned();
        }
        let of = Type::of_parts(vec![Part { kinds: Kinds::LIST, ..part.clone() }]);
        let element = self.write(&self.element(&of), depth + 1);
        let enclosed = element.contains(" | ") && !element.ends_with('}');
        if enclosed { format!("array of ({element})") } else { format!("array of {element}") }
    }
}
