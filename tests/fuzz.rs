//! Runs the targets of `fuzz/` on the stored inputs, and a fixed number of times on inputs mutated
//! from them with a fixed seed.
//!
//! `FUZZ_RUNS=100000 cargo test --release --test fuzz` runs more inputs, `FUZZ_SEED=7` others. A
//! failing input is printed: store it in `fuzz/seeds/` with the fix.

#[path = "../fuzz/targets/mod.rs"]
mod targets;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;

use targets::{Input, TARGETS, Target};

/// The number of mutated inputs for each target.
const RUNS: u64 = 2000;

/// Syntax that the formats look for.
const WORDS: &[&str] = &[
    "---\n",
    "\u{feff}",
    "\r\n",
    "\n\n",
    "\0",
    "```\n",
    "<<<<<<< SEARCH\n",
    "=======\n",
    ">>>>>>> REPLACE\n",
    "[ACTION_0_TYPE] ",
    "[REASONING]\n",
    "{{",
    "}}",
    "{{ range . }}",
    "{{ end }}",
    "{{ define \"x\" }}",
    "{{ template \"x\" . }}",
    "imports: [./a.md]\n",
    "input: ",
    "$ref: '#'",
    "&a ",
    "*a",
    "<<: ",
    "{",
    "}",
    "[",
    "]",
    "- ",
    ": ",
    "\"",
    "'",
    "|\n",
    "\t",
    "é",
    "🦆",
    "e\u{301}",
    "\u{202e}",
    "# ",
    "## Context\n",
    "### [Code (a.py:1-2)]\n",
    "@@ -1 +1 @@\n",
];

struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap_or_default() % limit.max(1)
    }

    fn of<'a, T>(&mut self, list: &'a [T]) -> &'a T {
        &list[self.below(list.len())]
    }

    fn range(&mut self, data: &[u8]) -> std::ops::Range<usize> {
        let start = self.below(data.len() + 1);
        start..(start + self.below(40)).min(data.len())
    }

    fn mutate(&mut self, data: &mut Vec<u8>, seeds: &[Vec<u8>]) {
        for _ in 0..=self.below(6) {
            let range = self.range(data);
            match self.below(6) {
                0 => drop(data.drain(range)),
                1 => {
                    let copy = data[range].to_vec();
                    let at = self.below(data.len() + 1);
                    data.splice(at..at, copy);
                }
                2 => {
                    let other = self.of(seeds).clone();
                    let piece = self.range(&other);
                    data.splice(range, other[piece].iter().copied());
                }
                3 => {
                    let byte = u8::try_from(self.below(256)).unwrap_or_default();
                    data.splice(range.start..range.start, [byte]);
                }
                _ => {
                    let word = self.of(WORDS).as_bytes();
                    data.splice(range.start..range.start, word.iter().copied());
                }
            }
        }
        data.truncate(16 << 10);
    }
}

fn number(name: &str) -> Option<u64> {
    std::env::var(name).ok()?.parse().ok()
}

fn seeds() -> Vec<Vec<u8>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz/seeds");
    let mut paths: Vec<_> = std::fs::read_dir(folder)
        .expect("the stored inputs")
        .flatten()
        .map(|entry| entry.path())
        .collect();
    paths.sort();
    paths.iter().map(|path| std::fs::read(path).expect("a stored input")).collect()
}

fn execute((name, run): Target, data: &[u8]) {
    if catch_unwind(AssertUnwindSafe(|| run(&mut Input::new(data)))).is_err() {
        panic!("{name} fails with this input:\n{}", data.escape_ascii());
    }
}

fn fuzz(name: &str) {
    let target = *TARGETS.iter().find(|(known, _)| *known == name).expect("a target");
    let seeds = seeds();
    assert!(seeds.len() >= 10);
    seeds.iter().for_each(|data| execute(target, data));
    let mut random = Random(number("FUZZ_SEED").unwrap_or(20_261_122));
    for _ in 0..number("FUZZ_RUNS").unwrap_or(RUNS) {
        let mut data = random.of(&seeds).clone();
        random.mutate(&mut data, &seeds);
        execute(target, &data);
    }
}

macro_rules! targets {
    ($($name:ident),+) => {
        $(#[test] fn $name() { fuzz(stringify!($name)); })+

        #[test]
        fn every_target_is_run() {
            let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz/fuzz_targets");
            let mut files: Vec<String> = std::fs::read_dir(folder).expect("targets").flatten().map(|entry| entry.path().file_stem().unwrap().to_string_lossy().into_owned()).collect();
            files.sort();
            assert_eq!(files, [$(stringify!($name)),+]);
            assert_eq!(files, TARGETS.iter().map(|(name, _)| *name).collect::<Vec<_>>());
            let guide = Path::new(env!("CARGO_MANIFEST_DIR")).join("CONTRIBUTING.md");
            let guide = std::fs::read_to_string(guide).expect("the guide");
            for name in files {
                assert!(guide.contains(&format!("cargo +nightly fuzz run {name} ")), "{name}");
            }
        }
    };
}

targets!(answers, blocks, duckflow, edit, render, template);
