//! Ignore files and settings that are symlinks, FIFOs or devices.

use serde_json::json;
use tower_lsp::gen_lsp_types::*;

use crate::program::{serve, serve_pull};
use crate::workspace::{Workspace, found};

/// Files that every walk reads, and that Git or an archive can contain.
const RULES: &[&str] =
    &[".gitignore", ".ignore", "sub/.gitignore", "sub/.ignore", ".git/info/exclude"];

/// Puts something in the place of an ignore file.
type Plant = dyn Fn(&Workspace, &str);

fn planted(plant: impl Fn(&Workspace, &str)) -> Workspace {
    let workspace = Workspace::with(&[("a.md", &found()), ("sub/b.md", &found())]);
    RULES.iter().for_each(|name| plant(&workspace, name));
    workspace
}

#[test]
fn ignore_files_that_are_not_regular_files_are_not_read() {
    let plants: [&Plant; 3] = [
        &|workspace, name| workspace.link("/dev/zero", name),
        &|workspace, name| workspace.fifo(name),
        &|workspace, name| {
            let real = format!("real-{}", name.replace('/', "-"));
            workspace.write(&real, "*.md\n");
            workspace.link(workspace.path(&real), name);
        },
    ];
    for plant in plants {
        let workspace = planted(plant);
        assert_eq!(workspace.checked(), ["a.md", "sub/b.md"]);
        let check = workspace.run(&["check"]);
        assert!(
            check.err.contains(".gitignore is not a regular file")
                || check.err.contains(".gitignore is a symlink"),
            "{}",
            check.err
        );
        let index = workspace.run(&["index", "."]);
        assert_eq!(index.status, 0, "{index:?}");
        assert!(index.out.contains("sub/b.md"), "{}", index.out);
        let mut client = serve_pull(workspace);
        client.wait_for_index();
        let answer =
            client.request::<WorkspaceDiagnosticRequest>(json!({ "previousResultIds": [] }));
        assert_eq!(answer.items.len(), 2);
        client.heard.clear();
    }
}

#[test]
fn a_reply_that_changes_an_ignored_file_reads_only_regular_ignore_files() {
    let workspace = planted(|workspace, name| workspace.fifo(name));
    let reply = "a.md\n<<<<<<< SEARCH\nmodle: x\n=======\nmodle: y\n>>>>>>> REPLACE\n";
    let answer = workspace.run_with(&["apply", "-"], reply);
    assert_eq!(answer.status, 0, "{answer:?}");
    assert!(workspace.read("a.md").contains("modle: y"));
}

#[test]
fn an_ignore_file_with_too_many_patterns_has_no_effect() {
    let many: String =
        (0..5_000).map(|number| format!("[a-z]{number}*x[!q]*{number}*\n")).collect();
    let workspace =
        Workspace::with(&[("a.md", &found()), (".gitignore", &format!("*.md\n{many}"))]);
    assert_eq!(workspace.checked(), ["a.md"]);
    assert!(workspace.run(&["check"]).err.contains("has more than 2048 patterns"));
    // Plain names are cheap.
    let names: String = (0..20_000).map(|number| format!("/data/file{number}.bin\n")).collect();
    let workspace = Workspace::with(&[
        ("a.md", &found()),
        ("b.md", &found()),
        (".gitignore", &format!("/b.md\n{names}")),
    ]);
    assert_eq!(workspace.checked(), ["a.md"]);
}

#[test]
fn settings_are_read_from_regular_files_only() {
    let secret = Workspace::with(&[("credentials", "[default]\naws_secret = \"hunter2\"\n")]);
    let plants: [&dyn Fn(&Workspace); 3] = [
        &|workspace| workspace.link("/dev/zero", "agentmd.toml"),
        &|workspace| workspace.fifo("agentmd.toml"),
        &|workspace| workspace.link(secret.path("credentials"), "agentmd.toml"),
    ];
    for plant in plants {
        let workspace = Workspace::with(&[("a.md", &found())]);
        plant(&workspace);
        let check = workspace.run(&["check"]);
        assert!(
            !check.all().contains("default") && !check.all().contains("aws_secret"),
            "{}",
            check.all()
        );
        let mut client = serve(workspace);
        client.open_with("a.md", &found());
        assert_eq!(client.codes("a.md").len(), 1);
        let said: String = client.heard.iter().map(|heard| heard.params.to_string()).collect();
        assert!(!said.contains("aws_secret"), "{said}");
        client.heard.clear();
    }
}
