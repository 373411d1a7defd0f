//! A format that exists only in tests: all that a format needs is a folder, here this file, and a
//! line in [`FORMATS`](crate::format::FORMATS).

use std::any::Any;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use parking_lot::Mutex;
use serde_json::json;

use crate::answer::{Completion, CompletionKind, FileEdit, Hover, Renaming, Symbol, SymbolKind};
use crate::config::{Config, Options};
use crate::declare_rule;
use crate::document::Document;
use crate::format::start::Start;
use crate::format::workspace::Workspace;
use crate::format::{Context, Format, Model, Parse};
use crate::format::{names, parse};
use crate::ide;
use crate::rule::{Fix, Report};
use crate::source::Source;
use crate::text::{self, Edit, Span};
use crate::world::{Memory, World};

declare_rule! {
    /// A tiny document says nothing loudly.
    ///
    /// ````markdown bad
    /// %tiny HELLO
    /// ````
    ///
    /// ````markdown good
    /// %tiny hello
    /// ````
    static SHOUT = "tiny/shout", Warning, "Shouted word";
}

const MARK: &str = "%tiny ";

pub static FORMAT: Format = Format {
    name: "tiny",
    recognise: |_, source| Tiny::read(source).is_some(),
    read: |source, _| Arc::new(Tiny::read(source).unwrap_or_default()),
    rules: || vec![&SHOUT],
    workspace: &Known,
    start: &Begun,
    parse: Some(Parse {
        name: "tiny",
        read: |cx| json!({ "format": "tiny", "word": Tiny::read(cx.source).map(|tiny| tiny.word) }),
        accepts: |_| false,
    }),
};

#[derive(Default)]
struct Tiny {
    word: String,
    span: Span,
}

impl Tiny {
    fn read(source: &Source) -> Option<Self> {
        let line = source.slice(source.line_span(0));
        let word = line.strip_prefix(MARK)?.trim_end().to_owned();
        Some(Self { span: MARK.len()..MARK.len() + word.len(), word })
    }
}

impl Model for Tiny {
    fn as_any(&self) -> &dyn Any {
        self
    }

    fn check(&self, _: &Context, report: &mut Report) {
        let quiet = self.word.to_lowercase();
        if self.word != quiet {
            let message = format!("`{}` is loud; write `{quiet}`", self.word);
            let edit = Edit::replace(self.span.clone(), quiet);
            report.add(&SHOUT, self.span.clone(), message).fix(Fix::safe("Lower it", vec![edit]));
        }
    }

    fn hover(&self, _: &Context, offset: usize) -> Option<Hover> {
        let span = self.span.clone();
        (span.start <= offset && offset <= span.end)
            .then(|| Hover { span, markdown: format!("says **{}**", self.word) })
    }

    fn symbols(&self, _: &Context) -> Vec<Symbol> {
        vec![Symbol {
            name: self.word.clone(),
            detail: None,
            kind: SymbolKind::Key,
            span: self.span.clone(),
            selection: self.span.clone(),
            children: Vec::new(),
        }]
    }
}

/// Tiny documents know each other by their words.
struct Known;

impl Workspace for Known {
    fn learn(&self, world: &dyn World, path: &Path, source: &Source) {
        if Tiny::read(source).is_some() {
            let paths = world.memo().get::<Mutex<BTreeSet<PathBuf>>>();
            paths.lock().insert(path.to_owned());
        }
    }

    fn moves(
        &self,
        world: &dyn World,
        moves: &[(PathBuf, PathBuf)],
        _: &(dyn Fn() -> bool + Sync),
    ) -> Renaming {
        let paths = world.memo().get::<Mutex<BTreeSet<PathBuf>>>();
        let paths = paths.lock();
        let moved = moves.iter().filter(|(old, _)| paths.contains(old));
        moved
            .map(|(old, new)| {
                let name = new.file_stem().unwrap().to_string_lossy();
                let edits = vec![Edit::insert(MARK.len(), format!("{name} "))];
                FileEdit { path: Some(old.clone()), edits }
            })
            .collect::<Vec<_>>()
            .into()
    }
}

struct Begun;

