//! Reads the typed view from the YAML tree.

use std::collections::HashSet;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::{Arc, OnceLock};

use super::body::Body;
use super::field::{CONFIG_FIELDS, EFFORTS, Key, SERVER_FIELDS, find};
use super::program::{
    Field, Front, Header, Import, ImportKind, ModelConfig, Program, Server, Text,
};
use crate::source::{FrontMatter, Source};
use crate::text::Span;
use crate::yaml::{self, Anchors, Entry, Kind, Mapping, Node, ScalarType};

/// Reads a program, once per version; reuses results of `previous` for unchanged sections.
pub fn read(source: &Source, previous: Option<&Program>) -> Program {
    let make = || {
        let header = header(source);
        // An unchanged schema has unchanged types, so their cached answers stay valid.
        if let Some(types) =
            previous.and_then(|previous| previous.types.get().or(previous.former.get()))
        {
            header.former.get_or_init(|| types.clone());
        }
        let body = Arc::new(Body::read(source, previous.map(|previous| &*previous.body)));
        Program { header, body, checked: Arc::default() }
    };
    source.memo().get::<OnceLock<Program>>().get_or_init(make).clone()
}

/// Reads front matter, once per section that contains it, regardless of the body.
pub fn header(source: &Source) -> Arc<Header> {
    let Some(front) = source.front_matter() else { return Arc::default() };
    let memo = front.section.memo.get::<OnceLock<Arc<Header>>>();
    Arc::clone(memo.get_or_init(|| Arc::new(read_header(source, &front))))
}

fn read_header(source: &Source, front: &FrontMatter) -> Header {
    let anchors = front.tree.anchors();
    let reader = Reader { offset: front.yaml_span.start, anchors: &anchors };
    let mut header = Header::default();
    if let Some(mapping) = front.tree.root.as_ref().and_then(Node::as_mapping) {
        for entry in entries(mapping, &anchors) {
            reader.top_level(entry, &mut header);
        }
    }
    let mut hasher = DefaultHasher::new();
    source.slice(front.span.clone()).hash(&mut hasher);
    header.id = hasher.finish();
    let (delimiters, opening, span, yaml) =
        (front.delimiters, front.opening.clone(), front.span.clone(), front.yaml_span.clone());
    header.front = Some(Front { tree: Arc::clone(front.tree), delimiters, opening, span, yaml });
    header
}

/// The entries of a mapping, and those that its merge keys add.
pub(super) fn entries<'t>(mapping: &'t Mapping, anchors: &Anchors<'t>) -> Vec<&'t Entry> {
    let mut found: Vec<&Entry> =
        mapping.entries.iter().filter(|entry| !yaml::resolve::is_merge(entry)).collect();
    let sources = anchors.merged(mapping);
    if sources.is_empty() {
        return found;
    }
    let mut known: HashSet<Option<&str>> = found.iter().map(|entry| entry.key.as_str()).collect();
    for entry in
        sources.into_iter().filter_map(yaml::Node::as_mapping).flat_map(|mapping| &mapping.entries)
    {
        if !yaml::resolve::is_merge(entry) && known.insert(entry.key.as_str()) {
            found.push(entry);
        }
    }
    found
}

struct Reader<'a, 't> {
    offset: usize,
    anchors: &'a Anchors<'t>,
}

