//! Finds a skill's parameters: sections and tables about them, placeholders, "takes a URL".

use super::body::{Placeholder, placeholders};
use super::infer::infer;
use super::item;
use super::parameter::{Parameter, property};
use super::skill::Skill;

use crate::markdown::{Block, BlockKind};
use crate::text::Span;

/// The parameters of a skill, and their descriptions' locations.
#[derive(Debug, Default)]
pub struct Found {
    pub parameters: Vec<Parameter>,
    pub section: Option<Section>,
    /// The skill doesn't describe its input: it takes a request.
    pub guessed: bool,
}

/// The blocks that describe the parameters.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Section {
    /// `Parameters:` and a plain list: the schema covers all of it.
    Line(Span),
    /// A list or table below a heading; it stays, and ends here.
    Heading(usize),
}

/// With more than this, it isn't a list of parameters.
const MOST: usize = 64;

const TITLES: &[&str] = &[
    "parameter",
    "parameters",
    "params",
    "input",
    "inputs",
    "argument",
    "arguments",
    "args",
    "option",
    "options",
];
const ADJECTIVES: &[&str] = &[
    "required",
    "optional",
    "input",
    "command",
    "the",
    "skill",
    "accepted",
    "expected",
    "named",
    "positional",
];

pub fn find(skill: &Skill) -> Found {
    let mut found = Found::default();
    sections(skill, &mut found);
    hinted(skill, &mut found);
    for place in placeholders(skill, &found, true) {
        if let Placeholder::New(name) = place.what {
            add(&mut found.parameters, Parameter::text(&name).map(inferred));
        }
    }
    if found.parameters.is_empty() {
        prose(skill, &mut found);
    }
    if found.parameters.is_empty() {
        found.guessed = true;
        let request = Parameter::text("request");
        found.parameters.extend(request.map(|request| Parameter { required: true, ..request }));
    }
    found
}

fn add(parameters: &mut Vec<Parameter>, new: Option<Parameter>) {
    let Some(new) = new else { return };
    if parameters.len() < MOST
        && parameters.iter().all(|known| !known.property.eq_ignore_ascii_case(&new.property))
    {
        parameters.push(new);
    }
}

fn inferred(mut parameter: Parameter) -> Parameter {
    infer(&mut parameter, None);
    parameter
}

/// A title without marks, as words in lower case; `None` if it isn't about parameters.
fn is_title(text: &str) -> Option<Vec<String>> {
    let plain: String = text
        .chars()
        .filter(|character| !matches!(character, '*' | '_' | '`' | '#' | ':'))
        .collect();
    let words: Vec<String> = plain.split_whitespace().map(str::to_lowercase).collect();
    let (last, before) = words.split_last()?;
    let fits = TITLES.contains(&last.as_str())
        && before.iter().all(|word| ADJECTIVES.contains(&word.as_str()));
    fits.then_some(words)
}

fn sections(skill: &Skill, found: &mut Found) {
    let top: Vec<&Block> = skill.blocks.iter().filter(|block| block.depth == 0).collect();
    let headings = top.iter().filter(|block| matches!(block.kind, BlockKind::Heading { .. }));
    // `Options:` further down is about something that the skill explains.
    let introduced = headings.map(|block| block.span.start).nth(1).unwrap_or(usize::MAX);
    for (index, block) in top.iter().enumerate() {
        let (title, heading) = match &block.kind {
            BlockKind::Heading { title, .. } => (is_title(title), true),
            BlockKind::Paragraph if block.span.start > introduced => continue,
            BlockKind::Paragraph
                if skill.slice(&block.span).trim_end_matches(['*', '_']).ends_with(':') =>
            {
                (is_title(skill.slice(&block.span)), false)
            }
            _ => continue,
        };
        let Some(title) = title else { continue };
        let behind = top
            .get(index + 1..)
            .unwrap_or_default()
            .iter()
            .take_while(|next| !matches!(next.kind, BlockKind::Heading { .. }));
        let mut lists = behind
            .take(if heading { usize::MAX } else { 1 })
            .filter(|next| matches!(next.kind, BlockKind::List { .. } | BlockKind::Table));
        let Some(list) = lists.next() else { continue };
        let read = match list.kind {
            BlockKind::Table => table(skill, list),
            _ => items(skill, list),
        };
        if read.is_empty() {
            continue;
        }
        let plain = matches!(list.kind, BlockKind::List { .. }) && read.len() == lines(skill, list);
        for mut parameter in read {
            if title.iter().any(|word| word == "optional") && parameter.required {
                parameter.required = false;
                parameter = inferred(parameter);
            }
            add(&mut found.parameters, Some(parameter));
        }
        let section = if plain && !heading {
            Section::Line(block.span.start..list.span.end)
        } else {
            Section::Heading(list.span.end)
        };
        // Several sections stay as they are.
        found.section =
            Some(if found.section.is_none() { section } else { Section::Heading(list.span.end) });
    }
}

