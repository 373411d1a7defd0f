use super::super::field::{FIELDS, find};
use super::Subject;
use crate::declare_rule;
use crate::format::Context;
use crate::markdown::SectionKind;
use crate::rule::{Fix, Report};
use crate::text::Edit;

declare_rule! {
    /// A `---` that delimits front matter for the original program and not here: an indented one
    /// inside the front matter, which is the text of a value here, or an opening one below the
    /// first line of the file, which is a thematic break.
    ///
    /// The original looks for any line that is `---` between blanks. This matters only to authors
    /// whose programs must run there too.
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

/// How far from the top front matter is looked for.
const FAR: usize = 8192;

/// Reports front matter that does not begin in line 1 of a file that is no program for that reason.
pub fn check_plain(cx: &Context, report: &mut Report) {
    let Some(top) = cx
        .source
        .sections()
        .next()
        .filter(|top| !matches!(top.section.kind, SectionKind::Front(_)))
    else {
        return;
    };
    let text = cx.source.slice(0..top.span().end.min(FAR));
    let mut at = 0;
    let mut lines = text.split_inclusive('\n').map(|line| {
        at += line.len();
        (at - line.len(), line)
    });
    let Some((start, line)) = lines.find(|(_, line)| line.trim() == "---") else { return };
    let fields = lines
        .take_while(|(_, line)| line.trim() != "---")
        .filter_map(|(_, line)| find(FIELDS, line.split_once(':')?.0));
    let known: Vec<&str> = fields.map(|field| field.name).collect();
    if known.len() < 2 || !known.iter().any(|name| matches!(*name, "input" | "output")) {
        return;
    }
    let start = start + (line.len() - line.trim_start().len());
    let finding =
        report.add(&RULE, start..start + 3, "The original program reads front matter from here on. Begin the file with it to make it a program.");
    let before = text.get(..start).unwrap_or_default();
    if before.trim_start_matches('\u{feff}').trim().is_empty() {
        finding.fix(Fix::suggestion("Remove what stands before it", vec![Edit::delete(0..start)]));
    }
}
