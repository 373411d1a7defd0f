use crate::declare_rule;
use crate::format::agent::subject::Subject;
use crate::format::agent::weight::Claim;
use crate::rule::Report;
use crate::rule::{Fix, Severity};
use crate::text::Edit;
use crate::yaml::{Kind, Style};

declare_rule! {
    /// Without double quotes, YAML reads `\n` as a backslash and a letter, and the model gets
    /// both. Write the value as a block of text.
    ///
    /// ````markdown bad path=.claude/agents/gardener.md clients=claude-code
    /// ---
    /// name: gardener
    /// description: Tends plants.\\n\\nExamples follow.
    /// ---
    ///
    /// Tend them.
    /// ````
    ///
    /// ````markdown good path=.claude/agents/gardener.md clients=claude-code
    /// ---
    /// name: gardener
    /// description: |-
    ///   Tends plants.
    ///
    ///   Examples follow.
    /// ---
    ///
    /// Tend them.
    /// ````
    pub static RULE = "agent/escaped-newlines", Info, "Line breaks written as `\\n`";
}

pub fn check(subject: &Subject, report: &mut Report) {
    let Some(entry) = subject.entry("description") else { return };
    let Kind::Scalar(scalar) = &entry.value.kind else { return };
    if !matches!(scalar.style, Style::Plain | Style::SingleQuoted)
        || !scalar.text.contains("\\n")
        || subject.front.as_ref().is_none_or(|front| !front.tree.errors.is_empty())
    {
        return;
    }
    let span = subject.value_place(entry);
    let finding = report.add(&RULE, span.clone(), "`\\n` is not a line break here");
    finding.severity = subject.weigh(Claim::Text, Severity::Info);
    let end = subject.cx.source.line_break();
    let lines: Vec<String> = scalar
        .text
        .split("\\n")
        .map(
            |line| {
                if line.trim().is_empty() { String::new() } else { format!("  {}", line.trim()) }
            },
        )
        .collect();
    finding.fix(Fix::suggestion(
        "Make the value a block of text",
        vec![Edit::replace(span, format!("|-{end}{}", lines.join(end)))],
    ));
}
