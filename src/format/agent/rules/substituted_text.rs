use crate::client::{self, Role};
use crate::declare_rule;
use crate::format::agent::arguments;
use crate::format::agent::problem::Cause;
use crate::format::agent::subject::Subject;
use crate::rule::Fix;
use crate::rule::Report;
use crate::text::Edit;

declare_rule! {
    /// Clients replace `$1` with an argument wherever it is, in code too. A skill that takes no
    /// arguments and explains `awk` or prices loses these characters as soon as it is called with
    /// some words. So does a command that takes `$ARGUMENTS` and explains a query with `$1` and `$2`.
    ///
    /// Write `\$1` where the client knows it, or set `argument-hint` if arguments are meant. In the others,
    /// no text is left as it is: choose other words, `cut -f1` instead of `awk`. Do the same if another client
    /// reads the file and replaces nothing: there, the backslash would be part of the text.
    ///
    /// Only the first place is reported. Numbers above 9 are a hint if the client leaves those of missing arguments as they are.
    ///
    /// ````markdown bad path=.claude/skills/list-users/SKILL.md clients=claude-code
    /// ---
    /// name: list-users
    /// description: Lists accounts of a host
    /// ---
    ///
    /// Run `awk '{print $1}' accounts.txt`.
    /// ````
    ///
    /// ````markdown good path=.claude/skills/list-users/SKILL.md clients=claude-code
    /// ---
    /// name: list-users
    /// description: Lists accounts of a host
    /// ---
    ///
    /// Run `cut -d: -f1 accounts.txt`.
    /// ````
    pub static RULE = "agent/substituted-text", Warning, "Text that a client replaces";
}

pub fn check(subject: &Subject, report: &mut Report) {
    for group in subject.groups(Cause::Substituted) {
        let Some(first) = group.first() else { continue };
        let written = subject.cx.source.slice(first.span.clone());
        let more = match first.detail.as_str() {
            "0" => String::new(),
            "1" => ", and 1 more".to_owned(),
            count => format!(", and {count} more"),
        };
        let escapes = |client: &str| {
            let mut roles = subject.file.judged.iter().filter(|role| role.client.name == client);
            roles.any(|role| role.reads.substitutes.as_ref().is_some_and(|given| given.escape))
        };
        let literal = literal(subject);
        let escaped =
            literal.is_empty() && group.iter().all(|problem| escapes(&problem.client.name));
        // Some authors mean an argument and count from one.
        let first_one = group.iter().all(|problem| !problem.instead.is_empty());
        let instead = first.instead.first().filter(|_| first_one);
        let read = if instead.is_some() { "the second argument" } else { "an argument" };
        let mut remedies: Vec<String> = Vec::new();
        remedies.extend(instead.map(|instead| format!("`{instead}` for the first")));
        if escaped {
            remedies.push(format!("`\\{written}` for the text"));
        }
        let remedy = match remedies.is_empty() {
            true => String::new(),
            false => format!("; write {}", remedies.join(", or ")),
        };
        let read_too = match literal.as_slice() {
            [] => String::new(),
            [one] if *one != OTHERS => format!("; {one} reads it as written"),
            clients => format!("; {} read it as written", clients.join(", ")),
        };
        let words = format!("`{written}` is read as {read}{more}{remedy}{read_too}");
        let finding = subject.report(&RULE, &group, first.span.clone(), &words, report);
        if escaped {
            let edits = arguments::dollars(subject)
                .into_iter()
                .map(|dollar| Edit::insert(dollar.span.start, "\\"))
                .collect();
            finding.fix(Fix::suggestion("Escape every `$` in front of a number", edits));
        }
    }
}

/// Shown instead of the names of clients.
const OTHERS: &str = "other clients";

/// The clients that replace nothing in this file, so that an escape would become part of the text:
/// judged clients and, in a folder that no client owns, all clients that read it.
fn literal<'a>(subject: &Subject<'a>) -> Vec<&'a str> {
    let replaces = |role: &&Role| role.reads.substitutes.is_some();
    let file = &subject.file;
    let mut direct = client::roles(subject.cx.place_of(file.path));
    direct.retain(|role| !role.plugin);
    let shared = !direct.iter().any(|role| role.own);
    let around = direct.iter().filter(|role| shared && !role.reads.anywhere);
    let mut found: Vec<&str> = Vec::new();
    for role in file.judged.iter().filter(|role| !role.reads.anywhere) {
        if !replaces(&role) && !found.contains(&role.client.title.as_str()) {
            found.push(&role.client.title);
        }
    }
    let mut around = around.filter(|role| !replaces(role));
    match around.next() {
        Some(_) if found.is_empty() => vec![OTHERS],
        _ => found,
    }
}
