use super::super::*;
use super::{marked, root};

/// Every scalar and collection of valid text has exactly these spans, in order of their starts.
fn check(source: &str) {
    let (text, expected) = marked(source);
    let tree = parse(&text);
    assert_eq!(tree.errors, vec![], "{text}");
    let mut spans = Vec::new();
    fn collect(node: &Node, spans: &mut Vec<Span>) {
        match &node.kind {
            Kind::Sequence(sequence) => sequence.items.iter().for_each(|item| collect(item, spans)),
            Kind::Mapping(mapping) => {
                for entry in &mapping.entries {
                    collect(&entry.key, spans);
                    collect(&entry.value, spans);
                }
            }
            _ => spans.push(node.span.clone()),
        }
    }
    collect(tree.root.as_ref().expect("a root"), &mut spans);
    let shown = |spans: &[Span]| {
        spans.iter().map(|span| format!("{span:?} {:?}", &text[span.clone()])).collect::<Vec<_>>()
    };
    assert_eq!(shown(&spans), shown(&expected), "{text}");
}

#[test]
fn leaves_have_exact_places() {
    for source in [
        "«a»: «b»\n",
        "«a»: «b c»  # comment\n«d»: «\"e: f\"»\n",
        "«a»:«»\n«b»: «c»\n",
        "«a»:«»  \n«b» :«» # c\n",
        "«a»: «~»\n«b»: «null»\n",
        "«\"quoted key\"» : «'it''s'»\n",
        "«a»:\n  «b»: «c»\n  «d»:\n    - «e»\n    -«»\n    - «f»\n",
        "- «name»: «x»\n  «command»: «y»\n- «name»: «z»\n",
        "«a»: [«b», «\"c\"», {«d»: «e», «f»«», «g»:«»}]\n",
        "«a»: [«b»: «c»]\n",
        "{«\"a\"»:«1», «b»: «2»}",
        "? «a»\n: «b»\n? «c»«»\n",
        "? [«a», «b»]\n: «c»\n",
        "«a»: «|\n  text\n\n  more»\n\n«b»: «c»\n",
        "«a»: «|-  # comment\n  text»\n«b»: «c»",
        "«a»: «>+\n\n  text»\n\n\n«b»: «c»",
        "«a»: «|2\n    text»\n",
        "«a»: «|»\n«b»: «c»\n",
        "«a»: !!str «|\n  text»\n«b»: &x «>-\n  text»\n",
        "- «|\n  text»\n- «>\n  more»\n",
        "«a»: «plain\n  over\n\n  lines»\n«b»: «c»\n",
        "«a»: «\"over\n  lines\"»\n",
        "«é»: «漢字 🎉»\n«🎉»: [«é», «ü»]\n",
        "«a»: «b»\r\n«c»:\r\n  - «d»\r\n  - «e»\r\n«f»: «|\r\n  g»\r\n",
        "«a»: «b»\r«c»: «d»\r",
        "---\n«a»: «b»\n",
        "--- «a»\n",
        "%YAML 1.2\n---\n«a»: «b»\n...\n",
        "# comment\n\n«a»: «b»\n",
        "«a»: &x «b»\n«c»: «*x»\n«d»: !t «e»\n«f»: !!str«»\n«g»: &y«»\n",
        "&x «a»: «b»\n",
        "«<<»: «a»\n«a»: «1»\n«a»: «2»\n",
        "«a»: «https://b.c/d#e?f:g»\n«h»: «i#j»\n",
        "«a»: «50%»\n«b»: «x@y»\n«c»: «-1»\n«d»: «x - y»\n",
        "«scalar»",
    ] {
        check(source);
    }
}

