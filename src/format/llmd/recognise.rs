//! Which Markdown files are LLMD documents (LLMD-1).

use std::path::Path;
use std::sync::OnceLock;

use crate::markdown::{SectionKind, Trace};
use crate::source::{Source, Stretch};

/// By extension, by the heading `## Meta: LLMD`, or by `# Project:` with a
/// `## Conversation Thread`.
pub fn recognise(path: Option<&Path>, source: &Source) -> bool {
    if path.and_then(Path::file_name).and_then(|name| name.to_str()).is_some_and(is_named) {
        return true;
    }
    let (mut title, mut thread) = (None, false);
    for stretch in source.stretches() {
        let memo = stretch.memo().get::<OnceLock<Titles>>();
        let titles = memo.get_or_init(|| Titles::of(source, stretch));
        if titles.meta {
            return true;
        }
        title = title.or(titles.project);
        thread |= titles.thread;
    }
    title == Some(true) && thread
}

/// What the headings of some sections show about their document.
#[derive(Debug, Clone, Copy, Default)]
struct Titles {
    /// Whether the first level-1 heading is that of a project.
    project: Option<bool>,
    meta: bool,
    thread: bool,
}

impl Titles {
    fn of(source: &Source, stretch: Stretch) -> Self {
        let mut found = Self::default();
        for placed in stretch.sections() {
            let SectionKind::Heading(level @ (1 | 2)) = placed.section.kind else { continue };
            if !placed.section.may_have(Trace::Title) {
                if level == 1 {
                    found.project = found.project.or(Some(false));
                }
                continue;
            }
            let line = source.slice(source.line_span(placed.start));
            let name = line.trim_start_matches(['\u{feff}', '#']).trim();
            if level == 1 {
                found.project = found.project.or(Some(name.starts_with("Project:")));
            } else {
                found.meta |= name.starts_with("Meta: LLMD");
                found.thread |= name == "Conversation Thread";
            }
        }
        found
    }
}

fn is_named(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    name.ends_with(".llmd") || name.ends_with(".ll.md")
}
