//! Several wrong tools in one list.

use super::*;

fn agent(tools: &str) -> String {
    format!("---\nname: cook\ndescription: 料理🦆\ntools: {tools}\n---\n\nCook.\n")
}

/// The marked text, the text of related places, and the titles of the fixes.
fn told(tools: &str) -> (String, Vec<String>, Vec<String>) {
    let workspace = Workspace::new(".claude/agents/cook.md", &agent(tools)).clients(&["claude"]);
    let [found] = &workspace.found()[..] else { panic!("{:#?}", workspace.found()) };
    let text = |span: &crate::text::Span| workspace.text[span.clone()].to_owned();
    (
        text(&found.span),
        found.related.iter().map(|related| text(&related.span)).collect(),
        found.fixes.iter().map(|fix| fix.title.clone()).collect(),
    )
}

#[test]
fn each_wrong_tool_is_marked_and_has_a_fix_of_its_own() {
    let own = |text: &str, related: &[&str], titles: &[&str]| {
        let owned = |list: &[&str]| list.iter().map(|&word| word.to_owned()).collect::<Vec<_>>();
        (text.to_owned(), owned(related), owned(titles))
    };
    let all = "Use the names of Claude Code";
    let (grep, bash) = ("Replace `grep` by `Grep`", "Replace `run_shell_command` by `Bash`");
    for (tools, expected) in [
        ("Read, grep, run_shell_command", own("grep, run_shell_command", &[], &[all, grep, bash])),
        ("grep, Read, run_shell_command", own("grep", &["run_shell_command"], &[all, grep, bash])),
        (
            "\n  - grep\n  - Read\n  - run_shell_command",
            own("grep", &["run_shell_command"], &[all, grep, bash]),
        ),
        ("[\"grep\", Read, '日本']", own("grep", &["日本"], &[grep])),
        ("Read, Grep, grep, 日本", own("grep, 日本", &[], &["Remove `grep`"])),
        ("Read, grep", own("grep", &[], &[all])),
    ] {
        assert_eq!(told(tools), expected, "{tools}");
    }
    let crlf = agent("grep, Read, run_shell_command").replace('\n', "\r\n");
    let workspace = Workspace::new(".claude/agents/cook.md", &crlf).clients(&["claude"]);
    let found = workspace.found();
    let second = found[0].fixes.last().expect("each tool has a fix");
    assert_eq!(apply(&crlf, &second.edits).unwrap(), crlf.replace("run_shell_command", "Bash"));
}
