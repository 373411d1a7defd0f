//! The corpus: each workspace is checked, rendered, given a reply, and opened in the server.

use std::fs;
#[cfg(unix)]
use std::os::unix::fs::PermissionsExt;

use serde_json::json;
use tower_lsp::gen_lsp_types::*;

use crate::fixture::program;
use crate::program::serve_pull;
use crate::workspace::{Workspace, found};

/// The number of files in the workspace with many files; `HOSTILE_FILES=100000` tests more.
const FILES: usize = 2_000;

const REPLY: &str = "a.md\n<<<<<<< SEARCH\nmodle: x\n=======\nmodle: y\n>>>>>>> REPLACE\n";

/// Runs everything on a workspace whose `a.md` is a program with one finding.
#[track_caller]
fn survives(what: &str, workspace: Workspace) {
    eprintln!("{what}");
    workspace.run(&["check", "--verbose"]);
    assert!(
        workspace.run(&["check", "--format", "json", "a.md"]).finds("markdownlang/unknown-field"),
        "{what}"
    );
    workspace.run(&["index", "--format", "text", "."]);
    workspace.run(&["parse", "a.md"]);
    let render = workspace.run(&["render", "a.md", "--input", "{\"who\": \"you\"}"]);
    assert!(render.out.len() <= 40 << 20, "{what}");
    workspace.run_with(&["apply", "-", "--dry-run"], REPLY);
    workspace.run_with(&["apply", "-"], REPLY);
    let text = workspace.read("a.md");
    let mut client = serve_pull(workspace);
    client.open_with("a.md", &text);
    client.wait_for_index();
    let all = client.request::<WorkspaceDiagnosticRequest>(json!({ "previousResultIds": [] }));
    assert!(!all.items.is_empty(), "{what}");
    assert!(!client.codes("a.md").is_empty(), "{what}");
    let at = client.at("a.md", text.find("modle").unwrap());
    for method in ["textDocument/hover", "textDocument/completion", "textDocument/definition"] {
        client.ask(method, at.clone()).unwrap();
    }
    let document = json!({ "textDocument": client.document("a.md") });
    for method in [
        "textDocument/documentSymbol",
        "textDocument/documentLink",
        "textDocument/codeLens",
        "textDocument/foldingRange",
    ] {
        client.ask(method, document.clone()).unwrap();
    }
    client.shut_down();
    // Odd ignore files are logged.
    client.heard.clear();
}

fn workspace() -> Workspace {
    Workspace::with(&[("a.md", &found())])
}

#[test]
fn devices_pipes_and_links() {
    let workspace = workspace();
    workspace.fifo("fifo.md");
    workspace.fifo(".claude/skills/x/SKILL.md");
    workspace.link("/dev/zero", "zero.md");
    workspace.link("/dev/random", "sub/random.md");
    workspace.link("nowhere", "dangling.md");
    workspace.link("loop.md", "loop.md");
    workspace.link("..", "sub/up");
    workspace.link("/", "root");
    workspace.link("/proc/self", "proc");
    survives("devices, pipes and links", workspace);
}

#[test]
fn imports_of_devices_and_pipes() {
    let workspace = Workspace::new();
    workspace.fifo("fifo.md");
    workspace.fifo("sub/fifo.md");
    workspace.link("/dev/zero", "zero.md");
    workspace.link("/", "root");
    let names = [
        "./fifo.md",
        "./sub/fifo.md",
        "./zero.md",
        "./root/dev/zero.md",
        "/dev/stdin",
        "/dev/zero",
        "/proc/self/mem",
        "./a.md",
        "../../../../etc/passwd",
    ];
    workspace.write("a.md", program(&format!("modle: x\nimports: [{}]\n", names.join(", "))));
    survives("imports of devices and pipes", workspace);
}

#[test]
fn replies_cannot_change_devices_pipes_and_links() {
    let outside = Workspace::with(&[("target", "old\n")]);
    let workspace = workspace();
    workspace.fifo("fifo");
    workspace.link("/dev/zero", "zero");
    workspace.link(outside.path("target"), "link");
    workspace.link(outside.root(), "folder");
    for path in ["fifo", "zero", "link", "folder/target", "folder/new", "../escaped", "/dev/null"] {
        let reply = format!("{path}\n<<<<<<< SEARCH\nold\n=======\nnew\n>>>>>>> REPLACE\n");
        let answer = workspace.run_with(&["apply", "-", "--yes"], &reply);
        assert_eq!(answer.status, 1, "{path}: {answer:?}");
    }
    assert_eq!(outside.read("target"), "old\n");
    assert_eq!(fs::read_dir(outside.root()).unwrap().count(), 1);
}

