//! The expectations of a case about an output.

use regex::Regex;
use serde_json::Value;

use super::read::Reader;
use crate::format::markdownlang::rules::suite::{invalid_test, invalid_test_pattern};
use crate::schema::{self, Compiled, Part, is_equal, pointer};

/// Everything that must be true of a value.
#[derive(Debug, Default)]
pub struct Expect {
    pub equals: Option<Value>,
    pub schema: Option<Compiled>,
    pub contains: Vec<Value>,
    pub matches: Vec<Regex>,
    /// The expectations for the values at JSON Pointers.
    pub at: Vec<(String, Expect)>,
    pub judge: Option<Judge>,
    /// The run fails with a message that contains this.
    pub error: Option<String>,
}

/// A program that decides: its input is `{input, output, criteria}`, its output `{pass, reason}`.
#[derive(Debug)]
pub struct Judge {
    /// Relative to the test file.
    pub program: String,
    /// The place of `program`, as a JSON Pointer.
    pub at: String,
    pub criteria: Option<String>,
}

/// Why a value differs from the expected one.
#[derive(Debug, Clone, PartialEq)]
pub struct Difference {
    pub message: String,
    pub expected: Option<Value>,
    pub actual: Option<Value>,
}

/// The keys of `expect`.
pub const KEYS: &[&str] = &["equals", "schema", "contains", "matches", "at", "judge", "error"];

impl Reader {
    pub fn expect(&mut self, at: &str, value: &Value) -> Expect {
        let mut expect = Expect::default();
        let Some(entries) = value.as_object() else {
            let message = format!("`expect` must be a mapping with `{}`", KEYS.join("`, `"));
            self.flaw(&invalid_test::RULE, at, Part::Value, message);
            return expect;
        };
        self.keys(at, value, KEYS);
        if entries.is_empty() {
            self.flaw(
                &invalid_test::RULE,
                at,
                Part::Value,
                "`expect` is empty, so the case can't fail; use `schema: true` to \
                accept any output",
            );
        }
        for (key, value) in entries {
            let is_empty = match value {
                Value::Array(items) => items.is_empty() && matches!(&**key, "contains" | "matches"),
                Value::Object(places) => places.is_empty() && key == "at",
                _ => false,
            };
            if is_empty {
                let message = format!("`{key}` is empty, so it can't fail");
                self.flaw(&invalid_test::RULE, &pointer::join(at, key), Part::Value, message);
            }
        }
        if entries.contains_key("error") && entries.len() > 1 {
            let message = "`error` is for runs that fail, so nothing else can be expected";
            self.flaw(&invalid_test::RULE, &pointer::join(at, "error"), Part::Key, message);
        }
        expect.equals = value.get("equals").cloned();
        if let Some(schema) = value.get("schema") {
            match schema::compile(schema) {
                Ok(compiled) => expect.schema = Some(compiled),
                Err(errors) => {
                    let why = errors.first().map(|error| format!(": {}", error.message));
                    let message =
                        format!("`schema` is not a valid schema{}", why.unwrap_or_default());
                    let inner = errors.first().map(|error| error.pointer.as_str());
                    let at = format!("{at}/schema{}", inner.unwrap_or_default());
                    self.flaw(&invalid_test::RULE, &at, Part::Value, message);
                }
            }
        }
        expect.contains = match value.get("contains") {
            None => Vec::new(),
            Some(Value::Array(items)) => items.clone(),
            Some(other) => vec![other.clone()],
        };
        let all = format!("{at}/matches");
        let patterns: Vec<(String, &Value)> = match value.get("matches") {
            None => Vec::new(),
            Some(Value::Array(items)) => {
                (0..).zip(items).map(|(at, item)| (pointer::item(&all, at), item)).collect()
            }
            Some(other) => vec![(all, other)],
        };
        for (at, pattern) in patterns {
            match pattern.as_str().map(Regex::new) {
                Some(Ok(pattern)) => expect.matches.push(pattern),
                Some(Err(error)) => {
                    let error = error.to_string();
                    let why = error.lines().last().unwrap_or_default();
                    let why = why.trim_start_matches("error: ");
                    let message = format!("`matches` is not a regular expression: {why}");
                    self.flaw(&invalid_test_pattern::RULE, &at, Part::Value, message);
                }
                None => {
                    let message = "`matches` must be a string, or a list of strings";
                    self.flaw(&invalid_test::RULE, &at, Part::Value, message);
                }
            }
        }
        self.places(at, value, &mut expect);
        expect.judge = value.get("judge").and_then(|judge| self.judge(at, judge));
        expect.error = self.text(at, value, "error");
        expect
    }

