//! After any edits a source equals one that is read afresh, blocks and all.
#![no_main]

use agentmd::source::Source;
use agentmd::text::Edit;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: (String, Vec<(u16, u8, String)>)| {
    let (mut text, edits) = input;
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
});
