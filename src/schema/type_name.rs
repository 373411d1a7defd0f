//! The seven types, and common names for them.

use std::fmt;

use serde_json::Value;

/// A type of JSON values.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Type {
    String,
    Integer,
    Number,
    Boolean,
    Object,
    Array,
    Null,
}

/// The seven types, most common first.
pub fn types() -> &'static [Type] {
    &[
        Type::String,
        Type::Integer,
        Type::Number,
        Type::Boolean,
        Type::Object,
        Type::Array,
        Type::Null,
    ]
}

impl Type {
    /// The type with this name.
    pub fn named(name: &str) -> Option<Self> {
        types().iter().copied().find(|kind| kind.name() == name)
    }

    pub fn name(self) -> &'static str {
        match self {
            Self::String => "string",
            Self::Integer => "integer",
            Self::Number => "number",
            Self::Boolean => "boolean",
            Self::Object => "object",
            Self::Array => "array",
            Self::Null => "null",
        }
    }

    /// One paragraph of Markdown.
    pub fn documentation(self) -> &'static str {
        match self {
            Self::String => {
                "A string. Constrain it with `minLength`, `maxLength`, `pattern`, `format` and \
                    `enum`."
            }
            Self::Integer => {
                "An integer; `1.0` counts as one. Constrain it with `minimum`, `maximum` and \
                    `multipleOf`."
            }
            Self::Number => "Any number. Constrain it with `minimum`, `maximum` and `multipleOf`.",
            Self::Boolean => "`true` or `false`. In YAML 1.2 `yes` and `no` are strings.",
            Self::Object => {
                "A mapping of names to values. `properties` declares the names, `required` the \
                    ones that must be present."
            }
            Self::Array => {
                "A list. `items` describes its elements; `minItems` and `maxItems` limit their \
                    number."
            }
            Self::Null => {
                "The value `null`. In YAML, write the type in quotes, `\"null\"`; a bare `null` \
                    is the value, not the name."
            }
        }
    }

    /// A few lines of YAML that use it.
    pub fn example(self) -> &'static str {
        match self {
            Self::String => "type: string\nminLength: 1",
            Self::Integer => "type: integer\nminimum: 0",
            Self::Number => "type: number",
            Self::Boolean => "type: boolean\ndefault: false",
            Self::Object => "type: object\nproperties:\n  url: { type: string }\nrequired: [url]",
            Self::Array => "type: array\nitems: { type: string }",
            Self::Null => "type: [string, \"null\"]",
        }
    }

    /// The type of a value; whole numbers are integers.
    pub fn of(value: &Value) -> Self {
        match value {
            Value::Null => Self::Null,
            Value::Bool(_) => Self::Boolean,
            Value::Number(number)
                if number.is_f64()
                    && number.as_f64().is_some_and(|number| number.fract() != 0.0) =>
            {
                Self::Number
            }
            Value::Number(_) => Self::Integer,
            Value::String(_) => Self::String,
            Value::Array(_) => Self::Array,
            Value::Object(_) => Self::Object,
        }
    }

    /// Whether a value is of this type.
    pub fn accepts(self, value: &Value) -> bool {
        let kind = Self::of(value);
        kind == self || (self == Self::Number && kind == Self::Integer)
    }

    /// The types in the `type` of a schema; empty if it's missing or names only unknown ones.
    pub fn declared(schema: &Value) -> Vec<Self> {
        match schema.get("type") {
            Some(Value::String(name)) => Self::named(name).into_iter().collect(),
            Some(Value::Array(names)) => {
                names.iter().filter_map(|name| Self::named(name.as_str()?)).collect()
            }
            _ => Vec::new(),
        }
    }
}

impl fmt::Display for Type {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.name())
    }
}

/// The type that the author meant by an unknown type name.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Meant {
    Types(Vec<Type>),
    /// A string in a format.
    Formatted(&'static str),
    /// An array with items of a type.
    ListOf(Type),
    Anything,
}

/// Parses a type name of another language or draft.
pub(super) fn meant(written: &str) -> Option<Meant> {
    let name = written.trim().to_ascii_lowercase();
    if let Some(base) = name.strip_suffix('?') {
        return single(base).map(|kind| Meant::Types(vec![kind, Type::Null]));
    }
    if let Some(base) = name.strip_suffix("[]").or_else(|| bracketed(&name)) {
        return single(base.trim()).map(Meant::ListOf);
    }
    if name.contains(['|', ',']) {
        let kinds: Option<Vec<Type>> =
            name.split(['|', ',']).map(|part| single(part.trim())).collect();
        let mut kinds = kinds?;
        let mut seen = Vec::new();
        kinds.retain(|kind| !seen.contains(kind) && (seen.push(*kind), true).1);
        return Some(Meant::Types(kinds));
    }
    match name.as_str() {
        "any" | "mixed" | "unknown" | "*" | "json" | "value" => Some(Meant::Anything),
        "date" => Some(Meant::Formatted("date")),
        "datetime" | "date-time" | "timestamp" => Some(Meant::Formatted("date-time")),
        "time" => Some(Meant::Formatted("time")),
        "uri" | "url" => Some(Meant::Formatted("uri")),
        "uuid" | "guid" => Some(Meant::Formatted("uuid")),
        "email" => Some(Meant::Formatted("email")),
        _ => single(&name).map(|kind| Meant::Types(vec![kind])),
    }
}

fn bracketed(name: &str) -> Option<&str> {
    let inner =
        |open: &str, close: char| name.strip_prefix(open).and_then(|rest| rest.strip_suffix(close));
    inner("list[", ']')
        .or_else(|| inner("array<", '>'))
        .or_else(|| inner("list<", '>'))
        .or_else(|| inner("array[", ']'))
}

fn single(name: &str) -> Option<Type> {
    Type::named(name).or_else(|| {
        Some(match name {
            "int" | "int32" | "int64" | "long" | "short" | "uint" | "i32" | "i64" | "u32"
            | "u64" | "usize" | "int8" | "int16" => Type::Integer,
            "str" | "text" | "char" | "varchar" | "enum" | "markdown" | "path" | "file" => {
                Type::String
            }
            "bool" | "flag" => Type::Boolean,
            "float" | "double" | "decimal" | "real" | "num" | "numeric" | "f32" | "f64" => {
                Type::Number
            }
            "list" | "tuple" | "set" | "vector" | "vec" | "slice" | "sequence" | "arr" => {
                Type::Array
            }
            "dict" | "map" | "hash" | "record" | "struct" | "dictionary" | "obj" | "mapping"
            | "class" => Type::Object,
            "nil" | "none" | "undefined" | "void" => Type::Null,
            _ => {
                return crate::suggestion::closest(name, types().iter().map(|kind| kind.name()))
                    .and_then(Type::named);
            }
        })
    })
}
