//! What a client replaces in the text: arguments, files, output of commands.

use crate::client::Substitutes;
use crate::format::agent::body;
use crate::source::Source;
use crate::text::Span;

/// A part of the text that a client replaces.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Piece {
    /// Bytes of the text.
    pub span: Span,
    pub token: Token,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Token {
    /// All arguments.
    All,
    /// One argument, counted from 0.
    Argument(usize),
    /// An argument by its name.
    Named(String),
    /// A value that the client asks for: its name, and a hint.
    Input(String, Option<String>),
    /// `${name}`.
    Variable(String),
    /// The output of a command.
    Shell(String),
    /// The same, as a block of lines.
    ShellBlock(String),
    /// The content of a file.
    File(String),
    /// `\$`: a dollar sign.
    Escaped,
}

/// The start and end marks of a command.
pub fn shell_form(rules: &Substitutes) -> Option<[&str; 2]> {
    let form = rules.shell_form.as_ref().map(|[open, close]| [open.as_str(), close.as_str()]);
    rules.shell.then_some(form.unwrap_or(["!`", "`"]))
}

/// The marks around the path of a file.
pub fn file_form(rules: &Substitutes) -> Option<[&str; 2]> {
    match &rules.file_form {
        Some([open, close]) => Some([open, close]),
        None => rules.files.then_some(["@", ""]),
    }
}

/// Whether the client asks for values: `${input:name}`.
pub fn asks(rules: &Substitutes) -> bool {
    rules.variables.iter().any(|name| name == INPUT)
}

/// The name of a variable that takes another name.
const INPUT: &str = "input:";

/// Which arguments such as `$1` count.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Counted {
    No,
    /// Those that are meant as arguments, not those of shell functions.
    Meant,
    /// All that the client replaces.
    All,
}

