//! Changes to a schema that the body of a program suggests. It may suggest hundreds, and the same
//! ones after every key press.

use std::hash::BuildHasher;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use parking_lot::Mutex;
use rustc_hash::{FxBuildHasher, FxHashMap, FxHashSet};

use super::{RuleContext, change};
use crate::schema::Change;
use crate::text::Edit;

/// At most this many bytes of YAML are parsed for the changes that a body suggests.
const MOST_WEIGHED: usize = 2 << 20;

/// The results of changes that the body of a program suggests, cached with the front matter.
#[derive(Debug, Default)]
pub struct Suggested {
    made: Mutex<Made>,
    within: Mutex<Within>,
}

/// The edits of changes; `None` if they can't be made.
type Made = FxHashMap<Box<[Change]>, Option<Vec<Edit>>>;

/// All changes that checks have suggested, as long as they fit: then the changes of a single check
/// fit, too, and needn't be counted with every key press.
#[derive(Debug, Default)]
struct Within {
    /// Unique: another set never has the same one.
    id: u64,
    ids: FxHashSet<u64>,
    /// A single check had too many.
    given_up: bool,
}

impl Within {
    /// Adds changes if all fit.
    fn admits(&mut self, ids: &[u64], most: usize) -> bool {
        let new = ids.iter().filter(|id| !self.ids.contains(id)).count();
        let fits = self.ids.len() + new <= most;
        if fits {
            self.ids.extend(ids);
        }
        fits
    }

    fn begin_again(&mut self) {
        static LAST: AtomicU64 = AtomicU64::new(0);
        self.id = LAST.fetch_add(1, Ordering::Relaxed) + 1;
        self.ids.clear();
    }
}

/// The changes that some findings suggest, each once.
#[derive(Debug, Default)]
pub struct Suggestions {
    ids: Box<[u64]>,
    /// The [`Within`] with these changes.
    within: AtomicU64,
}

/// The changes that a body has suggested so far in one check.
#[derive(Debug, Default)]
pub struct Weighed {
    /// The [`Within`] with these changes; 0 before the first one.
    within: u64,
    /// Those that were known there.
    known: Vec<Arc<Suggestions>>,
    new: Vec<u64>,
    /// All of them, once they have to be counted.
    counted: Option<FxHashSet<u64>>,
    since: Vec<u64>,
    refused: bool,
}

impl Weighed {
    /// The changes suggested since the last call, and whether some were skipped.
    pub fn since(&mut self) -> (Suggestions, bool) {
        let mut ids = std::mem::take(&mut self.since);
        ids.sort_unstable();
        ids.dedup();
        let suggestions = Suggestions { ids: ids.into(), within: AtomicU64::default() };
        (suggestions, std::mem::take(&mut self.refused))
    }

    /// Whether all of these fit; then they count as suggested.
    pub fn admits(&mut self, context: &RuleContext, suggestions: &Arc<Suggestions>) -> bool {
        if suggestions.ids.is_empty() {
            return true;
        }
        if self.counted.is_none() {
            let mut within = context.program.header.suggested.within.lock();
            let is_known =
                within.id != 0 && suggestions.within.load(Ordering::Relaxed) == within.id;
            if is_known || self.is_within(&mut within, &suggestions.ids, most(context)) {
                suggestions.within.store(within.id, Ordering::Relaxed);
                self.known.push(Arc::clone(suggestions));
                return true;
            }
        }
        self.count(context, &suggestions.ids)
    }

    /// The same for one change.
    fn admits_one(&mut self, context: &RuleContext, id: u64) -> bool {
        if self.counted.is_none() {
            let mut within = context.program.header.suggested.within.lock();
            if self.is_within(&mut within, &[id], most(context)) {
                self.new.push(id);
                return true;
            }
        }
        self.count(context, &[id])
    }

