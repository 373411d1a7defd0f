//! Detects probable secrets: values of environment variables, arguments, headers and URLs by their
//! names, and values that look generated.

use reqwest::Url;

/// Words that name a secret, as a whole part of a name: `API_KEY`, `accessToken`.
const WORDS: &[&str] = &[
    "key",
    "keys",
    "apikey",
    "token",
    "tokens",
    "secret",
    "secrets",
    "password",
    "passwords",
    "passwd",
    "passphrase",
    "pass",
    "pwd",
    "pin",
    "credential",
    "credentials",
    "creds",
    "auth",
    "authorization",
    "authentication",
    "bearer",
    "cookie",
    "cookies",
    "signature",
    "dsn",
    "pat",
];
/// Ends of parts that name a secret: `GITHUBTOKEN`.
const ENDS: &[&str] = &["apikey", "token", "secret", "password", "passwd", "credentials"];
/// Values that are never secret, under any name.
const PLAIN: &[&str] = &["true", "false", "yes", "no", "on", "off", "none", "null", "0", "1"];
/// Beginnings of the keys of well-known services.
const PREFIXES: &[&str] = &[
    "sk-",
    "sk_",
    "pk_",
    "rk_",
    "ghp_",
    "gho_",
    "ghu_",
    "ghs_",
    "ghr_",
    "github_pat_",
    "glpat-",
    "xoxb-",
    "xoxp-",
    "xoxa-",
    "AKIA",
    "ASIA",
    "AIza",
    "ya29.",
    "eyJ",
    "hf_",
    "npm_",
    "pypi-",
];
/// Flags whose value is a secret, or a header with one.
const FLAGS: &[&str] = &["-k", "-H", "--header", "--headers", "-u", "--user", "--proxy-user"];

/// Whether this is a name for secrets.
pub fn is_secret_name(name: &str) -> bool {
    let mut parts: Vec<String> = vec![String::new()];
    let mut was_lower = false;
    for char in name.chars() {
        let new = !char.is_alphanumeric() || char.is_uppercase() && was_lower;
        if new {
            parts.push(String::new());
        }
        if let Some(part) = parts.last_mut().filter(|_| char.is_alphanumeric()) {
            part.extend(char.to_lowercase());
        }
        was_lower = char.is_lowercase() || char.is_numeric();
    }
    parts
        .iter()
        .any(|part| WORDS.contains(&part.as_str()) || ENDS.iter().any(|end| part.ends_with(end)))
}

/// Whether a value looks generated: it may be a credential, regardless of its name.
pub fn looks_drawn(value: &str) -> bool {
    if value.contains(char::is_whitespace) {
        return false;
    }
    if PREFIXES.iter().any(|prefix| value.starts_with(prefix)) && value.len() >= 12 {
        return true;
    }
    let has = |test: fn(&char) -> bool| value.chars().any(|char| test(&char));
    value.len() >= 20
        && value.chars().all(|char| char.is_ascii_alphanumeric() || "_-+=".contains(char))
        && has(char::is_ascii_digit)
        && has(char::is_ascii_alphabetic)
        && (has(char::is_ascii_uppercase) && has(char::is_ascii_lowercase) || !value.contains('-'))
}

/// A long value of an environment variable that is neither prose nor a path.
fn looks_private(value: &str) -> bool {
    value.len() >= 16
        && !value.contains(char::is_whitespace)
        && !value.starts_with(['/', '.', '~', '\\'])
        && value.get(1..3) != Some(":\\")
}

/// Text that is probably a secret.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Secret {
    pub text: String,
    /// Its name or place marks it as one.
    is_named: bool,
}

impl Secret {
    pub fn named(text: &str) -> Self {
        Self { text: text.to_owned(), is_named: true }
    }

    /// Whether it is certainly a secret, which doesn't occur in other text by chance. A password
    /// that is a word, such as `postgres`, may.
    pub fn is_certain(&self) -> bool {
        has_known_prefix(&self.text) || self.is_named && is_generated(&self.text)
    }
}

fn has_known_prefix(value: &str) -> bool {
    let is_key = value.len() >= 12 && PREFIXES.iter().any(|prefix| value.starts_with(prefix));
    is_key && value.contains(|char: char| char.is_ascii_digit())
}

