//! The cost of each layer, one operation at a time, for a tool that counts instructions. Without an
//! argument, lists the operations. With an argument, runs that operation, with the measured part
//! inside [`measured`].

#[path = "documents/mod.rs"]
mod documents;

use std::hint::black_box;
use std::path::Path;

use agentmd::config::Config;
use agentmd::document::Document;
use agentmd::edit::batch::Request;
use agentmd::edit::{self, Block, Dialect};
use agentmd::format::Context;
use agentmd::format::duckflow::reply;
use agentmd::ide;
use agentmd::markdown::block;
use agentmd::selector::{self, Tree};
use agentmd::source::Source;
use agentmd::text::{Edit, Encoding};
use agentmd::world::Memory;
use agentmd::{template, yaml};
use documents::{FORMATS, PATH, document};

/// Large enough that work proportional to the document shows.
const LARGE: usize = 1 << 20;
const MIDDLE: usize = 100 << 10;

/// Runs the measured part. The tool finds this function by its name.
#[inline(never)]
fn measured<T>(work: impl FnOnce() -> T) -> T {
    black_box(work())
}

fn main() {
    let name = std::env::args().skip(1).find(|argument| !argument.starts_with("--"));
    let operations = operations();
    match name {
        None => operations.iter().for_each(|(name, _)| println!("{name}")),
        Some(name) => {
            let found = operations.into_iter().find(|(other, _)| *other == name);
            let (_, run) = found.unwrap_or_else(|| panic!("unknown operation `{name}`"));
            run();
        }
    }
}

type Operation = (String, Box<dyn FnOnce()>);

fn operation(name: &str, run: impl FnOnce() + 'static) -> Operation {
    (name.to_owned(), Box::new(run))
}

fn operations() -> Vec<Operation> {
    let mut all = vec![
        operation("text/edit", || {
            let (text, place) = document("plain", LARGE);
            let source = Source::new(&text);
            measured(|| {
                source.position(place, Encoding::Utf16);
                source.edit(&Edit::insert(place, "x"))
            });
        }),
        operation("source/read", || {
            let (text, _) = document("plain", MIDDLE);
            measured(|| Source::new(&text));
        }),
        operation("markdown/blocks", || {
            let (text, _) = document("plain", MIDDLE);
            measured(|| block::read(&text, 0));
        }),
        operation("markdown/highlights", || {
            let (text, _) = document("plain", MIDDLE);
            let source = Source::new(&text);
            measured(|| {
                source.sections().map(|placed| source.highlights(placed).count()).sum::<usize>()
            });
        }),
        operation("yaml/parse", || {
            let item = |at: usize| format!("key_{at}:\n  - name: a # {at}\n    text: \"b\"\n");
            let text: String = (0..200).map(item).collect();
            measured(|| yaml::parse(&text));
        }),
        operation("template/parse", || {
            let item = |at: usize| {
                format!("{{{{ if .a{at} }}}}{{{{ upper .b | printf \"%s\" }}}}{{{{ end }}}}\n")
            };
            let text: String = (0..200).map(item).collect();
            measured(|| template::parse(&text, &[]));
        }),
        operation("selector/tree", || {
            let (text, _) = document("plain", MIDDLE);
            let source = Source::new(&text);
            measured(|| Tree::read(&source));
        }),
        operation("selector/select", || {
            let (text, _) = document("plain", LARGE);
            let tree = Tree::read(&Source::new(&text));
            let wanted = selector::parse("doc::heading:h2[700]/block:list[0]").unwrap();
            measured(|| {
                selector::selection::select("doc", &text, &tree, &wanted, 500).unwrap().len()
            });
        }),
        operation("edit/locate", || {
            let (text, _) = document("plain", LARGE);
            let block = Block::of(
                Dialect::SearchReplace,
                "## Part 7000\n\nSome words to tpye in, and `code`.\n".to_owned(),
                "## Part\n".to_owned(),
            );
            measured(|| edit::apply(Some(&text), &[&block], Request::default()).is_complete());
        }),
        operation("reply/read", || {
            let (text, _) = document("duckflow", MIDDLE);
            measured(|| reply::read(&text));
        }),
    ];
    for (format, ..) in FORMATS {
        all.push(operation(&format!("open/{format}"), || opened(format, MIDDLE)));
        all.push(operation(&format!("key/{format}"), || typed(format, LARGE, &shown)));
    }
    for (name, ask) in REQUESTS {
        for (format, ..) in FORMATS {
            all.push(operation(&format!("{name}/{format}"), || typed(format, LARGE, ask)));
        }
    }
    all
}

/// A request that an editor sends after a keystroke, with its offset.
type Ask = fn(&Document, &Context, usize);

const REQUESTS: &[(&str, Ask)] = &[
    ("outline", |document, cx, _| drop(ide::symbols::symbols(document, cx))),
    ("folds", |document, cx, _| drop(ide::folding::folds(document, cx))),
    ("links", |document, cx, _| drop(ide::links::links(document, cx))),
    ("completion", |document, cx, at| drop(ide::completion::completions(document, cx, at))),
    ("tokens", |document, cx, at| {
        drop(ide::semantic_tokens::highlights(document, cx, at.saturating_sub(2000)..at + 2000));
    }),
    ("hover", |document, cx, at| drop(ide::hover::hover(document, cx, at))),
    ("definition", |document, cx, at| drop(ide::definition::definition(document, cx, at))),
    ("actions", |document, cx, at| {
        let found = ide::diagnostics::shown(document, cx, 0);
        drop(ide::code_actions::actions(document, cx, &found, at..at, true))
    }),
];

fn shown(document: &Document, cx: &Context, _: usize) {
    drop(ide::diagnostics::shown(document, cx, cx.config.options().max_findings));
}

/// Opens a document and computes its findings.
fn opened(format: &str, size: usize) {
    let (config, world, path) = (Config::default(), Memory::default(), Path::new(PATH));
    let (text, _) = document(format, size);
    measured(|| {
        let document = Document::new(&text, Some(path), &config);
        shown(&document, &Context::new(document.source(), Some(path), &world, &config), 0);
    });
}

/// Types a letter in a document that has been analyzed before, and repeats the request.
fn typed(format: &str, size: usize, ask: &dyn Fn(&Document, &Context, usize)) {
    let (config, world, path) = (Config::default(), Memory::default(), Path::new(PATH));
    let (text, place) = document(format, size);
    let look = |document: &Document| {
        let cx = Context::new(document.source(), Some(path), &world, &config);
        ask(document, &cx, place);
    };
    let key = |document: &Document| document.edit(&[Edit::insert(place, "x")], Some(path), &config);
    let mut document = Document::new(&text, Some(path), &config);
    look(&document);
    // Twice, because the first edit may split long lists, which the second one doesn't.
    for _ in 0..2 {
        document = key(&document);
        look(&document);
    }
    measured(|| {
        document = key(&document);
        look(&document);
    });
}
