//! Agent files over the protocol: verdicts as lens and hover, findings, and the `clients` setting.

use serde_json::json;
use tower_lsp::gen_lsp_types::*;

use crate::client::{Client, Setup};
use crate::profile;

const NAME: &str = ".agents/skills/brew-tea/SKILL.md";

fn start(clients: &[&str]) -> Client {
    let files =
        format!("//- {NAME}\n--$0-\nname: 日本 🦆\ndescription: Brews tea\n---\n\nBrew it.\n");
    let mut client = Setup::new(&files)
        .capabilities(profile::push())
        .settings(json!({ "clients": clients }))
        .start();
    client.open(NAME);
    client
}

#[test]
fn verdicts_are_a_lens_and_a_hover() {
    let mut client = start(&["codex", "zed"]);
    client.wait_for_findings(NAME, |found| {
        found.iter().any(|one| one.severity == Some(DiagnosticSeverity::Error))
    });
    let params = json!({ "textDocument": client.document(NAME) });
    let lenses = client.request::<CodeLensRequest>(params).expect("lenses");
    assert_eq!(lenses.len(), 1);
    let command = lenses[0].command.clone().expect("a command");
    assert_eq!(
        (lenses[0].range.start.line, command.title.as_str(), command.command.as_str()),
        (0, "Codex ✓ · Zed: not loaded", "agentmd.show")
    );
    let argument = serde_json::to_value(&command.arguments.expect("arguments")[0]).unwrap();
    assert_eq!(argument["line"], 1);
    let params = client.cursor(NAME);
    let hover = client.request::<HoverRequest>(params).expect("a hover");
    let Contents::MarkupContent(content) = hover.contents else { panic!("no markup") };
    assert!(content.value.contains("- Zed: not loaded (invalid name)"), "{}", content.value);
}

#[test]
fn other_clients_in_the_settings_change_the_lens() {
    let files = format!("//- {NAME}\n---\nname: tea\ndescription: Brews tea\n---\n\nBrew it.\n");
    let refreshes =
        profile::with(profile::push(), "/workspace", "codeLens", json!({ "refreshSupport": true }));
    let mut client = Setup::new(&files)
        .capabilities(refreshes)
        .settings(json!({ "clients": ["codex"] }))
        .start();
    client.open(NAME);
    client.wait_for_findings(NAME, <[Diagnostic]>::is_empty);
    let shown = |client: &mut Client| {
        let params = json!({ "textDocument": client.document(NAME) });
        let lenses = client.request::<CodeLensRequest>(params).expect("lenses");
        lenses[0].command.clone().expect("a command").title
    };
    assert_eq!(shown(&mut client), "Codex ✓");
    // By then, the refreshes caused by the first settings have arrived.
    std::thread::sleep(std::time::Duration::from_millis(300));
    client.sync();
    client.asked.clear();
    client.set_settings(json!({ "clients": ["codex", "cline"] }));
    client.notify::<DidChangeConfigurationNotification>(json!({ "settings": null }));
    client.wait_for_question("workspace/codeLens/refresh");
    assert_eq!(shown(&mut client), "Codex ✓ · Cline: not loaded");
}

#[test]
fn findings_are_those_of_the_clients_in_the_settings() {
    let mut client = start(&["zed"]);
    let told = client.wait_for_findings(NAME, |found| {
        found.iter().any(|one| one.severity == Some(DiagnosticSeverity::Error))
    });
    let found = &told.diagnostics[0];
    assert_eq!(found.code, Some(Code::String("agent/invalid-name".to_owned())));
    assert_eq!(client.text_at(NAME, found.range), "日本 🦆");
    let mut other = start(&["codex"]);
    let told = other.wait_for_findings(NAME, <[Diagnostic]>::is_empty);
    assert_eq!(told.diagnostics, []);
}

fn labels(client: &mut Client, name: &str) -> Vec<(String, Option<String>, String)> {
    let params = client.cursor(name);
    let items = match client.request::<CompletionRequest>(params) {
        Some(CompletionResponse::CompletionItemList(items)) => items,
        Some(CompletionResponse::CompletionList(list)) => list.items,
        None => Vec::new(),
    };
    let text = |item: &CompletionItem| match &item.text_edit {
        Some(CompletionItemTextEdit::TextEdit(edit)) => edit.new_text.clone(),
        _ => String::new(),
    };
    let detail = |item: &CompletionItem| item.label_details.as_ref()?.description.clone();
    items.iter().map(|item| (item.label.clone(), detail(item), text(item))).collect()
}

