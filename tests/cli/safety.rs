//! `apply`: replies that try to leave the root, and files that need consent to change.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::json;

use super::{Answer, Folder};

fn reply(kind: &str, path: &str) -> String {
    json!({ "reasoning": "r", "actions": [{ "type": kind, "path": path, "content": "written\n" }] })
        .to_string()
}

/// Everything below a folder, with the targets of symlinks instead of their content.
fn all(root: &Path) -> Vec<(String, String)> {
    let mut found = Vec::new();
    let mut open = vec![root.to_owned()];
    while let Some(at) = open.pop() {
        for entry in fs::read_dir(at).unwrap().flatten() {
            let (path, kind) = (entry.path(), entry.file_type().unwrap());
            let text = match (kind.is_dir(), kind.is_symlink(), kind.is_file()) {
                (true, ..) => {
                    open.push(path.clone());
                    String::new()
                }
                (_, true, _) => fs::read_link(&path).unwrap().display().to_string(),
                (.., true) => String::from_utf8_lossy(&fs::read(&path).unwrap()).into_owned(),
                _ => "device".to_owned(),
            };
            found.push((path.strip_prefix(root).unwrap().display().to_string(), text));
        }
    }
    found.sort();
    found
}

/// Checks that every action on this path is refused for this reason and changes nothing.
#[track_caller]
fn refused(folder: &Folder, path: &str, reason: &str) {
    let before = all(folder.root());
    for kind in ["create_file", "edit_file", "delete_file"] {
        for more in [&[][..], &["--partial"], &["--check"], &["--dry-run"]] {
            let answer = folder.run_with(
                &[&["apply", "-", "--overwrite", "--root", "root"], more].concat(),
                reply(kind, path).as_bytes(),
            );
            assert_eq!((answer.status, answer.out.as_str()), (1, ""), "{kind} {path}: {answer:?}");
            let there = answer.err.contains(&format!("[{reason}]"));
            assert!(
                there || kind != "create_file" && answer.err.contains("[file_missing]"),
                "{kind} {path}: {answer:?}"
            );
            assert_eq!(all(folder.root()), before, "{kind} {path}");
        }
    }
}

fn root() -> Folder {
    Folder::with(&[
        ("root/src/a", "a\n"),
        ("away/f", "f\n"),
        ("root/.git/config", "[core]\n"),
        ("root/.git/hooks/x", "x\n"),
    ])
}

#[test]
fn llmd_20_paths_out_of_the_root_or_into_git_are_refused() {
    let folder = root();
    let absolute = folder.path("away/f");
    for path in [
        "../away/f",
        "src/../../away/f",
        "src/./../../away/f",
        absolute.to_str().unwrap(),
        "//etc/passwd",
        "~/f",
        "~root/f",
        "C:/f",
        "c:f",
        "\\\\host\\f",
    ] {
        refused(&folder, path, "path_outside_root");
    }
    for path in [
        ".git/config",
        ".GIT/config",
        ".Git/hooks/x",
        "./.git/config",
        "src/.git/config",
        ".git./config",
        ".git /config",
        "GIT~1/config",
        ".git::$INDEX_ALLOCATION/config",
        ".g\u{200c}it/config",
        ".git\\config",
        "src/a\u{0}",
        "src/\u{202e}a",
        "src/a.",
        "src/a ",
        "src./a",
        ".agentmd-apply",
        ".AgentMD-Apply",
        "src/.agentmd-1-2-3.new",
    ] {
        refused(&folder, path, "path_forbidden");
    }
    for path in ["", "src", "src/", ".", "src/a/b"] {
        refused(&folder, path, if path.is_empty() { "missing_path" } else { "not_a_file" });
    }
}

#[test]
fn llmd_20_names_that_some_systems_cannot_have_are_refused() {
    let folder = root();
    for path in ["con", "src/NUL.txt", "aux.c", "Com1", "lpt9.x", "src/a:stream", "ab::$DATA"] {
        refused(&folder, path, "path_forbidden");
    }
    for path in ["SRC/new", "src/A", "Src/a"] {
        refused(&folder, path, "case_twin");
    }
    // An existing file with such a name may be edited.
    if cfg!(unix) {
        folder.write("root/aux.c", "old\n");
        let answer = folder
            .run_with(&["apply", "-", "--root", "root"], reply("edit_file", "aux.c").as_bytes());
        assert_eq!(
            (answer.status, folder.read("root/aux.c").as_str()),
            (0, "written\n"),
            "{answer:?}"
        );
    }
}

#[cfg(unix)]
#[test]
fn llmd_20_links_out_of_the_root_are_refused() {
    use std::os::unix::fs::symlink;

    let folder = root();
    let at = |name: &str| folder.path(&format!("root/{name}"));
    symlink(folder.path("away"), at("out")).unwrap();
    symlink("../away", at("relative")).unwrap();
    symlink(folder.path("away/f"), at("file")).unwrap();
    symlink("out/f", at("chain")).unwrap();
    symlink("/dev/null", at("null")).unwrap();
    for path in
        ["out/f", "out/new", "out/new/deep", "relative/f", "file", "chain", "null", "src/../out/f"]
    {
        refused(&folder, path, "path_outside_root");
    }
    symlink(".git", at("repository")).unwrap();
    symlink(".git/config", at("settings")).unwrap();
    refused(&folder, "repository/config", "path_forbidden");
    refused(&folder, "settings", "path_forbidden");
    symlink("nowhere", at("dangling")).unwrap();
    symlink("circle", at("circle")).unwrap();
    refused(&folder, "dangling", "not_a_file");
    refused(&folder, "circle", "not_a_file");
}

