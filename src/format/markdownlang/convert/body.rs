//! The body of a program: the skill's text with values in place of its placeholders, and with
//! literal braces escaped.

use super::parameter::{Parameter, property};
use super::parameters::{Found, Section, positional};
use super::skill::Skill;
use crate::markdown::BlockKind;
use crate::text::{Edit, Span};

/// A stretch of the body that a template would change.
pub struct Place {
    pub span: Span,
    pub what: Placeholder,
}

pub enum Placeholder {
    /// The value of the parameter at this index.
    Value(usize),
    /// A parameter that appears nowhere else.
    New(String),
    /// A literal `{{`.
    Braces,
}

/// An action that prints two braces.
const BRACES: &str = "{{ \"{{\" }}";
/// All names of placeholders are shorter.
const LONGEST: usize = 80;

/// The text between double braces in other template languages that isn't a value.
const KEYWORDS: &[&str] = &[
    "if", "else", "end", "range", "with", "define", "template", "block", "break", "continue",
    "nil", "true", "false", "each", "for", "endfor", "endif", "this", "fi", "include", "extends",
    "raw", "endraw",
];

/// The placeholders of the body, in order; new names only if `names` allows it.
pub fn placeholders(skill: &Skill, found: &Found, names: bool) -> Vec<Place> {
    let body = skill.body.as_str();
    let code = skill.code();
    let gone = match &found.section {
        Some(Section::Line(span)) => span.clone(),
        _ => 0..0,
    };
    let reader = Reader {
        skill,
        body,
        known: &found.parameters,
        positions: skill.hint.is_some() || body.contains("$ARGUMENTS"),
        names,
    };
    let mut places = Vec::new();
    let (mut at, mut next_code) = (0, code.iter().peekable());
    while let Some(start) = body
        .as_bytes()
        .get(at..)
        .and_then(|rest| memchr::memchr3(b'{', b'<', b'$', rest))
        .map(|found| at + found)
    {
        if gone.contains(&start) {
            at = gone.end;
            continue;
        }
        while next_code.peek().is_some_and(|span| span.end <= start) {
            next_code.next();
        }
        let in_code = next_code.peek().is_some_and(|span| span.start <= start);
        match reader.place(start, in_code) {
            Some(place) => {
                at = place.span.end;
                places.push(place);
            }
            None => at = start + 1,
        }
    }
    places
}

struct Reader<'a> {
    skill: &'a Skill,
    body: &'a str,
    known: &'a [Parameter],
    /// `$1` is a placeholder.
    positions: bool,
    names: bool,
}

