//! Parses templates: text and actions in turn, and the blocks they belong to. Parsing never fails:
//! errors are reported, and everything around them is still parsed.

use memchr::memmem;

use super::blocks::Blocks;
use super::error::{SyntaxError, SyntaxErrorKind};
use super::lex::{self, BLANKS, Keyword, Scan, Token, TokenKind};
use super::misspelling::{self, Meant};
use super::node::{Action, Call, Node, Pipeline, Quoted, Template};
use super::pipeline::{Context, Reader};
use super::variables::Variables;
use crate::text::Span;

/// Content with more errors than this isn't a template: the rest is read as text.
const MOST_ERRORS: usize = 1000;

/// The limit of bytes scanned without finding closing braces or quotes; after that, only nearby
/// ones count.
const MOST_WASTE: usize = 4 << 20;
const NEAR: usize = 256;

/// Parses a template. `outer` are the variables visible at its start, except `$`.
pub fn parse(text: &str, outer: &[String]) -> Template {
    read(text, outer, &mut Outlook::default(), &mut |_| None, true)
        .map(|piece| piece.template)
        .unwrap_or_default()
}

/// A template that may end before its text does.
#[derive(Debug, PartialEq)]
pub struct Piece {
    pub template: Template,
    /// Its length in bytes.
    pub length: usize,
    /// How far the parser looked; `usize::MAX` if the end of the text mattered.
    pub reach: usize,
    /// It ends where it may; otherwise the text ended first.
    pub whole: bool,
    /// The variables declared at its end but not at its start.
    pub declared: Vec<String>,
}

impl Piece {
    /// Text without actions.
    pub fn of_text(text: &str) -> Self {
        let template = Template { nodes: vec![Node::Text(0..text.len())], errors: Vec::new() };
        Self { template, length: text.len(), reach: usize::MAX, whole: false, declared: Vec::new() }
    }
}

/// Facts about the text, shared by successive pieces.
#[derive(Debug, Default)]
pub struct Outlook {
    /// The remaining text contains no `*/`.
    no_comment_end: bool,
    waste: usize,
}

/// Returns where a piece may end: the first such offset in a span of text between two actions,
/// inclusive.
pub type Ends<'e> = dyn FnMut(Span) -> Option<usize> + 'e;

/// Parses the shortest prefix of `text` that is a template by itself: no action or block is open at
/// its end, and it may end there. `None` if that depends on what follows, unless the text is
/// `complete`.
pub fn read(
    text: &str,
    outer: &[String],
    outlook: &mut Outlook,
    ends: &mut Ends,
    complete: bool,
) -> Option<Piece> {
    let guesses = outlook.waste <= MOST_WASTE;
    let no_comment_end = outlook.no_comment_end;
    match attempt(text, outer, outlook, ends, complete, guesses)? {
        (piece, false) => Some(piece),
        // The interpretations of misspelled words contradict each other: don't interpret them.
        (piece, true) => {
            outlook.waste += piece.length;
            // The first attempt may have looked for one after the comments that the second parses.
            outlook.no_comment_end = no_comment_end;
            let (piece, _) = attempt(text, outer, outlook, ends, complete, false)?;
            Some(Piece { reach: usize::MAX, ..piece })
        }
    }
}

/// The same, and whether the interpretations of misspelled keywords contradict each other. With
/// `guesses`, misspelled keywords open and close blocks.
fn attempt(
    text: &str,
    outer: &[String],
    outlook: &mut Outlook,
    ends: &mut Ends,
    complete: bool,
    guesses: bool,
) -> Option<(Piece, bool)> {
    let mut variables = Variables::default();
    outer.iter().for_each(|name| variables.declare(name));
    let mark = variables.mark();
    let blocks = Blocks::new(text, variables);
    let mut parser = Parser {
        text,
        at: 0,
        line_end: 0,
        reach: 0,
        outlook,
        complete,
        blocks,
        errors: Vec::new(),
        opening: memmem::Finder::new("{{"),
        guesses,
    };
    let whole = parser.run(ends);
    if !complete && (!whole || parser.reach == text.len()) {
        return None;
    }
    let reach = if parser.reach == text.len() { usize::MAX } else { parser.reach };
    let length = parser.at;
    let declared = parser.blocks.variables().since(mark);
    let mut errors = parser.errors;
    let (nodes, doubtful) = parser.blocks.finish(&mut errors);
    errors.sort_by_key(|error| (error.span.start, error.span.end));
    let piece = Piece { template: Template { nodes, errors }, length, reach, whole, declared };
    Some((piece, doubtful && guesses))
}

