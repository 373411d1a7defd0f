//! The providers of models: which one a model has, and requests over HTTP, with retries.
//!
//! Each API is in its own file and knows only JSON: [`chat`], [`responses`], [`anthropic`],
//! [`gemini`], [`ollama`]. [`api`] is their common interface.

pub mod anthropic;
pub mod api;
pub mod chat;
pub mod gemini;
mod http;
pub mod ollama;
pub mod responses;

use std::collections::HashMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use parking_lot::Mutex;
use reqwest::header::{AUTHORIZATION, CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue, LOCATION};
use reqwest::{Client, Response, Url};
use serde_json::{Value, json};

use super::duration;
use super::journal::Journal;
use super::mcp::Reader;
use super::message::{Completion, Force, Request};
use super::retry;
use super::secret::{self, Secret};
use super::tape::{self, Tape};
use api::{APIS, Api, Keys};
use http::{Broken, error_text, read, retry_info, wait_for};
pub use http::{cause, client, excerpt, read_up_to, shown};

/// Why a recorded run ends: if the secret was hidden, replaying the reply would end differently.
const SECRET_REPLY: &str = "the reply contains a secret, a key or a password, so it can't be recorded; \
    keep it from the model, or run without recording";
/// The size limit of an answer.
pub const LONGEST_ANSWER: usize = 16 << 20;
/// Retry an unreachable provider less often than one that answers.
const MOST_CONNECTS: u32 = 3;
/// The shortest time between two progress reports.
const GLANCE: Duration = Duration::from_millis(100);

/// How to reach providers.
#[derive(Debug, Clone, Default)]
pub struct Settings {
    /// The API for all models, by name.
    pub provider: Option<String>,
    pub base_url: Option<String>,
    pub key: Option<String>,
    /// The time limit of one answer.
    pub timeout: Duration,
}

/// The providers of a run, and the facts learned about each model.
#[derive(Debug)]
pub struct Provider {
    settings: Settings,
    journal: Arc<Journal>,
    endpoints: Mutex<HashMap<&'static str, Arc<Endpoint>>>,
    /// How each model is made to reply in JSON, if not by a schema.
    force: Mutex<HashMap<String, Force>>,
    tape: Option<Tape>,
}

/// One API at one place.
#[derive(Debug)]
struct Endpoint {
    api: &'static Api,
    client: Client,
    base: Url,
    key: Option<HeaderValue>,
    /// It is the API's own place, not a compatible one.
    is_default: bool,
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

fn from_environment(names: &[&str]) -> Option<String> {
    let mut values = names.iter().filter_map(|name| std::env::var(name).ok());
    values.find(|value| !value.trim().is_empty())
}

impl Provider {
    /// # Errors
    /// If the settings are invalid.
    pub fn new(
        settings: Settings,
        journal: Arc<Journal>,
        tape: Option<Tape>,
    ) -> Result<Self, String> {
        // Keys that aren't used may still be printed by other programs.
        for name in APIS.iter().flat_map(|api| api.key_variables) {
            let key = from_environment(&[name]);
            journal.keep_secrets(key.iter().map(|key| Secret::named(key.trim())));
        }
        for (name, value) in std::env::vars_os() {
            if let (Some(name), Some(value)) = (name.to_str(), value.to_str())
                && value.len() >= 8
                && !value.starts_with('/')
                && secret::is_secret_name(name)
            {
                journal.keep_secrets([Secret::named(value)]);
            }
        }
        journal.keep_secrets(settings.key.iter().map(|key| Secret::named(key.trim())));
        if let Some(name) = &settings.provider
            && api::named(name).is_none()
        {
            let names: Vec<&str> = APIS.iter().map(|api| api.name).collect();
            let near = crate::suggestion::closest(name, names.iter().copied());
            return Err(format!(
                "unknown provider `{name}`; use `{}`{}",
                names.join("`, `"),
                crate::suggestion::did_you_mean(near)
            ));
        }
        let provider =
            Self { settings, journal, endpoints: Mutex::default(), force: Mutex::default(), tape };
        if let Some(base) = &provider.settings.base_url {
            endpoint(base, &chat::CHAT)?;
        }
        Ok(provider)
    }

    /// The recording that is written or read.
    pub fn tape(&self) -> Option<&Tape> {
        self.tape.as_ref()
    }

