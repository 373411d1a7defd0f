use serde_json::{Value, json};
use tower_lsp::gen_lsp_types::*;

use crate::client::{Client, DEADLINE, Heard, Setup, code};
use crate::fixture::program;
use crate::profile;

const UNKNOWN: &str = "markdownlang/unknown-field";

fn wrong() -> String {
    program("modle: gpt-4o\n")
}

fn severity(found: &[Diagnostic]) -> Vec<Option<DiagnosticSeverity>> {
    found.iter().map(|diagnostic| diagnostic.severity).collect()
}

fn configured(client: &mut Client, settings: Value) {
    client.notify::<DidChangeConfigurationNotification>(json!({ "settings": settings }));
}

fn off() -> Value {
    json!({ "rules": { UNKNOWN: "off" } })
}

#[test]
fn settings_are_asked_for_at_the_start_and_when_they_change() {
    let mut client =
        Setup::new(&wrong()).settings(json!({ "rules": { UNKNOWN: "error" } })).start();
    client.open("doc.md");
    client
        .wait_for_findings("doc.md", |found| severity(found) == [Some(DiagnosticSeverity::Error)]);
    client.set_settings(off());
    // The settings in this notification are ignored, since the server asks for them itself.
    configured(&mut client, json!({ "ignored": true }));
    client.wait_for_findings("doc.md", <[_]>::is_empty);
    client.set_settings(Value::Null);
    configured(&mut client, Value::Null);
    client.wait_for_findings("doc.md", |found| {
        severity(found) == [Some(DiagnosticSeverity::Warning)]
    });
}

#[test]
fn pushed_settings_apply_with_and_without_the_section() {
    let mut client = Setup::new(&wrong()).capabilities(profile::minimal()).start();
    client.open("doc.md");
    client.wait_for_findings("doc.md", |found| found.len() == 1);
    configured(&mut client, json!({ "agentmd": off() }));
    client.wait_for_findings("doc.md", <[_]>::is_empty);
    configured(&mut client, json!({}));
    client.wait_for_findings("doc.md", |found| found.len() == 1);
    configured(&mut client, json!({ "ignore": ["markdownlang"] }));
    client.wait_for_findings("doc.md", <[_]>::is_empty);
}

#[test]
fn settings_may_come_with_initialize() {
    let mut client = Setup::new(&wrong()).capabilities(profile::minimal()).options(off()).start();
    client.open("doc.md");
    assert_eq!(client.codes("doc.md"), [""; 0]);
}

#[test]
fn settings_of_initialize_apply_until_the_editor_has_a_section() {
    let mut client = Setup::new(&wrong()).options(off()).start();
    client.open("doc.md");
    // VS Code leaves out settings that have their default value, which here leaves an empty object.
    client.set_settings(json!({}));
    configured(&mut client, Value::Null);
    client.wait_for_findings("doc.md", |found| found.len() == 1);
    client.set_settings(Value::Null);
    configured(&mut client, Value::Null);
    client.wait_for_findings("doc.md", <[_]>::is_empty);
    // The settings of all servers, without any for this one.
    let mut client = Setup::new(&wrong()).capabilities(profile::minimal()).options(off()).start();
    client.open("doc.md");
    configured(&mut client, json!({}));
    client.open_with("other.md", "x\n");
    client.diagnostics("other.md");
    assert_eq!(client.codes("doc.md"), [""; 0]);
}

#[test]
fn findings_in_a_settings_file_go_with_it() {
    let broken = "[[kinds]]\nname = \"x\"\nfiles = [\"*.x.md\"]\nschema = \"nope.json\"\n";
    let files = format!("//- a/doc.md\n{}//- a/agentmd.toml\n{broken}", wrong());
    for removed in [false, true] {
        let mut client = Setup::new(&files).folders(&["a"]).start();
        client.open("a/doc.md");
        let uri = client.uri("a/agentmd.toml");
        let about = |said: &PublishDiagnosticsParams| said.uri.0 == uri;
        client.take::<PublishDiagnosticsNotification>(|said| {
            about(said) && said.diagnostics.len() == 1
        });
        if removed {
            let folder = json!({ "uri": client.uri("a"), "name": "a" });
            client.notify::<DidChangeWorkspaceFoldersNotification>(
                json!({ "event": { "added": [], "removed": [folder] } }),
            );
            // They still apply to the document.
            client.close("a/doc.md");
        } else {
            std::fs::remove_file(client.path("a/agentmd.toml")).expect("it exists");
            let event = json!({ "changes": [{ "uri": uri, "type": 3 }] });
            client.notify::<DidChangeWatchedFilesNotification>(event);
        }
        client.take::<PublishDiagnosticsNotification>(|said| {
            about(said) && said.diagnostics.is_empty()
        });
    }
}

