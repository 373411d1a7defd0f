use serde_json::json;

use super::super::*;
use super::marked;

fn convert(text: &str) -> Converted {
    let tree = parse(text);
    to_json(tree.root.as_ref().expect("a root"), &tree.anchors())
}

#[test]
fn scalars_have_core_types() {
    use ScalarType::*;
    for (text, expected) in [
        ("", Null),
        ("~", Null),
        ("null", Null),
        ("NULL", Null),
        ("nUll", Str),
        ("true", Bool(true)),
        ("False", Bool(false)),
        ("yes", Str),
        ("no", Str),
        ("on", Str),
        ("Off", Str),
        ("y", Str),
        ("1", Int),
        ("-12", Int),
        ("+3", Int),
        ("0x1F", Int),
        ("0o17", Int),
        ("0755", Int),
        ("1_000", Str),
        ("0b1", Str),
        ("-", Str),
        ("0x", Str),
        ("0o8", Str),
        ("1.5", Float),
        ("1.", Float),
        (".5", Float),
        ("-1e3", Float),
        ("1e", Str),
        (".", Str),
        ("e3", Str),
        (".inf", Float),
        ("-.INF", Float),
        (".nan", Float),
        ("inf", Str),
        ("nan", Str),
        ("1.2.3", Str),
        ("2024-01-01", Str),
        ("12:30", Str),
        ("\"1\"", Str),
        ("'true'", Str),
        ("!!str 1", Str),
        ("!!int \"1\"", Int),
        ("!!float 1", Float),
        ("!!bool 'true'", Bool(true)),
        ("!!null ''", Null),
        ("!x 1", Str),
        ("! 1", Str),
        ("!<tag:yaml.org,2002:str> 1", Str),
        ("|\n  1", Str),
        ("!!str", Str),
        ("!!int x", Str),
    ] {
        let tree = parse(&format!("k: {text}\n"));
        assert_eq!(tree.get("k").map(|entry| scalar_type(&entry.value)), Some(expected), "{text}");
    }
}

#[test]
fn json_values() {
    let found = convert(
        "a: 1\nb: -2.5\nc: 0x1F\nd: 0o17\ne: 0755\nf: yes\ng: ~\nh:\ni: [true, {j: k}]\nl: 18446744073709551615\nm: 18446744073709551616\nn: '1'\no: 1.0\np: 0xFFFFFFFFFFFFFFFFFF\n",
    );
    let expected = json!({"a": 1, "b": -2.5, "c": 31, "d": 15, "e": 755, "f": "yes", "g": null, "h": null, "i": [true, {"j": "k"}], "l": 18446744073709551615u64, "m": 18446744073709551616f64, "n": "1", "o": 1.0, "p": 4722366482869645213695f64});
    assert_eq!((found.value, found.problems), (expected, vec![]));
}

#[test]
fn problems_have_places() {
    let (text, spans) = marked(
        "«1»: a\n«true»: b\nc: «.nan»\nd: [«-.inf»]\ne: 1\n«e»: 2\n«[f, g]»: h\n\"2\": i\nj: {<<: «k»}\nl: «*nope»\nm: &m [«*m»]\n",
    );
    let found = convert(&text);
    let mut places: Vec<Span> = found.problems.iter().map(|problem| problem.span.clone()).collect();
    places.sort_by_key(|span| span.start);
    assert_eq!(places, spans, "{:?}", found.problems);
    assert_eq!(
        found.value,
        json!({"1": "a", "true": "b", "c": null, "d": [null], "e": 2, "[\"f\",\"g\"]": "h", "2": "i", "j": {}, "l": null, "m": [null]})
    );
    assert!(
        found.problems.iter().any(|problem| problem.kind == ProblemKind::NonStringKey("1".into()))
    );
    assert!(found.problems.iter().any(|problem| problem.kind == ProblemKind::RecursiveAlias));
}

#[test]
fn anchors_and_merges() {
    let text = "base: &base {a: 1, b: 2}\nmore: &more\n  b: 3\n  c: 4\none:\n  <<: *base\n  b: 9\nmany:\n  d: 5\n  <<: [*more, *base]\ninline:\n  <<: {x: y}\nquoted:\n  \"<<\": z\nlist: [*base, *more]\n*base : key\n";
    let found = convert(text);
    assert_eq!(found.value["one"], json!({"a": 1, "b": 9}));
    assert_eq!(found.value["many"], json!({"a": 1, "b": 3, "c": 4, "d": 5}));
    assert_eq!(found.value["inline"], json!({"x": "y"}));
    assert_eq!(found.value["quoted"], json!({"<<": "z"}));
    assert_eq!(found.value["list"], json!([{"a": 1, "b": 2}, {"b": 3, "c": 4}]));
}

#[test]
fn an_alias_means_the_last_anchor_before_it() {
    assert_eq!(
        convert("a: &x 1\nb: *x\nc: &x 2\nd: *x\n").value,
        json!({"a": 1, "b": 1, "c": 2, "d": 2})
    );
}

#[test]
fn a_part_is_converted_with_the_anchors_of_the_whole() {
    let tree = parse("shared: &s {type: string}\ninput:\n  a: *s\n");
    let input = &tree.get("input").expect("input").value;
    assert_eq!(to_json(input, &tree.anchors()).value, json!({"a": {"type": "string"}}));
}

#[test]
fn alias_bombs_are_stopped() {
    let mut text = String::from("a0: &a0 [lol, lol, lol, lol, lol, lol, lol, lol, lol]\n");
    for level in 1..12 {
        let items = vec![format!("*a{}", level - 1); 9].join(", ");
        text.push_str(&format!("a{level}: &a{level} [{items}]\n"));
    }
    let found = convert(&text);
    assert!(found.problems.iter().any(|problem| problem.kind == ProblemKind::AliasLimit));
    assert!(text[found.problems[0].span.clone()].starts_with("*a"));
    assert!(found.value.to_string().len() < 8 << 20, "{}", found.value.to_string().len());

    let large = format!("a: &a {}\nb: [{}]\n", "x".repeat(100_000), vec!["*a"; 50_000].join(", "));
    assert_eq!(convert(&large).problems.len(), 1);
}

#[test]
fn scalars_are_printed_plain_where_that_is_safe() {
    for plain in [
        "a",
        "a b, c",
        "a-b",
        "-x",
        "https://a.b/c#d",
        "a:b",
        "é漢🎉",
        "v1.2.3",
        "a [b] {c}",
        "it's",
        "say \"hi\"",
        "50%",
    ] {
        assert_eq!(print_scalar(plain), plain);
    }
    for (text, quoted) in [
        ("", "\"\""),
        ("a: b", "\"a: b\""),
        ("true", "\"true\""),
        ("No", "\"No\""),
        ("1", "\"1\""),
        ("~", "\"~\""),
        ("a #b", "\"a #b\""),
        (" a", "\" a\""),
        ("@a", "\"@a\""),
        ("{{ .x }}", "\"{{ .x }}\""),
        ("*.md", "\"*.md\""),
        ("a\nb", "\"a\\nb\""),
        ("\"a\" b", "'\"a\" b'"),
        ("'a' \"b\": c", "'''a'' \"b\": c'"),
        ("\u{7}", "\"\\x07\""),
        ("\u{2028}", "\"\\u2028\""),
        ("\\d: x", "'\\d: x'"),
        ("\"\t", "\"\\\"\\t\""),
    ] {
        assert_eq!(print_scalar(text), quoted);
    }
    assert_eq!(
        (print_flow_scalar("a, b"), print_flow_scalar("a b")),
        ("\"a, b\"".into(), "a b".into())
    );
}
