use std::path::Path;

use super::RuleContext;
use crate::declare_rule;
use crate::rule::{Fix, Report};
use crate::suggestion::did_you_mean_or;
use crate::text::Edit;
use crate::world::{EntryKind, resolve};

declare_rule! {
    /// `{% include 'file' %}` inserts the contents of another file, usually a Meta section that
    /// several documents share. The path is relative to the document's folder. This file doesn't
    /// exist.
    ///
    /// ````markdown file=shared/meta.md
    /// ## Meta: LLMD
    /// ````
    ///
    /// ````markdown bad
    /// # Project: Clock
    ///
    /// {% include 'shared/mta.md' %}
    ///
    /// ## Mission
    ///
    /// Tell the time.
    ///
    /// ## Code Context
    ///
    /// ### clock.py
    ///
    /// ```python
    /// import time
    ///
    /// print(time.time())
    /// ```
    ///
    /// ## Changelog
    ///
    /// - Created
    ///
    /// ## Conversation Thread
    ///
    /// ### Entry 1
    ///
    /// **Human:** Show the local time.
    ///
    /// **Assistant:** Done.
    ///
    /// clock.py
    /// <<<<<< SEARCH
    /// print(time.time())
    /// =======
    /// print(time.ctime())
    /// >>>>>> REPLACE
    /// ````
    ///
    /// ````markdown good
    /// # Project: Clock
    ///
    /// {% include 'shared/meta.md' %}
    ///
    /// ## Mission
    ///
    /// Tell the time.
    ///
    /// ## Code Context
    ///
    /// ### clock.py
    ///
    /// ```python
    /// import time
    ///
    /// print(time.time())
    /// ```
    ///
    /// ## Changelog
    ///
    /// - Created
    ///
    /// ## Conversation Thread
    ///
    /// ### Entry 1
    ///
    /// **Human:** Show the local time.
    ///
    /// **Assistant:** Done.
    ///
    /// clock.py
    /// <<<<<< SEARCH
    /// print(time.time())
    /// =======
    /// print(time.ctime())
    /// >>>>>> REPLACE
    /// ````
    pub static RULE = "llmd/include-not-found", Warning, "Included file not found";
}

pub fn check(context: &RuleContext, report: &mut Report) {
    let Some(own) = context.cx.path else { return };
    for include in context.layout().includes.iter().take(MOST) {
        let path = resolve(own, &include.text);
        if context.cx.world.kind(&path) == Some(EntryKind::File) {
            continue;
        }
        let meant = neighbour(context, own, &include.text);
        let message = format!(
            "included file `{}` not found{}",
            include.text,
            did_you_mean_or(meant.as_deref(), "correct the path, or create the file")
        );
        let finding = report.add(&RULE, include.path.clone(), message);
        if let Some(meant) = meant {
            finding.fix(Fix::suggestion(
                format!("Replace with `{meant}`"),
                vec![Edit::replace(include.path.clone(), meant)],
            ));
        }
    }
}

/// At most this many files are looked up.
const MOST: usize = 256;

/// The file in the same folder with the most similar name.
fn neighbour(context: &RuleContext, own: &Path, written: &str) -> Option<String> {
    let (folder, name) = written.rsplit_once('/').unwrap_or(("", written));
    let entries = context.cx.world.list(&resolve(own, folder));
    let name = entries.closest_file(name)?;
    Some(if folder.is_empty() { name.to_owned() } else { format!("{folder}/{name}") })
}
