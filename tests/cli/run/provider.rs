//! A local provider that speaks chat completions over real HTTP, gives prepared answers, and
//! records the requests.

use std::collections::VecDeque;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use serde_json::{Value, json};

/// The answer to one request.
#[derive(Debug, Clone)]
pub struct Reply {
    pub status: u16,
    pub headers: Vec<(&'static str, String)>,
    pub body: Vec<u8>,
    /// The delay before the answer.
    pub after: Duration,
    /// Whether the connection is closed in the middle of the answer.
    pub broken: bool,
}

/// A request as received.
#[derive(Debug, Clone)]
pub struct Asked {
    pub line: String,
    pub headers: Vec<String>,
    pub body: Value,
}

#[derive(Debug)]
pub struct Provider {
    pub url: String,
    state: Arc<State>,
}

#[derive(Debug)]
struct State {
    replies: Mutex<VecDeque<Reply>>,
    /// The answer once `replies` is empty.
    last: Option<Reply>,
    asked: Mutex<Vec<Asked>>,
}

impl Reply {
    pub fn json(status: u16, body: &Value) -> Self {
        Self {
            status,
            headers: vec![("content-type", "application/json".to_owned())],
            body: body.to_string().into_bytes(),
            after: Duration::ZERO,
            broken: false,
        }
    }

    /// A message from the model, with 150 input and 75 output tokens.
    pub fn message(message: Value, finish: &str) -> Self {
        let usage = json!({ "prompt_tokens": 150, "completion_tokens": 75, "total_tokens": 225 });
        Self::json(
            200,
            &json!({ "id": "x", "object": "chat.completion", "choices": [{ "index": 0, "message": message, "finish_reason": finish }], "usage": usage }),
        )
    }

    pub fn text(content: &str) -> Self {
        Self::message(json!({ "role": "assistant", "content": content }), "stop")
    }

    /// Tool calls by the model: names and arguments.
    pub fn calls(calls: &[(&str, &str)]) -> Self {
        let calls: Vec<Value> = calls
            .iter()
            .enumerate()
            .map(|(index, (name, arguments))| json!({ "id": format!("call_{index}"), "type": "function", "function": { "name": name, "arguments": arguments } }))
            .collect();
        Self::message(
            json!({ "role": "assistant", "content": null, "tool_calls": calls }),
            "tool_calls",
        )
    }

    pub fn error(status: u16, message: &str) -> Self {
        Self::json(status, &json!({ "error": { "message": message, "type": "x", "code": null } }))
    }

    pub fn with(mut self, name: &'static str, value: &str) -> Self {
        self.headers.push((name, value.to_owned()));
        self
    }

    pub fn after(mut self, wait: Duration) -> Self {
        self.after = wait;
        self
    }
}

impl Provider {
    /// Gives these answers in order, then errors.
    pub fn with(replies: impl IntoIterator<Item = Reply>) -> Self {
        Self::start(replies.into_iter().collect(), None)
    }

    /// Always gives this answer.
    pub fn always(reply: Reply) -> Self {
        Self::start(VecDeque::new(), Some(reply))
    }

    fn start(replies: VecDeque<Reply>, last: Option<Reply>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("http://{}/v1", listener.local_addr().unwrap());
        let state = Arc::new(State { replies: Mutex::new(replies), last, asked: Mutex::default() });
        let served = Arc::clone(&state);
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let served = Arc::clone(&served);
                // It doesn't matter if a client disconnects early.
                std::thread::spawn(move || _ = serve(stream, &served));
            }
        });
        Self { url, state }
    }

    pub fn asked(&self) -> Vec<Asked> {
        self.state.asked.lock().unwrap().clone()
    }
}

fn serve(stream: TcpStream, state: &State) -> std::io::Result<()> {
    let mut reader = BufReader::new(stream.try_clone()?);
    let mut writer = stream;
    loop {
        let mut line = String::new();
        if reader.read_line(&mut line)? == 0 {
            return Ok(());
        }
        let (mut headers, mut length) = (Vec::new(), 0);
        loop {
            let mut header = String::new();
            reader.read_line(&mut header)?;
            let header = header.trim().to_owned();
            if header.is_empty() {
                break;
            }
            if let Some(value) = header.to_ascii_lowercase().strip_prefix("content-length:") {
                length = value.trim().parse().unwrap();
            }
            headers.push(header);
        }
        let mut body = vec![0; length];
        reader.read_exact(&mut body)?;
        let body = serde_json::from_slice(&body).unwrap_or(Value::Null);
        state.asked.lock().unwrap().push(Asked { line: line.trim().to_owned(), headers, body });
        let reply = state.replies.lock().unwrap().pop_front().or_else(|| state.last.clone());
        let reply = reply.unwrap_or_else(|| Reply::error(418, "no answers are left"));
        std::thread::sleep(reply.after);
        write!(writer, "HTTP/1.1 {} X\r\ncontent-length: {}\r\n", reply.status, reply.body.len())?;
        for (name, value) in &reply.headers {
            write!(writer, "{name}: {value}\r\n")?;
        }
        writer.write_all(b"\r\n")?;
        if reply.broken {
            writer.write_all(&reply.body[..reply.body.len() / 2])?;
            return writer.shutdown(std::net::Shutdown::Both);
        }
        writer.write_all(&reply.body)?;
        writer.flush()?;
    }
}
