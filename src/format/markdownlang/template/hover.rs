//! Hover in the body: the type of a field, the effect of a function, the meaning of a keyword.

use super::signature;
use super::uses::{self, Used};
use crate::answer::Hover;
use crate::format::Context;
use crate::format::markdownlang::Program;
use crate::format::markdownlang::hover::{details, short};
use crate::schema::{Describer, Property, pointer};
use crate::template::function::function;
use crate::template::part::PartKind;
use crate::template::types::{Field, Type};

/// The hover for the part of the body at `offset`.
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
            "The current value of the template.",
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

/// A field: each of its schemas in turn.
fn field(program: &Program, cx: &Context, used: &Used) -> Option<String> {
    let name = cx.source.slice(used.span.clone());
    // A finding reports undeclared fields.
    let root = program.schema_value("input").filter(|_| !used.places.is_empty())?;
    let may_be_missing = used.kind.may_be_missing();
    let declared = program.types().field(&used.of, &name);
    let optional = match declared {
        Field::Declared { required: true, .. } => "required",
        Field::Declared { required: false, .. } if !may_be_missing => "optional, present here",
        Field::Declared { .. } => "optional",
        _ if may_be_missing => "optional",
        _ => "required",
    };
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
    if let Some(value) = sampled(program, &used.places) {
        page.push_str(&format!("\n\nSample: `{}`", short(&value)));
    }
    let places: Vec<String> =
        used.places.iter().filter_map(|place| line(program, cx, place)).collect();
    if !places.is_empty() {
        page.push_str(&format!("\n\nDeclared in {}", places.join(", ")));
    }
    Some(page)
}

/// The value of a field in the program's sample; of an element of a list, that of the first one.
fn sampled(program: &Program, places: &[String]) -> Option<serde_json::Value> {
    let sample = program.sample()?;
    places.iter().find_map(|place| {
        let mut value = &sample;
        let mut steps = pointer::to_path(place).into_iter();
        while let Some(step) = steps.next() {
            value = match step.as_str() {
                "properties" => value.get(steps.next()?)?,
                "items" => value.get(0)?,
                // Other schemas describe the same value, or none that can be named.
                _ => return None,
            };
        }
        Some(value.clone())
    })
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
        "The whole input; in a called template, its argument."
    } else {
        "A variable."
    };
    Some(named(name, &program.types().summary(&kind), note))
}

fn template(program: &Program, name: &str) -> String {
    match program.body.definition(name) {
        Some(_) => format!("**{}**: a template of this program.", short(&name.into())),
        None => format!("**{}**: this program does not define this template.", short(&name.into())),
    }
}

/// The effect of a keyword.
pub fn keyword(word: &str) -> Option<&'static str> {
    Some(match word {
        "if" => {
            "**if**: runs the block up to `else` or `end` if the value is not empty.\n\nEmpty values are `false`, 0, null, missing values, and empty strings, lists and objects.\n\n```\n{{ if .name }}Hello {{ .name }}{{ else }}Hello{{ end }}\n```"
        }
        "else" => {
            "**else**: runs if no condition before it is true, or if a `range` has no elements. `else if` and `else with` add another condition.\n\n```\n{{ if .a }}a{{ else if .b }}b{{ else }}neither{{ end }}\n```"
        }
        "end" => "**end**: ends `if`, `range`, `with`, `define` or `block`.",
        "range" => {
            "**range**: runs the block once for every element of a list or value of an object. `.` is the element.\n\n```\n{{ range $index, $item := .items }}{{ $index }}: {{ $item }}\n{{ end }}\n```"
        }
        "with" => {
            "**with**: runs the block if the value is not empty. `.` is the value.\n\n```\n{{ with .user }}{{ .name }}{{ end }}\n```"
        }
        "define" => {
            "**define**: defines a template that `template` inserts elsewhere.\n\n```\n{{ define \"item\" }}- {{ . }}{{ end }}\n```"
        }
        "block" => {
            "**block**: defines a template and inserts it right here, like `define` and `template`.\n\n```\n{{ block \"item\" .first }}- {{ . }}{{ end }}\n```"
        }
        "template" => {
            "**template**: inserts a defined template. In it, `.` and `$` are the argument.\n\n```\n{{ template \"item\" .first }}\n```"
        }
        "break" => "**break**: leaves the enclosing `range`.",
        "continue" => "**continue**: continues with the next element of the enclosing `range`.",
        _ => return None,
    })
}

/// The type of an expression in words, if it is known.
pub fn informative(program: &Program, kind: &Type) -> Option<String> {
    let summary = program.types().summary(kind);
    (!kind.is_unknown() && summary != "any").then_some(summary)
}
