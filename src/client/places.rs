//! The places of all clients, ready to be compared with a path. There are hundreds, and nearly all
//! begin with a folder that few paths contain.

use std::sync::OnceLock;

use rustc_hash::FxHashMap;

use super::glob::Glob;
use super::{Client, Misplaced, Reads, catalog};

/// Where a client reads files of a kind.
#[derive(Debug)]
pub struct Place {
    pub client: &'static Client,
    pub reads: &'static Reads,
    pub what: What,
    text: &'static str,
    glob: Glob<'static>,
}

#[derive(Debug, Clone, Copy)]
pub enum What {
    Place,
    /// A place in a plugin.
    Plugin,
    /// A name that the client doesn't read.
    Misplaced(&'static Misplaced),
}

/// Places by a part of the path that each needs, in the order of the data.
#[derive(Debug, Default)]
struct Table {
    places: Vec<Place>,
    by_part: FxHashMap<&'static str, Vec<usize>>,
    /// Those without a fixed part.
    others: Vec<usize>,
}

impl Place {
    /// The glob, as written in the data.
    pub fn glob(&self) -> &'static str {
        self.text
    }
}

/// The places that match the last parts of a path, in the order of the data, and the number of
/// these parts.
pub fn matching(path: &[&str]) -> Vec<(&'static Place, usize)> {
    let table = table();
    let mut near: Vec<usize> = table.others.clone();
    for (at, part) in path.iter().enumerate() {
        if let Some(found) =
            table.by_part.get(part).filter(|_| !path.iter().take(at).any(|other| other == part))
        {
            near.extend(found);
        }
    }
    near.sort_unstable();
    let places = near.into_iter().filter_map(|at| table.places.get(at));
    places.filter_map(|place| Some((place, place.glob.matches(path)?))).collect()
}

/// The places of all clients, in the order of the data.
pub fn all() -> impl Iterator<Item = &'static Place> {
    table().places.iter()
}

fn table() -> &'static Table {
    static TABLE: OnceLock<Table> = OnceLock::new();
    TABLE.get_or_init(|| {
        let mut table = Table::default();
        for client in &catalog().clients {
            for reads in &client.reads {
                let own = reads.places.iter().map(|glob| (glob, What::Place));
                let plugin = reads.plugin_places.iter().map(|glob| (glob, What::Plugin));
                let wrong = reads.misplaced.iter().map(|one| (&one.glob, What::Misplaced(one)));
                for (glob, what) in own.chain(plugin).chain(wrong) {
                    table.add(Place { client, reads, what, text: glob, glob: Glob::new(glob) });
                }
            }
            // Files of other forms than Markdown aren't read, but Markdown in their place is a mistake.
            for reads in &client.toml_files {
                for one in &reads.misplaced {
                    let (what, glob) = (What::Misplaced(one), Glob::new(&one.glob));
                    table.add(Place { client, reads, what, text: &one.glob, glob });
                }
            }
        }
        table
    })
}

impl Table {
    fn add(&mut self, place: Place) {
        let at = self.places.len();
        match place.glob.name() {
            Some(part) => self.by_part.entry(part).or_default().push(at),
            None => self.others.push(at),
        }
        self.places.push(place);
    }
}
