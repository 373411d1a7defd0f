//! The cost of a reply: read as a whole, checked, and per keystroke, in replies from 40 KB to 10 MB
//! and of a million markers. A keystroke is measured both incrementally and with a check of the
//! whole reply.

use std::path::Path;
use std::time::Duration;

use agentmd::config::Config;
use agentmd::document::Document;
use agentmd::format::duckflow::{self, Response, rules};
use agentmd::format::{Context, duckflow::reply};
use agentmd::ide;
use agentmd::rule::Report;
use agentmd::source::Source;
use agentmd::text::Edit;
use agentmd::world::{Disk, Memory};
use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};

const SIZES: [usize; 3] = [40 << 10, 1 << 20, 10 << 20];
const CODE: &str = "def greet(name):\n    \"\"\"Greets somebody.\"\"\"\n    names = [name]\n    print(f\"Hello {names[0]}\")\n\n\n# Heading\n\nA paragraph of [text](link).\n\n";

/// A reply with one action for about `each` bytes of content.
fn long(size: usize, each: usize) -> String {
    let mut text = String::from(
        "[REASONING]\nThere is much to do.\n\n[CONFIDENCE] 0.9\n[MOOD] 0.8\n[FOCUS] 0.9\n[STAMINA] 0.7\n\n",
    );
    let mut index = 0;
    while text.len() < size {
        let content = CODE.repeat(each.div_ceil(CODE.len()));
        text.push_str(&format!("[ACTION_{index}_TYPE] create_file\n[ACTION_{index}_PATH] src/{index}.py\n[ACTION_{index}_CONTENT_START]\n{content}[ACTION_{index}_CONTENT_END]\n\n"));
        index += 1;
    }
    text.push_str(&format!("[ACTION_{index}_TYPE] finish\n[ACTION_{index}_RESULT] Done.\n"));
    text
}

fn replies(criterion: &mut Criterion) {
    let (config, world, path) = (Config::default(), Memory::default(), Path::new("/w/reply.md"));
    let mut cases: Vec<(String, String)> =
        SIZES.iter().map(|size| (format!("{}KB", size >> 10), long(*size, 4000))).collect();
    cases.push(("10MB-in-one-action".to_owned(), long(10 << 20, 10 << 20)));
    cases.push(("million-markers".to_owned(), long(24 << 20, 0)));
    let mut group = criterion.benchmark_group("reply");
    for (name, text) in &cases {
        let check = |document: &Document| {
            ide::diagnostics::diagnostics(
                document,
                &Context::new(document.source(), Some(path), &world, &config),
            )
        };
        group.throughput(Throughput::Bytes(text.len() as u64));
        group.bench_function(BenchmarkId::new("parse", name), |b| b.iter(|| reply::read(text)));
        let document = Document::from_source(Source::new(text), Some(path), &config);
        check(&document);
        let place = text.len() / 2
            + text[text.len() / 2..]
                .find("src/")
                .or_else(|| text[text.len() / 2..].find("Hello"))
                .unwrap_or(0);
        let edit = [Edit::insert(place, "x")];
        group.bench_function(BenchmarkId::new("key", name), |b| {
            b.iter(|| check(&document.edit(&edit, Some(path), &config)))
        });
        group.bench_function(BenchmarkId::new("key, checked whole", name), |b| {
            b.iter(|| {
                let source = document.edit(&edit, Some(path), &config).source().clone();
                let mut report = Report::default();
                let whole = Response::new(&source, None);
                rules::check_whole(
                    &whole,
                    &Context::new(&source, Some(path), &world, &config),
                    &mut report,
                );
                report.diagnostics.len()
            });
        });
        // The reply has been streamed up to the end of its last content.
        let cut = text
            .rfind("\n\n[ACTION_")
            .map_or(text.len(), |end| text[..end].rfind("\n[ACTION_").unwrap_or(end));
        let begun = Document::new(&text[..cut], Some(path), &config);
        check(&begun);
        let edit = [Edit::insert(cut, "abc")];
        group.bench_function(BenchmarkId::new("stream", name), |b| {
            b.iter(|| check(&begun.edit(&edit, Some(path), &config)))
        });
        group.bench_function(BenchmarkId::new("layout", name), |b| {
            b.iter(|| duckflow::read(document.source()))
        });
    }
    group.finish();
}

/// A reply of 100 KB with 123 paths that don't exist, in a folder of 200 files.
fn missing_paths(criterion: &mut Criterion) {
    let folder = std::env::temp_dir().join(format!("agentmd-reply-{}", std::process::id()));
    std::fs::create_dir_all(folder.join("src")).unwrap();
    for index in 0..200 {
        std::fs::write(folder.join(format!("src/module_{index}.rs")), "").unwrap();
    }
    let mut text = long(0, 0).split("[ACTION").next().unwrap_or_default().to_owned();
    for index in 0..123 {
        text.push_str(&format!("[ACTION_{index}_TYPE] edit_file\n[ACTION_{index}_PATH] src/other_{index}.rs\n[ACTION_{index}_CONTENT_START]\n{}[ACTION_{index}_CONTENT_END]\n\n", CODE.repeat(6)));
    }
    let (config, world, path) = (Config::default(), Disk::default(), folder.join("reply.md"));
    let check = |document: &Document| {
        ide::diagnostics::diagnostics(
            document,
            &Context::new(document.source(), Some(&path), &world, &config),
        )
    };
    let document = Document::from_source(Source::new(&text), Some(&path), &config);
    assert!(check(&document).len() >= 123);
    let edit = [Edit::insert(text.len() / 2, "x")];
    criterion.bench_function("reply/key/123 missing paths", |b| {
        b.iter(|| check(&document.edit(&edit, Some(&path), &config)))
    });
    std::fs::remove_dir_all(&folder).unwrap();
}

criterion_group! {
    name = benches;
    config = Criterion::default().sample_size(10).warm_up_time(Duration::from_millis(200)).measurement_time(Duration::from_millis(600));
    targets = missing_paths, replies
}
criterion_main!(benches);
