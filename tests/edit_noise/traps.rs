//! Blocks whose text is gone while something similar is left, so they must not be applied.

use std::path::Path;

use super::draw::Draw;
use super::kinds::{Case, Line, indentation, touch};
use super::made;

/// How the remaining text differs from the missing text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Trap {
    /// The text occurs twice.
    Duplicate,
    /// A name has been renamed wherever it occurs.
    Renamed,
    /// Lines of another file.
    Absent,
    /// One line has been replaced by another line.
    OtherLine,
    /// One word has been replaced by another word of the file.
    OtherWord,
    /// Whitespace inside a string literal differs.
    StringBlanks,
    /// The first line is the end of a longer line, or the last one is the start of one.
    LongerLine,
    /// The only line is the end or the start of a longer one.
    LongerSingle,
    /// A name has another prefix or suffix.
    Affix,
    Number,
    /// Two lines are swapped.
    Swapped,
    /// Tokens are joined or split.
    Glued,
    /// Something is negated.
    Negated,
    /// A Python line is in another block.
    Nesting,
    /// One of several similar sections of a configuration file.
    Stanza,
    /// One of several similar items of a Markdown list.
    Item,
    /// One of several similar rows of a Markdown table.
    Row,
    /// The changed line ends in a hard break, which the block would remove.
    HardBreak,
    /// The line after `...` has been replaced, but occurs again further down.
    ElidedAway,
}

impl Trap {
    pub const ALL: [Self; 19] = [
        Self::Duplicate,
        Self::Renamed,
        Self::Absent,
        Self::OtherLine,
        Self::OtherWord,
        Self::StringBlanks,
        Self::LongerLine,
        Self::LongerSingle,
        Self::Affix,
        Self::Number,
        Self::Swapped,
        Self::Glued,
        Self::Negated,
        Self::Nesting,
        Self::Stanza,
        Self::Item,
        Self::Row,
        Self::HardBreak,
        Self::ElidedAway,
    ];
}

