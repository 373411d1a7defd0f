//! Infers the types of expressions.

use std::sync::Arc;

use super::checked::Use;
use super::narrow::{Argument, literal};
use super::problem::{Effect, Missing, ProblemKind};
use super::subject::{Blame, Subject};
use super::walk::{Checker, Slot};
use crate::template::function::{Kinds, function};
use crate::template::node::{Command, Expression, ExpressionKind, Name, Pipeline};
use crate::template::types::{Lookup, Type};
use crate::text::Span;

impl<'a> Checker<'a> {
    pub fn evaluate(&mut self, pipeline: &'a Pipeline) -> Subject<'a> {
        let mut subject: Option<Subject<'a>> = None;
        for (index, command) in pipeline.commands.iter().enumerate() {
            let before = pipeline.commands.get(..index).unwrap_or_default();
            subject = Some(self.command(command, subject.take().map(|subject| (subject, before))));
        }
        let mut subject =
            subject.unwrap_or_else(|| Subject::new(Type::any(), pipeline.span.clone()));
        subject.span = pipeline.span.clone();
        subject
    }

    fn command(
        &mut self,
        command: &'a Command,
        piped: Option<(Subject<'a>, &'a [Command])>,
    ) -> Subject<'a> {
        let Some((first, rest)) = command.words.split_first() else {
            return Subject::new(Type::any(), command.span.clone());
        };
        if let ExpressionKind::Function(name) = &first.kind {
            return self.call(name, command, rest, piped);
        }
        let subject = self.expression(first);
        if (!rest.is_empty() || piped.is_some()) && !matches!(first.kind, ExpressionKind::Missing) {
            for word in rest {
                self.expression(word);
            }
            self.problem(first.span.clone(), ProblemKind::NotAFunction);
        } else if matches!(first.kind, ExpressionKind::Nil) {
            self.problem(first.span.clone(), ProblemKind::NilAlone);
            return Subject::new(Type::any(), first.span.clone());
        }
        subject
    }

    pub fn expression(&mut self, expression: &'a Expression) -> Subject<'a> {
        let span = &expression.span;
        if self.steps.take(1).is_none() {
            return Subject::new(Type::any(), span.clone());
        }
        let of = |kinds: Kinds| Subject {
            literal: literal(expression),
            ..Subject::new(Type::of(kinds), span.clone())
        };
        match &expression.kind {
            ExpressionKind::Dot => self.dot(span),
            ExpressionKind::Field(names) => {
                let dot = self.dot(&(span.start..span.start));
                self.fields(dot, names, span)
            }
            ExpressionKind::Variable { name, fields } => {
                let base = self.read(name);
                self.fields(base, fields, span)
            }
            ExpressionKind::Group(pipeline) => {
                let subject = self.evaluate(pipeline);
                Subject { span: span.clone(), ..subject }
            }
            ExpressionKind::Chain { base, fields } => {
                let base = self.expression(base);
                self.fields(base, fields, span)
            }
            // Called without arguments.
            ExpressionKind::Function(name) => match function(name) {
                Some(function) => self.call_with(function, span, Vec::new()),
                None => Subject::new(Type::any(), span.clone()),
            },
            ExpressionKind::Nil => of(Kinds::NULL),
            ExpressionKind::Bool(_) => of(Kinds::BOOLEAN),
            ExpressionKind::Number(number) => {
                of(if number.integer.is_some() || number.unsigned.is_some() {
                    Kinds::INTEGER
                } else {
                    Kinds::FLOAT
                })
            }
            ExpressionKind::String { .. } => of(Kinds::STRING),
            ExpressionKind::Missing => Subject::new(Type::any(), span.clone()),
        }
    }

    fn dot(&mut self, span: &Span) -> Subject<'a> {
        let (kind, path) = (self.dot.kind.clone(), self.dot.path);
        self.known(kind, path, ".", span)
    }

    fn read(&mut self, name: &'a Name) -> Subject<'a> {
        match self.use_variable(&name.text, &name.span).map(|slot| (slot.kind.clone(), slot.path)) {
            Some((kind, path)) => self.known(kind, path, &name.text, &name.span),
            None => Subject::new(Type::any(), name.span.clone()),
        }
    }

    /// The variable with this name; doesn't record the use.
    pub fn variable(&self, name: &str) -> Option<&Slot<'a>> {
        self.slots.get(self.visible(name)?)
    }

