//! Shared by all formats with front matter: its YAML mistakes as findings, each with the repairs
//! that are known to help.

pub mod broken;
mod quoted;
pub mod rules;
pub mod unclosed;

pub use quoted::astray;

use crate::rule::{Diagnostic, Fix, Report, Rule};
use crate::source::{FrontMatter, Source};
use crate::text::{self, Edit, Span};
use crate::yaml::{self, Error, ErrorKind, Tree};

/// Reports every YAML mistake that `counts`, with fixes. The mistakes' spans count from the start
/// of the YAML.
pub fn report_errors(
    rule: &'static Rule,
    source: &Source,
    front: &FrontMatter,
    report: &mut Report,
    counts: impl Fn(&Error) -> bool,
) {
    if front.tree.errors.is_empty() {
        return;
    }
    let text = source.slice(front.yaml_span.clone());
    report_tree(rule, &text, front.tree, front.yaml_span.start, report, counts);
}

/// The same for any YAML that begins at `offset` in the document.
pub fn report_tree(
    rule: &'static Rule,
    text: &str,
    tree: &Tree,
    offset: usize,
    report: &mut Report,
    counts: impl Fn(&Error) -> bool,
) {
    let repair = Repair { text, errors: tree.errors.len() };
    for (index, error) in tree.errors.iter().enumerate().filter(|(_, error)| counts(error)) {
        let finding = report.add(rule, shift(&error.span, offset), error.message.clone());
        if index < MOST_REPAIRED {
            repair.fixes(error, offset, finding);
        }
    }
}

/// Offers the repairs of a broken value, whose edits count from the start of the YAML.
pub fn offer(finding: &mut Diagnostic, repairs: Vec<broken::Repair>, offset: usize) {
    for repair in repairs {
        let edits = shifted(repair.edits, offset);
        finding.fix(if repair.safe {
            Fix::safe(repair.title, edits)
        } else {
            Fix::suggestion(repair.title, edits)
        });
    }
}

/// Fixes are tested before they are offered, which parses the YAML for each.
const MOST_REPAIRED: usize = 20;

/// Converts a span of the YAML to the document.
pub fn shift(span: &Span, by: usize) -> Span {
    span.start + by..span.end + by
}

/// Converts edits of the YAML to the document.
pub fn shifted(edits: Vec<Edit>, by: usize) -> Vec<Edit> {
    edits.into_iter().map(|edit| Edit { span: shift(&edit.span, by), text: edit.text }).collect()
}

/// The rule of scratch findings that only collect repairs; never reported.
static SCRATCH: Rule = Rule {
    code: "markdown/scratch",
    severity: crate::rule::Severity::Warning,
    off: true,
    strict: false,
    summary: "",
    page: "",
};

struct Repair<'a> {
    text: &'a str,
    errors: usize,
}

