//! The output and the summary of a run.

use serde_json::json;

use super::{COUNT, Folder, Provider, Reply, summary};

const INPUT: [&str; 3] = ["count.md", "--input", r#"{"text": "one two"}"#];

fn good() -> Reply {
    Reply::text("{\"n\": 2}")
}

#[test]
fn mdl_32_the_output_is_written_atomically_and_not_printed() {
    let folder = Folder::agreed(&[("count.md", COUNT), ("out.json", "old")]);
    let answer =
        folder.ask(&Provider::with([good()]), &[&INPUT[..], &["-output", "out.json"]].concat());
    assert_eq!((answer.status, answer.out.as_str(), answer.err.as_str()), (0, "", ""));
    assert_eq!(folder.read("out.json"), "{\n  \"n\": 2\n}\n");
    // A failed run leaves the existing file as it was.
    let answer = folder.ask(&Provider::with([]), &[&INPUT[..], &["-output", "out.json"]].concat());
    assert_eq!(answer.status, 1);
    assert_eq!(folder.read("out.json"), "{\n  \"n\": 2\n}\n");
    let mut names: Vec<_> = std::fs::read_dir(folder.root())
        .unwrap()
        .flatten()
        .map(|entry| entry.file_name().into_string().unwrap())
        .collect();
    names.sort();
    assert_eq!(names, [".markdownlang-agreement.json", "count.md", "out.json"]);
    // Output that has been paid for isn't lost.
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        std::fs::set_permissions(folder.path("out.json"), std::fs::Permissions::from_mode(0o444))
            .unwrap();
        let answer =
            folder.ask(&Provider::with([good()]), &[&INPUT[..], &["-output", "out.json"]].concat());
        assert_eq!((answer.status, answer.out.as_str()), (1, "{\n  \"n\": 2\n}\n"));
        assert_eq!(
            answer.err,
            "error: cannot write out.json, so here is the output: the file is read-only\n"
        );
    }
    // No request is sent if the output can't be written.
    for output in ["none/out.json", "."] {
        let provider = Provider::with([good()]);
        let answer = folder.ask(&provider, &[&INPUT[..], &["-output", output]].concat());
        assert_eq!((answer.status, provider.asked().len()), (2, 0), "{answer:?}");
    }
}

#[test]
fn mdl_33_the_summary_is_one_object_on_stderr() {
    let folder = Folder::agreed(&[("count.md", COUNT)]);
    let answer = folder.ask(&Provider::with([good()]), &[&INPUT[..], &["-summary"]].concat());
    let mut summary = summary(&answer);
    let duration = summary["duration"].take();
    let number = duration.as_str().unwrap().trim_end_matches("ms").trim_end_matches('s');
    assert!(number.parse::<f64>().is_ok(), "{duration}");
    let expected = json!({
        "program": "count.md", "success": true, "iterations": 1,
        "tokens": { "input": 150, "output": 75, "total": 225, "cost": 0.001125 },
        "tools_called": 0, "duration": null, "model": "gpt-4o",
    });
    assert_eq!(summary, expected);
    // The order of the keys matters.
    assert_eq!(summary.to_string(), expected.to_string());
    assert!(answer.err.contains("\"cost\": 0.001125\n"), "{}", answer.err);
}

#[test]
fn mdl_33_a_failure_has_a_summary_with_its_error() {
    let folder =
        Folder::agreed(&[("count.md", COUNT), ("broken.md", &COUNT.replace("name: count\n", ""))]);
    let answer = folder
        .ask(&Provider::with([Reply::error(400, "no")]), &[&INPUT[..], &["-summary"]].concat());
    let (first, rest) = answer.err.split_once('\n').unwrap();
    let failed: serde_json::Value = serde_json::from_str(rest).unwrap();
    assert_eq!(
        (first, &failed["error"]),
        ("error: the provider answered 400: no", &json!("the provider answered 400: no"))
    );
    assert_eq!((&failed["success"], &failed["iterations"]), (&json!(false), &json!(1)));
    assert!(failed.get("agent_calls").is_none());
    // The same for a program that can't run.
    let answer = folder.ask(&Provider::with([]), &["broken.md", "-summary"]);
    let (_, rest) = answer.err.split_once('\n').unwrap();
    let refused: serde_json::Value = serde_json::from_str(rest).unwrap();
    assert_eq!(
        (answer.status, &refused["program"], &refused["iterations"]),
        (1, &json!("broken.md"), &json!(0))
    );
    assert!(refused["error"].as_str().unwrap().contains("missing field `name`"), "{refused}");
}

#[test]
fn mdl_33_a_provider_that_reports_no_usage_costs_nothing() {
    let folder = Folder::agreed(&[("count.md", COUNT)]);
    let bare =
        Reply::json(200, &json!({ "choices": [{ "message": { "content": "{\"n\": 1}" } }] }));
    let answer = folder.ask(&Provider::with([bare]), &[&INPUT[..], &["-summary"]].concat());
    assert_eq!(
        summary(&answer)["tokens"],
        json!({ "input": 0, "output": 0, "total": 0, "cost": 0.0 })
    );
}

#[test]
fn mdl_33_called_programs_have_their_own_totals() {
    let main = COUNT.replace("name: count", "name: main\nimports: [./count.md]");
    let folder = Folder::agreed(&[("count.md", COUNT), ("main.md", &main)]);
    let call = Reply::calls(&[("count", r#"{"text": "a"}"#)]);
    let provider = Provider::with([call.clone(), good(), call, good(), good()]);
    let answer = folder.ask(&provider, &["main.md", INPUT[1], INPUT[2], "--summary"]);
    let mut summary = summary(&answer);
    assert_eq!(
        (&summary["iterations"], &summary["tools_called"], &summary["tokens"]["total"]),
        (&json!(3), &json!(2), &json!(675))
    );
    let calls = summary["agent_calls"].as_object_mut().unwrap();
    for name in ["total_duration", "average_duration"] {
        assert!(calls.insert(name.to_owned(), json!("?")).unwrap().is_string());
    }
    assert_eq!(
        summary["agent_calls"],
        json!({
            "total_calls": 2, "calls_by_agent": { "count": 2 }, "total_duration": "?",
            "average_duration": "?", "tokens_used": 450, "cost": 0.00225,
        })
    );
}
