//! Hover in the body: what a field holds, what a function does, what a keyword means.

use super::signature;
use super::uses::{self, Used};
use crate::answer::Hover;
use crate::format::Context;
use crate::format::markdownlang::Program;
use crate::format::markdownlang::hover::{details, short};
use crate::schema::{Describer, Property};
use crate::template::function::function;
use crate::template::part::PartKind;
use crate::template::types::Type;

/// What there is to say about the part of the body at `offset`.
pub fn hover(program: &Program, cx: &Context, offset: usize) -> Option<Hover> {
    let found = program.part_at(offset)?;
    let markdown = match &found.kind {
        PartKind::Field(_) | PartKind::String(_) => {
            let used = uses::at(program, cx, offset)?;
            return Some(Hover { span: used.span.clone(), markdown: field(program, cx, &used)? });
        }
        PartKind::Variable(name, _) => variable(program, cx, &name.text, offset)?,
        PartKind::Dot => named(
            ".",
            &program.types().summary(&uses::scope(program, cx, offset)?.dot),
            "What the template works on here.",
        ),
        PartKind::Function(name) => {
            let function = function(name)?;
            let (label, _) = signature::label(function);
            format!("```\n{label}\n```\n\n{}", signature::page(function))
        }
        PartKind::Keyword => keyword(&cx.source.slice(found.span.clone()))?.to_owned(),
        PartKind::Template(name, _) => template(program, &name.value),
        PartKind::Delimiter | PartKind::Comment | PartKind::Number | PartKind::Constant => {
            return None;
        }
    };
    Some(Hover { span: found.span, markdown })
}

fn named(name: &str, summary: &str, note: &str) -> String {
    format!("**{name}**\n\n```\n{summary}\n```\n\n{note}")
}

/// A field: what the schema says of it, place by place.
fn field(program: &Program, cx: &Context, used: &Used) -> Option<String> {
    let name = cx.source.slice(used.span.clone());
    // Of what is not declared a finding speaks.
    let root = program.schema_value("input").filter(|_| !used.places.is_empty())?;
    let optional = if used.kind.may_be_missing() { "optional" } else { "required" };
    let mut page =
        format!("**{name}**: {optional}\n\n```\n{}\n```", program.types().summary(&used.kind));
    let mut said: Vec<Property> = Vec::new();
    let describer = Describer::new(root);
    for property in used.places.iter().filter_map(|place| describer.property(place)) {
        let known = |other: &Property| {
            other.description == property.description
                && other.default == property.default
                && other.allowed == property.allowed
        };
        if !said.iter().any(known) {
            page.push_str(&details(&property));
            said.push(property);
        }
    }
    let places: Vec<String> =
        used.places.iter().filter_map(|place| line(program, cx, place)).collect();
    if !places.is_empty() {
        page.push_str(&format!("\n\nDeclared in {}", places.join(", ")));
    }
    Some(page)
}

/// `input` and the line of a declaration.
fn line(program: &Program, cx: &Context, place: &str) -> Option<String> {
    let (key, value) = program.locate("input", place)?;
    let offset = key.map_or(value.start, |key| key.start);
    let line = cx.source.position(offset, crate::text::Encoding::Utf8).line + 1;
    Some(format!("`input`, line {line}"))
}

fn variable(program: &Program, cx: &Context, name: &str, offset: usize) -> Option<String> {
    let kind = uses::variable(program, cx, name, offset)?;
    let note = if name == "$" {
        "The input as a whole; in a template that is called, what it was given."
    } else {
        "A variable."
    };
    Some(named(name, &program.types().summary(&kind), note))
}

fn template(program: &Program, name: &str) -> String {
    match program.body.definition(name) {
        Some(_) => format!("**{}**: a template of this program.", short(&name.into())),
        None => format!("**{}**: no template of this program has this name.", short(&name.into())),
    }
}

/// What a keyword does.
pub fn keyword(word: &str) -> Option<&'static str> {
    Some(match word {
        "if" => {
            "**if**: what follows, up to `else` or `end`, if the value is not empty.\n\nEmpty are `false`, 0, null, missing values, and text, lists and objects without anything in them.\n\n```\n{{ if .name }}Hello {{ .name }}{{ else }}Hello{{ end }}\n```"
        }
        "else" => {
            "**else**: what follows if no condition before it holds, or if a `range` has no elements. `else if` and `else with` ask again.\n\n```\n{{ if .a }}a{{ else if .b }}b{{ else }}neither{{ end }}\n```"
        }
        "end" => "**end**: ends `if`, `range`, `with`, `define` or `block`.",
        "range" => {
            "**range**: what follows, once for every element of a list or value of an object. `.` is the element.\n\n```\n{{ range $index, $item := .items }}{{ $index }}: {{ $item }}\n{{ end }}\n```"
        }
        "with" => {
            "**with**: what follows, if the value is not empty. `.` is the value.\n\n```\n{{ with .user }}{{ .name }}{{ end }}\n```"
        }
        "define" => {
            "**define**: a template that `template` puts in elsewhere.\n\n```\n{{ define \"item\" }}- {{ . }}{{ end }}\n```"
        }
        "block" => {
            "**block**: defines a template and puts it in right here, as `define` and `template` do.\n\n```\n{{ block \"item\" .first }}- {{ . }}{{ end }}\n```"
        }
        "template" => {
            "**template**: puts in a template that `define` has named. In it, `.` and `$` are the value that is given.\n\n```\n{{ template \"item\" .first }}\n```"
        }
        "break" => "**break**: leaves the `range` around it.",
        "continue" => "**continue**: goes on with the next element of the `range` around it.",
        _ => return None,
    })
}

/// The type of a place in words, where there is something to say.
pub fn informative(program: &Program, kind: &Type) -> Option<String> {
    let summary = program.types().summary(kind);
    (!kind.is_unknown() && summary != "any").then_some(summary)
}
