//! A file that is dropped into a program becomes an import.

use std::path::Path;

use super::program::Program;
use super::recognise;
use crate::answer::Insertion;
use crate::format::Context;
use crate::format::agent::names::relative;
use crate::text::Edit;
use crate::world::is_markdown;

/// The import of another program, unless there is one already.
pub fn import(program: &Program, cx: &Context, file: &Path) -> Option<Insertion> {
    let source = is_markdown(file).then(|| cx.world.look(file).ok()).flatten()?;
    if !recognise::recognise(Some(file), &source) {
        return None;
    }
    let folder = cx.path?.parent()?;
    let path = relative(folder, file)?;
    let path = if path.starts_with("../") { path } else { format!("./{path}") };
    let path = crate::yaml::print_scalar(&path);
    let known = |text: &str| crate::world::resolve(cx.path.unwrap_or(folder), text) == file;
    if program.imports.iter().any(|import| known(&import.text)) {
        return None;
    }
    let end = cx.source.line_break();
    let edit = match program.imports.last() {
        Some(last) => {
            let line = cx.source.line_span(last.span.start);
            let before = cx.source.slice(line.start..last.span.start).into_owned();
            match before.trim_start().starts_with('-') {
                true => Edit::insert(line.end, format!("{end}{before}{path}")),
                false => Edit::insert(last.span.end, format!(", {path}")),
            }
        }
        None => {
            let front = cx.source.front_matter()?;
            if front.tree.get("imports").is_some() {
                return None;
            }
            Edit::insert(front.yaml_span.end, format!("imports:{end}  - {path}{end}"))
        }
    };
    Some(Insertion { title: "Add to the imports".to_owned(), kind: "import", edit })
}
