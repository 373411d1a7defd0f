use proptest::prelude::*;

use super::super::*;
use crate::growth;

/// Properties of the tree of any text.
fn check(text: &str) -> Tree {
    let tree = parse(text);
    let fits = |span: &Span| span.start <= span.end && text.get(span.clone()).is_some();
    for error in &tree.errors {
        assert!(fits(&error.span), "{text:?}: {error:?}");
        assert!(!error.span.is_empty() && !error.message.ends_with('.'), "{text:?}: {error:?}");
    }
    assert!(
        tree.comments
            .iter()
            .all(|span| text.get(span.clone()).is_some_and(|comment| comment.starts_with('#'))),
        "{text:?} {:?}",
        tree.comments
    );
    if let Some(root) = &tree.root {
        nested(text, root, &(0..text.len()));
        let anchors = tree.anchors();
        let _ = to_json(root, &anchors);
        for offset in 0..=text.len() {
            let _ = at(root, offset);
        }
    }
    for offset in 0..=text.len() + 1 {
        let context = position_context(&tree, text, offset);
        assert!(fits(&context.partial), "{text:?} at {offset}: {context:?}");
    }
    tree
}

fn nested(text: &str, node: &Node, within: &Span) {
    let inside = |span: &Span, outer: &Span| {
        span.start >= outer.start && span.end <= outer.end && text.get(span.clone()).is_some()
    };
    assert!(inside(&node.span, within), "{text:?}: {node:?} within {within:?}");
    for (_, span) in node.tag.iter().chain(&node.anchor) {
        assert!(inside(span, &(0..text.len())), "{text:?}: {node:?}");
    }
    match &node.kind {
        Kind::Sequence(sequence) => {
            sequence.items.iter().for_each(|item| nested(text, item, &node.span))
        }
        Kind::Mapping(mapping) => {
            for entry in &mapping.entries {
                assert!(
                    inside(&entry.span, &node.span),
                    "{text:?}: {entry:?} within {:?}",
                    node.span
                );
                nested(text, &entry.key, &entry.span);
                nested(text, &entry.value, &entry.span);
                for edit in remove_entry(text, entry).into_iter().chain(replace_value(entry, "x")) {
                    assert!(text.get(edit.span.clone()).is_some(), "{text:?}: {edit:?}");
                }
            }
        }
        _ => {}
    }
}

/// Fragments with a meaning in YAML, combined at random.
fn pieces() -> impl Strategy<Value = String> {
    let piece = prop::sample::select(vec![
        "a", "b: ", "key:", " ", "  ", "\n", "\r\n", "\r", "\t", "- ", "-", "[", "]", "{", "}",
        ",", ":", "\"", "'", "#", " # c", "|", ">", "|-\n", "&x ", "*x", "!t ", "!!str ", "<<: ",
        "---\n", "...\n", "%", "@", "`", "? ", "\\", "é", "漢", "🎉", "\0", "null", "1", "\n  ",
        "\n    ", "\n- ", "\na: ", "{{ .x }}", "\u{85}", "\u{2028}", "\u{feff}",
    ]);
    prop::collection::vec(piece, 0..40).prop_map(|pieces| pieces.concat())
}

/// Valid top-level entries.
fn entry() -> impl Strategy<Value = String> {
    prop::sample::select(vec![
        "{}: text",
        "{}: \"quoted: text\"",
        "{}: [a, b, \"c d\"] # comment",
        "{}: {type: string, required: true}",
        "{}:",
        "{}: |\n  literal: text\n\n    more",
        "{}: >-\n  folded\n  text",
        "{}:\n  type: object\n  properties:\n    x: {type: string}\n    y:\n      type: integer\n  required: [x]",
        "{}:\n  - name: x\n    command: y\n  - name: z\n    args: [\"-y\", b]",
        "{}:\n- a\n- b",
        "# comment\n{}: 'it''s'",
        "{}: plain\n  over lines",
        "{}: [a,\n  b\n]",
        "{}: é漢🎉",
    ])
    .prop_map(String::from)
}

fn document() -> impl Strategy<Value = Vec<String>> {
    prop::collection::vec(entry(), 1..6).prop_map(|entries| {
        entries
            .iter()
            .enumerate()
            .map(|(index, entry)| entry.replacen("{}", &format!("key{index}"), 1))
            .collect()
    })
}

