//! A document whose text contains a construct: the text is written exactly or the reply is refused.
//! The inner construct is never applied.

use crate::construct::{self, Change, Construct, Kind};
use crate::tally::Tally;
use crate::workspace::{Outcome, files, outcome};

const SEED: &str = "seed\nsoil\n";
const GUIDE: &str = "# Guide\n\nTo be written.\n\nEnd of the guide.\n";

/// A construct that changes `seed.txt`, or one that creates a file that must not appear.
fn inner(construct: Construct) -> String {
    let (path, before, old) = match construct.kind {
        Kind::Edits => ("seed.txt", SEED, "seed\n"),
        Kind::Creates => ("weed.txt", "", ""),
    };
    (construct.write)(Change { path, before, old, new: "weed\n", number: 1 })
}

fn nest(outer: Construct, inner: &str) -> Outcome {
    let text = format!("A reply may look like this:\n\n{inner}\nIt is only an example.\n");
    let (before, text, old) = match outer.kind {
        Kind::Edits => {
            (files([("seed.txt", SEED), ("docs/guide.md", GUIDE)]), text, "To be written.\n")
        }
        Kind::Creates => {
            (files([("seed.txt", SEED)]), GUIDE.replace("To be written.\n", &text), "")
        }
    };
    let mut after = before.clone();
    after.insert(
        "docs/guide.md".to_owned(),
        if old.is_empty() { text.clone() } else { GUIDE.replace(old, &text) }.into_bytes(),
    );
    let whole = if old.is_empty() { "" } else { GUIDE };
    let change = Change { path: "docs/guide.md", before: whole, old, new: &text, number: 0 };
    let reply = format!(
        "I'll explain the format in the guide.\n\n{}\nThe guide has an example now.\n",
        (outer.write)(change)
    );
    outcome(&before, &reply, &after)
}

#[test]
fn an_inner_construct_is_never_applied() {
    let mut tally = Tally::new("nestings");
    for outer in construct::ALL {
        for inside in construct::ALL {
            tally.add(outer.name, nest(outer, &inner(inside)), inside.name);
        }
    }
    tally.report(Outcome::Applied, |outcome| match outcome {
        Outcome::Applied => "outer applied exactly",
        Outcome::Refused => "refused",
        Outcome::Dropped => "DROPPED SILENTLY",
        Outcome::Wrong => "WRITTEN WRONG",
    });
    let (wrong, dropped) = (tally.count(Outcome::Wrong), tally.count(Outcome::Dropped));
    assert!(wrong + dropped == 0, "{wrong} written wrong, {dropped} dropped silently");
}
