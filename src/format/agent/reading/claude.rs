//! Claude Code: YAML, and if that fails, YAML again with quotes around values that contain reserved
//! characters. Its source is closed. Its pages showed `paths: **/*.ts` and `paths:
//! {src,lib}/**/*.ts`, which work; a value with an unquoted `: ` loads since 2.1.69, in agents too
//! (reported with 2.1.259 for the agents that it ships). A value on several lines that aren't
//! indented is lost.

use super::{Keys, Read, yaml_npm};
use crate::yaml::{self, Tree};

pub(super) fn read(text: &str, tree: &Tree) -> Read {
    let strict = yaml_npm::read(tree);
    if strict != Read::Refused {
        return strict;
    }
    // Its own pages showed globs without quotes, so they don't count as mistakes.
    let globs = yaml_npm::read(&yaml::parse(&quoted(text, is_glob)));
    if globs != Read::Refused {
        return globs;
    }
    let prose = quoted(text, |value| is_glob(value) || is_prose(value));
    match yaml_npm::read(&yaml::parse(&prose)) {
        Read::Keys(keys) => Read::Keys(Keys { partly: true, ..keys }),
        other => other,
    }
}

/// Whether a value begins like a glob, which YAML reads as an alias or a mapping.
fn is_glob(value: &str) -> bool {
    value.starts_with(['*', '{'])
}

/// Whether a plain value contains `: `, which ends a key.
fn is_prose(value: &str) -> bool {
    !value.starts_with(['"', '\'', '[', '{', '|', '>', '&', '*', '!']) && value.contains(": ")
}

/// The text with quotes around values at column 0 that need them.
fn quoted(text: &str, needs: impl Fn(&str) -> bool) -> String {
    let lines = text.lines().map(|line| {
        let Some((key, value)) = line.split_once(": ") else { return line.to_owned() };
        let value = value.trim();
        if !line.starts_with([' ', '\t', '#', '-']) && needs(value) {
            format!("{key}: {}", yaml::quote(value))
        } else {
            line.to_owned()
        }
    });
    lines.collect::<Vec<_>>().join("\n")
}
