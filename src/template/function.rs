//! The functions that templates may call: Go's, markdownlang's eight (MDL-14, MDL-15), and `json`.

/// A function, as its documentation describes it.
#[derive(Debug)]
pub struct Function {
    pub name: &'static str,
    pub parameters: &'static [Parameter],
    /// The last parameter may be repeated or omitted.
    pub variadic: bool,
    pub result: Kinds,
    /// One or more lines of Markdown.
    pub documentation: &'static str,
    /// An example call.
    pub example: &'static str,
    /// Also a function in Go.
    pub builtin: bool,
}

#[derive(Debug)]
pub struct Parameter {
    pub name: &'static str,
    pub accepts: Kinds,
    /// Optional.
    pub optional: bool,
}

/// A set of value kinds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Kinds(u8);

impl Kinds {
    pub const NONE: Self = Self(0);
    pub const NULL: Self = Self(1);
    pub const BOOLEAN: Self = Self(2);
    pub const INTEGER: Self = Self(4);
    /// Non-integers; [`Kinds::NUMBER`] is both.
    pub const FLOAT: Self = Self(8);
    pub const STRING: Self = Self(16);
    pub const LIST: Self = Self(32);
    pub const OBJECT: Self = Self(64);
    pub const NUMBER: Self = Self(4 | 8);
    pub const ANY: Self = Self(127);

