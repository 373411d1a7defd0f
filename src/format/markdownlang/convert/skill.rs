//! The parts of a skill.

use std::path::Path;

use crate::format::markdownlang::rules::{is_tool_name, skeleton, slug};
use crate::markdown::front::{Delimiters, mark_length};
use crate::markdown::{Block, BlockKind};
use crate::source::Source;
use crate::text::Span;
use crate::yaml::{Node, Tree};

/// A parsed skill.
pub struct Skill {
    /// Valid as a tool name.
    pub name: String,
    /// Never blank.
    pub description: String,
    /// A model that a program can name.
    pub model: Option<String>,
    /// `allowed-tools`, one tool each.
    pub tools: Vec<String>,
    /// The text after the command: `argument-hint`.
    pub hint: Option<String>,
    /// Lines of front matter that fit no key of a program.
    pub rest: Vec<String>,
    /// The start of the body in the file.
    pub start: usize,
    /// The text after the front matter.
    pub body: String,
    /// The blocks of the body, in order; offsets count from the start of the body.
    pub blocks: Vec<Block>,
    pub newline: &'static str,
}

impl Skill {
    pub fn read(source: &Source, path: Option<&Path>) -> Self {
        let front = source.front_matter().filter(|front| front.delimiters != Delimiters::Unopened);
        let whole = source.slice(0..source.len());
        let start = front.as_ref().map_or_else(|| mark_length(&whole), |front| front.span.end);
        let body = source.slice(start..source.len()).into_owned();
        let text = |key: &str| {
            let node = &front.as_ref()?.tree.get(key)?.value;
            let text = node.as_str()?.split_whitespace().collect::<Vec<_>>().join(" ");
            (!text.is_empty()).then_some(text)
        };
        let blocks = blocks(source, start);
        let title = blocks.iter().find_map(|block| match &block.kind {
            BlockKind::Heading { title, .. } => Some(title.as_str()),
            _ => None,
        });
        let written = text("name");
        let name = name(written.as_deref(), title, path);
        let description =
            text("description").unwrap_or_else(|| described(&body, &blocks, title, &name));
        let model = text("model")
            .filter(|model| !MODEL_ALIASES.contains(&model.as_str()) && !model.contains(' '));
        let name_taken = written.clone().filter(|written| *written == name);
        let taken =
            [("description", text("description")), ("name", name_taken), ("model", model.clone())];
        let rest = front.as_ref().map_or_else(Vec::new, |front| {
            left(&source.slice(front.yaml_span.clone()), front.tree, &taken)
        });
        let tools = front
            .as_ref()
            .and_then(|front| front.tree.get("allowed-tools").or_else(|| front.tree.get("tools")));
        let tools = tools.map_or_else(Vec::new, |entry| tool_names(&entry.value));
        Self {
            name,
            description,
            model,
            tools,
            hint: text("argument-hint"),
            rest,
            start,
            body,
            blocks,
            newline: source.line_break(),
        }
    }

    /// The keys of front matter that have no counterpart in a program.
    pub fn dropped(&self) -> Vec<String> {
        let mut found: Vec<String> = Vec::new();
        for line in &self.rest {
            let key = line.split_once(':').map(|(key, _)| key);
            let word = |key: &&str| {
                !key.is_empty()
                    && key.chars().all(|letter| letter.is_alphanumeric() || "_-".contains(letter))
            };
            if let Some(key) = key.filter(word)
                && !found.iter().any(|known| known == key)
            {
                found.push(key.to_owned());
            }
        }
        found
    }

    pub fn slice(&self, span: &Span) -> &str {
        self.body.get(span.clone()).unwrap_or_default()
    }

    /// The top-level paragraphs, in order.
    pub fn paragraphs(&self) -> impl Iterator<Item = &Block> {
        self.blocks.iter().filter(|block| block.kind == BlockKind::Paragraph && block.depth == 0)
    }

    /// The spans of code blocks, in order.
    pub fn code(&self) -> Vec<Span> {
        self.blocks
            .iter()
            .filter(|block| matches!(block.kind, BlockKind::Code { .. }))
            .map(|block| block.span.clone())
            .collect()
    }
}

/// Names that only other tools understand.
const MODEL_ALIASES: &[&str] =
    &["inherit", "default", "sonnet", "opus", "haiku", "opusplan", "fast", "auto"];

