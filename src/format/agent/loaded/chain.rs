//! Memory files and their imports in a client's order, up to where the client stops.

use std::collections::HashSet;
use std::path::{Component, Path, PathBuf};

use super::folders::{self, Folders};
use super::settings::{self, Excluded};
use super::tokens::Counter;
use super::{Cut, Limit, Loaded, Question, Trouble, Why};
use crate::client::loading::{Below, BudgetUnit, GlobReading, Group, Setting, Takes};
use crate::client::{Client, Kind, LimitOf, Outcome, Reads, Unit, dialect};
use crate::format::agent::{body, imports};
use crate::source::Source;
use crate::text::Encoding;
use crate::world::{EntryKind, resolve};

/// At most this many files are read for one answer.
const MOST_FILES: usize = 2_000;

/// At most this many different imports of one file are followed without loading anything.
const MOST_IDLE: usize = 4096;

/// The memory files that a client loads.
pub fn chain(
    question: &Question,
    client: &'static Client,
    folders: &Folders,
    counter: &Counter,
    problems: &mut Vec<Trouble>,
) -> (Vec<Loaded>, Vec<Limit>) {
    let excluded = Excluded::of(question, client, folders, problems);
    let mut reader = Reader {
        question,
        excluded,
        reads: client.reads.iter().find(|reads| reads.kind == Kind::Memory),
        client,
        counter,
        problems,
        found: Vec::new(),
        seen: HashSet::new(),
        left: None,
    };
    let mut limits = Vec::new();
    if let Some(home) = &question.home {
        for group in &client.loading.home {
            let most = if group.takes == Takes::All { usize::MAX } else { 1 };
            let names = reader.names(group, folders);
            let paths = names.iter().map(|name| home.join(&group.folder).join(name));
            let paths: Vec<PathBuf> =
                paths.filter(|path| reader.is_file(path)).take(most).collect();
            paths.iter().for_each(|path| reader.file(path, Why::Memory, None));
        }
    }
    let shared = client.loading.shared_limit.as_ref().map(|limit| {
        let set = limit.setting.as_ref().and_then(|setting| reader.number(setting, folders));
        set.unwrap_or(limit.bytes)
    });
    reader.left = shared.map(|most| (most, most));
    for path in project(&mut reader, folders) {
        if reader.found.len() >= MOST_FILES || question.is_cancelled() {
            break;
        }
        reader.file(&path, Why::Memory, None);
    }
    for (path, glob) in reader.instructions(folders) {
        let known = reader.question.shown(&path);
        let twice = reader.found.iter().any(|found| found.path == known);
        if !twice && reader.found.len() < MOST_FILES && !question.is_cancelled() {
            reader.file(&path, Why::Instructions, Some(glob));
        }
    }
    if let Some((most, left)) = reader.left {
        limits.push(Limit {
            of: "memory",
            limit: most,
            unit: BudgetUnit::Bytes,
            used: most - left,
            dropped: Vec::new(),
            trimmed: Vec::new(),
            text: String::new(),
        });
    }
    (reader.found, limits)
}

