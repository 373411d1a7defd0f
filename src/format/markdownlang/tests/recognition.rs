use super::*;

fn is_program(text: &str) -> bool {
    Document::new(text, Some(Path::new(PATH)), &Config::default()).format().name == "markdownlang"
}

#[test]
fn mdl_01_two_known_keys_with_a_schema_make_a_program() {
    assert!(is_program("---\nname: x\ninput: {}\n---\n"));
    assert!(is_program("---\noutput: {}\nmodel: x\n---\n"));
    assert!(is_program("\u{feff}---\r\nname: x\r\noutput: {}\r\n---\r\n"));
    assert!(is_program("---\n{ name: x, input: {} }\n---\n"));
    assert!(!is_program("---\nname: x\ndescription: y\nmodel: z\n---\n"));
    assert!(!is_program("---\ninput: x\n---\n"));
    // Sentences describe the text below; a single word may be a mistaken schema.
    assert!(is_program("---\nname: x\ninput: string\noutput: {}\n---\n"));
    assert!(is_program("---\nname: x\ninput: string\noutput: number\n---\n"));
    assert!(!is_program("---\ninput: Comments on the paper\noutput: A table and a letter\n---\n"));
    assert!(is_program("---\ninput: Comments on the paper\noutput: {}\n---\n"));
    assert!(!is_program("\n---\nname: x\ninput: {}\n---\n"));
    assert!(!is_program("# Title\n\n---\nname: x\ninput: {}\n---\n"));
    assert!(!is_program("---\nname: x\nmetadata:\n  input: {}\n---\n"));
    assert!(!is_program(""));
}

#[test]
fn mdl_01_many_keys_of_another_tool_make_no_program() {
    let other = (0..6).map(|number| format!("key{number}: 日本\n")).collect::<String>();
    let text = |keys: &str| format!("---\nname: x\ndescription: y\n{keys}---\n");
    assert!(!is_program(&text(&format!("input: {{}}\n{other}"))));
    assert!(is_program(&text(&format!("input: {{}}\noutput: {{}}\n{other}"))));
    assert!(is_program(&text("input: {}\nfoo: 1\nbar: 2\n")));
}

#[test]
fn mdl_01_broken_front_matter_is_recognised_by_its_visible_keys() {
    assert!(is_program("---\nname: x: y\ninput: {\n---\n"));
    assert!(is_program("---\nname: \"x\ninput: {}\n---\n"));
    assert!(is_program("---\nname: x\ninput:\n  type: object\n\nBody\n"));
    assert!(is_program("name: x\ninput:\n  type: object\n---\n\nBody\n"));
    assert!(is_program("---\nname: [x\n\toutput: {}\noutput: {\n---\n"));
}

#[test]
fn mdl_01_other_front_matter_gets_no_findings() {
    for text in [
        "---\nname: pdf\ndescription: Use when the user mentions PDFs\nallowed-tools: Read, Write\nmodel: opus\n---\n\n# PDF\n\n{{ .x }}\n",
        "---\ndescription: Reviews\nargument-hint: file\nmodel: sonnet\ntools: [Read]\n---\n",
        "---\ntitle: Post\ntags: [a, b]\n---\n\n{% include x %}\n",
        "---\n\nA thematic break opens this file: nothing else.\n\n---\n",
        "---\nglobs: \"**/*.ts\"\nalwaysApply: false\n---\n",
    ] {
        assert_eq!(findings(text), [], "{text}");
    }
    assert!(
        findings_at(Some("/w/x.prompt"), "---\nmodel: googleai/gemini\ninput:\n  schema:\n    a: string\noutput:\n  format: json\n---\n", &[])
            .is_empty()
    );
}

#[test]
fn plain_front_matter_that_is_not_yaml() {
    let at = |path: &str, text: &str, codes: &[&str]| {
        let (text, spans) = marked(text);
        let found: Vec<_> = findings_at(Some(path), &text, &[])
            .iter()
            .map(|finding| shown(&text, finding.rule.code, &finding.span))
            .collect();
        let expected: Vec<_> =
            codes.iter().zip(&spans).map(|(code, span)| shown(&text, code, span)).collect();
        assert_eq!(found, expected, "{text}");
    };
    let code = "markdown/front-matter";
    at(
        "/w/SKILL.md",
        "---\nname: w\ndescription: «Use when: asked»\n---\n",
        &["agent/front-matter"],
    );
    at("/w/c.md", "---\ndescription: x\nargument-hint: «[file] [line]»\n---\n", &[code]);
    at("/w/c.md", "---\r\ndescription: 日本 🦆\r\nmodel: «@opus»\r\n---\r\n", &[code]);
    at(
        "/w/r.mdc",
        "---\ndescription: x\n«globs»: **/*.ts\nalwaysApply: true\n---\n",
        &["agent/no-effect"],
    );
    at("/w/r.mdc", "---\nglobs: *.ts,*.tsx\n---\n", &[]);
    at("/w/r.md", "---\nglobs: **/*.ts\n---\n", &[]);
    at("/w/r.md", "---\ntitle: x\nglobs: «**/*.ts»\n---\n", &[code]);
    at("/w/post.md", "---\ntitle: {{ page.title }}\ndate: {{ now }}\n---\n", &[]);
    at("/w/notes.md", "---\n\nSome text: with, words: and more\n\n---\n\nMore\n", &[]);
    at("/w/notes.md", "---\n* a list\n- another `code`\n---\n", &[]);
    at("/w/notes.md", "---\nname: a: b\n\nunclosed\n", &[]);
}
