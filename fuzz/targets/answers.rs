//! No document makes a feature panic, and every span is in the text, on character boundaries.

use agentmd::config::Config;
use agentmd::document::Document;
use agentmd::format::Context;
use agentmd::ide;
use agentmd::text::Encoding;
use agentmd::world::Memory;
use std::path::Path;

use super::Input;

pub fn run(input: &mut Input) {
    let (text, at) = (input.text(), input.number());
    let (config, world, path) = (Config::default(), Memory::default(), Path::new("/w/program.md"));
    let document = Document::new(&text, Some(path), &config);
    let cx = Context::new(document.source(), Some(path), &world, &config);
    // A position as an editor can send it, which is never between `\r` and `\n`.
    let place = document
        .source()
        .position(text.floor_char_boundary(usize::from(at) % (text.len() + 1)), Encoding::Utf16);
    let offset = document.source().offset(place, Encoding::Utf16);
    for diagnostic in ide::diagnostics::diagnostics(&document, &cx) {
        assert!(text.get(diagnostic.span.clone()).is_some());
        for fix in &diagnostic.fixes {
            agentmd::text::apply(&text, &fix.edits).expect("a fix applies");
        }
    }
    for item in ide::completion::completions(&document, &cx, offset).items {
        assert!(item.edit.span.start <= offset && offset <= item.edit.span.end);
        assert!(text.get(item.edit.span).is_some());
    }
    if let Some(hover) = ide::hover::hover(&document, &cx, offset) {
        assert!(text.get(hover.span).is_some());
    }
    ide::symbols::symbols(&document, &cx);
    ide::folding::folds(&document, &cx);
    ide::links::links(&document, &cx);
    ide::definition::definition(&document, &cx, offset);
    ide::selection::selections(&document, &cx, offset);
    ide::signature_help::signature(&document, &cx, offset);
    for inlay in ide::inlay_hints::inlays(&document, &cx, 0..text.len()) {
        assert!(text.is_char_boundary(inlay.offset));
    }
    for occurrence in ide::document_highlight::occurrences(&document, &cx, offset) {
        assert!(text.get(occurrence.span).is_some());
    }
    for span in ide::linked_editing::linked(&document, &cx, offset) {
        assert!(text.get(span).is_some());
    }
    if let Some(renamable) = ide::rename::prepare(&document, &cx, offset) {
        assert!(text.get(renamable.span).is_some());
        for file in
            ide::rename::rename(&document, &cx, offset, "another_name").unwrap_or_default().files
        {
            agentmd::text::apply(&text, &file.edits).expect("a rename applies");
        }
    }
    ide::semantic_tokens::highlights(&document, &cx, 0..text.len());
}
