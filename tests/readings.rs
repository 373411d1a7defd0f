//! Compares readings of front matter with the parsers that clients use: serde_yaml in this process,
//! packages from npm and PyPI in child processes. If a package isn't installed, its test prints a
//! line and is skipped:
//!
//! ```sh
//! mkdir /tmp/readers && cd /tmp/readers && npm install gray-matter js-yaml@4 yaml && pip install pyyaml
//! AGENTMD_READERS=/tmp/readers cargo test --test readings -- --nocapture
//! ```
//!
//! `AGENTMD_CORPUS` names a folder whose front matter is compared, too.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use agentmd::client::Reading;
use agentmd::format::agent::reading::{Front, Read, read};
use agentmd::markdown::front::Delimiters;
use agentmd::source::Source;
use serde_json::Value;

/// The result of a reader: `None` if it rejected the text, otherwise each key with a word for its
/// value.
type Answer = Option<BTreeMap<String, String>>;

/// The number of random inputs for each comparison.
const RANDOM: usize = 1000;

/// The percentage of random inputs that may be read differently, since no two parsers agree on the
/// corner cases of YAML. For real front matter, it's one in two hundred.
const MOST: usize = 4;

/// A random number generator that gives the same numbers in every run.
struct Dice(u64);

impl Dice {
    fn below(&mut self, most: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 % most as u64).unwrap()
    }

    fn pick<'a>(&mut self, words: &[&'a str]) -> &'a str {
        words[self.below(words.len())]
    }
}

const KEYS: &[&str] =
    &["name", "description", "tools", "model", "license", "argument-hint", "metadata", "x"];
const VALUES: &[&str] = &[
    "brew-tea",
    "Brews tea",
    "Use when: asked",
    "a: b: c",
    "[a, b]",
    "[a] | --b",
    "{a: b}",
    "\"quoted\"",
    "'it''s'",
    "\"say \"no\" to it\"",
    "@team",
    "*all",
    "`x`",
    "%d",
    "| \n  block\n  of text",
    ">-\n  folded\n  text",
    "|\n  a: b",
    "yes",
    "true",
    "False",
    "null",
    "~",
    "12",
    "1.5",
    "0x1F",
    "2026-11-22",
    "2026-11-22 10:00:00",
    "10:30",
    "https://x.y/z",
    "a # comment",
    "#hash",
    "a#b",
    "日本 🦆",
    "注意：准时",
    "- item",
    "\n  - a\n  - b",
    "\n  a: b\n  c: d",
    "\n- a\n- b",
    "text\n  goes on",
    "text\ngoes on",
    "\"text\ngoes on\"",
    "'text\nuse: it\n\nend'",
    "",
    " ",
    "&a b",
    "!!str 12",
    "!x y",
    "a, b",
    "Read, Bash(ls *)",
    "?",
    "a?",
    "- ",
    "<b>",
    "\\n",
    "\"\\n\"",
    "\"\\q\"",
    "'unclosed",
    "\"unclosed",
    "[unclosed",
    "a\tb",
];

fn random() -> Vec<String> {
    let mut dice = Dice(0x9e37_79b9_7f4a_7c15);
    let one = |_| {
        let mut text = String::new();
        for _ in 0..=dice.below(4) {
            text.push_str(dice.pick(KEYS));
            text.push_str(dice.pick(&[": ", ": ", ": ", ": ", ":", ":  "]));
            text.push_str(dice.pick(VALUES));
            text.push('\n');
        }
        text
    };
    (0..RANDOM).map(one).collect()
}

/// The front matter of every Markdown file below the folder of `AGENTMD_CORPUS`.
fn real() -> Vec<String> {
    let Some(root) = std::env::var_os("AGENTMD_CORPUS") else { return Vec::new() };
    let mut open = vec![PathBuf::from(root)];
    let mut found = Vec::new();
    while let Some(folder) = open.pop() {
        for entry in std::fs::read_dir(&folder).into_iter().flatten().flatten() {
            let path = entry.path();
            if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
                open.push(path);
            } else if path.extension().is_some_and(|extension| extension == "md") {
                found.extend(std::fs::read_to_string(&path).ok().as_deref().and_then(front));
            }
        }
    }
    found.sort();
    found.dedup();
    found
}

fn front(text: &str) -> Option<String> {
    let source = Source::new(text);
    let front = source.front_matter().filter(|front| front.delimiters == Delimiters::Complete)?;
    Some(source.slice(front.yaml_span.clone()).into_owned())
}

fn word(value: &Value) -> String {
    match value {
        Value::Null => "null".to_owned(),
        Value::Bool(value) => value.to_string(),
        Value::Number(_) => "number".to_owned(),
        Value::String(text) => format!("s:{text}"),
        Value::Array(_) => "list".to_owned(),
        Value::Object(_) => "mapping".to_owned(),
    }
}

