//! The providers' APIs: the requests, and how answers, streams and errors are read.

use serde_json::{Value, json};

use super::{COUNT, Folder, Provider, Reply, answer, summary};

const INPUT: &str = r#"{"text": "one two"}"#;

/// A program with model settings and a tool, which is another program.
fn folder() -> Folder {
    let config = "config: { temperature: 0.5, top_p: 0.9, max_tokens: 300, reasoning_effort: low }";
    let main =
        COUNT.replace("name: count", &format!("name: main\nimports: [./count.md]\n{config}"));
    Folder::agreed(&[("main.md", &main), ("count.md", COUNT)])
}

fn ask(
    folder: &Folder,
    provider: &Provider,
    api: &str,
    model: &str,
    more: &[&str],
) -> crate::Answer {
    let arguments = [
        &["run", "main.md", "--input", INPUT, "--summary", "--provider", api, "--model", model][..],
        &["--base-url", &provider.url, "--api-key", "key-0123456789"],
        more,
    ]
    .concat();
    answer(&mut folder.at_home(&arguments))
}

fn schema() -> Value {
    json!({ "type": "object", "properties": { "n": { "type": "integer" } }, "required": ["n"], "additionalProperties": false })
}

fn parameters() -> Value {
    json!({ "type": "object", "properties": { "text": { "type": "string" } }, "required": ["text"] })
}

/// A call of the imported program, its result, and the final output, in an API's own format.
fn three(call: Value, result: Value, output: Value) -> [Reply; 3] {
    [call, result, output].map(|body| Reply::json(200, &body))
}

#[test]
fn mdl_27_responses() {
    let folder = folder();
    let usage = json!({ "input_tokens": 10, "output_tokens": 5 });
    let text = |text: &str| json!({ "type": "message", "role": "assistant", "content": [{ "type": "output_text", "text": text }] });
    let thought =
        json!({ "type": "reasoning", "id": "rs_1", "encrypted_content": "xyz", "summary": [] });
    let call = json!({ "type": "function_call", "id": "fc_1", "call_id": "c1", "name": "count", "arguments": "{\"text\":\"a b\"}" });
    let provider = Provider::with(three(
        json!({ "status": "completed", "output": [thought, call], "usage": usage }),
        json!({ "status": "completed", "output": [text("{\"n\": 2}")], "usage": usage }),
        json!({ "status": "completed", "output": [text("{\"n\": 3}")], "usage": usage }),
    ));
    let answer = ask(&folder, &provider, "openai-responses", "gpt-5", &[]);
    assert_eq!((answer.status, answer.out.as_str()), (0, "{\n  \"n\": 3\n}\n"), "{answer:?}");
    assert_eq!(summary(&answer)["tokens"]["total"], 30);
    let asked = provider.asked();
    assert_eq!(asked[0].line, "POST /v1/responses HTTP/1.1");
    assert!(asked[0].headers.contains(&"authorization: Bearer key-0123456789".to_owned()));
    let body = &asked[0].body;
    assert_eq!(
        body["text"],
        json!({ "format": { "type": "json_schema", "name": "output", "strict": true, "schema": schema() } })
    );
    assert_eq!(
        body["tools"],
        json!([{ "type": "function", "name": "count", "description": "Counts the words of a text.", "parameters": parameters(), "strict": false }])
    );
    assert!(body["instructions"].as_str().unwrap().starts_with("Counts the words of a text."));
    assert_eq!(
        body["input"],
        json!([{ "role": "user", "content": "Count the words of one two\n" }])
    );
    assert_eq!(
        (&body["max_output_tokens"], &body["reasoning"], &body["temperature"], &body["store"]),
        (&json!(300), &json!({ "effort": "low" }), &json!(0.5), &json!(false))
    );
    // Thoughts are sent back unchanged, with the call and its result.
    assert_eq!(
        asked[2].body["input"].as_array().unwrap()[1..],
        [
            thought,
            call,
            json!({ "type": "function_call_output", "call_id": "c1", "output": "{\"n\":2}" })
        ]
    );
    // The imported program has its own settings.
    assert_eq!(asked[1].body.get("temperature"), None);
}

