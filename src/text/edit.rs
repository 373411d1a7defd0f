use super::Span;

/// A replacement: the bytes of `span` become `text`. The crate's only edit type.
#[derive(Debug, Clone, PartialEq, Eq, Hash, serde::Serialize)]
pub struct Edit {
    pub span: Span,
    pub text: String,
}

impl Edit {
    pub fn insert(offset: usize, text: impl Into<String>) -> Self {
        Self { span: offset..offset, text: text.into() }
    }

    pub fn replace(span: Span, text: impl Into<String>) -> Self {
        Self { span, text: text.into() }
    }

    pub fn delete(span: Span) -> Self {
        Self { span, text: String::new() }
    }
}

/// Two edits overlap, or one is outside the text or splits a character.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the edits overlap or are outside the text")]
pub struct OverlappingEdits;

/// The text after all `edits`, whose spans refer to the text before any of them. Insertions at the
/// same offset keep their order.
///
/// # Errors
/// If edits overlap, or a span is not inside the text on character boundaries.
pub fn apply(text: &str, edits: &[Edit]) -> Result<String, OverlappingEdits> {
    let mut order: Vec<&Edit> = edits.iter().collect();
    order.sort_by_key(|edit| (edit.span.start, edit.span.end));
    let mut out =
        String::with_capacity(text.len() + edits.iter().map(|edit| edit.text.len()).sum::<usize>());
    let mut last = 0;
    for edit in order {
        let kept = if edit.span.start < last { None } else { text.get(last..edit.span.start) };
        out.push_str(kept.ok_or(OverlappingEdits)?);
        out.push_str(&edit.text);
        text.get(edit.span.clone()).ok_or(OverlappingEdits)?;
        last = edit.span.end;
    }
    out.push_str(text.get(last..).ok_or(OverlappingEdits)?);
    Ok(out)
}

/// The smallest single edit that turns `old` into `new`; `None` when they are equal.
pub fn difference(old: &str, new: &str) -> Option<Edit> {
    if old == new {
        return None;
    }
    let mut start = common(old.as_bytes(), new.as_bytes());
    while !old.is_char_boundary(start) || !new.is_char_boundary(start) {
        start -= 1;
    }
    let (old_rest, new_rest) = (old.get(start..).unwrap_or(""), new.get(start..).unwrap_or(""));
    let mut end = common_end(old_rest.as_bytes(), new_rest.as_bytes());
    while !old_rest.is_char_boundary(old_rest.len() - end)
        || !new_rest.is_char_boundary(new_rest.len() - end)
    {
        end -= 1;
    }
    let text = new_rest.get(..new_rest.len() - end).unwrap_or("");
    Some(Edit::replace(start..old.len() - end, text))
}

/// The number of bytes that are compared at once.
const CHUNK: usize = 4096;

/// The length of the common prefix.
fn common(a: &[u8], b: &[u8]) -> usize {
    let chunks = a.chunks_exact(CHUNK).zip(b.chunks_exact(CHUNK));
    let known = chunks.take_while(|(a, b)| a == b).count() * CHUNK;
    let (a, b) = (a.get(known..).unwrap_or_default(), b.get(known..).unwrap_or_default());
    known + a.iter().zip(b).take_while(|(a, b)| a == b).count()
}

/// The length of the common suffix.
fn common_end(a: &[u8], b: &[u8]) -> usize {
    let chunks = a.rchunks_exact(CHUNK).zip(b.rchunks_exact(CHUNK));
    let known = chunks.take_while(|(a, b)| a == b).count() * CHUNK;
    let (a, b) = (
        a.get(..a.len() - known).unwrap_or_default(),
        b.get(..b.len() - known).unwrap_or_default(),
    );
    known + a.iter().rev().zip(b.iter().rev()).take_while(|(a, b)| a == b).count()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn edits_apply_together() {
        let edits = [
            Edit::replace(4..5, "X"),
            Edit::insert(0, ">"),
            Edit::insert(0, "> "),
            Edit::delete(1..3),
        ];
        assert_eq!(apply("abcdefg", &edits).as_deref(), Ok(">> adXfg"));
        assert_eq!(apply("abc", &[Edit::delete(0..2), Edit::delete(1..3)]), Err(OverlappingEdits));
        assert_eq!(apply("é", &[Edit::insert(1, "x")]), Err(OverlappingEdits));
        assert_eq!(apply("é", &[Edit::insert(9, "x")]), Err(OverlappingEdits));
    }

    proptest! {
        #[test]
        fn a_difference_turns_old_into_new(old in "[aé🦆\n]{0,12}", new in "[aé🦆\n]{0,12}") {
            let edits: Vec<Edit> = difference(&old, &new).into_iter().collect();
            prop_assert_eq!(apply(&old, &edits).unwrap(), new);
        }
    }
}
