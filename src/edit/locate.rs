//! Where a SEARCH text stands in a target: a ladder of tiers, each less exact than the one before.
//! A tier that finds one place decides; one that finds several decides too, that nothing can be
//! decided.

use rustc_hash::FxHashMap;

use super::context;
use super::elision;
use super::extra;
use super::fuzzy;
use super::lines::{Level, Lines, indentation};
use super::occurrences::occurrences;
use super::reflow;
use super::substring;
use super::sure::is_sure;
use crate::text::Span;

/// How exactly a text was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Tier {
    Exact,
    TrailingBlanks,
    Unicode,
    /// All lines are indented by the same blanks more, or less.
    UniformIndent,
    Indent,
    InnerBlanks,
    BlankLines,
    /// Within a line, or from within one line to within another.
    Substring,
    /// With other quotes, or without a comma at the end of a line.
    Punctuation,
    /// With `...` for lines that are not shown.
    Elision,
    /// The same words and signs, in other lines.
    LineBreaks,
    Fuzzy,
    /// The lines that a diff changes, without all of those around them.
    Context,
}

impl Tier {
    /// As it stands in JSON.
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

/// How the lines of a SEARCH text stand in the target.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Alignment {
    /// The lines of the target, the first and the last of which are partners.
    pub lines: Span,
    /// For every line of the SEARCH text, the line of the target. Rising. Empty where each stands
    /// for the next one.
    pub partners: Vec<Option<usize>>,
}

/// With fewer letters than these, signs are all that tells one place from another.
const LETTERS: usize = 24;

/// So many places of one text are told apart; with more it is everywhere.
pub const MOST_PLACES: usize = 4096;

impl Alignment {
    /// The line of the target that a line of the SEARCH text stands for.
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
    /// Bytes of the target. `trimmed`: blanks in front of the SEARCH text are not part of it.
    Text {
        span: Span,
        trimmed: bool,
    },
}

/// A place that a SEARCH text was found at.
#[derive(Debug, Clone, PartialEq)]
pub struct Found {
    pub tier: Tier,
    /// From 0 to 1.
    pub score: f64,
    pub place: Place,
    /// It may be offered, but is not applied unasked.
    pub confirm: bool,
}

/// Why a text was not found.
#[derive(Debug, Clone, PartialEq)]
pub enum Failure {
    NotFound,
    /// It stands at all of these places.
    Ambiguous(Vec<Found>),
}

/// What helps to find a text.
#[derive(Debug, Clone, Copy, Default)]
pub struct Clues {
    /// The line, counted from 0, at which it is said to begin. Decides between places, never
    /// against the only one.
    pub line: Option<usize>,
    /// It ends where the target does.
    pub at_end: bool,
    /// It is any text, not whole lines: its exact occurrences count wherever they stand.
    pub any_text: bool,
    /// Places before this line do not count.
    pub from: usize,
    /// Every place is meant.
    pub all: bool,
    /// Only a place at the very line counts as that line's.
    pub strict: bool,
    /// It is one side of a diff: lines around what changes only say where it is.
    pub diff: bool,
    /// Looser tiers than this are not tried.
    pub loosest: Option<Tier>,
}

impl Found {
    pub(super) fn new(tier: Tier, place: Place) -> Self {
        Self { tier, score: 1.0, place, confirm: tier >= Tier::Punctuation }
    }

    /// The first line of a place of lines, and the one behind it.
    pub(super) fn lines(&self) -> (usize, usize) {
        match &self.place {
            Place::Lines(alignment) => (alignment.lines.start, alignment.lines.end),
            Place::Text { .. } => (0, 0),
        }
    }

    /// The line, counted from 0, at which the place begins.
    pub fn line(&self, target: &Lines) -> usize {
        match &self.place {
            Place::Lines(alignment) => alignment.lines.start,
            Place::Text { span, .. } => target.index_at(span.start),
        }
    }
}

/// Finds `search`, which is not blank, in `target`; `replace` is what it becomes, which decides
/// what may be done unasked.
///
/// # Errors
/// When it is nowhere, or at several places that nothing tells apart.
pub fn locate(
    target: &Lines,
    search: &Lines,
    replace: &Lines,
    clues: Clues,
) -> Result<Found, Failure> {
    let most = if clues.all { usize::MAX } else { MOST_PLACES };
    let windows = |level: Level, tier: Tier| windows(target, search, level, tier, most);
    // A number alone does not tell one `}` from another.
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
    // Tabs for blanks are one change of the indentation, too: neither place is the likelier.
    if !uniform.is_empty() {
        uniform.extend(other.extract_if(.., |found| is_even(target, search, found)));
        uniform.sort_by_key(|found| found.line(target));
    }
    let uniform: Vec<Found> =
        uniform.into_iter().map(|found| Found { tier: Tier::UniformIndent, ..found }).collect();
    // A line that the model left out, or lines that it moved: with both possible, neither is the
    // likelier.
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

/// One place, or the one that the clues speak for; `None` where there is none.
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
    // Where not all of the text is there, a number is not enough either.
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
        // Of places that reach into each other, a number that is off by one means another one.
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

/// Whether one indentation turns all lines of `search` into those of the target, or back.
pub(super) fn is_uniform(target: &Lines, search: &Lines, found: &Found) -> bool {
    let pairs = || indentations(target, search, found);
    let Some((mine, theirs)) = pairs().next() else { return true };
    match (theirs.strip_suffix(mine), mine.strip_suffix(theirs)) {
        (Some(more), _) => pairs().all(|(mine, theirs)| theirs.strip_prefix(more) == Some(mine)),
        (_, Some(less)) => pairs().all(|(mine, theirs)| mine.strip_prefix(less) == Some(theirs)),
        _ => false,
    }
}

/// Whether lines that are indented alike on one side are so on the other.
pub(super) fn is_even(target: &Lines, search: &Lines, found: &Found) -> bool {
    let mut known: FxHashMap<&str, &str> = FxHashMap::default();
    indentations(target, search, found)
        .all(|(mine, theirs)| *known.entry(mine).or_insert(theirs) == theirs)
}

/// The indentations of lines that are not blank, and of their partners.
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

/// Blank lines do not count, on either side.
fn without_blank_lines(target: &Lines, search: &Lines) -> Vec<Found> {
    let (their, my) = (target.filled(), search.filled());
    let (theirs, mine) = (&their.lines, &my.lines);
    if theirs.len() == target.len() && mine.len() == search.len() {
        return Vec::new();
    }
    let starts = occurrences(&their.keys, &my.keys, MOST_PLACES);
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

/// Gives blank lines of `search` those blank lines of the target that stand between the same
/// partners, in order.
pub(super) fn pair_blanks(target: &Lines, search: &Lines, partners: &mut [Option<usize>]) {
    let known: Vec<(usize, usize)> = partners
        .iter()
        .enumerate()
        .filter_map(|(index, partner)| Some((index, (*partner)?)))
        .collect();
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
