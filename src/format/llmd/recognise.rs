//! Which Markdown files are LLMD documents (LLMD-1).

use std::path::Path;

use crate::markdown::SectionKind;
use crate::source::Source;

/// By extension, by the heading `## Meta: LLMD`, or by `# Project:` with a `## Conversation Thread`.
pub fn recognise(path: Option<&Path>, source: &Source) -> bool {
    if path.and_then(Path::file_name).and_then(|name| name.to_str()).is_some_and(is_named) {
        return true;
    }
    let (mut first, mut project, mut thread) = (true, false, false);
    for placed in source.sections() {
        let SectionKind::Heading(level) = placed.section.kind else {
            // A byte order mark or blank lines may stand before the title.
            continue;
        };
        let line = source.slice(source.line_span(placed.start));
        let name = line.trim_start_matches(['\u{feff}', '#']).trim();
        match level {
            1 if first => project = name.starts_with("Project:"),
            2 if name.starts_with("Meta: LLMD") => return true,
            2 => thread |= name == "Conversation Thread",
            _ => {}
        }
        first = false;
        if !project && !first && level == 1 {
            // Its first heading is another one: only the meta section could say more.
            thread = false;
        }
    }
    project && thread
}

fn is_named(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    name.ends_with(".llmd") || name.ends_with(".ll.md")
}
