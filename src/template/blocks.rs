//! Matches the actions that open and close blocks, and collects the nodes between them.

use super::error::{SyntaxError, SyntaxErrorKind};
use super::lex::Keyword;
use super::node::{Action, Arm, Branch, BranchKeyword, Definition, Node, Pipeline, Quoted};
use super::variables::Variables;
use crate::text::Span;

/// Deeper nesting is not read.
const MOST_BLOCKS: usize = 128;

/// The open blocks, outermost first.
#[derive(Debug, Default)]
pub(super) struct Blocks<'t> {
    text: &'t str,
    open: Vec<Block>,
    /// The nodes of the innermost block so far.
    nodes: Vec<Node>,
    variables: Variables,
    /// Open blocks beyond [`MOST_BLOCKS`].
    too_deep: usize,
    /// Blocks that a misspelled word opened and an `end` closed.
    guessed: usize,
    /// Misspelled words that were read as `end`.
    ends: usize,
    /// The interpretations of misspelled words contradict each other.
    doubtful: bool,
}

#[derive(Debug)]
struct Block {
    kind: Kind,
    action: Action,
    /// The nodes of the enclosing block so far.
    around: Vec<Node>,
    /// The variables at the start of the body, and those around a definition.
    mark: usize,
    body_mark: usize,
    hidden: Option<Variables>,
    /// Unclosed actions inside that opened a block or took its `end`.
    suspects: usize,
    /// Errors to drop if this block turns out to have ended earlier.
    inside: Vec<SyntaxError>,
    /// A misspelled word opened it: without an `end`, it isn't a block.
    guessed: bool,
}

#[derive(Debug)]
enum Kind {
    Branch {
        keyword: BranchKeyword,
        arms: Vec<Arm>,
        second_keyword: Option<Span>,
        condition: Option<Pipeline>,
    },
    Definition {
        name: Quoted,
        argument: Option<Pipeline>,
        word: &'static str,
    },
}

impl<'t> Blocks<'t> {
    pub(super) fn new(text: &'t str, variables: Variables) -> Self {
        Self { text, variables, ..Self::default() }
    }

    pub(super) fn variables(&self) -> &Variables {
        &self.variables
    }

    pub(super) fn variables_mut(&mut self) -> &mut Variables {
        &mut self.variables
    }

    pub(super) fn add(&mut self, node: Node) {
        self.nodes.push(node);
    }

    pub(super) fn is_open(&self) -> bool {
        // After a misspelled `end`, the right one may still follow.
        !self.open.is_empty() || self.too_deep > 0 || self.ends > 0 && !self.doubtful
    }

    /// Whether a block is open, and whether it may have an `else`.
    pub(super) fn innermost(&self) -> Option<bool> {
        let block = self.open.last()?;
        Some(match &block.kind {
            Kind::Branch { arms, condition, .. } => condition.is_some() || arms.is_empty(),
            Kind::Definition { .. } => false,
        })
    }

    /// Notes that a misspelled word has opened the innermost of `before + 1` blocks.
    pub(super) fn guess(&mut self, before: usize) {
        if let Some(block) = self.open.get_mut(before) {
            block.guessed = true;
        }
    }

    pub(super) fn depth(&self) -> usize {
        self.open.len()
    }

    /// Closes a block with a misspelled `end`.
    pub(super) fn close_misspelled(&mut self, action: Action, errors: &mut Vec<SyntaxError>) {
        self.ends += 1;
        self.close(action, errors);
    }

    /// Ends every block without an error: the content is not a template.
    pub(super) fn abandon(&mut self) {
        self.too_deep = 0;
        self.ends = 0;
        while !self.open.is_empty() {
            self.pop(None, &mut Vec::new());
        }
    }

    /// Whether another block would exceed the limit, so that its action is reported as broken.
    fn is_full(&mut self, action: &Action, errors: &mut Vec<SyntaxError>) -> bool {
        if self.open.len() < MOST_BLOCKS {
            return false;
        }
        if self.too_deep == 0 {
            let message =
                "the blocks are nested too deeply; move the inner part to a `{{ define }}`"
                    .to_owned();
            errors.push(SyntaxError {
                kind: SyntaxErrorKind::TooDeep,
                span: action.span.clone(),
                message,
            });
        }
        self.too_deep += 1;
        self.add(Node::Broken(action.clone()));
        true
    }

    fn push(&mut self, kind: Kind, action: Action, mark: usize, hidden: Option<Variables>) {
        let around = std::mem::take(&mut self.nodes);
        let body_mark = self.variables.mark();
        self.open.push(Block {
            kind,
            action,
            around,
            mark,
            body_mark,
            hidden,
            suspects: 0,
            inside: Vec::new(),
            guessed: false,
        });
    }

