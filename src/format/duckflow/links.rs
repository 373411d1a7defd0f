//! Links from a path to its file, if the workspace has it.

use std::path::PathBuf;

use super::Response;
use super::mark::{Mark, MarkKind};
use super::vocabulary::{ParameterKind, parameter};
use crate::answer::{Link, LinkTarget, Target};
use crate::format::Context;
use crate::plan::path;

/// Each path costs a disk access, so any more than this get no links.
const MOST: usize = 1000;

/// A link for each path that leads to a file.
pub(super) fn links(response: &Response, cx: &Context) -> Vec<Link> {
    let mut found = Vec::new();
    let marks = response
        .layout()
        .marks
        .iter()
        .zip(&response.layout().inside)
        .filter(|(_, inside)| inside.is_none());
    for (mark, _) in marks.filter(|(mark, _)| is_path(mark, cx)).take(MOST) {
        if (cx.cancelled)() {
            break;
        }
        if let Some(path) = file(mark, cx) {
            found.push(Link {
                span: mark.value.clone(),
                target: LinkTarget::File { path, fragment: None },
                tooltip: None,
            });
        }
    }
    found
}

/// The file that the path at `offset` refers to.
pub(super) fn definition(response: &Response, cx: &Context, offset: usize) -> Option<Target> {
    let (_, mark) = response.mark_at(offset).filter(|(_, mark)| mark.value.start <= offset)?;
    Some(Target {
        path: Some(file(mark, cx)?),
        span: 0..0,
        selection: 0..0,
        origin: mark.value.clone(),
    })
}

fn is_path(mark: &Mark, cx: &Context) -> bool {
    let MarkKind::Action { key, .. } = &mark.kind else { return false };
    let kind = parameter(&cx.source.slice(key.clone()).to_ascii_uppercase())
        .map(|parameter| parameter.kind);
    !mark.value.is_empty() && kind == Some(ParameterKind::Path)
}

fn file(mark: &Mark, cx: &Context) -> Option<PathBuf> {
    if !is_path(mark, cx) {
        return None;
    }
    path::file(cx.world, &cx.root()?, &cx.source.slice(mark.value.clone()))
}
