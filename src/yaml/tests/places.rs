use super::super::*;
use super::marked;

fn spans_of(source: &str, pointer: &str) -> (Option<Span>, Option<Span>, Vec<Span>) {
    let (text, spans) = marked(source);
    let tree = parse(&text);
    let anchors = tree.anchors();
    let target = locate(tree.root.as_ref().expect("a root"), pointer, &anchors);
    (
        target.as_ref().and_then(|target| target.key.clone()),
        target.map(|target| target.value),
        spans,
    )
}

#[test]
fn pointers_name_places() {
    for (source, pointer) in [
        ("a:\n  «b»: «c»\n", "/a/b"),
        ("a: {b: [x, {«c»: «d»}]}\n", "/a/b/1/c"),
        ("«a/b»: «c»\n", "/a~1b"),
        ("«a~b»: «c»\n", "/a~0b"),
        ("«\"a b\"»: «c»\n", "/a b"),
        ("a: 1\n«a»: «2»\n", "/a"),
        ("x: &x\n  «b»: «c»\na: *x\n", "/a/b"),
        ("x: &x {«b»: «c»}\na:\n  <<: *x\n  d: e\n", "/a/b"),
        ("x: &x {b: c}\na:\n  <<: *x\n  «b»: «e»\n", "/a/b"),
        ("x: &x {«b»: «c»}\ny: &y {b: d}\na:\n  <<: [*x, *y]\n", "/a/b"),
        ("«a»:«»\n", "/a"),
    ] {
        let (key, value, spans) = spans_of(source, pointer);
        assert_eq!((key.as_ref(), value.as_ref()), (spans.first(), spans.get(1)), "{source}");
    }
    let (key, value, spans) = spans_of("a:\n  - b\n  - «c»\n", "/a/1");
    assert_eq!((key, value.as_ref()), (None, spans.first()));
    assert_eq!(spans_of("a: b\n", "/a/b/c").1, None);
    assert_eq!(spans_of("a: [b]\n", "/a/1").1, None);
    assert_eq!(spans_of("a: &a {<<: *a}\n", "/a/b").1, None);
    assert_eq!(spans_of("«a: b»\n", "").1, Some(0..4));
}

/// `a > b=` for a path whose last step is on the value of `b`.
fn shown(source: &str) -> String {
    let offset = source.find('§').expect("a cursor");
    let text = source.replace('§', "");
    let tree = parse(&text);
    let steps = at(tree.root.as_ref().expect("a root"), offset);
    let show = |step: &Step| match step {
        Step::Entry { entry, side: Side::Key } => entry.key.as_str().unwrap_or("?").to_string(),
        Step::Entry { entry, side: Side::Value } => {
            format!("{}=", entry.key.as_str().unwrap_or("?"))
        }
        Step::Item { index, .. } => format!("#{index}"),
    };
    steps.iter().map(show).collect::<Vec<_>>().join(" ")
}

#[test]
fn offsets_name_nodes() {
    for (source, expected) in [
        ("§a: b\n", "a"),
        ("a§: b\n", "a"),
        ("a:§ b\n", "a="),
        ("a: b§\n", "a="),
        ("a: b\n§", ""),
        ("a:§\n", "a="),
        ("a: §\n", "a="),
        ("a:\n  b: c§\nd: e\n", "a= b="),
        ("a:\n  b: c\n§d: e\n", "d"),
        ("a:\n  - b\n  - c: d§\n", "a= #1 c="),
        ("a: [b, §c, {d: e}]\n", "a= #1"),
        ("a: [b, c, {d§: e}]\n", "a= #2 d"),
        ("a: b # c§\n", ""),
        ("a: &x §b\n", "a="),
        ("a: &§x b\n", "a="),
        ("a: |\n  te§xt\n", "a="),
    ] {
        assert_eq!(shown(source), expected, "{source}");
    }
}

#[test]
fn a_list_begins_with_its_first_dash() {
    for source in [
        "a:\n«- 1\n- 2»\nb: 3",
        "a:\n  «- 1\n  - 2»\nb: 3",
        "a:\r\n«- 日本\r\n- 🦆»\r\n",
        "a:\n«-\n- 2»\n",
        "a:\n«- b: 1\n  c: 2»\n",
        "a:\n«- - 1\n  - 2»\n",
        "x: y -\na:\n«- 1»\n",
        "a:\n\n«-   1»\n",
        "a: «[1, 2]»\n",
    ] {
        let (text, spans) = marked(source);
        let tree = parse(&text);
        let list = tree.entries().find(|entry| entry.key.as_str() == Some("a")).unwrap();
        assert_eq!(list.value.span, spans[0], "{source}");
    }
}
