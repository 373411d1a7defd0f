use crate::client::Client;
use crate::declare_rule;
use crate::format::agent::problem::Cause;
use crate::format::agent::subject::Subject;
use crate::format::agent::tools::{self, Meaning};
use crate::rule::Fix;
use crate::rule::Report;
use crate::text::Edit;
use crate::yaml::{Entry, Kind, print_flow_scalar, quote};

declare_rule! {
    /// The client expects another type of value: a string where a list is written, a mapping where
    /// a list is, and so on. Some clients ignore the key, some skip the file, and OpenCode doesn't
    /// start.
    ///
    /// Outside the folders that clients read, this is a hint if most neighbouring files have the key too:
    /// a program of the project may read it.
    ///
    /// ````markdown bad path=.github/instructions/tests.instructions.md clients=copilot
    /// ---
    /// description: Rules for tests
    /// applyTo:
    ///   - "**/*.test.ts"
    ///   - "**/*.spec.ts"
    /// ---
    ///
    /// Name the tested function.
    /// ````
    ///
    /// ````markdown good path=.github/instructions/tests.instructions.md clients=copilot
    /// ---
    /// description: Rules for tests
    /// applyTo: "**/*.test.ts,**/*.spec.ts"
    /// ---
    ///
    /// Name the tested function.
    /// ````
    pub static RULE = "agent/wrong-type", Warning, "Value of the wrong type";
}

pub fn check(subject: &Subject, report: &mut Report) {
    for group in subject.groups(Cause::WrongType) {
        let Some(first) = group.first() else { continue };
        let key = first.key().unwrap_or_default();
        let words =
            first.reason.clone().unwrap_or_else(|| format!("`{key}` must be {}", first.detail));
        let finding = subject.report(&RULE, &group, first.span.clone(), &words, report);
        let Some(entry) =
            subject.entry(key).filter(|entry| subject.value_place(entry) == first.span)
        else {
            continue;
        };
        if let Some((title, text)) = converted(entry, key, &first.detail, first.client)
            && let Some(edit) = written(subject, entry, &text)
        {
            finding.fix(Fix::suggestion(title, vec![edit]));
        }
    }
}

/// The edit that writes a value on the line of its key.
pub(super) fn written(subject: &Subject, entry: &Entry, text: &str) -> Option<Edit> {
    let span = subject.value_place(entry);
    let source = subject.cx.source;
    let colon = subject.place(&entry.key.span).end;
    let between = source.slice(colon.min(span.start)..span.start);
    if !between.contains('\n') {
        return Some(Edit::replace(span, text));
    }
    // A comment, an anchor or a tag would be lost.
    (between.trim() == ":").then(|| Edit::replace(colon..span.end, format!(": {text}")))
}

/// A client's own names for a tool in a list.
fn names_of(client: &Client, name: &str) -> Vec<String> {
    match tools::meaning(client, tools::base(name)) {
        Meaning::Renamed(new) | Meaning::Unknown(new) if !new.is_empty() => new,
        _ => vec![tools::base(name).to_owned()],
    }
}

/// The value converted to the expected type, if that's unambiguous.
pub(super) fn converted(
    entry: &Entry,
    key: &str,
    expected: &str,
    client: &Client,
) -> Option<(String, String)> {
    match (&entry.value.kind, expected) {
        (Kind::Sequence(sequence), "a string") => {
            let items: Vec<&str> =
                sequence.items.iter().map(|item| item.as_str()).collect::<Option<_>>()?;
            if key == "argument-hint" {
                return Some((
                    "Quote the value".to_owned(),
                    quote(&format!("[{}]", items.join(", "))),
                ));
            }
            Some(("Join the list with commas".to_owned(), quote(&items.join(","))))
        }
        (Kind::Sequence(sequence), "a mapping") if key == "tools" => {
            let names: Vec<&str> =
                sequence.items.iter().map(|item| item.as_str()).collect::<Option<_>>()?;
            let mut own: Vec<String> = Vec::new();
            for name in
                names.iter().filter(|name| **name != "*").flat_map(|name| names_of(client, name))
            {
                if !own.contains(&name) {
                    own.push(name);
                }
            }
            // Tools that a mapping leaves out are enabled.
            let others = format!("{}: {}", quote("*"), names.contains(&"*"));
            let items = own.iter().map(|name| format!("{}: true", print_flow_scalar(name)));
            let items: Vec<String> = std::iter::once(others).chain(items).collect();
            Some(("Make the list a mapping".to_owned(), format!("{{ {} }}", items.join(", "))))
        }
        (Kind::Scalar(scalar), "a list") if !scalar.text.is_empty() => {
            let items: Vec<String> = split(&scalar.text)
                .into_iter()
                .map(|item| print_flow_scalar(item.trim()))
                .collect();
            Some(("Make the value a list".to_owned(), format!("[{}]", items.join(", "))))
        }
        (Kind::Scalar(scalar), "a string") => {
            Some(("Quote the value".to_owned(), quote(&scalar.text)))
        }
        _ => None,
    }
}

/// The parts between commas that aren't in brackets: `*.{a,b}` is one.
fn split(text: &str) -> Vec<&str> {
    let mut depth = 0_usize;
    let parts = text.split(|letter| {
        match letter {
            '{' | '[' | '(' => depth += 1,
            '}' | ']' | ')' => depth = depth.saturating_sub(1),
            _ => {}
        }
        letter == ',' && depth == 0
    });
    parts.filter(|part| !part.trim().is_empty()).collect()
}
