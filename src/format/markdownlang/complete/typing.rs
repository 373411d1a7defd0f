//! The text typed so far, and the edits that complete it.

use std::collections::HashSet;

use serde_json::Value;

use super::front_matter_cursor::FrontMatterCursor;
use crate::answer::{Completion, CompletionKind};
use crate::format::{Context, snippet};
use crate::text::{Edit, Span};
use crate::yaml::{self, Anchors, CursorContext, Node, Place};

/// The word being typed in front matter.
pub struct Typing<'a> {
    pub cx: &'a Context<'a>,
    pub front_matter: &'a FrontMatterCursor<'a>,
    pub context: CursorContext,
    offset: usize,
    pub anchors: Anchors<'a>,
    /// The span that an edit replaces, in the document: the word around the cursor without its
    /// quotes.
    pub span: Span,
    /// The part of it before the cursor.
    pub typed: String,
    /// The indentation that a new line needs to reach this column.
    padding: usize,
    /// The indentation of the inserted text's first line, counted from the first character of the
    /// line.
    hang: usize,
    column: usize,
    /// The key already has its colon.
    has_colon: bool,
    /// The character before the span needs a space before a value.
    needs_blank: bool,
}

impl<'a> Typing<'a> {
    pub fn new(
        cx: &'a Context<'a>,
        front_matter: &'a FrontMatterCursor<'a>,
        offset: usize,
    ) -> Self {
        let text: &str = &front_matter.yaml;
        let at = text.floor_char_boundary(offset.saturating_sub(front_matter.start));
        let context = yaml::position_context(&front_matter.tree, text, at);
        Self::within(cx, front_matter, at, context)
    }

    /// The same word as a key at the left margin: an editor keeps the indentation of the line
    /// above. `None` if it is already at the margin, or isn't a key.
    pub fn at_margin(&self) -> Option<Self> {
        let context = &self.context;
        let text: &str = &self.front_matter.yaml;
        let at = self.offset - self.front_matter.start;
        let before = text.get(line_around(text, at).start..at)?;
        let indented = before.starts_with(' ') && before.trim_start_matches(' ') == self.typed;
        if !indented
            || self.typed.is_empty()
            || context.flow
            || context.quote.is_some()
            || !matches!(context.place, Place::Key | Place::NewItem)
        {
            return None;
        }
        let siblings = match self.front_matter.tree.root.as_ref().map(|root| &root.kind) {
            Some(yaml::Kind::Mapping(mapping)) => mapping
                .entries
                .iter()
                .filter_map(|entry| entry.key.as_str().map(str::to_owned))
                .collect(),
            _ => Vec::new(),
        };
        let margin = CursorContext {
            path: Vec::new(),
            place: Place::Key,
            key: None,
            in_sequence: false,
            siblings,
            column: 0,
            ..context.clone()
        };
        Some(Self::within(self.cx, self.front_matter, at, margin))
    }

    fn within(
        cx: &'a Context<'a>,
        front_matter: &'a FrontMatterCursor<'a>,
        at: usize,
        context: CursorContext,
    ) -> Self {
        let text: &str = &front_matter.yaml;
        let line = line_around(text, at);
        let mut span = inside_quotes(text, &context, at);
        span = span.start.max(line.start)..span.end.min(line.end);
        if !(span.start..=span.end).contains(&at) {
            span = at..at;
        }
        let before = text.get(line.start..span.start).unwrap_or_default();
        let indent = before.len() - before.trim_start_matches(' ').len();
        let mut padding = 0;
        // A separate line goes to the column of its neighbours.
        let own_line = indent == before.len() && !context.flow && context.quote.is_none();
        if own_line && matches!(context.place, Place::Key | Place::NewItem) {
            padding = context.column.saturating_sub(indent);
            span.start -= indent.saturating_sub(context.column);
        }
        let column = text.get(line.start..span.start).unwrap_or_default().chars().count() + padding;
        let rest = text.get(span.end..line.end).unwrap_or_default();
        let has_colon = context.place != Place::Value
            && rest.trim_start_matches(['"', '\'', ' ']).starts_with(':');
        let previous = text.get(..span.start).and_then(|before| before.chars().next_back());
        let needs_blank = context.quote.is_none()
            && match context.place {
                Place::Value => previous == Some(':'),
                Place::Item => matches!(previous, Some('-' | ',')),
                _ => false,
            };
        Self {
            cx,
            offset: at + front_matter.start,
            typed: text.get(span.start..at).unwrap_or_default().trim_start().to_owned(),
            span: span.start + front_matter.start..span.end + front_matter.start,
            hang: column
                - before.chars().take_while(|character| *character == ' ').count().min(column),
            anchors: front_matter.tree.anchors(),
            front_matter,
            context,
            padding,
            column,
            has_colon,
            needs_blank,
        }
    }