    /// Dot or a variable.
    fn known(&mut self, kind: Type, path: u32, name: &'a str, span: &Span) -> Subject<'a> {
        let kind = if self.facts.is_present(path) { kind.present() } else { kind };
        let may_lack = kind.may_be_missing() || kind.may_be_null();
        let blame = may_lack.then(|| {
            Box::new(Blame {
                name,
                span: span.clone(),
                path: span.clone(),
                of: None,
                kind: kind.clone(),
            })
        });
        Subject { kind, path, span: span.clone(), blame, literal: None }
    }

    fn fields(&mut self, base: Subject<'a>, names: &'a [Name], span: &Span) -> Subject<'a> {
        let mut subject = base;
        for name in names {
            if name.text.is_empty() {
                return Subject::new(Type::any(), span.clone());
            }
            subject = self.field(subject, &name.text, &name.span, span.start, false);
        }
        subject.span = span.clone();
        subject
    }

    /// A field of a value. `start` is where the expression begins.
    pub fn field(
        &mut self,
        base: Subject<'a>,
        name: &'a str,
        span: &Span,
        start: usize,
        quoted: bool,
    ) -> Subject<'a> {
        let base = self.not_null(base);
        let path = self.paths.field(base.path, name);
        if let Some(need) = self.need(&base) {
            need.kinds = need.kinds.and(Kinds::OBJECT);
            need.fields.insert(name, path);
        }
        let mut of = base.kind.clone();
        let (mut kind, mut known) = (Type::any(), false);
        let root = !quoted && span.start == start + 1 && self.is_of_root(&of, name);
        let (named, place) = (name.to_owned(), span.clone());
        match self.types.lookup(&of, name) {
            Lookup::Declared(declared) => (kind, known) = (declared, true),
            Lookup::Open if root => self.problem(place, ProblemKind::MaybeRoot { name: named }),
            Lookup::Open => {}
            Lookup::Unknown => {
                let (of, wanted) = (of.clone(), Arc::default());
                let before = self.checked.problems.len();
                self.problem(place, ProblemKind::UnknownField { name: named, of, root, wanted });
                if self.checked.problems.len() > before {
                    self.lacks(path);
                }
            }
            Lookup::NotAnObject(given) => {
                let certain = true;
                let kind = ProblemKind::NotAnObject { name: named, given, certain, root };
                self.problem(place, kind);
            }
        }
        if known && !of.is_unknown() {
            let given = of.kinds().without(Kinds::OBJECT);
            if !given.is_none() {
                self.problem(
                    span.clone(),
                    ProblemKind::NotAnObject {
                        name: name.to_owned(),
                        given,
                        certain: false,
                        root: false,
                    },
                );
            }
            of = of.only(Kinds::OBJECT);
        }
        if self.facts.is_present(path) {
            kind = kind.present();
        } else {
            // Fields of a missing value are missing too, without an error.
            kind = kind.or_missing(base.kind.may_be_missing());
        }
        if !self.is_dry() {
            self.checked.uses.push(Use {
                span: span.clone(),
                quoted,
                of: self.facts.shape(base.path).unwrap_or(&of).clone(),
                kind: kind.clone(),
            });
        }
        let blame = match base.blame.filter(|_| base.kind.may_be_missing() && kind.may_be_missing())
        {
            Some(blame) => Some(blame),
            None if kind.may_be_missing() || kind.may_be_null() => {
                let path = if quoted { start..start } else { start..span.end };
                Some(Box::new(Blame {
                    name,
                    span: span.clone(),
                    path,
                    of: Some(of),
                    kind: kind.clone(),
                }))
            }
            None => None,
        };
        Subject { kind, path, span: start..span.end, blame, literal: None }
    }

    /// The input has a field of this name, `of` isn't the input, and `$` is.
    fn is_of_root(&self, of: &Type, name: &str) -> bool {
        !self.types.is_root(of)
            && self.variable("$").is_some_and(|slot| self.types.is_root(&slot.kind))
            && matches!(self.types.lookup(&self.types.root(), name), Lookup::Declared(_))
    }

    /// Fields of a null value are missing.
    fn not_null(&mut self, subject: Subject<'a>) -> Subject<'a> {
        if !subject.kind.may_be_null() {
            return subject;
        }
        let (missing, kind) = (subject.kind.may_be_missing(), subject.kind.present());
        if !kind.may_be_null() && !subject.kind.is_unknown() {
            self.lacking(&subject, true, Effect::Fails);
        }
        Subject { kind: kind.or_missing(missing), ..subject }
    }

    /// The value is printed or passed to a function.
    pub fn consume(&mut self, subject: &Subject<'a>, effect: Effect) {
        if effect != Effect::Fails {
            self.need(subject).into_iter().for_each(|need| need.printed = true);
        }
        if self.types.is_root(&subject.kind) && !self.is_dry() {
            self.checked.uses_everything = true;
        }
        let null = subject.kind.may_be_null() && effect != Effect::Fails;
        if subject.kind.may_be_missing() || null {
            self.lacking(subject, !subject.kind.may_be_missing(), effect);
        }
    }

    pub fn lacking(&mut self, subject: &Subject<'a>, null: bool, effect: Effect) {
        let missing = match &subject.blame {
            Some(blame) => (
                blame.span.clone(),
                Missing {
                    path: blame.path.clone(),
                    expression: subject.span.clone(),
                    name: blame.name.to_owned(),
                    of: blame.of.clone(),
                    kind: blame.kind.clone(),
                    null,
                    effect,
                },
            ),
            None => return,
        };
        self.problem(missing.0, ProblemKind::PossiblyMissing(missing.1));
    }

    /// The elements that a `range` visits. `pairs`: it declares two variables, and a number has no
    /// pairs.
    pub fn iterate(&mut self, subject: &Subject<'a>, pairs: bool) -> Type {
        if self.types.is_root(&subject.kind) && !self.is_dry() {
            self.checked.uses_everything = true;
        }
        if subject.kind.is_unknown() {
            return Type::any();
        }
        let counts =
            if subject.kind.is_computed() && !pairs { Kinds::INTEGER } else { Kinds::NONE };
        let able = Kinds::LIST.or(Kinds::OBJECT).or(counts);
        let kinds = subject.kind.kinds().without(Kinds::NULL);
        let given = kinds.without(able);
        if !given.is_none() {
            let span = subject.span.clone();
            self.problem(
                span,
                ProblemKind::NotIterable { given, certain: kinds.and(able).is_none() },
            );
        }
        let elements = self.types.element(&subject.kind.only(Kinds::LIST.or(Kinds::OBJECT)));
        match kinds.and(Kinds::LIST.or(Kinds::OBJECT)).is_none() {
            true if kinds.and(able).is_none() => Type::any(),
            true => Type::of(Kinds::INTEGER),
            false => elements,
        }
    }

    /// Arguments in order, the piped one last. Those after the first of `and` and `or` are only
    /// evaluated if the earlier ones allow it.
    fn call(
        &mut self,
        name: &str,
        command: &'a Command,
        words: &'a [Expression],
        piped: Option<(Subject<'a>, &'a [Command])>,
    ) -> Subject<'a> {
        let facts = self.facts.mark();
        let mut subjects = Vec::with_capacity(words.len() + 1);
        for word in words {
            subjects.push(self.expression(word));
            if matches!(name, "and" | "or") {
                let known = self.argument_facts(Argument::Written(word), name == "and");
                self.facts.assume(&self.paths, &known);
            }
        }
        self.facts.undo(facts);
        let Some(function) = function(name) else {
            return Subject::new(Type::any(), command.span.clone());
        };
        if let Some((subject, before)) = piped {
            if name == "split" {
                self.piped_split(command, words, before);
            }
            subjects.push(subject);
        }
        self.call_with(function, &command.span, subjects)
    }

    /// `.text | split ","`
    fn piped_split(
        &mut self,
        command: &'a Command,
        words: &'a [Expression],
        before: &'a [Command],
    ) {
        let (
            [Expression { kind: ExpressionKind::String { .. }, span: separator }],
            [first, .., last] | [first @ last],
        ) = (words, before)
        else {
            return;
        };
        let kind = ProblemKind::PipedSplit {
            text: first.span.start..last.span.end,
            separator: separator.clone(),
        };
        self.problem(command.span.clone(), kind);
    }
}
