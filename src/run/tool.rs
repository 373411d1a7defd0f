//! The tools of a model: imported programs, and the tools of servers.

use std::sync::Arc;

use serde_json::{Map, Value, json};

use super::journal::Journal;
use super::mcp::Servers;
use super::message::Declaration;
use super::program::Program;
use super::python;
use crate::format::markdownlang::mention::PYTHON;
use crate::schema::References;
use crate::template::function::Kinds;
use crate::template::types::Types;

/// A tool as the model sees it, and its implementation.
#[derive(Debug)]
pub struct Tool {
    pub name: String,
    description: String,
    parameters: Value,
    pub origin: Origin,
}

#[derive(Debug)]
pub enum Origin {
    Program {
        program: Arc<Program>,
        /// Its input isn't an object: it's wrapped as the only parameter of one.
        wrapped: bool,
    },
    /// The built-in interpreter.
    Python,
    /// The index of a server, and the tool's own name there.
    Server { place: usize, name: String },
}

/// The parameter of programs whose input isn't an object.
pub const WRAPPED: &str = "input";
/// Providers refuse longer names.
const LONGEST_NAME: usize = 64;

/// The tools of a program: its imports, Python if it has that, then those of its servers.
pub fn tools(
    program: &Program,
    has_python: bool,
    servers: &Servers,
    journal: &Journal,
) -> Vec<Tool> {
    let mut tools: Vec<Tool> = program.imports.iter().map(imported).collect();
    if has_python {
        tools.push(Tool {
            name: PYTHON.to_owned(),
            description: python::DESCRIPTION.to_owned(),
            parameters: python::parameters(),
            origin: Origin::Python,
        });
    }
    for (place, server, tool) in servers.tools() {
        let name = acceptable(&format!("mcp__{server}__{}", tool.name));
        let description =
            tool.description.as_deref().or(tool.title.as_deref()).unwrap_or_default().to_owned();
        let parameters = object(Value::Object(tool.input_schema.as_ref().clone()));
        let origin = Origin::Server { place, name: tool.name.to_string() };
        if tools.iter().any(|known| known.name == name) {
            journal.warn(&format!("duplicate tool name `{name}`; the second tool is left out"));
            continue;
        }
        tools.push(Tool { name, description, parameters, origin });
    }
    tools
}

fn imported(program: &Arc<Program>) -> Tool {
    let (parameters, wrapped) = parameters(&program.input.schema);
    Tool {
        name: program.name.clone(),
        description: program.description.clone(),
        parameters,
        origin: Origin::Program { program: Arc::clone(program), wrapped },
    }
}

/// The parameters of a program with this input, and whether they wrap it: an input need not be an
/// object.
fn parameters(input: &Value) -> (Value, bool) {
    let types = Types::new(Some(input));
    let kinds = types.kinds(&types.root());
    // A schema that doesn't restrict the type allows objects too.
    let is_object = Kinds::OBJECT.or(Kinds::NULL).holds(kinds) && kinds.holds(Kinds::OBJECT);
    if input.is_object() && (is_object || kinds == Kinds::ANY) {
        return (object(input.clone()), false);
    }
    let (schema, definitions) = References::new(input).moved(&format!("/properties/{WRAPPED}"));
    let mut wrapped = json!({ "type": "object", "properties": { WRAPPED: schema }, "required": [WRAPPED], "additionalProperties": false });
    if let Some(entries) = wrapped.as_object_mut() {
        entries.extend(definitions);
    }
    (wrapped, true)
}

/// Parameters are an object, regardless of the rest of the schema.
fn object(schema: Value) -> Value {
    let Value::Object(mut entries) = schema else { return json!({ "type": "object" }) };
    let kind = entries.entry("type").or_insert_with(|| Value::from("object"));
    // `[object, "null"]`
    if kind.as_array().is_some_and(|kinds| kinds.iter().any(|kind| kind == "object")) {
        *kind = Value::from("object");
    }
    // Providers require `properties` in parameters.
    if entries.get("type") == Some(&Value::from("object"))
        && !["$ref", "anyOf", "oneOf", "allOf"].iter().any(|word| entries.contains_key(*word))
    {
        entries.entry("properties").or_insert_with(|| Value::Object(Map::new()));
    }
    Value::Object(entries)
}

