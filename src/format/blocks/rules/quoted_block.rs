use super::RuleContext;
use crate::declare_rule;
use crate::rule::Report;

declare_rule! {
    /// Only blocks in the assistant's turns are applied. This one is in a human's turn, so agentmd
    /// treats it as a quotation and leaves it alone.
    ///
    /// ````markdown bad within=clock
    /// clock.py
    /// <<<<<< SEARCH
    /// print(time.time())
    /// =======
    /// print(time.ctime())
    /// >>>>>> REPLACE
    ///
    /// **Assistant:** Done.
    /// ````
    ///
    /// ````markdown good within=clock
    /// **Assistant:** Done.
    ///
    /// clock.py
    /// <<<<<< SEARCH
    /// print(time.time())
    /// =======
    /// print(time.ctime())
    /// >>>>>> REPLACE
    /// ````
    pub static RULE = "edit/quoted-block", Info, "Block in a human's turn";
}

pub fn check(context: &RuleContext, report: &mut Report) {
    let quoted: Vec<_> = context.items.iter().filter(|item| item.quoted).collect();
    for said in quoted.chunk_by(|a, b| a.part == b.part) {
        let Some(first) = said.first() else { continue };
        let message = match said.len() {
            1 => "this block is in the human's turn, so it isn't applied; only blocks of the assistant are".to_owned(),
            count => format!("these {count} blocks are in the human's turn, so they aren't applied; only blocks of the assistant are"),
        };
        report.add(&RULE, first.head().span, message);
    }
}
