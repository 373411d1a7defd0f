//! Files outside the folder, and names that forge log lines.

use crate::workspace::{Workspace, found};

const SECRET: &str = "api-key-hunter2";

#[test]
fn nothing_outside_the_checked_folders_is_quoted() {
    let outside = Workspace::with(&[
        ("secret.md", &format!("{SECRET}\n")),
        ("program.md", &found().replace("name: greet", &format!("name: {SECRET}\n? [{SECRET}"))),
    ]);
    let workspace = Workspace::new();
    workspace.link(outside.path("secret.md"), "link.md");
    workspace.link(outside.root(), "folder");
    let (one, two) = (outside.path("secret.md"), outside.path("program.md"));
    let imports = format!(
        "imports: [{}, {}, ./link.md, ./folder/program.md]\n",
        one.display(),
        two.display()
    );
    workspace.write("a.md", crate::fixture::program(&imports));
    for format in ["human", "json", "github", "sarif"] {
        let answer = workspace.run(&["check", "--verbose", "--format", format, "a.md"]);
        assert!(!answer.all().contains(SECRET), "{format}: {}", answer.all());
    }
    // For a file inside, the first line is shown.
    let inside = Workspace::with(&[
        ("sub/a.md", &crate::fixture::program("imports: [../b.md]\n")),
        ("b.md", &format!("{SECRET}\n")),
    ]);
    assert!(inside.run(&["check", "sub"]).out.contains(SECRET));
}

#[test]
fn file_names_cannot_forge_lines_or_control_a_terminal() {
    let names = [
        "a\n::error file=x::forged\n.md",
        "b\r::warning::forged.md",
        "c\u{1b}[31m\u{202e}forged.md",
    ];
    let workspace = Workspace::new();
    for name in names {
        workspace.write(name, found());
        workspace.write(
            &format!("{name}.toml/agentmd.toml"),
            "[rules]\n\"a\\n::error::forged\" = \"off\"\n",
        );
        workspace.write(&format!("{name}.toml/a.md"), found());
    }
    let sub = Workspace::with(&[("agentmd.toml", "x = 1\n")]);
    sub.write("\n::error::forged/agentmd.toml", "x = 1\n");
    sub.write("\n::error::forged/a.md", found());
    let answers = [
        workspace.run(&["check"]),
        workspace.run(&["check", "--format", "human", "--verbose", "--statistics"]),
        workspace.run(&["check", "--format", "github"]),
        workspace.run(&["check", "--fix", "--diff"]),
        workspace.run(&["check", "\n::error::none.md"]),
        workspace.run(&["index", "--format", "text", "."]),
        workspace.run(&["index", "--format", "text", "\n::error::none.md"]),
        workspace.run(&["parse", "\n::error::none.md"]),
        workspace.run(&["render", names[0]]),
        workspace.run(&["apply", "\n::error::none.md"]),
        sub.run(&["check"]),
    ];
    for answer in answers {
        let all = answer.all();
        let forged = all.lines().chain(all.split('\r')).find(|line| {
            line.trim_start().starts_with("::")
                && line.contains("forged")
                && !line.contains("file=")
        });
        assert_eq!(forged, None, "{all}");
        assert!(!all.contains('\u{1b}') && !all.contains('\u{202e}'), "{all:?}");
    }
    // GitHub's lines name the files with GitHub's own escapes.
    let github = workspace.run(&["check", "--format", "github"]).out;
    assert!(github.lines().all(|line| line.starts_with("::warning file=")), "{github}");
    assert!(github.contains("file=a%0A%3A%3Aerror file=x%3A%3Aforged%0A.md,"), "{github}");
    // In JSON, a name is just a string.
    let json = workspace.run(&["check", "--format", "json"]).json();
    let paths: Vec<&str> = json["files"]
        .as_array()
        .unwrap()
        .iter()
        .map(|file| file["path"].as_str().unwrap())
        .collect();
    assert!(paths.contains(&names[0]), "{paths:?}");
}
