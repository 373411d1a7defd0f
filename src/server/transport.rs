//! Receives messages in order. A message's handler runs up to its first await before the next
//! message is read: state changes and snapshots happen in the order of the stream, independent of
//! background work. [`turns`](super::turns) decides which thread reads.

use std::borrow::Cow;
use std::future::poll_fn;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::task::{Context, Poll, Waker};

use futures_util::{SinkExt, StreamExt};
use parking_lot::Mutex;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::value::RawValue;
use serde_json::{Value, json};
use tower::Service;
use tower_lsp::jsonrpc::{Request, Response};
use tower_lsp::{ClientSocket, Loopback, LspService};

use super::backend::Backend;
use super::direct::Direct;
use super::outgoing::Outgoing;
use super::pool;
use super::reader::{Frame, repair_surrogates};
use super::session::Session;

/// The parts of a message that are read before its parameters.
#[derive(Deserialize)]
struct Envelope<'a> {
    #[serde(borrow)]
    id: Option<&'a RawValue>,
    #[serde(borrow)]
    method: Option<Cow<'a, str>>,
    #[serde(borrow)]
    params: Option<&'a RawValue>,
}

type RequestStream = <ClientSocket as Loopback>::RequestStream;

/// The server's own requests to the client. A task sends those that arise in the background; those
/// caused by a message are sent by the reading thread, before the answers to later messages.
struct Questions {
    session: Arc<Session>,
    state: Mutex<(RequestStream, Option<Waker>)>,
}

impl Questions {
    /// Sends all pending requests; ready when no more will come. `context` is that of the task to
    /// wake.
    fn send(&self, context: Option<&mut Context>) -> Poll<()> {
        let mut state = self.state.lock();
        let (stream, waker) = &mut *state;
        if let Some(context) = context {
            *waker = Some(context.waker().clone());
        }
        let mut context = Context::from_waker(waker.as_ref().unwrap_or(Waker::noop()));
        while let Poll::Ready(request) = stream.poll_next_unpin(&mut context) {
            match request {
                Some(request) => self.session.request(&request),
                None => return Poll::Ready(()),
            }
        }
        Poll::Pending
    }
}

pub(super) struct Transport {
    service: LspService<Backend>,
    questions: Arc<Questions>,
    responses: <ClientSocket as Loopback>::ResponseSink,
    outgoing: Outgoing,
    direct: Arc<Direct>,
    runtime: tokio::runtime::Handle,
}

const FAILED: &str = "the request failed; please report this";

/// Why reading ended.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum End {
    Exit,
    Stream,
}

impl Transport {
    pub(super) fn new(
        service: LspService<Backend>,
        socket: ClientSocket,
        outgoing: Outgoing,
        runtime: tokio::runtime::Handle,
    ) -> Self {
        let (requests, responses) = socket.split();
        let questions = Arc::new(Questions {
            session: Arc::clone(&service.inner().session),
            state: Mutex::new((requests, None)),
        });
        let task = Arc::clone(&questions);
        runtime.spawn(poll_fn(move |context| task.send(Some(context))));
        Self { service, questions, responses, outgoing, direct: Arc::default(), runtime }
    }

    /// Handles a message or an error of reading. Returns how reading ends, if it ends here.
    pub(super) fn take_in_frame(&mut self, frame: Option<Frame>) -> Option<End> {
        match frame {
            Some(Frame::NoLength) => {
                self.refuse(Value::Null, -32700, "the header has no usable Content-Length");
                None
            }
            Some(Frame::Body(body)) => self.take_in(&body).then_some(End::Exit),
            None => Some(End::Stream),
        }
    }

    pub(super) fn runtime(&self) -> tokio::runtime::Handle {
        self.runtime.clone()
    }

    fn refuse(&self, id: impl serde::Serialize, code: i32, message: &str) {
        self.outgoing.send(
            &json!({ "jsonrpc": "2.0", "id": id, "error": { "code": code, "message": message } }),
        );
    }

    /// Handles one message; true if it was `exit`.
    fn take_in(&mut self, body: &[u8]) -> bool {
        // An array of the right length would be read as an envelope.
        if body.trim_ascii_start().starts_with(b"[") {
            self.refuse(
                Value::Null,
                -32600,
                "JSON-RPC batches are not supported; send one message at a time",
            );
            return false;
        }
        // Strings are not decoded here, so lone surrogates in them do no harm yet.
        let Envelope { id, method, params } = match serde_json::from_slice::<Envelope>(body) {
            Ok(envelope) => envelope,
            Err(error) if error.is_data() => {
                self.refuse(Value::Null, -32600, &format!("not a JSON-RPC message: {error}"));
                return false;
            }
            Err(error) => {
                self.refuse(Value::Null, -32700, &format!("not valid JSON: {error}"));
                return false;
            }
        };
        let Some(method) = method else {
            self.take_in_response(body);
            return false;
        };
        if id.is_none() && self.take_in_text(&method, params) {
            return false;
        }
        if id.is_some() && method.starts_with("$/") {
            self.refuse(id, -32601, &format!("unknown method `{method}`"));
            return false;
        }
        // `shutdown` is always answered: it is the way out of this.
        if let Some(id) = id.filter(|_| self.outgoing.is_choked() && method != "shutdown") {
            self.refuse(id, -32803, pool::UNREAD);
            return false;
        }
        if self.take_in_direct(&method, id, params) {
            return false;
        }
        match read_request(body, &method) {
            Ok((request, capabilities)) => {
                if let Some(capabilities) = capabilities {
                    *self.service.inner().raw_capabilities.lock() = capabilities;
                }
                self.call(request, id);
                let _ = self.questions.send(None);
            }
            Err(error) => {
                self.refuse(id.map_or(Value::Null, |id| json!(id)), -32600, &error.to_string())
            }
        }
        method == "exit"
    }

