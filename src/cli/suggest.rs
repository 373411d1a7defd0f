//! Did you mean…? For codes that nobody declared.

use std::collections::BTreeSet;

use crate::format;
use crate::rule::Rule;

/// The rule of a code.
///
/// # Errors
/// When there is none; the message names the nearest one.
pub fn rule(code: &str) -> anyhow::Result<&'static Rule> {
    format::rules().into_iter().find(|rule| rule.code == code).ok_or_else(|| unknown("rule", code, format::rules().into_iter().map(|rule| rule.code)))
}

/// Checks that every name is the code of a rule, or a group of rules.
///
/// # Errors
/// When one is neither; the message names the nearest one.
pub fn codes_or_groups<'a>(names: impl IntoIterator<Item = &'a str>) -> anyhow::Result<()> {
    let known: BTreeSet<&str> = format::rules().into_iter().flat_map(|rule| [rule.code, rule.group()]).collect();
    for name in names {
        if !known.contains(name) {
            return Err(unknown("rule or group of rules", name, known));
        }
    }
    Ok(())
}

fn unknown<'a>(what: &str, name: &str, known: impl IntoIterator<Item = &'a str>) -> anyhow::Error {
    match nearest(name, known) {
        Some(nearest) => anyhow::anyhow!("there is no {what} `{name}`; did you mean `{nearest}`?"),
        None => anyhow::anyhow!("there is no {what} `{name}`; `agentmd explain` lists them all"),
    }
}

/// The known name that is most like `name`, if one is.
fn nearest<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let name = name.to_lowercase();
    let likeness = |known: &str| {
        // The part behind the slash is what people remember.
        let tail = known.split_once('/').map_or(known, |(_, tail)| tail);
        strsim::normalized_damerau_levenshtein(&name, known).max(if name.contains('/') {
            0.0
        } else {
            strsim::normalized_damerau_levenshtein(&name, tail)
        })
    };
    let scored = known.into_iter().map(|known| (likeness(known), known));
    scored.filter(|(score, _)| *score >= 0.6).max_by(|a, b| a.0.total_cmp(&b.0).then(b.1.cmp(a.1))).map(|(_, known)| known)
}

#[cfg(test)]
mod tests {
    use super::nearest;

    #[test]
    fn the_nearest_name_is_suggested() {
        let known = ["markdown/unreadable", "markdownlang/unknown-field", "markdownlang"];
        assert_eq!(nearest("markdown/unreadble", known), Some("markdown/unreadable"));
        assert_eq!(nearest("unknown-feild", known), Some("markdownlang/unknown-field"));
        assert_eq!(nearest("Markdownlang/Unknown-Field", known), Some("markdownlang/unknown-field"));
        assert_eq!(nearest("zzz", known), None);
    }
}
