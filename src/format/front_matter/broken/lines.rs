//! Values over several lines.

use super::{Broken, Chunk, Repair, key, reason};
use crate::format::front_matter;
use crate::text::{Edit, Span};
use crate::yaml;

impl Chunk {
    /// A value over several lines: a block scalar if they aren't indented, one line in quotes if
    /// they are.
    pub(super) fn lines(
        &self,
        text: &str,
        key: &str,
        (span, value): (Span, &str),
        known: &dyn Fn(&str) -> bool,
    ) -> Option<Broken> {
        let head = value.chars().next()?;
        if matches!(head, '[' | '{' | '"' | '\'' | '-' | '&' | '*' | '!') {
            return None;
        }
        let mut rest = value.split_inclusive('\n');
        let first = rest.next()?;
        let header = matches!(head, '|' | '>');
        let is_left = |line: &&str| !line.trim().is_empty() && !line.starts_with([' ', '\t']);
        let left = value.lines().skip(1).any(|line| is_left(&line));
        if !left && !header && value.lines().skip(1).all(|line| key_of_nested(line).is_none()) {
            let joined = value
                .lines()
                .map(str::trim)
                .filter(|line| !line.is_empty())
                .collect::<Vec<_>>()
                .join(" ");
            let edit = Edit::replace(span.clone(), yaml::quote(&joined));
            let safe = front_matter::is_meant_as_text(key, value);
            let repairs =
                vec![Repair { title: "Quote the value".to_owned(), edits: vec![edit], safe }];
            return Some(Broken {
                key: Some(key.to_owned()),
                span,
                message: reason(&format!("`{key}`"), value),
                repairs,
            });
        }
        if !left {
            return if header { self.started_block(text, key, span, value) } else { None };
        }
        let mut nested = value.lines().skip(1).take_while(|line| !is_left(line));
        if first.trim().is_empty() && nested.any(|line| key_of_nested(line).is_some()) {
            // A structure isn't text.
            return None;
        }
        let line_break = if text.contains("\r\n") { "\r\n" } else { "\n" };
        let mut block = String::new();
        let below: Vec<&str> =
            if header { rest.collect() } else { value.split_inclusive('\n').collect() };
        let started = if header { started_text(first.trim_end()) } else { None };
        match started {
            Some((indicator, text)) => {
                block.push_str(&format!("{indicator}{line_break}  {text}{line_break}"));
            }
            None => {
                block.push_str(if header { first.trim_end() } else { "|-" });
                block.push_str(line_break);
            }
        }
        let indented: Vec<String> = below
            .iter()
            .map(|line| {
                if line.trim().is_empty() {
                    line.trim_start_matches([' ', '\t']).to_owned()
                } else {
                    format!("  {line}")
                }
            })
            .collect();
        block.push_str(&indented.concat());
        let gap = text.get(..span.start).is_some_and(|before| before.ends_with(':'));
        let edit = Edit::replace(span.clone(), if gap { format!(" {block}") } else { block });
        let message = format!(
            "these lines are not part of `{key}`: YAML ends its value at the first line that isn't indented"
        );
        // A line that looks like a key may be one of another program, and a line that looks like
        // Markdown may belong to the body.
        let buries = |line: &str| {
            let line = line.trim_end();
            let rule = line.len() > 1 && line.chars().all(|dash| dash == '-');
            // `model : opus`, `model：opus`
            let word = line.split_once([':', '：']).map(|(word, _)| word.trim_end());
            let word = super::key(line).map(str::trim_end).or(word);
            rule || line.starts_with('#')
                || word.is_some_and(|word| known(word) || super::is_like_a_key(word))
        };
        let safe = front_matter::takes_prose(key) && !value.lines().skip(1).any(buries);
        // A name is never text over several lines.
        let repairs = if key == "name" {
            Vec::new()
        } else {
            vec![Repair { title: format!("Make `{key}` a block of text"), edits: vec![edit], safe }]
        };
        Some(Broken { key: Some(key.to_owned()), span, message, repairs })
    }

    /// A block whose text begins on the line of its indicator: `description: > Makes tea`.
    pub(super) fn started_block(
        &self,
        text: &str,
        key: &str,
        span: Span,
        value: &str,
    ) -> Option<Broken> {
        let mut lines = value.lines();
        let first = lines.next()?;
        let (indicator, started) = started_text(first.trim_end())?;
        let indents = lines.filter(|line| !line.trim().is_empty());
        let indent = indents.map(|line| line.len() - line.trim_start_matches(' ').len()).min();
        let indent = " ".repeat(indent.unwrap_or(2));
        let line_break = if text.contains("\r\n") { "\r\n" } else { "\n" };
        let edit = Edit::replace(
            span.start..span.start + first.trim_end().len(),
            format!("{indicator}{line_break}{indent}{started}"),
        );
        let repairs = vec![Repair {
            title: format!("Start the text below `{indicator}`"),
            edits: vec![edit],
            safe: is_meant_as_block(indicator, started),
        }];
        let message = format!(
            "`{indicator}` begins a block of text, which starts on the next line; text follows it in `{key}`"
        );
        Some(Broken { key: Some(key.to_owned()), span, message, repairs })
    }
}

