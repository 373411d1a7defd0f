//! The loop: ask the model, call the tools that it requests, check its reply, and report errors to
//! it until the reply is valid.

use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use futures_util::StreamExt;
use serde_json::{Map, Value, json};

use super::Run;
use super::mcp::{Given, Servers};
use super::message::{Declaration, Message, Request, ToolCall};
use super::program::Program;
use super::python;
use super::reply;
use super::summary::Metrics;
use super::tape::{Replay, Tape};
use super::tool::{self, Origin, Tool, WRAPPED};
use crate::format::markdownlang::mention::PYTHON;
use crate::schema::strict_problems;

/// The limit of a tool's result, in bytes.
const LONGEST_RESULT: usize = 1 << 20;
/// The limit of calls per reply; further calls get an error as result.
const MOST_CALLS: usize = 128;
/// The limit of errors reported for a reply at once.
const MOST_REASONS: usize = 20;

type Execution<'a> = Pin<Box<dyn Future<Output = Result<Value, String>> + Send + 'a>>;

/// Executes a program with its own servers, which the run stops. `prefix` begins the numbers of its
/// requests in recordings.
pub fn execute<'a>(
    run: &'a Run,
    program: &'a Arc<Program>,
    input: Value,
    metrics: &'a Metrics,
    prefix: &'a str,
) -> Execution<'a> {
    Box::pin(async move {
        let errors = program.input.errors("input", &input);
        if !errors.is_empty() {
            return Err(format!("the input does not match the program: {}", errors.join(" ")));
        }
        let (prompt, warnings) = program.prompt(&input)?;
        warnings.iter().for_each(|warning| run.journal.warn(warning));
        let has_python = has_python(run, program, prefix).await;
        let (servers, failures) = servers(run, program, prefix).await?;
        if run.options.strict_servers && !failures.is_empty() {
            return Err(failures.join("; "));
        }
        failures.iter().for_each(|failure| {
            run.journal.warn(&format!("{failure}; the program continues without its tools"))
        });
        let tools = tool::tools(program, has_python, &servers, &run.journal);
        Conversation::new(run, program, &servers, tools, metrics, prompt, prefix).hold().await
    })
}

/// Whether the model gets the tool `python`: in a replay, whether it had it in the recorded run.
async fn has_python(run: &Run, program: &Program, prefix: &str) -> bool {
    if !program.wants_python {
        return false;
    }
    if let Some(Tape::Replay(replay)) = run.provider.tape() {
        return replay.offers(prefix, PYTHON);
    }
    let Err(missing) = python::verify().await else { return true };
    let name = &program.name;
    run.journal.warn(&format!(
        "`{name}` mentions the tool `{PYTHON}`, and the model must do without it: {missing}"
    ));
    false
}

/// The servers of a program, or those of the recording.
async fn servers(
    run: &Run,
    program: &Arc<Program>,
    prefix: &str,
) -> Result<(Servers, Vec<String>), String> {
    if program.servers.iter().all(|server| server.disabled) {
        return Ok((Servers::default(), Vec::new()));
    }
    let name = format!("{prefix}00.servers.json");
    match run.provider.tape() {
        Some(Tape::Replay(replay)) => Ok(Servers::recorded(&replay.read(&name)?)),
        tape => {
            let (servers, failures) = Servers::of(run, program).await;
            if let Some(Tape::Record(record)) = tape {
                let recorded = servers.record(&failures, |value| run.journal.hide_in(value));
                record.write(&name, &recorded)?;
            }
            Ok((servers, failures))
        }
    }
}

struct Conversation<'a> {
    run: &'a Run,
    program: &'a Program,
    servers: &'a Servers,
    metrics: &'a Metrics,
    model: &'a str,
    tools: Vec<Tool>,
    /// The first one is the system message.
    messages: Vec<Message>,
    prefix: &'a str,
}

/// The outcome of a model's answer.
enum Verdict {
    Accepted(Value),
    /// Why it isn't accepted.
    Wrong(Vec<String>),
}

