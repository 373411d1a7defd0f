use super::super::RuleContext;
use super::{braces_as_text, errors, mends, text_of};
use crate::declare_rule;
use crate::format::markdownlang::body::Unit;
use crate::rule::{Fix, Report};
use crate::template::error::{SyntaxError, SyntaxErrorKind};
use crate::text::Edit;

declare_rule! {
    /// The body is a Go template, and one of its actions has a syntax error.
    ///
    /// The body can't be rendered at all. The message starts with Go's wording, which you can
    /// search for. The documentation of Go's `text/template` describes the language.
    ///
    /// ````markdown bad
    /// ---
    /// name: greet
    /// description: Greets a person
    /// input: { type: object, properties: { who: { type: string } }, required: [who] }
    /// output: { type: object, properties: { text: { type: string } }, required: [text] }
    /// ---
    ///
    /// Greet {{ upper (.who }}.
    /// ````
    ///
    /// ````markdown good
    /// ---
    /// name: greet
    /// description: Greets a person
    /// input: { type: object, properties: { who: { type: string } }, required: [who] }
    /// output: { type: object, properties: { text: { type: string } }, required: [text] }
    /// ---
    ///
    /// Greet {{ upper (.who) }}.
    /// ````
    pub static RULE = "markdownlang/template-syntax", Error, "Template syntax error";
}

pub fn check(context: &RuleContext, report: &mut Report) {
    for (ref unit, error) in errors(context, is_general) {
        let fix =
            fix(context, unit, error).filter(|fix| mends(context, unit, error, &fix.edits, report));
        let fix = fix.or_else(|| {
            braces_as_text(context, unit, error, report)
                .filter(|_| is_foreign(context, unit, error))
        });
        let finding = report.add(&RULE, unit.absolute(&error.span), error.message.clone());
        finding.fixes.extend(fix);
    }
    let body = &context.program.body;
    for duplicate in body.duplicates() {
        let place = |found: &crate::format::markdownlang::body::Defined| {
            body.unit(found.unit).map(|unit| unit.absolute(&found.name_span))
        };
        let Some(span) = place(&duplicate.definition) else { continue };
        let name = &duplicate.definition.name;
        let message =
            format!("multiple definition of template {name:?}; rename this one, or remove it");
        let finding = report.add(&RULE, span, message);
        if let Some(first) = body.definition(name).and_then(place) {
            finding.relate(first, "first defined here");
        }
    }
}

/// No other rule reports it.
fn is_general(kind: &SyntaxErrorKind) -> bool {
    use SyntaxErrorKind as Kind;
    match kind {
        Kind::UnclosedString
        | Kind::Parenthesis
        | Kind::BadCharacter { hyphenated: None }
        | Kind::BadNumber
        | Kind::BadString
        | Kind::Unexpected
        | Kind::MissingValue
        | Kind::OutsideRange
        | Kind::DuplicateDefinition(_)
        | Kind::TooDeep => true,
        Kind::UnclosedAction
        | Kind::UnclosedComment
        | Kind::UnknownFunction { .. }
        | Kind::UndefinedVariable(_)
        | Kind::UnclosedBlock
        | Kind::UnopenedBlock
        | Kind::BadCharacter { hyphenated: Some(_) } => false,
    }
}

/// `{{#each`, `{{> partial`, `{{/if`, `{{{ html`: actions of other languages.
fn is_foreign(context: &RuleContext, unit: &Unit, error: &SyntaxError) -> bool {
    let word = text_of(context, unit, &error.span);
    error.kind == SyntaxErrorKind::Unexpected
        && error.message.ends_with(" in command")
        && word.starts_with(['#', '/', '>', '^', '&', '{', '%', '@', '*'])
}

fn fix(context: &RuleContext, unit: &Unit, error: &SyntaxError) -> Option<Fix> {
    let span = unit.absolute(&error.span);
    let text = text_of(context, unit, &error.span);
    match (&error.kind, text.chars().next()?) {
        (SyntaxErrorKind::UnclosedString, quote) => Some(Fix::suggestion(
            "Insert the closing quote",
            vec![Edit::insert(span.end, quote.to_string())],
        )),
        (SyntaxErrorKind::Parenthesis, '(') => {
            let rest = context.cx.source.slice(span.end..unit.span().end);
            let action = rest.get(..rest.find("}}")?)?;
            let end = span.end + action.trim_end_matches([' ', '\t', '\r', '\n', '-']).len();
            Some(Fix::suggestion("Insert `)`", vec![Edit::insert(end, ")")]))
        }
        (SyntaxErrorKind::Parenthesis, _) => {
            Some(Fix::suggestion("Remove the parenthesis", vec![Edit::delete(span)]))
        }
        (SyntaxErrorKind::Unexpected, ':') => {
            Some(Fix::suggestion("Replace with `:=`", vec![Edit::replace(span, ":=")]))
        }
        (SyntaxErrorKind::Unexpected, ',') => {
            Some(Fix::suggestion("Remove the comma", vec![Edit::delete(span)]))
        }
        _ => None,
    }
}