#[test]
fn malformed_settings_are_reported_once() {
    let mut client = Setup::new(&wrong()).capabilities(profile::minimal()).start();
    client.open("doc.md");
    configured(&mut client, json!({ "rulez": {} }));
    let said = client.take::<ShowMessageNotification>(|_| true);
    assert!(said.message.contains("rulez"), "{said:?}");
    let end = client.text("doc.md").len();
    client.edit("doc.md", end..end, "x");
    assert_eq!(client.codes("doc.md"), [UNKNOWN]);
}

#[test]
fn the_nearest_settings_file_takes_precedence() {
    let toml = format!("[rules]\n\"{UNKNOWN}\" = \"hint\"\n");
    let files = format!("//- a/b/doc.md\n{}//- agentmd.toml\n{toml}", wrong());
    let mut client = Setup::new(&files).settings(off()).start();
    client.open("a/b/doc.md");
    assert_eq!(severity(&client.diagnostics("a/b/doc.md")), [Some(DiagnosticSeverity::Hint)]);
    // Only the nearest file is used.
    client.write("a/agentmd.toml", "");
    let event = json!({ "changes": [{ "uri": client.uri("a/agentmd.toml"), "type": 1 }] });
    client.notify::<DidChangeWatchedFilesNotification>(event);
    client.wait_for_findings("a/b/doc.md", |found| {
        severity(found) == [Some(DiagnosticSeverity::Warning)]
    });
}

#[test]
fn a_settings_file_is_read_again_when_it_changes() {
    let mut client = Setup::new(&wrong()).start();
    client.open("doc.md");
    assert_eq!(client.codes("doc.md"), [UNKNOWN]);
    let event = json!({ "changes": [{ "uri": client.uri("agentmd.toml"), "type": 1 }] });
    for (content, count) in
        [("ignore = [\"markdownlang\"]", 0), ("", 1), ("select = [\"duckflow\"]", 0)]
    {
        client.write("agentmd.toml", content);
        client.notify::<DidChangeWatchedFilesNotification>(event.clone());
        client.wait_for_findings("doc.md", |found| found.len() == count);
    }
    // Clients without watchers at least report what they save.
    client.write("agentmd.toml", "");
    let saved = json!({ "textDocument": client.document("agentmd.toml") });
    client.notify::<DidSaveTextDocumentNotification>(saved);
    client.wait_for_findings("doc.md", |found| found.len() == 1);
}

#[test]
fn a_broken_settings_file_gives_one_message_and_the_defaults() {
    let mut client = Setup::new(&format!(
        "//- doc.md\n{0}//- sub/b.md\n{0}//- agentmd.toml\nselect = [\n",
        wrong()
    ))
    .settings(off())
    .start();
    client.open("doc.md");
    client.open("sub/b.md");
    assert_eq!(client.codes("doc.md"), [UNKNOWN]);
    assert_eq!(client.codes("sub/b.md"), [UNKNOWN]);
    let said = client.take::<ShowMessageNotification>(|_| true);
    assert!(said.kind == MessageType::Warning && said.message.contains("agentmd.toml"), "{said:?}");
    // Once fixed and broken again, it's reported again.
    let event = json!({ "changes": [{ "uri": client.uri("agentmd.toml"), "type": 2 }] });
    client.write("agentmd.toml", "ignore = [\"markdownlang\"]");
    client.notify::<DidChangeWatchedFilesNotification>(event.clone());
    client.wait_for_findings("doc.md", <[_]>::is_empty);
    client.write("agentmd.toml", "unknown-key = 1");
    client.notify::<DidChangeWatchedFilesNotification>(event);
    client.wait_for_findings("doc.md", |found| found.len() == 1);
    client.take::<ShowMessageNotification>(|said| said.message.contains("unknown-key"));
}

