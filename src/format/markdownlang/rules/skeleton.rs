//! Values for missing fields, from the file's name and body.

use std::path::Path;

use super::context::slug;
use crate::format::Context;
use crate::markdown::BlockKind;
use crate::source::Source;
use crate::yaml;

/// A name from the file's name.
pub fn name(path: Option<&Path>) -> String {
    let stem = path.and_then(Path::file_stem).and_then(|stem| stem.to_str());
    stem.and_then(slug)
        .filter(|name| name != "python" && !name.starts_with("mcp__"))
        .unwrap_or_else(|| "my-program".to_owned())
}

/// A description from the first sentence of the body, or else from its first heading.
pub fn description(source: &Source) -> String {
    let mut heading = None;
    for placed in source.sections() {
        for block in &source.blocks(placed).blocks {
            let span = block.span.start + placed.start..block.span.end + placed.start;
            match &block.kind {
                BlockKind::Paragraph => {
                    let sentence = sentence(&source.slice(span));
                    if !sentence.is_empty() {
                        return sentence;
                    }
                }
                BlockKind::Heading { text, .. } if heading.is_none() => {
                    heading = Some(plain(
                        &source.slice(text.start + placed.start..text.end + placed.start),
                    ));
                }
                _ => {}
            }
        }
        if placed.start > FAR {
            break;
        }
    }
    heading
        .filter(|heading| !heading.is_empty())
        .unwrap_or_else(|| "What the program does".to_owned())
}

/// The search for a description covers this much of the document.
const FAR: usize = 20_000;
/// Longer sentences are truncated after a word.
const LONGEST: usize = 160;

/// The first sentence of a paragraph, without its marks.
pub fn sentence(paragraph: &str) -> String {
    let text = plain(paragraph);
    let end = text.match_indices(['.', '!', '?', '。', '！', '？']).find_map(|(at, mark)| {
        let rest = text.get(at + mark.len()..)?;
        (rest.is_empty() || rest.starts_with(' ') || mark.len() > 1).then_some(at)
    });
    let text = text.get(..end.unwrap_or(text.len())).unwrap_or_default();
    let cut = text
        .char_indices()
        .nth(LONGEST)
        .and_then(|(at, _)| text.get(..at))
        .map(|text| text.rsplit_once(' ').map_or(text, |(words, _)| words));
    cut.unwrap_or(text).trim_end_matches([':', ',', ';', ' ']).to_owned()
}

/// Markdown as text on one line: removes marks, and turns `{{ .who }}` into `who`.
fn plain(markdown: &str) -> String {
    let mut out = String::new();
    let mut rest = markdown;
    while let Some((before, action)) = rest.split_once("{{") {
        out.push_str(before);
        let (action, after) = action.split_once("}}").unwrap_or((action, ""));
        let word = action
            .split(|character: char| {
                !(character.is_alphanumeric() || matches!(character, '.' | '_'))
            })
            .find(|word| word.starts_with('.'));
        out.push_str(word.unwrap_or_default().trim_matches('.'));
        rest = after;
    }
    out.push_str(rest);
    let kept: String = out
        .chars()
        .filter(|character| !matches!(character, '*' | '`' | '[' | ']' | '#' | '<' | '>'))
        .collect();
    kept.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The names that the body reads from the input: `who` for `{{ .who.name | upper }}`.
pub fn variables(source: &Source, body: usize) -> Vec<String> {
    let text = source.slice(body.min(source.len())..source.len().min(body + FAR));
    let mut found: Vec<String> = Vec::new();
    for action in
        text.split("{{").skip(1).filter_map(|rest| rest.split_once("}}")).map(|(action, _)| action)
    {
        let mut before = ' ';
        for (at, character) in action.char_indices() {
            if character == '.' && (before.is_whitespace() || matches!(before, '(' | '|' | '-')) {
                let name: String = action
                    .chars()
                    .skip(action.get(..=at).map_or(0, |text| text.chars().count()))
                    .take_while(|next| next.is_ascii_alphanumeric() || *next == '_')
                    .collect();
                if !name.is_empty()
                    && !name.starts_with(|first: char| first.is_ascii_digit())
                    && !found.contains(&name)
                    && found.len() < 20
                {
                    found.push(name);
                }
            }
            before = character;
        }
    }
    found
}

/// A schema of the properties `names`, from its second line on.
pub fn schema(names: &[String]) -> String {
    if names.is_empty() {
        return "\n  type: object\n  properties: {}".to_owned();
    }
    let properties: String =
        names.iter().map(|name| format!("\n    {name}: {{ type: string }}")).collect();
    format!("\n  type: object\n  properties:{properties}\n  required: [{}]", names.join(", "))
}

/// The four required fields, each line with its break.
pub fn fields(cx: &Context, newline: &str) -> String {
    let input = schema(&variables(cx.source, 0));
    let output = schema(&["result".to_owned()]);
    let description = yaml::print_scalar(&description(cx.source));
    format!("name: {}\ndescription: {description}\ninput:{input}\noutput:{output}\n", name(cx.path))
        .replace('\n', newline)
}

/// The whole front matter, including delimiters.
pub fn front_matter(cx: &Context, newline: &str) -> String {
    format!("---{newline}{}---{newline}{newline}", fields(cx, newline))
}

/// Escapes literal text for a snippet.
pub fn escape(text: &str) -> String {
    text.replace('\\', "\\\\").replace('$', "\\$").replace('}', "\\}")
}
