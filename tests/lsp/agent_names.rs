//! Names of agent files over the protocol: definitions, references, and renames of skills together
//! with their folders.

use serde_json::{Value, json};
use tower_lsp::gen_lsp_types::*;

use crate::client::{Client, Setup, code};
use crate::profile;

const SKILL: &str = ".claude/skills/brew-tea/SKILL.md";
const AGENT: &str = ".claude/agents/cook.md";
const COMMAND: &str = ".claude/commands/dinner.md";
const PLUGIN: &str = ".claude-plugin/plugin.json";

/// A kitchen: a skill, an agent and a command that mention it, and a plugin that lists it.
fn kitchen() -> String {
    format!(
        "//- {SKILL}\n---\nname: brew-tea\ndescription: Brews tea\n---\n\nBrew it.\n\
         //- .claude/skills/stir/SKILL.md\n---\nname: stir\ndescription: Stirs\n---\n\nStir.\n\
         //- {AGENT}\n---\nname: cook\ndescription: 日本 🦆\nskills: [brew-tea, stir]\n---\n\n🦆 Use `/brew-tea` or /stir.\n\
         //- {COMMAND}\nRun /brew-tea with [it](../skills/brew-tea/SKILL.md).\n\
         //- {PLUGIN}\n{{\"name\": \"kitchen\", \"skills\": [\"./.claude/skills/brew-tea\"]}}\n"
    )
}

fn capabilities() -> Value {
    let edit = json!({
        "documentChanges": true,
        "resourceOperations": ["create", "rename", "delete"],
        "changeAnnotationSupport": {},
    });
    let operations = json!({ "willRename": true, "didRename": true });
    let all = profile::with(profile::push(), "/workspace", "workspaceEdit", edit);
    profile::with(all, "/workspace", "fileOperations", operations)
}

fn start() -> Client {
    Setup::new(&kitchen())
        .capabilities(capabilities())
        .settings(json!({ "clients": ["claude-code"] }))
        .start()
}

fn at(client: &Client, name: &str, word: &str) -> Value {
    let offset = client.text(name).find(word).unwrap_or_else(|| panic!("no {word:?}")) + word.len();
    client.at(name, offset)
}

/// A file and the text of each edit in it.
type Edited = (String, Vec<String>);

/// The text edits by file, and the renamed files.
fn outcome(client: &Client, edit: &WorkspaceEdit) -> (Vec<Edited>, Vec<(String, String)>) {
    let folder = format!("{}/", client.uri("").trim_end_matches('/'));
    let short = |uri: &Uri| uri.0.strip_prefix(&folder).unwrap_or(&uri.0).to_owned();
    let (mut edits, mut moves) = (Vec::new(), Vec::new());
    for change in edit.document_changes.iter().flatten() {
        match change {
            DocumentChange::TextDocumentEdit(change) => {
                assert!(moves.is_empty(), "edits must use the old paths");
                let texts = change.edits.iter().map(|edit| match edit {
                    Edit::TextEdit(edit) => edit.new_text.clone(),
                    other => panic!("{other:?}"),
                });
                let uri = &change.text_document.text_document_identifier.uri;
                edits.push((short(uri), texts.collect()));
            }
            DocumentChange::RenameFile(change) => {
                moves.push((short(&change.old_uri), short(&change.new_uri)));
            }
            other => panic!("{other:?}"),
        }
    }
    edits.sort();
    (edits, moves)
}

fn strings(list: &[&str]) -> Vec<String> {
    list.iter().map(ToString::to_string).collect()
}

#[test]
fn a_skill_is_renamed_with_its_folder_even_without_a_workspace() {
    for folders in [None, Some(Vec::new())] {
        let mut setup = Setup::new(&kitchen()).capabilities(capabilities());
        setup.folders = folders;
        let mut client = setup.start();
        client.open(SKILL);
        let mut params = at(&client, SKILL, "name: brew");
        params["newName"] = json!("boil-tea");
        let edit = client.request::<RenameRequest>(params).expect("an edit");
        let (edits, moves) = outcome(&client, &edit);
        let (old, new) = (".claude/skills/brew-tea", ".claude/skills/boil-tea");
        assert_eq!(moves, [(old.to_owned(), new.to_owned())]);
        assert!(edits.contains(&(SKILL.to_owned(), strings(&["boil-tea"]))), "{edits:?}");
    }
}

