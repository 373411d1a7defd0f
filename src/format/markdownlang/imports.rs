//! From an import to its program.

use super::program::{Import, Program};
use crate::answer::{Link, LinkTarget, Target};
use crate::format::Context;

/// The program that the import at `offset` names: its file, and in it the name.
pub fn definition(program: &Program, cx: &Context, offset: usize) -> Option<Target> {
    let import = program.imports.iter().find(|import| import.span.start <= offset && offset <= import.span.end)?;
    let path = import.path(cx.path?)?;
    let imported = cx.world.read(&path).ok()?;
    let selection = super::read(&imported, None).header.name.as_ref().map_or(0..0, |name| name.span.clone());
    Some(Target { path: Some(path), span: selection.clone(), selection, origin: import.span.clone() })
}

/// Every import that is a path.
pub fn links(program: &Program, cx: &Context) -> Vec<Link> {
    let link = |import: &Import| {
        let path = import.path(cx.path?)?;
        Some(Link { span: import.span.clone(), target: LinkTarget::File { path, fragment: None }, tooltip: None })
    };
    program.imports.iter().filter_map(link).collect()
}
