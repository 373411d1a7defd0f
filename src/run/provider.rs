//! The provider of a model: chat completions over HTTP, as defined by OpenAI and compatible
//! providers.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use parking_lot::Mutex;
use reqwest::header::{AUTHORIZATION, CONTENT_TYPE, HeaderMap, HeaderValue, LOCATION};
use reqwest::{Client, Url};
use serde_json::Value;

use super::duration;
use super::journal::Journal;
use super::message::{Completion, Force, Request};
use super::retry;

/// The default endpoint.
pub const DEFAULT_URL: &str = "https://api.openai.com/v1";
/// The size limit of an answer.
pub const LONGEST_ANSWER: usize = 16 << 20;
/// The time limit of a connection.
const CONNECT: Duration = Duration::from_secs(30);
/// Retry an unreachable provider less often than one that answers.
const MOST_CONNECTS: u32 = 3;

/// A provider, and what was learned about it.
#[derive(Debug)]
pub struct Provider {
    client: Client,
    url: Url,
    key: Option<HeaderValue>,
    journal: Arc<Journal>,
    /// How each model is asked for JSON, if not by its schema.
    force: Mutex<HashMap<String, Force>>,
}

/// Why a request failed.
enum Trouble {
    /// Permanent: it would be the same next time.
    Lasting(String),
    /// Possibly temporary. An unreachable provider is retried less often.
    Passing { message: String, after: Option<Duration>, reached: bool },
    /// The provider doesn't support this way of requesting JSON.
    Format(String),
}

impl Provider {
    /// A provider at a base URL, to which `/chat/completions` is appended.
    ///
    /// # Errors
    /// If the URL or the key is invalid, or if TLS can't be set up.
    pub fn new(
        base: &str,
        key: Option<&str>,
        timeout: Duration,
        journal: Arc<Journal>,
    ) -> Result<Self, String> {
        let url = endpoint(base)?;
        if let Some(password) = url.password() {
            journal.keep_secret(password);
        }
        let key = key.map(str::trim).filter(|key| !key.is_empty());
        let header = match key {
            Some(key) => {
                journal.keep_secret(key);
                let mut value = HeaderValue::try_from(format!("Bearer {key}")).map_err(|_| {
                    "the API key contains an invalid character; was a line break \
                        copied along?"
                        .to_owned()
                })?;
                value.set_sensitive(true);
                Some(value)
            }
            None => None,
        };
        Ok(Self {
            client: client(&url, Some(timeout))?,
            url,
            key: header,
            journal,
            force: Mutex::default(),
        })
    }

    /// The endpoint, without secrets.
    pub fn shown(&self) -> String {
        shown(&self.url)
    }

    /// Sends a request, with retries, within `remaining`.
    ///
    /// # Errors
    /// If no answer arrives.
    pub async fn complete(
        &self,
        request: &Request<'_>,
        remaining: Duration,
    ) -> Result<Completion, String> {
        let deadline = std::time::Instant::now() + remaining;
        let mut retries = 0;
        loop {
            let force = self.force(request.model);
            let (message, after, most) = match self.ask(&request.body(force)).await {
                Ok(completion) => return Ok(completion),
                Err(Trouble::Lasting(message)) => return Err(message),
                Err(Trouble::Format(message)) => match force.weaker() {
                    Some(weaker) => {
                        self.journal.debug(|| {
                            format!("{message}; asking with {weaker:?} instead of {force:?}")
                        });
                        self.remember(request.model, weaker);
                        continue;
                    }
                    None => return Err(message),
                },
                Err(Trouble::Passing { message, after, reached }) => {
                    (message, after, if reached { retry::MOST_RETRIES } else { MOST_CONNECTS })
                }
            };
            if retries >= most {
                return Err(format!("{message}; giving up after {most} retries"));
            }
            let wait = after.unwrap_or_else(|| retry::back_off(retries));
            retries += 1;
            if wait >= deadline.saturating_duration_since(std::time::Instant::now()) {
                return Err(format!(
                    "{message}; the next retry would be in {}, after the run's time limit",
                    duration::format(wait)
                ));
            }
            self.journal.warn(&format!(
                "{message}; retrying in {} ({retries} of {most})",
                duration::format(wait)
            ));
            tokio::time::sleep(wait).await;
        }
    }