#[test]
fn globs_are_completed_with_the_number_of_files() {
    for (front, typed) in [("applyTo: $0\n---\n", ""), ("applyTo: \"src/$0\"\n", "src/")] {
        let name = ".github/instructions/x.instructions.md";
        let files = format!(
            "//- {name}\n---\ndescription: 日本\n{front}//- src/a.ts\nx\n//- src/b/c.ts\nx\n//- README.md\nx\n"
        );
        let mut client = Setup::new(&files).start();
        client.open(name);
        let found = labels(&mut client, name);
        let of = |label: &str| found.iter().find(|(other, _, _)| other == label).cloned();
        let (_, count, _) = of(&format!("{typed}**/*.ts")).expect("a glob for each ending");
        assert_eq!(count.as_deref(), Some("2 files"));
        if typed.is_empty() {
            let (_, _, text) = of("**/*.ts").unwrap();
            assert_eq!(text, "\"**/*.ts\"", "YAML takes a plain `*` for an alias");
            assert!(of("src/**").is_some() && of("**/*.md").is_some());
        } else {
            assert!(of("src/b/**").is_some() && of("**/*.md").is_none());
        }
    }
}

#[test]
fn an_empty_file_can_begin_as_its_kind() {
    let name = ".claude/skills/brew-tea/SKILL.md";
    let mut client = Setup::new(&format!("//- {name}\n$0")).start();
    client.open(name);
    let found = labels(&mut client, name);
    assert!(
        found.iter().any(|(label, _, text)| label == "new skill"
            && text.starts_with("---\nname: brew-tea\ndescription: ")),
        "{found:?}"
    );
    let params = json!({
        "textDocument": client.document(name),
        "range": { "start": { "line": 0, "character": 0 }, "end": { "line": 0, "character": 0 } },
        "context": { "diagnostics": [] },
    });
    let actions = client.ask("textDocument/codeAction", params).expect("actions");
    let titles: Vec<&str> =
        actions.as_array().unwrap().iter().filter_map(|one| one["title"].as_str()).collect();
    assert!(titles.contains(&"Write a new skill for Claude Code"), "{titles:?}");
}

#[test]
fn names_and_files_are_completed() {
    let agent = ".claude/agents/helper.md";
    let skill = ".claude/skills/brew-tea/SKILL.md";
    let files = format!(
        "//- {agent}\n---\nname: helper\nskills: [bre$0\n//- {skill}\n---\nname: brew-tea\ndescription: 茶\n---\n\nRun `scripts/$0`.\n//- .claude/skills/brew-tea/scripts/boil.py\nx\n//- CLAUDE.md\n# 日本\n\nSee @docs/$0\n//- docs/tea.md\nx\n"
    );
    let mut client = Setup::new(&files).start();
    for (name, label) in [(agent, "brew-tea"), (skill, "boil.py"), ("CLAUDE.md", "tea.md")] {
        client.open(name);
        let found = labels(&mut client, name);
        assert!(found.iter().any(|(other, _, _)| other == label), "{name}: {found:?}");
    }
}

#[test]
fn front_matter_is_in_the_outline_before_it_is_closed() {
    for end in ["---\n\n# Body\n", ""] {
        let name = ".claude/agents/helper.md";
        let files = format!("//- {name}\n---\nname: 日本\ntools:\n  - Read\n  - Grep\n{end}");
        let mut client = Setup::new(&files).start();
        client.open(name);
        let document = json!({ "textDocument": client.document(name) });
        let symbols = client.ask("textDocument/documentSymbol", document.clone()).unwrap();
        assert_eq!(symbols[0]["name"], "日本", "{end:?} {symbols:#}");
        let keys = symbols[0]["children"].as_array().unwrap();
        assert_eq!((&keys[0]["name"], &keys[1]["detail"]), (&json!("name"), &json!("Read, Grep")));
        let folds = client.ask("textDocument/foldingRange", document).unwrap();
        let lines: Vec<(u64, u64)> = folds
            .as_array()
            .unwrap()
            .iter()
            .map(|fold| (fold["startLine"].as_u64().unwrap(), fold["endLine"].as_u64().unwrap()))
            .collect();
        assert!(lines.contains(&(2, 4)) && lines.iter().any(|(start, _)| *start == 0), "{lines:?}");
    }
}

