//! Appends JSON to a string. Answers that grow with the document are written directly, without
//! building a value first.

/// Items with commas between them.
pub(super) fn separated<T>(
    items: impl IntoIterator<Item = T>,
    out: &mut String,
    mut write: impl FnMut(T, &mut String),
) {
    for (index, item) in items.into_iter().enumerate() {
        if index > 0 {
            out.push(',');
        }
        write(item, out);
    }
}

pub(super) fn number(number: u32, out: &mut String) {
    out.push_str(itoa::Buffer::new().format(number));
}

/// A string.
pub(super) fn text(text: &str, out: &mut String) {
    if text.bytes().any(|byte| byte < b' ' || matches!(byte, b'"' | b'\\')) {
        value(&text, out);
        return;
    }
    out.push('"');
    out.push_str(text);
    out.push('"');
}

/// Any other value.
pub(super) fn value(value: &impl serde::Serialize, out: &mut String) {
    out.push_str(&serde_json::to_string(value).unwrap_or_else(|_| "null".to_owned()));
}
