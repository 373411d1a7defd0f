use super::super::RuleContext;
use super::{braces_as_text, errors, fields_at};
use crate::declare_rule;
use crate::rule::{Fix, Report};
use crate::suggestion::{closest, did_you_mean};
use crate::template::error::SyntaxErrorKind;
use crate::template::function::FUNCTIONS;
use crate::text::Edit;

declare_rule! {
    /// A word in the template isn't a function.
    ///
    /// A bare word is a function; a field of the input starts with a dot, `.name`, and text needs
    /// quotes. The functions are those of Go (`and`, `call`, `eq`, `ge`, `gt`, `html`, `index`,
    /// `js`, `le`, `len`, `lt`, `ne`, `not`, `or`, `print`, `printf`, `println`, `slice`,
    /// `urlquery`), `default`, `join`, `lower`, `split`, `title`, `upper`, and `json`.
    ///
    /// ````markdown bad
    /// ---
    /// name: greet
    /// description: Greets a person
    /// input: { type: object, properties: { who: { type: string } }, required: [who] }
    /// output: { type: object, properties: { text: { type: string } }, required: [text] }
    /// ---
    ///
    /// Greet {{ uper .who }}.
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
    /// Greet {{ upper .who }}.
    /// ````
    pub static RULE = "markdownlang/unknown-function", Error, "Unknown function";
}

pub fn check(context: &RuleContext, report: &mut Report) {
    for (ref unit, error) in
        errors(context, |kind| matches!(kind, SyntaxErrorKind::UnknownFunction { .. }))
    {
        let SyntaxErrorKind::UnknownFunction { name, keyword } = &error.kind else { continue };
        let span = unit.absolute(&error.span);
        let field = fields_at(context, unit, error.span.start, report)
            .into_iter()
            .find(|field| field == name);
        // A function has no fields: `user.name` is from another language.
        let followed =
            context.cx.source.slice(span.end..(span.end + 1).min(unit.span().end)).starts_with('.');
        let function = if field.is_some() || followed { None } else { meant(name) };
        let said = format!("function \"{name}\" not defined");
        let braces = if field.is_none() && function.is_none() {
            braces_as_text(context, unit, error, report)
        } else {
            None
        };
        let keyword = keyword.filter(|_| field.is_none() && !followed);
        let function = keyword.or(function);
        let message = match (&field, function) {
            (None, Some(_)) if keyword.is_some() || !is_foreign(name) => {
                format!("{said}{}", did_you_mean(function))
            }
            (Some(field), _) => format!("{said}; the field of the input is `.{field}`, with a dot"),
            (None, Some("range")) => {
                format!("{said}; to loop over a list, write `range $item := .list`")
            }
            (None, Some("end")) => format!("{said}; close every block with `{{{{ end }}}}`"),
            (None, Some(_)) => format!("{said}{}", did_you_mean(function)),
            (None, None) if braces.is_some() => {
                format!(
                    "{said}; write a dot before a field, and `{{{{ \"{{{{\" }}}}` for literal braces"
                )
            }
            (None, None) => error.message.clone(),
        };
        let finding = report.add(&RULE, span.clone(), message);
        if field.is_some() {
            finding.fix(Fix::suggestion("Insert a dot", vec![Edit::insert(span.start, ".")]));
        } else if let Some(function) =
            function.filter(|function| *function != "range" || !is_foreign(name))
        {
            finding.fix(Fix::suggestion(
                format!("Replace with `{function}`"),
                vec![Edit::replace(span, function)],
            ));
        }
        finding.fixes.extend(braces);
    }
}

/// Names of other languages for features of templates.
const ELSEWHERE: &[(&str, &str)] = &[
    ("capitalize", "title"),
    ("count", "len"),
    ("each", "range"),
    ("elif", "else if"),
    ("elseif", "else if"),
    ("elsif", "else if"),
    ("endfor", "end"),
    ("endforeach", "end"),
    ("endif", "end"),
    ("endrange", "end"),
    ("endwith", "end"),
    ("for", "range"),
    ("foreach", "range"),
    ("length", "len"),
    ("lowercase", "lower"),
    ("size", "len"),
    ("uppercase", "upper"),
];

/// The words that begin actions.
const KEYWORDS: &[&str] =
    &["block", "break", "continue", "define", "else", "end", "if", "range", "template", "with"];

/// Whether a word belongs to another language.
fn is_foreign(name: &str) -> bool {
    ELSEWHERE.iter().any(|(other, _)| *other == name)
}

/// The function or keyword that a word most likely means.
fn meant(name: &str) -> Option<&'static str> {
    let elsewhere =
        |word: &str| ELSEWHERE.iter().find(|(other, _)| *other == word).map(|(_, here)| *here);
    let words = FUNCTIONS
        .iter()
        .map(|function| function.name)
        .chain(KEYWORDS.iter().copied())
        .chain(ELSEWHERE.iter().map(|(other, _)| *other));
    elsewhere(name).or_else(|| closest(name, words).map(|word| elsewhere(word).unwrap_or(word)))
}
