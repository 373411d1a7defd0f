//! Keys of front matter and of servers.

use super::front_matter_cursor;
use super::typing::Typing;
use crate::answer::{Completion, CompletionKind};
use crate::format::markdownlang::field::{CONFIG_FIELDS, FIELDS, Key, SERVER_FIELDS};
use crate::format::snippet;

/// The keys that the front matter doesn't have yet: the required ones first.
pub fn fields(typing: &Typing) -> Vec<Completion> {
    let mut found: Vec<Completion> = offered(typing, FIELDS).collect();
    if let (Some(name), Some(item)) = (
        front_matter_cursor::name_of(typing.cx.path),
        found.iter_mut().find(|item| item.label == "name"),
    ) {
        item.snippet = item
            .snippet
            .take()
            .map(|snippet| snippet.replace("${1:my-program}", &format!("${{1:{name}}}")));
    }
    if typing.context.siblings.is_empty() && typing.typed.is_empty() && !typing.context.flow {
        found.push(whole(typing));
    }
    found
}

/// The missing keys of a table, the required ones first.
pub fn offered(typing: &Typing, table: &'static [Key]) -> impl Iterator<Item = Completion> {
    table.iter().enumerate().filter(|(_, key)| !typing.has(key.name)).map(|(index, key)| {
        let rank = u32::try_from(index).unwrap_or_default() + if key.required { 0 } else { 100 };
        let mut item = typing.entry(key.name, key.snippet, CompletionKind::Key, rank);
        item.detail = Some(if key.required {
            "required".to_owned()
        } else {
            key.holds.expected().to_owned()
        });
        item.documentation = Some(key.documentation.to_owned());
        item
    })
}

/// The missing settings of the model.
pub fn config(typing: &Typing) -> Vec<Completion> {
    offered(typing, CONFIG_FIELDS).collect()
}

/// All required keys at once, and the closing line if it is missing.
fn whole(typing: &Typing) -> Completion {
    let (fields, _) = front_matter_cursor::required(typing.cx.path);
    let text = if typing.front_matter.open { fields + "\n---\n\n$0" } else { fields };
    let text = text.replace('\n', typing.cx.source.line_break());
    let mut item = typing.flow_value("markdownlang program", &text, CompletionKind::Snippet, 50);
    item.edit.text = snippet::plain(&text);
    item.snippet = Some(text);
    item.detail = Some("all required keys".to_owned());
    item.documentation = Some(format!(
        "```yaml\n{}\n```",
        snippet::plain(&front_matter_cursor::required(typing.cx.path).0)
    ));
    item
}

/// The missing keys of a server: a server has either a command or a URL.
pub fn server(typing: &Typing) -> Vec<Completion> {
    let (command, url) =
        (typing.has("command") || typing.has("args") || typing.has("env"), typing.has("url"));
    let fitting = move |label: &str| match label {
        "command" | "args" | "env" => command || !url,
        "url" | "headers" => !command || url,
        _ => true,
    };
    let mut found: Vec<Completion> = offered(typing, SERVER_FIELDS).collect();
    for item in &mut found {
        item.rank += if fitting(&item.label) { 0 } else { 500 };
    }
    found
}

const BY_COMMAND: &str = "name: ${1:filesystem}\ncommand: ${2:npx}\nargs: [${3:\"-y\", \"@modelcontextprotocol/server-filesystem\", \".\"}]";
const BY_URL: &str = "name: ${1:server}\nurl: ${2:http://localhost:3000/mcp}";

/// Another server: an item on a separate line, in braces between brackets, or a list of one after
/// the key.
pub fn new_server(typing: &Typing) -> Vec<Completion> {
    let servers = [
        (
            "server with a command",
            BY_COMMAND,
            "Started by the program, with stdin and stdout as transport.",
        ),
        ("server with a URL", BY_URL, "Already running, reached over HTTP."),
    ];
    servers
        .iter()
        .zip(0..)
        .map(|((label, block, documentation), rank)| {
            let mut item = typing.new_item(label, block, rank);
            item.documentation = Some(format!(
                "{documentation}\n\n```yaml\n- {}\n```",
                snippet::plain(block).replace('\n', "\n  ")
            ));
            item
        })
        .collect()
}
