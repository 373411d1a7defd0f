//! The older transport over HTTP: events come by GET, messages go by POST to the URL in the first
//! event.

use std::collections::VecDeque;
use std::sync::Arc;

use parking_lot::Mutex;
use reqwest::header::{ACCEPT, CONTENT_TYPE};
use reqwest::{Client, Response, Url};
use rmcp::RoleClient;
use rmcp::service::{RxJsonRpcMessage, TxJsonRpcMessage};
use rmcp::transport::Transport;

use super::event::{Event, Reader};
use super::inbox::Inbox;
use crate::run::provider;

/// A connection.
#[derive(Debug)]
pub struct SseTransport {
    client: Client,
    /// The URL for messages.
    endpoint: Url,
    stream: Option<Stream>,
    inbox: Arc<Mutex<Inbox>>,
    waiting: VecDeque<RxJsonRpcMessage<RoleClient>>,
}

#[derive(Debug)]
struct Stream {
    response: Response,
    reader: Reader,
    waiting: VecDeque<Event>,
}

/// Why a message failed.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct SendError(String);

impl SseTransport {
    /// Connects, and waits for the URL for messages.
    ///
    /// # Errors
    /// If the server can't be reached.
    pub async fn connect(client: Client, url: Url) -> Result<Self, String> {
        let response = client
            .get(url.clone())
            .header(ACCEPT, "text/event-stream")
            .send()
            .await
            .map_err(|error| provider::cause(&error))?;
        if !response.status().is_success() {
            return Err(format!("it answers {}", response.status()));
        }
        let kind = response
            .headers()
            .get(CONTENT_TYPE)
            .and_then(|kind| kind.to_str().ok())
            .unwrap_or("nothing");
        if !kind.starts_with("text/event-stream") {
            return Err(format!("it answers with {kind} instead of events"));
        }
        let mut stream = Stream { response, reader: Reader::default(), waiting: VecDeque::new() };
        let first = match stream.next().await {
            Next::Event(first) => first,
            Next::TooLong | Next::End => return Err("it sends no events".to_owned()),
        };
        if first.name != "endpoint" {
            return Err(format!("its first event is `{}`, not `endpoint`", first.name));
        }
        let endpoint = url
            .join(first.data.trim())
            .map_err(|error| format!("its URL for messages is invalid: {error}"))?;
        // A server may only name itself.
        if endpoint.origin() != url.origin() {
            return Err(format!(
                "it redirects messages to another server, {}",
                provider::shown(&endpoint)
            ));
        }
        let (inbox, waiting) = (Arc::default(), VecDeque::new());
        Ok(Self { client, endpoint, stream: Some(stream), inbox, waiting })
    }
}

/// What comes next from a server.
enum Next {
    Event(Event),
    TooLong,
    End,
}

impl Stream {
    async fn next(&mut self) -> Next {
        loop {
            if let Some(event) = self.waiting.pop_front() {
                return Next::Event(event);
            }
            let Ok(Some(chunk)) = self.response.chunk().await else { return Next::End };
            match self.reader.feed(&chunk) {
                Ok(events) => self.waiting.extend(events),
                Err(_) => return Next::TooLong,
            }
        }
    }
}

impl Transport<RoleClient> for SseTransport {
    type Error = SendError;

    fn send(
        &mut self,
        message: TxJsonRpcMessage<RoleClient>,
    ) -> impl Future<Output = Result<(), SendError>> + Send + 'static {
        let body = serde_json::to_value(&message);
        if let Ok(body) = &body {
            self.inbox.lock().sent(body);
        }
        let (client, endpoint) = (self.client.clone(), self.endpoint.clone());
        async move {
            let body = body.map_err(|error| SendError(error.to_string()))?.to_string();
            let sent = client
                .post(endpoint)
                .header(CONTENT_TYPE, "application/json")
                .body(body)
                .send()
                .await;
            let response = sent.map_err(|error| SendError(provider::cause(&error)))?;
            match response.status() {
                status if status.is_success() => Ok(()),
                status => Err(SendError(format!("it answers {status}"))),
            }
        }
    }

    async fn receive(&mut self) -> Option<RxJsonRpcMessage<RoleClient>> {
        loop {
            if let Some(message) = self.waiting.pop_front() {
                return Some(message);
            }
            match self.stream.as_mut()?.next().await {
                // Not a message: ignore it.
                Next::Event(event) if event.name == "message" => {
                    self.waiting.extend(self.inbox.lock().read(event.data.as_bytes()));
                }
                Next::Event(_) => {}
                // What follows can't be read.
                Next::TooLong => {
                    self.stream = None;
                    self.waiting.extend(self.inbox.lock().too_long(b"", b""));
                }
                Next::End => return None,
            }
        }
    }

    async fn close(&mut self) -> Result<(), SendError> {
        self.stream = None;
        Ok(())
    }
}
