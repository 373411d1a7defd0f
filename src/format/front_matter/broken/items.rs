//! Lists with items that YAML can't read: `- *.ts`, `[a, @b]`.

use super::{Broken, Chunk, Repair, reason};
use crate::format::front_matter;
use crate::text::{self, Edit, Span};
use crate::yaml;

impl Chunk {
    /// Whether the value is meant as a list: items below the key, or brackets around all of it.
    pub(super) fn is_list(&self, text: &str) -> bool {
        let Some(key) = &self.key else { return false };
        let value = text.get(self.value_span(text)).unwrap_or_default();
        let dash = || value.trim_start().starts_with("- ") && value.starts_with(['\n', '\r', '#']);
        items(key, value).is_some() || dash()
    }

    /// The items that YAML can't read, quoted. `None` if YAML can't read the list for another
    /// reason.
    pub(super) fn items(&self, text: &str, key: &str, span: &Span, value: &str) -> Option<Broken> {
        let list = items(key, value)?;
        let read = |item: &&Span| {
            let item = value.get((*item).clone()).unwrap_or_default();
            let alone = if list.flow { format!("[{item}]") } else { format!("- {item}") };
            yaml::parse(&alone).errors.is_empty()
        };
        let bad: Vec<&Span> = list.spans.iter().filter(|item| !read(item)).collect();
        let written = |item: &Span| value.get(item.clone()).unwrap_or_default();
        if bad.is_empty() || bad.iter().any(|item| written(item).contains('\n')) {
            return None;
        }
        let edits: Vec<Edit> = bad
            .iter()
            .map(|item| {
                let at = span.start + item.start..span.start + item.end;
                Edit::replace(at, front_matter::in_quotes(written(item)))
            })
            .collect();
        let local = edits.iter().map(|edit| Edit {
            span: edit.span.start - self.span.start..edit.span.end - self.span.start,
            text: edit.text.clone(),
        });
        let repaired = text::apply(self.text(text), &local.collect::<Vec<_>>()).ok()?;
        let tree = yaml::parse(&repaired);
        let entry = tree.entries().next()?;
        let same = entry.value.as_sequence()?.items.len() == list.spans.len();
        if !tree.errors.is_empty() || !same {
            return None;
        }
        let first = *bad.first()?;
        let others = match bad.len() - 1 {
            0 => String::new(),
            1 => ", and 1 other item".to_owned(),
            more => format!(", and {more} other items"),
        };
        let repairs = vec![Repair {
            title: if bad.len() == 1 { "Quote the item" } else { "Quote the items" }.to_owned(),
            edits,
            safe: bad.iter().all(|item| front_matter::is_meant_as_text(key, written(item))),
        }];
        Some(Broken {
            key: Some(key.to_owned()),
            span: span.start + first.start..span.start + first.end,
            message: format!("{}{others}", reason(&format!("an item of `{key}`"), written(first))),
            repairs,
        })
    }
}

/// The items of a list, in bytes of its value.
struct Items {
    spans: Vec<Span>,
    flow: bool,
}

fn items(key: &str, value: &str) -> Option<Items> {
    if value.starts_with('[') {
        // `argument-hint: [a: b]` is text.
        if front_matter::is_text_key(&key.to_lowercase()) {
            return None;
        }
        return in_brackets(value).map(|spans| Items { spans, flow: true });
    }
    below(value).map(|spans| Items { spans, flow: false })
}

/// The items on their own lines below a key.
fn below(value: &str) -> Option<Vec<Span>> {
    let mut spans: Vec<Span> = Vec::new();
    let mut indent = None;
    let mut at = 0;
    for line in value.split_inclusive('\n') {
        let start = at;
        at += line.len();
        let content = line.trim_end();
        let lead = content.len() - content.trim_start_matches(' ').len();
        let begun = content.get(lead..).unwrap_or_default();
        // The rest of the line with the key is empty.
        if begun.is_empty() || begun.starts_with('#') {
            continue;
        }
        if start == 0 {
            return None;
        }
        let dash = begun == "-" || begun.starts_with("- ");
        match indent {
            _ if dash && indent.is_none_or(|indent| indent == lead) => {
                indent = Some(lead);
                let item = begun.trim_start_matches('-').trim_start_matches(' ');
                spans.push(start + content.len() - item.len()..start + content.len());
            }
            Some(indent) if lead > indent => {
                if let Some(last) = spans.last_mut() {
                    last.end = start + content.len();
                }
            }
            _ => return None,
        }
    }
    (!spans.is_empty()).then_some(spans)
}

