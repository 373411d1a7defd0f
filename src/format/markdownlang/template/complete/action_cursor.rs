//! The word being typed in an action, with its context.

use std::borrow::Cow;

use crate::answer::{Completion, CompletionKind};
use crate::format::markdownlang::Program;
use crate::format::markdownlang::template::uses::{self, Draft};
use crate::format::{Context, snippet};
use crate::template::function::{Kinds, function};
use crate::template::node::Node;
use crate::template::types::{Type, Types};
use crate::template::typing::{Place, Typing, Word, WordKind};
use crate::text::{Edit, Span};

/// A name that isn't used anywhere, inserted for the field being typed.
const NAMELESS: &str = "agentmd_typing";

pub struct ActionCursor<'a> {
    pub program: &'a Program,
    pub cx: &'a Context<'a>,
    pub typing: Typing,
    /// The unit's text, and its start in the document.
    pub text: Cow<'a, str>,
    start: usize,
    /// The same unit as if the word were complete, analysed.
    pub draft: Draft,
    /// The blocks around the cursor, outermost first: the kind of each, and whether its `end`
    /// exists.
    pub blocks: Vec<Block>,
    closed: bool,
    /// The text between the word and the closing braces, or the end of the line.
    rest: Span,
    /// The start of the action, the start of its content, and its end, including closing braces.
    action: usize,
    inner: usize,
    end: usize,
}

/// The words that are possible at the cursor without a certain error.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Room {
    Any,
    /// Values follow: a function that takes them as arguments. `quoted` if the first is a string.
    Function {
        quoted: bool,
    },
    /// The name of a variable that is declared or assigned.
    Name,
    /// A pipe follows: only a value is possible.
    Value,
    Nothing,
}

/// A block around the cursor.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Block {
    pub is_range: bool,
    pub is_branch: bool,
    pub has_else: bool,
    pub has_end: bool,
}

impl<'a> ActionCursor<'a> {
    pub fn at(program: &'a Program, cx: &'a Context<'a>, offset: usize) -> Option<Self> {
        let unit = program.body.unit_at(offset)?;
        let local = offset.checked_sub(unit.start)?;
        let actions = unit.template.actions(&(local..local));
        let action = actions.into_iter().find(|action| {
            action.inner.start <= local && (!action.closed || local <= action.inner.end)
        })?;
        let text = cx.source.slice(unit.span());
        let line = cx.source.line_span(offset);
        let line = line.start.saturating_sub(unit.start)
            ..line.end.saturating_sub(unit.start).min(text.len());
        // Unclosed braces don't start an action for the lines below them.
        if !action.closed && action.span.start < line.start
            || text.get(action.inner.start..local)?.trim_start().starts_with("/*")
        {
            return None;
        }
        let typing = Typing::at(&text, action.inner.start, local)?;
        let end = if action.closed { action.span.end } else { line.end };
        let rest = typing.word.end
            ..(if action.closed { action.inner.end } else { line.end }).max(typing.word.end);
        let mut draft = text.get(..typing.word.start)?.to_owned();
        let nameless = matches!(typing.place, Place::Field(_));
        draft.push_str(if nameless { NAMELESS } else { text.get(typing.word.clone())? });
        let behind = draft.len();
        draft.push_str(text.get(typing.word.end..)?);
        let open = !action.closed && !matches!(typing.place, Place::String { closed: false, .. });
        if open {
            draft.insert_str(behind, " }}");
        }
        let blocks = unit.template.blocks_at(action.span.start);
        let blocks = blocks
            .into_iter()
            .filter(|node| node.span().start < action.span.start)
            .filter_map(block)
            .collect();
        let draft = uses::draft(program, cx, &unit, &draft, action.span.start)?;
        let (inner, closed, action) = (action.inner.start, action.closed, action.span.start);
        Some(Self {
            program,
            cx,
            closed,
            rest,
            action,
            inner,
            end,
            typing,
            start: unit.start,
            draft,
            blocks,
            text,
        })
    }

    pub fn types(&self) -> &Types {
        self.program.types()
    }

    /// The keyword of the action; of `else if`, `if`.
    pub fn keyword(&self) -> Option<&str> {
        self.text.get(self.typing.keyword.clone()?)
    }

