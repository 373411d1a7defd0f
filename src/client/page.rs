//! The page of a client in `docs/clients/`: everything in its data.

use std::fmt::Write as _;

use serde_json::Value;

use super::{
    Client, Effect, LimitOf, Manifest, Outcome, Reading, Reads, Settings, Substitutes, Tools, Unit,
    effect,
};

/// The page, in Markdown.
pub fn page(client: &Client) -> String {
    let mut out = format!("# {}\n\nName in settings and options: `{}`", client.title, client.name);
    if !client.aliases.is_empty() {
        let _ = write!(out, " (also {})", list(&client.aliases));
    }
    out.push_str(".\n");
    if !client.signs.is_empty() {
        let _ = write!(out, "\nA workspace uses it if it has {}.\n", list(&client.signs));
    }
    for reads in client.reads.iter().chain(&client.toml_files) {
        section(client, reads, &mut out);
    }
    super::page_loading::section(client, &mut out);
    tools(&client.tools, &mut out);
    for manifest in &client.manifests {
        manifests(client, manifest, &mut out);
    }
    if let Some(given) = &client.settings {
        settings(client, given, &mut out);
    }
    if !client.models.is_empty() {
        let _ = write!(out, "\n## Models\n\n{}, and full names.\n", list(&client.models));
    }
    out.push_str("\n## Sources\n\n");
    for source in client.sources.values() {
        let _ = writeln!(out, "- [{}]({}), read {}", source.title, source.url, source.date);
    }
    out
}

fn list(words: &[String]) -> String {
    words.iter().map(|word| format!("`{word}`")).collect::<Vec<_>>().join(", ")
}

fn section(client: &Client, reads: &Reads, out: &mut String) {
    let source =
        client.sources.get(&reads.source).map(|source| source.title.as_str()).unwrap_or_default();
    let _ = write!(out, "\n## {}\n\nSource: {source}\n\n", title(reads));
    let _ = writeln!(out, "- Places: {}", list(&reads.places));
    if !reads.plugin_places.is_empty() {
        let _ = writeln!(out, "- In a plugin: {}", list(&reads.plugin_places));
    }
    for misplaced in &reads.misplaced {
        let other = match (misplaced.keys.is_empty(), misplaced.without.first()) {
            (false, Some(name)) => {
                format!(" with {}, without a `{name}` next to it", list(&misplaced.keys))
            }
            (false, None) => format!(" with {}", list(&misplaced.keys)),
            _ => String::new(),
        };
        let _ =
            writeln!(out, "- Not read: `{}`{other} ({})", misplaced.glob, misplaced.effect.text);
    }
    if !reads.reserved.is_empty() {
        let _ = writeln!(out, "- Reserved names: {}", list(&reads.reserved));
    }
    if let Some(key) = &reads.text_key {
        let _ = writeln!(out, "- TOML, with the text as `{key}`; `agentmd convert` writes it");
    }
    if reads.plain {
        out.push_str("- Front matter has no effect.\n");
    }
    let _ = write!(out, "{}", reading(reads.reading));
    fault("Without front matter", reads.without.as_ref(), out);
    fault("Front matter that can't be read", reads.unreadable.as_ref(), out);
    fault("`name` differs from the folder", reads.folder.as_ref(), out);
    fault("Without front matter, in a plugin", reads.in_plugin.without.as_ref(), out);
    fault("Front matter that can't be read, in a plugin", reads.in_plugin.unreadable.as_ref(), out);
    for limit in &reads.limits {
        let of = if limit.of == LimitOf::Body { "body" } else { "file" };
        let unit = if limit.unit == Unit::Bytes { "bytes" } else { "characters" };
        let _ =
            writeln!(out, "- The {of} has more than {} {unit}: {}", limit.most, limit.effect.text);
    }
    if let Some(depth) = reads.imports {
        let _ = writeln!(out, "- `@path` imports files, {depth} levels deep, outside of code");
    }
    if let Some(substitutes) = &reads.substitutes {
        substituted(substitutes, out);
    }
    keys(reads, out);
}

fn title(reads: &Reads) -> String {
    let name = reads.kind.name().replace('-', " ");
    let mut letters = name.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

fn reading(reading: Reading) -> &'static str {
    match reading {
        Reading::None => "",
        Reading::SerdeYaml => "- Front matter is read by serde_yaml.\n",
        Reading::JsYaml => "- Front matter is read by gray-matter and js-yaml.\n",
        Reading::JsYamlJson => {
            "- Front matter is read by js-yaml with its JSON schema; a byte order mark is skipped.\n"
        }
        Reading::YamlNpm => "- Front matter is read as strict YAML.\n",
        Reading::PyYaml => "- Front matter is YAML.\n",
        Reading::CursorLines | Reading::CodexLines => {
            "- Front matter is read line by line; it isn't YAML.\n"
        }
        Reading::Gemini => {
            "- Front matter is read by js-yaml; where that fails, `name` and `description` are read line by line.\n"
        }
        Reading::GeminiAgent => {
            "- Front matter is read by js-yaml and starts with `---` at the first byte; text after the closing `---` must be on the next line.\n"
        }
        Reading::Opencode => {
            "- Front matter is read by gray-matter; where that fails, values with a colon become block scalars first.\n"
        }
        Reading::Vscode => {
            "- Front matter is read by VS Code's own parser, which stops at the first token that it can't place.\n"
        }
        Reading::Claude => {
            "- Front matter is YAML; an unquoted `: ` in a value is accepted since 2.1.69, and a glob without quotes.\n"
        }
    }
}

