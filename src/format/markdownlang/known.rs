//! Well-known published MCP servers: how to start each one, and the tools that its documentation
//! names. Without a documented or stable list, no tools are listed.

/// A published server.
#[derive(Debug)]
pub struct Known {
    /// Its usual name.
    pub name: &'static str,
    /// Its purpose, in a few words.
    pub about: &'static str,
    pub start: Start,
    /// Each with its purpose.
    pub tools: &'static [(&'static str, &'static str)],
}

/// How to reach a server.
#[derive(Debug, Clone, Copy)]
pub enum Start {
    Command(&'static str, &'static [&'static str]),
    Url(&'static str),
}

pub static SERVERS: &[Known] = &[
    Known {
        name: "filesystem",
        about: "reads and writes files in the given folders",
        start: Start::Command("npx", &["-y", "@modelcontextprotocol/server-filesystem", "."]),
        tools: &[
            (
                "read_file",
                "Returns the contents of a file; newer versions call it `read_text_file`",
            ),
            (
                "read_text_file",
                "Returns the contents of a file as text, or its first or last lines",
            ),
            ("read_media_file", "Returns an image or audio file in base64"),
            ("read_multiple_files", "Returns the contents of several files"),
            ("write_file", "Creates a file, or replaces its contents"),
            ("edit_file", "Replaces pieces of text in a file"),
            ("create_directory", "Creates a folder and its parents"),
            ("list_directory", "Lists a folder"),
            ("list_directory_with_sizes", "Lists a folder with sizes"),
            ("directory_tree", "Lists a folder and everything below it, as JSON"),
            ("move_file", "Moves or renames a file or folder"),
            ("search_files", "Finds files and folders whose names match a pattern"),
            ("get_file_info", "Returns size, times and permissions of a file or folder"),
            ("list_allowed_directories", "Lists the folders that may be used"),
        ],
    },
    Known {
        name: "fetch",
        about: "gets web pages as Markdown",
        start: Start::Command("uvx", &["mcp-server-fetch"]),
        tools: &[("fetch", "Returns the content of a URL as Markdown")],
    },
    Known {
        name: "git",
        about: "reads and changes a Git repository",
        start: Start::Command("uvx", &["mcp-server-git"]),
        tools: &[
            ("git_status", "Shows the state of the working tree"),
            ("git_diff_unstaged", "Shows unstaged changes"),
            ("git_diff_staged", "Shows staged changes"),
            ("git_diff", "Shows differences between branches or commits"),
            ("git_commit", "Commits staged changes"),
            ("git_add", "Stages files"),
            ("git_reset", "Unstages everything"),
            ("git_log", "Lists commits"),
            ("git_create_branch", "Creates a branch"),
            ("git_checkout", "Switches to a branch"),
            ("git_show", "Shows a commit"),
            ("git_branch", "Lists branches"),
        ],
    },
    Known {
        name: "github",
        about: "works with repositories, issues and pull requests on GitHub; reads GITHUB_PERSONAL_ACCESS_TOKEN",
        start: Start::Command("npx", &["-y", "@modelcontextprotocol/server-github"]),
        tools: &[
            ("create_or_update_file", "Writes one file of a repository"),
            ("push_files", "Commits several files at once"),
            ("search_repositories", "Finds repositories that match a query"),
            ("create_repository", "Creates a repository"),
            ("get_file_contents", "Returns a file or folder of a repository"),
            ("create_issue", "Opens an issue"),
            ("create_pull_request", "Opens a pull request"),
            ("fork_repository", "Forks a repository"),
            ("create_branch", "Creates a branch"),
            ("list_issues", "Lists the issues of a repository"),
            ("update_issue", "Changes an issue"),
            ("add_issue_comment", "Comments on an issue"),
            ("search_code", "Finds code that matches a query"),
            ("search_issues", "Finds issues and pull requests that match a query"),
            ("search_users", "Finds users that match a query"),
            ("list_commits", "Lists the commits of a branch"),
            ("get_issue", "Returns an issue"),
            ("get_pull_request", "Returns a pull request"),
            ("list_pull_requests", "Lists the pull requests of a repository"),
            ("create_pull_request_review", "Reviews a pull request"),
            ("merge_pull_request", "Merges a pull request"),
            ("get_pull_request_files", "Lists the files that a pull request changes"),
            ("get_pull_request_status", "Lists the checks of a pull request"),
            ("update_pull_request_branch", "Updates a pull request from its base branch"),
            ("get_pull_request_comments", "Lists the comments in a pull request's code"),
            ("get_pull_request_reviews", "Lists the reviews of a pull request"),
        ],
    },
    Known {
        name: "memory",
        about: "remembers facts in a graph of entities and relations",
        start: Start::Command("npx", &["-y", "@modelcontextprotocol/server-memory"]),
        tools: &[
            ("create_entities", "Adds entities"),
            ("create_relations", "Adds relations between entities"),
            ("add_observations", "Adds observations to entities"),
            ("delete_entities", "Removes entities and their relations"),
            ("delete_observations", "Removes observations"),
            ("delete_relations", "Removes relations"),
            ("read_graph", "Returns the whole graph"),
            ("search_nodes", "Finds entities that match a query"),
            ("open_nodes", "Returns entities by name"),
        ],
    },
    Known {
        name: "sqlite",
        about: "queries and changes a SQLite database",
        start: Start::Command("uvx", &["mcp-server-sqlite", "--db-path", "data.db"]),
        tools: &[
            ("read_query", "Runs a SELECT"),
            ("write_query", "Runs an INSERT, UPDATE or DELETE"),
            ("create_table", "Creates a table"),
            ("list_tables", "Lists the tables of the database"),
            ("describe_table", "Lists the columns of a table"),
            ("append_insight", "Adds to the memo of insights"),
        ],
    },
    Known {
        name: "puppeteer",
        about: "drives a browser",
        start: Start::Command("npx", &["-y", "@modelcontextprotocol/server-puppeteer"]),
        tools: &[
            ("puppeteer_navigate", "Goes to a URL"),
            ("puppeteer_screenshot", "Takes a screenshot of the page or of an element"),
            ("puppeteer_click", "Clicks an element"),
            ("puppeteer_hover", "Moves the pointer over an element"),
            ("puppeteer_fill", "Fills in a field"),
            ("puppeteer_select", "Selects an option in a list"),
            ("puppeteer_evaluate", "Runs JavaScript in the page"),
        ],
    },
    Known {
        name: "playwright",
        about: "drives a browser",
        start: Start::Command("npx", &["-y", "@playwright/mcp@latest"]),
        tools: &[],
    },
    Known {
        name: "sequential-thinking",
        about: "records a train of thought",
        start: Start::Command("npx", &["-y", "@modelcontextprotocol/server-sequential-thinking"]),
        tools: &[("sequentialthinking", "Records one step of a train of thought")],
    },
    Known {
        name: "time",
        about: "tells the time and converts it between time zones",
        start: Start::Command("uvx", &["mcp-server-time"]),
        tools: &[
            ("get_current_time", "Returns the time in a time zone"),
            ("convert_time", "Converts a time to another time zone"),
        ],
    },
    Known {
        name: "everything",
        about: "shows every feature of the protocol, for tests of clients",
        start: Start::Command("npx", &["-y", "@modelcontextprotocol/server-everything"]),
        tools: &[],
    },
    Known {
        name: "python-interpreter",
        about: "runs Python, if the built-in `python` tool is not enough",
        start: Start::Url("http://localhost:3000/mcp"),
        tools: &[],
    },
];

/// The published server with this name; `_` and `-` are equivalent.
pub fn named(name: &str) -> Option<&'static Known> {
    let folded = |name: &str| name.replace('_', "-").to_ascii_lowercase();
    SERVERS.iter().find(|known| folded(known.name) == folded(name))
}

/// The specification's name for the package of `fetch`.
const SPECIFIED_FETCH: &str = "@modelcontextprotocol/server-fetch";

/// The published server that these arguments start, regardless of its name.
pub fn started_by<'a>(mut arguments: impl Iterator<Item = &'a str>) -> Option<&'static Known> {
    arguments.find_map(|argument| {
        let package = argument
            .rsplit_once('@')
            .map_or(argument, |(name, _)| if name.is_empty() { argument } else { name });
        let package = if package == SPECIFIED_FETCH { "mcp-server-fetch" } else { package };
        SERVERS.iter().find(|known| {
            known.start.package().is_some_and(|own| own == argument || own == package)
        })
    })
}

