//! Traps in generated text: configuration, lists and tables with similar parts.

use super::draw::Draw;
use super::kinds::Case;

const NAMES: &[&str] =
    &["alpha", "beta", "gamma", "delta", "server", "client", "worker", "cache", "queue", "mailer"];
const KEYS: &[&str] =
    &["host", "port", "timeout", "retries", "enabled", "path", "user", "level", "name", "size"];
const VALUES: &[&str] = &[
    "1",
    "2",
    "10",
    "true",
    "false",
    "\"localhost\"",
    "\"a b\"",
    "\"a  b\"",
    "0.5",
    "\"/var/lib\"",
    "info",
    "debug",
];
const VERBS: &[&str] = &["Run", "Write", "Check", "Read", "Build", "Update", "Remove"];
const THINGS: &[&str] = &[
    "the tests",
    "the test",
    "the docs",
    "the changelog",
    "the version",
    "the cache",
    "all files",
    "the file",
];
const ENDS: &[&str] =
    &["", " first", " twice", " before the release", " after the release", " if needed", "."];

fn case(before: String, search: String, replace: String) -> Option<Case> {
    // The remaining text must not contain the search text.
    let has = before
        .lines()
        .collect::<Vec<_>>()
        .windows(search.lines().count())
        .any(|window| window.iter().copied().eq(search.lines()));
    (!has && search != replace).then_some(Case {
        before,
        wanted: None,
        search,
        replace,
        line: 0,
        hint: None,
    })
}

/// Stanzas with the same keys, without the one that the block means.
pub fn stanza(draw: &mut Draw) -> Option<Case> {
    let style = draw.below(4);
    let keys: Vec<&str> = (0..3 + draw.below(4)).map(|offset| KEYS[offset % KEYS.len()]).collect();
    let values: Vec<&str> = keys.iter().map(|_| VALUES[draw.below(VALUES.len())]).collect();
    let write = |name: &str, values: &[&str]| -> Vec<String> {
        let pairs = keys.iter().zip(values);
        match style {
            0 => std::iter::once(format!("[{name}]"))
                .chain(pairs.map(|(key, value)| format!("{key} = {value}")))
                .chain([String::new()])
                .collect(),
            1 => std::iter::once(format!("{name}:"))
                .chain(pairs.map(|(key, value)| format!("  {key}: {value}")))
                .collect(),
            2 => std::iter::once(format!("  \"{name}\": {{"))
                .chain(pairs.map(|(key, value)| format!("    \"{key}\": {value},")))
                .chain(["  },".to_owned()])
                .collect(),
            _ => std::iter::once(format!("- name: {name}"))
                .chain(pairs.map(|(key, value)| format!("  {key}: {value}")))
                .collect(),
        }
    };
    let mut others = Vec::new();
    let first = draw.below(NAMES.len());
    for offset in 0..1 + draw.below(3) {
        // Each differs in its name, in values, or in both.
        let mut theirs = values.clone();
        for _ in 0..draw.below(3) {
            let at = draw.below(theirs.len());
            theirs[at] = VALUES[draw.below(VALUES.len())];
        }
        let name =
            if draw.once_in(3) { NAMES[first] } else { NAMES[(first + 1 + offset) % NAMES.len()] };
        others.extend(write(name, &theirs));
    }
    let mine = write(NAMES[first], &values);
    // The whole stanza, or the part of it with the name.
    let end = if draw.once_in(2) { mine.len() } else { 2 + draw.below(mine.len() - 1) };
    let mine = &mine[..end.min(mine.len())];
    let at = 1 + draw.below(mine.len() - 1);
    let mut new = mine.to_vec();
    match draw.below(3) {
        0 => drop(new.remove(at)),
        1 => new.insert(
            at,
            format!("{}new = 77", &new[at][..new[at].len() - new[at].trim_start().len()]),
        ),
        _ => new[at] = format!("{} changed", new[at]),
    }
    let text = |lines: &[String]| lines.iter().map(|line| format!("{line}\n")).collect::<String>();
    case(text(&others), text(mine), text(&new))
}

