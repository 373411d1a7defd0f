//! Front matter without its closing `---`: the line that was meant to be it, or the place where the
//! front matter was meant to end.

use super::broken;
use crate::rule::Fix;
use crate::source::{FrontMatter, Source};
use crate::text::{self, Edit, Span};
use crate::yaml;

/// How many bytes below the front matter are searched.
const REACH: usize = 512;

/// Where front matter that is never closed goes wrong, with the message, and the fix unless it would leave keys in the
/// body. The fix is safe only if `is_read` says so of the YAML above the new end.
pub fn finding(
    source: &Source,
    front: &FrontMatter,
    known: &dyn Fn(&str) -> bool,
    is_read: &dyn Fn(&str) -> bool,
) -> (Span, String, Option<Fix>) {
    let start = front.yaml_span.start;
    let reach = text::floor(source.text(), source.len().min(front.yaml_span.end + REACH));
    let text = source.slice(start..reach.max(front.yaml_span.end));
    let above = |end: usize| text.get(..end).unwrap_or_default();
    if let Some(mut end) = mistyped_end(&text, front.yaml_span.len(), start, known) {
        let at = end.span.start - start;
        end.fix.safe &= is_read(above(at));
        let fix = (!is_inside(&text, at, known)).then_some(end.fix);
        return (end.span, end.message, fix);
    }
    let end = meant(&text, front.yaml_span.len(), known);
    let edit = Edit::insert(start + end.at, format!("{}---", source.line_break()));
    let title = "Insert the closing `---`";
    let fix = match end.sure && is_read(above(end.at)) {
        true => Fix::safe(title, vec![edit]),
        false => Fix::suggestion(title, vec![edit]),
    };
    let fix = (!leaves_keys(&text, end.at, known)).then_some(fix);
    (front.opening.clone(), "front matter is never closed".to_owned(), fix)
}

/// Whether a line that looks like an end is among the keys: others follow it directly.
fn is_inside(text: &str, end: usize, known: &dyn Fn(&str) -> bool) -> bool {
    let (_, below) = text.split_at_checked(end).unwrap_or((text, ""));
    let mut next = below.lines().skip(1).take_while(|line| !line.trim().is_empty());
    next.any(|line| broken::key(line).is_some_and(known))
}

/// Whether lines below an end begin with keys that front matter above it lacks, outside of code.
pub fn leaves_keys(text: &str, end: usize, known: &dyn Fn(&str) -> bool) -> bool {
    let (above, below) = text.split_at_checked(end).unwrap_or((text, ""));
    let below = below.get(..below.floor_char_boundary(REACH)).unwrap_or_default();
    let above: Vec<&str> = above.lines().filter_map(broken::key).collect();
    let mut code = false;
    below.lines().any(|line| {
        code ^= ["```", "~~~"].iter().any(|fence| line.trim_start().starts_with(fence));
        broken::key(line).is_some_and(|key| !code && known(key) && !above.contains(&key))
    })
}

/// Where front matter was meant to end.
#[derive(Debug, PartialEq, Eq)]
pub struct End {
    /// After its last line, without the line break.
    pub at: usize,
    /// It can't mean anything else.
    pub sure: bool,
}

/// What may follow the last key, depending on its value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Open {
    /// The value is on the line of its key.
    No,
    /// The value hasn't begun.
    Empty,
    /// Items at column 0.
    Items,
    /// Indented lines.
    Nested,
}