#[test]
fn mdl_27_anthropic() {
    let folder = folder();
    let usage = json!({ "input_tokens": 10, "cache_read_input_tokens": 2, "output_tokens": 5 });
    let thought = json!({ "type": "thinking", "thinking": "hm", "signature": "sig" });
    let call =
        json!({ "type": "tool_use", "id": "t1", "name": "count", "input": { "text": "a b" } });
    let text = |text: &str| json!([{ "type": "text", "text": text }]);
    let provider = Provider::with(three(
        json!({ "role": "assistant", "content": [thought, call], "stop_reason": "tool_use", "usage": usage }),
        json!({ "role": "assistant", "content": text("{\"n\": 2}"), "stop_reason": "end_turn", "usage": usage }),
        json!({ "role": "assistant", "content": text("{\"n\": 3}"), "stop_reason": "end_turn", "usage": usage }),
    ));
    let answer = ask(&folder, &provider, "anthropic", "claude-sonnet-4-5", &[]);
    assert_eq!((answer.status, answer.out.as_str()), (0, "{\n  \"n\": 3\n}\n"), "{answer:?}");
    let summary = summary(&answer);
    assert_eq!(
        (&summary["tokens"]["input"], &summary["tokens"]["output"]),
        (&json!(24), &json!(10))
    );
    // 24 tokens at $3 and 10 at $15 per million.
    assert_eq!(summary["tokens"]["cost"], json!(0.000222));
    let asked = provider.asked();
    assert_eq!(asked[0].line, "POST /v1/messages HTTP/1.1");
    for header in ["x-api-key: key-0123456789", "anthropic-version: 2023-06-01"] {
        assert!(asked[0].headers.contains(&header.to_owned()), "{:?}", asked[0].headers);
    }
    let body = &asked[0].body;
    assert_eq!(
        body["output_config"],
        json!({ "format": { "type": "json_schema", "schema": schema() }, "effort": "low" })
    );
    assert_eq!(
        body["tools"],
        json!([{ "name": "count", "description": "Counts the words of a text.", "input_schema": parameters() }])
    );
    assert_eq!((&body["max_tokens"], &asked[1].body["max_tokens"]), (&json!(300), &json!(8192)));
    assert_eq!(
        asked[2].body["messages"].as_array().unwrap()[1..],
        [
            json!({ "role": "assistant", "content": [thought, call] }),
            json!({ "role": "user", "content": [{ "type": "tool_result", "tool_use_id": "t1", "content": "{\"n\":2}" }] })
        ]
    );
}

#[test]
fn mdl_27_gemini() {
    let folder = folder();
    let usage =
        json!({ "promptTokenCount": 10, "candidatesTokenCount": 5, "thoughtsTokenCount": 1 });
    let call = json!({ "functionCall": { "name": "count", "args": { "text": "a b" } }, "thoughtSignature": "sig" });
    let reply = |parts: Value| json!({ "candidates": [{ "content": { "role": "model", "parts": parts }, "finishReason": "STOP" }], "usageMetadata": usage });
    let provider = Provider::with(three(
        reply(json!([call])),
        reply(json!([{ "text": "{\"n\": 2}" }])),
        reply(json!([{ "text": "thinking", "thought": true }, { "text": "{\"n\": 3}" }])),
    ));
    let answer = ask(&folder, &provider, "gemini", "gemini-2.5-pro", &[]);
    assert_eq!((answer.status, answer.out.as_str()), (0, "{\n  \"n\": 3\n}\n"), "{answer:?}");
    assert_eq!(summary(&answer)["tokens"]["output"], 12);
    let asked = provider.asked();
    assert_eq!(asked[0].line, "POST /v1/models/gemini-2.5-pro:generateContent HTTP/1.1");
    assert!(asked[0].headers.contains(&"x-goog-api-key: key-0123456789".to_owned()));
    let body = &asked[0].body;
    assert_eq!(
        body["generationConfig"],
        json!({ "responseMimeType": "application/json", "responseJsonSchema": schema(), "temperature": 0.5, "topP": 0.9, "maxOutputTokens": 300, "thinkingConfig": { "thinkingLevel": "low" } })
    );
    assert_eq!(
        body["tools"],
        json!([{ "functionDeclarations": [{ "name": "count", "description": "Counts the words of a text.", "parametersJsonSchema": parameters() }] }])
    );
    assert_eq!(
        asked[2].body["contents"].as_array().unwrap()[1..],
        [
            json!({ "role": "model", "parts": [call] }),
            json!({ "role": "user", "parts": [{ "functionResponse": { "name": "count", "response": { "n": 2 } } }] })
        ]
    );
    // If a model doesn't support tools together with a schema, the request is repeated without it.
    let refusal = json!({ "error": { "code": 400, "message": "Function calling with a response mime type: 'application/json' is unsupported", "status": "INVALID_ARGUMENT" } });
    let provider = Provider::with([
        Reply::json(400, &refusal),
        Reply::json(400, &refusal),
        Reply::json(200, &reply(json!([{ "text": "{\"n\": 3}" }]))),
    ]);
    assert_eq!(ask(&folder, &provider, "gemini", "gemini-2.5-pro", &[]).status, 0);
    assert_eq!(provider.asked()[2].body["generationConfig"].get("responseMimeType"), None);
}