/// Similar items, without the one that the block means.
pub fn item(draw: &mut Draw) -> Option<Case> {
    let mark = ["- ", "* ", "1. ", "- [ ] ", "- [x] ", "  - "][draw.below(6)];
    let pick = |draw: &mut Draw| {
        [
            VERBS[draw.below(VERBS.len())],
            THINGS[draw.below(THINGS.len())],
            ENDS[draw.below(ENDS.len())],
        ]
    };
    let mine = pick(draw);
    let mut items = Vec::new();
    for _ in 0..2 + draw.below(4) {
        let mut other = mine;
        other[draw.below(3)] = pick(draw)[draw.below(3)];
        let mut marked = mark.to_owned();
        if draw.once_in(4) {
            marked =
                ["- ", "    - ", "- [x] ", "- [ ] ", "- Do not: ", "2. "][draw.below(6)].to_owned();
        }
        let [verb, thing, end] = other;
        items.push(format!("{marked}{verb} {thing}{end}"));
    }
    let [verb, thing, end] = mine;
    let own = format!("{mark}{verb} {thing}{end}");
    let text = format!("# Steps\n\n{}\n\nThe end.\n", items.join("\n"));
    if items.iter().any(|item| item.trim() == own.trim()) {
        return None;
    }
    // Alone, or with the line before or after it.
    let (search, replace) = match draw.below(3) {
        0 => (format!("{own}\n"), format!("{own} now\n")),
        1 => (format!("{own}\n{}\n", items[0]), format!("{own} now\n{}\n", items[0])),
        _ => (format!("# Steps\n\n{own}\n"), format!("# Steps\n\n{own}\n{mark}Something new\n")),
    };
    case(text, search, replace)
}

/// Similar rows, without the one that the block means.
pub fn row(draw: &mut Draw) -> Option<Case> {
    let cells: Vec<&str> = vec![
        NAMES[draw.below(NAMES.len())],
        VALUES[draw.below(VALUES.len())],
        VALUES[draw.below(VALUES.len())],
    ];
    let write = |cells: &[&str], wide: bool| {
        cells.iter().fold("|".to_owned(), |row, cell| {
            if wide { format!("{row} {cell:<12} |") } else { format!("{row} {cell} |") }
        })
    };
    let mut rows = Vec::new();
    for _ in 0..1 + draw.below(3) {
        let mut other = cells.clone();
        let at = draw.below(3);
        other[at] =
            if at == 0 { NAMES[draw.below(NAMES.len())] } else { VALUES[draw.below(VALUES.len())] };
        if other == cells {
            return None;
        }
        rows.push(write(&other, true));
    }
    let head = [write(&["name", "value", "default"], true), "| --- | --- | --- |".to_owned()];
    let text = format!("Options:\n\n{}\n{}\n", head.join("\n"), rows.join("\n"));
    let wide = draw.once_in(2);
    let own = write(&cells, wide);
    let new = write(&[cells[0], cells[1], "changed"], wide);
    let (search, replace) = match draw.below(3) {
        0 => (format!("{own}\n"), format!("{new}\n")),
        1 => (format!("{}\n{own}\n", head.join("\n")), format!("{}\n{new}\n", head.join("\n"))),
        _ => (
            format!("{}\n{own}\n", head.join("\n")),
            format!("{}\n{own}\n{new}\n", head.join("\n")),
        ),
    };
    case(text, search, replace)
}

/// The changed line ends in a hard break, which isn't in the block.
pub fn hard_break(draw: &mut Draw) -> Option<Case> {
    let line = |draw: &mut Draw| {
        format!(
            "{} {}{}",
            VERBS[draw.below(VERBS.len())],
            THINGS[draw.below(THINGS.len())],
            ENDS[draw.below(ENDS.len())]
        )
    };
    let (first, second, third) = (line(draw), line(draw), line(draw));
    if first == second || second == third || first == third {
        return None;
    }
    let before = format!("# Title\n\n{first}  \n{second}  \n{third}\n\nMore.\n");
    let search = format!("{first}\n{second}\n{third}\n");
    let replace = format!("{first}\n{second} now\n{third}\n");
    case(before, search, replace)
}
