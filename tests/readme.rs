//! What the README shows is what the program prints.

use std::fs;
use std::path::Path;
use std::process::Command;

const MARK: &str = "<!-- The output of `agentmd check examples`. A test keeps it true. -->\n```text\n";

#[test]
fn the_output_in_the_readme_is_real() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let run = Command::new(env!("CARGO_BIN_EXE_agentmd")).args(["check", "examples", "--color", "never"]).current_dir(root).output().unwrap();
    assert_eq!(run.status.code(), Some(1), "{}", String::from_utf8_lossy(&run.stderr));
    let printed = String::from_utf8(run.stdout).unwrap();
    let readme = fs::read_to_string(root.join("README.md")).unwrap();
    let (before, rest) = readme.split_once(MARK).expect("the README has lost its mark");
    let (shown, after) = rest.split_once("```\n").unwrap();
    if shown.trim_end() != printed.trim_end() {
        fs::write(root.join("README.md"), format!("{before}{MARK}{}\n```\n{after}", printed.trim_end())).unwrap();
        panic!("README.md showed something else; it is up to date now");
    }
}

#[test]
fn the_good_examples_are_good() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let programs = ["examples/programs/classify-ticket.md", "examples/programs/triage-inbox.md"];
    let run = Command::new(env!("CARGO_BIN_EXE_agentmd")).args(["check", "--strict"]).args(programs).current_dir(root).output().unwrap();
    assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stdout));
}