#[test]
fn mdl_27_ollama() {
    let folder = folder();
    let reply = |message: Value| json!({ "model": "llama3.2:3b", "message": message, "done": true, "done_reason": "stop", "prompt_eval_count": 10, "eval_count": 5 });
    let provider = Provider::with(three(
        reply(
            json!({ "role": "assistant", "content": "", "tool_calls": [{ "function": { "name": "count", "arguments": { "text": "a b" } } }] }),
        ),
        reply(json!({ "role": "assistant", "content": "{\"n\": 2}" })),
        reply(json!({ "role": "assistant", "content": "{\"n\": 3}" })),
    ));
    let answer = ask(&folder, &provider, "ollama", "llama3.2:3b", &[]);
    assert_eq!((answer.status, answer.out.as_str()), (0, "{\n  \"n\": 3\n}\n"), "{answer:?}");
    let asked = provider.asked();
    assert_eq!(asked[0].line, "POST /v1/api/chat HTTP/1.1");
    let body = &asked[0].body;
    assert_eq!(
        (&body["options"], &body["think"], &body["stream"], body.get("format")),
        (
            &json!({ "temperature": 0.5, "top_p": 0.9, "num_predict": 300 }),
            &json!("low"),
            &json!(false),
            None
        )
    );
    // Without tools, the format is the schema.
    assert_eq!(asked[1].body["format"], schema());
    assert_eq!(
        asked[2].body["messages"].as_array().unwrap()[3],
        json!({ "role": "tool", "tool_name": "count", "content": "{\"n\":2}" })
    );
}

/// The events of a stream.
fn events(events: &[Value]) -> Reply {
    let text: String = events
        .iter()
        .map(|event| {
            let name = event.get("type").and_then(Value::as_str).unwrap_or("message");
            format!("event: {name}\ndata: {event}\n\n")
        })
        .collect();
    let mut reply = Reply::json(200, &json!({}));
    reply.headers = vec![("content-type", "text/event-stream".to_owned())];
    reply.body = text.into_bytes();
    reply
}

