use std::path::Path;

use super::super::{OUTPUT, marked, program};
use super::{ask, variants};
use crate::answer::LinkTarget;
use crate::ide::definition::definition;
use crate::ide::links::links;

/// The first mark leads to the second, in either order; `first` is whether the origin comes first.
#[track_caller]
fn leads(text: &str, first: bool) {
    for text in variants(text) {
        let (text, spans) = marked(&text);
        let [a, b] = spans.as_slice() else { panic!("two marks") };
        let (origin, selection) = if first { (a, b) } else { (b, a) };
        let found = ask(&text, |document, cx| definition(document, cx, origin.start + 1));
        let [target] = found.as_slice() else { panic!("{found:?} in {text:?}") };
        assert_eq!(
            (&target.path, &target.origin, &target.selection),
            (&None, origin, selection),
            "{text:?}"
        );
        assert!(
            target.span.start <= target.selection.start && target.selection.end <= target.span.end,
            "{target:?}"
        );
    }
}

fn input(schema: &str) -> String {
    format!("---\nname: greet\ndescription: Greets\n{OUTPUT}input:{schema}\n---\n")
}

#[test]
fn names_lead_to_their_definitions() {
    leads(&input("\n  properties:\n    «größe»: {}\n  required: [«größe»]"), false);
    leads(&input("\n  required:\n    - «a»\n  properties:\n    «a»: {}"), true);
    leads(
        &input("\n  $defs:\n    «p»: { type: string }\n  items:\n    $ref: «'#/$defs/p'»"),
        false,
    );
    leads(&input("\n  properties: { a: { $ref: «\"#/$defs/p\"» } }\n  $defs: { «p»: {} }"), true);
    leads("---\nname: x\ninput: «&io» { type: object }\noutput: «*io»\n---\n", false);
    let nowhere = |text: &str| {
        let (text, offset) = super::cursor(text);
        assert_eq!(ask(&text, |document, cx| definition(document, cx, offset)), []);
    };
    nowhere(&input("\n  required: [go$0ne]"));
    nowhere(&input("\n  properties: { a: { $ref: '#/$$0defs/p' } }"));
    nowhere(&program("imports:\n  - ./go$0ne.md\n"));
    nowhere(&program("imports:\n  - stdlib$0:x\n"));
    nowhere("---\nname: x\ninput: {}\noutput: *i$0o\n---\n");
}

#[test]
fn imports_lead_to_the_name_of_the_program() {
    let text = program("imports:\n  - «\"./helper.md\"»\n");
    let (text, spans) = marked(&text);
    let found = ask(&text, |document, cx| definition(document, cx, spans[0].start));
    assert_eq!(found[0].path.as_deref(), Some(Path::new("/w/helper.md")));
    assert_eq!((found[0].selection.clone(), &found[0].origin), (10..16, &spans[0]));
    let (text, offset) = super::cursor(&program("imports:\n  - ./notes$0.txt\n"));
    assert_eq!(ask(&text, |document, cx| definition(document, cx, offset))[0].selection, 0..0);
}

#[test]
fn links_of_front_matter() {
    for text in variants(&program(
        "imports:\n  - «./helper.md»\n  - \"«../up/日本.md»\"\n  - stdlib:x\nmcp_servers:\n  - name: a\n    url: '«http://x.y/z»'\n  - name: b\n    url: ftp://x\n",
    )) {
        let (text, spans) = marked(&text);
        let found = ask(&text, links);
        assert_eq!(found.iter().map(|link| link.span.clone()).collect::<Vec<_>>(), spans);
        let file = |path: &str| LinkTarget::File { path: path.into(), fragment: None };
        let targets: Vec<_> = found.into_iter().map(|link| link.target).collect();
        assert_eq!(
            targets,
            [file("/w/helper.md"), file("/up/日本.md"), LinkTarget::Url("http://x.y/z".to_owned())]
        );
    }
}