    /// The API of a model, and the model's name there.
    pub fn choose<'a>(&self, model: &'a str) -> (&'static Api, &'a str) {
        let (suggested, bare) = api::of_model(model);
        let chosen = self.settings.provider.as_deref().and_then(api::named);
        let compatible = self.settings.base_url.is_some()
            || from_environment(chat::CHAT.url_variables).is_some();
        // A compatible server has models of all vendors, with slashes in their names.
        let chosen = chosen.or((compatible && chosen.is_none()).then_some(&chat::CHAT));
        let chosen = chosen
            .or_else(|| from_environment(&["AGENTMD_PROVIDER"]).as_deref().and_then(api::named));
        match chosen {
            None => (suggested, bare),
            Some(api) if std::ptr::eq(api, suggested) && self.settings.base_url.is_none() => {
                (api, if compatible { model } else { bare })
            }
            Some(api) => (api, model),
        }
    }

    /// Whether requests to a model can be sent.
    ///
    /// # Errors
    /// If not: for example because its key is missing.
    pub fn check(&self, model: &str) -> Result<(), String> {
        if matches!(self.tape, Some(Tape::Replay(_))) {
            return Ok(());
        }
        self.endpoint(self.choose(model).0).map(|_| ())
    }

    /// The URL that a model's requests go to, without secrets.
    pub fn shown(&self, model: &str) -> String {
        match self.endpoint(self.choose(model).0) {
            Ok(endpoint) => shown(&endpoint.base),
            Err(reason) => reason,
        }
    }

    fn endpoint(&self, api: &'static Api) -> Result<Arc<Endpoint>, String> {
        if let Some(known) = self.endpoints.lock().get(api.name) {
            return Ok(Arc::clone(known));
        }
        let other = self.settings.base_url.clone().or_else(|| from_environment(api.url_variables));
        let base = endpoint(other.as_deref().unwrap_or(api.url), api)?;
        if let Some(password) = base.password() {
            self.journal.keep_secrets([Secret::named(password)]);
        }
        let key = self.settings.key.clone().or_else(|| from_environment(api.key_variables));
        let key = key.as_deref().map(str::trim).filter(|key| !key.is_empty());
        if key.is_none() && other.is_none() && api.needs_key {
            return Err(format!(
                "missing key for {}; set `{}`, or name another provider with `--base-url`",
                api.title,
                api.key_variables.join("` or `")
            ));
        }
        let value = match (key, api.keys) {
            (None, _) => None,
            (Some(key), Keys::Bearer) => Some(format!("Bearer {key}")),
            (Some(key), Keys::Header { .. }) => Some(key.to_owned()),
        };
        let key = value
            .map(|value| {
                let mut value = HeaderValue::try_from(value).map_err(
                    |_| "the API key contains an invalid character; was a line break copied along?",
                )?;
                value.set_sensitive(true);
                Ok::<_, &str>(value)
            })
            .transpose()?;
        let client = client(&base, Some(self.settings.timeout), &HeaderMap::new())?;
        let is_default = other.is_none();
        let made = Arc::new(Endpoint { api, client, base, key, is_default });
        self.endpoints.lock().insert(api.name, Arc::clone(&made));
        Ok(made)
    }

    /// Sends a request, with retries, within `remaining`. `number` is its name in recordings.
    ///
    /// # Errors
    /// If no answer arrives, or if it differs from the recording.
    pub async fn complete(
        &self,
        request: &Request<'_>,
        number: &str,
        remaining: Duration,
    ) -> Result<Completion, String> {
        if let Some(Tape::Replay(replay)) = &self.tape {
            return self.replay(request, number, replay);
        }
        let (api, model) = self.choose(request.model);
        let endpoint = self.endpoint(api)?;
        for key in api.unsupported {
            if *key == "seed" && request.config.seed.is_some() {
                self.journal.warn(&format!("{} has no `{key}`; it isn't sent", api.title));
            }
        }
        let request = Request { model, ..*request };
        let answer = self.ask_again(&endpoint, &request, remaining).await;
        if let Some(Tape::Record(record)) = &self.tape {
            let force = self.force(&request, api);
            let mut body = (api.call)(&request, force, false, endpoint.is_default).body;
            self.journal.hide_in(&mut body);
            record.write(
                &format!("{number}.request.json"),
                &json!({ "api": api.name, "model": model, "format": force.name(), "default": endpoint.is_default, "body": body }),
            )?;
            let reply = match &answer {
                Ok((_, body)) if self.journal.is_secret_in(body) => {
                    record.discard();
                    return Err(SECRET_REPLY.to_owned());
                }
                Ok((_, body)) => json!({ "body": body }),
                Err(error) => json!({ "error": self.journal.hidden(error) }),
            };
            record.write(&format!("{number}.reply.json"), &reply)?;
        }
        answer.map(|(completion, _)| completion)
    }

