use super::super::ErrorKind::*;
use super::super::*;
use super::{marked, root};

/// Asserts the kinds and spans of errors, and the tree.
#[track_caller]
fn check(source: &str, kinds: &[ErrorKind], expected: &str) {
    for newline in ["\n", "\r\n"] {
        let (text, spans) = marked(&source.replace('\n', newline));
        let tree = parse(&text);
        let shown =
            |kind: ErrorKind, span: &Span| format!("{kind:?} {span:?} {:?}", &text[span.clone()]);
        let found: Vec<_> =
            tree.errors.iter().map(|error| shown(error.kind, &error.span)).collect();
        let wanted: Vec<_> =
            kinds.iter().zip(&spans).map(|(kind, span)| shown(*kind, span)).collect();
        assert_eq!(kinds.len(), spans.len());
        assert_eq!(found, wanted, "{text}");
        assert_eq!(root(&tree), expected, "{text}");
    }
}

#[test]
fn values_that_need_quotes() {
    for value in [
        "Use when: you need it",
        "it: ",
        "a:",
        "@x",
        "`code` here",
        "%x",
        "*.md",
        "**bold** text",
        "*/5 * * * *",
        "[x] rest",
        "[a](b.md)",
        "{{ .model }}",
        "{{ .a }} and {{ .b }}",
        "{{ upper .x | default \"y\" }}",
        "\"quoted\" rest",
        "'it's'",
        "- x",
        "& foo",
        "|foo",
        "> 50",
        "?",
        ", x",
        "\"a\" \"b\"",
        "say: \"hi\"",
    ] {
        let shown = value.trim();
        check(
            &format!("name: a\nkey: «{shown}»  # comment\nlast: b\n"),
            &[NeedsQuotes],
            &format!("{{name: a, key: {shown}, last: b}}"),
        );
        check(
            &format!("list:\n  - a\n  - «{shown}»\n  - b\n"),
            if value == "a:" || value.contains("it: ") { return } else { &[NeedsQuotes] },
            &match shown {
                "Use when: you need it" | "say: \"hi\"" | "- x" | "?" => return,
                _ => format!("{{list: [a, {shown}, b]}}"),
            },
        );
    }
}

#[test]
fn items_that_need_quotes() {
    for value in [
        "@x",
        "`code` here",
        "%x",
        "*.md",
        "**bold** text",
        "[x] rest",
        "{{ .model }}",
        "\"quoted\" rest",
        "& foo",
        "|foo",
    ] {
        check(
            &format!("list:\n  - a\n  - «{value}»\n  - b\n"),
            &[NeedsQuotes],
            &format!("{{list: [a, {value}, b]}}"),
        );
        check(
            &format!("- a\n- k: «{value}»\n  l: m\n"),
            &[NeedsQuotes],
            &format!("[a, {{k: {value}, l: m}}]"),
        );
        check(
            &format!("a:\n  b:\n    c: «{value}»\n    d: e\n  f: g\nh: i\n"),
            &[NeedsQuotes],
            &format!("{{a: {{b: {{c: {value}, d: e}}, f: g}}, h: i}}"),
        );
    }
    check("- a: «b: c»\n- d\n", &[NeedsQuotes], "[{a: b: c}, d]");
    check("a: [«{{ .x }}», b]\n", &[NeedsQuotes], "{a: [{{ .x }}, b]}");
    check("a: b\n«@c»: d\n", &[NeedsQuotes], "{a: b, @c: d}");
}

#[test]
fn prose_over_several_lines() {
    check("a: «b: c\n  and more»\nd: e\n", &[NeedsQuotes], "{a: b: c and more, d: e}");
    check(
        "a: «long\n  text which: has colon\n  and more»\nd: e\n",
        &[NeedsQuotes],
        "{a: long text which: has colon and more, d: e}",
    );
}

#[test]
fn half_typed_lines() {
    check("name: a\n«descr»\ninput: b\n", &[MissingColon], "{name: a, input: b}");
    check("name: a\n«descr»", &[MissingColon], "{name: a}");
    check("«descr»\nname: a\n", &[MissingColon], "{name: a}");
    check("a:\n  b: c\n  «prop»\n  d: e\n", &[MissingColon], "{a: {b: c, d: e}}");
    check("- a: b\n  «prop»\n- c\n", &[MissingColon], "[{a: b}, c]");
    check(
        "«input»\n  type: object\nname: x\n",
        &[MissingColon],
        "{input: {type: object}, name: x}",
    );
    check("«name:foo»\na: b\n", &[MissingColon], "{name: foo, a: b}");
    check(
        "x:\n  «url:http://foo»\n  a: b\n  «https://c.d»\n",
        &[MissingColon, MissingColon],
        "{x: {url: http://foo, a: b}}",
    );
    check("descr", &[], "descr");
    check("a: {\"b\":1}\n", &[], "{a: {\"b\": 1}}");
}