impl Start {
    /// The package that contains the server.
    fn package(self) -> Option<&'static str> {
        match self {
            Self::Command(_, arguments) => {
                arguments.iter().copied().find(|argument| !argument.starts_with('-'))
            }
            Self::Url(_) => None,
        }
    }

    /// The entries after the name in `mcp_servers`, one per line.
    pub fn entries(self) -> String {
        match self {
            Self::Command(command, arguments) => {
                let quoted: Vec<String> =
                    arguments.iter().map(|argument| crate::yaml::quote(argument)).collect();
                format!("command: {command}\nargs: [{}]", quoted.join(", "))
            }
            Self::Url(url) => format!("url: {url}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn servers_are_known_by_name_and_by_package() {
        for (name, expected) in [
            ("filesystem", Some("filesystem")),
            ("sequential_thinking", Some("sequential-thinking")),
            ("files", None),
        ] {
            assert_eq!(named(name).map(|known| known.name), expected);
        }
        for (arguments, expected) in [
            (&["-y", "@modelcontextprotocol/server-filesystem", "/tmp"][..], Some("filesystem")),
            (&["-y", "@modelcontextprotocol/server-filesystem@1.2.3"], Some("filesystem")),
            (&["mcp-server-git@latest"], Some("git")),
            (&["-y", "@modelcontextprotocol/server-fetch"], Some("fetch")),
            (&["--flag", "@other/server"], None),
            (&[], None),
        ] {
            assert_eq!(
                started_by(arguments.iter().copied()).map(|known| known.name),
                expected,
                "{arguments:?}"
            );
        }
    }
}
