//! `agentmd explain`: explains findings. The reference pages in `docs/` are generated here too.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::Context;
use clap::ValueEnum;
use clap::builder::styling::{AnsiColor, Style};
use serde::Serialize;

use super::Status;
use crate::client::{self, Client, catalog};
use crate::config::Config;
use crate::format::{self, names};
use crate::plan::reasons;
use crate::rule::page::{page, standalone};
use crate::rule::{Rule, Severity};

#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// The code of a finding, a group of codes, the name of a client, `clients`, `settings` or
    /// `apply`; without it, lists all codes
    #[arg(value_name = "CODE")]
    code: Option<String>,
    /// The output format
    #[arg(long, value_enum, default_value_t, value_name = "FORMAT")]
    format: PageFormat,
    /// Write the reference pages into this folder: a file for each rule, or for each client
    #[arg(long, value_name = "FOLDER", value_hint = clap::ValueHint::DirPath)]
    output: Option<PathBuf>,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
enum PageFormat {
    /// For the terminal
    #[default]
    Human,
    /// For programs
    Json,
    /// Markdown, as in the reference
    Markdown,
}

pub fn run(arguments: &Arguments) -> anyhow::Result<Status> {
    if let Some(folder) = &arguments.output {
        anyhow::ensure!(
            arguments.format == PageFormat::Markdown,
            "`--output` writes Markdown: add `--format markdown`"
        );
        return match arguments.code.as_deref() {
            None => write_pages(folder, pages()),
            Some("clients") => write_pages(folder, client_pages()),
            Some(_) => anyhow::bail!(
                "`--output` writes all pages; don't name a code, or name \
                `clients`"
            ),
        };
    }
    let text = match (arguments.code.as_deref(), arguments.format) {
        (Some("settings"), PageFormat::Json) => pretty(&settings_schema())?,
        (Some("settings"), PageFormat::Human) => terminal(&settings_page()),
        (Some("settings"), PageFormat::Markdown) => settings_page(),
        (Some("apply"), PageFormat::Human) => terminal(&reasons_page()),
        (Some("apply"), PageFormat::Markdown) => reasons_page(),
        (Some("apply"), PageFormat::Json) => pretty(
            &reasons().iter().map(|reason| serde_json::json!({ "reason": reason.name(), "meaning": reason.documentation() })).collect::<Vec<_>>(),
        )?,
        (Some("clients"), PageFormat::Human) => terminal(&clients_page()),
        (Some("clients"), PageFormat::Markdown) => clients_page(),
        (Some("clients"), PageFormat::Json) => pretty(
            &catalog()
                .clients
                .iter()
                .map(JsonClient::of)
                .collect::<Vec<_>>(),
        )?,
        (Some(code), PageFormat::Human) if catalog().named(code).is_some() => terminal(&client::page(names::client(code)?)),
        (Some(code), PageFormat::Markdown) if catalog().named(code).is_some() => client::page(names::client(code)?),
        (Some(code), PageFormat::Json) if catalog().named(code).is_some() => pretty(&JsonClient::with_page(names::client(code)?))?,
        (Some(group), PageFormat::Human) if !of_group(group).is_empty() => list(of_group(group)),
        (Some(group), PageFormat::Markdown) if !of_group(group).is_empty() => {
            of_group(group).into_iter().map(page).collect::<Vec<_>>().join("\n")
        }
        (Some(group), PageFormat::Json) if !of_group(group).is_empty() => {
            pretty(&of_group(group).into_iter().map(JsonRule::of).collect::<Vec<_>>())?
        }
        (Some(code), PageFormat::Human) => terminal(&page(names::rule(code)?)),
        (Some(code), PageFormat::Markdown) => page(names::rule(code)?),
        (Some(code), PageFormat::Json) => pretty(&JsonRule::of(names::rule(code)?))?,
        (None, PageFormat::Human) => list(format::rules()),
        (None, PageFormat::Markdown) => format::rules().into_iter().map(page).collect::<Vec<_>>().join("\n"),
        (None, PageFormat::Json) => pretty(&format::rules().into_iter().map(JsonRule::of).collect::<Vec<_>>())?,
    };
    let mut out = anstream::stdout();
    out.write_all(text.as_bytes())?;
    out.flush()?;
    Ok(Status::Fine)
}

