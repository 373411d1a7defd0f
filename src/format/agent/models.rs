//! Misspelled names of models. A name that isn't similar to any of the client's may be that of a
//! new model, or of one that a gateway offers.

use serde_json::Value;

use super::problem::{Cause, Problem};
use super::subject::Subject;
use crate::client::Role;
use crate::suggestion::closest;

/// The length of the context, which may follow a name: `opus[1m]`.
const CONTEXT: char = '[';
/// Names with at least this many letters are similar to few other words.
const LONG: usize = 5;

/// The misspelled names in the values that a client reads.
pub fn problems<'a>(
    subject: &Subject,
    role: &Role<'a>,
    values: &Value,
    found: &mut Vec<Problem<'a>>,
) {
    let models = &role.client.models;
    for (key, schema) in role.reads.properties() {
        if schema.get("x-names").and_then(Value::as_str) != Some("model") {
            continue;
        }
        let Some(name) = values.get(key).and_then(Value::as_str).map(str::trim) else { continue };
        let (Some(entry), Some(effect)) = (subject.entry(key), role.effect(key, "x-names")) else {
            continue;
        };
        let alias = name.split(CONTEXT).next().unwrap_or_default();
        let is_known = models.iter().any(|model| model.eq_ignore_ascii_case(alias));
        let is_word = alias.bytes().all(|byte| byte.is_ascii_alphanumeric());
        if is_known || !is_word {
            continue;
        }
        // Short names are similar to other words, so only a version after the name is a mistake.
        let bare = alias.trim_end_matches(|letter: char| letter.is_ascii_digit());
        let first = |name: &str| name.bytes().next().map(|letter| letter.to_ascii_lowercase());
        let is_long = |model: &&str| model.len() >= LONG && first(model) == first(alias);
        let mut names = models.iter().map(String::as_str);
        let near = names.clone().find(|model| model.eq_ignore_ascii_case(bare));
        let near = near.or_else(|| closest(alias, names.by_ref().filter(is_long)));
        let Some(near) = near else { continue };
        let all: Vec<String> = models.iter().map(|model| format!("`{model}`")).collect();
        let span = subject.value_place(entry);
        let problem = Problem::new(Cause::WrongValue, role.client, None, span, effect);
        let reason = format!("unknown model `{name}`; did you mean `{near}`?");
        found.push(problem.about(vec![key.to_owned()]).with(all.join(", ")).because("", &reason));
    }
}
