//! After any edits, a source equals a fresh one, including its blocks.

use agentmd::source::Source;
use agentmd::text::Edit;

use super::Input;

pub fn run(input: &mut Input) {
    let (mut text, edits) = (input.text(), input.edits());
    let mut source = Source::new(&text);
    for (at, length, new) in edits {
        let start = text.floor_char_boundary(usize::from(at) % (text.len() + 1));
        let end = text.floor_char_boundary(start + usize::from(length)).max(start);
        for placed in source.sections() {
            source.blocks(placed);
        }
        source = source.edit(&Edit::replace(start..end, new.clone()));
        text.replace_range(start..end, &new);
        let fresh = Source::new(&text);
        assert!(source.same_as(&fresh));
        for (a, b) in source.sections().zip(fresh.sections()) {
            assert_eq!(source.blocks(a), fresh.blocks(b));
        }
    }
}