/// The indicator of a block and the text after it on the same line.
fn started_text(line: &str) -> Option<(&str, &str)> {
    let rest = line.strip_prefix(['|', '>'])?;
    let text = rest.trim_start_matches(['+', '-']);
    let indicator = line.get(..line.len() - text.len())?;
    let started = text.trim_start();
    let is_text = started.len() < text.len() && !started.is_empty() && !started.starts_with('#');
    (is_text && indicator.len() <= 2).then_some((indicator, started))
}

/// Whether a sign before text starts a block and isn't part of the text: `> 90 % of all`, `| grep`.
fn is_meant_as_block(indicator: &str, text: &str) -> bool {
    let first = text.chars().next();
    indicator.len() > 1
        || first.is_some_and(|letter| letter.is_alphabetic() && !letter.is_lowercase())
}

fn key_of_nested(line: &str) -> Option<&str> {
    let line = line.trim_start();
    key(line).or_else(|| line.strip_prefix("- "))
}

#[cfg(test)]
mod tests {
    use super::super::{Broken, broken};
    use crate::text;
    use crate::yaml;

    fn found(text: &str) -> Vec<Broken> {
        broken(text, &yaml::parse(text).errors, &|word| ["name", "description"].contains(&word))
    }

    /// The titles of all repairs, with whether they are safe, and the text after each.
    fn repairs(text: &str) -> Vec<(String, bool, String)> {
        let repairs = found(text).into_iter().flat_map(|broken| broken.repairs);
        let after = |edits: &[text::Edit]| text::apply(text, edits).unwrap();
        repairs.map(|repair| (repair.title, repair.safe, after(&repair.edits))).collect()
    }

    #[test]
    fn keys_below_prose_are_never_buried_by_a_safe_repair() {
        // The sentence belongs to `overview`, although only `name` is known.
        let text = "name: Tea\noverview: Brew it in\nthe kettle 日本.\nsteps:\n\n  - id: a\n";
        for text in [text.to_owned(), text.replace('\n', "\r\n")] {
            let all = found(&text);
            assert_eq!(all[0].key.as_deref(), Some("overview"), "{all:#?}");
            let repairs = all.iter().flat_map(|broken| &broken.repairs);
            assert!(repairs.into_iter().all(|repair| !repair.safe), "{all:#?}");
        }
        // A line was pasted into a nested mapping.
        let text =
            "kind: fix\nparts:\n  one:\n    text: >\n      Brew\n\n**Note:** 🫖\n    by: me\n";
        assert_eq!(repairs(text), []);
        // The body doesn't belong to any key.
        for below in ["# Tea", "----", "--"] {
            let text = format!("name: tea\ndescription: Brews tea\n\n日本\n{below}\n\nServe it.\n");
            assert!(repairs(&text).iter().all(|(_, safe, _)| !safe), "{text}");
        }
        // The speakers of an example are not keys.
        let text = "name: tea\ndescription: Use it.\nuser: \"Tea\"\n<example>\n";
        assert_eq!(
            repairs(text),
            [(
                "Make `description` a block of text".to_owned(),
                true,
                "name: tea\ndescription: |-\n  Use it.\n  user: \"Tea\"\n  <example>\n".to_owned()
            )]
        );
    }

    #[test]
    fn text_after_the_indicator_of_a_block_starts_below_it() {
        for (text, after) in [
            ("description: > Brews: 日本\nname: t\n", "description: >\n  Brews: 日本\nname: t\n"),
            ("description: |- Brews\r\nname: t\r\n", "description: |-\r\n  Brews\r\nname: t\r\n"),
            (
                "description: > Brews\n    tea\nname: t\n",
                "description: >\n    Brews\n    tea\nname: t\n",
            ),
            ("description: > Brews\ntea\nname: t\n", "description: >\n  Brews\n  tea\nname: t\n"),
        ] {
            let all = repairs(text);
            assert_eq!((all[0].1, all[0].2.as_str()), (true, after), "{all:#?}");
            assert_eq!(all.len(), 1);
        }
        // The indicator may be part of the text.
        for text in
            ["compatibility: > 18: 日本\n", "description: | grep: x\n", "description: > a: b\n"]
        {
            let titles: Vec<_> =
                repairs(text).into_iter().map(|(title, safe, _)| (title, safe)).collect();
            assert_eq!(titles.last(), Some(&("Quote the value".to_owned(), false)), "{text}");
            assert!(titles.iter().all(|(_, safe)| !safe), "{text}");
        }
        assert_eq!(repairs("name: >5 items: yes\n")[0].0, "Quote the value");
        // A comment may follow it.
        assert_eq!(repairs("description: > # why\n  Brews\nname: t\n"), []);
    }

    #[test]
    fn quoted_strings_in_a_row_are_a_list() {
        let text = "paths: \"**/*.ts\", '日本/**'\nname: t\n";
        let all = found(text);
        assert_eq!(text.get(all[0].span.clone()), Some("\"**/*.ts\", '日本/**'"));
        assert_eq!(
            repairs(text),
            [(
                "Make it a list".to_owned(),
                false,
                "paths: [\"**/*.ts\", '日本/**']\nname: t\n".to_owned()
            )]
        );
        let one = repairs("description: \"say \"no\", and go\"\n");
        assert_eq!(one[0].0, "Quote the value");
    }
}