    #[must_use]
    pub const fn or(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    #[must_use]
    pub const fn and(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    #[must_use]
    pub const fn without(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    pub const fn is_none(self) -> bool {
        self.0 == 0
    }

    /// Whether every kind of `other` is in this set.
    pub const fn holds(self, other: Self) -> bool {
        self.0 & other.0 == other.0
    }

    /// In words: `string or list`; `any` for all.
    pub fn words(self) -> String {
        if self.holds(Self::ANY) {
            return "any".to_owned();
        }
        let table = [
            (Self::STRING, "string"),
            (Self::NUMBER, "number"),
            (Self::INTEGER, "integer"),
            (Self::FLOAT, "non-integer number"),
            (Self::BOOLEAN, "boolean"),
            (Self::LIST, "list"),
            (Self::OBJECT, "object"),
            (Self::NULL, "null"),
        ];
        let (mut words, mut left) = (Vec::new(), self);
        for (kinds, word) in table {
            if left.holds(kinds) && !left.and(kinds).is_none() {
                words.push(word);
                left = Self(left.0 & !kinds.0);
            }
        }
        match words.split_last() {
            None => "nothing".to_owned(),
            Some((last, [])) => (*last).to_owned(),
            Some((last, rest)) => format!("{} or {last}", rest.join(", ")),
        }
    }
}

/// The function with this name.
pub fn function(name: &str) -> Option<&'static Function> {
    FUNCTIONS.iter().find(|function| function.name == name)
}

const fn parameter(name: &'static str, accepts: Kinds) -> Parameter {
    Parameter { name, accepts, optional: false }
}

const fn optional(name: &'static str, accepts: Kinds) -> Parameter {
    Parameter { name, accepts, optional: true }
}

const COMPARABLE: Kinds = Kinds::STRING.or(Kinds::NUMBER).or(Kinds::BOOLEAN);
const ORDERED: Kinds = Kinds::STRING.or(Kinds::NUMBER);
const SIZED: Kinds = Kinds::STRING.or(Kinds::LIST).or(Kinds::OBJECT);
const WORD: Kinds = Kinds::STRING.or(Kinds::NUMBER);

/// All of them: markdownlang's first, then `json`, then Go's by name.
pub static FUNCTIONS: &[Function] = &[
    Function {
        name: "upper",
        parameters: &[parameter("text", WORD)],
        variadic: false,
        result: Kinds::STRING,
        documentation: "The text in uppercase.",
        example: "{{ upper .name }}",
        builtin: false,
    },
    Function {
        name: "lower",
        parameters: &[parameter("text", WORD)],
        variadic: false,
        result: Kinds::STRING,
        documentation: "The text in lowercase.",
        example: "{{ lower .name }}",
        builtin: false,
    },
    Function {
        name: "title",
        parameters: &[parameter("text", WORD)],
        variadic: false,
        result: Kinds::STRING,
        documentation: "The text with the first letter of every word capitalized.",
        example: "{{ .name | title }}",
        builtin: false,
    },
    Function {
        name: "default",
        parameters: &[parameter("fallback", Kinds::ANY), parameter("value", Kinds::ANY)],
        variadic: false,
        result: Kinds::ANY,
        documentation: "The value, or the fallback if the value is missing, null, an empty \
            string, an empty list or zero. `false` counts as a value.",
        example: "{{ .value | default \"N/A\" }}",
        builtin: false,
    },
    Function {
        name: "len",
        parameters: &[parameter("value", SIZED)],
        variadic: false,
        result: Kinds::INTEGER,
        documentation: "The number of elements in a list, keys in an object, or characters in a \
            string.",
        example: "{{ len .items }}",
        builtin: true,
    },
    Function {
        name: "slice",
        parameters: &[
            parameter("value", Kinds::STRING.or(Kinds::LIST)),
            optional("start", Kinds::INTEGER),
            optional("end", Kinds::INTEGER),
            optional("limit", Kinds::INTEGER),
        ],
        variadic: false,
        result: Kinds::STRING.or(Kinds::LIST),
        documentation: "The part of a list or string from `start` up to, but not including, \
            `end`. In a pipe the value comes last: `.items | slice 0 5`. Go's third number, \
            `limit`, caps the `end` of a list.",
        example: "{{ slice .items 0 5 }}",
        builtin: true,
    },
    Function {
        name: "join",
        parameters: &[
            parameter("list", Kinds::LIST.or(Kinds::STRING)),
            parameter("separator", Kinds::STRING.or(Kinds::LIST)),
        ],
        variadic: false,
        result: Kinds::STRING,
        documentation: "Joins the elements of a list into a string, with the separator between \
            them. The arguments may come in either order.",
        example: "{{ join .items \", \" }}",
        builtin: false,
    },
    Function {
        name: "split",
        parameters: &[parameter("text", Kinds::STRING), parameter("separator", Kinds::STRING)],
        variadic: false,
        result: Kinds::LIST,
        documentation: "Splits a string at the separator into a list. The string comes first, so \
            a piped value becomes the separator.",
        example: "{{ split .text \",\" }}",
        builtin: false,
    },
    Function {
        name: "json",
        parameters: &[parameter("value", Kinds::ANY)],
        variadic: false,
        result: Kinds::STRING,
        documentation: "The value as JSON, on one line: strings in quotes, keys in the order of \
            the input. A missing value is `null`. Go's templates don't have this function.",
        example: "{{ json .issue }}",
        builtin: false,
    },
    Function {
        name: "and",
        parameters: &[parameter("value", Kinds::ANY), parameter("more", Kinds::ANY)],
        variadic: true,
        result: Kinds::ANY,
        documentation: "The first empty argument, or the last one. Arguments after an empty one \
            are not evaluated.",
        example: "{{ if and .a .b }}both{{ end }}",
        builtin: true,
    },
    Function {
        name: "call",
        parameters: &[parameter("function", Kinds::NONE), parameter("arguments", Kinds::ANY)],
        variadic: true,
        result: Kinds::ANY,
        documentation: "Calls a function value. JSON input has none, so this always fails.",
        example: "{{ call .f }}",
        builtin: true,
    },
    Function {
        name: "eq",
        parameters: &[
            parameter("a", COMPARABLE.or(Kinds::NULL)),
            parameter("b", COMPARABLE.or(Kinds::NULL)),
            parameter("more", COMPARABLE.or(Kinds::NULL)),
        ],
        variadic: true,
        result: Kinds::BOOLEAN,
        documentation: "Whether the first argument equals any of the others.",
        example: "{{ if eq .kind \"a\" \"b\" }}a or b{{ end }}",
        builtin: true,
    },
    Function {
        name: "ge",
        parameters: &[parameter("a", ORDERED), parameter("b", ORDERED)],
        variadic: false,
        result: Kinds::BOOLEAN,
        documentation: "Whether `a >= b`.",
        example: "{{ if ge .count 10 }}many{{ end }}",
        builtin: true,
    },
    Function {
        name: "gt",
        parameters: &[parameter("a", ORDERED), parameter("b", ORDERED)],
        variadic: false,
        result: Kinds::BOOLEAN,
        documentation: "Whether `a > b`.",
        example: "{{ if gt .count 0 }}some{{ end }}",
        builtin: true,
    },
    Function {
        name: "html",
        parameters: &[parameter("value", Kinds::ANY)],
        variadic: true,
        result: Kinds::STRING,
        documentation: "Escapes `<`, `>`, `&` and quotes for HTML.",
        example: "{{ html .text }}",
        builtin: true,
    },
    Function {
        name: "index",
        parameters: &[
            parameter("value", Kinds::LIST.or(Kinds::OBJECT).or(Kinds::STRING)),
            parameter("key", WORD),
        ],
        variadic: true,
        result: Kinds::ANY,
        documentation: "The element of a list at an index counted from 0, or the value of a key \
            in an object. Each further key goes one level deeper.",
        example: "{{ index .items 0 }} {{ index . \"foo-bar\" }}",
        builtin: true,
    },
    Function {
        name: "js",
        parameters: &[parameter("value", Kinds::ANY)],
        variadic: true,
        result: Kinds::STRING,
        documentation: "Escapes a string for JavaScript.",
        example: "{{ js .text }}",
        builtin: true,
    },
    Function {
        name: "le",
        parameters: &[parameter("a", ORDERED), parameter("b", ORDERED)],
        variadic: false,
        result: Kinds::BOOLEAN,
        documentation: "Whether `a <= b`.",
        example: "{{ if le .count 3 }}few{{ end }}",
        builtin: true,
    },
    Function {
        name: "lt",
        parameters: &[parameter("a", ORDERED), parameter("b", ORDERED)],
        variadic: false,
        result: Kinds::BOOLEAN,
        documentation: "Whether `a < b`.",
        example: "{{ if lt .count 3 }}few{{ end }}",
        builtin: true,
    },
    Function {
        name: "ne",
        parameters: &[
            parameter("a", COMPARABLE.or(Kinds::NULL)),
            parameter("b", COMPARABLE.or(Kinds::NULL)),
        ],
        variadic: false,
        result: Kinds::BOOLEAN,
        documentation: "Whether `a` and `b` differ.",
        example: "{{ if ne .kind \"a\" }}not a{{ end }}",
        builtin: true,
    },
    Function {
        name: "not",
        parameters: &[parameter("value", Kinds::ANY)],
        variadic: false,
        result: Kinds::BOOLEAN,
        documentation: "Whether the value is empty: missing, null, false, zero, or without elements.",
        example: "{{ if not .done }}open{{ end }}",
        builtin: true,
    },
    Function {
        name: "or",
        parameters: &[parameter("value", Kinds::ANY), parameter("more", Kinds::ANY)],
        variadic: true,
        result: Kinds::ANY,
        documentation: "The first non-empty argument, or the last one. Arguments after it are not \
            evaluated.",
        example: "{{ or .title \"untitled\" }}",
        builtin: true,
    },
    Function {
        name: "print",
        parameters: &[parameter("value", Kinds::ANY)],
        variadic: true,
        result: Kinds::STRING,
        documentation: "The values as text, with spaces between operands when neither is a string.",
        example: "{{ print .a .b }}",
        builtin: true,
    },
    Function {
        name: "printf",
        parameters: &[parameter("format", Kinds::STRING), parameter("value", Kinds::ANY)],
        variadic: true,
        result: Kinds::STRING,
        documentation: "Formatted text, like Go's `fmt.Sprintf`: `%s`, `%d`, `%.2f`, `%q`, `%v`.",
        example: "{{ printf \"%.2f\" .price }}",
        builtin: true,
    },
    Function {
        name: "println",
        parameters: &[parameter("value", Kinds::ANY)],
        variadic: true,
        result: Kinds::STRING,
        documentation: "The values as text, with spaces between them and a line break at the end.",
        example: "{{ println .a .b }}",
        builtin: true,
    },
    Function {
        name: "urlquery",
        parameters: &[parameter("value", Kinds::ANY)],
        variadic: true,
        result: Kinds::STRING,
        documentation: "Escapes a string for the query of a URL.",
        example: "https://example.com/?q={{ urlquery .query }}",
        builtin: true,
    },
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mdl_14_all_functions_of_the_specification_and_of_go_exist() {
        for name in ["upper", "lower", "title", "default", "len", "slice", "join", "split"] {
            assert!(function(name).is_some(), "{name}");
        }
        let go = [
            "and", "call", "html", "index", "slice", "js", "len", "not", "or", "print", "printf",
            "println", "urlquery", "eq", "ge", "gt", "le", "lt", "ne",
        ];
        assert_eq!(FUNCTIONS.iter().filter(|function| function.builtin).count(), go.len());
        assert!(go.iter().all(|name| function(name).is_some_and(|function| function.builtin)));
    }

    #[test]
    fn kinds_in_words() {
        assert_eq!(Kinds::ANY.words(), "any");
        assert_eq!(Kinds::STRING.words(), "string");
        assert_eq!(WORD.words(), "string or number");
        assert_eq!(
            Kinds::STRING.or(Kinds::INTEGER).or(Kinds::NULL).words(),
            "string, integer or null"
        );
    }
}