/// The paths of a project's memory files.
fn project(reader: &mut Reader, folders: &Folders) -> Vec<PathBuf> {
    let loading = &reader.client.loading;
    let mut found = Vec::new();
    let mut above: Vec<(&Group, Vec<String>)> = Vec::new();
    for group in &loading.memory {
        above.push((group, reader.names(group, folders)));
    }
    // Files of the groups before stand in for those of a fallback.
    let mut earlier: Vec<PathBuf> = Vec::new();
    above.retain(|(group, names)| {
        let has = |name: &PathBuf| {
            folders
                .chain
                .iter()
                .chain(&folders.above)
                .any(|folder| reader.is_file(&folder.join(name)))
        };
        let kept = !group.fallback || !earlier.iter().any(has);
        earlier.extend(names.iter().map(|name| Path::new(&group.folder).join(name)));
        kept
    });
    let below = above.clone();
    for (group, names) in &mut above {
        if group.takes == Takes::FirstOfChain {
            let all = folders.chain.iter().map(|folder| folder.join(&group.folder));
            let has = |name: &String| all.clone().any(|folder| reader.is_file(&folder.join(name)));
            let first = names.iter().position(has);
            names.truncate(first.map_or(0, |first| first + 1));
            names.drain(..first.unwrap_or_default());
        }
    }
    let in_folder = |reader: &Reader,
                     chosen: &[(&Group, Vec<String>)],
                     folder: &Path,
                     is_top: bool,
                     found: &mut Vec<PathBuf>| {
        let before = found.len();
        for (group, names) in chosen {
            if group.fallback && found.len() > before {
                continue;
            }
            let has = |glob| !folders::files(reader.question.world, folder, glob).is_empty();
            if group.top && !is_top || group.unless.as_deref().is_some_and(has) {
                continue;
            }
            let mut here = names
                .iter()
                .map(|name| folder.join(&group.folder).join(name))
                .filter(|path| reader.is_file(path));
            match group.takes {
                Takes::All => found.extend(here),
                Takes::First | Takes::FirstOfChain => found.extend(here.next()),
            }
        }
    };
    let mut chain: Vec<(usize, &PathBuf)> = folders.chain.iter().enumerate().collect();
    if loading.nearest_first {
        chain.reverse();
    }
    for (index, folder) in chain {
        in_folder(reader, &above, folder, index == 0, &mut found);
    }
    let mut outside = Vec::new();
    for folder in &folders.above {
        in_folder(reader, &above, folder, false, &mut outside);
    }
    // Files outside of the workspace are read only if the home folder is given.
    let question = reader.question;
    let (outside, left): (Vec<PathBuf>, Vec<PathBuf>) = outside
        .into_iter()
        .partition(|path| question.home.is_some() || path.starts_with(&question.root));
    for path in left {
        reader.trouble(&path, None, "is outside of the workspace: not looked at".to_owned());
    }
    let is_first = |path: &&PathBuf| {
        let mut groups = above.iter().filter(|(group, _)| group.top);
        groups.any(|(_, names)| names.iter().any(|name| path.ends_with(name)))
    };
    let first = found.iter().take_while(is_first).count();
    found.splice(first..first, outside);
    let mut nested: Vec<&PathBuf> = folders.nested.iter().collect();
    if loading.nearest_first {
        nested.reverse();
    }
    for folder in nested {
        in_folder(reader, &below, folder, false, &mut found);
    }
    if loading.below == Below::Always {
        let start = &reader.question.start;
        let names: Vec<&String> = below.iter().flat_map(|(_, names)| names).collect();
        let mut below: Vec<&PathBuf> = reader
            .question
            .files
            .paths()
            .iter()
            .filter(|path| {
                let name = path.file_name().and_then(|name| name.to_str());
                path.starts_with(start)
                    && name.is_some_and(|name| names.iter().any(|other| *other == name))
            })
            .collect();
        below.sort();
        for path in below {
            if !found.contains(path) {
                found.push(path.clone());
            }
        }
    }
    found
}

struct Reader<'q, 'a> {
    question: &'q Question<'a>,
    excluded: Excluded,
    client: &'static Client,
    reads: Option<&'static Reads>,
    counter: &'q Counter,
    problems: &'q mut Vec<Trouble>,
    found: Vec<Loaded>,
    /// The files imported so far, if the client loads each only once.
    seen: HashSet<PathBuf>,
    /// The limit that all files share, and what remains of it.
    left: Option<(usize, usize)>,
}

impl Reader<'_, '_> {
    fn is_file(&self, path: &Path) -> bool {
        self.question.world.kind(path) == Some(EntryKind::File)
    }

    /// Loads a memory file with its imports.
    fn file(&mut self, path: &Path, why: Why, pattern: Option<String>) {
        if self.excluded.has(path) {
            return;
        }
        if self.client.loading.imports_once && !self.seen.insert(path.to_owned()) {
            return;
        }
        let Some(text) = self.text(path) else { return };
        let before = self.found.len();
        let Some(kept) = self.add(path, why, &text, None) else { return };
        if let Some(added) = self.found.get_mut(before) {
            added.pattern = pattern;
        }
        if let Some(most) = self.reads.and_then(|reads| reads.imports)
            && self.found.len() > before
        {
            let mut open = vec![path.to_owned()];
            self.imports(path, &kept, most, &mut open);
        }
    }

    fn text(&mut self, path: &Path) -> Option<Vec<u8>> {
        match self.question.world.bytes(path) {
            Ok(bytes) => Some(bytes),
            Err(error) => {
                self.trouble(path, None, error.to_string());
                None
            }
        }
    }

    fn trouble(&mut self, path: &Path, line: Option<usize>, message: String) {
        self.problems.push(Trouble { path: self.question.shown(path), line, message });
    }

