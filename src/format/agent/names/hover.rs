//! Hover: the meaning of a mention.

use super::declared;
use super::mentions::{self, Word};
use super::references::own_name;
use super::resolve::{Target, readers, resolve};
use super::servers;
use crate::answer::Hover;
use crate::format::Context;
use crate::format::agent::file::File;
use crate::world::slashed;

/// The meaning of the mention at an offset.
pub fn hover(cx: &Context, offset: usize) -> Option<Hover> {
    let file = File::of(cx)?;
    let roles = readers(&file);
    let mention = mentions::at(cx.source, &roles, offset)?;
    // Links are handled as in every kind of file.
    if matches!(mention.word, Word::File(_)) {
        return None;
    }
    let resolved = resolve(cx, &roles, &mention);
    let (span, name) = own_name(cx, &mention);
    let root = cx.root();
    let shown = |path: &std::path::Path| {
        let short = root.as_ref().and_then(|root| path.strip_prefix(root).ok()).unwrap_or(path);
        slashed(short)
    };
    let mut parts: Vec<String> = Vec::new();
    for target in &resolved.found {
        match target {
            Target::Declared(declared) => {
                let source = cx.world.look(&declared.path).ok()?;
                let kind = declared.kind.name();
                let mut text =
                    format!("**{}** ({kind}) in `{}`", declared.shown(), shown(&declared.path));
                if let Some(description) = declared::description(&source) {
                    text.push_str(&format!("\n\n{}", brief(&description)));
                }
                parts.push(text);
            }
            Target::Server { path, .. } => {
                let server = match &mention.word {
                    Word::Tool(tool) => {
                        servers::in_tool(tool).map_or(name.as_str(), |(server, _)| server)
                    }
                    _ => name.as_str(),
                };
                let place = path
                    .as_deref()
                    .map_or_else(|| "this file".to_owned(), |path| format!("`{}`", shown(path)));
                parts.push(format!("MCP server **{server}**, configured in {place}"));
            }
            Target::File(_) => {}
        }
    }
    if parts.is_empty() && resolved.built_in && !matches!(mention.word, Word::Tool(_)) {
        let clients: Vec<&str> = roles.iter().map(|role| role.client.title.as_str()).collect();
        parts.push(format!("**{name}**, built into {}", clients.join(", ")));
    }
    let markdown = parts.join("\n\n---\n\n");
    (!markdown.is_empty()).then_some(Hover { span, markdown })
}

/// A longer description is cut.
const LONGEST: usize = 400;

fn brief(text: &str) -> String {
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
        None => text.to_owned(),
    }
}