fn blocks(source: &Source, start: usize) -> Vec<Block> {
    let mut found = Vec::new();
    for placed in source.sections() {
        for block in &source.blocks(placed).blocks {
            let span = placed.start + block.span.start..placed.start + block.span.end;
            if let Some(begin) = span.start.checked_sub(start) {
                let mut block = block.clone();
                block.span = begin..span.end - start;
                found.push(block);
            }
        }
    }
    found
}

fn name(written: Option<&str>, title: Option<&str>, path: Option<&Path>) -> String {
    let stem = path
        .and_then(Path::file_stem)
        .and_then(|stem| stem.to_str())
        .filter(|stem| !stem.eq_ignore_ascii_case("skill"));
    let folder =
        path.and_then(Path::parent).and_then(Path::file_name).and_then(|name| name.to_str());
    let title = title.map(str::to_lowercase);
    let written =
        written.map(|name| if is_tool_name(name) { name.to_owned() } else { name.to_lowercase() });
    let candidates = [written.as_deref(), title.as_deref(), stem, folder];
    let found =
        candidates.into_iter().flatten().find_map(slug).unwrap_or_else(|| "skill".to_owned());
    match found.strip_prefix("mcp__") {
        Some(rest) => slug(rest.trim_matches('_')).unwrap_or_else(|| "skill".to_owned()),
        None if found == "python" => "python-skill".to_owned(),
        None => found,
    }
}

/// The first sentence that isn't an introduction, else the title, else the name in words.
fn described(body: &str, blocks: &[Block], title: Option<&str>, name: &str) -> String {
    let paragraphs =
        blocks.iter().filter(|block| block.kind == BlockKind::Paragraph && block.depth == 0);
    let texts = paragraphs.filter_map(|block| body.get(block.span.clone()));
    let mut sentences = texts
        .filter(|text| !text.trim_end_matches(['*', '_', ' ']).ends_with(':'))
        .map(skeleton::sentence);
    let title = || title.map(skeleton::sentence).filter(|title| !title.is_empty());
    sentences
        .find(|sentence| !sentence.is_empty())
        .or_else(title)
        .unwrap_or_else(|| name.replace(['-', '_'], " "))
}

/// The names in `Read, Grep, Bash(git add:*)` or in a list of such.
fn tool_names(node: &Node) -> Vec<String> {
    let texts: Vec<&str> = match node.as_sequence() {
        Some(sequence) => sequence.items.iter().filter_map(Node::as_str).collect(),
        None => node.as_str().into_iter().collect(),
    };
    let mut found = Vec::new();
    for text in texts {
        let mut depth = 0_usize;
        let mut tool = String::new();
        for character in text.chars().chain([',']) {
            match character {
                '(' => depth += 1,
                ')' => depth = depth.saturating_sub(1),
                _ => {}
            }
            if depth == 0 && (character == ',' || character.is_whitespace()) {
                let name = std::mem::take(&mut tool);
                found.extend((!name.is_empty()).then_some(name));
            } else {
                tool.push(character);
            }
        }
    }
    found
}

/// The lines of the YAML except those of converted keys. Lines that YAML couldn't read are kept as
/// well.
fn left(text: &str, tree: &Tree, taken: &[(&str, Option<String>)]) -> Vec<String> {
    let broken = |span: &Span| {
        tree.errors.iter().any(|error| error.span.start < span.end && span.start < error.span.end)
    };
    let block = tree.root.as_ref().and_then(Node::as_mapping).is_some_and(|mapping| !mapping.flow);
    let is_taken = |key: &str| taken.iter().any(|(name, value)| *name == key && value.is_some());
    let entries = tree.entries().filter(|entry| block && entry.key.as_str().is_some_and(is_taken));
    let gone: Vec<Span> =
        entries.map(|entry| entry.span.clone()).filter(|span| !broken(span)).collect();
    // Rewrites a value if that needs only quotes.
    let repeats = |line: &str| {
        let value = |key: &str| {
            line.strip_prefix(key)?
                .strip_prefix(':')
                .map(|value| value.split_whitespace().collect::<Vec<_>>().join(" "))
        };
        taken.iter().any(|(key, text)| text.is_some() && value(key) == *text)
    };
    let mut found = Vec::new();
    let mut at = 0;
    for line in text.split_inclusive(['\n', '\r']) {
        let span = at..at + line.len();
        at = span.end;
        let kept = line.trim_end();
        if !kept.is_empty()
            && !repeats(kept)
            && gone.iter().all(|entry| span.end <= entry.start || entry.end <= span.start)
        {
            found.push(kept.to_owned());
        }
    }
    found
}