#[test]
fn overrides_apply_to_some_files() {
    let toml = "[[overrides]]\nfiles = [\"drafts/**\"]\nignore = [\"markdownlang\"]\n";
    let mut client =
        Setup::new(&format!("//- drafts/a.md\n{0}//- b.md\n{0}//- agentmd.toml\n{toml}", wrong()))
            .start();
    client.open("drafts/a.md");
    client.open("b.md");
    assert_eq!((client.codes("drafts/a.md").len(), client.codes("b.md").len()), (0, 1));
    // An override without files is a finding in the settings.
    client.write("agentmd.toml", "[[overrides]]\nignore = [\"markdownlang\"]\n");
    let event = json!({ "changes": [{ "uri": client.uri("agentmd.toml"), "type": 2 }] });
    client.notify::<DidChangeWatchedFilesNotification>(event);
    let settings = client.uri("agentmd.toml");
    client.take::<PublishDiagnosticsNotification>(|said| {
        said.uri.0 == settings
            && said.diagnostics.iter().map(code).eq(["settings/unusable-override"])
    });
    client.wait_for_findings("drafts/a.md", |found| found.len() == 1);
}

#[test]
fn findings_in_settings_are_shown_as_long_as_documents_use_them() {
    const BAD: &str = "[[overrides]]\nignore = [\"agent\"]\n";
    let mut client = Setup::new(&format!(
        "//- agentmd.toml\n{BAD}//- sub/a.md\n# A\n//- other/agentmd.toml\n{BAD}//- other/b.md\n# B\n"
    ))
    .folders(&["sub"])
    .start();
    let wait = |client: &mut Client, name: &str, count: usize| {
        let uri = client.uri(name);
        client.take::<PublishDiagnosticsNotification>(|said| {
            said.uri.0 == uri && said.diagnostics.len() == count
        });
    };
    wait(&mut client, "agentmd.toml", 1);
    // Findings in settings above the workspace folder stay when a document is closed.
    client.open("sub/a.md");
    client.diagnostics("sub/a.md");
    client.close("sub/a.md");
    // Findings in settings outside the workspace go when the last document below them is closed.
    client.open("other/b.md");
    wait(&mut client, "other/agentmd.toml", 1);
    client.close("other/b.md");
    wait(&mut client, "other/agentmd.toml", 0);
    // So do those in a folder of the workspace when its last document is deleted.
    let event = |client: &Client, names: &[(&str, u8)]| {
        let event = |(name, kind): &(&str, u8)| json!({ "uri": client.uri(name), "type": kind });
        json!({ "changes": names.iter().map(event).collect::<Vec<_>>() })
    };
    client.write("sub/n/agentmd.toml", BAD);
    client.write("sub/n/c.md", "# C\n");
    let written = event(&client, &[("sub/n/agentmd.toml", 1), ("sub/n/c.md", 1)]);
    client.notify::<DidChangeWatchedFilesNotification>(written);
    wait(&mut client, "sub/n/agentmd.toml", 1);
    std::fs::remove_file(client.path("sub/n/c.md")).unwrap();
    let deleted = event(&client, &[("sub/n/c.md", 3)]);
    client.notify::<DidChangeWatchedFilesNotification>(deleted);
    wait(&mut client, "sub/n/agentmd.toml", 0);
    let above = client.uri("agentmd.toml");
    let said =
        |heard: &&Heard| heard.params["uri"] == above && heard.params["diagnostics"] == json!([]);
    assert_eq!(client.heard.iter().filter(said).count(), 0);
    // Now a nearer file is used instead.
    client.write("sub/agentmd.toml", "");
    let nearer = event(&client, &[("sub/agentmd.toml", 1)]);
    client.notify::<DidChangeWatchedFilesNotification>(nearer);
    wait(&mut client, "agentmd.toml", 0);
}

