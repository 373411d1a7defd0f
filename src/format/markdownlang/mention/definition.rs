//! Definition: from a mention to the server's name, from a program's name to its file.

use super::thing::{Found, Thing, thing};
use crate::answer::Target;
use crate::format::Context;
use crate::format::markdownlang::{Program, definition as front};

/// The declaration of the thing mentioned at `offset` of the body.
pub fn definition(program: &Program, cx: &Context, offset: usize) -> Option<Target> {
    let Found { span: origin, thing } = thing(program, cx, offset)?;
    match thing {
        Thing::Server { server, .. } | Thing::Tool { server, .. } => {
            let server = server?;
            let selection = server.name.as_ref()?.span.clone();
            let inside = server.span.start <= selection.start && selection.end <= server.span.end;
            Some(Target {
                path: None,
                span: if inside { server.span.clone() } else { selection.clone() },
                selection,
                origin,
            })
        }
        Thing::Import(import) => front::program(program, cx, import, origin),
        Thing::Python => None,
    }
}