fn manifests(client: &Client, manifest: &Manifest, out: &mut String) {
    let source = client.sources.get(&manifest.source).map_or("", |source| source.title.as_str());
    let _ = write!(out, "\n## `{}`\n\nSource: {source}\n\n", manifest.file);
    if let Some(list) = &manifest.list {
        let _ = writeln!(
            out,
            "- Lists plugins in `{}`, each with its folder in `{}`",
            list.key, list.folder
        );
        fault("Missing folder", Some(&list.missing), out);
    }
    let _ = writeln!(out, "- Paths of a plugin: {}", list(&manifest.paths));
    if let Some(prefix) = &manifest.prefix {
        let _ =
            writeln!(out, "- A path doesn't begin with `{}`: {}", prefix.text, prefix.effect.text);
    }
    fault("Missing path", Some(&manifest.missing), out);
    fault("A path leads out of the folder", manifest.outside.as_ref(), out);
}

fn settings(client: &Client, settings: &Settings, out: &mut String) {
    let titles = settings.sources.iter().filter_map(|key| client.sources.get(key));
    let titles: Vec<&str> = titles.map(|source| source.title.as_str()).collect();
    let _ = write!(out, "\n## Settings\n\nSources: {}\n\n", titles.join(", "));
    let _ = writeln!(out, "- Files: {}", list(&settings.files));
    let _ = writeln!(out, "- Events in `{}`: {}", settings.hooks, list(&settings.events));
    fault("Another event", Some(&settings.unknown_event), out);
    let _ = writeln!(
        out,
        "- Tools in {}: those of the client, and {}",
        list(&settings.rules),
        list(&settings.tools)
    );
    fault("Another tool", Some(&settings.unknown_tool), out);
    if let Some(paths) = &settings.paths {
        let tools = paths.instead.iter().map(|(tool, other)| format!("`{tool}` (use `{other}`)"));
        let tools: Vec<String> = tools.collect();
        let _ = writeln!(out, "- Rules for paths of {}: {}", tools.join(", "), paths.effect.text);
    }
    if let Some(matchers) = &settings.matchers {
        let _ = writeln!(out, "- `{}` names a tool in {}", matchers.key, list(&matchers.tools));
        for (event, values) in &matchers.values {
            let _ = writeln!(out, "- `{}` of `{event}`: {}", matchers.key, list(values));
        }
        fault("A matcher that matches nothing", Some(&matchers.nothing), out);
        fault("One of several names that matches nothing", Some(&matchers.unmatched), out);
        let _ = writeln!(
            out,
            "- A matcher has no effect in {}: {}",
            list(&matchers.without),
            matchers.ignored.text
        );
    }
}

fn fault(what: &str, effect: Option<&Effect>, out: &mut String) {
    if let Some(effect) = effect {
        let _ = writeln!(out, "- {what}: {}", effect.text);
    }
}

fn substituted(substitutes: &Substitutes, out: &mut String) {
    let mut words = Vec::new();
    if let Some(first) = substitutes.first {
        words.push(format!("`${first}` for the first argument"));
    }
    words.extend(substitutes.all.iter().map(|all| format!("`{all}` for all")));
    words.extend(substitutes.named.iter().map(|key| format!("`$name` for the names in `{key}`")));
    words.extend(substitutes.capitals.then(|| "`$NAME` for the argument of that name".to_owned()));
    words.extend(substitutes.variables.iter().map(|name| format!("`${{{name}}}`")));
    let shell = match &substitutes.shell_form {
        Some([open, close]) => format!("`{open}command{close}` for its output"),
        None => "`` !`command` `` for its output".to_owned(),
    };
    words.extend(substitutes.shell.then_some(shell));
    let file = match &substitutes.file_form {
        Some([open, close]) => Some(format!("`{open}path{close}` for a file")),
        None => substitutes.files.then(|| "`@path` for a file".to_owned()),
    };
    let code = if words.is_empty() { "" } else { ", in code too" };
    words.extend(file);
    words.extend(substitutes.file_link.iter().map(|scheme| format!("links to `{scheme}path`")));
    let doubled = if substitutes.doubled { ". What follows `$$` stays" } else { "" };
    let _ = writeln!(out, "- Replaced in the body{code}: {}{doubled}", words.join(", "));
}

