//! Reads any reply, with markers, in JSON, or as prose. A reply that is written again must read the
//! same.

use agentmd::config::Config;
use agentmd::format::Context;
use agentmd::format::duckflow::{parse, read, reply, write};
use agentmd::source::Source;
use agentmd::text::Edit;
use agentmd::world::Memory;

use super::Input;

pub fn run(input: &mut Input) {
    let (mut text, edits) = (input.text(), input.edits());
    let (config, world) = (Config::default(), Memory::default());
    let mut source = Source::new(&text);
    for (at, length, new) in edits {
        let start = text.floor_char_boundary(usize::from(at) % (text.len() + 1));
        let end = text.floor_char_boundary(start + usize::from(length)).max(start);
        read(&source);
        source = source.edit(&Edit::replace(start..end, new.clone()));
        text.replace_range(start..end, &new);
        assert_eq!(read(&source), read(&Source::new(&text)));
    }
    for content in read(&source).contents {
        assert!(text.get(content.span).is_some());
    }
    parse::parse(&Context::new(&source, None, &world, &config));
    let marked = reply::marked(&text);
    if let Ok(written) = write::markers(&marked) {
        assert_eq!(reply::marked(&written), write::canonical(&marked));
    }
    reply::read(&text);
}