#[test]
fn a_nearer_settings_file_does_not_bring_excluded_files_back() {
    let mut client = Setup::new("//- agentmd.toml\nexclude = [\"sub/**\"]\n//- a.md\n# Mark\n//- sub/deep/agentmd.toml\n//- sub/deep/b.md\n# Mark B\n")
        .start();
    let search = |client: &mut Client| {
        let found = client.ask("workspace/symbol", json!({ "query": "mark" })).expect("symbols");
        found.as_array().map(Vec::len)
    };
    assert_eq!(search(&mut client), Some(1));
    let changes = ["a.md", "sub/deep/b.md"].map(|name| {
        client.write(name, "# Mark\n\n## Mark two\n");
        json!({ "uri": client.uri(name), "type": 2 })
    });
    client.notify::<DidChangeWatchedFilesNotification>(json!({ "changes": changes }));
    let end = std::time::Instant::now() + DEADLINE;
    while search(&mut client) == Some(1) {
        assert!(std::time::Instant::now() < end, "the change isn't noticed");
    }
    assert_eq!(search(&mut client), Some(2));
}

#[test]
fn settings_decide_about_findings_in_settings() {
    let override_ = "[[overrides]]\nignore = [\"agent\"]\n";
    let rules = "[rules]\n\"settings/unusable-override\" = \"hint\"\n";
    let mut client = Setup::new(&format!(
        "//- a/agentmd.toml\nselect = [\"agent\"]\n{override_}//- a/x.md\n# X\n//- b/agentmd.toml\n\u{feff}{override_}{rules}//- b/x.md\n# X\n"
    ))
    .start();
    let settings = client.uri("b/agentmd.toml");
    let said = client.take::<PublishDiagnosticsNotification>(|said| said.uri.0 == settings);
    assert_eq!(severity(&said.diagnostics), [Some(DiagnosticSeverity::Hint)]);
    assert_eq!(said.diagnostics.first().map(|found| found.range.end.character), Some(13));
    client.wait_for_index();
    let settings = client.uri("a/agentmd.toml");
    assert!(client.heard.iter().all(|heard| heard.params["uri"] != settings));
}