struct Parser<'t, 'o> {
    text: &'t str,
    at: usize,
    /// The end of the line requested last.
    line_end: usize,
    /// How far the parser looked ahead of the consumed text.
    reach: usize,
    outlook: &'o mut Outlook,
    /// The text is complete.
    complete: bool,
    blocks: Blocks<'t>,
    errors: Vec<SyntaxError>,
    opening: memmem::Finder<'static>,
    /// Misspelled keywords open and close blocks.
    guesses: bool,
}

impl<'t> Parser<'t, '_> {
    fn rest(&self, at: usize) -> &'t str {
        self.text.get(at..).unwrap_or_default()
    }

    /// Parses until the piece ends; returns whether it ends where it may.
    fn run(&mut self, ends: &mut Ends) -> bool {
        let mut trim = false;
        loop {
            let start = self.at;
            let begin = if trim {
                self.text.len() - self.rest(start).trim_start_matches(BLANKS).len()
            } else {
                start
            };
            let found = self
                .opening
                .find(self.rest(start).as_bytes())
                .filter(|_| self.errors.len() < MOST_ERRORS);
            if self.errors.len() >= MOST_ERRORS {
                self.blocks.abandon();
            }
            let open = found.map_or(self.text.len(), |at| start + at);
            let trim_left = trims_left(self.rest(open));
            let before = self.text.get(begin..open).unwrap_or_default();
            let text = begin
                ..begin
                    + if trim_left { before.trim_end_matches(BLANKS).len() } else { before.len() };
            let end = if self.blocks.is_open() { None } else { ends(text.clone()) };
            if let Some(end) = end.filter(|end| *end > 0) {
                self.text_node(begin..end);
                self.at = end;
                return true;
            }
            self.text_node(text);
            self.at = open;
            if open == self.text.len() {
                return false;
            }
            trim = self.action(open, trim_left);
        }
    }

    fn text_node(&mut self, span: Span) {
        if !span.is_empty() {
            self.blocks.add(Node::Text(span));
        }
    }

    /// Parses the action at `open`; returns whether it trims the text after it.
    fn action(&mut self, open: usize, trim_left: bool) -> bool {
        let inner = open + if trim_left { 3 } else { 2 };
        // The space after the marker belongs to it.
        let comment = inner + usize::from(trim_left);
        if self.rest(comment).starts_with("/*") {
            return self.comment(open, inner, comment, trim_left);
        }
        let line_end = self.line_end(inner);
        let tired = self.outlook.waste > MOST_WASTE;
        let limit = if tired {
            self.text.floor_char_boundary(line_end.min(inner + NEAR))
        } else {
            self.text.len()
        };
        let mut scan = lex::scan(self.text, inner, limit);
        self.reach = self.reach.max(scan.reach);
        self.outlook.waste += scan.waste;
        if scan.end > line_end && (!scan.closed || is_prose(&scan, self.text, line_end)) {
            self.outlook.waste += scan.end - line_end;
            scan = lex::scan(self.text, inner, line_end);
        }
        if !scan.closed {
            let looked_at = scan.end;
            cut(&mut scan, self.text, inner);
            self.outlook.waste += looked_at - scan.end;
        }
        let action = Action {
            span: open..scan.end,
            inner: inner..scan.inner_end,
            keyword: None,
            trim_left,
            trim_right: scan.trim_right,
            closed: scan.closed,
        };
        self.at = scan.end;
        let trim_right = scan.trim_right;
        self.body(action, scan);
        trim_right
    }

    fn line_end(&mut self, at: usize) -> usize {
        if self.line_end < at || self.line_end == 0 {
            let rest = self.rest(at);
            self.line_end =
                at + memchr::memchr2(b'\n', b'\r', rest.as_bytes()).unwrap_or(rest.len());
        }
        self.line_end
    }

    /// The first `}}` after `at` on its line, unless `{{` comes first.
    fn braces(&self, at: usize) -> Option<usize> {
        let bytes = self.rest(at).as_bytes();
        let mut from = 0;
        while let Some(found) = memchr::memchr3(b'{', b'}', b'\n', bytes.get(from..)?) {
            from += found;
            match bytes.get(from..)? {
                [b'}', b'}', ..] => return Some(at + from),
                [b'{', b'{', ..] | [b'\n', ..] => return None,
                _ => from += 1,
            }
        }
        None
    }

    fn body(&mut self, mut action: Action, mut scan: Scan) {
        let closing = scan.end - if scan.closed { 2 } else { 0 }..scan.end;
        let first = scan.tokens.iter().position(|token| token.kind != TokenKind::Space);
        let mut keyword = first.and_then(|at| match scan.tokens.get(at) {
            Some(Token { kind: TokenKind::Keyword(keyword), span, .. }) => {
                Some((*keyword, span.clone()))
            }
            _ => None,
        });
        let meant = first.and_then(|at| self.misspelled(&scan, at));
        let guess = meant.as_ref().filter(|(meant, _)| self.is_guess(*meant)).cloned();
        if let Some((meant, span)) = &guess {
            let name = self.text.get(span.clone()).unwrap_or_default();
            self.errors.push(SyntaxError {
                kind: SyntaxErrorKind::UnknownFunction {
                    name: name.to_owned(),
                    keyword: meant.name,
                },
                span: span.clone(),
                message: super::pipeline::unknown_function(name),
            });
            keyword = Some((meant.keyword, span.clone()));
        }
        // `else iff`
        let second_meant = first.filter(|_| matches!(keyword, Some((Keyword::Else, _))));
        let second_meant = second_meant.and_then(|first| {
            let mut after = (first + 1)..scan.tokens.len();
            let at = after.find(|at| {
                scan.tokens.get(*at).is_some_and(|token| token.kind != TokenKind::Space)
            })?;
            let (meant, span) = self.misspelled(&scan, at)?;
            matches!(meant.keyword, Keyword::If | Keyword::With).then_some((
                meant.keyword,
                meant.name?,
                span,
            ))
        });
        let unclosed = !action.closed;
        if unclosed {
            let end = action.span.start
                + self
                    .text
                    .get(action.span.clone())
                    .unwrap_or_default()
                    .trim_end_matches(BLANKS)
                    .len();
            let message = "unclosed action: close it with `}}`".to_owned();
            self.errors.push(SyntaxError {
                kind: SyntaxErrorKind::UnclosedAction,
                span: action.span.start..end,
                message,
            });
        }
        action.keyword = keyword.as_ref().map(|(_, span)| span.clone());
        if matches!(keyword, Some((Keyword::Else, _))) {
            self.blocks.end_arm();
        }
        let (mark, depth) = (self.blocks.variables().mark(), self.blocks.depth());
        let (blocks, errors) = (&mut self.blocks, &mut self.errors);
        let mut reader = Reader::new(
            self.text,
            &mut scan.tokens,
            scan.inner_end,
            closing,
            blocks.variables_mut(),
        );
        reader.lost = unclosed;
        reader.keyword = meant.and_then(|(meant, _)| meant.name);
        let Some((keyword, place)) = keyword else {
            let blame = action.span.clone();
            let pipeline = reader.pipeline(Context::Command, None, blame);
            errors.append(&mut reader.errors);
            return blocks.add(Node::Output { action, pipeline });
        };
        reader.skip_space();
        reader.next();
        // The syntax of another language is reported once.
        let foreign = guess.as_ref().is_some_and(|(meant, _)| meant.name.is_none());
        reader.lost |= foreign;
        reader.keyword = None;
        let context = match keyword {
            Keyword::If => Context::If,
            Keyword::Range => Context::Range,
            Keyword::With => Context::With,
            Keyword::Block => Context::Block,
            Keyword::Template => Context::Template,
            _ => Context::Command,
        };
        match keyword {
            Keyword::If | Keyword::Range | Keyword::With => {
                let condition = reader.pipeline(context, None, place);
                let mut found = reader.errors;
                errors.append(&mut found);
                blocks.open_branch(keyword, action, condition, mark, errors);
                if guess.is_some() {
                    blocks.guess(depth);
                }
            }
            Keyword::Else => {
                reader.skip_space();
                let second = reader.kind();
                let second_place = reader.span();
                let misspelled = second_meant.filter(|(_, _, span)| *span == second_place);
                let (second, condition) = match second {
                    Some(_) if misspelled.is_some() => {
                        let (keyword, name) = misspelled
                            .map_or((Keyword::If, "if"), |(keyword, name, _)| (keyword, name));
                        reader.misspelled(name);
                        let context =
                            if keyword == Keyword::With { Context::With } else { Context::If };
                        let condition = reader.pipeline(context, None, second_place.clone());
                        (Some((keyword, second_place)), Some(condition))
                    }
                    // `elif`
                    Some(kind) if foreign && !matches!(kind, TokenKind::Keyword(_)) => {
                        let condition = reader.pipeline(Context::If, None, second_place.clone());
                        (None, Some(condition))
                    }
                    Some(TokenKind::Keyword(
                        keyword @ (Keyword::If | Keyword::Range | Keyword::With),
                    )) => {
                        reader.next();
                        let context = match keyword {
                            Keyword::With => Context::With,
                            Keyword::Range => Context::Range,
                            _ => Context::If,
                        };
                        let condition = reader.pipeline(context, None, second_place.clone());
                        (Some((keyword, second_place)), Some(condition))
                    }
                    _ => {
                        reader.expect_end("else", "only `if` or `with` may follow");
                        (None, None)
                    }
                };
                let mut found = reader.errors;
                errors.append(&mut found);
                blocks.other_arm(action, second, condition, errors);
                blocks.begin_arm();
            }
            Keyword::End => {
                reader.expect_end("end", "nothing may follow it");
                let mut found = reader.errors;
                errors.append(&mut found);
                match guess {
                    Some(_) => blocks.close_misspelled(action, errors),
                    None => blocks.close(action, errors),
                }
            }
            Keyword::Break | Keyword::Continue => {
                let name = if keyword == Keyword::Break { "break" } else { "continue" };
                reader.expect_end(&format!("{{{{{name}}}}}"), "nothing may follow it");
                let mut found = reader.errors;
                errors.append(&mut found);
                blocks.leave(keyword, action, name, errors);
            }
            Keyword::Define | Keyword::Block | Keyword::Template => {
                let (name, argument) = named(&mut reader, keyword, context, &place);
                let mut found = reader.errors;
                errors.append(&mut found);
                if keyword == Keyword::Template {
                    return blocks.add(Node::Call(Call { action, name, argument }));
                }
                blocks.open_definition(action, name, argument, errors);
                if guess.is_some() {
                    blocks.guess(depth);
                }
            }
        }
    }

    /// The intended keyword of an unknown word at the start of an action, and its span.
    fn misspelled(&self, scan: &Scan, first: usize) -> Option<(Meant, Span)> {
        let token = scan.tokens.get(first)?;
        let word = self.text.get(token.span.clone())?;
        let unknown = token.kind == TokenKind::Word
            && token.error.is_none()
            && super::function::function(word).is_none();
        let after = scan.tokens.get(first + 1..).filter(|_| unknown && scan.closed)?;
        Some((misspelling::meant(word, after)?, token.span.clone()))
    }

    /// Whether a misspelled word opens or closes a block.
    fn is_guess(&self, meant: Meant) -> bool {
        let opens = matches!(
            meant.keyword,
            Keyword::If | Keyword::Range | Keyword::With | Keyword::Define | Keyword::Block
        );
        self.guesses
            && match meant.keyword {
                Keyword::End => self.blocks.innermost().is_some(),
                Keyword::Else => self.blocks.innermost() == Some(true),
                _ => opens,
            }
    }

    fn comment(&mut self, open: usize, inner: usize, start: usize, trim_left: bool) -> bool {
        let rest = if self.outlook.no_comment_end { "" } else { self.rest(start + 2) };
        let closing = memmem::find(rest.as_bytes(), b"*/").map(|at| start + 2 + at + 2);
        let action = |inner_end: usize, end: usize, trim_right: bool, closed: bool| Action {
            span: open..end,
            inner: inner..inner_end,
            keyword: None,
            trim_left,
            trim_right,
            closed,
        };
        let Some(behind) = closing else {
            self.reach = if self.outlook.no_comment_end { usize::MAX } else { self.text.len() };
            self.outlook.no_comment_end |= self.complete;
            let braces = self.braces(start);
            let closed = braces.is_some();
            let end = braces.map_or_else(|| self.line_end(start), |at| at + 2);
            let shown = self.text.get(..end).unwrap_or_default().trim_end_matches(BLANKS).len();
            let message = "unclosed comment: close it with `*/}}`".to_owned();
            self.errors.push(SyntaxError {
                kind: SyntaxErrorKind::UnclosedComment,
                span: open..shown,
                message,
            });
            self.blocks.add(Node::Comment(action(
                if closed { end - 2 } else { end },
                end,
                false,
                closed,
            )));
            self.at = end;
            return false;
        };
        let rest = self.rest(behind);
        self.reach = self.reach.max((behind + 4).min(self.text.len()));
        let (inner_end, end, trim_right) = match rest.as_bytes() {
            [b'}', b'}', ..] => (behind, behind + 2, false),
            [blank, b'-', b'}', b'}', ..] if lex::is_blank(*blank) => (behind, behind + 4, true),
            _ => {
                let braces = self.braces(behind);
                let end = braces.map_or(behind, |at| at + 2);
                let span = braces.map_or(open..behind, |at| behind..at);
                let (kind, message) = match braces {
                    Some(_) => (
                        SyntaxErrorKind::Unexpected,
                        "comment ends before closing delimiter: `}}` or ` -}}` must directly \
                            follow `*/`",
                    ),
                    None => (
                        SyntaxErrorKind::UnclosedAction,
                        "comment ends before closing delimiter: close it with `}}`",
                    ),
                };
                self.errors.push(SyntaxError { kind, span, message: message.to_owned() });
                self.blocks.add(Node::Comment(action(
                    braces.unwrap_or(behind),
                    end,
                    false,
                    braces.is_some(),
                )));
                self.at = end;
                return false;
            }
        };
        self.blocks.add(Node::Comment(action(inner_end, end, trim_right, true)));
        self.at = end;
        trim_right
    }
}

