//! The public vocabularies, as packed by `build.rs`.

use std::sync::LazyLock;

use tiktoken_rs::{CoreBPE, O200K_BASE_PAT_STR};

/// Special tokens aren't counted as such: files only contain text.
static O200K: LazyLock<CoreBPE> = LazyLock::new(|| {
    let encoder = tokens().into_iter().zip(0..).collect();
    CoreBPE::new(encoder, Default::default(), O200K_BASE_PAT_STR).expect("the crate's own pattern")
});

/// The number of tokens of the text in the vocabulary with this name; `None` if it's unknown.
pub fn count(name: &str, text: &str) -> Option<usize> {
    (name == "o200k").then(|| O200K.count_ordinary(text))
}

/// The tokens in the order of their ranks.
fn tokens() -> Vec<Vec<u8>> {
    let packed = include_bytes!(concat!(env!("OUT_DIR"), "/o200k.deflate"));
    let bytes = miniz_oxide::inflate::decompress_to_vec(packed).unwrap_or_default();
    let Some((count, rest)) = bytes.split_first_chunk() else { return Vec::new() };
    let (lengths, mut tokens) = rest.split_at(u32::from_le_bytes(*count) as usize);
    let token = |length: &u8| tokens.split_off(..usize::from(*length)).map(<[u8]>::to_vec);
    lengths.iter().map_while(token).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_vocabulary_is_complete() {
        let original = tiktoken_rs::o200k_base().unwrap();
        let tokens = tokens();
        assert!(tokens.len() > 199_000);
        for (token, rank) in tokens.into_iter().zip(0..) {
            assert_eq!(original.decode_bytes(&[rank]).unwrap(), token);
        }
        let text = "Tokenizers split text; 日本 🦆 don't <|endoftext|>\r\n\n    of 1234567 pieces.";
        assert_eq!(O200K.encode_ordinary(text), original.encode_ordinary(text));
    }
}
