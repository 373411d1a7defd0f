//! Completion: missing headings, the next speaker, blocks, paths. Inside a block, only its own
//! markers are offered.

use super::Project;
use super::event::{ASSISTANT, HUMAN};
use super::hover::documentation;
use super::layout::{Role, SECTIONS, SectionKind};
use super::plan::name_of;
use super::rules::skeleton;
use crate::answer::{Completion, CompletionKind};
use crate::edit::Reason;
use crate::format::blocks::written::names;
use crate::format::{Context, snippet};
use crate::markdown::BlockKind;
use crate::text::{Edit, Span};
use crate::world::{self, EntryKind};

/// The completions at `offset`.
pub(super) fn complete(project: &Project, cx: &Context, offset: usize) -> Vec<Completion> {
    let line = cx.source.line_span(offset);
    let text = cx.source.slice(line.clone()).into_owned();
    let bom =
        if line.start == 0 && text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 };
    let Some(before) = text.get(bom..offset - line.start) else { return Vec::new() };
    let rest = text.get(before.len() + bom..).unwrap_or_default();
    if let Some(found) = include(cx, before, rest, offset) {
        return found;
    }
    let indent = before.len() - before.trim_start_matches(' ').len();
    let typed = before.get(indent..).unwrap_or_default();
    let offers = Offers {
        project,
        cx,
        offset,
        eol: cx.source.line_break(),
        span: line.start + bom + indent..line.end,
        typed,
    };
    if let Some(placed) = project.block_at(offset).filter(|placed| {
        offset > placed.block.span().start || placed.written.head.marker.length == 0
    }) {
        let closed = placed.block.error != Some(Reason::UnterminatedBlock);
        let on_marker = placed.written.marks().any(|mark| mark.shifted(placed.start).line == line);
        return if closed && !on_marker { Vec::new() } else { offers.inside(placed) };
    }
    if offers.in_fence() {
        return Vec::new();
    }
    let mut found = match typed.chars().next() {
        _ if !rest.trim().is_empty()
            && !rest.starts_with(|next: char| {
                next.is_ascii_alphanumeric() || "=<>*:".contains(next)
            }) =>
        {
            Vec::new()
        }
        None if !rest.trim().is_empty() => Vec::new(),
        None => offers.at_line_start(),
        Some('#') => offers.headings(),
        Some('*') => offers.speakers(),
        Some('<') => offers.blocks(),
        Some(_) => offers.paths(),
    };
    // An item replaces the line, and must not delete more than one word of it.
    let line = format!("{typed}{rest}");
    let is_word = !rest.trim().contains(char::is_whitespace);
    found.retain(|item| is_word || item.edit.text.starts_with(line.trim_end()));
    found
}

struct Offers<'a> {
    project: &'a Project,
    cx: &'a Context<'a>,
    offset: usize,
    eol: &'static str,
    /// The line without leading whitespace.
    span: Span,
    typed: &'a str,
}