    pub fn written(&self, span: &Span) -> &str {
        self.text.get(span.clone()).unwrap_or_default()
    }

    /// The text after the word.
    pub fn behind(&self) -> &str {
        self.written(&self.rest)
    }

    /// The action needs no closing braces after the word: it has some, or text follows.
    pub fn is_closed(&self) -> bool {
        self.closed || !self.behind().trim().is_empty()
    }

    /// The type of a word of the command.
    pub fn kind_of(&self, word: &Word) -> Type {
        match word.kind {
            WordKind::String => Type::of(Kinds::STRING),
            WordKind::Number => Type::of(Kinds::NUMBER),
            WordKind::Function => function(self.written(&word.span))
                .map_or_else(Type::any, |function| Type::of(function.result)),
            WordKind::Value => self.kind_of_expression(&word.span),
            WordKind::Other => Type::any(),
        }
    }

    /// The type of an expression with fields, a variable, or a dot.
    pub fn kind_of_expression(&self, span: &Span) -> Type {
        let text = self.written(span);
        match text {
            "." => self.draft.scope.dot.clone(),
            _ if text.starts_with('$') && !text.contains('.') => {
                self.draft.variable(text).unwrap_or_else(Type::any)
            }
            _ => self
                .draft
                .uses
                .iter()
                .find(|used| used.span.end == span.end)
                .map_or_else(Type::any, |used| used.kind.clone()),
        }
    }

    /// The type piped into the word's command.
    pub fn piped(&self) -> Option<Type> {
        Some(self.kind_of(self.typing.piped.first()?))
    }

    /// The words that are possible here, given the surrounding ones.
    pub fn room(&self) -> Room {
        let before = &self.typing.before;
        let piped = usize::from(!self.typing.piped.is_empty());
        let gap = before.last().map(|last| self.written(&(last.span.end..self.typing.word.start)));
        if gap.is_some_and(|gap| gap.trim() == ",") {
            let declares = self.keyword() == Some("range") && before.len() == 1;
            return if declares { Room::Name } else { Room::Nothing };
        }
        let is_value = matches!(self.typing.place, Place::Field(_) | Place::String { .. });
        let is_full = match (before.first(), self.keyword()) {
            (None, _) => piped > 0 && is_value,
            (Some(first), Some("template" | "block")) if first.kind == WordKind::String => {
                before.len() > 1
            }
            (Some(first), _) if first.kind == WordKind::Function => {
                let function = function(self.written(&first.span));
                function.is_some_and(|function| {
                    let arguments = before.len() - 1 + piped;
                    !function.variadic && arguments >= function.parameters.len()
                })
            }
            // A value takes no arguments.
            (Some(_), _) => true,
        };
        if is_full {
            return Room::Nothing;
        }
        let next = self.behind().trim_start();
        let starts = matches!(self.typing.place, Place::Start | Place::Value);
        if !self.closed || !starts {
            return Room::Any;
        }
        match next.chars().next() {
            Some(':' | '=' | ',') => Room::Name,
            Some(quote @ ('"' | '`' | '.' | '$' | '(' | '\'')) => {
                Room::Function { quoted: matches!(quote, '"' | '`') }
            }
            Some(letter) if letter.is_alphanumeric() => Room::Function { quoted: false },
            Some('|') => Room::Value,
            _ => Room::Any,
        }
    }

    /// Whether a word would merge with the following text.
    pub fn runs_into(&self, rest: &str) -> bool {
        match rest.chars().next() {
            None => false,
            Some('.') => self.typing.word.is_empty(),
            Some(next) => !next.is_whitespace() && !matches!(next, ',' | '|' | ':' | ')' | '}'),
        }
    }

    /// The kinds that the command, or the keyword, expects at the word; all if any will do.
    pub fn wanted(&self) -> Kinds {
        match (self.typing.before.first(), self.keyword()) {
            (Some(first), _) => {
                let function = function(self.written(&first.span))
                    .filter(|_| first.kind == WordKind::Function);
                let index = self.typing.before.len() - 1;
                let parameters = function.map_or(&[][..], |function| function.parameters);
                parameters
                    .get(index.min(parameters.len().saturating_sub(1)))
                    .map_or(Kinds::ANY, |parameter| parameter.accepts)
            }
            (None, Some("range")) => Kinds::LIST.or(Kinds::OBJECT),
            _ => Kinds::ANY,
        }
    }

