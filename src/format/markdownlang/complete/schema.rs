//! Inside `input` and `output`: keywords, types, formats, names of properties, references.

use serde_json::Value;

use super::typing::Typing;
use super::values;
use crate::answer::{Completion, CompletionKind};
use crate::format::snippet;
use crate::schema::{self, DIALECT, Keyword, Position, References, Shape, Type, pointer};
use crate::yaml::{self, Place};

/// The value of `input` or `output` on the line of the key: a schema in braces.
pub fn root(typing: &Typing, field: &str) -> Vec<Completion> {
    let name = if field == "input" { "text" } else { "result" };
    let object = format!(
        "{{ type: object, properties: {{ ${{1:{name}}}: {{ type: ${{2:string}} }} }}, required: [${{1:{name}}}] }}"
    );
    let mut item = typing.flow_value("object", &object, CompletionKind::Snippet, 0);
    item.documentation = Some(Type::Object.documentation().to_owned());
    if typing.typed.is_empty() && typing.context.quote.is_none() { vec![item] } else { Vec::new() }
}

/// A position below `field`; `path` leads from its root to the collection being edited.
pub fn inside(typing: &Typing, field: &str, path: &[&str]) -> Vec<Completion> {
    let root = typing.schema(field);
    let at = |path: &[&str]| schema::context(path);
    let writer = Writer { typing, field, root: &root };
    match (typing.context.place, typing.context.key.as_deref()) {
        (Place::Value, Some(key)) => {
            let path: Vec<&str> = path.iter().copied().chain([key]).collect();
            at(&path).map_or_else(Vec::new, |position| writer.value(&position, &path))
        }
        (Place::Item, _) => at(path).map_or_else(Vec::new, |position| writer.item(&position)),
        (Place::Key | Place::NewItem, _) => {
            at(path).map_or_else(Vec::new, |position| writer.below(&position))
        }
        _ => Vec::new(),
    }
}

struct Writer<'a> {
    typing: &'a Typing<'a>,
    field: &'a str,
    root: &'a Value,
}

