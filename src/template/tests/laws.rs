//! Properties of any text, even if it's broken.

use proptest::prelude::*;

use super::super::node::{Node, Template};
use super::super::parse;
use super::super::walk::Item;
use crate::text::Span;

const PIECES: &[&str] = &[
    "{{",
    "}}",
    "{{ ",
    " }}",
    "{{- ",
    " -}}",
    "{{-",
    "-}}",
    "{",
    "}",
    " ",
    "\n",
    "\r\n",
    "\t",
    "text",
    "é",
    "🦆",
    "日本",
    "e\u{301}",
    "\u{feff}",
    "if ",
    "else ",
    "end",
    "range ",
    "with ",
    "define ",
    "block ",
    "template ",
    "break",
    "continue",
    "nil",
    "true",
    ".",
    ".x",
    ".a.b",
    ".a-b",
    "$",
    "$x",
    "$x := ",
    "$x = ",
    "$i, $x := ",
    "upper ",
    "printf ",
    "uper ",
    "(",
    ")",
    "|",
    ",",
    ":",
    "=",
    "\"s\"",
    "\"",
    "`r`",
    "`",
    "'c'",
    "'",
    "\\",
    "1",
    "-3",
    "0x",
    "1e",
    "2i",
    "1+2i",
    "/*",
    "*/",
    "{{/*",
    "*/}}",
    "@",
    "{{ end }}",
    "{{ if .x }}",
    "{{ else }}",
    "{{ range .x }}",
    "\u{1}",
];

fn text() -> impl Strategy<Value = String> {
    prop::collection::vec(prop::sample::select(PIECES), 0..40).prop_map(|pieces| pieces.concat())
}

/// Every span in a template, with that of its parent.
fn check_places(text: &str, template: &Template) -> Result<(), TestCaseError> {
    let valid = |span: &Span| text.get(span.clone()).is_some();
    for error in &template.errors {
        prop_assert!(valid(&error.span) && !error.span.is_empty(), "{error:?}");
        prop_assert!(!error.message.ends_with('.'), "{}", error.message);
    }
    prop_assert!(template.errors.is_sorted_by_key(|error| error.span.start));
    let mut last = 0;
    for item in template.walk() {
        match item {
            Item::Node(Node::Text(span)) => {
                prop_assert!(valid(span) && span.start >= last && !span.is_empty(), "{span:?}");
                last = span.end;
            }
            Item::Node(
                Node::Comment(action)
                | Node::Output { action, .. }
                | Node::Break(action)
                | Node::Continue(action)
                | Node::Broken(action),
            ) => {
                prop_assert!(action.span.start >= last, "{action:?}");
                last = action.span.start;
                prop_assert!(valid(&action.span) && valid(&action.inner), "{action:?}");
                prop_assert!(
                    action.span.start <= action.inner.start && action.inner.end <= action.span.end,
                    "{action:?}"
                );
                prop_assert_eq!(
                    action.closed,
                    text.get(action.span.clone()).is_some_and(|text| text.ends_with("}}"))
                        && action.closed
                );
            }
            Item::Node(Node::Branch(branch)) => {
                prop_assert!(!branch.arms.is_empty());
                let actions = branch.arms.iter().map(|arm| &arm.action).chain(&branch.end);
                prop_assert!(actions.map(|action| action.span.start).is_sorted());
            }
            Item::Node(Node::Definition(_) | Node::Call(_)) => {}
            Item::Pipeline(pipeline) => {
                prop_assert!(valid(&pipeline.span), "{pipeline:?}");
                prop_assert!(!pipeline.commands.is_empty());
                for command in &pipeline.commands {
                    prop_assert!(
                        pipeline.span.start <= command.span.start
                            && command.span.end <= pipeline.span.end,
                        "{pipeline:?}"
                    );
                }
            }
            Item::Command(command) => {
                prop_assert!(valid(&command.span) && !command.words.is_empty(), "{command:?}");
                for word in &command.words {
                    prop_assert!(
                        command.span.start <= word.span.start && word.span.end <= command.span.end,
                        "{command:?}"
                    );
                }
            }
            Item::Expression(expression) => prop_assert!(valid(&expression.span), "{expression:?}"),
        }
    }
    Ok(())
}

/// Found by a fuzzer.
#[test]
fn a_pipeline_contains_its_missing_commands() {
    for text in [
        "!{{\r\r||}}x",
        "{{  | upper }}",
        "{{ (  | |) }}",
        "{{ $x :=  | }}",
        "{{ if  || }}{{ end }}",
    ] {
        check_places(text, &parse(text, &[])).unwrap();
    }
}

fn cases() -> u32 {
    std::env::var("TEMPLATE_CASES").ok().and_then(|cases| cases.parse().ok()).unwrap_or(1000)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: cases(), ..ProptestConfig::default() })]

    #[test]
    fn spans_are_in_the_text_in_order_and_nested(text in text()) {
        let template = parse(&text, &[]);
        check_places(&text, &template)?;
        prop_assert_eq!(parse(&text, &[]), template);
    }

    /// An error in one line doesn't affect another: lines after an unclosed action are still
    /// parsed.
    #[test]
    fn an_unclosed_action_does_not_affect_others(before in "[a-z é\n]{0,12}", begun in "[.a-z$ ]{0,8}", behind in "[a-z🦆 ]{0,12}") {
        let text = format!("{before}{{{{ {begun}\n{behind}\n{{{{ .x }}}}");
        let template = parse(&text, &[]);
        prop_assert_eq!(template.errors.len(), 1, "{:?}", template.errors);
        let last = template.walk().filter(|item| matches!(item, Item::Node(Node::Output { action, .. }) if action.closed)).count();
        prop_assert_eq!(last, 1);
    }
}
