//! Selectors over whole documents: every non-whitespace character is in a node that a listed
//! selector selects, each selector selects exactly one node, and the pages of a node add up to it.
//!
//! The documents are the examples of CommonMark and GitHub's extensions, from the sources of
//! pulldown-cmark, and the Markdown files of this repository.

#[path = "support/growth.rs"]
mod growth;
#[path = "support/needs.rs"]
mod needs;
mod packages;

use std::fs;
use std::path::{Path, PathBuf};

use agentmd::selector::suggest::suggestions;
use agentmd::selector::{Match, Tree, contents, parse, resolve};
use agentmd::source::Source;

/// Checks a document and returns what is wrong with it.
fn wrong(text: &str) -> Option<String> {
    let tree = Tree::read(&Source::new(text));
    let mut reached = vec![false; text.len()];
    for node in tree.nodes() {
        let path = tree.path(node);
        let selector = parse(&path).unwrap();
        let found = resolve(&tree, &selector);
        if found != [Match { node, pages: None }] {
            return Some(format!("{path} selects {found:?}"));
        }
        let span = tree.span(node);
        let Some(slice) = text.get(span.clone()) else {
            return Some(format!("{path} splits a character: {span:?}"));
        };
        let paged = parse(&format!("{path}/page")).unwrap();
        let all = resolve(&tree, &paged)
            .iter()
            .flat_map(|found| contents(&tree, slice, found, &paged.query, 3).unwrap())
            .collect::<Vec<_>>();
        if all.iter().map(|page| &text[page.span.clone()]).collect::<String>() != slice {
            return Some(format!("the pages of {path} don't add up to it"));
        }
        reached[span].fill(true);
    }
    let missed = text
        .char_indices()
        .find(|(at, letter)| !letter.is_whitespace() && *letter != '\u{feff}' && !reached[*at]);
    missed.map(|(at, letter)| format!("{letter:?} at {at} is in no node"))
}

#[track_caller]
fn check(documents: impl IntoIterator<Item = (String, String)>) -> usize {
    let mut count = 0;
    let mut found = Vec::new();
    for (name, text) in documents {
        for text in
            [text.replace('\n', "\r\n"), text.replace('\n', "\r"), format!("\u{feff}{text}"), text]
        {
            found.extend(wrong(&text).map(|wrong| format!("{name}: {wrong}\n{text:?}")));
        }
        count += 1;
    }
    assert!(found.is_empty(), "{} documents are wrong:\n{}", found.len(), found.join("\n"));
    count
}

#[test]
fn sel_03_every_example_of_commonmark_is_reached() {
    let Some(folder) = packages::folder("pulldown-cmark")
        .map(|folder| folder.join("tests/suite"))
        .filter(|folder| folder.is_dir())
    else {
        return needs::missing("sources", "run `cargo fetch` for the sources of pulldown-cmark");
    };
    let files = fs::read_dir(folder).unwrap().flatten().map(|entry| entry.path());
    let examples = files.flat_map(|path| {
        let text = fs::read_to_string(&path).unwrap();
        let parts = text.split("let original = r##\"").skip(1).enumerate();
        let name = |index: usize| format!("{} {index}", path.file_name().unwrap().display());
        parts
            .map(|(index, part)| (name(index), part.split("\"##;").next().unwrap().to_owned()))
            .collect::<Vec<_>>()
    });
    let count = check(examples);
    assert!(count > 1000, "{count}");
}

#[test]
fn sel_03_every_file_of_this_repository_is_reached() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut open: Vec<PathBuf> =
        ["docs", "tests/corpus", "examples"].iter().map(|name| root.join(name)).collect();
    let mut files =
        vec![root.join("README.md"), root.join("CONTRIBUTING.md"), root.join("CHANGELOG.md")];
    while let Some(folder) = open.pop() {
        for entry in fs::read_dir(folder).unwrap().flatten() {
            let path = entry.path();
            match path.is_dir() {
                true => open.push(path),
                false => files
                    .extend(Some(path).filter(|path| {
                        path.extension().is_some_and(|extension| extension == "md")
                    })),
            }
        }
    }
    // Files of the corpus may contain any bytes.
    let count = check(files.into_iter().map(|path| {
        (path.display().to_string(), String::from_utf8_lossy(&fs::read(path).unwrap()).into_owned())
    }));
    assert!(count > 100, "{count}");
}

#[test]
fn sel_19_hostile_documents() {
    let levels: String = (1..=6).map(|level| "#".repeat(level) + " x\n\ny\n\n").collect();
    let check = |text: String| {
        let tree = Tree::read(&Source::new(&text));
        for wanted in [
            "*",
            "section/section",
            "section/*",
            "section/block:paragraph[0]",
            "block:blockquote/block:blockquote",
            "block:list/*",
        ] {
            for found in resolve(&tree, &parse(wanted).unwrap()).iter().rev().take(3) {
                assert!(text.get(tree.span(found.node)).is_some());
            }
        }
        assert!(suggestions("doc::heading:h2[999999]", &[("doc", &tree)]).len() <= 5);
        assert!(suggestions("section[99999999999999999999999999]", &[("doc", &tree)]).len() <= 5);
        assert!(suggestions("quatsch", &[("doc", &tree)]).len() <= 5);
    };
    for (count, part) in
        [(10_000, "> "), (100_000, "# x\n"), (10_000, &levels), (100_000, "- a\n"), (100_000, "\r")]
    {
        growth::is_linear(part, count, |count| part.repeat(count) + "deep", check);
    }
    for text in [
        "- ".repeat(2_000) + "deep",
        "```\n# no heading\n".to_owned(),
        "\0\0# a\0\n\n\0".to_owned(),
        "\r".repeat(100_000) + "# a\rb",
    ] {
        check(text);
    }
}

#[test]
fn sel_19_hostile_selectors() {
    let tree = Tree::read(&Source::new(
        &("> ".repeat(1000) + "deep\n\n# a\n\n" + &"## b\n\ntext\n\n".repeat(1000)),
    ));
    let selectors = |many: usize| {
        [
            "a".repeat(many),
            "section/".repeat(many / 8) + "section",
            "block:blockquote/".repeat(many / 17) + "*",
            "*/".repeat(many / 2) + "*",
            format!("section[{}]", "9".repeat(many)),
            format!("section[{}0]", "0,".repeat(many / 2)),
            format!("section[{}0]", "0-99999999999999999999999,".repeat(many / 26)),
            format!("root?{}", "a=b&".repeat(many / 4)),
            format!(
                "root?full=true{}",
                (0..many / 10).map(|index| format!("&{index}=b")).collect::<String>()
            ),
            "::".repeat(many / 2),
            "[".repeat(many),
            "日本".repeat(many / 6),
            format!("doc::#{}", "b".repeat(many)),
        ]
    };
    for (index, text) in selectors(20).into_iter().enumerate() {
        growth::is_linear(
            &text,
            1 << 20,
            |many| std::mem::take(&mut selectors(many)[index]),
            |text| {
                if let Ok(selector) = parse(&text) {
                    resolve(&tree, &selector);
                }
                assert!(suggestions(&text, &[("doc", &tree)]).len() <= 5);
            },
        );
    }
}