impl Repair<'_> {
    fn fixes(&self, error: &Error, offset: usize, finding: &mut Diagnostic) {
        let wrong = self.text.get(error.span.clone()).unwrap_or_default();
        let mut offer = |title: &str, edits: Vec<Edit>, safe: bool| {
            let helps = self.helps(&edits);
            if helps {
                let fix = if safe {
                    Fix::safe(title, shifted(edits, offset))
                } else {
                    Fix::suggestion(title, shifted(edits, offset))
                };
                finding.fix(fix);
            }
            helps
        };
        match error.kind {
            ErrorKind::NeedsQuotes => {
                let meant = quoted::meant(wrong);
                let sure = meant.as_ref().is_none_or(|meant| meant.sure);
                let text = meant.map_or_else(|| folded(wrong), |meant| meant.text);
                offer(
                    "Quote the value",
                    vec![Edit::replace(error.span.clone(), yaml::quote(&text))],
                    sure && is_meant_as_text(self.key_before(error.span.start), wrong),
                );
            }
            ErrorKind::Tab => {
                let line = self.start_of_line(error.span.start);
                let lead = self.text.get(line..).unwrap_or_default();
                let lead = line..line + lead.len() - lead.trim_start_matches([' ', '\t']).len();
                let meant = yaml::tabs::meant(self.text, error.span.start);
                let (span, spaces, sure) = match meant.filter(|_| error.span.end <= lead.end) {
                    Some(meant) => (lead, " ".repeat(meant.indent), meant.sure),
                    None => (error.span.clone(), wrong.replace('\t', "  "), true),
                };
                offer("Replace the tab with spaces", vec![Edit::replace(span, spaces)], sure);
            }
            ErrorKind::MissingColon => {
                let colon = wrong.find(':').map(|at| error.span.start + at + 1);
                match colon {
                    Some(at) => {
                        offer("Add a space after the colon", vec![Edit::insert(at, " ")], true)
                    }
                    None => {
                        let word = wrong.split_whitespace().next().map_or(wrong.len(), str::len);
                        offer(
                            "Add a colon",
                            vec![Edit::insert(error.span.start + word, ":")],
                            false,
                        )
                    }
                };
            }
            ErrorKind::Unclosed => {
                let closing = closing(wrong);
                offer(
                    &format!("Add the closing `{closing}`"),
                    vec![Edit::insert(error.span.end, closing.clone())],
                    false,
                );
            }
            ErrorKind::Indentation => {
                let line_start = self.start_of_line(error.span.start);
                for indent in self.indents(line_start, error.span.start - line_start) {
                    if offer(
                        "Align the line",
                        vec![Edit::replace(line_start..error.span.start, " ".repeat(indent))],
                        false,
                    ) {
                        break;
                    }
                }
            }
            ErrorKind::Syntax if matches!(wrong, "]" | "}") => {
                offer(
                    &format!("Remove the `{wrong}`"),
                    vec![Edit::delete(error.span.clone())],
                    false,
                );
            }
            _ => {}
        }
    }

    fn start_of_line(&self, at: usize) -> usize {
        let before = self.text.get(..at).and_then(|before| before.rfind(['\n', '\r']));
        before.map_or(0, |found| found + 1)
    }

    /// The key whose value begins at an offset of the same line.
    fn key_before(&self, at: usize) -> &str {
        let before = self.text.get(..at).unwrap_or_default();
        let line = before.rsplit(['\n', '\r']).next().unwrap_or_default().trim_end();
        let key = line.strip_suffix(':').unwrap_or_default();
        key.rsplit([' ', '\t', '{', ',']).next().unwrap_or_default()
    }

    /// Whether the YAML has fewer mistakes after the edits.
    fn helps(&self, edits: &[Edit]) -> bool {
        text::apply(self.text, edits)
            .is_ok_and(|mended| yaml::parse(&mended).errors.len() < self.errors)
    }

    /// The indentations of the lines above and below, also after the dash of a list item, nearest
    /// to `column` first.
    fn indents(&self, line_start: usize, column: usize) -> Vec<usize> {
        let above = self
            .text
            .get(..line_start)
            .unwrap_or_default()
            .lines()
            .rev()
            .filter(|line| !line.trim().is_empty())
            .take(20);
        let below = self
            .text
            .get(line_start..)
            .unwrap_or_default()
            .lines()
            .filter(|line| !line.trim().is_empty())
            .skip(1)
            .take(1);
        let mut found: Vec<usize> = Vec::new();
        for line in above.chain(below) {
            let indent = line.len() - line.trim_start_matches(' ').len();
            found.push(indent);
            let item = line.get(indent..).unwrap_or_default();
            if let Some(rest) = item.strip_prefix("- ") {
                found.push(indent + item.len() - rest.trim_start_matches(' ').len());
            }
        }
        found.sort_by_key(|indent| (indent.abs_diff(column), *indent));
        found.dedup();
        found
    }
}

/// A value in quotes, so that YAML reads it as the author meant it.
fn in_quotes(value: &str) -> String {
    let meant = quoted::meant(value);
    yaml::quote(&meant.map_or_else(|| value.to_owned(), |meant| meant.text))
}