/// Everything that a client replaces, in order. `names` are names of arguments.
pub fn scan(text: &str, rules: &Substitutes, names: &[String], counted: Counted) -> Vec<Piece> {
    let mut found: Vec<Piece> = Vec::new();
    let source = Source::new(text);
    let mut code: Vec<usize> = Vec::new();
    for (placed, mentions) in body::mentions(&source) {
        let shift = |span: &Span| placed.start + span.start..placed.start + span.end;
        if let Some(first) = rules.first.filter(|_| counted != Counted::No) {
            let all = counted == Counted::All;
            for dollar in mentions.dollars.iter().filter(|dollar| all || dollar.argument) {
                if let Some(index) = dollar.number.checked_sub(first) {
                    let token = Token::Argument(index as usize);
                    found.push(Piece { span: shift(&dollar.span), token });
                }
            }
        }
        if file_form(rules) == Some(["@", ""]) {
            for import in mentions.imports.iter().filter(|import| is_path(&import.path)) {
                let token = Token::File(import.path.clone());
                found.push(Piece { span: shift(&import.span), token });
            }
        }
        code.extend(mentions.shell.iter().map(|span| placed.start + span.start));
        if rules.shell_block {
            let blocks = mentions.shell_blocks.iter();
            found.extend(blocks.filter_map(|span| shell_block(text, &shift(span))));
        }
    }
    if let Some(all) = &rules.all {
        for (at, _) in text.match_indices(all.as_str()) {
            let rest = text.get(at + all.len()..).unwrap_or_default();
            let escaped = text.get(..at).is_some_and(|before| before.ends_with('\\'));
            if escaped || all.starts_with('$') && rest.starts_with(is_word) {
                continue;
            }
            // `$ARGUMENTS[1]` is one of them.
            let index = rest.strip_prefix('[').and_then(|rest| rest.split_once(']'));
            let index = index.and_then(|(digits, _)| Some((digits.len(), digits.parse().ok()?)));
            let index = index.filter(|_| rules.named.is_some());
            let (length, token) = match index {
                Some((digits, number)) => (all.len() + digits + 2, Token::Argument(number)),
                None => (all.len(), Token::All),
            };
            found.push(Piece { span: at..at + length, token });
        }
    }
    for name in names.iter().filter(|_| rules.named.is_some()) {
        let written = format!("${name}");
        for (at, _) in text.match_indices(&written) {
            let rest = text.get(at + written.len()..).unwrap_or_default();
            let escaped = text.get(..at).is_some_and(|before| before.ends_with('\\'));
            if !escaped && !rest.starts_with(is_word) {
                let token = Token::Named(name.clone());
                found.push(Piece { span: at..at + written.len(), token });
            }
        }
    }
    if rules.capitals {
        for (at, _) in text.match_indices('$') {
            let rest = text.get(at + 1..).unwrap_or_default();
            let is_part = |letter: char| {
                letter.is_ascii_uppercase() || letter.is_ascii_digit() || letter == '_'
            };
            let name = rest.split(|letter| !is_part(letter)).next().unwrap_or_default();
            let all = rules.all.as_ref().is_some_and(|all| *all == format!("${name}"));
            if name.starts_with(|letter: char| letter.is_ascii_uppercase()) && !all {
                let token = Token::Input(name.to_owned(), None);
                found.push(Piece { span: at..at + 1 + name.len(), token });
            }
        }
    }
    if !rules.variables.is_empty() {
        for (at, _) in text.match_indices("${") {
            let Some((inside, _)) = text.get(at + 2..).and_then(|rest| rest.split_once('}')) else {
                continue;
            };
            let span = at..at + inside.len() + 3;
            let known = rules.variables.iter().any(|name| name == inside);
            if let (Some(input), true) = (inside.strip_prefix(INPUT), asks(rules)) {
                let (name, hint) = match input.split_once(':') {
                    Some((name, hint)) => (name, Some(hint.to_owned())),
                    None => (input, None),
                };
                if !name.is_empty() && name.chars().all(|letter| is_word(letter) || letter == '-') {
                    found.push(Piece { span, token: Token::Input(name.to_owned(), hint) });
                }
            } else if known {
                found.push(Piece { span, token: Token::Variable(inside.to_owned()) });
            }
        }
    }
    if let Some([open, close]) = shell_form(rules) {
        let starts: Vec<usize> =
            if open == "!`" { code } else { text.match_indices(open).map(|(at, _)| at).collect() };
        for at in starts {
            if let Some(command) = enclosed(text, at + open.len(), open, close) {
                let span = at..at + open.len() + command.len() + close.len();
                found.push(Piece { span, token: Token::Shell(command.to_owned()) });
            }
        }
    }
    if let Some([open, close]) = file_form(rules).filter(|form| *form != ["@", ""]) {
        for (at, _) in text.match_indices(open) {
            let path = if close.is_empty() {
                let rest = text.get(at + open.len()..).unwrap_or_default();
                let end = rest.find(|letter: char| {
                    letter.is_whitespace() || matches!(letter, '`' | ')' | ',' | ']' | '"')
                });
                rest.get(..end.unwrap_or(rest.len())).map(|path| path.trim_end_matches(['.', ':']))
            } else {
                enclosed(text, at + open.len(), open, close)
            };
            if let Some(path) = path.filter(|path| !path.is_empty()) {
                let span = at..at + open.len() + path.len() + close.len();
                found.push(Piece { span, token: Token::File(path.to_owned()) });
            }
        }
    }
    if rules.escape {
        for (at, _) in text.match_indices("\\$") {
            let rest = text.get(at + 2..).unwrap_or_default();
            let all = rules.all.as_ref().and_then(|all| all.strip_prefix('$'));
            let replaced = rest.starts_with(|letter: char| letter.is_ascii_digit())
                || all.is_some_and(|all| rest.starts_with(all))
                || names.iter().any(|name| rest.starts_with(name.as_str()));
            if replaced {
                found.push(Piece { span: at..at + 1, token: Token::Escaped });
            }
        }
    }
    if rules.doubled {
        let signs = |at: usize| {
            let before = text.get(..at).unwrap_or_default();
            before.len() - before.trim_end_matches('$').len()
        };
        found.retain(|piece| signs(piece.span.start) % 2 == 0);
    }
    found.sort_by_key(|piece| (piece.span.start, std::cmp::Reverse(piece.span.end)));
    // Placeholders inside a command belong to it, except for arguments.
    let mut end = 0;
    found.retain(|piece| {
        let free = piece.span.start >= end;
        if free {
            end = piece.span.end;
        }
        free
    });
    found
}

/// The text up to the closing mark on the same line; nested braces are matched.
fn enclosed<'t>(text: &'t str, start: usize, open: &str, close: &str) -> Option<&'t str> {
    let rest = text.get(start..)?;
    if !open.ends_with('{') {
        let line = rest.split('\n').next()?;
        return line.find(close).and_then(|end| line.get(..end)).filter(|text| !text.is_empty());
    }
    let mut depth = 1_usize;
    for (at, letter) in rest.char_indices() {
        match letter {
            '{' => depth += 1,
            '}' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return rest.get(..at).filter(|text| !text.is_empty());
        }
    }
    None
}

/// A fence of commands.
fn shell_block(text: &str, span: &Span) -> Option<Piece> {
    let written = text.get(span.clone())?.trim_end();
    let (_, command) = written.strip_suffix("```")?.split_once('\n')?;
    let token = Token::ShellBlock(command.trim().to_owned());
    Some(Piece { span: span.start..span.start + written.len(), token })
}

fn is_word(letter: char) -> bool {
    letter.is_ascii_alphanumeric() || letter == '_'
}

/// `@word` in prose is a person or a decorator; a path has a slash or an extension.
fn is_path(path: &str) -> bool {
    path.contains('/') && !path.ends_with('/') || path.contains('.') && !path.contains('@')
}
