//! The text of a file, with placeholders translated to those of the other client.

use std::collections::BTreeSet;

use serde_json::{Map, Value};

use super::scan::{Counted, Piece, Token, asks, file_form, scan, shell_form};
use super::{Dropped, Work, family};
use crate::client::{Kind, Reads, Substitutes};
use crate::format::agent::body;
use crate::source::Source;

/// Names of arguments: those of the file, and those that the new file must declare.
struct Names {
    before: Vec<String>,
    after: Vec<String>,
    /// The single arguments that the text uses.
    used: BTreeSet<usize>,
    /// Whether the text uses all of them at once.
    all: bool,
}

/// The new text, and the names of arguments that the front matter must declare.
pub fn convert(work: &mut Work, values: &Map<String, Value>, body: &str) -> (String, Vec<String>) {
    let (from, to) = (&replaces(work.from.reads), &replaces(work.to.reads));
    let before = from.named.as_ref().map_or_else(Vec::new, |key| names(values.get(key)));
    if work.stays() && from == to {
        return (body.to_owned(), if to.named.is_some() { before } else { Vec::new() });
    }
    let takes = !before.is_empty() || values.contains_key("argument-hint");
    let all = from.all.as_ref().is_some_and(|all| body.contains(all.as_str()));
    // In a skill that doesn't seem to take arguments, `$1` is code that its author shows.
    let counted = work.from.reads.kind != Kind::Skill || takes || all;
    let counted = if counted { Counted::Meant } else { Counted::No };
    if counted == Counted::No && to.first.is_some() && from.first != to.first {
        unclear(work, body, from);
    }
    tools(work, body);
    let mut pieces = scan(body, from, &before, counted);
    pieces.retain(|piece| !is_prose(work, body, piece) && !is_variable(from, values, piece));
    let used = pieces.iter().filter_map(|piece| match &piece.token {
        Token::Argument(index) => Some(*index),
        Token::Named(name) => before.iter().position(|other| other == name),
        _ => None,
    });
    let mut names = Names { used: used.collect(), after: Vec::new(), before, all };
    if to.named.is_some() {
        let inputs = pieces.iter().filter_map(|piece| match &piece.token {
            Token::Input(name, _) => Some(word(name)),
            _ => None,
        });
        for name in inputs.filter(|name| special(name).is_none()) {
            if !names.after.contains(&name) {
                names.after.push(name);
            }
        }
        if names.before.iter().any(|name| body.contains(&format!("${name}"))) {
            names.after.clone_from(&names.before);
        }
    }
    let mut out = String::with_capacity(body.len());
    let (mut at, mut escaped) = (0, false);
    for piece in &pieces {
        let between = body.get(at..piece.span.start).unwrap_or_default();
        literal(work, (between, escaped), to, &names, &mut out);
        escaped = piece.token == Token::Escaped;
        let written = body.get(piece.span.clone()).unwrap_or_default();
        let new = replaced(work, piece, written, (from, to), &mut names);
        out.push_str(&new);
        at = piece.span.end;
    }
    literal(work, (body.get(at..).unwrap_or_default(), escaped), to, &names, &mut out);
    (out, names.after)
}

/// Whether a name in capitals is probably a shell variable: `argument-hint` doesn't have it.
fn is_variable(from: &Substitutes, values: &Map<String, Value>, piece: &Piece) -> bool {
    let Token::Input(name, None) = &piece.token else { return false };
    let hint = values.get("argument-hint").map(Value::to_string).unwrap_or_default();
    let mut words = hint.split(|letter: char| !letter.is_alphanumeric() && letter != '_');
    from.capitals && !words.any(|word| word == name)
}

/// Reports the tools that the text marks, if the other client has no mark for tools.
fn tools(work: &mut Work, text: &str) {
    let (from, to) = (work.from.client, work.to.client);
    let Some(mark) = from.tools.mention.as_ref().filter(|_| to.tools.mention.is_none()) else {
        return;
    };
    for (_, found) in body::mentions(&Source::new(text)) {
        for (_, tool) in &found.tools {
            let why = format!("{} doesn't mark tools in the text", to.title);
            let dropped = Dropped::kept(&format!("{mark}{tool}"), why);
            if !work.dropped.contains(&dropped) {
                work.dropped.push(dropped);
            }
        }
    }
}

/// The placeholders of a client, including imports of memory files.
fn replaces(reads: &Reads) -> Substitutes {
    let given = reads.substitutes.clone().unwrap_or_default();
    Substitutes { files: given.files || reads.imports.is_some(), ..given }
}

