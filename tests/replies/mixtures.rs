//! Two constructs in one reply, each for its own file, with prose in between: both or neither must
//! be applied.

use crate::construct::{self, Change, Construct, Kind};
use crate::tally::Tally;
use crate::workspace::{Files, Outcome, outcome};

struct Part {
    path: &'static str,
    before: &'static str,
    old: &'static str,
    new: &'static str,
    after: &'static str,
}

const PARTS: [Part; 2] = [
    Part {
        path: "src/tide.py",
        before: "NAME = \"tide\"\nLEVEL = 3\nUNIT = \"m\"\n",
        old: "LEVEL = 3\n",
        new: "LEVEL = 4\n",
        after: "NAME = \"tide\"\nLEVEL = 4\nUNIT = \"m\"\n",
    },
    Part {
        path: "lib/wind.rb",
        before: "module Wind\n  FORCE = 7\n  def self.storm? = FORCE > 8\nend\n",
        old: "  FORCE = 7\n",
        new: "  FORCE = 9\n  GUSTS = true\n",
        after: "module Wind\n  FORCE = 9\n  GUSTS = true\n  def self.storm? = FORCE > 8\nend\n",
    },
];

/// Writes the construct and updates the files accordingly.
fn write(construct: Construct, number: usize, before: &mut Files, after: &mut Files) -> String {
    let part = &PARTS[number];
    let (text, old, new) = match construct.kind {
        Kind::Edits => (part.before, part.old, part.new),
        Kind::Creates => ("", "", part.after),
    };
    if construct.kind == Kind::Edits {
        before.insert(part.path.to_owned(), text.as_bytes().to_vec());
    }
    after.insert(part.path.to_owned(), part.after.as_bytes().to_vec());
    (construct.write)(Change { path: part.path, before: text, old, new, number })
}

#[test]
fn two_constructs_are_both_applied_or_both_refused() {
    let mut tally = Tally::new("mixtures");
    for first in construct::ALL {
        for second in construct::ALL {
            let (mut before, mut after) = (Files::new(), Files::new());
            let one = write(first, 0, &mut before, &mut after);
            let two = write(second, 1, &mut before, &mut after);
            let reply = format!(
                "The level rises, and so does the force. First the level.\n\n{one}\nNow the force, which is a second change.\n\n{two}\nThat is both.\n"
            );
            tally.add(first.name, outcome(&before, &reply, &after), second.name);
        }
    }
    tally.report(Outcome::Applied, |outcome| match outcome {
        Outcome::Applied => "applied whole",
        Outcome::Refused => "refused",
        Outcome::Dropped => "DROPPED SILENTLY",
        Outcome::Wrong => "HALF APPLIED",
    });
    let (wrong, dropped) = (tally.count(Outcome::Wrong), tally.count(Outcome::Dropped));
    assert!(wrong + dropped == 0, "{wrong} applied in part, {dropped} dropped silently");
}