#[test]
fn unclosed_things() {
    check("a: «\"foo»\nb: c\n", &[Unclosed], "{a: \"foo\", b: c}");
    check("a: «'foo»\nb: c\n", &[Unclosed], "{a: \"foo\", b: c}");
    check("a: b\n«\"c»\nd: e\n", &[Unclosed], "{a: b, d: e}");
    check("a: «[foo, bar»\nb: c\n", &[Unclosed], "{a: [foo, bar], b: c}");
    check("a: «{b: c»\nd: e\n", &[Unclosed], "{a: {b: c}, d: e}");
    check("a: «{b: c, d: {e: f»\nd: e\n", &[Unclosed], "{a: {b: c, d: {e: f}}, d: e}");
    check("a: «{b:»\nd: e\n", &[Unclosed], "{a: {b: ~}, d: e}");
    check("a: «[»\n  b,\n  c\nd: e\n", &[Unclosed], "{a: [b, c], d: e}");
    check("a:\n  b: «{c: d»\n  e: f\n", &[Unclosed], "{a: {b: {c: d}, e: f}}");
    check("«[a, b»", &[Unclosed], "[a, b]");
    check("a: [b, c]«]»\nd: e\n", &[Syntax], "{a: [b, c], d: e}");
    check("a: [b, c«}»\nd: e\n", &[Syntax], "{a: [b, c], d: e}");
    check("a: [\"b\" «\"c\"»]\nd: e\n", &[Syntax], "{a: [\"b\"], d: e}");
    check(
        "a: {b: c d«:» e}\nd: e\n".replace("d«:»", "«d:»").as_str(),
        &[Syntax],
        "{a: {b: c d}, d: e}",
    );
}

#[test]
fn indentation() {
    check("a:\n«\t»b: c\n«\t»d: e\nf: g\n", &[Tab, Tab], "{a: {b: c, d: e}, f: g}");
    check("a:\n  b: c\n«\t»d: e\nf: g\n", &[Tab], "{a: {b: c, d: e}, f: g}");
    check("a:\n  - b\n«\t»- c\n  - d\n", &[Tab], "{a: [b, c, d]}");
    check("a: |\n«\t»text\nb: c\n", &[Tab], "{a: \"text\\n\", b: c}");
    check("a:\n  b: c\n    «d: e»\n  f: g\n", &[Indentation], "{a: {b: c, d: e, f: g}}");
    check("a:\n    b: c\n  «d: e»\nf: g\n", &[Indentation], "{a: {b: c, d: e}, f: g}");
    check(
        "a:\n    b: c\n   «d: e»\n    f: g\nh: i\n",
        &[Indentation],
        "{a: {b: c, d: e, f: g}, h: i}",
    );
    check(" «a: b»\nc: d\ne: f\n", &[Indentation], "{a: b, c: d, e: f}");
    check("a:\n  - b\n «- c»\n  - d\n", &[Indentation], "{a: [b, c, d]}");
    check("a:\n  - b: c\n  «d: e»\n", &[Indentation], "{a: [{b: c, d: e}]}");
    check("a: b\n«- c»\nd: e\n", &[Syntax], "{a: b, d: e}");
    check("a:\n  - b\n  «c»\n  - d\n", &[Syntax], "{a: [b, c, d]}");
    check("a: |\n  b\n «c»\nd: e\n", &[Indentation], "{a: \"b\\n\", d: e}");
}

#[test]
fn one_mistake_is_one_error() {
    check(
        "a:\n  - b: c\n «x   d: e»\n    f: g\n  - h: i\nj: k\n",
        &[Indentation],
        "{a: [{b: c, x   d: e, f: g}, {h: i}], j: k}",
    );
    check(
        "a:\n  b: c\n«@»x: d\n e: f\n".replace("«@»x", "«@x»").as_str(),
        &[NeedsQuotes],
        "{a: {b: c}, @x: d, e: f}",
    );
    check("«*a»: b\nc: d\n", &[NeedsQuotes], "{*a: b, c: d}");
}

#[test]
fn aliases() {
    check("a: &x b\nc: *x\nd: «*y»\n", &[UndefinedAlias], "{a: b, c: *x, d: *y}");
    check("a: «*x»\nb: &x c\n", &[UndefinedAlias], "{a: *x, b: c}");
    check(
        "a: &x b\nc: d: e\nf: *x\n".replace("d: e", "«d: e»").as_str(),
        &[NeedsQuotes],
        "{a: b, c: d: e, f: *x}",
    );
}

#[test]
fn other_rejected_text() {
    check("a: \"b«\\d»c\"\ne: f\n", &[Escape], "{a: \"b\\\\dc\", e: f}");
    check("a: b\n«---»\nc: d\n", &[Syntax], "{a: b}");
    check("a: b\n...\n«c: d»\n", &[Syntax], "{a: b}");
    check("a: | «text»\n  more\nb: c\n", &[Syntax], "{a: \"more\\n\", b: c}");
    check("a: b«\0»c\nd: e\n", &[Syntax], "{a: b_c, d: e}");
    let nested = format!("a: {}", "[".repeat(1000));
    assert_eq!(
        parse(&nested).errors.iter().map(|error| error.kind).collect::<Vec<_>>(),
        [Unclosed]
    );
    let closed = format!("a: {}{}\nb: c", "[".repeat(1000), "]".repeat(1000));
    let tree = parse(&closed);
    assert_eq!(tree.errors.iter().map(|error| error.kind).collect::<Vec<_>>(), [Limit]);
    assert!(tree.get("b").is_some());
}

#[test]
fn several_mistakes_are_all_reported() {
    check(
        "name: a\n«half»\ninput:\n  type: object\n  properties:\n    x: «{type: string»\n    y: {type: integer}\n  required: «[x] y»\noutput: «@z»\nlast: ok\n",
        &[MissingColon, Unclosed, NeedsQuotes, NeedsQuotes],
        "{name: a, input: {type: object, properties: {x: {type: string}, y: {type: integer}}, required: [x] y}, output: @z, last: ok}",
    );
}
