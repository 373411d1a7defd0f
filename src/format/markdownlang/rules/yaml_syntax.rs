use super::Subject;
use crate::declare_rule;
use crate::format::front_matter;
use crate::rule::Report;

declare_rule! {
    /// The front matter is not YAML.
    ///
    /// A program whose front matter cannot be read does not run. The finding stands on the
    /// characters that YAML cannot make sense of; everything else in the file is still checked. The
    /// most common causes:
    ///
    /// - a value with a colon and a space in it, or one that begins with `@`, `*`, ``
    ///   ` ``, `%`, `[` or `{`: quote it;
    /// - a tab for indentation: use spaces;
    /// - a key without a colon, or without the space behind it;
    /// - a quote or a bracket that is not closed.
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
    pub static RULE = "markdownlang/yaml-syntax", Error, "Front matter that YAML cannot read";
}

pub fn check(subject: &Subject, report: &mut Report) {
    if let Some(front) = subject.cx.source.front_matter() {
        front_matter::report_errors(&RULE, subject.cx.source, &front, report, |_| true);
    }
}
