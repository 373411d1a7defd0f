//! Functions: argument and result types.

use super::problem::{Effect, ProblemKind};
use super::subject::{Literal, NOWHERE, Subject};
use super::walk::Checker;
use super::wanted::indexable;
use crate::template::function::{Function, Kinds};
use crate::template::types::Type;
use crate::text::Span;

const LISTS: Kinds = Kinds::LIST;
const PARTED: Kinds = Kinds::STRING.or(Kinds::LIST);

impl<'a> Checker<'a> {
    pub fn call_with(
        &mut self,
        function: &'static Function,
        span: &Span,
        mut given: Vec<Subject<'a>>,
    ) -> Subject<'a> {
        let result = |kind: Type| Subject::new(kind, span.clone());
        if !self.has_count(function, span, given.len()) {
            given.iter().for_each(|subject| self.consume_whole(subject));
            return result(Type::any());
        }
        match function.name {
            "and" | "or" => {
                let decided = given.iter().position(|subject| {
                    function.name == "or"
                        && subject.literal.is_some_and(|literal| !literal.is_empty())
                });
                given.truncate(decided.map_or(given.len(), |at| at + 1));
                let sources = Self::sources(&given);
                let chosen = choose(function.name == "or", given, span);
                return self.flow(sources, chosen);
            }
            "default" => {
                self.swapped_default(&given);
                let kept = given.get(1).is_some_and(|value| self.is_never_empty(value));
                if let [fallback, value] = given.as_slice()
                    && let Some(need) = self.need(value).filter(|_| !fallback.kind.is_unknown())
                {
                    need.near = need.near.or(fallback.kind.kinds());
                }
                let sources = Self::sources(&given);
                let kept = default(given, kept, span);
                return self.flow(sources, kept);
            }
            "not" => {
                if let [value] = given.as_slice()
                    && let Some(need) = self.need(value)
                {
                    need.tested = true;
                }
            }
            "index" => return self.index(given, span),
            "slice" => return self.slice(function, given, span),
            "join" => self.join_list(function, &given),
            "split" => {
                self.arguments(function, &given);
                return result(Type::list_of(Type::of(Kinds::STRING)));
            }
            "eq" | "ne" | "lt" | "le" | "gt" | "ge" => self.compare(function, &given),
            "print" | "println" | "html" | "js" | "urlquery" => {
                given.iter().for_each(|subject| self.consume(subject, Effect::Nil))
            }
            "printf" => {
                let values = given.split_off(1);
                self.arguments(function, &given);
                self.format(span, given.first(), &values);
            }
            "call" => {
                given.iter().for_each(|subject| self.consume_whole(subject));
                if let Some(subject) = given.first() {
                    self.wrong(function, 0, subject, Kinds::NONE);
                }
            }
            // A missing value is printed as `null`.
            "json" => given.iter().for_each(|subject| self.consume_whole(subject)),
            _ => self.arguments(function, &given),
        }
        result(Type::of(function.result))
    }

    /// Whether a function gets the right number of arguments.
    fn has_count(&mut self, function: &'static Function, span: &Span, given: usize) -> bool {
        let fixed = function.parameters.len();
        let most = (!function.variadic).then_some(fixed);
        let least = function.parameters.iter().filter(|parameter| !parameter.optional).count()
            - usize::from(function.variadic);
        let right = least <= given && most.is_none_or(|most| given <= most);
        if !right {
            self.problem(
                span.clone(),
                ProblemKind::ArgumentCount { function: function.name, least, most, given },
            );
        }
        right
    }

    /// `default` never leaves a value missing.
    fn is_never_empty(&self, subject: &Subject<'a>) -> bool {
        if subject.kind.may_be_missing() || subject.kind.may_be_null() || subject.kind.is_unknown()
        {
            return false;
        }
        let lists_words = || {
            let values = self.types.values(&subject.kind);
            values.is_some_and(|values| {
                values.iter().all(|value| value.as_str().is_some_and(|text| !text.is_empty()))
            })
        };
        subject
            .literal
            .is_some_and(|literal| matches!(literal, Literal::Bool(_)) || !literal.is_empty())
            || Kinds::BOOLEAN.or(Kinds::OBJECT).holds(subject.kind.kinds())
            || lists_words()
    }

    /// `default .tone "friendly"` is always `friendly`.
    fn swapped_default(&mut self, given: &[Subject<'a>]) {
        let [fallback, value] = given else { return };
        let constant = value.literal.is_some_and(|literal| !literal.is_empty());
        if constant && fallback.literal.is_none() {
            let kind = ProblemKind::SwappedDefault {
                value: value.span.clone(),
                fallback: fallback.span.clone(),
            };
            let start = value.span.start.min(fallback.span.start);
            self.problem(start..value.span.end.max(fallback.span.end), kind);
        }
    }

    /// The function may read the whole value.
    fn consume_whole(&mut self, subject: &Subject<'a>) {
        if self.types.is_root(&subject.kind) && !self.is_dry() {
            self.checked.uses_everything = true;
        }
    }

    /// Checks that every argument has the kind of its parameter.
    fn arguments(&mut self, function: &'static Function, given: &[Subject<'a>]) {
        for (index, subject) in given.iter().enumerate() {
            let last = function.parameters.len() - 1;
            let accepts = function
                .parameters
                .get(index.min(last))
                .map_or(Kinds::ANY, |parameter| parameter.accepts);
            self.argument(function, index.min(last), subject, accepts);
        }
    }

    pub fn argument(
        &mut self,
        function: &'static Function,
        parameter: usize,
        subject: &Subject<'a>,
        accepts: Kinds,
    ) {
        self.consume(subject, Effect::Fails);
        if let Some(need) = self.need(subject) {
            need.kinds = need.kinds.and(accepts);
        }
        if !subject.kind.is_unknown() && !accepts.holds(subject.kind.kinds()) {
            self.wrong(function, parameter, subject, accepts);
        }
    }

    fn wrong(
        &mut self,
        function: &'static Function,
        parameter: usize,
        subject: &Subject<'a>,
        accepts: Kinds,
    ) {
        let kinds = subject.kind.kinds();
        let given = if accepts.is_none() { kinds } else { kinds.without(accepts) };
        let parameter = function.parameters.get(parameter).map_or("", |parameter| parameter.name);
        let certain = kinds.and(accepts).is_none();
        self.problem(
            subject.span.clone(),
            ProblemKind::WrongArgument {
                function: function.name,
                parameter,
                accepts,
                given,
                certain,
            },
        );
    }

    /// `join .items ", "`, in either order.
    fn join_list(&mut self, function: &'static Function, given: &[Subject<'a>]) {
        let [first, second] = given else { return };
        let may_be_list = |subject: &Subject| {
            subject.kind.is_unknown() || !subject.kind.kinds().and(LISTS).is_none()
        };
        let (list, separator, at) = match !may_be_list(first) && may_be_list(second) {
            true => (second, first, [1, 0]),
            false => (first, second, [0, 1]),
        };
        // A missing list has no elements, and neither has `nil`.
        let list = Subject { kind: list.kind.there(), ..list.clone() };
        self.argument(function, at[0], &list, LISTS.or(Kinds::NULL));
        self.argument(function, at[1], separator, Kinds::STRING);
    }

    /// `slice .items 0 5`, or with the sliced value last.
    fn slice(
        &mut self,
        function: &'static Function,
        given: Vec<Subject<'a>>,
        span: &Span,
    ) -> Subject<'a> {
        let may_be_sliced = |subject: &Subject| {
            subject.kind.is_unknown() || !subject.kind.kinds().and(PARTED).is_none()
        };
        let last = given.len() - 1;
        let whole = match given.first().is_some_and(may_be_sliced)
            || !given.get(last).is_some_and(may_be_sliced)
        {
            true => 0,
            false => last,
        };
        for (index, subject) in given.iter().enumerate() {
            match index == whole {
                true => self.argument(function, 0, subject, PARTED),
                false => self.argument(function, 1, subject, Kinds::INTEGER),
            }
        }
        self.sliced(&given, whole, span);
        let Some(whole) = given.get(whole) else { return Subject::new(Type::any(), span.clone()) };
        if whole.kind.is_unknown() {
            let sources = Self::sources(std::slice::from_ref(whole));
            return self.flow(sources, Subject::new(Type::any(), span.clone()));
        }
        let kinds = whole.kind.kinds();
        let text = kinds.holds(Kinds::STRING).then(|| Type::of(Kinds::STRING));
        let list =
            kinds.holds(LISTS).then(|| Type::list_of(self.types.element(&whole.kind.only(LISTS))));
        let kind = match (text, list) {
            (Some(text), Some(list)) => text.or(&list),
            (text, list) => text.or(list).unwrap_or_else(Type::any),
        };
        Subject::new(kind, span.clone())
    }

    /// `index .items 0`, `index . "foo-bar"`: each key goes one level deeper.
    fn index(&mut self, given: Vec<Subject<'a>>, span: &Span) -> Subject<'a> {
        let mut given = given.into_iter();
        let Some(mut subject) = given.next() else {
            return Subject::new(Type::any(), span.clone());
        };
        for key in given {
            subject = self.entry(subject, &key);
        }
        // The whole call reads the value; a piped value is outside of it.
        if let Some(blame) = subject.blame.as_mut().filter(|blame| {
            blame.path.is_empty() && blame.span.end < span.end && blame.span.end + 2 > span.end
        }) {
            blame.path = span.clone();
        }
        Subject { span: span.clone(), literal: None, ..subject }
    }

    fn entry(&mut self, base: Subject<'a>, key: &Subject<'a>) -> Subject<'a> {
        self.consume_whole(key);
        let Some(function) = crate::template::function::function("index") else { return base };
        // Unlike a field, indexing a missing value is an error.
        if base.kind.may_be_missing() {
            self.lacking(&base, false, Effect::Fails);
        }
        let base = Subject { kind: base.kind.there(), ..base };
        let kinds = base.kind.kinds();
        let unknown = base.kind.is_unknown();
        match key.literal {
            Some(Literal::Text(name)) if unknown || kinds.holds(Kinds::OBJECT) => {
                let inside = match key.span.len() == name.len() + 2 {
                    true => key.span.start + 1..key.span.end - 1,
                    false => key.span.clone(),
                };
                let start = base.span.start;
                return self.field(base, name, &inside, start, true);
            }
            Some(Literal::Number(number))
                if unknown || !kinds.and(LISTS.or(Kinds::STRING)).is_none() =>
            {
                self.argument(function, 0, &base, LISTS.or(Kinds::STRING));
                self.indexed(&base, number, &key.span);
                let index = number.integer.and_then(|index| usize::try_from(index).ok());
                let lists = base.kind.only(LISTS);
                // An element of a string is a byte.
                let byte = kinds.holds(Kinds::STRING).then(|| Type::of(Kinds::INTEGER));
                let element = kinds.holds(LISTS).then(|| match index {
                    Some(index) => self.types.item(&lists, index),
                    None => self.types.element(&lists),
                });
                let kind = match (byte, element) {
                    _ if unknown => Type::any(),
                    (Some(byte), Some(element)) => byte.or(&element),
                    (byte, element) => byte.or(element).unwrap_or_else(Type::any),
                };
                return self.element(kind, &base, key);
            }
            _ => {}
        }
        // The key is computed, so it may be any of them.
        self.consume_whole(&base);
        self.argument(function, 0, &base, Kinds::LIST.or(Kinds::OBJECT).or(Kinds::STRING));
        if unknown {
            return self.element(Type::any(), &base, key);
        }
        let wanted = [
            (LISTS, Kinds::INTEGER),
            (Kinds::STRING, Kinds::INTEGER),
            (Kinds::OBJECT, Kinds::STRING),
        ];
        let keys = wanted
            .into_iter()
            .filter(|(of, _)| kinds.holds(*of))
            .fold(Kinds::NONE, |keys, (_, key)| keys.or(key));
        if !keys.is_none() {
            self.argument(function, 1, key, keys);
        }
        let kind = match kinds.holds(Kinds::STRING) {
            true => Type::any(),
            // A computed key is the author's choice, so the object needn't declare it.
            false => self.types.element(&base.kind),
        };
        self.element(kind, &base, key)
    }

    /// The element of a value at an index.
    fn element(&mut self, kind: Type, base: &Subject<'a>, key: &Subject<'a>) -> Subject<'a> {
        let path = self.paths.element(base.path, key);
        if let Some(need) = self.need(base) {
            need.elements.push(path);
            need.unclear |= path == NOWHERE;
            match key.kind.is_unknown() {
                true => need.keys.push(key.path),
                false => need.kinds = need.kinds.and(indexable(key.kind.kinds())),
            }
        }
        let kind = if self.facts.is_present(path) { kind.present() } else { kind };
        Subject { path, ..Subject::new(kind, base.span.clone()) }
    }
}