fn broken() -> impl Strategy<Value = String> {
    prop::sample::select(vec![
        "half",
        "bad: a: b",
        "bad: @x",
        "bad: `x`",
        "bad: %x",
        "bad: *.md",
        "bad: [x] y",
        "bad: \"x\" y",
        "bad: \"x",
        "bad: 'x",
        "bad: [x",
        "bad: {x: y",
        "bad: - x",
        "bad:value",
        "bad: {{ .x }} y",
        "bad:\n\tx: y",
        "bad: x\n    y: z",
        "bad:\n    x: y\n  z: w",
        "- item",
        "@",
        "]",
        "}",
        "bad: ]",
        "bad: & x",
        "bad: !!! x",
        "bad: \"\\d\"",
        "bad: |x",
        "bad: {a b: c d: e}",
        "? [",
        "bad: [a, b}",
        "\"bad",
        "[bad",
        "*bad",
        "%bad",
        "bad\n  worse: x",
    ])
    .prop_map(String::from)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: std::env::var("YAML_CASES").ok().and_then(|cases| cases.parse().ok()).unwrap_or(256), ..ProptestConfig::default() })]

    #[test]
    fn any_text_is_read(text in "\\PC{0,60}|[ -~\n\t]{0,80}") {
        check(&text);
    }

    #[test]
    fn hostile_text_is_read(text in pieces()) {
        check(&text);
    }

    #[test]
    fn valid_text_has_no_errors(entries in document(), crlf in any::<bool>()) {
        let text = entries.join("\n") + "\n";
        let text = if crlf { text.replace('\n', "\r\n") } else { text };
        let tree = check(&text);
        prop_assert_eq!(&tree.errors, &vec![], "{}", text);
        prop_assert_eq!(tree.entries().count(), entries.len());
    }

    #[test]
    fn one_broken_line_affects_no_other_entry(entries in document(), broken in broken(), place in any::<prop::sample::Index>()) {
        let mut lines = entries.clone();
        lines.insert(place.index(entries.len() + 1), broken.clone());
        let text = lines.join("\n") + "\n";
        let tree = check(&text);
        let whole = parse(&entries.join("\n"));
        // An item may belong to the key above.
        prop_assume!(!(broken == "- item" && tree.errors.is_empty()));
        prop_assert!(!tree.errors.is_empty(), "{}", text);
        for entry in whole.entries() {
            let key = entry.key.as_str().unwrap_or_default();
            let kept = tree.get(key).map(|kept| super::picture(&kept.value));
            if broken == "- item" {
                prop_assert!(kept.is_some(), "{}", text);
                continue;
            }
            prop_assert_eq!(kept, Some(super::picture(&entry.value)), "{}\n{:?}", text, tree.errors);
        }
    }

    #[test]
    fn a_printed_scalar_reads_back(value in "\\PC{0,30}|[ -~\n\t\r]{0,30}|[-?:,\\[\\]{}#&*!|>'\"%@` a]{0,6}") {
        for printed in [print_scalar(&value), quote(&value)] {
            let text = format!("k: {printed}\nz: 1\n");
            let tree = check(&text);
            prop_assert_eq!(&tree.errors, &vec![], "{:?}", text);
            let read = tree.get("k").map(|entry| (entry.value.as_str().map(str::to_string), scalar_type(&entry.value)));
            prop_assert_eq!(read, Some((Some(value.clone()), ScalarType::Str)), "{:?}", text);
        }
        let text = format!("k: [{}, {{a: {}}}]\n", print_flow_scalar(&value), print_flow_scalar(&value));
        let tree = parse(&text);
        let json = tree.root.as_ref().map(|root| to_json(root, &tree.anchors()).value);
        prop_assert_eq!(json, Some(serde_json::json!({"k": [value, {"a": value}]})), "{:?}", text);
    }

    #[test]
    fn an_inserted_entry_exists_and_can_be_removed(entries in document(), crlf in any::<bool>(), last in any::<bool>()) {
        let text = entries.join("\n") + if last { "\n" } else { "" };
        let text = if crlf { text.replace('\n', "\r\n") } else { text };
        let tree = parse(&text);
        let edits = insert_entry(&text, &tree, &[], "added", "value", None);
        let after = apply(&text, &edits);
        let grown = parse(&after);
        prop_assert_eq!(&grown.errors, &vec![], "{}", after);
        prop_assert_eq!(grown.get("added").and_then(|entry| entry.value.as_str()), Some("value"));
        prop_assert_eq!(grown.entries().count(), entries.len() + 1);
        let removed = apply(&after, &remove_entry(&after, grown.get("added").unwrap()));
        prop_assert_eq!(removed, text);
    }

    #[test]
    fn removing_an_entry_changes_nothing_else(entries in document(), which in any::<prop::sample::Index>()) {
        let text = entries.join("\n") + "\n";
        let tree = parse(&text);
        let key = format!("key{}", which.index(entries.len()));
        let after = parse(&apply(&text, &remove_entry(&text, tree.get(&key).unwrap())));
        prop_assert_eq!(&after.errors, &vec![]);
        let others = |tree: &Tree| tree.entries().filter(|entry| entry.key.as_str() != Some(&key)).map(|entry| super::picture(&entry.value)).collect::<Vec<_>>();
        prop_assert_eq!(others(&after), others(&tree));
        prop_assert!(after.get(&key).is_none());
    }
}

