use crate::client::loading::Mode;
use crate::declare_rule;
use crate::format::agent::loaded;
use crate::format::agent::reading::Read;
use crate::format::agent::subject::Subject;
use crate::format::agent::weight::Claim;
use crate::rule::Report;
use crate::rule::{Fix, Severity};
use crate::text::{Edit, Span};

declare_rule! {
    /// Globs of `applyTo` are relative to the workspace. One that starts with `/` or `./` matches
    /// nothing. One without a folder (`*.ts`) is a hint: VS Code finds files in every folder with
    /// it, github.com only those at the root. Cursor takes `globs` as they are written: quotes and
    /// brackets become part of them. A rule that another key loads always needs no globs: there, this is
    /// a hint.
    ///
    /// ````markdown bad path=.github/instructions/ts.instructions.md clients=copilot
    /// ---
    /// description: Rules for TypeScript
    /// applyTo: "/src/**/*.ts"
    /// ---
    ///
    /// Use strict types.
    /// ````
    ///
    /// ````markdown good path=.github/instructions/ts.instructions.md clients=copilot
    /// ---
    /// description: Rules for TypeScript
    /// applyTo: "src/**/*.ts"
    /// ---
    ///
    /// Use strict types.
    /// ````
    pub static RULE = "agent/narrow-glob", Warning, "Glob that matches less than it seems";
}

pub fn check(subject: &Subject, report: &mut Report) {
    let reads =
        subject.file.judged.iter().map(|role| role.reads).find(|reads| {
            reads.globs.as_written || reads.globs.relative || reads.globs.flat.is_some()
        });
    let Some(reads) = reads else { return };
    let matching = reads.when.iter().find(|when| when.mode == Mode::Match);
    let key = matching.and_then(|when| when.globs.as_ref().or(when.key.as_ref()));
    let Some(entry) = key.and_then(|key| subject.entry(key)) else { return };
    let span = subject.value_place(entry);
    // If another key makes the rule always loaded, its globs don't matter.
    let always = match &*subject.read(reads.reading) {
        Read::Keys(keys) => loaded::when(reads, &keys.values).0 == Mode::Always,
        _ => false,
    };
    let severity = if always { Severity::Hint } else { Severity::Warning };
    if reads.globs.as_written {
        return raw(subject, &span, severity, report);
    }
    let Some(text) = entry.value.as_str() else { return };
    let written = subject.cx.source.slice(span.clone());
    let mut from = 0;
    for glob in text.split(',').map(str::trim) {
        let Some(at) = written.get(from..).and_then(|rest| rest.find(glob)) else { continue };
        let at = from + at;
        from = at + glob.len();
        let rooted = reads.globs.relative && (glob.starts_with('/') || glob.starts_with("./"));
        let is_flat = glob.starts_with("*.") && !glob.contains('/');
        let flat = reads.globs.flat.as_ref().filter(|_| is_flat);
        if !rooted && flat.is_none() {
            continue;
        }
        let place = span.start + at..span.start + at + glob.len();
        let (words, fixed) = match flat {
            Some(place) => (
                format!("on {place} `{glob}` matches only files at the root"),
                format!("**/{glob}"),
            ),
            None => (
                format!("`{glob}` matches no file: globs are relative to the workspace"),
                glob.trim_start_matches('.').trim_start_matches('/').to_owned(),
            ),
        };
        let finding = report.add(&RULE, place.clone(), words);
        let severity = if rooted { severity } else { Severity::Hint };
        finding.severity = subject.weigh(Claim::Text, severity);
        finding.fix(Fix::suggestion(
            format!("Replace with `{fixed}`"),
            vec![Edit::replace(place, fixed)],
        ));
    }
}

/// Reports quotes and brackets in globs that a client reads as written.
fn raw(subject: &Subject, span: &Span, severity: Severity, report: &mut Report) {
    let written = subject.cx.source.slice(span.clone());
    let quoted =
        written.len() > 1 && written.starts_with(['"', '\'']) && written.ends_with(['"', '\'']);
    let empty = written.trim_matches(['[', ']', ' ']).is_empty();
    let list = !empty && (written.starts_with('[') || written.starts_with("- "));
    if quoted {
        let finding = report.add(&RULE, span.clone(), "quotes become part of the glob");
        finding.severity = subject.weigh(Claim::Text, severity);
        let inner = written.trim_matches(['"', '\'']).to_owned();
        finding.fix(Fix::suggestion("Remove the quotes", vec![Edit::replace(span.clone(), inner)]));
    } else if list {
        let finding =
            report.add(&RULE, span.clone(), "globs are separated by commas; a list is not read");
        finding.severity = subject.weigh(Claim::Text, severity);
    } else if let Some(at) = written.find(", ") {
        let place = span.start + at..span.start + at + 2;
        let words = "a space after the comma is reported to keep the next glob from matching";
        let finding = report.add(&RULE, place.clone(), words);
        finding.severity = Severity::Hint;
        finding.fix(Fix::suggestion("Remove the space", vec![Edit::replace(place, ",")]));
    }
}
