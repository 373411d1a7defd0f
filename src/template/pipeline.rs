//! Pipelines: parses the tokens of an action into declarations, commands and expressions.

use super::error::{SyntaxError, SyntaxErrorKind};
use super::function;
use super::lex::{Token, TokenKind, quote};
use super::literal::{self, BadCharacter};
use super::node::{Command, Expression, ExpressionKind, Name, Pipeline};
use super::number;
use super::variables::Variables;
use crate::text::Span;

/// Deeper parentheses are not read.
const MOST_PARENTHESES: usize = 128;

/// After this many errors, the rest of an action is not reported.
const MOST_ERRORS: usize = 100;

/// Parses the tokens of one action.
pub(super) struct Reader<'r> {
    pub text: &'r str,
    tokens: &'r mut [Token],
    at: usize,
    /// Where the tokens end.
    end: usize,
    /// The action's closing braces, if they exist.
    closing: Span,
    variables: &'r mut Variables,
    pub errors: Vec<SyntaxError>,
    /// After an error, its consequences are not reported.
    pub lost: bool,
    /// The keyword that the first word, an unknown one, was meant to be.
    pub keyword: Option<&'static str>,
    depth: usize,
}

/// The construct that contains the pipeline, in Go's words.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Context {
    Command,
    If,
    Range,
    With,
    Block,
    Template,
    Parenthesized,
}

impl Context {
    pub(super) fn words(self) -> &'static str {
        match self {
            Self::Command => "command",
            Self::If => "if",
            Self::Range => "range",
            Self::With => "with",
            Self::Block => "block clause",
            Self::Template => "template clause",
            Self::Parenthesized => "parenthesized pipeline",
        }
    }
}

impl<'r> Reader<'r> {
    pub(super) fn new(
        text: &'r str,
        tokens: &'r mut [Token],
        end: usize,
        closing: Span,
        variables: &'r mut Variables,
    ) -> Self {
        Self {
            text,
            tokens,
            at: 0,
            end,
            closing,
            variables,
            errors: Vec::new(),
            lost: false,
            keyword: None,
            depth: 0,
        }
    }

