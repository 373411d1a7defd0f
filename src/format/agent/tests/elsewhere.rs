//! What is true of a file, and what authors change nothing for because of something outside of it: another
//! program, another project, another file that names it.

use super::*;

#[test]
fn numbers_of_a_query_in_a_command_that_takes_all_arguments() {
    let shown = |hint: &str, body: &str| {
        let text = format!("---\ndescription: x\nargument-hint: {hint}\n---\n\n{body}\n");
        loud(".claude/commands/a.md", &text, "claude-code", &[])
    };
    let query = "Name: $ARGUMENTS. In SQL, write only `$1` and `$2`. 日本";
    assert_eq!(shown("\"[name]\"", query), ["agent/substituted-text $1"]);
    assert_eq!(shown("<from> <to>", query), ["agent/argument-index $1"]);
    assert_eq!(shown("<a>", "Use $1 of $ARGUMENTS."), ["agent/argument-index $1"]);
    assert_eq!(shown("<a>", "Use $1 and $2."), ["agent/argument-index $1"]);
}
