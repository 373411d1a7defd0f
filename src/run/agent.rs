//! The loop: ask the model, call the tools that it wants, check its reply, and tell it what is
//! wrong until it is right.

use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use serde_json::{Map, Value, json};

use super::Run;
use super::mcp::{Given, Servers};
use super::message::{Message, Request, ToolCall};
use super::program::Program;
use super::reply;
use super::summary::Metrics;
use super::tool::{self, Origin, Tool, WRAPPED};
use crate::format::markdownlang::mention::PYTHON;
use crate::schema::strict_problems;

/// A result of a tool is cut here, in bytes.
const LONGEST_RESULT: usize = 1 << 20;
/// So many calls of one reply are answered; the others are told that they were too many.
const MOST_CALLS: usize = 128;
/// So many reasons why a reply is not accepted are told at once.
const MOST_REASONS: usize = 20;

type Execution<'a> = Pin<Box<dyn Future<Output = Result<Value, String>> + Send + 'a>>;

/// Executes a program, with servers of its own. They are stopped when it ends; where it is broken
/// off, the run stops them.
pub fn execute<'a>(
    run: &'a Run,
    program: &'a Arc<Program>,
    input: Value,
    metrics: &'a Metrics,
) -> Execution<'a> {
    Box::pin(async move {
        let errors = program.input.errors("input", &input);
        if !errors.is_empty() {
            return Err(format!("the input does not fit the program: {}", errors.join(" ")));
        }
        let (prompt, warnings) = program.prompt(&input)?;
        warnings.iter().for_each(|warning| run.journal.warn(warning));
        if program.wants_python {
            let name = &program.name;
            run.journal.warn(&format!("`{name}` speaks of the tool `{PYTHON}`, which this build does not have: the model must do without it"));
        }

        let (servers, failures) = Servers::start(run, &program.servers).await;
        if run.options.strict_servers && !failures.is_empty() {
            servers.stop(run).await;
            return Err(failures.join("; "));
        }
        failures.iter().for_each(|failure| {
            run.journal.warn(&format!("{failure}; the program runs without its tools"))
        });
        let result = Conversation::new(run, program, &servers, metrics, prompt).hold().await;
        servers.stop(run).await;
        result
    })
}

struct Conversation<'a> {
    run: &'a Run,
    program: &'a Program,
    servers: &'a Servers,
    metrics: &'a Metrics,
    model: &'a str,
    tools: Vec<Tool>,
    /// The first one is the system's.
    messages: Vec<Message>,
}

/// What becomes of an answer of the model.
enum Verdict {
    Accepted(Value),
    /// Why it is not accepted.
    Wrong(Vec<String>),
}

impl<'a> Conversation<'a> {
    fn new(
        run: &'a Run,
        program: &'a Program,
        servers: &'a Servers,
        metrics: &'a Metrics,
        prompt: String,
    ) -> Self {
        let model = program.model.as_deref().unwrap_or(&run.options.model);
        let tools = tool::tools(program, servers, &run.journal);
        let messages = vec![
            Message::System { content: instructions(program) },
            Message::User { content: prompt },
        ];
        Self { run, program, servers, metrics, model, tools, messages }
    }

    async fn hold(mut self) -> Result<Value, String> {
        let declarations: Vec<Value> = self.tools.iter().map(Tool::declaration).collect();
        let strict = strict_problems(&self.program.output.schema).is_empty();
        let most = self.run.options.max_iterations;
        let mut last = Vec::new();
        for iteration in 1..=most {
            self.metrics.iterations.fetch_add(1, Ordering::Relaxed);
            self.run.journal.debug(|| {
                format!("`{}`: iteration {iteration} of {most}, {}", self.program.name, self.model)
            });
            if iteration == (most * 4).div_ceil(5) && most > 1 {
                self.run.journal.warn(&format!(
                    "`{}` has used {iteration} of its {most} iterations",
                    self.program.name
                ));
            }
            let request = Request {
                model: self.model,
                messages: &self.messages,
                tools: &declarations,
                output: &self.program.output.schema,
                strict,
            };
            let completion = self.run.provider.complete(&request, self.run.remaining()).await?;
            self.metrics.spend(completion.tokens);
            if !completion.tool_calls.is_empty() {
                self.messages.push(Message::Assistant {
                    content: completion.content,
                    tool_calls: completion.tool_calls.clone(),
                });
                for (index, call) in completion.tool_calls.into_iter().enumerate() {
                    let content = match index < MOST_CALLS {
                        true => self.call(&call).await,
                        false => json!({ "error": format!("no more than {MOST_CALLS} calls at once are answered") }).to_string(),
                    };
                    self.messages.push(Message::Tool { tool_call_id: call.id, content });
                }
                continue;
            }
            if let Some(refusal) = completion.refusal {
                return Err(format!("the model refuses: {}", refusal.trim()));
            }
            if completion.finish.as_deref() == Some("content_filter") {
                return Err("the provider's content filter has held back the reply".to_owned());
            }
            let content = completion.content.unwrap_or_default();
            match self.judge(&content, completion.finish.as_deref()) {
                Verdict::Accepted(value) => return Ok(value),
                Verdict::Wrong(reasons) => {
                    self.run.journal.debug(|| {
                        format!(
                            "`{}`: the reply is not accepted: {}",
                            self.program.name,
                            reasons.join(" ")
                        )
                    });
                    self.answer_wrong(content, &reasons);
                    last = reasons;
                }
            }
        }
        let why = if last.is_empty() {
            "the model went on calling tools.".to_owned()
        } else {
            format!("the last reply was wrong: {}", last.join(" "))
        };
        Err(format!(
            "`{}` has no valid output after {most} iterations: {why} `--max-iterations` allows more.",
            self.program.name
        ))
    }

