//! Checks the structure of the code: which room may use which, and what only certain rooms may use.

use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};

/// The rooms in order. A room may use itself and those in the rows above it.
const ORDER: &[&[&str]] = &[
    &["steps", "cache", "parallel", "suggestion"],
    &["text"],
    // YAML needs only text. Sections keep the tree of the front matter that they contain.
    &["yaml"],
    &["markdown"],
    &["source"],
    &["schema"],
    &["template", "edit", "selector"],
    &["rule"],
    &["world"],
    &["plan"],
    &["reply"],
    &["client"],
    &["config", "answer"],
    &["format"],
    &["document"],
    &["ide"],
    // Neither uses the other.
    &["server", "run"],
    &["cli"],
];

/// The same inside `format`, whose `mod.rs` lists all formats.
const FORMAT_ORDER: &[&[&str]] = &[
    &["completeness", "names", "parse", "snippet", "workspace"],
    &["front_matter", "fences"],
    &["start"],
    &["selectors"],
    &["blocks"],
    // A document of most other formats can also be a reply.
    &["edits"],
    &["agent", "context", "duckflow", "llmd", "plain"],
    // Agent files can become programs.
    &["markdownlang"],
    // Settings name kinds of agent files, their copies and their budget.
    &["configuration", "settings"],
];

/// Words in code, each with the only rooms that may use it.
const EDGES: &[(&str, &[&str])] = &[
    ("tower_lsp", &["server"]),
    ("gen_lsp_types", &["server"]),
    ("std::fs", &["world", "cli", "server", "run"]),
    ("std::net", &[]),
    ("tokio::net", &[]),
    ("reqwest", &["run"]),
    ("rmcp", &["run", "cli"]),
    ("std::process::Command", &[]),
    ("tokio::process", &["run"]),
    ("std::time", &["world", "cli", "server", "run"]),
    ("std::env", &["world", "cli", "server", "run"]),
    ("todo!(", &[]),
    ("unimplemented!(", &[]),
    ("dbg!(", &[]),
];

/// The number of statements about each system in the conformance list.
const STATEMENTS: &[(&str, usize)] =
    &[("mdl", 35), ("sel", 20), ("duck", 17), ("llmd", 21), ("aq", 13)];

fn sources() -> Vec<(PathBuf, String)> {
    sources_in("src")
}

fn sources_in(folder: &str) -> Vec<(PathBuf, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
    let mut found = Vec::new();
    let mut open = vec![root.clone()];
    while let Some(folder) = open.pop() {
        for entry in fs::read_dir(&folder).expect("src can be listed").flatten() {
            let path = entry.path();
            if path.is_dir() {
                open.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                let text = fs::read_to_string(&path).expect("a source file can be read");
                found.push((path.strip_prefix(&root).expect("it is in src").to_owned(), text));
            }
        }
    }
    found.sort();
    found
}

fn room(path: &Path) -> String {
    let first = path.components().next().expect("a path has a part").as_os_str().to_string_lossy();
    first.trim_end_matches(".rs").to_owned()
}

fn is_test(path: &Path) -> bool {
    path.components().any(|part| part.as_os_str().to_string_lossy().starts_with("tests"))
}

/// The code of a file without its tests at the end.
fn code(text: &str) -> &str {
    text.split("#[cfg(test)]").next().unwrap_or(text)
}

/// The modules that a file uses, each as a path from the crate: `crate::a::{b, c::d}` in `x/y.rs` is
/// `a::b` and `a::c::d`, and `super::b` is `x::b`.
fn uses(path: &Path, text: &str) -> Vec<(usize, Vec<String>)> {
    let mut own: Vec<String> = path
        .with_extension("")
        .components()
        .map(|part| part.as_os_str().to_string_lossy().into_owned())
        .collect();
    own.pop_if(|last| last == "mod");
    let mut found = Vec::new();
    // Paths in comments don't count.
    let lines = code(text).lines().map(|line| match line.trim_start().starts_with("//") {
        true => "",
        false => line,
    });
    let text = lines.collect::<Vec<_>>().join("\n");
    for start in ["crate::", "super::"] {
        for (at, _) in text.match_indices(start) {
            let before = &text[..at];
            if before.ends_with("super::") || before.ends_with(|char: char| char.is_alphanumeric())
            {
                continue;
            }
            let mut rest = &text[at..];
            let mut base = Vec::new();
            if let Some(after) = rest.strip_prefix("crate::") {
                rest = after;
            } else {
                base.clone_from(&own);
                while let Some(after) = rest.strip_prefix("super::") {
                    base.pop();
                    rest = after;
                }
            }
            let line = before.matches('\n').count() + 1;
            found.extend(expand(&base, rest).into_iter().map(|path| (line, path)));
        }
    }
    found
}