#[test]
fn a_skill_is_renamed_with_its_folder_and_every_mention() {
    let mut client = start();
    for (name, word) in [(SKILL, "name: brew"), (AGENT, "[brew"), (COMMAND, "/brew")] {
        client.open(name);
        let mut params = at(&client, name, word);
        let prepared = client.request::<PrepareRenameRequest>(params.clone()).expect("a name");
        let PrepareRenameResult::PrepareRenamePlaceholder(found) = prepared else { panic!() };
        assert_eq!(
            (client.text_at(name, found.range), found.placeholder.as_str()),
            ("brew-tea", "brew-tea")
        );
        params["newName"] = json!("make-tea");
        let edit = client.request::<RenameRequest>(params).expect("an edit");
        let (edits, moves) = outcome(&client, &edit);
        assert_eq!(
            edits,
            [
                (PLUGIN.to_owned(), strings(&["./.claude/skills/make-tea"])),
                (AGENT.to_owned(), strings(&["make-tea", "make-tea"])),
                (COMMAND.to_owned(), strings(&["make-tea", "../skills/make-tea/SKILL.md"])),
                (SKILL.to_owned(), strings(&["make-tea"])),
            ]
        );
        assert_eq!(
            moves,
            [(".claude/skills/brew-tea".to_owned(), ".claude/skills/make-tea".to_owned())]
        );
    }
    // Names that are taken or invalid are refused.
    for (name, part) in [("stir", "already exists"), ("Make Tea", "lowercase")] {
        let mut params = at(&client, SKILL, "name: brew");
        params["newName"] = json!(name);
        let pending = client.begin::<RenameRequest>(params);
        let refused = client.finish(pending).expect_err("a refusal");
        assert!(refused.message.contains(part), "{refused:?}");
    }
}

#[test]
fn a_doubtful_mention_needs_confirmation() {
    let mut client = start();
    client.open(".claude/skills/stir/SKILL.md");
    let mut params = at(&client, ".claude/skills/stir/SKILL.md", "name: st");
    params["newName"] = json!("whisk");
    // Read as raw JSON: the types parse an annotated edit as a plain one.
    let edit = client.ask("textDocument/rename", params).expect("an edit");
    let changes = edit["documentChanges"].as_array().expect("changes");
    let uri = client.uri(AGENT);
    let change = changes.iter().find(|change| change["textDocument"]["uri"] == json!(uri));
    let edits = change.and_then(|change| change["edits"].as_array()).expect("edits");
    let annotations: Vec<&Value> = edits.iter().map(|edit| &edit["annotationId"]).collect();
    assert_eq!(annotations, [&Value::Null, &json!("doubtful")]);
    assert_eq!(edit["changeAnnotations"]["doubtful"]["needsConfirmation"], json!(true));
}

#[test]
fn an_editor_that_cannot_rename_files_gets_an_error() {
    let mut client = Setup::new(&kitchen()).capabilities(profile::minimal()).start();
    client.open(SKILL);
    let mut params = at(&client, SKILL, "name: brew");
    params["newName"] = json!("make-tea");
    let pending = client.begin::<RenameRequest>(params);
    let refused = client.finish(pending).expect_err("a refusal");
    assert!(refused.message.contains("rename the folder"), "{refused:?}");
}

#[test]
fn renaming_a_folder_in_the_explorer_also_renames_the_skill() {
    let mut client = start();
    client.open(AGENT);
    let params = json!({ "files": [{
        "oldUri": client.uri(".claude/skills/brew-tea"), "newUri": client.uri(".claude/skills/make-tea"),
    }] });
    let edit = client.request::<WillRenameFilesRequest>(params.clone()).expect("an edit");
    let (edits, moves) = outcome(&client, &edit);
    let files: Vec<&str> = edits.iter().map(|(file, _)| file.as_str()).collect();
    assert_eq!(files, [PLUGIN, AGENT, COMMAND, SKILL]);
    assert!(moves.is_empty(), "the editor renames the folder itself");
    // Once the editor has done so, the same request has nothing left to do.
    std::fs::rename(client.path(".claude/skills/brew-tea"), client.path(".claude/skills/make-tea"))
        .unwrap();
    client.write(".claude/skills/make-tea/SKILL.md", "---\nname: make-tea\ndescription: x\n---\n");
    client.notify::<DidRenameFilesNotification>(params);
    let found = client.wait_for_findings(AGENT, |found| {
        found.iter().any(|one| code(one) == "agent/unknown-skill")
    });
    let dead = found.diagnostics.iter().find(|one| code(one) == "agent/unknown-skill").unwrap();
    assert_eq!(client.text_at(AGENT, dead.range), "brew-tea");
}