#[test]
fn journals_that_are_invalid_or_not_regular_files() {
    let outside = Workspace::with(&[("target", "old\n")]);
    let plants: [&dyn Fn(&Workspace); 5] = [
        &|workspace| workspace.fifo(".agentmd-apply"),
        &|workspace| workspace.link("/dev/zero", ".agentmd-apply"),
        &|workspace| workspace.link(outside.path("target"), ".agentmd-apply"),
        &|workspace| fs::create_dir(workspace.path(".agentmd-apply")).unwrap(),
        &|workspace| {
            workspace.write(".agentmd-apply", "{\"agentmd\":\"0.1.0\",\"version\":1,\"folders\":[],\"steps\":[{\"path\":\"../x\",\"before\":null,\"after\":null,\"new\":\"n\",\"old\":\"o\"}]}\n")
        },
    ];
    for plant in plants {
        let workspace = workspace();
        plant(&workspace);
        workspace.run_with(&["apply", "-", "--yes"], REPLY);
        workspace.run(&["apply", "--recover"]);
        workspace.run(&["apply", "--recover", "--yes"]);
        survives("an invalid journal", workspace);
    }
    assert_eq!(outside.read("target"), "old\n");
}

#[test]
fn folders_that_cannot_be_read() {
    let workspace = workspace();
    workspace.write("locked/b.md", found());
    workspace.write("listed/b.md", found());
    workspace.write("c.md", found());
    let modes = [("locked", 0o000), ("listed", 0o444), ("c.md", 0o000)];
    modes.iter().for_each(|(name, mode)| {
        fs::set_permissions(workspace.path(name), fs::Permissions::from_mode(*mode)).unwrap()
    });
    let folder = workspace.path("");
    survives("folders that cannot be read", workspace);
    // Either the client has removed the folder, or its owner can remove it.
    assert!(
        !folder.exists()
            || fs::set_permissions(folder.join("locked"), fs::Permissions::from_mode(0o755))
                .is_ok()
    );
}

#[test]
fn names_and_text_with_control_characters() {
    let workspace = workspace();
    let controls =
        "\u{1b}]0;owned\u{7} \u{9b}31m \u{202e}txt.md \u{2066}\u{200f}\u{feff}\u{2028}\u{0}";
    for (number, part) in controls.split(' ').enumerate() {
        let name = part.replace('\0', "");
        workspace.write(
            &format!("{number}-{name}.md"),
            program(&format!("\"{}\": x\n", part.escape_default())),
        );
        workspace.write(
            &format!("text-{number}.md"),
            format!("# {part}\n\n[{part}]({part}.md) `{part}`\n\n{{{{ {part} }}}}\n"),
        );
    }
    for format in ["human", "github", "sarif"] {
        let all = workspace.run(&["check", "--verbose", "--format", format]).all();
        assert!(
            !all.contains(['\u{1b}', '\u{9b}', '\u{7}', '\u{202e}', '\u{2066}']),
            "{format}: {all:?}"
        );
    }
    survives("names and text with controls", workspace);
}

#[test]
fn many_files_in_many_folders() {
    let workspace = workspace();
    let count =
        std::env::var("HOSTILE_FILES").ok().and_then(|count| count.parse().ok()).unwrap_or(FILES);
    for number in 0..count {
        let folder = workspace.path(&format!("folder-{}", number % 64));
        if number < 64 {
            fs::create_dir(&folder).unwrap();
        }
        fs::write(folder.join(format!("{number}.md")), "# x\n").unwrap();
    }
    let check = workspace.run(&["check", "--quiet"]);
    assert_eq!(check.status, 0, "{check:?}");
    let mut client = serve_pull(workspace);
    client.open_with("a.md", &found());
    assert_eq!(client.codes("a.md").len(), 1);
    client.wait_for_index();
}

#[test]
fn circular_and_very_many_imports() {
    let long = workspace();
    for number in 0..150 {
        long.write(
            &format!("p{number}.md"),
            program(&format!("imports: [./p{}.md]\n", number + 1)),
        );
    }
    long.write("p100.md", program("imports: [./p0.md]\n"));
    survives("a cycle of a hundred programs", long);
    let dense = workspace();
    let all: Vec<String> = (0..24).map(|number| format!("./p{number}.md")).collect();
    (0..24).for_each(|number| {
        dense.write(&format!("p{number}.md"), program(&format!("imports: [{}]\n", all.join(", "))))
    });
    survives("two dozen programs that import each other", dense);
}

#[test]
fn yaml_that_expands_or_nests_deeply() {
    let aliases: String = (0..30)
        .rev()
        .map(|n| format!("x-{n}: &a{n} [{}]\n", vec![format!("*a{}", n + 1); 9].join(", ")))
        .collect();
    let merges: String = (0..30)
        .rev()
        .map(|n| {
            format!("x-m{n}: &m{n} {{ <<: [{}] }}\n", vec![format!("*m{}", n + 1); 3].join(", "))
        })
        .collect();
    let texts = [
        format!("x-30: &a30 [1]\n{aliases}mcp_servers: *a0\n"),
        format!(
            "x-m30: &m30 {{ a: 1 }}\n{merges}x-last: {{ <<: *m0 }}\nmcp_servers: [{{ <<: *m0, name: x }}]\n"
        ),
        format!("x: {}1{}\n", "[".repeat(20_000), "]".repeat(20_000)),
        format!("x: {}\n", "{a: ".repeat(20_000)),
        format!("x: &{} 1\n", "a".repeat(100_000)),
        "? ".repeat(20_000),
        format!("x: \"{}\n", "\\".repeat(100_001)),
    ];
    for (number, text) in texts.iter().enumerate() {
        let workspace = workspace();
        workspace.write("b.md", program(text));
        workspace.write("c.md", format!("---\n{text}---\n\nx\n"));
        survives(&format!("yaml {number}"), workspace);
    }
}

