//! The options of `run`.

use super::{COUNT, Folder, KEY, Provider, Reply, answer};

const INPUT: &str = r#"{"text": "one two"}"#;

#[test]
fn mdl_32_the_original_options_are_accepted() {
    let folder = Folder::agreed(&[("count.md", COUNT), ("in.json", INPUT)]);
    let assigned = format!("-input={INPUT}");
    for arguments in [
        &["run", "-program", "count.md", "-input", INPUT][..],
        &["run", "--program", "count.md", "--input", INPUT],
        &["run", "count.md", "--input-file", "in.json"],
        &["-program", "count.md", "-input", INPUT],
        &["-program=count.md", &assigned],
        &["-debug=false", "-input", INPUT, "run", "-program", "count.md"],
        &["--input", INPUT, "count.md"],
        &["-input", "[]", "-program", "other.md", "-program", "count.md", "-input", INPUT],
    ] {
        let provider = Provider::with([Reply::text("{\"n\": 2}")]);
        let answer = answer(
            folder
                .at_home(arguments)
                .env("OPENAI_BASE_URL", &provider.url)
                .env("OPENAI_API_KEY", KEY),
        );
        assert_eq!(
            (answer.status, answer.out.as_str(), answer.err.as_str()),
            (0, "{\n  \"n\": 2\n}\n", ""),
            "{arguments:?}"
        );
    }
}

#[test]
fn mdl_32_a_usage_error_names_the_mistake() {
    let folder = Folder::agreed(&[("count.md", COUNT), ("count.txt", COUNT), ("folder.md/a", "")]);
    folder.write("bytes.json", b"{\"n\": \"\xff\"}");
    for (arguments, expected) in [
        (&["run"][..], "error: missing program; use `agentmd run PROGRAM.md`\n"),
        (&["run", "none.md"], "error: none.md: no such file\n"),
        (
            &["-program", "count.txt"],
            "error: count.txt is not a program: its name must end in `.md`\n",
        ),
        (&["run", "folder.md"], "error: folder.md is not a file\n"),
        (&["run", "count.md", "-input", "{"], "error: `--input` is not JSON: EOF while parsing"),
        (&["run", "count.md", "-input-file", "none.json"], "error: cannot read none.json"),
        (
            &["run", "count.md", "-input-file", "bytes.json"],
            "error: bytes.json is not UTF-8: invalid byte at offset 7\n",
        ),
        (
            &["run", "count.md", "-base-url", "localhost:1"],
            "error: `localhost:1` is not a valid base URL: ",
        ),
        (
            &["run", "count.md", "-input", INPUT],
            "error: missing key for OpenAI; set `OPENAI_API_KEY`, or name another provider with `--base-url`\n",
        ),
        (
            &["run", "count.md", "-api-key", "a\nb", "-input", INPUT],
            "error: the API key contains an invalid character",
        ),
        (
            &["run", "count.md", "-debug=maybe"],
            "error: invalid value 'maybe' for '--debug[=<BOOL>]': must be `true` or `false`",
        ),
        (
            &["run", "count.md", "-timeout", "never"],
            "error: invalid value 'never' for '--timeout <SECONDS>'",
        ),
    ] {
        let answer = answer(&mut folder.at_home(arguments));
        assert_eq!((answer.status, answer.out.as_str()), (2, ""), "{arguments:?}: {answer:?}");
        assert!(answer.err.starts_with(expected), "{arguments:?}: {}", answer.err);
    }
}

#[test]
fn mdl_32_flags_for_the_base_url_and_key_take_precedence_over_the_environment() {
    let folder = Folder::agreed(&[("count.md", COUNT)]);
    let provider = Provider::with([Reply::text("{\"n\": 2}")]);
    let arguments = [
        "run",
        "count.md",
        "-input",
        INPUT,
        "-base-url",
        &provider.url,
        "-api-key",
        "sk-of-the-flag",
    ];
    let given = answer(
        folder
            .at_home(&arguments)
            .env("OPENAI_BASE_URL", "http://127.0.0.1:9")
            .env("OPENAI_API_KEY", KEY),
    );
    assert_eq!(given.status, 0, "{given:?}");
    assert!(
        provider.asked()[0].headers.contains(&"authorization: Bearer sk-of-the-flag".to_owned())
    );
    // A provider that needs no key gets none.
    let provider = Provider::with([Reply::text("{\"n\": 2}")]);
    let given = answer(&mut folder.at_home(&[
        "run",
        "count.md",
        "-input",
        INPUT,
        "-base-url",
        &provider.url,
    ]));
    assert_eq!(given.status, 0, "{given:?}");
    assert!(provider.asked()[0].headers.iter().all(|header| !header.starts_with("authorization")));
}

#[test]
fn mdl_05_a_missing_description_is_refused_without_lenient() {
    let folder = Folder::agreed(&[(
        "count.md",
        &COUNT.replace("description: Counts the words of a text.\n", ""),
    )]);
    let provider = Provider::with([Reply::text("{\"n\": 2}")]);
    let answer = folder.ask(&provider, &["count.md", "-input", INPUT]);
    assert_eq!((answer.status, provider.asked().len()), (1, 0));
    let checked = folder.run(&["check", "--format", "json", "count.md"]).json();
    let message = checked["files"][0]["diagnostics"][0]["message"].as_str().unwrap().to_owned();
    assert_eq!(
        answer.err,
        format!("error: count.md:1:1: {message} [markdownlang/missing-field]\n")
    );
    let answer = folder.ask(&provider, &["count.md", "-input", INPUT, "-lenient"]);
    assert_eq!((answer.status, answer.out.as_str()), (0, "{\n  \"n\": 2\n}\n"));
    assert!(
        answer.err.starts_with("warning: count.md:1:1: missing field `description`;"),
        "{}",
        answer.err
    );
    // `-lenient` accepts no other mistakes.
    folder.write("count.md", COUNT.replace("output:", "outptu:"));
    assert_eq!(folder.ask(&provider, &["count.md", "-input", INPUT, "-lenient"]).status, 1);
    folder.write("count.md", "# Just Markdown\n");
    let answer = folder.ask(&provider, &["count.md", "-input", INPUT, "-lenient"]);
    assert!(
        answer.status == 1 && answer.err.starts_with("error: count.md: not a markdownlang program"),
        "{answer:?}"
    );
}