#[test]
fn a_name_leads_to_its_file_and_back() {
    let mut client = start();
    client.open(AGENT);
    let params = at(&client, AGENT, "[brew");
    let found = client.ask("textDocument/definition", params.clone()).expect("a definition");
    let text = found.to_string();
    assert!(text.contains("brew-tea/SKILL.md"), "{text}");
    let hover = client.ask("textDocument/hover", params.clone()).expect("a hover");
    assert!(hover.to_string().contains("Brews tea"), "{hover}");
    let highlights = client.request::<DocumentHighlightRequest>(params).expect("highlights");
    let texts: Vec<&str> = highlights.iter().map(|one| client.text_at(AGENT, one.range)).collect();
    assert_eq!(texts, ["brew-tea", "brew-tea"]);
    client.open(SKILL);
    let mut params = at(&client, SKILL, "name: brew");
    params["context"] = json!({ "includeDeclaration": false });
    let found = client.request::<ReferencesRequest>(params.clone()).expect("references");
    assert_eq!(found.len(), 4, "{found:?}");
    let items = client.request::<CallHierarchyPrepareRequest>(params).expect("an item");
    assert_eq!((items[0].name.as_str(), items[0].detail.as_deref()), ("brew-tea", Some("skill")));
    let params = json!({ "item": items[0] });
    let calls = client.request::<CallHierarchyIncomingCallsRequest>(params).expect("callers");
    let names: Vec<&str> = calls.iter().map(|call| call.from.name.as_str()).collect();
    assert_eq!(names, ["cook", "dinner"]);
    let params = json!({ "item": calls[0].from });
    let calls = client.request::<CallHierarchyOutgoingCallsRequest>(params).expect("calls");
    let names: Vec<&str> = calls.iter().map(|call| call.to.name.as_str()).collect();
    assert_eq!(names, ["brew-tea", "stir"]);
    client.wait_for_index();
    let symbols = client.ask("workspace/symbol", json!({ "query": "brew-tea" })).expect("symbols");
    assert!(symbols.to_string().contains("brew-tea/SKILL.md"), "{symbols}");
    let symbols = client.ask("workspace/symbol", json!({ "query": "dinner" })).expect("symbols");
    assert!(symbols.to_string().contains("dinner.md"), "{symbols}");
}

#[test]
fn a_dead_mention_comes_and_goes_with_the_name() {
    let mut client = start();
    client.open(AGENT);
    client.open(SKILL);
    let unknown = |found: &[Diagnostic]| found.iter().any(|one| code(one) == "agent/unknown-skill");
    client.wait_for_index();
    // Both the folder and the `name` define the skill, so both must go.
    let at = client.text(AGENT).find("[brew-tea").unwrap() + 1;
    client.edit(AGENT, at..at + 8, "brew-tee");
    client.wait_for_findings(AGENT, unknown);
    let at = client.text(SKILL).find("name: brew-tea").unwrap() + 6;
    client.edit(SKILL, at..at + 8, "brew-tee");
    client.wait_for_findings(AGENT, |found| !unknown(found));
}

/// A skill that Claude Code finds through a symlink, to the skills folder or to one skill's folder.
#[cfg(unix)]
fn linked(link: &str, target: &str) -> Client {
    let files = "//- .agents/skills/tea/SKILL.md\n---\nname: tea\ndescription: 日本 🦆\n---\n\nBrew it.\n\
         //- .claude/agents/cook.md\n---\nname: cook\ndescription: Cooks\nskills: [tea]\n---\n\nCook.\n\
         //- CLAUDE.md\nUse the `tea` skill, see [it](.claude/skills/tea/SKILL.md).\n\
         //- AGENTS.md\nUse the `tea` skill.\n";
    let mut client = Setup::new(files)
        .capabilities(capabilities())
        .settings(json!({ "clients": ["claude-code", "codex"] }))
        .spawn();
    let link = client.path(link);
    std::fs::create_dir_all(link.parent().expect("a folder")).expect("a folder");
    std::os::unix::fs::symlink(target, link).expect("a link");
    client.initialize();
    client.wait_for_index();
    client
}

