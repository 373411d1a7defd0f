//! Schemas as programs write them: every pointer resolves to characters.

use super::super::{check_schema, lint_schema};
use crate::yaml;

/// The findings of a schema in YAML: the marked text and the kind.
fn findings(text: &str) -> Vec<(String, String)> {
    let tree = yaml::parse(text);
    let root = tree.root.as_ref().expect("a node");
    let anchors = tree.anchors();
    let schema = yaml::to_json(root, &anchors).value;
    let errors = check_schema(&schema)
        .into_iter()
        .map(|error| (error.pointer, error.part, format!("{:?}", error.kind)));
    let lints = lint_schema(&schema)
        .into_iter()
        .map(|lint| (lint.pointer, lint.part, format!("{:?}", lint.kind)));
    let place = |(pointer, part, kind): (String, super::super::Part, String)| {
        let target = yaml::locate(root, &pointer, &anchors).expect("a place");
        let span = match (part, target.key) {
            (super::super::Part::Key, Some(key)) => key,
            (_, Some(key)) if target.value.is_empty() => key,
            _ => target.value,
        };
        (text[span].to_string(), kind)
    };
    errors.chain(lints).map(place).collect()
}

#[test]
fn programs_of_the_specification_are_fine() {
    let programs = [
        "type: object\nproperties:\n  start: { type: integer }\n  end: { type: integer }\nrequired: [start, end]\n",
        "type: object\nproperties:\n  results:\n    type: array\n    items: { type: string }\nrequired: [results]\n",
        "type: object\nproperties:\n  url: { type: string, format: uri }\n  format: { type: string, enum: [json, xml, html, text], default: json }\nrequired: [url]\n",
        "type: object\nproperties:\n  fizzbuzz_results:\n    type: array\n    items: { type: string }\n  total_words: { type: integer }\nrequired: [fizzbuzz_results, total_words]\n",
        "type: object\nproperties: { a: &text { type: string }, b: *text, c: { <<: *text, description: x } }\nrequired: [a]\n",
    ];
    for program in programs {
        assert_eq!(findings(program), [], "{program}");
    }
}

#[test]
fn mistakes_are_marked_where_they_are() {
    let text = "type: objekt\nproperties:\n  a: { type: null }\n  b: { type: string, required: true }\n  c:\n  d/e: { type: strin, desciption: x }\nrequired: [a, z]\n";
    let expected = [
        ("objekt", "UnknownType"),
        ("null", "NullType"),
        ("true", "RequiredBoolean"),
        ("c", "NotASchema"),
        ("strin", "UnknownType"),
        ("z", "UndeclaredRequired"),
        ("desciption", "UnknownKeyword"),
    ];
    assert_eq!(findings(text), expected.map(|(text, kind)| (text.to_string(), kind.to_string())));
}
