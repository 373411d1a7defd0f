//! Errors in settings, worded for users. The messages of serde are about Rust types.

use crate::suggestion::closest;

/// A message of serde about a value, reworded.
pub fn plain(message: &str, written: &str) -> String {
    if written.parse::<toml::value::Datetime>().is_ok() {
        return dated(message, written);
    }
    unknown(message).unwrap_or_else(|| expected(message))
}

/// `unknown field`, with the most similar name of those that it lists.
fn unknown(message: &str) -> Option<String> {
    let (what, rest) = [("unknown field `", "setting"), ("unknown variant `", "value")]
        .iter()
        .find_map(|(start, what)| Some((what, message.strip_prefix(start)?)))?;
    let (name, list) = rest.rsplit_once("`, expected ")?;
    let known: Vec<&str> = list.split('`').skip(1).step_by(2).collect();
    Some(match (closest(name, known.iter().copied()), known.is_empty()) {
        (Some(near), _) => format!("unknown {what} `{name}`; did you mean `{near}`?"),
        (None, false) => {
            let known: Vec<String> = known.iter().map(|name| format!("`{name}`")).collect();
            format!("unknown {what} `{name}`; use {}", or(&known))
        }
        (None, true) => format!("unknown {what} `{name}`"),
    })
}

/// A message about a date. For serde, it's a table with a private key.
fn dated(message: &str, written: &str) -> String {
    let words = expected(message);
    let wanted = match words.strip_prefix("expected ") {
        Some(rest) => rest.split_once(", found ").map_or(rest, |(wanted, _)| wanted),
        None if message.starts_with("unknown field") => "a table",
        None => return words,
    };
    format!("expected {wanted}, found date `{written}`")
}

fn or(list: &[String]) -> String {
    match list.split_last() {
        Some((last, [])) => last.clone(),
        Some((last, rest)) => format!("{} or {last}", rest.join(", ")),
        None => String::new(),
    }
}

/// Rust types, and their names in TOML and JSON.
const TYPES: &[(&str, &str)] = &[
    ("usize", "a whole number, 0 or more"),
    ("f64", "a number"),
    ("a boolean", "`true` or `false`"),
    ("a sequence", "a list"),
    ("a map", "a table"),
];

/// A message about a wrong type, with the usual names of types.
fn expected(message: &str) -> String {
    let Some((before, wanted)) = message.rsplit_once(", expected ") else {
        // A value from a list of words may also be written as a table.
        let word = message == "wanted string or table";
        return if word { "expected a string".to_owned() } else { message.to_owned() };
    };
    let found = before
        .strip_prefix("invalid type: ")
        .or_else(|| before.strip_prefix("invalid value: "))
        .map(usual_found);
    let Some(found) = found else { return message.to_owned() };
    let usual = TYPES.iter().find(|(name, _)| *name == wanted).map(|(_, usual)| *usual);
    let usual = usual.unwrap_or(if wanted.starts_with("struct ") { "a table" } else { wanted });
    format!("expected {usual}, found {found}")
}

/// The found part of a message, with the usual name of a type; a value stays as written.
fn usual_found(found: &str) -> String {
    let number = found.strip_prefix("floating point ");
    let integer = |found: &str| {
        let integer = found.strip_prefix("integer ")?;
        Some(integer.rsplit_once(" as ")?.0.to_owned())
    };
    match (found, number) {
        ("sequence", _) => "list".to_owned(),
        ("map", _) => "table".to_owned(),
        (_, Some(number)) => format!("number {number}"),
        _ => integer(found).map_or_else(|| found.to_owned(), |value| format!("integer {value}")),
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use crate::config::Config;

    #[test]
    fn messages_do_not_mention_rust_types() {
        for (text, said) in [
            ("max_findings = 3", "unknown setting `max_findings`; did you mean `max-findings`?"),
            (
                "[[kinds]]\nzzz = 1",
                "unknown setting `zzz`; use `name`, `files`, `globs` or `schema`",
            ),
            ("[budget]\nx = 1", "unknown setting `x`; use `always`"),
            ("[rules]\na = \"warn\"", "unknown value `warn`; did you mean `warning`?"),
            ("max-findings = \"🦆\"", "expected a whole number, 0 or more, found string \"🦆\""),
            ("max-findings = -1", "expected a whole number, 0 or more, found integer `-1`"),
            ("max-findings = 1.5", "expected a whole number, 0 or more, found number `1.5`"),
            ("[prices.m]\ninput = \"a\"\noutput = 1", "expected a number, found string \"a\""),
            ("select = \"x\"", "expected a list, found string \"x\""),
            (
                "select = \"floating point sequence\"",
                "expected a list, found string \"floating point sequence\"",
            ),
            (
                "max-findings = 99999999999999999999",
                "expected a whole number, 0 or more, found integer `99999999999999999999`",
            ),
            ("select = { a = 1 }", "expected a list, found table"),
            ("prices = [1]", "expected a table, found list"),
            ("budget = 3", "expected a table, found integer `3`"),
            ("inlay-hints = 1", "expected `true` or `false`, found integer `1`"),
            ("budget = 1979-05-27", "expected a table, found date `1979-05-27`"),
            (
                "max-findings = 07:32:00",
                "expected a whole number, 0 or more, found date `07:32:00`",
            ),
            ("select = 1979-05-27T07:32:00Z", "expected a list, found date `1979-05-27T07:32:00Z`"),
            ("select = [1979-05-27]", "expected a string, found date `1979-05-27`"),
            ("[rules]\na = 1", "expected a string"),
            ("[rules]\na = 1979-05-27", "expected a string, found date `1979-05-27`"),
            ("x=", "string values must be quoted, expected literal string"),
        ] {
            let error = Config::from_text(Path::new("/w/agentmd.toml"), text).unwrap_err();
            let message = error.to_string();
            assert!(message.ends_with(&format!(": {said}")), "{text}: {message}");
        }
    }
}
