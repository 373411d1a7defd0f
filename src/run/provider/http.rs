//! HTTP: clients, bodies, and error messages.

use std::time::{Duration, SystemTime};

use reqwest::header::HeaderMap;
use reqwest::{Client, Response, Url};
use serde_json::Value;

use super::LONGEST_ANSWER;
use crate::run::retry;

/// The time limit of a connection.
const CONNECT: Duration = Duration::from_secs(30);

/// A client for this URL. It follows no redirects: a key is only for the server it was given to.
///
/// # Errors
/// If TLS is required and can't be set up.
pub fn client(url: &Url, timeout: Option<Duration>, headers: &HeaderMap) -> Result<Client, String> {
    // Another thread may have installed the same provider first.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let mut builder = Client::builder()
        .connect_timeout(CONNECT)
        .redirect(reqwest::redirect::Policy::none())
        .default_headers(headers.clone())
        .user_agent(concat!("agentmd/", env!("CARGO_PKG_VERSION")));
    if let Some(timeout) = timeout {
        builder = builder.timeout(timeout);
    }
    if url.scheme() == "http" {
        // A machine without certificate authorities can still reach itself.
        builder = builder.tls_certs_only([]);
    }
    builder.build().map_err(|error| format!("cannot set up TLS: {}", cause(&error)))
}

/// The URL without user, password and query.
pub fn shown(url: &Url) -> String {
    let mut url = url.clone();
    url.set_query(None);
    // These only fail for URLs that can't have either.
    let _ = url.set_username("");
    let _ = url.set_password(None);
    url.to_string()
}

/// The root cause of an error.
pub fn cause(error: &dyn std::error::Error) -> String {
    let mut error = error;
    while let Some(source) = error.source() {
        error = source;
    }
    error.to_string()
}

/// Why a body can't be read.
pub(super) enum Broken {
    TooLong,
    Http(reqwest::Error),
}

impl From<Broken> for super::Trouble {
    fn from(error: Broken) -> Self {
        match error {
            Broken::TooLong => Self::Lasting(format!(
                "the provider's answer exceeds {} MB, so it isn't a completion",
                LONGEST_ANSWER >> 20
            )),
            Broken::Http(error) => Self::Passing {
                message: format!("the provider's answer was cut off: {}", cause(&error)),
                after: None,
                reached: true,
            },
        }
    }
}

/// Reads the body of an answer.
pub(super) async fn read(response: Response) -> Result<String, Broken> {
    let mut response = response;
    let mut bytes = Vec::new();
    while let Some(chunk) = response.chunk().await.map_err(Broken::Http)? {
        if bytes.len() + chunk.len() > LONGEST_ANSWER {
            return Err(Broken::TooLong);
        }
        bytes.extend_from_slice(&chunk);
    }
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// Reads the body of a response.
///
/// # Errors
/// If it's longer than `most` bytes, or cut off.
pub async fn read_up_to(mut response: Response, most: usize) -> Result<String, String> {
    let mut bytes = Vec::new();
    while let Some(chunk) = response.chunk().await.map_err(|error| cause(&error))? {
        if bytes.len() + chunk.len() > most {
            return Err(format!("the server's answer exceeds {} MB", most >> 20));
        }
        bytes.extend_from_slice(&chunk);
    }
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// The wait that Google asks for: `{"@type": "….RetryInfo", "retryDelay": "7s"}`.
pub(super) fn retry_info(body: &Value) -> Option<Duration> {
    let body = if let Value::Array(bodies) = body { bodies.first()? } else { body };
    let details = body.pointer("/error/details")?.as_array()?;
    let delay = details.iter().find_map(|detail| detail.get("retryDelay")?.as_str())?;
    Duration::try_from_secs_f64(delay.strip_suffix('s')?.parse().ok()?).ok()
}

/// The error in a body, in the formats that providers use.
pub(super) fn error_text(body: &Value) -> Option<String> {
    let body = if let Value::Array(bodies) = body { bodies.first()? } else { body };
    let error = body.get("error").unwrap_or(body);
    let places = [Some(error), error.get("message"), error.get("detail")];
    places.into_iter().flatten().find_map(Value::as_str).map(excerpt)
}

/// The beginning of `text`, in one line.
pub fn excerpt(text: &str) -> String {
    let line = text.split_whitespace().take(80).collect::<Vec<_>>().join(" ");
    match line.char_indices().nth(300) {
        Some((end, _)) => format!("{}…", line.get(..end).unwrap_or_default()),
        None => line,
    }
}

pub(super) fn wait_for(headers: &HeaderMap) -> Option<Duration> {
    let text = |name: &str| headers.get(name).and_then(|value| value.to_str().ok());
    if let Some(millis) = text("retry-after-ms").and_then(|text| text.trim().parse::<u32>().ok()) {
        return Some(Duration::from_millis(millis.into()));
    }
    retry::retry_after(text("retry-after")?, SystemTime::now())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mdl_31_errors_are_reported_in_the_providers_words() {
        for (body, expected) in [
            (
                serde_json::json!({ "error": { "message": "no\n such model" } }),
                Some("no such model"),
            ),
            (serde_json::json!({ "error": "no" }), Some("no")),
            (serde_json::json!({ "message": "no" }), Some("no")),
            (serde_json::json!({ "detail": "no" }), Some("no")),
            (serde_json::json!([{ "error": { "message": "no" } }]), Some("no")),
            (serde_json::json!({ "a": 1 }), None),
            (serde_json::json!(3), None),
        ] {
            assert_eq!(error_text(&body).as_deref(), expected, "{body}");
        }
    }
}
