//! The body of a program and its units, including after edits.

use std::sync::Arc;

use proptest::prelude::*;

use super::super::body::{Body, PlacedGroup};
use crate::source::Source;
use crate::source::parts::GROUP;
use crate::template::parse;
use crate::text::Edit;

fn body(text: &str) -> Body {
    Body::read(&Source::new(text), None)
}

fn units(text: &str) -> Vec<String> {
    body(text).units().map(|unit| text.get(unit.span()).unwrap().to_owned()).collect()
}

const FRONT: &str = "---\nname: x\ninput: {}\n---\n";

#[test]
fn a_unit_ends_with_a_section_and_nothing_open() {
    let cases: &[&[&str]] = &[
        &["\nText {{ .a }}\n\n", "# One\n\nc\n\n", "# Two\n"],
        &["# A {{ if .x }}\n\n# B\n\n{{ end }}\n\n", "# C\n"],
        &["# A {{ `\n# B\n` }}\n\n", "# C\n"],
        &["# A {{/*\n# B\n*/}}\n\n", "# C\n"],
        &["# A\n\n{{- .x -}}\n\n", "# B\n\n"],
        &["# A {{ .us\n\n", "# B\n\n", "# C {{ .x }}\n"],
        &["# A {{/* x\n\n", "# B\n\n", "# C\n"],
        &["# A {{ if .x }}\n\n# B\n\n# C\n"],
        &["```\n# A {{ .x }}\n```\n\n", "# B\n"],
        &["# A {{ define \"a\" }}\n\n# B\n\n{{ end }}\n\n", "# C\n"],
    ];
    for expected in cases {
        let text = FRONT.to_owned() + &expected.concat();
        assert_eq!(units(&text), *expected);
    }
    assert_eq!(
        units("# A {{ .x }}\n\n# B\n"),
        ["# A {{ .x }}\n\n", "# B\n"],
        "a document without front matter is all body"
    );
    assert_eq!(units(FRONT), <[&str; 0]>::default());
}

#[test]
fn variables_are_known_in_later_units() {
    let text = FRONT.to_owned()
        + "{{ $a := 1 }}\n\n# B\n\n{{ $a }}{{ if $b := 2 }}{{ $c := 1 }}{{ end }}\n\n# C\n\n{{ $d := $a }}{{ $b }}\n\n# D\n";
    let body = body(&text);
    let outer: Vec<_> = body.units().map(|unit| unit.outer.to_vec()).collect();
    assert_eq!(outer, [&[] as &[&str], &["$a"], &["$a"], &["$a", "$d"]]);
    let errors: Vec<&str> =
        body.errors().map(|(unit, error)| text.get(unit.absolute(&error.span)).unwrap()).collect();
    assert_eq!(errors, ["$b"]);
}

#[test]
fn the_first_nonempty_definition_is_used() {
    let text = "# A\n\n{{ define \"a\" }}{{ end }}{{ define \"b\" }}1{{ end }}\n\n# B\n\n{{ define \"a\" }}2{{ end }}\n\n# C\n\n\
                {{ define \"a\" }} {{/* c */}} {{ end }}{{ block `b` . }}3{{ end }}{{ define \"b\" }}4{{ end }}\n";
    let body = body(text);
    let found: Vec<_> =
        body.definitions().iter().map(|found| (found.name.as_str(), found.unit)).collect();
    assert_eq!(found, [("a", 1), ("b", 0)]);
    assert_eq!(body.definition("a").map(|found| found.unit), Some(1));
    let unit = |index: usize| body.unit(index).unwrap();
    let shown: Vec<_> = body
        .duplicates()
        .iter()
        .map(|found| &found.definition)
        .map(|found| text.get(unit(found.unit).absolute(&found.name_span)).unwrap())
        .collect();
    assert_eq!(shown, ["`b`", "\"b\""]);
}

