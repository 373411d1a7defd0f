//! Globs match as they do in the clients' libraries, whose answers `scripts/glob_table.mjs` writes
//! to `tests/globs/table.jsonl`.

use agentmd::client::dialect::Glob;
use agentmd::client::loading::{Dialect, GlobReading};
use serde_json::Value;

const TABLE: &str = include_str!("globs/table.jsonl");

fn reading(name: &str) -> GlobReading {
    let (dialect, dot, ignore_case) = match name {
        "minimatch" => (Dialect::Minimatch, false, false),
        "minimatch-dot" => (Dialect::Minimatch, true, false),
        "picomatch-dot" => (Dialect::Picomatch, true, false),
        "gitignore" => (Dialect::Gitignore, true, true),
        "vscode" => (Dialect::Vscode, true, true),
        other => panic!("unknown dialect {other}"),
    };
    GlobReading { dialect, dot, ignore_case, ..GlobReading::default() }
}

#[test]
fn globs_match_the_same_paths_as_the_originals() {
    let mut lines = TABLE.lines();
    let head: Value = serde_json::from_str(lines.next().unwrap()).unwrap();
    let paths: Vec<&str> =
        head["paths"].as_array().unwrap().iter().map(|path| path.as_str().unwrap()).collect();
    assert!(paths.len() > 100);
    let (mut pairs, mut globs, mut wrong) = (0, 0, Vec::new());
    for line in lines {
        let row: Value = serde_json::from_str(line).unwrap();
        let (name, glob) = (row[0].as_str().unwrap(), row[1].as_str().unwrap());
        let expected: Vec<&str> = row[2]
            .as_array()
            .unwrap()
            .iter()
            .map(|index| paths[usize::try_from(index.as_u64().unwrap()).unwrap()])
            .collect();
        let reading = reading(name);
        let matcher = Glob::new(&reading, glob);
        let found: Vec<&str> = paths.iter().copied().filter(|path| matcher.matches(path)).collect();
        pairs += paths.len();
        globs += 1;
        if found != expected {
            let more: Vec<_> = found.iter().filter(|path| !expected.contains(path)).collect();
            let less: Vec<_> = expected.iter().filter(|path| !found.contains(path)).collect();
            wrong.push(format!("{name} `{glob}`: too many {more:?}, missing {less:?}"));
        }
    }
    assert!(globs > 4_000 && pairs > 400_000, "{globs} globs, {pairs} pairs");
    assert!(
        wrong.is_empty(),
        "{} of {globs} globs:\n{}",
        wrong.len(),
        wrong.iter().take(60).cloned().collect::<Vec<_>>().join("\n")
    );
}

#[test]
fn a_glob_that_would_take_forever_matches_nothing() {
    let started = std::time::Instant::now();
    let path = format!("{}.ts", "a".repeat(3_000));
    for name in ["minimatch", "picomatch-dot", "vscode", "gitignore"] {
        for glob in [
            "*a".repeat(40) + "b",
            "+(+(+(a)))b".to_owned(),
            "{a,a}".repeat(30) + "b",
            "**/".repeat(500) + "x",
            "(".repeat(2_000),
            "{".repeat(2_000),
            "[".repeat(2_000),
            "@(".repeat(800) + &")".repeat(800),
        ] {
            let _ = Glob::new(&reading(name), &glob).matches(&path);
        }
    }
    assert!(started.elapsed().as_secs() < 60, "{:?}", started.elapsed());
}