    pub(super) fn slice(&self, span: &Span) -> &'r str {
        self.text.get(span.clone()).unwrap_or_default()
    }

    pub(super) fn skip_space(&mut self) {
        while self.kind() == Some(TokenKind::Space) {
            self.at += 1;
        }
    }

    /// The kind of the next token.
    pub(super) fn kind(&self) -> Option<TokenKind> {
        self.tokens.get(self.at).map(|token| token.kind)
    }

    /// The span of the next token; at the end, the end of the tokens.
    pub(super) fn span(&self) -> Span {
        self.tokens.get(self.at).map_or(self.end..self.end, |token| token.span.clone())
    }

    /// Takes the next token and reports its error.
    pub(super) fn next(&mut self) -> Option<(TokenKind, Span, bool)> {
        let token = self.tokens.get_mut(self.at)?;
        let (kind, span, error) = (token.kind, token.span.clone(), token.error.take());
        self.at += 1;
        let wrong = error.is_some();
        if let Some(error) = error.filter(|_| !self.lost) {
            self.errors.push(*error);
            self.lost |= kind == TokenKind::Broken || self.errors.len() >= MOST_ERRORS;
        }
        Some((kind, span, wrong))
    }

    pub(super) fn error(&mut self, kind: SyntaxErrorKind, span: Span, message: String) {
        if !self.lost {
            self.errors.push(SyntaxError { kind, span, message });
            self.lost = self.errors.len() >= MOST_ERRORS;
        }
    }

    /// Takes an unknown word that was meant to be a keyword, and reports it.
    pub(super) fn misspelled(&mut self, keyword: &'static str) {
        let span = self.span();
        let name = self.slice(&span).to_owned();
        self.next();
        let message = unknown_function(&name);
        let kind = SyntaxErrorKind::UnknownFunction { name, keyword: Some(keyword) };
        self.error(kind, span, message);
    }

    /// Reports that the next token doesn't belong here, unless it has an error itself. The rest is
    /// parsed without further errors.
    pub(super) fn unexpected(&mut self, context: &str, advice: &str) {
        if self.tokens.get(self.at).is_some_and(|token| token.error.is_some()) {
            self.next();
            self.lost = true;
            return;
        }
        let kind = self.kind();
        let span = if kind.is_some() { self.span() } else { self.closing.clone() };
        let shown = self.describe(kind, &span);
        let colon = if advice.is_empty() { "" } else { ": " };
        self.error(
            SyntaxErrorKind::Unexpected,
            span,
            format!("unexpected {shown} in {context}{colon}{advice}"),
        );
        self.lost = true;
        self.at += 1;
    }

    /// How to write the operator of another language found here.
    fn operator_advice(&self) -> &'static str {
        const OPERATORS: [(&str, &str); 9] = [
            ("==", "write `eq .a .b`"),
            ("!=", "write `ne .a .b`"),
            ("<=", "write `le .a .b`"),
            (">=", "write `ge .a .b`"),
            ("&&", "write `and .a .b`"),
            ("<", "write `lt .a .b`"),
            (">", "write `gt .a .b`"),
            ("!", "write `not .a`"),
            ("=", "only variables (`$name`) can be assigned; to compare, write `eq .a .b`"),
        ];
        let rest = self.text.get(self.span().start..).unwrap_or_default();
        OPERATORS
            .iter()
            .find(|(operator, _)| rest.starts_with(operator))
            .map_or("", |(_, advice)| advice)
    }

    /// A token as Go shows it.
    fn describe(&self, kind: Option<TokenKind>, span: &Span) -> String {
        let text = self.slice(span);
        match kind {
            Some(TokenKind::Keyword(_) | TokenKind::Dot | TokenKind::Nil) => format!("<{text}>"),
            _ if text.len() > 10 => format!("{:?}...", text.chars().take(10).collect::<String>()),
            _ => format!("{text:?}"),
        }
    }

    /// Where a missing word would be inserted: after the last token, and a space if there is one.
    fn gap(&self) -> Span {
        let before = self.at.checked_sub(1).and_then(|at| self.tokens.get(at));
        let offset = match before {
            Some(token) if token.kind == TokenKind::Space => token.span.start + 1,
            Some(token) => token.span.end,
            None => self.tokens.first().map_or(self.end, |token| token.span.start),
        };
        offset..offset
    }

    /// Everything up to the end, or to the parenthesis that matches the one at `open`. `blame` is
    /// the span to report if it is empty.
    pub(super) fn pipeline(
        &mut self,
        context: Context,
        open: Option<Span>,
        blame: Span,
    ) -> Pipeline {
        self.skip_space();
        let start = self.span().start;
        let mut pipeline = Pipeline {
            span: start..start,
            declarations: Vec::new(),
            assigns: false,
            commands: Vec::new(),
        };
        let mut undeclared = Vec::new();
        let mut last = self.declarations(context, &mut pipeline, &mut undeclared).unwrap_or(blame);
        let silent = self.lost;
        loop {
            self.skip_space();
            match self.kind() {
                None => {
                    if let Some(open) = &open {
                        let message = "unclosed left paren: close it with `)`".to_owned();
                        self.error(SyntaxErrorKind::Parenthesis, open.clone(), message);
                        self.lost = true;
                    }
                    break;
                }
                Some(TokenKind::Close) if open.is_some() => break,
                Some(TokenKind::Pipe) => {
                    let gap = self.gap();
                    let double = self
                        .at
                        .checked_sub(1)
                        .and_then(|before| self.tokens.get(before))
                        .is_some_and(|before| before.kind == TokenKind::Pipe);
                    let advice = if double {
                        "write `or .a .b`"
                    } else {
                        "a value or a function must precede it"
                    };
                    self.unexpected(context.words(), advice);
                    pipeline.commands.push(missing_command(gap));
                }
                Some(kind) if begins_operand(kind) => {
                    let command = self.command();
                    last = command.span.clone();
                    pipeline.commands.push(command);
                }
                Some(TokenKind::Broken) => {
                    self.next();
                }
                Some(_) => {
                    // At the start of a command, only `!` is an operator; `{{> name}}` belongs to
                    // another language.
                    let advice = if self.slice(&self.span()).starts_with('!') {
                        self.operator_advice()
                    } else {
                        ""
                    };
                    self.unexpected(context.words(), advice);
                }
            }
        }
        for (name, span) in undeclared {
            self.undefined(&name, span);
        }
        if pipeline.commands.is_empty() {
            if !silent {
                let message = format!(
                    "missing value for {}: {}",
                    context.words(),
                    what_is_missing(context, !pipeline.declarations.is_empty())
                );
                self.error(SyntaxErrorKind::MissingValue, last, message);
            }
            self.lost = true;
            let gap = self.gap();
            pipeline.commands.push(missing_command(gap));
        }
        for (index, command) in pipeline.commands.iter().enumerate().skip(1) {
            let Some(first) = command.words.first() else { continue };
            let constant = matches!(
                first.kind,
                ExpressionKind::Bool(_)
                    | ExpressionKind::Dot
                    | ExpressionKind::Nil
                    | ExpressionKind::Number(_)
                    | ExpressionKind::String { .. }
            );
            if constant {
                let message = format!(
                    "non executable command in pipeline stage {}: only a function accepts a piped \
                        value",
                    index + 1
                );
                self.error(SyntaxErrorKind::Unexpected, first.span.clone(), message);
                self.lost = true;
            }
        }
        let end = pipeline.commands.last().map_or(start, |command| command.span.end);
        // Report a missing command before the whitespace.
        let begin =
            pipeline.commands.first().map_or(start, |command| command.span.start.min(start));
        pipeline.span = begin.min(end)..end.max(start);
        for name in &pipeline.declarations {
            if !pipeline.assigns || !self.variables.has(&name.text) {
                self.variables.declare(&name.text);
            }
        }
        pipeline
    }

    /// `$x :=`, `$x =`, `$i, $x :=`: the index of the operator, if there is one.
    fn declarations(
        &mut self,
        context: Context,
        pipeline: &mut Pipeline,
        undeclared: &mut Vec<(String, Span)>,
    ) -> Option<Span> {
        let mut sign = None;
        loop {
            self.skip_space();
            let begin = self.at;
            if self.kind() != Some(TokenKind::Variable)
                || self.tokens.get(begin).is_some_and(|token| token.error.is_some())
            {
                return sign;
            }
            let span = self.span();
            self.at += 1;
            self.skip_space();
            let comma = self.kind() == Some(TokenKind::Other) && self.slice(&self.span()) == ",";
            let assigns = self.kind() == Some(TokenKind::Assign);
            // `:` is reported, and read as `:=`.
            let colon = self.kind() == Some(TokenKind::Broken) && self.slice(&self.span()) == ":";
            if !comma && !assigns && !colon && self.kind() != Some(TokenKind::Declare) {
                self.at = begin;
                return sign;
            }
            let name = Name { text: self.slice(&span).to_owned(), span };
            if assigns {
                pipeline.assigns = true;
                for name in pipeline.declarations.iter().chain([&name]) {
                    undeclared.push((name.text.clone(), name.span.clone()));
                }
            }
            pipeline.declarations.push(name);
            let place = self.span();
            sign = Some(place.clone());
            self.next();
            if !comma {
                return sign;
            }
            if context != Context::Range || pipeline.declarations.len() >= 2 {
                let advice = if context == Context::Range {
                    "`range` declares at most two variables"
                } else {
                    "only `range` declares two variables"
                };
                self.error(
                    SyntaxErrorKind::Unexpected,
                    place,
                    format!("too many declarations in {}: {advice}", context.words()),
                );
                self.lost = true;
                continue;
            }
            self.skip_space();
            if !matches!(self.kind(), None | Some(TokenKind::Variable | TokenKind::Close)) {
                let span = self.span();
                self.error(
                    SyntaxErrorKind::Unexpected,
                    span,
                    "range can only initialize variables: write `$index, $element :=`".to_owned(),
                );
                self.lost = true;
            }
        }
    }

    fn undefined(&mut self, name: &str, span: Span) {
        if !self.variables.has(name) {
            let message = format!("undefined variable {}: declare it first with `:=`", quote(name));
            self.error(SyntaxErrorKind::UndefinedVariable(name.to_owned()), span, message);
        }
    }

    /// Words up to a pipe, which is consumed, or to the end.
    fn command(&mut self) -> Command {
        let start = self.span().start;
        let mut words: Vec<Expression> = Vec::new();
        loop {
            self.skip_space();
            match self.kind() {
                None | Some(TokenKind::Close) => break,
                Some(TokenKind::Pipe) => {
                    self.at += 1;
                    break;
                }
                Some(kind) if begins_operand(kind) => {
                    let touches =
                        words.last().is_some_and(|last| last.span.end == self.span().start);
                    if touches && !self.lost {
                        let at = self.at;
                        self.unexpected("operand", "separate the values with a space");
                        self.at = at;
                    }
                    words.push(self.operand());
                }
                Some(TokenKind::Broken) => {
                    self.next();
                    self.lost = true;
                }
                Some(kind) => {
                    let advice = match kind {
                        TokenKind::Other if self.slice(&self.span()) == "," => {
                            "separate arguments with spaces"
                        }
                        TokenKind::Declare => "only variables (`$name`) can be declared",
                        _ => self.operator_advice(),
                    };
                    self.unexpected("operand", advice);
                }
            }
        }
        if words.is_empty() {
            return missing_command(self.gap());
        }
        let end = words.last().map_or(start, |word| word.span.end);
        Command { span: start..end, words }
    }

    /// A term and the fields directly after it.
    fn operand(&mut self) -> Expression {
        let mut errors = self.errors.len();
        let term = self.term();
        if matches!(term.kind, ExpressionKind::Group(_)) {
            errors = self.errors.len();
        }
        let start = term.span.start;
        let mut end = term.span.end;
        let mut fields: Vec<Name> = Vec::new();
        while matches!(self.kind(), Some(TokenKind::Field | TokenKind::Dot))
            && self.span().start == end
        {
            let dot = self.kind() == Some(TokenKind::Dot);
            let place = self.span();
            if dot {
                let at = self.at;
                self.unexpected("operand", "a field name must follow the dot");
                self.at = at + 1;
            } else {
                self.next();
            }
            fields.push(Name {
                text: self.slice(&(place.start + 1..place.end)).to_owned(),
                span: place.start + 1..place.end,
            });
            end = place.end;
        }
        // Hyphens in one path are one mistake: report the whole path.
        let mut known = false;
        for mut error in self.errors.split_off(errors) {
            if let SyntaxErrorKind::BadCharacter { hyphenated: Some(span) } = &mut error.kind {
                *span = start..end;
                if std::mem::replace(&mut known, true) {
                    continue;
                }
            }
            self.errors.push(error);
        }
        if fields.is_empty() {
            return term;
        }
        let kind = match term.kind {
            ExpressionKind::Field(mut names) => {
                names.extend(fields);
                ExpressionKind::Field(names)
            }
            ExpressionKind::Variable { name, .. } => ExpressionKind::Variable { name, fields },
            ExpressionKind::Bool(_)
            | ExpressionKind::String { .. }
            | ExpressionKind::Number(_)
            | ExpressionKind::Nil
            | ExpressionKind::Dot => {
                let message = format!(
                    "unexpected . after term {}: it has no fields",
                    quote(self.slice(&term.span))
                );
                self.error(SyntaxErrorKind::Unexpected, term.span.end..end, message);
                self.lost = true;
                term.kind
            }
            _ => ExpressionKind::Chain { base: Box::new(term), fields },
        };
        Expression { span: start..end, kind }
    }

    fn term(&mut self) -> Expression {
        let Some((kind, span, wrong)) = self.next() else { return missing(self.gap()) };
        let text = self.slice(&span);
        let kind = match kind {
            TokenKind::Word => {
                if !wrong && function::function(text).is_none() {
                    let keyword = self.keyword.take();
                    self.error(
                        SyntaxErrorKind::UnknownFunction { name: text.to_owned(), keyword },
                        span.clone(),
                        unknown_function(text),
                    );
                }
                ExpressionKind::Function(text.to_owned())
            }
            TokenKind::Dot => ExpressionKind::Dot,
            TokenKind::Nil => ExpressionKind::Nil,
            TokenKind::Bool => ExpressionKind::Bool(text == "true"),
            TokenKind::Variable => {
                if !wrong {
                    self.undefined(text, span.clone());
                }
                ExpressionKind::Variable {
                    name: Name { text: text.to_owned(), span: span.clone() },
                    fields: Vec::new(),
                }
            }
            TokenKind::Field => {
                let name = span.start + 1..span.end;
                ExpressionKind::Field(vec![Name { text: self.slice(&name).to_owned(), span: name }])
            }
            TokenKind::Number => self.number(number::read(text), &span),
            TokenKind::Complex => self.number(number::read_complex(text), &span),
            TokenKind::Character if !wrong => self.character(text, &span),
            TokenKind::Quoted if wrong => ExpressionKind::String {
                value: text.get(1..).unwrap_or_default().to_owned(),
                raw: false,
            },
            TokenKind::Quoted => {
                ExpressionKind::String { value: self.unquote(text, &span), raw: false }
            }
            TokenKind::RawQuoted => {
                ExpressionKind::String { value: literal::unquote_raw(text), raw: true }
            }
            TokenKind::Open => return self.group(span),
            _ => ExpressionKind::Missing,
        };
        Expression { span, kind }
    }

    fn number(&mut self, read: Result<super::node::Number, String>, span: &Span) -> ExpressionKind {
        match read {
            Ok(number) => ExpressionKind::Number(number),
            Err(message) => {
                self.error(SyntaxErrorKind::BadNumber, span.clone(), message);
                ExpressionKind::Missing
            }
        }
    }

    fn character(&mut self, text: &str, span: &Span) -> ExpressionKind {
        match literal::unquote_character(text) {
            Ok(character) => ExpressionKind::Number(number::of_character(character)),
            Err(BadCharacter::Escape(bad)) => {
                self.bad_escape(text, span, bad);
                ExpressionKind::Missing
            }
            Err(BadCharacter::Malformed) if text == "''" => {
                let message = "invalid syntax: a character constant is one character".to_owned();
                self.error(SyntaxErrorKind::BadString, span.clone(), message);
                ExpressionKind::Missing
            }
            Err(BadCharacter::Malformed) => {
                let message = format!(
                    "malformed character constant: {}: it is one character; write a string in `\"`",
                    quote(text)
                );
                self.error(SyntaxErrorKind::BadString, span.clone(), message);
                ExpressionKind::Missing
            }
        }
    }

    /// The value of a string; reports unknown escapes.
    pub(super) fn unquote(&mut self, text: &str, span: &Span) -> String {
        literal::unquote(text).unwrap_or_else(|bad| {
            self.bad_escape(text, span, bad);
            text.trim_matches('"').to_owned()
        })
    }

    fn bad_escape(&mut self, text: &str, span: &Span, bad: Span) {
        let shown = text.get(bad.clone()).unwrap_or_default();
        let message =
            format!("invalid syntax: unknown escape `{shown}`; write `\\\\` for a backslash");
        self.error(
            SyntaxErrorKind::BadString,
            span.start + bad.start..span.start + bad.end,
            message,
        );
    }

    fn group(&mut self, open: Span) -> Expression {
        if self.depth >= MOST_PARENTHESES {
            let message =
                "the parentheses are nested too deeply; give the inner part a name, `{{ $x := … }}`"
                    .to_owned();
            self.error(SyntaxErrorKind::TooDeep, open.clone(), message);
            self.lost = true;
            let mut depth = 1;
            while depth > 0
                && let Some((kind, _, _)) = self.next()
            {
                match kind {
                    TokenKind::Open => depth += 1,
                    TokenKind::Close => depth -= 1,
                    _ => {}
                }
            }
            let end = self
                .at
                .checked_sub(1)
                .and_then(|at| self.tokens.get(at))
                .map_or(open.end, |token| token.span.end);
            return Expression { span: open.start..end, kind: ExpressionKind::Missing };
        }
        self.depth += 1;
        let next = self
            .tokens
            .get(self.at..)
            .unwrap_or_default()
            .iter()
            .find(|token| token.kind != TokenKind::Space);
        let blame = open.start
            ..next
                .filter(|token| token.kind == TokenKind::Close)
                .map_or(open.end, |token| token.span.end);
        let pipeline = self.pipeline(Context::Parenthesized, Some(open.clone()), blame);
        self.depth -= 1;
        let close = (self.kind() == Some(TokenKind::Close)).then(|| self.span());
        if close.is_some() {
            self.at += 1;
        }
        let end = close.map_or(pipeline.span.end, |close| close.end);
        Expression {
            span: open.start..end.max(open.end),
            kind: ExpressionKind::Group(Box::new(pipeline)),
        }
    }

    /// Reports the remaining tokens, which don't belong to anything.
    pub(super) fn expect_end(&mut self, context: &str, advice: &str) {
        self.skip_space();
        if self.kind().is_some() {
            self.unexpected(context, advice);
        }
    }
}

pub(super) fn unknown_function(name: &str) -> String {
    format!("function {} not defined: a field of the input starts with a dot", quote(name))
}

fn what_is_missing(context: Context, declares: bool) -> &'static str {
    match context {
        _ if declares => "add a value after the operator",
        Context::Command | Context::Parenthesized => "add one, `.name` for a field of the input",
        Context::If => "add a condition after `if`",
        Context::Range => "add a list after `range`",
        Context::With => "add a value after `with`",
        Context::Block | Context::Template => "add its argument, `.` for everything",
    }
}

/// Whether a token of this kind starts a value or a function.
fn begins_operand(kind: TokenKind) -> bool {
    matches!(
        kind,
        TokenKind::Word
            | TokenKind::Dot
            | TokenKind::Field
            | TokenKind::Variable
            | TokenKind::Bool
            | TokenKind::Nil
            | TokenKind::Number
            | TokenKind::Complex
            | TokenKind::Character
            | TokenKind::Quoted
            | TokenKind::RawQuoted
            | TokenKind::Open
    )
}

fn missing(span: Span) -> Expression {
    Expression { span, kind: ExpressionKind::Missing }
}

fn missing_command(span: Span) -> Command {
    Command { span: span.clone(), words: vec![missing(span)] }
}
