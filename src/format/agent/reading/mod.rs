//! How clients read front matter: one file per way of reading. Each returns the same as the
//! original for the same text; `tests/readings.rs` compares them with the original parsers if these
//! are installed.

mod claude;
mod codex;
mod cursor;
mod gemini;
mod js_yaml;
mod opencode;
mod py_yaml;
mod scalar;
mod serde_yaml;
mod vscode;
mod yaml_npm;

#[cfg(test)]
mod tests;

use serde_json::{Map, Value};

pub use scalar::{DEPTH, MOST};

use crate::client::Reading;
use crate::format::front_matter::astray;
use crate::text::{self, Edit};
use crate::yaml::{self, Tree};

/// What a client reads.
#[derive(Debug, Clone, PartialEq)]
pub enum Read {
    /// The client finds no front matter.
    Nothing,
    /// The client finds front matter, but can't read it.
    Refused,
    Keys(Keys),
}

/// The keys and values that a client reads.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Keys {
    pub values: Map<String, Value>,
    /// Not all of the text was read literally: a fallback was used, or reading stopped early.
    pub partly: bool,
}

impl Read {
    /// The keys, if the client can read the front matter.
    pub fn keys(&self) -> Option<&Keys> {
        match self {
            Self::Keys(keys) => Some(keys),
            _ => None,
        }
    }
}

/// The input of a reading.
#[derive(Debug, Clone, Copy)]
pub struct Front<'a> {
    /// The document begins with a byte order mark.
    pub mark: bool,
    /// The text between the delimiter lines.
    pub yaml: &'a str,
    /// That text, parsed as YAML.
    pub tree: &'a Tree,
}

/// Whether a client with this reading accepts a first line as the start of front matter. Gemini CLI
/// and Cline match `^---\r?\n`.
pub fn opens(reading: Reading, line: &str) -> bool {
    line == "---" || !(matches_delimiters(reading) || reading == Reading::JsYamlJson)
}

/// Whether a client with this reading ends front matter at any line that begins with `---`:
/// gray-matter looks for `\n---`, Gemini CLI and Cline match it.
pub fn closes_at_dashes(reading: Reading) -> bool {
    use Reading::{JsYaml, JsYamlJson, Opencode};
    matches!(reading, JsYaml | JsYamlJson | Opencode) || matches_delimiters(reading)
}

/// Whether a client with this reading matches Gemini CLI's pattern, which doesn't skip a byte order
/// mark and requires the body on the line after the closing `---`.
pub fn matches_delimiters(reading: Reading) -> bool {
    matches!(reading, Reading::Gemini | Reading::GeminiAgent)
}

/// What a client with this reading reads from front matter.
pub fn read(reading: Reading, front: Front) -> Read {
    // libyaml, PyYAML and js-yaml continue a value in quotes regardless of the indentation of its
    // lines.
    let strict = matches!(reading, Reading::YamlNpm | Reading::Vscode | Reading::Claude);
    if !strict && !front.tree.errors.is_empty() {
        let astray = astray(front.yaml);
        if !astray.is_empty() {
            let edits: Vec<Edit> = astray.into_iter().map(|at| Edit::insert(at, " ")).collect();
            let yaml = text::apply(front.yaml, &edits).unwrap_or_default();
            let tree = yaml::parse(&yaml);
            return read_as(reading, Front { yaml: &yaml, tree: &tree, ..front });
        }
    }
    read_as(reading, front)
}

fn read_as(reading: Reading, front: Front) -> Read {
    match reading {
        Reading::None => Read::Nothing,
        // These look for `---` in the first bytes.
        Reading::SerdeYaml | Reading::PyYaml | Reading::CodexLines if front.mark => Read::Nothing,
        _ if front.mark && matches_delimiters(reading) => Read::Nothing,
        Reading::SerdeYaml => serde_yaml::read(front.tree),
        Reading::JsYaml => js_yaml::read(front.tree),
        Reading::JsYamlJson => js_yaml::read_json(front.tree),
        Reading::YamlNpm => yaml_npm::read(front.tree),
        Reading::PyYaml => py_yaml::read(front.tree),
        Reading::CursorLines => cursor::read(front.yaml),
        Reading::CodexLines => codex::read(front.yaml),
        Reading::Gemini => gemini::read(front.yaml, front.tree),
        Reading::GeminiAgent => js_yaml::read_mapping(front.tree),
        Reading::Opencode => opencode::read(front.yaml, front.tree),
        Reading::Vscode => vscode::read(front.yaml, front.tree),
        Reading::Claude => claude::read(front.yaml, front.tree),
    }
}