    /// Opened or changed text is decoded straight from the message: it may be long, and every key
    /// press waits for it. True if it was such a message.
    fn take_in_text(&self, method: &str, params: Option<&RawValue>) -> bool {
        let backend = self.service.inner();
        let known = matches!(method, "textDocument/didOpen" | "textDocument/didChange");
        // Before `initialize` was answered, and after `shutdown`, notifications are dropped.
        if !known || !backend.session.is_initialized() || backend.session.is_shut_down() {
            return known;
        }
        let params = params.map_or("null", RawValue::get);
        let done = catch_unwind(AssertUnwindSafe(|| match method {
            "textDocument/didOpen" => decode_text(params).map(|params| backend.open(params)),
            _ => decode_text(params).map(|params| backend.change(params)),
        }));
        match done {
            Ok(Ok(())) => {}
            Ok(Err(error)) => tracing::warn!("cannot parse {method}: {error}"),
            Err(_) => tracing::error!("{method} failed"),
        }
        true
    }

    /// Requests that are answered with text, and their cancellation. True if it was such a message.
    fn take_in_direct(
        &self,
        method: &str,
        id: Option<&RawValue>,
        params: Option<&RawValue>,
    ) -> bool {
        let backend = self.service.inner();
        match (method, id) {
            ("$/cancelRequest", None) => self.direct.cancel(params, &self.outgoing),
            (method, Some(id))
                if backend.session.is_initialized() && !backend.session.is_shut_down() =>
            {
                let take_in = || self.direct.take_in(backend, method, id, params);
                catch_unwind(AssertUnwindSafe(take_in)).unwrap_or_else(|_| {
                    if !self.direct.is_waiting(id) {
                        self.refuse(id, -32603, FAILED);
                    }
                    true
                })
            }
            _ => false,
        }
    }

    fn take_in_response(&mut self, body: &[u8]) {
        match decode::<Response>(body) {
            Ok(response) => drop(self.runtime.block_on(self.responses.send(response))),
            Err(error) => self.refuse(
                Value::Null,
                -32600,
                &format!("neither a request nor a response: {error}"),
            ),
        }
    }

    /// Runs the handler up to its first await; the rest continues in the background.
    fn call(&mut self, request: Request, id: Option<&RawValue>) {
        let mut context = Context::from_waker(Waker::noop());
        let service = &mut self.service;
        let first = catch_unwind(AssertUnwindSafe(|| {
            if let Poll::Ready(Err(_)) = service.poll_ready(&mut context) {
                return None;
            }
            let mut future = service.call(request);
            let polled = future.as_mut().poll(&mut context);
            Some((future, polled))
        }));
        match first {
            Ok(Some((_, Poll::Ready(Ok(Some(response)))))) => self.outgoing.send(&response),
            Ok(Some((future, Poll::Pending))) => {
                let outgoing = self.outgoing.clone();
                self.runtime.spawn(async move {
                    if let Ok(Some(response)) = future.await {
                        outgoing.send(&response);
                    }
                });
            }
            Ok(_) => {}
            Err(_) => {
                if let Some(id) = id {
                    self.refuse(id, -32603, FAILED);
                }
            }
        }
    }
}

/// Decodes JSON; if that fails, again with lone surrogates replaced.
fn decode<T: DeserializeOwned>(json: &[u8]) -> serde_json::Result<T> {
    serde_json::from_slice(json).or_else(|error| match repair_surrogates(json) {
        Some(repaired) => serde_json::from_slice(&repaired),
        None => Err(error),
    })
}

/// The same for text that is known to be UTF-8, which saves a pass over it.
pub(super) fn decode_text<T: DeserializeOwned>(json: &str) -> serde_json::Result<T> {
    serde_json::from_str(json).or_else(|_| decode(json.as_bytes()))
}

/// The request, and for `initialize` the client's capabilities, which are removed from it: no key
/// in them may keep a session from starting.
fn read_request(body: &[u8], method: &str) -> serde_json::Result<(Request, Option<Value>)> {
    if method != "initialize" {
        return Ok((decode(body)?, None));
    }
    let mut message: Value = decode(body)?;
    let capabilities = message
        .pointer_mut("/params/capabilities")
        .map(|value| std::mem::replace(value, json!({})));
    Ok((serde_json::from_value(message)?, capabilities))
}