    /// The expectations for parts of the value.
    fn places(&mut self, at: &str, value: &Value, expect: &mut Expect) {
        match value.get("at") {
            None => {}
            Some(Value::Object(places)) => {
                for (place, wanted) in places {
                    let here = pointer::join(&format!("{at}/at"), place);
                    if !place.is_empty() && !place.starts_with('/') {
                        let message =
                            format!("`{place}` is not a JSON Pointer: it must begin with `/`");
                        self.flaw(&invalid_test::RULE, &here, Part::Key, message);
                    }
                    // A value that isn't an expectation must equal the part.
                    let wanted = match is_expectation(wanted) {
                        true => self.expect(&here, wanted),
                        false => Expect { equals: Some(wanted.clone()), ..Expect::default() },
                    };
                    expect.at.push((place.clone(), wanted));
                }
            }
            Some(_) => {
                let (at, message) = (format!("{at}/at"), "`at` must be a mapping of JSON Pointers");
                self.flaw(&invalid_test::RULE, &at, Part::Value, message);
            }
        }
    }

    fn judge(&mut self, at: &str, judge: &Value) -> Option<Judge> {
        let at = format!("{at}/judge");
        match judge {
            Value::String(program) if !program.trim().is_empty() => {
                Some(Judge { program: program.clone(), at, criteria: None })
            }
            Value::Object(_) => {
                self.keys(&at, judge, &["program", "criteria"]);
                let criteria = self.text(&at, judge, "criteria");
                let program = self.text(&at, judge, "program");
                if program.is_none() {
                    let message = "missing `program`, the path of the judge";
                    self.flaw(&invalid_test::RULE, &at, Part::Key, message);
                }
                Some(Judge { program: program?, at: format!("{at}/program"), criteria })
            }
            _ => {
                let message = "`judge` must be the path of a program";
                self.flaw(&invalid_test::RULE, &at, Part::Value, message);
                None
            }
        }
    }
}

/// Whether a value at a JSON Pointer is a mapping of expectations, rather than the value to expect.
pub fn is_expectation(value: &Value) -> bool {
    value.as_object().is_some_and(|entries| {
        let inner = |key: &str| KEYS.contains(&key) && !matches!(key, "judge" | "error");
        !entries.is_empty() && entries.keys().all(|key| inner(key))
    })
}

impl Expect {
    /// Compares a value with the expectations, except for the judgement of a program.
    pub fn differences(&self, value: &Value) -> Vec<Difference> {
        let mut found = Vec::new();
        self.compare("", value, &mut found);
        found
    }

    fn compare(&self, at: &str, value: &Value, found: &mut Vec<Difference>) {
        let place = if at.is_empty() { "the output".to_owned() } else { format!("`{at}`") };
        if let Some(expected) = self.equals.as_ref().filter(|expected| !is_equal(expected, value)) {
            found.push(Difference {
                message: format!("{place} is {}, not {}", brief(value), brief(expected)),
                expected: Some(expected.clone()),
                actual: Some(value.clone()),
            });
        }
        let other =
            |message: String| Difference { message, expected: None, actual: Some(value.clone()) };
        for error in self.schema.iter().flat_map(|schema| schema.errors(value)) {
            let inner = format!("{at}{}", error.pointer);
            let place =
                if inner.is_empty() { "the output".to_owned() } else { format!("`{inner}`") };
            found.push(other(format!("{place} doesn't match the schema: {}", error.message)));
        }
        for part in self.contains.iter().filter(|part| !contains(value, part)) {
            found.push(Difference {
                expected: Some((*part).clone()),
                ..other(format!("{place} doesn't contain {}: {}", brief(part), brief(value)))
            });
        }
        let text = text(value);
        for pattern in self.matches.iter().filter(|pattern| !pattern.is_match(&text)) {
            found.push(other(format!("{place} doesn't match `{pattern}`: {}", brief(value))));
        }
        for (pointer, wanted) in &self.at {
            let inner = format!("{at}{pointer}");
            match value.pointer(pointer) {
                Some(value) => wanted.compare(&inner, value, found),
                None => found.push(Difference {
                    expected: wanted.equals.clone(),
                    ..other(format!("the output has nothing at `{inner}`: {}", brief(value)))
                }),
            }
        }
    }
}

