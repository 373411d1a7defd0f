//! Kinds of your own: globs and a JSON Schema of the front matter, from `[[kinds]]`.

use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use globset::GlobSet;
use schemars::JsonSchema;
use serde::de::IgnoredAny;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use toml::Spanned;

use crate::client::Client;
use crate::schema;
use crate::text::Span;

/// A kind of file of your own. Its front matter gets completion, hover and findings from a JSON
/// Schema.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct OwnKind {
    /// What messages call the kind.
    pub name: String,
    /// The files: globs relative to the settings file.
    #[serde(alias = "globs")]
    pub files: Vec<String>,
    /// The JSON Schema (draft 2020-12) of the front matter: a table, or the path of a JSON file in
    /// the folder of `agentmd.toml`.
    #[schemars(extend("type" = ["string", "object"]))]
    pub schema: Value,
}

/// The usable kinds, and the problems of the others.
#[derive(Debug, Clone, Default)]
pub struct Kinds {
    usable: Vec<(GlobSet, Arc<Client>)>,
    /// The files that schemas are read from.
    pub files: Vec<PathBuf>,
    pub problems: Vec<Problem>,
}

/// Why a kind can't be used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// The number of the kind, from 0.
    pub index: usize,
    /// The key whose value is wrong.
    pub key: &'static str,
    pub message: String,
}

/// Reads the text of a file.
pub type Reader<'a> = &'a dyn Fn(&Path) -> Result<String, String>;

impl Kinds {
    /// Prepares kinds for use. `root` is the folder that globs and paths are relative to.
    pub fn new(root: &Path, kinds: &[OwnKind], read: Reader) -> Self {
        let mut all = Self::default();
        for (index, kind) in kinds.iter().enumerate() {
            let mut wrong = |key: &'static str, message: String| {
                all.problems.push(Problem { index, key, message });
            };
            if kind.name.trim().is_empty() {
                wrong("name", "a kind needs a `name`".to_owned());
                continue;
            }
            if kind.files.is_empty() {
                wrong("files", format!("the kind `{}` needs `files`", kind.name));
                continue;
            }
            let globs = match super::globs(&kind.files) {
                Ok(globs) => globs,
                Err(error) => {
                    wrong("files", error.to_string());
                    continue;
                }
            };
            if let Some(path) = kind.schema.as_str().and_then(|path| inside(root, path)) {
                all.files.push(path);
            }
            match usable(root, &kind.schema, read) {
                Ok(schema) => {
                    let places: Vec<String> = kind
                        .files
                        .iter()
                        .filter_map(|glob| super::rooted(glob).ok().map(str::to_owned))
                        .collect();
                    let client = Client::own(&kind.name, &places, schema);
                    all.usable.push((globs, Arc::new(client)));
                }
                Err(message) => all.problems.push(Problem { index, key: "schema", message }),
            }
        }
        all
    }

    /// The kinds of a file, by its path relative to the settings.
    pub fn of<'a>(&'a self, relative: &Path) -> impl Iterator<Item = &'a Client> + use<'a> {
        let found: Vec<&Client> = self
            .usable
            .iter()
            .filter(|(globs, _)| globs.is_match(relative))
            .map(|(_, client)| client.as_ref())
            .collect();
        found.into_iter()
    }
}

/// A path below the folder of the settings, if it is one.
fn inside(root: &Path, path: &str) -> Option<PathBuf> {
    let path = Path::new(path);
    let mut depth = 0_usize;
    for part in path.components() {
        match part {
            Component::Normal(_) => depth += 1,
            Component::CurDir => {}
            Component::ParentDir => depth = depth.checked_sub(1)?,
            Component::RootDir | Component::Prefix(_) => return None,
        }
    }
    (depth > 0).then(|| crate::world::resolve(&root.join("_"), &path.to_string_lossy()))
}

/// TOML has dates, JSON doesn't: in a schema, they become strings as written.
fn without_dates(value: &mut Value) {
    const DATE: &str = "$__toml_private_datetime";
    match value {
        Value::Object(entries) => {
            if let (1, Some(Value::String(date))) = (entries.len(), entries.get(DATE)) {
                *value = Value::String(date.clone());
            } else {
                entries.values_mut().for_each(without_dates);
            }
        }
        Value::Array(items) => items.iter_mut().for_each(without_dates),
        _ => {}
    }
}

