//! Servers of the Model Context Protocol that are published under well-known names: how each is
//! started, and tools whose names its documentation gives. Where that says none, or they change,
//! none are listed.

/// A published server.
#[derive(Debug)]
pub struct Known {
    /// What it is usually called.
    pub name: &'static str,
    /// What it is for, in a few words.
    pub about: &'static str,
    pub start: Start,
    /// Each with what it does.
    pub tools: &'static [(&'static str, &'static str)],
}

/// How a server is reached.
#[derive(Debug, Clone, Copy)]
pub enum Start {
    Command(&'static str, &'static [&'static str]),
    Url(&'static str),
}

pub static SERVERS: &[Known] = &[
    Known {
        name: "filesystem",
        about: "reads and writes files below the folders that it is given",
        start: Start::Command("npx", &["-y", "@modelcontextprotocol/server-filesystem", "."]),
        tools: &[
            ("read_file", "The content of a file; newer versions call it `read_text_file`"),
            ("read_text_file", "The content of a file as text, or its first or last lines"),
            ("read_media_file", "An image or audio file in base64"),
            ("read_multiple_files", "The contents of several files"),
            ("write_file", "Makes a file, or replaces its content"),
            ("edit_file", "Replaces pieces of text in a file"),
            ("create_directory", "Makes a folder and those above it"),
            ("list_directory", "What is in a folder"),
            ("list_directory_with_sizes", "What is in a folder, with sizes"),
            ("directory_tree", "A folder and everything below it, as JSON"),
            ("move_file", "Moves or renames a file or folder"),
            ("search_files", "Files and folders whose names match a pattern"),
            ("get_file_info", "Size, times and permissions of a file or folder"),
            ("list_allowed_directories", "The folders that may be used"),
        ],
    },
    Known {
        name: "fetch",
        about: "gets web pages as Markdown",
        start: Start::Command("uvx", &["mcp-server-fetch"]),
        tools: &[("fetch", "The content of a URL as Markdown")],
    },
    Known {
        name: "git",
        about: "reads and changes a Git repository",
        start: Start::Command("uvx", &["mcp-server-git"]),
        tools: &[
            ("git_status", "The state of the working tree"),
            ("git_diff_unstaged", "Changes that are not staged yet"),
            ("git_diff_staged", "Changes that are staged"),
            ("git_diff", "Differences between branches or commits"),
            ("git_commit", "Commits what is staged"),
            ("git_add", "Stages files"),
            ("git_reset", "Unstages everything"),
            ("git_log", "The commits"),
            ("git_create_branch", "Makes a branch"),
            ("git_checkout", "Switches to a branch"),
            ("git_show", "What is in a commit"),
            ("git_branch", "The branches"),
        ],
    },
    Known {
        name: "github",
        about: "works with repositories, issues and pull requests on GitHub; reads GITHUB_PERSONAL_ACCESS_TOKEN",
        start: Start::Command("npx", &["-y", "@modelcontextprotocol/server-github"]),
        tools: &[
            ("create_or_update_file", "Writes one file of a repository"),
            ("push_files", "Commits several files at once"),
            ("search_repositories", "Repositories that match a query"),
            ("create_repository", "Makes a repository"),
            ("get_file_contents", "A file or folder of a repository"),
            ("create_issue", "Opens an issue"),
            ("create_pull_request", "Opens a pull request"),
            ("fork_repository", "Forks a repository"),
            ("create_branch", "Makes a branch"),
            ("list_issues", "The issues of a repository"),
            ("update_issue", "Changes an issue"),
            ("add_issue_comment", "Comments on an issue"),
            ("search_code", "Code that matches a query"),
            ("search_issues", "Issues and pull requests that match a query"),
            ("search_users", "Users that match a query"),
            ("list_commits", "The commits of a branch"),
            ("get_issue", "One issue"),
            ("get_pull_request", "One pull request"),
            ("list_pull_requests", "The pull requests of a repository"),
            ("create_pull_request_review", "Reviews a pull request"),
            ("merge_pull_request", "Merges a pull request"),
            ("get_pull_request_files", "The files that a pull request changes"),
            ("get_pull_request_status", "The checks of a pull request"),
            ("update_pull_request_branch", "Brings a pull request up to date with its base"),
            ("get_pull_request_comments", "The comments in a pull request's code"),
            ("get_pull_request_reviews", "The reviews of a pull request"),
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
            ("read_graph", "The whole graph"),
            ("search_nodes", "Entities that match a query"),
            ("open_nodes", "Entities by name"),
        ],
    },
    Known {
        name: "sqlite",
        about: "queries and changes a SQLite database",
        start: Start::Command("uvx", &["mcp-server-sqlite", "--db-path", "data.db"]),
        tools: &[
            ("read_query", "Runs a SELECT"),
            ("write_query", "Runs an INSERT, UPDATE or DELETE"),
            ("create_table", "Makes a table"),
            ("list_tables", "The tables of the database"),
            ("describe_table", "The columns of a table"),
            ("append_insight", "Adds to the memo of insights"),
        ],
    },
    Known {
        name: "puppeteer",
        about: "drives a browser",
        start: Start::Command("npx", &["-y", "@modelcontextprotocol/server-puppeteer"]),
        tools: &[
            ("puppeteer_navigate", "Goes to a URL"),
            ("puppeteer_screenshot", "A picture of the page or of an element"),
            ("puppeteer_click", "Clicks an element"),
            ("puppeteer_hover", "Moves the pointer over an element"),
            ("puppeteer_fill", "Fills in a field"),
            ("puppeteer_select", "Chooses in a list"),
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
        about: "takes notes of a train of thought",
        start: Start::Command("npx", &["-y", "@modelcontextprotocol/server-sequential-thinking"]),
        tools: &[("sequentialthinking", "Takes down one thought of a train")],
    },
    Known {
        name: "time",
        about: "tells the time and converts it between time zones",
        start: Start::Command("uvx", &["mcp-server-time"]),
        tools: &[
            ("get_current_time", "The time in a time zone"),
            ("convert_time", "A time in another time zone"),
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
        about: "runs Python where the built-in `python` tool is not enough",
        start: Start::Url("http://localhost:3000/mcp"),
        tools: &[],
    },
];

/// The published server of this name; `_` and `-` are one.
pub fn named(name: &str) -> Option<&'static Known> {
    let folded = |name: &str| name.replace('_', "-").to_ascii_lowercase();
    SERVERS.iter().find(|known| folded(known.name) == folded(name))
}

/// What the specification calls the package of `fetch`.
const SPECIFIED_FETCH: &str = "@modelcontextprotocol/server-fetch";

/// The published server that these arguments start, whatever it is called.
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
    /// The package that holds the server.
    fn package(self) -> Option<&'static str> {
        match self {
            Self::Command(_, arguments) => {
                arguments.iter().copied().find(|argument| !argument.starts_with('-'))
            }
            Self::Url(_) => None,
        }
    }

    /// The entries behind the name in `mcp_servers`, one per line.
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