#[derive(Serialize)]
struct JsonRule<'a> {
    code: &'a str,
    severity: Severity,
    default: &'static str,
    summary: &'a str,
    url: String,
    page: String,
    bad: Vec<String>,
    good: Vec<String>,
}

#[derive(Serialize)]
struct JsonClient<'a> {
    name: &'a str,
    title: &'a str,
    aliases: &'a [String],
    #[serde(skip_serializing_if = "Option::is_none")]
    page: Option<String>,
}

impl<'a> JsonClient<'a> {
    fn of(client: &'a Client) -> Self {
        Self { name: &client.name, title: &client.title, aliases: &client.aliases, page: None }
    }

    fn with_page(client: &'a Client) -> Self {
        Self { page: Some(client::page(client)), ..Self::of(client) }
    }
}

impl<'a> JsonRule<'a> {
    fn of(rule: &'a Rule) -> Self {
        let default = if rule.off { "off" } else { "on" };
        Self {
            code: rule.code,
            severity: rule.severity,
            default,
            summary: rule.summary,
            url: rule.url(),
            page: standalone(rule),
            bad: rule.examples("bad"),
            good: rule.examples("good"),
        }
    }
}

fn pretty(value: &impl Serialize) -> anyhow::Result<String> {
    Ok(serde_json::to_string_pretty(value)? + "\n")
}

/// Why `agentmd apply` refuses edits, in Markdown.
fn reasons_page() -> String {
    let lines: String = reasons()
        .iter()
        .map(|reason| format!("- `{}`: {}\n", reason.name(), reason.documentation()))
        .collect();
    format!("# apply\n\nThe reasons why `agentmd apply` refuses a block.\n\n{lines}")
}

/// A page for a terminal: with colored headings and code, and indented examples.
fn terminal(page: &str) -> String {
    let (title, code, faint) =
        (Style::new().bold(), AnsiColor::Cyan.on_default(), Style::new().dimmed());
    let mut out = String::new();
    let mut fence: Option<usize> = None;
    for line in page.lines() {
        let ticks = line.bytes().take_while(|byte| *byte == b'`').count();
        if fence.is_some_and(|length| ticks >= length && ticks == line.len()) {
            fence = None;
        } else if fence.is_some() {
            let _ = if line.is_empty() {
                writeln!(out)
            } else {
                writeln!(out, "    {faint}{line}{faint:#}")
            };
        } else if ticks >= 3 {
            fence = Some(ticks);
        } else if let Some(heading) = line.strip_prefix('#') {
            let _ =
                writeln!(out, "{title}{}{title:#}", heading.trim_start_matches('#').trim_start());
        } else if let Some(row) = line.strip_prefix("| `") {
            let mut cells = row.trim_end_matches(" |").splitn(3, " | ");
            let (name, kind, meaning) = (
                cells.next().unwrap_or(""),
                cells.next().unwrap_or(""),
                cells.next().unwrap_or(""),
            );
            let _ = writeln!(
                out,
                "{code}{}{code:#}  {faint}{}{faint:#}",
                name.trim_end_matches('`'),
                without_links(kind)
            );
            let _ = writeln!(out, "    {}\n", meaning.replace("\\|", "|"));
        } else if line.starts_with('|') {
            // A table's header isn't useful in a list.
        } else {
            let line = without_links(line);
            for (index, part) in line.split('`').enumerate() {
                let _ = if index % 2 == 1 {
                    write!(out, "{code}{part}{code:#}")
                } else {
                    write!(out, "{part}")
                };
            }
            out.push('\n');
        }
    }
    out
}

/// `[text](target)` becomes text.
fn without_links(line: &str) -> String {
    let mut out = String::new();
    let mut rest = line;
    while let Some((before, link)) = rest.split_once('[') {
        let Some((text, behind)) = link
            .split_once("](")
            .and_then(|(text, target)| Some((text, target.split_once(')')?.1)))
        else {
            break;
        };
        out.push_str(before);
        out.push_str(text);
        rest = behind;
    }
    out.push_str(rest);
    out
}

