//! Which servers a program may start without asking.

use super::servers::{INPUT, good, notes};
use super::{COUNT, Folder, Provider, server, with_server};

/// A folder with a workspace whose program imports one from outside the workspace.
fn folder() -> Option<Folder> {
    let folder = Folder::agreed(&[
        ("work/main.md", &COUNT.replace("name: count", "name: main\nimports: [../far/count.md]")),
        ("work/.git/HEAD", ""),
    ]);
    let notes = serde_json::json!(folder.path("notes").to_string_lossy());
    let env = format!(", env: {{ NOTES: {notes} }}");
    folder.write("far/count.md", with_server(&server()?, &env));
    Some(folder)
}

fn run(folder: &Folder, program: &str, more: &[&str]) -> (crate::Answer, usize) {
    let provider = Provider::with([good()]);
    let arguments = [&["run", program], &INPUT[1..], more].concat();
    let answer = super::answer(
        folder
            .at_home(&arguments)
            .current_dir(folder.path("work"))
            .env("OPENAI_BASE_URL", &provider.url),
    );
    (answer, provider.asked().len())
}

#[test]
fn mdl_34_an_import_outside_the_workspace_starts_nothing_without_asking() {
    let Some(folder) = folder() else { return };
    let (refused, asked) = run(&folder, "main.md", &[]);
    assert_eq!((refused.status, asked), (1, 0), "{refused:?}");
    assert!(
        refused.err.starts_with("error: `main.md` imports ")
            && refused.err.contains("far/count.md, outside of this workspace, which starts servers: ../far/count.md: starts ")
            && refused.err.contains("server.py")
            && refused.err.contains("with `--trust`"),
        "{}",
        refused.err
    );
    // With permission it runs, and the permission is remembered.
    for more in [&["--trust"][..], &[]] {
        let (allowed, asked) = run(&folder, "main.md", more);
        assert_eq!((allowed.status, asked), (0, 1), "{allowed:?}");
    }
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let file = std::fs::metadata(folder.path(".agentmd-trust.json")).unwrap();
        assert_eq!(file.permissions().mode() & 0o777, 0o600);
    }
    // Its command has changed.
    let before = notes(&folder).len();
    let text = folder.read("far/count.md");
    folder.write("far/count.md", text.replace("server.py\"]", "server.py\", other]"));
    let (changed, asked) = run(&folder, "main.md", &[]);
    assert_eq!((changed.status, asked, notes(&folder).len()), (1, 0, before), "{changed:?}");
    assert!(
        changed.err.starts_with("error: what `main.md` starts has changed since you allowed it: "),
        "{}",
        changed.err
    );
    // A change of its prose doesn't matter.
    folder.write("far/count.md", text.replace("Count the words", "Please count the words"));
    assert_eq!(run(&folder, "main.md", &[]).0.status, 0);
}

#[test]
fn mdl_34_a_program_that_you_name_may_start_its_own_servers() {
    let Some(folder) = folder() else { return };
    let text = folder.read("far/count.md");
    folder.write("work/own.md", &text);
    assert_eq!(run(&folder, "own.md", &[]).0.status, 0);
    // A refused run has a summary, too.
    let (refused, _) = run(&folder, "main.md", &["-summary"]);
    assert!(refused.err.contains("\"success\": false"), "{}", refused.err);
}

/// Runs a command in a terminal and types a line when asked.
#[cfg(unix)]
const TERMINAL: &str = r#"
import os, pty, sys
child, terminal = pty.fork()
if child == 0:
    os.execv(sys.argv[2], sys.argv[2:])
seen, typed = b"", False
while True:
    try:
        data = os.read(terminal, 4096)
    except OSError:
        break
    if not data:
        break
    seen += data
    if not typed and b"[y/N]" in seen:
        os.write(terminal, sys.argv[1].encode() + b"\n")
        typed = True
status = os.waitpid(child, 0)[1]
sys.stdout.buffer.write(seen)
sys.exit(os.waitstatus_to_exitcode(status))
"#;

#[cfg(unix)]
#[test]
fn mdl_34_on_a_terminal_it_asks_before_the_first_time_and_after_a_change() {
    let Some(folder) = folder() else { return };
    folder.write("work/own.md", folder.read("far/count.md"));
    let run = |typed: &str| {
        let provider = Provider::with([good()]);
        let own = [env!("CARGO_BIN_EXE_agentmd"), "run", "own.md"];
        // The same environment, but for another program.
        let mut command = folder.at_home(&[]);
        let env: Vec<_> =
            command.get_envs().map(|(n, v)| (n.to_owned(), v.map(ToOwned::to_owned))).collect();
        command = std::process::Command::new("python3");
        for (name, value) in env {
            match value {
                Some(value) => command.env(name, value),
                None => command.env_remove(name),
            };
        }
        command.args(["-c", TERMINAL, typed]).args(own).args(&INPUT[1..]);
        command.current_dir(folder.path("work")).env("OPENAI_BASE_URL", &provider.url);
        (super::answer(&mut command), provider.asked().len())
    };
    let (refused, asked) = run("n");
    assert_eq!((refused.status, asked), (1, 0), "{refused:?}");
    for shown in [
        "own.md: starts ",
        "server.py",
        "with NOTES in its environment",
        "are sent to http://127.0.0.1:",
    ] {
        assert!(refused.out.contains(shown), "{shown}: {}", refused.out);
    }
    assert!(
        refused.out.contains("you did not allow it; nothing was started or sent"),
        "{}",
        refused.out
    );
    let (allowed, asked) = run("y");
    assert_eq!((allowed.status, asked), (0, 1), "{allowed:?}");
    // The answer is remembered until the program changes.
    let (again, _) = run("");
    assert!(again.status == 0 && !again.out.contains("[y/N]"), "{again:?}");
    let text = folder.read("work/own.md");
    folder.write("work/own.md", text.replace("server.py\"]", "server.py\", other]"));
    let (changed, asked) = run("");
    assert!(changed.out.contains("has changed. It starts"), "{}", changed.out);
    assert_eq!((changed.status, asked), (1, 0));
}