/// Whether a string contains a string, a list an item, or an object the entries of another.
fn contains(value: &Value, part: &Value) -> bool {
    match (value, part) {
        (Value::Object(value), Value::Object(part)) => part.iter().all(|(name, part)| {
            value.get(name).is_some_and(|value| {
                is_equal(value, part) || part.is_object() && contains(value, part)
            })
        }),
        (Value::Array(items), Value::Object(_)) => items.iter().any(|item| contains(item, part)),
        (Value::Array(items), _) => items.iter().any(|item| is_equal(item, part)),
        (value, Value::String(part)) => text(value).contains(part.as_str()),
        (value, part) => is_equal(value, part),
    }
}

/// A string itself, or the JSON of another value.
fn text(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

fn brief(value: &Value) -> String {
    let text = value.to_string();
    match text.char_indices().nth(200) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
        None => text,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn messages(expect: Value, value: Value) -> Vec<String> {
        let mut reader = Reader::default();
        let expect = reader.expect("", &expect);
        assert!(reader.flaws.is_empty(), "{:?}", reader.flaws);
        expect.differences(&value).into_iter().map(|difference| difference.message).collect()
    }

    #[test]
    fn values_are_compared() {
        let value = json!({ "n": 2, "text": "one two", "tags": ["a", "b"], "more": { "x": 1, "y": 2 }, "big": 9007199254740993_u64 });
        for fine in [
            json!({ "equals": { "n": 2.0, "text": "one two", "tags": ["a", "b"], "more": { "y": 2, "x": 1 }, "big": 9007199254740993_u64 } }),
            json!({ "schema": { "type": "object", "required": ["n"] } }),
            json!({ "contains": "one two" }),
            json!({ "at": { "/big": 9007199254740993_u64, "/tags": { "contains": ["a", "b"] } } }),
            json!({ "contains": ["one", "two"] }),
            json!({ "contains": { "n": 2, "more": { "x": 1 } } }),
            json!({ "matches": "\"n\":\\d" }),
            json!({ "at": { "/n": 2, "/text": { "matches": ["^one", "two$"] }, "/tags": { "contains": "b" }, "/tags/0": "a" } }),
            json!({ "at": { "/more": { "x": 1, "y": 2 } } }),
        ] {
            assert_eq!(messages(fine.clone(), value.clone()), Vec::<String>::new(), "{fine}");
        }
        for (wrong, expected) in [
            (json!({ "equals": 3 }), "the output is {\"n\":2,"),
            (json!({ "schema": { "required": ["m"] } }), "the output doesn't match the schema: "),
            (json!({ "at": { "/n": 3 } }), "`/n` is 2, not 3"),
            (json!({ "at": { "/m": 3 } }), "the output has nothing at `/m`: "),
            (
                json!({ "at": { "/text": { "contains": "three" } } }),
                "`/text` doesn't contain \"three\"",
            ),
            (json!({ "at": { "/text": { "matches": "^two" } } }), "`/text` doesn't match `^two`"),
            (json!({ "contains": { "n": 3 } }), "the output doesn't contain {\"n\":3}"),
            (json!({ "at": { "/big": 9007199254740992_u64 } }), "`/big` is 9007199254740993, not"),
            (json!({ "at": { "/big": 9007199254740992.0 } }), "`/big` is 9007199254740993, not"),
            (
                json!({ "at": { "/text": { "contains": ["one", "x"] } } }),
                "`/text` doesn't contain \"x\"",
            ),
            (json!({ "at": { "/tags": { "contains": "\"a" } } }), "`/tags` doesn't contain"),
        ] {
            let found = messages(wrong.clone(), value.clone());
            assert!(found.len() == 1 && found[0].starts_with(expected), "{wrong}: {found:?}");
        }
    }
}
