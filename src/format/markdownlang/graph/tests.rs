//! MDL-20: the updated graph equals one that is built from scratch.

use std::path::{Path, PathBuf};

use proptest::prelude::*;

use super::*;
use crate::world::Memory;

const FILES: usize = 6;

fn path(number: usize) -> PathBuf {
    format!("/w/{}{number}.md", ["", "sub/"][number % 2]).into()
}

fn text(imports: &[usize], noise: &str) -> String {
    let list: String = imports.iter().map(|to| format!("  - {}\n", path(*to).display())).collect();
    format!(
        "---\nname: x\ndescription: {noise}\ninput: {{}}\noutput: {{}}\nimports:\n{list}---\n\n{noise}\n"
    )
}

/// Files, and unsaved versions of them.
#[derive(Debug, Default, Clone)]
struct Desk {
    files: HashMap<PathBuf, String>,
    open: HashMap<PathBuf, String>,
}

/// An editor's documents as a world, with a memory that may outlive it.
struct Moment<'a> {
    desk: &'a Desk,
    memory: &'a Memory,
}

impl World for Moment<'_> {
    fn read(&self, path: &Path) -> Result<Source, crate::world::ReadError> {
        let text = self.desk.open.get(path).or_else(|| self.desk.files.get(path));
        text.map(|text| Source::new(text)).ok_or(crate::world::ReadError::Missing)
    }

    fn kind(&self, _: &Path) -> Option<crate::world::EntryKind> {
        None
    }

    fn list(&self, _: &Path) -> crate::world::Listing {
        crate::world::Listing::default()
    }

    fn files(&self) -> Vec<PathBuf> {
        let mut files: Vec<PathBuf> =
            self.desk.files.keys().chain(self.desk.open.keys()).cloned().collect();
        files.sort();
        files.dedup();
        files
    }

    fn unsaved(&self, each: &mut dyn FnMut(&Path, &Source)) {
        for (path, text) in &self.desk.open {
            each(path, &Source::new(text));
        }
    }

    fn memo(&self) -> &crate::markdown::memo::Memo {
        self.memory.memo()
    }
}

#[derive(Debug, Clone)]
enum Event {
    Write(usize, Vec<usize>, String),
    Delete(usize),
    Open(usize, Vec<usize>, String),
    Close(usize),
    /// Another query comes in between.
    Rings(usize),
    Importers(usize),
}

fn events() -> impl Strategy<Value = Vec<Event>> {
    let file = || 0..FILES;
    let imports = || prop::collection::vec(0..FILES, 0..3);
    let noise = || "[a-z]{0,3}";
    prop::collection::vec(
        prop_oneof![
            3 => (file(), imports(), noise()).prop_map(|(file, imports, noise)| Event::Write(file, imports, noise)),
            1 => file().prop_map(Event::Delete),
            3 => (file(), imports(), noise()).prop_map(|(file, imports, noise)| Event::Open(file, imports, noise)),
            2 => file().prop_map(Event::Close),
            3 => file().prop_map(Event::Rings),
            1 => file().prop_map(Event::Importers),
        ],
        1..40,
    )
}

/// The answers of a world about a file.
fn answers(world: &dyn World, number: usize) -> (Arc<Rings>, Vec<PathBuf>) {
    let graph = Graph::of(world);
    let path = path(number);
    let rings = world
        .read(&path)
        .ok()
        .and_then(|source| graph.rings(world, &path, &source, &|| false))
        .unwrap_or_default();
    (rings, graph.importers(world, &path, &|| false))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 256, max_shrink_iters: 500, ..ProptestConfig::default() })]
    #[test]
    fn mdl_20_an_updated_graph_equals_a_fresh_one(events in events()) {
        let (mut desk, memory) = (Desk::default(), Memory::default());
        for event in events {
            let mut happened = None;
            match event {
                Event::Write(file, imports, noise) => {
                    desk.files.insert(path(file), text(&imports, &noise));
                    happened = Some(path(file));
                }
                Event::Delete(file) => {
                    desk.files.remove(&path(file));
                    happened = Some(path(file));
                }
                Event::Open(file, imports, noise) => drop(desk.open.insert(path(file), text(&imports, &noise))),
                Event::Close(file) => drop(desk.open.remove(&path(file))),
                Event::Rings(file) | Event::Importers(file) => drop(answers(&Moment { desk: &desk, memory: &memory }, file)),
            }
            if let Some(path) = happened {
                let world = Moment { desk: &desk, memory: &memory };
                Graph::of(&world).refresh(&world, &path);
            }
        }
        let fresh = Memory::default();
        let (old, new) = (Moment { desk: &desk, memory: &memory }, Moment { desk: &desk, memory: &fresh });
        for number in 0..FILES {
            prop_assert_eq!(answers(&old, number), answers(&new, number), "file {}", number);
        }
        prop_assert_eq!(Graph::of(&old).edges(), Graph::of(&new).edges());
    }
}

