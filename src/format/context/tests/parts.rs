//! A pack that is edited has the items and the findings of one that is read as a whole, also where
//! items reach from one stretch of sections into the next.

use std::path::Path;

use crate::config::Config;
use crate::document::Document;
use crate::format::Context;
use crate::ide;
use crate::text::Edit;
use crate::world::Memory;

/// Items of different lengths; some have headings in their content, so they have several sections.
fn pack(line_break: &str) -> String {
    let item = |at: usize| {
        let content: String = (0..at % 4).map(|part| format!("## 日{part}\n\nx\n")).collect();
        format!("### Code (from src/{at}.py:1-1)\n```\n{content}\n```\n\n")
    };
    let items: String = (0..9).map(item).collect();
    format!("# 🦆\n\n## Context\n\n{items}### Error\n```\nopen\n\n\n").replace('\n', line_break)
}

#[test]
fn edited_packs_equal_fresh_ones() {
    let (config, path) = (Config::default(), Path::new("/w/p.md"));
    let world = Memory::default().with("/w/src/3.py", "x\n").in_folder("/w");
    let look = |document: &Document| {
        let cx = Context::new(document.source(), Some(path), &world, &config);
        let found = ide::diagnostics::diagnostics(document, &cx);
        ((**super::super::read::read(document.source())).clone(), found)
    };
    for line_break in ["\n", "\r\n"] {
        let text = pack(line_break);
        let base = Document::new(&text, Some(path), &config);
        look(&base);
        for offset in (0..text.len()).filter(|offset| text.is_char_boundary(*offset)) {
            let next =
                text[offset..].chars().next().map_or(offset, |char| offset + char.len_utf8());
            for (span, new) in
                [(offset..offset, "x"), (offset..offset, line_break), (offset..next, "")]
            {
                let edited = base.edit(&[Edit::replace(span.clone(), new)], Some(path), &config);
                let mut changed = text.clone();
                changed.replace_range(span.clone(), new);
                let fresh = Document::new(&changed, Some(path), &config);
                assert!(look(&edited) == look(&fresh), "{span:?} {new:?} in {text:?}");
            }
        }
    }
}
