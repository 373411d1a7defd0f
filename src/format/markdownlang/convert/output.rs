//! The result of a skill.

use super::infer::infer;
use super::parameter::{Kind, Parameter};
use super::parameters::{items, table};
use super::skill::Skill;
use crate::markdown::{Block, BlockKind};

const TITLES: &[&str] = &[
    "output",
    "outputs",
    "returns",
    "return value",
    "return",
    "result",
    "results",
    "response",
    "output format",
    "return values",
];
/// The maximum number of properties in an example.
const MOST: usize = 40;

/// The properties of the output; never empty. Only clear statements count: fields with types or in
/// backticks, an example in JSON, and "returns …" where the skill is introduced.
pub fn find(skill: &Skill, notes: &mut Vec<String>) -> Vec<Parameter> {
    let intro = introduction(skill).find_map(|block| sentence(skill.slice(&block.span)));
    let described = section(skill).or(intro).or_else(|| sentence(&skill.description));
    if let Some(described) = described.filter(|found| !found.is_empty()) {
        return described;
    }
    notes.push(
        "the skill doesn't say which fields it returns: `output` is `result`, a string".to_owned(),
    );
    Parameter::text("result").into_iter().collect()
}

/// The paragraphs before the second heading.
fn introduction(skill: &Skill) -> impl Iterator<Item = &Block> {
    const MOST: usize = 3;
    let headings = skill
        .blocks
        .iter()
        .filter(|block| matches!(block.kind, BlockKind::Heading { .. }) && block.depth == 0);
    let second = headings.map(|block| block.span.start).nth(1).unwrap_or(usize::MAX);
    skill.paragraphs().take_while(move |block| block.span.start < second).take(MOST)
}

/// Whether each item of a list names a field: in backticks, or with a type.
fn declares(skill: &Skill, list: &Block) -> bool {
    const TYPES: &[&str] = &[
        "string", "text", "int", "integer", "number", "float", "boolean", "bool", "array", "list",
        "object", "url", "date", "optional", "required",
    ];
    let text = skill.slice(&list.span);
    let bullets = text.lines().filter(|line| line.starts_with(['-', '*', '+']));
    let mut bullets = bullets.map(|line| line.trim_start_matches(['-', '*', '+', ' ']));
    bullets.all(|item| {
        let inside = item.split_once('(').and_then(|(_, rest)| rest.split_once(')'));
        let typed = inside.is_some_and(|(inside, _)| {
            let word = inside.split([',', ' ', '[']).next().unwrap_or_default();
            TYPES.contains(&word.to_lowercase().as_str())
        });
        item.starts_with('`') || item.starts_with("**`") || typed
    })
}

/// Whether a table names fields: it has a column of types, or its names are in backticks.
fn tabulates(skill: &Skill, table: &Block) -> bool {
    let mut rows = skill.slice(&table.span).lines();
    let head = rows.next().unwrap_or_default().to_lowercase();
    let typed = head.split('|').any(|cell| cell.trim() == "type");
    let mut rows = rows.skip(1).map(|row| row.trim().trim_start_matches('|').trim_start());
    typed || rows.all(|row| row.starts_with('`'))
}

/// The list, table or JSON example below a title such as `Output`.
fn section(skill: &Skill) -> Option<Vec<Parameter>> {
    let top: Vec<&Block> = skill.blocks.iter().filter(|block| block.depth == 0).collect();
    for (index, block) in top.iter().enumerate() {
        let title = match &block.kind {
            BlockKind::Heading { title, .. } => title.as_str(),
            BlockKind::Paragraph => skill
                .slice(&block.span)
                .strip_suffix(':')
                .or_else(|| skill.slice(&block.span).strip_suffix(":**"))
                .unwrap_or_default(),
            _ => continue,
        };
        let plain = title.to_lowercase().replace(['*', '_', '`', ':'], "");
        if !TITLES.contains(&plain.trim()) {
            continue;
        }
        let near = top
            .get(index + 1..)?
            .iter()
            .take_while(|next| !matches!(next.kind, BlockKind::Heading { .. }))
            .take(3);
        for next in near {
            let found = match &next.kind {
                BlockKind::List { ordered: false } if declares(skill, next) => {
                    given_back(items(skill, next))
                }
                BlockKind::Table if tabulates(skill, next) => given_back(table(skill, next)),
                BlockKind::Code { info }
                    if info
                        .as_deref()
                        .is_none_or(|info| info.is_empty() || info.starts_with("json")) =>
                {
                    example(skill.slice(&next.span))
                }
                _ => Vec::new(),
            };
            if !found.is_empty() {
                return Some(found);
            }
        }
    }
    None
}

