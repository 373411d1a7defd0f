//! `apply`, killed at random moments: each file is either old or new, and after recovery all files
//! are old or all are new.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::Stdio;
use std::time::{Duration, Instant, SystemTime};

use super::Folder;

const KILLS: usize = 200;

/// A small random number generator with a seed.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    fn below(&mut self, limit: Duration) -> Duration {
        Duration::from_nanos(self.next() % u64::try_from(limit.as_nanos()).unwrap().max(1))
    }
}

type Files = BTreeMap<String, String>;

/// Every file below, including the program's own, with its content.
fn files(root: &Path) -> Files {
    let mut found = Files::new();
    let mut open = vec![root.to_owned()];
    while let Some(at) = open.pop() {
        for entry in fs::read_dir(at).unwrap().flatten() {
            let path = entry.path();
            let name = agentmd::world::slashed(path.strip_prefix(root).unwrap());
            if entry.file_type().unwrap().is_dir() {
                found.insert(name + "/", String::new());
                open.push(path);
            } else {
                found.insert(name, String::from_utf8_lossy(&fs::read(path).unwrap()).into_owned());
            }
        }
    }
    found
}

/// The files before and after, and a reply that turns one into the other.
fn scene() -> (Files, Files, String) {
    let (mut old, mut new, mut reply) =
        (Files::new(), Files::new(), String::from("[REASONING]\nr\n\n"));
    let mut act = |index: usize, kind: &str, path: &str, content: Option<&str>| {
        reply.push_str(&format!("[ACTION_{index}_TYPE] {kind}\n[ACTION_{index}_PATH] {path}\n"));
        if let Some(content) = content {
            reply.push_str(&format!(
                "[ACTION_{index}_CONTENT_START]\n{content}\n[ACTION_{index}_CONTENT_END]\n"
            ));
        }
    };
    for folder in ["src/", "src/deep/"] {
        old.insert(folder.to_owned(), String::new());
        new.insert(folder.to_owned(), String::new());
    }
    for index in 0..16 {
        let folder = ["", "src/", "src/deep/"][index % 3];
        let path = format!("{folder}file {index}.txt");
        let (before, after) = (
            "old\n".repeat(index % 16 * 40 + 1),
            format!("new {index}\n").repeat(index % 16 * 30 + 1),
        );
        match index % 4 {
            2.. => {
                old.insert(path.clone(), before);
                act(index, "delete_file", &path, None);
            }
            1 => {
                let path = format!("made/{}/{path}", index % 3);
                for folder in path.match_indices('/') {
                    new.insert(path[..=folder.0].to_owned(), String::new());
                }
                act(index, "create_file", &path, Some(&after));
                new.insert(path, after);
            }
            0 => {
                old.insert(path.clone(), before);
                act(index, "edit_file", &path, Some(&after));
                new.insert(path, after);
            }
        }
    }
    (old, new, reply)
}

fn scene_in(folder: &Folder, old: &Files) {
    for (name, text) in old.iter().filter(|(name, _)| !name.ends_with('/')) {
        folder.write(name, text);
    }
}

/// How long an undisturbed run takes until it has written to the journal, and from then on.
fn times(old: &Files, new: &Files, reply: &str, place: fn() -> Folder) -> (Duration, Duration) {
    let (folder, replies) = (place(), Folder::with(&[("r.md", reply)]));
    scene_in(&folder, old);
    let start = Instant::now();
    let mut child = folder
        .command(&["apply", replies.path("r.md").to_str().unwrap()])
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let journal = folder.path(".agentmd-apply");
    while !fs::metadata(&journal).is_ok_and(|found| found.len() > 0)
        && child.try_wait().unwrap().is_none()
    {
        std::thread::yield_now();
    }
    let begun = start.elapsed();
    assert!(child.wait().unwrap().success());
    assert_eq!(files(folder.root()), *new);
    (begun, start.elapsed() - begun)
}

#[derive(Debug, Default, Clone, Copy)]
struct Tally {
    /// Kills that left a journal with at least one complete record.
    interrupted: usize,
    /// Kills that left some files old and some new.
    mixed: usize,
    finished: usize,
    undone: usize,
}