    /// Whether changes fit together with all those suggested before. If not, the changes of this
    /// check are counted from now on.
    fn is_within(&mut self, within: &mut Within, ids: &[u64], most: usize) -> bool {
        if within.id == 0 {
            within.begin_again();
        }
        if self.within == 0 {
            self.within = within.id;
        }
        // Another check may have begun again in the meantime.
        if !within.given_up && self.within == within.id {
            if within.admits(ids, most) {
                return true;
            }
            within.begin_again();
        }
        let known = self.known.iter().flat_map(|known| known.ids.iter());
        self.counted = Some(known.chain(&self.new).copied().collect());
        false
    }

    fn count(&mut self, context: &RuleContext, ids: &[u64]) -> bool {
        let counted = self.counted.get_or_insert_default();
        let new = ids.iter().filter(|id| !counted.contains(id)).count();
        if counted.len() + new > most(context) {
            context.program.header.suggested.within.lock().given_up = true;
            return false;
        }
        counted.extend(ids);
        true
    }
}

fn most(context: &RuleContext) -> usize {
    MOST_WEIGHED / context.yaml.len().max(256)
}

/// [`change::edits`] for the suggestions of a body. It may have many, and the same ones after every key
/// press: only the first distinct changes in the document are made.
pub fn suggested(context: &RuleContext, changes: &[Change]) -> Option<Vec<Edit>> {
    {
        let mut weighed = context.weighed.borrow_mut();
        let id = FxBuildHasher.hash_one(changes);
        if !weighed.admits_one(context, id) {
            weighed.refused = true;
            return None;
        }
        weighed.since.push(id);
    }
    let kept = || context.program.header.suggested.made.lock();
    if let Some(known) = kept().get(changes) {
        return known.clone();
    }
    let made = change::edits(context, "input", changes);
    let mut kept = kept();
    if kept.len() > 2 * most(context) {
        kept.clear();
    }
    kept.insert(changes.into(), made.clone());
    made
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use crate::config::Config;
    use crate::document::Document;
    use crate::format::Context;
    use crate::ide::diagnostics::shown;
    use crate::rule::{Diagnostic, Fix};
    use crate::text::{Edit, apply};
    use crate::world::Memory;

    /// A body may cross the limit in both directions: after each edit, the same suggestions are
    /// left out as in a document that was never edited.
    #[test]
    fn the_first_suggestions_do_not_depend_on_earlier_ones() {
        let long = "日".repeat(7000);
        let front = format!(
            "---\nname: a\ndescription: {long}\ninput: {{ type: object, properties: {{ who: {{ type: string }} }} }}\noutput: {{ type: object }}\n---\n\n"
        );
        let unit = |at: usize| format!("## Part {at}\n\nGreet {{{{ .unknown{at} }}}}.\n\n");
        let most = super::MOST_WEIGHED / front.len();
        let mut text = front.clone() + &(0..most - 2).map(unit).collect::<String>();
        let (config, world) = (Config::default(), Memory::default());
        let path = Some(Path::new("/w/a.md"));
        let found = |document: &Document| {
            let cx = Context::new(document.source(), path, &world, &config);
            shown(document, &cx, 0).list()
        };
        let mut document = Document::new(&text, path, &config);
        let mut seen = Vec::new();
        let mut change = |edit: Edit| {
            text = apply(&text, std::slice::from_ref(&edit)).unwrap();
            document = document.edit(&[edit], path, &config);
            let (warm, cold) = (found(&document), found(&Document::new(&text, path, &config)));
            assert_eq!(warm, cold);
            let lacks = |one: &&Diagnostic| {
                let declares = |fix: &Fix| fix.title.starts_with("Declare");
                one.rule.code.ends_with("unknown-variable") && !one.fixes.iter().any(declares)
            };
            seen.push(warm.iter().filter(lacks).count());
        };
        let at = front.len();
        let added: Vec<String> = (0..4).map(|one| unit(10_000 + one)).collect();
        for part in &added {
            change(Edit::insert(at, part.clone()));
        }
        for part in added.iter().rev() {
            change(Edit::delete(at..at + part.len()));
        }
        // While a name is typed, each letter suggests another change.
        for letter in "abcdefgh".chars() {
            change(Edit::insert(at + "## Part 0\n\nGreet {{ .unknown".len(), letter.to_string()));
        }
        assert_eq!(seen, [0, 0, 1, 2, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
    }
}