/// Draws a trap of a kind. Not every part of a file allows for one.
pub fn make(trap: Trap, path: &Path, text: &str, other: &str, draw: &mut Draw) -> Option<Case> {
    match trap {
        Trap::Stanza => return made::stanza(draw),
        Trap::Item => return made::item(draw),
        Trap::Row => return made::row(draw),
        Trap::HardBreak => return made::hard_break(draw),
        Trap::Nesting if path.extension().is_none_or(|extension| extension != "py") => return None,
        _ => {}
    }
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    let start = draw.below(lines.len().saturating_sub(16));
    let length = if trap == Trap::LongerSingle { 1 } else { 2 + draw.below(13) };
    let end = (start + length).min(lines.len());
    let remembered: Vec<&str> = match trap {
        Trap::Absent => other.lines().skip(draw.below(20)).take(end - start).collect(),
        _ => lines[start..end].iter().map(String::as_str).collect(),
    };
    let mut part: Vec<Line> = remembered.into_iter().map(Line::new).collect();
    let touched = touch(&mut part, draw)?;
    let left = &mut lines[start..end];
    // Mostly a line that the block doesn't change, because the engine is stricter about the others.
    let filled: Vec<usize> =
        (0..left.len()).filter(|index| !left[*index].trim().is_empty()).collect();
    let context: Vec<usize> = filled.iter().copied().filter(|index| *index != touched).collect();
    let any = draw.once_in(4) || context.is_empty();
    let index = *draw.one_of(if any { &filled } else { &context })?;
    match trap {
        Trap::Duplicate => {
            let copy = left.to_vec();
            let at = draw.below(lines.len());
            let at = if at > start && at < end { end } else { at };
            lines.splice(at..at, copy);
            return case(trap, &lines, &part, start, draw);
        }
        Trap::Absent => {
            let has = |line: &Line| {
                line.text.trim().is_empty()
                    || lines.iter().any(|known| known.trim() == line.text.trim())
            };
            if part.iter().filter(|line| has(line)).count() * 2 > part.len() {
                return None;
            }
        }
        Trap::Renamed => {
            let word = draw.one_of(&words(&left[touched], 4))?.clone();
            let new = format!("other{}", draw.below(100));
            left.iter_mut().for_each(|line| *line = line.replace(&word, &new));
        }
        Trap::OtherLine => {
            let all: Vec<&str> = text.lines().filter(|line| line.trim().len() > 3).collect();
            let new = draw.one_of(&all)?.trim().to_owned();
            change(&mut left[index], |_| Some(new))?;
        }
        Trap::OtherWord => {
            let all: Vec<&str> = text.lines().filter(|line| line.trim().len() > 3).collect();
            let from = *draw.one_of(&all)?;
            let new = draw.one_of(&words(from, 3))?.clone();
            let word = draw.one_of(&words(&left[index], 3))?.clone();
            change(&mut left[index], |line| Some(line.replacen(&word, &new, 1)))?;
        }
        Trap::StringBlanks => {
            // In Rust, a single quotation mark starts a lifetime.
            let rust = path.extension().is_some_and(|extension| extension == "rs");
            let literal = |line: &str| {
                literal(line).filter(|inside| !rust || line[..inside.start].ends_with('"'))
            };
            let quoted: Vec<usize> =
                (0..left.len()).filter(|index| literal(&left[*index]).is_some()).collect();
            let index = *draw.one_of(&quoted)?;
            let line = &mut left[index];
            let inside = literal(line)?;
            let blank = line[inside.clone()].find(' ').map(|at| inside.start + at);
            match (blank, draw.below(3)) {
                (Some(at), 0) => line.insert(at, ' '),
                (Some(at), 1) => {
                    line.remove(at);
                }
                (_, 2) => line.insert(inside.start, ' '),
                _ => line.insert(inside.end, ' '),
            }
        }
        Trap::LongerLine | Trap::LongerSingle => {
            const BEFORE: &[&str] = &[
                "pub ",
                "async ",
                "static ",
                "return ",
                "other.",
                "Other::",
                "not ",
                "!",
                "# ",
                "// ",
                "-",
                "un",
                "x.y.",
                "a/",
                "await ",
                "if x { ",
                "let it = ",
                "- ",
                "> ",
                "const x = ",
                "else ",
                "unsafe ",
                "@",
                "&",
                "other_",
                "1",
                "1.",
            ];
            const BEHIND: &[&str] = &[
                " + 1",
                ".unwrap()",
                " and more",
                ", None)",
                "2",
                "_old",
                "?",
                " // not",
                " || other",
                "[0]",
                "/b",
                ".5",
                "-x",
                " {",
                ";",
                " if x",
                "::new()",
                " = 1",
                "s",
            ];
            let front = draw.once_in(2);
            let line = if front { left.first_mut()? } else { left.last_mut()? };
            if line.chars().filter(|letter| letter.is_alphanumeric()).count() < 4 {
                return None;
            }
            let (before, behind) = (*draw.one_of(BEFORE)?, *draw.one_of(BEHIND)?);
            change(line, |line| {
                Some(if front { format!("{before}{line}") } else { format!("{line}{behind}") })
            })?;
        }
        Trap::Affix => {
            let word = draw.one_of(&words(&left[index], 3))?.clone();
            let new = match draw.below(12) {
                0 => format!("{word}2"),
                1 => format!("{word}s"),
                2 => format!("{word}_old"),
                3 => format!("un{word}"),
                4 => format!("try_{word}"),
                5 => format!("{word}_mut"),
                6 => word[..1].to_uppercase() + &word[1..],
                7 => word[..word.len() - 1].to_owned(),
                8 => word[1..].to_owned(),
                9 => word
                    .replace("get", "set")
                    .replace("start", "end")
                    .replace("min", "max")
                    .replace("read", "write"),
                10 => format!("{word}er"),
                _ => word.to_uppercase(),
            };
            change(&mut left[index], |line| Some(line.replacen(&word, &new, 1)))?;
        }
        Trap::Number => {
            let numbered: Vec<usize> = (0..left.len())
                .filter(|index| left[*index].contains(|letter: char| letter.is_ascii_digit()))
                .collect();
            let index = *draw.one_of(&numbered)?;
            let how = draw.below(4);
            change(&mut left[index], |line| {
                let at = line.find(|letter: char| letter.is_ascii_digit())?;
                let digit = line[at..=at].parse::<u8>().ok()?;
                let new = match how {
                    0 => ((digit + 1) % 10).to_string(),
                    1 => format!("{digit}0"),
                    2 => format!("{digit}.{digit}"),
                    _ => String::new(),
                };
                Some(format!("{}{new}{}", &line[..at], &line[at + 1..]))
            })?;
        }
        Trap::Swapped => {
            let pairs: Vec<usize> = filled
                .windows(2)
                .filter(|pair| left[pair[0]].trim() != left[pair[1]].trim())
                .map(|pair| pair[0])
                .collect();
            let first = *draw.one_of(&pairs)?;
            let second = *filled.iter().find(|index| **index > first)?;
            left.swap(first, second);
        }
        Trap::Glued => {
            let how = draw.below(4);
            let at = draw.below(80);
            change(&mut left[index], |line| glue(line, how, at))?;
        }
        Trap::Negated => {
            let word = draw.one_of(&words(&left[index], 2))?.clone();
            let sign = ["!", "not ", "-", "~", "no "][draw.below(5)];
            change(&mut left[index], |line| {
                Some(line.replacen(&word, &format!("{sign}{word}"), 1))
            })?;
        }
        Trap::Nesting => {
            // Indent or dedent all lines from here on, or only this one, by one level.
            let single = draw.once_in(2);
            let from = *filled.iter().find(|at| **at > 0 && **at >= index)?;
            let deeper = draw.once_in(2);
            for line in left.iter_mut().skip(from).take(if single { 1 } else { usize::MAX }) {
                if deeper {
                    line.insert_str(0, "    ");
                } else {
                    *line = line.strip_prefix("    ").unwrap_or(line).to_owned();
                }
            }
            if !differs_in_shape(left, &part) || occurs_twice(text, &part) {
                return None;
            }
            return case(trap, &lines, &part, start, draw);
        }
        Trap::ElidedAway => {
            let from = touched.checked_sub(2)?;
            // The line, and the closing brackets after it.
            let after = (touched + 1..left.len())
                .take_while(|index| !left[*index].contains(char::is_alphanumeric))
                .count();
            let tail: Vec<String> = left[touched..=touched + after].to_vec();
            let all: Vec<&str> = text.lines().filter(|line| line.trim().len() > 3).collect();
            let new = draw.one_of(&all)?.trim().to_owned();
            change(&mut left[touched], |_| Some(new))?;
            let at = (end + 1 + draw.below(40)).min(lines.len());
            lines.splice(at..at, tail);
            part.truncate(touched + after + 1);
            part.splice(1 + draw.below(from.max(1))..touched, [Line::new("...")]);
        }
        Trap::Stanza | Trap::Item | Trap::Row | Trap::HardBreak => return None,
    }
    if occurs(&lines, &part, trap != Trap::StringBlanks) {
        return None;
    }
    case(trap, &lines, &part, start, draw)
}

