//! The cases that can be run separately.

use super::{Cases, Written};
use crate::answer::{Runnable, RunnableKind};

/// All cases together, at their key, and each one.
pub fn runnables(written: &Written, cases: &Cases) -> Vec<Runnable> {
    if !cases.flaws.is_empty() || cases.cases.is_empty() {
        return Vec::new();
    }
    let all = written.is_file.then(|| Runnable {
        span: written.mark(written.cases(), crate::schema::Part::Key),
        kind: RunnableKind::Test { case: None },
    });
    let each = cases.cases.iter().filter_map(|case| {
        let span = written.whole(&case.pointer)?;
        Some(Runnable { span, kind: RunnableKind::Test { case: Some(case.name.clone()) } })
    });
    all.into_iter().chain(each).collect()
}