    fn replay(
        &self,
        request: &Request,
        number: &str,
        replay: &tape::Replay,
    ) -> Result<Completion, String> {
        let name = format!("{number}.request.json");
        let recorded = replay.read(&name)?;
        let text = |name: &str| recorded.get(name).and_then(Value::as_str).unwrap_or_default();
        let api = api::named(text("api"))
            .ok_or_else(|| replay.unfit(format!("{} names no provider", replay.shown(&name))))?;
        // The model's name without its prefix, if it had one.
        let model = match api::of_model(request.model) {
            (_, bare) if bare == text("model") => bare,
            _ => request.model,
        };
        let request = Request { model, ..*request };
        let is_default = recorded.get("default").and_then(Value::as_bool).unwrap_or_default();
        let call = (api.call)(&request, Force::named(text("format")), false, is_default);
        let now = json!({ "model": model, "body": call.body });
        let before = json!({ "model": text("model"), "body": recorded.get("body") });
        replay.compare(&name, &before, &now)?;
        self.journal.debug(|| format!("recorded request {number}: {}", call.body));
        let reply = replay.read(&format!("{number}.reply.json"))?;
        self.journal
            .debug(|| format!("recorded reply {number}: {}", reply.get("body").unwrap_or(&reply)));
        if let Some(error) = reply.get("error").and_then(Value::as_str) {
            return Err(error.to_owned());
        }
        let body = reply.get("body").unwrap_or(&Value::Null);
        (api.read)(body).ok_or_else(|| {
            let name = replay.shown(&format!("{number}.reply.json"));
            replay.unfit(format!("{name} is not an answer of a model"))
        })
    }