    fn force(&self, model: &str) -> Force {
        self.force.lock().get(model).copied().unwrap_or(Force::Schema)
    }

    fn remember(&self, model: &str, force: Force) {
        self.force.lock().insert(model.to_owned(), force);
    }

    async fn ask(&self, body: &Value) -> Result<Completion, Trouble> {
        let has_format = body.get("response_format").is_some();
        let body = body.to_string();
        self.journal.debug(|| format!("POST {} {body}", self.shown()));
        let mut request =
            self.client.post(self.url.clone()).header(CONTENT_TYPE, "application/json").body(body);
        if let Some(key) = &self.key {
            request = request.header(AUTHORIZATION, key.clone());
        }
        let response = request.send().await.map_err(|error| self.unreached(&error))?;
        let (status, headers) = (response.status(), response.headers().clone());
        let text = read(response).await.map_err(|error| match error {
            Broken::TooLong => Trouble::Lasting(format!(
                "the provider's answer exceeds {} MB, so it isn't a completion",
                LONGEST_ANSWER >> 20
            )),
            Broken::Http(error) => Trouble::Passing {
                message: format!("the provider's answer was cut off: {}", cause(&error)),
                after: None,
                reached: true,
            },
        })?;
        self.journal.debug(|| format!("HTTP {} {text}", status.as_u16()));
        let value: Option<Value> = serde_json::from_str(&text).ok();
        if status.is_success() {
            if let Some(completion) = value.as_ref().and_then(Completion::read) {
                return Ok(completion);
            }
            // Some providers report errors this late.
            if let Some(error) =
                value.as_ref().and_then(|value| value.get("error")).filter(|error| !error.is_null())
            {
                let code = error
                    .get("code")
                    .and_then(Value::as_u64)
                    .and_then(|code| u16::try_from(code).ok())
                    .unwrap_or(400);
                return Err(self.refused(code, &headers, value.as_ref(), &text, has_format));
            }
            let message = format!(
                "{} answered with `{}` instead of a chat completion; check `--base-url`, which \
                    often ends in `/v1`",
                self.shown(),
                excerpt(&text)
            );
            return Err(Trouble::Lasting(message));
        }
        Err(self.refused(status.as_u16(), &headers, value.as_ref(), &text, has_format))
    }

    fn unreached(&self, error: &reqwest::Error) -> Trouble {
        if error.is_builder() || error.is_redirect() {
            return Trouble::Lasting(format!("cannot ask the provider: {}", cause(error)));
        }
        let reason = cause(error);
        if reason.contains("certificate") {
            return Trouble::Lasting(format!(
                "{} is not trusted: {reason}; `SSL_CERT_FILE` can name the certificate of its \
                    authority",
                self.shown()
            ));
        }
        let message = match error.is_timeout() {
            true => format!("{} did not answer in time", self.shown()),
            false => format!("cannot reach {}: {reason}", self.shown()),
        };
        Trouble::Passing { message, after: None, reached: !error.is_connect() }
    }

    fn refused(
        &self,
        status: u16,
        headers: &HeaderMap,
        body: Option<&Value>,
        text: &str,
        has_format: bool,
    ) -> Trouble {
        let said = body.and_then(error_text).unwrap_or_else(|| excerpt(text));
        let said = if said.is_empty() {
            String::new()
        } else {
            format!(": {}", said.trim_end_matches('.'))
        };
        let plain = format!("the provider answered {status}{said}");
        let lower = text.to_ascii_lowercase();
        match status {
            300..=399 => {
                let to = headers
                    .get(LOCATION)
                    .and_then(|to| to.to_str().ok())
                    .unwrap_or("another place");
                Trouble::Lasting(format!(
                    "{} redirects to {to}; use that as `--base-url` if you trust it",
                    self.shown()
                ))
            }
            400 | 422
                if has_format
                    && ["response_format", "json_schema", "json_object", "structured output"]
                        .iter()
                        .any(|word| lower.contains(word)) =>
            {
                Trouble::Format(plain)
            }
            401 | 403 => {
                let advice = match self.key {
                    Some(_) => "is `OPENAI_API_KEY` or `--api-key` the right key for it?",
                    None => "set `OPENAI_API_KEY`, or use `--api-key`",
                };
                Trouble::Lasting(format!(
                    "{} rejected the key ({status}){said}; {advice}",
                    self.shown()
                ))
            }
            404 => Trouble::Lasting(format!(
                "{} was not found ({status}){said}; check `--base-url` and the model",
                self.shown()
            )),
            // Waiting doesn't refill an account.
            429 if lower.contains("insufficient_quota") => Trouble::Lasting(plain),
            _ if retry::is_transient(status) => {
                Trouble::Passing { message: plain, after: wait_for(headers), reached: true }
            }
            _ => Trouble::Lasting(plain),
        }
    }
}