/// Whether a line's indentation has changed in relation to the line above.
fn differs_in_shape(left: &[String], part: &[Line]) -> bool {
    let filled = left.iter().zip(part).filter(|(line, _)| !line.trim().is_empty());
    let depths: Vec<(usize, usize)> = filled
        .map(|(line, mine)| (indentation(line).len(), indentation(&mine.text).len()))
        .collect();
    depths.windows(2).any(|pair| pair[0].0.cmp(&pair[1].0) != pair[0].1.cmp(&pair[1].1))
}

/// Whether the lines occur twice in a text, ignoring indentation and blank lines between them.
fn occurs_twice(text: &str, part: &[Line]) -> bool {
    let theirs: Vec<&str> = text.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    let mine: Vec<&str> =
        part.iter().map(|line| line.text.trim()).filter(|line| !line.is_empty()).collect();
    theirs.windows(mine.len().max(1)).filter(|window| *window == mine).nth(1).is_some()
}

/// Whether the lines occur in the file, ignoring indentation and blank lines between them. With
/// `loosely`, the amount of whitespace between words is ignored, too.
fn occurs(lines: &[String], part: &[Line], loosely: bool) -> bool {
    let plain = |line: &str| {
        if loosely {
            line.split_whitespace().collect::<Vec<_>>().join(" ")
        } else {
            line.trim().to_owned()
        }
    };
    let filled = |line: &String| !line.is_empty();
    let theirs: Vec<String> = lines.iter().map(|line| plain(line)).filter(filled).collect();
    let mine: Vec<String> = part.iter().map(|line| plain(&line.text)).filter(filled).collect();
    theirs.windows(mine.len().max(1)).any(|window| window == mine)
}

