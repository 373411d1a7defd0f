//! Locates a SEARCH text in a target: a ladder of tiers, each less exact than the one before. The
//! first tier with a match decides; if it has several, the text is ambiguous.

use rustc_hash::FxHashMap;

use super::context;
use super::elision;
use super::extra;
use super::fuzzy;
use super::lines::{Level, Lines, indentation};
use super::reflow;
use super::substring;
use super::sure::is_sure;
use crate::text::Span;

/// How exact a match is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Tier {
    Exact,
    TrailingBlanks,
    Unicode,
    /// All lines are indented by the same amount more, or less.
    UniformIndent,
    Indent,
    InnerBlanks,
    BlankLines,
    /// Within a line, or from inside one line to inside another.
    Substring,
    /// With other quotes, or without a comma at the end of a line.
    Punctuation,
    /// With `...` for lines that aren't shown.
    Elision,
    /// The same words and punctuation, broken into other lines.
    LineBreaks,
    Fuzzy,
    /// The lines that a diff changes, without all of their context.
    Context,
}

impl Tier {
    /// The name in JSON.
    pub fn name(self) -> &'static str {
        match self {
            Self::Exact => "exact",
            Self::TrailingBlanks => "trailing_ws",
            Self::Unicode => "unicode",
            Self::UniformIndent => "indent_uniform",
            Self::Indent => "indent",
            Self::InnerBlanks => "inner_ws",
            Self::BlankLines => "blank_lines",
            Self::Substring => "substring",
            Self::Punctuation => "punctuation",
            Self::Elision => "ellipsis",
            Self::LineBreaks => "line_breaks",
            Self::Fuzzy => "fuzzy",
            Self::Context => "context",
        }
    }
}

/// How the lines of a SEARCH text map to the target.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Alignment {
    /// The lines of the target; the first and last have partners.
    pub lines: Span,
    /// For every line of the SEARCH text, its line of the target, ascending. Empty if they map one
    /// to one.
    pub partners: Vec<Option<usize>>,
}

/// With fewer letters than this, places differ only in punctuation.
const LETTERS: usize = 24;

/// The maximum number of places to distinguish for one SEARCH text.
pub const MOST_PLACES: usize = 4096;