/// The name after `define`, `block` or `template`, and its argument.
fn named(
    reader: &mut Reader,
    keyword: Keyword,
    context: Context,
    place: &Span,
) -> (Quoted, Option<Pipeline>) {
    let clause = if keyword == Keyword::Define { "define clause" } else { context.words() };
    reader.skip_space();
    let at = reader.span().start;
    let name = match reader.kind() {
        Some(kind @ (TokenKind::Quoted | TokenKind::RawQuoted)) => {
            let (_, span, wrong) = reader.next().unwrap_or((kind, at..at, true));
            let text = reader.slice(&span);
            let value = match kind {
                TokenKind::RawQuoted => super::literal::unquote_raw(text),
                _ if wrong => text.trim_start_matches('"').to_owned(),
                _ => reader.unquote(text, &span),
            };
            Quoted { value, span }
        }
        _ => {
            reader.unexpected(clause, "a quoted name must follow");
            Quoted { value: String::new(), span: at..at }
        }
    };
    let argument = match keyword {
        Keyword::Define => {
            reader.expect_end(clause, "only a name is allowed here");
            None
        }
        Keyword::Block => Some(reader.pipeline(context, None, place.clone())),
        _ => {
            reader.skip_space();
            reader.kind().map(|_| reader.pipeline(context, None, place.clone()))
        }
    };
    (name, argument)
}

