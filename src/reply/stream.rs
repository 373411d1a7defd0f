//! A message from the events of its stream.

/// The parts of a message as they arrive.
#[derive(Default)]
pub(super) struct Stream {
    /// Parts by index: type, name, id, and the text or arguments so far.
    parts: std::collections::BTreeMap<u64, (String, String, String, String)>,
    /// The message, if an event contains all of it.
    all: Option<serde_json::Value>,
    stop: Option<String>,
    pub ended: bool,
    pub broken: bool,
}

impl Stream {
    pub fn take(&mut self, value: &serde_json::Value) {
        let text = |value: &serde_json::Value, path: &str| {
            value.pointer(path).and_then(serde_json::Value::as_str).unwrap_or_default().to_owned()
        };
        let number = |path: &str| {
            value.pointer(path).and_then(serde_json::Value::as_u64).unwrap_or_default()
        };
        match text(value, "/type").as_str() {
            "message_stop" => self.ended = true,
            "response.completed" => {
                self.ended = true;
                self.all = value.get("response").cloned();
            }
            "message_delta" => {
                self.stop =
                    Some(text(value, "/delta/stop_reason")).filter(|reason| !reason.is_empty())
            }
            "content_block_start" => {
                let part = (
                    text(value, "/content_block/type"),
                    text(value, "/content_block/name"),
                    text(value, "/content_block/id"),
                    text(value, "/content_block/text"),
                );
                self.parts.insert(number("/index"), part);
            }
            "content_block_delta" => {
                let part = self.parts.entry(number("/index")).or_default();
                part.3 += &text(value, "/delta/text");
                part.3 += &text(value, "/delta/partial_json");
                part.3 += &text(value, "/delta/thinking");
            }
            _ => {
                let first = self.parts.entry(0).or_insert_with(|| {
                    ("text".to_owned(), String::new(), String::new(), String::new())
                });
                first.3 += &text(value, "/choices/0/delta/content");
                let reason = text(value, "/choices/0/finish_reason");
                self.stop = Some(reason).filter(|reason| !reason.is_empty()).or(self.stop.take());
                for call in value
                    .pointer("/choices/0/delta/tool_calls")
                    .and_then(serde_json::Value::as_array)
                    .into_iter()
                    .flatten()
                {
                    let index =
                        call.get("index").and_then(serde_json::Value::as_u64).unwrap_or_default()
                            + 1;
                    let part = self.parts.entry(index).or_insert_with(|| {
                        ("tool_use".to_owned(), String::new(), String::new(), String::new())
                    });
                    part.1 += &text(call, "/function/name");
                    part.3 += &text(call, "/function/arguments");
                }
            }
        }
    }

    /// The message so far.
    pub fn message(self) -> serde_json::Value {
        use serde_json::json;
        if let Some(all) = self.all {
            return all;
        }
        let parts: Vec<serde_json::Value> = self
            .parts
            .into_values()
            .map(|(kind, name, id, text)| match kind.as_str() {
                "tool_use" => json!({ "type": "function_call", "name": name, "call_id": id, "arguments": text }),
                "thinking" => json!({ "type": "thinking", "thinking": text }),
                _ => json!({ "type": "text", "text": text }),
            })
            .collect();
        json!({ "type": "message", "role": "assistant", "content": parts, "stop_reason": self.stop })
    }
}
