//! Kinds that the settings define, as a client with one kind and one schema.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use serde_json::Value;

use super::loading::{GlobReading, Loading};
use super::{Client, Effect, InPlugin, Kind, Outcome, Reading, Reads, Tools, Writes};

/// The effect of a value that breaks the schema. The schema says everything; more text would add
/// nothing.
pub fn broken() -> Effect {
    Effect { outcome: Outcome::NotLoaded, text: String::new() }
}

impl Client {
    /// A kind that the settings define.
    pub fn own(name: &str, places: &[String], keys: Value) -> Self {
        let required = keys.get("required").and_then(Value::as_array);
        let without = required.filter(|keys| !keys.is_empty()).map(|_| broken());
        let reads = Reads {
            kind: Kind::Own,
            source: String::new(),
            places: places.to_vec(),
            new_place: None,
            plugin_places: Vec::new(),
            when: Vec::new(),
            globs: GlobReading::default(),
            in_plugin: InPlugin::default(),
            looks: None,
            anywhere: false,
            list: false,
            reserved: Vec::new(),
            reading: Reading::YamlNpm,
            without,
            unreadable: Some(broken()),
            folder: None,
            unknown: None,
            plain: false,
            misplaced: Vec::new(),
            limits: Vec::new(),
            substitutes: None,
            imports: None,
            editor_reports: Vec::new(),
            loads: Vec::new(),
            text_key: None,
            keys,
            keys_like: None,
            compiled: OnceLock::new(),
        };
        Self {
            name: name.to_owned(),
            title: name.to_owned(),
            aliases: Vec::new(),
            signs: Vec::new(),
            plugin_marker: None,
            plugin_list: None,
            sources: BTreeMap::new(),
            loading: Loading::default(),
            reads: vec![reads],
            toml_files: Vec::new(),
            tools: Tools::default(),
            writes: Writes::default(),
            models: Vec::new(),
            agents_by_name: false,
            merges_skills: false,
            skills_before_commands: false,
            built_in: BTreeMap::new(),
            skill_sign: None,
            servers: Vec::new(),
            manifests: Vec::new(),
            settings: None,
        }
    }
}