#[test]
fn settings_files_are_noticed_while_no_document_is_open() {
    let mut client = Setup::new("//- a.md\n# Mark\n").capabilities(profile::minimal()).start();
    client.wait_for_index();
    client.write("agentmd.toml", "exclude = [\"a.md\"]\n");
    let end = std::time::Instant::now() + DEADLINE;
    while client.ask("workspace/symbol", json!({ "query": "mark" })) != Ok(json!([])) {
        assert!(std::time::Instant::now() < end, "the file isn't excluded");
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
}

#[test]
fn reports_of_closed_files_are_renewed_if_settings_change_during_the_check() {
    let files = format!("//- doc.md\n{}//- gate\n", program("modle: agentmd-test-wait\n"));
    let mut client =
        Setup::new(&files).pull().environment("AGENTMD_TEST_GATE", "{folder}/gate").start();
    let ask = |client: &mut Client, known: Value| {
        client.begin::<WorkspaceDiagnosticRequest>(json!({ "previousResultIds": known }))
    };
    client.wait_for_question("workspace/configuration");
    let before = ask(&mut client, json!([]));
    client.wait_for_waiting(1);
    client.set_settings(off());
    configured(&mut client, Value::Null);
    client.wait_for_question("workspace/diagnostic/refresh");
    std::fs::remove_file(client.path("gate")).expect("the gate");
    let before = serde_json::to_value(client.finish(before).expect("a report")).unwrap();
    let known = json!([{ "uri": client.uri("doc.md"), "value": before["items"][0]["resultId"] }]);
    let after = ask(&mut client, known);
    let after = serde_json::to_value(client.finish(after).expect("a report")).unwrap();
    assert_eq!(
        (&before["items"][0]["items"][0]["code"], &after["items"][0]["items"]),
        (&json!(UNKNOWN), &json!([]))
    );
}

#[test]
fn a_glob_can_set_the_format_of_a_file() {
    let mut client = Setup::new("//- p/doc.md\n---\nname: x\n---\n")
        .settings(json!({ "formats": { "p/**": "markdownlang" } }))
        .start();
    client.open("p/doc.md");
    client.wait_for_findings("p/doc.md", |found| {
        found.iter().any(|diagnostic| code(diagnostic) == "markdownlang/missing-field")
    });
}

#[test]
fn comments_disable_findings() {
    let text = program("modle: x # agentmd-none\n");
    let mut client = Setup::new("").start();
    client.open_with("doc.md", &text);
    assert_eq!(client.codes("doc.md"), [UNKNOWN]);
    for (comment, count) in [
        ("agentmd-disable-file", 0),
        ("agentmd-disable-file markdownlang/other", 1),
        ("agentmd-disable-file markdownlang -- because", 0),
    ] {
        client.replace("doc.md", &format!("{text}\n<!-- {comment} -->\n"));
        assert_eq!(client.codes("doc.md").len(), count, "{comment}");
    }
}

#[test]
fn only_capabilities_of_the_client_are_registered() {
    let mut client = Setup::new("").start();
    let asked = client.wait_for_question("client/registerCapability");
    let methods: Vec<_> = asked["registrations"]
        .as_array()
        .unwrap()
        .iter()
        .map(|item| item["method"].clone())
        .collect();
    assert_eq!(methods, ["workspace/didChangeWatchedFiles", "workspace/didChangeConfiguration"]);
    let mut quiet = Setup::new(&wrong()).capabilities(profile::minimal()).start();
    quiet.open("doc.md");
    quiet.diagnostics("doc.md");
    assert!(quiet.asked.is_empty(), "{:?}", quiet.asked);
}

#[test]
fn text_about_directives_disables_nothing() {
    let mut client = Setup::new("").start();
    let text = wrong();
    client.open_with("doc.md", &text);
    for tail in [
        "agentmd-disable-file\n",
        "Write agentmd-disable-file -- or not.\n",
        "# agentmd-disable-file\n",
        "Write `<!-- agentmd-disable-file -->` to switch all off.\n",
        "Write `a`, then `<!-- agentmd-disable-file -->`.\n",
        "Write `` <!-- agentmd-disable-file --> ``.\n",
        "Write `over\nlines <!-- agentmd-disable-file -->`.\n",
        "| a |\n|---|\n| `<!-- agentmd-disable-file -->` |\n",
        "```html\n<!-- agentmd-disable-file -->\n```\n",
        "- item\n\n  ~~~\n  <!-- agentmd-disable-file -->\n  ~~~\n",
        "    <!-- agentmd-disable-file -->\n",
    ] {
        client.replace("doc.md", &format!("{text}\n{tail}"));
        assert_eq!(client.codes("doc.md"), [UNKNOWN], "{tail:?}");
    }
}

#[test]
fn comments_disable_findings_anywhere() {
    let mut client = Setup::new("").start();
    let text = wrong();
    client.open_with("doc.md", &text);
    for tail in [
        "<!-- agentmd-disable-file -->\n",
        "<!--agentmd-disable-file-->\n",
        "Text <!-- agentmd-disable-file --> and text.\n",
        "A `tick` and another ` alone <!-- agentmd-disable-file -->\n",
        "- item\n  <!-- agentmd-disable-file -->\n",
        "```\ncode\n```\n<!-- agentmd-disable-file markdownlang/unknown-field -->\n",
    ] {
        client.replace("doc.md", &format!("{text}\n{tail}"));
        assert_eq!(client.codes("doc.md"), [""; 0], "{tail:?}");
    }
    for (line, count) in [
        ("modle: x # agentmd-disable-line\n", 0),
        ("modle: x #agentmd-disable-line markdownlang -- because\n", 0),
        ("# agentmd-disable-next-line markdownlang/unknown-field\nmodle: x\n", 0),
        ("# agentmd-disable-next-line markdownlang/other\nmodle: x\n", 1),
        ("# agentmd-disable-file\nmodle: x\n", 0),
        ("modle: x agentmd-disable-line\n", 1),
        ("# agentmd-disable-line\nmodle: x\n", 1),
        ("model:\n    # agentmd-disable-file\n  x: y\nmodle: x\n", 0),
    ] {
        client.replace("doc.md", &program(line));
        assert_eq!(client.codes("doc.md").len(), count, "{line:?}");
    }
}

#[test]
fn settings_files_are_noticed_without_watchers() {
    let mut client = Setup::new(&format!("//- outer/root/a/doc.md\n{}", wrong()))
        .capabilities(profile::minimal())
        .folders(&["outer/root"])
        .start();
    client.open("outer/root/a/doc.md");
    client.wait_for_findings("outer/root/a/doc.md", |found| {
        severity(found) == [Some(DiagnosticSeverity::Warning)]
    });
    let toml = |level: &str| format!("[rules]\n\"{UNKNOWN}\" = \"{level}\"\n");
    // A file appears above the workspace; a nearer one appears, changes, breaks, is fixed and goes.
    client.write("outer/agentmd.toml", toml("hint"));
    client.wait_for_findings("outer/root/a/doc.md", |found| {
        severity(found) == [Some(DiagnosticSeverity::Hint)]
    });
    client.write("outer/root/agentmd.toml", toml("error"));
    client.wait_for_findings("outer/root/a/doc.md", |found| {
        severity(found) == [Some(DiagnosticSeverity::Error)]
    });
    client.write("outer/root/agentmd.toml", "\n[rules\n");
    client.wait_for_findings("outer/root/a/doc.md", |found| {
        severity(found) == [Some(DiagnosticSeverity::Warning)]
    });
    let said = client.take::<ShowMessageNotification>(|_| true);
    assert!(
        said.message.contains("outer/root/agentmd.toml: line 2, column ")
            && !said.message.contains('\n'),
        "{}",
        said.message
    );
    client.write("outer/root/agentmd.toml", toml("information").replace("information", "off"));
    client.wait_for_findings("outer/root/a/doc.md", <[_]>::is_empty);
    std::fs::remove_file(client.path("outer/root/agentmd.toml")).unwrap();
    client.wait_for_findings("outer/root/a/doc.md", |found| {
        severity(found) == [Some(DiagnosticSeverity::Hint)]
    });
}

#[test]
fn fixed_settings_apply_to_every_open_document_at_once() {
    let mut client = Setup::new(&format!(
        "//- a/doc.md\n{0}//- b/c/doc.md\n{0}//- agentmd.toml\nrulez = 1\n",
        wrong()
    ))
    .pull()
    .start();
    for name in ["a/doc.md", "b/c/doc.md"] {
        client.open(name);
        assert_eq!(client.codes(name), [UNKNOWN]);
    }
    client.take::<ShowMessageNotification>(|said| said.message.contains("rulez"));
    client.asked.clear();
    client.write("agentmd.toml", format!("[rules]\n\"{UNKNOWN}\" = \"off\"\n"));
    client.wait_for_question("workspace/diagnostic/refresh");
    for name in ["a/doc.md", "b/c/doc.md"] {
        assert_eq!(client.codes(name), [""; 0]);
    }
}

#[test]
fn the_last_of_too_many_findings_says_how_many_more_there_are() {
    let fields: String = (0..30).map(|number| format!("field{number}: x\n")).collect();
    let mut client = Setup::new(&program(&fields)).settings(json!({ "max-findings": 12 })).start();
    client.open("doc.md");
    let said = client.wait_for_findings("doc.md", |found| found.len() == 13);
    let Message::String(last) = &said.diagnostics[12].message else { panic!("no text") };
    assert!(last.starts_with("18 more findings are not shown"), "{last}");
    assert_eq!(client.text_at("doc.md", said.diagnostics[12].range), "field12");
    client.set_settings(json!({ "max-findings": 0 }));
    configured(&mut client, Value::Null);
    client.wait_for_findings("doc.md", |found| found.len() == 30);
}

#[test]
fn unknown_names_in_settings_are_reported_once() {
    let toml = "ignore = [\"markdownlong\"]\n[formats]\n\"*.x\" = \"duck\"\n";
    let mut client =
        Setup::new(&format!("//- a/doc.md\n{0}//- b/doc.md\n{0}//- agentmd.toml\n{toml}", wrong()))
            .start();
    client.open("a/doc.md");
    client.open("b/doc.md");
    client.take::<ShowMessageNotification>(|said| {
        said.message
            .ends_with("`markdownlong`; did you mean `markdownlang`? The setting has no effect.")
    });
    client.take::<ShowMessageNotification>(|said| {
        said.message.contains("unknown format `duck`; did you mean `duckflow`? The setting")
    });
    assert_eq!(client.codes("b/doc.md"), [UNKNOWN]);
}
