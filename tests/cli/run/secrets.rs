//! Secrets: what is hidden in the output, and what servers get.

use serde_json::json;

use super::servers::{INPUT, Remote, folder, good, told};
use super::{COUNT, Folder, KEY, Provider, Reply, answer, server, with_server};

#[test]
fn mdl_32_debug_hides_headers_and_short_secrets() {
    let Some(server) = server() else { return };
    let folder = Folder::agreed(&[]);
    let server = server.replace(
        "server.py\"]",
        "server.py\", --header, \"Authorization: Bearer qwe\", -H, \"X-Any: zxc\", -k, vbn, -kfgh]",
    );
    let env = "{ PASSWORD: uio, PIN: \"7319\", LOG_LEVEL: debug, SAYS: \"uio 7319 qwe studio\" }";
    folder.write("count.md", with_server(&server, &format!(", env: {env}")));
    let answer = folder.ask(&Provider::with([good()]), &[&INPUT[..], &["-debug"]].concat());
    assert_eq!(answer.status, 0, "{answer:?}");
    for secret in ["qwe", "zxc", "vbn", "fgh", " uio", "7319", "\"uio"] {
        assert!(!answer.err.contains(secret), "{secret}: {}", answer.err);
    }
    // A short secret is hidden only as a whole word.
    assert!(answer.err.contains("tools: [hidden] [hidden] [hidden] studio"), "{}", answer.err);
    assert!(answer.err.contains("--header") && answer.err.contains("-k"), "{}", answer.err);
}

#[test]
fn mdl_32_keys_from_the_environment_and_the_flag_are_both_hidden() {
    let Some(folder) = folder("SAYS: sk-flag-0001 and sk-test-0123456789 and sk-other-777777")
    else {
        return;
    };
    let provider = Provider::with([good()]);
    let arguments = [&["run"], &INPUT[..], &["-debug", "-api-key", "sk-flag-0001"]].concat();
    let answer = answer(
        folder
            .at_home(&arguments)
            .env("OPENAI_BASE_URL", &provider.url)
            .env("OPENAI_API_KEY", KEY)
            .env("ANTHROPIC_API_KEY", "sk-other-777777"),
    );
    assert_eq!(answer.status, 0, "{answer:?}");
    assert!(answer.err.contains("tools: [hidden] and [hidden] and [hidden]"), "{}", answer.err);
    for secret in ["sk-flag-0001", KEY, "sk-other-777777"] {
        assert!(!answer.err.contains(secret), "{secret}: {}", answer.err);
    }
}

#[test]
fn mdl_32_servers_get_no_keys_that_their_env_does_not_name() {
    let Some(folder) = folder("NAMED: \"${SOME_TOKEN}\"") else { return };
    let names = ["OPENAI_API_KEY", "SOME_TOKEN", "NAMED", "PATH", "HOME"];
    let calls: Vec<(&str, String)> = names
        .iter()
        .map(|name| ("mcp__tools__environment", json!({ "name": name }).to_string()))
        .collect();
    let calls: Vec<(&str, &str)> =
        calls.iter().map(|(name, arguments)| (*name, arguments.as_str())).collect();
    let provider = Provider::with([Reply::calls(&calls), good()]);
    let answer = answer(
        folder
            .at_home(&[&["run"], &INPUT[..], &["-debug"]].concat())
            .env("OPENAI_BASE_URL", &provider.url)
            .env("OPENAI_API_KEY", KEY)
            .env("SOME_TOKEN", "tok-5551212"),
    );
    assert_eq!(answer.status, 0, "{answer:?}");
    let told = told(&provider);
    assert_eq!(told[..3], ["None", "None", "tok-5551212"]);
    assert!(told[3] != "None" && told[4] == folder.root().to_string_lossy(), "{told:?}");
    assert!(!answer.err.contains("tok-5551212"), "{}", answer.err);
}

#[test]
fn variables_are_expanded_and_a_missing_one_is_named() {
    let folder = Folder::agreed(&[]);
    let Some(remote) = Remote::start(&folder, "http", &[("TOKEN", "open-sesame")]) else { return };
    let port = remote.url.rsplit(':').next().unwrap().to_owned();
    let by_url = format!(
        "url: \"http://${{OWN_MCP_HOST:-127.0.0.1}}:{port}\", transport: http, headers: {{ Authorization: \"Bearer ${{SESAME}}\" }}"
    );
    folder.write("count.md", with_server(&by_url, ""));
    let run = |token: Option<&str>| {
        let provider =
            Provider::with([Reply::calls(&[("mcp__tools__add", r#"{"a": 1, "b": 2}"#)]), good()]);
        let mut command = folder.at_home(&[&["run"], &INPUT[..], &["-debug"]].concat());
        command.env("OPENAI_BASE_URL", &provider.url).env_remove("SESAME");
        token.into_iter().for_each(|token| _ = command.env("SESAME", token));
        (answer(&mut command), told(&provider))
    };
    let (good, results) = run(Some("open-sesame"));
    assert_eq!((good.status, results), (0, vec!["3".to_owned()]), "{good:?}");
    assert!(!good.err.contains("open-sesame"), "{}", good.err);
    let (missing, _) = run(None);
    assert!(
        missing.err.contains(
            "the environment variable `SESAME`, which its `headers` needs, is not set; set it, or give it a default with `${SESAME:-default}`"
        ),
        "{}",
        missing.err
    );
    // `check` doesn't know the environment.
    let checked = folder.run(&["check", "count.md"]);
    assert_eq!(checked.status, 0, "{checked:?}");
    folder.write("count.md", with_server("url: \"${MCP_URL}\"", ""));
    assert_eq!(folder.run(&["check", "count.md"]).status, 0);
}

#[test]
fn mdl_33_the_summary_is_written_without_agreement_and_without_a_key() {
    let folder = Folder::with(&[("count.md", COUNT)]);
    let run = |arguments: &[&str]| {
        let arguments = [&["run"], arguments, &["-summary"]].concat();
        answer(&mut folder.at_home(&arguments))
    };
    let summary_of = |answer: &crate::Answer| {
        let start = answer.err.find('{').unwrap_or_else(|| panic!("{answer:?}"));
        serde_json::from_str::<serde_json::Value>(&answer.err[start..]).unwrap()
    };
    let refused = run(&INPUT);
    assert_eq!(refused.status, 1);
    assert_eq!(summary_of(&refused)["error"], "the agreement has not been accepted yet");
    folder.write(
        ".markdownlang-agreement.json",
        r#"{"agreed_at":"2024-01-15T10:30:00Z","phrase_index":7}"#,
    );
    let keyless = run(&INPUT);
    assert_eq!(keyless.status, 2);
    let summary = summary_of(&keyless);
    assert!(summary["error"].as_str().unwrap().starts_with("missing key for OpenAI"), "{summary}");
    assert_eq!((&summary["success"], &summary["iterations"]), (&json!(false), &json!(0)));
    assert_eq!(summary_of(&run(&["none.md"]))["error"], "none.md: no such file");
}