impl Offers<'_> {
    fn item(&self, label: &str, kind: CompletionKind, detail: &str) -> Completion {
        Completion {
            label: label.to_owned(),
            kind,
            detail: (!detail.is_empty()).then(|| detail.to_owned()),
            documentation: None,
            edit: Edit::replace(self.span.clone(), label),
            snippet: None,
            rank: 0,
            more: false,
        }
    }

    /// The kind of the section that contains the cursor. A heading being typed doesn't start a
    /// section.
    fn section(&self) -> Option<SectionKind> {
        let sections = self.project.layout.sections.iter().rev();
        sections
            .into_iter()
            .find(|section| section.heading.span.start < self.span.start)
            .map(|section| section.kind)
    }

    /// Whether the cursor is in the text of a file, or below an unclosed fence.
    fn in_fence(&self) -> bool {
        let fences = self
            .project
            .file_at(self.offset)
            .map(|file| file.fences.as_slice())
            .unwrap_or_default();
        let inside = |fence: &super::layout::Fence| {
            fence.content.start <= self.offset && (!fence.closed || self.offset < fence.span.end)
        };
        fences.iter().any(inside)
            || self
                .project
                .layout
                .unclosed
                .as_ref()
                .is_some_and(|fence| fence.content.start <= self.offset)
            || self.in_code()
    }

    /// Whether the cursor is in code, as Markdown reads it.
    fn in_code(&self) -> bool {
        let Some(placed) = self.cx.source.section_at(self.offset) else { return false };
        let local = self.offset - placed.start;
        self.cx.source.blocks(placed).blocks.iter().any(|block| {
            matches!(block.kind, BlockKind::Code { .. })
                && block.span.start < local
                && local < block.span.end
        })
    }

    fn at_line_start(&self) -> Vec<Completion> {
        let mut found = self.speakers();
        found.extend(self.headings());
        if self.is_answered_here() {
            found.extend(self.blocks());
        }
        found
    }

    /// Headings that the document lacks.
    fn headings(&self) -> Vec<Completion> {
        let (layout, mut found) = (&self.project.layout, Vec::new());
        if layout.project.as_ref().is_none_or(|project| project.span.start == self.span.start)
            && self.section().is_none()
        {
            let snippet = Some("# Project: ${1:Name}".to_owned());
            let edit = Edit::replace(self.span.clone(), "# Project: ");
            found.push(Completion {
                edit,
                snippet,
                ..self.item("# Project:", CompletionKind::Heading, "the first line")
            });
        }
        let section = self.section();
        if section == Some(SectionKind::Conversation) {
            found.extend(self.entry());
        }
        if section == Some(SectionKind::CodeContext) && self.typed.starts_with('#') {
            found.extend(self.files());
        }
        let there = |kind: SectionKind| {
            layout.sections.iter().any(|section| {
                section.kind == kind && section.heading.span.start != self.span.start
            })
        };
        // Sections that come after the last existing one need not be offered first.
        for (rank, (_, kind)) in (10..).zip(SECTIONS).filter(|(_, (_, kind))| !there(*kind)) {
            let text = skeleton::section(*kind, self.eol);
            let heading = text.lines().next().unwrap_or_default().to_owned();
            let edit = Edit::replace(self.span.clone(), text.trim_end_matches(['\n', '\r']));
            let documentation = documentation(*kind).map(str::to_owned);
            let snippet = (*kind == SectionKind::Conversation)
                .then(|| format!("{}$0", snippet::escape(text.trim_end_matches(['\n', '\r']))));
            found.push(Completion {
                edit,
                documentation,
                snippet,
                rank,
                ..self.item(&heading, CompletionKind::Heading, "missing section")
            });
        }
        found
    }

    fn entry(&self) -> Option<Completion> {
        let mut entries = self
            .project
            .layout
            .entries
            .iter()
            .filter(|entry| entry.heading.span.start < self.span.start);
        let last = entries.next_back();
        if last.is_some_and(|last| last.assistant.is_none()) && !self.typed.starts_with('#') {
            return None;
        }
        let number = last.map_or(1, |last| last.number.unwrap_or(0).saturating_add(1));
        let label = format!("### Entry {number}");
        let text = format!("{label}{0}{0}{HUMAN} ", self.eol);
        let edit = Edit::replace(self.span.clone(), text.clone());
        Some(Completion {
            edit,
            snippet: Some(format!("{text}$0")),
            rank: 1,
            ..self.item(&label, CompletionKind::Snippet, "the next entry")
        })
    }

    /// The files of the workspace that the Code Context doesn't have yet, after `### `.
    fn files(&self) -> Vec<Completion> {
        let Some(typed) = self.typed.strip_prefix("### ") else { return Vec::new() };
        let start = self.span.start + "### ".len();
        self.workspace(typed, start)
    }

    /// The speakers that haven't spoken yet in the entry around the cursor.
    fn speakers(&self) -> Vec<Completion> {
        let Some(entry) = self
            .project
            .entry_at(self.offset)
            .filter(|entry| entry.heading.span.end < self.span.start)
        else {
            return Vec::new();
        };
        let lacks = |said: &Option<Span>| {
            said.as_ref()
                .is_none_or(|said| self.span.start <= said.start && said.start <= self.span.end)
        };
        let speaker = |name: &str, rank: u32| {
            let edit = Edit::replace(self.span.clone(), format!("{name} "));
            Completion { edit, rank, ..self.item(name, CompletionKind::Keyword, "speaker") }
        };
        if lacks(&entry.human) {
            return vec![speaker(HUMAN, 0)];
        }
        if lacks(&entry.assistant) { vec![speaker(ASSISTANT, 0)] } else { Vec::new() }
    }

    /// Whether the cursor is in an answer of the assistant.
    fn is_answered_here(&self) -> bool {
        let entry = self.project.entry_at(self.offset);
        entry
            .and_then(|entry| entry.assistant.as_ref())
            .is_some_and(|said| said.start <= self.offset && self.offset <= said.end)
    }

    /// Whole blocks.
    fn blocks(&self) -> Vec<Completion> {
        if !self.is_answered_here() {
            return Vec::new();
        }
        let above = self.above();
        let files: Vec<&str> =
            self.project.layout.files.iter().map(name_of).filter(|name| !name.is_empty()).collect();
        let named = above.is_some_and(|above| {
            files.contains(&above.as_str()) || above.contains(['.', '/']) && !above.contains(' ')
        });
        let choice = match files.as_slice() {
            [] => "${1:path}".to_owned(),
            files => format!(
                "${{1|{}|}}",
                files
                    .iter()
                    .map(|file| snippet::escape(file).replace(',', "\\,").replace('|', "\\|"))
                    .collect::<Vec<_>>()
                    .join(",")
            ),
        };
        let mission = self
            .project
            .layout
            .sections
            .iter()
            .find(|section| section.kind == SectionKind::Mission);
        let mission = mission
            .map(|section| self.cx.source.slice(section.body.clone()).trim().to_owned())
            .unwrap_or_default();
        let first = files.first().copied().unwrap_or("path");
        let (path_snippet, path) = if named {
            (String::new(), String::new())
        } else {
            (format!("{choice}\n"), format!("{first}\n"))
        };
        let offers = [
            (
                "<<<<<< SEARCH",
                "block for a file",
                format!("{path}<<<<<< SEARCH\n=======\n>>>>>> REPLACE"),
                format!("{path_snippet}<<<<<< SEARCH\n$2\n=======\n$3\n>>>>>> REPLACE$0"),
            ),
            (
                "<<<<<< SEARCH_MISSION",
                "block for the mission",
                format!("<<<<<< SEARCH_MISSION\n{mission}\n=======\n>>>>>> REPLACE_MISSION"),
                format!(
                    "<<<<<< SEARCH_MISSION\n{0}\n=======\n${{1:{0}}}\n>>>>>> REPLACE_MISSION$0",
                    snippet::escape(&mission)
                ),
            ),
            (
                "<<<<<< CHANGELOG",
                "item for the changelog",
                "<<<<<< CHANGELOG\n>>>>>> CHANGELOG".to_owned(),
                "<<<<<< CHANGELOG\n${1:What has changed}\n>>>>>> CHANGELOG$0".to_owned(),
            ),
        ];
        let native = |text: &str| text.replace("\r\n", "\n").replace('\n', self.eol);
        let item = |(rank, (label, detail, text, snippet)): (u32, (&str, &str, String, String))| {
            let edit = Edit::replace(self.span.clone(), native(&text));
            Completion {
                edit,
                snippet: Some(native(&snippet)),
                rank,
                ..self.item(label, CompletionKind::Snippet, detail)
            }
        };
        (20..).zip(offers).map(item).collect()
    }

    /// The line above, unless it is blank.
    fn above(&self) -> Option<String> {
        let end = self.cx.source.line_span(self.span.start).start.checked_sub(1)?;
        let line = self.cx.source.slice(self.cx.source.line_span(end)).trim().to_owned();
        (!line.is_empty()).then_some(line)
    }

    /// The markers that the block around the cursor lacks, or the name of the one being typed.
    fn inside(&self, placed: &super::layout::Placed) -> Vec<Completion> {
        // A marker begins its line, and the text of the block isn't replaced by one.
        let line = self.cx.source.line_span(self.offset);
        let text = self.cx.source.slice(self.span.clone());
        let is_indented = self.span.start > line.start
            && !self.cx.source.slice(line.start..self.span.start).starts_with('\u{feff}');
        if placed.role == Role::Documentation
            || is_indented
            || self.typed.is_empty() && !text.trim().is_empty()
        {
            return Vec::new();
        }
        let (_, end) = names(placed.written.pair());
        let mut found = Vec::new();
        let changelog = placed.written.pair() == crate::edit::Pair::Changelog;
        if placed.written.dividers.is_empty()
            && !changelog
            && (self.typed.is_empty() || self.typed.starts_with('='))
        {
            found.push(Completion {
                rank: 0,
                ..self.item("=======", CompletionKind::Keyword, "ends the old text")
            });
        }
        if self.typed.is_empty() || self.typed.starts_with('>') {
            found.push(Completion {
                rank: 1,
                ..self.item(&format!(">>>>>> {end}"), CompletionKind::Keyword, "ends the block")
            });
        }
        found
    }

    /// Files that a block may be about, if the line contains only part of a path.
    fn paths(&self) -> Vec<Completion> {
        let whole = self.cx.source.slice(self.span.clone());
        if !self.is_answered_here() || whole.contains(char::is_whitespace) || whole.is_empty() {
            return Vec::new();
        }
        let below = self.cx.source.line_span((self.span.end + 1).min(self.cx.source.len()));
        let certain = self.cx.source.slice(below).trim_start().starts_with("<<<<<")
            || self.typed.contains('/');
        let files = self.project.layout.files.iter().map(name_of).filter(|name| !name.is_empty());
        let fits =
            |name: &&str| certain || name.to_lowercase().starts_with(&self.typed.to_lowercase());
        let mut found: Vec<Completion> = files
            .filter(fits)
            .map(|name| self.item(name, CompletionKind::File, "Code Context"))
            .collect();
        if certain {
            let own: Vec<String> = found.iter().map(|item| item.label.clone()).collect();
            found.extend(
                self.workspace(self.typed, self.span.start)
                    .into_iter()
                    .filter(|item| !own.contains(&item.label)),
            );
        }
        found
    }

    /// The files and folders of the workspace; completion replaces the last part of the text from
    /// `start`.
    fn workspace(&self, typed: &str, start: usize) -> Vec<Completion> {
        let (folder, name) = typed.rsplit_once('/').unwrap_or(("", typed));
        let Some(root) = self
            .cx
            .root()
            .filter(|_| !typed.starts_with('/') && !folder.split('/').any(|part| part == ".."))
        else {
            return Vec::new();
        };
        let span = start + typed.len() - name.len()..self.span.end;
        let entries = self.cx.world.list(&root.join(folder)).into_iter();
        let kept = entries.filter(|entry| {
            (name.starts_with('.') || !entry.name.starts_with('.')) && entry.name != ".git"
        });
        kept.map(|entry| {
            let is_folder = entry.kind == EntryKind::Folder;
            let (label, kind) = if is_folder {
                (format!("{}/", entry.name), CompletionKind::Folder)
            } else {
                (entry.name, CompletionKind::File)
            };
            let edit = Edit::replace(span.clone(), label.clone());
            Completion {
                edit,
                rank: 5 + u32::from(is_folder),
                more: is_folder,
                ..self.item(&label, kind, "workspace")
            }
        })
        .collect()
    }
}

