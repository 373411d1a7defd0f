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
fn each_wrong_tool_is_marked_and_has_its_own_fix() {
    let own = |text: &str, related: &[&str], titles: &[&str]| {
        let owned = |list: &[&str]| list.iter().map(|&word| word.to_owned()).collect::<Vec<_>>();
        (text.to_owned(), owned(related), owned(titles))
    };
    let all = "Use the names of Claude Code";
    let (grep, bash) = ("Replace `grep` with `Grep`", "Replace `run_shell_command` with `Bash`");
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
        // Subagents never get the replacement, or this one doesn't.
        ("Read, BashOutput", own("BashOutput", &[], &["Remove `BashOutput`"])),
        ("Read, KillBash", own("KillBash", &[], &[all])),
    ] {
        assert_eq!(told(tools), expected, "{tools}");
    }
    let crlf = agent("grep, Read, run_shell_command").replace('\n', "\r\n");
    let workspace = Workspace::new(".claude/agents/cook.md", &crlf).clients(&["claude"]);
    let found = workspace.found();
    let second = found[0].fixes.last().expect("each tool has a fix");
    assert_eq!(apply(&crlf, &second.edits).unwrap(), crlf.replace("run_shell_command", "Bash"));
}

#[test]
fn many_wrong_tools_are_reported_in_linear_time() {
    let list = |count: usize| -> String {
        let names = (0..count).map(|n| format!("  - Nothing{n}\n"));
        std::iter::once("\n".to_owned()).chain(names).collect()
    };
    let work = |tools: String| {
        let workspace =
            Workspace::new(".claude/agents/cook.md", &agent(&tools)).clients(&["claude"]);
        assert_eq!(workspace.found().len(), 1);
    };
    crate::growth::is_linear("unknown tools", 1_000, list, work);
    // Thousands of fixes would be useless.
    let spelled = |bits: u32, word: &str| -> String {
        let letter = |(at, letter): (usize, char)| match bits >> at & 1 {
            0 => letter,
            _ => letter.to_ascii_uppercase(),
        };
        word.chars().enumerate().map(letter).collect()
    };
    let names: Vec<String> = (0..32).map(|bits| spelled(2 * bits, "websearch")).collect();
    let (_, _, titles) = told(&names.join(", "));
    let own = titles.iter().filter(|title| title.starts_with("Replace `")).count();
    assert_eq!(own, 20, "{titles:?}");
}

fn in_opencode(tools: &str) -> Workspace {
    Workspace::new(".opencode/agents/cook.md", &agent(tools)).clients(&["opencode"])
}

#[test]
fn names_in_a_mapping_are_those_of_the_client() {
    for (tools, expected) in [
        (
            "{ write: false, todowrite: false, websearch: true, mymcp_boil: true, \"mymcp_*\": false, custom: true }",
            vec![],
        ),
        ("{ Wrte: false }", vec!["Wrte"]),
        ("\n  Read: true\n  日本: true\n  mcp__a__b: true", vec!["Read", "mcp__a__b"]),
        // The whole value is wrong.
        ("[Read, 日本]", vec!["Read, 日本", "[Read, 日本]"]),
    ] {
        let workspace = in_opencode(tools);
        let mut found: Vec<String> = Vec::new();
        for finding in workspace.found() {
            found.push(workspace.text[finding.span].to_owned());
            found.extend(
                finding.related.iter().map(|one| workspace.text[one.span.clone()].to_owned()),
            );
        }
        found.sort();
        assert_eq!(found, expected, "{tools}");
    }
    // A client that reads a list gets one finding.
    let text = agent("{ Wrte: false }");
    let workspace = Workspace::new(".claude/agents/cook.md", &text).clients(&["claude-code"]);
    let codes: Vec<&str> = workspace.found().iter().map(|found| found.rule.code).collect();
    assert!(!codes.contains(&"agent/unknown-tool"), "{codes:?}");
}

#[test]
fn a_list_becomes_a_mapping_of_the_clients_own_tools() {
    for (tools, expected) in [
        ("[Read, Bash, mcp__a__b]", "{ \"*\": false, read: true, bash: true, a_b: true }"),
        ("[\"*\", read]", "{ \"*\": true, read: true }"),
        ("[Write, write, mcp__日本]", "{ \"*\": false, write: true, 日本_*: true }"),
    ] {
        let workspace = in_opencode(tools);
        let found = workspace.found();
        let mut fixes = found.iter().flat_map(|found| &found.fixes);
        let fix = fixes.find(|fix| fix.title == "Make the list a mapping").expect("a fix");
        let after = apply(&workspace.text, &fix.edits).unwrap();
        assert_eq!(after, agent(expected));
        assert!(in_opencode(expected).found().is_empty(), "{expected}");
    }
}

#[test]
fn hooks_in_front_matter_that_never_run() {
    let text = |event: &str, matcher: &str| {
        format!(
            "---\r\nname: tea\r\ndescription: 日本🦆\r\nhooks:\r\n  {event}:\r\n    - matcher: {matcher}\r\n      hooks:\r\n        - type: command\r\n          command: x\r\n---\r\n\r\nBrew.\r\n"
        )
    };
    let found = |path: &str, event: &str, matcher: &str| {
        let workspace = Workspace::new(path, &text(event, matcher)).clients(&["claude-code"]);
        let found = workspace.found();
        assert!(found.len() < 2, "{event} {matcher}: {found:?}");
        let first = found.into_iter().next()?;
        let fixed = first.fixes.first().map(|fix| apply(&workspace.text, &fix.edits).unwrap());
        Some((workspace.text[first.span].to_owned(), first.severity, fixed))
    };
    let (skill, agent) = (".claude/skills/tea/SKILL.md", ".claude/agents/tea.md");
    for path in [skill, agent] {
        for (event, matcher, at, severity, fixed) in [
            ("PreToolUsed", "Bash", "PreToolUsed", Severity::Warning, Some(("PreToolUse", "Bash"))),
            (
                "PreToolUse",
                "Edit|bash",
                "bash",
                Severity::Warning,
                Some(("PreToolUse", "Edit|Bash")),
            ),
            ("PreToolUse", "\"(Bash\"", "(Bash", Severity::Warning, None),
            ("PreToolUse", "Bash(ls *)", "Bash(ls *)", Severity::Warning, None),
            ("Stop", "日本", "日本", Severity::Hint, None),
        ] {
            let fixed = fixed.map(|(event, matcher)| text(event, matcher));
            assert_eq!(
                found(path, event, matcher),
                Some((at.to_owned(), severity, fixed)),
                "{matcher}"
            );
        }
        for matcher in ["Bash", "\"\"", "\"*\"", "Write|MultiEdit", "1", "[bash]", "mcp__tea__.*"] {
            assert_eq!(found(path, "PreToolUse", matcher), None, "{matcher}");
        }
    }
}