    async fn ask_again(
        &self,
        endpoint: &Endpoint,
        request: &Request<'_>,
        remaining: Duration,
    ) -> Result<(Completion, Value), String> {
        let deadline = Instant::now() + remaining;
        let mut retries = 0;
        loop {
            let force = self.force(request, endpoint.api);
            let (message, after, most) = match self.ask(endpoint, request, force).await {
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
            if wait >= deadline.saturating_duration_since(Instant::now()) {
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

    fn force(&self, request: &Request, _: &Api) -> Force {
        self.force.lock().get(request.model).copied().unwrap_or(Force::Schema)
    }

    fn remember(&self, model: &str, force: Force) {
        self.force.lock().insert(model.to_owned(), force);
    }

    async fn ask(
        &self,
        endpoint: &Endpoint,
        request: &Request<'_>,
        force: Force,
    ) -> Result<(Completion, Value), Trouble> {
        let streams = self.journal.shows_progress() && self.tape.is_none();
        let api = endpoint.api;
        let call = (api.call)(request, force, streams, endpoint.is_default);
        let url = endpoint.url(&call.path);
        let has_format = force != Force::Nothing;
        let body = call.body.to_string();
        self.journal.debug(|| format!("POST {} {body}", shown(&url)));
        let mut post =
            endpoint.client.post(url.clone()).header(CONTENT_TYPE, "application/json").body(body);
        if let Keys::Header { more, .. } = api.keys {
            for (name, value) in more {
                post = post.header(*name, *value);
            }
        }
        if let Some(key) = &endpoint.key {
            let name = match api.keys {
                Keys::Bearer => AUTHORIZATION,
                Keys::Header { name, .. } => HeaderName::from_static(name),
            };
            post = post.header(name, key.clone());
        }
        let response = post.send().await.map_err(|error| unreached(&url, &error))?;
        let (status, headers) = (response.status(), response.headers().clone());
        let kind = headers.get(CONTENT_TYPE).and_then(|kind| kind.to_str().ok());
        let is_stream = kind.is_some_and(|kind| {
            kind.starts_with("text/event-stream") || kind.starts_with("application/x-ndjson")
        });
        let refused = |status, value: Option<&Value>, text: &str| {
            endpoint.refused(&url, status, &headers, value, text, has_format)
        };
        let value = if is_stream && status.is_success() {
            let whole = self.assemble(response, api, request.model).await?;
            self.journal.debug(|| format!("HTTP {} {whole}", status.as_u16()));
            Some(whole)
        } else {
            let text = read(response).await.map_err(Trouble::from)?;
            self.journal.debug(|| format!("HTTP {} {text}", status.as_u16()));
            let value: Option<Value> = serde_json::from_str(&text).ok();
            if !status.is_success() {
                return Err(refused(status.as_u16(), value.as_ref(), &text));
            }
            match value {
                Some(value) => Some(value),
                None => return Err(Trouble::Lasting(endpoint.strange(&url, &text))),
            }
        };
        let value = value.unwrap_or_default();
        // Some providers only report errors here.
        if let Some(error) = value.get("error").filter(|error| !error.is_null()) {
            let error = error.get("error").unwrap_or(error);
            let code = error.get("code").and_then(Value::as_u64);
            let code =
                code.and_then(|code| u16::try_from(code).ok()).unwrap_or_else(|| {
                    match error.get("type").and_then(Value::as_str) {
                        Some("overloaded_error") => 529,
                        Some("rate_limit_error" | "rate_limit_exceeded") => 429,
                        Some("api_error" | "server_error") => 500,
                        _ => 400,
                    }
                });
            if (api.read)(&value).is_none() || is_stream {
                return Err(refused(code, Some(&value), &value.to_string()));
            }
        }
        match (api.read)(&value) {
            Some(completion) => Ok((completion, value)),
            None => Err(Trouble::Lasting(endpoint.strange(&url, &value.to_string()))),
        }
    }

    /// Reads a stream to its end, with progress.
    async fn assemble(
        &self,
        mut response: Response,
        api: &Api,
        model: &str,
    ) -> Result<Value, Trouble> {
        let mut stream = (api.stream)();
        let mut reader = Reader::default();
        let (mut bytes, mut characters, mut told) = (0, 0, Instant::now());
        loop {
            let chunk = match response.chunk().await {
                Ok(Some(chunk)) => chunk,
                Ok(None) => break,
                Err(error) => return Err(Trouble::from(Broken::Http(error))),
            };
            bytes += chunk.len();
            if bytes > LONGEST_ANSWER {
                return Err(Trouble::from(Broken::TooLong));
            }
            let events = match api.lines {
                true => reader.lines(&chunk),
                false => reader.feed(&chunk),
            };
            for event in events.map_err(|_| Trouble::from(Broken::TooLong))? {
                characters += stream.event(&event).unwrap_or_default();
            }
            if told.elapsed() >= GLANCE {
                told = Instant::now();
                self.journal.progress(|| format!("{model}: {characters} characters"));
            }
        }
        stream.whole().ok_or_else(|| Trouble::Passing {
            message: "the provider's answer was cut off: the stream ended early".to_owned(),
            after: None,
            reached: true,
        })
    }
}

impl Endpoint {
    fn url(&self, path: &str) -> Url {
        let mut url = self.base.clone();
        let (path, query) =
            path.split_once('?').map_or((path, None), |(path, query)| (path, Some(query)));
        let base = url.path().trim_end_matches('/').to_owned();
        if !self.api.endings.iter().any(|ending| base.ends_with(ending)) {
            url.set_path(&format!("{base}{path}"));
        }
        if let Some(query) = query {
            let both = url.query().map_or(query.to_owned(), |own| format!("{own}&{query}"));
            url.set_query(Some(&both));
        }
        url
    }

    fn strange(&self, url: &Url, text: &str) -> String {
        let (what, advice) = match self.api.name {
            "openai" => ("a chat completion", ", which often ends in `/v1`"),
            _ => ("a completion", " and `--provider`"),
        };
        format!(
            "{} answered with `{}` instead of {what}; check `--base-url`{advice}",
            shown(url),
            excerpt(text)
        )
    }

    fn refused(
        &self,
        url: &Url,
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
                    shown(url)
                ))
            }
            400 | 422 if has_format && FORMAT_WORDS.iter().any(|word| lower.contains(word)) => {
                Trouble::Format(plain)
            }
            401 | 403 => {
                let name = self.api.key_variables.first().copied().unwrap_or_default();
                let advice = match self.key {
                    Some(_) => format!("is `{name}` or `--api-key` the right key for it?"),
                    None => format!("set `{name}`, or use `--api-key`"),
                };
                Trouble::Lasting(format!(
                    "{} rejected the key ({status}){said}; {advice}",
                    shown(url)
                ))
            }
            404 => Trouble::Lasting(format!(
                "{} was not found ({status}){said}; check `--base-url` and the model",
                shown(url)
            )),
            // Waiting doesn't refill an account.
            429 if lower.contains("insufficient_quota") => Trouble::Lasting(plain),
            _ if retry::is_transient(status) => {
                let after = wait_for(headers).or_else(|| body.and_then(retry_info));
                Trouble::Passing { message: plain, after, reached: true }
            }
            _ => Trouble::Lasting(plain),
        }
    }
}

