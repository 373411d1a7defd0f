//! The author's view: light bulbs only where there is something to do, previews of edits, actions
//! that disable or explain a rule, references, and the prompt of a program.

use serde_json::{Value, json};
use tower_lsp::gen_lsp_types::Diagnostic;

use crate::client::{Client, Setup};
use crate::profile;

const SKILL: &str = "//- skills/notes/SKILL.md\n---\nname: notes\ndescription: Use when: somebody asks\n---\n\n# Notes\n";

fn able(experimental: Value) -> Value {
    profile::with(profile::push(), "", "experimental", json!({ "agentmd": experimental }))
}

fn actions(client: &mut Client, name: &str, word: &str, context: Value) -> Vec<Value> {
    let at = client.text(name).find(word).expect("the word");
    let params = json!({
        "textDocument": client.document(name), "range": client.range(name, at..at), "context": context,
    });
    let found = client.ask("textDocument/codeAction", params).expect("actions");
    found.as_array().cloned().unwrap_or_default()
}

fn message(finding: &Diagnostic) -> Value {
    serde_json::to_value(&finding.message).expect("a message")
}

fn titles(found: &[Value]) -> Vec<&str> {
    found.iter().filter_map(|action| action["title"].as_str()).collect()
}

fn command(client: &mut Client, name: &str, argument: Value) -> Result<Value, String> {
    let params = json!({ "command": name, "arguments": [argument] });
    client.ask("workspace/executeCommand", params).map_err(|error| format!("{error:?}"))
}

#[test]
fn a_moving_cursor_lights_no_bulb_where_nothing_is_wrong() {
    let text = "//- SKILL.md\n---\nname: notes\ndescription: Takes notes\n---\n\n# Notes\n\nTake $ARGUMENTS down.\n";
    let mut client = Setup::new(text).capabilities(able(json!({ "copySelector": true }))).start();
    client.open("SKILL.md");
    for word in ["name", "Takes", "# Notes", "down"] {
        let moved = json!({ "diagnostics": [], "triggerKind": 2 });
        let found = actions(&mut client, "SKILL.md", word, moved);
        assert_eq!(titles(&found), [""; 0], "{word}");
    }
    let asked = json!({ "diagnostics": [], "triggerKind": 1 });
    let found = actions(&mut client, "SKILL.md", "name", asked);
    let found = titles(&found);
    assert!(found.contains(&"Convert to a markdownlang program"), "{found:?}");
    let wanted = json!({ "diagnostics": [], "triggerKind": 2, "only": ["refactor"] });
    let found = actions(&mut client, "SKILL.md", "down", wanted);
    assert!(titles(&found)[0].starts_with("Copy selector"), "{found:#?}");
    client.shut_down();
}

#[test]
fn a_client_that_previews_edits_gets_them_from_the_command() {
    let text =
        "//- a.txt\none\n//- r.md\na.txt\n<<<<<<< SEARCH\none\n=======\ntwo\n>>>>>>> REPLACE\n";
    let mut client = Setup::new(text).capabilities(able(json!({ "previews": true }))).start();
    client.open("r.md");
    let found = actions(&mut client, "r.md", "one", json!({ "diagnostics": [] }));
    let action = found.iter().find(|one| one["title"] == "Apply 1 change to a.txt").expect("it");
    assert!(action["edit"].is_null(), "{action:#}");
    assert_eq!(action["command"]["command"], "agentmd.apply");
    client.shut_down();
}

#[test]
fn a_rule_is_disabled_here_in_the_file_and_in_the_workspace() {
    let name = "skills/notes/SKILL.md";
    let code = "agent/front-matter";
    let mut client = Setup::new(SKILL).capabilities(able(json!({ "explain": true }))).start();
    client.open(name);
    let found = client.wait_for_findings(name, |found| !found.is_empty());
    let named = serde_json::to_value(&found.diagnostics).expect("findings");
    let asked = json!({ "diagnostics": named, "triggerKind": 1 });
    let found = actions(&mut client, name, "Use when", asked);
    let text = |client: &Client, title: &str| {
        let action = found.iter().find(|one| one["title"] == title);
        let action = action.unwrap_or_else(|| panic!("{title}: {:?}", titles(&found)));
        let edit = serde_json::from_value(action["edit"].clone()).expect("an edit");
        client.edited(&edit)
    };
    let here = text(&client, &format!("Disable `{code}` here")).remove(&client.uri(name));
    assert!(
        here.as_deref().is_some_and(|text| text
            .contains(&format!("notes\n# agentmd-disable-next-line {code}\ndescription"))),
        "{here:?}"
    );
    let file = text(&client, &format!("Disable `{code}` in this file")).remove(&client.uri(name));
    assert!(
        file.as_deref().is_some_and(
            |text| text.starts_with(&format!("---\n# agentmd-disable-file {code}\nname"))
        ),
        "{file:?}"
    );
    let title = format!("Disable `{code}` in the workspace (agentmd.toml)");
    let action = found.iter().find(|one| one["title"] == title).expect("the settings");
    assert_eq!(action["edit"]["documentChanges"][0]["kind"], "create", "{action:#}");
    let written = &action["edit"]["documentChanges"][1]["edits"][0]["newText"];
    assert_eq!(written, &json!(format!("ignore = [\"{code}\"]\n")));
    let explain = found.iter().find(|one| one["title"] == format!("Explain `{code}`"));
    let explain = &explain.expect("the explanation")["command"];
    let page = command(&mut client, "agentmd.explain", explain["arguments"][0].clone());
    assert!(
        page.as_ref().is_ok_and(|page| page
            .as_str()
            .is_some_and(|page| page.starts_with("# agent/front-matter"))),
        "{page:?}"
    );
    let none = command(&mut client, "agentmd.explain", json!({ "code": "agent/front-mater" }));
    assert!(none.is_err_and(|why| why.contains("agent/front-matter")));
    client.shut_down();
}

