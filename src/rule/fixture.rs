//! Documents that examples on rule pages continue, so that a page shows only the lines that matter.

/// A document that the examples with `within=NAME` in their info string continue.
#[derive(Debug, PartialEq, Eq)]
pub struct Fixture {
    pub name: &'static str,
    pub text: &'static str,
}

const FIXTURES: &[Fixture] = &[Fixture { name: "clock", text: include_str!("fixture/clock.md") }];

impl Fixture {
    pub fn named(name: &str) -> Option<&'static Self> {
        FIXTURES.iter().find(|fixture| fixture.name == name)
    }

    /// The fixture of an example with this info string.
    pub fn of(info: &str) -> Option<&'static Self> {
        Self::named(info.split_whitespace().find_map(|word| word.strip_prefix("within="))?)
    }
}