fn trims_left(rest: &str) -> bool {
    matches!(rest.as_bytes(), [b'{', b'{', b'-', blank, ..] if lex::is_blank(*blank))
}

/// Whether the lines after an action's first line don't belong to it: the action wasn't closed, and
/// later braces close it by accident. An unterminated raw string says the same, regardless of its
/// content.
fn is_prose(scan: &Scan, text: &str, line_end: usize) -> bool {
    let (mut before, mut first): (Option<&Token>, _) = (None, true);
    let mut strange = 0;
    for token in scan.tokens.iter().filter(|token| token.kind != TokenKind::Space) {
        if token.kind == TokenKind::RawQuoted && token.error.is_some() {
            return true;
        }
        let is_else = |token: &Token| token.kind == TokenKind::Keyword(Keyword::Else);
        let belongs = match token.kind {
            TokenKind::Keyword(_) => first || before.is_some_and(is_else),
            // `$index, $element :=`
            TokenKind::Other => {
                text.get(token.span.clone()) == Some(",")
                    && before.is_some_and(|before| before.kind == TokenKind::Variable)
            }
            _ => false,
        };
        let below = token.span.start > line_end && !belongs;
        strange += usize::from(below && is_strange(token, text));
        (before, first) = (Some(token), false);
    }
    strange >= 2
}