    /// `if`, `range` or `with`. `mark` precedes the variables of the condition.
    pub(super) fn open_branch(
        &mut self,
        keyword: Keyword,
        action: Action,
        condition: Pipeline,
        mark: usize,
        errors: &mut Vec<SyntaxError>,
    ) {
        if self.is_full(&action, errors) {
            return self.variables.forget(mark);
        }
        let keyword = match keyword {
            Keyword::Range => BranchKeyword::Range,
            Keyword::With => BranchKeyword::With,
            _ => BranchKeyword::If,
        };
        self.push(
            Kind::Branch {
                keyword,
                arms: Vec::new(),
                second_keyword: None,
                condition: Some(condition),
            },
            action,
            mark,
            None,
        );
    }

    /// `define` or `block`.
    pub(super) fn open_definition(
        &mut self,
        action: Action,
        name: Quoted,
        argument: Option<Pipeline>,
        errors: &mut Vec<SyntaxError>,
    ) {
        let word = if argument.is_some() { "block" } else { "define" };
        if self.is_full(&action, errors) {
            return;
        }
        if word == "define"
            && let Some(block) = self.open.last_mut()
        {
            let message =
                "unexpected <define> in command: a definition can't be inside a block".to_owned();
            let span = action.keyword.clone().unwrap_or_else(|| action.span.clone());
            block.inside.push(SyntaxError { kind: SyntaxErrorKind::Unexpected, span, message });
        }
        let hidden = std::mem::take(&mut self.variables);
        self.push(Kind::Definition { name, argument, word }, action, 0, Some(hidden));
    }

    /// `else`, optionally followed by `if` or `with` and a condition.
    pub(super) fn other_arm(
        &mut self,
        action: Action,
        second: Option<(Keyword, Span)>,
        next_condition: Option<Pipeline>,
        errors: &mut Vec<SyntaxError>,
    ) {
        if self.too_deep > 0 {
            return self.add(Node::Broken(action));
        }
        let unopened = |action: &Action, message: &str, errors: &mut Vec<SyntaxError>| {
            errors.push(SyntaxError {
                kind: SyntaxErrorKind::UnopenedBlock,
                span: action.span.clone(),
                message: message.to_owned(),
            });
        };
        let Some(block) = self.open.last_mut() else {
            self.doubtful |= self.ends > 0;
            unopened(
                &action,
                "unexpected {{else}}: no `if`, `range` or `with` is open here",
                errors,
            );
            return self.add(Node::Broken(action));
        };
        match &mut block.kind {
            Kind::Definition { word, .. } => {
                let message = format!(
                    "unexpected {{{{else}}}} in {word} clause: no `if`, `range` or `with` is open \
                        here"
                );
                unopened(&action, &message, errors);
                self.add(Node::Broken(action));
            }
            Kind::Branch { arms, condition: None, .. } if !arms.is_empty() => {
                unopened(
                    &action,
                    "expected end; found {{else}}: the block already has a plain `else`",
                    errors,
                );
                self.add(Node::Broken(action));
            }
            Kind::Branch { keyword, arms, second_keyword, condition } => {
                if let Some((word, place)) = &second {
                    let (allowed, name) = match keyword {
                        BranchKeyword::If => (Some(Keyword::If), "else if"),
                        BranchKeyword::With => (Some(Keyword::With), "else with"),
                        BranchKeyword::Range => (None, ""),
                    };
                    if allowed != Some(*word) {
                        let shown = match word {
                            Keyword::With => "with",
                            Keyword::Range => "range",
                            _ => "if",
                        };
                        let advice = match name {
                            "" => "a `range` only allows a plain `else`".to_owned(),
                            name => format!("use `{name}` or a plain `else` here"),
                        };
                        let message = format!("unexpected <{shown}> in input: {advice}");
                        errors.push(SyntaxError {
                            kind: SyntaxErrorKind::Unexpected,
                            span: place.clone(),
                            message,
                        });
                    }
                }
                let opening = std::mem::replace(&mut block.action, action);
                let body = std::mem::take(&mut self.nodes);
                arms.push(Arm {
                    action: opening,
                    second_keyword: second_keyword.take(),
                    condition: condition.take(),
                    body,
                });
                *second_keyword = second.map(|(_, span)| span);
                *condition = next_condition;
            }
        }
    }

    /// The body's variables go out of scope before the `else` declares any.
    pub(super) fn end_arm(&mut self) {
        // A second plain `else` doesn't end the arm.
        let is_last = |kind: &Kind| matches!(kind, Kind::Branch { arms, condition: None, .. } if !arms.is_empty());
        if let (0, Some(Block { kind: kind @ Kind::Branch { .. }, body_mark, .. })) =
            (self.too_deep, self.open.last())
            && !is_last(kind)
        {
            let mark = *body_mark;
            self.variables.forget(mark);
        }
    }

    /// Variables declared by an arm's condition stay visible in the arms after it.
    pub(super) fn begin_arm(&mut self) {
        let mark = self.variables.mark();
        if let Some(block) = self.open.last_mut() {
            block.body_mark = mark;
        }
    }