/// The paths at the start of a text, in braces or not.
fn expand(base: &[String], text: &str) -> Vec<Vec<String>> {
    if let Some(inside) = text.strip_prefix('{') {
        let (mut depth, mut start, mut found) = (0, 0, Vec::new());
        for (at, char) in inside.char_indices() {
            match char {
                '{' => depth += 1,
                ',' | '}' if depth == 0 => {
                    found.extend(expand(base, inside[start..at].trim()));
                    start = at + 1;
                }
                '}' => depth -= 1,
                _ => {}
            }
            if char == '}' && start == at + 1 {
                break;
            }
        }
        return found;
    }
    let name: String =
        text.chars().take_while(|char| char.is_alphanumeric() || *char == '_').collect();
    if name.is_empty() {
        return Vec::new();
    }
    let path = [base, std::slice::from_ref(&name)].concat();
    match text[name.len()..].strip_prefix("::") {
        Some(rest) if !rest.starts_with('<') => expand(&path, rest),
        _ => vec![path],
    }
}

/// The uses of modules that aren't above the user's own in an order. `depth` is the number of
/// modules around those of the order.
fn out_of_order(order: &[&[&str]], depth: usize) -> Vec<String> {
    let level = |room: &str| order.iter().position(|row| row.contains(&room));
    let mut wrong = Vec::new();
    for (path, text) in sources() {
        let part = |depth: usize| path.components().nth(depth);
        let within = |used: &[String]| {
            (0..depth).all(|depth| {
                part(depth).is_some_and(|part| {
                    used.get(depth).is_some_and(|name| part.as_os_str() == name.as_str())
                })
            })
        };
        let Some(own) = part(depth).map(|part| part.as_os_str().to_string_lossy().into_owned())
        else {
            continue;
        };
        let own = own.trim_end_matches(".rs");
        if matches!(own, "lib" | "main" | "mod" | "growth") || is_test(&path) {
            continue;
        }
        if depth > 0 && path.components().next().is_none_or(|first| first.as_os_str() != "format") {
            continue;
        }
        let own_level =
            level(own).unwrap_or_else(|| panic!("the order has no room for {}", path.display()));
        for (line, used) in uses(&path, &text) {
            let Some(other) = used.get(depth).filter(|other| *other != own && within(&used)) else {
                continue;
            };
            if level(other).is_some_and(|other| other >= own_level) {
                wrong.push(format!("{}:{line}: {own} uses {other}", path.display()));
            }
        }
    }
    wrong
}

#[test]
fn uses_are_read_as_rust_does() {
    let text = "use crate::{c, d::{e, f}};\nuse super::super::g;\n// crate::no\nfn x() { super::h::i::<u8>() }\n";
    let mut found: Vec<String> = uses(Path::new("format/a/b.rs"), text)
        .into_iter()
        .map(|(line, path)| format!("{line} {}", path.join("::")))
        .collect();
    found.sort();
    assert_eq!(found, ["1 c", "1 d::e", "1 d::f", "2 format::g", "4 format::a::h::i"]);
}

#[test]
fn rooms_use_only_the_rooms_above_them() {
    let wrong = out_of_order(ORDER, 0);
    assert!(wrong.is_empty(), "rooms that use rooms not above them:\n{}", wrong.join("\n"));
}

/// This also keeps files of different formats from using each other.
#[test]
fn formats_use_only_the_rooms_above_them() {
    let wrong = out_of_order(FORMAT_ORDER, 1);
    assert!(wrong.is_empty(), "formats that use modules not above them:\n{}", wrong.join("\n"));
}

#[test]
fn the_edges_stay_at_the_edges() {
    let mut wrong = Vec::new();
    for (path, text) in sources() {
        let own = room(&path);
        for (word, allowed) in EDGES {
            let used = code(&text)
                .lines()
                .any(|line| !line.trim_start().starts_with("//") && line.contains(word));
            if used && !allowed.contains(&own.as_str()) && !is_test(&path) {
                wrong.push(format!("{} uses {word}", path.display()));
            }
        }
    }
    assert!(wrong.is_empty(), "words in the wrong room:\n{}", wrong.join("\n"));
}