fn lines(skill: &Skill, block: &Block) -> usize {
    skill.slice(&block.span).lines().filter(|line| !line.trim().is_empty()).count()
}

/// The parameters that the items of a list describe.
pub fn items(skill: &Skill, list: &Block) -> Vec<Parameter> {
    let inside =
        |block: &&Block| list.span.start <= block.span.start && block.span.end <= list.span.end;
    let from = skill.blocks.partition_point(|block| block.span.start < list.span.start);
    let blocks: Vec<&Block> = skill
        .blocks
        .iter()
        .skip(from)
        .take_while(|block| block.span.start < list.span.end)
        .filter(inside)
        .collect();
    let mut found = Vec::new();
    for (index, block) in blocks
        .iter()
        .enumerate()
        .filter(|(_, block)| block.kind == BlockKind::Item && block.depth == list.depth + 1)
        .take(MOST)
    {
        let nested =
            blocks.iter().skip(index + 1).take_while(|inner| inner.span.start < block.span.end);
        let nested = nested
            .filter(|inner| inner.kind != BlockKind::Paragraph)
            .map(|inner| inner.span.start)
            .next();
        let own = skill.slice(&(block.span.start..nested.unwrap_or(block.span.end)));
        add(&mut found, item::read(unbulleted(own)));
    }
    found
}

/// An item without its bullet or number, and without a check box.
fn unbulleted(text: &str) -> &str {
    let text = text.trim();
    let bare = text.trim_start_matches(|character: char| character.is_ascii_digit());
    let Some(rest) = bare.strip_prefix(['-', '*', '+', '.', ')']).map(str::trim_start) else {
        return text;
    };
    ["[ ] ", "[x] ", "[X] "].into_iter().find_map(|mark| rest.strip_prefix(mark)).unwrap_or(rest)
}

/// The parameters that the rows of a table describe.
pub fn table(skill: &Skill, table: &Block) -> Vec<Parameter> {
    let mut rows = skill.blocks.iter().filter(|block| {
        block.kind == BlockKind::Row
            && table.span.start <= block.span.start
            && block.span.end <= table.span.end
    });
    let Some(head) = rows.next().map(|row| cells(skill.slice(&row.span))) else {
        return Vec::new();
    };
    let column = |names: &[&str]| {
        head.iter().position(|cell| names.iter().any(|name| cell.to_lowercase().starts_with(name)))
    };
    let Some(name) =
        column(&["name", "param", "arg", "field", "input", "option", "flag", "key", "property"])
    else {
        return Vec::new();
    };
    let (types, required) = (column(&["type"]), column(&["required", "mandatory"]));
    let (default, description) =
        (column(&["default"]), column(&["desc", "meaning", "notes", "purpose", "details"]));
    let mut found = Vec::new();
    for row in rows.take(MOST) {
        let cells = cells(skill.slice(&row.span));
        let cell = |index: Option<usize>| {
            index.and_then(|index| cells.get(index)).map_or("", String::as_str)
        };
        let written = cell(Some(name)).trim_matches(['`', '*', '_', ' ']).trim_end_matches('?');
        let Some(mut parameter) = Parameter::text(written) else { continue };
        let value = cell(default).trim_matches(['`', '"', '\'']);
        parameter.default =
            (!matches!(value.to_lowercase().as_str(), "" | "-" | "–" | "—" | "none" | "n/a"))
                .then(|| value.to_owned());
        let says = cell(required).to_lowercase();
        parameter.required = match required {
            Some(_) => {
                says.starts_with('y')
                    || says.starts_with("true")
                    || says.starts_with("required")
                    || says.contains('✓')
                    || says.contains('✅')
            }
            None => {
                parameter.default.is_none()
                    && !cell(description).to_lowercase().contains("optional")
            }
        };
        parameter.description = cell(description).to_owned();
        let stated = cell(types).trim_matches('`');
        infer(&mut parameter, (!stated.is_empty()).then_some(stated));
        add(&mut found, Some(parameter));
    }
    found
}

