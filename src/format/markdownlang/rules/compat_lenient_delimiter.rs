use super::super::field::{FIELDS, find};
use super::RuleContext;
use crate::declare_rule;
use crate::format::Context;
use crate::markdown::SectionKind;
use crate::rule::{Fix, Report};
use crate::text::Edit;

declare_rule! {
    /// The reference implementation reads this `---` as a front matter delimiter, but agentmd
    /// doesn't: it is indented inside the front matter, where it belongs to a value, or it is below
    /// the first line of the file, where it is a thematic break.
    ///
    /// The reference implementation accepts any line that is `---` with optional whitespace. This
    /// only matters if the program must run there too.
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
    pub static RULE = "compat/lenient-delimiter", Info, "Delimiter for the reference implementation only", off;
}

pub fn check(context: &RuleContext, report: &mut Report) {
    let mut at = context.offset();
    for line in context.yaml.split_inclusive(['\n', '\r']) {
        let text = line.trim();
        if text == "---" {
            let start = at + (line.len() - line.trim_start().len());
            report.add(
                &RULE,
                start..start + 3,
                "the reference implementation ends the front matter here; change this line",
            );
        }
        at += line.len();
    }
}

/// The search for front matter covers this much of the file.
const FAR: usize = 8192;

/// Reports front matter below line 1, which keeps the file from being a program.
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
    let finding = report.add(
        &RULE,
        start..start + 3,
        "only the reference implementation reads this as front matter; move it to the first line",
    );
    let before = text.get(..start).unwrap_or_default();
    if before.trim_start_matches('\u{feff}').trim().is_empty() {
        finding.fix(Fix::suggestion("Remove the text before it", vec![Edit::delete(0..start)]));
    }
}
