use super::super::*;
use super::laws::apply;

#[track_caller]
fn insert(text: &str, path: &[&str], key: &str, value: &str, after: Option<&str>, expected: &str) {
    let edits = insert_entry(text, &parse(text), path, key, value, after);
    assert_eq!(apply(text, &edits), expected);
}

#[test]
fn entries_are_inserted() {
    insert("a: b\n", &[], "c", "d", None, "a: b\nc: d\n");
    insert("a: b", &[], "c", "d", None, "a: b\nc: d");
    insert("a: b # x\n\n# y\n", &[], "c", "d", None, "a: b # x\nc: d\n\n# y\n");
    insert("a: b\ne: f\n", &[], "c", "d", Some("a"), "a: b\nc: d\ne: f\n");
    insert(
        "a: b\r\ne:\r\n  f: g\r\n",
        &["e"],
        "c",
        "\n  d: 1",
        None,
        "a: b\r\ne:\r\n  f: g\r\n  c:\r\n    d: 1\r\n",
    );
    insert("a:\n    b: c\nd: e\n", &["a"], "x", "y", None, "a:\n    b: c\n    x: y\nd: e\n");
    insert(
        "a:\n  b:\n    - c\n    - d # e\nf: g\n",
        &["a"],
        "x",
        "y",
        None,
        "a:\n  b:\n    - c\n    - d # e\n  x: y\nf: g\n",
    );
    insert(
        "- name: x\n- name: y\n",
        &["0"],
        "command",
        "z",
        None,
        "- name: x\n  command: z\n- name: y\n",
    );
    insert(
        "a:\n  - name: x\n",
        &["a", "0"],
        "command",
        "z",
        None,
        "a:\n  - name: x\n    command: z\n",
    );
    insert("a: |\n  text\nb: c\n", &[], "x", "y", Some("a"), "a: |\n  text\nx: y\nb: c\n");
    insert("a: {b: c}\n", &["a"], "x", "y", None, "a: {b: c, x: y}\n");
    insert("a: { b: c }\n", &["a"], "x", "y", None, "a: { b: c, x: y }\n");
    insert("a: {}\n", &["a"], "x", "y", None, "a: {x: y}\n");
    insert("a:\nb: c\n", &["a"], "x", "y", None, "a:\n  x: y\nb: c\n");
    insert("a: # z\nb: c\n", &["a"], "x", "y", None, "a: # z\n  x: y\nb: c\n");
    insert("a: null\nb: c\n", &["a"], "x", "y", None, "a:\n  x: y\nb: c\n");
    insert("a: b\n", &["c", "d"], "x", "y", None, "a: b\nc:\n  d:\n    x: y\n");
    insert("a: {}\n", &["a", "d"], "x", "y", None, "a: {d: {x: y}}\n");
    insert(
        "a:\n    b: c\nd:\n",
        &["d", "e"],
        "x",
        "y",
        None,
        "a:\n    b: c\nd:\n    e:\n        x: y\n",
    );
    insert("", &[], "x", "y", None, "x: y\n");
    insert("# c\n", &[], "x", "y", None, "# c\nx: y\n");
    insert("a: b\n", &["a"], "x", "y", None, "a: b\n");
    insert("a: b\n", &[], "x: y", "[1]", None, "a: b\n\"x: y\": [1]\n");
    insert("a: b\nhalf\n", &[], "x", "y", None, "a: b\nx: y\nhalf\n");
}