    /// Adds the part of a file that the client loads, and returns it.
    fn add(&mut self, path: &Path, why: Why, bytes: &[u8], by: Option<&Path>) -> Option<String> {
        let mut most = usize::MAX;
        let mut limit = 0;
        let mut characters = false;
        if let Some((shared, left)) = self.left {
            (most, limit) = (left, shared);
        } else {
            let own = self.reads.into_iter().flat_map(|reads| &reads.limits);
            for rule in own.filter(|rule| rule.of == LimitOf::File) {
                if rule.effect.outcome >= Outcome::NotLoaded && bytes.len() > rule.most {
                    self.trouble(path, None, format!("not loaded: {}", rule.effect.text));
                    return None;
                }
                if rule.effect.outcome == Outcome::Partly {
                    (most, limit) = (rule.most, rule.most);
                    characters = rule.unit == Unit::Characters;
                }
            }
        }
        let end = match characters {
            true => characters_end(bytes, most),
            false => bytes.len().min(most),
        };
        let kept = bytes.get(..end).unwrap_or_default();
        let text = String::from_utf8_lossy(kept).into_owned();
        let lost = most == 0 && self.left.is_some();
        // A file without text doesn't count.
        if text.trim().is_empty() && (!lost || is_blank(bytes)) {
            return None;
        }
        if let Some((_, left)) = &mut self.left {
            *left -= kept.len();
        }
        if std::str::from_utf8(bytes).is_err() {
            self.trouble(path, None, "is not UTF-8; such bytes are read as U+FFFD".to_owned());
        }
        let cut = (kept.len() < bytes.len()).then(|| Cut {
            line: kept.iter().filter(|byte| **byte == b'\n').count() + 1,
            limit,
            bytes: kept.len(),
        });
        self.found.push(Loaded {
            path: self.question.shown(path),
            kind: Kind::Memory.name(),
            why,
            pattern: None,
            order: 0,
            tokens: self.counter.count(&text),
            bytes: kept.len(),
            cut,
            by: by.map(|by| self.question.shown(by)),
        });
        Some(text)
    }

    /// Loads the imports of a file, each followed by its own imports.
    fn imports(&mut self, from: &Path, text: &str, left: u32, open: &mut Vec<PathBuf>) {
        // Usually the whole file is loaded, and the world has it in its cache.
        let source = match self.question.world.read(from) {
            Ok(source) if source.text() == text => source,
            _ => Source::new(text),
        };
        let mut written = Vec::new();
        for (placed, mentions) in body::mentions(&source) {
            for body::Imported { span, path, glued } in &mentions.imports {
                if self.client.loading.drops_comments && imports::is_comment(&source, placed, span)
                {
                    continue;
                }
                written.push((placed.start + span.start, path.clone(), *glued));
            }
        }
        let mut idle: HashSet<String> = HashSet::new();
        for (offset, written, glued) in written {
            if self.found.len() >= MOST_FILES || self.question.is_cancelled() {
                return;
            }
            if idle.contains(&written) {
                continue;
            }
            let line = source.position(offset, Encoding::Utf8).line as usize + 1;
            if idle.len() >= MOST_IDLE {
                let text =
                    format!("over {MOST_IDLE} imports load nothing; the rest are not checked");
                return self.trouble(from, Some(line), text);
            }
            if glued && self.is_file(&resolve(from, &written)) {
                let text = format!(
                    "`@{written}` has punctuation after it, which is read as part of the path: nothing is loaded"
                );
                self.trouble(from, Some(line), text);
                continue;
            }
            let before = self.found.len();
            self.import(from, &written, line, left, open);
            if self.found.len() == before {
                idle.insert(written);
            }
        }
    }

    fn import(
        &mut self,
        from: &Path,
        written: &str,
        line: usize,
        left: u32,
        open: &mut Vec<PathBuf>,
    ) {
        let target = match (written.strip_prefix("~/"), &self.question.home) {
            (Some(below), Some(home)) => home.join(below),
            // The home folder isn't read.
            (Some(_), None) => return,
            (None, _) => resolve(from, written),
        };
        let looks = imports::path(written).is_some();
        let inside = self.inside(&target);
        if !inside {
            let refused = self.client.loading.imports_inside;
            if refused || self.question.home.is_none() {
                // A word that begins with `@` isn't always an import.
                if looks || self.is_file(&target) {
                    let why = if refused { "not loaded" } else { "not looked at" };
                    let text = format!("`@{written}` is outside of the workspace: {why}");
                    self.trouble(from, Some(line), text);
                }
                return;
            }
        }
        if !self.is_file(&target) {
            if looks {
                let text = format!("`@{written}` is missing: nothing is loaded");
                self.trouble(from, Some(line), text);
            }
            return;
        }
        if open.contains(&target) {
            let text = format!("`@{written}` leads back to a file that is being loaded");
            self.trouble(from, Some(line), text);
            return;
        }
        if self.client.loading.imports_once && self.seen.contains(&target) {
            return;
        }
        if left == 0 {
            let most = self.reads.and_then(|reads| reads.imports).unwrap_or_default();
            let text = format!("`@{written}` is more than {most} levels deep: not loaded");
            self.trouble(from, Some(line), text);
            return;
        }
        if self.excluded.has(&target) {
            return;
        }
        self.seen.insert(target.clone());
        let Some(bytes) = self.text(&target) else { return };
        let Some(text) = self.add(&target, Why::Import, &bytes, Some(from)) else { return };
        open.push(target.clone());
        self.imports(&target, &text, left - 1, open);
        open.pop();
    }

