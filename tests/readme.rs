//! Checks that the README shows the program's real output.

use std::fs;
use std::path::Path;
use std::process::Command;

const CHECK: &str =
    "<!-- The output of `agentmd check examples`. A test keeps it true. -->\n```text\n";
const RENDER: &str =
    "<!-- The output of this `agentmd render`. A test keeps it true. -->\n```markdown\n";

/// A single test for both outputs, since they're in one file.
#[test]
fn the_output_in_the_readme_is_real() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let readme = fs::read_to_string(root.join("README.md")).unwrap();
    let call = readme
        .lines()
        .find_map(|line| line.strip_prefix("agentmd render "))
        .expect("the call in the README");
    let (program, input) = call.split_once(" --input ").unwrap();
    let fresh = with_output(&readme, CHECK, &["check", "examples", "--color", "never"], 1);
    let fresh =
        with_output(&fresh, RENDER, &["render", program, "--input", input.trim_matches('\'')], 0);
    if fresh != readme {
        fs::write(root.join("README.md"), fresh).unwrap();
        panic!("README.md was out of date and has been updated");
    }
}

/// Replaces the output after a mark with what the program prints now.
fn with_output(readme: &str, mark: &str, arguments: &[&str], status: i32) -> String {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let run = Command::new(env!("CARGO_BIN_EXE_agentmd"))
        .args(arguments)
        .current_dir(root)
        .output()
        .unwrap();
    assert_eq!(run.status.code(), Some(status), "{}", String::from_utf8_lossy(&run.stderr));
    let printed = String::from_utf8(run.stdout).unwrap();
    let (before, rest) = readme.split_once(mark).expect("the mark in the README");
    let (_, after) = rest.split_once("```\n").unwrap();
    format!("{before}{mark}{}\n```\n{after}", printed.trim_end())
}

#[test]
fn the_good_examples_are_good() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let programs = ["examples/programs/classify-ticket.md", "examples/programs/triage-inbox.md"];
    let run = Command::new(env!("CARGO_BIN_EXE_agentmd"))
        .args(["check", "--strict"])
        .args(programs)
        .current_dir(root)
        .output()
        .unwrap();
    assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stdout));
}
