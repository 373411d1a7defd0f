//! `agentmd test`.

use serde_json::json;

use super::servers::good;
use super::{COUNT, Folder, KEY, Provider, Reply, answer};

const CASES: &str = "cases:
  - name: two words
    input: { text: one two }
    expect:
      equals: { n: 2 }
      schema: { required: [n] }
      at: { /n: 2 }
  - name: no words
    input: { text: \"\" }
    expect: { at: { /n: 0 } }
  - name: wrong input
    input: { text: 3 }
    expect: { error: the input does not match }
";

fn folder() -> Folder {
    Folder::agreed(&[("count.md", COUNT), ("count.test.yaml", CASES)])
}

fn live(folder: &Folder, provider: &Provider, more: &[&str]) -> crate::Answer {
    answer(
        folder
            .at_home(&[&["test", "--live"], more].concat())
            .env("OPENAI_BASE_URL", &provider.url)
            .env("OPENAI_API_KEY", KEY),
    )
}

/// Runs `agentmd test` without an accepted agreement, a key, or a provider.
fn replayed(folder: &Folder, more: &[&str]) -> crate::Answer {
    let mut command = folder.at_home(&[&["test"], more].concat());
    answer(command.env("HOME", folder.path("nowhere")).env("OPENAI_BASE_URL", "http://127.0.0.1:9"))
}

#[test]
fn cases_are_recorded_live_and_replayed_everywhere() {
    let folder = folder();
    // Without a recording, the message names the command that makes one.
    let first = replayed(&folder, &[]);
    assert_eq!(first.status, 1);
    assert!(
        first.out.contains(
            "record it with `agentmd test count.test.yaml --live --exact --filter \"two words\"`"
        ) && first.out.ends_with("\n1 passed, 2 unrecorded\n"),
        "{first:?}"
    );
    let provider = Provider::with([good(), Reply::text("{\"n\": 1}")]);
    let recorded = live(&folder, &provider, &["count.test.yaml"]);
    assert_eq!(recorded.status, 1, "{recorded:?}");
    assert!(recorded.out.contains("`/n` is 1, not 0"), "{}", recorded.out);
    assert_eq!(provider.asked().len(), 2);
    // The failed case is recorded, too, so it fails again without a network.
    for paths in [&[][..], &["."], &["count.md"], &["count.test.yaml"]] {
        let again = replayed(&folder, paths);
        assert_eq!((again.status, again.err.as_str()), (1, ""), "{again:?}");
        assert!(again.out.ends_with("\n2 passed, 1 failed\n"), "{}", again.out);
    }
    let filtered = replayed(&folder, &["--filter", "two"]);
    assert_eq!(filtered.status, 0, "{filtered:?}");
    // A changed program needs a new recording.
    folder.write("count.md", COUNT.replace("Count the", "Count all"));
    let changed = replayed(&folder, &["--filter", "two"]);
    assert_eq!(changed.status, 1);
    assert!(
        changed.out.contains("the request differs from the recorded one")
            && changed.out.contains("--live"),
        "{}",
        changed.out
    );
    let refreshed = live(&folder, &Provider::with([good()]), &["--filter", "two"]);
    assert_eq!(refreshed.status, 0, "{refreshed:?}");
    assert_eq!(replayed(&folder, &["--filter", "two"]).status, 0);
}

#[test]
fn reports_for_programs_and_for_ci() {
    let folder = folder();
    let provider = Provider::with([good(), Reply::text("{\"n\": 1}")]);
    live(&folder, &provider, &[]);
    let mut report = replayed(&folder, &["--format", "json"]).json();
    for case in report["programs"][0]["cases"].as_array_mut().unwrap() {
        assert!(case["duration_ms"].take().is_u64());
    }
    assert_eq!(
        report,
        json!({
            "programs": [{ "path": "count.md", "file": "count.test.yaml", "cases": [
                { "name": "two words", "line": 2, "outcome": "passed", "duration_ms": null, "cost": 0.001125 },
                { "name": "no words", "line": 8, "outcome": "failed", "expected": 0, "actual": 1, "message": "`/n` is 1, not 0", "duration_ms": null, "cost": 0.001125 },
                { "name": "wrong input", "line": 11, "outcome": "passed", "duration_ms": null, "cost": 0.0 },
            ] }],
            "summary": { "passed": 2, "failed": 1, "unrecorded": 0, "errors": 0 },
        })
    );
    let junit = replayed(&folder, &["--format", "junit"]);
    assert!(junit.out.starts_with("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites tests=\"3\" failures=\"1\" errors=\"0\">\n  <testsuite name=\"count.md\" tests=\"3\""), "{}", junit.out);
    assert!(
        junit.out.contains("<failure type=\"failed\" message=\"`/n` is 1, not 0\"/>"),
        "{}",
        junit.out
    );
}

#[test]
fn a_judge_decides_and_its_reply_is_recorded() {
    let judge = "---
name: judge
description: Judges a count.
input: { type: object, properties: { input: true, output: true, criteria: { type: string } }, required: [input, output] }
output: { type: object, properties: { pass: { type: boolean }, reason: { type: string } }, required: [pass] }
---

Is {{ .output }} right for {{ .input }}? {{ .criteria }}
";
    let cases = "cases: [{ name: judged, input: { text: a b }, expect: { judge: { program: ./judge.md, criteria: Be strict. } } }]";
    let folder =
        Folder::agreed(&[("count.md", COUNT), ("judge.md", judge), ("count.test.yaml", cases)]);
    let provider =
        Provider::with([good(), Reply::text("{\"pass\": false, \"reason\": \"too few\"}")]);
    let recorded = live(&folder, &provider, &[]);
    assert_eq!(recorded.status, 1, "{recorded:?}");
    assert!(recorded.out.contains("`judge` rejects the output: too few"), "{}", recorded.out);
    let question = provider.asked()[1].body["messages"][1]["content"].as_str().unwrap().to_owned();
    assert!(question.contains("Be strict."), "{question}");
    let again = replayed(&folder, &[]);
    assert!(again.status == 1 && again.out.contains("too few"), "{again:?}");
    assert!(folder.path("count.recordings/judged/judge/01.reply.json").is_file());
}

#[test]
fn usage_errors_and_invalid_files_are_reported() {
    let folder = folder();
    for (arguments, status, expected) in [
        (&["none.md"][..], 2, "error: none.md: no such file"),
        (
            &["count.md", "--filter", "nothing like it"],
            1,
            "error: no case's name contains `nothing like it`",
        ),
        (&["agentmd.toml"], 2, "error: agentmd.toml is neither a program nor a test file"),
        (&["other.md"], 2, "error: other.md has no cases; write them in other.test.yaml"),
        (&["--live"], 1, "error: the agreement has not been accepted yet"),
    ] {
        folder.write("agentmd.toml", "");
        folder.write("other.md", COUNT);
        let answer = replayed(&folder, arguments);
        assert_eq!(answer.status, status, "{answer:?}");
        assert!(answer.err.starts_with(expected), "{}", answer.err);
    }
    // Test files of other tools are ignored.
    folder.write("other.test.yaml", "suite: other\ntests: []\n");
    assert!(!replayed(&folder, &[]).err.contains("other"), "{:?}", replayed(&folder, &[]));
    folder.write("broken.test.yaml", "cases:\n  - nme: a\n    expect: {}\n");
    let broken = replayed(&folder, &[]);
    assert_eq!(broken.status, 2);
    assert!(
        broken.err.contains("broken.test.yaml:2:5: unknown key `nme`; did you mean `name`?"),
        "{}",
        broken.err
    );
    // If a program can't run, its cases have an error.
    std::fs::remove_file(folder.path("broken.test.yaml")).unwrap();
    folder.write("count.md", COUNT.replace("name: count\n", ""));
    let wrong = replayed(&folder, &[]);
    assert!(
        wrong.status == 1
            && wrong.out.contains("missing field `name`")
            && wrong.out.contains("3 errors"),
        "{}",
        wrong.out
    );
}

#[test]
fn tests_in_front_matter_run_like_those_in_a_file() {
    let tests = "tests:
  - { name: two words, input: { text: one two }, expect: { equals: { n: 2 } } }
  - { name: two, input: { text: one }, expect: { at: { /n: 1 } } }
---

";
    let own = COUNT.replacen("---\n\n", tests, 1);
    let folder = Folder::agreed(&[("count.md", &own), ("notes.md", "---\ntests: 3\n---\n")]);
    let provider = Provider::with([good(), Reply::text("{\"n\": 1}")]);
    let recorded = live(&folder, &provider, &[]);
    assert_eq!(recorded.status, 0, "{recorded:?}");
    for paths in [&[][..], &["."], &["count.md"]] {
        let again = replayed(&folder, paths);
        assert!(again.status == 0 && again.out.ends_with("\n2 passed\n"), "{again:?}");
    }
    let report = replayed(&folder, &["--format", "json"]).json();
    assert_eq!(report["programs"][0]["file"], "count.md");
    assert_eq!(report["programs"][0]["cases"][1]["line"], 8);
    // Part of a name selects both cases, the whole name only one.
    let exact = replayed(&folder, &["--exact", "--filter", "two"]);
    assert!(exact.out.ends_with("\n1 passed\n"), "{exact:?}");
    // Mistakes in tests don't keep the program from running.
    folder.write("count.md", own.replace("equals", "equal"));
    let wrong = replayed(&folder, &[]);
    assert_eq!(wrong.status, 2, "{wrong:?}");
    let message = "error: count.md:7:60: unknown key `equal`; did you mean `equals`?";
    assert!(wrong.err.starts_with(message), "{}", wrong.err);
    let input = ["count.md", "--input", r#"{"text": "a b"}"#];
    let run = folder.ask(&Provider::with([good()]), &input);
    assert_eq!(run.status, 0, "{run:?}");
    let checked = answer(&mut folder.command(&["check", "count.md"]));
    assert!(checked.status == 1 && checked.out.contains("unknown-test-key"), "{checked:?}");
    // A recording belongs to a single case, so duplicate names are an error.
    folder.write("count.md", own);
    folder.write("count.test.yaml", CASES);
    let twice = replayed(&folder, &["count.md"]);
    assert_eq!(twice.status, 2, "{twice:?}");
    assert!(twice.err.contains("duplicate case `two words`, also in count.md:7"), "{}", twice.err);
}

#[test]
#[cfg(unix)]
fn the_command_that_records_a_case_records_only_that_case() {
    for (file, names) in [
        ("count", &["two words", "two words more"][..]),
        ("my count", &["$HOME `date` \"x\" it's back\\slash", "-y", "a!b", "日本 🦆", "x"]),
    ] {
        let cases: String = names
            .iter()
            .map(|name| {
                let name = json!(name);
                format!("  - {{ name: {name}, input: {{ text: a }}, expect: {{ equals: {{ n: 2 }} }} }}\n")
            })
            .collect();
        let (program, suite) = (format!("{file}.md"), format!("{file}.test.yaml"));
        for (index, name) in names.iter().enumerate() {
            let files = [(program.as_str(), COUNT), (&suite, &format!("cases:\n{cases}"))];
            let folder = Folder::agreed(&files);
            let report = replayed(&folder, &["--format", "json"]).json();
            let message = &report["programs"][0]["cases"][index]["message"];
            let message = message.as_str().unwrap();
            let command = message.split_once("record it with `agentmd ").unwrap().1;
            let command = command.strip_suffix('`').unwrap();
            let provider = Provider::with([good()]);
            let mut shell = std::process::Command::new("sh");
            let agentmd = folder.at_home(&[]).get_program().to_owned();
            shell
                .args(["-c", &format!("\"$0\" {command}")])
                .arg(agentmd)
                .current_dir(folder.root())
                .env("HOME", folder.root())
                .env("OPENAI_BASE_URL", &provider.url)
                .env("OPENAI_API_KEY", KEY);
            let recorded = answer(&mut shell);
            assert_eq!((recorded.status, provider.asked().len()), (0, 1), "{name}: {recorded:?}");
            let again = replayed(&folder, &["--exact", &format!("--filter={name}")]);
            assert_eq!(again.status, 0, "{name}: {again:?}");
        }
    }
}

#[test]
fn a_recording_that_does_not_fit_is_not_the_expected_error() {
    let cases =
        "cases: [{ name: refused request, input: { text: a }, expect: { error: refused } }]";
    let folder = Folder::agreed(&[("count.md", COUNT), ("count.test.yaml", cases)]);
    let refusal = Reply::message(json!({ "role": "assistant", "refusal": "no" }), "stop");
    let provider = Provider::with([refusal]);
    assert_eq!(live(&folder, &provider, &[]).status, 0);
    assert_eq!(replayed(&folder, &[]).status, 0);
    folder.write("count.md", COUNT.replace("Count the", "If it isn't refused, count all"));
    let changed = replayed(&folder, &[]);
    assert!(changed.status == 1 && changed.out.contains("differs from"), "{changed:?}");
    folder.write("count.md", COUNT);
    std::fs::remove_file(folder.path("count.recordings/refused-request/01.reply.json")).unwrap();
    let missing = replayed(&folder, &[]);
    assert!(missing.status == 1 && missing.out.contains("the recording has no"), "{missing:?}");
}

#[test]
fn a_refused_recording_leaves_the_old_one() {
    let cases = "cases: [{ name: a, input: { text: a }, expect: { equals: { n: 2 } } }]";
    let folder = Folder::agreed(&[("count.md", COUNT), ("count.test.yaml", cases)]);
    assert_eq!(live(&folder, &Provider::with([good()]), &[]).status, 0);
    let secret = Reply::text(&format!("{{\"n\": 2}} {KEY}"));
    let refused = live(&folder, &Provider::with([secret]), &[]);
    assert!(refused.status == 1 && refused.out.contains("contains a secret"), "{refused:?}");
    assert_eq!(replayed(&folder, &[]).status, 0);
    assert!(!folder.path("count.recordings/a.new").exists());
}

#[test]
fn check_accepts_expectations_that_can_be_met() {
    let open = COUNT.replace(", additionalProperties: false", "");
    let case = "cases: [{ name: a, input: { text: a }, expect: { at: { /x: 1 } } }]";
    for (output, found) in [
        (open.clone(), Some("hint")),
        (
            open.replace(
                "{ type: object, properties: { n: { type: integer } }, required: [n] }",
                "{ type: object }",
            ),
            None,
        ),
        (COUNT.to_owned(), Some("error")),
    ] {
        let folder = Folder::agreed(&[("count.md", &output), ("count.test.yaml", case)]);
        let answer = answer(&mut folder.at_home(&["check", "--format", "json"])).json();
        let found_all: Vec<&serde_json::Value> = answer["files"]
            .as_array()
            .unwrap()
            .iter()
            .flat_map(|file| file["diagnostics"].as_array().unwrap())
            .filter(|found| found["code"] == "markdownlang/invalid-test-output")
            .map(|found| &found["severity"])
            .collect();
        let expected: Vec<serde_json::Value> = found.into_iter().map(Into::into).collect();
        assert_eq!(found_all, expected.iter().collect::<Vec<_>>(), "{output}");
    }
}

#[test]
fn check_finds_mistakes_in_test_files() {
    let folder = folder();
    let fine = answer(&mut folder.command(&["check"]));
    assert_eq!(fine.status, 0, "{fine:?}");
    folder.write("count.test.yaml", CASES.replace("/n: 0", "/m: 0"));
    folder.write("other.test.yaml", "suite: other\ntests: [{ name: a }]\n");
    let wrong = answer(&mut folder.command(&["check"]));
    assert_eq!(wrong.status, 1, "{wrong:?}");
    assert!(wrong.out.contains("`m` is not in the `output` schema of count.md"), "{}", wrong.out);
    assert!(!wrong.out.contains("other.test.yaml"), "{}", wrong.out);
}

#[test]
fn a_case_in_two_files_is_a_finding_of_check_too() {
    let own = |tests: &str| COUNT.replacen("---\n", &format!("---\ntests: {tests}\n"), 1);
    let with = |name: &str| {
        format!("[{{ name: \"{name}\", input: {{ text: x }}, expect: {{ equals: {{ n: 1 }} }} }}]")
    };
    let check = |files: &[(&str, &str)]| {
        let folder = Folder::agreed(files);
        let answer = answer(&mut folder.at_home(&["check", "--format", "json"])).json();
        let found = answer["files"].as_array().unwrap().iter().flat_map(|file| {
            let path = file["path"].as_str().unwrap().to_owned();
            let found = file["diagnostics"].as_array().unwrap().iter();
            let found = found.filter(|found| found["code"] == "markdownlang/invalid-test");
            found
                .map(move |found| {
                    let related = &found["related"][0]["path"];
                    let message = found["message"].as_str().unwrap();
                    let line = &found["range"]["start"]["line"];
                    format!("{path}:{line}: {message} ({})", related.as_str().unwrap_or_default())
                })
                .collect::<Vec<_>>()
        });
        (found.collect::<Vec<_>>(), replayed(&folder, &[]).status)
    };
    let twice = own(&with("two words"));
    let message = "duplicate case `two words`, also in `count.md` (count.md)";
    assert_eq!(
        check(&[("count.md", &twice), ("count.test.yaml", CASES)]),
        (vec![format!("count.test.yaml:2: {message}")], 2)
    );
    let crlf = CASES.replace('\n', "\r\n");
    assert_eq!(
        check(&[("count.md", &twice), ("count.test.yml", &crlf)]),
        (vec![format!("count.test.yml:2: {message}")], 2)
    );
    let near = "the recordings of `two words` and of `Two, words 🦆` in `count.md` would have the same name (count.md)";
    assert_eq!(
        check(&[("count.md", &own(&with("Two, words 🦆"))), ("count.test.yaml", CASES)]),
        (vec![format!("count.test.yaml:2: {near}")], 2)
    );
    let both = [("count.md", COUNT), ("count.test.yaml", CASES), ("count.test.yml", CASES)];
    assert_eq!(check(&both).0.len(), 3);
    let none = [("count.md", own(&with("日本"))), ("other.md", own(&with("two words")))];
    let none: Vec<(&str, &str)> = none.iter().map(|(name, text)| (*name, text.as_str())).collect();
    assert_eq!(check(&[&none[..], &[("count.test.yaml", CASES)]].concat()).0, [""; 0]);
}

#[test]
fn flaws_of_tests_come_in_the_order_of_the_file() {
    let cases = "cases:
  - name: \"\"
    expect: { equals: { n: 2 } }
    model: 3
  - input: { text: 日本 }
    expct: { equals: { n: 2 } }
  - name: \" \"
    expect: { at: { n: 0 } }
";
    let folder = Folder::agreed(&[("count.md", COUNT), ("count.test.yaml", cases)]);
    let answer = replayed(&folder, &[]);
    assert_eq!(answer.status, 2);
    let lines: Vec<usize> =
        answer.err.lines().filter_map(|line| line.split(':').nth(2)?.parse().ok()).collect();
    assert!(lines.len() >= 5 && lines.is_sorted(), "{}", answer.err);
    assert!(answer.err.contains("count.test.yaml:2:11: `name` is empty"), "{}", answer.err);
    let check = super::answer(&mut folder.at_home(&["check"]));
    assert!(
        check.out.contains("`name` is empty") && !check.out.contains("`name` must be a string")
    );
}
