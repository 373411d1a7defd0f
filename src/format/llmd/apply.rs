//! How the live blocks of a document match its own parts and the workspace's files, and what
//! applying them changes (LLMD-19).

use std::collections::HashMap;
use std::path::Path;
use std::sync::{Arc, OnceLock};

use super::Project;
use super::layout::{Placed, SectionKind};
use super::plan::{live, name_of, of_numbered, to_context};
use crate::edit::batch::{Refused, Request};
use crate::edit::{self, Lines, Subject, Tier};
use crate::format::{Context, blocks};
use crate::plan::Plan;
use crate::plan::choice::{Choice, Goal, Way};
use crate::plan::order::Order;
use crate::plan::standing::{self, Fit, FitKind, Numbered, Standing, State};
use crate::text::{Encoding, Span};

/// The live blocks with their numbers.
fn numbered(project: &Project) -> impl Iterator<Item = (u64, usize, &Placed)> {
    let found = live(&project.layout, None)
        .into_iter()
        .filter_map(|index| Some((index, project.layout.blocks.get(index)?)));
    (1..).zip(found).map(|(number, (index, placed))| (number, index, placed))
}

pub(super) fn blocks(project: &Project) -> Vec<(u64, Span)> {
    numbered(project).map(|(number, _, placed)| (number, placed.block.span())).collect()
}

pub(super) fn standings(project: &Project, cx: &Context, goal: Goal) -> Vec<Standing> {
    match goal {
        Goal::Context => own_standings(project, cx).as_ref().clone(),
        Goal::Workspace => {
            let Some(root) = cx.root() else { return Vec::new() };
            let blocks: Vec<Numbered> = numbered(project)
                .map(|(number, _, placed)| Numbered {
                    number,
                    block: &placed.block,
                    entry: placed.entry,
                })
                .collect();
            standing::standings(cx.world, &root, &blocks, Request::strict(false), cx.cancelled)
        }
    }
}

/// How the blocks of a document match it: cached with the document, which contains both.
#[derive(Debug, Default)]
struct Remembered(OnceLock<Arc<Vec<Standing>>>);

fn own_standings(project: &Project, cx: &Context) -> Arc<Vec<Standing>> {
    let memo = cx.source.memo().get::<Remembered>();
    let found = memo.0.get_or_init(|| {
        let text = cx.source.slice(0..cx.source.len());
        let mut contents: HashMap<usize, Arc<Lines>> = HashMap::new();
        let results =
            to_context(&text, &project.layout, &live(&project.layout, None), false).results;
        let found = numbered(project).zip(results).map(|((number, _, placed), result)| {
            let numbered = Numbered { number, block: &placed.block, entry: placed.entry };
            let part = part(project, &text, placed);
            let content = part.as_ref().and_then(|part| {
                let content = text.get(part.clone())?;
                let lines = contents.entry(part.start);
                Some(&*lines.or_insert_with(|| Arc::new(Lines::new(content))))
            });
            let name =
                placed.block.path.as_ref().map_or("this document", |path| path.text.as_str());
            let first = part.as_ref().map_or(0, |part| line_of(cx, part.start));
            let result = result.map_err(|refused| shifted(refused, first));
            let mut state = match placed.block.subject {
                Subject::File => {
                    let there = content.is_some();
                    let mut state =
                        standing::state(content, &placed.block, result, None, name, there);
                    if let (State::Fits(fit), Some(content)) = (&mut state, content) {
                        let request = Request { confirmed: true, ..Request::default() };
                        let content = Some(Arc::clone(content));
                        let places = edit::apply_to(content, &[&placed.block], request).places;
                        fit.lines =
                            places.into_iter().flatten().next().unwrap_or(fit.lines.clone());
                    }
                    state
                }
                Subject::Mission | Subject::Changelog => {
                    match standing::state(content, &placed.block, result, None, name, true) {
                        State::Fits(_) => State::Fits(of_section(
                            content.map(|content| content.text()).unwrap_or_default(),
                            placed.block.subject,
                        )),
                        other => other,
                    }
                }
            };
            if let State::Fits(fit) | State::Likely(fit) = &mut state {
                fit.lines = fit.lines.start + first..fit.lines.end + first;
            }
            Standing { part, ..Standing::new(numbered, state) }
        });
        Arc::new(found.collect())
    });
    Arc::clone(found)
}