    /// Whether a file is in the workspace, regardless of links.
    fn inside(&self, path: &Path) -> bool {
        let world = self.question.world;
        let root = world.identity(&self.question.root);
        path.starts_with(&self.question.root) && world.identity(path).starts_with(root)
    }

    fn texts(&mut self, setting: &Setting, folders: &Folders) -> Option<Vec<String>> {
        settings::texts(self.question, folders, setting, self.problems)
    }

    fn number(&mut self, setting: &Setting, folders: &Folders) -> Option<usize> {
        let values = settings::values(self.question, folders, setting, self.problems);
        usize::try_from(values.first()?.as_u64()?).ok()
    }

    /// The names of a group: its own, with those that settings add or replace them with.
    fn names(&mut self, group: &Group, folders: &Folders) -> Vec<String> {
        let setting = group.setting.as_ref().and_then(|setting| self.texts(setting, folders));
        if setting.is_some_and(|value| value == ["false"]) {
            return Vec::new();
        }
        let instead = group.instead.as_ref().and_then(|setting| self.texts(setting, folders));
        let mut names = instead.unwrap_or_else(|| group.names.clone());
        let more = group.more.as_ref().and_then(|setting| self.texts(setting, folders));
        for name in more.into_iter().flatten() {
            if !names.contains(&name) {
                names.push(name);
            }
        }
        let is_name = |name: &String| {
            let inside = |part| matches!(part, Component::Normal(_) | Component::CurDir);
            !name.is_empty() && Path::new(name).components().all(inside)
        };
        names.retain(is_name);
        names
    }

    /// The files that the user's settings name, each with its glob as written.
    fn instructions(&mut self, folders: &Folders) -> Vec<(PathBuf, String)> {
        let Some(instructions) = &self.client.loading.instructions else { return Vec::new() };
        let globs =
            settings::all_texts(self.question, folders, &instructions.setting, self.problems);
        let braces = GlobReading { expand: true, ..GlobReading::default() };
        let mut found: Vec<(PathBuf, String)> = Vec::new();
        for glob in globs {
            if glob.contains("://") {
                // Nothing is read from the network.
                continue;
            }
            let bases: Vec<(PathBuf, &str)> = match glob.strip_prefix("~/") {
                Some(below) => {
                    self.question.home.iter().map(|home| (home.clone(), below)).collect()
                }
                None if Path::new(&glob).is_absolute() => vec![(PathBuf::new(), glob.as_str())],
                None => {
                    folders.chain.iter().rev().map(|base| (base.clone(), glob.as_str())).collect()
                }
            };
            for (base, below) in bases {
                for below in dialect::expanded(&braces, below) {
                    for path in self.below(&base, &below) {
                        if !found.iter().any(|(other, _)| *other == path) {
                            found.push((path, glob.clone()));
                        }
                    }
                }
            }
        }
        found
    }

    /// The files below a folder that a glob matches, in the workspace or the home folder.
    fn below(&self, base: &Path, glob: &str) -> Vec<PathBuf> {
        let parts: Vec<&str> = glob.split('/').collect();
        let plain = parts.iter().take_while(|part| !folders::is_pattern(part)).count();
        let plain = plain.min(parts.len() - 1);
        let (folder, rest) = parts.split_at(plain);
        // `../shared/*.md`
        let folder = resolve(&base.join("x"), &folder.join("/"));
        let home = self.question.home.as_ref();
        let inside = self.inside(&folder) || home.is_some_and(|home| folder.starts_with(home));
        if inside {
            folders::files(self.question.world, &folder, &rest.join("/"))
        } else {
            Vec::new()
        }
    }
}

fn is_blank(bytes: &[u8]) -> bool {
    String::from_utf8_lossy(bytes).trim().is_empty()
}

/// The number of bytes of the first `most` characters.
fn characters_end(bytes: &[u8], most: usize) -> usize {
    match std::str::from_utf8(bytes) {
        Ok(text) => text.char_indices().nth(most).map_or(text.len(), |(at, _)| at),
        Err(_) => bytes.len().min(most),
    }
}
