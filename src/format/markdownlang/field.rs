//! The keys of front matter: the shape of their values, their meaning, their snippets.

/// A key of front matter or of a server in `mcp_servers`.
#[derive(Debug)]
pub struct Key {
    pub name: &'static str,
    pub holds: Holds,
    pub required: bool,
    /// Markdown, for hover and completion.
    pub documentation: &'static str,
    /// The whole entry with placeholders (`${1:text}`), lines indented as at the left margin.
    pub snippet: &'static str,
}

/// The shape of a value.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Holds {
    /// A string.
    Text,
    /// A JSON Schema.
    Schema,
    /// A list of paths to programs.
    Imports,
    /// A list of servers, each a mapping of [`SERVER_FIELDS`].
    Servers,
    /// A list of strings.
    TextList,
    /// A mapping of strings to strings.
    TextMap,
    /// `true` or `false`.
    Flag,
    /// One of a few words.
    OneOf(&'static [&'static str]),
    /// A number between two bounds, both included.
    Number { least: f64, most: f64 },
    /// A whole number that is at least this one.
    Integer { least: i64 },
    /// A mapping of [`CONFIG_FIELDS`].
    Config,
    /// A list of tests.
    Cases,
    /// What a test expects.
    Expect,
    /// A mapping of JSON Pointers to values.
    Pointers,
    /// Any value.
    Anything,
}

impl Holds {
    /// The expected value, with its article: `a list of paths`.
    pub fn expected(self) -> &'static str {
        match self {
            Self::Text => "a string",
            Self::Schema => "a mapping (a JSON Schema)",
            Self::Imports => "a list of paths",
            Self::Servers => "a list of servers",
            Self::TextList => "a list of strings",
            Self::TextMap => "a mapping of names to strings",
            Self::Flag => "`true` or `false`",
            Self::OneOf(_) => "a word",
            Self::Number { .. } => "a number",
            Self::Integer { .. } => "a whole number",
            Self::Config => "a mapping of model settings",
            Self::Cases => "a list of cases",
            Self::Expect => "a mapping of expectations",
            Self::Pointers => "a mapping of JSON Pointers",
            Self::Anything => "a value",
        }
    }
}

impl Holds {
    /// Whether a number is possible here.
    pub fn allows_number(self, number: f64) -> bool {
        match self {
            Self::Number { least, most } => (least..=most).contains(&number),
            Self::Integer { least } => number.fract() == 0.0 && number >= least as f64,
            _ => false,
        }
    }

    /// The numbers that are possible: `from 0 to 2`.
    pub fn range(self) -> Option<String> {
        match self {
            Self::Number { least, most } => Some(format!("from {least} to {most}")),
            Self::Integer { least: i64::MIN } => None,
            Self::Integer { least } => Some(format!("of at least {least}")),
            _ => None,
        }
    }
}

/// The values of `transport`.
pub const TRANSPORTS: &[&str] = &["auto", "command", "sse", "http"];

/// The values of `reasoning_effort`.
pub const EFFORTS: &[&str] = &["none", "minimal", "low", "medium", "high", "xhigh", "max"];