/// The items between brackets that enclose a whole value.
fn in_brackets(value: &str) -> Option<Vec<Span>> {
    let mut spans = Vec::new();
    let mut open = Vec::new();
    let mut quote = None;
    let mut begin = 1;
    let mut push = |span: Span| {
        let item = value.get(span.clone()).unwrap_or_default();
        let start = span.start + item.len() - item.trim_start().len();
        if !item.trim().is_empty() {
            spans.push(start..start + item.trim().len());
        }
    };
    for (at, letter) in value.char_indices() {
        let starts_item = value.get(begin..at).is_some_and(|before| before.trim().is_empty());
        match letter {
            _ if quote == Some(letter) => quote = None,
            _ if quote.is_some() => {}
            '"' | '\'' if starts_item || open.len() > 1 => quote = Some(letter),
            '[' => open.push(']'),
            '{' => open.push('}'),
            ']' | '}' => {
                if open.pop() != Some(letter) {
                    return None;
                }
                if open.is_empty() {
                    push(begin..at);
                    return (at + 1 == value.len()).then_some(spans);
                }
            }
            ',' if open.len() == 1 => {
                push(begin..at);
                begin = at + 1;
            }
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::super::{Broken, broken};
    use crate::text;
    use crate::yaml;

    fn found(text: &str) -> Vec<Broken> {
        broken(text, &yaml::parse(text).errors, &|word| ["name", "paths"].contains(&word))
    }

    #[test]
    fn each_item_that_yaml_cannot_read_is_quoted() {
        for (list, wrong, after) in [
            ("\n- **/*.ts\n- src/**\n", "**/*.ts", "\n- \"**/*.ts\"\n- src/**\n"),
            ("\n- *.ts\n", "*.ts", "\n- \"*.ts\"\n"),
            ("\n- \"**/*.ts\"\n- **/*.js\n", "**/*.js", "\n- \"**/*.ts\"\n- \"**/*.js\"\n"),
            ("\n- src/**\n\n- **/*.日本\n", "**/*.日本", "\n- src/**\n\n- \"**/*.日本\"\n"),
            ("\n- {src,lib}/**\n- x/**\n", "{src,lib}/**", "\n- \"{src,lib}/**\"\n- x/**\n"),
            ("\n  - @a/b\n  - `c`\n", "@a/b", "\n  - \"@a/b\"\n  - \"`c`\"\n"),
            ("\n    - *.ts\n", "*.ts", "\n    - \"*.ts\"\n"),
            (" [*.ts, *.js]\n", "*.ts", " [\"*.ts\", \"*.js\"]\n"),
            (" [a, @b]\n", "@b", " [a, \"@b\"]\n"),
            (
                " [src/**/*.{ts,js}, \"a, b\"]\n",
                "src/**/*.{ts,js}",
                " [\"src/**/*.{ts,js}\", \"a, b\"]\n",
            ),
            (" [\n  a,\n  *.ts,\n]\n", "*.ts", " [\n  a,\n  \"*.ts\",\n]\n"),
        ] {
            for ending in ["\n", "\r\n"] {
                let text = format!("name: a\npaths:{list}license: MIT\n").replace('\n', ending);
                let all = found(&text);
                assert_eq!(all.len(), 1, "{text:?}: {all:#?}");
                assert_eq!(text.get(all[0].span.clone()), Some(wrong), "{text:?}");
                let repair = &all[0].repairs[0];
                assert!(repair.safe, "{text:?}");
                let expected = format!("name: a\npaths:{after}license: MIT\n");
                assert_eq!(
                    text::apply(&text, &repair.edits).unwrap(),
                    expected.replace('\n', ending)
                );
            }
        }
    }

    #[test]
    fn a_list_never_becomes_text() {
        for (text, titles) in [
            // An item that may be a mapping with a mistake only gets a suggestion.
            ("tags:\n- a: b: c\n- d\n", &["Quote the item"] as &[&str]),
            ("tags: [a: b: c]\n", &["Quote the item"]),
            ("description:\n- a\n- b\nand prose\n", &["Make `description` a block of text"]),
            ("tags: [@a] [b]\n", &["Quote the value"]),
        ] {
            let all = found(text);
            let repairs: Vec<_> = all.iter().flat_map(|broken| &broken.repairs).collect();
            assert!(repairs.iter().all(|repair| !repair.safe), "{text}: {all:#?}");
            let offered: Vec<_> = repairs.iter().map(|repair| repair.title.as_str()).collect();
            assert_eq!(offered, titles, "{text}");
        }
        let text = "tags: [a, b: c: d]\nname: x\n";
        assert_eq!(
            found(text)[0].message,
            "an item of `tags` contains `: `, which YAML reads as a new key; quote the value"
        );
    }
}
