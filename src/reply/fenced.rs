//! The content of a fence: blocks, a patch, a diff, calls, a file, or code to read.

use std::rc::Rc;

use super::diff::{is_diff, is_header, is_hunk};
use super::element::{self, Opens};
use super::extent::extent;
use super::fence::{self, Fence};
use super::json::{self, Json};
use super::lines::Line;
use super::markdown::Scanner;
use super::naming::Names;
use super::patch::BEGIN;
use super::{Draft, Fault, Step, Why, invocation, prose, shape, shell, tokens};
use crate::edit::{self, Block, Dialect, Operation, Path, Reason, Split, marker, naming as words};

impl<'t> Scanner<'t, '_> {
    pub(super) fn fence(&mut self, at: usize, to: usize) -> usize {
        let all = Rc::clone(&self.lines);
        let lines = all.get(..to).unwrap_or_default();
        let after = |index: usize| self.after(index, to);
        let Some(fence) = fence::read(lines, at, &after) else {
            self.take_prose(at);
            return at + 1;
        };
        let next = fence.next.min(to);
        self.open |= !fence.closed;
        self.fenced(&fence, lines);
        next
    }

    /// The end of a construct that begins on a line of a fence's content.
    fn after(&self, index: usize, to: usize) -> Option<usize> {
        let text = self.text_of(index);
        if fence::is_head(text) {
            let block = self
                .blocks
                .get(&index)
                .filter(|block| block.error != Some(Reason::UnterminatedBlock))?;
            return Some(self.end_of(block, index));
        }
        if text.trim() == BEGIN {
            return self.end_of_patch(index, to).map(|(end, _)| end + 1);
        }
        None
    }

    /// Reads the content of a fence.
    fn fenced(&mut self, fence: &Fence<'t>, lines: &[Line<'t>]) {
        let filled: Vec<usize> =
            fence.body.clone().filter(|index| !self.text_of(*index).trim().is_empty()).collect();
        let (Some(first), Some(last)) = (filled.first().copied(), filled.last().copied()) else {
            if !fence.closed
                && (fence.name().is_some() || self.name_above(false).is_some() || self.has_edits())
            {
                self.draft.fault(
                    self.span(fence.open, fence.open + 1),
                    Reason::CutOff,
                    "the fence is never closed: the reply may have been cut off",
                );
            }
            return match self.name_of_empty(fence) {
                Some(path) => {
                    let before = self.draft.steps.len();
                    self.listing(fence, path, fence.body.end, Vec::new());
                    let added = self.draft.steps.get_mut(before..).unwrap_or_default();
                    added.iter_mut().for_each(|step| step.names.sampled = true);
                }
                None => self.sample(fence),
            };
        };
        let language = fence.language();
        let shell = shell::LANGUAGES.contains(&language.as_str());
        let runs = shell && self.runs_programs(&filled);
        let above = self.above(false).filter(|above| {
            let script = shell::is_script(&above.path.text);
            let name = above.path.text.rsplit(['/', '\\']).next().unwrap_or_default();
            // `main.py - run it`, and a command; `### Dockerfile`, and how to build it.
            let other = above.remarked && !script || runs && (!script || words::is_bare_name(name));
            !shell || !other
        });
        let (above, guesses) = self.certain_above(above, fence);
        let whole = above.as_ref().and_then(|above| above.whole.clone());
        let sampled = above.as_ref().is_some_and(|above| above.remarked && !above.all);
        let alone = above.as_ref().filter(|above| !above.remarked).map(|above| above.path.clone());
        let above = above.map(|above| above.path);
        let named = fence.name().is_some() || above.is_some();
        let first_text = self.text_of(first);
        if first_text.trim_start().starts_with('<')
            && marker(first_text).is_none()
            && self.calls_in(fence, first, last, named, &language)
        {
            return;
        }
        if self.blocks_in(fence, &filled) {
            return;
        }
        let ends = |(end, _)| end == last;
        if first_text.trim() == BEGIN
            && (!fence.closed || self.end_of_patch(first, fence.body.end).is_some_and(ends))
        {
            self.patch(first, fence.body.end);
            return self.own(fence.open, fence.next);
        }
        let diff = is_diff_language(&language);
        // Commands for a shell aren't a file, even if the fence has a `path`.
        let script = !shell::LANGUAGES.contains(&language.as_str());
        let stated = fence.name().filter(|name| script || shell::is_script(name));
        let stated = stated.map(|name| self.path_in(fence.open, name));
        let comment = fence::marker_comment(lines, &fence.body);
        let certain = comment.as_ref().filter(|comment| comment.certain);
        if let Some(comment) = certain.filter(|comment| !diff || is_patch(comment.name)) {
            let path = self.path_in(fence.body.start, comment.name);
            let from = fence.body.start + comment.taken;
            return self.stated(fence, [Some(path), stated, alone], from, above);
        }
        let plain = self.dedented(fence);
        let header = first - fence.body.start;
        if is_diff(&plain, header) && (diff || !named) || diff && is_header(&plain, header) {
            let span = self.span(fence.body.start, fence.body.end);
            if !fence.closed {
                self.draft.fault(
                    self.span(fence.open, fence.open + 1),
                    Reason::UnterminatedBlock,
                    "the fence of the diff is never closed",
                );
            }
            let found = if fence.indent.is_empty() {
                let found = edit::read_unified(self.text.get(span.clone()).unwrap_or_default());
                found.into_iter().map(|block| block.shifted(span.start)).collect::<Vec<_>>()
            } else {
                let at = |path: Path| Path { span: span.clone(), ..path };
                edit::read_unified(&joined(&plain))
                    .into_iter()
                    .map(|block| Block {
                        span: span.clone(),
                        path: block.path.clone().map(at),
                        ..block
                    })
                    .collect()
            };
            for block in found {
                let error = block.error.or(block.path.is_none().then_some(Reason::MissingPath));
                self.draft.block(Block { error, ..block });
            }
            return self.own(fence.open, fence.next);
        }
        if diff
            && self.bare_diff(fence, &plain, certain.map(|comment| (comment.name, comment.taken)))
        {
            return;
        }
        if !named && (diff || is_hunk(plain.get(header).map_or("", |line| line.text))) {
            self.nameless_diff(fence, &plain);
        }
        if language == "tool" && first_text.trim().starts_with("TOOL_NAME:") {
            invocation::tool_fence(&self.lines, fence.body.clone(), &mut self.draft);
            return self.own(fence.open, fence.next);
        }
        if self.calls_in(fence, first, last, named, &language) {
            return;
        }
        if language == "tool_code" && tokens::is_python_call(&joined(&plain)) {
            let message = "the call is Python code, which is not supported";
            self.draft.fault(self.span(first, last + 1), Reason::UnknownCall, message);
            return self.own(fence.open, fence.next);
        }
        if language == "append" && fence.name().is_some() {
            let body = self
                .text
                .get(self.start(fence.body.start)..self.start(fence.body.end))
                .unwrap_or_default();
            let path = fence.name().map(|name| self.path_in(fence.open, name));
            let error = (!fence.closed).then_some(Reason::UnterminatedBlock);
            let block = Block {
                span: self.span(fence.open, fence.next),
                path,
                hint: Some(edit::LAST_LINE),
                error,
                ..Block::of(Dialect::Strings, "", body)
            };
            self.draft.block(block);
            return self.own(fence.open, fence.next);
        }
        let from = comment.as_ref().map_or(0, |comment| comment.taken);
        let marked = comment.map(|comment| self.path_in(fence.body.start, comment.name));
        let comment = fence::comment_name(lines, &fence.body)
            .map(|name| self.path_in(fence.body.start, name));
        if stated.is_some() {
            return self.stated(fence, [None, stated, alone], fence.body.start, above);
        }
        if let Some(path) = above {
            let before = self.draft.steps.len();
            let shown = self.shown_file(fence, &filled).filter(|_| {
                let blocks = filled.iter().any(|index| fence::is_head(self.text_of(*index)));
                blocks && fence.info.is_empty() && fence.mark.len() == 3
            });
            let rivals = comment.or(whole).or(shown);
            self.listing(fence, path, fence.body.start, rivals.into_iter().collect());
            let added = self.draft.steps.get_mut(before..).unwrap_or_default();
            added.iter_mut().for_each(|step| step.names.sampled = sampled);
            return;
        }
        if self.told_in_prose(&plain) {
            return self.sample(fence);
        }
        let told = self.named_late(fence, &language);
        if let Some(path) = marked {
            return self.guessed(fence, vec![path], fence.body.start + from);
        }
        // A path in a comment says more than the words of an introduction.
        let guesses = if comment.is_some() && !shell { Vec::new() } else { guesses };
        if !guesses.is_empty() && !runs && !self.is_command(&language, &plain, first_text, &guesses)
        {
            return self.guessed(fence, guesses, fence.body.start);
        }
        if shell
            || language.is_empty()
                && (first_text.trim_start().starts_with("$ ") || shell::is_script_text(first_text))
        {
            let span = self.span(fence.body.start, fence.body.end);
            shell::of_script(&joined(&plain), "", &span, &mut self.draft);
            return self.own_sample(fence);
        }
        if let Some(path) = self.section_file(&language) {
            let before = self.draft.steps.len();
            self.listing(fence, path, fence.body.start, comment.into_iter().collect());
            let added = self.draft.steps.get_mut(before..).unwrap_or_default();
            added.iter_mut().for_each(|step| step.names.sampled = true);
            return;
        }
        if let Some(path) = comment.filter(|_| filled.len() > 1) {
            return self.listing(fence, path, fence.body.start, Vec::new());
        }
        let told = told || self.told_file(fence);
        self.uncaptioned = (!told).then(|| (self.start(fence.open), language));
        self.sample(fence);
    }

    /// Whether some lines only run programs.
    fn runs_programs(&self, filled: &[usize]) -> bool {
        let mut lines = filled.iter().map(|index| self.text_of(*index).trim());
        lines.all(|line| words::is_program(line) || line.starts_with("# "))
    }

    /// Code to read: the text before it may also apply to the next construct.
    pub(super) fn sample(&mut self, fence: &Fence<'t>) {
        if !fence.closed && !fence.body.is_empty() && self.has_edits() {
            self.draft.fault(
                self.span(fence.open, fence.open + 1),
                Reason::CutOff,
                "the fence is never closed: the reply may have been cut off",
            );
        }
        self.draft.skip(self.span(fence.open, fence.next), Why::Example);
        self.own_sample(fence);
    }

    pub(super) fn own_sample(&mut self, fence: &Fence<'t>) {
        self.owned.push(self.span(fence.open, fence.next));
        self.before = self.last_sentence().is_some_and(|line| prose::is_before(line.text));
        self.prose.extend(
            self.lines.get(fence.open).map(|line| Line { span: line.span.clone(), text: "" }),
        );
    }

    /// SEARCH/REPLACE blocks in a fence. Returns whether the fence was about them.
    fn blocks_in(&mut self, fence: &Fence<'t>, filled: &[usize]) -> bool {
        let mut heads: Vec<(usize, usize, Block)> = Vec::new();
        let mut free: Vec<usize> = Vec::new();
        let mut inner_fence = false;
        let mut at = fence.body.start;
        while at < fence.body.end {
            let text = self.text_of(at);
            let head = fence::is_head(text)
                || self.blocks.get(&at).is_some_and(|block| block.dialect == Dialect::Conflict);
            if let Some(block) = head.then(|| self.block_at(at)).flatten() {
                let end = self.end_of(&block, at);
                heads.push((at, end, block));
                at = end;
                continue;
            }
            inner_fence |= fence::opener(text).is_some();
            if filled.binary_search(&at).is_ok() {
                free.push(at);
            }
            at += 1;
        }
        if heads.is_empty() {
            return self.has_decorated_block(fence, filled);
        }
        let is_name = |index: &usize| {
            words::alone_above(self.text_of(*index).trim()).is_some()
                || path_header(self.text_of(*index)).is_some()
        };
        let clean = free.iter().all(is_name);
        let named =
            fence.name().is_some() || self.certain_above(self.above(false), fence).0.is_some();
        if self.shown_file(fence, filled).is_some()
            || inner_fence && fence.mark.len() > 3
            || !clean && named && heads.iter().all(|(.., block)| block.error.is_none())
        {
            // A document about blocks: the content of a file, if the fence names one.
            return if named {
                false
            } else {
                self.sample(fence);
                true
            };
        }
        if !clean {
            let git = heads.iter().all(|(.., block)| block.dialect == Dialect::Conflict);
            let samples = heads.iter().all(|(.., block)| self.is_sample(block));
            if !git && !samples {
                let (head, end, _) =
                    heads.first().map_or((fence.open, fence.next, None), |(head, end, block)| {
                        (*head, *end, Some(block))
                    });
                let message = "the block is in a fence with other text, so it could be a sample; put only blocks and file names in the fence";
                self.draft.fault(self.span(head, end), Reason::StrayMarker, message);
            }
            self.sample(fence);
            return true;
        }
        let mut from = fence.body.start;
        let many: Vec<&str> = fence
            .info
            .strip_prefix("patch_many")
            .map(|names| names.split_whitespace().collect())
            .unwrap_or_default();
        if !many.is_empty() && many.len() != heads.len() {
            self.draft.fault(
                self.span(fence.open, fence.open + 1),
                Reason::AmbiguousPath,
                format!("{} files are named for {} blocks", many.len(), heads.len()),
            );
            return true;
        }
        for (number, (head, end, block)) in heads.into_iter().enumerate() {
            let header = (from..head)
                .rev()
                .find_map(|index| Some((index, path_header(self.text_of(index))?)));
            let stated = many
                .get(number)
                .map(|name| self.path_in(fence.open, name))
                .or_else(|| header.map(|(index, name)| self.path_in(index, name)));
            if let Some(path) = stated {
                self.draft.block(Block { path: Some(path), ..block });
                from = end;
                continue;
            }
            let lines: Vec<Line<'t>> = self
                .lines
                .get(from..head)
                .unwrap_or_default()
                .iter()
                .filter(|line| !line.is_blank())
                .cloned()
                .collect();
            self.prose.extend(lines);
            self.block(head, end, block, Some(fence));
            from = end;
        }
        self.own(fence.open, fence.next);
        true
    }

    /// The file whose blocks a document shows: the fence has the name of a document, and begins
    /// with another name. A bare fence below a title may also be an edit of that file.
    fn shown_file(&self, fence: &Fence<'t>, filled: &[usize]) -> Option<Path> {
        let above = || Some(self.name_above(false)?.text);
        let outer = fence.name().map(str::to_owned).or_else(above)?;
        let first = *filled.first()?;
        let text = self.text_of(first).trim();
        let inner = words::alone_above(text).filter(|_| marker(text).is_none())?;
        let ends = |path: &str, end: &str| {
            path.strip_suffix(end).is_some_and(|rest| rest.is_empty() || rest.ends_with('/'))
        };
        let other = !ends(&outer, inner) && !ends(inner, &outer);
        (words::is_document(&outer) && other).then(|| self.path_in(first, inner))
    }

    /// The lines of a fence without the indentation of its opener, if all have it.
    fn dedented(&self, fence: &Fence<'t>) -> Vec<Line<'t>> {
        let body = self.lines.get(fence.body.clone()).unwrap_or_default();
        let indented = |line: &Line| line.is_blank() || line.text.starts_with(fence.indent);
        let indent = if body.iter().all(indented) { fence.indent } else { "" };
        let plain = |line: &Line<'t>| Line {
            span: line.span.clone(),
            text: line.text.strip_prefix(indent).unwrap_or_default(),
        };
        body.iter().map(plain).collect()
    }

    /// A diff without a header: deleted and added lines of the file that a comment or the text above
    /// names. Returns whether it is one.
    fn bare_diff(
        &mut self,
        fence: &Fence<'t>,
        body: &[Line<'t>],
        marked: Option<(&'t str, usize)>,
    ) -> bool {
        let names = self.names(marked.is_some() || fence.name().is_some(), false);
        let stated = || Some(self.path_in(fence.open, fence.name()?));
        let above = || Some(self.above(true).filter(|above| !above.remarked)?.path);
        let path = if marked.is_none() { stated().or_else(above) } else { None };
        // `# src/a.py` counts if nothing else names a file.
        let alone = path.is_none() && names.mentions.is_empty();
        let commented = || Some((fence::comment_name(&self.lines, &fence.body)?, 1));
        let marked = marked.or_else(|| if alone { commented() } else { None });
        let path = path.or_else(|| Some(self.path_in(fence.body.start, marked?.0)));
        if path.is_none() && names.mentions.is_empty()
            || path.as_ref().is_some_and(|path| is_patch(&path.text))
        {
            return false;
        }
        let body = body.get(marked.map_or(0, |(_, taken)| taken)..).unwrap_or_default();
        if !body.iter().any(|line| line.text.starts_with(['+', '-'])) {
            return false;
        }
        let span = self.span(fence.open, fence.next);
        let signed = |line: &&Line| line.text.starts_with(['+', '-', ' ', '@', '\\']);
        // If some lines around the changes lack their space, all do.
        let bare = body.iter().filter(|line| !line.is_blank()).any(|line| !signed(&line));
        let text: String = body
            .iter()
            .map(|line| match line.text.starts_with(['+', '-', '@', '\\']) || line.is_blank() {
                false if bare => format!(" {}\n", line.text),
                _ => format!("{}\n", line.text),
            })
            .collect();
        let headed = body.iter().any(|line| line.text.starts_with("@@"));
        let hunks = if headed { text } else { format!("@@\n{text}") };
        for block in edit::read_unified(&hunks) {
            // Without context, it's unknown where added lines go.
            let placed = block.hint.is_some()
                || block.splits.iter().any(|split| !split.search.trim().is_empty());
            let dialect = if placed { block.dialect } else { Dialect::WholeFile };
            let block = Block { span: span.clone(), path: path.clone(), dialect, ..block };
            self.draft.steps.push(Step::new(block, names.clone()));
        }
        self.own(fence.open, fence.next);
        true
    }

    /// Calls in a fence, as XML or JSON. Returns whether the fence was about them.
    fn calls_in(
        &mut self,
        fence: &Fence<'t>,
        first: usize,
        last: usize,
        named: bool,
        language: &str,
    ) -> bool {
        let text = self.text_of(first).trim_start();
        let offset = self.start(first) + (self.text_of(first).len() - text.len());
        let body_end = self.span(first, last + 1).end;
        if text.starts_with('<')
            && matches!(language, "" | "xml" | "text" | "tool_code" | "tool_call" | "plaintext")
            && !named
        {
            let kind = element::opens(self.text.get(..body_end).unwrap_or_default(), offset);
            if matches!(kind, Some(Opens::Edit | Opens::Around)) {
                if !matches!(kind, Some(Opens::Around))
                    && element::end(self.text.get(..body_end).unwrap_or_default(), offset).is_none()
                {
                    // Its end may be outside the fence, or missing.
                    let mut inner = Draft::default();
                    element::read(
                        self.text.get(..body_end).unwrap_or_default(),
                        offset,
                        None,
                        &mut inner,
                    );
                    self.draft.extend(inner);
                } else {
                    self.run(first, last + 1);
                }
                self.own(fence.open, fence.next);
                return true;
            }
        }
        let json = text.starts_with(['{', '['])
            && !named
            && matches!(
                language,
                "" | "json"
                    | "jsonc"
                    | "json5"
                    | "jsonl"
                    | "tool_code"
                    | "tool_call"
                    | "tool"
                    | "text"
                    | "tool_calls"
            );
        if json {
            let body = self.text.get(offset..body_end).unwrap_or_default();
            match json::values(body, offset) {
                Ok(values) if values.iter().any(|value| shape::is_call_in(*value, true)) => {
                    values.into_iter().for_each(|value| invocation::call(value, &mut self.draft));
                    self.own(fence.open, fence.next);
                    return true;
                }
                Ok(values) => {
                    values.into_iter().for_each(|value| {
                        self.may_be_edit(value);
                    });
                }
                Err(_) if shape::looks_like_a_call(body) => {
                    if let Err(error) = invocation::calls(body, offset, &mut self.draft) {
                        self.draft.fault(
                            self.span(first, last + 1),
                            Reason::InvalidJson,
                            format!("the tool call is not valid JSON: {error}"),
                        );
                    }
                    self.own(fence.open, fence.next);
                    return true;
                }
                Err(_) => {}
            }
        }
        false
    }

    /// A value that isn't a call, but may have been meant as an edit. Returns whether it may.
    pub(super) fn may_be_edit(&mut self, value: Json) -> bool {
        if self.last_sentence().is_some_and(|line| shape::is_about_data(line.text)) {
            return false;
        }
        let files = shape::possible_edits(value);
        let message = "this may be an edit or data to read; name the tool that makes the edit, or write a SEARCH block";
        let fault = |file: &String| Fault {
            file: Some(file.clone()),
            unsure: true,
            ..Fault::new(value.span(), Reason::UnknownCall, message)
        };
        self.draft.faults.extend(files.iter().map(fault));
        !files.is_empty()
    }

    /// An edit described above a fence: by line numbers, or as the second of a pair. Returns
    /// whether it is one.
    fn told_in_prose(&mut self, body: &[Line<'t>]) -> bool {
        let Some(above) = self.last_sentence().cloned() else { return false };
        let by_number = prose::is_by_number(above.text);
        let pair = self.before && prose::is_after(above.text);
        if !by_number && !pair {
            return false;
        }
        let message = if by_number {
            "lines are given by number alone, so nothing shows which text they replace"
        } else {
            "the old and the new text are described only in prose"
        };
        let file = self.last_mentioned();
        let span = above.span.start..above.end();
        let change = pair.then(|| Box::new(Split::new("", joined(body))));
        let fault = Fault::new(span, Reason::LinesByNumber, message);
        self.draft.faults.push(Fault { file, change, ..fault });
        true
    }

    /// The last non-blank line of prose after the last fence.
    fn last_sentence(&self) -> Option<&Line<'t>> {
        let prose = self.prose.iter().rev().take_while(|line| !line.is_construct());
        prose.into_iter().find(|line| !line.is_blank())
    }

    /// A fence that contains a file.
    pub(super) fn listing(
        &mut self,
        fence: &Fence<'t>,
        path: Path,
        from: usize,
        rivals: Vec<Path>,
    ) {
        let span = self.span(fence.open, fence.next);
        let fault = |reason: Reason, message: &str| Fault {
            file: Some(path.text.clone()),
            ..Fault::new(span.clone(), reason, message)
        };
        if !fence.closed {
            self.draft.faults.push(fault(
                Reason::UnterminatedBlock,
                "the fence of the file is never closed: the reply may have been cut off",
            ));
            return self.own(fence.open, fence.next);
        }
        if is_diff_language(&fence.language()) && !is_patch(&path.text) {
            self.draft.faults.push(fault(
                Reason::MalformedPatch,
                "the fence is called a diff, so it isn't the text of the file: begin the lines that change with `+` and `-`",
            ));
            return self.own(fence.open, fence.next);
        }
        let unclear = fence.is_unclear(&self.lines, &path.text);
        self.open |= unclear.is_none();
        if unclear == Some(true) {
            self.draft.faults.push(fault(
                Reason::FenceAmbiguous,
                "fences inside the file have no language, so its end is unclear; use a longer fence around it",
            ));
            return self.own(fence.open, fence.next);
        }
        let body = self.lines.get(from..fence.body.end).unwrap_or_default();
        if !fence.indent.is_empty()
            && !body.iter().all(|line| line.is_blank() || line.text.starts_with(fence.indent))
        {
            self.draft.faults.push(fault(
                Reason::FenceAmbiguous,
                "some lines of the file lack the indentation of its fence",
            ));
            return self.own(fence.open, fence.next);
        }
        let content: String = body
            .iter()
            .map(|line| {
                let text = self.text.get(line.span.clone()).unwrap_or_default();
                text.strip_prefix(fence.indent).unwrap_or(if line.is_blank() {
                    text.trim_start_matches([' ', '\t'])
                } else {
                    text
                })
            })
            .collect();
        if edit::has_signs(&content, &path.text) {
            self.draft.faults.push(fault(
                Reason::MalformedPatch,
                "the lines of the file begin with `+` and `-`: mark the fence as `diff`, or write the lines without them",
            ));
            return self.own(fence.open, fence.next);
        }
        let extent = extent(self.recent(), &content);
        let saved = fence.language() == "save";
        let lazy = edit::gaps(&content, &path.text).next().is_some();
        let block = Block {
            operation: match (lazy, saved) {
                (true, _) => Operation::Lazy,
                (_, true) => Operation::Write,
                _ => Operation::Listing { extent },
            },
            span,
            path: Some(path),
            splits: vec![Split::new("", content)],
            ..Block::of(Dialect::WholeFile, "", "")
        };
        self.draft.steps.push(Step::new(block, Names { stated: true, rivals, ..Names::default() }));
        self.own(fence.open, fence.next);
    }
}

pub(super) fn is_diff_language(language: &str) -> bool {
    matches!(language, "diff" | "patch" | "udiff")
}

/// Whether a file is a patch by its name.
fn is_patch(path: &str) -> bool {
    [".diff", ".patch", ".rej"].iter().any(|end| path.ends_with(end))
}

/// The text of some lines.
pub(super) fn joined(lines: &[Line]) -> String {
    lines.iter().map(|line| format!("{}\n", line.text)).collect()
}

/// `=== PATH: a.py ===`
fn path_header(text: &str) -> Option<&str> {
    let inner = text.trim().strip_prefix("===")?.strip_suffix("===")?.trim();
    Some(inner.strip_prefix("PATH:")?.trim()).filter(|name| !name.is_empty())
}
