//! Markdown as plain text, for clients that don't render it.

use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};

/// The text of Markdown without its markers: links become their text, fences their content.
pub fn plain(markdown: &str) -> String {
    let mut out = Plain::default();
    let options = Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH;
    Parser::new_ext(markdown, options).for_each(|event| out.take(event));
    out.text.truncate(out.text.trim_end().len());
    out.text
}

#[derive(Default)]
struct Plain {
    text: String,
    /// The next number of each list around the text; `None` for bullets.
    lists: Vec<Option<u64>>,
    /// A marker was written, so the paragraph after it stays on its line.
    marked: bool,
}

impl Plain {
    fn take(&mut self, event: Event) {
        match event {
            Event::Start(tag) => self.start(&tag),
            Event::End(tag) => self.end(tag),
            Event::Text(text) | Event::Code(text) | Event::Html(text) | Event::InlineHtml(text) => {
                self.write(&text)
            }
            Event::SoftBreak | Event::HardBreak => self.write("\n"),
            Event::Rule => {
                self.block();
                self.write("---");
            }
            _ => {}
        }
    }

    fn start(&mut self, tag: &Tag) {
        match tag {
            Tag::Paragraph
            | Tag::Heading { .. }
            | Tag::CodeBlock(_)
            | Tag::HtmlBlock
            | Tag::Table(_) => self.block(),
            Tag::List(first) => {
                if self.lists.is_empty() {
                    self.block();
                }
                self.lists.push(*first);
            }
            Tag::Item => {
                self.line();
                self.text.push_str(&"  ".repeat(self.lists.len().saturating_sub(1)));
                match self.lists.last_mut() {
                    Some(Some(number)) => {
                        self.text.push_str(&format!("{number}. "));
                        *number += 1;
                    }
                    _ => self.text.push_str("- "),
                }
                self.marked = true;
            }
            Tag::TableRow => self.line(),
            Tag::TableCell if !self.text.is_empty() && !self.text.ends_with('\n') => {
                self.text.push_str("  ");
            }
            _ => {}
        }
    }

    fn end(&mut self, tag: TagEnd) {
        match tag {
            TagEnd::List(_) => {
                self.lists.pop();
                self.marked = false;
            }
            TagEnd::CodeBlock => self.text.truncate(self.text.trim_end_matches('\n').len()),
            _ => {}
        }
    }

    fn write(&mut self, text: &str) {
        self.text.push_str(text);
        self.marked = false;
    }

    /// Begins a line.
    fn line(&mut self) {
        if !self.text.is_empty() && !self.text.ends_with('\n') {
            self.text.push('\n');
        }
    }

    /// Begins a block, after a blank line.
    fn block(&mut self) {
        if self.text.is_empty() || std::mem::take(&mut self.marked) {
            return;
        }
        self.line();
        if !self.text.ends_with("\n\n") {
            self.text.push('\n');
        }
    }
}

#[cfg(test)]
mod tests {
    use super::plain;

    #[test]
    fn markers_are_removed_and_text_is_kept() {
        for (markdown, expected) in [
            ("", ""),
            (
                "**tea** (skill) in `a/b.md`\n\nMakes *tea* 🦆.",
                "tea (skill) in a/b.md\n\nMakes tea 🦆.",
            ),
            ("[the page](https://x.y/z) and <https://a.b>", "the page and https://a.b"),
            ("A:\n\n```yaml\na: *b\n\nc: `d`\n```\n\nB", "A:\n\na: *b\n\nc: `d`\n\nB"),
            ("# H\ntext\nmore", "H\n\ntext\nmore"),
            ("- a\n- b\n  - c\n\nd", "- a\n- b\n  - c\n\nd"),
            ("2. a\n3. b", "2. a\n3. b"),
            ("- a\n\n- b", "- a\n- b"),
            ("a\n\n---\n\nb", "a\n\n---\n\nb"),
            ("| a | b |\n|---|---|\n| `1` | 2 |", "a  b\n1  2"),
            ("a \\* b &amp; c", "a * b & c"),
        ] {
            assert_eq!(plain(markdown), expected, "{markdown:?}");
        }
    }
}