#[test]
fn streams_are_assembled_and_report_progress() {
    let folder = folder();
    let chat = events(&[
        json!({ "choices": [{ "index": 0, "delta": { "role": "assistant", "content": "{\"n\"" } }] }),
        json!({ "choices": [{ "index": 0, "delta": { "content": ": 3}" } }] }),
        json!({ "choices": [{ "index": 0, "delta": {}, "finish_reason": "stop" }] }),
        json!({ "choices": [], "usage": { "prompt_tokens": 10, "completion_tokens": 5 } }),
    ]);
    let calls = events(&[
        json!({ "choices": [{ "delta": { "tool_calls": [{ "index": 0, "id": "c1", "function": { "name": "count", "arguments": "{\"te" } }] } }] }),
        json!({ "choices": [{ "delta": { "tool_calls": [{ "index": 0, "function": { "arguments": "xt\": \"a\"}" } }] } }] }),
        json!({ "choices": [{ "delta": {}, "finish_reason": "tool_calls" }] }),
    ]);
    let responses = events(&[
        json!({ "type": "response.output_text.delta", "delta": "{\"n\": 3}" }),
        json!({ "type": "response.completed", "response": { "output": [{ "type": "message", "content": [{ "type": "output_text", "text": "{\"n\": 3}" }] }], "usage": { "input_tokens": 10, "output_tokens": 5 } } }),
    ]);
    let anthropic = events(&[
        json!({ "type": "message_start", "message": { "role": "assistant", "content": [], "usage": { "input_tokens": 10, "output_tokens": 1 } } }),
        json!({ "type": "content_block_start", "index": 0, "content_block": { "type": "text", "text": "" } }),
        json!({ "type": "ping" }),
        json!({ "type": "content_block_delta", "index": 0, "delta": { "type": "text_delta", "text": "{\"n\"" } }),
        json!({ "type": "content_block_delta", "index": 0, "delta": { "type": "text_delta", "text": ": 3}" } }),
        json!({ "type": "content_block_stop", "index": 0 }),
        json!({ "type": "message_delta", "delta": { "stop_reason": "end_turn" }, "usage": { "output_tokens": 5 } }),
        json!({ "type": "message_stop" }),
    ]);
    let gemini = events(&[
        json!({ "candidates": [{ "content": { "parts": [{ "text": "{\"n\"" }] } }] }),
        json!({ "candidates": [{ "content": { "parts": [{ "text": ": 3}" }] }, "finishReason": "STOP" }], "usageMetadata": { "promptTokenCount": 10, "candidatesTokenCount": 5 } }),
    ]);
    let mut ollama = events(&[]);
    ollama.headers = vec![("content-type", "application/x-ndjson".to_owned())];
    ollama.body = [
        json!({ "message": { "role": "assistant", "content": "{\"n\"" }, "done": false }),
        json!({ "message": { "role": "assistant", "content": ": 3}" }, "done": false }),
        json!({ "message": { "content": "" }, "done": true, "done_reason": "stop", "prompt_eval_count": 10, "eval_count": 5 }),
    ]
    .map(|line| format!("{line}\n"))
    .concat()
    .into_bytes();
    for (api, model, reply) in [
        ("openai", "gpt-4o", chat.clone()),
        ("openai-responses", "gpt-4o", responses),
        ("anthropic", "claude-sonnet-4-5", anthropic),
        ("gemini", "gemini-2.5-pro", gemini),
        ("ollama", "llama3.2", ollama),
    ] {
        let provider = Provider::with([reply.clone()]);
        let answer = ask(&folder, &provider, api, model, &["--progress"]);
        assert_eq!(
            (answer.status, answer.out.as_str()),
            (0, "{\n  \"n\": 3\n}\n"),
            "{api}: {answer:?}"
        );
        assert!(
            answer.err.contains(&format!("note: `main`: request 1 to {model}")),
            "{}",
            answer.err
        );
        assert!(answer.err.contains("\"total\": 15"), "{api}: {}", answer.err);
        let streams = match api {
            "gemini" => provider.asked()[0].line.contains(":streamGenerateContent?alt=sse"),
            _ => provider.asked()[0].body["stream"] == json!(true),
        };
        assert!(streams, "{api}");
        // If a stream ends early, the request is repeated.
        let mut cut = reply.clone();
        cut.body.truncate(cut.body.len() / 3);
        let provider = Provider::with([cut, reply]);
        let answer = ask(&folder, &provider, api, model, &["--progress"]);
        assert_eq!((answer.status, provider.asked().len()), (0, 2), "{api}: {answer:?}");
        assert!(answer.err.contains("was cut off"), "{api}: {}", answer.err);
    }
    let provider = Provider::with([calls, chat.clone(), chat]);
    let answer = ask(&folder, &provider, "openai", "gpt-4o", &["--progress"]);
    assert_eq!((answer.status, provider.asked().len()), (0, 3), "{answer:?}");
    // Without a terminal, nothing is streamed.
    let provider = Provider::with([Reply::text("{\"n\": 3}")]);
    let answer = ask(&folder, &provider, "openai", "gpt-4o", &[]);
    assert_eq!((answer.status, provider.asked()[0].body.get("stream")), (0, None), "{answer:?}");
}