/// Results have no defaults, and are present unless described as optional.
fn given_back(mut found: Vec<Parameter>) -> Vec<Parameter> {
    found.iter_mut().for_each(|parameter| parameter.default = None);
    found
}

/// The properties of a JSON object in a fence.
fn example(code: &str) -> Vec<Parameter> {
    let (Some(start), Some(end)) = (code.find('{'), code.rfind('}')) else { return Vec::new() };
    let Ok(serde_json::Value::Object(object)) =
        serde_json::from_str(code.get(start..=end).unwrap_or_default())
    else {
        return Vec::new();
    };
    let property = |(name, value): (&String, &serde_json::Value)| {
        let mut parameter =
            Parameter::text(name).filter(|parameter| parameter.property == *name)?;
        parameter.kind = match value {
            serde_json::Value::Bool(_) => Kind::Boolean,
            serde_json::Value::Number(number) if number.is_f64() => Kind::Number,
            serde_json::Value::Number(_) => Kind::Integer,
            serde_json::Value::Array(items) if items.iter().all(serde_json::Value::is_string) => {
                Kind::List
            }
            serde_json::Value::Object(_) => Kind::Object,
            serde_json::Value::String(_) => Kind::Text,
            _ => return None,
        };
        Some(parameter)
    };
    let found: Option<Vec<_>> = object.iter().take(MOST).map(property).collect();
    found.unwrap_or_default()
}

/// `Returns the status and content.`: a property for each.
fn sentence(text: &str) -> Option<Vec<Parameter>> {
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let lower = text.to_lowercase();
    let at = ["returns ", "return "].iter().find_map(|verb| {
        let at = lower.find(verb)?;
        // "When a function returns null" is about something else.
        let before = lower.get(..at)?.trim_end_matches(['*', '_', ' ']);
        let own = before.is_empty()
            || before.ends_with(['.', '!', '?', ':', ';'])
            || [" and", "then", ","].iter().any(|word| before.ends_with(word));
        own.then_some(at + verb.len())
    })?;
    let rest = lower.get(at..)?;
    let rest = rest.get(..rest.find(['.', ';', ':', '(']).unwrap_or(rest.len()))?;
    // The rest is about the parts of the named thing.
    let parts = [", each ", ", every ", ", with ", ", including ", ", such as ", ", one "]
        .iter()
        .filter_map(|start| rest.find(start))
        .min();
    let rest = rest.get(..parts.unwrap_or(rest.len()))?;
    let mut found: Vec<Parameter> = Vec::new();
    for part in rest.replace(", and ", ", ").replace(" and ", ", ").split(", ") {
        let mut parameter = noun(part.trim())?;
        if found.iter().all(|known| known.property != parameter.property) {
            parameter.description.clear();
            found.push(parameter);
        }
    }
    Some(found)
}

/// The named thing in `a list of links`, `the number of words`, `a short summary of the page`.
fn noun(part: &str) -> Option<Parameter> {
    const LONGEST: usize = 3;
    let bare = ["a ", "an ", "the ", "its ", "their ", "all "]
        .iter()
        .fold(part, |part, lead| part.strip_prefix(lead).unwrap_or(part));
    let list = ["list of ", "array of ", "set of "].iter().find_map(|lead| bare.strip_prefix(lead));
    let bare = list.unwrap_or(bare);
    let counted = bare.strip_prefix("number of ");
    let ends = [
        " of ", " for ", " from ", " in ", " to ", " with ", " that ", " as ", " about ", " on ",
        " if ", " by ",
    ];
    let core = counted.unwrap_or(bare);
    let core = core
        .get(..ends.iter().filter_map(|end| core.find(end)).min().unwrap_or(core.len()))?
        .trim();
    let words: Vec<&str> = core.split(' ').collect();
    let plain = !core.is_empty()
        && words.len() <= LONGEST
        && words
            .iter()
            .all(|word| word.chars().all(|letter| letter.is_ascii_alphabetic() || letter == '-'));
    const VAGUE: &[&str] = &[
        "json", "object", "result", "results", "it", "them", "nothing", "only", "error", "output",
        "response", "answer", "yaml", "true", "false",
    ];
    if !plain || words.iter().any(|word| VAGUE.contains(word)) {
        return None;
    }
    let name = words.join("_").replace('-', "_");
    let mut parameter =
        Parameter::text(&if counted.is_some() { format!("number_of_{name}") } else { name })?;
    part.clone_into(&mut parameter.description);
    infer(&mut parameter, if list.is_some() { Some("list") } else { counted.map(|_| "integer") });
    Some(parameter)
}
