use crate::declare_rule;
use crate::format::agent::commented;
use crate::format::agent::problem::Cause;
use crate::format::agent::subject::Subject;
use crate::rule::Fix;
use crate::rule::Report;
use crate::suggestion;
use crate::text::Edit;
use crate::yaml;

declare_rule! {
    /// The key takes one of a few values, or values of a certain form, and this one isn't among
    /// them. A value such as `none` is a hint where it has no effect, which is what it says.
    ///
    /// A value that starts with `#` is a comment for YAML, so the key is empty: quote it.
    ///
    /// ````markdown bad path=.claude/skills/brew-tea/SKILL.md clients=claude-code
    /// ---
    /// name: brew-tea
    /// description: Brews tea
    /// effort: highest
    /// ---
    ///
    /// Brew it.
    /// ````
    ///
    /// ````markdown good path=.claude/skills/brew-tea/SKILL.md clients=claude-code
    /// ---
    /// name: brew-tea
    /// description: Brews tea
    /// effort: high
    /// ---
    ///
    /// Brew it.
    /// ````
    pub static RULE = "agent/wrong-value", Warning, "Value that a client does not know";
}

pub fn check(subject: &Subject, report: &mut Report) {
    for group in subject.groups(Cause::WrongValue) {
        let Some(first) = group.first() else { continue };
        let key = first.key().unwrap_or_default();
        let written = subject.cx.source.slice(first.span.clone());
        let value = written.trim_matches(['"', '\'']);
        let words = match first.detail.as_str() {
            _ if first.reason.is_some() => first.reason.clone().unwrap_or_default(),
            _ if value.contains('\n') || value.len() > 60 => format!("unknown value of `{key}`"),
            "" | "a string" | "a number" | "an integer" | "a list" | "a mapping" => {
                format!("`{value}` is not a valid `{key}`")
            }
            // The value itself is valid, but the client reads the characters around it, too.
            expected if expected.contains(&format!("`{value}`")) && value.len() < written.len() => {
                format!("`{key}` is text in quotes; expected {expected}")
            }
            expected if expected.contains(&format!("`{value}`")) => {
                format!("the comment is part of `{key}`; expected {expected}")
            }
            expected => format!("`{value}` is not a valid `{key}`; expected {expected}"),
        };
        let finding = subject.report(&RULE, &group, first.span.clone(), &words, report);
        let comment = subject.entry(key).and_then(|entry| commented::value(subject, entry));
        if comment.is_some_and(|comment| comment == first.span) {
            let fixes = commented::fixes(subject, key, &first.span);
            finding.fixes.extend(fixes);
            continue;
        }
        if let Some(name) = first.instead.first() {
            let edit = Edit::replace(first.span.clone(), yaml::print_flow_scalar(name));
            finding.fix(Fix::suggestion(format!("Rename the key to `{name}`"), vec![edit]));
            continue;
        }
        let words: Vec<&str> =
            first.detail.split(", ").map(|word| word.trim_matches('`')).collect();
        if let Some(near) = suggestion::closest(value, words).filter(|near| !near.contains(' ')) {
            finding.fix(Fix::suggestion(
                format!("Replace with `{near}`"),
                vec![Edit::replace(first.span.clone(), near)],
            ));
        }
    }
}
