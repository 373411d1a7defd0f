//! The shapes that keywords expect of their values.

/// The expected shape of a keyword's value, or of a place inside it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Shape {
    /// A mapping of keywords, or `true` or `false`.
    Schema,
    /// A list of at least one schema.
    Schemas,
    /// Names chosen by the author, each with a schema.
    SchemaMap,
    /// Regular expressions, each with a schema.
    PatternMap,
    /// One of the seven types, or a list of them.
    Types,
    /// One of the seven types: an item of such a list.
    TypeName,
    /// The name of a format.
    Format,
    /// A list of distinct property names.
    Names,
    /// A property name: an item of such a list.
    Name,
    /// Property names, each with a list of property names.
    NamesMap,
    /// Draft 7's `dependencies`: property names, each with a schema or a list of names.
    Dependencies,
    /// A list of any values.
    Values,
    /// Any value.
    Data,
    /// A non-negative integer.
    Size,
    /// A number greater than zero.
    Positive,
    Number,
    Boolean,
    Text,
    /// A regular expression.
    Regex,
    /// `$ref`: the location of another schema.
    Reference,
    /// The plain name of a place.
    Anchor,
    /// `$id`: the URI of the schema, without a fragment.
    Identifier,
    /// `$schema`: the dialect of the schema.
    Dialect,
    /// Names of vocabularies, each with a boolean.
    Vocabularies,
}

impl Shape {
    /// A noun phrase with its article: "a list of property names".
    pub fn describe(self) -> &'static str {
        match self {
            Self::Schema => "a schema (a mapping of keywords)",
            Self::Schemas => "a list of schemas",
            Self::SchemaMap => "a mapping of names to schemas",
            Self::PatternMap => "a mapping of regular expressions to schemas",
            Self::Types => "a type name or a list of type names",
            Self::TypeName => "a type name",
            Self::Format => "the name of a format",
            Self::Names => "a list of property names",
            Self::Name => "a property name",
            Self::NamesMap => "a mapping of property names to lists of property names",
            Self::Dependencies => {
                "a mapping of property names to schemas or to lists of property names"
            }
            Self::Values => "a list of values",
            Self::Data => "any value",
            Self::Size => "an integer of 0 or more",
            Self::Positive => "a number greater than 0",
            Self::Number => "a number",
            Self::Boolean => "`true` or `false`",
            Self::Text => "a string",
            Self::Regex => "a regular expression in a string",
            Self::Reference => "a reference such as `#/$defs/name`",
            Self::Anchor => "a plain name (letters, digits, `-`, `_`, `.`)",
            Self::Identifier => "a URI without a fragment",
            Self::Dialect => "the URI of a dialect",
            Self::Vocabularies => "a mapping of vocabulary URIs to booleans",
        }
    }

    /// The shape one step further down, at `segment` (a key or an index). `None` if nothing is
    /// allowed there, or below an unknown keyword.
    pub fn step(self, segment: &str) -> Option<Self> {
        match self {
            Self::Schema => super::keyword::shape_of(segment),
            Self::Schemas | Self::SchemaMap | Self::PatternMap | Self::Dependencies => {
                Some(Self::Schema)
            }
            Self::Types => Some(Self::TypeName),
            Self::Names => Some(Self::Name),
            Self::NamesMap => Some(Self::Names),
            Self::Values | Self::Data => Some(Self::Data),
            Self::Vocabularies => Some(Self::Boolean),
            _ => None,
        }
    }
}