const SCHEMA: &str = r#"{"type": "object", "required": ["owner"], "properties": {"owner": {"type": "string", "description": "Who answers."}, "contact": {"type": "object", "properties": {"channel": {"enum": ["chat", "mail"], "description": "How to reach them."}}}}}"#;

#[test]
fn own_kinds_have_completion_hover_and_findings() {
    let toml =
        "[[kinds]]\nname = \"runbook\"\nfiles = [\"runbooks/*.md\"]\nschema = \"runbook.json\"\n";
    let (key, value, bad) = ("runbooks/key.md", "runbooks/value.md", "runbooks/bad.md");
    let files = format!(
        "//- agentmd.toml\n{toml}//- runbook.json\n{SCHEMA}\n//- {key}\n---\nown$0\n//- {value}\n---\nowner: 日本\ncontact:\n  channel: $0\n---\n//- {bad}\n---\ncontact:\n  cha$0nnel: phone\n---\n"
    );
    let mut client = Setup::new(&files).start();
    client.open(key);
    assert!(labels(&mut client, key).iter().any(|(label, _, _)| label == "owner"));
    client.open(value);
    let found: Vec<String> = labels(&mut client, value).into_iter().map(|item| item.0).collect();
    assert_eq!(found, ["chat", "mail"]);
    client.open(bad);
    client.wait_for_findings(bad, |found| found.len() == 2);
    let params = client.cursor(bad);
    let hover = client.request::<HoverRequest>(params).expect("a hover");
    let Contents::MarkupContent(content) = hover.contents else { panic!("no markup") };
    assert!(content.value.contains("How to reach them."), "{}", content.value);
    // The schema is a separate file, so it can change while the settings don't.
    client.write("runbook.json", "{\"type\": \"objekt\"}");
    let told = client.take::<PublishDiagnosticsNotification>(|told| {
        serde_json::to_value(&told.uri).unwrap().as_str().unwrap().ends_with("agentmd.toml")
    });
    assert_eq!(told.diagnostics[0].range.start.line, 3);
    let message = serde_json::to_value(&told.diagnostics[0].message).unwrap();
    assert!(message.as_str().unwrap().contains("is not a valid JSON Schema"), "{message}");
    client.wait_for_findings(bad, <[Diagnostic]>::is_empty);
    client.write("runbook.json", SCHEMA);
    client.take::<PublishDiagnosticsNotification>(|told| {
        told.diagnostics.is_empty()
            && serde_json::to_value(&told.uri).unwrap().as_str().unwrap().ends_with("agentmd.toml")
    });
    client.wait_for_findings(bad, |found| found.len() == 2);
}

#[test]
fn vs_code_gets_no_findings_that_it_reports_itself() {
    let name = ".github/agents/x.agent.md";
    let text = "---\ndescription: 日本\nargumentHint: x\nagents: [y]\ntools: [read]\n---\n\nUse #tool:edit.\n";
    for (editor, doubles, count) in [
        (None, false, 3),
        (Some("Visual Studio Code"), false, 1),
        (Some("Visual Studio Code"), true, 3),
    ] {
        let mut setup = Setup::new(&format!("//- {name}\n{text}"))
            .capabilities(profile::push())
            .settings(json!({ "clients": ["copilot"], "vscode-doubles": doubles }));
        setup.name = editor.map(str::to_owned);
        let mut client = setup.start();
        client.open(name);
        let told = client.wait_for_findings(name, |found| found.len() == count);
        let codes: Vec<_> = told.diagnostics.iter().map(|found| found.code.clone()).collect();
        assert!(codes.contains(&Some(Code::String("agent/no-effect".to_owned()))), "{codes:?}");
    }
}

