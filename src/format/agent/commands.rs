//! Commands in code that name a script or a target of the project: `npm run x`, `make x`, `just x`.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use aho_corasick::AhoCorasick;
use serde_json::Value;

use super::subject::Subject;
use crate::text::Span;
use crate::world::{EntryKind, resolve};

/// What a command runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Runner {
    /// A script of `package.json`.
    Package,
    Make,
    Just,
}

/// A script or target that a command names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Command {
    /// The name.
    pub span: Span,
    pub name: String,
    pub runner: Runner,
}

/// Options that choose another folder or package, or allow a missing script.
const ELSEWHERE: &[&str] = &[
    "-C",
    "-f",
    "-F",
    "-w",
    "-r",
    "--directory",
    "--prefix",
    "--filter",
    "--workspace",
    "--workspaces",
    "--cwd",
    "--recursive",
    "--if-present",
    "--file",
    "--justfile",
];

/// Placeholder names.
const SHOWN: &[&str] = &[
    "x",
    "foo",
    "bar",
    "script",
    "scriptname",
    "script-name",
    "target",
    "command",
    "task",
    "name",
];

/// The programs that run scripts or targets.
const PROGRAMS: &[(&str, Runner)] = &[
    ("npm", Runner::Package),
    ("pnpm", Runner::Package),
    ("yarn", Runner::Package),
    ("bun", Runner::Package),
    ("make", Runner::Make),
    ("gmake", Runner::Make),
    ("just", Runner::Just),
];

/// Finds the names of programs. Most code has none of them and isn't parsed.
static FINDER: LazyLock<Option<AhoCorasick>> =
    LazyLock::new(|| AhoCorasick::new(PROGRAMS.iter().map(|(program, _)| program)).ok());

/// The commands in a code block or code span, up to the first `cd`: later ones run in another
/// folder.
pub fn read(text: &str, within: Span) -> Vec<Command> {
    let mut found = Vec::new();
    let mut at = within.start;
    let code = text.get(within).unwrap_or_default();
    if FINDER.as_ref().is_some_and(|finder| !finder.is_match(code)) {
        return found;
    }
    for line in code.split_inclusive('\n') {
        let start = at;
        at += line.len();
        let line = line.split(" #").next().unwrap_or(line);
        if line.trim_start().starts_with('#') {
            continue;
        }
        let mut from = 0;
        for piece in line.split(['&', '|', ';']) {
            let begin = start + from;
            from += piece.len() + 1;
            let words = words(piece);
            if words.iter().any(|(_, word)| matches!(*word, "cd" | "pushd")) {
                return found;
            }
            found.extend(command(&words, begin));
        }
    }
    found
}

/// Words with their places.
fn words(piece: &str) -> Vec<(usize, &str)> {
    let start = |word: &str| word.as_ptr().addr().saturating_sub(piece.as_ptr().addr());
    piece.split_whitespace().map(|word| (start(word), word)).collect()
}

fn command(words: &[(usize, &str)], begin: usize) -> Option<Command> {
    let before = |word: &str| {
        matches!(word, "$" | ">" | "sudo" | "time") || word.contains('=') && !word.starts_with('-')
    };
    let first = words.iter().position(|(_, word)| !before(word))?;
    let words = words.get(first..)?;
    let elsewhere = |word: &str| {
        ELSEWHERE.iter().any(|option| {
            word == *option || word.strip_prefix(option).is_some_and(|rest| rest.starts_with('='))
        })
    };
    if words.iter().any(|(_, word)| elsewhere(word)) {
        return None;
    }
    let (_, program) = words.first()?;
    let (_, runner) = *PROGRAMS.iter().find(|(known, _)| known == program)?;
    let (at, name) = match runner {
        Runner::Package => {
            let run = matches!(words.get(1)?.1, "run" | "run-script");
            *words.get(2).filter(|_| run)?
        }
        Runner::Make | Runner::Just => *words.get(1)?,
    };
    let literal = name
        .chars()
        .all(|letter| letter.is_ascii_alphanumeric() || matches!(letter, '-' | '_' | ':'));
    let literal = literal && name.starts_with(|letter: char| letter.is_ascii_alphabetic());
    (literal && !name.ends_with(':') && !SHOWN.contains(&name)).then(|| Command {
        span: begin + at..begin + at + name.len(),
        name: name.to_owned(),
        runner,
    })
}

