//! `$ref` and `$dynamicRef`.

use super::super::finding::{Change, Finding};
use super::super::reference::{References, Target};
use super::{Entry, SchemaError, SchemaErrorKind};
use crate::suggestion::closest;

pub(super) fn check(
    entry: &Entry<'_>,
    written: &str,
    references: &References<'_>,
    errors: &mut Vec<SchemaError>,
) {
    let escaped = escape(written);
    if escaped != written {
        let message = format!(
            "`{}` must be a URI, which can't contain spaces and some other characters; write \
                `{escaped}`",
            entry.keyword
        );
        let error = Finding::value(&entry.pointer, SchemaErrorKind::InvalidReference, message);
        return errors.push(
            error.fix(format!("Write `{escaped}`"), vec![Change::replace(&entry.pointer, escaped)]),
        );
    }
    let (kind, message) = match references.resolve(&entry.place.pointer, written) {
        Target::Found { .. } | Target::MetaSchema => return,
        Target::NotASchema { .. } => (
            SchemaErrorKind::UnresolvedReference,
            format!(
                "`{}` points to `{written}`, which is not a schema; refer to a mapping of \
                    keywords, such as one under `$defs`",
                entry.keyword
            ),
        ),
        Target::Missing => (
            SchemaErrorKind::UnresolvedReference,
            format!(
                "`{}` points to `{written}`, which doesn't exist in this schema; define it under \
                    `$defs`, or refer to another",
                entry.keyword
            ),
        ),
        Target::Remote => (
            SchemaErrorKind::RemoteReference,
            format!(
                "`{}` points outside of this schema to `{written}`, which is never fetched; copy \
                    that schema into `$defs` and refer to `#/$defs/…`",
                entry.keyword
            ),
        ),
    };
    let mut error = Finding::value(&entry.pointer, kind, message);
    if let Some(meant) = meant(written, &references.candidates()) {
        error.message.push_str(&format!("; did you mean `{meant}`?"));
        error =
            error.fix(format!("Refer to `{meant}`"), vec![Change::replace(&entry.pointer, meant)]);
    }
    errors.push(error);
}

/// The reference with all invalid URI characters escaped, including `%` without digits.
fn escape(written: &str) -> String {
    let mut escaped = String::with_capacity(written.len());
    let mut fragment = false;
    for (at, byte) in written.bytes().enumerate() {
        let digits = || {
            written
                .as_bytes()
                .get(at + 1..at + 3)
                .is_some_and(|digits| digits.iter().all(u8::is_ascii_hexdigit))
        };
        let kept = match byte {
            b'#' => !std::mem::replace(&mut fragment, true),
            b'%' => digits(),
            _ => byte.is_ascii_alphanumeric() || b"-._~:/?@!$&'()*+,;=".contains(&byte),
        };
        match kept {
            true => escaped.push(char::from(byte)),
            false => escaped.push_str(&format!("%{byte:02X}")),
        }
    }
    escaped
}

/// The same name under another parent (`definitions` for `$defs`, or none at all), or a similar
/// name.
fn meant(written: &str, candidates: &[String]) -> Option<String> {
    let name =
        |reference: &str| reference.rsplit(['/', '#']).next().unwrap_or_default().to_string();
    let wanted = name(written);
    let wanted = wanted.strip_suffix(".json").unwrap_or(&wanted).to_string();
    let names: Vec<String> = candidates.iter().map(|candidate| name(candidate)).collect();
    let found = match names.iter().find(|name| **name == wanted) {
        Some(name) => name.as_str(),
        None => closest(&wanted, names.iter().map(String::as_str))?,
    };
    candidates
        .iter()
        .zip(&names)
        .find(|(_, name)| *name == found)
        .map(|(candidate, _)| candidate.clone())
}