    /// `end`
    pub(super) fn close(&mut self, action: Action, errors: &mut Vec<SyntaxError>) {
        if self.too_deep > 0 {
            self.too_deep -= 1;
            return self.add(Node::Broken(action));
        }
        if self.open.is_empty() {
            let message =
                "unexpected {{end}}: no block is open here; remove it, or open a block before it"
                    .to_owned();
            errors.push(SyntaxError {
                kind: SyntaxErrorKind::UnopenedBlock,
                span: action.span.clone(),
                message,
            });
            self.doubtful |= self.ends > 0;
            return self.add(Node::Broken(action));
        }
        self.pop(Some(action), errors);
    }

    /// `break` and `continue`
    pub(super) fn leave(
        &mut self,
        keyword: Keyword,
        action: Action,
        name: &str,
        errors: &mut Vec<SyntaxError>,
    ) {
        let mut inside = self.too_deep > 0;
        for block in self.open.iter().rev() {
            match &block.kind {
                Kind::Definition { .. } => break,
                Kind::Branch { keyword: BranchKeyword::Range, arms, .. } if arms.is_empty() => {
                    inside = true
                }
                Kind::Branch { .. } => {}
            }
        }
        if !inside {
            let message = format!("{{{{{name}}}}} outside {{{{range}}}}: no `range` is open here");
            errors.push(SyntaxError {
                kind: SyntaxErrorKind::OutsideRange,
                span: action.span.clone(),
                message,
            });
        }
        self.add(if keyword == Keyword::Break {
            Node::Break(action)
        } else {
            Node::Continue(action)
        });
    }

    fn pop(&mut self, end: Option<Action>, errors: &mut Vec<SyntaxError>) {
        let Some(block) = self.open.pop() else { return };
        let suspect = end.is_some() && !block.opening().closed;
        let body = std::mem::replace(&mut self.nodes, block.around);
        self.variables.forget(block.mark);
        if let Some(hidden) = block.hidden {
            self.variables = hidden;
        }
        let suspects = block.suspects + usize::from(suspect);
        if let (Some(around), true) = (self.open.last_mut(), end.is_some()) {
            around.suspects += suspects;
        }
        if end.is_some() {
            errors.extend(block.inside);
            self.guessed += usize::from(block.guessed);
        } else if block.guessed {
            return self.dissolve(block.kind, block.action, body);
        }
        self.nodes.push(match block.kind {
            Kind::Branch { keyword, mut arms, second_keyword, condition } => {
                arms.push(Arm { action: block.action, second_keyword, condition, body });
                Node::Branch(Branch { keyword, arms, end })
            }
            Kind::Definition { name, argument, .. } => {
                let blank = body.iter().all(|node| match node {
                    Node::Comment(_) => true,
                    Node::Text(span) => {
                        self.text.get(span.clone()).is_none_or(|text| text.trim().is_empty())
                    }
                    _ => false,
                });
                Node::Definition(Definition {
                    action: block.action,
                    name,
                    argument,
                    body,
                    blank,
                    end,
                })
            }
        });
    }

    /// Turns the beginning of a presumed block into an output.
    fn dissolve(&mut self, kind: Kind, action: Action, body: Vec<Node>) {
        let (mut parts, last) = match kind {
            Kind::Branch { arms, condition, .. } => {
                let parts = arms.into_iter().map(|arm| (arm.action, arm.condition, arm.body));
                (parts.collect::<Vec<_>>(), condition)
            }
            Kind::Definition { argument, .. } => (Vec::new(), argument),
        };
        parts.push((action, last, body));
        for (action, pipeline, body) in parts {
            self.nodes.push(match pipeline {
                Some(pipeline) => Node::Output { action, pipeline },
                None => Node::Broken(action),
            });
            self.nodes.extend(body);
        }
    }

    /// Everything that was read, and whether the interpretations of misspelled words contradict
    /// each other. Blocks still open have no `end`.
    pub(super) fn finish(mut self, errors: &mut Vec<SyntaxError>) -> (Vec<Node>, bool) {
        while let Some(block) = self.open.last() {
            let opening = block.opening().clone();
            let name = block.name();
            // Report one mistake once: an unclosed action is still being typed.
            if block.guessed {
                // The word is reported.
            } else if opening.closed && block.suspects == 0 {
                self.doubtful |= self.guessed > 0;
                let message = format!(
                    "unexpected EOF: this `{name}` has no `{{{{ end }}}}`; add it after the \
                        block's content"
                );
                errors.push(SyntaxError {
                    kind: SyntaxErrorKind::UnclosedBlock,
                    span: opening.span,
                    message,
                });
            }
            self.pop(None, errors);
        }
        (self.nodes, self.doubtful)
    }
}

impl Block {
    /// The opening action.
    fn opening(&self) -> &Action {
        match &self.kind {
            Kind::Branch { arms, .. } => arms.first().map_or(&self.action, |arm| &arm.action),
            Kind::Definition { .. } => &self.action,
        }
    }

    fn name(&self) -> &'static str {
        match &self.kind {
            Kind::Branch { keyword: BranchKeyword::If, .. } => "if",
            Kind::Branch { keyword: BranchKeyword::Range, .. } => "range",
            Kind::Branch { keyword: BranchKeyword::With, .. } => "with",
            Kind::Definition { word, .. } => word,
        }
    }
}
