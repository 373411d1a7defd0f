use super::*;

const DELIMITER: &str = "markdownlang/front-matter-delimiter";
const SYNTAX: &str = "markdownlang/yaml-syntax";
const DUPLICATE: &str = "markdownlang/duplicate-key";

#[test]
fn mdl_02_only_a_bare_line_closes() {
    for text in [
        program("").replace("---\n\n", "---  \n\n"),
        with_field("description", "description: |\n  Greets\n  ---\n  a person\n"),
        with_field("description", "description: >-\n  Greets\n   ---\n"),
        program("").replacen("---\n", "---   \n", 1),
        program("") + "\n---\n\nnot: front matter: at all\n",
    ] {
        assert_eq!(findings(&text), [], "{text}");
    }
    check(
        &with_field("description", "description: |\n  Greets\n  «---»\n  a person\n"),
        &["compat/lenient-delimiter"],
    );
    check(
        &with_field("description", "description: >-\n  Greets\n    «---»  \n  a\n"),
        &["compat/lenient-delimiter"],
    );
}

#[test]
fn mdl_02_front_matter_below_line_1_does_not_count() {
    for text in [
        "\n«---»\nname: x\ninput: {}\n---\n",
        "Some text.\n\n «---»\nname: x\noutput: {}\n---\n",
        "# Title\n«---»\nname: x\noutput: {}\n",
    ] {
        let (text, spans) = marked(text);
        assert_eq!(findings(&text), []);
        let found = findings_at(Some(PATH), &text, &["compat/lenient-delimiter"]);
        assert_eq!(
            found.iter().map(|finding| &finding.span).collect::<Vec<_>>(),
            [&spans[0]],
            "{text}"
        );
    }
    assert_eq!(
        findings_at(Some(PATH), "Text\n\n---\n\nname: x\n", &["compat/lenient-delimiter"]),
        []
    );
}

#[test]
fn mdl_03_line_breaks_marks_and_empty_bodies() {
    for text in [
        program(""),
        program("").split_inclusive("---\n").take(2).collect(),
        program("").trim_end().to_owned(),
    ] {
        for text in [
            text.clone(),
            text.replace('\n', "\r\n"),
            format!("\u{feff}{text}"),
            format!("\u{feff}{}", text.replace('\n', "\r\n")),
        ] {
            let left: Vec<_> = findings(&text)
                .into_iter()
                .filter(|finding| {
                    finding.rule.group() == "markdownlang"
                        && finding.rule.code != "markdownlang/unused-input"
                })
                .collect();
            assert_eq!(left, [], "{text:?}");
        }
    }
}

#[test]
fn mdl_03_offsets_after_wide_characters() {
    check(
        &with_field("description", "description: \"日本 🦆 e\u{301}\" # 🦆\n«日本»: x\n"),
        &["markdownlang/unknown-field"],
    );
    check(
        &with_field("name", "«🦆»: 日本\nname: «héé 🦆»\n"),
        &["markdownlang/unknown-field", "markdownlang/invalid-name"],
    );
}

#[test]
fn mdl_03_positions_in_utf_16() {
    use crate::text::Encoding;
    let text = program("").replace("Greets a person", "\"🦆 日本\" # 🦆");
    let text = text.replace("output: {", "output: { \"🦆\": 1,");
    let source = crate::source::Source::new(&text);
    let found = findings(&text);
    let position = source.position(found[0].span.start, Encoding::Utf16);
    assert_eq!(
        (found[0].rule.code, position.line, position.column),
        ("markdownlang/unknown-keyword", 4, 10)
    );
    assert_eq!(source.position(found[0].span.end, Encoding::Utf16).column, 14);
}

#[test]
fn mdl_04_delimiters() {
    check(
        "«---»\nname: x\ndescription: y\ninput: { type: object }\noutput: { type: object }\n\nBody text.\n",
        &[DELIMITER],
    );
    check(
        "«name: x»\ndescription: y\ninput: { type: object }\noutput: { type: object }\n---\n\nBody text.\n",
        &[DELIMITER],
    );
    // The dashes aren't YAML.
    check(
        "---\nname: x\ndescription: 日本\ninput: { type: object }\noutput: { type: object }\n«--»\n\nBody text.\n",
        &[DELIMITER],
    );
    let configured = |text: &str| {
        let mut options = Options::default();
        options.formats.insert("*.md".into(), "markdownlang".into());
        let config = Config::new("/w".into(), options).unwrap();
        let (text, spans) = marked(text);
        let document = Document::new(&text, Some(Path::new(PATH)), &config);
        let world = world();
        let found = diagnostics(
            &document,
            &Context::new(document.source(), Some(Path::new(PATH)), &world, &config),
        );
        let all: Vec<_> =
            found.iter().map(|finding| shown(&text, finding.rule.code, &finding.span)).collect();
        assert_eq!(all, spans.iter().map(|span| shown(&text, DELIMITER, span)).collect::<Vec<_>>());
        let fix = found[0].fixes.first().unwrap();
        let mended =
            Document::new(&apply(&text, &fix.edits).unwrap(), Some(Path::new(PATH)), &config);
        let left = diagnostics(
            &mended,
            &Context::new(mended.source(), Some(Path::new(PATH)), &world, &config),
        );
        assert!(
            left.iter().all(|finding| finding.severity < crate::rule::Severity::Error),
            "{left:#?}"
        );
    };
    configured("«---»\n---\n\nGreet somebody.\n");
    configured("«---»\n# only a comment\n---\n\nGreet somebody.\n");
    configured("«---»\r\n\r\n---\r\n\r\nGreet somebody.\r\n");
    configured("«Greet somebody.»\n");
    configured("«»");
    configured("\u{feff}«# Title»\n\nGreet {{ .who }}. More\n");
}