#[test]
fn front_matter_with_24_000_properties() {
    // Fewer in a debug build, which is slow. `large_front_matter_is_checked_in_time` tests that
    // the time is linear.
    let count = if cfg!(debug_assertions) { 6_000 } else { 24_000 };
    let properties: String = (0..count).map(|number| format!("    p{number}: {{ }}\n")).collect();
    let text = program("").replace(
        "input: { type: object, properties: { who: { type: string, description: Who } }, required: [who] }",
        &format!("input:\n  type: object\n  properties:\n    who: {{ type: string }}\n{properties}  required: [who]"),
    );
    let workspace = Workspace::with(&[("b.md", &text)]);
    assert!(workspace.run(&["check", "--format", "json"]).finds("markdownlang/untyped-schema"));
}

#[test]
fn endless_templates() {
    let doubling: String = (0..60)
        .map(|number| {
            format!(
                "{{{{ define \"t{number}\" }}}}{0}{0}{{{{ end }}}}",
                format_args!("{{{{ template \"t{}\" . }}}}", number + 1)
            )
        })
        .collect();
    let bodies = [
        "{{ define \"x\" }}{{ template \"x\" . }}{{ template \"x\" . }}{{ end }}{{ template \"x\" . }}".to_owned(),
        format!("{doubling}{{{{ define \"t60\" }}}}x{{{{ end }}}}{{{{ template \"t0\" . }}}}"),
        format!("{}x{}", "{{ if .who }}".repeat(20_000), "{{ end }}".repeat(20_000)),
        format!("{{{{ {}.who{} }}}}", "(".repeat(20_000), ")".repeat(20_000)),
        "{{ printf \"%1000000000d\" 1 }}".to_owned(),
        "{{ define \"x\" }}{{ template \"x\" (printf \"%s%s\" . .) }}{{ end }}{{ template \"x\" .who }}".to_owned(),
    ];
    for body in bodies {
        let workspace = Workspace::with(&[
            ("a.md", &found().replace("Greet {{ .who }}.", &body)),
            ("b.md", &body),
        ]);
        survives("an endless template", workspace);
    }
}

#[test]
fn nothing_in_the_workspace_is_executed() {
    let workspace = Workspace::new();
    let proof = workspace.path("was-run");
    let script = format!("#!/bin/sh\ntouch '{}'\n", proof.display());
    for name in [
        "evil",
        "git",
        "agentmd",
        "node",
        "sh",
        "node_modules/.bin/agentmd",
        ".git/hooks/post-checkout",
        ".git/hooks/fsmonitor",
        "python3",
        "bin/git",
    ] {
        workspace.write(name, &script);
        fs::set_permissions(workspace.path(name), fs::Permissions::from_mode(0o755)).unwrap();
    }
    workspace.write(
        ".git/config",
        format!(
            "[core]\n\tfsmonitor = {0}\n\tpager = {0}\n\tsshCommand = {0}\n",
            workspace.path("evil").display()
        ),
    );
    let servers = format!(
        "mcp_servers:\n  - {{ name: evil, command: {} }}\n  - {{ name: relative, command: ./evil }}\n",
        workspace.path("evil").display()
    );
    workspace.write("a.md", program(&format!("modle: x\n{servers}")));
    let folder = workspace.path("").parent().unwrap().to_owned();
    for arguments in [
        &["check", "--fix"][..],
        &["check", "--format", "sarif"],
        &["render", "a.md", "--input", "{\"who\": \"x\"}"],
        &["parse", "a.md"],
        &["index", "."],
    ] {
        workspace.run(arguments);
        assert!(!proof.exists(), "{arguments:?}");
    }
    workspace.run_with(&["apply", "-"], REPLY);
    assert!(!proof.exists());
    workspace.write("a.md", program(&format!("modle: x\n{servers}")));
    let mut client = serve_pull(workspace);
    client.open_with("a.md", &program(&format!("modle: x\n{servers}")));
    client.wait_for_index();
    client.codes("a.md");
    let whole =
        json!({ "start": { "line": 0, "character": 0 }, "end": { "line": 9, "character": 0 } });
    let document = client.document("a.md");
    client
        .ask(
            "textDocument/codeAction",
            json!({ "textDocument": document, "range": whole, "context": { "diagnostics": [] } }),
        )
        .unwrap();
    assert!(!proof.exists(), "the server");
    drop((client, folder));
}