    /// All completions for the location of the edit.
    pub fn written(&self) -> String {
        self.cx.source.slice(self.span.clone()).into_owned()
    }

    /// The node at a path, following aliases.
    pub fn node(&self, path: &[&str]) -> Option<&Node> {
        let pointer = crate::schema::pointer::from_path(path);
        Some(yaml::locate(self.front_matter.tree.root.as_ref()?, &pointer, &self.anchors)?.node)
    }

    /// A top-level schema as JSON, as far as it can be read.
    pub fn schema(&self, field: &str) -> Value {
        self.node(&[field]).map_or(Value::Null, |node| yaml::to_json(node, &self.anchors).value)
    }

    /// Whether the mapping has the key elsewhere.
    pub fn has(&self, key: &str) -> bool {
        self.context.siblings.iter().any(|sibling| sibling == key)
    }

    /// The whitespace that is missing before the inserted text.
    fn lead(&self) -> String {
        " ".repeat(if self.needs_blank { 1 } else { self.padding })
    }

    fn item(&self, label: &str, kind: CompletionKind, text: String, rank: u32) -> Completion {
        Completion {
            label: label.to_owned(),
            kind,
            detail: None,
            documentation: None,
            edit: Edit::replace(self.span.clone(), self.lead() + &text),
            snippet: None,
            rank,
            more: false,
        }
    }

    /// A value, or an item of a list; on a separate line it gets a `- `.
    pub fn value(&self, value: &str, kind: CompletionKind, rank: u32) -> Completion {
        let text = match self.context.quote {
            Some('"') => value.replace('\\', "\\\\").replace('"', "\\\""),
            Some(_) => value.replace('\'', "''"),
            None if self.context.flow => yaml::print_flow_scalar(value),
            None => yaml::print_scalar(value),
        };
        self.written_value(value, text, kind, rank)
    }

    /// A value that is already YAML.
    pub fn written_value(
        &self,
        label: &str,
        text: String,
        kind: CompletionKind,
        rank: u32,
    ) -> Completion {
        self.item(label, kind, self.dash().to_owned() + &text, rank)
    }

    /// Inserts `name` after the first bytes of the typed text, which stay; `None` if all must be
    /// rewritten, for quotes or a dash before it.
    pub fn continued(&self, kept: usize, name: &str) -> Option<Edit> {
        let start = (self.offset.checked_sub(self.typed.len())? + kept).min(self.offset);
        let stays = self.dash().is_empty()
            && !self.needs_blank
            && self.padding == 0
            && self.typed.is_char_boundary(kept);
        let whole = self.typed.get(..kept)?.to_owned() + name;
        let item = self.value(&whole, CompletionKind::Value, 0);
        let written = item.edit.text.get(kept..)?;
        (stays && item.edit.text.starts_with(self.typed.get(..kept)?))
            .then(|| Edit::replace(start..self.span.end, written))
    }