#[test]
fn files_stay_small() {
    let mut lengths: Vec<(usize, PathBuf)> =
        sources().into_iter().map(|(path, text)| (text.lines().count(), path)).collect();
    lengths.sort();
    let (longest, path) = lengths.last().expect("there are files");
    assert!(
        *longest <= 760,
        "{} has {longest} lines: which two reasons does it have to change?",
        path.display()
    );
    let (median, _) = &lengths[lengths.len() / 2];
    assert!(*median <= 160, "half of the files have more than {median} lines");
}

#[test]
fn a_test_is_named_after_every_statement() {
    let mut numbers: HashSet<(String, usize)> = HashSet::new();
    for (_, text) in sources_in("src").into_iter().chain(sources_in("tests")) {
        for name in text.lines().filter_map(|line| line.trim_start().strip_prefix("fn ")) {
            let mut parts = name.split('_');
            let system = parts.next().unwrap_or_default();
            numbers.extend(
                parts.map_while(|part| part.parse().ok()).map(|number| (system.to_owned(), number)),
            );
        }
    }
    let all = STATEMENTS
        .iter()
        .flat_map(|(system, count)| (1..=*count).map(|number| (system.to_string(), number)));
    let missing: Vec<_> = all.filter(|statement| !numbers.contains(statement)).collect();
    assert!(missing.is_empty(), "no test is named after {missing:?}");
}

/// The threat model names the tests for each promise.
#[test]
fn every_promise_has_its_test() {
    let model = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("SECURITY.md"))
        .expect("the threat model");
    let mut tests: HashSet<String> = HashSet::new();
    for (_, text) in sources_in("src").into_iter().chain(sources_in("tests")) {
        let lines: Vec<&str> = text.lines().map(str::trim).collect();
        for (number, line) in lines.iter().enumerate() {
            let Some(name) =
                line.strip_prefix("fn ").and_then(|rest| rest.split(['(', '<']).next())
            else {
                continue;
            };
            // Attributes that restrict the test to some systems may follow.
            let before = lines.get(number.saturating_sub(3)..number).unwrap_or_default();
            if before.contains(&"#[test]") {
                tests.insert(name.to_owned());
            }
        }
    }
    let rows = model
        .lines()
        .filter_map(|line| line.strip_prefix('|')?.strip_suffix('|')?.rsplit_once('|'));
    let rows: Vec<&str> = rows.map(|(_, last)| last).filter(|last| last.contains('`')).collect();
    assert!(rows.len() > 25, "only {} promises name a test", rows.len());
    let named = rows.iter().flat_map(|row| row.split('`').skip(1).step_by(2));
    let missing: Vec<&str> = named.filter(|name| !tests.contains(*name)).collect();
    assert!(missing.is_empty(), "SECURITY.md names tests that do not exist: {missing:?}");
}

#[test]
fn every_query_compiles() {
    let queries = Path::new(env!("CARGO_MANIFEST_DIR")).join("queries");
    let languages: [(&str, tree_sitter::Language); 2] = [
        ("markdown", tree_sitter_md::LANGUAGE.into()),
        ("markdown_inline", tree_sitter_md::INLINE_LANGUAGE.into()),
    ];
    let mut count = 0;
    for (name, language) in languages {
        for entry in fs::read_dir(queries.join(name)).expect("the folder of queries").flatten() {
            let text = fs::read_to_string(entry.path()).expect("a query can be read");
            if let Err(error) = tree_sitter::Query::new(&language, &text) {
                panic!("{}: {error}", entry.path().display());
            }
            count += 1;
        }
    }
    assert!(count >= 3, "only {count} queries were found");
}

/// Files of editors that end with a copy of a file in `queries/`, each with that file.
const QUERIES: &[(&str, &str)] = &[
    ("editors/nvim/queries/markdown/injections.scm", "queries/markdown/injections.scm"),
    (
        "editors/nvim/queries/markdown_inline/injections.scm",
        "queries/markdown_inline/injections.scm",
    ),
    ("editors/helix/runtime/queries/markdown/injections.scm", "queries/markdown/injections.scm"),
    (
        "editors/helix/runtime/queries/markdown.inline/injections.scm",
        "queries/markdown_inline/injections.scm",
    ),
];

