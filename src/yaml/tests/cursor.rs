use super::super::*;

/// The result at the cursor `§`: the path, the place with its key, the partial text, flags, and the
/// siblings.
fn shown(source: &str) -> String {
    let offset = source.find('§').expect("a cursor");
    let text = source.replace('§', "");
    let context = position_context(&parse(&text), &text, offset);
    let path: Vec<String> = context
        .path
        .iter()
        .map(|segment| match segment {
            Segment::Key(key) => key.clone(),
            Segment::Index(index) => format!("#{index}"),
        })
        .collect();
    let place = match (context.place, &context.key) {
        (Place::Value, Some(key)) => format!("{key}="),
        (place, _) => format!("{place:?}"),
    };
    let mut shown = format!("/{} {place} «{}»", path.join("/"), &text[context.partial.clone()]);
    if context.flow {
        shown.push_str(" flow");
    }
    if let Some(quote) = context.quote {
        shown.push_str(&format!(" quote {quote}"));
    }
    if !context.siblings.is_empty() {
        shown.push_str(&format!(" ({})", context.siblings.join(" ")));
    }
    if context.place == Place::Key && !context.flow {
        shown.push_str(&format!(" @{}", context.column));
    }
    shown
}

#[test]
fn keys() {
    for (source, expected) in [
        ("§", "/ Key «» @0"),
        ("na§", "/ Key «na» @0"),
        ("a: b\nna§", "/ Key «na» (a) @0"),
        ("a: b\nna§\nc: d\n", "/ Key «na» (a c) @0"),
        ("a: b\n§\nc: d\n", "/ Key «» (a c) @0"),
        ("na§me: b\nc: d\n", "/ Key «name» (c) @0"),
        ("a:\n  §\nb: c\n", "/a Key «» @2"),
        ("a:\n  b: c\n  §\nd: e\n", "/a Key «» (b) @2"),
        ("a:\n  b: c\n  ty§\nd: e\n", "/a Key «ty» (b) @2"),
        ("a:\n  b:\n    c: d\n    §\n  e: f\n", "/a/b Key «» (c) @4"),
        ("a:\n  b:\n    c: d\n  §\n  e: f\n", "/a Key «» (b e) @2"),
        ("a:\n  b:\n    c: d\n§\n", "/ Key «» (a) @0"),
        ("a:\n  b: c\n    §\n", "/a Key «» (b) @2"),
        ("a: b\n\n§\n\n", "/ Key «» (a) @0"),
        ("- name: x\n  §\n", "/#0 Key «» (name) @2"),
        ("s:\n  - name: x\n    comm§\n  - name: y\n", "/s/#0 Key «comm» (name) @4"),
        ("s:\n  - name: x\n  - name: y\n    §", "/s/#1 Key «» (name) @4"),
        ("a: @b\nna§\n", "/ Key «na» (a) @0"),
        ("a: |\n  text\n§\n", "/ Key «» (a) @0"),
        ("a: \"open\nna§\nb: c\n", "/ Key «na» (a b) @0"),
        ("a: [open\nna§: x\n", "/ Key «na» (a) @0"),
        ("---\na: b\n§", "/ Key «» (a) @0"),
        ("a: b\r\nna§\r\n", "/ Key «na» (a) @0"),
    ] {
        assert_eq!(shown(source), expected, "{source}");
    }
}

#[test]
fn values() {
    for (source, expected) in [
        ("a: §", "/ a= «»"),
        ("a:§", "/ a= «»"),
        ("a: te§xt # c\nb: c\n", "/ a= «text» (b)"),
        ("a:\n  type: §\n  b: c\n", "/a type= «» (b)"),
        ("a:\n  type: obj§\n", "/a type= «obj»"),
        ("a: \"te§xt\"\n", "/ a= «\"text\"» quote \""),
        ("a: \"te§\nb: c\n", "/ a= «\"te» quote \" (b)"),
        ("a: |\n  te§xt\nb: c\n", "/ a= «» (b)"),
        ("a: |§\n  text\n", "/ a= «|»"),
        ("- name: x§\n", "/#0 name= «x»"),
        ("a: b\n  c§\n", "/ a= «c»"),
        ("a: b # c§\n", "/ Comment «»"),
        ("a: b\n# c§\n", "/ Comment «»"),
    ] {
        assert_eq!(shown(source), expected, "{source}");
    }
}

#[test]
fn items() {
    for (source, expected) in [
        ("a:\n  - §\n", "/a/#0 Item «»"),
        ("a:\n  - b\n  - §\n", "/a/#1 Item «»"),
        ("a:\n  - b\n  - ./c§\n", "/a/#1 Item «./c»"),
        ("a:\n- b§\n- c\n", "/a/#0 Item «b»"),
        ("a:\n  - b\n  §\n", "/a NewItem «»"),
        ("a:\n  - b\n  - c\n  §\nd: e\n", "/a NewItem «»"),
        ("- §", "/#0 Item «»"),
        ("a:\n  - §name: x\n", "/a/#0 Key «name» @4"),
    ] {
        assert_eq!(shown(source), expected, "{source}");
    }
}

#[test]
fn flow() {
    for (source, expected) in [
        ("a: [§]\n", "/a/#0 Item «» flow"),
        ("a: [b, §]\n", "/a/#1 Item «» flow"),
        ("a: [b, c§]\n", "/a/#1 Item «c» flow"),
        ("a: [\"b\", \"c§\"]\n", "/a/#1 Item «\"c\"» flow quote \""),
        ("a: [b, §\nd: e\n", "/a/#1 Item «» flow"),
        ("a: {§}\n", "/a Key «» flow"),
        ("a: {type: §}\n", "/a type= «» flow"),
        ("a: {type: str§ing, b: c}\n", "/a type= «string» flow (b)"),
        ("a: {type: string, de§}\n", "/a Key «de» flow (type)"),
        ("a: {b: {c: d, §}, e: f}\n", "/a/b Key «» flow (c)"),
        ("a: [{b: c}, {d: §}]\n", "/a/#1 d= «» flow"),
        ("a:\n  b: {type: §\n  c: d\n", "/a/b type= «» flow"),
        ("a: [b,\n  §\n]\n", "/a/#1 Item «» flow"),
        ("a: [b,\n  c] \n§\n", "/ Key «» (a) @0"),
        ("{\"a\": §}", "/ a= «» flow"),
        ("- [a, §]\n", "/#0/#1 Item «» flow"),
    ] {
        assert_eq!(shown(source), expected, "{source}");
    }
}