#[test]
fn an_agent_is_converted_for_the_other_clients_of_the_workspace() {
    let name = ".claude/agents/a.md";
    let files = format!(
        "//- {name}\n--$0-\nname: a\ndescription: d\ntools: Read\n---\n\nx\n//- .github/agents/b.agent.md\n---\ndescription: d\n---\nx\n"
    );
    let mut client = Setup::new(&files).capabilities(profile::push()).start();
    client.open(name);
    let params = json!({
        "textDocument": client.document(name),
        "range": client.range(name, 2..2),
        "context": { "diagnostics": [] },
    });
    let found = client.ask("textDocument/codeAction", params.clone()).expect("actions");
    let actions = found.as_array().expect("a list");
    let titles: Vec<&str> = actions.iter().filter_map(|action| action["title"].as_str()).collect();
    let conversions: Vec<&&str> =
        titles.iter().filter(|title| title.starts_with("Convert to an agent")).collect();
    assert_eq!(conversions, [&"Convert to an agent of Copilot"], "{titles:?}");
    let action = actions.iter().find(|action| action["title"] == *conversions[0]).unwrap().clone();
    let action = if action["edit"].is_null() {
        client.ask("codeAction/resolve", action).expect("an action")
    } else {
        action
    };
    let changes = &action["edit"]["documentChanges"];
    assert_eq!(changes[0]["kind"], "create", "{action:#}");
    assert!(
        changes[0]["uri"].as_str().unwrap().ends_with("/.github/agents/a.agent.md"),
        "{action:#}"
    );
    let text = changes[1]["edits"][0]["newText"].as_str().unwrap();
    assert_eq!(text, "---\nname: a\ndescription: d\ntools: [read]\n---\n\nx\n");
    // Nothing is offered in the body.
    let mut params = params;
    let end = client.text(name).len() - 1;
    params["range"] = json!(client.range(name, end..end));
    let found = client.ask("textDocument/codeAction", params).expect("actions");
    assert!(!found.to_string().contains("Convert to an agent"), "{found:#}");
}

/// A conversion that would fail isn't offered, or is disabled with the reason.
#[test]
fn impossible_conversions_are_disabled() {
    let other = "//- .github/agents/b.agent.md\n---\ndescription: d\n---\nx\n";
    let name = ".claude/agents/ä.md";
    let good = "---\nname: ä\ndescription: 日本🦆\n---\n\nx\n";
    let there = "//- .github/agents/ä.agent.md\n---\ndescription: d\n---\nx\n";
    let resolve = |able| {
        let json = json!({ "properties": ["edit"] });
        profile::with(able, "/textDocument/codeAction", "resolveSupport", json)
    };
    let disables =
        |able| profile::with(able, "/textDocument/codeAction", "disabledSupport", json!(true));
    for (text, exists, reason) in [
        (good, "", None),
        (good, there, Some("exists")),
        ("---\nname: [ä\ndescription: d\n---\n\nx\n", "", Some("front matter")),
        ("---\r\nname: ä\r\ndescription: d\r\n\r\nx\r\n", "", Some("front matter")),
    ] {
        for resolves in [false, true] {
            for shows in [false, true] {
                let able = if resolves { resolve(profile::push()) } else { profile::push() };
                let able = if shows { disables(able) } else { able };
                let files = format!("//- {name}\n{text}{other}{exists}");
                let mut client = Setup::new(&files).capabilities(able).start();
                client.open(name);
                let params = json!({
                    "textDocument": client.document(name),
                    "range": client.range(name, 2..2),
                    "context": { "diagnostics": [] },
                });
                let found = client.ask("textDocument/codeAction", params).expect("actions");
                let action = found.as_array().into_iter().flatten().find(|action| {
                    action["title"].as_str().is_some_and(|title| title.starts_with("Convert to"))
                });
                match reason {
                    None => assert!(action.is_some_and(|it| it["disabled"].is_null()), "{found:#}"),
                    Some(_) if !shows => assert_eq!(action, None, "{text}"),
                    Some(reason) => {
                        let told = action.and_then(|it| it["disabled"]["reason"].as_str());
                        assert!(told.is_some_and(|told| told.contains(reason)), "{found:#}");
                    }
                }
            }
        }
    }
}

/// A workspace inside a documentation folder has skills like any other.
#[test]
fn folders_above_the_workspace_do_not_matter() {
    for (folder, count) in [("docs", 1), ("test/fixtures/docs", 1), ("", 0)] {
        let name = "test/fixtures/docs/skills/brew-tea/SKILL.md";
        let name = if folder == "docs" { "docs/skills/brew-tea/SKILL.md" } else { name };
        let text = "---\nname: Brew Tea\ndescription: Brews tea\n---\n\nBrew it.\n";
        let mut client = Setup::new(&format!("//- {name}\n{text}"))
            .folders(&[folder])
            .capabilities(profile::push())
            .start();
        client.open(name);
        client.wait_for_findings(name, |found| found.len() == count);
    }
}

