//! The fuzz targets. `cargo fuzz` runs them without end, and `tests/fuzz.rs` a fixed number of
//! times.

pub mod answers;
pub mod blocks;
pub mod duckflow;
pub mod edit;
pub mod render;
pub mod template;

/// A target and its name.
pub type Target = (&'static str, fn(&mut Input));

pub const TARGETS: &[Target] = &[
    ("answers", answers::run),
    ("blocks", blocks::run),
    ("duckflow", duckflow::run),
    ("edit", edit::run),
    ("render", render::run),
    ("template", template::run),
];

/// The parts of an input, which are separated by zero bytes so that an input can be written and
/// read in an editor.
pub struct Input<'a> {
    parts: std::slice::Split<'a, u8, fn(&u8) -> bool>,
}

impl<'a> Input<'a> {
    pub fn new(data: &'a [u8]) -> Self {
        Self { parts: data.split(|byte| *byte == 0) }
    }

    fn bytes(&mut self) -> &'a [u8] {
        self.parts.next().unwrap_or_default()
    }

    /// The next part as text; bytes that aren't UTF-8 become `U+FFFD`.
    pub fn text(&mut self) -> String {
        String::from_utf8_lossy(self.bytes()).into_owned()
    }

    pub fn number(&mut self) -> u16 {
        self.bytes()
            .iter()
            .fold(0, |number, byte| number.wrapping_mul(31).wrapping_add(u16::from(*byte)))
    }

    pub fn flag(&mut self) -> bool {
        self.number() % 2 == 1
    }

    /// The rest of the input as edits: offsets, lengths and new text.
    pub fn edits(&mut self) -> Vec<(u16, u8, String)> {
        let mut edits = Vec::new();
        while self.parts.clone().next().is_some() && edits.len() < 16 {
            edits.push((self.number(), self.number().to_be_bytes()[1], self.text()));
        }
        edits
    }
}
