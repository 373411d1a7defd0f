//! The interface that other programs rely on: commands and options, rule codes, settings, the shape
//! of JSON, and the server's capabilities. `interface.json` records all of it. The test adds new
//! entries there and fails once. If an entry is gone or has changed, the test fails until the entry
//! is restored, or removed from the record by hand as described in `docs/compatibility.md`.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use super::{BROKEN, Folder, GOOD};

type Record = BTreeMap<String, BTreeSet<String>>;

#[test]
fn nothing_that_others_rely_on_is_lost() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cli/interface.json");
    let recorded: Record = fs::read_to_string(&path)
        .ok()
        .and_then(|text| serde_json::from_str(&text).ok())
        .unwrap_or_default();
    let current = current();
    let lost: Vec<String> = recorded
        .iter()
        .flat_map(|(part, entries)| {
            let kept = current.get(part);
            entries
                .iter()
                .filter(move |entry| kept.is_none_or(|kept| !kept.contains(*entry)))
                .map(move |entry| format!("{part}: {entry}"))
        })
        .collect();
    assert!(lost.is_empty(), "other programs rely on this; see docs/compatibility.md: {lost:#?}");
    if recorded != current {
        fs::write(&path, serde_json::to_string_pretty(&current).unwrap() + "\n").unwrap();
        panic!("the interface has grown; {} has been updated, commit it", path.display());
    }
}

fn current() -> Record {
    let mut record = Record::new();
    let folder = workspace();
    let help = folder.run(&["--help"]).out;
    let commands = section(&help, "Commands:");
    let names: BTreeSet<String> = commands
        .lines()
        .filter(|line| line.starts_with("  ") && !line.starts_with("   "))
        .filter_map(|line| line.split_whitespace().next())
        .filter(|name| *name != "help")
        .map(str::to_owned)
        .collect();
    assert!(names.len() > 15, "{commands}");
    for name in &names {
        let help = folder.run(&[name, "--help"]).out;
        record.insert(format!("options of {name}"), options(&help));
    }
    record.insert("options".to_owned(), options(&help));
    record.insert("commands".to_owned(), names);
    let rules = folder.run(&["explain", "--format", "json"]).json();
    let mut codes = BTreeSet::new();
    collect_codes(&rules, &mut codes);
    assert!(codes.len() > 50, "{codes:?}");
    record.insert("rules".to_owned(), codes);
    let schema = folder.run(&["explain", "settings", "--format", "json"]).json();
    let mut settings = BTreeSet::new();
    properties(&schema, "", &mut settings);
    record.insert("settings".to_owned(), settings);
    let calls: &[(&str, &[&str])] = &[
        ("check", &["check", "--format", "json"]),
        ("index", &["index", "--blocks", "good.md"]),
        ("select", &["select", "page::heading:h1[0]", "page.md"]),
        ("parse as duckflow", &["parse", "--as", "duckflow", "duckflow.md"]),
        ("parse as llmd", &["parse", "--as", "llmd", "page.llmd"]),
        ("parse as context", &["parse", "--as", "context", "page.md"]),
        ("parse as markdownlang", &["parse", "--as", "markdownlang", "good.md"]),
        ("parse as reply", &["parse", "--as", "reply", "reply.md"]),
        ("loaded", &["loaded", "src/x.ts", "--for", "claude-code", "--json"]),
        ("cost", &["cost", "--for", "claude-code", "--json"]),
        ("graph", &["graph", "--format", "json"]),
        ("apply", &["apply", "reply.md", "--partial", "--json"]),
    ];
    for (name, arguments) in calls {
        let answer = folder.run(arguments);
        let value: Value = serde_json::from_str(&answer.out)
            .unwrap_or_else(|error| panic!("{name}: {error}: {} {}", answer.out, answer.err));
        let mut shape = BTreeSet::new();
        shape_of(&value, "", &mut shape);
        record.insert(format!("JSON of {name}"), shape);
    }
    record.insert("JSON of check as lines".to_owned(), {
        let lines = folder.run(&["check", "--format", "jsonl"]).out;
        let mut shape = BTreeSet::new();
        lines.lines().for_each(|line| {
            shape_of(&serde_json::from_str(line).unwrap(), "", &mut shape);
        });
        shape
    });
    record.insert("server".to_owned(), server(&folder));
    record
}

