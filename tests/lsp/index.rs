//! After any change, the index of the workspace equals that of a new session.

use std::time::Instant;

use serde_json::{Value, json};
use tower_lsp::gen_lsp_types::*;

use crate::client::{Client, DEADLINE, Setup};
use crate::profile;
use crate::symbols::search;

const SKILL: &str = ".claude/skills/tea/SKILL.md";

/// A skill and its mentions, in a repository that ignores a folder with a copy of them.
fn kitchen() -> String {
    let skill = "---\nname: tea\ndescription: Makes tea.\n---\n\n# Tea\n";
    let memory = "# Memory\n\nRun `/tea`.\n";
    format!(
        "//- {SKILL}\n{skill}//- CLAUDE.md\n{memory}//- .git/HEAD\nx\n//- .gitignore\ndist/\n\
         //- dist/{SKILL}\n{skill}//- dist/CLAUDE.md\n{memory}//- vendor/CLAUDE.md\n{memory}\
         //- notes.md\n# Notes\n"
    )
}

fn start(folder: Option<&str>, capabilities: Value) -> Client {
    let files = if folder.is_some() { String::new() } else { kitchen() };
    let setup = Setup::new(&files).capabilities(capabilities).folders(&[folder.unwrap_or("")]);
    let mut client = setup.spawn();
    client.initialize();
    let text = std::fs::read_to_string(client.path(&at(folder, SKILL))).expect("the skill");
    client.open_with(&at(folder, SKILL), &text);
    client.wait_for_index();
    client
}

fn at(folder: Option<&str>, name: &str) -> String {
    folder.map_or_else(|| name.to_owned(), |folder| format!("{folder}/{name}"))
}

/// The symbols of the workspace, and where the skill is mentioned.
fn known(client: &mut Client, folder: Option<&str>) -> (Vec<(String, String, u32)>, Vec<String>) {
    let mut symbols = search(client, "");
    symbols.sort();
    let name = at(folder, SKILL);
    let offset = client.text(&name).find("tea").expect("the name");
    let mut params = client.at(&name, offset);
    params["context"] = json!({ "includeDeclaration": true });
    let found = client.request::<ReferencesRequest>(params).unwrap_or_default();
    let mut found: Vec<String> = found.into_iter().map(|location| location.uri.0).collect();
    found.sort();
    (symbols, found)
}

fn changed(client: &mut Client, files: &[(&str, u32)]) {
    let changes: Vec<Value> =
        files.iter().map(|(name, kind)| json!({ "uri": client.uri(name), "type": kind })).collect();
    client.notify::<DidChangeWatchedFilesNotification>(json!({ "changes": changes }));
}

/// Waits until a session knows the same as a new one.
fn same_as_fresh(client: &mut Client, what: &str) {
    let folder = client.path("").to_string_lossy().into_owned();
    let expected = known(&mut start(Some(&folder), profile::push()), Some(&folder));
    let end = Instant::now() + DEADLINE / 4;
    loop {
        let found = known(client, None);
        if found == expected {
            return;
        }
        assert!(Instant::now() < end, "{what}: {found:#?}, a new session: {expected:#?}");
    }
}

/// Reports a new file and waits until it's known. Earlier reports have been processed by then.
fn mark(client: &mut Client, name: &str) {
    client.write(&format!("{name}.md"), format!("# {name}\n"));
    changed(client, &[(&format!("{name}.md"), 1)]);
    let end = Instant::now() + DEADLINE;
    while search(client, name).is_empty() {
        assert!(Instant::now() < end, "{name} is never read");
    }
}