    /// An item that replaces the text from `from` to the end of the word. It also closes an open
    /// action, if nothing follows on its line: always if the text `finishes` it, else only for
    /// editors with snippets, which put the cursor before the braces.
    pub fn item(
        &self,
        label: &str,
        kind: CompletionKind,
        from: usize,
        text: &str,
        finishes: bool,
        rank: u32,
    ) -> Completion {
        let before = self.written(&(self.inner..from));
        // A lone `{{` gets spaces; `{{.name` doesn't, because the author omits them.
        let bare =
            before.is_empty() && self.typing.word.is_empty() && self.typing.place == Place::Start;
        let tight =
            !bare && !self.written(&(self.inner..self.end)).starts_with([' ', '\t', '\r', '\n']);
        let rest = self.written(&self.rest);
        let in_string = matches!(self.typing.place, Place::String { .. });
        let (lead, blank) = (if bare { " " } else { "" }, if tight { "" } else { " " });
        let mut snippet = None;
        let mut written = format!("{lead}{text}");
        if self.closed && bare && rest.is_empty()
            || !in_string && !text.ends_with(' ') && self.runs_into(rest)
        {
            written.push(' ');
        }
        if !self.closed && !in_string && rest.trim().is_empty() {
            snippet = Some(format!("{}$0{blank}}}}}", snippet::escape(&written)));
            if finishes {
                written.push_str(&format!("{blank}}}}}"));
            }
        }
        let edit = Edit::replace(self.start + from..self.start + self.typing.word.end, written);
        Completion {
            label: label.to_owned(),
            kind,
            detail: None,
            documentation: None,
            edit,
            snippet,
            rank,
            more: false,
        }
    }

    /// An item that replaces the whole action after its opening braces, through its closing ones.
    /// `block` is a snippet.
    pub fn block(&self, label: &str, block: &str, rank: u32) -> Option<Completion> {
        let inner = self.written(&(self.inner..self.end));
        let rest = self.written(&self.rest);
        let line = self.cx.source.line_span(self.start + self.typing.word.start);
        // Only an action that contains just the word becomes a block, and only on its line.
        if !rest.trim().is_empty()
            || !self.written(&(self.inner..self.typing.word.start)).trim().is_empty()
            || self.start + self.end > line.end
        {
            return None;
        }
        let tight =
            !inner.is_empty() && !inner.starts_with([' ', '\t']) && !self.typing.word.is_empty();
        let block =
            if tight { block.replace("{{ ", "{{").replace(" }}", "}}") } else { block.to_owned() };
        let bare = inner.is_empty() || !inner.starts_with([' ', '\t']);
        let lead = if bare && !tight { " " } else { "" };
        // A block alone on its line is written over several lines.
        let before = self.cx.source.slice(line.start..self.start + self.action).into_owned();
        let alone = before.trim().is_empty()
            && self.cx.source.slice(self.start + self.end..line.end).trim().is_empty();
        let gap = if alone { self.cx.source.line_break() } else { "" };
        let text = format!("{lead}{}", block.replace("<gap>", gap));
        let edit = Edit::replace(
            self.start + self.typing.word.start..self.start + self.end,
            snippet::plain(&text),
        );
        let documentation =
            Some(format!("```\n{{{{ {}\n```", snippet::plain(&block.replace("<gap>", "…")).trim()));
        let kind = CompletionKind::Snippet;
        Some(Completion {
            label: label.to_owned(),
            kind,
            detail: None,
            documentation,
            edit,
            snippet: Some(text),
            rank,
            more: false,
        })
    }
}

fn block(node: &Node) -> Option<Block> {
    match node {
        Node::Branch(branch) => Some(Block {
            is_range: branch.keyword == crate::template::node::BranchKeyword::Range,
            is_branch: true,
            has_else: branch.arms.last().is_some_and(|arm| arm.condition.is_none())
                && branch.arms.len() > 1,
            has_end: branch.end.is_some(),
        }),
        Node::Definition(definition) => Some(Block {
            is_range: false,
            is_branch: false,
            has_else: false,
            has_end: definition.end.is_some(),
        }),
        _ => None,
    }
}
