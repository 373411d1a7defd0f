//! `convert`: a skill becomes a program.

use super::{Folder, GOOD};

const SKILL: &str = "# URL Fetcher\n\nFetches a URL and returns the status and content.\n\nParameters:\n\n- url (required): The URL to fetch\n";

#[test]
fn mdl_35_a_skill_becomes_a_program_that_passes_check() {
    let folder = Folder::with(&[("SKILL.md", SKILL)]);
    let answer = folder.run(&["convert", "SKILL.md", "--to", "markdownlang"]);
    assert_eq!((answer.status, answer.err.as_str()), (0, ""));
    assert!(answer.out.starts_with("---\nname: url-fetcher\n"), "{}", answer.out);
    assert!(
        answer.out.ends_with(
            "\n---\n\n# URL Fetcher\n\nFetches {{ .url }} and returns the status and content.\n\n"
        ),
        "{}",
        answer.out
    );
    assert_eq!(folder.run_with(&["check", "--strict", "-"], answer.out.as_bytes()).status, 0);
    assert_eq!(
        folder.run_with(&["convert", "-", "--to", "markdownlang"], SKILL.as_bytes()).out,
        answer.out
    );
}

#[test]
fn mdl_35_an_existing_output_file_is_not_replaced_without_force() {
    let folder = Folder::with(&[("SKILL.md", SKILL)]);
    let convert = |more: &[&str]| {
        folder.run(
            &[&["convert", "SKILL.md", "--to", "markdownlang", "--output", "program.md"], more]
                .concat(),
        )
    };
    let answer = convert(&[]);
    assert_eq!((answer.status, answer.out.as_str()), (0, ""));
    let written = folder.read("program.md");
    folder.write("program.md", "mine");
    let answer = convert(&[]);
    assert_eq!((answer.status, folder.read("program.md").as_str()), (1, "mine"));
    assert!(answer.err.contains("`--force` replaces it"), "{}", answer.err);
    assert_eq!(convert(&["--force"]).status, 0);
    assert_eq!(folder.read("program.md"), written);
    assert_eq!(folder.run(&["check", "--strict", "program.md"]).status, 0);
}

#[cfg(unix)]
#[test]
fn mdl_35_a_dangling_symlink_is_not_replaced_without_force() {
    let folder = Folder::with(&[("SKILL.md", SKILL)]);
    std::os::unix::fs::symlink("none.md", folder.path("program.md")).unwrap();
    let answer =
        folder.run(&["convert", "SKILL.md", "--to", "markdownlang", "--output", "program.md"]);
    assert_eq!(answer.status, 1);
    assert!(folder.path("program.md").is_symlink());
}

#[test]
fn mdl_35_notes_tell_the_author_what_to_check() {
    let folder = Folder::empty();
    let answer =
        folder.run_with(&["convert", "-", "--to", "markdownlang"], b"Use mcp__people__find.\n");
    assert!(answer.err.contains("note: the server `people` is unknown; "), "{}", answer.err);
    assert_eq!(
        folder
            .run_with(
                &["--quiet", "convert", "-", "--to", "markdownlang"],
                b"Use mcp__people__find.\n"
            )
            .err,
        ""
    );
}

#[test]
fn usage_errors_of_convert() {
    let folder = Folder::with(&[("program.md", GOOD), ("broken.md", SKILL)]);
    folder.write("latin.md", b"caf\xe9");
    for (arguments, status, message) in [
        (
            &["convert", "program.md", "--to", "markdownlang"][..],
            1,
            "already a markdownlang program",
        ),
        (&["convert", "none.md", "--to", "markdownlang"], 2, "cannot read none.md"),
        (&["convert", "latin.md", "--to", "markdownlang"], 2, "not UTF-8"),
        (&["convert", "broken.md"], 2, "--to"),
        (&["convert", "broken.md", "--to", "elsewhere"], 2, "markdownlang"),
        (&["convert", "broken.md", "--to", "markdownlang", "--force"], 2, "--output"),
    ] {
        let answer = folder.run(arguments);
        assert_eq!(answer.status, status, "{answer:#?}");
        assert!(answer.err.contains(message), "{answer:#?}");
    }
}
