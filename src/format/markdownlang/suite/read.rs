//! Reads the cases of a program, and finds their mistakes.

use std::collections::HashMap;

use serde_json::Value;

use super::expect::Expect;
use super::written::Written;
use crate::format::markdownlang::rules::suite::{invalid_test, unknown_test_key};
use crate::rule::Rule;
use crate::schema::{Part, pointer};
use crate::suggestion::{closest, did_you_mean};

/// The content of a test file, or of `tests` in front matter.
#[derive(Debug, Default)]
pub struct Cases {
    /// The path of the program that a test file names.
    pub program: Option<String>,
    pub cases: Vec<Case>,
    pub flaws: Vec<Flaw>,
}

/// One case.
#[derive(Debug)]
pub struct Case {
    pub name: String,
    /// Its place, as a JSON Pointer.
    pub pointer: String,
    /// `None`: the program's sample, or an empty object.
    pub input: Option<Value>,
    pub model: Option<String>,
    pub expect: Expect,
}

/// A mistake in the cases, regardless of their program.
#[derive(Debug)]
pub struct Flaw {
    pub rule: &'static Rule,
    /// A JSON Pointer.
    pub pointer: String,
    pub part: Part,
    pub message: String,
    /// The intended key, to rename this one to.
    pub meant: Option<&'static str>,
}

/// The keys of a test file.
pub const FILE_KEYS: &[&str] = &["program", "model", "cases"];
/// The keys of a case.
pub const CASE_KEYS: &[&str] = &["name", "input", "model", "expect"];

impl Cases {
    pub fn of_file(written: &Written) -> Self {
        let mut reader = Reader::default();
        let root = written.value("").unwrap_or_default();
        if !root.is_object() {
            reader.flaw(
                &invalid_test::RULE,
                "",
                Part::Value,
                "a test file must be a mapping with `cases`",
            );
            return Self { flaws: reader.flaws, ..Self::default() };
        }
        reader.keys("", &root, FILE_KEYS);
        let program = reader.text("", &root, "program");
        let model = reader.text("", &root, "model");
        let mut cases = Vec::new();
        match root.get("cases") {
            Some(value) => cases = reader.cases(written.cases(), value, model.as_ref()),
            None => reader.flaw(&invalid_test::RULE, "", Part::Value, "missing `cases`, a list"),
        }
        Self { program, cases, flaws: reader.flaws }
    }

    /// `None` if the front matter has no tests.
    pub fn of_front_matter(written: &Written) -> Option<Self> {
        let value = written.value(written.cases())?;
        if value.is_null() {
            return None;
        }
        let mut reader = Reader::default();
        let cases = reader.cases(written.cases(), &value, None);
        Some(Self { program: None, cases, flaws: reader.flaws })
    }
}

impl Case {
    /// A name for a folder: letters and digits, with dashes between words.
    pub fn slug(&self) -> String {
        slug(&self.name)
    }
}

fn slug(name: &str) -> String {
    const LONGEST: usize = 80;
    let mut slug = String::new();
    for char in name.to_lowercase().chars() {
        if char.is_alphanumeric() {
            slug.push(char);
        } else if !slug.ends_with('-') && !slug.is_empty() {
            slug.push('-');
        }
        if slug.len() >= LONGEST {
            break;
        }
    }
    let slug = slug.trim_end_matches('-');
    if slug.is_empty() { "case".to_owned() } else { slug.to_owned() }
}

/// Reads JSON, and collects flaws.
#[derive(Debug, Default)]
pub(super) struct Reader {
    pub flaws: Vec<Flaw>,
}

impl Reader {
    pub fn flaw(
        &mut self,
        rule: &'static Rule,
        pointer: &str,
        part: Part,
        message: impl Into<String>,
    ) {
        let (pointer, message) = (pointer.to_owned(), message.into());
        self.flaws.push(Flaw { rule, pointer, part, message, meant: None });
    }

    /// Reports unknown keys.
    pub fn keys(&mut self, pointer: &str, value: &Value, known: &'static [&'static str]) {
        let entries = value.as_object();
        let keys = entries.into_iter().flat_map(|entries| entries.keys());
        for key in keys.filter(|key| !known.contains(&key.as_str()) && !key.starts_with("x-")) {
            let free = known.iter().copied().filter(|known| value.get(*known).is_none());
            let meant = closest(key, free);
            self.flaws.push(Flaw {
                rule: &unknown_test_key::RULE,
                pointer: pointer::join(pointer, key),
                part: Part::Key,
                message: format!("unknown key `{key}`{}", did_you_mean(meant)),
                meant,
            });
        }
    }

    fn cases(&mut self, at: &str, value: &Value, model: Option<&String>) -> Vec<Case> {
        let mut cases: Vec<Case> = Vec::new();
        let mut by_slug = HashMap::new();
        let Some(items) = value.as_array() else {
            let name = at.trim_start_matches('/');
            self.flaw(&invalid_test::RULE, at, Part::Value, format!("`{name}` must be a list"));
            return cases;
        };
        for (index, item) in items.iter().enumerate() {
            let pointer = pointer::item(at, index);
            let Some(case) = self.case(pointer, item, model) else { continue };
            let first = *by_slug.entry(case.slug()).or_insert(cases.len());
            if let Some(other) = cases.get(first).filter(|_| !case.name.is_empty()) {
                let message = match other.name == case.name {
                    true => format!("duplicate case `{}`", case.name),
                    false => format!(
                        "the recordings of `{}` and `{}` would have the same name",
                        case.name, other.name
                    ),
                };
                let at = pointer::join(&case.pointer, "name");
                self.flaw(&invalid_test::RULE, &at, Part::Value, message);
            }
            cases.push(case);
        }
        cases
    }

    /// The string at a key, unless it's absent or empty.
    pub fn text(&mut self, pointer: &str, value: &Value, key: &str) -> Option<String> {
        match value.get(key)? {
            Value::String(text) if !text.trim().is_empty() => Some(text.clone()),
            Value::Null => None,
            value => {
                let wrong = if value.is_string() { "is empty" } else { "must be a string" };
                let (at, message) = (pointer::join(pointer, key), format!("`{key}` {wrong}"));
                self.flaw(&invalid_test::RULE, &at, Part::Value, message);
                None
            }
        }
    }

    fn case(&mut self, pointer: String, value: &Value, model: Option<&String>) -> Option<Case> {
        if !value.is_object() {
            let message = "each case must be a mapping with `name` and `expect`";
            self.flaw(&invalid_test::RULE, &pointer, Part::Value, message);
            return None;
        }
        let before = self.flaws.len();
        self.keys(&pointer, value, CASE_KEYS);
        // A misspelled key isn't reported as missing, too.
        let misspelled: Vec<_> =
            self.flaws.iter().skip(before).filter_map(|flaw| flaw.meant).collect();
        let missing = |reader: &mut Self, key: &'static str| {
            if !misspelled.contains(&key) {
                let message = format!("missing `{key}`");
                reader.flaw(&invalid_test::RULE, &pointer, Part::Value, message);
            }
        };
        let name = match value.get("name") {
            None | Some(Value::Null) => {
                missing(self, "name");
                String::new()
            }
            Some(_) => self.text(&pointer, value, "name").unwrap_or_default(),
        };
        let expect = match value.get("expect") {
            Some(expect) => self.expect(&pointer::join(&pointer, "expect"), expect),
            None => {
                missing(self, "expect");
                Expect::default()
            }
        };
        let input = value.get("input").cloned();
        let model = self.text(&pointer, value, "model").or_else(|| model.cloned());
        Some(Case { name, pointer, input, model, expect })
    }
}
