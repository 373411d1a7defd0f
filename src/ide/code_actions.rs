//! Code actions: the fixes of findings, everything that can be mended at once, and what the format offers.

use crate::answer::{Action, ActionKind};
use crate::document::Document;
use crate::format::Context;
use crate::rule::{Diagnostic, Fix};
use crate::text::{Edit, Span};

/// An action, and the finding that it mends where it mends one.
#[derive(Debug, Clone, PartialEq)]
pub struct Offer {
    pub action: Action,
    pub mends: Option<Diagnostic>,
    /// The only safe fix of its finding.
    pub preferred: bool,
}

/// What can be done about the characters of `span`.
pub fn actions(document: &Document, cx: &Context, diagnostics: &[Diagnostic], span: Span) -> Vec<Offer> {
    let mut offers = Vec::new();
    for diagnostic in diagnostics.iter().filter(|diagnostic| meets(&diagnostic.span, &span)) {
        let only_safe = diagnostic.fixes.iter().filter(|fix| fix.safe).count() == 1;
        for fix in &diagnostic.fixes {
            let action = Action { title: fix.title.clone(), kind: ActionKind::QuickFix, edits: fix.edits.clone(), snippet: fix.snippet.clone() };
            offers.push(Offer { action, mends: Some(diagnostic.clone()), preferred: fix.safe && only_safe });
        }
    }
    let all = fix_all(diagnostics);
    if !all.is_empty() {
        let action = Action { title: "Fix everything that agentmd can fix safely".to_owned(), kind: ActionKind::FixAll, edits: all, snippet: None };
        offers.push(Offer { action, mends: None, preferred: false });
    }
    let own = document.model().actions(cx, span).into_iter();
    offers.extend(own.map(|action| Offer { action, mends: None, preferred: false }));
    offers
}

/// The edits of all safe fixes that do not get in each other's way, in order. Those left out are offered again once
/// these are applied.
pub fn fix_all(diagnostics: &[Diagnostic]) -> Vec<Edit> {
    let mut taken: Vec<Edit> = Vec::new();
    let first_safe = |diagnostic: &Diagnostic| diagnostic.fixes.iter().find(|fix| fix.safe).cloned();
    for fix in diagnostics.iter().filter_map(first_safe) {
        let Fix { edits, .. } = fix;
        let free = edits.iter().all(|edit| taken.iter().all(|other| !collides(&edit.span, &other.span)));
        if free {
            taken.extend(edits);
        }
    }
    taken.sort_by_key(|edit| (edit.span.start, edit.span.end));
    taken
}

fn meets(a: &Span, b: &Span) -> bool {
    a.start <= b.end && b.start <= a.end
}

/// Edits at one place collide even if both only insert: their order would be chance.
fn collides(a: &Span, b: &Span) -> bool {
    a.start < b.end && b.start < a.end || a.start == b.start || a.end == b.start && a.is_empty() || b.end == a.start && b.is_empty()
}
