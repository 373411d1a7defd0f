//! What a key costs from the edit to the findings to show, in documents of every format of 10 KB to
//! 1 MB: every format should read the same at every size.

use std::path::Path;

use agentmd::config::Config;
use agentmd::document::Document;
use agentmd::format::Context;
use agentmd::ide::diagnostics::shown;
use agentmd::text::Edit;
use agentmd::world::Memory;
use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};

const SIZES: [usize; 3] = [10 << 10, 100 << 10, 1 << 20];
/// Where one types.
const PLACE: &str = "words to type in";

type Part = fn(usize) -> String;

/// The start of a document of each format, and what it consists of.
const FORMATS: &[(&str, &str, Part)] = &[
    ("plain", "# Title\n\n", |at| format!("## Part {at}\n\nSome {PLACE}, and `code`.\n\n")),
    (
        "markdownlang",
        "---\nname: a\ndescription: A.\ninput: { type: object, properties: { who: { type: string }, nick: { type: string } }, required: [who] }\noutput: { type: object, properties: { text: { type: string } }, required: [text] }\nimports: [./missing.md]\n---\n\n",
        |at| {
            format!(
                "## Part {at}\n\nGreet {{{{ .who }}}} and {{{{ upper .nick }}}}, with {PLACE}.\n\n"
            )
        },
    ),
    (
        "duckflow",
        "[REASONING]\nMuch.\n\n[CONFIDENCE] 0.5\n[MOOD] 0.5\n[FOCUS] 0.5\n[STAMINA] 0.5\n\n",
        |at| {
            format!(
                "[ACTION_{at}_TYPE] edit_file\n[ACTION_{at}_PATH] src/{at}.py\n[ACTION_{at}_CONTENT_START]\n# {PLACE}\n[ACTION_{at}_CONTENT_END]\n\n"
            )
        },
    ),
    (
        "llmd",
        "# Project: p\n\n## Meta: LLMD\n\nm\n\n## Mission\n\nm\n\n## Code Context\n\n### src/a.py\n```\nx = 7\n```\n\n## Changelog\n\n- c\n\n## Conversation Thread\n\n",
        |at| {
            let at = at + 1;
            format!(
                "### Entry {at}\n\n**Human:** Some {PLACE}.\n\n**Assistant:** Done.\n\nsrc/a.py\n<<<<<< SEARCH\nx = {at}\n=======\ny\n>>>>>> REPLACE\n\n"
            )
        },
    ),
    ("context", "## Context\n\n", |at| {
        format!("### Code (from src/{at}.py:{at}-{at})\n```\nSome {PLACE}\n```\n\n")
    }),
];

fn keys(criterion: &mut Criterion) {
    let (config, world, path) = (Config::default(), Memory::default(), Path::new("/w/doc.md"));
    let most = config.options().max_findings;
    for (name, start, part) in FORMATS {
        let mut group = criterion.benchmark_group(*name);
        for size in SIZES {
            let mut text = (*start).to_owned();
            let mut parts = (0..).map(part);
            while text.len() < size {
                text.extend(parts.next());
            }
            let middle = text.len() / 2;
            let place = middle + text[middle..].find(PLACE).unwrap_or(0);
            let mut document = Document::new(&text, Some(path), &config);
            let check = |document: &Document| {
                let cx = Context::new(document.source(), Some(path), &world, &config);
                shown(document, &cx, most)
            };
            assert_eq!(document.format().name, *name);
            check(&document);
            let mut typed = false;
            group.bench_function(BenchmarkId::new("key", size), |bencher| {
                bencher.iter(|| {
                    let edit = match typed {
                        false => Edit::insert(place, "x"),
                        true => Edit::delete(place..place + 1),
                    };
                    typed = !typed;
                    document = document.edit(&[edit], Some(path), &config);
                    check(&document)
                })
            });
        }
        group.finish();
    }
}

criterion_group! {
    name = benches;
    config = Criterion::default().sample_size(20).warm_up_time(std::time::Duration::from_millis(200)).measurement_time(std::time::Duration::from_millis(800));
    targets = keys
}
criterion_main!(benches);
