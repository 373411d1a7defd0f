//! The cost of a keystroke, layer by layer, in documents from 10 KB to 10 MB. The times of each
//! layer should be the same at every size.

use std::path::Path;

use agentmd::config::Config;
use agentmd::document::Document;
use agentmd::format::Context;
use agentmd::ide;
use agentmd::source::Source;
use agentmd::text::{Edit, Encoding};
use agentmd::world::Memory;
use criterion::{BatchSize, BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};

const SIZES: [usize; 4] = [10 << 10, 100 << 10, 1 << 20, 10 << 20];

/// Markdown with front matter, headings, lists, fences and links, about `size` bytes long.
fn document(size: usize) -> String {
    let mut text = String::from(
        "---\nname: bench\ndescription: A program\ninput:\n  type: object\n  properties:\n    url: { type: string }\n  required: [url]\noutput:\n  type: object\n---\n\n",
    );
    let mut number = 0;
    while text.len() < size {
        number += 1;
        let level = if number % 5 == 0 { "#" } else { "##" };
        text.push_str(&format!("{level} Heading {number} naïve\n\nSome words of a paragraph with a [link](other.md#part) and `code`, then more of them.\n\n- one\n- two **bold**\n\n```rust\nfn main() {{ println!(\"{number}\"); }}\n```\n\nThe last paragraph of section {number}, which is where one types.\n\n"));
    }
    text
}

fn typing_place(text: &str) -> usize {
    let middle = text.len() / 2;
    let middle = (middle..).find(|at| text.is_char_boundary(*at)).unwrap_or(0);
    middle + text[middle..].find("which is").unwrap_or(0)
}

fn keystroke(criterion: &mut Criterion) {
    let config = Config::default();
    let path = Path::new("/w/program.md");
    let world = Memory::default();
    for size in SIZES {
        let text = document(size);
        let place = typing_place(&text);
        let edit = Edit::insert(place, "x");
        let source = Source::new(&text);
        let document = Document::from_source(source.clone(), Some(path), &config);
        document.model();
        let check = |document: &Document| {
            ide::diagnostics::diagnostics(
                document,
                &Context::new(document.source(), Some(path), &world, &config),
            )
        };
        check(&document);
        let id = |name: &str| BenchmarkId::new(name.to_owned(), size);

        let mut group = criterion.benchmark_group("key");
        group.bench_function(id("source"), |b| b.iter(|| source.edit(&edit)));
        group.bench_function(id("document"), |b| {
            b.iter(|| document.edit(std::slice::from_ref(&edit), Some(path), &config))
        });
        group.bench_function(id("diagnostics"), |b| {
            b.iter(|| check(&document.edit(std::slice::from_ref(&edit), Some(path), &config)))
        });
        group
            .bench_function(id("position"), |b| b.iter(|| source.position(place, Encoding::Utf16)));
        let outline = |document: &Document| {
            ide::symbols::symbols(
                document,
                &Context::new(document.source(), Some(path), &world, &config),
            )
        };
        outline(&document);
        group.bench_function(id("outline"), |b| {
            b.iter(|| outline(&document.edit(std::slice::from_ref(&edit), Some(path), &config)))
        });
        group.finish();
    }
}

fn open(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("open");
    for size in SIZES {
        let text = document(size);
        group.throughput(Throughput::Bytes(text.len() as u64));
        group.bench_function(BenchmarkId::new("source", size), |b| b.iter(|| Source::new(&text)));
        let blocks = |source: Source| {
            source.sections().map(|placed| source.blocks(placed).blocks.len()).sum::<usize>()
        };
        group.bench_function(BenchmarkId::new("blocks", size), |b| {
            b.iter_batched(|| Source::new(&text), blocks, BatchSize::LargeInput)
        });
        group.bench_function(BenchmarkId::new("whole", size), |b| {
            b.iter(|| agentmd::markdown::block::read(&text, 0).blocks.len())
        });
    }
}

criterion_group! {
    name = benches;
    config = Criterion::default().sample_size(20).warm_up_time(std::time::Duration::from_millis(200)).measurement_time(std::time::Duration::from_millis(800));
    targets = keystroke, open
}
criterion_main!(benches);
