//! Replies in JSON, in every shape that models have used (DUCK-14, DUCK-15).

use serde_json::{Map, Value};

use super::super::vocabulary::VITALS;
use super::{Action, Mistake, Named, Reply, ReplySource};

/// After this many unclosed braces, the search for an object stops.
const MOST_UNCLOSED: usize = 16;

/// A reply that is only JSON, perhaps in a fence.
///
/// # Errors
/// If it isn't; the error says why.
pub fn whole(text: &str) -> Result<Reply, String> {
    let inner = match text.strip_prefix("```json") {
        Some(rest) => rest.rfind("```").and_then(|end| rest.get(..end)).unwrap_or(rest),
        None => text,
    };
    let value: Value = serde_json::from_str(inner.trim())
        .map_err(|error| format!("it starts like JSON but fails to parse: {error}"))?;
    match value {
        Value::Object(object) => Ok(reply(&object)),
        _ => Err("it is JSON, but not an object".to_owned()),
    }
}

/// Whether text is a JSON object that contains any part of a reply.
pub fn is_reply(text: &str) -> bool {
    serde_json::from_str::<Map<String, Value>>(text)
        .is_ok_and(|object| object.keys().any(|key| is_known(key)))
}

/// The first JSON object in text that contains any part of a reply.
///
/// # Errors
/// If the text has no such object.
pub fn embedded(text: &str) -> Result<Reply, String> {
    let (mut at, mut unclosed) = (0, 0);
    while let Some(start) = text.get(at..).and_then(|rest| rest.find('{')).map(|found| at + found) {
        let Some(end) = balanced(text, start) else {
            // A brace in the text before the object; each one costs a scan of the rest.
            unclosed += 1;
            if unclosed > MOST_UNCLOSED {
                break;
            }
            at = start + 1;
            continue;
        };
        if let Some(Ok(object)) =
            text.get(start..end).map(serde_json::from_str::<Map<String, Value>>)
            && object.keys().any(|key| is_known(key))
        {
            return Ok(reply(&object));
        }
        // Neither this balanced object nor its parts contain a reply.
        at = end;
    }
    Err("the text has no JSON object that contains a reply".to_owned())
}

fn is_known(key: &str) -> bool {
    matches!(key, "reasoning" | "actions" | "duck_vitals" | "vitals")
}

/// The end of the object that begins at `start`; braces in strings don't count.
fn balanced(text: &str, start: usize) -> Option<usize> {
    let (mut depth, mut string, mut escaped) = (0_usize, false, false);
    for (offset, byte) in text.bytes().enumerate().skip(start) {
        match byte {
            _ if escaped => escaped = false,
            b'\\' if string => escaped = true,
            b'"' => string = !string,
            b'{' if !string => depth += 1,
            b'}' if !string => {
                depth -= 1;
                if depth == 0 {
                    return Some(offset + 1);
                }
            }
            _ => {}
        }
    }
    None
}

fn reply(object: &Map<String, Value>) -> Reply {
    let text = |key: &str| object.get(key).map(written).unwrap_or_default();
    let known = ["duck_vitals", "vitals"]
        .iter()
        .find_map(|key| object.get(*key).and_then(Value::as_object));
    let vitals = match known {
        Some(vitals) => vitals
            .iter()
            .filter_map(|(name, value)| Some((name.to_ascii_lowercase(), number(value)?)))
            .collect(),
        None => VITALS
            .iter()
            .filter_map(|vital| {
                let name = vital.name.to_ascii_lowercase();
                let value = number(object.get(&name)?)?;
                Some((name, value))
            })
            .collect(),
    };
    let others = object.get("sections").and_then(Value::as_object).into_iter().flatten();
    let others = others.map(|(name, value)| (name.to_ascii_lowercase(), written(value)));
    // Values without a place in the model become sections.
    let own = |key: &str| {
        matches!(key, "reasoning" | "actions" | "duck_vitals" | "vitals" | "sections")
            || VITALS.iter().any(|vital| vital.name.eq_ignore_ascii_case(key))
    };
    let kept = object
        .iter()
        .filter(|(key, _)| !own(key))
        .map(|(key, value)| (key.to_ascii_lowercase(), written(value)));
    let mut sections = Named::default();
    for (name, text) in kept.chain(others) {
        sections.set(name, text);
    }
    let actions = object.get("actions").and_then(Value::as_array).into_iter().flatten();
    let actions =
        (0..).zip(actions).filter_map(|(index, action)| Some((index, action.as_object()?)));
    Reply {
        source: ReplySource::Json,
        reasoning: text("reasoning"),
        vitals,
        sections: sections.list,
        actions: actions.map(|(index, action)| read_action(action, index)).collect(),
        steps: Vec::new(),
        mistakes: mistakes(object),
    }
}

