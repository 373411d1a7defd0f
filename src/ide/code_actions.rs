//! Code actions: fixes of findings, fixing everything at once, and actions of the format.

use std::collections::BTreeMap;

use super::diagnostics::{Shown, diagnostics};
use crate::answer::{Action, ActionKind, Rewritten};
use crate::document::Document;
use crate::format::Context;
use crate::rule::Diagnostic;
use crate::text::{Edit, Span};

/// An action, and the finding that it fixes, if any.
#[derive(Debug, Clone, PartialEq)]
pub struct Offer {
    pub action: Action,
    pub mends: Option<Diagnostic>,
    /// The only safe fix of its finding.
    pub preferred: bool,
    /// Its edits aren't computed: [`resolve`] does that.
    pub deferred: bool,
}

/// Actions over a whole document of this size are only computed when chosen.
pub const LONGEST: usize = 500_000;

const FIX_ALL: &str = "Fix everything that agentmd can fix safely";

/// The actions for the characters of `span`. With `defers`, actions over the whole document come
/// without edits.
pub fn actions(
    document: &Document,
    cx: &Context,
    found: &Shown,
    span: Span,
    defers: bool,
) -> Vec<Offer> {
    let mut offers = Vec::new();
    for diagnostic in &found.near(&span) {
        let only_safe = diagnostic.fixes.iter().filter(|fix| fix.safe).count() == 1;
        for fix in &diagnostic.fixes {
            let action = Action {
                title: fix.title.clone(),
                kind: ActionKind::QuickFix,
                edits: fix.edits.clone(),
                snippet: fix.snippet.clone(),
            };
            offers.push(Offer {
                action,
                mends: Some(diagnostic.clone()),
                preferred: fix.safe && only_safe,
                deferred: false,
            });
        }
    }
    let whole = |title: &str, kind: ActionKind, edits: Vec<Edit>, deferred: bool| {
        let action = Action { title: title.to_owned(), kind, edits, snippet: None };
        Offer { action, mends: None, preferred: false, deferred }
    };
    if found.can_be_fixed() {
        offers.push(whole(
            FIX_ALL,
            ActionKind::FixAll,
            if defers { Vec::new() } else { fix_all(&found.list()) },
            defers,
        ));
    }
    let own = document.model().actions(cx, span.clone()).into_iter();
    offers.extend(own.map(|action| Offer {
        action,
        mends: None,
        preferred: false,
        deferred: false,
    }));
    if defers || cx.source.len() <= LONGEST {
        for later in document.model().later(cx, span) {
            // An impossible action isn't offered, unless that isn't known yet.
            if let Ok(made) = if defers { Ok(Rewritten::default()) } else { (later.make)() } {
                offers.push(whole(later.title, ActionKind::Rewrite, made.edits, defers));
            }
        }
    }
    offers
}

/// The edits of a deferred action, or why it's impossible; `None` if it doesn't exist.
pub fn resolve(
    document: &Document,
    cx: &Context,
    span: Span,
    title: &str,
) -> Option<Result<Rewritten, String>> {
    if title == FIX_ALL {
        let edits = fix_all(&diagnostics(document, cx));
        return (!edits.is_empty()).then(|| Ok(Rewritten { edits, notes: Vec::new() }));
    }
    let later = document.model().later(cx, span).into_iter().find(|later| later.title == title)?;
    Some((later.make)())
}

/// The edits of all safe fixes that don't overlap, in order. The others are offered again after
/// these are applied.
pub fn fix_all(diagnostics: &[Diagnostic]) -> Vec<Edit> {
    let mut taken = Taken::new();
    for fix in
        diagnostics.iter().filter_map(|diagnostic| diagnostic.fixes.iter().find(|fix| fix.safe))
    {
        if fix.edits.iter().all(|edit| is_free(&taken, &edit.span)) {
            for edit in &fix.edits {
                taken.insert((edit.span.start, taken.len()), edit);
            }
        }
    }
    taken.into_values().cloned().collect()
}

/// Edits by their start, and their number.
type Taken<'a> = BTreeMap<(usize, usize), &'a Edit>;

/// Whether no edit conflicts with one at `span`. Edits at the same offset do, even if both only
/// insert: their order would be arbitrary.
fn is_free(taken: &Taken, span: &Span) -> bool {
    let before = taken.range(..=(span.start, usize::MAX)).next_back();
    before.is_none_or(|((start, _), edit)| *start < span.start && edit.span.end <= span.start)
        && taken.range((span.start, 0)..(span.end, 0)).next().is_none()
}
