use std::path::Path;

use proptest::prelude::*;

use super::super::{PATH, program, world};
use crate::answer::Symbol;
use crate::config::{Config, Options};
use crate::document::Document;
use crate::format::Context;
use crate::ide::{completion, definition, folding, hover, links, semantic_tokens, symbols};
use crate::text::Span;

/// The laws for any text and any offset in it.
fn laws(text: &str) {
    let (path, world, config) =
        (Some(Path::new(PATH)), world(), Config::new("/w".into(), Options::default()).unwrap());
    let document = Document::new(text, path, &config);
    let cx = Context::new(document.source(), path, &world, &config);
    let fits = |span: &Span| span.start <= span.end && text.get(span.clone()).is_some();
    for offset in (0..=text.len()).filter(|offset| {
        text.is_char_boundary(*offset)
            && (*offset < 40 || offset % 3 == 0 || text.len() - offset < 40)
    }) {
        for item in completion::completions(&document, &cx, offset).items {
            let span = &item.edit.span;
            let line = text.get(span.clone()).is_some_and(|line| !line.contains(['\n', '\r']));
            assert!(
                line && span.start <= offset && offset <= span.end,
                "{text:?} at {offset}: {item:?}"
            );
            assert!(!item.label.trim().is_empty(), "{item:?}");
        }
        if let Some(hover) = hover::hover(&document, &cx, offset) {
            assert!(
                fits(&hover.span) && hover.span.start <= offset && offset <= hover.span.end,
                "{text:?} at {offset}: {hover:?}"
            );
            assert!(!hover.markdown.trim().is_empty());
        }
        for target in definition::definition(&document, &cx, offset) {
            assert!(
                fits(&target.origin)
                    && target.origin.start <= offset
                    && offset <= target.origin.end,
                "{text:?} at {offset}: {target:?}"
            );
            assert!(target.path.is_some() || fits(&target.span), "{text:?}: {target:?}");
            assert!(
                target.span.start <= target.selection.start
                    && target.selection.end <= target.span.end,
                "{text:?}: {target:?}"
            );
        }
    }
    symbols::symbols(&document, &cx)
        .iter()
        .for_each(|symbol| nested(text, symbol, &(0..text.len())));
    let tokens = semantic_tokens::highlights(&document, &cx, 0..text.len());
    assert!(tokens.iter().all(|token| fits(&token.span)), "{text:?}");
    assert!(
        tokens.windows(2).all(|pair| pair[0].span.end <= pair[1].span.start),
        "{text:?}: {tokens:?}"
    );
    assert!(folding::folds(&document, &cx).iter().all(|fold| fits(&fold.span)), "{text:?}");
    assert!(links::links(&document, &cx).iter().all(|link| fits(&link.span)), "{text:?}");
}

fn nested(text: &str, symbol: &Symbol, within: &Span) {
    let inside = |inner: &Span, outer: &Span| {
        outer.start <= inner.start && inner.start <= inner.end && inner.end <= outer.end
    };
    assert!(
        inside(&symbol.span, within) && inside(&symbol.selection, &symbol.span),
        "{text:?}: {symbol:?} within {within:?}"
    );
    assert!(
        text.get(symbol.span.clone()).is_some()
            && text.get(symbol.selection.clone()).is_some()
            && !symbol.name.trim().is_empty(),
        "{symbol:?}"
    );
    symbol.children.iter().for_each(|child| nested(text, child, &symbol.span));
}

/// Pieces of front matter, whole and broken.
fn pieces() -> impl Strategy<Value = String> {
    let piece = prop::sample::select(vec![
        "name: x",
        "name:",
        "input:",
        "output: {}",
        "imports:",
        "imports: [",
        "mcp_servers:",
        "model: ",
        "type: object",
        "type: ",
        "properties:",
        "required: [",
        "required:",
        "$ref: '#/$defs/",
        "$defs:",
        "enum: [a, 1",
        "default: ",
        "anyOf:",
        "items: ",
        "- ",
        "-",
        "- ./",
        "- ./helper.md",
        "- name: s",
        "url: http://x",
        "env: {",
        "transport: ",
        "disabled: ",
        "a: ",
        "\n",
        "\n",
        "\n  ",
        "\n    ",
        "\n      ",
        "\r\n",
        "\r",
        " ",
        "\t",
        "{",
        "}",
        "[",
        "]",
        ",",
        ":",
        "\"",
        "'",
        "#",
        " # c",
        "|",
        ">",
        "&x ",
        "*x",
        "<<: *x",
        "!!str ",
        "---\n",
        "\n---\n",
        "é",
        "日本",
        "👩‍👩‍👧",
        "e\u{301}",
        "\u{feff}",
        "../",
        "\\",
        "\0",
        "<",
        "# H\n",
    ]);
    prop::collection::vec(piece, 0..24).prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]

    #[test]
    fn nothing_panics_in_broken_text(text in pieces(), opened in any::<bool>()) {
        laws(&if opened { format!("---\n{text}") } else { text });
    }

    #[test]
    fn nothing_panics_while_a_program_is_typed(text in pieces(), cut in 0usize..400) {
        let mut whole = program(&format!("imports:\n  - ./helper.md\n{text}\n"));
        laws(&whole);
        whole.truncate(whole.floor_char_boundary(cut));
        laws(&whole);
    }
}

#[test]
fn every_beginning_of_a_program() {
    let whole =
        program("imports:\n  - ./helper.md\nmcp_servers:\n  - name: \"日本 👋🏽\"\n    transport: 'sse'\n    args: [a, b]\n").replace('\n', "\r\n");
    for end in (0..whole.len()).filter(|end| whole.is_char_boundary(*end)).step_by(31) {
        laws(&whole[..end]);
    }
}