/// Whether quotes around a value preserve the author's intention. A list or a mapping with a
/// mistake would become a string.
fn is_meant_as_text(key: &str, value: &str) -> bool {
    let key = key.trim_matches(['"', '\'']).to_lowercase();
    if is_part_of_structure(value) {
        return false;
    }
    if is_text_key(&key) {
        return true;
    }
    match value.chars().next() {
        Some('[') => false,
        // `{a,b}/**` is a glob.
        Some('{') => value.starts_with("{{") || value.contains('*'),
        _ => {
            let first = value.split(':').next().unwrap_or_default();
            let is_key = |letter: char| {
                letter.is_ascii_alphanumeric() || matches!(letter, '-' | '_' | '$' | '"' | '\'')
            };
            // Text begins with several words, or with a capital letter.
            !first.chars().all(is_key)
                || first.len() == value.len()
                || first.starts_with(|letter: char| letter.is_ascii_uppercase())
                    && !STRUCTURED_KEYS.contains(&key.as_str())
        }
    }
}

/// Whether a value is a mapping or a list with a missing or an extra bracket: `{ type: string }:
/// x`, `"-y", "pkg"]`.
fn is_part_of_structure(value: &str) -> bool {
    let value = value.trim_end();
    let mapping = value.strip_prefix('{').filter(|rest| !rest.starts_with('{'));
    let keyed = mapping.is_some_and(|rest| {
        let word = rest.trim_start().split(':').next().unwrap_or_default();
        let is_key = |letter: char| {
            letter.is_alphanumeric() || matches!(letter, '-' | '_' | '$' | '"' | '\'')
        };
        rest.contains(": ") && !word.is_empty() && word.chars().all(is_key)
    });
    let closes = |opening: char, closing: char| {
        value.ends_with(closing) && value.matches(closing).count() > value.matches(opening).count()
    };
    let quoted = value.starts_with(['"', '\''])
        && value.match_indices(',').any(|(at, _)| {
            let (before, after) = value.split_at(at);
            let after = after.trim_start_matches([',', ' ']);
            before.ends_with(['"', '\'']) && after.starts_with(['"', '\''])
        });
    keyed || quoted || closes('[', ']') || closes('{', '}')
}

/// Whether a lowercase key takes text.
fn is_text_key(key: &str) -> bool {
    TEXT_KEYS.iter().any(|word| key.contains(word))
}

/// Whether a key takes sentences rather than a name or a few words.
pub fn takes_prose(key: &str) -> bool {
    let key = key.to_lowercase();
    is_text_key(&key) && !["name", "title", "license"].iter().any(|word| key.contains(word))
}

/// Words in the names of keys that take text.
const TEXT_KEYS: &[&str] = &[
    "comment",
    "compatibility",
    "description",
    "hint",
    "instruction",
    "license",
    "message",
    "name",
    "note",
    "prompt",
    "purpose",
    "summary",
    "title",
    "when",
];

/// Keys whose values are mappings with names of the author's choice.
const STRUCTURED_KEYS: &[&str] =
    &["default", "env", "headers", "input", "metadata", "output", "properties", "sample"];

/// A value over several lines as YAML folds it.
fn folded(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut blank = 0;
    for (index, line) in text.lines().map(str::trim).enumerate() {
        match (index, line.is_empty(), blank) {
            (0, ..) => {}
            (_, true, _) => {
                blank += 1;
                continue;
            }
            (_, false, 0) => out.push(' '),
            (_, false, lines) => out.extend(std::iter::repeat_n('\n', lines)),
        }
        blank = 0;
        out.push_str(line);
    }
    out
}

/// The brackets that close everything open at the end of `text`.
fn closing(text: &str) -> String {
    let mut open = Vec::new();
    for character in text.chars() {
        let quoted = open.last().copied().filter(|last| matches!(last, '"' | '\''));
        match (character, quoted) {
            (_, Some(quote)) if character == quote => {
                open.pop();
            }
            ('"' | '\'', None) => open.push(character),
            ('[', None) => open.push(']'),
            ('{', None) => open.push('}'),
            (']' | '}', None) => {
                open.pop();
            }
            _ => {}
        }
    }
    open.into_iter().rev().collect()
}