/// A world that ignores case, like some file systems.
struct Folding(Memory);

impl World for Folding {
    fn read(&self, path: &Path) -> Result<Source, crate::world::ReadError> {
        self.0.read(&self.identity(path))
    }

    fn kind(&self, path: &Path) -> Option<crate::world::EntryKind> {
        self.0.kind(&self.identity(path))
    }

    fn list(&self, folder: &Path) -> crate::world::Listing {
        self.0.list(folder)
    }

    fn identity(&self, path: &Path) -> PathBuf {
        path.to_string_lossy().to_lowercase().into()
    }

    fn memo(&self) -> &crate::markdown::memo::Memo {
        self.0.memo()
    }
}

#[test]
fn mdl_20_rings_are_found_when_the_file_system_ignores_case() {
    let import = |to: &str| text(&[], "x").replace("imports:\n", &format!("imports:\n  - {to}\n"));
    let world = Folding(
        Memory::default().with("/w/a.md", &import("./B.MD")).with("/w/b.md", &import("./A.md")),
    );
    let rings = |world: &dyn World| {
        let source = world.read(Path::new("/w/a.md")).unwrap();
        Graph::of(world).rings(world, Path::new("/w/a.md"), &source, &|| false).unwrap().rings.len()
    };
    assert_eq!(rings(&world), 1);
    assert_eq!(
        rings(&world.0.clone().with("/w/c.md", "")),
        0,
        "these are different files if case matters"
    );
}

/// A world that reads at most two files per question.
struct Hasty(Memory);

impl World for Hasty {
    fn read(&self, path: &Path) -> Result<Source, crate::world::ReadError> {
        self.0.read(path)
    }

    fn kind(&self, path: &Path) -> Option<crate::world::EntryKind> {
        self.0.kind(path)
    }

    fn list(&self, folder: &Path) -> crate::world::Listing {
        self.0.list(folder)
    }

    fn patience(&self) -> usize {
        2
    }

    fn memo(&self) -> &crate::markdown::memo::Memo {
        self.0.memo()
    }
}

#[test]
fn files_skipped_by_one_question_are_read_for_the_next() {
    let world = [(0, 1), (1, 2), (2, 3), (3, 4), (4, 0)]
        .into_iter()
        .fold(Memory::default(), |world, (from, to)| world.with(path(from), &text(&[to], "")));
    let world = Hasty(world);
    let found: Vec<usize> = [0, 4, 3]
        .map(|number| {
            let source = world.read(&path(number)).unwrap();
            let rings = Graph::of(&world).rings(&world, &path(number), &source, &|| false).unwrap();
            rings.rings.len()
        })
        .into();
    // 1 and 2 are read for 0; then 3 for 4, whose text was given.
    assert_eq!(found, [0, 1, 1]);
}

#[test]
fn a_changed_body_does_not_reread_imports() {
    let world = Memory::default().with("/w/a.md", &text(&[1], "x"));
    let graph = Graph::of(&world);
    let source = world.read(Path::new("/w/a.md")).unwrap();
    graph.rings(&world, Path::new("/w/a.md"), &source, &|| false);
    let before = graph.generation(&world);
    let edited = source.edit(&crate::text::Edit::insert(source.len(), "more"));
    assert!(Arc::ptr_eq(&read::header(&source), &read::header(&edited)));
    graph.rings(&world, Path::new("/w/a.md"), &edited, &|| false);
    assert_eq!(graph.generation(&world), before);
}

#[test]
fn a_cancelled_walk_leaves_a_usable_graph() {
    const COUNT: usize = 48;
    let all: Vec<usize> = (0..COUNT).collect();
    let files = (0..COUNT)
        .fold(Memory::default(), |world, number| world.with(path(number), &text(&all, "")));
    // The same files with an empty memory.
    let fresh = || files.clone().with("/w/none.md", "");
    let source = files.read(&path(0)).unwrap();
    let expected = Graph::of(&files).rings(&files, &path(0), &source, &|| false).unwrap();
    assert_eq!(expected.rings.len(), COUNT);
    let walk = |world: &Memory, last: usize| {
        let asked = std::cell::Cell::new(0);
        let cancelled = || {
            asked.set(asked.get() + 1);
            asked.get() >= last
        };
        let found = Graph::of(world).rings(world, &path(0), &source, &cancelled);
        (found, asked.get())
    };
    let (found, questions) = walk(&fresh(), usize::MAX);
    // One check per file, and more while following the imports.
    assert!(found.as_ref() == Some(&expected) && questions > COUNT, "{questions}");
    for last in [1, 2, COUNT / 2].into_iter().chain(COUNT - 2..=questions) {
        let world = fresh();
        assert_eq!(walk(&world, last), (None, last));
        let read =
            Graph::of(&world).state().nodes.iter().filter(|node| node.read.is_some()).count();
        assert!(read <= last, "{read} files were read after {last} questions");
        assert_eq!(walk(&world, usize::MAX).0.as_ref(), Some(&expected));
    }
}

