//! Translates globs for the library of another client: `src/` matches a folder anywhere in one
//! client, and nothing in another.
//!
//! Sample paths are generated from the glob, and both libraries match them.

use crate::client::dialect;
use crate::client::loading::{Dialect, GlobReading};

/// The result of translating a glob.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Translated {
    /// These match the same, or more (`wider`).
    Globs { globs: Vec<String>, wider: bool },
    /// Nothing certainly matches the same files in the other client.
    Lost,
}

/// A path to match.
struct Sample {
    path: String,
    at: At,
}

/// The place of a path, relative to its glob.
#[derive(Clone, Copy)]
enum At {
    Root,
    /// Below a folder that the glob doesn't name.
    Below,
    /// Not named by the glob.
    Elsewhere,
}

/// Translates a glob from one client to another.
pub fn translate(from: &GlobReading, to: &GlobReading, glob: &str) -> Translated {
    let plain = relative(glob);
    let same = || Translated::Globs { globs: vec![plain.to_owned()], wider: false };
    if glob.starts_with('!') {
        // In a list for `ignore`, it excludes files that others match.
        let takes_back = |reading: &GlobReading| reading.dialect == Dialect::Gitignore;
        return if takes_back(from) == takes_back(to) { same() } else { Translated::Lost };
    }
    let alike = from.dialect == to.dialect && from.prefix == to.prefix && from.strip == to.strip;
    if alike && from.dot == to.dot && from.everything == to.everything {
        return same();
    }
    let stars = plain.matches(['*', '?', '[', '(']).count();
    if plain.len() > LONGEST || stars > MOST_STARS {
        return Translated::Lost;
    }
    let mut samples = samples(plain);
    // In some libraries, `*.ts/**` also matches `a.ts`.
    let fronts = fronts(plain);
    samples.extend(fronts.iter().flat_map(|front| self::samples(front)));
    samples.truncate(MOST_SAMPLES);
    let matched = |reading: &GlobReading, globs: &[String]| -> Vec<bool> {
        let one = |sample: &Sample| dialect::find(reading, globs, &sample.path).is_some();
        samples.iter().map(one).collect()
    };
    let mut wanted = matched(from, &[glob.to_owned()]);
    if !wanted.contains(&true) {
        wanted = matched(from, &[plain.to_owned()]);
    }
    if !wanted.contains(&true) {
        return same();
    }
    // Where globs match more paths than they should; `None` if they miss a path, or match one that
    // the original doesn't name.
    let judged = |globs: &[String]| {
        let found = matched(to, globs);
        let mut more = More::Nothing;
        for ((sample, wanted), found) in samples.iter().zip(&wanted).zip(found) {
            match (*wanted, found, sample.at) {
                (true, false, _) | (false, true, At::Elsewhere) => return None,
                (false, true, At::Below) => more = more.max(More::Below),
                (false, true, At::Root) => more = More::Here,
                _ => {}
            }
        }
        Some(more)
    };
    let mut candidates = candidates(plain);
    candidates.extend(fronts.iter().flat_map(|front| self::candidates(front)));
    let first = |most: More| {
        let fits = |globs: &&Vec<String>| judged(globs).is_some_and(|more| more <= most);
        let globs = candidates.iter().find(fits)?.clone();
        Some(Translated::Globs { wider: judged(&globs) != Some(More::Nothing), globs })
    };
    // Keep the glob as written if it only matches more in folders further down.
    if judged(&[plain.to_owned()]).is_some_and(|more| more <= More::Below) {
        return first(More::Below).unwrap_or(Translated::Lost);
    }
    if let Some(exact) = first(More::Nothing) {
        return exact;
    }
    let parts = dialect::expanded(&GlobReading { expand: true, ..GlobReading::default() }, plain);
    if parts.len() > 1 && parts.len() <= MOST {
        return each(from, to, &parts);
    }
    first(More::Here).unwrap_or(Translated::Lost)
}

/// What a glob matches in addition to another one.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum More {
    Nothing,
    /// In folders further down.
    Below,
    Here,
}

/// Longer globs, and those with more wildcards, would take too long to compare.
const LONGEST: usize = 200;
const MOST_STARS: usize = 12;
/// The number of paths to compare.
const MOST_SAMPLES: usize = 400;

/// At most this many alternatives are written out.
const MOST: usize = 20;

/// Translates the alternatives in the braces of a glob one by one.
fn each(from: &GlobReading, to: &GlobReading, parts: &[String]) -> Translated {
    let (mut all, mut any) = (Vec::new(), false);
    for part in parts {
        match translate(from, to, part) {
            Translated::Lost => return Translated::Lost,
            Translated::Globs { globs, wider } => {
                any |= wider;
                all.extend(globs);
            }
        }
    }
    all.dedup();
    Translated::Globs { globs: all, wider: any }
}