/// A workspace in which every command has something to report.
fn workspace() -> Folder {
    Folder::with(&[
        ("bad.md", BROKEN),
        ("good.md", GOOD),
        ("page.md", "# Page\n\nText.\n"),
        ("a.py", "x = 1\n"),
        (
            "reply.md",
            "a.py\n<<<<<<< SEARCH\nx = 1\n=======\nx = 2\n>>>>>>> REPLACE\n\nb.py\n<<<<<<< SEARCH\n\
             gone\n=======\nthere\n>>>>>>> REPLACE\n",
        ),
        (
            "duckflow.md",
            "[REASONING_START]\nWhy.\n[REASONING_END]\n[VITAL_CONFIDENCE]\n0.9\n\
             [ACTION_0_TYPE]\ncreate_file\n[ACTION_0_PARAM_PATH]\nnew.md\n\
             [ACTION_0_CONTENT_START]\nText.\n[ACTION_0_CONTENT_END]\n",
        ),
        (
            "page.llmd",
            "# Project: x\n\n## Mission\n\nDo it.\n\n## Code Context\n\n`a.py`\n\n```python\nx = \
             1\n```\n\n## Changelog\n\n- none\n",
        ),
        ("CLAUDE.md", "Read @page.md\n"),
        (".claude/skills/tea/SKILL.md", "---\nname: tea\ndescription: Brews tea\n---\n\nBrew.\n"),
        (".claude/commands/brew.md", "Brew /tea.\n"),
        (".claude/agents/a.md", "---\nname: a\ndescription: Uses tea\nskills: [tea]\n---\n\nGo.\n"),
    ])
}

fn section<'a>(help: &'a str, title: &str) -> &'a str {
    let (_, rest) = help.split_once(title).unwrap_or_default();
    rest.split("\n\n").next().unwrap_or_default()
}

/// The long options that a help text declares.
fn options(help: &str) -> BTreeSet<String> {
    help.lines()
        .map(str::trim_start)
        .filter(|line| line.starts_with('-'))
        .filter_map(|line| line.split_whitespace().find(|word| word.starts_with("--")))
        .map(|word| {
            word.trim_end_matches([',', '.']).split(['=', '[']).next().unwrap_or(word).to_owned()
        })
        .collect()
}

fn collect_codes(value: &Value, codes: &mut BTreeSet<String>) {
    match value {
        Value::Array(items) => items.iter().for_each(|item| collect_codes(item, codes)),
        Value::Object(object) => {
            if let Some(code) = object.get("code").and_then(Value::as_str) {
                codes.insert(code.to_owned());
            }
            object.values().for_each(|value| collect_codes(value, codes));
        }
        _ => {}
    }
}

fn properties(schema: &Value, at: &str, found: &mut BTreeSet<String>) {
    for part in ["$defs", "definitions", "properties"] {
        let Some(object) = schema.get(part).and_then(Value::as_object) else { continue };
        for (name, inner) in object {
            let path = format!("{at}/{name}");
            if part == "properties" {
                found.insert(path.clone());
            }
            properties(inner, &path, found);
        }
    }
}

/// Every path in a JSON value, with its type.
fn shape_of(value: &Value, at: &str, shape: &mut BTreeSet<String>) {
    let kind = match value {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(_) => "number",
        Value::String(_) => "string",
        Value::Array(items) => {
            items.iter().for_each(|item| shape_of(item, &format!("{at}[]"), shape));
            "array"
        }
        Value::Object(object) => {
            object.iter().for_each(|(key, value)| {
                let key = if at.ends_with("/properties") { "*" } else { key };
                shape_of(value, &format!("{at}/{key}"), shape);
            });
            "object"
        }
    };
    shape.insert(format!("{at}: {kind}"));
}

/// The server's capabilities for a client that supports everything relevant here.
fn server(folder: &Folder) -> BTreeSet<String> {
    let call = json!({
        "jsonrpc": "2.0", "id": 1, "method": "initialize",
        "params": { "processId": null, "rootUri": null, "capabilities": {
            "workspace": { "applyEdit": true, "workspaceEdit": { "documentChanges": true } },
            "textDocument": { "callHierarchy": {}, "semanticTokens": { "requests": {},
                "tokenTypes": [], "tokenModifiers": [], "formats": [] } },
        } },
    })
    .to_string();
    let message = format!("Content-Length: {}\r\n\r\n{call}", call.len());
    let out = folder.run_with(&["server"], message.as_bytes()).out;
    let (_, body) = out.split_once("\r\n\r\n").expect("an answer");
    let mut answers = serde_json::Deserializer::from_str(body).into_iter::<Value>();
    let answer = answers.next().unwrap().unwrap();
    let capabilities = answer["result"]["capabilities"].as_object().unwrap();
    let mut record: BTreeSet<String> = capabilities.keys().cloned().collect();
    let commands = capabilities["executeCommandProvider"]["commands"].as_array().unwrap();
    record.extend(commands.iter().map(|name| format!("command {}", name.as_str().unwrap())));
    record
}
