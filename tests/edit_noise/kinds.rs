//! An edit of a file, and how a model may remember the lines around it.

use agentmd::edit::{Block, Dialect, Split};

use super::draw::Draw;

/// What went wrong in remembering.
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
    /// The lines stand twice in the file: nothing is to be done.
    Duplicate,
    /// Others stand there that are like them: nothing is to be done.
    Sibling,
    /// They are those of another file: nothing is to be done.
    Absent,
}

impl Kind {
    pub const ALL: [Self; 19] = [
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
        Self::Duplicate,
        Self::Sibling,
        Self::Absent,
    ];
}

pub struct Case {
    pub before: String,
    /// The text that is to come out; `None` where nothing may be done.
    pub wanted: Option<String>,
    pub search: String,
    pub replace: String,
    /// Where it begins, counted from 0.
    pub line: usize,
    hint: Option<usize>,
}

impl Case {
    pub fn block(&self, dialect: Dialect) -> Block {
        let hint = self.hint.filter(|_| dialect == Dialect::UnifiedDiff);
        Block { splits: vec![Split::new(&self.search, &self.replace)], hint, ..Block::of(dialect, "", "") }
    }
}

/// A line of the part that is edited, and what the model makes of it.
#[derive(Clone)]
struct Line {
    text: String,
    /// What it becomes: as many lines, or none.
    becomes: Vec<String>,
    touched: bool,
}

/// Draws a case of a kind; not every part of every file has one.
pub fn make(kind: Kind, text: &str, other: &str, draw: &mut Draw) -> Option<Case> {
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    let start = draw.below(lines.len().saturating_sub(16));
    let end = (start + 3 + draw.below(12)).min(lines.len());
    let mut part: Vec<Line> = if kind == Kind::Absent {
        other.lines().skip(draw.below(20)).take(end - start).collect::<Vec<_>>()
    } else {
        lines[start..end].iter().map(String::as_str).collect()
    }
    .into_iter()
    .map(|line| Line { text: line.to_owned(), becomes: vec![line.to_owned()], touched: false })
    .collect();
    let touched = touch(&mut part, draw)?;
    let mut wanted: Vec<String> = lines[..start].to_vec();
    wanted.extend(part.iter().flat_map(|line| line.becomes.clone()));
    wanted.extend_from_slice(&lines[end..]);
    let mut wanted = Some(wanted);
    match kind {
        Kind::Duplicate => {
            let copy = lines[start..end].to_vec();
            let mut at = draw.below(lines.len());
            if at > start && at < end {
                at = end;
            }
            lines.splice(at..at, copy);
            wanted = None;
        }
        Kind::Sibling => {
            sibling(&mut lines[start..end], touched, draw)?;
            wanted = None;
        }
        Kind::Absent => {
            let has = |line: &Line| line.text.trim().is_empty() || lines.iter().any(|known| known.trim() == line.text.trim());
            if part.iter().filter(|line| has(line)).count() * 2 > part.len() {
                return None;
            }
            wanted = None;
        }
        _ => blur(kind, &mut part, start, draw)?,
    }
    // What stands there all the same, or as a part of longer lines, is no sibling.
    let solid = |lines: Vec<&str>| lines.iter().flat_map(|line| line.split_whitespace()).collect::<String>();
    let there = solid(lines.iter().map(String::as_str).collect()).contains(&solid(part.iter().map(|line| line.text.as_str()).collect()));
    if matches!(kind, Kind::Sibling | Kind::Absent) && there {
        return None;
    }
    // What is remembered as another place has it, line for line, is that place's.
    let remembered: Vec<&str> = part.iter().map(|line| line.text.as_str()).filter(|line| !line.starts_with('\0')).collect();
    let elsewhere = |(at, window): (usize, &[String])| at != start && window.iter().zip(&remembered).all(|(line, mine)| line == mine);
    if kind != Kind::Duplicate && lines.windows(remembered.len().max(1)).enumerate().any(elsewhere) {
        return None;
    }
    let eol = if draw.once_in(6) { "\r\n" } else { "\n" };
    let last = if draw.once_in(8) { "" } else { eol };
    let whole = |lines: &[String]| lines.join(eol) + last;
    let side = |lines: Vec<&String>| lines.iter().map(|line| format!("{line}\n")).collect::<String>();
    let search = side(part.iter().filter(|line| !line.text.starts_with('\0')).map(|line| &line.text).collect());
    let replace = side(part.iter().flat_map(|line| &line.becomes).filter(|line| !line.starts_with('\0')).collect());
    let telling = search.chars().filter(|letter| letter.is_alphanumeric()).count() > 8;
    // A hint that is off, as models count.
    let hint = draw.once_in(2).then(|| (start + draw.below(9)).saturating_sub(4) + 1).filter(|_| kind != Kind::Duplicate);
    (telling && search != replace).then(|| Case { before: whole(&lines), wanted: wanted.as_deref().map(whole), search, replace, line: start, hint })
}