/// The rules of a group; empty if the group is unknown.
fn of_group(name: &str) -> Vec<&'static Rule> {
    format::rules().into_iter().filter(|rule| rule.group() == name).collect()
}

/// Every rule in a line.
fn list(rules: Vec<&Rule>) -> String {
    let width = rules.iter().map(|rule| rule.code.len()).max().unwrap_or_default();
    let style = |severity: Severity| match severity {
        Severity::Error => AnsiColor::Red.on_default(),
        Severity::Warning => AnsiColor::Yellow.on_default(),
        Severity::Info => AnsiColor::Green.on_default(),
        Severity::Hint => AnsiColor::Blue.on_default(),
    };
    let mut out = String::new();
    for rule in rules {
        let style = style(rule.severity);
        let off = if rule.off { " (off by default)" } else { "" };
        let _ = writeln!(
            out,
            "{:width$}  {style}{:7}{style:#}  {}{off}",
            rule.code,
            rule.severity.name(),
            rule.summary
        );
    }
    out
}

/// Every reference page with its folder-relative path, and an index.
pub fn pages() -> BTreeMap<PathBuf, String> {
    let mut index = String::from(
        "# Rules\n\nEvery finding that `agentmd` reports. `agentmd explain CODE` prints a page; [the settings](../settings.md) choose rules and severities.\n",
    );
    let mut pages = BTreeMap::new();
    let mut group = "";
    for rule in format::rules() {
        if rule.group() != group {
            group = rule.group();
            let _ = write!(index, "\n## {group}\n\n| Rule | Severity | Finds |\n|---|---|---|\n");
        }
        let off = if rule.off { ", off" } else { "" };
        let _ = writeln!(
            index,
            "| [{0}]({0}.md) | {1}{off} | {2} |",
            rule.code,
            rule.severity.name(),
            rule.summary.replace('|', "\\|")
        );
        pages.insert(PathBuf::from(format!("{}.md", rule.code)), page(rule));
    }
    pages.insert(PathBuf::from("README.md"), index);
    pages
}

/// Every client in a line.
fn clients_page() -> String {
    let mut out = String::from(
        "# Clients\n\nThe clients whose agent files agentmd knows: the files that each reads, and how it treats mistakes. \
         `agentmd explain NAME` prints a page; the setting `clients` and `agentmd check --for` choose the clients to check for.\n\n\
         | Client | Name | Reads |\n|---|---|---|\n",
    );
    for client in &catalog().clients {
        let mut kinds: Vec<&str> = client.reads.iter().map(|reads| reads.kind.name()).collect();
        kinds.dedup();
        let _ = writeln!(
            out,
            "| [{}]({}.md) | `{}` | {} |",
            client.title,
            client.name,
            client.name,
            kinds.join(", ").replace('-', " ")
        );
    }
    out
}

/// The page of each client, and the index.
pub fn client_pages() -> BTreeMap<PathBuf, String> {
    let pages = catalog()
        .clients
        .iter()
        .map(|client| (PathBuf::from(format!("{}.md", client.name)), client::page(client)));
    pages.chain([(PathBuf::from("README.md"), clients_page())]).collect()
}

fn write_pages(folder: &Path, pages: BTreeMap<PathBuf, String>) -> anyhow::Result<Status> {
    for (path, text) in pages {
        let path = folder.join(path);
        let parent = path.parent().unwrap_or(folder);
        std::fs::create_dir_all(parent).with_context(|| parent.display().to_string())?;
        if std::fs::read_to_string(&path).ok().as_ref() != Some(&text) {
            super::write::write_atomically(&path, &text)
                .with_context(|| path.display().to_string())?;
        }
    }
    Ok(Status::Fine)
}