    fn judge(&self, content: &str, finish: Option<&str>) -> Verdict {
        match reply::read(content) {
            Ok(value) => {
                let mut errors = self.program.output.errors("output", &value);
                errors.truncate(MOST_REASONS);
                if errors.is_empty() { Verdict::Accepted(value) } else { Verdict::Wrong(errors) }
            }
            Err(error) if finish == Some("length") => Verdict::Wrong(vec![format!(
                "The reply was cut off because it was too long, and is not JSON: {error}."
            )]),
            Err(error) => Verdict::Wrong(vec![format!("The reply is not JSON: {error}.")]),
        }
    }

    /// Says what is wrong with a reply: in a message of its own, and in the system message, as the
    /// specification has it.
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
            "Your reply was not accepted:\n{list}\n\nReply again with one JSON value that the schema allows, and with nothing else."
        );
        self.messages.push(Message::Assistant { content: Some(content), tool_calls: Vec::new() });
        self.messages.push(Message::User { content: content_again });
    }

    /// Calls a tool; what goes wrong is told to the model.
    async fn call(&self, call: &ToolCall) -> String {
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
            (Some(tool), Ok(arguments)) => self.give(tool, arguments).await,
        };
        let answer = answer.unwrap_or_else(|error| json!({ "error": error }).to_string());
        self.run.journal.debug(|| format!("`{}` gives {answer}", call.name));
        cut(answer)
    }

    fn unknown(&self, name: &str) -> String {
        let names: Vec<&str> = self.tools.iter().map(|tool| tool.name.as_str()).collect();
        let others = if names.is_empty() {
            "there are no tools".to_owned()
        } else {
            format!("there are: {}", names.join(", "))
        };
        match name {
            PYTHON => format!("this installation has no Python interpreter; {others}"),
            _ => format!("there is no tool `{name}`; {others}"),
        }
    }

    async fn give(&self, tool: &Tool, mut arguments: Map<String, Value>) -> Result<String, String> {
        match &tool.origin {
            Origin::Server { place, name } => {
                match self.servers.call(*place, name, arguments).await {
                    Given::Result(text) => Ok(text),
                    Given::Error(text) => Err(text),
                }
            }
            Origin::Program { program, wrapped } => {
                let input = match wrapped {
                    true => arguments.shift_remove(WRAPPED).unwrap_or_default(),
                    false => Value::Object(arguments),
                };
                let call = self.run.calls.begin(&program.name);
                let output = execute(self.run, program, input, &call.metrics).await?;
                Ok(output.to_string())
            }
        }
    }
}

/// What the system says: what the program is for, and how its output looks.
fn instructions(program: &Program) -> String {
    let schema = &program.output.schema;
    let pretty = serde_json::to_string_pretty(schema).unwrap_or_default();
    let nothing = if program.output.allows(&json!({})) {
        "\n\nIf there is nothing to return, reply with `{}`."
    } else {
        ""
    };
    let rules = format!(
        "Reply with one JSON value that this JSON Schema allows, and with nothing else:\n\n{pretty}{nothing}"
    );
    if program.description.is_empty() {
        rules
    } else {
        format!("{}\n\n{rules}", program.description)
    }
}

/// A text that is too long for a conversation, up to where it is not.
fn cut(text: String) -> String {
    if text.len() <= LONGEST_RESULT {
        return text;
    }
    let end =
        (0..=LONGEST_RESULT).rev().find(|end| text.is_char_boundary(*end)).unwrap_or_default();
    format!(
        "{}\n[cut here: the result has {} bytes]",
        text.get(..end).unwrap_or_default(),
        text.len()
    )
}