impl<'t> Reader<'_, 't> {
    fn top_level(&self, entry: &'t Entry, header: &mut Header) {
        let field = self.field(entry);
        match field.key.text.as_str() {
            "name" => header.name = self.text(&entry.value),
            "description" => header.description = self.text(&entry.value),
            "model" => header.model = self.text(&entry.value),
            "input" => header.input = Some(field.clone()),
            "output" => header.output = Some(field.clone()),
            "imports" => {
                header.imports =
                    self.items(&entry.value).filter_map(|item| self.import(item)).collect()
            }
            "config" => header.config = self.config(&entry.value),
            "mcp_servers" => {
                header.servers =
                    self.items(&entry.value).filter_map(|item| self.server(item)).collect()
            }
            _ => {}
        }
        header.fields.push(field);
    }

    fn place(&self, span: &Span) -> Span {
        span.start + self.offset..span.end + self.offset
    }

    fn field(&self, entry: &Entry) -> Field {
        let key = Text {
            text: entry.key.as_str().unwrap_or_default().to_owned(),
            span: self.place(&entry.key.span),
        };
        Field { key, value: self.place(&entry.value.span), span: self.place(&entry.span) }
    }

    /// The text of a scalar that isn't null; follows aliases, but with the alias's span.
    fn text(&self, node: &'t Node) -> Option<Text> {
        let target = self.anchors.follow(node)?;
        let text = target.as_str()?.to_owned();
        (yaml::scalar_type(target) != ScalarType::Null)
            .then(|| Text { text, span: self.place(&node.span) })
    }

    fn items(&self, node: &'t Node) -> impl Iterator<Item = &'t Node> + use<'t> {
        self.anchors
            .follow(node)
            .and_then(Node::as_sequence)
            .into_iter()
            .flat_map(|sequence| &sequence.items)
    }

    fn import(&self, item: &'t Node) -> Option<Import> {
        let Text { text, span } = self.text(item)?;
        if self.anchors.follow(item).is_none_or(|node| yaml::scalar_type(node) != ScalarType::Str) {
            return None;
        }
        let kind = ImportKind::of(&text);
        Some(Import { text, span, kind })
    }

    fn server(&self, item: &'t Node) -> Option<Server> {
        let mapping = self.anchors.follow(item)?.as_mapping()?;
        let mut server = Server { span: self.place(&item.span), ..Server::default() };
        for entry in entries(mapping, self.anchors) {
            let field = self.field(entry);
            match field.key.text.as_str() {
                "name" => server.name = self.text(&entry.value),
                "command" => server.command = self.text(&entry.value),
                "url" => server.url = self.text(&entry.value),
                "transport" => server.transport = self.text(&entry.value),
                "args" => {
                    server.args =
                        self.items(&entry.value).filter_map(|item| self.text(item)).collect()
                }
                "env" => server.env = self.pairs(&entry.value),
                "headers" => server.headers = self.pairs(&entry.value),
                "timeout" => server.timeout = self.number(entry, SERVER_FIELDS),
                "disabled" => {
                    server.disabled = self
                        .anchors
                        .follow(&entry.value)
                        .is_some_and(|node| yaml::scalar_type(node) == ScalarType::Bool(true))
                }
                _ => {}
            }
            server.fields.push(field);
        }
        Some(server)
    }

    fn config(&self, node: &'t Node) -> ModelConfig {
        let mut config = ModelConfig::default();
        let Some(mapping) = self.anchors.follow(node).and_then(Node::as_mapping) else {
            return config;
        };
        for entry in entries(mapping, self.anchors) {
            match entry.key.as_str() {
                Some("temperature") => config.temperature = self.number(entry, CONFIG_FIELDS),
                Some("top_p") => config.top_p = self.number(entry, CONFIG_FIELDS),
                Some("max_tokens") => config.max_tokens = self.integer(entry),
                Some("seed") => config.seed = self.integer(entry),
                Some("reasoning_effort") => {
                    let text = self.text(&entry.value).map(|text| text.text);
                    config.reasoning_effort = text.filter(|text| EFFORTS.contains(&text.as_str()));
                }
                _ => {}
            }
        }
        config
    }

    /// The number of an entry, if the field allows it.
    fn number(&self, entry: &'t Entry, table: &'static [Key]) -> Option<f64> {
        let key = find(table, entry.key.as_str()?)?;
        let node = self.anchors.follow(&entry.value)?;
        let number = yaml::to_json(node, self.anchors).value.as_f64()?;
        key.holds.allows_number(number).then_some(number)
    }

    fn integer(&self, entry: &'t Entry) -> Option<i64> {
        let number = self.number(entry, CONFIG_FIELDS)?;
        // Only numbers that `f64` represents exactly: the others are findings.
        (number.abs() <= 9_007_199_254_740_992.0).then_some(number as i64)
    }

    fn pairs(&self, node: &'t Node) -> Vec<(Text, Text)> {
        let Some(Kind::Mapping(mapping)) = self.anchors.follow(node).map(|node| &node.kind) else {
            return Vec::new();
        };
        entries(mapping, self.anchors)
            .into_iter()
            .filter_map(|entry| Some((self.text(&entry.key)?, self.text(&entry.value)?)))
            .collect()
    }
}