#[test]
fn mdl_31_limits_and_errors_of_every_api() {
    let folder = folder();
    let good = |api: &str| match api {
        "anthropic" => {
            json!({ "content": [{ "type": "text", "text": "{\"n\": 3}" }], "stop_reason": "end_turn" })
        }
        "gemini" => {
            json!({ "candidates": [{ "content": { "parts": [{ "text": "{\"n\": 3}" }] }, "finishReason": "STOP" }] })
        }
        "ollama" => json!({ "message": { "content": "{\"n\": 3}" }, "done": true }),
        "openai-responses" => {
            json!({ "output": [{ "type": "message", "content": [{ "type": "output_text", "text": "{\"n\": 3}" }] }] })
        }
        _ => json!({ "choices": [{ "message": { "content": "{\"n\": 3}" } }] }),
    };
    for api in ["openai", "openai-responses", "anthropic", "gemini", "ollama"] {
        let busy = json!({ "type": "error", "error": { "type": "rate_limit_error", "message": "slow down" } });
        let provider = Provider::with([
            Reply::json(429, &busy).with("retry-after", "0"),
            Reply::json(200, &good(api)),
        ]);
        let answer = ask(&folder, &provider, api, "a-model", &[]);
        assert_eq!((answer.status, provider.asked().len()), (0, 2), "{api}: {answer:?}");
        assert!(answer.err.contains("the provider answered 429: slow down"), "{}", answer.err);
        let wrong = json!({ "error": { "message": "bad key", "code": 401 } });
        let provider = Provider::with([Reply::json(401, &wrong)]);
        let answer = ask(&folder, &provider, api, "a-model", &["--quiet"]);
        assert_eq!((answer.status, provider.asked().len()), (1, 1), "{api}: {answer:?}");
        assert!(answer.err.contains("rejected the key (401): bad key"), "{api}: {}", answer.err);
        for odd in [json!({}), json!([]), json!("text"), json!({ "candidates": [] })] {
            let provider = Provider::with([Reply::json(200, &odd)]);
            let answer = ask(&folder, &provider, api, "a-model", &["--quiet"]);
            assert_eq!((answer.status, provider.asked().len()), (1, 1), "{api} {odd}: {answer:?}");
            assert!(answer.err.contains("answered with `"), "{api}: {}", answer.err);
        }
    }
}

#[test]
fn mdl_27_the_provider_is_chosen_by_model_flag_or_environment() {
    let folder = folder();
    for (model, expected) in [
        ("claude-sonnet-4-5", "missing key for Anthropic; set `ANTHROPIC_API_KEY`"),
        ("gemini-2.5-pro", "missing key for Google; set `GEMINI_API_KEY` or `GOOGLE_API_KEY`"),
        ("gpt-4o", "missing key for OpenAI; set `OPENAI_API_KEY`"),
    ] {
        let answer =
            answer(&mut folder.at_home(&["run", "main.md", "--input", INPUT, "--model", model]));
        assert_eq!(answer.status, 2);
        assert!(answer.err.contains(expected), "{}", answer.err);
    }
    let provider = Provider::with([Reply::json(
        200,
        &json!({ "content": [{ "type": "text", "text": "{\"n\": 3}" }] }),
    )]);
    let arguments = ["run", "main.md", "--input", INPUT, "--model", "anthropic/claude-x"];
    let told = answer(
        folder
            .at_home(&arguments)
            .env("ANTHROPIC_BASE_URL", provider.url.trim_end_matches("/v1"))
            .env("ANTHROPIC_API_KEY", "key"),
    );
    assert_eq!(told.status, 0, "{told:?}");
    assert_eq!(provider.asked()[0].body["model"], "claude-x");
    let wrong = answer(&mut folder.at_home(&["run", "main.md", "--provider", "anthropc"]));
    assert_eq!(wrong.status, 2);
    assert!(
        wrong.err.contains("unknown provider `anthropc`")
            && wrong.err.contains("did you mean `anthropic`?"),
        "{}",
        wrong.err
    );
}
