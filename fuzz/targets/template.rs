//! Any text can be parsed as a template, valid or not. Each span is in the text and in its parent,
//! and parsing twice gives the same result.

use agentmd::template::node::Node;
use agentmd::template::parse;
use agentmd::template::walk::Item;

use super::Input;

pub fn run(input: &mut Input) {
    let text = &input.text();
    let template = parse(text, &[]);
    assert_eq!(parse(text, &[]), template);
    assert!(template.errors.is_sorted_by_key(|error| error.span.start));
    for error in &template.errors {
        assert!(text.get(error.span.clone()).is_some_and(|text| !text.is_empty()));
    }
    let mut last = 0;
    for item in template.walk() {
        match item {
            Item::Node(Node::Text(span)) => {
                assert!(span.start >= last && text.get(span.clone()).is_some());
                last = span.end;
            }
            Item::Node(Node::Output { action, .. }) => {
                assert!(action.span.start >= last && text.get(action.span.clone()).is_some());
                assert!(
                    action.span.start <= action.inner.start && action.inner.end <= action.span.end
                );
                last = action.span.start;
            }
            Item::Pipeline(pipeline) => {
                for command in &pipeline.commands {
                    assert!(
                        pipeline.span.start <= command.span.start
                            && command.span.end <= pipeline.span.end
                    );
                }
            }
            Item::Command(command) => {
                for word in &command.words {
                    assert!(
                        command.span.start <= word.span.start && word.span.end <= command.span.end
                    );
                }
            }
            Item::Expression(expression) => assert!(text.get(expression.span.clone()).is_some()),
            Item::Node(_) => {}
        }
    }
}