pub fn apply(text: &str, edits: &[crate::text::Edit]) -> String {
    let mut text = text.to_string();
    for edit in edits.iter().rev() {
        text.replace_range(edit.span.clone(), &edit.text);
    }
    text
}

/// Text in many shapes, each of about this many bytes.
fn hostile(size: usize) -> Vec<(&'static str, String)> {
    let levels = (18 * size).isqrt();
    let deep: String = (0..levels).map(|depth| format!("{}a:\n", " ".repeat(depth))).collect();
    let deep_broken: String =
        (0..levels).map(|depth| format!("{}a: b: c\n", " ".repeat(depth))).collect();
    let dashes: String =
        (0..levels * 2 / 3).map(|depth| format!("{}- @x\n", " ".repeat(depth))).collect();
    let wide: String = "input:\n".to_string() + &"  bad: a: b\n".repeat(size / 12);
    let anchors: String = (0..size / 16).map(|index| format!("k{index}: &a{index} v\n")).collect();
    let aliases: String = (0..size / 16).map(|index| format!("k{index}: *a{index}\n")).collect();
    let chain: String = "a0: &a0 [x]\n".to_string()
        + &(1..size / 20)
            .map(|index| format!("a{index}: &a{index} [*a{}]\n", index - 1))
            .collect::<String>();
    vec![
        ("[", "[".repeat(size)),
        ("{", "{".repeat(size)),
        ("a: [", "a: [".repeat(size / 4)),
        ("- ", "- ".repeat(size / 2)),
        ("- @", "- @\n".repeat(size / 4)),
        ("dash lines", "-\n".repeat(size / 2)),
        ("dash keys", "- a: b: c\n".repeat(size / 10)),
        ("quotes", "a: \"\n".repeat(size / 5)),
        ("brackets", "a: [\n".repeat(size / 5)),
        ("braces", "a: {b: \"\n".repeat(size / 9)),
        ("colons", "a: ".repeat(size / 3)),
        ("broken lines", "a: @b\n".repeat(size / 6)),
        ("half lines", "word\n".repeat(size / 5)),
        ("tabs", "\ta: b\n".repeat(size / 6)),
        (
            "staircase of tabs",
            (0..levels).map(|depth| format!("{}a:\n", "\t".repeat(depth))).collect(),
        ),
        ("over-indented", "a: b\n  c: d\n".repeat(size / 12)),
        ("unaligned", "a:\n    b: c\n  d: e\n".repeat(size / 20)),
        ("comments", "# c\n".repeat(size / 4) + "a: @b"),
        ("blank lines", "\n".repeat(size) + "a: @b"),
        ("one line", "a: ".to_string() + &"x".repeat(50 * size) + ": y"),
        ("one quoted line", "a: \"".to_string() + &"\\d".repeat(size / 2) + "\""),
        ("blanks", "a: b".to_string() + &" ".repeat(size) + ": c"),
        ("hashes", "a: @".to_string() + &"#".repeat(size)),
        ("? ", "? ".repeat(size / 2)),
        ("!", "a: !\n".repeat(size / 5) + "@"),
        ("templates", "a: {{ .x }}\n".repeat(size / 12)),
        ("nul", "\0".repeat(size)),
        ("markers", "---\n".repeat(size / 4)),
        ("quoted items", "- \"a\"\n".repeat(size / 6)),
        ("open quoted items", "- \"a\n".repeat(size / 5)),
        ("open items", "- [a\n".repeat(size / 5)),
        ("closing", "a: [[[[\n".to_string() + &"]\n".repeat(size / 2) + "x"),
        ("deep", deep),
        ("deep broken", deep_broken),
        ("deep items", dashes),
        ("wide", wide),
        ("anchors", anchors + "x: @y"),
        ("aliases", aliases),
        ("chain", chain),
    ]
}

#[test]
fn hostile_sizes_are_read_quickly() {
    let size = if cfg!(debug_assertions) { 20_000 } else { 200_000 };
    for (index, (name, _)) in hostile(1).into_iter().enumerate() {
        growth::is_linear(
            name,
            size,
            |size| hostile(size).swap_remove(index).1,
            |text| {
                let tree = parse(&text);
                if let Some(root) = &tree.root {
                    let _ = to_json(root, &tree.anchors());
                }
                for offset in [0, text.len() / 2, text.len()] {
                    let _ = position_context(&tree, &text, offset);
                }
            },
        );
    }
}
