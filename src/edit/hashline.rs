//! Anchors such as `11#KT`: a line number and a checksum of the line, in the format of oh-my-pi and
//! similar tools.

use xxhash_rust::xxh32::xxh32;

use super::lines::Lines;

const LETTERS: &[u8; 16] = b"ZPMQVRWSNKTXJBYH";

/// The line, counted from 0, and the checksum of an anchor.
pub fn anchor(text: &str) -> Option<(usize, &str)> {
    let (number, hash) = text.trim().split_once(['#', ':'])?;
    let hash = hash.split([':', '|']).next()?;
    let line = number.trim().parse::<usize>().ok()?.checked_sub(1)?;
    (!hash.is_empty()).then_some((line, hash))
}

/// Whether the lines of a file still have the checksums of the anchors.
pub fn hold(file: &Lines, anchors: &[String]) -> bool {
    anchors.iter().all(|text| {
        let Some((line, hash)) = anchor(text).filter(|(line, _)| *line < file.len()) else {
            return false;
        };
        hashes(line, file.content(line)).iter().any(|known| known == hash)
    })
}

/// The checksums of a line, current and legacy. Lines without letters are hashed with their number.
fn hashes(line: usize, content: &str) -> [String; 2] {
    let trimmed = content.trim_end();
    let seed = if trimmed.contains(char::is_alphanumeric) {
        0
    } else {
        u32::try_from(line + 1).unwrap_or_default()
    };
    let bare: String = content.chars().filter(|letter| !letter.is_whitespace()).collect();
    [code(xxh32(trimmed.as_bytes(), seed)), code(xxh32(bare.as_bytes(), 0))]
}

fn code(hash: u32) -> String {
    let byte = usize::from(hash.to_le_bytes()[0]);
    [byte >> 4, byte & 15]
        .into_iter()
        .filter_map(|nibble| LETTERS.get(nibble))
        .map(|letter| char::from(*letter))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn anchors_are_valid_while_their_lines_are_unchanged() {
        let file = Lines::new("fn main() {\n    let a = 1;\n}\n");
        let own = |line: usize| format!("{}#{}", line + 1, hashes(line, file.content(line))[0]);
        assert!(hold(&file, &[own(0), own(2)]));
        assert!(!hold(&Lines::new("fn main() {\n    let a = 2;\n}\n"), &[own(1)]));
        assert!(!hold(&file, &["9#KT".to_owned()]) && !hold(&file, &["x".to_owned()]));
        assert_eq!(anchor("11#KT: text"), Some((10, "KT")));
    }

    #[test]
    fn checksums_are_those_of_xxhash() {
        // From the algorithm's own test vectors: the empty text with seed 0 is 0x02cc5d05.
        assert_eq!(xxh32(b"", 0), 0x02cc_5d05);
        assert_eq!(code(0x02cc_5d05), "ZR");
    }
}