/// Replaces a line, keeping its indentation.
fn change(line: &mut String, with: impl FnOnce(&str) -> Option<String>) -> Option<()> {
    let new = with(line.trim_start())?;
    let new = format!("{}{new}", indentation(line));
    (new.trim() != line.trim() && !new.trim().is_empty()).then(|| *line = new)
}

fn words(line: &str, shortest: usize) -> Vec<String> {
    let all = line.split(|letter: char| !letter.is_ascii_alphanumeric() && letter != '_');
    all.filter(|word| {
        word.len() >= shortest && word.starts_with(|first: char| first.is_ascii_alphabetic())
    })
    .map(str::to_owned)
    .collect()
}

/// The span between the first two quotation marks of a line.
fn literal(line: &str) -> Option<std::ops::Range<usize>> {
    let quote =
        line.find('"').map(|at| (at, '"')).or_else(|| line.find(" '").map(|at| (at + 1, '\'')))?;
    let start = quote.0 + 1;
    let end = start + line[start..].find(quote.1)?;
    line[start..end].chars().filter(|letter| letter.is_alphanumeric()).nth(1).map(|_| start..end)
}

/// A line with two tokens joined, or one split.
fn glue(line: &str, how: usize, from: usize) -> Option<String> {
    let letters: Vec<char> = line.chars().collect();
    let word = |letter: char| letter.is_alphanumeric() || letter == '_';
    let sign = |letter: char| "+-*/<>=!&|:.".contains(letter);
    let fits = |at: &usize| {
        let (before, here, after) = (letters[at - 1], letters[*at], letters[at + 1]);
        match how {
            0 => word(before) && here == ' ' && word(after),
            1 => sign(before) && here == ' ' && sign(after),
            2 => word(before) && word(here) && word(after),
            _ => sign(before) && sign(here),
        }
    };
    let places: Vec<usize> = (1..letters.len().saturating_sub(1)).filter(fits).collect();
    let at = *places.get(from % places.len().max(1))?;
    let mut new = letters;
    if how < 2 {
        new.remove(at);
    } else {
        new.insert(at, ' ');
    }
    Some(new.into_iter().collect())
}

fn case(
    trap: Trap,
    lines: &[String],
    part: &[Line],
    start: usize,
    draw: &mut Draw,
) -> Option<Case> {
    let side =
        |lines: Vec<&String>| lines.iter().map(|line| format!("{line}\n")).collect::<String>();
    let search = side(part.iter().map(|line| &line.text).collect());
    let replace = side(part.iter().flat_map(|line| &line.becomes).collect());
    let eol = if draw.once_in(6) { "\r\n" } else { "\n" };
    let before = lines.join(eol) + eol;
    // A line number can't show that the text is gone, but it would tell two places apart.
    let hint = (trap != Trap::Duplicate && draw.once_in(2))
        .then(|| (start + draw.below(9)).saturating_sub(4) + 1);
    let telling = search.chars().filter(|letter| letter.is_alphanumeric()).count() > 3;
    (telling && search != replace).then_some(Case {
        before,
        wanted: None,
        search,
        replace,
        line: start,
        hint,
    })
}