/// A glob relative to the workspace.
pub fn relative(glob: &str) -> &str {
    glob.strip_prefix("./").or_else(|| glob.strip_prefix('/')).unwrap_or(glob)
}

/// The glob without trailing `/`, `/*` and `/**`, at each step where it may match files.
fn fronts(glob: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut rest = glob;
    while let Some((before, last)) = rest.rsplit_once('/') {
        if before.is_empty() || !matches!(last, "" | "*" | "**") {
            break;
        }
        rest = before;
        let name = rest.rsplit('/').next().unwrap_or(rest);
        if name.contains(['*', '?', '[']) || is_file(name) {
            found.push(rest);
        }
    }
    found
}

/// Globs that may match the same paths, the simplest first.
fn candidates(glob: &str) -> Vec<Vec<String>> {
    let name = glob.trim_end_matches('/');
    let parent = name.strip_suffix("/*");
    let mut found = vec![vec![glob.to_owned()]];
    for front in ["", "**/"] {
        found.push(vec![format!("{front}{name}")]);
        found.extend(parent.map(|parent| vec![format!("{front}{parent}/**")]));
        found.push(vec![format!("{front}{name}/**")]);
        found.push(vec![format!("{front}{name}"), format!("{front}{name}/**")]);
    }
    found.extend(["**/*", "**"].map(|every| vec![every.to_owned()]));
    found
}

/// Paths that a glob may match, as a library sees it: at the root, further down, and inside.
fn samples(glob: &str) -> Vec<Sample> {
    let reading = GlobReading { expand: true, ..GlobReading::default() };
    let mut found = Vec::new();
    for path in ["other.qq", "d8/other.qq", "d8/d9/other.qq"] {
        found.push(Sample { path: path.to_owned(), at: At::Elsewhere });
    }
    for one in dialect::expanded(&reading, glob).iter().take(MOST) {
        let folder = one.ends_with('/');
        for path in paths(one.trim_end_matches('/')) {
            // Folders are rarely named like files.
            let file = is_file(path.rsplit('/').next().unwrap_or_default());
            for front in ["", "d3/", "d3/d4/"] {
                let at = if front.is_empty() { At::Root } else { At::Below };
                found.push(Sample { path: format!("{front}{path}"), at });
                if folder || !file {
                    for end in ["/f.x", "/d5/f.x"] {
                        found.push(Sample { path: format!("{front}{path}{end}"), at });
                    }
                }
            }
        }
    }
    found
}

/// Whether a name has an extension.
fn is_file(name: &str) -> bool {
    name.chars().skip(1).any(|letter| letter == '.')
}

/// Paths that a glob without braces may match.
fn paths(glob: &str) -> Vec<String> {
    let parts: Vec<&str> = glob.split('/').collect();
    let mut found = vec![String::new()];
    for (index, part) in parts.iter().enumerate() {
        let last = index + 1 == parts.len();
        let choices: Vec<String> = match *part {
            "**" if last => vec!["f.x".to_owned(), "d1/f.x".to_owned()],
            "**" => vec![String::new(), "d1/".to_owned(), "d1/d2/".to_owned()],
            part if last => vec![name(part)],
            part => vec![name(part) + "/"],
        };
        found = found
            .iter()
            .take(MOST)
            .flat_map(|path| choices.iter().map(move |choice| format!("{path}{choice}")))
            .collect();
    }
    found.retain(|path| !path.is_empty());
    found
}

/// A name that a part of a glob matches.
fn name(part: &str) -> String {
    let mut out = String::new();
    let mut letters = part.chars().peekable();
    while let Some(letter) = letters.next() {
        match letter {
            '\\' => out.extend(letters.next()),
            '@' | '+' | '?' | '*' | '!' if letters.peek() == Some(&'(') => {
                let inside: String = letters.by_ref().skip(1).take_while(|it| *it != ')').collect();
                let first = inside.split('|').next().unwrap_or_default();
                out.push_str(if letter == '!' { "zz" } else { first });
            }
            '*' => {
                if !out.ends_with('x') {
                    out.push('x');
                }
            }
            '?' => out.push('y'),
            '[' => {
                let inside: Vec<char> = letters.by_ref().take_while(|it| *it != ']').collect();
                out.push(match inside.as_slice() {
                    ['!' | '^', ..] => '_',
                    [first, ..] => *first,
                    [] => '_',
                });
            }
            letter => out.push(letter),
        }
    }
    out
}
