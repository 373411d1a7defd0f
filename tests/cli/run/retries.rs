//! Providers that fail, temporarily or permanently.

use std::time::{Duration, Instant};

use serde_json::json;

use super::{COUNT, Folder, KEY, Provider, Reply, answer, summary};

const ARGUMENTS: [&str; 3] = ["count.md", "--input", r#"{"text": "one two"}"#];

fn folder() -> Folder {
    Folder::agreed(&[("count.md", COUNT)])
}

fn good() -> Reply {
    Reply::text("{\"n\": 2}")
}

#[test]
fn mdl_31_temporary_errors_are_retried_and_not_counted() {
    let soon = |status: u16| Reply::error(status, "busy").with("retry-after", "0");
    let provider = Provider::with([soon(429), soon(500), soon(503), soon(529), good()]);
    let answer = folder().ask(&provider, &[&ARGUMENTS[..], &["--summary", "--quiet"]].concat());
    assert_eq!((answer.status, provider.asked().len()), (0, 5));
    assert_eq!(
        (&summary(&answer)["iterations"], &summary(&answer)["tokens"]["total"]),
        (&json!(1), &json!(225))
    );
    let told = folder().ask(&Provider::with([soon(503), good()]), &ARGUMENTS);
    assert_eq!(told.err, "warning: the provider answered 503: busy; retrying in 0s (1 of 10)\n");
}

#[test]
fn mdl_31_retry_after_is_honoured_and_waits_grow_without_it() {
    let provider = Provider::with([Reply::error(429, "busy").with("retry-after", "1"), good()]);
    let began = Instant::now();
    assert_eq!(folder().ask(&provider, &ARGUMENTS).status, 0);
    assert!(began.elapsed() >= Duration::from_secs(1));

    let provider = Provider::with([Reply::error(503, "busy"), Reply::error(503, "busy"), good()]);
    let began = Instant::now();
    assert_eq!(folder().ask(&provider, &ARGUMENTS).status, 0);
    // Three quarters of half a second, then of a full second.
    assert!(began.elapsed() >= Duration::from_millis(375 + 750));

    // A run never waits longer than its timeout.
    let provider = Provider::with([Reply::error(429, "busy").with("retry-after", "3600"), good()]);
    let answer = folder().ask(&provider, &ARGUMENTS);
    assert_eq!((answer.status, provider.asked().len()), (1, 1));
    assert!(answer.err.contains("the next retry would be in 1h0m0s"), "{}", answer.err);
}

#[test]
fn mdl_31_there_are_at_most_ten_retries() {
    let provider = Provider::always(Reply::error(429, "busy").with("retry-after-ms", "1"));
    let answer = folder().ask(&provider, &[&ARGUMENTS[..], &["--quiet"]].concat());
    assert_eq!((answer.status, provider.asked().len()), (1, 11));
    assert_eq!(answer.err, "error: the provider answered 429: busy; giving up after 10 retries\n");
}

#[test]
fn mdl_31_a_truncated_or_missing_answer_is_retried() {
    let broken = Reply { broken: true, ..good() };
    let provider = Provider::with([broken, good()]);
    let answer = folder().ask(&provider, &ARGUMENTS);
    assert_eq!(answer.status, 0, "{answer:?}");
    assert!(
        answer.err.starts_with("warning: the provider's answer was cut off: "),
        "{}",
        answer.err
    );

    let provider = Provider::with([good().after(Duration::from_secs(30)), good()]);
    let answer = folder().ask(&provider, &[&ARGUMENTS[..], &["--request-timeout", "3"]].concat());
    assert_eq!(answer.status, 0, "{answer:?}");
    assert!(answer.err.contains("did not answer in time; retrying"), "{}", answer.err);
}

#[test]
fn mdl_31_permanent_errors_are_not_retried() {
    let url = "http://127.0.0.1:";
    for (reply, expected) in [
        (
            Reply::error(401, "Incorrect API key provided: sk-test-0123456789."),
            "rejected the key (401): Incorrect API key provided: [hidden]; is `OPENAI_API_KEY` or `--api-key` the right key for it?",
        ),
        (
            Reply::error(404, "no such model"),
            "was not found (404): no such model; check `--base-url` and the model",
        ),
        (
            Reply::json(
                429,
                &json!({ "error": { "message": "You exceeded your current quota", "code": "insufficient_quota" } }),
            ),
            "answered 429: You exceeded your current quota",
        ),
        (
            Reply::json(307, &json!({})).with("location", "http://example.com/"),
            "redirects to http://example.com/; use that as `--base-url` if you trust it",
        ),
        (
            Reply {
                body: b"<!DOCTYPE html>\n<html><body>Welcome</body></html>".to_vec(),
                ..good()
            },
            "answered with `<!DOCTYPE html> <html><body>Welcome</body></html>` instead of a chat completion; check `--base-url`, which often ends in `/v1`",
        ),
        (Reply { body: Vec::new(), ..good() }, "answered with `` instead of a chat completion"),
        (
            Reply { body: vec![b' '; 50 << 20], ..good() },
            "the provider's answer exceeds 16 MB, so it isn't a completion",
        ),
    ] {
        let provider = Provider::always(reply);
        let answer = folder().ask(&provider, &ARGUMENTS);
        assert_eq!(
            (answer.status, provider.asked().len(), answer.out.as_str()),
            (1, 1, ""),
            "{answer:?}"
        );
        assert!(
            answer.err.contains(expected) && answer.err.starts_with("error: "),
            "{}\n{expected}",
            answer.err
        );
        assert!(
            !answer.err.contains(KEY)
                && (answer.err.contains(url) || answer.err.contains("the provider")),
            "{}",
            answer.err
        );
    }
}

#[test]
fn mdl_31_an_error_with_status_200_is_an_error() {
    let late =
        Reply::json(200, &json!({ "error": { "message": "upstream is busy", "code": 503 } }))
            .with("retry-after", "0");
    let provider = Provider::with([late, good()]);
    assert_eq!((folder().ask(&provider, &ARGUMENTS).status, provider.asked().len()), (0, 2));
}

#[test]
fn mdl_31_an_unreachable_provider_is_reported_soon() {
    let folder = folder();
    // A port that was in use a moment ago, so nothing listens on it now.
    let port = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let mut command = folder.at_home(
        &[
            &["run", "--quiet", "--base-url", &format!("http://127.0.0.1:{port}/v1")],
            &ARGUMENTS[..],
        ]
        .concat(),
    );
    let answer = answer(&mut command);
    assert_eq!(answer.status, 1);
    assert!(
        answer.err.contains("cannot reach ") && answer.err.contains("giving up after 3 retries"),
        "{}",
        answer.err
    );
}

#[cfg(target_os = "linux")]
#[test]
fn mdl_27_without_certificate_authorities_only_plain_http_works() {
    let folder = folder();
    let provider = Provider::with([good()]);
    for (url, status, expected) in [
        (provider.url.as_str(), 0, ""),
        ("https://127.0.0.1:9/v1", 2, "error: cannot set up TLS: "),
    ] {
        let mut command = folder.at_home(&[&["run", "--base-url", url], &ARGUMENTS[..]].concat());
        let answer = answer(command.env("SSL_CERT_FILE", "/none").env("SSL_CERT_DIR", "/none"));
        assert_eq!(answer.status, status, "{answer:?}");
        assert!(answer.err.starts_with(expected), "{}", answer.err);
    }
}