/// The JSON Schema of the settings, with the names of all formats.
pub fn settings_schema() -> serde_json::Value {
    let mut schema = Config::schema();
    if let Some(formats) = schema.pointer_mut("/properties/formats") {
        let names = format::names::formats();
        let shown: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
        let shown = format!("{} One of {}.", text(formats, "description"), shown.join(", "));
        if let Some(formats) = formats.as_object_mut() {
            let values = serde_json::json!({ "type": "string", "enum": names });
            formats.insert("description".to_owned(), shown.into());
            formats.insert("additionalProperties".to_owned(), values);
        }
    }
    schema
}

/// The page of the settings, from their JSON Schema.
pub fn settings_page() -> String {
    let schema = settings_schema();
    let mut out = format!("# Settings\n\n{}\n", text(&schema, "description"));
    let schema_url = format!("{}/raw/main/docs/agentmd.schema.json", env!("CARGO_PKG_REPOSITORY"));
    let _ = write!(
        out,
        "\nThe file `agentmd.toml` that applies to a document is the nearest one in its folder \
         and the folders above it, up to the root; it takes precedence over the editor's settings. \
         An editor sends the same names in JSON. When a settings file is written, created or \
         deleted, all open documents are updated immediately, in every editor. If a settings file \
         can't be used, a message shows the line and the reason. In an editor, the default settings \
         apply until it is fixed; on the command line, `check` skips the files below it, and \
         commands that use the settings exit with 2. An unknown rule, format or client in the \
         settings has no effect: editors show a message, and `agentmd check` exits with 2.\n\n\
         The JSON Schema is in [agentmd.schema.json](agentmd.schema.json). Editors with TOML \
         support (Taplo, Even Better TOML, Tombi) use it for completion and checks if this is the \
         file's first line:\n\n```toml\n#:schema {schema_url}\n```\n"
    );
    table(&mut out, &schema);
    for (name, definition) in
        schema.get("$defs").and_then(serde_json::Value::as_object).into_iter().flatten()
    {
        let _ = write!(out, "\n## {name}\n\n{}\n", text(definition, "description"));
        match definition.get("enum").and_then(serde_json::Value::as_array) {
            Some(values) => {
                let values: Vec<String> = values
                    .iter()
                    .filter_map(|value| Some(format!("`{}`", value.as_str()?)))
                    .collect();
                let _ = write!(out, "\nOne of {}.\n", values.join(", "));
            }
            None => table(&mut out, definition),
        }
    }
    out
}

fn table(out: &mut String, schema: &serde_json::Value) {
    out.push_str("\n| Setting | Type | Meaning |\n|---|---|---|\n");
    for (name, property) in
        schema.get("properties").and_then(serde_json::Value::as_object).into_iter().flatten()
    {
        let meaning = text(property, "description").replace('\n', " ").replace('|', "\\|");
        let _ = writeln!(out, "| `{name}` | {} | {meaning} |", type_name(property));
    }
}

fn type_name(schema: &serde_json::Value) -> String {
    if let Some(name) = schema.get("$ref").and_then(|value| value.as_str()?.rsplit('/').next()) {
        return format!("[{name}](#{})", name.to_lowercase());
    }
    let inner = |key: &str| schema.get(key).map(type_name).unwrap_or_default();
    if let Some(several) = schema.get("type").and_then(serde_json::Value::as_array) {
        let words = several.iter().filter_map(serde_json::Value::as_str);
        let words: Vec<&str> =
            words.map(|word| if word == "object" { "table" } else { word }).collect();
        return words.join(" or ");
    }
    match text(schema, "type") {
        "array" => format!("list of {}", inner("items")),
        "object" => format!("table of {}", inner("additionalProperties")),
        name => name.to_owned(),
    }
}

fn text<'a>(schema: &'a serde_json::Value, key: &str) -> &'a str {
    schema.get(key).and_then(serde_json::Value::as_str).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::without_links;

    #[test]
    fn links_become_their_text() {
        assert_eq!(without_links("see [a](b.md), [c][d] and [e](f"), "see a, [c][d] and [e](f");
        assert_eq!(without_links("list of [Level](#level)"), "list of Level");
    }
}
