//! Removes common mistakes of models from a block: line numbers, an enclosing fence, escapes.

use super::leading::without_numbers;

/// Old and new text after a repair, the most likely one first.
pub fn repairs(search: &str, replace: &str) -> Vec<Repaired> {
    let mut found: Vec<Repaired> = Vec::new();
    if let Some(plain) = without_numbers(search) {
        let replace =
            without_numbers(replace).map_or_else(|| replace.to_owned(), |plain| plain.text);
        let line = Some(plain.first);
        found.push(Repaired { search: plain.text, replace, line, fence: false });
    }
    if let Some((stripped, line)) = without_some_numbers(search) {
        let replace = without_some_numbers(replace)
            .map_or_else(|| replace.to_owned(), |(replace, _)| replace);
        found.push(Repaired { search: stripped, replace, line, fence: false });
    }
    let unfenced = (without_fence(search), without_fence(replace));
    if let (Some(search), Some(replace)) = unfenced {
        found.push(Repaired {
            search: search.to_owned(),
            replace: replace.to_owned(),
            line: None,
            fence: true,
        });
    }
    for change in [
        unescape_markers as fn(&str) -> String,
        unescape_entities,
        unescape_strings,
        unescape_quotes,
    ] {
        let changed = change(search);
        if changed != search {
            found.push(Repaired {
                search: changed,
                replace: change(replace),
                line: None,
                fence: false,
            });
        }
    }
    found
}

pub struct Repaired {
    pub search: String,
    pub replace: String,
    /// The first line number that was removed.
    pub line: Option<usize>,
    /// An enclosing fence was removed.
    pub fence: bool,
}

/// Numbers before some lines, or only the bar after them: `12 | text`, `| text`.
fn without_some_numbers(text: &str) -> Option<(String, Option<usize>)> {
    let (mut out, mut first, mut changed) = (String::new(), None, 0);
    for line in text.split_inclusive('\n') {
        let rest = line.trim_start();
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        let bar = rest.get(digits..).map(str::trim_start).and_then(|rest| rest.strip_prefix('|'));
        match bar.filter(|body| {
            !body.trim_end().ends_with('|') && (digits > 0 || !body.trim().is_empty())
        }) {
            Some(body) => {
                first = first.or_else(|| rest.get(..digits).and_then(|digits| digits.parse().ok()));
                changed += 1;
                out.push_str(body.strip_prefix(' ').unwrap_or(body));
            }
            None => out.push_str(line),
        }
    }
    (changed > 0).then_some((out, first))
}

fn without_fence(text: &str) -> Option<&str> {
    let text = text.trim_matches('\n');
    let (open, rest) = text.split_once('\n').unwrap_or((text, ""));
    let inner = rest.trim_end().strip_suffix("```")?;
    let wraps = open.trim_start().starts_with("```") && (inner.is_empty() || inner.ends_with('\n'));
    (wraps && !holds_fence(inner)).then_some(inner)
}

/// Whether a line opens or closes a fence, so that fences are content.
pub fn holds_fence(text: &str) -> bool {
    text.lines().any(|line| line.trim_start().starts_with("```"))
}

/// `\<<<<<<<`, `\=======`, `\>>>>>>>`, `\-------`, `\:start_line:`
fn unescape_markers(text: &str) -> String {
    let lines = text.split_inclusive('\n').map(|line| match line.trim_start().strip_prefix('\\') {
        Some(rest)
            if ["<<<", "===", ">>>", "---", "+++", ":start", ":end"]
                .iter()
                .any(|mark| rest.starts_with(mark)) =>
        {
            let indent = line.len() - line.trim_start().len();
            format!("{}{rest}", line.get(..indent).unwrap_or_default())
        }
        _ => line.to_owned(),
    });
    lines.collect()
}

/// The new text without escapes before markers, if the file doesn't use such escapes.
pub fn plain_markers(replace: &str, known: [&str; 2]) -> Option<String> {
    let plain = unescape_markers(replace);
    let escaped = || {
        replace
            .lines()
            .zip(plain.lines())
            .filter(|(old, new)| old != new)
            .map(|(old, new)| (old.trim(), new.trim()))
    };
    let is_marker = |line: &str| {
        line == "-------"
            || ["<<<<<<<", "=======", ">>>>>>>", ":start_line:", ":end_line:"]
                .iter()
                .any(|mark| line.starts_with(mark))
    };
    let meant = |(old, new): (&str, &str)| {
        is_marker(new) && !known.iter().any(|text| text.lines().any(|line| line.trim() == old))
    };
    (plain != replace && escaped().all(meant)).then_some(plain)
}

fn unescape_entities(text: &str) -> String {
    text.replace("&lt;", "<")
        .replace("&gt;", ">")
        .replace("&quot;", "\"")
        .replace("&#39;", "'")
        .replace("&apos;", "'")
        .replace("&amp;", "&")
}

/// `\n` and `\t` that were written as two characters.
fn unescape_strings(text: &str) -> String {
    if text.trim_end().contains('\n') {
        return text.to_owned();
    }
    text.replace("\\n", "\n").replace("\\t", "\t").replace("\\\"", "\"")
}

/// `\"` in place of a plain quote.
fn unescape_quotes(text: &str) -> String {
    text.replace("\\\"", "\"").replace("\\'", "'")
}
