//! Files that only show what others look like: templates, and pages of documentation.

use super::*;

#[test]
fn templates_of_agents_have_template_in_their_name() {
    let text = "---\nname: NAME\ndescription: [what it does]\n---\n\nCook.\n";
    for (path, name, count) in [
        (".claude/agents/_agent.template.md", "[agent-name]", 0),
        (".claude/agents/agent-template.md", "your-agent", 0),
        (".claude/agents/template-writer.md", "template-writer", 1),
        (".claude/agents/cook.md", "[agent-name]", 2),
    ] {
        let found = loud(path, &text.replace("NAME", name), "claude-code", &[]);
        assert_eq!(found.len(), count, "{path} {name} {found:?}");
    }
}

#[test]
fn front_matter_that_a_program_fills_in_is_not_unclosed() {
    let text = "---\nname: tea\ndescription: LINE\n\nBrew.\n";
    for (path, line, count) in [
        ("notes/tea.md", "Brews", 1),
        ("notes/tea.md", "Brews\n{{#if model}}model: {{model}}\n{{/if}}---", 0),
        ("templates/tea.md", "Brews", 0),
    ] {
        let found = loud(path, &text.replace("LINE", line), "claude-code", &[]);
        assert_eq!(found.len(), count, "{path} {line} {found:?}");
    }
}

#[test]
fn pages_of_documentation_show_edits() {
    let text = "The output:\n\n```diff\n--- a/src/none.rs\n+++ b/src/none.rs\n@@ -1 +1 @@\n-let a = 1;\n+let a = 2;\n```\n";
    for (path, count) in [("reply.md", 1), ("docs/diffs.md", 0)] {
        let found = loud(path, text, "claude-code", &["src/a.rs"]);
        assert_eq!(found.len(), count, "{path} {found:?}");
    }
}

#[test]
fn links_in_a_list_that_a_quotation_introduces() {
    for (text, count) in [
        ("1. Say: \"I found:\n   - [日本](src/a.md): tea\n\n   Connect?\"\n", 0),
        ("1. Say:\n   \"I found:\n\n   - [a](a.md): tea\n   - [b](src/b.md)\n", 0),
        ("1. Say: \"I found\" and read:\n   - [a](src/a.md): tea\n", 1),
        ("1. Say: \"I found\n   - [a](src/a.md): tea\n", 1),
        ("\"I found:\n\nSee [a](src/a.md).\n", 1),
        ("- [a](src/a.md)\n", 1),
    ] {
        assert_eq!(loud("CLAUDE.md", text, "claude-code", &[]).len(), count, "{text:?}");
    }
}
