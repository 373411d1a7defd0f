//! Rename: a program, in its front matter and in the bodies that mention it.
//!
//! A program's name may be an ordinary word (`summarize`), and only its marks tell whether a body
//! means the program. So a mention is only renamed in a code span, if the name has a `-` or `_` that
//! prose doesn't use, or if the words around it say that it is a program: "the summarize tool",
//! "call summarize".

use super::calls;
use super::mention::{self, Thing};
use super::program::Program;
use super::read;
use super::rules::{RuleContext, is_tool_name};
use super::spot::{self, Spot, What};
use crate::answer::{FileEdit, Occurrence, Renamable};
use crate::format::Context;
use crate::source::Source;
use crate::text::{Edit, Span};

/// The name of this program in its front matter, or that of a program where it is imported or
/// mentioned.
pub fn renamable(program: &Program, cx: &Context, offset: usize) -> Option<Renamable> {
    let bare = |span: Span| {
        let written = cx.source.slice(span.clone());
        let quoted = written.len() >= 2 && written.starts_with(['"', '\'']);
        if quoted { span.start + 1..span.end - 1 } else { span }
    };
    match spot::at(program, offset) {
        Some(Spot { span, what: What::Name }) => {
            let name = program.name.as_ref().filter(|name| name.span == span)?;
            let span = bare(span);
            (cx.source.slice(span.clone()) == name.text)
                .then(|| Renamable { span, name: name.text.clone() })
        }
        Some(Spot { span, what: What::Import(_) }) => {
            Some(Renamable { name: calls::name(program, cx, offset)?, span: bare(span) })
        }
        Some(_) => None,
        None => {
            let found = mention::thing(program, cx, offset)?;
            let is_program = matches!(found.thing, Thing::Import(_));
            let name = calls::name(program, cx, offset).filter(|_| is_program)?;
            Some(Renamable { name, span: found.span })
        }
    }
}

/// Renames a program; `None` if `offset` isn't on the name of one.
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
    let mut files: Vec<FileEdit> = Vec::new();
    for Occurrence { path, span, defines } in
        calls::references(program, cx, offset).unwrap_or_default()
    {
        let asked = path.is_none() && span.start <= offset && offset <= span.end;
        let text = match &path {
            None if defines => RuleContext::new(program, cx).print(&span, name),
            Some(path) if defines => {
                let Ok(source) = cx.world.read(path) else { continue };
                let own = Context { source: &source, path: Some(path), ..*cx };
                RuleContext::new(&read(&source, None), &own).print(&span, name)
            }
            // The one under the cursor is meant, regardless of the words around it.
            None if asked && cx.source.slice(span.clone()) == old => name.to_owned(),
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

/// The words after a program's name.
const NOUNS: [&str; 5] = ["tool", "program", "agent", "subagent", "sub-agent"];
/// The words before it, with or without an article between them.
const VERBS: [&str; 6] = ["call", "calls", "calling", "invoke", "invokes", "invoking"];

/// Whether a mention is unambiguous.
fn is_certain(source: &Source, span: &Span, name: &str) -> bool {
    if source.slice(span.clone()) != name {
        return false;
    }
    let line = source.line_span(span.start);
    let text = source.slice(line.clone());
    let before = text.get(..span.start - line.start).unwrap_or_default();
    let behind = text.get(span.end - line.start..).unwrap_or_default();
    if name.contains(['-', '_']) || before.ends_with('`') && behind.starts_with('`') {
        return true;
    }
    let word = |text: &str| {
        text.trim_matches(|char: char| !char.is_alphanumeric() && char != '-').to_lowercase()
    };
    let next = behind.strip_prefix([' ', '*', '_']).and_then(|rest| rest.split_whitespace().next());
    let mut words = before.split_whitespace().rev().map(word).filter(|word| !word.is_empty());
    let spaced = before.ends_with([' ', '*', '_']);
    next.is_some_and(|next| NOUNS.contains(&word(next).as_str()))
        || spaced
            && words
                .by_ref()
                .find(|word| !["the", "a"].contains(&word.as_str()))
                .is_some_and(|word| VERBS.contains(&word.as_str()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mdl_24_words_around_a_name_say_that_it_is_a_program() {
        let certain = |text: &str, name: &str| {
            let source = Source::new(text);
            let at = text.find(name).unwrap();
            is_certain(&source, &(at..at + name.len()), name)
        };
        for text in [
            "Use `summarize` first.",
            "é🦆 Use the summarize tool.",
            "Call summarize with the text.",
            "1. For each, calls the **summarize**.",
            "Then invoke summarize",
            "The _summarize_ program does it\r\n",
        ] {
            assert!(certain(text, "summarize"), "{text}");
        }
        for text in ["Please summarize tools.", "summarize the call", "It recalls summarize"] {
            assert!(!certain(text, "summarize"), "{text}");
        }
        assert!(certain("a code-review b", "code-review"));
    }
}
