//! Reads the blocks of a document. Sections remember theirs: what is between blocks is cut there, and a key reads the
//! sections around it alone.

use std::sync::{Arc, Mutex, PoisonError, Weak};

use super::group::{self, Group};
use super::signs::{self, Sign, Signs};
use crate::edit::{Block, Path, Warning};
use crate::markdown::{Section, SectionKind};
use crate::source::{Placed, Source};

/// The blocks of a document, and what speaks for and against its being a reply.
#[derive(Debug, Default)]
pub(super) struct Reading {
    pub groups: Vec<(usize, Arc<Group>)>,
    /// It has a title: it is a document, not a reply.
    pub titled: bool,
    /// It explains what markers are.
    pub explains: bool,
}

/// The blocks in sections that begin and end between blocks.
#[derive(Debug, Default)]
struct Remembered(Mutex<Option<Known>>);

#[derive(Debug)]
struct Known {
    sections: Vec<Weak<Section>>,
    group: Arc<Group>,
}

pub(super) fn read(source: &Source) -> Reading {
    let mut reading = Reading::default();
    let mut pending: Vec<Placed> = Vec::new();
    let mut open = Open::default();
    for stretch in source.stretches() {
        let (signs, anything) = signs::any(source, stretch);
        reading.titled |= pending.is_empty() && !anything && has_title(stretch.sections());
        if !anything && pending.is_empty() {
            continue;
        }
        for placed in stretch.sections() {
            let found = Signs::of(source, placed);
            reading.titled |= pending.is_empty() && placed.section.kind == SectionKind::Heading(1);
            reading.explains |= found.explains();
            if pending.is_empty() && (!signs || found.all().is_empty()) {
                continue;
            }
            pending.push(placed);
            found.all().iter().for_each(|sign| open.take(*sign));
            if !open.is_open() {
                take(source, &mut pending, &mut reading);
            }
        }
    }
    take(source, &mut pending, &mut reading);
    reading
}

fn has_title<'a>(mut sections: impl Iterator<Item = Placed<'a>>) -> bool {
    sections.any(|placed| placed.section.kind == SectionKind::Heading(1))
}

/// What is open at some line.
#[derive(Debug, Default)]
struct Open {
    head: Option<usize>,
    patch: bool,
}

impl Open {
    fn take(&mut self, sign: Sign) {
        match sign {
            Sign::Head(length) if self.head.is_none_or(|open| open == length) => self.head = Some(length),
            Sign::End(length) if self.head == Some(length) => self.head = None,
            Sign::PatchStart => self.patch = true,
            Sign::PatchEnd => self.patch = false,
            Sign::Head(_) | Sign::End(_) | Sign::Diff => {}
        }
    }

    fn is_open(&self) -> bool {
        self.head.is_some() || self.patch
    }
}

fn take(source: &Source, pending: &mut Vec<Placed>, reading: &mut Reading) {
    let (Some(first), Some(last)) = (pending.first(), pending.last()) else { return };
    let memo = first.section.memo.get::<Remembered>();
    let mut known = memo.0.lock().unwrap_or_else(PoisonError::into_inner);
    let same = |sections: &[Weak<Section>]| {
        sections.len() == pending.len() && sections.iter().zip(pending.iter()).all(|(known, placed)| known.as_ptr() == Arc::as_ptr(placed.section))
    };
    let group = match &*known {
        Some(known) if same(&known.sections) => Arc::clone(&known.group),
        _ => {
            let group = Arc::new(group::read(&source.slice(first.start..last.span().end)));
            let sections = pending.iter().map(|placed| Arc::downgrade(placed.section)).collect();
            *known = Some(Known { sections, group: Arc::clone(&group) });
            group
        }
    };
    reading.groups.push((first.start, group));
    drop(known);
    pending.clear();
}

impl Reading {
    /// The blocks as places of the document; one without a path has that of the block before it.
    pub(super) fn blocks(&self) -> Vec<Block> {
        let mut found: Vec<Block> = Vec::new();
        let mut path: Option<Path> = None;
        for (start, group) in &self.groups {
            for block in &group.blocks {
                let mut block = block.clone().shifted(*start);
                match &block.path {
                    Some(own) => path = Some(own.clone()),
                    None if block.subject == crate::edit::Subject::File => {
                        block.path = path.clone().map(|path| Path { inherited: true, ..path });
                        block.warnings.extend(block.path.is_some().then_some(Warning::InheritedPath));
                    }
                    None => {}
                }
                found.push(block);
            }
        }
        found
    }
}