/// A finding's severity can depend on the files next to it.
#[test]
fn severities_depend_on_the_neighbours() {
    let skill = |name: &str| format!("bots/tea/skills/{name}/SKILL.md");
    let (own, other) = (skill("one"), skill("two"));
    let text = "# Tea\n\nBrew it. 日本\n";
    let files = [&own, &other, &skill("three")].map(|name| format!("//- {name}\n{text}"));
    let mut client = Setup::new(&files.concat()).start();
    client.open(&own);
    let severities =
        |found: &[Diagnostic]| -> Vec<_> { found.iter().filter_map(|one| one.severity).collect() };
    client.wait_for_findings(&own, |found| severities(found) == [DiagnosticSeverity::Hint]);
    client.open(&other);
    client.edit(&other, 0..0, "---\nname: two\ndescription: Brews\n---\n");
    client.wait_for_findings(&own, |found| {
        severities(found).iter().any(|severity| *severity != DiagnosticSeverity::Hint)
    });
    client.edit(&other, 0.."---\nname: two\ndescription: Brews\n---\n".len(), "");
    client.wait_for_findings(&own, |found| severities(found) == [DiagnosticSeverity::Hint]);
}

/// A finding's severity can also depend on its neighbours' names and the files that they name.
#[test]
fn severities_depend_on_neighbours_and_callers() {
    let skill = |name: &str| format!("skills/{name}/SKILL.md");
    let text =
        |name: &str| format!("---\nname: tea-{name}\ndescription: Brews\n---\n\nBrew it. 日本\n");
    let names = ["one", "two", "three"];
    let files = names.map(|name| format!("//- {}\n{}", skill(name), text(name)));
    let agent = "p/agents/cook.md";
    let caller = "p/skills/dine/SKILL.md";
    let reads = "---\nname: dine\ndescription: Dines\n---\n\nRead `agents/cook.md`.\n";
    let marker = "//- p/.claude-plugin/plugin.json\n{\"name\": \"p\"}\n";
    let plugin = format!("{marker}//- {agent}\nYou are the cook.\n//- {caller}\n{reads}");
    let mut client = Setup::new(&(files.concat() + &plugin)).start();
    let heavy = |found: &[Diagnostic]| {
        found.iter().any(|one| one.severity != Some(DiagnosticSeverity::Hint))
    };
    let (own, other) = (skill("one"), skill("two"));
    client.open(&own);
    client.wait_for_findings(&own, |found| found.len() == 1 && !heavy(found));
    client.open(&other);
    let at = "---\nname: ".len();
    client.edit(&other, at..at + "tea-".len(), "");
    client.wait_for_findings(&own, heavy);
    client.open(agent);
    client.wait_for_findings(agent, |found| found.len() == 1 && !heavy(found));
    client.open(caller);
    let at = reads.find("cook.md").unwrap();
    client.edit(caller, at..at + 1, "l");
    client.wait_for_findings(agent, heavy);
}

/// Whether a file is a page among agents depends on whether most others have front matter.
#[test]
fn a_page_among_agents_is_one_as_long_as_the_others_are_agents() {
    let own = ".claude/agents/house.md";
    let agent = |name: &str| {
        format!(
            "//- .claude/agents/{name}.md\n---\nname: {name}\ndescription: Bakes\n---\n\nYou bake.\n"
        )
    };
    let others = ["a", "b", "c"].map(agent).concat();
    let mut client = Setup::new(&format!("//- {own}\n# House\n\nText.\n{others}")).start();
    client.open(own);
    let heavy = |found: &[Diagnostic]| {
        found.iter().any(|one| one.severity != Some(DiagnosticSeverity::Hint))
    };
    client.wait_for_findings(own, |found| !heavy(found));
    for name in ["a", "b", "c"] {
        let name = format!(".claude/agents/{name}.md");
        client.open(&name);
        client.edit(&name, 0..3, "");
    }
    client.wait_for_findings(own, heavy);
}

/// Files that Git ignores are generated, so links to them aren't dead.
#[test]
fn severities_depend_on_ignored_files() {
    let own = "CLAUDE.md";
    let files = format!("//- {own}\n日本: @notes/tea.md\n//- .gitignore\nout/\n//- .git/HEAD\nx\n");
    let mut client = Setup::new(&files).start();
    let heavy = |found: &[Diagnostic]| {
        found.iter().any(|one| one.severity != Some(DiagnosticSeverity::Hint))
    };
    client.open(own);
    client.wait_for_findings(own, |found| found.len() == 1 && heavy(found));
    client.open(".gitignore");
    client.edit(".gitignore", 0..0, "notes/\n");
    client.wait_for_findings(own, |found| found.len() == 1 && !heavy(found));
    client.edit(".gitignore", 0.."notes/\n".len(), "");
    client.wait_for_findings(own, |found| found.len() == 1 && heavy(found));
}
