//! Signature help: the function of the command under the cursor, and the current argument.

use crate::answer::Signature;
use crate::format::Context;
use crate::format::markdownlang::Program;
use crate::template::function::{Function, function};
use crate::template::node::{Command, ExpressionKind};
use crate::text::Span;

/// The call around `offset`.
pub fn signature(program: &Program, cx: &Context, offset: usize) -> Option<Signature> {
    program.pieces(&(offset..offset)).find_map(|piece| {
        let local = offset.checked_sub(piece.start)?;
        let (command, piped) = piece.template.command_at(local)?;
        let ExpressionKind::Function(name) = &command.words.first()?.kind else { return None };
        let function = function(name)?;
        let first = command.words.first()?;
        // While the name itself is typed, no argument is expected yet.
        if local <= first.span.end {
            return None;
        }
        let index =
            argument(command, local, |span| cx.source.slice(piece.absolute(&span)).into_owned());
        Some(describe(function, index, piped > 0))
    })
}

/// The index of the argument at `offset`: one that is touched, or the next one.
fn argument(command: &Command, offset: usize, text: impl Fn(Span) -> String) -> usize {
    let arguments = command.words.get(1..).unwrap_or_default();
    let done = arguments.iter().take_while(|word| word.span.end < offset).count();
    match arguments.get(done) {
        Some(word) if word.span.start <= offset => done,
        // Between two arguments: the next one, which already exists.
        Some(_) => done,
        None => {
            let last = command.words.last().map_or(0, |word| word.span.end);
            done.saturating_sub(usize::from(
                done > 0
                    && !text(last..offset).starts_with(|character: char| character.is_whitespace()),
            ))
        }
    }
}

/// The signature with the parameter of the argument at `index`.
fn describe(function: &Function, index: usize, piped: bool) -> Signature {
    let (label, parameters) = label(function);
    let brings = piped.then(|| brought(function)).flatten();
    // Written arguments come before or after the piped value.
    let index =
        index + usize::from(brings.is_some_and(|brings| brings <= index && !function.variadic));
    let count = function.parameters.len();
    let active = match index {
        _ if index < count => Some(index),
        _ if function.variadic && count > 0 => Some(count - 1),
        _ => None,
    };
    let mut documentation = String::new();
    if let Some(parameter) = brings.and_then(|brings| function.parameters.get(brings)) {
        documentation.push_str(&format!("The piped value is `{}`.\n\n", parameter.name));
    }
    documentation.push_str(&page(function));
    Signature { label, documentation: Some(documentation), parameters, active }
}

/// The parameter that receives the piped value: the last one, but these two take their subject
/// there.
pub fn brought(function: &Function) -> Option<usize> {
    match function.name {
        "slice" | "join" => Some(0),
        _ => function.parameters.len().checked_sub(1),
    }
}

/// The effect of a function, with an example.
pub fn page(function: &Function) -> String {
    format!("{}\n\n```\n{}\n```", function.documentation, function.example)
}

/// `slice value [start] [end] → string or list`, with the spans of its parameters.
pub fn label(function: &Function) -> (String, Vec<Span>) {
    let mut label = function.name.to_owned();
    let mut spans = Vec::new();
    for (index, parameter) in function.parameters.iter().enumerate() {
        label.push(' ');
        let start = label.len();
        let rest = function.variadic && index + 1 == function.parameters.len();
        let accepts = parameter.accepts.words();
        match (parameter.optional, rest) {
            (true, _) => label.push_str(&format!("[{}: {accepts}]", parameter.name)),
            (_, true) => label.push_str(&format!("{}…: {accepts}", parameter.name)),
            _ => label.push_str(&format!("{}: {accepts}", parameter.name)),
        }
        spans.push(start..label.len());
        if index + 1 < function.parameters.len() {
            label.push(',');
        }
    }
    label.push_str(&format!(" → {}", function.result.words()));
    (label, spans)
}