impl Reader<'_> {
    fn place(&self, start: usize, in_code: bool) -> Option<Place> {
        let rest = self.body.get(start..)?;
        let before = self.body.get(..start)?.chars().next_back();
        if let Some(name) = rest.strip_prefix("{{{").and_then(|inside| until(inside, "}}}"))
            && let Some(what) = self.named(name.trim(), in_code)
        {
            return Some(Place { span: start..start + name.len() + 6, what });
        }
        if let Some(inside) = rest.strip_prefix("{{") {
            let name = until(inside, "}}");
            let simple = name.filter(|_| !matches!(before, Some('{' | '$' | '\\')));
            let length = name.map_or(0, |name| name.len() + 4);
            let whole = simple.filter(|_| !rest.get(length..).unwrap_or_default().starts_with('}'));
            let named = whole.and_then(|name| self.named(name.trim(), in_code));
            return Some(match named {
                Some(what) => Place { span: start..start + length, what },
                None => Place { span: start..start + 2, what: Placeholder::Braces },
            });
        }
        if let Some(inside) = rest.strip_prefix('{') {
            let name = until(inside, "}")?;
            return self
                .value(name, !in_code && before != Some('\\'))
                .map(|what| Place { span: start..start + name.len() + 2, what });
        }
        if let Some(inside) = rest.strip_prefix('<') {
            let name = until(inside, ">")?;
            return self
                .value(name, true)
                .filter(|_| !is_element(inside, name))
                .map(|what| Place { span: start..start + name.len() + 2, what });
        }
        if let Some(inside) = rest.strip_prefix("${") {
            let name = until(inside, "}")?;
            return self
                .value(name, !in_code)
                .map(|what| Place { span: start..start + name.len() + 3, what });
        }
        self.argument(start, rest, before, in_code)
    }

    /// `$ARGUMENTS`, `$ARGUMENTS[0]`, `$1`
    fn argument(
        &self,
        start: usize,
        rest: &str,
        before: Option<char>,
        in_code: bool,
    ) -> Option<Place> {
        let word =
            |text: &str| text.starts_with(|next: char| next.is_alphanumeric() || next == '_');
        if let Some(behind) = rest.strip_prefix("$ARGUMENTS") {
            if let Some((index, _)) =
                behind.strip_prefix('[').and_then(|inside| inside.split_once(']'))
                && let Ok(index) = index.parse::<usize>()
                && index < 20
            {
                let length = "$ARGUMENTS[]".len() + index.to_string().len();
                return self
                    .named(&positional(self.skill, index)?, false)
                    .map(|what| Place { span: start..start + length, what });
            }
            return (!word(behind))
                .then(|| self.named("arguments", false))
                .flatten()
                .map(|what| Place { span: start..start + "$ARGUMENTS".len(), what });
        }
        let digit =
            rest.strip_prefix('$')?.chars().next().filter(|next| matches!(next, '1'..='9'))?;
        let behind = rest.get(2..)?;
        // `$5.00` is money.
        let amount = behind
            .strip_prefix(['.', ','])
            .is_some_and(|rest| rest.starts_with(|next: char| next.is_ascii_digit()));
        let plain =
            self.positions && !word(behind) && !amount && (!in_code || self.skill.hint.is_some());
        let free =
            before.is_none_or(|before| !before.is_alphanumeric() && !matches!(before, '\\' | '$'));
        let index = digit.to_digit(10)? as usize - 1;
        (plain && free)
            .then(|| self.named(&positional(self.skill, index)?, false))
            .flatten()
            .map(|what| Place { span: start..start + 2, what })
    }

    /// A known parameter, or a new one if that is allowed.
    fn named(&self, name: &str, in_code: bool) -> Option<Placeholder> {
        let plain = name
            .chars()
            .all(|character| character.is_alphanumeric() || matches!(character, '_' | '-'));
        if !plain || name.is_empty() || KEYWORDS.contains(&name) {
            return None;
        }
        self.value(name, true).or_else(|| {
            (self.names && !in_code && property(name).is_some())
                .then(|| Placeholder::New(name.to_owned()))
        })
    }

    fn value(&self, name: &str, allowed: bool) -> Option<Placeholder> {
        let plain = name
            .chars()
            .all(|character| character.is_alphanumeric() || matches!(character, '_' | '-' | ' '));
        if !allowed || !plain {
            return None;
        }
        let name = property(name.trim())?;
        self.known
            .iter()
            .position(|parameter| parameter.property.eq_ignore_ascii_case(&name))
            .map(Placeholder::Value)
    }
}

/// The text shortly before a mark.
fn until<'a>(text: &'a str, mark: &str) -> Option<&'a str> {
    let near = text.get(..text.floor_char_boundary(LONGEST + mark.len()))?;
    near.split_once(mark).map(|(before, _)| before)
}

/// Whether an HTML tag is closed shortly after.
fn is_element(behind: &str, name: &str) -> bool {
    const FAR: usize = 4_000;
    behind
        .get(..behind.floor_char_boundary(FAR))
        .is_some_and(|near| near.contains(&format!("</{name}>")))
}

/// The edits of the body, in order; offset 0 is its first character.
pub fn edits(skill: &Skill, found: &Found) -> Vec<Edit> {
    let mut used = vec![false; found.parameters.len()];
    let mut edits: Vec<Edit> = Vec::new();
    let mut end = 0;
    for place in placeholders(skill, found, false) {
        let text = match place.what {
            Placeholder::Value(index) => {
                used.get_mut(index).into_iter().for_each(|used| *used = true);
                found.parameters.get(index).map(Parameter::action).unwrap_or_default()
            }
            Placeholder::New(_) => continue,
            Placeholder::Braces => BRACES.to_owned(),
        };
        // A brace before an action would be read as part of it.
        let brace =
            place.span.start > end && skill.slice(&(place.span.start - 1..place.span.start)) == "{";
        end = place.span.end;
        edits.push(match brace {
            true => Edit::replace(
                place.span.start - 1..place.span.end,
                format!("{{{{ \"{{\" }}}}{text}"),
            ),
            false => Edit::replace(place.span, text),
        });
    }
    if !found.guessed {
        phrases(skill, found, &mut used, &mut edits);
    }
    rest(skill, found, &used, &mut edits);
    edits.sort_by_key(|edit| (edit.span.start, edit.span.end));
    edits
}

/// Words that end a noun phrase.
const FOLLOWERS: &[&str] = &[
    "and", "or", "to", "from", "with", "in", "into", "at", "for", "as", "using", "by", "via",
    "then", "on", "that", "which", "if", "when", "so",
];