#[test]
fn collections_have_exact_places() {
    let (text, spans) =
        marked("a: «[b, c]» # d\ne:\n  «f: g\n  h:\n    «- i\n    - j»»\n\nk: «{l: m\n}»\n");
    let tree = parse(&text);
    let value = |key: &str| tree.get(key).map(|entry| entry.value.span.clone()).expect("an entry");
    let nested = tree
        .get("e")
        .and_then(|entry| entry.value.as_mapping())
        .and_then(|mapping| mapping.get("h"))
        .expect("h");
    assert_eq!(vec![value("a"), value("e"), nested.value.span.clone(), value("k")], spans);
    assert_eq!(tree.root.as_ref().map(|root| root.span.clone()), Some(0..text.trim_end().len()));
}

#[test]
fn entries_run_from_key_to_value() {
    let (text, spans) = marked("«a: b» # c\n«d:»\n«e: &x»\n«f:\n  - g»\n");
    let tree = parse(&text);
    assert_eq!(tree.entries().map(|entry| entry.span.clone()).collect::<Vec<_>>(), spans);
}

#[test]
fn tags_and_anchors_have_places() {
    let (text, spans) = marked("a: «!t» «&x» b\nc: «&y» «!!map»\n  d: e\nf:\n  - «!<tag:x>» g\n");
    let tree = parse(&text);
    let mut found = Vec::new();
    fn collect(node: &Node, found: &mut Vec<Span>) {
        found.extend(node.tag.iter().chain(&node.anchor).map(|(_, span)| span.clone()));
        match &node.kind {
            Kind::Sequence(sequence) => sequence.items.iter().for_each(|item| collect(item, found)),
            Kind::Mapping(mapping) => {
                mapping.entries.iter().for_each(|entry| collect(&entry.value, found))
            }
            _ => {}
        }
    }
    collect(tree.root.as_ref().expect("a root"), &mut found);
    found.sort_by_key(|span| span.start);
    assert_eq!(found, spans);
}

#[test]
fn strings_are_unquoted_and_folded() {
    for (text, value) in [
        ("plain\n  over\n\n  lines", "plain over\nlines"),
        ("\"a\\tb\\u00e9\\\n  c\"", "a\tbéc"),
        ("'it''s'", "it's"),
        ("|\n  a\n   b\n", "a\n b\n"),
        ("|-\n  a\n", "a"),
        ("|+\n  a\n\n", "a\n\n"),
        (">\n  a\n  b\n\n  c\n", "a b\nc\n"),
        ("|\r\n  a\r\n  b\r\n", "a\nb\n"),
        ("\"\"", ""),
    ] {
        let tree = parse(&format!("k: {text}"));
        assert_eq!(tree.errors, vec![]);
        assert_eq!(tree.get("k").and_then(|entry| entry.value.as_str()), Some(value), "{text:?}");
    }
}

#[test]
fn comments_are_collected_everywhere() {
    for source in [
        "«# a»\nb: c «# d»\n  «# e»\nf: «# g»\n  - h «# i»\n  «# j»\nk: [l, «# m»\n  n] «# o»\np: | «# q»\n  # no\n«# r»",
        "«# a»\nb: @c «# d»\ne:\n  «# f»\n  g: h «# i»\n  j: k: l «# m»\n«# n»\nhalf «# o»\np: [q «# r»\ns: t\n",
        "a: 'b # c' «# d»\ne: f#g\n",
    ] {
        let (text, spans) = marked(source);
        assert_eq!(parse(&text).comments, spans, "{text}");
    }
}

#[test]
fn empty_text_has_no_root() {
    for text in ["", "\n\n", "# only\n", "---\n", "   ", "\t\n"] {
        let tree = parse(text);
        assert_eq!((root(&tree).as_str(), tree.errors), ("nothing", vec![]), "{text:?}");
    }
}

#[test]
fn duplicates_and_merges_stay_in_the_tree() {
    let tree = parse("a: 1\n<<: *x\na: 2\n");
    assert_eq!(root(&tree), "{a: 1, <<: *x, a: 2}");
    assert_eq!(tree.get("a").and_then(|entry| entry.value.as_str()), Some("2"));
}