fn cells(row: &str) -> Vec<String> {
    let marked = row.trim().trim_start_matches('|').replace("\\|", "\u{0}");
    let marked = marked.strip_suffix('|').unwrap_or(&marked);
    marked
        .split('|')
        .map(|cell| cell.replace('\u{0}', "|").split_whitespace().collect::<Vec<_>>().join(" "))
        .collect()
}

/// `argument-hint: [pr-number] [priority]` gives the names of `$1` and `$2`.
fn hinted(skill: &Skill, found: &mut Found) {
    let uses = |place: &str| skill.body.contains(place);
    let Some(hint) = &skill.hint else { return };
    if !(uses("$1") || uses("$ARGUMENTS[")) {
        return;
    }
    for word in hint.split_whitespace() {
        let optional = word.starts_with('[');
        let name = word.trim_matches(['[', ']', '<', '>', '.', '|']);
        let parameter = Parameter::text(name)
            .map(|parameter| inferred(Parameter { required: !optional, ..parameter }));
        add(&mut found.parameters, parameter);
    }
}

/// The parameter for `$1`, `$2`, …
pub fn positional(skill: &Skill, index: usize) -> Option<String> {
    let hint = skill.hint.as_deref().unwrap_or_default();
    let word = hint
        .split_whitespace()
        .nth(index)
        .map(|word| word.trim_matches(['[', ']', '<', '>', '.', '|']));
    Some(
        word.filter(|word| property(word).is_some())
            .map_or_else(|| format!("argument_{}", index + 1), str::to_owned),
    )
}

/// The nouns allowed in "takes a …".
const NOUNS: &[&str] = &[
    "url",
    "link",
    "text",
    "topic",
    "query",
    "question",
    "number",
    "date",
    "email",
    "sentence",
    "paragraph",
    "article",
    "keyword",
    "language",
    "city",
    "path",
    "file path",
    "filename",
    "title",
    "prompt",
    "message",
    "code",
    "name",
    "word",
    "document",
    "list of numbers",
    "list of words",
    "list of urls",
];

/// "Takes a URL and a topic": the parameters of a skill that lists none.
fn prose(skill: &Skill, found: &mut Found) {
    for block in skill.paragraphs().take(5) {
        let text = skill
            .slice(&block.span)
            .split_whitespace()
            .collect::<Vec<_>>()
            .join(" ")
            .to_lowercase();
        for verb in ["takes ", "accepts ", "given ", "expects ", "receives "] {
            let Some(rest) = text.match_indices(verb).find(|(at, _)| {
                *at == 0 || text.get(..*at).is_some_and(|before| before.ends_with(' '))
            }) else {
                continue;
            };
            let rest = text.get(rest.0 + verb.len()..).unwrap_or_default();
            let end = rest.find(['.', ';', ':']).unwrap_or(rest.len());
            for part in rest.get(..end).unwrap_or_default().replace(" and ", ", ").split(", ") {
                let part = part.trim();
                let optional = part.contains("optional");
                let bare = ["a ", "an ", "the ", "one ", "optional ", "given ", "single "]
                    .iter()
                    .fold(part, |part, lead| part.strip_prefix(lead).unwrap_or(part));
                let Some(noun) = NOUNS.iter().find(|noun| {
                    bare == **noun
                        || bare.strip_prefix(**noun).is_some_and(|rest| rest.starts_with(' '))
                }) else {
                    break;
                };
                let name = noun.strip_prefix("list of ").unwrap_or(noun);
                let parameter = Parameter::text(name).map(|parameter| {
                    let mut parameter = Parameter { required: !optional, ..parameter };
                    infer(&mut parameter, noun.starts_with("list of").then_some("list"));
                    parameter
                });
                add(&mut found.parameters, parameter);
            }
            if !found.parameters.is_empty() {
                return;
            }
        }
    }
}
