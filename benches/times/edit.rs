//! The cost of blocks: located one by one and by the thousand, in files of 1 MB and of 100,000
//! lines, with and without matches, and in files that are made to be slow.

use agentmd::edit::batch::Request;
use agentmd::edit::{self, Block, Dialect};
use criterion::{Criterion, criterion_group, criterion_main};

/// Lines of code, all different except for brackets and blank lines.
fn code(lines: usize) -> Vec<String> {
    let line = |index: usize| match index % 8 {
        0 => format!(
            "fn function_{index}(argument: &str, number: usize) -> Result<String, Error> {{"
        ),
        6 => "}".to_owned(),
        7 => String::new(),
        _ => format!(
            "    let value_{index} = argument.lines().nth(number + {index}).unwrap_or_default();"
        ),
    };
    (0..lines).map(line).collect()
}

fn text(lines: &[String]) -> String {
    lines.join("\n") + "\n"
}

/// How accurately a block repeats the file's lines.
#[derive(Clone, Copy)]
enum Memory {
    Exact,
    Dedented,
    /// A typo in an unchanged line, and a missing line.
    Blurred,
    /// The lines are those of another file.
    Absent,
}

/// Blocks of eight lines spread over the file, each of which changes one line.
fn blocks(lines: &[String], number: usize, memory: Memory) -> Vec<Block> {
    let step = (lines.len() / number).max(8) / 8 * 8;
    let block = |index: usize| {
        let start = index * step % (lines.len() - 8) / 8 * 8;
        let mut old: Vec<String> = lines[start..start + 8].to_vec();
        let mut new = old.clone();
        new[3] = format!("    let other_{index} = number;");
        let recall = |line: &String| match memory {
            Memory::Dedented => line.trim_start().to_owned(),
            Memory::Absent => line.replace("value", "thing").replace("function", "method"),
            Memory::Exact | Memory::Blurred => line.clone(),
        };
        old = old.iter().map(recall).collect();
        new = new.iter().map(recall).collect();
        if matches!(memory, Memory::Blurred) {
            for side in [&mut old, &mut new] {
                side[1] = side[1].replace("argument", "arguemnt");
                side.remove(5);
            }
        }
        Block::of(Dialect::SearchReplace, text(&old), text(&new))
    };
    (0..number).map(block).collect()
}

fn apply(target: &str, blocks: &[Block]) -> usize {
    let batch = edit::apply(
        Some(target),
        &blocks.iter().collect::<Vec<_>>(),
        Request { confirmed: true, ..Request::default() },
    );
    batch.results.iter().filter(|result| result.is_ok()).count()
}

fn edits(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("edit");
    let memories = [
        ("exact", Memory::Exact),
        ("dedented", Memory::Dedented),
        ("blurred", Memory::Blurred),
        ("absent", Memory::Absent),
    ];
    let (megabyte, large) = (code(15_500), code(100_000));
    for (size, lines, numbers) in
        [("1MB", &megabyte, [1, 100, 1000].as_slice()), ("100k-lines", &large, [1, 100].as_slice())]
    {
        let target = text(lines);
        for number in numbers {
            for (name, memory) in memories {
                let blocks = blocks(lines, *number, memory);
                group.bench_function(format!("{size}/{number}/{name}"), |b| {
                    b.iter(|| apply(&target, &blocks))
                });
            }
        }
    }
    let target = text(&large);
    let many = blocks(&large, 10_000, Memory::Exact);
    group.bench_function("100k-lines/10000/exact", |b| b.iter(|| apply(&target, &many)));
    // Half of the blocks have no match, so each is also searched for in the result of those before.
    let mixed: Vec<Block> = blocks(&megabyte, 500, Memory::Exact)
        .into_iter()
        .zip(blocks(&megabyte, 500, Memory::Absent))
        .flat_map(|(a, b)| [a, b])
        .collect();
    let target = text(&megabyte);
    group.bench_function("1MB/1000/every-other", |b| b.iter(|| apply(&target, &mixed)));
    for (name, line) in [("equal", "undefined,"), ("blank", ""), ("brackets", "}")] {
        let target = text(&vec![line.to_owned(); 100_000]);
        let half = text(&vec![line.to_owned(); 5_000]);
        let hostile: Vec<Block> = (0..100)
            .map(|index| {
                Block::of(Dialect::SearchReplace, format!("{half}x\n"), format!("{index}\n"))
            })
            .collect();
        group.bench_function(format!("hostile/{name}/absent"), |b| {
            b.iter(|| apply(&target, &hostile))
        });
        let hostile: Vec<Block> = (0..100)
            .map(|index| Block::of(Dialect::SearchReplace, half.clone(), format!("{index}\n")))
            .collect();
        group.bench_function(format!("hostile/{name}/everywhere"), |b| {
            b.iter(|| apply(&target, &hostile))
        });
    }
    group.finish();
}

criterion_group! {
    name = benches;
    config = Criterion::default().sample_size(10).warm_up_time(std::time::Duration::from_millis(100)).measurement_time(std::time::Duration::from_millis(500));
    targets = edits
}
criterion_main!(benches);
