//! A document that is opened while the workspace is being read exists once, not twice: a large one
//! takes much more memory than its text.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock, Weak};

use parking_lot::Mutex;

use crate::config::Config;
use crate::document::Document;

/// Smaller documents aren't worth it.
const LARGE: usize = 64 << 10;

/// A document and the settings it was parsed with.
pub(super) type Parsed = (Arc<Config>, Document);

/// The large documents that are being parsed or are still in use.
#[derive(Default)]
pub(super) struct Shared(Mutex<HashMap<PathBuf, Weak<OnceLock<Parsed>>>>);

/// A document that is shared as long as this exists.
pub(super) struct Held {
    pub document: Document,
    _cell: Option<Arc<OnceLock<Parsed>>>,
}

impl Shared {
    /// Parses `text`, unless another thread is parsing or using the same document. `open` finds one
    /// that is already open.
    pub(super) fn parse(
        &self,
        path: Option<&Path>,
        text: &str,
        config: &Arc<Config>,
        open: impl FnOnce() -> Option<Parsed>,
    ) -> Held {
        let parse = || Document::new(text, path, config);
        let Some(path) = path.filter(|_| text.len() >= LARGE) else {
            return Held { document: parse(), _cell: None };
        };
        let cell = {
            let mut cells = self.0.lock();
            cells.retain(|_, cell| cell.strong_count() > 0);
            // An opened document is kept until it's in the list of open ones, so it's found either
            // here or there.
            cells.get(path).and_then(Weak::upgrade).unwrap_or_else(|| {
                let cell = Arc::new(open().map_or_else(OnceLock::new, OnceLock::from));
                cells.insert(path.to_owned(), Arc::downgrade(&cell));
                cell
            })
        };
        let (settings, document) = cell.get_or_init(|| (Arc::clone(config), parse()));
        let same = Arc::ptr_eq(settings, config) && *document.source().text() == *text;
        let document = if same { document.clone() } else { parse() };
        Held { document, _cell: Some(cell) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_shared(a: &Document, b: &Document) -> bool {
        let first = |document: &Document| {
            document.source().sections().next().map(|placed| Arc::as_ptr(placed.section))
        };
        first(a) == first(b)
    }

    #[test]
    fn a_document_read_twice_concurrently_exists_once() {
        let (shared, config) = (Shared::default(), Arc::new(Config::default()));
        let text = "# A heading\n".repeat(LARGE / 12 + 1);
        let path = Some(Path::new("/w/a.md"));
        let parse = |text: &str, config: &Arc<Config>| shared.parse(path, text, config, || None);
        let first = parse(&text, &config);
        assert!(is_shared(&parse(&text, &config).document, &first.document));
        // Not the same: another text, other settings, another path, a small document.
        let other = text.replace("heading", "HEADING");
        assert!(!is_shared(&parse(&other, &config).document, &first.document));
        let settings = Arc::new(Config::default());
        assert!(!is_shared(&parse(&text, &settings).document, &first.document));
        let elsewhere = shared.parse(Some(Path::new("/w/b.md")), &text, &config, || None);
        assert!(!is_shared(&elsewhere.document, &first.document));
        let small = parse("# A heading\n", &config);
        assert!(!is_shared(&parse("# A heading\n", &config).document, &small.document));
        // It's forgotten with the last use, and found again among the open documents.
        let document = first.document.clone();
        drop((first, elsewhere));
        assert!(!is_shared(&parse(&text, &config).document, &document));
        let open = || Some((Arc::clone(&config), document.clone()));
        assert!(is_shared(&shared.parse(path, &text, &config, open).document, &document));
        let locked = shared.0.lock();
        assert!(locked.values().all(|cell| cell.strong_count() == 0));
    }
}