/// The line, counted from 0, that contains an offset of the document.
fn line_of(cx: &Context, offset: usize) -> usize {
    cx.source.position(offset, Encoding::Utf8).line as usize
}

/// Converts a refusal about a part of the document to lines of the document.
fn shifted(mut refused: Refused, by: usize) -> Refused {
    refused.candidates.iter_mut().for_each(|line| *line += by);
    if let Some(nearest) = &mut refused.nearest {
        nearest.lines = nearest.lines.start + by..nearest.lines.end + by;
        nearest.differences.iter_mut().for_each(|difference| difference.line += by);
    }
    refused
}

/// The whole mission, or the last line of the changelog.
fn of_section(content: &str, subject: Subject) -> Fit {
    let lines = content.lines().count();
    let start = if subject == Subject::Mission { 0 } else { lines.saturating_sub(1) };
    Fit {
        kind: FitKind::Edit,
        tier: Tier::Exact,
        score: 1.0,
        lines: start..lines,
        warnings: Vec::new(),
    }
}

/// The part of the document that a block is about.
fn part(project: &Project, text: &str, placed: &Placed) -> Option<Span> {
    let section = |kind: SectionKind| {
        let body =
            project.layout.sections.iter().find(|section| section.kind == kind)?.body.clone();
        let content = text.get(body.clone())?;
        let start = body.start + (content.len() - content.trim_start().len());
        Some(start.min(body.end)..(body.start + content.trim_end().len()).max(start))
    };
    match placed.block.subject {
        Subject::Mission => section(SectionKind::Mission),
        Subject::Changelog => section(SectionKind::Changelog),
        Subject::File => {
            let name = &placed.block.path.as_ref()?.text;
            let file = project.layout.files.iter().find(|file| name_of(file) == name)?;
            Some(file.fences.first()?.content.clone())
        }
    }
}

/// The changes to files or to the document that a set of chosen blocks makes; `None` if the chosen
/// entry has no blocks.
pub(super) fn apply(project: &Project, cx: &Context, order: &Order) -> Option<Plan> {
    let live = live(&project.layout, order.entry);
    if order.entry.is_some() && live.is_empty() {
        return None;
    }
    let numbered = (1..)
        .zip(live)
        .filter_map(|(number, index)| Some((number, index, project.layout.blocks.get(index)?)));
    let chosen =
        numbered.filter_map(|(number, index, placed)| Some((order.choice(number)?, index, placed)));
    match order.goal() {
        Goal::Workspace => {
            let Some(root) = order.root(cx.root()) else { return Some(Plan::default()) };
            let files = chosen
                .filter(|(_, _, placed)| placed.block.subject == Subject::File)
                .map(|(choice, _, placed)| (choice, &*placed.block));
            Some(blocks::apply::of_blocks(files, order.planner(cx.world, &root).strict()))
        }
        Goal::Context => {
            let text = cx.source.slice(0..cx.source.len());
            let chosen: Vec<(Choice, usize)> =
                chosen.map(|(choice, index, _)| (choice, index)).collect();
            let mut layout = project.layout.clone();
            for (choice, index) in &chosen {
                let Some(placed) = layout.blocks.get_mut(*index) else { continue };
                // Lines are those of the document; the part begins at one of them.
                let way = match (choice.way, part(project, &text, placed)) {
                    (Way::At(line), Some(part)) => {
                        Way::At(line.saturating_sub(line_of(cx, part.start)))
                    }
                    (way, _) => way,
                };
                let block = Choice { way, ..*choice }.block(&placed.block).into_owned();
                placed.block = placed.block.with(block);
            }
            let blocks: Vec<(u64, usize)> =
                chosen.into_iter().map(|(choice, index)| (choice.number, index)).collect();
            let name = cx
                .path
                .and_then(Path::file_name)
                .map_or_else(|| "the document".into(), |name| name.to_string_lossy());
            Some(of_numbered(
                &text,
                &layout,
                &blocks,
                order.is_confirmed(),
                (cx.path.unwrap_or(Path::new("")), &name),
            ))
        }
    }
}