    /// The start of an item on a separate line.
    pub fn dash(&self) -> &'static str {
        let block = !self.context.flow && self.context.quote.is_none();
        if block && matches!(self.context.place, Place::NewItem | Place::Key) { "- " } else { "" }
    }

    /// An entry: `block` is its whole snippet, with lines indented as at the left margin.
    pub fn entry(&self, name: &str, block: &str, kind: CompletionKind, rank: u32) -> Completion {
        let key = if self.context.quote.is_some() {
            name.to_owned()
        } else {
            yaml::print_flow_scalar(name)
        };
        if self.context.quote.is_some() || self.has_colon {
            return self.item(name, kind, key, rank);
        }
        let single = !block.contains('\n');
        let block = if self.context.flow { snippet::flow(block) } else { block.to_owned() };
        // Without snippet support, the author fills in a single-line value.
        let text = if single {
            format!("{key}: ")
        } else {
            snippet::plain(&self.indented(&block, self.column))
        };
        let mut item = self.item(name, kind, text, rank);
        item.snippet = Some(self.lead() + &self.indented(&block, self.hang));
        item.more = single;
        item
    }

    /// A new item of a list, as a snippet without its dash; `extra` is its label.
    pub fn new_item(&self, label: &str, block: &str, rank: u32) -> Completion {
        let block = match (self.context.flow, self.context.place) {
            (true, _) => format!("{{ {} }}", snippet::flow(block)),
            (false, Place::Value) => format!("[{{ {} }}]", snippet::flow(block)),
            (false, Place::Item) => block.to_owned(),
            (false, _) => format!("- {}", block.replace('\n', "\n  ")),
        };
        let mut item = self.item(
            label,
            CompletionKind::Snippet,
            snippet::plain(&self.indented(&block, self.column)),
            rank,
        );
        item.snippet = Some(self.lead() + &self.indented(&block, self.hang));
        item
    }

    /// Adds entries after a value, as its neighbours: on separate lines, or between the braces
    /// around it. Does nothing inside quotes, or if more text follows on the line.
    pub fn continue_with(&self, item: &mut Completion, entries: &str) {
        let line = self.cx.source.line_span(self.span.start);
        let before = self.cx.source.slice(line.start..self.span.start);
        let behind = self.cx.source.slice(self.span.end..line.end.max(self.span.end));
        let indent = before.len() - before.trim_start_matches(' ').len();
        let column = before.len()
            - before.get(indent..).map_or("", |rest| rest.trim_start_matches(['-', ' '])).len();
        if self.context.quote.is_some() || !self.context.flow && !behind.trim().is_empty() {
            return;
        }
        let below = |column: usize| match self.context.flow {
            true => format!(", {}", entries.replace('\n', ", ")),
            false => self.indented(&format!("\n{entries}"), column),
        };
        item.snippet =
            Some(snippet::escape(&item.edit.text) + &snippet::escape(&below(column - indent)));
        item.edit.text.push_str(&below(column));
    }

    /// A value as a snippet on one line.
    pub fn flow_value(
        &self,
        label: &str,
        text: &str,
        kind: CompletionKind,
        rank: u32,
    ) -> Completion {
        let mut item = self.item(label, kind, self.dash().to_owned() + &snippet::plain(text), rank);
        item.snippet = Some(self.lead() + self.dash() + text);
        item
    }

    /// Moves further lines to a column, with the line breaks of the document.
    fn indented(&self, block: &str, column: usize) -> String {
        block.replace('\n', &format!("{}{}", self.cx.source.line_break(), " ".repeat(column)))
    }

    /// The names in a list, except the item under the cursor.
    pub fn listed(&self, list: Option<&Node>) -> HashSet<String> {
        let items =
            list.and_then(Node::as_sequence).into_iter().flat_map(|sequence| &sequence.items);
        let here = |node: &&Node| {
            let span =
                node.span.start + self.front_matter.start..node.span.end + self.front_matter.start;
            span.start <= self.span.end && self.span.start <= span.end
        };
        items
            .filter(|node| !here(node))
            .filter_map(|node| self.anchors.follow(node)?.as_str())
            .map(str::to_owned)
            .collect()
    }
}

/// The line that contains an offset, without its break.
fn line_around(text: &str, at: usize) -> Span {
    let start =
        text.get(..at).and_then(|before| before.rfind(['\n', '\r'])).map_or(0, |found| found + 1);
    let end = text
        .get(at..)
        .and_then(|after| after.find(['\n', '\r']))
        .map_or(text.len(), |found| at + found);
    start..end
}

/// The word being typed, without quotes if the cursor is between them.
fn inside_quotes(text: &str, context: &CursorContext, at: usize) -> Span {
    let span = context.partial.clone();
    let Some(quote) = context.quote else { return span };
    let start = span.start + 1;
    let written = text.get(start..span.end).unwrap_or_default();
    let closed = written.ends_with(quote);
    let end = if closed { span.end - 1 } else { start + written.trim_end().len() };
    start..end.max(at).max(start)
}