impl Writer<'_> {
    /// The innermost schema that contains a location, as far as it can be read.
    fn holder(&self, position: &Position) -> &Value {
        self.root.pointer(&position.schema).unwrap_or(&Value::Null)
    }

    /// A separate line.
    fn below(&self, position: &Position) -> Vec<Completion> {
        match position.shape {
            Shape::Schema if self.typing.context.place == Place::Key => self.keywords(position),
            Shape::SchemaMap
                if position.keyword.is_some_and(|keyword| keyword.name == "properties") =>
            {
                self.undeclared(position)
            }
            Shape::Schemas => self.new_schemas(),
            Shape::Names | Shape::Types | Shape::Values => self.item_of(position.shape, position),
            Shape::NamesMap => self.entries_of_names(position),
            _ => Vec::new(),
        }
    }

    fn item(&self, position: &Position) -> Vec<Completion> {
        match position.shape {
            Shape::Schema if self.typing.context.flow => self.schemas(&[]),
            Shape::Schema => self.keywords(position),
            Shape::Name => self.item_of(Shape::Names, position),
            Shape::TypeName => self.item_of(Shape::Types, position),
            Shape::Data => self.item_of(Shape::Values, position),
            _ => Vec::new(),
        }
    }

    /// An item of a list with this shape.
    fn item_of(&self, shape: Shape, position: &Position) -> Vec<Completion> {
        match shape {
            Shape::Types => self.types(position),
            Shape::Names => self.names(
                position,
                position.keyword.is_some_and(|keyword| keyword.name == "required"),
            ),
            Shape::Values if position.keyword.is_some_and(|keyword| keyword.name == "examples") => {
                self.data(position)
            }
            _ => Vec::new(),
        }
    }

    /// The completions after the colon of a keyword.
    fn value(&self, position: &Position, path: &[&str]) -> Vec<Completion> {
        let typing = self.typing;
        match position.shape {
            Shape::Types => self.types(position),
            Shape::Format => self.formats(),
            Shape::Boolean => values::booleans(
                typing,
                Some(position.keyword.is_none_or(|keyword| keyword.name != "readOnly")),
            ),
            Shape::Names => self.all_names(position),
            Shape::Reference => self.references(position),
            Shape::Dialect => vec![typing.value(DIALECT, CompletionKind::Value, 0)],
            Shape::Data => self.data(position),
            Shape::Values if position.keyword.is_some_and(|keyword| keyword.name == "examples") => {
                Vec::new()
            }
            Shape::Schema => self.schemas(path),
            _ => Vec::new(),
        }
    }

    /// The keywords that the schema doesn't have yet. Those that apply to its type come first.
    fn keywords(&self, position: &Position) -> Vec<Completion> {
        let typing = self.typing;
        let holder = self.holder(position);
        let mut kinds = Type::declared(holder);
        if kinds.is_empty() {
            let guesses = [
                ("properties", Type::Object),
                ("required", Type::Object),
                ("items", Type::Array),
                ("pattern", Type::String),
                ("format", Type::String),
            ];
            kinds.extend(
                guesses
                    .iter()
                    .filter(|(keyword, _)| typing.has(keyword))
                    .map(|(_, kind)| *kind)
                    .take(1),
            );
        }
        let rank = |keyword: &Keyword| match keyword {
            Keyword { name: "type", .. } => 0,
            Keyword { applies_to, .. }
                if !applies_to.is_empty() && kinds.iter().any(|kind| applies_to.contains(kind)) =>
            {
                100
            }
            Keyword { applies_to, .. } if applies_to.is_empty() || kinds.is_empty() => 200,
            _ => 900,
        };
        let offered =
            schema::keywords().enumerate().filter(|(_, keyword)| !typing.has(keyword.name));
        let made = offered.map(|(index, keyword)| {
            let rank = rank(keyword);
            let block = self.block(keyword, position);
            let mut item = typing.entry(
                keyword.name,
                &block,
                CompletionKind::Keyword,
                rank + u32::try_from(index).unwrap_or_default(),
            );
            let useless = rank == 900;
            item.detail = Some(if useless {
                format!("no effect on {}", words(&kinds))
            } else {
                keyword.shape.describe().to_owned()
            });
            item.documentation = Some(keyword.hover());
            item
        });
        made.collect()
    }

    /// A keyword with a value that fits its context.
    fn block(&self, keyword: &Keyword, position: &Position) -> String {
        let key = snippet::escape(&yaml::print_flow_scalar(keyword.name));
        let value = match keyword.name {
            // A bare `null` would be the value.
            "type" => "${1|string,integer,number,boolean,object,array|}".to_owned(),
            "required" => {
                let names: Vec<String> = property_names(self.holder(position))
                    .map(|name| snippet::escape(&yaml::print_flow_scalar(name)))
                    .collect();
                if names.is_empty() {
                    keyword.snippet.to_owned()
                } else {
                    format!("[${{1:{}}}]", names.join(", "))
                }
            }
            "$ref" => match self.candidates().first() {
                Some(first) => format!("'${{1:{}}}'", snippet::escape(first)),
                None => keyword.snippet.to_owned(),
            },
            _ => keyword.snippet.to_owned(),
        };
        let gap = if value.starts_with('\n') { "" } else { " " };
        format!("{key}:{gap}{value}")
    }

    fn types(&self, position: &Position) -> Vec<Completion> {
        let typing = self.typing;
        let list = self.list_node(position, "type");
        let listed = typing.listed(list);
        let offered =
            schema::types().iter().zip(0..).filter(|(kind, _)| !listed.contains(kind.name()));
        let made = offered.map(|(kind, rank)| {
            let mut item = typing.value(kind.name(), CompletionKind::Type, rank);
            item.documentation =
                Some(format!("{}\n\n```yaml\n{}\n```", kind.documentation(), kind.example()));
            item
        });
        made.collect()
    }

    fn formats(&self) -> Vec<Completion> {
        let made = schema::formats().iter().zip(0..).map(|(format, rank)| {
            let mut item = self.typing.value(format.name, CompletionKind::EnumMember, rank);
            item.detail = Some(format.example.to_owned());
            item.documentation =
                Some(format!("{}\n\nFor example `{}`.", format.documentation, format.example));
            item
        });
        made.collect()
    }

    /// The list node of a keyword in the schema that contains a location.
    fn list_node(&self, position: &Position, keyword: &str) -> Option<&yaml::Node> {
        let inside = pointer::to_path(&pointer::join(&position.schema, keyword));
        let path: Vec<&str> =
            std::iter::once(self.field).chain(inside.iter().map(String::as_str)).collect();
        self.typing.node(&path)
    }

    /// The properties that a list doesn't name yet.
    fn names(&self, position: &Position, required: bool) -> Vec<Completion> {
        let listed = if required {
            self.typing.listed(self.list_node(position, "required"))
        } else {
            Default::default()
        };
        let described = schema::properties(self.holder(position));
        let offered = described.iter().filter(|property| !listed.contains(&property.name)).zip(0..);
        let made = offered.map(|(property, rank)| {
            let mut item = self.typing.value(&property.name, CompletionKind::Variable, rank);
            item.detail = Some(property.summary.clone());
            item.documentation = Some(property.line());
            item
        });
        made.collect()
    }

    /// The value of `required` on the line of the key: all properties, or one, in brackets.
    fn all_names(&self, position: &Position) -> Vec<Completion> {
        let typing = self.typing;
        if typing.context.quote.is_some() {
            return Vec::new();
        }
        let names: Vec<String> =
            property_names(self.holder(position)).map(yaml::print_flow_scalar).collect();
        let all = (names.len() > 1).then(|| names.join(", "));
        let lists = all.iter().chain(&names).map(|names| format!("[{names}]"));
        lists
            .zip(0..)
            .map(|(list, rank)| {
                typing.written_value(&list, list.clone(), CompletionKind::Variable, rank)
            })
            .collect()
    }

    /// Names that `required` lists and `properties` lacks.
    fn undeclared(&self, position: &Position) -> Vec<Completion> {
        let required = schema::required(self.holder(position));
        let missing = required.filter(|name| !self.typing.has(name)).zip(0..);
        let made = missing.map(|(name, rank)| {
            let key = snippet::escape(&yaml::print_flow_scalar(name));
            let block =
                format!("{key}:\n  type: ${{1|string,integer,number,boolean,object,array|}}");
            let mut item = self.typing.entry(name, &block, CompletionKind::Variable, rank);
            item.detail = Some("required, not declared yet".to_owned());
            item
        });
        made.collect()
    }

    /// The keys of `dependentRequired`: properties.
    fn entries_of_names(&self, position: &Position) -> Vec<Completion> {
        let names =
            property_names(self.holder(position)).filter(|name| !self.typing.has(name)).zip(0..);
        names
            .map(|(name, rank)| {
                let block =
                    format!("{}: [${{1:name}}]", snippet::escape(&yaml::print_flow_scalar(name)));
                self.typing.entry(name, &block, CompletionKind::Variable, rank)
            })
            .collect()
    }

    fn candidates(&self) -> Vec<String> {
        References::new(self.root).candidates()
    }

    fn references(&self, position: &Position) -> Vec<Completion> {
        let references = References::new(self.root);
        let own = position.schema.as_str();
        let mut candidates = references.candidates();
        candidates.push("#".to_owned());
        let made = candidates.into_iter().zip(0..).map(|(candidate, rank)| {
            let target = match references.resolve(own, &candidate) {
                schema::Target::Found { schema, .. } => Some(schema::summary(schema)),
                _ => None,
            };
            let mut item = self.typing.value(&candidate, CompletionKind::Variable, rank);
            item.detail =
                if candidate == "#" { Some("the whole schema".to_owned()) } else { target };
            item
        });
        made.collect()
    }

    /// Values that the schema itself suggests: members of `enum`, `true` and `false`, `null`.
    fn data(&self, position: &Position) -> Vec<Completion> {
        let typing = self.typing;
        let holder = self.holder(position);
        let mut found = Vec::new();
        let members = holder
            .get("enum")
            .and_then(Value::as_array)
            .into_iter()
            .flatten()
            .chain(holder.get("const"));
        let keyword = position.keyword.map_or("", |keyword| keyword.name);
        for (member, rank) in members.zip(0..) {
            match member {
                _ if keyword == "const" => {}
                Value::String(text) => {
                    found.push(typing.value(text, CompletionKind::EnumMember, rank))
                }
                Value::Number(_) | Value::Null if typing.context.quote.is_none() => {
                    found.push(typing.written_value(
                        &member.to_string(),
                        member.to_string(),
                        CompletionKind::EnumMember,
                        rank,
                    ));
                }
                _ => {}
            }
        }
        let kinds = Type::declared(holder);
        if found.is_empty() && kinds.contains(&Type::Boolean) {
            found.extend(values::booleans(typing, Some(false)));
        }
        if kinds.contains(&Type::Null)
            && typing.context.quote.is_none()
            && found.iter().all(|item| item.label != "null")
        {
            found.push(typing.written_value(
                "null",
                "null".to_owned(),
                CompletionKind::Keyword,
                100,
            ));
        }
        if found.is_empty() && typing.typed.is_empty() && keyword == "default" {
            let empty = kinds.iter().find_map(|kind| match kind {
                Type::Array => Some("[]"),
                Type::Object => Some("{}"),
                Type::Integer | Type::Number => Some("0"),
                _ => None,
            });
            found.extend(
                empty.map(|text| {
                    typing.written_value(text, text.to_owned(), CompletionKind::Value, 0)
                }),
            );
        }
        found
    }

    /// A schema on the line of its key: one of each type in braces, and booleans where they are
    /// common.
    fn schemas(&self, path: &[&str]) -> Vec<Completion> {
        let typing = self.typing;
        if typing.context.quote.is_some() {
            return Vec::new();
        }
        let mut found = Vec::new();
        if matches!(
            path.last(),
            Some(
                &("additionalProperties" | "unevaluatedProperties" | "items" | "unevaluatedItems")
            )
        ) {
            found.extend(values::booleans(typing, Some(false)));
            found
                .iter_mut()
                .for_each(|item| item.rank += if path.last() == Some(&"items") { 100 } else { 0 });
        }
        for (kind, rank) in schema::types().iter().filter(|kind| **kind != Type::Null).zip(10..) {
            let text = match kind {
                Type::Object => {
                    "{ type: object, properties: { ${1:name}: { type: ${2:string} } } }".to_owned()
                }
                Type::Array => "{ type: array, items: { type: ${1:string} } }".to_owned(),
                kind => format!("{{ type: {kind} }}"),
            };
            let mut item = typing.flow_value(kind.name(), &text, CompletionKind::Type, rank);
            item.snippet = item.snippet.filter(|snippet| snippet.contains('$'));
            item.detail = Some(item.edit.text.trim_start().to_owned());
            item.documentation = Some(kind.documentation().to_owned());
            found.push(item);
        }
        for (candidate, rank) in self.candidates().into_iter().zip(50..) {
            let text = format!("{{ $ref: {} }}", yaml::print_flow_scalar(&candidate));
            let mut item = typing.written_value(&candidate, text, CompletionKind::Variable, rank);
            item.detail = Some("a reference".to_owned());
            found.push(item);
        }
        found
    }

    /// Another schema of a list such as `anyOf`.
    fn new_schemas(&self) -> Vec<Completion> {
        let made = schema::types().iter().zip(0..).map(|(kind, rank)| {
            let item = self.typing.new_item(
                kind.name(),
                &format!("type: {}", yaml::print_scalar(kind.name())),
                rank,
            );
            Completion {
                kind: CompletionKind::Type,
                snippet: None,
                documentation: Some(kind.documentation().to_owned()),
                ..item
            }
        });
        made.collect()
    }
}

fn property_names(schema: &Value) -> impl Iterator<Item = &str> {
    schema
        .get("properties")
        .and_then(Value::as_object)
        .into_iter()
        .flatten()
        .map(|(name, _)| name.as_str())
}

fn words(kinds: &[Type]) -> String {
    kinds.iter().map(ToString::to_string).collect::<Vec<_>>().join(" and ")
}