#[test]
fn items_are_appended() {
    let append = |text: &str| {
        apply(text, &append_item(text, &parse(text), "k", "a: 1\nb: 2", "{ a: 1, b: 2 }"))
    };
    for (text, expected) in [
        ("x: y\n", "x: y\nk:\n  - a: 1\n    b: 2\n"),
        ("x: y # z\r\n", "x: y # z\r\nk:\r\n  - a: 1\r\n    b: 2\r\n"),
        ("k:\n  - c: d # e\n\n# f\nx: y\n", "k:\n  - c: d # e\n  - a: 1\n    b: 2\n\n# f\nx: y\n"),
        ("k:\n- c:\n    - d\nx: y\n", "k:\n- c:\n    - d\n- a: 1\n  b: 2\nx: y\n"),
        ("k:\r\n    - &z c\r\n", "k:\r\n    - &z c\r\n    - a: 1\r\n      b: 2\r\n"),
        ("k:\n  - c\n  -\nx: y\n", "k:\n  - c\n  -\n  - a: 1\n    b: 2\nx: y\n"),
        ("k: [c]\n", "k: [c, { a: 1, b: 2 }]\n"),
        ("k: []\n", "k: [{ a: 1, b: 2 }]\n"),
        ("k: # z\nx: y\n", "k: # z\n  - a: 1\n    b: 2\nx: y\n"),
        ("k: null\nx: y\n", "k:\n  - a: 1\n    b: 2\nx: y\n"),
        ("{ x: y }", "{ x: y, k: [{ a: 1, b: 2 }] }"),
        ("", "k:\n  - a: 1\n    b: 2\n"),
        ("k: 日本\n", "k: 日本\n"),
    ] {
        assert_eq!(append(text), expected, "{text}");
    }
}

#[track_caller]
fn remove(text: &str, pointer: &str, expected: &str) {
    let tree = parse(text);
    let steps = at(tree.root.as_ref().expect("a root"), text.find(pointer).expect("the place"));
    let edits = match steps.last().expect("a step") {
        Step::Entry { entry, .. } => remove_entry(text, entry),
        Step::Item { node, .. } => remove_item(text, node),
    };
    assert_eq!(apply(text, &edits), expected);
}

#[test]
fn entries_and_items_are_removed() {
    remove("a: b\nX: c # d\ne: f\n", "X", "a: b\ne: f\n");
    remove("a: b\nX: c", "X", "a: b");
    remove("a: b\r\nX:\r\n  - d\r\n  - e\r\nf: g\r\n", "X", "a: b\r\nf: g\r\n");
    remove("a: {X: c, d: e}\n", "X", "a: {d: e}\n");
    remove("a: {d: e, X: c}\n", "X", "a: {d: e}\n");
    remove("a: {X: c}\n", "X", "a: {}\n");
    remove("a: {d: e,\n  X: c,\n  f: g}\n", "X", "a: {d: e,\n  f: g}\n");
    remove("- X: b\n  c: d\n- e\n", "X", "- c: d\n- e\n");
    remove("a:\n  X: |\n    text\n\n  c: d\n", "X", "a:\n\n  c: d\n");
    remove("&x X: b\nc: d\n", "X", "c: d\n");
    remove("a:\n  - b\n  - X # c\n  - d\n", "X", "a:\n  - b\n  - d\n");
    remove("a:\n  - b\n  - &x X", "X", "a:\n  - b");
    remove("a: [b, X, c]\n", "X", "a: [b, c]\n");
    remove("a: [b, X]\n", "X", "a: [b]\n");
    remove("a: [X]\n", "X", "a: []\n");
    let text = "- a: b\n  c: d\n- e\n";
    let tree = parse(text);
    let item = &tree.root.as_ref().and_then(Node::as_sequence).expect("a sequence").items[0];
    assert_eq!(apply(text, &remove_item(text, item)), "- e\n");
}

#[test]
fn values_are_replaced() {
    for (text, expected) in [
        ("k: a # b\n", "k: X # b\n"),
        ("k:\n", "k: X\n"),
        ("k: \"a\"\n", "k: X\n"),
        ("k: a: b\n", "k: X\n"),
        ("k: [a\nb: c\n", "k: X\nb: c\n"),
        ("{k}", "{k: X}"),
        ("k: &x a\n", "k: &x X\n"),
    ] {
        let tree = parse(text);
        assert_eq!(apply(text, &replace_value(tree.get("k").expect("k"), "X")), expected);
    }
}
