//! Extracts JSON from the model's text.

use serde_json::Value;

/// The text parsed as JSON: the text itself, or the content of its only fence.
///
/// # Errors
/// The JSON parser's error.
pub fn read(text: &str) -> Result<Value, String> {
    let text = text.trim().trim_start_matches('\u{feff}').trim();
    let error = match serde_json::from_str(text) {
        Ok(value) => return Ok(value),
        Err(error) => error,
    };
    match fenced(text).map(serde_json::from_str) {
        Some(Ok(value)) => Ok(value),
        Some(Err(error)) => Err(error.to_string()),
        None if text.is_empty() => Err("it is empty".to_owned()),
        None => Err(error.to_string()),
    }
}

/// The content of the first fence, if the text has one.
fn fenced(text: &str) -> Option<&str> {
    let mut offset = 0;
    let mut open: Option<(usize, &str)> = None;
    for line in text.split_inclusive('\n') {
        let bare = line.trim();
        match open {
            None if bare.starts_with("```") || bare.starts_with("~~~") => {
                let sign = bare.chars().next()?;
                let length = bare.len() - bare.trim_start_matches(sign).len();
                open = Some((offset + line.len(), bare.get(..length)?));
            }
            Some((start, fence))
                if bare.starts_with(fence)
                    && bare.trim_start_matches(fence.chars().next()?).is_empty() =>
            {
                return text.get(start..offset);
            }
            _ => {}
        }
        offset += line.len();
    }
    // An unclosed fence contains the rest.
    open.and_then(|(start, _)| text.get(start..))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn mdl_29_a_fence_is_removed() {
        for text in [
            "{\"a\": 1}",
            " \n{\"a\": 1}\n",
            "\u{feff}{\"a\": 1}",
            "```json\n{\"a\": 1}\n```",
            "```\n{\"a\": 1}\n```\n",
            "````json\n{\"a\": 1}\n````",
            "~~~\n{\"a\": 1}\n~~~",
            "Here it is:\r\n\r\n```json\r\n{\"a\": 1}\r\n```\r\nBye.",
            "```json\n{\"a\": 1}",
        ] {
            assert_eq!(read(text), Ok(json!({ "a": 1 })), "{text:?}");
        }
        // A value that contains a fence is a value.
        assert_eq!(read("{\"a\": \"```\\n{}\\n```\"}"), Ok(json!({ "a": "```\n{}\n```" })));
        for text in ["", "Sorry.", "{\"a\": 1", "```json\n{\n```", "{} {}"] {
            assert!(read(text).is_err(), "{text:?}");
        }
    }
}
