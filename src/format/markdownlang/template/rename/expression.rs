//! Fields whose new name can't follow a dot: `.a.b` becomes `index .a "new-name"`.

use super::go_string;
use crate::format::markdownlang::Program;
use crate::format::markdownlang::template::Piece;
use crate::template::node::{Expression, ExpressionKind, Name, Pipeline};
use crate::template::walk::Item;
use crate::text::{Edit, Span};

/// The edits that write each of these fields with `index`.
pub fn indexed(program: &Program, fields: &[Span], name: &str) -> Vec<Edit> {
    let (Some(first), Some(last)) =
        (fields.iter().map(|span| span.start).min(), fields.iter().map(|span| span.end).max())
    else {
        return Vec::new();
    };
    let mut edits = Vec::new();
    for piece in program.pieces(&(first..last)) {
        let mut writer = Writer { piece, fields, name: go_string(name), edits: &mut edits };
        for item in piece.template.walk() {
            if let Item::Pipeline(pipeline) = item {
                writer.pipeline(pipeline);
            }
        }
    }
    edits
}

struct Writer<'a> {
    piece: Piece<'a>,
    fields: &'a [Span],
    name: String,
    edits: &'a mut Vec<Edit>,
}

impl Writer<'_> {
    fn pipeline(&mut self, pipeline: &Pipeline) {
        for (index, command) in pipeline.commands.iter().enumerate() {
            // If the expression is the whole command, the call needs no parentheses.
            let alone = command.words.len() == 1 && index == 0;
            command.words.iter().for_each(|word| self.expression(word, alone));
        }
    }

    fn expression(&mut self, expression: &Expression, alone: bool) {
        match &expression.kind {
            ExpressionKind::Field(fields) => self.fields(expression, fields, true, alone),
            ExpressionKind::Variable { fields, .. } => {
                self.fields(expression, fields, false, alone)
            }
            // A parenthesised pipeline is independent.
            ExpressionKind::Chain { base, fields } => {
                self.expression(base, false);
                self.fields(expression, fields, false, alone);
            }
            _ => {}
        }
    }

    /// `of_dot`: the dot before the first field is the object of the field, and stays.
    fn fields(&mut self, expression: &Expression, fields: &[Name], of_dot: bool, alone: bool) {
        let mut before = String::new();
        for (index, field) in fields.iter().enumerate() {
            let span = self.piece.absolute(&field.span);
            if !self.fields.contains(&span) {
                continue;
            }
            let wrapped = index + 1 < fields.len() || !alone;
            before.insert_str(0, if wrapped { "(index " } else { "index " });
            let start = span.start - usize::from(!(of_dot && index == 0));
            self.edits.push(Edit::replace(
                start..span.end,
                format!(" {}{}", self.name, if wrapped { ")" } else { "" }),
            ));
        }
        if !before.is_empty() {
            self.edits.push(Edit::insert(self.piece.start + expression.span.start, before));
        }
    }
}
