use std::collections::HashMap;

use super::RuleContext;
use crate::declare_rule;
use crate::format::llmd::layout::File;
use crate::format::llmd::plan::name_of;
use crate::rule::Report;

declare_rule! {
    /// A file appears twice in the Code Context. Programs may change one copy and show the model
    /// the other.
    ///
    /// ````markdown bad
    /// # Project: Clock
    ///
    /// ## Meta: LLMD
    ///
    /// The assistant answers with edit blocks.
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
    /// ### clock.py
    ///
    /// ```python
    /// x = 1
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
    pub static RULE = "llmd/duplicate-file", Error, "Duplicate file in the Code Context";
}

pub fn check(context: &RuleContext, report: &mut Report) {
    let mut known: HashMap<&str, &File> = HashMap::new();
    for file in context.layout().files.iter().filter(|file| !name_of(file).is_empty()) {
        let Some(first) = known.get(name_of(file)) else {
            known.insert(name_of(file), file);
            continue;
        };
        let message = format!(
            "`{}` is already in the Code Context; remove one of the two, since blocks only change the first",
            name_of(file)
        );
        report
            .add(&RULE, file.heading.name.clone(), message)
            .relate(first.heading.name.clone(), "first defined here");
    }
}