fn keys(reads: &Reads, out: &mut String) {
    if reads.properties().next().is_none() {
        return;
    }
    out.push_str("\n| Key | Value | |\n|---|---|---|\n");
    for (key, schema) in reads.properties() {
        let mut notes =
            schema.get("description").and_then(Value::as_str).unwrap_or_default().to_owned();
        let mut add = |note: String| {
            notes.push_str(if notes.is_empty() { "" } else { " " });
            notes.push_str(&note);
        };
        if reads.requires(key) {
            add("**Required.**".to_owned());
        }
        if let Some(since) = schema.get("x-since").and_then(Value::as_str) {
            add(format!("Since {since}."));
        }
        if let Some(name) = schema.get("x-renamed").and_then(Value::as_str) {
            add(format!("Renamed to `{name}`."));
        }
        for (name, condition) in [("x-ignored", ""), ("x-ignored-in-plugin", "In a plugin: ")] {
            if let Some(effect) = schema.get(name).and_then(effect) {
                add(format!("{condition}{}.", effect.text));
            }
        }
        for spared in schema.get("x-optional-in").and_then(Value::as_array).into_iter().flatten() {
            let glob = spared.get("glob").and_then(Value::as_str).unwrap_or_default();
            if let Some(effect) = spared.get("effect").and_then(effect) {
                add(format!("Missing in `{glob}`: {}.", effect.text));
            }
        }
        for (name, word) in [("x-only-with", "Without"), ("x-not-with", "With")] {
            let Some(condition) = schema.get(name) else { continue };
            let other = condition.get("key").and_then(Value::as_str).unwrap_or_default();
            let wanted = condition.get("is").or_else(|| condition.get("has")?.get(0));
            let wanted = wanted.and_then(Value::as_str).unwrap_or_default();
            if let Some(effect) = condition.get("effect").and_then(effect) {
                add(format!("{word} `{other}: {wanted}`: {}.", effect.text));
            }
        }
        let effects = schema.get("x-effect").and_then(Value::as_object).into_iter().flatten();
        let worst = effects
            .filter_map(|(keyword, value)| Some((keyword, effect(value)?)))
            .filter(|(_, effect)| effect.outcome > Outcome::Loaded);
        for (keyword, effect) in worst {
            add(format!("{}: {}.", fault_name(keyword), effect.text));
        }
        let _ = writeln!(
            out,
            "| `{key}` | {} | {} |",
            value(schema).replace('|', "\\|"),
            notes.replace('|', "\\|")
        );
    }
}

fn fault_name(keyword: &str) -> &'static str {
    match keyword {
        "required" => "Missing",
        "type" => "Wrong type",
        "enum" => "Unknown value",
        "maxLength" => "Too long",
        "minLength" => "Empty",
        "pattern" => "Wrong form",
        "x-names" => "Unknown name",
        _ => "Wrong",
    }
}

/// What a value may be, in a few words.
pub(super) fn value(schema: &Value) -> String {
    if schema.get("x-boolean").is_some() {
        return "boolean".to_owned();
    }
    if let Some(values) = schema.get("enum").and_then(Value::as_array) {
        return values
            .iter()
            .map(|value| {
                format!("`{}`", value.as_str().map_or_else(|| value.to_string(), str::to_owned))
            })
            .collect::<Vec<_>>()
            .join(", ");
    }
    let name = |name: &str| match name {
        "array" => "list",
        "object" => "mapping",
        "string" => "string",
        "boolean" => "boolean",
        _ => "number",
    };
    let mut words = match schema.get("type") {
        Some(Value::String(one)) => name(one).to_owned(),
        Some(Value::Array(several)) => {
            several.iter().filter_map(Value::as_str).map(name).collect::<Vec<_>>().join(" or ")
        }
        _ => "any".to_owned(),
    };
    if let Some(most) = schema.get("maxLength").and_then(Value::as_u64) {
        let _ = write!(words, ", at most {most} characters");
    }
    words
}

fn tools(tools: &Tools, out: &mut String) {
    if tools.names.is_empty() {
        return;
    }
    let names: Vec<String> = tools.names.keys().cloned().collect();
    let _ = write!(out, "\n## Tools\n\n{}.\n", list(&names));
    for (title, map) in [("Renamed", &tools.renamed), ("Retired", &tools.retired)] {
        if !map.is_empty() {
            let words: Vec<String> =
                map.iter().map(|(old, new)| format!("`{old}` → {}", list(new))).collect();
            let _ = write!(out, "\n{title}: {}.\n", words.join("; "));
        }
    }
    if !tools.withheld.is_empty() {
        let _ = write!(out, "\nNever given to a subagent: {}.\n", list(&tools.withheld));
    }
}