/// Where YAML ends and the body begins, in text whose first `extent` bytes look like YAML.
pub fn meant(text: &str, extent: usize, known: &dyn Fn(&str) -> bool) -> End {
    let (mut at, mut end) = (0, 0);
    let (mut gap, mut open) = (false, Open::No);
    let mut seen: Vec<&str> = Vec::new();
    let mut certain = true;
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    let next = next_known(&lines, known);
    for (line, next) in lines.iter().zip(next) {
        let start = at;
        at += line.len();
        let content = line.trim_end();
        if content.trim_start().is_empty() {
            gap = true;
            continue;
        }
        let comment = content.starts_with('#');
        let goes_on = next.filter(|(key, beside)| (*beside || !comment) && !seen.contains(key));
        let heading = comment && content.trim_start_matches('#').starts_with(' ');
        // A comment in the front matter, or a heading above a line with a colon.
        certain &= !(gap && comment && goes_on.is_some());
        let is_known = broken::key(content).is_some_and(|key| known(key) && !seen.contains(&key));
        if start >= extent && !is_known && goes_on.is_none() {
            return End { at: end, sure: certain && (gap || heading) };
        }
        let indented = content.starts_with([' ', '\t']);
        let item = content == "-" || content.starts_with("- ");
        let sure = match broken::key(content) {
            // A comment, or a heading.
            None if comment => goes_on.is_none().then_some(heading),
            Some(key) if known(key) && !seen.contains(&key) => {
                seen.push(key);
                let value = content.split_once(':').map_or("", |(_, value)| value.trim());
                let block =
                    value.starts_with(['|', '>']) || value.starts_with(['[', '{', '"', '\'']);
                open = match (value.is_empty(), block) {
                    (true, _) => Open::Empty,
                    (_, true) => Open::Nested,
                    _ => Open::No,
                };
                None
            }
            Some(key) if gap && goes_on.is_none() => Some(!broken::is_like_a_key(key)),
            Some(key) if broken::is_like_a_key(key) => {
                open = Open::Nested;
                None
            }
            Some(_) => Some(false),
            None if indented => match (gap, open) {
                (true, Open::No | Open::Items) => Some(false),
                (_, Open::Empty) => {
                    open = Open::Nested;
                    None
                }
                _ => None,
            },
            None if item => match (gap, open) {
                (false, Open::Empty | Open::Items) => {
                    open = Open::Items;
                    None
                }
                (true, Open::No | Open::Nested) => Some(true),
                _ => Some(false),
            },
            None => Some(false),
        };
        match sure {
            Some(sure) => return End { at: end, sure: sure && certain },
            None => end = start + content.len(),
        }
        gap = false;
    }
    End { at: end, sure: certain }
}

/// For each line, the next known key below it, if only front matter lies between them, and whether
/// it's on the next line.
fn next_known<'t>(lines: &[&'t str], known: &dyn Fn(&str) -> bool) -> Vec<Option<(&'t str, bool)>> {
    let mut next = None;
    let mut found: Vec<_> = lines
        .iter()
        .rev()
        .map(|line| {
            let content = line.trim_end();
            let below = next;
            next = match broken::key(content) {
                Some(key) if known(key) => Some((key, true)),
                Some(key) if broken::is_like_a_key(key) => next.map(|(key, _)| (key, false)),
                None if content.is_empty() || content.starts_with([' ', '\t']) => {
                    next.map(|(key, _)| (key, false))
                }
                _ => None,
            };
            below
        })
        .collect();
    found.reverse();
    found
}

/// A line that was meant to end front matter.
pub struct MistypedEnd {
    /// Its characters, in bytes of the document.
    pub span: Span,
    pub message: String,
    pub fix: Fix,
}

/// An indented `---` on the last line, or a line below keys with another number of dashes. The
/// first `extent` bytes of `text`, which is at `start` in the document, look like YAML.
pub fn mistyped_end(
    text: &str,
    extent: usize,
    start: usize,
    known: &dyn Fn(&str) -> bool,
) -> Option<MistypedEnd> {
    if let Some(end) = mistyped_dashes(text, start, false, known) {
        return Some(end);
    }
    let text = text.get(..extent).unwrap_or(text).trim_end();
    let last = text.rfind(['\n', '\r']).map_or(0, |at| at + 1);
    let indent = text.get(last..).unwrap_or_default().strip_suffix("---").filter(|indent| {
        !indent.is_empty() && indent.chars().all(|char| matches!(char, ' ' | '\t'))
    })?;
    let at = start + last;
    let end = at + indent.len();
    Some(MistypedEnd {
        span: end..end + 3,
        message: "the closing `---` is indented; remove the indentation".to_owned(),
        fix: Fix::safe("Remove the indentation", vec![Edit::replace(at..end, "")]),
    })
}

/// A line below keys with more or fewer than three dashes, or with text after them, as in
/// [`mistyped_end`]. If the text is `closed`, all of it is before a line `---`.
pub fn mistyped_dashes(
    text: &str,
    start: usize,
    closed: bool,
    known: &dyn Fn(&str) -> bool,
) -> Option<MistypedEnd> {
    let mut at = 0;
    let lines = text.split_inclusive('\n');
    for line in lines.take_while(|line| !line.trim().is_empty()) {
        let content = line.trim_end();
        let span = start + at..start + at + content.len();
        let below = at + line.len();
        if at > 0 && is_rule(content) {
            let below = text.get(below..).unwrap_or_default();
            let above = text.get(..at).unwrap_or_default();
            return Some(match closed && goes_on(above, below, known) {
                true => MistypedEnd {
                    message: format!(
                        "`{content}` is neither a key nor the end of the front matter; delete this line"
                    ),
                    fix: Fix::suggestion(
                        "Delete the line",
                        vec![Edit::delete(span.start..span.start + line.len())],
                    ),
                    span,
                },
                false => {
                    let edit = Edit::replace(span.clone(), "---");
                    let title = "Replace with `---`";
                    MistypedEnd {
                        message: format!("`{content}` doesn't close the front matter; write `---`"),
                        fix: match cuts_off(below, closed, known) {
                            true => Fix::suggestion(title, vec![edit]),
                            false => Fix::safe(title, vec![edit]),
                        },
                        span,
                    }
                }
            });
        }
        let after = content.strip_prefix("---").filter(|after| at > 0 && !after.starts_with('-'));
        if let Some(after) = after {
            let gap = after.len() - after.trim_start().len();
            let edit = Edit::replace(
                span.start + 3..span.start + 3 + gap,
                if line.ends_with("\r\n") { "\r\n" } else { "\n" },
            );
            return Some(MistypedEnd {
                span,
                message: "text follows the closing `---`; write it on the next line".to_owned(),
                fix: Fix::suggestion("Start a new line after `---`", vec![edit]),
            });
        }
        // Dashes below a sentence make it a heading.
        if broken::key(content).is_none() && !line.starts_with([' ', '\t', '-', '#', ']', '}']) {
            return None;
        }
        at = below;
    }
    None
}

