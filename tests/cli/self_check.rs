//! `self-check`: which program, settings and editors are in use.

use std::process::{Command, Stdio};

use serde_json::{Value, json};

use super::Folder;

/// Calls the program with its own home folder and this `PATH`.
fn call(folder: &Folder, path: &str, arguments: &[&str]) -> (i32, String, String) {
    let output = Command::new(folder.path("bin/agentmd"))
        .args(arguments)
        .current_dir(folder.path("project"))
        .env_clear()
        .env("HOME", folder.path("home"))
        .env("PATH", path)
        .stdin(Stdio::null())
        .output()
        .unwrap();
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
    (output.status.code().unwrap(), text(&output.stdout), text(&output.stderr))
}

fn installed(files: &[(&str, &str)]) -> Folder {
    let folder = Folder::with(files);
    folder.write("home/.keep", "");
    folder.write("project/.keep", "");
    std::fs::create_dir_all(folder.path("bin")).unwrap();
    // `cp` runs in its own process, because a process started by another test could inherit a file
    // that is open for writing here, and such a file can't be executed.
    let (from, to) = (env!("CARGO_BIN_EXE_agentmd"), folder.path("bin/agentmd"));
    assert!(Command::new("cp").arg(from).arg(to).status().unwrap().success());
    folder
}

#[test]
fn the_version_describes_the_build() {
    let folder = Folder::empty();
    let version: Value = folder.run(&["--version", "--json"]).json();
    assert_eq!(version["version"], env!("CARGO_PKG_VERSION"));
    assert!(version["target"].as_str().unwrap().contains(std::env::consts::ARCH), "{version}");
    let has = |name: &str| version["features"].as_array().unwrap().contains(&json!(name));
    assert_eq!(has("run"), cfg!(feature = "run"));
    assert_eq!(has("mcp"), cfg!(feature = "mcp"));
    assert_eq!(has("python"), cfg!(feature = "python"));
    assert!(version["commit"].is_null() || version["commit"].is_string());
    let short = folder.run(&["-V"]);
    assert_eq!(short.out, format!("agentmd {}\n", env!("CARGO_PKG_VERSION")));
    assert_eq!(folder.run(&["--json"]).status, 2);
    let none = folder.run(&["--quiet"]);
    assert_eq!(none.status, 2);
    assert!(none.err.contains("a command is missing"), "{}", none.err);
}

#[cfg(unix)]
#[test]
fn programs_settings_and_editors_are_found() {
    let folder = installed(&[
        ("home/.config/helix/languages.toml", "[language-server.x]\n\ncommand = \"agentmd\"\n"),
        ("home/.vscode/extensions/agentmd.agentmd-0.1.0/package.json", "{}"),
        ("home/.config/nvim/init.lua", "-- nothing\n"),
        ("project/agentmd.toml", "clients = [\"codex\"]\n"),
    ]);
    let path = folder.path("bin").display().to_string();
    let (status, out, err) = call(&folder, &path, &["self-check", "--json"]);
    assert_eq!((status, err.as_str()), (0, ""), "{out}");
    let answer: Value = serde_json::from_str(&out).unwrap();
    assert_eq!(answer["on_path"].as_array().unwrap().len(), 1);
    assert_eq!(answer["on_path"][0]["this"], true);
    assert_eq!(answer["clients"], json!(["codex"]));
    assert!(answer["settings"].as_str().unwrap().ends_with("project/agentmd.toml"));
    let editors: Vec<(&str, Option<u64>)> = answer["editors"]
        .as_array()
        .unwrap()
        .iter()
        .map(|editor| (editor["editor"].as_str().unwrap(), editor["line"].as_u64()))
        .collect();
    assert_eq!(editors, [("VS Code", None), ("Helix", Some(3))]);
    let (status, out, _) = call(&folder, &path, &["self-check"]);
    assert_eq!(status, 0);
    assert!(out.contains("Codex (by settings)") && out.contains("languages.toml:3"), "{out}");
    assert!(out.ends_with("Nothing is wrong.\n"), "{out}");
}

#[cfg(unix)]
#[test]
fn another_program_first_and_broken_settings_are_problems() {
    use std::os::unix::fs::PermissionsExt;
    let folder = installed(&[
        ("other/agentmd", "#!/bin/sh\necho started >ran\n"),
        ("project/agentmd.toml", "ignore = [\"markdownlang/unknown-feild\"]\n"),
    ]);
    let other = folder.path("other/agentmd");
    std::fs::set_permissions(&other, std::fs::Permissions::from_mode(0o755)).unwrap();
    let path = format!("{}:{}", folder.path("other").display(), folder.path("bin").display());
    let (status, out, err) = call(&folder, &path, &["self-check"]);
    assert_eq!(status, 1);
    assert!(out.contains("(another program)") && out.contains("2 problems"), "{out}");
    assert!(err.contains("start another program") && err.contains("unknown-field"), "{err}");
    assert!(!folder.path("project/ran").exists(), "nothing is started");
    folder.write("project/agentmd.toml", "clients = 1\n");
    let (status, _, err) = call(&folder, "", &["self-check"]);
    assert_eq!(status, 1);
    assert!(err.contains("agentmd.toml") && err.contains("no folder of `PATH`"), "{err}");
}

#[cfg(unix)]
#[test]
fn settings_that_cannot_be_used_are_problems() {
    let folder = installed(&[(
        "project/agentmd.toml",
        "clients = [\"codx\"]\n\n[[kinds]]\nname = \"日本\"\nfiles = [\"x/*.md\"]\nschema = 7\n\n[[sync]]\nsource = \"\"\nto = []\n",
    )]);
    let bin = folder.path("bin").display().to_string();
    let (status, out, _) = call(&folder, &bin, &["self-check", "--json"]);
    let answer: Value = serde_json::from_str(&out).unwrap();
    let problems: Vec<&str> =
        answer["problems"].as_array().unwrap().iter().map(|one| one.as_str().unwrap()).collect();
    assert_eq!(status, 1);
    let has = |text: &str| problems.iter().any(|problem| problem.contains(text));
    assert!(has("agentmd.toml: unknown client `codx`"), "{problems:?}");
    assert!(has("agentmd.toml:6: `schema` must be a table or the path of a file"), "{problems:?}");
    assert!(has("agentmd.toml:9: an entry needs a `source`"), "{problems:?}");
}