/// What is wrong with the values of a reply.
fn mistakes(object: &Map<String, Value>) -> Vec<Mistake> {
    let mut found = Vec::new();
    let mut add = |code: &'static str, stops: bool, message: String| {
        found.push(Mistake { code, message, stops });
    };
    let nested = ["duck_vitals", "vitals"].iter().find_map(|key| object.get(*key));
    if let Some(value) = nested.filter(|value| !value.is_object() && !value.is_null()) {
        add(
            "duckflow/vital-not-number",
            false,
            format!("the vitals are {}, not an object", kind_of(value)),
        );
    }
    let own = nested.and_then(Value::as_object).unwrap_or(object);
    for vital in VITALS {
        let value = own.iter().find(|(key, _)| vital.name.eq_ignore_ascii_case(key));
        let Some((name, value)) = value.filter(|(_, value)| !value.is_null()) else { continue };
        match number(value) {
            None => add(
                "duckflow/vital-not-number",
                false,
                format!("`{name}` is {}, not a number", kind_of(value)),
            ),
            Some(number) if !(0.0..=1.0).contains(&number) => {
                add(
                    "duckflow/vital-range",
                    false,
                    format!("`{name}` is {number}, but must be from 0 to 1"),
                );
            }
            Some(_) => {}
        }
    }
    match object.get("actions") {
        None | Some(Value::Null) => {}
        Some(Value::Array(actions)) => {
            for (index, action) in actions.iter().enumerate() {
                let Some(action) = action.as_object() else {
                    let kind = kind_of(action);
                    add(MISSING_TYPE, true, format!("action {index} is {kind}, not an object"));
                    continue;
                };
                if kind_key(action).is_none() {
                    add(MISSING_TYPE, true, format!("action {index} has no `type`"));
                }
                if let Some(content) = content(action).filter(|content| !content.is_string()) {
                    let kind = kind_of(content);
                    let message = format!("the content of action {index} is {kind}, not text");
                    add("duckflow/content-value", true, message);
                }
            }
        }
        Some(other) => {
            add(MISSING_TYPE, true, format!("`actions` is {}, not a list", kind_of(other)));
        }
    }
    found
}

const MISSING_TYPE: &str = "duckflow/missing-type";

/// What a value is, with its article.
fn kind_of(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "a Boolean",
        Value::Number(_) => "a number",
        Value::String(_) => "text",
        Value::Array(_) => "a list",
        Value::Object(_) => "an object",
    }
}

fn kind_key(action: &Map<String, Value>) -> Option<&'static str> {
    ["type", "action", "name"]
        .into_iter()
        .find(|key| action.get(*key).is_some_and(Value::is_string))
}

/// The object with an action's parameters, if they have one.
fn nested(action: &Map<String, Value>) -> Option<&Map<String, Value>> {
    ["parameters", "params"].iter().find_map(|key| action.get(*key).and_then(Value::as_object))
}

fn content(action: &Map<String, Value>) -> Option<&Value> {
    action
        .get("content")
        .or_else(|| nested(action).and_then(|nested| nested.get("content")))
        .filter(|content| !content.is_null())
}

/// `type` or `name`; parameters in their own object, or next to it.
fn read_action(action: &Map<String, Value>, index: u64) -> Action {
    let (kind_key, nested) = (kind_key(action), nested(action));
    let mut parameters = Named::default();
    for (key, value) in action.iter().chain(nested.into_iter().flatten()) {
        let outside = Some(key.as_str()) == kind_key
            || key == "content"
            || matches!(key.as_str(), "parameters" | "params") && value.is_object();
        if !outside {
            parameters.set(key.to_ascii_lowercase(), written(value));
        }
    }
    Action {
        index,
        kind: kind_key.and_then(|key| action.get(key)).map(written).unwrap_or_default(),
        parameters: parameters.list,
        content: content(action).map(written),
    }
}

fn number(value: &Value) -> Option<f64> {
    value
        .as_f64()
        .or_else(|| value.as_str()?.trim().parse().ok())
        .filter(|number| number.is_finite())
}

/// Strings as they are, other values as JSON.
fn written(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}
