//! Recordings of runs.

use super::servers::{INPUT, folder, good, notes};
use super::{COUNT, Folder, KEY, Provider, Reply, answer};

fn replay(folder: &Folder, program: &str, more: &[&str]) -> crate::Answer {
    // There is no provider at this URL, and no key.
    let arguments = [&["run", program], &INPUT[1..], &["--replay", "tape"], more].concat();
    answer(folder.at_home(&arguments).env("OPENAI_BASE_URL", "http://127.0.0.1:9/v1"))
}

#[test]
fn a_run_is_recorded_and_replayed_without_provider_and_servers() {
    let Some(folder) = folder("API_TOKEN: open-sesame-123") else { return };
    let main = COUNT.replace("name: count", "name: main\nimports: [./count.md]");
    folder.write("main.md", main);
    folder.write("tape/notes.txt", "mine");
    folder.write("tape/07.request.json", "old");
    let tools = [
        ("mcp__tools__add", r#"{"a": 1, "b": 2}"#),
        ("mcp__tools__environment", r#"{"name": "API_TOKEN"}"#),
        ("mcp__tools__fail", "{}"),
    ];
    let provider = Provider::with([
        Reply::calls(&[("nothing", "{}"), ("count", r#"{"text": "a"}"#)]),
        Reply::calls(&tools),
        good(),
        Reply::text("wrong"),
        Reply::text("{\"n\": 7}"),
    ]);
    let arguments = [&["main.md"], &INPUT[1..], &["--record", "tape", "--api-key", KEY]].concat();
    let recorded = folder.ask(&provider, &arguments);
    assert_eq!((recorded.status, recorded.out.as_str()), (0, "{\n  \"n\": 7\n}\n"), "{recorded:?}");
    let mut names: Vec<String> = std::fs::read_dir(folder.path("tape"))
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    assert_eq!(
        names,
        [
            "01.2.00.servers.json",
            "01.2.01.1.tool.json",
            "01.2.01.2.tool.json",
            "01.2.01.3.tool.json",
            "01.2.01.reply.json",
            "01.2.01.request.json",
            "01.2.02.reply.json",
            "01.2.02.request.json",
            "01.reply.json",
            "01.request.json",
            "02.reply.json",
            "02.request.json",
            "03.reply.json",
            "03.request.json",
            "notes.txt"
        ]
    );
    for name in &names {
        let text = folder.read(&format!("tape/{name}"));
        assert!(!text.contains(KEY) && !text.contains("open-sesame"), "{name}: {text}");
    }
    let before = notes(&folder).len();
    let replayed = replay(&folder, "main.md", &[]);
    assert_eq!((replayed.status, replayed.out), (0, recorded.out), "{}", replayed.err);
    assert_eq!(notes(&folder).len(), before, "a server was started");

    // `--debug` shows the recorded requests and replies.
    let shown = replay(&folder, "main.md", &["--debug"]).err;
    for line in ["recorded request 01: {", "recorded reply 01.2.01: {", "recorded reply 03: {"] {
        assert!(shown.contains(line), "{line} is missing: {shown}");
    }
    assert!(!shown.contains(KEY) && !shown.contains("open-sesame"), "{shown}");

    // A changed request is reported.
    folder.write("main.md", folder.read("main.md").replace("Count the words", "Tally the words"));
    let changed = replay(&folder, "main.md", &[]);
    assert_eq!(changed.status, 1);
    let slash = std::path::MAIN_SEPARATOR;
    assert!(
        changed.err.starts_with(&format!(
            "error: the request differs from the recorded one, tape{slash}01.request.json: `/body/messages/1/content` was \"Count the words of one two"
        )) && changed.err.contains("and is \"Tally the words of one two")
            && changed.err.contains("record again with `--record tape`"),
        "{}",
        changed.err
    );
    let other = replay(&folder, "main.md", &["--model", "gpt-5"]);
    assert!(other.err.contains("`/model` was \"gpt-4o\", and is \"gpt-5\" now"), "{}", other.err);
}

#[test]
fn a_recording_keeps_words_that_are_passwords_elsewhere() {
    let env = "PASSWORD: add, DB_PASSWORD: postgres, NODE_ENV: production-cluster, SAYS: hello";
    let Some(folder) = folder(env) else { return };
    folder.write("count.md", folder.read("count.md").replace("n: { type: integer }", "n: {}"));
    let calls = [
        ("mcp__tools__add", r#"{"a": 1, "b": 2}"#),
        ("mcp__tools__environment", r#"{"name": "NODE_ENV"}"#),
    ];
    let output = "{\"n\": \"add postgres to production-cluster, lm-studio\"}";
    let provider = Provider::with([Reply::calls(&calls), Reply::text(output)]);
    let arguments = [&["run"], &INPUT[..], &["--record", "tape"]].concat();
    let mut command = folder.at_home(&arguments);
    command.env("OPENAI_BASE_URL", &provider.url).env("OPENAI_API_KEY", "lm-studio");
    let recorded = answer(command.env("PGPASSWORD", "postgres"));
    assert_eq!(recorded.status, 0, "{recorded:?}");
    let replayed = replay(&folder, "count.md", &[]);
    assert_eq!((replayed.status, replayed.out), (0, recorded.out), "{}", replayed.err);
}

#[test]
fn a_reply_with_a_secret_is_not_recorded() {
    let Some(folder) = folder("API_TOKEN: open-sesame-123") else { return };
    let tools = [("mcp__tools__environment", r#"{"name": "API_TOKEN"}"#)];
    let calls = [("mcp__tools__add", r#"{"a": 1, "b": "open-sesame-123"}"#)];
    for reply in [Reply::text("{\"n\": 7} open-sesame-123"), Reply::calls(&calls)] {
        let provider = Provider::with([Reply::calls(&tools), reply, good()]);
        let recorded = folder.ask(&provider, &[&INPUT[..], &["--record", "tape"]].concat());
        assert_eq!(recorded.status, 1, "{recorded:?}");
        assert!(recorded.err.contains("the reply contains a secret"), "{}", recorded.err);
        assert_eq!(std::fs::read_dir(folder.path("tape")).unwrap().count(), 0);
        // Without a recording, such a reply is fine.
        let provider = Provider::with([Reply::text("{\"n\": 7} open-sesame-123")]);
        assert_eq!(folder.ask(&provider, &INPUT).status, 0);
    }
}

#[test]
fn a_recording_that_is_missing_or_broken_is_named() {
    let folder = Folder::agreed(&[("count.md", COUNT)]);
    let none = replay(&folder, "count.md", &[]);
    assert_eq!(none.status, 2);
    assert!(
        none.err.contains("tape contains no recording; record again with `--record tape`"),
        "{}",
        none.err
    );
    let provider = Provider::with([Reply::text("no"), good()]);
    let arguments = [&INPUT[..], &["--record", "tape"]].concat();
    assert_eq!(folder.ask(&provider, &arguments).status, 0);
    assert_eq!(replay(&folder, "count.md", &[]).status, 0);
    std::fs::remove_file(folder.path("tape/02.request.json")).unwrap();
    let missing = replay(&folder, "count.md", &[]);
    assert!(missing.status == 1 && missing.err.contains("the recording has no"), "{}", missing.err);
    folder.write("tape/01.reply.json", "{");
    let broken = replay(&folder, "count.md", &[]);
    assert!(
        broken.status == 1 && broken.err.contains("01.reply.json is not JSON"),
        "{}",
        broken.err
    );
    // An error from the provider is replayed, too.
    let provider = Provider::with([Reply::error(400, "too long")]);
    assert_eq!(folder.ask(&provider, &arguments).status, 1);
    let refused = replay(&folder, "count.md", &[]);
    assert_eq!(
        (refused.status, refused.err.as_str()),
        (1, "error: the provider answered 400: too long\n")
    );
}