/// Paths between the quotes of an include.
fn include(cx: &Context, before: &str, rest: &str, offset: usize) -> Option<Vec<Completion>> {
    let open = before.rfind("{%")?;
    let inside = before.get(open + 2..)?.trim_start().strip_prefix("include")?.trim_start();
    let quote = inside.chars().next().filter(|quote| matches!(quote, '\'' | '"'))?;
    let typed = inside
        .strip_prefix(quote)
        .filter(|typed| !typed.contains(quote) && !typed.contains("%}"))?;
    let (folder, name) = typed.rsplit_once('/').unwrap_or(("", typed));
    let end = offset + rest.find([quote, ' ', '%']).unwrap_or(rest.len());
    let span = offset - name.len()..end;
    let own = cx.path?;
    let entries = cx
        .world
        .list(&world::resolve(own, folder))
        .into_iter()
        .filter(|entry| !entry.name.starts_with('.'));
    let is_own = |name: &str| folder.is_empty() && own.file_name().is_some_and(|own| own == name);
    let found = entries.filter(|entry| !is_own(&entry.name)).map(|entry| {
        let is_folder = entry.kind == EntryKind::Folder;
        let label = if is_folder { format!("{}/", entry.name) } else { entry.name };
        Completion {
            edit: Edit::replace(span.clone(), label.clone()),
            label,
            kind: if is_folder { CompletionKind::Folder } else { CompletionKind::File },
            detail: None,
            documentation: None,
            snippet: None,
            rank: u32::from(is_folder),
            more: is_folder,
        }
    });
    Some(found.collect())
}