/// Words of errors about the way of requesting JSON, in the words of all APIs.
const FORMAT_WORDS: &[&str] = &[
    "response_format",
    "json_schema",
    "json_object",
    "structured output",
    "text.format",
    "output_config",
    "output_format",
    "response mime type",
    "responsemimetype",
    "response_mime_type",
    "responsejsonschema",
    "response_json_schema",
    "response schema",
    "invalid json schema",
];

fn unreached(url: &Url, error: &reqwest::Error) -> Trouble {
    if error.is_builder() || error.is_redirect() {
        return Trouble::Lasting(format!("cannot ask the provider: {}", cause(error)));
    }
    let reason = cause(error);
    if reason.contains("certificate") {
        return Trouble::Lasting(format!(
            "{} is not trusted: {reason}; `SSL_CERT_FILE` can name the certificate of its \
                authority",
            shown(url)
        ));
    }
    let message = match error.is_timeout() {
        true => format!("{} did not answer in time", shown(url)),
        false => format!("cannot reach {}: {reason}", shown(url)),
    };
    Trouble::Passing { message, after: None, reached: !error.is_connect() }
}

/// The base URL of an API.
fn endpoint(base: &str, api: &Api) -> Result<Url, String> {
    let wrong = |reason: &str| format!("`{base}` is not a valid base URL: {reason}");
    let base_text = base.trim();
    // `OLLAMA_HOST` may be a host and a port.
    let bare = api.name == "ollama" && !base_text.contains("://");
    let text = if bare { format!("http://{base_text}") } else { base_text.to_owned() };
    let mut url = Url::parse(&text).map_err(|error| wrong(&error.to_string()))?;
    if !matches!(url.scheme(), "http" | "https") || !url.has_host() {
        return Err(wrong("it must begin with `https://` or `http://`"));
    }
    if bare && url.port().is_none() {
        // This only fails for URLs that can't have a port.
        let _ = url.set_port(Some(11_434));
    }
    // Their own tools add the version.
    if matches!(api.name, "anthropic" | "gemini") && url.path() == "/" {
        let own = Url::parse(api.url).map_err(|error| wrong(&error.to_string()))?;
        url.set_path(own.path());
    }
    Ok(url)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mdl_27_the_base_url_may_end_with_or_without_a_slash() {
        let whole = |base: &str, api: &'static Api, path: &str| {
            let base = endpoint(base, api)?;
            let client = client(&base, None, &HeaderMap::new())?;
            let endpoint = Endpoint { api, client, base, key: None, is_default: false };
            Ok::<_, String>(endpoint.url(path).to_string())
        };
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
            assert_eq!(whole(base, &chat::CHAT, "/chat/completions"), Ok(expected.to_owned()));
        }
        for (api, base, path, expected) in [
            (&anthropic::ANTHROPIC, "https://host", "/messages", "https://host/v1/messages"),
            (&ollama::OLLAMA, "0.0.0.0:1", "/api/chat", "http://0.0.0.0:1/api/chat"),
            (&ollama::OLLAMA, "box", "/api/chat", "http://box:11434/api/chat"),
            (
                &gemini::GEMINI,
                "https://host",
                "/models/a:b?alt=sse",
                "https://host/v1beta/models/a:b?alt=sse",
            ),
        ] {
            assert_eq!(whole(base, api, path), Ok(expected.to_owned()));
        }
        for wrong in ["", "localhost:8080", "ftp://host/v1", "file:///etc/passwd", "https://"] {
            assert!(endpoint(wrong, &chat::CHAT).is_err(), "{wrong}");
        }
        assert_eq!(
            shown(&endpoint("https://me:secret@host/v1?key=1", &chat::CHAT).unwrap()),
            "https://host/v1"
        );
    }
}