/// "Fetches a URL and …": replaces the noun with the value, once, in the sentence that describes
/// the skill.
fn phrases(skill: &Skill, found: &Found, used: &mut [bool], edits: &mut Vec<Edit>) {
    let Some(first) = skill.paragraphs().next().map(|block| block.span.clone()) else { return };
    if matches!(&found.section, Some(Section::Line(span)) if span.start < first.end) {
        return;
    }
    let text = skill.slice(&first);
    for (parameter, used) in
        found.parameters.iter().zip(used).filter(|(parameter, used)| parameter.required && !**used)
    {
        let noun = parameter.written.replace(['_', '-'], " ").to_lowercase();
        if let Some(span) = phrase(text, &noun) {
            let span = first.start + span.start..first.start + span.end;
            if edits.iter().all(|edit| edit.span.end <= span.start || span.end <= edit.span.start) {
                edits.push(Edit::replace(span, parameter.action()));
                *used = true;
            }
        }
    }
}

/// The locations of `a noun` or `the given noun` that no modifier follows.
fn phrase(text: &str, noun: &str) -> Option<Span> {
    let mut at = 0;
    let pieces = text.split_inclusive(char::is_whitespace).map(|piece| {
        at += piece.len();
        (at - piece.len(), piece.trim_end())
    });
    let words: Vec<(usize, &str)> = pieces.filter(|(_, word)| !word.is_empty()).collect();
    let length = noun.split(' ').count();
    for (index, (start, word)) in words.iter().enumerate() {
        if !matches!(word.to_lowercase().as_str(), "a" | "an" | "the") {
            continue;
        }
        let given = words.get(index + 1).is_some_and(|(_, word)| {
            matches!(word.to_lowercase().as_str(), "given" | "specified" | "provided")
        });
        let from = index + 1 + usize::from(given);
        let Some(found) = words.get(from..from + length) else { continue };
        let (last_start, last) = found.last()?;
        let bare = last.trim_end_matches(['.', ',', ';', ':', '!', '?', ')']);
        let said: Vec<&str> =
            found.iter().take(length - 1).map(|(_, word)| *word).chain([bare]).collect();
        let ends = bare.len() < last.len()
            || words
                .get(from + length)
                .is_none_or(|(_, next)| FOLLOWERS.contains(&next.to_lowercase().as_str()));
        if said.join(" ").to_lowercase() == noun && ends {
            return Some(*start..last_start + bare.len());
        }
    }
    None
}

/// Lists the values that the text doesn't use yet, where the parameters were described.
fn rest(skill: &Skill, found: &Found, used: &[bool], edits: &mut Vec<Edit>) {
    let left: Vec<&Parameter> = found
        .parameters
        .iter()
        .zip(used)
        .filter(|(_, used)| !**used)
        .map(|(parameter, _)| parameter)
        .collect();
    let sentences: Vec<String> = left
        .iter()
        .map(|parameter| {
            format!("{}: {}.", parameter.label().replace("{{", BRACES), parameter.action())
        })
        .collect();
    let sentences = sentences.join(" ");
    let newline = skill.newline;
    let values = || {
        if let ([request], true) = (left.as_slice(), found.guessed) {
            return format!("{newline}{newline}{}", request.action());
        }
        let lines: String = left
            .iter()
            .map(|parameter| format!("{newline}- {}: {}", parameter.property, parameter.action()))
            .collect();
        format!("{newline}{newline}Given:{newline}{lines}")
    };
    match &found.section {
        Some(Section::Line(span)) => {
            let next =
                skill.blocks.iter().find(|block| block.depth == 0 && block.span.start >= span.end);
            let next = next
                .filter(|block| block.kind == BlockKind::Paragraph)
                .map(|block| block.span.clone());
            let next = next.filter(|span| skill.slice(span).ends_with(['.', '!', '?', '。']));
            match next {
                _ if left.is_empty() => {
                    edits.push(Edit::delete(span.start..behind(skill, span.end)))
                }
                Some(next) => {
                    edits.push(Edit::delete(span.start..behind(skill, span.end)));
                    edits.push(Edit::insert(next.end, format!(" {sentences}")));
                }
                None => edits.push(Edit::replace(span.clone(), sentences)),
            }
        }
        _ if left.is_empty() => {}
        Some(Section::Heading(end)) => edits.push(Edit::insert(*end, values())),
        None => {
            let end = skill.body.trim_end().len();
            edits.push(Edit::insert(end, values()));
        }
    }
}

/// The start of the next block.
fn behind(skill: &Skill, end: usize) -> usize {
    let rest = skill.body.get(end..).unwrap_or_default();
    let mut at = end;
    for line in rest.split_inclusive('\n') {
        if !line.trim().is_empty() {
            break;
        }
        at += line.len();
    }
    at
}
