//! The tool `python` in a run: CPython runs the model's code, if it's installed. The sandbox itself
//! is tested in `tests/python.rs`.

use serde_json::{Value, json};

use super::servers::told;
use super::{Folder, Provider, Reply, answer};

/// The specification's example, verbatim.
const STATS: &str = "---
name: calculate-stats
input:
  type: object
  properties:
    numbers:
      type: array
      items: { type: number }
  required: [numbers]
output:
  type: object
  properties:
    mean: { type: number }
    median: { type: number }
  required: [mean, median]
---

Calculate the mean and median of {{ .numbers }}.
Use the python tool to perform the calculations.
";
const NUMBERS: &str = r#"{"numbers": [1, 2, 6]}"#;

/// A model that calls `python` with this code and then gives the result.
fn calculates(code: &str) -> Provider {
    let arguments = json!({ "code": code }).to_string();
    Provider::with([
        Reply::calls(&[("python", &arguments)]),
        Reply::text(r#"{"mean": 3, "median": 2}"#),
    ])
}

/// Runs the example, with other environment variables or flags.
fn stats(
    folder: &Folder,
    provider: &Provider,
    more: &[&str],
    environment: &[(&str, String)],
) -> crate::Answer {
    folder.write("stats.md", STATS);
    let arguments = [&["run", "stats.md", "--lenient", "--input", NUMBERS], more].concat();
    let mut command = folder.at_home(&arguments);
    command.env("OPENAI_BASE_URL", &provider.url).env("OPENAI_API_KEY", super::KEY);
    answer(command.envs(environment.iter().map(|(name, value)| (name, value))))
}

/// The tools that a request offers.
fn offered(provider: &Provider) -> Vec<String> {
    let tools = provider.asked()[0].body["tools"].as_array().cloned().unwrap_or_default();
    let name = |tool: &Value| tool["function"]["name"].as_str().unwrap().to_owned();
    tools.iter().map(name).collect()
}

/// Checks that the program ran without Python, and that the model got an error when it called it.
#[track_caller]
fn did_without(answer: &crate::Answer, provider: &Provider, why: &str) {
    assert_eq!(answer.status, 0, "{answer:?}");
    let warning = "warning: `calculate-stats` mentions the tool `python`, and the model must do \
                   without it: ";
    assert!(answer.err.contains(warning) && answer.err.contains(why), "{}", answer.err);
    assert_eq!(offered(provider), [""; 0]);
    assert_eq!(
        told(provider),
        [r#"{"error":"Python is not available in this installation; no tools are available"}"#]
    );
}

#[test]
fn mdl_30_without_its_component_python_is_missing_and_run_says_how_to_install_it() {
    let folder = Folder::agreed(&[]);
    let provider = calculates("print(1)");
    let path = folder.path("no/python.wasm").display().to_string();
    let environment = [("AGENTMD_PYTHON", path.clone())];
    let answer = stats(&folder, &provider, &[], &environment);
    let why = match cfg!(feature = "python") {
        true => format!(
            "Python is not installed: {path} is missing; download it from the release, or build \
             it with `scripts/python.sh`"
        ),
        false => "this build of agentmd has no Python; build one with `cargo install agentmd \
                  --features python`"
            .to_owned(),
    };
    did_without(&answer, &provider, &why);
    let checked = super::answer(folder.at_home(&["check", "stats.md"]).envs(environment));
    assert!(checked.out.contains("markdownlang/python-unavailable"), "{checked:?}");
}

#[cfg(feature = "python")]
mod installed {
    use super::*;

    fn python(stdout: &str) -> String {
        json!({ "stdout": stdout, "stderr": "", "error": null }).to_string()
    }

    #[test]
    fn mdl_30_calculate_stats_gets_the_output_of_cpython() {
        let folder = Folder::agreed(&[]);
        let provider = calculates(
            "import statistics\nnumbers = [1, 2, 6]\n\
             print(statistics.mean(numbers), statistics.median(numbers))",
        );
        let answer = stats(&folder, &provider, &["--summary"], &[]);
        assert_eq!(answer.status, 0, "{answer:?}");
        assert_eq!(answer.json(), json!({ "mean": 3, "median": 2 }));
        assert_eq!(offered(&provider), ["python"]);
        let parameters = &provider.asked()[0].body["tools"][0]["function"]["parameters"];
        assert_eq!(parameters["required"], json!(["code"]));
        assert_eq!(told(&provider), [python("3 2\n")]);
        assert!(answer.err.contains("\"tools_called\": 1"), "{}", answer.err);
        assert!(!answer.err.contains("mentions the tool"), "{}", answer.err);
        let checked = super::answer(&mut folder.at_home(&["check", "stats.md"]));
        assert!(!checked.out.contains("python-unavailable"), "{checked:?}");
    }

    #[test]
    fn mdl_30_fizzbuzz_word_count_adds_with_python() {
        let example = |name: &str, more: &str, output: &str, body: &str| {
            let range = "  properties:\n    start: { type: integer }\n    end: { type: integer }\n  \
                         required: [start, end]\n";
            let text = "  properties:\n    text: { type: string }\n  required: [text]\n";
            let input = if name == "word-count" { text } else { range };
            format!(
                "---\nname: {name}\n{more}input:\n  type: object\n{input}output:\n  type: object\n  properties:\n{output}---\n\n{body}\n"
            )
        };
        let fizzbuzz = example(
            "fizzbuzz",
            "",
            "    results:\n      type: array\n      items: { type: string }\n  required: [results]\n",
            "Generate FizzBuzz from {{ .start }} to {{ .end }}.",
        );
        let count = example(
            "word-count",
            "",
            "    count: { type: integer }\n  required: [count]\n",
            "Count the words in: {{ .text }}",
        );
        let main = example(
            "fizzbuzz-word-count",
            "imports:\n  - ./fizzbuzz.md\n  - ./word-count.md\n",
            "    fizzbuzz_results:\n      type: array\n      items: { type: string }\n    \
             total_words: { type: integer }\n  required: [fizzbuzz_results, total_words]\n",
            "1. Call the fizzbuzz tool with start={{ .start }} and end={{ .end }}
2. For each result, call word-count to count words
3. Use the python tool to sum all word counts
4. Return both the FizzBuzz results and total word count",
        );
        let folder = Folder::agreed(&[
            ("fizzbuzz.md", &fizzbuzz),
            ("word-count.md", &count),
            ("fizzbuzz-word-count.md", &main),
        ]);
        let result = json!({ "fizzbuzz_results": ["Fizz", "4"], "total_words": 2 });
        let sum = json!({ "code": "counts = [1, 1]\nprint(sum(counts))" }).to_string();
        let provider = Provider::with([
            Reply::calls(&[("fizzbuzz", r#"{"start": 3, "end": 4}"#)]),
            Reply::text(r#"{"results": ["Fizz", "4"]}"#),
            Reply::calls(&[("word-count", r#"{"text": "Fizz"}"#)]),
            Reply::text(r#"{"count": 1}"#),
            Reply::calls(&[("word-count", r#"{"text": "4"}"#)]),
            Reply::text(r#"{"count": 1}"#),
            Reply::calls(&[("python", &sum)]),
            Reply::text(&result.to_string()),
        ]);
        let answer = folder.ask(
            &provider,
            &["fizzbuzz-word-count.md", "--lenient", "--input", r#"{"start": 3, "end": 4}"#],
        );
        assert_eq!((answer.status, answer.json()), (0, result), "{answer:?}");
        assert_eq!(offered(&provider), ["fizzbuzz", "word-count", "python"]);
        assert_eq!(
            told(&provider),
            [r#"{"results":["Fizz","4"]}"#, r#"{"count":1}"#, r#"{"count":1}"#, &python("2\n")]
        );
    }

    #[test]
    fn mdl_30_code_that_fails_is_an_error_for_the_model() {
        let folder = Folder::agreed(&[]);
        let provider = calculates("print('so far')\n1 / 0");
        assert_eq!(stats(&folder, &provider, &[], &[]).status, 0);
        let told: Value = serde_json::from_str(&told(&provider)[0]).unwrap();
        assert_eq!(told["stdout"], "so far\n");
        assert_eq!(told["error"], "execution failed: ZeroDivisionError: division by zero");
        let traceback = told["stderr"].as_str().unwrap();
        assert!(traceback.starts_with("Traceback (most recent call last):\n"), "{traceback}");
        // A call without code runs nothing.
        let provider = Provider::with([
            Reply::calls(&[("python", r#"{"program": "print(1)"}"#)]),
            Reply::text(r#"{"mean": 3, "median": 2}"#),
        ]);
        assert_eq!(stats(&folder, &provider, &[], &[]).status, 0);
        assert_eq!(
            super::told(&provider),
            [r#"{"error":"`code` is missing: a string with a Python program"}"#]
        );
    }

    #[test]
    fn mdl_30_concurrent_calls_of_python_share_nothing() {
        let folder = Folder::agreed(&[]);
        let calls: Vec<String> = (0..4)
            .map(|number| {
                let code = format!(
                    "import os\nopen('{number}', 'w').close()\nprint({number}, os.listdir('.'))"
                );
                json!({ "code": code }).to_string()
            })
            .collect();
        let calls: Vec<_> = calls.iter().map(|call| ("python", call.as_str())).collect();
        let provider =
            Provider::with([Reply::calls(&calls), Reply::text(r#"{"mean": 3, "median": 2}"#)]);
        folder.write("temporary/kept", "");
        let temporary = folder.path("temporary").display().to_string();
        let names = ["TMPDIR", "TMP", "TEMP"].map(|name| (name, temporary.clone()));
        assert_eq!(stats(&folder, &provider, &[], &names).status, 0);
        let expected: Vec<_> =
            (0..4).map(|number| python(&format!("{number} ['{number}']\n"))).collect();
        assert_eq!(told(&provider), expected);
        assert_eq!(std::fs::read_dir(temporary).unwrap().count(), 1, "a folder is left");
    }

    #[cfg(unix)]
    #[test]
    fn mdl_30_an_interrupted_run_ends_python_and_leaves_no_folder() {
        use std::os::unix::process::ExitStatusExt;
        use std::time::{Duration, Instant};

        let folder = Folder::agreed(&[("stats.md", STATS), ("temporary/kept", "")]);
        let provider = calculates("while True: pass");
        let temporary = folder.path("temporary");
        let folders = || std::fs::read_dir(&temporary).unwrap().count() - 1;
        let mut child = folder
            .at_home(&["run", "stats.md", "--lenient", "--input", NUMBERS])
            .env("OPENAI_BASE_URL", &provider.url)
            .env("TMPDIR", &temporary)
            .stderr(std::process::Stdio::null())
            .spawn()
            .unwrap();
        let began = Instant::now();
        while folders() == 0 {
            assert!(began.elapsed() < Duration::from_secs(300), "no code has been run");
            std::thread::sleep(Duration::from_millis(20));
        }
        let signalled = Instant::now();
        super::super::interruption::kill(&child, "-INT");
        assert_eq!(child.wait().unwrap().signal(), Some(2));
        assert!(signalled.elapsed() < Duration::from_secs(10), "{:?}", signalled.elapsed());
        assert_eq!(folders(), 0);
    }

    #[test]
    fn mdl_30_a_component_with_another_hash_is_refused() {
        let folder = Folder::agreed(&[]);
        let path = folder.path("python.wasm").display().to_string();
        let environment = [("AGENTMD_PYTHON", path.clone())];
        let refused = |why: &str| {
            let provider = calculates("print(1)");
            let answer = stats(&folder, &provider, &[], &environment);
            did_without(&answer, &provider, why);
        };
        folder.write("python.wasm", "abc");
        let found = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        // Some builds contain the hash; others read it from a file.
        if option_env!("AGENTMD_PYTHON_SHA256").is_none() {
            refused(&format!("{path}.sha256 can't be used: "));
            folder.write("python.wasm.sha256", "0000  python.wasm\n");
            refused(&format!(
                "{path} is not the Python of this build: its SHA-256 is {found}, not 0000"
            ));
        } else {
            refused(&format!("{path} is not the Python of this build: its SHA-256 is {found}"));
        }
    }

    #[test]
    fn mdl_30_a_recording_has_the_output_of_python_and_needs_no_python() {
        let folder = Folder::agreed(&[]);
        // The output would be different in another run.
        let provider = calculates("import uuid\nprint(uuid.uuid4())");
        let recorded = stats(&folder, &provider, &["--record", "tape"], &[]);
        assert_eq!(recorded.status, 0, "{recorded:?}");
        let call: Value = serde_json::from_str(&folder.read("tape/01.1.tool.json")).unwrap();
        assert_eq!(
            (&call["tool"], call["result"].as_str()),
            (&json!("python"), Some(&*told(&provider)[0]))
        );
        let nobody = Provider::with([]);
        let missing = [("AGENTMD_PYTHON", folder.path("no.wasm").display().to_string())];
        for environment in [&[][..], &missing] {
            let replayed = stats(&folder, &nobody, &["--replay", "tape"], environment);
            assert_eq!((replayed.status, &replayed.out), (0, &recorded.out), "{replayed:?}");
            assert!(!replayed.err.contains("mentions the tool"), "{}", replayed.err);
        }
        assert!(nobody.asked().is_empty());
        // A recording without Python is replayed without Python.
        let provider = Provider::with([Reply::text(r#"{"mean": 3, "median": 2}"#)]);
        assert_eq!(stats(&folder, &provider, &["--record", "tape"], &missing).status, 0);
        let replayed = stats(&folder, &nobody, &["--replay", "tape"], &[]);
        assert_eq!((replayed.status, &replayed.out), (0, &recorded.out), "{replayed:?}");
    }
}