/// Whether `@name/of` in running text is probably not a file. That's more common in rules and
/// memory files than in commands, which users start.
fn is_prose(work: &Work, text: &str, piece: &Piece) -> bool {
    let Token::File(path) = &piece.token else { return false };
    let started = matches!(family(work.from.reads.kind), Some(0 | 2));
    let at = text.get(piece.span.clone()).is_some_and(|written| written.starts_with('@'));
    let name = path.rsplit('/').next().unwrap_or(path);
    at && !started && !path.starts_with(['.', '~']) && !name.contains('.')
}

/// Notes arguments that keep their number, although the other client counts differently.
fn unclear(work: &mut Work, body: &str, from: &Substitutes) {
    let found = scan(body, from, &[], Counted::Meant);
    let argument = found.iter().find(|piece| matches!(piece.token, Token::Argument(_)));
    if let Some(written) = argument.and_then(|piece| body.get(piece.span.clone())) {
        let client = &work.to.client.title;
        let note = format!(
            "`{written}` stays as it is, because nothing says that this skill takes arguments; \
             {client} counts them differently"
        );
        work.note(note);
    }
}

/// Names in a list, or in a string with spaces or commas.
pub fn names(value: Option<&Value>) -> Vec<String> {
    match value {
        Some(Value::Array(items)) => {
            items.iter().filter_map(Value::as_str).map(str::to_owned).collect()
        }
        Some(Value::String(text)) => text
            .split([' ', ',', '\n'])
            .filter(|name| !name.is_empty())
            .map(str::to_owned)
            .collect(),
        _ => Vec::new(),
    }
}

/// A name of letters, digits and `_`.
fn word(name: &str) -> String {
    name.replace(|letter: char| !letter.is_ascii_alphanumeric(), "_")
}

/// The argument that a conversion turned into an input with this name.
fn special(name: &str) -> Option<Token> {
    if name == "arguments" {
        return Some(Token::All);
    }
    let number: usize = name.strip_prefix("argument")?.parse().ok()?;
    number.checked_sub(1).map(Token::Argument)
}

/// Appends text that this client leaves alone, and escapes or reports what the other client would
/// replace. `escaped`: there was a `\` before it.
fn literal(
    work: &mut Work,
    (text, escaped): (&str, bool),
    to: &Substitutes,
    names: &Names,
    out: &mut String,
) {
    let client = &work.to.client.title;
    let mut at = 0;
    let mut found = scan(text, to, &names.after, Counted::All);
    found.retain(|piece| {
        piece.token != Token::Escaped && !is_open(text, &piece.span) && !is_prose(work, text, piece)
    });
    let mut said = Vec::new();
    for piece in found {
        let written = text.get(piece.span.clone()).unwrap_or_default();
        out.push_str(text.get(at..piece.span.start).unwrap_or_default());
        at = piece.span.end;
        if matches!(piece.token, Token::File(_)) {
            said.push(Ok(format!("`{written}`: {client} inserts the file")));
        } else if to.escape && written.starts_with('$') {
            out.push('\\');
            if escaped && piece.span.start == 0 {
                out.push_str(written);
                continue;
            }
            said.push(Ok(format!("`{written}` became `\\{written}`: {client} would replace it")));
        } else {
            let why = format!("{client} replaces it, which was not meant");
            said.push(Err(Dropped::kept(written, why)));
        }
        out.push_str(written);
    }
    out.push_str(text.get(at..).unwrap_or_default());
    for said in said {
        match said {
            Ok(note) => work.note(note),
            Err(dropped) if !work.dropped.contains(&dropped) => work.dropped.push(dropped),
            Err(_) => {}
        }
    }
}

/// Whether a backslash already escapes a placeholder.
fn is_open(text: &str, span: &crate::text::Span) -> bool {
    text.get(..span.start).is_some_and(|before| before.ends_with('\\'))
}

