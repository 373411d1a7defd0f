use super::Subject;
use crate::declare_rule;
use crate::rule::Report;

declare_rule! {
    /// An indented `---` inside the front matter. It is text of a value here; the original program looks for any line that is
    /// `---` between blanks, and ends the front matter there. This matters only to authors whose programs must run there too.
    ///
    /// ````markdown bad
    /// ---
    /// name: greet
    /// description: |
    ///   Greets a person
    ///   ---
    ///   politely
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
    /// description: |
    ///   Greets a person
    ///   politely
    /// input: { type: object, properties: { who: { type: string } }, required: [who] }
    /// output: { type: object, properties: { text: { type: string } }, required: [text] }
    /// ---
    ///
    /// Greet {{ .who }}.
    /// ````
    pub static RULE = "compat/lenient-delimiter", Info, "A line that the original takes for the end of front matter", off;
}

pub fn check(subject: &Subject, report: &mut Report) {
    let mut at = subject.offset();
    for line in subject.yaml.split_inclusive(['\n', '\r']) {
        let text = line.trim();
        if text == "---" {
            let start = at + (line.len() - line.trim_start().len());
            report.add(
                &RULE,
                start..start + 3,
                "The original program ends the front matter at this line. Write it otherwise if the file must run there.",
            );
        }
        at += line.len();
    }
}