#[test]
fn mdl_04_the_closing_line_is_inserted_after_the_fields() {
    let text = program("");
    let open = text.replacen("---\n\nGreet", "\nGreet", 1);
    fixes(&open, "Insert the closing `---`", &text);
    fixes(text.strip_prefix("---\n").unwrap(), "Insert the opening `---`", &text);
}

#[test]
fn mdl_04_syntax_errors_are_reported_at_their_characters() {
    check(&with_field("description", "description: «Greets: politely»\n"), &[SYNTAX]);
    check(&with_field("description", "description: «@greets»  # who\n"), &[SYNTAX]);
    check(&with_field("description", "description: «\"Greets»\n"), &[SYNTAX]);
    check(&program("imports: «[./helper.md»\n"), &[SYNTAX]);
    check(&program("«model:gpt-4o»\n"), &[SYNTAX]);
    check(&program("mcp_servers:\n  - name: a\n«\t»  command: b\n"), &[SYNTAX]);
    check(&with_field("description", "description: «日本: 🦆»\n"), &[SYNTAX]);
    check(&program("mcp_servers:\n  - name: «*.md»\n    command: x\n"), &[SYNTAX]);
    check(&with_field("name", "«nam»\n"), &[SYNTAX]);
}

#[test]
fn mdl_04_the_rest_is_still_checked() {
    check(
        &program("imports: «[./helper.md»\nmcp_servers:\n  - «command»: x\n«modle»: x\n"),
        &[SYNTAX, "markdownlang/missing-server-name", "markdownlang/unknown-field"],
    );
}

#[test]
fn mdl_04_syntax_fixes() {
    let fix = |entry: &str, title: &str, expected: &str| {
        fixes(&with_field("description", entry), title, &with_field("description", expected))
    };
    fix(
        "description: Greets: politely # x\n",
        "Quote the value",
        "description: \"Greets: politely\" # x\n",
    );
    fix("description: `greet` \"you\"\n", "Quote the value", "description: '`greet` \"you\"'\n");
    fix(
        "description: Greets: a\n  person\n",
        "Quote the value",
        "description: \"Greets: a person\"\n",
    );
    fix("description:Greets\n", "Add a space after the colon", "description: Greets\n");
    fix("description: a\nmodel gpt-4o\n", "Add a colon", "description: a\nmodel: gpt-4o\n");
    fix("description: 'Greets\n", "Add the closing `'`", "description: 'Greets'\n");
    fix(
        "description: a\nimports: [\"./helper.md\"\n",
        "Add the closing `]`",
        "description: a\nimports: [\"./helper.md\"]\n",
    );
    fix(
        "description: a\nmcp_servers:\n  - name: a\n\t  url: http://x\n",
        "Replace the tab with spaces",
        "description: a\nmcp_servers:\n  - name: a\n    url: http://x\n",
    );
    fix(
        "description: a\nmcp_servers:\n  - name: a\n     url: http://x\n",
        "Align the line",
        "description: a\nmcp_servers:\n  - name: a\n    url: http://x\n",
    );
}

#[test]
fn mdl_04_duplicate_keys() {
    check(&program("«name»: again\n"), &[DUPLICATE]);
    check(
        &with_field(
            "input",
            "input:\n  type: object\n  properties:\n    who: { type: string }\n    «who»: { type: string }\n  required: [who]\n",
        ),
        &[DUPLICATE],
    );
    check(
        &program("mcp_servers:\n  - name: a\n    command: x\n    env: { A: b, «A»: c }\n"),
        &[DUPLICATE],
    );
    check(&program("model: a\n«model»: b\n«model»: c\n"), &[DUPLICATE, DUPLICATE]);
    let found = findings(&program("name: again\n"));
    let related = &found[0].related[0];
    assert_eq!(related.span, 4..8);
    fixes(&program("model: a\nmodel: b\n"), "Remove the first one", &program("model: b\n"));
    fixes(&program("model: a # x\nmodel: b # y\n"), "Remove this one", &program("model: a # x\n"));
}