/// Digits among letters, or uppercase after the first letter, or many characters.
fn is_generated(value: &str) -> bool {
    const SHORTEST: usize = 8;
    const LONG: usize = 20;
    if value.len() < SHORTEST || value.contains(char::is_whitespace) {
        return false;
    }
    let has = |test: fn(char) -> bool| value.contains(test);
    let inner_capital = value.chars().skip(1).any(char::is_uppercase) && has(char::is_lowercase);
    has(char::is_numeric) && has(char::is_alphabetic) || inner_capital || value.len() >= LONG
}

/// The secrets in an environment variable of a server.
pub fn in_variable(name: &str, value: &str) -> Vec<Secret> {
    let mut found = in_url(value);
    let is_named = is_secret_name(name) && !PLAIN.contains(&value.to_ascii_lowercase().as_str());
    if is_named || looks_drawn(value) || looks_private(value) {
        found.extend(with_scheme(value).map(|text| Secret { text, is_named }));
    }
    found
}

/// The secrets in a header: every value is meant for its server alone.
pub fn in_header(name: &str, value: &str) -> Vec<Secret> {
    let is_named = is_secret_name(name);
    with_scheme(value).map(|text| Secret { text, is_named }).collect()
}

/// The secrets in the arguments of a command.
pub fn in_arguments(arguments: &[&str]) -> Vec<Secret> {
    let mut found = Vec::new();
    let drawn = |text: &str| Secret { text: text.to_owned(), is_named: false };
    for (index, argument) in arguments.iter().enumerate() {
        found.extend(in_url(argument));
        if looks_drawn(argument) {
            found.push(drawn(argument));
        }
        if let Some(place) = argument.to_ascii_lowercase().find("bearer ") {
            found.extend(argument.get(place + 7..).map(|rest| Secret::named(rest.trim())));
        }
        if let Some((name, value)) = argument.split_once('=') {
            let is_flag = FLAGS.contains(&name);
            if is_flag || is_secret_name(name) {
                found.extend(of_flag(name, value));
            } else if looks_drawn(value) {
                found.push(drawn(value));
            }
        } else if let Some((name, value)) = argument.split_once(':')
            && is_secret_name(name)
            && !value.starts_with("//")
        {
            found.extend(with_scheme(value.trim()).map(|text| Secret { text, is_named: true }));
        }
        let glued = ["-k", "-H", "-u"].into_iter().find_map(|flag| {
            argument.strip_prefix(flag).filter(|rest| !rest.is_empty() && !rest.starts_with('='))
        });
        if let Some(value) = glued {
            found.extend(of_flag(argument.get(..2).unwrap_or_default(), value));
            // A short value isn't a whole word there.
            found.push(drawn(argument));
        }
        let takes_secret = FLAGS.contains(argument)
            || argument.starts_with('-') && !argument.contains('=') && is_secret_name(argument);
        if let Some(value) = arguments.get(index + 1).filter(|_| takes_secret) {
            found.extend(of_flag(argument, value));
        }
    }
    found
}

/// The secrets in the value of a flag: the value of a header, the password of a user.
fn of_flag(flag: &str, value: &str) -> Vec<Secret> {
    let all =
        |value: &str| with_scheme(value).map(|text| Secret { text, is_named: true }).collect();
    match flag {
        "-H" | "--header" | "--headers" => match value.split_once(':') {
            Some((name, value)) => in_header(name, value),
            None => all(value),
        },
        "-u" | "--user" | "--proxy-user" => match value.split_once(':') {
            Some((_, password)) => vec![Secret::named(password)],
            None => Vec::new(),
        },
        _ => all(value),
    }
}

/// The secrets in a URL: its password, and parameters of its query.
pub fn in_url(text: &str) -> Vec<Secret> {
    let Some(url) = text.contains("://").then(|| Url::parse(text.trim()).ok()).flatten() else {
        return Vec::new();
    };
    let parameters = url
        .query_pairs()
        .map(|(name, value)| Secret { text: value.into_owned(), is_named: is_secret_name(&name) })
        .filter(|secret| secret.is_named || looks_private(&secret.text));
    let mut found: Vec<Secret> = parameters.collect();
    if let Some(password) = url.password() {
        found.push(Secret::named(password));
        // As it is written, too.
        let decoded = percent_encoding::percent_decode_str(password).decode_utf8_lossy();
        found.push(Secret::named(&decoded));
    }
    found
}

