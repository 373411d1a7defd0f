//! Which Markdown files are LLMD documents (LLMD-1).

use std::path::Path;
use std::sync::OnceLock;

use crate::markdown::SectionKind;
use crate::source::Source;

/// By extension, by the heading `## Meta: LLMD`, or by `# Project:` with a `## Conversation Thread`.
pub fn recognise(path: Option<&Path>, source: &Source) -> bool {
    if path.and_then(Path::file_name).and_then(|name| name.to_str()).is_some_and(is_named) {
        return true;
    }
    let (mut first, mut project, mut thread) = (true, false, false);
    for placed in source.sections() {
        let SectionKind::Heading(level @ (1 | 2)) = placed.section.kind else { continue };
        let memo = placed.section.memo.get::<OnceLock<Title>>();
        let title = memo.get_or_init(|| Title::of(&source.slice(source.line_span(placed.start))));
        match (level, title) {
            (1, Title::Project) if first => project = true,
            (2, Title::Meta) => return true,
            (2, Title::Thread) => thread = true,
            _ => {}
        }
        first &= level != 1;
    }
    project && thread
}

/// What a heading says about its document; sections remember it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Title {
    Project,
    Meta,
    Thread,
    Other,
}

impl Title {
    fn of(line: &str) -> Self {
        match line.trim_start_matches(['\u{feff}', '#']).trim() {
            name if name.starts_with("Project:") => Self::Project,
            name if name.starts_with("Meta: LLMD") => Self::Meta,
            "Conversation Thread" => Self::Thread,
            _ => Self::Other,
        }
    }
}

fn is_named(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    name.ends_with(".llmd") || name.ends_with(".ll.md")
}