#[test]
fn files_outside_the_walk_stay_unknown() {
    let mut client = start(None, profile::push());
    same_as_fresh(&mut client, "the start");
    changed(&mut client, &[(&format!("dist/{SKILL}"), 1), ("dist/CLAUDE.md", 2)]);
    mark(&mut client, "first");
    same_as_fresh(&mut client, "events of ignored files");
    client.open("dist/CLAUDE.md");
    client.sync();
    client.close("dist/CLAUDE.md");
    mark(&mut client, "second");
    same_as_fresh(&mut client, "an ignored file that was open");
    #[cfg(unix)]
    {
        let through = ".agents/skills/tea/SKILL.md";
        std::fs::create_dir(client.path(".agents")).expect("a folder");
        std::os::unix::fs::symlink("../.claude/skills", client.path(".agents/skills"))
            .expect("a link");
        let text = client.text(SKILL).to_owned();
        client.open_with(through, &text);
        client.sync();
        client.close(through);
        changed(&mut client, &[(through, 2)]);
        mark(&mut client, "third");
        same_as_fresh(&mut client, "a file that was open through a link");
    }
    client.write("notes.md", b"# caf\xe9\n");
    changed(&mut client, &[("notes.md", 2)]);
    mark(&mut client, "fourth");
    same_as_fresh(&mut client, "a file that isn't text any more");
    let folder = json!({ "uri": client.uri(""), "name": "" });
    client.notify::<DidChangeWorkspaceFoldersNotification>(
        json!({ "event": { "added": [], "removed": [folder.clone()] } }),
    );
    let end = Instant::now() + DEADLINE;
    while known(&mut client, None).1.len() > 1 {
        assert!(Instant::now() < end, "mentions in a removed folder");
    }
    client.notify::<DidChangeWorkspaceFoldersNotification>(
        json!({ "event": { "added": [folder], "removed": [] } }),
    );
    same_as_fresh(&mut client, "a folder that comes back");
}

#[test]
fn ignore_files_and_settings_decide_what_is_in_the_workspace() {
    let mut client = start(None, profile::push());
    let exclude = "exclude = [\"vendor\"]\n";
    for (name, text, kind) in [
        ("agentmd.toml", exclude, 1),
        ("agentmd.toml", "", 2),
        (".gitignore", "dist/\nvendor/\n", 2),
        (".gitignore", "vendor/\n", 2),
    ] {
        client.write(name, text);
        changed(&mut client, &[(name, kind)]);
        same_as_fresh(&mut client, &format!("{name}: {text:?}"));
    }
    std::fs::remove_file(client.path(".gitignore")).expect("it exists");
    changed(&mut client, &[(".gitignore", 3)]);
    same_as_fresh(&mut client, "no .gitignore");
    // The editor's settings have the same effect, no matter when they arrive.
    std::fs::remove_file(client.path("agentmd.toml")).expect("it exists");
    changed(&mut client, &[("agentmd.toml", 3)]);
    client.set_settings(json!({ "exclude": ["vendor", "dist"] }));
    client.notify::<DidChangeConfigurationNotification>(json!({ "settings": null }));
    let end = Instant::now() + DEADLINE;
    while search(&mut client, "memory").len() != 1 {
        assert!(Instant::now() < end, "{:?}", search(&mut client, "memory"));
    }
}

#[test]
fn clients_that_report_no_changes_of_files_get_current_answers() {
    let unwatched =
        profile::with(profile::push(), "/workspace", "didChangeWatchedFiles", json!({}));
    let mut client = start(None, unwatched);
    client.write(".claude/agents/host.md", "---\nname: host\ndescription: d\nskills: [tea]\n---\n");
    client.write("CLAUDE.md", "# Memory\n\nFirst.\n\nRun `/tea`.\n");
    std::fs::remove_dir_all(client.path("vendor")).expect("it exists");
    // A rename must not miss the change, since a mention that it misses would be broken.
    let offset = client.text(SKILL).find("tea").expect("the name");
    let mut params = client.at(SKILL, offset);
    params["newName"] = json!("brew");
    let edit = client.request::<RenameRequest>(params).expect("an edit");
    let mut edited: Vec<(String, u32)> = edit
        .document_changes
        .into_iter()
        .flatten()
        .filter_map(|change| match change {
            DocumentChange::TextDocumentEdit(change) => {
                let line = match change.edits.first() {
                    Some(Edit::TextEdit(edit)) => edit.range.start.line,
                    other => panic!("{other:?}"),
                };
                Some((change.text_document.text_document_identifier.uri.0, line))
            }
            _ => None,
        })
        .collect();
    edited.sort();
    let expected = [(".claude/agents/host.md", 3), (SKILL, 1), ("CLAUDE.md", 4)];
    assert_eq!(edited, expected.map(|(name, line)| (client.uri(name), line)));
    same_as_fresh(&mut client, "unreported changes");
}