/// The scripts or targets of a project.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Names {
    pub names: BTreeSet<String>,
    /// Whether a file with names was found.
    pub any: bool,
    /// Whether there may be more names than those found.
    pub open: bool,
}

/// Folders that aren't searched for files with names.
const ASIDE: &[&str] = &["node_modules", "target", "dist", "build", "vendor", "out", "third_party"];
/// At most this many folders are searched.
const MOST_FOLDERS: usize = 150;

/// The names that can be run in the folder of a file and in the folders above it; with `below`,
/// also in those below it.
pub fn names(subject: &Subject, runner: Runner, below: bool) -> Names {
    let mut all = Names::default();
    let Some(here) = subject.file.path.parent() else { return all };
    let root = subject.cx.root();
    // A file in a hidden folder, such as `.github`, is about the project around it.
    let hidden =
        here.file_name().and_then(|name| name.to_str()).is_some_and(|name| name.starts_with('.'));
    let here = here.parent().filter(|_| hidden).unwrap_or(here);
    let mut folders: Vec<PathBuf> = here
        .ancestors()
        .take_while(|folder| root.as_ref().is_some_and(|root| folder.starts_with(root)))
        .map(Path::to_owned)
        .collect();
    if below {
        // A folder without such a file belongs to the project around it.
        let has = |folder: &&Path| {
            let mut names = files(runner).iter();
            names.any(|name| subject.cx.world.kind(&folder.join(name)).is_some())
        };
        let top = folders.iter().map(PathBuf::as_path).find(has).unwrap_or(here);
        let mut level = vec![top.to_owned()];
        for _ in 0..3 {
            let next: Vec<PathBuf> =
                level.iter().flat_map(|folder| inside(subject, folder)).collect();
            folders.extend(next.iter().cloned());
            level = next;
        }
        all.open |= folders.len() > MOST_FOLDERS;
        folders.truncate(MOST_FOLDERS);
    }
    for folder in folders {
        for name in files(runner) {
            let path = resolve(&folder.join("_"), name);
            if subject.cx.world.kind(&path) != Some(EntryKind::File) {
                continue;
            }
            all.any = true;
            match subject.cx.world.read(&path) {
                Ok(source) => add(runner, &source.text().to_string(), &mut all),
                Err(_) => all.open = true,
            }
            break;
        }
    }
    all
}

fn inside(subject: &Subject, folder: &Path) -> Vec<PathBuf> {
    let entries = subject.cx.world.list(folder).into_iter();
    entries
        .filter(|entry| {
            entry.kind == EntryKind::Folder
                && !entry.name.starts_with('.')
                && !ASIDE.contains(&entry.name.as_str())
        })
        .take(MOST_FOLDERS)
        .map(|entry| folder.join(entry.name))
        .collect()
}

fn files(runner: Runner) -> &'static [&'static str] {
    match runner {
        Runner::Package => &["package.json"],
        Runner::Make => &["GNUmakefile", "makefile", "Makefile"],
        Runner::Just => &["justfile", "Justfile", ".justfile"],
    }
}

fn add(runner: Runner, text: &str, all: &mut Names) {
    match runner {
        Runner::Package => match serde_json::from_str::<Value>(text) {
            Ok(value) => {
                let scripts = value.get("scripts").and_then(Value::as_object);
                all.names.extend(scripts.into_iter().flatten().map(|(name, _)| name.clone()));
            }
            Err(_) => all.open = true,
        },
        Runner::Make => text.lines().for_each(|line| make(line, all)),
        Runner::Just => text.lines().for_each(|line| just(line, all)),
    }
}