impl<'a> Conversation<'a> {
    fn new(
        run: &'a Run,
        program: &'a Program,
        servers: &'a Servers,
        tools: Vec<Tool>,
        metrics: &'a Metrics,
        prompt: String,
        prefix: &'a str,
    ) -> Self {
        let model = run.model(program);
        let messages = vec![
            Message::System { content: instructions(program) },
            Message::User { content: prompt },
        ];
        Self { run, program, servers, metrics, model, tools, messages, prefix }
    }

    async fn hold(mut self) -> Result<Value, String> {
        let declarations: Vec<Declaration> = self.tools.iter().map(Tool::declaration).collect();
        let strict = strict_problems(&self.program.output.schema).is_empty();
        let most = self.run.options.max_iterations;
        let mut last = Vec::new();
        for iteration in 1..=most {
            self.run.journal.debug(|| {
                format!("`{}`: iteration {iteration} of {most}, {}", self.program.name, self.model)
            });
            if iteration == (most * 4).div_ceil(5) && most > 1 {
                self.run.journal.warn(&format!(
                    "`{}` has used {iteration} of its {most} iterations",
                    self.program.name
                ));
            }
            self.afford()?;
            self.metrics.iterations.fetch_add(1, Ordering::Relaxed);
            self.run.journal.progress(|| {
                format!("`{}`: request {iteration} to {}", self.program.name, self.model)
            });
            let request = Request {
                model: self.model,
                messages: &self.messages,
                tools: &declarations,
                output: &self.program.output.schema,
                strict,
                config: &self.program.config,
            };
            let number = format!("{}{iteration:02}", self.prefix);
            let asked = self.run.provider.complete(&request, &number, self.run.remaining());
            let completion = asked.await?;
            self.metrics.spend(completion.tokens);
            self.run.prices.spend(self.model, completion.tokens);
            if !completion.tool_calls.is_empty() {
                let answers = self.call_all(&completion.tool_calls, &number).await;
                self.messages.push(Message::Assistant {
                    content: completion.content,
                    tool_calls: completion.tool_calls.clone(),
                    original: completion.original,
                });
                for (call, content) in completion.tool_calls.into_iter().zip(answers) {
                    let (tool_call_id, name) = (call.id, call.name);
                    self.messages.push(Message::Tool { tool_call_id, name, content });
                }
                continue;
            }
            if let Some(refusal) = completion.refusal {
                return Err(format!("the model refused: {}", refusal.trim()));
            }
            if completion.finish.as_deref() == Some("content_filter") {
                return Err("the provider's content filter withheld the reply".to_owned());
            }
            let content = completion.content.unwrap_or_default();
            match self.judge(&content, completion.finish.as_deref()) {
                Verdict::Accepted(value) => return Ok(value),
                Verdict::Wrong(reasons) => {
                    self.run.journal.debug(|| {
                        format!(
                            "`{}`: the reply was not accepted: {}",
                            self.program.name,
                            reasons.join("; ")
                        )
                    });
                    self.answer_wrong(content, &reasons);
                    last = reasons;
                }
            }
        }
        let why = if last.is_empty() {
            "the model kept calling tools".to_owned()
        } else {
            format!("the last reply was invalid: {}", last.join("; "))
        };
        Err(format!(
            "`{}` has no valid output after {most} iterations: {why}; raise `--max-iterations` to \
                allow more",
            self.program.name
        ))
    }

    /// Whether the run may spend more.
    fn afford(&self) -> Result<(), String> {
        let Some(most) = self.run.options.max_cost else { return Ok(()) };
        let is_local = self.run.provider.choose(self.model).0.name == "ollama";
        if self.run.prices.of(self.model).is_none() && !is_local {
            return Err(format!(
                "the price of `{}` is unknown, so `--max-cost` can't be kept; set it in `prices` \
                    of agentmd.toml",
                self.model
            ));
        }
        if let Some(what) = self.run.prices.newly_free(self.model).filter(|_| !is_local) {
            self.run.journal.warn(&format!(
                "`--max-cost` can't limit `{}`: its price for {what} is 0",
                self.model
            ));
        }
        let spent = self.run.prices.spent();
        if spent < most {
            return Ok(());
        }
        Err(format!("the run has cost ${spent}, and `--max-cost` is ${most}"))
    }

