use super::RuleContext;
use crate::declare_rule;
use crate::format::front_matter::{self, broken::is_like_a_key};
use crate::markdown::front::Delimiters;
use crate::rule::Report;
use crate::yaml::Error;

declare_rule! {
    /// The front matter isn't YAML.
    ///
    /// A program with unreadable front matter doesn't run. The finding marks the characters that
    /// YAML can't parse; the rest of the file is still checked. The most common causes:
    ///
    /// - a value that contains a colon and a space, or begins with `@`, `*`, `` ` ``, `%`, `[` or
    ///   `{`: quote it;
    /// - a tab for indentation: use spaces;
    /// - a key without a colon, or without a space after the colon;
    /// - an unclosed quote or bracket.
    ///
    /// ````markdown bad
    /// ---
    /// name: greet
    /// description: Greets a person: politely
    /// input: { type: object, properties: { who: { type: string } }, required: [who] }
    /// output: { type: object, properties: { text: { type: string } }, required: [text] }
    /// ---
    ///
    /// Greet {{ .who }}.
    /// ````
    ///
    /// ````markdown good
    /// ---
    /// name: greet
    /// description: "Greets a person: politely"
    /// input: { type: object, properties: { who: { type: string } }, required: [who] }
    /// output: { type: object, properties: { text: { type: string } }, required: [text] }
    /// ---
    ///
    /// Greet {{ .who }}.
    /// ````
    pub static RULE = "markdownlang/yaml-syntax", Error, "Front matter is not YAML";
}

pub fn check(context: &RuleContext, report: &mut Report) {
    let Some(front) = context.cx.source.front_matter() else { return };
    // The line of a mistyped `---` and everything below it aren't YAML.
    let end = match front.delimiters {
        Delimiters::Unclosed => {
            let yaml = &context.yaml;
            front_matter::unclosed::mistyped_end(yaml, yaml.len(), 0, &is_like_a_key)
        }
        _ => None,
    };
    let counts = |error: &Error| end.as_ref().is_none_or(|end| error.span.end <= end.span.start);
    front_matter::report_errors(&RULE, context.cx.source, &front, report, counts);
}