fn kill(
    random: &mut Random,
    (old, new): (&Files, &Files),
    reply: &Path,
    place: fn() -> Folder,
    times: (Duration, Duration),
    tally: &mut Tally,
) {
    let (folder, (before, after)) = (place(), times);
    scene_in(&folder, old);
    let journal = folder.path(".agentmd-apply");
    let mut child =
        folder.command(&["apply", reply.to_str().unwrap()]).stderr(Stdio::null()).spawn().unwrap();
    // A run spends most of its time before it renames the new files into place, so some kills wait
    // for that.
    let (wait, begun): (_, fn(&Path) -> bool) = match random.next() % 4 {
        0 => (random.below((before + after) * 11 / 10), |_| true),
        1 => (random.below(after * 11 / 10), |journal| {
            fs::metadata(journal).is_ok_and(|found| found.len() > 0)
        }),
        _ => (random.below(after / 2), |journal| {
            fs::read(journal).is_ok_and(|text| text.ends_with(b"commit\"}\n"))
        }),
    };
    while !begun(&journal) && child.try_wait().unwrap().is_none() {
        std::thread::yield_now();
    }
    let start = Instant::now();
    while start.elapsed() < wait {
        std::thread::yield_now();
    }
    child.kill().unwrap();
    child.wait().unwrap();

    // Each file is old or new, and the only other files are the program's own.
    let found = files(folder.root());
    let (mut olds, mut news) = (0, 0);
    for name in old.keys().chain(new.keys()).filter(|name| !name.ends_with('/')) {
        let now = found.get(name);
        assert!(
            now == old.get(name) || now == new.get(name),
            "{name} is neither old nor new: {now:?}"
        );
        if old.get(name) != new.get(name) {
            *(if now == new.get(name) { &mut news } else { &mut olds }) += 1;
        }
    }
    for name in found.keys() {
        assert!(
            old.contains_key(name) || new.contains_key(name) || name.contains(".agentmd-"),
            "{name} should not exist"
        );
    }
    // An incomplete first record doesn't count, since nothing is changed before it.
    let interrupted = fs::read(&journal).is_ok_and(|text| text.contains(&b'\n'));
    tally.interrupted += usize::from(interrupted);
    tally.mixed += usize::from(olds > 0 && news > 0);

    // No other run proceeds until `--recover` has finished or undone the interrupted one, and has
    // reported which.
    let state = if random.next().is_multiple_of(2) {
        let answer = folder.run(&["apply", "--recover", "--json"]);
        assert_eq!(answer.status, 0, "{answer:?}");
        answer.json()["recovered"].as_str().map(str::to_owned)
    } else {
        let other = "[ACTION_0_TYPE] create_file\n[ACTION_0_PATH] other\n[ACTION_0_CONTENT_START]\nx\n[ACTION_0_CONTENT_END]\n";
        let answer = folder.run_with(&["apply", "-"], other.as_bytes());
        if interrupted {
            assert!(
                answer.status == 1 && answer.err.contains("`agentmd apply --recover`"),
                "{answer:?}"
            );
            assert_eq!(files(folder.root()), found, "a run that cannot proceed changes nothing");
        } else {
            assert_eq!((answer.status, folder.read("other").as_str()), (0, "x"), "{answer:?}");
            fs::remove_file(folder.path("other")).unwrap();
        }
        let answer = folder.run(&["apply", "--recover"]);
        assert_eq!(answer.status, 0, "{answer:?}");
        let state = [("are now made: ", "finished"), ("are now undone: ", "undone")]
            .into_iter()
            .find_map(|(words, state)| answer.err.contains(words).then_some(state));
        let prepared =
            if answer.err.contains("before it changed anything") { Some("undone") } else { None };
        let done = if answer.err.contains("after it changed everything") {
            Some("finished")
        } else {
            None
        };
        state.or(prepared).or(done).map(str::to_owned)
    };
    let found = files(folder.root());
    match state.as_deref() {
        Some("finished") => assert_eq!(found, *new),
        Some("undone") => assert_eq!(found, *old),
        // A run that is killed while it writes the first record of the journal leaves nothing to
        // recover.
        other => assert!(
            other.is_none() && (found == *old || !interrupted && found == *new),
            "{other:?}: interrupted {interrupted}"
        ),
    }
    tally.finished += usize::from(state.as_deref() == Some("finished"));
    tally.undone += usize::from(state.as_deref() == Some("undone"));
}

#[test]
fn a_killed_run_leaves_the_old_or_the_new_state() {
    let time =
        || SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap().as_nanos() as u64;
    let seed = std::env::var("PROPTEST_RNG_SEED")
        .ok()
        .and_then(|seed| seed.parse().ok())
        .unwrap_or_else(time);
    println!("PROPTEST_RNG_SEED={seed}");
    let (old, new, reply) = scene();
    let replies = Folder::with(&[("r.md", &reply)]);
    let reply = replies.path("r.md");
    let text = fs::read_to_string(&reply).unwrap();
    let start = Instant::now();
    let run = |half: u64, place: fn() -> Folder| {
        let times = (0..5)
            .map(|_| times(&old, &new, &text, place))
            .max_by_key(|(_, after)| *after)
            .unwrap();
        let mut tally = Tally::default();
        let mut random = Random(seed ^ half);
        for _ in 0..KILLS / 2 {
            kill(&mut random, (&old, &new), &reply, place, times, &mut tally);
        }
        tally
    };
    // On a disk, most of the time is spent writing the new files; in memory, renaming them.
    let [one, other] = std::thread::scope(|scope| {
        let other = scope.spawn(|| run(1, Folder::in_memory));
        [run(0, Folder::empty), other.join().unwrap()]
    });
    println!("{KILLS} kills in {:?}: {one:?}, {other:?}", start.elapsed());
    // How many runs are killed in the middle is up to chance, and on a busy machine it may be none.
    // The unit tests end a process at every single operation.
}