/// A value, and what follows its scheme: `Bearer abc` and `abc`.
fn with_scheme(value: &str) -> impl Iterator<Item = String> {
    let value = value.trim();
    let rest = value.split_once(' ').map(|(_, rest)| rest.trim());
    let found: Vec<String> = std::iter::once(value).chain(rest).map(str::to_owned).collect();
    found.into_iter().filter(|value| !value.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mdl_32_names_of_secrets() {
        for name in [
            "API_KEY",
            "apiKey",
            "GITHUB_TOKEN",
            "GITHUBTOKEN",
            "--password",
            "x-api-key",
            "PIN",
            "Authorization",
            "DB_PASS",
            "clientSecret",
            "--api-key",
            "OPENAI_API_KEY",
            "auth",
        ] {
            assert!(is_secret_name(name), "{name}");
        }
        for name in ["AUTHOR", "MONKEY", "KEYBOARD", "PATH", "LOG_LEVEL", "PASSENGER", "--pinned"] {
            assert!(!is_secret_name(name), "{name}");
        }
    }

    #[test]
    fn mdl_32_secrets_in_arguments() {
        for (arguments, secret) in [
            (&["--header", "Authorization: Bearer abc"][..], "abc"),
            (&["-H", "X-Anything: abc"], "abc"),
            (&["-HX-Key: abc"], "abc"),
            (&["--header=X-Api-Key: abc"], "abc"),
            (&["-k", "abc"], "abc"),
            (&["-kabc"], "abc"),
            (&["--token", "abc"], "abc"),
            (&["--token=abc"], "abc"),
            (&["-e", "API_KEY=abc"], "abc"),
            (&["-u", "me:abc"], "abc"),
            (&["https://me:abc@host/"], "abc"),
            (&["https://host/?token=abc"], "abc"),
            (&["sk-proj-0123456789"], "sk-proj-0123456789"),
            (&["Authorization: abc"], "abc"),
        ] {
            let found = in_arguments(arguments);
            assert!(found.iter().any(|found| found.text == secret), "{arguments:?}: {found:?}");
        }
        for arguments in [
            &["-y", "@modelcontextprotocol/server-filesystem", "/home/me/projects"][..],
            &["run", "-i", "--rm", "ghcr.io/github/github-mcp-server"],
            &["--port", "8080", "--verbose=true"],
            &["mcp-server-fetch-with-a-long-name-2"],
        ] {
            assert_eq!(in_arguments(arguments), [], "{arguments:?}");
        }
    }

    #[test]
    fn mdl_32_certain_secrets_never_occur_by_chance() {
        let is_certain =
            |name: &str, value: &str| in_variable(name, value).iter().any(Secret::is_certain);
        for (name, value) in [
            ("API_KEY", "open-sesame-123"),
            ("DB_PASSWORD", "hunterHunter"),
            ("TOKEN", "correct-horse-battery-staple"),
            ("ANY", "sk-proj-0123456789"),
            ("AUTH", "Bearer abcdef0123"),
            ("DATABASE_URL", "postgres://me:hunter22@host/db"),
        ] {
            assert!(is_certain(name, value), "{name}={value}");
        }
        for (name, value) in [
            ("NODE_ENV", "production-cluster"),
            ("MODEL", "gpt_4o_mini_2024_07_18"),
            ("POSTGRES_PASSWORD", "postgres"),
            ("PASSWORD", "Postgres"),
            ("API_KEY", "demo"),
            ("OPENAI_API_KEY", "lm-studio"),
            ("OPENAI_API_KEY", "sk-no-key-required"),
            ("PIN", "20240101"),
            ("DATABASE_URL", "postgres://postgres:postgres@host/db"),
        ] {
            assert!(!is_certain(name, value), "{name}={value}");
        }
    }
}
