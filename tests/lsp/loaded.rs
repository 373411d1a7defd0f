//! Which files clients load, over the protocol: commands, and the lens and hover of memory files.

use serde_json::{Value, json};
use tower_lsp::gen_lsp_types::*;

use crate::client::{Client, Setup};

const FILES: &str = "//- CLAUDE.md
# 日本$0 🦆

@docs/style.md
//- docs/style.md
Style.
//- src/a.ts
x
//- .claude/rules/ts.md
---
paths: \"src/**/*.ts\"
---

Types.
//- .claude/rules/py.md
---
paths: \"**/*.py\"
---

No types.
//- .claude/skills/brew-tea/SKILL.md
---
name: brew-tea
description: Brews tea
---

Boil.
//- .claude/agents/cook.md
---
name: cook
description: Cooks
skills: [brew-tea, none]
---

Cook.
";

fn start() -> Client {
    let mut client = Setup::new(FILES).settings(json!({ "clients": ["claude-code"] })).start();
    client.open("CLAUDE.md");
    client
}

fn ask(client: &mut Client, command: &str, argument: Value) -> Value {
    let params = json!({ "command": command, "arguments": [argument] });
    client.ask("workspace/executeCommand", params).expect("an answer")
}

fn paths(files: &Value) -> Vec<&str> {
    files.as_array().unwrap().iter().map(|file| file["path"].as_str().unwrap()).collect()
}

#[test]
fn the_command_answers_with_the_files_of_each_client_in_order() {
    let mut client = start();
    let uri = client.uri("src/a.ts");
    let answer = ask(&mut client, "agentmd.loaded", json!({ "uri": uri }));
    assert_eq!(answer["path"], "src/a.ts");
    let loads = &answer["clients"][0];
    assert_eq!(loads["client"], "claude-code");
    let loaded = paths(&loads["files"]);
    assert_eq!(loaded[..2], ["CLAUDE.md", "docs/style.md"]);
    assert!(loaded.contains(&".claude/rules/ts.md") && !loaded.contains(&".claude/rules/py.md"));
    assert!(loaded.contains(&".claude/skills/brew-tea/SKILL.md"), "{loaded:?}");
    let sum =
        loads["files"].as_array().unwrap().iter().map(|file| file["tokens"].as_u64().unwrap());
    assert_eq!(loads["tokens"].as_u64(), Some(sum.sum()));
    // The buffer counts, not the file on disk.
    client.replace("CLAUDE.md", "Nothing 🦆.\n");
    let answer = ask(&mut client, "agentmd.loaded", json!({ "uri": uri }));
    assert!(!paths(&answer["clients"][0]["files"]).contains(&"docs/style.md"));
    // Another client, and an unknown one.
    let answer = ask(&mut client, "agentmd.loaded", json!({ "uri": uri, "clients": ["codex"] }));
    assert_eq!(answer["clients"][0]["client"], "codex");
    assert_eq!(paths(&answer["clients"][0]["files"]), Vec::<&str>::new());
    let params = json!({
        "command": "agentmd.loaded",
        "arguments": [{ "uri": uri, "clients": ["none"] }],
    });
    let refused = client.ask("workspace/executeCommand", params).map_err(|error| error.code);
    assert_eq!(refused, Err(-32602));
}

#[test]
fn cost_and_map_are_those_of_the_workspace() {
    let mut client = start();
    let answer = ask(&mut client, "agentmd.cost", json!({}));
    let cost = &answer["clients"][0];
    let files = paths(&cost["files"]);
    assert!(files.contains(&"CLAUDE.md") && files.contains(&".claude/rules/py.md"), "{files:?}");
    assert!(cost["always"].as_u64().unwrap() > 0 && cost["matched"].as_u64().unwrap() > 0);
    let map = ask(&mut client, "agentmd.graph", json!({}));
    let edge = json!({
        "from": ".claude/agents/cook.md",
        "to": ".claude/skills/brew-tea/SKILL.md",
        "why": "skill",
    });
    assert!(map["edges"].as_array().unwrap().contains(&edge), "{map}");
    assert_eq!(
        map["dead"],
        json!([{ "path": ".claude/agents/cook.md", "line": 4, "name": "none" }])
    );
    let drawn = ask(&mut client, "agentmd.graph", json!({ "format": "mermaid" }));
    assert!(drawn.as_str().unwrap().starts_with("flowchart LR\n"));
}

#[test]
fn a_memory_file_shows_what_is_loaded_with_it() {
    let mut client = start();
    let params = json!({ "textDocument": client.document("CLAUDE.md") });
    let lenses = client.request::<CodeLensRequest>(params).expect("lenses");
    let title = &lenses[0].command.as_ref().expect("a command").title;
    assert!(title.contains("loads 2 files · ~") && title.ends_with(" tokens"), "{title}");
    let params = client.cursor("CLAUDE.md");
    let hover = client.request::<HoverRequest>(params).expect("a hover");
    let Contents::MarkupContent(content) = hover.contents else { panic!("no markup") };
    let text = content.value;
    assert!(text.contains("1. `CLAUDE.md`: ~") && text.contains("2. `docs/style.md`: ~"), "{text}");
}

#[test]
fn an_overview_has_each_file_with_its_state_and_costs() {
    let mut client = start();
    let found = ask(&mut client, "agentmd.overview", json!({}));
    let claude = &found["clients"][0];
    assert_eq!(claude["title"], "Claude Code");
    let skill = claude["files"].as_array().unwrap().iter().find(|file| file["name"] == "brew-tea");
    let skill = skill.expect("the skill");
    assert_eq!((&skill["kind"], &skill["outcome"]), (&json!("skill"), &json!("loaded")));
    assert!(skill["always"].as_u64() > Some(0) && skill["on_demand"].as_u64() > Some(0));
    let cost = ask(&mut client, "agentmd.cost", json!({}));
    assert_eq!(claude["always"], cost["clients"][0]["always"]);
    client.shut_down();
    // Clients also load files that Git ignores.
    let ignored = Setup::new(&format!("{FILES}//- .gitignore\n.claude/\n//- .git/HEAD\nx\n"));
    let mut client = ignored.settings(json!({ "clients": ["claude-code"] })).start();
    let found = ask(&mut client, "agentmd.overview", json!({}));
    let files = found["clients"][0]["files"].as_array().expect("files");
    assert!(files.iter().any(|file| file["name"] == "brew-tea"), "{files:?}");
    let cook = ".claude/agents/cook.md";
    client.open(cook);
    let mention = client.text(cook).find("brew-tea").expect("the mention");
    let params = client.at(cook, mention);
    let found = client.ask("textDocument/definition", params).expect("an answer");
    let skill = client.uri(".claude/skills/brew-tea/SKILL.md");
    assert_eq!(found.pointer("/0/targetUri"), Some(&json!(skill)), "{found}");
}