/// The keys of front matter, in their usual order.
pub static FIELDS: &[Key] = &[
    Key {
        name: "name",
        holds: Holds::Text,
        required: true,
        documentation: "**Required.** The name of the program. A program that imports this one calls it as a tool with this name, and metrics count its calls under it. Letters, digits, `_` and `-`, at most 64.\n\n```yaml\nname: summarize-page\n```",
        snippet: "name: ${1:my-program}",
    },
    Key {
        name: "description",
        holds: Holds::Text,
        required: true,
        documentation: "**Required.** What the program does. It starts the system message, and programs that import this one see it as the tool's description.\n\n```yaml\ndescription: Summarizes a web page in three sentences\n```",
        snippet: "description: ${1:What the program does}",
    },
    Key {
        name: "input",
        holds: Holds::Schema,
        required: true,
        documentation: "**Required.** The JSON Schema (Draft 2020-12) of the input. Input is validated before anything runs, and the body reads it with `{{ .property }}`.\n\n```yaml\ninput:\n  type: object\n  properties:\n    url: { type: string, format: uri }\n  required: [url]\n```",
        snippet: "input:\n  type: object\n  properties:\n    ${1:text}: { type: ${2:string} }\n  required: [${1:text}]",
    },
    Key {
        name: "output",
        holds: Holds::Schema,
        required: true,
        documentation: "**Required.** The JSON Schema (Draft 2020-12) of the result. The model is asked for JSON of this shape, and asked again with the errors until its answer validates.\n\n```yaml\noutput:\n  type: object\n  properties:\n    summary: { type: string }\n  required: [summary]\n```",
        snippet: "output:\n  type: object\n  properties:\n    ${1:result}: { type: ${2:string} }\n  required: [${1:result}]",
    },
    Key {
        name: "imports",
        holds: Holds::Imports,
        required: false,
        documentation: "Other programs that this one can call: each becomes a tool with the name, description and input schema in its front matter. Paths are relative to this file and begin with `./` or `../`, or are absolute. Imports of imports are not visible here, and cycles are errors.\n\n```yaml\nimports:\n  - ./helper.md\n  - ../tools/analyzer.md\n```",
        snippet: "imports:\n  - ./${1:helper.md}",
    },
    Key {
        name: "mcp_servers",
        holds: Holds::Servers,
        required: false,
        documentation: "MCP servers whose tools the program can call, as `mcp__{server}__{tool}`. Each has a `name` and either a `command` (with `args`, `env`) or a `url`.\n\n```yaml\nmcp_servers:\n  - name: filesystem\n    command: npx\n    args: [\"-y\", \"@modelcontextprotocol/server-filesystem\", \".\"]\n```",
        snippet: "mcp_servers:\n  - name: ${1:filesystem}\n    command: ${2:npx}\n    args: [${3:\"-y\", \"@modelcontextprotocol/server-filesystem\", \".\"}]",
    },
    Key {
        name: "model",
        holds: Holds::Text,
        required: false,
        documentation: "The model that runs the program. It takes precedence over the `-model` flag; without either, `gpt-4o` is used.\n\n```yaml\nmodel: gpt-4o\n```",
        snippet: "model: ${1:gpt-4o}",
    },
    Key {
        name: "config",
        holds: Holds::Config,
        required: false,
        documentation: "Settings of the model: `temperature`, `top_p`, `max_tokens`, `seed`, `reasoning_effort`. Only those that you set are sent. Imported programs have their own.\n\n```yaml\nconfig:\n  temperature: 0.2\n  max_tokens: 2000\n```",
        snippet: "config:\n  ${1:temperature}: ${2:0.2}",
    },
    Key {
        name: "sample",
        holds: Holds::Anything,
        required: false,
        documentation: "An example of the input. `agentmd render --sample` and `agentmd run --sample` use it as input, and so do tests without one.\n\n```yaml\nsample:\n  text: The app crashes on start\n```",
        snippet: "sample:\n  ${1:text}: ${2:value}",
    },
    Key {
        name: "tests",
        holds: Holds::Cases,
        required: false,
        documentation: "The cases that `agentmd test` runs, each an input and the expected output. They can also be in a separate file: `name.test.yaml` for `name.md`.\n\n```yaml\ntests:\n  - name: a crash is a bug\n    input: { text: The app crashes on start }\n    expect: { at: { /kind: bug } }\n```",
        snippet: "tests:\n  - name: ${1:case}\n    input: { ${2} }\n    expect: { ${3} }",
    },
];

/// The keys of `config`.
pub static CONFIG_FIELDS: &[Key] = &[
    Key {
        name: "temperature",
        holds: Holds::Number { least: 0.0, most: 2.0 },
        required: false,
        documentation: "How varied the replies are, from 0 to 2: the higher, the more. Some reasoning models accept only their default.\n\n```yaml\ntemperature: 0.2\n```",
        snippet: "temperature: ${1:0.2}",
    },
    Key {
        name: "top_p",
        holds: Holds::Number { least: 0.0, most: 1.0 },
        required: false,
        documentation: "The share of likely tokens to choose from, from 0 to 1. Set either this or `temperature`.\n\n```yaml\ntop_p: 0.9\n```",
        snippet: "top_p: ${1:0.9}",
    },
    Key {
        name: "max_tokens",
        holds: Holds::Integer { least: 1 },
        required: false,
        documentation: "The limit of tokens per reply, including its reasoning.\n\n```yaml\nmax_tokens: 2000\n```",
        snippet: "max_tokens: ${1:2000}",
    },
    Key {
        name: "seed",
        holds: Holds::Integer { least: i64::MIN },
        required: false,
        documentation: "The seed of the model's random numbers: requests with the same seed tend to have the same reply. OpenAI's Responses API and Anthropic have none.\n\n```yaml\nseed: 7\n```",
        snippet: "seed: ${1:7}",
    },
    Key {
        name: "reasoning_effort",
        holds: Holds::OneOf(EFFORTS),
        required: false,
        documentation: "How much a reasoning model thinks before it replies: `none`, `minimal`, `low`, `medium`, `high`, `xhigh` or `max`. Each model supports some of them.\n\n```yaml\nreasoning_effort: low\n```",
        snippet: "reasoning_effort: ${1|none,minimal,low,medium,high,xhigh,max|}",
    },
];