#[test]
fn an_edit_parses_its_own_unit_alone() {
    let section = "# Title\n\nText {{ .who }} and {{ if .x }}more{{ end }}.\n\n";
    let text = FRONT.to_owned() + &section.repeat(200);
    let source = Source::new(&text);
    let before = Body::read(&source, None);
    let place = FRONT.len() + section.len() * 100 + section.find("Text").unwrap();
    for typed in ["x", "{{ .y }}", "{{ .us", "{{ ` }}", "{{/* "] {
        let edited = source.edit(&Edit::insert(place, typed));
        let after = Body::read(&edited, Some(&before));
        let kept = after
            .units()
            .filter(|unit| before.units().any(|old| Arc::ptr_eq(&old.template, &unit.template)))
            .count();
        assert_eq!(
            (before.units().count(), after.units().count(), kept),
            (200, 200, 199),
            "{typed}"
        );
    }
    let unit = before.unit_at(place).unwrap();
    assert_eq!(unit.start, FRONT.len() + section.len() * 100);
    assert!(before.unit_at(text.len()).is_some());
    assert!(before.unit_at(3).is_none());
}

#[test]
fn an_edit_keeps_the_groups_around_it() {
    let section = "# Title\n\nText {{ .who }}.\n\n";
    let mut text = FRONT.to_owned() + &section.repeat(200);
    let mut source = Source::new(&text);
    let mut body = Body::read(&source, None);
    for step in 0..300 {
        // Sections are added, removed and changed all over the body.
        let at = FRONT.len() + section.len() * (step * 37 % 150);
        let edit = match step % 3 {
            0 => Edit::insert(at, section.repeat(step % 20)),
            1 => Edit::delete(at..at + section.len() * (step % 20)),
            _ => Edit::insert(at + section.find("Text").unwrap(), "x"),
        };
        let change = edit.clone();
        source = source.edit(&edit);
        text.replace_range(change.span, &change.text);
        let after = Body::read(&source, Some(&body));
        let kept = |group: &&PlacedGroup| body.groups().iter().any(|old| old.same_as(group));
        let new = after.groups().len() - after.groups().iter().filter(kept).count();
        assert!(new <= 2 + 20 / GROUP, "{new} in step {step}");
        assert!(after.groups().iter().all(|group| group.count() <= 2 * GROUP), "{step}");
        let (groups, units) = (after.groups().len(), after.units().count());
        assert!(groups <= 2 + 2 * units / GROUP, "{groups} of {units} units in step {step}");
        body = after;
    }
    // One unit of each group is left.
    for step in 0..body.groups().len() {
        let group = &body.groups()[step % body.groups().len()];
        let inside = section.find("Text").unwrap();
        let last = group.unit(group.count() - 1).unwrap().start;
        let gone = group.start + inside..last + inside;
        source = source.edit(&Edit::delete(gone.clone()));
        text.replace_range(gone, "");
        body = Body::read(&source, Some(&body));
    }
    let (groups, units) = (body.groups().len(), body.units().count());
    assert!(groups <= 2 + 2 * units / GROUP, "{groups} of {units} units");
    assert_eq!(shown(&body), shown(&Body::read(&Source::new(&text), None)));
}

/// Pieces that open, close and confuse actions, blocks and sections.
const PIECES: &[&str] = &[
    "a",
    "Text ",
    " ",
    "\n",
    "\n\n",
    "\r\n",
    "# H\n",
    "## Two\n\n",
    "```\n",
    "---\n",
    "name: x\n",
    "input: {}\n",
    "{{",
    "}}",
    "{{ ",
    " }}",
    "{{- ",
    " -}}",
    "{{ .x }}",
    "{{ .x\n",
    "{{ $a := 1 }}",
    "{{ $b := $a }}\n\n",
    "{{ $a }}",
    "{{ if .x }}",
    "{{ range $i, $v := .x }}\n",
    "{{ else }}",
    "{{ else if .y }}",
    "{{ end }}",
    "{{- end -}}\n\n",
    "{{ end }}\n\n# H\n",
    "{{/*",
    "*/}}",
    "{{/* c */}}",
    "{{- /* c */ -}}",
    "{{ define \"a\" }}",
    "{{ block \"a\" . }}",
    "{{ template \"a\" }}",
    "{{ break }}",
    "`",
    "\"",
    "'",
    "(",
    ")",
    "|",
    "-",
    "{",
    "}",
    "if ",
    "end",
    "é",
    "🦆",
    "日本",
    "# {{- .x }}\n",
    "  {{- .x -}}  \n",
];

