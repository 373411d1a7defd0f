//! Links to the tested program and to judges.

use super::Subject;
use crate::answer::{Link, LinkTarget};
use crate::schema::Part;
use crate::world;

pub fn links(subject: &Subject) -> Vec<Link> {
    let Some(from) = subject.cx.path else { return Vec::new() };
    let program = subject.cases.program.as_deref().map(|named| ("/program", named));
    let judges = subject.cases.cases.iter().filter_map(|case| case.expect.judge.as_ref());
    let judges = judges.map(|judge| (judge.at.as_str(), judge.program.as_str()));
    let link = |(at, named): (&str, &str)| {
        let span = subject.written.mark(at, Part::Value);
        let text = subject.cx.source.slice(span.clone());
        let start = text.find(named)?;
        Some(Link {
            span: span.start + start..span.start + start + named.len(),
            target: LinkTarget::File { path: world::resolve(from, named), fragment: None },
            tooltip: Some("Open the program".to_owned()),
        })
    };
    let mut found: Vec<Link> = program.into_iter().chain(judges).filter_map(link).collect();
    found.sort_by_key(|link| link.span.start);
    found.dedup_by(|next, first| next.span.start < first.span.end);
    found
}