/// Changes a line, puts one behind it, or takes it away. No line is added that is there already.
fn touch(part: &mut [Line], draw: &mut Draw) -> Option<usize> {
    let filled: Vec<usize> =
        (0..part.len()).filter(|index| part[*index].text.chars().filter(|letter| letter.is_alphanumeric()).count() > 2).collect();
    let index = *draw.one_of(&filled)?;
    let line = &mut part[index];
    line.touched = true;
    let new = format!("{}{} changed_{}", indentation(&line.text), line.text.trim(), draw.below(1000));
    match draw.below(4) {
        0 => line.becomes = Vec::new(),
        1 => line.becomes = vec![line.text.clone(), new],
        _ => line.becomes = vec![new],
    }
    Some(index)
}

fn indentation(line: &str) -> &str {
    &line[..line.len() - line.trim_start().len()]
}

/// Both sides of every line, as they are remembered.
fn each(part: &mut [Line], change: impl Fn(&str) -> String) {
    for line in part {
        line.text = change(&line.text);
        line.becomes.iter_mut().for_each(|line| *line = change(line));
    }
}

fn blur(kind: Kind, part: &mut Vec<Line>, start: usize, draw: &mut Draw) -> Option<()> {
    let inner = |part: &[Line]| {
        (1..part.len().saturating_sub(1)).filter(|index| !part[*index].touched && !part[*index].text.trim().is_empty()).collect::<Vec<_>>()
    };
    match kind {
        Kind::Exact | Kind::Duplicate | Kind::Sibling | Kind::Absent => {}
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
            let filled = part.iter().flat_map(|line| std::iter::once(&line.text).chain(&line.becomes)).filter(|line| !line.trim().is_empty());
            let least = filled.map(|line| indentation(line).len()).min().filter(|least| *least > 0)?;
            each(part, |line| line.get(least..).unwrap_or_default().to_owned());
        }
        Kind::Indented => {
            let more = ["  ", "    ", "\t"][draw.below(3)];
            each(part, |line| if line.trim().is_empty() { line.to_owned() } else { format!("{more}{line}") });
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
            part.insert(at, Line { text: String::new(), becomes: vec![String::new()], touched: false });
        }
        Kind::BlankDropped => {
            let blank: Vec<usize> = (1..part.len() - 1).filter(|index| part[*index].text.trim().is_empty()).collect();
            let index = *draw.one_of(&blank)?;
            part[index].text = "\0".to_owned();
            part[index].becomes = vec!["\0".to_owned()];
        }
        Kind::InnerBlanks => {
            let wide: Vec<usize> = inner(part).into_iter().filter(|index| part[*index].text.trim().contains(' ')).collect();
            let index = *draw.one_of(&wide)?;
            let line = &mut part[index];
            line.text = format!("{}{}", indentation(&line.text), line.text.trim_start().replacen(' ', "  ", 1));
            line.becomes = vec![line.text.clone()];
        }
        Kind::Unicode => {
            let plain = |line: &str| line.contains(['"', '\'', '-']) || line.trim().contains(' ');
            part.iter().any(|line| !line.touched && plain(&line.text)).then_some(())?;
            for line in part.iter_mut().filter(|line| !line.touched) {
                let inner =
                    line.text.trim_start().replacen(' ', "\u{a0}", 1).replace('"', "\u{201d}").replace('\'', "\u{2019}").replace('-', "\u{2013}");
                line.text = format!("{}{inner}", indentation(&line.text));
                line.becomes = vec![line.text.clone()];
            }
        }
        Kind::Numbered => {
            // Numbers of the file, or of another version of it.
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
                .filter(|index| !part[*index].touched && part[*index].text.trim().len() >= 12 && part[*index].text.is_ascii())
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
            let end = (start..part.len() - 1).take_while(|index| !part[*index].touched).take(4).last()? + 1;
            for line in &mut part[start..end] {
                line.text = "\0".to_owned();
                line.becomes = vec!["\0".to_owned()];
            }
            let dots = ["...", "// ... existing code ...", "# ..."][draw.below(3)].to_owned();
            part[start] = Line { text: dots.clone(), becomes: vec![dots], touched: false };
        }
        Kind::Quotes => {
            let quoted: Vec<usize> = (0..part.len()).filter(|index| !part[*index].touched && part[*index].text.contains('"')).collect();
            let line = &mut part[*draw.one_of(&quoted)?];
            line.text = line.text.replace('"', "'");
            line.becomes = vec![line.text.clone()];
        }
    }
    Some(())
}

/// The lines of something that is like it: other names, in the line that would be changed as well.
fn sibling(lines: &mut [String], touched: usize, draw: &mut Draw) -> Option<()> {
    let words: Vec<String> =
        lines[touched].split(|letter: char| !letter.is_alphanumeric() && letter != '_').filter(|word| word.len() > 3).map(str::to_owned).collect();
    let word = draw.one_of(&words)?.clone();
    let other = format!("other{}", draw.below(100));
    for line in lines.iter_mut() {
        *line = line.replace(&word, &other);
    }
    Some(())
}
