//! The cost of a keystroke from the edit to the findings, in documents of every format from 10 KB
//! to 1 MB. For each format, the times should be the same at every size.

#[path = "../documents/mod.rs"]
mod documents;

use std::path::Path;

use agentmd::config::Config;
use agentmd::document::Document;
use agentmd::format::Context;
use agentmd::ide::diagnostics::shown;
use agentmd::text::Edit;
use agentmd::world::Memory;
use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};
use documents::{FORMATS, PATH};

const SIZES: [usize; 3] = [10 << 10, 100 << 10, 1 << 20];

fn keys(criterion: &mut Criterion) {
    let (config, world, path) = (Config::default(), Memory::default(), Path::new(PATH));
    let most = config.options().max_findings;
    for (name, ..) in FORMATS {
        let mut group = criterion.benchmark_group(*name);
        for size in SIZES {
            let (text, place) = documents::document(name, size);
            let mut document = Document::new(&text, Some(path), &config);
            let check = |document: &Document| {
                let cx = Context::new(document.source(), Some(path), &world, &config);
                shown(document, &cx, most)
            };
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
