use super::RuleContext;
use super::skeleton;
use crate::declare_rule;
use crate::format::front_matter::{self, broken::is_like_a_key};
use crate::markdown::front::Delimiters;
use crate::rule::{Fix, Report};
use crate::text::Edit;

declare_rule! {
    /// The front matter is missing, empty, or not delimited by two lines of `---`.
    ///
    /// A program starts with a line that is exactly `---`, and the next such line ends the front
    /// matter. Indented lines, `...` and `----` don't count. Without both lines the whole file is
    /// text, and there's no program to run.
    ///
    /// ````markdown bad
    /// ---
    /// name: greet
    /// description: Greets a person
    /// input: { type: object, properties: { who: { type: string } }, required: [who] }
    /// output: { type: object, properties: { text: { type: string } }, required: [text] }
    ///
    /// Greet {{ .who }}.
    /// ````
    ///
    /// ````markdown good
    /// ---
    /// name: greet
    /// description: Greets a person
    /// input: { type: object, properties: { who: { type: string } }, required: [who] }
    /// output: { type: object, properties: { text: { type: string } }, required: [text] }
    /// ---
    ///
    /// Greet {{ .who }}.
    /// ````
    pub static RULE = "markdownlang/front-matter-delimiter", Error, "Missing, empty or unclosed front matter";
}

pub fn check(context: &RuleContext, report: &mut Report) {
    let source = context.cx.source;
    let newline = source.line_break();
    let Some(front) = &context.front else {
        let bom = crate::markdown::front::mark_length(&source.slice(0..3.min(source.len())));
        let line = source.line_span(0);
        let span = bom.min(line.end)..line.end;
        let finding = report.add(
            &RULE,
            span,
            "missing front matter; begin the file with `---`, the fields and `---`",
        );
        let edit = Edit::insert(bom, skeleton::front_matter(context.cx, newline));
        finding.fix(Fix::suggestion("Insert front matter", vec![edit]));
        return;
    };
    match front.delimiters {
        Delimiters::Unopened => {
            let finding = report.add(
                &RULE,
                front.opening.clone(),
                "missing opening `---`; insert it before this line",
            );
            finding.fix(Fix::safe(
                "Insert the opening `---`",
                vec![Edit::insert(front.opening.start, format!("---{newline}"))],
            ));
        }
        Delimiters::Unclosed => {
            if let Some(end) = front_matter::unclosed::mistyped_end(
                &context.yaml,
                context.yaml.len(),
                front.yaml.start,
                &is_like_a_key,
            ) {
                report.add(&RULE, end.span, end.message).fix(end.fix);
                return;
            }
            let finding = report.add(
                &RULE,
                front.opening.clone(),
                "unclosed front matter; end it with a line that is exactly `---`",
            );
            let at = front.yaml.start + context.yaml.trim_end().len();
            let behind_text = at > front.yaml.start || at == front.opening.end;
            let text = if behind_text { format!("{newline}---") } else { format!("---{newline}") };
            finding.fix(Fix::safe("Insert the closing `---`", vec![Edit::insert(at, text)]));
        }
        Delimiters::Complete
            if context.tree().root.is_none() && context.tree().errors.is_empty() =>
        {
            let finding = report.add(
                &RULE,
                front.opening.clone(),
                "empty front matter; add `name`, `description`, `input` and `output`",
            );
            let at = front.yaml.end;
            finding.fix(Fix::suggestion(
                "Insert the required fields",
                vec![Edit::insert(at, skeleton::fields(context.cx, newline))],
            ));
        }
        Delimiters::Complete => {}
    }
}
