use crate::declare_rule;
use crate::format::markdownlang::suite::{Missing, Subject, Tested};
use crate::rule::Report;
use crate::schema::Part;
use crate::text::Span;
use crate::world;

declare_rule! {
    /// The program that a test file tests doesn't exist, or isn't a markdownlang program. The same
    /// goes for judges. Without `program`, `name.test.yaml` tests `name.md` in its folder.
    ///
    /// ````markdown file=greet.md
    /// ---
    /// name: greet
    /// description: Greets a person
    /// input: { type: object, properties: { who: { type: string } }, required: [who] }
    /// output: { type: object, properties: { text: { type: string } }, required: [text] }
    /// ---
    ///
    /// Greet {{ .who }}.
    /// ````
    ///
    /// ````yaml bad path=greeting.test.yaml
    /// cases:
    ///   - name: by name
    ///     input: { who: Ada }
    ///     expect: { contains: Ada }
    /// ````
    ///
    /// ````yaml good path=greeting.test.yaml
    /// program: ./greet.md
    /// cases:
    ///   - name: by name
    ///     input: { who: Ada }
    ///     expect: { contains: Ada }
    /// ````
    pub static RULE = "markdownlang/missing-test-program", Error, "Missing program of a test";
}

pub fn check(subject: &Subject, report: &mut Report) {
    if let Some(Err(missing)) = &subject.tested
        && let Some(file) = subject.cx.path
    {
        let named = subject.cases.program.as_deref();
        let path = crate::format::markdownlang::suite::program_of(file, named);
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let (at, part) = match named {
            Some(_) => ("/program", Part::Value),
            None => (subject.written.cases(), Part::Key),
        };
        let span = subject.written.mark(at, part);
        let advice = match named {
            Some(_) => "",
            None => "; name another one with `program`",
        };
        add(report, span, named.unwrap_or(&name), missing, advice);
    }
    for judge in subject.cases.cases.iter().filter_map(|case| case.expect.judge.as_ref()) {
        let Some(from) = subject.cx.path else { continue };
        let path = world::resolve(from, &judge.program);
        if let Err(missing) = Tested::read(subject.cx, path) {
            let span = subject.written.mark(&judge.at, Part::Value);
            add(report, span, &judge.program, &missing, "");
        }
    }
}

fn add(report: &mut Report, span: Span, shown: &str, missing: &Missing, advice: &str) {
    let message = match missing {
        Missing::File => format!("`{shown}` doesn't exist{advice}"),
        Missing::NotAProgram => format!("`{shown}` isn't a markdownlang program{advice}"),
    };
    report.add(&RULE, span, message);
}