/// The schema of a kind, if values can be validated against it.
fn usable(root: &Path, schema: &Value, read: Reader) -> Result<Value, String> {
    let (schema, whose) = match schema {
        Value::Object(_) => {
            let mut schema = schema.clone();
            without_dates(&mut schema);
            (schema, "the schema".to_owned())
        }
        Value::String(path) => {
            let Some(full) = inside(root, path) else {
                return Err(format!("`{path}` is outside of the folder of the settings"));
            };
            let text = read(&full).map_err(|error| format!("can't read `{path}`: {error}"))?;
            let schema: Value = serde_json::from_str(text.trim_start_matches('\u{feff}'))
                .map_err(|error| format!("`{path}` is not JSON: {error}"))?;
            (schema, format!("`{path}`"))
        }
        Value::Null => {
            return Err("a kind needs a `schema`: a table or the path of a file".to_owned());
        }
        _ => return Err("`schema` must be a table or the path of a file".to_owned()),
    };
    if !schema.is_object() {
        return Err(format!("{whose} must be an object"));
    }
    match schema::compile(&schema) {
        Ok(_) => Ok(schema),
        Err(errors) => {
            let first = errors.first();
            let message =
                first.map(|error| error.message.trim_end_matches('.')).unwrap_or_default();
            let place = first
                .map(|error| error.pointer.as_str())
                .filter(|pointer| !pointer.is_empty())
                .map_or_else(String::new, |pointer| format!(" at `{pointer}`"));
            let more = match errors.len() {
                0 | 1 => String::new(),
                count => format!(" ({} more)", count - 1),
            };
            Err(format!("{whose} is not a valid JSON Schema{place}: {message}{more}"))
        }
    }
}

/// Where the values of kinds are written.
#[derive(Deserialize)]
struct Written {
    #[serde(default)]
    kinds: Vec<Spanned<WrittenKind>>,
}

#[derive(Deserialize)]
struct WrittenKind {
    name: Option<Spanned<IgnoredAny>>,
    #[serde(alias = "globs")]
    files: Option<Spanned<IgnoredAny>>,
    schema: Option<Spanned<IgnoredAny>>,
}

/// The span of a problem in a settings file: the value, or else the kind.
pub fn place(text: &str, problem: &Problem) -> Span {
    let Ok(written) = toml::from_str::<Written>(text) else { return 0..0 };
    let Some(kind) = written.kinds.get(problem.index) else { return 0..0 };
    let own = kind.get_ref();
    let value = match problem.key {
        "name" => own.name.as_ref(),
        "files" => own.files.as_ref(),
        _ => own.schema.as_ref(),
    };
    let span = value.map_or_else(|| kind.span(), Spanned::span);
    super::first_line(text, span)
}

/// The problems in the text of a settings file, with their spans. Empty if the file is invalid in
/// other ways.
pub fn problems(text: &str, root: &Path, read: Reader) -> Vec<(Span, String)> {
    let Ok(options) = toml::from_str::<super::Options>(text) else { return Vec::new() };
    let problems = Kinds::new(root, &options.kinds, read).problems;
    problems.into_iter().map(|problem| (place(text, &problem), problem.message)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(toml: &str) -> Vec<(String, String)> {
        let read = |path: &Path| match path.to_str() {
            Some("/w/good.json") => Ok("{\"type\": \"object\"}".to_owned()),
            Some("/w/bad.json") => Ok("{".to_owned()),
            Some("/w/list.json") => Ok("[]".to_owned()),
            _ => Err("no such file".to_owned()),
        };
        let found = problems(toml, Path::new("/w"), &read);
        found.into_iter().map(|(span, message)| (toml[span].to_owned(), message)).collect()
    }

    #[test]
    fn a_kind_that_cannot_be_used_is_reported_at_its_value() {
        let kind =
            |schema: &str| format!("[[kinds]]\nname = \"日本\"\nfiles = [\"a/*.md\"]\n{schema}\n");
        for schema in [
            "schema = \"good.json\"",
            "schema = \"./x/../good.json\"",
            "schema = { type = \"object\" }",
            "[kinds.schema]\ntype = \"object\"\n[kinds.schema.properties.a]\nenum = [1, \"b\"]",
        ] {
            assert_eq!(found(&kind(schema)), [], "{schema}");
        }
        for (schema, place, message) in [
            ("schema = \"bad.json\"", "\"bad.json\"", "`bad.json` is not JSON"),
            ("schema = \"none.json\"", "\"none.json\"", "can't read `none.json`: no such file"),
            ("schema = \"list.json\"", "\"list.json\"", "`list.json` must be an object"),
            ("schema = \"../x.json\"", "\"../x.json\"", "is outside of the folder"),
            ("schema = \"/x.json\"", "\"/x.json\"", "is outside of the folder"),
            ("schema = 7", "7", "must be a table or the path"),
            ("schema = { type = \"objekt\" }", "{ type = \"objekt\" }", "at `/type`"),
            ("", "[[kinds]]", "needs a `schema`"),
        ] {
            let found = found(&kind(schema));
            assert_eq!(found.len(), 1, "{schema}");
            assert_eq!(found[0].0, place, "{schema}");
            assert!(found[0].1.contains(message), "{}", found[0].1);
        }
        let two = format!("{}{}", kind("schema = 7"), kind("schema = \"good.json\""));
        assert_eq!(found(&two).len(), 1);
        assert_eq!(found("kinds = 7"), []);
    }
}
