//! The indentation of added lines: the file's, not the model's.

use super::lines::{Lines, indentation};
use super::locate::Alignment;

/// Whitespace added to or removed from the start of every line.
pub struct Shift {
    more: String,
    less: usize,
}

impl Shift {
    /// The change from each first to each second indentation.
    pub fn of(pairs: &[(&str, &str)]) -> Option<Self> {
        let (mine, theirs) = pairs.first()?;
        let shift = match (theirs.strip_suffix(mine), mine.strip_suffix(theirs)) {
            (Some(more), _) => Self { more: more.to_owned(), less: 0 },
            (_, Some(less)) => Self { more: String::new(), less: less.len() },
            _ => return None,
        };
        pairs
            .iter()
            .all(|(mine, theirs)| mine.len() >= shift.less && shift.apply(mine) == *theirs)
            .then_some(shift)
    }

    pub fn apply(&self, line: &str) -> String {
        if line.trim().is_empty() && !line.is_empty() && self.more.is_empty() && self.less == 0 {
            return line.to_owned();
        }
        let bare = line.get(self.less.min(indentation(line).len())..).unwrap_or_default();
        format!("{}{bare}", self.more)
    }
}

/// The file's counterpart of each indentation in the SEARCH text.
pub struct Indents<'a> {
    /// In SEARCH order: the line, its indentation, and that of its partner.
    pairs: Vec<(usize, &'a str, &'a str)>,
}

impl<'a> Indents<'a> {
    pub fn new(target: &'a Lines, search: &'a Lines, alignment: &Alignment) -> Self {
        let pairs = (0..search.len()).filter_map(|index| {
            let (mine, theirs) = (search.content(index), target.content(alignment.partner(index)?));
            (!mine.trim().is_empty()).then(|| (index, indentation(mine), indentation(theirs)))
        });
        Self { pairs: pairs.collect() }
    }

    /// Both have the same indentation: nothing to do.
    pub fn agree(&self) -> bool {
        self.pairs.iter().all(|(_, mine, theirs)| mine == theirs)
    }

    /// A line of the REPLACE text with the file's indentation. `near`: the line of the SEARCH text
    /// that it replaces or is next to.
    pub fn adapt(&self, line: &str, near: usize) -> String {
        let content = line.trim_start_matches([' ', '\t']);
        if content.trim().is_empty() {
            return line.to_owned();
        }
        let own = indentation(line);
        let same = self
            .pairs
            .iter()
            .filter(|(_, mine, _)| *mine == own)
            .min_by_key(|(index, ..)| index.abs_diff(near));
        match same {
            Some((_, _, theirs)) => format!("{theirs}{content}"),
            None => format!("{}{content}", self.scaled(own, near)),
        }
    }

    /// An indentation that no line of the SEARCH text has.
    fn scaled(&self, own: &str, near: usize) -> String {
        let by_distance = |pair: &&(usize, &str, &str)| pair.0.abs_diff(near);
        let shorter = self.pairs.iter().filter(|(_, mine, _)| own.starts_with(mine));
        let longest = shorter.clone().map(|(_, mine, _)| mine.len()).max();
        if let Some((_, mine, theirs)) =
            shorter.filter(|(_, mine, _)| Some(mine.len()) == longest).min_by_key(by_distance)
        {
            let rest = own.get(mine.len()..).unwrap_or_default();
            return format!("{theirs}{}", self.converted(rest));
        }
        let Some((_, mine, theirs)) = self.pairs.iter().min_by_key(by_distance) else {
            return own.to_owned();
        };
        // Less than anything in the SEARCH text: reduced by the same amount in the file.
        let missing = self.converted(mine.strip_prefix(own).unwrap_or_default());
        theirs.strip_suffix(missing.as_str()).unwrap_or_default().to_owned()
    }

    /// The model's whitespace converted to the file's, by the ratio of two levels known on both
    /// sides.
    fn converted(&self, blanks: &str) -> String {
        if blanks.is_empty() {
            return String::new();
        }
        // A model that writes tabs means spaces.
        if !blanks.contains('\t') && self.pairs.iter().any(|(_, mine, _)| mine.contains('\t')) {
            return blanks.to_owned();
        }
        for (_, mine, theirs) in &self.pairs {
            for (_, other, others) in &self.pairs {
                if let (Some(step), Some(steps)) =
                    (mine.strip_prefix(other), theirs.strip_prefix(others))
                    && !step.is_empty()
                    && !steps.is_empty()
                    && blanks.len().is_multiple_of(step.len())
                {
                    return steps.repeat(blanks.len() / step.len());
                }
            }
        }
        let tabs = self.pairs.iter().any(|(_, _, theirs)| theirs.contains('\t'));
        let step = self.pairs.iter().find(|(_, mine, theirs)| {
            !mine.is_empty() && theirs.chars().all(|c| c == '\t') && !theirs.is_empty()
        });
        match (tabs && !blanks.contains('\t'), step) {
            (true, Some((_, mine, theirs))) if mine.len().is_multiple_of(theirs.len()) => {
                "\t".repeat(blanks.len().div_ceil(mine.len() / theirs.len()))
            }
            (true, _) => "\t".repeat(blanks.len().div_ceil(4)),
            _ => blanks.to_owned(),
        }
    }
}