    /// Calls the tools of one reply at the same time, and returns their results in order.
    async fn call_all(&self, calls: &[ToolCall], number: &str) -> Vec<String> {
        if !calls.is_empty() {
            self.run.journal.progress(|| {
                let names: Vec<&str> = calls.iter().map(|call| call.name.as_str()).collect();
                format!("`{}` calls {}", self.program.name, names.join(", "))
            });
        }
        let answers: Vec<_> = calls
            .iter()
            .enumerate()
            .map(|(index, call)| self.call_at(index, call, format!("{number}.{}", index + 1)))
            .collect();
        futures_util::stream::iter(answers).buffered(self.run.options.parallel).collect().await
    }

    async fn call_at(&self, index: usize, call: &ToolCall, number: String) -> String {
        if index >= MOST_CALLS {
            let error = format!("at most {MOST_CALLS} calls per reply are answered");
            return json!({ "error": error }).to_string();
        }
        self.call(call, &number).await
    }

    fn judge(&self, content: &str, finish: Option<&str>) -> Verdict {
        match reply::read(content) {
            Ok(candidates) => {
                let mut first = None;
                for value in candidates {
                    if self.program.output.allows(&value) {
                        return Verdict::Accepted(value);
                    }
                    first.get_or_insert(value);
                }
                let first = first.unwrap_or_default();
                let mut errors = self.program.output.errors("output", &first);
                errors.truncate(MOST_REASONS);
                Verdict::Wrong(errors)
            }
            Err(error) if finish == Some("length") => Verdict::Wrong(vec![format!(
                "the reply was cut off because it was too long, so it is not valid JSON: {error}"
            )]),
            Err(error) => Verdict::Wrong(vec![format!("the reply is not valid JSON: {error}")]),
        }
    }

    /// Reports the errors of a reply: in a separate message, and in the system message, as the
    /// specification requires.
    fn answer_wrong(&mut self, content: String, reasons: &[String]) {
        let list: String = reasons.iter().map(|reason| format!("\n- {reason}")).collect();
        if let Some(first) = self.messages.first_mut() {
            *first = Message::System {
                content: format!(
                    "{}\n\nYour last reply was not accepted:\n{list}",
                    instructions(self.program)
                ),
            };
        }
        let content_again = format!(
            "Your reply was not accepted:\n{list}\n\nReply again with one JSON value that matches \
                the schema, and nothing else."
        );
        self.messages.push(Message::Assistant {
            content: Some(content),
            tool_calls: Vec::new(),
            original: None,
        });
        self.messages.push(Message::User { content: content_again });
    }

    /// Calls a tool; errors are reported to the model.
    async fn call(&self, call: &ToolCall, number: &str) -> String {
        self.metrics.tools_called.fetch_add(1, Ordering::Relaxed);
        self.run.journal.debug(|| {
            format!("`{}` calls `{}` with {}", self.program.name, call.name, call.arguments)
        });
        let answer = match (
            self.tools.iter().find(|tool| tool.name == call.name),
            tool::arguments(&call.arguments),
        ) {
            (None, _) => Err(self.unknown(&call.name)),
            (_, Err(error)) => Err(error),
            (Some(tool), Ok(arguments)) => self.give(tool, arguments, number).await,
        };
        let answer = answer.unwrap_or_else(|error| json!({ "error": error }).to_string());
        self.run.journal.debug(|| format!("`{}` gives {answer}", call.name));
        cut(answer)
    }

    fn unknown(&self, name: &str) -> String {
        let names: Vec<&str> = self.tools.iter().map(|tool| tool.name.as_str()).collect();
        let others = if names.is_empty() {
            "no tools are available".to_owned()
        } else {
            format!("there are: {}", names.join(", "))
        };
        match name {
            PYTHON => format!("Python is not available in this installation; {others}"),
            _ => format!("unknown tool `{name}`; {others}"),
        }
    }