fn ours(reading: Reading, text: &str) -> Answer {
    match read(reading, Front { mark: false, yaml: text, tree: &agentmd::yaml::parse(text) }) {
        Read::Keys(keys) => {
            Some(keys.values.iter().map(|(key, value)| (key.clone(), word(value))).collect())
        }
        _ => None,
    }
}

fn compare(name: &str, reading: Reading, texts: &[String], theirs: &[Answer]) -> usize {
    let mut different = 0;
    for (text, theirs) in texts.iter().zip(theirs) {
        let ours = ours(reading, text);
        if ours != *theirs {
            different += 1;
            if different <= 5 {
                eprintln!("{name}: {text:?}\n  ours   {ours:?}\n  theirs {theirs:?}");
            }
        }
    }
    eprintln!("{name}: {different} of {} read differently", texts.len());
    different
}

/// Compares a reading with the original parser, on random and on real front matter.
fn judge(name: &str, reading: Reading, original: impl Fn(&[String]) -> Vec<Answer>) {
    let texts = random();
    let different = compare(&format!("{name}, random"), reading, &texts, &original(&texts));
    assert!(different * 100 <= MOST * texts.len(), "{name}");
    let texts = real();
    if !texts.is_empty() {
        let different = compare(&format!("{name}, real"), reading, &texts, &original(&texts));
        assert!(different * 200 <= texts.len(), "{name}");
    }
}

/// The keys that Codex reads.
#[derive(serde::Deserialize)]
struct Codex {
    name: Option<String>,
    description: Option<String>,
}

/// The answer that Codex gets: `None` if a value isn't a string.
fn codex(answer: Answer) -> Answer {
    let keys = answer?;
    let text = |key: &str| match keys.get(key).map(String::as_str) {
        None | Some("null") => Some(None),
        Some(word) => word.strip_prefix("s:").map(|text| Some((key.to_owned(), text.to_owned()))),
    };
    let pairs = [text("name")?, text("description")?];
    Some(pairs.into_iter().flatten().collect())
}

#[test]
fn serde_yaml_in_codex() {
    let mut total = (0, 0);
    for (name, texts) in [("random", random()), ("real", real())] {
        let mut different = 0;
        for text in &texts {
            let theirs = serde_yaml::from_str::<Option<Codex>>(text).ok().map(|codex| {
                let codex = codex.unwrap_or(Codex { name: None, description: None });
                let pairs = [("name", codex.name), ("description", codex.description)];
                pairs
                    .into_iter()
                    .filter_map(|(key, value)| Some((key.to_owned(), value?)))
                    .collect::<BTreeMap<_, _>>()
            });
            let ours = codex(ours(Reading::SerdeYaml, text));
            if ours != theirs {
                different += 1;
                if different <= 5 {
                    eprintln!("serde_yaml: {text:?}\n  ours   {ours:?}\n  theirs {theirs:?}");
                }
            }
        }
        eprintln!("serde_yaml, {name}: {different} of {} read differently", texts.len());
        total = (total.0 + different, total.1 + texts.len());
    }
    assert!(total.0 * 100 <= MOST * total.1);
}

/// Runs a program with all inputs on stdin.
fn run(mut command: Command, texts: &[String]) -> Vec<Answer> {
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let text = serde_json::to_vec(texts).unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let writer = std::thread::spawn(move || stdin.write_all(&text));
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap().unwrap();
    assert!(output.status.success());
    serde_json::from_slice(&output.stdout).unwrap()
}

fn node(name: &str, reading: Reading) {
    let Some(packages) = std::env::var_os("AGENTMD_READERS") else {
        eprintln!("skipped: AGENTMD_READERS names no folder with npm packages");
        return;
    };
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/readings/readers.js");
    judge(name, reading, |texts| {
        let mut command = Command::new("node");
        command.arg(&script).arg(name).arg(&packages);
        run(command, texts)
    });
}

#[test]
fn gray_matter_in_roo_code() {
    node("gray-matter", Reading::JsYaml);
}

#[test]
fn js_yaml_in_cline() {
    node("js-yaml-json", Reading::JsYamlJson);
}

#[test]
fn the_package_yaml_in_continue() {
    node("yaml", Reading::YamlNpm);
}

#[test]
fn pyyaml() {
    let installed = Command::new("python3")
        .args(["-c", "import yaml"])
        .stderr(Stdio::null())
        .status()
        .is_ok_and(|status| status.success());
    if !installed {
        eprintln!("skipped: PyYAML is not installed");
        return;
    }
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/readings/reader.py");
    judge("PyYAML", Reading::PyYaml, |texts| {
        let mut command = Command::new("python3");
        command.arg(&script);
        run(command, texts)
    });
}
