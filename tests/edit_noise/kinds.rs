//! Edits of a file, and the ways in which a model misremembers the lines around them.

use agentmd::edit::{Block, Dialect, Split};

use super::draw::Draw;

/// A mistake in remembering the lines.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    Exact,
    TrailingBlanks,
    Dedented,
    Indented,
    Tabs,
    HalvedIndent,
    BlankAdded,
    BlankDropped,
    InnerBlanks,
    Unicode,
    Numbered,
    Typo,
    LineOmitted,
    Elision,
    Quotes,
    LineAdded,
}

impl Kind {
    pub const ALL: [Self; 16] = [
        Self::Exact,
        Self::TrailingBlanks,
        Self::Dedented,
        Self::Indented,
        Self::Tabs,
        Self::HalvedIndent,
        Self::BlankAdded,
        Self::BlankDropped,
        Self::InnerBlanks,
        Self::Unicode,
        Self::Numbered,
        Self::Typo,
        Self::LineOmitted,
        Self::Elision,
        Self::Quotes,
        Self::LineAdded,
    ];
}

pub struct Case {
    pub before: String,
    /// The expected text; `None` if the block must not be applied.
    pub wanted: Option<String>,
    pub search: String,
    pub replace: String,
    /// The line at which the edit begins, counted from 0.
    pub line: usize,
    pub hint: Option<usize>,
}

impl Case {
    pub fn block(&self, dialect: Dialect) -> Block {
        let hint = self.hint.filter(|_| dialect == Dialect::UnifiedDiff);
        Block {
            splits: vec![Split::new(&self.search, &self.replace)],
            hint,
            ..Block::of(dialect, "", "")
        }
    }
}

/// A line of the edited part, and its replacement.
#[derive(Clone)]
pub struct Line {
    pub text: String,
    /// The replacement: any number of lines, or none.
    pub becomes: Vec<String>,
    touched: bool,
}

impl Line {
    pub fn new(line: &str) -> Self {
        Self { text: line.to_owned(), becomes: vec![line.to_owned()], touched: false }
    }
}

/// Draws a case of a kind. Not every part of a file allows for one.
pub fn make(kind: Kind, text: &str, draw: &mut Draw) -> Option<Case> {
    let lines: Vec<String> = text.lines().map(str::to_owned).collect();
    let start = draw.below(lines.len().saturating_sub(16));
    let end = (start + 3 + draw.below(12)).min(lines.len());
    let mut part: Vec<Line> = lines[start..end].iter().map(|line| Line::new(line)).collect();
    // If the part occurs twice, there is no right answer. Other whitespace doesn't make a
    // difference, since the block may mean either place.
    let same = |window: &[String]| {
        window.iter().zip(&part).all(|(line, mine)| line.trim() == mine.text.trim())
    };
    if lines.windows(part.len()).enumerate().any(|(at, window)| at != start && same(window)) {
        return None;
    }
    touch(&mut part, draw)?;
    let mut wanted: Vec<String> = lines[..start].to_vec();
    wanted.extend(part.iter().flat_map(|line| line.becomes.clone()));
    wanted.extend_from_slice(&lines[end..]);
    blur(kind, &mut part, start, draw)?;
    // If the remembered lines equal another place exactly, they mean that place. Blank lines around
    // them don't matter.
    let remembered: Vec<&str> =
        part.iter().map(|line| line.text.as_str()).filter(|line| !line.starts_with('\0')).collect();
    let is_blank = |line: &&&str| line.trim().is_empty();
    let (above, below) = (
        remembered.iter().take_while(is_blank).count(),
        remembered.iter().rev().take_while(is_blank).count(),
    );
    let remembered = remembered.get(above..remembered.len() - below).unwrap_or_default();
    let elsewhere = |(at, window): (usize, &[String])| {
        at != start + above && window.iter().zip(remembered).all(|(line, mine)| line == mine)
    };
    if lines.windows(remembered.len().max(1)).enumerate().any(elsewhere) {
        return None;
    }
    let eol = if draw.once_in(6) { "\r\n" } else { "\n" };
    let last = if draw.once_in(8) { "" } else { eol };
    let whole = |lines: &[String]| lines.join(eol) + last;
    let side =
        |lines: Vec<&String>| lines.iter().map(|line| format!("{line}\n")).collect::<String>();
    let search = side(
        part.iter().filter(|line| !line.text.starts_with('\0')).map(|line| &line.text).collect(),
    );
    let replace = side(
        part.iter().flat_map(|line| &line.becomes).filter(|line| !line.starts_with('\0')).collect(),
    );
    let telling = search.chars().filter(|letter| letter.is_alphanumeric()).count() > 8;
    // A hint that is off by a few lines, since models miscount.
    let hint = draw.once_in(2).then(|| (start + draw.below(9)).saturating_sub(4) + 1);
    (telling && search != replace).then(|| Case {
        before: whole(&lines),
        wanted: Some(whole(&wanted)),
        search,
        replace,
        line: start,
        hint,
    })
}