    async fn give(
        &self,
        tool: &Tool,
        mut arguments: Map<String, Value>,
        number: &str,
    ) -> Result<String, String> {
        match &tool.origin {
            Origin::Program { program, wrapped } => {
                let input = match wrapped {
                    true => arguments.shift_remove(WRAPPED).unwrap_or_default(),
                    false => Value::Object(arguments),
                };
                let model = self.run.model(program);
                let call = self.run.calls.begin(&program.name, model, &self.run.prices);
                let prefix = format!("{number}.");
                let output = execute(self.run, program, input, &call.metrics, &prefix).await?;
                Ok(output.to_string())
            }
            Origin::Python => {
                let call = json!({ "tool": tool.name, "arguments": arguments });
                self.taped(number, call, self.python(&arguments)).await
            }
            Origin::Server { place, name } => {
                let call = json!({ "tool": tool.name, "arguments": arguments });
                let answer = async {
                    match self.servers.call(*place, name, arguments).await {
                        Given::Result(text) => Ok(text),
                        Given::Error(text) => Err(text),
                    }
                };
                self.taped(number, call, answer).await
            }
        }
    }

    async fn python(&self, arguments: &Map<String, Value>) -> Result<String, String> {
        let code = python::code(arguments)?;
        let time = python::Limits::default().time.min(self.run.remaining());
        let limits = python::Limits { time, ..python::Limits::default() };
        let ran = python::run(code, &limits).await.map_err(|missing| missing.to_string())?;
        Ok(ran.to_json().to_string())
    }

    /// The answer to a call, which is either recorded or read from the recording.
    async fn taped(
        &self,
        number: &str,
        mut call: Value,
        answer: impl Future<Output = Result<String, String>>,
    ) -> Result<String, String> {
        let file = format!("{number}.tool.json");
        if let Some(Tape::Replay(replay)) = self.run.provider.tape() {
            return recorded(replay, &file, &call);
        }
        let answer = answer.await;
        if let Some(Tape::Record(tape)) = self.run.provider.tape() {
            match &answer {
                Ok(text) => call["result"] = Value::from(text.as_str()),
                Err(text) => call["error"] = Value::from(text.as_str()),
            }
            self.run.journal.hide_in(&mut call);
            tape.write(&file, &call)?;
        }
        answer
    }
}

/// The recorded result of a call.
fn recorded(replay: &Replay, file: &str, call: &Value) -> Result<String, String> {
    let mut recorded = replay.read(file)?;
    let mut take = |name: &str| {
        let value = recorded.as_object_mut().and_then(|entries| entries.shift_remove(name));
        value.and_then(|value| value.as_str().map(str::to_owned))
    };
    let (result, error) = (take("result"), take("error"));
    replay.compare(file, &recorded, call)?;
    match (result, error) {
        (Some(result), _) => Ok(result),
        (None, error) => Err(error.unwrap_or_default()),
    }
}

/// The system message: the program's purpose, and the format of its output.
fn instructions(program: &Program) -> String {
    let schema = &program.output.schema;
    let pretty = serde_json::to_string_pretty(schema).unwrap_or_default();
    let nothing = if program.output.allows(&json!({})) {
        "\n\nIf there is nothing to return, reply with `{}`."
    } else {
        ""
    };
    let rules = format!(
        "Reply with one JSON value that matches this JSON Schema, and nothing \
            else:\n\n{pretty}{nothing}"
    );
    if program.description.is_empty() {
        rules
    } else {
        format!("{}\n\n{rules}", program.description)
    }
}

/// Truncates text that is too long for a conversation.
fn cut(text: String) -> String {
    if text.len() <= LONGEST_RESULT {
        return text;
    }
    let end =
        (0..=LONGEST_RESULT).rev().find(|end| text.is_char_boundary(*end)).unwrap_or_default();
    format!(
        "{}\n[truncated: the result has {} bytes]",
        text.get(..end).unwrap_or_default(),
        text.len()
    )
}