/// The name in characters that providers accept: letters, digits, `_` and `-`, at most 64.
fn acceptable(name: &str) -> String {
    let name: String = name
        .chars()
        .map(
            |char| {
                if char.is_ascii_alphanumeric() || matches!(char, '_' | '-') { char } else { '_' }
            },
        )
        .collect();
    if name.len() <= LONGEST_NAME {
        return name;
    }
    // The same for equal names, and different for others.
    let hash = name.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    });
    format!("{}_{:08x}", name.get(..LONGEST_NAME - 9).unwrap_or_default(), hash & 0xffff_ffff)
}

impl Tool {
    /// As the model sees it.
    pub fn declaration(&self) -> Declaration {
        Declaration {
            name: self.name.clone(),
            description: self.description.clone(),
            parameters: self.parameters.clone(),
        }
    }
}

/// Parses the model's arguments; an empty string means none.
///
/// # Errors
/// If they aren't a JSON object.
pub fn arguments(text: &str) -> Result<Map<String, Value>, String> {
    if text.trim().is_empty() {
        return Ok(Map::new());
    }
    match serde_json::from_str(text) {
        Ok(Value::Object(arguments)) => Ok(arguments),
        Ok(Value::Null) => Ok(Map::new()),
        Ok(_) => Err("the arguments are not a JSON object".to_owned()),
        Err(error) => Err(format!("the arguments are not JSON: {error}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mdl_24_names_are_accepted_by_providers() {
        assert_eq!(acceptable("mcp__files__read_file"), "mcp__files__read_file");
        assert_eq!(acceptable("mcp__files__read.file/日"), "mcp__files__read_file__");
        let (one, two) = (
            acceptable(&format!("mcp__a__{}1", "x".repeat(80))),
            acceptable(&format!("mcp__a__{}2", "x".repeat(80))),
        );
        assert!(one.len() == 64 && two.len() == 64 && one != two);
    }

    #[test]
    fn mdl_31_every_input_becomes_an_object() {
        let string = json!({ "type": "string" });
        let list =
            json!({ "type": "array", "items": { "$ref": "#/$defs/s" }, "$defs": { "s": string } });
        let tree = json!({ "type": ["array", "null"], "items": { "$ref": "#" } });
        for (input, expected, definitions) in [
            (json!({ "anyOf": [string, { "type": "integer" }] }), None, None),
            (json!({ "enum": ["a", "b"] }), None, None),
            (json!({ "const": "a" }), None, None),
            (json!({ "type": ["string", "null"] }), None, None),
            (json!({ "oneOf": [{ "type": "object" }, string] }), None, None),
            (json!(true), None, None),
            (
                json!({ "$ref": "#/$defs/s", "$defs": { "s": string } }),
                Some(json!({ "$ref": "#/$defs/s" })),
                Some(json!({ "s": string })),
            ),
            (
                list,
                Some(json!({ "type": "array", "items": { "$ref": "#/$defs/s" } })),
                Some(json!({ "s": string })),
            ),
            (
                tree,
                Some(
                    json!({ "type": ["array", "null"], "items": { "$ref": "#/properties/input" } }),
                ),
                None,
            ),
        ] {
            let (found, is_wrapped) = parameters(&input);
            let expected = expected.unwrap_or(input);
            assert!(is_wrapped && found["type"] == "object", "{found}");
            assert_eq!(found["properties"]["input"], expected);
            assert_eq!(found.get("$defs"), definitions.as_ref());
        }
        let own = json!({ "type": "object", "properties": { "x": string } });
        for input in [
            own.clone(),
            json!({ "type": ["object", "null"], "properties": { "x": string } }),
            json!({ "properties": { "x": string } }),
        ] {
            assert_eq!(parameters(&input).0["properties"], own["properties"], "{input}");
            assert_eq!(
                (&parameters(&input).0["type"], parameters(&input).1),
                (&json!("object"), false)
            );
        }
        let referred = json!({ "$ref": "#/$defs/o", "$defs": { "o": own } });
        assert!(!parameters(&referred).1 && !parameters(&json!({})).1);
    }

    #[test]
    fn mdl_30_arguments_are_an_object() {
        assert_eq!(arguments("").unwrap(), Map::new());
        assert_eq!(arguments("null").unwrap(), Map::new());
        assert_eq!(arguments("{\"a\": 1}").unwrap().len(), 1);
        for wrong in ["{", "[1]", "3", "{\"a\": 1} {}"] {
            assert!(arguments(wrong).is_err(), "{wrong}");
        }
    }
}
