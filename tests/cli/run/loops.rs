//! The loop: requests, valid replies, and the feedback on invalid ones.

use std::time::Duration;

use serde_json::{Value, json};

use super::{COUNT, Folder, KEY, Provider, Reply, summary};

const INPUT: &str = r#"{"text": "one two"}"#;

#[test]
fn mdl_26_invalid_input_is_never_sent() {
    let folder = Folder::agreed(&[("count.md", COUNT)]);
    for input in [r#"{"text": 3}"#, "{}", "", "[]", "3"] {
        let provider = Provider::always(Reply::text(r#"{"n": 2}"#));
        let answer = folder.ask(&provider, &["count.md", "--input", input, "--summary", "--quiet"]);
        assert_eq!((answer.status, answer.out.as_str()), (1, ""), "{input}: {answer:?}");
        let (first, rest) = answer.err.split_once('\n').unwrap();
        assert!(first.starts_with("error: the input does not match the program: input"), "{first}");
        let summary: Value = serde_json::from_str(rest).unwrap();
        assert_eq!(
            (&summary["success"], &summary["iterations"], &summary["tokens"]["total"]),
            (&json!(false), &json!(0), &json!(0))
        );
        assert!(summary["error"].as_str().unwrap().contains("does not match"));
        assert_eq!(provider.asked().len(), 0);
    }
}

#[test]
fn mdl_26_an_empty_input_is_an_empty_object_and_any_json_is_validated() {
    let free = COUNT.replace(", required: [text]", "");
    let list = COUNT.replace(
        "type: object, properties: { text: { type: string } }, required: [text]",
        "type: array",
    );
    let list = list.replace("{{ .text }}", "{{ len . }} texts");
    let folder = Folder::agreed(&[("free.md", &free), ("list.md", &list)]);
    for (name, input, body) in [
        ("free.md", "", "Count the words of <no value>\n"),
        ("free.md", "{}", "Count the words of <no value>\n"),
        ("list.md", "[1, 2]", "Count the words of 2 texts\n"),
    ] {
        let provider = Provider::with([Reply::text(r#"{"n": 2}"#)]);
        let answer = folder.ask(&provider, &[name, "--input", input]);
        assert_eq!(answer.status, 0, "{name}: {answer:?}");
        assert_eq!(provider.asked()[0].body["messages"][1]["content"], body);
    }
    let provider = Provider::with([]);
    let answer = folder.ask(&provider, &["list.md", "--input", ""]);
    assert_eq!((answer.status, provider.asked().len()), (1, 0));
    assert!(answer.err.contains("expected `array`, found"), "{}", answer.err);
}

#[test]
fn mdl_27_the_request() {
    let folder = Folder::agreed(&[("count.md", COUNT)]);
    let provider = Provider::with([Reply::text(r#"{"n": 2}"#)]);
    let answer = folder.ask(&provider, &["count.md", "--input", INPUT]);
    assert_eq!(
        (answer.status, answer.out.as_str(), answer.err.as_str()),
        (0, "{\n  \"n\": 2\n}\n", "")
    );
    let asked = provider.asked();
    assert_eq!(asked.len(), 1);
    assert_eq!(asked[0].line, "POST /v1/chat/completions HTTP/1.1");
    assert!(
        asked[0].headers.contains(&format!("authorization: Bearer {KEY}")),
        "{:?}",
        asked[0].headers
    );
    let schema = json!({ "type": "object", "properties": { "n": { "type": "integer" } }, "required": ["n"], "additionalProperties": false });
    let system = format!(
        "Counts the words of a text.\n\nReply with one JSON value that matches this JSON Schema, and nothing else:\n\n{schema:#}"
    );
    let expected = json!({
        "model": "gpt-4o",
        "messages": [{ "role": "system", "content": system }, { "role": "user", "content": "Count the words of one two\n" }],
        "response_format": { "type": "json_schema", "json_schema": { "name": "output", "strict": true, "schema": schema } },
    });
    assert_eq!(asked[0].body, expected);
}

#[test]
fn mdl_27_strict_mode_only_for_schemas_that_meet_its_rules() {
    let open = COUNT.replace(", additionalProperties: false", "");
    let optional = COUNT.replace("required: [n], ", "");
    let list = COUNT.replace(
        "output: { type: object, properties: { n: { type: integer } }, required: [n], additionalProperties: false }",
        "output: { type: array }",
    );
    for (program, reply, strict) in [
        (COUNT, "{\"n\": 1}", true),
        (&open, "{\"n\": 1}", false),
        (&optional, "{}", false),
        (&list, "[1]", false),
    ] {
        let folder = Folder::agreed(&[("count.md", program)]);
        let provider = Provider::with([Reply::text(reply)]);
        let answer = folder.ask(&provider, &["count.md", "--input", INPUT]);
        assert_eq!(answer.status, 0, "{answer:?}");
        assert_eq!(
            provider.asked()[0].body["response_format"]["json_schema"]["strict"],
            json!(strict)
        );
        // The prompt mentions `{}` if the schema allows it.
        let system =
            provider.asked()[0].body["messages"][0]["content"].as_str().unwrap().to_owned();
        assert_eq!(system.ends_with("reply with `{}`."), program == optional, "{system}");
    }
}

#[test]
fn mdl_27_a_provider_without_schemas_is_asked_without_one() {
    let folder = Folder::agreed(&[("count.md", COUNT)]);
    let refuse = |what: &str| {
        Reply::error(
            400,
            &format!(
                "Invalid parameter: 'response_format' of type '{what}' is not supported with this model."
            ),
        )
    };
    let provider = Provider::with([
        refuse("json_schema"),
        refuse("json_object"),
        Reply::text("{\"n\": \"2\"}"),
        Reply::text("{\"n\": 2}"),
    ]);
    let answer = folder.ask(&provider, &["count.md", "--input", INPUT, "--summary", "--quiet"]);
    assert_eq!(answer.status, 0, "{answer:?}");
    let forms: Vec<_> = provider
        .asked()
        .iter()
        .map(|asked| asked.body["response_format"]["type"].clone())
        .collect();
    // An unsupported format isn't tried again, and refused requests don't count as iterations.
    assert_eq!(forms, [json!("json_schema"), json!("json_object"), Value::Null, Value::Null]);
    assert_eq!(summary(&answer)["iterations"], json!(2));
    // Any other 400 is an error.
    let provider = Provider::with([Reply::error(400, "context too long")]);
    let answer = folder.ask(&provider, &["count.md", "--input", INPUT]);
    assert_eq!(
        (answer.status, answer.err.as_str()),
        (1, "error: the provider answered 400: context too long\n")
    );
}

#[test]
fn mdl_28_iterations_are_counted_and_end() {
    let folder = Folder::agreed(&[("count.md", COUNT)]);
    let provider = Provider::always(Reply::text("no"));
    let answer = folder.ask(&provider, &["count.md", "--input", INPUT, "--summary", "--quiet"]);
    assert_eq!((answer.status, provider.asked().len()), (1, 10));
    let (first, rest) = answer.err.split_once('\n').unwrap();
    assert!(first.starts_with("error: `count` has no valid output after 10 iterations: the last reply was invalid: the reply is not valid JSON"), "{first}");
    let summary: Value = serde_json::from_str(rest).unwrap();
    assert_eq!(
        (&summary["iterations"], &summary["tokens"]["total"], &summary["success"]),
        (&json!(10), &json!(2250), &json!(false))
    );

    for (most, warned) in [("10", 8), ("5", 4), ("3", 3), ("2", 2)] {
        let provider = Provider::always(Reply::text("no"));
        let answer =
            folder.ask(&provider, &["count.md", "--input", INPUT, "--max-iterations", most]);
        assert_eq!(provider.asked().len().to_string(), most);
        assert!(
            answer.err.starts_with(&format!(
                "warning: `count` has used {warned} of its {most} iterations\nerror: "
            )),
            "{}",
            answer.err
        );
    }
    let answer = folder.ask(&provider, &["count.md", "--max-iterations", "0"]);
    assert_eq!(answer.status, 2);
}

#[test]
fn mdl_28_tool_rounds_count_as_iterations_and_end() {
    let folder = Folder::agreed(&[("count.md", COUNT)]);
    let provider = Provider::always(Reply::calls(&[("nothing", "{}")]));
    let answer = folder.ask(&provider, &["count.md", "--input", INPUT, "--quiet"]);
    assert_eq!((answer.status, provider.asked().len()), (1, 10));
    assert_eq!(
        answer.err,
        "error: `count` has no valid output after 10 iterations: the model kept calling tools; raise `--max-iterations` to allow more\n"
    );
}

#[test]
fn mdl_29_mistakes_are_reported_to_the_model() {
    let folder = Folder::agreed(&[("count.md", COUNT)]);
    let provider = Provider::with([
        Reply::text("two"),
        Reply::text("{\"n\": \"2\", \"m\": 1}"),
        Reply::text("{\"n\": 2}"),
    ]);
    let answer = folder.ask(&provider, &["count.md", "--input", INPUT, "--summary"]);
    assert_eq!(answer.status, 0, "{answer:?}");
    assert_eq!(summary(&answer)["iterations"], json!(3));
    let asked = provider.asked();
    let roles = |index: usize| {
        asked[index].body["messages"]
            .as_array()
            .unwrap()
            .iter()
            .map(|message| message["role"].as_str().unwrap().to_owned())
            .collect::<Vec<_>>()
    };
    assert_eq!(roles(2), ["system", "user", "assistant", "user", "assistant", "user"]);
    let said = |index: usize, message: usize| {
        asked[index].body["messages"][message]["content"].as_str().unwrap().to_owned()
    };
    assert_eq!(said(1, 2), "two");
    assert!(said(1, 3).contains("the reply is not valid JSON: expected"), "{}", said(1, 3));
    assert!(
        said(1, 0).contains("Your last reply was not accepted:\n\n- the reply is not valid JSON"),
        "{}",
        said(1, 0)
    );
    assert!(said(2, 5).contains("- output/n: ") && said(2, 5).contains("`m`"), "{}", said(2, 5));
    // The system message is only about the last reply.
    assert!(
        said(2, 0).contains("- output/n: ") && !said(2, 0).contains("not JSON"),
        "{}",
        said(2, 0)
    );
}

#[test]
fn mdl_29_a_fence_is_removed_and_an_empty_object_may_be_valid() {
    let folder = Folder::agreed(&[("count.md", COUNT)]);
    let provider = Provider::with([Reply::text("Here you are:\n```json\n{\"n\": 2}\n```\n")]);
    let answer = folder.ask(&provider, &["count.md", "--input", INPUT]);
    assert_eq!((answer.status, answer.out.as_str()), (0, "{\n  \"n\": 2\n}\n"));
    let folder = Folder::agreed(&[("count.md", &COUNT.replace("required: [n], ", ""))]);
    let answer = folder.ask(&Provider::with([Reply::text("{}")]), &["count.md", "--input", INPUT]);
    assert_eq!((answer.status, answer.out.as_str()), (0, "{}\n"));
}

#[test]
fn mdl_29_a_refusal_and_a_truncated_reply_are_reported() {
    let folder = Folder::agreed(&[("count.md", COUNT)]);
    let refusal = Reply::message(
        json!({ "role": "assistant", "content": null, "refusal": "I will not." }),
        "stop",
    );
    let answer = folder.ask(&Provider::with([refusal]), &["count.md", "--input", INPUT]);
    assert_eq!(
        (answer.status, answer.err.as_str()),
        (1, "error: the model refused: I will not.\n")
    );
    let cut = Reply::message(json!({ "role": "assistant", "content": "{\"n\":" }), "length");
    let provider = Provider::with([cut, Reply::text("{\"n\": 2}")]);
    assert_eq!(folder.ask(&provider, &["count.md", "--input", INPUT]).status, 0);
    let told = provider.asked()[1].body["messages"][3]["content"].as_str().unwrap().to_owned();
    assert!(told.contains("cut off because it was too long"), "{told}");
    // An empty message isn't a valid reply, either.
    let provider = Provider::with([
        Reply::message(json!({ "role": "assistant", "content": null }), "stop"),
        Reply::text("{\"n\": 2}"),
    ]);
    assert_eq!(folder.ask(&provider, &["count.md", "--input", INPUT]).status, 0);
    assert_eq!(
        provider.asked()[1].body["messages"][2],
        json!({ "role": "assistant", "content": "" })
    );
}

#[test]
fn mdl_30_unknown_tools_and_wrong_arguments_are_answered() {
    let folder = Folder::agreed(&[
        ("count.md", COUNT),
        ("main.md", &COUNT.replace("name: count", "name: main\nimports: [./count.md]")),
    ]);
    let calls = Reply::calls(&[
        ("nothing", "{}"),
        ("count", "{\"text\":"),
        ("count", "[]"),
        ("count", "{}"),
        ("python", "{}"),
    ]);
    let provider = Provider::with([calls, Reply::text("{\"n\": 2}")]);
    let answer = folder.ask(&provider, &["main.md", "--input", INPUT, "--summary"]);
    assert_eq!(answer.status, 0, "{answer:?}");
    let body = &provider.asked()[1].body;
    let messages = body["messages"].as_array().unwrap();
    assert_eq!(messages[2]["tool_calls"].as_array().unwrap().len(), 5);
    let errors: Vec<String> = messages[3..]
        .iter()
        .map(|message| {
            assert_eq!(message["role"], "tool");
            let said: Value = serde_json::from_str(message["content"].as_str().unwrap()).unwrap();
            said["error"].as_str().unwrap().to_owned()
        })
        .collect();
    assert_eq!(messages[3]["tool_call_id"], "call_0");
    assert_eq!(errors[0], "unknown tool `nothing`; there are: count");
    assert!(errors[1].starts_with("the arguments are not JSON: "), "{errors:?}");
    assert_eq!(errors[2], "the arguments are not a JSON object");
    assert_eq!(errors[3], "the input does not match the program: input: missing property `text`");
    assert!(errors[4].contains("Python is not available"), "{errors:?}");
    assert_eq!(
        (&summary(&answer)["tools_called"], &summary(&answer)["iterations"]),
        (&json!(5), &json!(2))
    );
}

#[test]
fn mdl_30_too_many_calls_are_answered_with_errors() {
    let folder = Folder::agreed(&[("count.md", COUNT)]);
    let provider =
        Provider::with([Reply::calls(&vec![("nothing", "{}"); 130]), Reply::text("{\"n\": 2}")]);
    let answer = folder.ask(&provider, &["count.md", "--input", INPUT, "--summary"]);
    assert_eq!((answer.status, &summary(&answer)["tools_called"]), (0, &json!(128)));
    let body = &provider.asked()[1].body;
    let told = body["messages"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|message| {
            message["content"].as_str().is_some_and(|text| text.contains("at most 128"))
        })
        .count();
    assert_eq!((told, body["messages"].as_array().unwrap().len()), (2, 133));
}

#[test]
fn mdl_16_a_missing_value_in_a_prompt_is_a_warning() {
    let folder = Folder::agreed(&[(
        "count.md",
        &COUNT.replace(", required: [text] }\noutput", " }\noutput"),
    )]);
    let provider = Provider::with([Reply::text("{\"n\": 2}")]);
    let answer = folder.ask(&provider, &["count.md"]);
    assert_eq!(
        (answer.status, answer.err.as_str()),
        (0, "warning: count.md:8:23: `.text` prints `<no value>`: the input has no value for it\n")
    );
    assert_eq!(
        provider.asked()[0].body["messages"][1]["content"],
        "Count the words of <no value>\n"
    );
}

#[test]
fn a_run_ends_at_its_timeout() {
    let folder = Folder::agreed(&[("count.md", COUNT)]);
    let provider = Provider::always(Reply::text("{\"n\": 2}").after(Duration::from_secs(30)));
    let answer = folder.ask(&provider, &["count.md", "--input", INPUT, "--timeout", "0.5"]);
    assert_eq!(
        (answer.status, answer.err.as_str()),
        (1, "error: timeout: the run took more than 500ms; raise `--timeout` to allow more\n")
    );
}