fn make(line: &str, all: &mut Names) {
    let first = line.split_whitespace().next().unwrap_or_default();
    if matches!(first, "include" | "-include" | "sinclude" | "define" | "$(eval")
        || first.starts_with("$(")
    {
        all.open = true;
    }
    if line.starts_with(['\t', ' ', '#']) {
        return;
    }
    // `\:` is part of a name.
    let line = line.replace("\\:", "\0");
    let Some((targets, rest)) = line.split_once(':') else { return };
    if targets.contains('=') || rest.trim_start_matches(':').starts_with('=') {
        return;
    }
    all.open |= targets.contains(['%', '$']);
    let phony = (targets.trim() == ".PHONY").then_some(rest);
    let names = phony.unwrap_or(targets).split_whitespace();
    all.names.extend(names.map(|name| name.replace('\0', ":")));
}

fn just(line: &str, all: &mut Names) {
    let first = line.split_whitespace().next().unwrap_or_default();
    all.open |= matches!(first, "import" | "import?" | "mod" | "mod?");
    if line.starts_with(['\t', ' ', '#', '[']) {
        return;
    }
    if first == "alias" {
        all.names.extend(line.split_whitespace().nth(1).map(str::to_owned));
    } else if line.contains(':') && !line.contains(":=") || line.ends_with(':') {
        let name = first.trim_start_matches('@').split(':').next().unwrap_or_default();
        all.names.extend((!name.is_empty()).then(|| name.to_owned()));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named(text: &str) -> Vec<&str> {
        let found = read(text, 0..text.len());
        assert!(found.iter().all(|command| text[command.span.clone()] == command.name));
        found.into_iter().map(|command| &text[command.span]).collect()
    }

    #[test]
    fn commands_name_scripts_and_targets() {
        for (text, names) in [
            ("npm run build", vec!["build"]),
            ("$ CI=1 pnpm run test:unit -- --watch", vec!["test:unit"]),
            ("npm install && npm run lint | tee 日本", vec!["lint"]),
            ("make all\njust fmt\n", vec!["all", "fmt"]),
            ("make -j4 all", vec![]),
            ("make CC=gcc", vec![]),
            ("npm test", vec![]),
            ("npm run", vec![]),
            ("npm run <name>", vec![]),
            ("npm run build --prefix web", vec![]),
            ("pnpm --filter=web run build", vec![]),
            ("cd web && npm run build", vec![]),
            ("cd web\nnpm run build", vec![]),
            ("# npm run build", vec![]),
            ("ls # npm run build", vec![]),
            ("bun run ./x.ts", vec![]),
            ("npm run test:*", vec![]),
            ("🦆 make all", vec![]),
        ] {
            assert_eq!(named(text), names, "{text}");
        }
    }

    #[test]
    fn files_have_names() {
        let of = |runner, text| {
            let mut all = Names::default();
            add(runner, text, &mut all);
            (all.names.into_iter().collect::<Vec<_>>().join(" "), all.open)
        };
        let make = "CC := gcc\nX = a:b\n.PHONY: all clean\nall: a.o\n\tcc x:y\nclean::\n";
        assert_eq!(of(Runner::Make, make), ("all clean".to_owned(), false));
        assert!(of(Runner::Make, "include x.mk\n").1 && of(Runner::Make, "%.o: %.c\n").1);
        let just =
            "set shell := [\"sh\"]\nalias b := build\n@build arg='x': test\n    echo a: b\ntest:\n";
        assert_eq!(of(Runner::Just, just), ("b build test".to_owned(), false));
        assert_eq!(of(Runner::Package, "{\"scripts\":{\"日\":\"\"}}"), ("日".to_owned(), false));
        assert!(of(Runner::Package, "{").1);
    }
}