fn text() -> impl Strategy<Value = String> {
    let piece = prop::sample::select(PIECES);
    (prop::bool::weighted(0.5), prop::collection::vec(piece, 0..40)).prop_map(|(front, pieces)| {
        let front = if front { FRONT } else { "" };
        front.to_owned() + &pieces.concat()
    })
}

fn edits() -> impl Strategy<Value = Vec<(prop::sample::Index, u16, String)>> {
    let piece = prop_oneof![3 => prop::sample::select(PIECES).prop_map(str::to_owned), 1 => Just(String::new())];
    prop::collection::vec(
        (any::<prop::sample::Index>(), prop_oneof![3 => 0_u16..4, 1 => 0_u16..60], piece),
        1..10,
    )
}

/// All visible properties of a body.
fn shown(body: &Body) -> String {
    let units: Vec<_> = body
        .units()
        .map(|unit| {
            let content = (Arc::clone(&unit.template), Arc::clone(&unit.outer));
            (unit.span(), content, Arc::clone(&unit.names))
        })
        .collect();
    format!("{units:#?}\n{:#?}\n{:#?}", body.definitions(), body.duplicates())
}

fn cases() -> u32 {
    std::env::var("TEMPLATE_CASES").ok().and_then(|cases| cases.parse().ok()).unwrap_or(300)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: cases(), ..ProptestConfig::default() })]

    #[test]
    fn an_edited_body_equals_one_read_from_scratch(text in text(), edits in edits()) {
        let mut text = text;
        let mut source = Source::new(&text);
        let mut body = Body::read(&source, None);
        for (at, length, new) in &edits {
            let start = text.floor_char_boundary(at.index(text.len() + 1));
            let end = text.floor_char_boundary(start + usize::from(*length)).max(start);
            source = source.edit(&Edit::replace(start..end, new.clone()));
            text.replace_range(start..end, new);
            body = Body::read(&source, Some(&body));
            prop_assert_eq!(shown(&body), shown(&Body::read(&Source::new(&text), None)), "{:?}", text);
        }
    }

    #[test]
    fn units_tile_the_body_and_are_read_alone(text in text()) {
        let source = Source::new(&text);
        let body = Body::read(&source, None);
        let front = source.front_matter().map_or(0, |front| front.span.end);
        let mut next = front;
        for unit in body.units() {
            prop_assert_eq!(unit.start, next);
            next = unit.span().end;
            let alone = text.get(unit.span()).unwrap();
            prop_assert_eq!(&parse(alone, &unit.outer), &*unit.template, "{:?} of {:?}", alone, text);
        }
        prop_assert_eq!(next, text.len());
    }

    /// Without mistakes, units make no difference: together they have the content of the whole
    /// body.
    #[test]
    fn units_together_equal_the_whole_body(text in text()) {
        let body = Body::read(&Source::new(&text), None);
        let Some(start) = body.units().next().map(|unit| unit.start) else { return Ok(()) };
        let whole = parse(text.get(start..).unwrap(), &[]);
        if whole.errors.is_empty() {
            prop_assert_eq!(body.errors().count(), 0);
        }
        let count = |template: &crate::template::node::Template| template.walk().filter(|item| !is_text(item)).count();
        prop_assert_eq!(count(&whole), body.units().map(|unit| count(&unit.template)).sum::<usize>(), "{:?}", text);
    }
}

fn is_text(item: &crate::template::walk::Item) -> bool {
    matches!(item, crate::template::walk::Item::Node(crate::template::node::Node::Text(_)))
}