/// A client for this URL. It follows no redirects: a key is only for the server it was given to.
///
/// # Errors
/// If TLS is required and can't be set up.
pub fn client(url: &Url, timeout: Option<Duration>) -> Result<Client, String> {
    // Another thread may have installed the same provider first.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let mut builder = Client::builder()
        .connect_timeout(CONNECT)
        .redirect(reqwest::redirect::Policy::none())
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
    // Only URLs that can have neither refuse.
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

fn endpoint(base: &str) -> Result<Url, String> {
    let wrong = |reason: &str| format!("`{base}` is not a valid base URL: {reason}");
    let mut url = Url::parse(base.trim()).map_err(|error| wrong(&error.to_string()))?;
    if !matches!(url.scheme(), "http" | "https") || !url.has_host() {
        return Err(wrong("it must begin with `https://` or `http://`"));
    }
    let path = url.path().trim_end_matches('/').to_owned();
    if !path.ends_with("/chat/completions") {
        url.set_path(&format!("{path}/chat/completions"));
    }
    Ok(url)
}

enum Broken {
    TooLong,
    Http(reqwest::Error),
}

async fn read(mut response: reqwest::Response) -> Result<String, Broken> {
    let mut bytes = Vec::new();
    while let Some(chunk) = response.chunk().await.map_err(Broken::Http)? {
        if bytes.len() + chunk.len() > LONGEST_ANSWER {
            return Err(Broken::TooLong);
        }
        bytes.extend_from_slice(&chunk);
    }
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// The error in a body, in the formats that providers use.
fn error_text(body: &Value) -> Option<String> {
    let body = if let Value::Array(bodies) = body { bodies.first()? } else { body };
    let error = body.get("error").unwrap_or(body);
    let places = [Some(error), error.get("message"), error.get("detail")];
    places.into_iter().flatten().find_map(Value::as_str).map(excerpt)
}

/// The beginning of a text, in one line.
pub fn excerpt(text: &str) -> String {
    let line = text.split_whitespace().take(80).collect::<Vec<_>>().join(" ");
    match line.char_indices().nth(300) {
        Some((end, _)) => format!("{}…", line.get(..end).unwrap_or_default()),
        None => line,
    }
}

fn wait_for(headers: &HeaderMap) -> Option<Duration> {
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
    fn mdl_27_the_base_url_may_end_with_or_without_a_slash() {
        for (base, expected) in [
            ("https://api.openai.com/v1", "https://api.openai.com/v1/chat/completions"),
            ("https://api.openai.com/v1/", "https://api.openai.com/v1/chat/completions"),
            (
                "http://localhost:11434/v1/chat/completions",
                "http://localhost:11434/v1/chat/completions",
            ),
            ("http://localhost", "http://localhost/chat/completions"),
            ("https://host/v1?api-version=1", "https://host/v1/chat/completions?api-version=1"),
        ] {
            assert_eq!(endpoint(base).map(|url| url.to_string()), Ok(expected.to_owned()));
        }
        for wrong in ["", "localhost:8080", "ftp://host/v1", "file:///etc/passwd", "https://"] {
            assert!(endpoint(wrong).is_err(), "{wrong}");
        }
        assert_eq!(
            shown(&endpoint("https://me:secret@host/v1?key=1").unwrap()),
            "https://host/v1/chat/completions"
        );
    }

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
