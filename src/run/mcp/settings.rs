//! A program's settings for a server, ready to be used: environment variables expanded, secrets
//! known to the journal.

use std::time::Duration;

use reqwest::Url;
use reqwest::header::{HeaderMap, HeaderName, HeaderValue};

use crate::format::markdownlang::expansion;
use crate::format::markdownlang::program::{Server, Text};
use crate::run::journal::Journal;
use crate::run::secret;

/// How to reach a server.
#[derive(Debug)]
pub struct Settings {
    pub name: String,
    pub way: Way,
    /// The time limit for starting, if the program sets one.
    pub timeout: Option<Duration>,
}

/// The connection to a server.
#[derive(Debug)]
pub enum Way {
    Command { command: String, args: Vec<String>, env: Vec<(String, String)> },
    Url { url: Url, headers: HeaderMap, transport: Transport },
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Transport {
    /// Streamable HTTP, then the older transport if the server doesn't support it.
    Either,
    Http,
    Sse,
}

impl Settings {
    /// The settings of a server. A URL takes precedence over a command.
    ///
    /// # Errors
    /// If they can't be used, for example because an environment variable is missing.
    pub fn read(server: &Server, journal: &Journal) -> Result<Self, String> {
        let text = |text: &Option<Text>| text.as_ref().map(|text| text.text.trim().to_owned());
        let name = text(&server.name).unwrap_or_default();
        let timeout = server.timeout.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
        let transport = text(&server.transport).unwrap_or_else(|| "auto".to_owned());
        let command = text(&server.command).filter(|command| !command.is_empty());
        let url = text(&server.url).filter(|_| transport != "command" || command.is_none());
        let way = match (url, command) {
            (Some(url), _) => {
                let transport = match transport.as_str() {
                    "http" => Transport::Http,
                    "sse" => Transport::Sse,
                    _ => Transport::Either,
                };
                Way::Url {
                    url: self::url(&url, journal)?,
                    headers: headers(&server.headers, journal)?,
                    transport,
                }
            }
            (None, Some(command)) => {
                let args = server
                    .args
                    .iter()
                    .map(|argument| expand(&argument.text, "args", journal))
                    .collect::<Result<Vec<_>, _>>()?;
                let env = server
                    .env
                    .iter()
                    .map(|(name, value)| {
                        let value = expand(&value.text, "env", journal)?;
                        journal.keep_secrets(secret::in_variable(&name.text, &value));
                        Ok((name.text.clone(), value))
                    })
                    .collect::<Result<Vec<_>, String>>()?;
                let parts: Vec<&str> = args.iter().map(String::as_str).collect();
                journal.keep_secrets(secret::in_arguments(&parts));
                Way::Command { command: expand(&command, "command", journal)?, args, env }
            }
            (None, None) => return Err("missing `command` or `url`".to_owned()),
        };
        Ok(Self { name, way, timeout })
    }
}

fn url(text: &str, journal: &Journal) -> Result<Url, String> {
    let text = expand(text, "url", journal)?;
    journal.keep_secrets(secret::in_url(&text));
    let url =
        Url::parse(text.trim()).map_err(|error| format!("`url` is not a valid URL: {error}"))?;
    if !matches!(url.scheme(), "http" | "https") {
        return Err(format!(
            "its `url` begins with `{}:`; only `http:` and `https:` are supported",
            url.scheme()
        ));
    }
    Ok(url)
}

fn headers(pairs: &[(Text, Text)], journal: &Journal) -> Result<HeaderMap, String> {
    let mut headers = HeaderMap::new();
    for (name, value) in pairs {
        let value = expand(&value.text, "headers", journal)?;
        journal.keep_secrets(secret::in_header(&name.text, &value));
        let key = HeaderName::try_from(name.text.trim())
            .map_err(|_| format!("`{}` is not a valid name of a header", name.text))?;
        let mut header = HeaderValue::try_from(value.trim()).map_err(|_| {
            format!("the value of the header `{}` contains an invalid character", name.text)
        })?;
        header.set_sensitive(true);
        headers.append(key, header);
    }
    Ok(headers)
}

/// Expands environment variables. Their values are secret if their names or the values look like
/// it.
fn expand(text: &str, key: &str, journal: &Journal) -> Result<String, String> {
    for reference in expansion::references(text) {
        if let Ok(value) = std::env::var(reference.name) {
            journal.keep_secrets(secret::in_variable(reference.name, &value));
        }
    }
    expansion::expand(text, &|name| std::env::var(name).ok()).map_err(|name| {
        format!(
            "the environment variable `{name}`, which its `{key}` needs, is not set; set it, or \
                give it a default with `${{{name}:-default}}`"
        )
    })
}
