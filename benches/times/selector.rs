//! The cost of an inventory compared with only reading blocks, and of selecting from a large
//! document.

use agentmd::selector::inventory::inventory;
use agentmd::selector::selection::select;
use agentmd::selector::suggest::suggestions;
use agentmd::selector::{Tree, parse};
use agentmd::source::Source;
use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use pulldown_cmark::{Options, Parser};

const CHAPTER: &str = "# Chapter\n\nA paragraph of *some* words with a [link](to.md) and `code`, long enough to be one that a person\nwould write, over two lines.\n\n## Part\n\n- one item\n- another, **bold**\n  - and one inside\n\n```rust\nfn main() {\n    println!(\"hello\");\n}\n```\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n> A quote of\n> two lines.\n\n### Detail\n\nMore text stands here, and then it ends.\n\n";

fn selectors(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("selector");
    for size in [10 << 10, 1 << 20, 10 << 20] {
        let text = CHAPTER.repeat(size / CHAPTER.len() + 1);
        let name = format!("{}KB", size >> 10);
        group.throughput(Throughput::Bytes(text.len() as u64));
        let options =
            Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH | Options::ENABLE_TASKLISTS;
        group.bench_function(BenchmarkId::new("blocks", &name), |b| {
            b.iter(|| Parser::new_ext(&text, options).into_offset_iter().count())
        });
        group.bench_function(BenchmarkId::new("index", &name), |b| {
            b.iter(|| {
                let tree = Tree::read(&Source::new(&text));
                serde_json::to_string(&inventory("doc", "doc.md", &text, &tree, 500, false))
                    .unwrap()
                    .len()
            });
        });
        let tree = Tree::read(&Source::new(&text));
        let selector = parse("doc::heading:h2[7]/block:code[0]").unwrap();
        group.bench_function(BenchmarkId::new("select", &name), |b| {
            b.iter(|| select("doc", &text, &tree, &selector, 500).unwrap().len())
        });
        group.bench_function(BenchmarkId::new("suggest", &name), |b| {
            b.iter(|| suggestions("doc::heding:h2[999999]", &[("doc", &tree)]))
        });
    }
    group.finish();
}

criterion_group! {
    name = benches;
    config = Criterion::default().sample_size(10).warm_up_time(std::time::Duration::from_millis(200)).measurement_time(std::time::Duration::from_millis(800));
    targets = selectors
}
criterion_main!(benches);
