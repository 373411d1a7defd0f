//! The vocabularies that are public. The playground loads them by themselves.

/// The tokens of a text in the vocabulary of this name; `None` if it isn't known.
pub fn count(name: &str, text: &str) -> Option<usize> {
    let vocabulary = match name {
        "o200k" => tiktoken_rs::o200k_base_singleton(),
        "cl100k" => tiktoken_rs::cl100k_base_singleton(),
        _ => return None,
    };
    Some(vocabulary.encode_ordinary(text).len())
}
