//! Messages from a server, before the protocol's library reads them: answers that it would drop are
//! repaired, or become errors of the requests that they answer.

use std::collections::BTreeSet;

use rmcp::RoleClient;
use rmcp::service::RxJsonRpcMessage;
use serde_json::{Value, json};

/// The limit of bytes per message.
pub const LONGEST: usize = super::event::LONGEST;
/// The kinds of content in results.
const KNOWN: &[&str] = &["text", "image", "audio", "resource", "resource_link"];
/// Where the id of an answer is, if it's too long to be read.
const EDGE: usize = 4_096;

/// The requests that wait for an answer.
#[derive(Debug, Default)]
pub struct Inbox {
    waiting: BTreeSet<i64>,
}

impl Inbox {
    /// Notes a message that is sent.
    pub fn sent(&mut self, message: &Value) {
        if message.get("method").is_some() {
            self.waiting.extend(message.get("id").and_then(Value::as_i64));
        }
    }

    /// Reads a message; `None` if it isn't one. An answer that can't be understood becomes an error
    /// of its request.
    pub fn read(&mut self, text: &[u8]) -> Option<RxJsonRpcMessage<RoleClient>> {
        let mut value: Value = serde_json::from_slice(text).ok()?;
        let id = value.get("id").and_then(Value::as_i64);
        let is_answer = value.get("method").is_none();
        if is_answer {
            repair(&mut value);
        }
        match serde_json::from_value(value) {
            Ok(message) => {
                if let Some(id) = id.filter(|_| is_answer) {
                    self.waiting.remove(&id);
                }
                Some(message)
            }
            Err(error) => {
                let id = id.filter(|id| is_answer && self.waiting.remove(id))?;
                failure(id, &format!("the server's answer is not valid MCP: {error}"))
            }
        }
    }

    /// The answer to a request, whose text is the whole body of a response.
    pub fn answer(mut self, id: i64, text: &str) -> Option<RxJsonRpcMessage<RoleClient>> {
        self.waiting.insert(id);
        let read = self.read(text.as_bytes());
        read.or_else(|| failure(id, "the server's answer is not JSON"))
    }

    /// The errors of the requests that an overlong message may answer, of which only the beginning
    /// and the end were kept.
    pub fn too_long(&mut self, start: &[u8], end: &[u8]) -> Vec<RxJsonRpcMessage<RoleClient>> {
        let message = too_long();
        let ids = [start.get(..EDGE.min(start.len())), end.get(end.len().saturating_sub(EDGE)..)]
            .into_iter()
            .flatten()
            .flat_map(ids);
        let known: Vec<i64> = ids.filter(|id| self.waiting.contains(id)).take(1).collect();
        let answered = if known.is_empty() {
            std::mem::take(&mut self.waiting)
        } else {
            known.iter().for_each(|id| _ = self.waiting.remove(id));
            known.into_iter().collect()
        };
        answered.into_iter().filter_map(|id| failure(id, &message)).collect()
    }
}

/// Why a message can't be read.
pub fn too_long() -> String {
    format!("the server's answer exceeds {} MB", LONGEST >> 20)
}

/// The error of a request.
pub fn failure(id: i64, message: &str) -> Option<RxJsonRpcMessage<RoleClient>> {
    serde_json::from_value(json!({
        "jsonrpc": "2.0", "id": id, "error": { "code": -32_603, "message": message },
    }))
    .ok()
}

/// Replaces content that this version of the protocol doesn't know with a note, so that the rest of
/// a result isn't lost.
pub fn repair(message: &mut Value) {
    let content = message.pointer_mut("/result/content").and_then(Value::as_array_mut);
    for block in content.into_iter().flatten() {
        let kind = block.get("type").and_then(Value::as_str).unwrap_or("nothing");
        let text = block.get("text").and_then(Value::as_str);
        if !KNOWN.contains(&kind) || (kind == "text" && text.is_none()) || !is_whole(block) {
            let text = match text {
                Some(text) => text.to_owned(),
                None => format!("[unsupported content: {kind}]"),
            };
            *block = json!({ "type": "text", "text": text });
        }
    }
}

fn is_whole(block: &Value) -> bool {
    serde_json::from_value::<rmcp::model::ContentBlock>(block.clone()).is_ok()
}

/// The numbers after `"id":`.
fn ids(text: &[u8]) -> Vec<i64> {
    let text = String::from_utf8_lossy(text);
    let after = text.match_indices("\"id\"").filter_map(|(at, name)| text.get(at + name.len()..));
    after
        .filter_map(|rest| {
            let rest = rest.trim_start().strip_prefix(':')?.trim_start();
            let end = rest.find(|char: char| !char.is_ascii_digit()).unwrap_or(rest.len());
            rest.get(..end)?.parse().ok()
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mdl_25_unknown_content_leaves_the_rest() {
        let mut message = json!({ "id": 1, "result": { "content": [
            { "type": "text", "text": "a" },
            { "type": "video", "data": "…" },
            { "type": "note", "text": "b" },
            { "type": "image" },
            3,
        ] } });
        repair(&mut message);
        let texts: Vec<_> = message["result"]["content"]
            .as_array()
            .unwrap()
            .iter()
            .map(|block| block["text"].as_str().unwrap())
            .collect();
        assert_eq!(
            texts,
            [
                "a",
                "[unsupported content: video]",
                "b",
                "[unsupported content: image]",
                "[unsupported content: nothing]"
            ]
        );
    }

    #[test]
    fn mdl_25_an_answer_that_is_too_long_fails_its_request() {
        let waiting = || {
            let mut inbox = Inbox::default();
            [3, 4].iter().for_each(|id| inbox.sent(&json!({ "id": id, "method": "tools/call" })));
            inbox
        };
        let start = br#"{"jsonrpc":"2.0","id":4,"result":"#;
        assert_eq!(waiting().too_long(start, b"}").len(), 1);
        assert_eq!(waiting().too_long(b"{\"result\":", b", \"id\" : 3}").len(), 1);
        // If the request can't be determined, all of them fail: none waits forever.
        assert_eq!(waiting().too_long(b"{", b"}").len(), 2);
    }
}
