//! Claude Code's skills: YAML, and since 2.1.69 values with an unquoted `: ` too. Its source is
//! closed: the fallback is read from its change log, and quotes every such value of a line at
//! column 0.

use super::{Keys, Read, yaml_npm};
use crate::yaml;

pub(super) fn read(text: &str) -> Read {
    match yaml_npm::read(text) {
        Read::Refused => match yaml_npm::read(&quoted(text)) {
            Read::Keys(keys) => Read::Keys(Keys { partly: true, ..keys }),
            other => other,
        },
        read => read,
    }
}

/// The text with quotes around each plain one-line value that contains `: `.
fn quoted(text: &str) -> String {
    let lines = text.lines().map(|line| {
        let Some((key, value)) = line.split_once(": ") else { return line.to_owned() };
        let value = value.trim();
        let plain = !line.starts_with([' ', '\t', '#', '-'])
            && !value.starts_with(['"', '\'', '[', '{', '|', '>', '&', '*', '!']);
        if plain && value.contains(": ") {
            format!("{key}: {}", yaml::quote(value))
        } else {
            line.to_owned()
        }
    });
    lines.collect::<Vec<_>>().join("\n")
}