/// The keys of a server in `mcp_servers`.
pub static SERVER_FIELDS: &[Key] = &[
    Key {
        name: "name",
        holds: Holds::Text,
        required: true,
        documentation: "**Required.** The name of the server: its tools are named `mcp__{name}__{tool}`. Unique in the file; letters, digits, `_` and `-`.\n\n```yaml\nname: filesystem\n```",
        snippet: "name: ${1:filesystem}",
    },
    Key {
        name: "command",
        holds: Holds::Text,
        required: false,
        documentation: "The program to start, with stdin and stdout as transport. A server has either this or `url`.\n\n```yaml\ncommand: npx\n```",
        snippet: "command: ${1:npx}",
    },
    Key {
        name: "args",
        holds: Holds::TextList,
        required: false,
        documentation: "The arguments of `command`, one string each.\n\n```yaml\nargs: [\"-y\", \"@modelcontextprotocol/server-filesystem\", \".\"]\n```",
        snippet: "args: [\"${1:-y}\"]",
    },
    Key {
        name: "env",
        holds: Holds::TextMap,
        required: false,
        documentation: "Environment variables for `command`. It inherits `PATH`, `HOME`, `LANG` and the like, but no keys: name those that it needs. `${NAME}` is the value of a variable, `${NAME:-default}` has a default.\n\n```yaml\nenv:\n  LOG_LEVEL: debug\n  GITHUB_TOKEN: ${GITHUB_TOKEN}\n```",
        snippet: "env:\n  ${1:NAME}: ${2:value}",
    },
    Key {
        name: "url",
        holds: Holds::Text,
        required: false,
        documentation: "The endpoint of a server that is already running, `http://` or `https://` (Server-Sent Events). A server has either this or \
`command`.\n\n```yaml\nurl: http://localhost:3000/mcp\n```",
        snippet: "url: ${1:http://localhost:3000/mcp}",
    },
    Key {
        name: "headers",
        holds: Holds::TextMap,
        required: false,
        documentation: "HTTP headers for `url`, such as `Authorization`. `${NAME}` is the value of an environment variable.\n\n```yaml\nheaders:\n  Authorization: Bearer ${API_TOKEN}\n```",
        snippet: "headers:\n  ${1:Authorization}: ${2:Bearer token}",
    },
    Key {
        name: "transport",
        holds: Holds::OneOf(TRANSPORTS),
        required: false,
        documentation: "The transport of the server: `command` (stdin and stdout), `sse` or `http`. `auto`, the default, uses `url` if there is one, else `command`.\n\n```yaml\ntransport: sse\n```",
        snippet: "transport: ${1|auto,command,sse,http|}",
    },
    Key {
        name: "timeout",
        holds: Holds::Number { least: 0.001, most: 86_400.0 },
        required: false,
        documentation: "The time limit in seconds for starting the server and for each call of a tool. Without it, a server may take two minutes to start, and a call five.\n\n```yaml\ntimeout: 600\n```",
        snippet: "timeout: ${1:600}",
    },
    Key {
        name: "disabled",
        holds: Holds::Flag,
        required: false,
        documentation: "`true`: the server is not started, and its tools are not available.\n\n```yaml\ndisabled: true\n```",
        snippet: "disabled: ${1|true,false|}",
    },
];

/// The key of this name in a table.
pub fn find(table: &'static [Key], name: &str) -> Option<&'static Key> {
    table.iter().find(|key| key.name == name)
}
