//! Tabs in indentation, which YAML forbids. The lines around them show which indentation was
//! intended.

use super::line::{self, Line};

/// The intended indentation of a line with tabs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Meant {
    /// In columns.
    pub indent: usize,
    /// The line is in the same block for every usual width of a tab.
    pub sure: bool,
}

/// The widths with which editors display a tab.
const WIDTHS: [usize; 3] = [2, 4, 8];

/// The intended indentation of the line at an offset; `None` if no tab indents it.
pub fn meant(text: &str, offset: usize) -> Option<Meant> {
    let mut lines = line::lines(text, 0..text.len());
    let index = lines.iter().rposition(|line| line.start <= offset)?;
    lines.truncate(index + 2);
    resolve(text, &mut lines).into_iter().find(|(at, _)| *at == index).map(|(_, meant)| meant)
}

/// Gives each line with tabs its intended indentation, and lists these lines.
pub(super) fn resolve(text: &str, lines: &mut [Line]) -> Vec<(usize, Meant)> {
    let mut found = Vec::new();
    let step = step(text, lines);
    // The indentations of the blocks around the line above, and whether a block begins below it.
    let (mut levels, mut opens) = (Vec::new(), false);
    for index in 0..lines.len() {
        let Some(line) = lines.get(index).filter(|line| line.is_content(text)) else { continue };
        let (content, end) = (line.content, line.end);
        let mut indent = line.indent;
        let lead = text.get(line.start..content).unwrap_or_default();
        let tabs = lead.matches('\t').count();
        if tabs > 0 {
            let depths = WIDTHS.map(|width| lead.len() - tabs + tabs * width);
            let below = lines.get(index + 1..).unwrap_or_default();
            let next = below.iter().find(|line| line.is_content(text));
            let next = next.filter(|next| !is_tabbed(text, next)).map(|next| next.indent);
            let meant = choose(&depths, &levels, opens, step, next);
            found.push((index, meant));
            indent = meant.indent;
        }
        if let Some(line) = lines.get_mut(index) {
            line.indent = indent;
        }
        levels.retain(|level| *level < indent);
        levels.push(indent);
        opens = is_opener(text.get(content..end).unwrap_or_default());
    }
    found
}

/// The most likely of some depths, below lines with these levels.
fn choose(
    depths: &[usize],
    levels: &[usize],
    opens: bool,
    step: Option<usize>,
    next: Option<usize>,
) -> Meant {
    let last = levels.last().copied();
    let deeper = |depth: &&usize| opens && last.is_none_or(|last| **depth > last);
    let inner = depths.iter().find(deeper).copied();
    let mut fits: Vec<usize> =
        depths.iter().copied().filter(|depth| levels.contains(depth)).collect();
    // All deeper ones begin the same block.
    fits.extend(inner);
    let sure = fits.len() == 1;
    let by_step = |step: usize| {
        let width = WIDTHS.iter().position(|width| *width == step)?;
        depths.get(width).copied().filter(|depth| fits.contains(depth))
    };
    let sibling = next.filter(|next| fits.contains(next) && last == Some(*next));
    let guess = sibling.or(inner).or_else(|| by_step(step?)).or_else(|| fits.iter().max().copied());
    Meant { indent: guess.or(depths.first().copied()).unwrap_or_default(), sure }
}

/// The columns of one level in the lines without tabs.
fn step(text: &str, lines: &[Line]) -> Option<usize> {
    let plain = lines.iter().filter(|line| line.is_content(text) && !is_tabbed(text, line));
    plain.map(|line| line.indent).filter(|indent| *indent > 0).min()
}

fn is_tabbed(text: &str, line: &Line) -> bool {
    text.get(line.start..line.content).is_some_and(|lead| lead.contains('\t'))
}

/// Whether the value of a line is below it.
fn is_opener(content: &str) -> bool {
    let content = content.split(" #").next().unwrap_or_default().trim_end();
    let last = content.rsplit([' ', '\t']).next().unwrap_or_default();
    last == "-" || last.ends_with(':') || last.starts_with(['|', '>'])
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The intended indentation of every line with tabs; `?` after one that isn't sure.
    fn shown(text: &str) -> String {
        let mut lines = line::lines(text, 0..text.len());
        let found = resolve(text, &mut lines).into_iter();
        let shown = |meant: Meant| format!("{}{}", meant.indent, if meant.sure { "" } else { "?" });
        found.map(|(_, meant)| shown(meant)).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn a_tab_is_read_as_the_indentation_of_the_lines_around() {
        for (text, expected) in [
            ("a:\n\tb: 1\n\tc:\n\t\td: 1\n\t\te: 1\nf: 1\n", "2 2 4 4"),
            ("a:\r\n  b: 1\r\n\tc: 日本\r\n", "2"),
            ("a:\n    b: 1\n\tc: 1\n", "4"),
            // A sibling of `c` if a tab has four columns, of `b` if it has two.
            ("a:\n    b:\n        c: 1\n\t\td: 1\n", "8?"),
            ("a:\n  b:\n    c: 1\n\td: 1\n", "2?"),
            ("a:\n  b:\n    c: 1\n\td: 1\n    e: 1\n", "4?"),
            ("a:\n  b:\n\tc: 1\n", "4?"),
            ("a:\n  - b\n\t- c\n", "2"),
            ("\ta: 1\n", "2?"),
        ] {
            assert_eq!(shown(text), expected, "{text:?}");
            let last = text.rfind('\t').unwrap();
            assert!(meant(text, last).is_some());
            assert_eq!(meant(text, 0).is_some(), text.starts_with('\t'));
        }
    }
}
