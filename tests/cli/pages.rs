//! Checks that the generated pages in `docs/` are up to date. Outdated pages are rewritten, and the
//! test fails once.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use super::Folder;

#[test]
fn generated_pages_are_up_to_date() {
    let docs = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs");
    let folder = Folder::empty();
    let mut pages: BTreeMap<PathBuf, String> = BTreeMap::new();
    assert_eq!(folder.run(&["explain", "--format", "markdown", "--output", "rules"]).status, 0);
    assert_eq!(
        folder.run(&["explain", "clients", "--format", "markdown", "--output", "clients"]).status,
        0
    );
    for path in below(&folder.path("rules")).into_iter().chain(below(&folder.path("clients"))) {
        let name = path.strip_prefix(folder.root()).unwrap().to_owned();
        pages.insert(name, fs::read_to_string(path).unwrap());
    }
    pages.insert(
        "settings.md".into(),
        folder.run(&["explain", "settings", "--format", "markdown"]).out,
    );
    pages.insert(
        "agentmd.schema.json".into(),
        folder.run(&["explain", "settings", "--format", "json"]).out,
    );

    let mut changed = Vec::new();
    for (name, text) in &pages {
        let path = docs.join(name);
        if fs::read_to_string(&path).ok().as_ref() != Some(text) {
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(&path, text).unwrap();
            changed.push(name.clone());
        }
    }
    for path in below(&docs.join("rules")).into_iter().chain(below(&docs.join("clients"))) {
        let name = path.strip_prefix(&docs).unwrap().to_owned();
        if !pages.contains_key(&name) {
            fs::remove_file(path).unwrap();
            changed.push(name);
        }
    }
    assert!(
        changed.is_empty(),
        "these pages were out of date and have been rewritten; review and commit them: {changed:#?}"
    );
}

fn below(folder: &Path) -> Vec<PathBuf> {
    let Ok(entries) = fs::read_dir(folder) else { return Vec::new() };
    entries
        .flatten()
        .flat_map(
            |entry| if entry.path().is_dir() { below(&entry.path()) } else { vec![entry.path()] },
        )
        .collect()
}