/// Neovim adds files with `; extends` to its own. Helix reads a single file, so its own patterns
/// are copied there by hand, before the mark.
#[test]
fn editors_have_current_queries() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut stale = Vec::new();
    for (copy, source) in QUERIES {
        let mark = format!("; From {source}, where it is changed.\n");
        let (path, text) = (root.join(copy), fs::read_to_string(root.join(source)).unwrap());
        let known = fs::read_to_string(&path).unwrap_or_default();
        let head = known.split_once(&mark).map_or(known.as_str(), |(head, _)| head);
        let head = if copy.contains("/nvim/") { "; extends\n" } else { head };
        let fresh = format!("{head}{mark}{text}");
        if known != fresh {
            fs::write(&path, &fresh).unwrap();
            stale.push(*copy);
        }
        let language = if copy.contains("inline") {
            tree_sitter_md::INLINE_LANGUAGE
        } else {
            tree_sitter_md::LANGUAGE
        };
        if let Err(error) = tree_sitter::Query::new(&language.into(), &fresh) {
            panic!("{copy}: {error}");
        }
    }
    assert!(stale.is_empty(), "these were out of date and have been rewritten: {stale:?}");
}

/// The template for LSP4IJ has a schema of its settings, which are the program's, under the name
/// of the program.
#[test]
fn the_template_for_lsp4ij_has_the_settings() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut settings: serde_json::Value =
        serde_json::from_str(&fs::read_to_string(root.join("docs/agentmd.schema.json")).unwrap())
            .unwrap();
    let definitions = settings.as_object_mut().unwrap().remove("$defs").unwrap();
    settings.as_object_mut().unwrap().remove("$schema");
    // LSP4IJ's own templates use this draft.
    let schema = "http://json-schema.org/draft-07/schema#";
    let fresh = serde_json::json!({ "$schema": schema, "type": "object", "properties": { "agentmd": settings }, "definitions": definitions });
    let (fresh, path) = (
        serde_json::to_string_pretty(&fresh).unwrap().replace("#/$defs/", "#/definitions/") + "\n",
        root.join("editors/jetbrains/agentmd/settings.schema.json"),
    );
    let known = fs::read_to_string(&path).unwrap_or_default();
    if known != fresh {
        fs::write(&path, fresh).unwrap();
        panic!("{} was out of date and has been rewritten", path.display());
    }
}

/// Interfaces that only some systems have, and the files that may use them, which must handle the
/// other systems, too. Tests may use them with an attribute for the systems on which they run.
const SYSTEMS: &[(&str, &[&str])] = &[
    (
        "std::os::unix",
        &[
            "server/lifecycle.rs",
            "world/protection.rs",
            "world/regular.rs",
            "cli/transaction/folder_by_handle.rs",
            "run/agreement.rs",
            "run/trust.rs",
        ],
    ),
    ("std::os::fd", &["cli/transaction/folder_by_handle.rs"]),
    ("std::os::windows", &["cli/transaction/folder_held_open.rs"]),
    (
        "rustix::",
        &[
            "server/lifecycle.rs",
            "world/regular.rs",
            "cli/transaction/folder_by_handle.rs",
            "run/mcp/process.rs",
        ],
    ),
    // On Windows, this returns a path in a form that no other program writes.
    ("fs::canonicalize", &["world.rs"]),
];

/// Not every change is compiled for Windows; `scripts/cross.sh` does so on request.
#[test]
fn only_few_files_use_system_specific_interfaces() {
    let mut wrong = Vec::new();
    for (path, text) in sources_in("src") {
        let name = path.iter().map(|part| part.to_string_lossy()).collect::<Vec<_>>().join("/");
        for (word, allowed) in SYSTEMS {
            let code = code(&text).split("#[cfg(all(test").next().unwrap_or_default();
            let used = code
                .lines()
                .any(|line| !line.trim_start().starts_with("//") && line.contains(word));
            if used && !allowed.contains(&name.as_str()) && !is_test(&path) {
                wrong.push(format!("src/{name} uses {word}"));
            }
        }
    }
    for (path, text) in sources_in("src").into_iter().chain(sources_in("tests")) {
        if path.ends_with("folder_by_handle.rs") || text.contains("#[cfg(all(test, unix))]") {
            continue;
        }
        let lines: Vec<&str> = text.lines().collect();
        for (number, line) in lines
            .iter()
            .enumerate()
            .filter(|(_, line)| line.contains("std::os::unix") && !line.contains('"'))
        {
            let before = lines.get(number.saturating_sub(12)..number).unwrap_or_default();
            if !before.iter().chain([line]).any(|line| {
                line.contains("cfg(") && (line.contains("unix") || line.contains("linux"))
            }) {
                wrong.push(format!(
                    "{}:{}: no attribute restricts this to Unix: {}",
                    path.display(),
                    number + 1,
                    line.trim()
                ));
            }
        }
    }
    assert!(wrong.is_empty(), "system-specific interfaces:\n{}", wrong.join("\n"));
}
