//! Rename: a program, in its front matter and in the bodies that mention it.
//!
//! A program's name may be an ordinary word (`summarize`), and only its marks tell whether a body
//! means the program. So a mention is only renamed in a code span, or if the name has a `-` or `_`
//! that prose doesn't use.

use super::calls;
use super::mention;
use super::program::Program;
use super::rules::{RuleContext, is_tool_name};
use super::spot::{self, Spot, What};
use crate::answer::{FileEdit, Occurrence, Renamable};
use crate::format::Context;
use crate::source::Source;
use crate::text::{Edit, Span};

/// The name of this program, in its front matter.
pub fn renamable(program: &Program, cx: &Context, offset: usize) -> Option<Renamable> {
    let Spot { span, what: What::Name } = spot::at(program, offset)? else { return None };
    let name = program.name.as_ref().filter(|name| name.span == span)?;
    let written = cx.source.slice(span.clone());
    let quoted = written.len() == name.text.len() + 2 && written.starts_with(['"', '\'']);
    let span = if quoted { span.start + 1..span.end - 1 } else { span };
    (cx.source.slice(span.clone()) == name.text)
        .then(|| Renamable { span, name: name.text.clone() })
}

/// Renames this program; `None` if `offset` isn't on its name.
pub fn rename(
    program: &Program,
    cx: &Context,
    offset: usize,
    name: &str,
) -> Option<Result<Vec<FileEdit>, String>> {
    let old = renamable(program, cx, offset)?;
    Some(edits(program, cx, offset, &old.name, name))
}

fn edits(
    program: &Program,
    cx: &Context,
    offset: usize,
    old: &str,
    name: &str,
) -> Result<Vec<FileEdit>, String> {
    if !is_tool_name(name) {
        return Err(format!(
            "`{name}` cannot be the name of a tool; use letters, digits, `_` and `-`, at most 64"
        ));
    }
    if name == mention::PYTHON || name.starts_with("mcp__") {
        return Err(format!("the tool `{name}` already exists; choose another name"));
    }
    let context = RuleContext::new(program, cx);
    let mut files: Vec<FileEdit> = Vec::new();
    for Occurrence { path, span, defines } in
        calls::references(program, cx, offset).unwrap_or_default()
    {
        let text = match &path {
            _ if defines => context.print(&span, name),
            Some(path)
                if !cx.world.read(path).is_ok_and(|source| is_certain(&source, &span, old)) =>
            {
                continue;
            }
            None if !is_certain(cx.source, &span, old) => continue,
            _ => name.to_owned(),
        };
        let edit = Edit::replace(span, text);
        match files.iter_mut().find(|file| file.path == path) {
            Some(file) => file.edits.push(edit),
            None => files.push(FileEdit { path, edits: vec![edit] }),
        }
    }
    Ok(files)
}

/// Whether a mention is unambiguous.
fn is_certain(source: &Source, span: &Span, name: &str) -> bool {
    if source.slice(span.clone()) != name {
        return false;
    }
    let before = source.slice(span.start.saturating_sub(1)..span.start);
    let behind = source.slice(span.end..(span.end + 1).min(source.len()));
    name.contains(['-', '_']) || before == "`" && behind == "`"
}
