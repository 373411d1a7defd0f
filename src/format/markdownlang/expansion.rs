//! Environment variables in the settings of servers: `${NAME}` and `${NAME:-default}`, as in the
//! configuration files of other MCP clients.

/// A reference to an environment variable.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reference<'a> {
    pub name: &'a str,
    pub default: Option<&'a str>,
}

/// A piece of text.
#[derive(Debug, PartialEq, Eq)]
enum Part<'a> {
    Text(&'a str),
    Reference(Reference<'a>),
}

fn parts(text: &str) -> Vec<Part<'_>> {
    let mut found = Vec::new();
    let mut rest = text;
    let mut searched = 0;
    while let Some(at) = rest.get(searched..).and_then(|rest| rest.find("${")) {
        let at = at + searched;
        let Some((reference, end)) = reference(rest, at) else {
            searched = at + 2;
            continue;
        };
        found.extend(rest.get(..at).filter(|text| !text.is_empty()).map(Part::Text));
        found.push(Part::Reference(reference));
        rest = rest.get(end..).unwrap_or_default();
        searched = 0;
    }
    if !rest.is_empty() {
        found.push(Part::Text(rest));
    }
    found
}

/// The reference at an offset, and its end.
fn reference(text: &str, at: usize) -> Option<(Reference<'_>, usize)> {
    let inner = text.get(at + 2..)?;
    let end = inner.find('}')?;
    let inner = inner.get(..end)?;
    let (name, default) = match inner.split_once(":-") {
        Some((name, default)) => (name, Some(default)),
        None => (inner, None),
    };
    let named = name.chars().all(|char| char.is_ascii_alphanumeric() || char == '_')
        && name.starts_with(|char: char| char.is_ascii_alphabetic() || char == '_');
    named.then_some((Reference { name, default }, at + 2 + end + 1))
}

/// The references in `text`.
pub fn references(text: &str) -> impl Iterator<Item = Reference<'_>> {
    parts(text).into_iter().filter_map(|part| match part {
        Part::Reference(reference) => Some(reference),
        Part::Text(_) => None,
    })
}

/// The text with its references replaced. A variable that is unset or empty has its default.
///
/// # Errors
/// The name of a variable that is unset and has no default.
pub fn expand(text: &str, value: &dyn Fn(&str) -> Option<String>) -> Result<String, String> {
    let mut expanded = String::with_capacity(text.len());
    for part in parts(text) {
        match part {
            Part::Text(text) => expanded.push_str(text),
            Part::Reference(Reference { name, default }) => match (value(name), default) {
                (Some(value), None) => expanded.push_str(&value),
                (Some(value), Some(_)) if !value.is_empty() => expanded.push_str(&value),
                (_, Some(default)) => expanded.push_str(default),
                (None, None) => return Err(name.to_owned()),
            },
        }
    }
    Ok(expanded)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn references_are_expanded() {
        let value = |name: &str| match name {
            "HOST" => Some("example.com".to_owned()),
            "EMPTY" => Some(String::new()),
            "NESTED" => Some("${HOST}".to_owned()),
            _ => None,
        };
        for (text, expected) in [
            ("", Ok("")),
            ("https://${HOST}/mcp", Ok("https://example.com/mcp")),
            ("${HOST}${HOST}", Ok("example.comexample.com")),
            ("${NONE:-a b}", Ok("a b")),
            ("${NONE:-}", Ok("")),
            ("${EMPTY}", Ok("")),
            ("${EMPTY:-x}", Ok("x")),
            ("${HOST:-x}", Ok("example.com")),
            // The value of a variable isn't expanded again.
            ("${NESTED}", Ok("${HOST}")),
            ("${NONE}", Err("NONE")),
            ("$HOST $ {HOST} ${} ${1} ${a b} ${HOST", Ok("$HOST $ {HOST} ${} ${1} ${a b} ${HOST")),
            ("${ ${HOST}", Ok("${ example.com")),
            ("日本${HOST}語", Ok("日本example.com語")),
        ] {
            let expanded = expand(text, &value);
            assert_eq!(
                expanded.as_ref().map(String::as_str).map_err(String::as_str),
                expected,
                "{text}"
            );
        }
        let found: Vec<_> =
            references("${A} ${B:-c}").map(|found| (found.name, found.default)).collect();
        assert_eq!(found, [("A", None), ("B", Some("c"))]);
    }
}
