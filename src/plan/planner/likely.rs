//! Edits with a likely match: the author sees what each would do, and decides.

use std::sync::Arc;

use crate::edit::{self, Block, Lines, Operation, Request, holds_edits, is_edits};
use crate::plan::doubt::{Ask, Doubt};
use crate::plan::{FileChange, Refusal};

/// Why an edit isn't made. If the author may consent to it, `ask` shows its result.
pub(super) fn refusal(
    block: u64,
    written: &str,
    edit: &Block,
    refused: &edit::batch::Refused,
    ask: impl FnOnce() -> Option<Ask>,
) -> Refusal {
    let refusal = Refusal::of_edit(block, written, refused);
    if !matches!(refused.reason, edit::Reason::NeedsConfirmation | edit::Reason::SplitAmbiguous) {
        return refusal;
    }
    let ask = ask().map(Box::new);
    let message = match (refused.reason, refused.candidates.as_slice()) {
        _ if matches!(edit.operation, Operation::Listing { .. })
            && edit.splits.first().is_some_and(|split| holds_edits(&split.replace, written)) =>
        {
            format!(
                "the listing of `{written}` has markers of edits, so it may be edits of other files"
            )
        }
        _ if edit.operation == Operation::Write
            && edit.splits.first().is_some_and(|split| is_edits(&split.replace, written)) =>
        {
            format!("the new content of `{written}` is edits, whose markers would be written")
        }
        _ if edit.operation == Operation::Write || edit::may_hide(edit) => {
            format!("a line of the new text may stand for lines of `{written}` that it leaves out")
        }
        _ if matches!(edit.operation, Operation::Listing { .. }) => {
            format!("`{written}` exists, and the listing may be all of it or only a part")
        }
        _ if matches!(edit.operation, Operation::Lines(_)) => {
            format!("only line numbers identify the lines of `{written}`")
        }
        _ if edit.operation == Operation::Lazy => {
            format!("the new text omits lines of `{written}`, which would stay as they are")
        }
        (edit::Reason::NeedsConfirmation, [line])
            if ask.is_some() && tier(refused) == Some(edit::Tier::Substring) =>
        {
            format!("the text to replace is only a part of line {} of `{written}`", line + 1)
        }
        (edit::Reason::NeedsConfirmation, [line]) if ask.is_some() && joins(edit, refused) => {
            format!(
                "the new text ends without a line break, so line {} of `{written}` would be joined \
                 with the next one",
                line + 1
            )
        }
        (edit::Reason::NeedsConfirmation, [line]) if ask.is_some() => {
            format!("the text to replace is only similar to line {} of `{written}`", line + 1)
        }
        _ => refusal.message,
    };
    Refusal { ask, message, ..refusal }
}

/// Whether the old text is exactly there, so that only the end of the new one is in doubt.
fn joins(edit: &Block, refused: &edit::batch::Refused) -> bool {
    edit.dialect == edit::Dialect::Strings && tier(refused) == Some(edit::Tier::Exact)
}

fn tier(refused: &edit::batch::Refused) -> Option<edit::Tier> {
    Some(refused.offered.as_ref()?.applied.tier)
}

/// The result of an edit that needs consent.
pub(super) fn ask(
    file: &FileChange,
    text: Option<&Arc<Lines>>,
    edit: &Block,
    request: Request,
) -> Option<Ask> {
    let request = Request { confirmed: true, ..request };
    let batch = edit::apply_to(text.cloned(), &[edit], request);
    if !batch.is_complete() {
        return None;
    }
    let owned = |lines: &Arc<Lines>| lines.text().to_owned();
    let change = FileChange {
        before: text.map(owned),
        after: batch.text.as_ref().map(owned),
        ..file.clone()
    };
    Some(Ask { doubts: vec![Doubt::LIKELY], diff: change.diff() })
}
