//! Laws for any text, even if it's broken.

use proptest::prelude::*;

use super::*;
use crate::text::Edit;

const PIECES: &[&str] = &[
    "---\n",
    "---\r\n",
    " ---\n",
    "name: x\n",
    "name: 7\n",
    "name:\n",
    "\u{feff}",
    "description: a: b\n",
    "description: \"日本 🦆\"\n",
    "description: >\n  e\u{301}\n  more\n",
    "input:\n",
    "output: {}\n",
    "output: { type: object, properties: { a: { type: strng } }, required: [b] }\n",
    "  type: object\n",
    "  type: &t [object, nul]\n",
    "  properties:\n",
    "    who: { type: string }\n",
    "    who: *t\n",
    "    x: { <<: *t, requird: [é] }\n",
    "  required: [who, who]\n",
    "  required:\n    - who\n",
    "  default: yes\n",
    "imports: ./helper.md\n",
    "imports:\n",
    "  - ./hepler.md\n",
    "  - helper.md\n",
    "  - stdlib:x\n",
    "  -\n",
    "  - 7\n",
    "mcp_servers:\n",
    "  - name: a b\n",
    "  - command: npx\n",
    "    url: ws://x\n",
    "    url: 🦆\n",
    "    args: [1, x]\n",
    "    env: [A=b]\n",
    "    disabled: yes\n",
    "    transport: stdio\n",
    "  - { name: a, url: x, name: b }\n",
    "modle: x\n",
    "日本: &a [*a]\n",
    "\tx: y\n",
    "  [\n",
    "\"\n",
    "'",
    "}",
    "\r",
    "\n",
    "Body {{ .who }}.\n",
    "# H\n",
    "mcp__a__b ",
    "&x ",
    "*x\n",
    "!!str ",
    ": ",
];

fn text() -> impl Strategy<Value = String> {
    let piece = prop::sample::select(PIECES);
    (prop::bool::weighted(0.8), prop::collection::vec(piece, 0..30)).prop_map(|(open, pieces)| {
        format!("{}name: x\ninput: {{}}\n{}", if open { "---\n" } else { "" }, pieces.concat())
    })
}

fn all() -> Config {
    config(&crate::format::rules().iter().map(|rule| rule.code).collect::<Vec<_>>())
}

fn look(document: &Document, config: &Config) -> Vec<Diagnostic> {
    diagnostics(document, &Context::new(document.source(), Some(Path::new(PATH)), &world(), config))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 100, ..ProptestConfig::default() })]

    #[test]
    fn spans_are_in_the_text_and_fixes_apply(text in text()) {
        let config = all();
        for finding in look(&Document::new(&text, Some(Path::new(PATH)), &config), &config) {
            prop_assert!(text.get(finding.span.clone()).is_some(), "{:?} of {} in {text:?}", finding.span, finding.rule.code);
            prop_assert!(!finding.span.is_empty() || text.is_empty(), "{} is nowhere in {text:?}", finding.rule.code);
            prop_assert!(finding.related.iter().all(|related| related.path.is_some() || text.get(related.span.clone()).is_some()));
            for fix in &finding.fixes {
                prop_assert!(apply(&text, &fix.edits).is_ok(), "`{}` of {} in {text:?}", fix.title, finding.rule.code);
                prop_assert!(fix.snippet.is_none() || fix.edits.len() == 1);
            }
        }
    }

    #[test]
    fn an_edit_gives_the_findings_of_the_new_text(text in text(), at in any::<prop::sample::Index>(), piece in prop::sample::select(PIECES)) {
        let config = all();
        let before = Document::new(&text, Some(Path::new(PATH)), &config);
        look(&before, &config);
        let at = text.floor_char_boundary(at.index(text.len() + 1));
        let edited = before.edit(&[Edit::insert(at, piece)], Some(Path::new(PATH)), &config);
        let mut fresh = text.clone();
        fresh.insert_str(at, piece);
        prop_assert_eq!(look(&edited, &config), look(&Document::new(&fresh, Some(Path::new(PATH)), &config), &config));
    }
}
