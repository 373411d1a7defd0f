//! Runs an independent protocol check with every client profile. The check isn't part of this
//! project; it's expected in a folder next to it.

#[path = "support/optional.rs"]
mod optional;

use std::path::PathBuf;
use std::process::Command;

use optional::Optional;

/// How often a check is tried, since it may fail on a busy machine.
const RUNS: usize = 3;

/// The folder with the check and documents of other projects.
fn shared() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../shared/tools")
}

fn fixtures() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/lsp/fixtures")
}

/// Runs the check. The error is its output if it finds violations.
fn run(
    profile: &str,
    root: &PathBuf,
    files: &[&str],
    shared: &std::path::Path,
) -> Result<(), String> {
    let tool = shared.join("conformance");
    let server = serde_json::json!([env!("CARGO_BIN_EXE_agentmd"), "server"]).to_string();
    let mut command = Command::new("python3");
    command.current_dir(&tool).arg("conformance.py").args([
        "--model",
        "metaModel.json",
        "--cmd",
        &server,
        "--profile",
        profile,
        "--edits",
        "25",
        "--positions",
        "15",
        "--timeout",
        "120",
    ]);
    command.arg("--root").arg(root);
    for file in files {
        command.args(["--file", file]);
    }
    let output = command.output().map_err(|error| error.to_string())?;
    if output.status.success() {
        Ok(())
    } else {
        Err(format!(
            "{}{}",
            String::from_utf8_lossy(&output.stdout),
            String::from_utf8_lossy(&output.stderr)
        ))
    }
}

fn check(profile: &str) {
    let shared = shared();
    let profile = match profile {
        "full" | "minimal" | "utf8" => profile.to_owned(),
        editor => {
            let files = std::fs::read_dir(fixtures().join("profiles")).expect("profiles").flatten();
            let found = files.map(|file| file.path()).find(|path| {
                path.file_name().is_some_and(|name| name.to_string_lossy().starts_with(editor))
            });
            found.unwrap_or_else(|| panic!("no profile of {editor}")).display().to_string()
        }
    };
    let editors = shared.join("editors/fixtures");
    for (root, files) in [
        (fixtures(), &["program.md", "unicode.md", "helper.md"][..]),
        (editors, &["sample.md", "other.md"]),
    ] {
        // The check draws the same cases every time, but treats some answers as missing if they
        // take longer than fixed waits of 0.2 to 5 seconds. A real violation occurs every time.
        let mut said = String::new();
        let passes = (0..RUNS).any(|_| match run(&profile, &root, files, &shared) {
            Ok(()) => true,
            Err(violations) => {
                said.push_str(&violations);
                false
            }
        });
        assert!(passes, "{said}");
    }
}

fn main() {
    let python = Command::new("python3").arg("--version").output().is_ok();
    let missing = match (shared().is_dir(), python) {
        (true, true) => None,
        (false, _) => Some("the protocol check is not next to the project".to_owned()),
        (_, false) => Some("python3 is missing".to_owned()),
    };
    macro_rules! profiles {
        ($($name:ident),+) => { vec![$(Optional { name: stringify!($name), missing: missing.clone(), run: || check(stringify!($name)) }),+] };
    }
    optional::main(profiles!(full, minimal, utf8, nvim, helix, vscode, emacs, vim))
}
