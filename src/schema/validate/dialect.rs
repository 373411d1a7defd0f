//! `$schema`, `$id`, `$anchor`.

use super::super::DIALECT;
use super::super::finding::{Change, Finding};
use super::super::shape::Shape;
use super::{Entry, SchemaError, SchemaErrorKind};

pub(super) fn check(entry: &Entry<'_>, written: &str, errors: &mut Vec<SchemaError>) {
    if written.strip_suffix('#').unwrap_or(written) == DIALECT {
        return;
    }
    let message =
        format!("unsupported dialect; use draft 2020-12 (`{DIALECT}`), or remove `$schema`");
    let error = Finding::value(&entry.pointer, SchemaErrorKind::UnsupportedDialect, message);
    errors.push(
        error
            .fix("Use draft 2020-12", vec![Change::replace(&entry.pointer, DIALECT)])
            .fix("Remove `$schema`", vec![Change::remove(&entry.pointer)]),
    );
}

pub(super) fn name(entry: &Entry<'_>, shape: Shape, written: &str, errors: &mut Vec<SchemaError>) {
    let valid = match shape {
        Shape::Identifier => !written.strip_suffix('#').unwrap_or(written).contains('#'),
        _ => {
            written.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_')
                && written
                    .chars()
                    .all(|character| character.is_ascii_alphanumeric() || "-_.".contains(character))
        }
    };
    if valid {
        return;
    }
    let message = match shape {
        Shape::Identifier => "`$id` must be a URI without a fragment; use `$anchor` to name a \
            place inside the schema"
            .to_string(),
        _ => format!(
            "`{}` must begin with a letter or `_` and contain only letters, digits, `-`, \
            `_` and `.`",
            entry.keyword
        ),
    };
    let error = Finding::value(&entry.pointer, SchemaErrorKind::InvalidName, message);
    errors.push(match written.strip_prefix('#') {
        Some(bare) if shape == Shape::Anchor && !bare.is_empty() => {
            error.fix(format!("Write `{bare}`"), vec![Change::replace(&entry.pointer, bare)])
        }
        _ => error,
    });
}
