//! Realistic files: `good` ones have no findings, `broken` ones have exactly the findings that a
//! comment in them names, in the order of the text.

use std::fs;
use std::path::{Path, PathBuf};

use agentmd::config::Config;
use agentmd::document::Document;
use agentmd::format::{Context, FORMATS};
use agentmd::ide;
use agentmd::rule::Diagnostic;
use agentmd::world::Disk;

fn files(folder: &str) -> Vec<(PathBuf, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/corpus").join(folder);
    let mut paths: Vec<PathBuf> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.is_file())
        .collect();
    paths.sort();
    paths.into_iter().map(|path| (path.clone(), fs::read_to_string(path).unwrap())).collect()
}

fn findings(path: &Path, text: &str) -> Vec<Diagnostic> {
    let config = Config::default();
    let document = Document::new(text, Some(path), &config);
    ide::diagnostics::diagnostics(
        &document,
        &Context::new(document.source(), Some(path), &Disk::default(), &config),
    )
}

fn shown(findings: &[Diagnostic], text: &str) -> Vec<String> {
    findings
        .iter()
        .map(|finding| {
            format!(
                "{} `{}` {}",
                finding.rule.code,
                text.get(finding.span.clone()).unwrap_or("?"),
                finding.message
            )
        })
        .collect()
}

/// The files of every format.
fn all(kind: &str) -> Vec<(PathBuf, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/corpus");
    let folders = FORMATS.iter().map(|format| format!("{}/{kind}", format.name));
    let mut folders: Vec<String> = folders.filter(|folder| root.join(folder).is_dir()).collect();
    folders.dedup();
    assert!(folders.len() >= 4, "{folders:?}");
    folders.iter().flat_map(|folder| files(folder)).collect()
}

#[test]
fn good_files_have_no_findings() {
    let files = all("good");
    assert!(files.len() >= 12);
    for (path, text) in files {
        assert_eq!(shown(&findings(&path, &text), &text), [""; 0], "{}", path.display());
    }
}

#[test]
fn broken_files_have_the_findings_that_they_name() {
    let files = all("broken");
    assert!(files.len() >= 17);
    for (path, text) in files {
        let (_, expected) = text.split_once("<!-- expect: ").unwrap();
        let expected: Vec<&str> =
            expected.split_once(" -->").unwrap().0.split_whitespace().collect();
        let found = findings(&path, &text);
        assert_eq!(
            found.iter().map(|finding| finding.rule.code).collect::<Vec<_>>(),
            expected,
            "{}\n{:#?}",
            path.display(),
            shown(&found, &text)
        );
    }
}
