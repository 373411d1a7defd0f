//! Editor features in the body (MDL-13 to MDL-18).

mod completion;
mod definition;
mod highlight;
mod hover;
mod inlay;
mod laws;
mod outline;
mod references;
mod rename;
mod selection;
mod signature;

use super::{ask, cursor, variants};
use crate::answer::Occurrence;
use crate::text::Span;

const HEADER: &str = "---
name: greet
description: Greets a person
input:
  type: object
  properties:
    user:
      $ref: '#/$defs/user'
    items:
      type: array
      items:
        type: object
        properties:
          title: { type: string, description: What it is called }
          price: { type: number }
        required: [title]
    kind:
      type: string
      enum: [book, film]
      default: book
      description: What is wanted
    count: { type: integer }
    foo-bar: { type: string }
  required: [user, items]
  $defs:
    user:
      type: object
      properties:
        name: { type: string, description: The whole name }
        email: { type: string, format: email }
      required: [name]
output: { type: object, properties: { text: { type: string } }, required: [text] }
---
";

/// A program with this body. The front matter has the properties user, items, kind, count and
/// foo-bar.
fn program(body: &str) -> String {
    format!("{HEADER}{body}")
}

/// The marked pieces of `text`: `name@line` and `!` for definitions.
fn shown(text: &str, found: &[Occurrence]) -> Vec<String> {
    found
        .iter()
        .map(|occurrence| {
            format!(
                "{}{}",
                place(text, &occurrence.span),
                if occurrence.defines { "!" } else { "" }
            )
        })
        .collect()
}

/// `text@line`, lines counted from 1.
fn place(text: &str, span: &Span) -> String {
    let before = &text[..span.start];
    format!("{}@{}", &text[span.clone()], before.matches('\n').count() + 1)
}

/// The start of the body: its first line, counted from 1.
fn first_line() -> usize {
    HEADER.matches('\n').count() + 1
}

/// The body alone, as `program` was given it.
fn body(text: &str) -> &str {
    text.split_once("\n---\n").or_else(|| text.split_once("\r\n---\r\n")).expect("front matter").1
}