impl Start for Begun {
    fn complete(&self, cx: &Context, offset: usize) -> Vec<Completion> {
        if cx.source.slice(0..offset) != "%" {
            return Vec::new();
        }
        vec![Completion {
            label: MARK.to_owned(),
            kind: CompletionKind::Keyword,
            detail: None,
            documentation: None,
            edit: Edit::replace(0..offset, MARK),
            snippet: None,
            rank: 0,
            more: false,
        }]
    }
}

fn with<T>(content: &str, options: Options, ask: impl FnOnce(&Document, &Context) -> T) -> T {
    let config = Config::new(PathBuf::from("/w"), options).unwrap();
    let path = Path::new("/w/a.md");
    let world = Memory::default().in_folder("/w").with(path, content);
    let document = Document::new(content, Some(path), &config);
    ask(&document, &Context::new(document.source(), Some(path), &world, &config))
}

#[test]
fn one_folder_and_one_line_add_a_format() {
    let text = "%tiny HELLO\n\n# Heading\n";
    with(text, Options::default(), |document, cx| {
        assert_eq!(document.format().name, "tiny");
        let found = ide::diagnostics::diagnostics(document, cx);
        let shown: Vec<_> = found.iter().map(|one| (one.rule.code, one.span.clone())).collect();
        assert_eq!(shown, [("tiny/shout", 6..11)]);
        let fixed = text::apply(text, &ide::code_actions::fix_all(&found)).unwrap();
        assert_eq!(fixed, "%tiny hello\n\n# Heading\n");
        let hover = ide::hover::hover(document, cx, 8).unwrap();
        assert_eq!(hover.markdown, "says **HELLO**");
        let symbols = ide::symbols::symbols(document, cx);
        let names: Vec<_> = symbols.iter().map(|symbol| symbol.name.as_str()).collect();
        assert_eq!(names, ["HELLO", "Heading"]);
        let own = parse::all().find(|parse| parse.name == "tiny").unwrap();
        assert_eq!((own.read)(cx), json!({ "format": "tiny", "word": "HELLO" }));
    });
}

#[test]
fn settings_know_a_new_format_and_its_rules() {
    let ignored = Options { ignore: vec!["tiny".to_owned()], ..Options::default() };
    assert_eq!(names::unknown_in(&ignored), [""; 0]);
    with("%tiny HELLO\n", ignored, |document, cx| {
        assert_eq!(ide::diagnostics::diagnostics(document, cx), []);
    });
    let suppressed = "%tiny HELLO <!-- agentmd-disable-line tiny/shout -->\n";
    with(suppressed, Options::default(), |document, cx| {
        assert_eq!(ide::diagnostics::diagnostics(document, cx), []);
    });
    let mut set = Options::default();
    set.formats.insert("*.md".to_owned(), "tiny".to_owned());
    assert_eq!(names::unknown_in(&set), [""; 0]);
    with("Hello.\n", set.clone(), |document, _| assert_eq!(document.format().name, "tiny"));
    set.formats.insert("*.txt".to_owned(), "tinny".to_owned());
    assert_eq!(names::unknown_in(&set), ["unknown format `tinny`; did you mean `tiny`?"]);
    assert_eq!(
        names::rule("tiny/shoot").unwrap_err().to_string(),
        "unknown rule `tiny/shoot`; did you mean `tiny/shout`?"
    );
}

#[test]
fn a_new_format_begins_in_plain_files_and_learns_from_the_workspace() {
    with("%", Options::default(), |document, cx| {
        assert_eq!(document.format().name, "plain");
        let labels: Vec<_> = ide::completion::completions(document, cx, 1)
            .items
            .into_iter()
            .map(|completion| completion.label)
            .collect();
        assert_eq!(labels, [MARK]);
    });
    let (old, new) = (PathBuf::from("/w/a.md"), PathBuf::from("/w/b.md"));
    let world = Memory::default().in_folder("/w").with(&old, "%tiny HELLO\n");
    let moves = [(old.clone(), new)];
    assert!(ide::workspace::moves(&world, &moves, &|| false).is_empty());
    ide::workspace::learn(&world, &old, &world.read(&old).unwrap());
    let edits = vec![Edit::insert(MARK.len(), "b ")];
    assert_eq!(
        ide::workspace::moves(&world, &moves, &|| false).files,
        [FileEdit { path: Some(old), edits }]
    );
}