#[test]
fn headings_and_programs_say_how_often_they_are_referred_to() {
    let text = "//- agentmd.toml\nreference-lenses = true\n//- guide.md\n# Guide\n\n## Use\n\nSee `guide::heading:h2[0]`.\n//- other.md\nRead `guide::heading:h2[0]`.\n\n## Alone\n//- p.md\n---\nname: p\ndescription: d\ninput: { type: object }\noutput: { type: object }\n---\n\nx\n//- q.md\n---\nname: q\ndescription: d\ninput: { type: object }\noutput: { type: object }\nimports: [./p.md]\n---\n\nx\n";
    let lenses =
        profile::with(able(json!({ "references": true })), "/textDocument", "codeLens", json!({}));
    let mut client = Setup::new(text).capabilities(lenses).start();
    let shown = |client: &mut Client, name: &str| {
        client.open(name);
        let params = json!({ "textDocument": client.document(name) });
        let found = client.ask("textDocument/codeLens", params).expect("lenses");
        let found = found.as_array().cloned().unwrap_or_default();
        let found =
            found.into_iter().filter(|lens| lens["command"]["command"] == "agentmd.references");
        found.collect::<Vec<_>>()
    };
    // The workspace is being indexed in the background.
    let mut found = Vec::new();
    for _ in 0..100 {
        found = shown(&mut client, "guide.md");
        if found.first().is_some_and(|lens| lens["command"]["title"] == "2 references") {
            break;
        }
        client.close("guide.md");
        std::thread::sleep(std::time::Duration::from_millis(50));
    }
    let [lens] = found.as_slice() else { panic!("{found:#?}") };
    assert_eq!(
        (&lens["range"]["start"]["line"], &lens["command"]["title"]),
        (&json!(2), &json!("2 references"))
    );
    assert_eq!(lens["command"]["arguments"][0]["locations"].as_array().map(Vec::len), Some(2));
    let program = shown(&mut client, "p.md");
    let [lens] = program.as_slice() else { panic!("{program:#?}") };
    assert_eq!(lens["command"]["title"], "1 reference");
    assert_eq!(shown(&mut client, "other.md"), [Value::Null; 0]);
    client.shut_down();
}

#[test]
fn the_prompt_of_a_program_is_rendered_as_it_is_typed() {
    let text = "//- p.md\n---\nname: p\ndescription: d\ninput: { type: object, properties: { who: { type: string } }, required: [who] }\noutput: { type: object }\nsample: { who: Ada }\n---\n\nGreet {{ .who }}.\n";
    let mut client = Setup::new(text).capabilities(profile::push()).start();
    client.open("p.md");
    let argument = json!({ "uri": client.uri("p.md") });
    let shown = command(&mut client, "agentmd.preview", argument.clone()).expect("a preview");
    assert_eq!(
        (&shown["text"], &shown["tokens"], &shown["sample"]),
        (&json!("Greet Ada.\n"), &json!(3), &json!(true))
    );
    let at = client.text("p.md").find("Greet").expect("the body");
    client.edit("p.md", at..at + 5, "Welcome {{ .nobody.name }}");
    let given = json!({ "uri": client.uri("p.md"), "input": { "who": "Bo" } });
    let shown = command(&mut client, "agentmd.preview", given).expect("a preview");
    assert_eq!(shown["text"], "Welcome <no value> Bo.\n");
    assert_eq!(shown["problems"][0]["range"]["start"]["line"], 8, "{shown:#}");
    client.close("p.md");
    assert!(command(&mut client, "agentmd.preview", argument).is_err());
    client.shut_down();
}

#[test]
fn one_mistake_in_the_front_matter_does_not_silence_the_body() {
    let text = "//- p.md\n---\nname: greet\ndescription: Greets: a customer\ninput:\n  type: object\n  properties:\n    customer:\n      type: object\n      properties: { name: { type: string } }\n      required: [name]\n  required: [customer]\noutput: { type: object }\n---\n\nHello {{ .customer.nmae }}\n";
    let mut client = Setup::new(text).start();
    client.open("p.md");
    let found = client.wait_for_findings("p.md", |found| found.len() == 2);
    let messages: Vec<Value> = found.diagnostics.iter().map(message).collect();
    assert_eq!(messages[1], "`customer` has no field `nmae`; did you mean `name`?");
    // With a mistake in the schema itself, the schema can't be relied upon.
    let broken = client.text("p.md").replace(
        "type: object\n  properties:\n    customer",
        "type: a: b\n  properties:\n    customer",
    );
    client.replace("p.md", &broken);
    client.wait_for_findings("p.md", |found| {
        !found.is_empty() && found.iter().all(|one| !message(one).to_string().contains("nmae"))
    });
    client.shut_down();
}