#[test]
fn typed_paths_leave_nothing_in_the_graph() {
    let world = Memory::default().with("/w/b.md", &text(&[], "x"));
    let own = Path::new("/w/a.md");
    let import =
        |to: &str| text(&[], "x").replace("imports:\n", &format!("imports:\n  - ./{to}\n"));
    let graph = Graph::of(&world);
    let rings = |to: &str| {
        graph.rings(&world, own, &Source::new(&import(to)), &|| false);
        let state = graph.state();
        (state.nodes.len() - state.free.len(), state.ids.len(), state.share.held())
    };
    let (nodes, ids, _) = rings("b.md");
    assert_eq!((nodes, ids), (2, 2));
    for number in 0..500 {
        let (nodes, ids, _) = rings(&format!("{number}.md"));
        assert!(nodes <= 3 && ids <= 3, "{nodes} nodes with {ids} names after {number}");
    }
    let before = rings("b.md").2;
    for number in 0..500 {
        rings(&format!("{number}.md"));
    }
    assert_eq!(rings("b.md").2, before);
    assert_eq!(graph.importers(&world, Path::new("/w/b.md"), &|| false), [own]);
}

#[test]
fn a_graph_stays_within_its_share() {
    const MOST: u64 = 64 << 10;
    let all: Vec<usize> = (0..40).collect();
    let files = (0..40).fold(Memory::default(), |world, at| world.with(path(at), &text(&all, "")));
    let answers = |world: &Memory| {
        let graph = Graph::of(world);
        let mut rings = 0;
        for number in 0..40 {
            let source = world.read(&path(number)).unwrap();
            rings += graph.rings(world, &path(number), &source, &|| false).unwrap().rings.len();
            graph.importers(world, &path(number), &|| false);
        }
        (rings, graph.state().share.held())
    };
    let (rings, held) = answers(&files);
    assert!(rings == 40 * 40 && held > MOST / PART, "{rings} rings, {held} bytes");
    let limit = crate::cache::Limit::new(MOST);
    let (rings, held) = answers(&files.with("/w/none.md", "").with_limit(limit.clone()));
    assert!(rings < 40 * 40 && held <= MOST / PART, "{rings} rings, {held} bytes");
    assert!(held > MOST / PART / 2 && limit.held() <= MOST, "{held} bytes");
}

/// A world with a file on a file system that doesn't answer.
struct Hanging {
    memory: Memory,
    slow: PathBuf,
    asked: std::sync::mpsc::SyncSender<()>,
    gate: Mutex<std::sync::mpsc::Receiver<()>>,
    open: Mutex<bool>,
}

impl World for Hanging {
    fn read(&self, path: &Path) -> Result<Source, crate::world::ReadError> {
        if path == self.slow {
            let _ = self.asked.send(());
            let _ = self.gate.lock().recv();
        }
        self.memory.read(path)
    }

    fn kind(&self, path: &Path) -> Option<crate::world::EntryKind> {
        self.memory.kind(path)
    }

    fn list(&self, folder: &Path) -> crate::world::Listing {
        self.memory.list(folder)
    }

    fn unsaved(&self, each: &mut dyn FnMut(&Path, &Source)) {
        if *self.open.lock() {
            each(&self.slow, &Source::new(""));
        }
    }

    fn memo(&self) -> &crate::markdown::memo::Memo {
        self.memory.memo()
    }
}

#[test]
fn a_slow_file_delays_no_other_file() {
    let (asked, begun) = std::sync::mpsc::sync_channel(8);
    let (gate, waiting) = std::sync::mpsc::channel();
    let world = Hanging {
        memory: Memory::default().with(path(0), &text(&[0], "")).with(path(1), &text(&[0], "")),
        slow: path(1),
        asked,
        gate: Mutex::new(waiting),
        open: Mutex::new(true),
    };
    let graph = Graph::of(&world);
    let source = world.read(&path(0)).unwrap();
    let rings = || graph.rings(&world, &path(0), &source, &|| false).unwrap().rings.len();
    // The slow file is open at first. Its imports are read when it is closed.
    assert_eq!(rings(), 1);
    *world.open.lock() = false;
    let events: [&(dyn Fn() + Sync); 2] =
        [&|| _ = graph.generation(&world), &|| graph.refresh(&world, &path(1))];
    for happens in events {
        std::thread::scope(|scope| {
            scope.spawn(happens);
            begun.recv().unwrap();
            // This would never return if the graph were locked while a file is read.
            assert_eq!(rings(), 1);
            gate.send(()).unwrap();
        });
    }
    assert_eq!(graph.importers(&world, &path(0), &|| false), [path(0), path(1)]);
}
