//! The cases in outlines.

use super::{Cases, Written};
use crate::answer::{Symbol, SymbolKind};
use crate::schema::Part;

pub fn cases(written: &Written, cases: &Cases) -> Vec<Symbol> {
    let symbol = |case: &super::Case| {
        let (name, span) = (case.name.trim(), written.whole(&case.pointer)?);
        let selection = written.mark(&format!("{}/name", case.pointer), Part::Value);
        let inside = span.start <= selection.start && selection.end <= span.end;
        (!name.is_empty() && inside).then(|| Symbol {
            name: name.to_owned(),
            detail: None,
            kind: SymbolKind::Item,
            span,
            selection,
            children: Vec::new(),
        })
    };
    cases.cases.iter().filter_map(symbol).collect()
}
