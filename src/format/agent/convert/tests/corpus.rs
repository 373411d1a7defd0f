//! Converts every agent file below a folder to every target: set `AGENTMD_CORPUS` and run
//! `cargo test --lib convert::tests::corpus -- --ignored --nocapture`.

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;

use super::verdict;
use crate::client::Outcome;
use crate::format::agent::convert::{convert, origin, targets};

#[test]
#[ignore = "needs a folder of repositories"]
fn every_file_converts_to_a_file_that_loads() {
    let folder = std::env::var_os("AGENTMD_CORPUS").expect("AGENTMD_CORPUS");
    let mut count: BTreeMap<&str, usize> = BTreeMap::new();
    let mut reasons: BTreeMap<String, usize> = BTreeMap::new();
    let mut worse: Vec<String> = Vec::new();
    let mut why: BTreeMap<String, usize> = BTreeMap::new();
    // Converts every nth file only, because all of them take minutes.
    let step = std::env::var("AGENTMD_CORPUS_STEP").ok().and_then(|step| step.parse().ok());
    let step: usize = step.unwrap_or(1);
    for entry in ignore::WalkBuilder::new(&folder).standard_filters(false).build().flatten() {
        let path = entry.path();
        let Some(found) = origin(std::path::Path::new(""), path, None) else { continue };
        let Ok(text) = std::fs::read_to_string(path) else { continue };
        let seen = count.entry("seen").or_default();
        *seen += 1;
        if !seen.is_multiple_of(step) {
            continue;
        }
        *count.entry("files").or_default() += 1;
        for to in targets(found.place) {
            *count.entry("conversions").or_default() += 1;
            let Ok(result) = catch_unwind(AssertUnwindSafe(|| convert(&text, &found, to))) else {
                *count.entry("panics").or_default() += 1;
                println!("PANIC {} {}", path.display(), to.name());
                continue;
            };
            let conversion = match result {
                Ok(conversion) => conversion,
                Err(refusal) => {
                    *count.entry("refused").or_default() += 1;
                    let words: String = refusal.to_string().chars().take(60).collect();
                    *reasons.entry(words).or_default() += 1;
                    continue;
                }
            };
            let lossless = conversion.dropped.is_empty();
            *count.entry(if lossless { "without loss" } else { "with loss" }).or_default() += 1;
            for dropped in &conversion.dropped {
                let key = dropped.key.as_deref().unwrap_or("(text)");
                *why.entry(format!("{key}: {}", dropped.why)).or_default() += 1;
            }
            if to.reads.text_key.is_some() {
                *count.entry("toml, read back").or_default() += 1;
                continue;
            }
            match verdict(&to.client.name, &conversion.path, &conversion.text) {
                Some(verdict) if verdict.outcome == Outcome::Loaded => {
                    *count.entry("loaded").or_default() += 1;
                }
                Some(verdict) => {
                    *count.entry("not fully loaded").or_default() += 1;
                    let said = verdict.reasons.join("; ");
                    let known = !lossless;
                    worse.push(format!(
                        "{known} {} -> {}: {said}",
                        short(path, &folder),
                        to.name()
                    ));
                }
                None => {
                    *count.entry("no verdict").or_default() += 1;
                    worse.push(format!(
                        "no verdict {} -> {}",
                        short(path, &folder),
                        conversion.path
                    ));
                }
            }
        }
    }
    println!("{count:#?}\n{reasons:#?}");
    let mut why: Vec<_> = why.into_iter().collect();
    why.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    println!("{:#?}", why.into_iter().take(40).collect::<Vec<_>>());
    worse.sort();
    for line in worse.iter().take(60) {
        println!("{line}");
    }
    assert_eq!(count.get("panics"), None);
}

fn short(path: &Path, folder: &std::ffi::OsStr) -> String {
    path.strip_prefix(folder).unwrap_or(path).display().to_string()
}
