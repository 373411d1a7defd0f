//! Model settings, samples, prices.

use serde_json::json;

use super::{COUNT, Folder, Provider, Reply, summary};

const INPUT: [&str; 3] = ["count.md", "--input", r#"{"text": "one two"}"#];

fn good() -> Reply {
    Reply::text("{\"n\": 2}")
}

#[test]
fn config_is_sent_without_invalid_settings() {
    let config = "config: { temperature: 0.5, seed: 7, max_tokens: 100, top_p: 9, typo: 1 }";
    let folder = Folder::agreed(&[(
        "count.md",
        &COUNT.replace("name: count", &format!("name: count\n{config}")),
    )]);
    let provider = Provider::with([good()]);
    assert_eq!(folder.ask(&provider, &INPUT).status, 0);
    let body = &provider.asked()[0].body;
    assert_eq!(
        (
            &body["temperature"],
            &body["seed"],
            &body["max_tokens"],
            body.get("top_p"),
            body.get("typo")
        ),
        (&json!(0.5), &json!(7), &json!(100), None, None)
    );
    let checked = folder.run(&["check", "--format", "json", "count.md"]).json();
    let messages: Vec<_> = checked["files"][0]["diagnostics"]
        .as_array()
        .unwrap()
        .iter()
        .map(|found| {
            (
                found["code"].as_str().unwrap(),
                found["message"].as_str().unwrap(),
                found["severity"].as_str().unwrap(),
            )
        })
        .collect();
    assert_eq!(
        messages,
        [
            (
                "markdownlang/invalid-config",
                "`top_p` must be a number from 0 to 1; it has no effect",
                "warning"
            ),
            (
                "markdownlang/invalid-config",
                "unknown model setting `typo`, which has no effect",
                "warning"
            ),
        ]
    );
}

#[test]
fn a_sample_is_the_input_on_request() {
    let folder = Folder::agreed(&[(
        "count.md",
        &COUNT.replace("name: count", "name: count\nsample: { text: a sample }"),
    )]);
    let provider = Provider::with([good()]);
    assert_eq!(folder.ask(&provider, &["count.md", "--sample"]).status, 0);
    assert_eq!(provider.asked()[0].body["messages"][1]["content"], "Count the words of a sample\n");
    let rendered = folder.run(&["render", "count.md", "--sample"]);
    assert_eq!((rendered.status, rendered.out.as_str()), (0, "Count the words of a sample\n"));
    // An input takes precedence, and the sample is used only with the flag.
    let rendered = folder.run(&["render", "count.md", "--sample", "--input", INPUT[2]]);
    assert_eq!(rendered.out, "Count the words of one two\n");
    assert_eq!(folder.ask(&Provider::with([]), &["count.md"]).status, 1);
    folder.write("count.md", COUNT);
    let none = folder.ask(&Provider::with([]), &["count.md", "--sample"]);
    assert_eq!(
        (none.status, none.err.as_str()),
        (2, "error: count.md has no `sample` in its front matter\n")
    );
    folder.write("count.md", COUNT.replace("name: count", "name: count\nsample: { text: 3 }"));
    let checked = folder.run(&["check", "count.md"]);
    assert!(checked.out.contains("the sample doesn't match `input`"), "{checked:?}");
}

#[test]
fn mdl_33_prices_come_from_the_settings_and_a_run_ends_at_its_limit() {
    let folder = Folder::agreed(&[
        ("count.md", COUNT),
        ("agentmd.toml", "[prices.\"my-model\"]\ninput = 1000\noutput = 2000\n"),
    ]);
    let provider = Provider::with([good()]);
    let answer =
        folder.ask(&provider, &[&INPUT[..], &["--summary", "--model", "my-model"]].concat());
    assert_eq!(summary(&answer)["tokens"]["cost"], json!(0.3));
    // 150 and 75 tokens cost $0.30, so the second request is within the limit, but not the third.
    let provider = Provider::always(Reply::text("no"));
    let answer = folder
        .ask(&provider, &[&INPUT[..], &["--model", "my-model", "--max-cost", "0.5"]].concat());
    assert_eq!((answer.status, provider.asked().len()), (1, 2), "{answer:?}");
    assert_eq!(answer.err, "error: the run has cost $0.6, and `--max-cost` is $0.5\n");
    let provider = Provider::with([good()]);
    let other = ["--model", "other", "--max-cost", "0.5", "--summary"];
    let answer = folder.ask(&provider, &[&INPUT[..], &other].concat());
    assert_eq!((answer.status, provider.asked().len()), (1, 0));
    assert!(answer.err.contains("\"iterations\": 0,"), "{}", answer.err);
    assert!(answer.err.contains("the price of `other` is unknown"), "{}", answer.err);
    let wrong = super::answer(&mut folder.at_home(&["run", "count.md", "--max-cost", "-1"]));
    assert_eq!(wrong.status, 2);
}

#[test]
fn mdl_33_invalid_prices_are_errors() {
    for price in ["-1", "nan", "-inf", "inf", "+nan"] {
        for pair in [format!("input = {price}\noutput = 1"), format!("input = 1\noutput = {price}")]
        {
            let folder = Folder::agreed(&[
                ("count.md", COUNT),
                ("agentmd.toml", &format!("[prices.\"日本\"]\n{pair}\n")),
            ]);
            let provider = Provider::with([good()]);
            let answer = folder
                .ask(&provider, &[&INPUT[..], &["--model", "日本", "--max-cost", "1"]].concat());
            assert_eq!((answer.status == 0, provider.asked().len()), (false, 0), "{price}");
            assert!(answer.err.contains("of `日本` must be a number of dollars"), "{}", answer.err);
            let check = super::answer(&mut folder.at_home(&["check"]));
            assert_eq!(check.status, 2, "{check:?}");
            assert!(check.err.contains("of `日本` must be a number of dollars"), "{}", check.err);
        }
    }
}

#[test]
fn mdl_33_a_price_of_zero_sets_no_limit() {
    for (input, output, what) in [
        ("0", "0.0", Some("input and output")),
        ("0", "5", Some("input")),
        ("5", "0.00001", Some("output")),
        ("5", "5", None),
    ] {
        let folder = Folder::agreed(&[
            ("count.md", COUNT),
            ("agentmd.toml", &format!("[prices.m]\ninput = {input}\noutput = {output}\n")),
        ]);
        let ask = |more: &[&str]| {
            let provider = Provider::with([Reply::text("no"), good()]);
            folder.ask(&provider, &[&INPUT[..], &["--model", "m"], more].concat())
        };
        let answer = ask(&["--max-cost", "100"]);
        assert_eq!(answer.status, 0, "{answer:?}");
        let expected = what.map_or_else(String::new, |what| {
            format!("warning: `--max-cost` can't limit `m`: its price for {what} is 0\n")
        });
        assert_eq!(answer.err, expected);
        assert_eq!(ask(&[]).err, "");
    }
}

#[test]
fn mdl_29_thoughts_and_prose_around_a_result_cost_no_iteration() {
    let folder = Folder::agreed(&[("count.md", COUNT)]);
    for reply in [
        "<think>Perhaps {\"n\": 9}? No.</think>{\"n\": 2}",
        "Here is: {\"n\": 2}",
        "{\"n\": \"two\"} is wrong, so {\"n\": 2}.",
        "See [1]. {\"n\": 2}",
    ] {
        let provider = Provider::with([Reply::text(reply)]);
        let answer = folder.ask(&provider, &INPUT);
        assert_eq!(
            (answer.status, answer.out.as_str()),
            (0, "{\n  \"n\": 2\n}\n"),
            "{reply}: {answer:?}"
        );
    }
}