#[cfg(unix)]
#[test]
fn llmd_20_devices_and_pipes_are_refused() {
    let folder = root();
    assert!(Command::new("mkfifo").arg(folder.path("root/pipe")).status().unwrap().success());
    refused(&folder, "pipe", "unreadable");
}

#[test]
fn llmd_20_files_that_are_not_text_or_too_large_are_refused() {
    let folder = root();
    folder.write("root/image", b"\x89PNG\xff\xfe");
    refused(&folder, "image", "binary_or_encoding");
    let file = fs::File::create(folder.path("root/large")).unwrap();
    file.set_len((16 << 20) + 1).unwrap();
    let answer = folder.run_with(
        &["apply", "-", "--overwrite", "--root", "root"],
        reply("create_file", "large").as_bytes(),
    );
    assert!(answer.status == 1 && answer.err.contains("[too_large]"), "{answer:?}");
    assert_eq!(fs::metadata(folder.path("root/large")).unwrap().len(), (16 << 20) + 1);
}

#[cfg(unix)]
#[test]
fn llmd_20_read_only_files_and_folders_are_refused() {
    use std::os::unix::fs::PermissionsExt;

    let folder = root();
    folder.write("root/locked/a", "a\n");
    folder.write("root/fixed", "a\n");
    let set = |name: &str, mode: u32| {
        fs::set_permissions(folder.path(name), fs::Permissions::from_mode(mode)).unwrap()
    };
    set("root/fixed", 0o444);
    set("root/locked", 0o555);
    refused(&folder, "fixed", "read_only");
    refused(&folder, "locked/a", "read_only");
    refused(&folder, "locked/new", "read_only");
    set("root/locked", 0o755);
}

/// Checks that a file is written only with `--yes`.
#[track_caller]
fn asks(folder: &Folder, path: &str) {
    let call = |more: &[&str]| -> Answer {
        folder.run_with(
            &[&["apply", "-", "--overwrite"], more].concat(),
            reply("create_file", path).as_bytes(),
        )
    };
    let before = all(folder.root());
    let answer = call(&[]);
    assert!(
        answer.status == 1
            && answer.err.contains("[needs_confirmation]")
            && answer.err.contains("--yes"),
        "{path}: {answer:?}"
    );
    assert_eq!(all(folder.root()), before);
    assert_eq!((call(&["--yes"]).status, folder.read(path).as_str()), (0, "written\n"), "{path}");
}

#[test]
fn unusual_changes_need_consent() {
    let folder = Folder::with(&[
        (".gitignore", "/target\n*.log\n!keep.log\n"),
        ("src/.gitignore", "own\n"),
        (".git/info/exclude", "mine\n"),
    ]);
    for path in
        ["target/deep/x", "a.log", "src/own", "mine", ".env", ".env.local", "src/server.pem"]
    {
        asks(&folder, path);
    }
    for path in ["keep.log", "own", ".env.example"] {
        assert_eq!(
            folder.run_with(&["apply", "-"], reply("create_file", path).as_bytes()).status,
            0,
            "{path}"
        );
    }
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        folder.write("run.sh", "#!/bin/sh\n");
        fs::set_permissions(folder.path("run.sh"), fs::Permissions::from_mode(0o755)).unwrap();
        asks(&folder, "run.sh");
        assert_eq!(
            fs::metadata(folder.path("run.sh")).unwrap().permissions().mode() & 0o777,
            0o755
        );
    }
}

#[cfg(unix)]
#[test]
fn llmd_20_a_hard_link_from_outside_is_not_changed() {
    let folder = root();
    fs::hard_link(folder.path("away/f"), folder.path("root/f")).unwrap();
    let answer = folder
        .run_with(&["apply", "-", "--yes", "--root", "root"], reply("edit_file", "f").as_bytes());
    assert!(answer.status == 1 && answer.err.contains("[hard_link]"), "{answer:?}");
    assert_eq!((folder.read("root/f").as_str(), folder.read("away/f").as_str()), ("f\n", "f\n"));
}

#[cfg(unix)]
#[test]
fn llmd_20_swapping_a_folder_with_a_link_never_leads_outside() {
    use std::os::unix::fs::symlink;
    use std::sync::atomic::{AtomicBool, Ordering};

    let folder = root();
    let away = folder.path("away");
    let (src, aside, link) =
        (folder.path("root/src"), folder.path("root/aside"), folder.path("root/link"));
    fs::write(away.join("a"), "a\n").unwrap();
    symlink(&away, &link).unwrap();
    let before = all(&away);
    let over = AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            while !over.load(Ordering::Relaxed) {
                for (from, to) in [(&src, &aside), (&link, &src), (&src, &link), (&aside, &src)] {
                    let _ = fs::rename(from, to);
                }
            }
        });
        for round in 0..60 {
            let text = if round % 2 == 0 {
                reply("edit_file", "src/a")
            } else {
                reply("create_file", &format!("src/new/{round}"))
            };
            let mut child = folder.command(&["apply", "-", "--root", "root"]);
            let mut child = child
                .stdin(Stdio::piped())
                .stdout(Stdio::null())
                .stderr(Stdio::null())
                .spawn()
                .unwrap();
            std::io::Write::write_all(&mut child.stdin.take().unwrap(), text.as_bytes()).unwrap();
            let status = child.wait().unwrap().code();
            assert!(matches!(status, Some(0 | 1)), "{status:?}");
            assert_eq!(all(&away), before, "round {round}");
        }
        over.store(true, Ordering::Relaxed);
    });
}