impl Alignment {
    /// The target line of a SEARCH line.
    pub fn partner(&self, index: usize) -> Option<usize> {
        if self.partners.is_empty() {
            return Some(self.lines.start + index).filter(|line| *line < self.lines.end);
        }
        self.partners.get(index).copied().flatten()
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Place {
    Lines(Alignment),
    /// Bytes of the target. `trimmed`: without the SEARCH text's leading whitespace.
    Text {
        span: Span,
        trimmed: bool,
    },
}

/// A match.
#[derive(Debug, Clone, PartialEq)]
pub struct Found {
    pub tier: Tier,
    /// From 0 to 1.
    pub score: f64,
    pub place: Place,
    /// Needs consent before it is applied.
    pub confirm: bool,
}

/// Why a SEARCH text has no single match.
#[derive(Debug, Clone, PartialEq)]
pub enum Failure {
    NotFound,
    /// It occurs at all of these places.
    Ambiguous(Vec<Found>),
}

/// What the block reveals about its place.
#[derive(Debug, Clone, Copy, Default)]
pub struct Clues {
    /// The line, counted from 0, where the block claims to begin. Chooses between places, but never
    /// rejects the only one.
    pub line: Option<usize>,
    /// It ends at the end of the target.
    pub at_end: bool,
    /// It isn't whole lines: exact occurrences count anywhere.
    pub any_text: bool,
    /// Places before this line don't count.
    pub from: usize,
    /// All places are meant.
    pub all: bool,
    /// The line hint must match exactly.
    pub strict: bool,
    /// It is one side of a diff: context lines only locate it.
    pub diff: bool,
    /// Looser tiers aren't tried.
    pub loosest: Option<Tier>,
}

impl Found {
    pub(super) fn new(tier: Tier, place: Place) -> Self {
        Self { tier, score: 1.0, place, confirm: tier >= Tier::Punctuation }
    }

    /// The first line of a match, and the one after it.
    pub(super) fn lines(&self) -> (usize, usize) {
        match &self.place {
            Place::Lines(alignment) => (alignment.lines.start, alignment.lines.end),
            Place::Text { .. } => (0, 0),
        }
    }

    /// The line, counted from 0, where the match begins.
    pub fn line(&self, target: &Lines) -> usize {
        match &self.place {
            Place::Lines(alignment) => alignment.lines.start,
            Place::Text { span, .. } => target.index_at(span.start),
        }
    }
}

/// Locates `search`, which must have more than whitespace, in `target`; `replace` is its new
/// version, which decides what needs consent.
///
/// # Errors
/// If it doesn't occur, or occurs at several indistinguishable places.
pub fn locate(
    target: &Lines,
    search: &Lines,
    replace: &Lines,
    clues: Clues,
) -> Result<Found, Failure> {
    let most = if clues.all { usize::MAX } else { MOST_PLACES };
    let windows = |level: Level, tier: Tier| windows(target, search, level, tier, most);
    // A line number alone can't distinguish one `}` from another.
    let telling = search.text().contains(char::is_alphanumeric);
    let clues = Clues { line: clues.line.filter(|_| telling), ..clues };
    let choose = |found: Vec<Found>| {
        let chosen = choose(target, found, search.len(), clues)?;
        Some(
            chosen
                .map(|found| Found { confirm: !is_sure(target, search, replace, &found), ..found }),
        )
    };
    if clues.any_text
        && let Some(result) = choose(substring::anywhere(target, search, clues.all))
    {
        return result;
    }
    for (level, tier) in [
        (Level::Exact, Tier::Exact),
        (Level::Trailing, Tier::TrailingBlanks),
        (Level::Unicode, Tier::Unicode),
    ] {
        if let Some(result) = choose(windows(level, tier)) {
            return result;
        }
    }
    let loose = windows(Level::Trimmed, Tier::Indent);
    let (mut uniform, mut other): (Vec<Found>, Vec<Found>) =
        loose.into_iter().partition(|found| is_uniform(target, search, found));
    // Tabs instead of spaces also change the indentation once: neither place is more likely.
    if !uniform.is_empty() {
        uniform.extend(other.extract_if(.., |found| is_even(target, search, found)));
        uniform.sort_by_key(|found| found.line(target));
    }
    let uniform: Vec<Found> =
        uniform.into_iter().map(|found| Found { tier: Tier::UniformIndent, ..found }).collect();
    // An omitted line, or moved lines: if both are possible, neither is more likely.
    if uniform.is_empty() && !other.is_empty() {
        let apart = |rival: &Found| {
            other.iter().all(|found| {
                found.lines().1 <= rival.lines().0 || rival.lines().1 <= found.lines().0
            })
        };
        let rivals: Vec<Found> = fuzzy::likely(target, search, replace)
            .into_iter()
            .filter(|rival| apart(rival) && is_uniform(target, search, rival))
            .collect();
        other.extend(rivals);
        other.sort_by_key(|found| found.line(target));
    }
    if let Some(result) = choose(uniform).or_else(|| choose(other)) {
        return result;
    }
    let tries = |tier: Tier| clues.loosest.is_none_or(|loosest| tier <= loosest);
    if tries(Tier::InnerBlanks)
        && let Some(result) = choose(windows(Level::Blanks, Tier::InnerBlanks))
    {
        return result;
    }
    let letters = search.text().chars().filter(|character| character.is_alphanumeric()).count();
    let later: [(Tier, &dyn Fn() -> Vec<Found>); 8] = [
        (Tier::BlankLines, &|| without_blank_lines(target, search)),
        (Tier::Substring, &|| substring::within_lines(target, search)),
        (Tier::Punctuation, &|| {
            if letters >= LETTERS {
                windows(Level::Punctuation, Tier::Punctuation)
            } else {
                Vec::new()
            }
        }),
        (Tier::Elision, &|| elision::find(target, search, replace)),
        (Tier::LineBreaks, &|| reflow::find(target, search)),
        (Tier::Fuzzy, &|| fuzzy::find(target, search, replace)),
        (Tier::Fuzzy, &|| extra::find(target, search, replace)),
        (Tier::Context, &|| {
            if clues.diff { context::find(target, search, replace) } else { Vec::new() }
        }),
    ];
    let mut later = later.iter().filter(|(tier, _)| tries(*tier));
    later.find_map(|(_, find)| choose(find())).unwrap_or(Err(Failure::NotFound))
}

/// The only place, or the one that the clues choose; `None` if there isn't one.
fn choose(
    target: &Lines,
    mut found: Vec<Found>,
    length: usize,
    clues: Clues,
) -> Option<Result<Found, Failure>> {
    found.retain(|found| found.line(target) >= clues.from);
    if found.len() > 1 && clues.at_end {
        let last = |found: &Found| matches!(&found.place, Place::Lines(alignment) if alignment.lines.end == target.len());
        if found.iter().any(last) {
            found.retain(last);
        }
    }
    // If some of the text is missing, a line number isn't enough either.
    let doubtful = found.iter().any(|found| found.tier == Tier::Context);
    if found.len() > 1
        && let Some(line) = clues.line.filter(|_| !doubtful)
    {
        let distance = |found: &Found| found.line(target).abs_diff(line);
        let nearest = found.iter().map(distance).min()?;
        let likely: Vec<usize> = found
            .iter()
            .filter(|found| distance(found) == nearest)
            .map(|found| found.line(target))
            .collect();
        // If places overlap, a number that is off by one means another place.
        let apart = |found: &Found| {
            likely.iter().all(|line| {
                found.line(target).abs_diff(*line) >= length || found.line(target) == *line
            })
        };
        let sure = nearest == 0 && found.iter().all(|found| found.tier == Tier::Exact);
        if likely.len() == 1 && !(clues.strict && nearest > 0) && (sure || found.iter().all(apart))
        {
            found.retain(|found| distance(found) == nearest);
        }
    }
    match found.len() {
        0 => None,
        1 => found.pop().map(Ok),
        _ => Some(Err(Failure::Ambiguous(found))),
    }
}

/// Every window of the target whose lines equal those of `search` at a level.
fn windows(target: &Lines, search: &Lines, level: Level, tier: Tier, most: usize) -> Vec<Found> {
    let starts = target.places(level, search.keys(level), most);
    let place = |start| {
        Place::Lines(Alignment { lines: start..start + search.len(), partners: Vec::new() })
    };
    starts.into_iter().map(|start| Found::new(tier, place(start))).collect()
}

/// Whether one change of indentation turns all lines of `search` into the target's, or back.
pub(super) fn is_uniform(target: &Lines, search: &Lines, found: &Found) -> bool {
    let pairs = || indentations(target, search, found);
    let Some((mine, theirs)) = pairs().next() else { return true };
    match (theirs.strip_suffix(mine), mine.strip_suffix(theirs)) {
        (Some(more), _) => pairs().all(|(mine, theirs)| theirs.strip_prefix(more) == Some(mine)),
        (_, Some(less)) => pairs().all(|(mine, theirs)| mine.strip_prefix(less) == Some(theirs)),
        _ => false,
    }
}

/// Whether lines with equal indentation on one side have equal indentation on the other.
pub(super) fn is_even(target: &Lines, search: &Lines, found: &Found) -> bool {
    let mut known: FxHashMap<&str, &str> = FxHashMap::default();
    indentations(target, search, found)
        .all(|(mine, theirs)| *known.entry(mine).or_insert(theirs) == theirs)
}

/// The indentation of non-empty lines, and of their partners.
fn indentations<'l>(
    target: &'l Lines,
    search: &'l Lines,
    found: &'l Found,
) -> impl Iterator<Item = (&'l str, &'l str)> {
    let alignment = if let Place::Lines(alignment) = &found.place { Some(alignment) } else { None };
    let pairs = (0..search.len()).filter_map(move |index| {
        Some((search.content(index), target.content(alignment?.partner(index)?)))
    });
    pairs
        .filter(|(line, _)| !line.trim().is_empty())
        .map(|(mine, theirs)| (indentation(mine), indentation(theirs)))
}

/// Ignores blank lines on both sides.
fn without_blank_lines(target: &Lines, search: &Lines) -> Vec<Found> {
    let (their, my) = (target.filled(), search.filled());
    let (theirs, mine) = (&their.lines, &my.lines);
    if theirs.len() == target.len() && mine.len() == search.len() {
        return Vec::new();
    }
    let starts = target.filled_places(&my.keys, MOST_PLACES);
    let found = starts.into_iter().filter_map(|start| {
        let there = theirs.get(start..start + mine.len())?;
        let lines = *there.first()?..*there.last()? + 1;
        let mut partners = vec![None; search.len()];
        for (index, partner) in mine.iter().zip(there) {
            *partners.get_mut(*index)? = Some(*partner);
        }
        pair_blanks(target, search, &mut partners);
        Some(Found::new(Tier::BlankLines, Place::Lines(Alignment { lines, partners })))
    });
    found.collect()
}

/// The lines that have a partner, each with it.
pub(super) fn known_pairs(partners: &[Option<usize>]) -> Vec<(usize, usize)> {
    let pairs = partners.iter().enumerate();
    pairs.filter_map(|(index, partner)| Some((index, (*partner)?))).collect()
}

/// Pairs blank lines of `search` with blank lines of the target between the same partners, in
/// order.
pub(super) fn pair_blanks(target: &Lines, search: &Lines, partners: &mut [Option<usize>]) {
    let known = known_pairs(partners);
    for pair in known.windows(2) {
        let [(before, there), (after, end)] = pair else { continue };
        let mut free = (there + 1..*end).filter(|index| target.is_blank(*index));
        for index in before + 1..*after {
            if search.is_blank(index)
                && let Some(slot) = partners.get_mut(index)
            {
                *slot = free.next();
            }
        }
    }
}
