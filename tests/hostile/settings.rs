//! Settings that are large, invalid, or both.

use serde_json::json;
use tower_lsp::gen_lsp_types::*;

use crate::program::serve;
use crate::workspace::{Workspace, found};

fn list(what: &str, count: usize) -> String {
    let names: Vec<String> = (0..count).map(|number| format!("\"nothing/of-{number}\"")).collect();
    format!("{what} = [{}]\n", names.join(",\n"))
}

#[test]
fn many_unknown_names_cost_one_read_and_few_messages() {
    // About as many as fit into a settings file.
    let workspace =
        Workspace::with(&[("a.md", &found()), ("agentmd.toml", &list("ignore", 45_000))]);
    let check = workspace.run(&["check"]);
    assert!(
        check.err.lines().count() < 12 && check.err.contains("more names are unknown"),
        "{}",
        check.err
    );
    for folder in 0..40 {
        workspace.write(&format!("f{folder}/a.md"), found());
    }
    let mut client = serve(workspace);
    for folder in 0..40 {
        client.open_with(&format!("f{folder}/a.md"), &found());
    }
    for folder in 0..40 {
        assert_eq!(client.codes(&format!("f{folder}/a.md")).len(), 1);
    }
    client.notify::<DidChangeWatchedFilesNotification>(
        json!({ "changes": [{ "uri": client.uri("agentmd.toml"), "type": 2 }] }),
    );
    assert_eq!(client.codes("f0/a.md").len(), 1);
    client.shut_down();
    let said = client.heard.iter().filter(|heard| heard.method == "window/showMessage").count();
    assert!((1..=20).contains(&said), "{said} messages");
    client.heard.clear();
    let larger = Workspace::with(&[("a.md", &found()), ("agentmd.toml", &list("ignore", 200_000))]);
    let check = larger.run(&["check"]);
    assert!(check.err.contains("more than the limit of 1048576"), "{}", check.err);
}

#[test]
fn settings_with_too_many_globs_or_overrides_are_refused() {
    let overrides: String =
        (0..5000).map(|number| format!("[[overrides]]\nfiles = [\"{number}/**\"]\n")).collect();
    let formats: String =
        (0..5000).map(|number| format!("\"{number}/**\" = \"plain\"\n")).collect();
    for (toml, what) in [
        (list("exclude", 5000), "globs"),
        (overrides, "globs"),
        (format!("[formats]\n{formats}"), "globs"),
    ] {
        let workspace = Workspace::with(&[("a.md", &found()), ("agentmd.toml", &toml)]);
        let check = workspace.run(&["check"]);
        assert!(
            check.status == 2 && check.err.contains(&format!("more than 1000 {what}")),
            "{check:?}"
        );
    }
}

#[test]
fn settings_of_any_shape_are_a_message_of_one_line() {
    let deep = format!("x = {}{}", "[".repeat(100_000), "]".repeat(100_000));
    let dotted = format!("{}x = 1\n", "a.".repeat(100_000));
    for toml in [
        deep.as_str(),
        &dotted,
        "\u{0}",
        "ignore = 1",
        "[rules]\n\"x\" = \"nothing\"",
        "exclude = [\"[\"]",
        "exclude = [\"{{{{{{\"]",
    ] {
        let workspace = Workspace::with(&[("a.md", &found()), ("agentmd.toml", toml)]);
        let check = workspace.run(&["check"]);
        assert!(check.err.lines().count() <= 2, "{}", check.err);
    }
}
