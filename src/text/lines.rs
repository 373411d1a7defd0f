//! Line diffs. Everything that compares lines calls [`compare`], because the algorithms are
//! compiled again for each type of line they are called with.

use super::edit::difference;
use similar::{Algorithm, DiffOp, DiffTag, capture_diff_slices, group_diff_ops};

/// Lines of context before and after a change in a unified diff.
const AROUND: usize = 3;

/// The differences between two lists of lines.
pub fn compare<L: AsRef<str>>(algorithm: Algorithm, old: &[L], new: &[L]) -> Vec<DiffOp> {
    fn compare(algorithm: Algorithm, old: &[&str], new: &[&str]) -> Vec<DiffOp> {
        capture_diff_slices(algorithm, old, new)
    }
    let (old, new): (Vec<&str>, Vec<&str>) =
        (old.iter().map(AsRef::as_ref).collect(), new.iter().map(AsRef::as_ref).collect());
    compare(algorithm, &old, &new)
}

/// The hunks of a unified diff, from the first `@@` on; empty if nothing differs.
pub fn unified(old: &str, new: &str) -> String {
    unified_with(old, new, AROUND)
}

/// The same with another number of lines of context.
pub fn unified_with(old: &str, new: &str, around: usize) -> String {
    let (above, old, new) = without_equal_ends(old, new, around);
    let (old, new) = (split(old), split(new));
    let mut out = String::new();
    for group in group_diff_ops(compare(Algorithm::Myers, &old, &new), around) {
        let (Some(first), Some(last)) = (group.first(), group.last()) else { continue };
        let range = |start: usize, end: usize| match end - start {
            0 => format!("{},0", above + start),
            1 => format!("{}", above + start + 1),
            length => format!("{},{length}", above + start + 1),
        };
        let (removed, added) = (
            range(first.old_range().start, last.old_range().end),
            range(first.new_range().start, last.new_range().end),
        );
        out.push_str(&format!("@@ -{removed} +{added} @@\n"));
        for operation in &group {
            let (before, after) = (old.get(operation.old_range()), new.get(operation.new_range()));
            if operation.tag() == DiffTag::Equal {
                write(&mut out, ' ', before);
            } else {
                write(&mut out, '-', before);
                write(&mut out, '+', after);
            }
        }
    }
    out
}

/// The texts without the lines at both ends that are equal, but for some, and how many lines are
/// above: of a long text, only the changed part is split.
fn without_equal_ends<'t>(old: &'t str, new: &'t str, around: usize) -> (usize, &'t str, &'t str) {
    let Some(change) = difference(old, new) else { return (0, "", "") };
    let before = old.get(..change.span.start).unwrap_or_default();
    let after = old.get(change.span.end..).unwrap_or_default();
    // The last of these breaks ends the lines to leave out; the first ends a changed line.
    let start = before.rmatch_indices('\n').nth(around).map_or(0, |(at, _)| at + 1);
    let end = after.match_indices('\n').nth(around).map_or(after.len(), |(at, _)| at + 1);
    let above = before.get(..start).map_or(0, |above| above.matches('\n').count());
    let kept = |text: &'t str| text.get(start..text.len() - (after.len() - end)).unwrap_or(text);
    (above, kept(old), kept(new))
}

fn write(out: &mut String, sign: char, lines: Option<&[&str]>) {
    for line in lines.unwrap_or_default() {
        out.push(sign);
        out.push_str(line);
        if !line.ends_with('\n') {
            out.push_str("\n\\ No newline at end of file\n");
        }
    }
}

/// Git ends lines at `\n`, regardless of the character before it.
fn split(text: &str) -> Vec<&str> {
    text.split_inclusive('\n').collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hunks_have_context_and_say_where_the_last_line_does_not_end() {
        let old = "1\n2\n3\n4\n5\n6\n7\n8\n9\n";
        let expected = "@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-5\n+five\n 6\n 7\n 8\n";
        assert_eq!(unified(old, &old.replace('5', "five")), expected);
        assert_eq!(
            unified_with("a\nb\nc\n", "a\nb\nd", 0),
            "@@ -3 +3 @@\n-c\n+d\n\\ No newline at end of file\n"
        );
        assert_eq!(unified("", "a\n"), "@@ -0,0 +1 @@\n+a\n");
        assert_eq!(unified("same", "same"), "");
    }

    #[test]
    fn equal_lines_far_from_a_change_are_only_counted() {
        let old: String = (1..=100).map(|line| format!("é{line}\n")).collect();
        let hunk = "@@ -48,5 +48,6 @@\n é48\n é49\n-é50\n+è50\n+new\n é51\n é52\n";
        assert_eq!(unified_with(&old, &old.replace("é50\n", "è50\nnew\n"), 2), hunk);
        let twice = old.replace("é60\n", "é60\né60\n");
        assert_eq!(unified_with(&old, &twice, 0), "@@ -60,0 +61 @@\n+é60\n");
        assert_eq!(unified_with(&twice, &old, 0), "@@ -61 +60,0 @@\n-é60\n");
        let ends = format!("first\n{old}last");
        let hunks = "@@ -0,0 +1 @@\n+first\n@@ -100,0 +102 @@\n+last\n";
        assert_eq!(unified_with(&old, &ends, 0), format!("{hunks}\\ No newline at end of file\n"));
    }

    #[test]
    fn a_carriage_return_belongs_to_its_line() {
        assert_eq!(unified("a\r\nb\rc\n", "a\nb\rc\n"), "@@ -1,2 +1,2 @@\n-a\r\n+a\n b\rc\n");
    }
}
