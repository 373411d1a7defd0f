//! Applies any reply to any text, with all options: this must end, and blocks must not overlap.

use agentmd::edit::batch::Request;
use agentmd::edit::{self, Block};

use super::Input;

pub fn run(input: &mut Input) {
    let (text, reply, confirmed, sequential) =
        (input.text(), input.text(), input.flag(), input.flag());
    let blocks: Vec<Block> = edit::read(&reply);
    assert!(blocks.windows(2).all(|pair| pair[0].span.end <= pair[1].span.start));
    let batch = edit::apply(
        Some(&text),
        &blocks.iter().collect::<Vec<_>>(),
        Request { confirmed, sequential, ..Request::default() },
    );
    assert_eq!(batch.results.len(), blocks.len());
    if batch.results.iter().all(Result::is_err) {
        assert_eq!(batch.text, Some(text));
    }
}
