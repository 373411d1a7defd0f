//! The older transport over HTTP: events come by GET, messages go by POST to the URL in the first
//! event.

use std::collections::VecDeque;

use reqwest::header::{ACCEPT, CONTENT_TYPE};
use reqwest::{Client, Response, Url};
use rmcp::RoleClient;
use rmcp::service::{RxJsonRpcMessage, TxJsonRpcMessage};
use rmcp::transport::Transport;

use super::event::{Event, Reader};
use crate::run::provider;

/// A connection.
#[derive(Debug)]
pub struct SseTransport {
    client: Client,
    /// The URL for messages.
    endpoint: Url,
    stream: Option<Stream>,
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
        let first = stream.next().await.ok_or("it sends no events")?;
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
        Ok(Self { client, endpoint, stream: Some(stream) })
    }
}

impl Stream {
    async fn next(&mut self) -> Option<Event> {
        loop {
            if let Some(event) = self.waiting.pop_front() {
                return Some(event);
            }
            let chunk = self.response.chunk().await.ok()??;
            self.waiting.extend(self.reader.feed(&chunk).ok()?);
        }
    }
}

impl Transport<RoleClient> for SseTransport {
    type Error = SendError;

    fn send(
        &mut self,
        message: TxJsonRpcMessage<RoleClient>,
    ) -> impl Future<Output = Result<(), SendError>> + Send + 'static {
        let body = serde_json::to_vec(&message);
        let (client, endpoint) = (self.client.clone(), self.endpoint.clone());
        async move {
            let body = body.map_err(|error| SendError(error.to_string()))?;
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
            let event = self.stream.as_mut()?.next().await?;
            if event.name != "message" {
                continue;
            }
            // Not a message: ignore it.
            if let Ok(message) = serde_json::from_str(&event.data) {
                return Some(message);
            }
        }
    }

    async fn close(&mut self) -> Result<(), SendError> {
        self.stream = None;
        Ok(())
    }
}