#[test]
fn a_dropped_file_becomes_a_link_an_import_or_an_item() {
    let program = |name: &str, imports: &str| {
        format!(
            "---\nname: {name}\ndescription: Does it\n{imports}output: {{ type: object }}\n---\n\nDo.\n"
        )
    };
    let text = format!(
        "//- CLAUDE.md\n# Rules\n\n//- docs/a b.md\nx\n//- docs/style.md\nBe brief.\n//- programs/one.md\n{}//- programs/two.md\n{}//- programs/flow.md\n{}//- pack.md\n## Context\n\n### Code (from src/x.py:1-1)\n```python\nx = 1\n```\n//- src/x.py\nx = 1\ny = 2\n",
        program("one", ""),
        program("two", "imports:\n  - ./one.md\n"),
        program("flow", "imports: [./one.md]\n"),
    );
    let mut client = Setup::new(&text).start();
    let mut offers = |target: &str, word: &str, file: &str| -> Vec<(String, String)> {
        client.open(target);
        let at = client.text(target).find(word).expect("the word");
        let position = client.range(target, at..at).start;
        let argument =
            json!({ "uri": client.uri(target), "position": position, "file": client.uri(file) });
        let found = command(&mut client, "agentmd.insertions", argument).expect("ways");
        let found = found.as_array().cloned().unwrap_or_default();
        let each = found.iter().map(|one| {
            let edit =
                serde_json::from_value(json!({ "changes": { client.uri(target): [one["edit"]] } }))
                    .expect("an edit");
            let text = client.edited(&edit).remove(&client.uri(target)).expect("the text");
            (one["kind"].as_str().unwrap_or_default().to_owned(), text)
        });
        each.collect()
    };
    let found = offers("CLAUDE.md", "Rules", "docs/style.md");
    assert_eq!(
        found,
        [
            ("import".to_owned(), "# @docs/style.mdRules\n\n".to_owned()),
            ("link".to_owned(), "# [style.md](./docs/style.md)Rules\n\n".to_owned()),
        ]
    );
    let found = offers("CLAUDE.md", "Rules", "docs/a b.md");
    assert_eq!(found, [("link".to_owned(), "# [a b.md](<./docs/a b.md>)Rules\n\n".to_owned())]);
    let imported = |found: &[(String, String)]| {
        let import = found.iter().find(|(kind, _)| kind == "import");
        import.map(|(_, text)| text.clone())
    };
    let found = imported(&offers("programs/one.md", "Do.", "programs/two.md"));
    assert!(found.is_some_and(|text| text.contains("imports:\n  - ./two.md\n---\n")));
    let found = imported(&offers("programs/two.md", "Do.", "programs/flow.md"));
    assert!(found.is_some_and(|text| text.contains("  - ./one.md\n  - ./flow.md\noutput")));
    let found = imported(&offers("programs/flow.md", "Do.", "programs/two.md"));
    assert!(found.is_some_and(|text| text.contains("imports: [./one.md, ./two.md]\n")));
    let twice = imported(&offers("programs/flow.md", "Do.", "programs/one.md"));
    assert_eq!(twice, None, "it is imported already");
    let found = offers("pack.md", "## Context", "src/x.py");
    let item = found.iter().find(|(kind, _)| kind == "item").map(|(_, text)| text.as_str());
    assert!(
        item.is_some_and(
            |text| text.ends_with("### Code (from src/x.py:1-2)\n```python\nx = 1\ny = 2\n```\n")
        ),
        "{item:?}"
    );
    client.shut_down();
}

#[test]
fn the_preview_of_an_agent_file_shows_the_verdict_of_each_client() {
    let name = ".claude/skills/notes/SKILL.md";
    let settings = "//- agentmd.toml\nclients = [\"claude-code\", \"copilot\"]\n";
    let skill = SKILL.replace("skills/notes/SKILL.md", name);
    let mut client = Setup::new(&format!("{settings}{skill}")).start();
    client.open(name);
    let argument = json!({ "uri": client.uri(name) });
    let shown = command(&mut client, "agentmd.preview", argument).expect("a preview");
    assert_eq!((&shown["kind"], &shown["text"]), (&json!("skill"), &json!("# Notes\n")));
    let clients = shown["clients"].as_array().expect("clients").iter();
    let outcomes: Vec<_> = clients.map(|client| (&client["title"], &client["outcome"])).collect();
    assert_eq!(
        outcomes,
        [(&json!("Claude Code"), &json!("loaded")), (&json!("Copilot"), &json!("partly")),]
    );
    client.shut_down();
}