/// The other client's notation for a piece; the unchanged text if it has none.
fn replaced(
    work: &mut Work,
    piece: &Piece,
    written: &str,
    (from, to): (&Substitutes, &Substitutes),
    names: &mut Names,
) -> String {
    let new = match &piece.token {
        // [`literal`] adds it again if the other client needs it.
        Token::Escaped => return String::new(),
        Token::Shell(command) => match shell_form(to) {
            Some([open, close]) => {
                let inner = inside(work, command, (from, to), names);
                Some(format!("{open}{inner}{close}"))
            }
            None => None,
        },
        Token::ShellBlock(_) if to.shell_block => Some(written.to_owned()),
        Token::ShellBlock(command) if !command.contains('\n') => {
            shell_form(to).map(|[open, close]| {
                let inner = inside(work, command, (from, to), names);
                format!("{open}{inner}{close}")
            })
        }
        Token::ShellBlock(_) => None,
        Token::File(path) => file_form(to).map(|[open, close]| format!("{open}{path}{close}")),
        Token::Variable(name) => to.variables.contains(name).then(|| written.to_owned()),
        token => argument(token, to, names),
    };
    let client = &work.to.client.title;
    let Some(new) = new else {
        let why = match &piece.token {
            Token::Shell(_) => format!("{client} doesn't run commands here"),
            Token::ShellBlock(_) => format!("{client} doesn't run blocks of commands here"),
            Token::File(_) => format!("{client} doesn't insert files here"),
            Token::Variable(_) => format!("{client} doesn't replace it"),
            Token::All => format!("{client} doesn't insert arguments"),
            _ => format!("{client} doesn't insert single arguments"),
        };
        let dropped = Dropped::kept(written, why);
        if !work.dropped.contains(&dropped) {
            work.dropped.push(dropped);
        }
        return written.to_owned();
    };
    if new != written {
        work.note(format!("`{written}` became `{new}`"));
    }
    new
}

/// The text of a command: arguments in it are replaced first.
fn inside(
    work: &mut Work,
    command: &str,
    (from, to): (&Substitutes, &Substitutes),
    names: &mut Names,
) -> String {
    let arguments = Substitutes {
        first: from.first,
        all: from.all.clone(),
        named: from.named.clone(),
        variables: from.variables.clone(),
        ..Substitutes::default()
    };
    let before = names.before.clone();
    let mut out = String::new();
    let mut at = 0;
    for piece in scan(command, &arguments, &before, Counted::Meant) {
        out.push_str(command.get(at..piece.span.start).unwrap_or_default());
        let written = command.get(piece.span.clone()).unwrap_or_default();
        out.push_str(&replaced(work, &piece, written, (from, to), names));
        at = piece.span.end;
    }
    out.push_str(command.get(at..).unwrap_or_default());
    out
}

/// An argument in the notation of the other client.
fn argument(token: &Token, to: &Substitutes, names: &mut Names) -> Option<String> {
    let counted = |index: usize| {
        let first = to.first?;
        Some(format!("${}", u64::try_from(index).ok()?.saturating_add(first.into())))
    };
    // If there's only one argument, it equals all of them.
    let only = |names: &Names, index: usize| {
        let only = !names.all && names.used.iter().all(|used| *used == 0) && index == 0;
        to.all.clone().filter(|_| only)
    };
    match token {
        Token::All => match &to.all {
            Some(all) => Some(all.clone()),
            None => asks(to).then(|| "${input:arguments}".to_owned()),
        },
        Token::Argument(index) => {
            if let Some(counted) = counted(*index) {
                return Some(counted);
            }
            if asks(to) {
                return Some(match names.before.get(*index) {
                    Some(name) => format!("${{input:{name}}}"),
                    None => format!("${{input:argument{}}}", index.saturating_add(1)),
                });
            }
            only(names, *index)
        }
        Token::Named(name) => {
            if to.named.is_some() && names.after.contains(name) {
                return Some(format!("${name}"));
            }
            if asks(to) {
                return Some(format!("${{input:{name}}}"));
            }
            let index = names.before.iter().position(|other| other == name)?;
            counted(index).or_else(|| only(names, index))
        }
        Token::Input(name, hint) => {
            if asks(to) {
                let hint = hint.as_ref().map_or_else(String::new, |hint| format!(":{hint}"));
                return Some(format!("${{input:{name}{hint}}}"));
            }
            if let Some(token) = special(name) {
                return argument(&token, to, names);
            }
            let word = word(name);
            if to.named.is_some() {
                return Some(format!("${word}"));
            }
            // Without names, arguments are numbered in the order of their first mention.
            let index = names.after.iter().position(|other| *other == word).unwrap_or_else(|| {
                names.after.push(word);
                names.after.len() - 1
            });
            counted(index).or_else(|| to.all.clone().filter(|_| index == 0 && !names.all))
        }
        _ => None,
    }
}
