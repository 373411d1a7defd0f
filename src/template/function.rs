//! The functions that templates may call: Go's own, and the eight of markdownlang (MDL-14, MDL-15).

/// A function, as its documentation describes it.
#[derive(Debug)]
pub struct Function {
    pub name: &'static str,
    pub parameters: &'static [Parameter],
    /// The last parameter may come any number of times, or not at all.
    pub variadic: bool,
    pub result: Kinds,
    /// One line of Markdown or more.
    pub documentation: &'static str,
    /// A call that shows what it does.
    pub example: &'static str,
    /// Go has it too.
    pub builtin: bool,
}

#[derive(Debug)]
pub struct Parameter {
    pub name: &'static str,
    pub accepts: Kinds,
    /// May be left out.
    pub optional: bool,
}

/// A set of kinds of values.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Kinds(u8);

impl Kinds {
    pub const NONE: Self = Self(0);
    pub const NULL: Self = Self(1);
    pub const BOOLEAN: Self = Self(2);
    pub const INTEGER: Self = Self(4);
    /// Those with a fraction; [`Kinds::NUMBER`] is both.
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

    /// Every kind of `other` is one of these.
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
            (Self::FLOAT, "number with a fraction"),
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

/// The function of this name.
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

/// All of them: markdownlang's first, then Go's by name.
pub static FUNCTIONS: &[Function] = &[
    Function {
        name: "upper",
        parameters: &[parameter("text", WORD)],
        variadic: false,
        result: Kinds::STRING,
        documentation: "The text in upper case.",
        example: "{{ upper .name }}",
        builtin: false,
    },
    Function {
        name: "lower",
        parameters: &[parameter("text", WORD)],
        variadic: false,
        result: Kinds::STRING,
        documentation: "The text in lower case.",
        example: "{{ lower .name }}",
        builtin: false,
    },
    Function {
        name: "title",
        parameters: &[parameter("text", WORD)],
        variadic: false,
        result: Kinds::STRING,
        documentation: "The text with the first letter of every word in upper case.",
        example: "{{ .name | title }}",
        builtin: false,
    },
    Function {
        name: "default",
        parameters: &[parameter("fallback", Kinds::ANY), parameter("value", Kinds::ANY)],
        variadic: false,
        result: Kinds::ANY,
        documentation: "The value, or the fallback where the value is missing, null, empty text, an empty list or zero. `false` is a value.",
        example: "{{ .value | default \"N/A\" }}",
        builtin: false,
    },
    Function {
        name: "len",
        parameters: &[parameter("value", SIZED)],
        variadic: false,
        result: Kinds::INTEGER,
        documentation: "How many elements a list has, how many keys an object, how many characters a text.",
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
        documentation: "The part of a list or text from `start` up to, but not including, `end`. Behind a pipe the value comes last: `.items | slice 0 5`. Go's third number, `limit`, is what `end` of a list may not go beyond.",
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
        documentation: "The elements of a list as one text, with the separator between them. Either may come first.",
        example: "{{ join .items \", \" }}",
        builtin: false,
    },
    Function {
        name: "split",
        parameters: &[parameter("text", Kinds::STRING), parameter("separator", Kinds::STRING)],
        variadic: false,
        result: Kinds::LIST,
        documentation: "The parts of a text between the separators, as a list. The text comes first, so a pipe would bring the separator.",
        example: "{{ split .text \",\" }}",
        builtin: false,
    },
    Function {
        name: "and",
        parameters: &[parameter("value", Kinds::ANY), parameter("more", Kinds::ANY)],
        variadic: true,
        result: Kinds::ANY,
        documentation: "The first argument that is empty, or the last one. What follows an empty one is not evaluated.",
        example: "{{ if and .a .b }}both{{ end }}",
        builtin: true,
    },
    Function {
        name: "call",
        parameters: &[parameter("function", Kinds::NONE), parameter("arguments", Kinds::ANY)],
        variadic: true,
        result: Kinds::ANY,
        documentation: "Calls a value that is a function. Input is JSON, which has none: this always fails.",
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
        documentation: "The text with `<`, `>`, `&` and quotes escaped for HTML.",
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
        documentation: "The element of a list at an index from 0, or the value of an object's key. More keys go deeper.",
        example: "{{ index .items 0 }} {{ index . \"foo-bar\" }}",
        builtin: true,
    },
    Function {
        name: "js",
        parameters: &[parameter("value", Kinds::ANY)],
        variadic: true,
        result: Kinds::STRING,
        documentation: "The text escaped for a JavaScript string.",
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
        documentation: "The first argument that is not empty, or the last one. What follows it is not evaluated.",
        example: "{{ or .title \"untitled\" }}",
        builtin: true,
    },
    Function {
        name: "print",
        parameters: &[parameter("value", Kinds::ANY)],
        variadic: true,
        result: Kinds::STRING,
        documentation: "The values as text, with blanks between two that are no text.",
        example: "{{ print .a .b }}",
        builtin: true,
    },
    Function {
        name: "printf",
        parameters: &[parameter("format", Kinds::STRING), parameter("value", Kinds::ANY)],
        variadic: true,
        result: Kinds::STRING,
        documentation: "Text after a format, as Go's `fmt.Sprintf` does it: `%s`, `%d`, `%.2f`, `%q`, `%v`.",
        example: "{{ printf \"%.2f\" .price }}",
        builtin: true,
    },
    Function {
        name: "println",
        parameters: &[parameter("value", Kinds::ANY)],
        variadic: true,
        result: Kinds::STRING,
        documentation: "The values as text, with blanks between them and a line break behind them.",
        example: "{{ println .a .b }}",
        builtin: true,
    },
    Function {
        name: "urlquery",
        parameters: &[parameter("value", Kinds::ANY)],
        variadic: true,
        result: Kinds::STRING,
        documentation: "The text escaped for the query of a URL.",
        example: "https://example.com/?q={{ urlquery .query }}",
        builtin: true,
    },
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mdl_14_the_functions_of_the_specification_and_of_go_are_there() {
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
