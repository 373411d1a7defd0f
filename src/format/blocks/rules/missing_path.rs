use super::RuleContext;
use crate::declare_rule;
use crate::edit::{Dialect, Reason, Subject};
use crate::format::blocks::chain::Manner;
use crate::format::blocks::check::{distinct, next_line};
use crate::rule::{Fix, Report, Severity};
use crate::text::Edit;

declare_rule! {
    /// The path of the file goes above the head of a block. Without it, the block has no target.
    /// Some programs use the file of the previous block; agentmd offers that, but asks first.
    ///
    /// ````markdown bad within=clock
    /// **Assistant:** Done.
    ///
    /// <<<<<< SEARCH
    /// print(time.time())
    /// =======
    /// print(time.ctime())
    /// >>>>>> REPLACE
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
    pub static RULE = "edit/missing-path", Error, "Missing file path";
}

/// The limit of files to offer.
const MOST: usize = 8;

pub fn check(context: &RuleContext, report: &mut Report) {
    let (mut previous, mut open): (Option<&str>, Option<usize>) = (None, None);
    for item in context.live().filter(|item| item.written.block.subject == Subject::File) {
        if let Some(path) = context.path(item.block.somewhere()).filter(|path| !path.inherited) {
            previous = Some(&path.text);
            open = (item.written.block.error == Some(Reason::UnterminatedBlock))
                .then(|| next_line(context.cx.source, item.head().line.end));
            continue;
        }
        // If a head is doubled, the path is above the first one.
        let doubled = std::mem::take(&mut open).is_some_and(|end| end >= item.head().line.start);
        let nameless = item.written.block.error == Some(Reason::MissingPath)
            && item.written.block.dialect == Dialect::SearchReplace;
        if item.written.block.error.is_some() && !nameless || doubled {
            open = (item.written.block.error == Some(Reason::UnterminatedBlock))
                .then(|| next_line(context.cx.source, item.head().line.end));
            continue;
        }
        let head = item.head();
        let inherits = item.block.somewhere().path.is_some() && context.manner == Manner::Reply;
        let message = match previous.filter(|_| inherits) {
            Some(file) => format!("this block doesn't name its file, so `{file}` of the block before it is used; write the path above it"),
            None => "this block doesn't name its file, so it isn't applied; write the path on the line above".to_owned(),
        };
        let finding = report.add(&RULE, head.span.clone(), message);
        if inherits {
            finding.severity = Severity::Warning;
        }
        let files = distinct(previous.into_iter().chain(context.files.own()));
        let (fitting, others): (Vec<&str>, Vec<&str>) =
            files.into_iter().take(MOST).partition(|file| context.fits(item, file));
        let lead = context.text(&(head.line.start..head.span.start));
        for file in fitting.into_iter().chain(others) {
            let edit = Edit::insert(
                head.line.start,
                format!("{lead}{file}{}", context.cx.source.line_break()),
            );
            finding.fix(Fix::suggestion(format!("Write `{file}` above the block"), vec![edit]));
        }
    }
}