/// `or` returns the first non-empty argument or else the last; `and` the first empty one or else
/// the last.
fn choose<'a>(or: bool, given: Vec<Subject<'a>>, span: &Span) -> Subject<'a> {
    let count = given.len();
    let mut chosen: Option<Subject<'a>> = None;
    for (index, subject) in given.into_iter().enumerate() {
        let kind =
            if or && index + 1 < count { subject.kind.present() } else { subject.kind.clone() };
        chosen = Some(match chosen {
            None => Subject { kind, ..subject },
            Some(before) => Subject {
                kind: before.kind.or(&kind),
                blame: before.blame.filter(|_| !or).or(subject.blame),
                ..Subject::new(Type::any(), span.clone())
            },
        });
    }
    let chosen = chosen.unwrap_or_else(|| Subject::new(Type::any(), span.clone()));
    Subject { span: span.clone(), literal: None, ..chosen }
}

/// `default "N/A" .value`
fn default<'a>(given: Vec<Subject<'a>>, kept: bool, span: &Span) -> Subject<'a> {
    let mut given = given.into_iter();
    let (Some(fallback), Some(value)) = (given.next(), given.next()) else {
        return Subject::new(Type::any(), span.clone());
    };
    if kept {
        return Subject { literal: None, span: span.clone(), ..value };
    }
    Subject {
        kind: value.kind.present().or(&fallback.kind),
        blame: fallback.blame,
        ..Subject::new(Type::any(), span.clone())
    }
}