/// Whether front matter goes on below a line of dashes: nothing or a known key follows, or without
/// that line the text is YAML with more keys.
fn goes_on(above: &str, below: &str, known: &dyn Fn(&str) -> bool) -> bool {
    let first = below.lines().find(|line| !line.trim().is_empty());
    let Some(first) = first else { return true };
    let keys = |tree: &yaml::Tree| {
        let keys = tree.entries().filter_map(|entry| entry.key.as_str());
        keys.filter(|key| known(key) || broken::is_like_a_key(key)).count()
    };
    let whole = || {
        let whole = yaml::parse(&[above, below].concat());
        whole.errors.is_empty() && keys(&whole) > keys(&yaml::parse(above))
    };
    broken::key(first).is_some_and(known) || whole()
}

/// Whether ending the front matter above these lines moves keys into the body.
fn cuts_off(below: &str, closed: bool, known: &dyn Fn(&str) -> bool) -> bool {
    let beside = |line: &&str| closed || !line.trim().is_empty();
    let mut keys = below.lines().take_while(beside).filter_map(broken::key);
    let first = below.lines().find(|line| !line.trim().is_empty()).and_then(broken::key);
    first.is_some_and(broken::is_like_a_key) || keys.any(known)
}

/// Whether a line consists of dashes: `--`, `----`, `- - -`, or typographic dashes.
pub fn is_rule(line: &str) -> bool {
    let dashes = || line.chars().filter(|letter| *letter != ' ');
    let long = |dash: char| matches!(dash, '–' | '—' | '―' | '−');
    line.starts_with(|first| first == '-' || long(first))
        && dashes().all(|dash| dash == '-' || long(dash))
        && (dashes().count() > 1 || dashes().any(long))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::apply;

    fn known(word: &str) -> bool {
        ["name", "description", "model", "tools", "paths"].contains(&word)
    }

    /// The document with the fix, and whether that is safe.
    fn closed(text: &str) -> (String, bool) {
        let source = Source::new(text);
        let front = source.front_matter().unwrap();
        let (_, _, fix) = finding(&source, &front, &known, &|_| true);
        fix.map_or((String::new(), false), |fix| (apply(text, &fix.edits).unwrap(), fix.safe))
    }

    #[test]
    fn no_fix_leaves_keys_in_the_body() {
        for text in [
            "---\nname: r\ndescription: d\n\n# 日本\n\ntools: Read\nmodel: opus\n\nBody.\n",
            "---\nname: r\ndescription: Use when\nthe user asks.\nmodel: opus\n\n# Body\n",
            "---\nname: r\n## Tools\n\ntools:\n  - Read\n",
            "---\nname: r\ndescription: d\n----\nmodel: opus\n\nBody\n",
        ] {
            for text in [text.to_owned(), text.replace('\n', "\r\n")] {
                assert_eq!(closed(&text), (String::new(), false), "{text:?}");
            }
        }
        // Below an end that is only mistyped, keys are examples.
        let text = "---\nname: r\n----\n\n# Tea\n\nmodel: opus\n";
        assert_eq!(closed(text), (text.replacen("----", "---", 1), true));
        // A key in code is an example.
        let text = "---\nname: r\n\n# Tea\n\n```yaml\nmodel: opus\n```\n";
        assert_eq!(closed(text), (text.replacen("\n\n#", "\n---\n\n#", 1), true));
    }

    #[test]
    fn a_fix_is_safe_only_if_the_front_matter_is_read() {
        let source = Source::new("---\nname: r\ndescription: d: e\n\n# Tea\n");
        let front = source.front_matter().unwrap();
        let asked = std::cell::RefCell::default();
        let is_read = |above: &str| {
            *asked.borrow_mut() = above.to_owned();
            false
        };
        let (_, _, fix) = finding(&source, &front, &known, &is_read);
        assert_eq!(*asked.borrow(), "name: r\ndescription: d: e");
        assert!(!fix.unwrap().safe);
    }

    #[test]
    fn front_matter_ends_where_the_body_begins() {
        for (front, body, safe) in [
            ("name: r\ndescription: d", "\n## Role\nYou are 日本.\n", true),
            ("paths: \"src/**\"\ndescription: d", "\n# TypeScript rules\n\nText.\n", true),
            ("name: r\nmodel: opus", "\n#Role\nYou are r.\n", false),
            ("name: r\n# the fast one\nmodel: opus", "\n\n# Role\n\nText.\n", true),
            ("name: r\ndescription: d", "\n\nNote: you are r.\nTip: be nice.\n\nMore.\n", true),
            ("name: r\n\ndescription: d", "\n\nRole: reviewer\n\nMore.\n", true),
            ("name: r\ndescription: d", "\nNote: you are r.\n", false),
            ("name: r\ndescription: d", "\n\nrole: reviewer\n\nMore.\n", false),
            ("name: r\ntools:\n  - Read", "\n\n- be nice\n- be fast\n\nMore.\n", true),
            ("name: r\ntools:\n- Read", "\n\n- be nice\n\nMore.\n", false),
            ("name: r\ntools:\n- Read", "\n\nBe nice.\n", true),
            ("name: r\ndescription: d", "\n- be nice\n\nMore.\n", false),
            ("name: r\ndescription: d", "\n\n    code\n\nMore.\n", false),
            ("name: r\ndescription: |\n  d\n\n  e", "\n\nText.\n", true),
            ("name: r\ndescription: d", "\nBody text.\n\nMore: text\n", false),
            ("name: r\ndescription: d", "\n***\n\nBody\n", false),
            ("name: r\ndescription: d", "\n\nBody\n", true),
            ("name: r\n\ntags: a\n\nmodel: opus", "\n\n# Tea\n", true),
            ("name: r\n\ntags:\n  - a\nmodel: opus", "\n\ncost: low\n", false),
            ("name: r\n\n# 日本\nmodel: opus", "\n\n# Tea\n", false),
            ("name: r\nmodel: opus", "\n\n# Tea\n\nmodel: opus\n", true),
        ] {
            for end in ["\n", "\r\n"] {
                let text = format!("---\n{front}{body}").replace('\n', end);
                let wanted = format!("---\n{front}\n---{body}").replace('\n', end);
                assert_eq!(closed(&text), (wanted, safe), "{text:?}");
            }
        }
    }

    #[test]
    fn a_mistyped_end_is_repaired() {
        for (line, wanted, safe) in [
            ("----", "---", true),
            ("--", "---", true),
            ("- - -", "---", true),
            ("—", "---", true),
            ("---foo", "---\nfoo", false),
            ("--- # 日本", "---\n# 日本", false),
            ("  ---", "---", true),
            ("----\ncost: low", "---\ncost: low", false),
            ("----\nNote: 日本", "---\nNote: 日本", true),
        ] {
            let text = |end: &str| format!("---\nname: r\ndescription: d\n{end}\n\nBody\n");
            assert_eq!(closed(&text(line)), (text(wanted), safe), "{line}");
        }
        assert!(mistyped_dashes("name: r\n-----BEGIN-----\n", 0, true, &known).is_none());
    }

    #[test]
    fn no_line_of_dashes_cuts_off_keys_above_the_end() {
        for (below, left, safe) in [
            ("model: opus\n", "", false),
            ("\nmodel: 日本\n\nBody: x\n", "", false),
            ("", "", false),
            ("\n\n", "", false),
            ("cost: low\n", "", false),
            ("when asked\nmodel: opus\n", "---\n", false),
            ("note that\n", "---\n", true),
            ("\n# Tea\n\nBody: x\n\n", "---\n", true),
            ("\n# Tea\n\n    name: x\n", "---\n", true),
        ] {
            for (line, end) in [("—", "\n"), ("- - -", "\r\n"), ("-----", "\n"), ("--  ", "\r\n")]
            {
                let text = |line: &str| format!("name: r\n{line}{below}").replace('\n', end);
                let before = text(&format!("{line}\n"));
                let found = mistyped_dashes(&before, 0, true, &known).unwrap();
                let after = apply(&before, &found.fix.edits).unwrap();
                let left =
                    if line.ends_with(' ') { left.replace('\n', "  \n") } else { left.to_owned() };
                assert_eq!((after, found.fix.safe), (text(&left), safe), "{before:?}");
            }
        }
    }
}
