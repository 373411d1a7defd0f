use super::super::RuleContext;
use super::{dot_at, errors, is_affordable, text_of};
use crate::declare_rule;
use crate::format::markdownlang::body::Unit;
use crate::rule::{Fix, Report};
use crate::template::error::SyntaxErrorKind;
use crate::template::types::Field;
use crate::template::walk::Item;
use crate::text::{Edit, Span};

declare_rule! {
    /// The name of a field contains a hyphen, which templates don't allow: `.first-name` isn't a
    /// single name.
    ///
    /// Read such a field with `index`, with the name in quotes: `index . "first-name"`. Templates
    /// have no arithmetic, so the hyphen isn't a subtraction.
    ///
    /// Use `index`, or rename the property with letters, digits and `_` only.
    ///
    /// ````markdown bad
    /// ---
    /// name: greet
    /// description: Greets a person
    /// input: { type: object, properties: { first-name: { type: string } }, required: [first-name] }
    /// output: { type: object, properties: { text: { type: string } }, required: [text] }
    /// ---
    ///
    /// Greet {{ .first-name }}.
    /// ````
    ///
    /// ````markdown good
    /// ---
    /// name: greet
    /// description: Greets a person
    /// input: { type: object, properties: { first-name: { type: string } }, required: [first-name] }
    /// output: { type: object, properties: { text: { type: string } }, required: [text] }
    /// ---
    ///
    /// Greet {{ index . "first-name" }}.
    /// ````
    pub static RULE = "markdownlang/hyphenated-field", Error, "Hyphen in a field name";
}

pub fn check(context: &RuleContext, report: &mut Report) {
    for (ref unit, error) in errors(context, super::is_hyphenated) {
        let SyntaxErrorKind::BadCharacter { hyphenated: Some(span) } = &error.kind else {
            continue;
        };
        let text = text_of(context, unit, span);
        let Some(path) = Path::read(&text) else {
            report.add(
                &super::template_syntax::RULE,
                unit.absolute(&error.span),
                error.message.clone(),
            );
            continue;
        };
        let known = path.root == "."
            && is_affordable(unit, report)
            && is_property(context, unit, span.start, &path);
        let call = path.print();
        let message = format!("bad character U+002D '-': write a field with a hyphen as `{call}`");
        let finding = report.add(&RULE, unit.absolute(&error.span), message);
        let new = if stands_alone(unit, span) || call.ends_with(|end| end != '"') {
            call.clone()
        } else {
            format!("({call})")
        };
        let title = format!("Replace with `{new}`");
        let edits = vec![Edit::replace(unit.absolute(span), new)];
        finding.fix(if known { Fix::safe(title, edits) } else { Fix::suggestion(title, edits) });
    }
}

/// `.a.first-name.b`: its start, and the names after the dots.
struct Path<'t> {
    root: &'t str,
    names: Vec<&'t str>,
}

impl<'t> Path<'t> {
    /// `None` if it isn't a path, such as a hyphen in the name of a variable.
    fn read(text: &'t str) -> Option<Self> {
        let (root, rest) = text.split_once('.')?;
        let names: Vec<&str> = rest.split('.').collect();
        let plain = root.is_empty() || root.starts_with('$') && !root.contains('-');
        (plain && names.iter().all(|name| !name.is_empty()))
            .then_some(Self { root: if root.is_empty() { "." } else { root }, names })
    }

    fn print(&self) -> String {
        let mut out = self.root.to_owned();
        for name in &self.names {
            let base = if out.starts_with("index ") { format!("({out})") } else { out };
            out = match name.contains('-') {
                true => format!("index {base} \"{name}\""),
                false if base == "." => format!(".{name}"),
                false => format!("{base}.{name}"),
            };
        }
        out
    }
}

/// Whether the schema declares the field with its hyphen, and none without it that might be
/// intended.
fn is_property(context: &RuleContext, unit: &Unit, place: usize, path: &Path) -> bool {
    let types = context.program.types();
    let mut kind = dot_at(context, unit, place);
    for name in &path.names {
        let first = name.split('-').next().unwrap_or_default();
        let ambiguous =
            first != *name && matches!(types.field(&kind, first), Field::Declared { .. });
        match types.field(&kind, name) {
            Field::Declared { kind: inner, .. } if !ambiguous => kind = inner,
            _ => return false,
        }
    }
    true
}

/// Whether the field is the whole command, so that its replacement needs no parentheses.
fn stands_alone(unit: &Unit, span: &Span) -> bool {
    unit.template.walk().any(|item| matches!(item, Item::Command(command) if command.words.len() == 1 && command.span == *span))
}
