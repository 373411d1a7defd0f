//! JSON files around agent files, read with the place of every value. Errors are reported, and the
//! rest is still read.

use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use crate::source::Source;
use crate::text::{Encoding, Position};
use crate::world::{ReadError, World};
use crate::yaml::{self, Tree};

/// A JSON file, which may have comments and trailing commas.
#[derive(Debug)]
pub struct Json {
    pub tree: Tree,
    /// Why it isn't valid JSON, and where (line and column counted from 0).
    pub error: Option<(String, Position)>,
}

/// A file that isn't valid JSON.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Broken {
    pub path: PathBuf,
    /// The error, with its line and column counted from 1.
    pub message: String,
}

/// Larger files aren't written by hand.
const LONGEST: usize = 4 << 20;

/// The JSON of a file, parsed once for each version of its text.
///
/// # Errors
/// If it can't be read.
pub fn read(world: &dyn World, path: &Path) -> Result<Arc<Json>, ReadError> {
    source(world, path).map(|source| of(&source))
}

/// The text of a JSON file.
///
/// # Errors
/// If it can't be read.
pub fn source(world: &dyn World, path: &Path) -> Result<Source, ReadError> {
    let source = world.read(path)?;
    if source.len() > LONGEST {
        let (bytes, limit) = (source.len() as u64, LONGEST as u64);
        return Err(ReadError::TooLarge { bytes, limit });
    }
    Ok(source)
}

/// The JSON of a document.
pub fn of(source: &Source) -> Arc<Json> {
    let memo = source.memo().get::<OnceLock<Arc<Json>>>();
    Arc::clone(memo.get_or_init(|| Arc::new(parse(source))))
}

/// The error in a file; `None` if it's valid or doesn't exist.
pub fn broken(world: &dyn World, path: &Path) -> Option<Broken> {
    let message = match read(world, path) {
        Ok(json) => {
            // An empty file has only just been created.
            json.tree.root.as_ref()?;
            let (message, at) = json.error.as_ref()?;
            format!("{message} at line {}, column {}", at.line + 1, at.column + 1)
        }
        Err(ReadError::Missing | ReadError::Folder | ReadError::Outside) => return None,
        Err(error) => error.to_string(),
    };
    Some(Broken { path: path.to_owned(), message })
}

/// Why a document isn't valid JSON, and where. An empty document isn't an error.
pub fn error(source: &Source) -> Option<(String, usize)> {
    let json = of(source);
    json.tree.root.as_ref()?;
    let (message, at) = json.error.clone()?;
    Some((message, source.offset(at, Encoding::Utf32)))
}

fn parse(source: &Source) -> Json {
    let text = source.slice(0..source.len());
    let (plain, strict) = blanked(&text);
    let error = serde_json::from_str::<serde::de::IgnoredAny>(&strict).err().map(|error| {
        let message = error.to_string();
        let message = message.split(" at line").next().unwrap_or_default().to_owned();
        let line = u32::try_from(error.line().saturating_sub(1)).unwrap_or(u32::MAX);
        let start = source.offset(Position { line, column: 0 }, Encoding::Utf8);
        let offset = start + error.column().saturating_sub(1);
        (message, source.position(offset.min(source.len()), Encoding::Utf32))
    });
    Json { tree: yaml::parse(&plain), error }
}

/// The text with comments, tabs and a byte order mark replaced by spaces of the same length; and
/// the same without trailing commas.
fn blanked(text: &str) -> (String, String) {
    let mut out = text.as_bytes().to_vec();
    let mut commas: Vec<usize> = Vec::new();
    let (mut at, mut last_comma) = (0, None);
    let blank = |out: &mut Vec<u8>, from: usize, to: usize| {
        for byte in out.iter_mut().take(to).skip(from) {
            if !matches!(byte, b'\n' | b'\r') {
                *byte = b' ';
            }
        }
    };
    if text.starts_with('\u{feff}') {
        blank(&mut out, 0, 3);
        at = 3;
    }
    let bytes = text.as_bytes();
    while let Some(byte) = bytes.get(at) {
        let rest = bytes.get(at..).unwrap_or_default();
        match byte {
            b'"' => {
                let mut end = at + 1;
                while let Some(byte) = bytes.get(end) {
                    match byte {
                        b'\\' => end += 1,
                        b'"' | b'\n' => break,
                        _ => {}
                    }
                    end += 1;
                }
                at = end;
                last_comma = None;
            }
            b'/' if rest.starts_with(b"//") => {
                let end = memchr::memchr(b'\n', rest).map_or(bytes.len(), |end| at + end);
                blank(&mut out, at, end);
                at = end;
                continue;
            }
            b'/' if rest.starts_with(b"/*") => {
                let end = memchr::memmem::find(rest, b"*/").map_or(bytes.len(), |end| at + end + 2);
                blank(&mut out, at, end);
                at = end;
                continue;
            }
            b'\t' => blank(&mut out, at, at + 1),
            b',' => last_comma = Some(at),
            b'}' | b']' => commas.extend(last_comma.take()),
            byte if byte.is_ascii_whitespace() => {}
            _ => last_comma = None,
        }
        at += 1;
    }
    let plain = String::from_utf8_lossy(&out).into_owned();
    for comma in commas {
        blank(&mut out, comma, comma + 1);
    }
    (plain, String::from_utf8_lossy(&out).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::world::Memory;

    #[test]
    fn comments_and_commas_are_read_and_errors_have_a_place() {
        let path = Path::new("/w/mcp.json");
        for (text, keys, error) in [
            ("{\"a\": 1, // b\n\t\"c\": \"//\", /* 🦆 */}", vec!["a", "c"], None),
            ("\u{feff}{\r\n\t\"日本\": {},\r\n}", vec!["日本"], None),
            ("{\"a\": 1\n \"b\": 2}", vec!["a"], Some("line 2, column 2")),
            ("{\"a\": {\"b\": 1}", vec!["a"], Some("line 1, column 14")),
            ("", vec![], None),
            ("{\"a\": \"\\", vec![], Some("line 1")),
        ] {
            let world = Memory::default().with(path, text);
            let json = read(&world, path).unwrap();
            let found: Vec<&str> =
                json.tree.entries().filter_map(|entry| entry.key.as_str()).collect();
            assert!(keys.iter().all(|key| found.contains(key)), "{text:?}: {found:?}");
            let told = broken(&world, path).map(|broken| broken.message);
            match error {
                None => assert_eq!(told, None, "{text:?}"),
                Some(place) => {
                    assert!(told.as_ref().is_some_and(|told| told.contains(place)), "{told:?}")
                }
            }
        }
        assert_eq!(broken(&Memory::default(), path), None);
    }

    proptest::proptest! {
        #[test]
        fn any_text_is_read(text in "([{}\\[\\]\",:/*\\\\\t\r\n 1a]|//|\u{feff}|🦆){0,40}") {
            let world = Memory::default().with("/w/a.json", &text);
            let json = read(&world, Path::new("/w/a.json")).unwrap();
            for entry in json.tree.entries() {
                proptest::prop_assert!(text.get(entry.span.clone()).is_some());
            }
        }
    }
}
