//! Notes and fixes about a block's place in the file, for several rules.

use super::RuleContext;
use crate::format::blocks::chain::Place;
use crate::format::blocks::check::{Item, Outcome};
use crate::rule::{Diagnostic, Fix};
use crate::text::{Edit, Span, hunks};

/// The limit of places to name.
const MOST: usize = 10;

/// Points to places in the file, given as lines counted from 0.
pub(super) fn relate(finding: &mut Diagnostic, outcome: &Outcome, places: &[Span], message: &str) {
    let Some(mut chain) = outcome.chain() else { return };
    for lines in places.iter().take(MOST) {
        let span = chain.original(lines.clone());
        match &chain.place {
            Place::Own(..) => finding.relate(span, message),
            Place::File(path, _) => {
                let path = path.clone();
                finding.relate_file(path, span, message)
            }
            Place::Nowhere => return,
        };
    }
}

/// Offers to put the actual lines of the file into the block.
pub(super) fn mend(
    context: &RuleContext,
    item: &Item,
    outcome: &Outcome,
    finding: &mut Diagnostic,
) {
    let source = context.cx.source;
    let (Some((search, replace)), Some(mut chain)) = (item.sides(source), outcome.chain()) else {
        return;
    };
    if item.head().indent() > 0 {
        return;
    }
    let repairs = chain.repairs(&outcome.step, item.block.get());
    for repair in repairs {
        let lines = match repair.lines.len() {
            1 => format!("line {}", repair.lines.start + 1),
            _ => format!("lines {} to {}", repair.lines.start + 1, repair.lines.end),
        };
        let native = |text: &str| text.replace('\n', source.line_break());
        let edits = [(&search, &repair.search), (&replace, &repair.replace)].into_iter().flat_map(
            |(side, text)| {
                let changes = hunks(&context.text(side), &native(text)).into_iter();
                changes.map(|edit| {
                    Edit::replace(
                        edit.span.start + side.start..edit.span.end + side.start,
                        edit.text,
                    )
                })
            },
        );
        let edits: Vec<Edit> = edits.collect();
        if edits.is_empty() {
            continue;
        }
        finding.fix(Fix::suggestion(format!("Put {lines} of the file into the block"), edits));
    }
}