#[cfg(unix)]
#[test]
fn a_skill_behind_a_symlink_is_renamed() {
    let mut client = linked(".claude/skills", "../.agents/skills");
    let skill = ".agents/skills/tea/SKILL.md";
    let cook = ".claude/agents/cook.md";
    let edits = [
        (skill.to_owned(), strings(&["cha"])),
        (cook.to_owned(), strings(&["cha"])),
        ("AGENTS.md".to_owned(), strings(&["cha"])),
        ("CLAUDE.md".to_owned(), strings(&["cha", ".claude/skills/cha/SKILL.md"])),
    ];
    for (name, word) in
        [(skill, "name: te"), (cook, "[te"), ("AGENTS.md", "`te"), ("CLAUDE.md", "`te")]
    {
        client.open(name);
        let mut params = at(&client, name, word);
        params["newName"] = json!("cha");
        let edit = client.request::<RenameRequest>(params).expect("an edit");
        let (found, moves) = outcome(&client, &edit);
        assert_eq!(found, edits, "{name}");
        assert_eq!(moves, [(".agents/skills/tea".to_owned(), ".agents/skills/cha".to_owned())]);
        let mut params = at(&client, name, word);
        params["context"] = json!({ "includeDeclaration": true });
        let found = client.request::<ReferencesRequest>(params).expect("references");
        assert_eq!(found.len(), 5, "{name}: {found:?}");
    }
    // A rename in the explorer, at either path.
    for folder in [".agents/skills", ".claude/skills"] {
        let (old, new) =
            (client.uri(&format!("{folder}/tea")), client.uri(&format!("{folder}/cha")));
        let params = json!({ "files": [{ "oldUri": old, "newUri": new }] });
        let edit = client.request::<WillRenameFilesRequest>(params).expect("an edit");
        assert_eq!(outcome(&client, &edit).0, edits, "{folder}");
    }
}

#[cfg(unix)]
#[test]
fn a_rename_that_would_break_a_link_is_refused() {
    let mut client = linked(".claude/skills/tea", "../../.agents/skills/tea");
    client.open(".claude/agents/cook.md");
    let mut params = at(&client, ".claude/agents/cook.md", "[te");
    params["newName"] = json!("cha");
    let pending = client.begin::<RenameRequest>(params);
    let refused = client.finish(pending).expect_err("a refusal");
    assert!(refused.message.contains("`.claude/skills/tea`"), "{refused:?}");
}

#[test]
fn a_folder_that_appears_or_disappears_changes_findings() {
    let mut client = Setup::new(
        "//- .claude/commands/pot.md\n---\ndescription: A command\n---\n\nHi.\n\
         //- .claude/skills/cha/SKILL.md\n---\nname: cha\ndescription: A skill\n---\n\nBrew.\n",
    )
    .settings(json!({ "clients": ["claude-code"] }))
    .start();
    client.wait_for_index();
    client.open(".claude/commands/pot.md");
    let is_double =
        |found: &[Diagnostic]| found.iter().any(|one| code(one) == "agent/duplicate-name");
    client.wait_for_findings(".claude/commands/pot.md", |found| !is_double(found));
    let rename = |client: &mut Client, old: &str, new: &str, reported: bool| {
        std::fs::rename(client.path(old), client.path(new)).expect("a rename");
        if !reported {
            return;
        }
        let changes =
            json!([{ "uri": client.uri(old), "type": 3 }, { "uri": client.uri(new), "type": 1 }]);
        client.notify::<DidChangeWatchedFilesNotification>(json!({ "changes": changes }));
    };
    // Some clients report only the folder, and some nothing, since they're asked to watch Markdown.
    for reported in [true, false] {
        rename(&mut client, ".claude/skills/cha", ".claude/skills/pot", reported);
        client.wait_for_findings(".claude/commands/pot.md", is_double);
        rename(&mut client, ".claude/skills/pot", ".claude/skills/cha", reported);
        client.wait_for_findings(".claude/commands/pot.md", |found| !is_double(found));
    }
}