/// Changes or deletes a line, or adds one after it. Never adds a line that already exists.
pub fn touch(part: &mut [Line], draw: &mut Draw) -> Option<usize> {
    let filled: Vec<usize> = (0..part.len())
        .filter(|index| {
            part[*index].text.chars().filter(|letter| letter.is_alphanumeric()).count() > 2
        })
        .collect();
    let index = *draw.one_of(&filled)?;
    let line = &mut part[index];
    line.touched = true;
    let new =
        format!("{}{} changed_{}", indentation(&line.text), line.text.trim(), draw.below(1000));
    match draw.below(4) {
        0 => line.becomes = Vec::new(),
        1 => line.becomes = vec![line.text.clone(), new],
        _ => line.becomes = vec![new],
    }
    Some(index)
}

pub fn indentation(line: &str) -> &str {
    &line[..line.len() - line.trim_start().len()]
}

/// Changes both sides of every line.
fn each(part: &mut [Line], change: impl Fn(&str) -> String) {
    for line in part {
        line.text = change(&line.text);
        line.becomes.iter_mut().for_each(|line| *line = change(line));
    }
}

fn blur(kind: Kind, part: &mut Vec<Line>, start: usize, draw: &mut Draw) -> Option<()> {
    let inner = |part: &[Line]| {
        (1..part.len().saturating_sub(1))
            .filter(|index| !part[*index].touched && !part[*index].text.trim().is_empty())
            .collect::<Vec<_>>()
    };
    match kind {
        Kind::Exact => {}
        Kind::TrailingBlanks => {
            let blanks = ["  ", " ", "\t"][draw.below(3)];
            let index = draw.below(part.len());
            let line = &mut part[index];
            line.text.push_str(blanks);
            if !line.touched {
                line.becomes = vec![line.text.clone()];
            }
        }
        Kind::Dedented => {
            let filled = part
                .iter()
                .flat_map(|line| std::iter::once(&line.text).chain(&line.becomes))
                .filter(|line| !line.trim().is_empty());
            let least =
                filled.map(|line| indentation(line).len()).min().filter(|least| *least > 0)?;
            each(part, |line| line.get(least..).unwrap_or_default().to_owned());
        }
        Kind::Indented => {
            let more = ["  ", "    ", "\t"][draw.below(3)];
            each(part, |line| {
                if line.trim().is_empty() { line.to_owned() } else { format!("{more}{line}") }
            });
        }
        Kind::Tabs => {
            part.iter().any(|line| line.text.starts_with("    ")).then_some(())?;
            part.iter().all(|line| indentation(&line.text).len().is_multiple_of(4)).then_some(())?;
            each(part, |line| "\t".repeat(indentation(line).len() / 4) + line.trim_start());
        }
        Kind::HalvedIndent => {
            part.iter().any(|line| line.text.starts_with("    ")).then_some(())?;
            part.iter().all(|line| indentation(&line.text).len().is_multiple_of(4)).then_some(())?;
            each(part, |line| " ".repeat(indentation(line).len() / 2) + line.trim_start());
        }
        Kind::BlankAdded => {
            let at = 1 + draw.below(part.len() - 1);
            part.insert(
                at,
                Line { text: String::new(), becomes: vec![String::new()], touched: false },
            );
        }
        Kind::BlankDropped => {
            let blank: Vec<usize> =
                (1..part.len() - 1).filter(|index| part[*index].text.trim().is_empty()).collect();
            let index = *draw.one_of(&blank)?;
            part[index].text = "\0".to_owned();
            part[index].becomes = vec!["\0".to_owned()];
        }
        Kind::InnerBlanks => {
            let wide: Vec<usize> = inner(part)
                .into_iter()
                .filter(|index| part[*index].text.trim().contains(' '))
                .collect();
            let index = *draw.one_of(&wide)?;
            let line = &mut part[index];
            line.text = format!(
                "{}{}",
                indentation(&line.text),
                line.text.trim_start().replacen(' ', "  ", 1)
            );
            line.becomes = vec![line.text.clone()];
        }
        Kind::Unicode => {
            let plain = |line: &str| line.contains(['"', '\'', '-']) || line.trim().contains(' ');
            part.iter().any(|line| !line.touched && plain(&line.text)).then_some(())?;
            for line in part.iter_mut().filter(|line| !line.touched) {
                let inner = line
                    .text
                    .trim_start()
                    .replacen(' ', "\u{a0}", 1)
                    .replace('"', "\u{201d}")
                    .replace('\'', "\u{2019}")
                    .replace('-', "\u{2013}");
                line.text = format!("{}{inner}", indentation(&line.text));
                line.becomes = vec![line.text.clone()];
            }
        }
        Kind::Numbered => {
            // Line numbers of the file, or of another version of it.
            let first = if draw.once_in(3) { draw.below(500) } else { start + 1 };
            let (mut old, mut new) = (first, first);
            for line in part {
                line.text = format!("{old} | {}", line.text);
                old += 1;
                for line in &mut line.becomes {
                    *line = format!("{new} | {line}");
                    new += 1;
                }
            }
        }
        Kind::Typo => {
            let long: Vec<usize> = (0..part.len())
                .filter(|index| {
                    !part[*index].touched
                        && part[*index].text.trim().len() >= 12
                        && part[*index].text.is_ascii()
                })
                .collect();
            let line = &mut part[*draw.one_of(&long)?];
            let mut letters: Vec<char> = line.text.chars().collect();
            let at = indentation(&line.text).len() + draw.below(line.text.trim().len() - 1);
            match draw.below(3) {
                0 => letters.swap(at, at + 1),
                1 => drop(letters.remove(at)),
                _ => letters[at] = 'q',
            }
            line.text = letters.into_iter().collect();
            line.becomes = vec![line.text.clone()];
        }
        Kind::LineOmitted => {
            let index = *draw.one_of(&inner(part))?;
            part[index].text = "\0".to_owned();
            part[index].becomes = vec!["\0".to_owned()];
        }
        Kind::LineAdded => {
            let line = format!("    let {} = remembered(\"{}\");", "qwertz", draw.below(99));
            let at = 1 + draw.below(part.len() - 1);
            part.insert(at, Line { text: line.clone(), becomes: vec![line], touched: false });
        }
        Kind::Elision => {
            let free = inner(part);
            let start = *draw.one_of(&free)?;
            let end =
                (start..part.len() - 1).take_while(|index| !part[*index].touched).take(4).last()?
                    + 1;
            for line in &mut part[start..end] {
                line.text = "\0".to_owned();
                line.becomes = vec!["\0".to_owned()];
            }
            let dots = ["...", "// ... existing code ...", "# ..."][draw.below(3)].to_owned();
            part[start] = Line { text: dots.clone(), becomes: vec![dots], touched: false };
        }
        Kind::Quotes => {
            let quoted: Vec<usize> = (0..part.len())
                .filter(|index| !part[*index].touched && part[*index].text.contains('"'))
                .collect();
            let line = &mut part[*draw.one_of(&quoted)?];
            line.text = line.text.replace('"', "'");
            line.becomes = vec![line.text.clone()];
        }
    }
    Some(())
}
