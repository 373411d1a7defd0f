//! What a reply costs: read whole, checked, and per key, in replies of 40 KB to 10 MB and of a million markers.

use std::path::Path;

use agentmd::config::Config;
use agentmd::document::Document;
use agentmd::format::{Context, duckflow};
use agentmd::ide;
use agentmd::source::Source;
use agentmd::text::Edit;
use agentmd::world::Memory;
use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};

const SIZES: [usize; 4] = [40 << 10, 400 << 10, 1 << 20, 10 << 20];
const CODE: &str = "def greet(name):\n    \"\"\"Greets somebody.\"\"\"\n    names = [name]\n    print(f\"Hello {names[0]}\")\n\n\n# Heading\n\nA paragraph of [text](link).\n\n";

/// A reply with one action for about `each` bytes of content.
fn reply(size: usize, each: usize) -> String {
    let mut text = String::from("[REASONING]\nThere is much to do.\n\n[CONFIDENCE] 0.9\n[MOOD] 0.8\n[FOCUS] 0.9\n[STAMINA] 0.7\n\n");
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
    let mut cases: Vec<(String, String)> = SIZES.iter().map(|size| (format!("{}KB", size >> 10), reply(*size, 4000))).collect();
    cases.push(("million-markers".to_owned(), reply(32 << 20, 0)));
    let mut group = criterion.benchmark_group("reply");
    for (name, text) in &cases {
        group.throughput(Throughput::Bytes(text.len() as u64));
        group.bench_function(BenchmarkId::new("parse", name), |b| b.iter(|| duckflow::reply::read(text)));
        let check = |document: &Document| ide::diagnostics::diagnostics(document, &Context::new(document.source(), Some(path), &world, &config));
        let document = Document::from_source(Source::new(text), Some(path), &config);
        check(&document);
        let place = text.len() / 2 + text[text.len() / 2..].find("Hello").unwrap_or(0);
        let edit = Edit::insert(place, "x");
        group.bench_function(BenchmarkId::new("read", name), |b| b.iter(|| duckflow::read(document.source())));
        group.bench_function(BenchmarkId::new("key", name), |b| b.iter(|| check(&document.edit(std::slice::from_ref(&edit), Some(path), &config))));
    }
    group.finish();
}

criterion_group! {
    name = benches;
    config = Criterion::default().sample_size(10).warm_up_time(std::time::Duration::from_millis(200)).measurement_time(std::time::Duration::from_millis(800));
    targets = replies
}
criterion_main!(benches);
