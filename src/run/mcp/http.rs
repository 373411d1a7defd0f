//! Streamable HTTP by the protocol's library, except for the answers to calls of tools: those are
//! read as leniently as over other transports.

use std::collections::HashMap;
use std::sync::Arc;

use futures_util::StreamExt;
use futures_util::stream::BoxStream;
use reqwest::Client;
use reqwest::header::{ACCEPT, CONTENT_TYPE, HeaderName, HeaderValue};
use rmcp::model::ClientJsonRpcMessage;
use rmcp::transport::streamable_http_client::{
    SseError, StreamableHttpClient, StreamableHttpError, StreamableHttpPostResponse,
};
use serde_json::Value;
use sse_stream::Sse;

use super::event::Reader;
use super::inbox;
use crate::run::provider;

/// A client for one server.
#[derive(Debug, Clone)]
pub struct Lenient(pub Client);

type Failure = StreamableHttpError<reqwest::Error>;

impl StreamableHttpClient for Lenient {
    type Error = reqwest::Error;

    async fn post_message(
        &self,
        uri: Arc<str>,
        message: ClientJsonRpcMessage,
        session_id: Option<Arc<str>>,
        auth_header: Option<String>,
        custom_headers: HashMap<HeaderName, HeaderValue>,
    ) -> Result<StreamableHttpPostResponse, Failure> {
        let body = serde_json::to_value(&message)?;
        let is_call = body.get("method").and_then(Value::as_str) == Some("tools/call");
        let Some(id) = body.get("id").and_then(Value::as_i64).filter(|_| is_call) else {
            let client = &self.0;
            return client
                .post_message(uri, message, session_id, auth_header, custom_headers)
                .await;
        };
        let mut request = self
            .0
            .post(uri.as_ref())
            .header(ACCEPT, "text/event-stream, application/json")
            .header(CONTENT_TYPE, "application/json");
        for (name, value) in custom_headers {
            request = request.header(name, value);
        }
        if let Some(session) = &session_id {
            request = request.header("mcp-session-id", session.as_ref());
        }
        let response = request.body(body.to_string()).send().await?;
        let status = response.status();
        if status == reqwest::StatusCode::NOT_FOUND && session_id.is_some() {
            return Err(StreamableHttpError::SessionExpired);
        }
        let kind = response.headers().get(CONTENT_TYPE).and_then(|kind| kind.to_str().ok());
        if status.is_success() && kind.is_some_and(|kind| kind.starts_with("text/event-stream")) {
            return Ok(StreamableHttpPostResponse::Sse(events(response, id), None));
        }
        let answer = match provider::read_up_to(response, inbox::LONGEST).await {
            Ok(text) if status.is_success() => inbox::Inbox::default().answer(id, &text),
            Ok(text) => inbox::failure(
                id,
                &format!("the server answered {status}: {}", provider::excerpt(&text)),
            ),
            Err(error) => inbox::failure(id, &error),
        };
        match answer {
            Some(message) => Ok(StreamableHttpPostResponse::Json(message, None)),
            None => Err(StreamableHttpError::UnexpectedEndOfStream),
        }
    }

    async fn delete_session(
        &self,
        uri: Arc<str>,
        session_id: Arc<str>,
        auth_header: Option<String>,
        custom_headers: HashMap<HeaderName, HeaderValue>,
    ) -> Result<(), Failure> {
        self.0.delete_session(uri, session_id, auth_header, custom_headers).await
    }

    async fn get_stream(
        &self,
        uri: Arc<str>,
        session_id: Option<Arc<str>>,
        last_event_id: Option<String>,
        auth_header: Option<String>,
        custom_headers: HashMap<HeaderName, HeaderValue>,
    ) -> Result<BoxStream<'static, Result<Sse, SseError>>, Failure> {
        self.0.get_stream(uri, session_id, last_event_id, auth_header, custom_headers).await
    }
}

/// The events of an answer. If it's too long or cut off, the last one is the error of the request.
fn events(response: reqwest::Response, id: i64) -> BoxStream<'static, Result<Sse, SseError>> {
    let state = Some((response, Reader::default(), false));
    let batches = futures_util::stream::unfold(state, move |state| async move {
        let (mut response, mut reader, answered) = state?;
        let fail = |message: &str| {
            let error = inbox::failure(id, message)
                .and_then(|error| serde_json::to_string(&error).ok())
                .unwrap_or_default();
            Some((vec![error], None))
        };
        match response.chunk().await {
            Ok(Some(chunk)) => match reader.feed(&chunk) {
                Ok(found) => {
                    let texts: Vec<String> = found
                        .into_iter()
                        .filter(|event| event.name == "message")
                        .map(|event| repaired(event.data))
                        .collect();
                    let answered = answered || texts.iter().any(|text| answers(text, id));
                    Some((texts, Some((response, reader, answered))))
                }
                Err(_) => fail(&inbox::too_long()),
            },
            Ok(None) if answered => None,
            Ok(None) => fail("the server ended the connection without an answer"),
            Err(_) if answered => None,
            Err(error) => fail(&provider::cause(&error)),
        }
    });
    batches
        .flat_map(|texts| {
            futures_util::stream::iter(
                texts.into_iter().map(|text| Ok(Sse { data: Some(text), ..Sse::default() })),
            )
        })
        .boxed()
}

fn answers(text: &str, id: i64) -> bool {
    serde_json::from_str::<Value>(text).is_ok_and(|value| {
        value.get("method").is_none() && value.get("id").and_then(Value::as_i64) == Some(id)
    })
}

fn repaired(text: String) -> String {
    match serde_json::from_str::<Value>(&text) {
        Ok(mut value) => {
            inbox::repair(&mut value);
            value.to_string()
        }
        Err(_) => text,
    }
}
