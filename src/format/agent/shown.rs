//! Documents that a document only shows: text in a `markdown` fence that contains fences itself.
//! For Markdown, such a fence ends at the first inner one; its author and a model see all of it.

use crate::source::Source;
use crate::text::Span;

/// An open fence: its mark and their number.
struct Open {
    mark: char,
    length: usize,
}

/// The contents of fences around shown documents, with fences paired as the author meant them.
/// Excludes fences without inner ones, and unclosed ones.
pub fn spans(source: &Source) -> Vec<Span> {
    let text = source.slice(0..source.len());
    let mut found = Vec::new();
    let mut open: Vec<Open> = Vec::new();
    let (mut start, mut document, mut nested) = (0, false, false);
    let mut at = 0;
    let mut lines = text.split_inclusive('\n').peekable();
    let mut after_blank = true;
    while let Some(line) = lines.next() {
        let begin = at;
        at += line.len();
        let line = line.trim();
        let blank = std::mem::replace(&mut after_blank, line.is_empty());
        let Some(mark) = line.chars().next().filter(|mark| matches!(mark, '`' | '~')) else {
            continue;
        };
        let length = line.chars().take_while(|letter| *letter == mark).count();
        let info = line.get(length..).unwrap_or_default().trim();
        if length < 3 || info.contains('`') {
            continue;
        }
        match open.last() {
            // Between a blank line and text, a fence opens rather than closes.
            Some(_)
                if info.is_empty()
                    && document
                    && blank
                    && lines.peek().is_some_and(|next| !next.trim().is_empty()) =>
            {
                nested = true;
                open.push(Open { mark, length });
            }
            Some(last) if info.is_empty() => {
                if last.mark == mark && length >= last.length {
                    open.pop();
                    if open.is_empty() && document && nested {
                        found.push(start..begin);
                    }
                }
            }
            Some(_) => {
                nested = true;
                open.push(Open { mark, length });
            }
            None => {
                let language = info.split([' ', '{', ',']).next().unwrap_or_default();
                document = matches!(language, "markdown" | "md" | "mdx");
                nested = false;
                start = at;
                open.push(Open { mark, length });
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn documents_that_contain_fences() {
        for (text, shown) in [
            ("```markdown\nA\n```sh\nls\n```\nB\n```\nC\n", vec!["A\n```sh\nls\n```\nB\n"]),
            (
                "```md\r\n日本\r\n```sh\r\nls\r\n```\r\n🦆\r\n```\r\n",
                vec!["日本\r\n```sh\r\nls\r\n```\r\n🦆\r\n"],
            ),
            // No inner fence, not a document, longer outer marks, unclosed.
            ("```markdown\nA\n```\nB\n", vec![]),
            ("```text\nA\n```sh\nls\n```\nB\n```\n", vec![]),
            ("````markdown\nA\n```sh\nls\n```\nB\n````\n", vec!["A\n```sh\nls\n```\nB\n"]),
            ("```markdown\nA\n```sh\nls\n```\nB\n", vec![]),
            (
                "```md\nA\n\n```\nsrc/\n```\n\nSee [b](c.md).\n```\n\nD\n",
                vec!["A\n\n```\nsrc/\n```\n\nSee [b](c.md).\n"],
            ),
            ("", vec![]),
        ] {
            let source = Source::new(text);
            let found: Vec<&str> = spans(&source).into_iter().map(|span| &text[span]).collect();
            assert_eq!(found, shown, "{text:?}");
        }
    }

    proptest::proptest! {
        #[test]
        fn parts_lie_on_characters(text in "(`{1,5}|~{3}|markdown|sh|\\r?\\n|🦆| ){0,40}") {
            let source = Source::new(&text);
            for span in spans(&source) {
                proptest::prop_assert!(text.get(span).is_some());
            }
        }
    }
}