/// A token that is invalid anywhere after the first word of an action.
fn is_strange(token: &Token, text: &str) -> bool {
    match token.kind {
        TokenKind::Broken | TokenKind::Other | TokenKind::Keyword(_) => true,
        TokenKind::Word => {
            token.error.is_some()
                || text
                    .get(token.span.clone())
                    .is_none_or(|name| super::function::function(name).is_none())
        }
        _ => token.error.is_some(),
    }
}

/// Ends an unclosed action where it stops making sense: the rest of the line is text.
fn cut(scan: &mut Scan, text: &str, inner: usize) {
    let slice = |token: &Token| text.get(token.span.clone()).unwrap_or_default();
    let last = scan.tokens.iter().rposition(|token| token.kind != TokenKind::Space);
    let mut before: Option<&Token> = None;
    for (index, token) in
        scan.tokens.iter().enumerate().filter(|(_, token)| token.kind != TokenKind::Space)
    {
        if token.kind == TokenKind::Other && slice(token) == "}" {
            (scan.inner_end, scan.end) = (token.span.start, token.span.end);
            return scan.tokens.truncate(index);
        }
        let begins = before.is_none_or(|before| begins_command(before, slice(before)));
        // The last word may still be being typed.
        let function =
            token.kind == TokenKind::Word && super::function::function(slice(token)).is_some();
        let written =
            last == Some(index) && token.kind != TokenKind::Other && (begins || !function);
        let declares =
            slice(token) == "," && before.is_some_and(|before| before.kind == TokenKind::Variable);
        let strange = is_strange(token, text) || token.kind == TokenKind::Word && !begins;
        if strange
            && before.is_some()
            && !declares
            && !written
            && !(begins && is_keyword(before) && token.kind == TokenKind::Word)
        {
            scan.end = before.map_or(inner, |before| before.span.end);
            scan.inner_end = scan.end;
            return scan.tokens.truncate(index);
        }
        before = Some(token);
    }
}

fn is_keyword(token: Option<&Token>) -> bool {
    token.is_some_and(|token| matches!(token.kind, TokenKind::Keyword(_)))
}

/// Whether a function may follow this token.
fn begins_command(before: &Token, text: &str) -> bool {
    let kinds = [TokenKind::Pipe, TokenKind::Open, TokenKind::Declare, TokenKind::Assign];
    kinds.contains(&before.kind) || matches!(before.kind, TokenKind::Keyword(_)) || text == ","
}
