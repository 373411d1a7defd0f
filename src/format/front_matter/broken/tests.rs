use super::*;

fn known(word: &str) -> bool {
    ["name", "description", "model", "tools", "license", "argument-hint", "color"].contains(&word)
}

fn found(text: &str) -> Vec<Broken> {
    broken(text, &yaml::parse(text).errors, &known)
}

/// The text with all safe repairs; every repair that is offered must help.
#[track_caller]
fn repaired(text: &str) -> String {
    let edits: Vec<Edit> = found(text)
        .iter()
        .filter_map(|broken| broken.repairs.iter().find(|repair| repair.safe))
        .flat_map(|repair| repair.edits.clone())
        .collect();
    text::apply(text, &edits).unwrap()
}

#[test]
fn one_value_is_one_finding_on_the_value() {
    for (text, value, after) in [
        (
            "name: a\ndescription: Use: it\nmodel: b\n",
            "Use: it",
            "name: a\ndescription: \"Use: it\"\nmodel: b\n",
        ),
        ("argument-hint: [a] | --b\n", "[a] | --b", "argument-hint: \"[a] | --b\"\n"),
        (
            "description: \"say \"no\" to it\"\nname: 🦆\n",
            "\"say \"no\" to it\"",
            "description: 'say \"no\" to it'\nname: 🦆\n",
        ),
        (
            "description: 'FRs don\\'t include 日本'\nname: x\n",
            "'FRs don\\'t include 日本'",
            "description: \"FRs don't include 日本\"\nname: x\n",
        ),
        (
            "description: 'don't do it'\r\nname: x\r\n",
            "'don't do it'",
            "description: \"don't do it\"\r\nname: x\r\n",
        ),
        (
            "description: 'don't\n  do it'\nname: x\n",
            "'don't\n  do it'",
            "description: \"don't do it\"\nname: x\n",
        ),
        ("description: \"a\\'b\"\nname: x\n", "\"a\\'b\"", "description: \"a'b\"\nname: x\n"),
        (
            "description: \"yes\" and \"no\"\nname: x\n",
            "\"yes\" and \"no\"",
            "description: '\"yes\" and \"no\"'\nname: x\n",
        ),
        ("applyTo: \"**/\\*.ts\"\nname: 🦆\n", "\"**/\\*.ts\"", "applyTo: '**/\\*.ts'\nname: 🦆\n"),
        (
            "description: @team 日本\r\nname: x\r\n",
            "@team 日本",
            "description: \"@team 日本\"\r\nname: x\r\n",
        ),
        (
            "description: Use: it\n  and on\nname: x\n",
            "Use: it\n  and on",
            "description: \"Use: it and on\"\nname: x\n",
        ),
    ] {
        let all = found(text);
        assert_eq!(all.len(), 1, "{all:#?}");
        assert_eq!(text.get(all[0].span.clone()), Some(value));
        assert_eq!(repaired(text), after);
    }
}

#[test]
fn quotes_around_a_structure_are_only_suggested() {
    for (text, safe) in [
        ("input: { type: object, required: [text] } }\n", false),
        ("input: type: object\r\n", false),
        ("tools: [Read] [日本]\n", false),
        ("env: Home: b\n", false),
        ("title: { type: string }: x\n", false),
        ("args: \"-y\", \"pkg\"]\r\n", false),
        ("title: \"a\", '日本'\"\n", false),
        ("description: See: [日本]\n", true),
        ("argument-hint: [a] [日本]\n", true),
        ("applyTo: {a,b}/**\n", true),
        ("purpose: use: it\n", true),
        ("other: Use when: 日本\n", true),
    ] {
        let all = found(text);
        let repairs: Vec<_> = all.iter().flat_map(|broken| &broken.repairs).collect();
        assert!(repairs.iter().any(|repair| repair.title == "Quote the value"), "{text}");
        assert!(repairs.iter().all(|repair| repair.safe == safe), "{text}: {repairs:?}");
    }
}

#[test]
fn messages_explain_mistakes_inside_quotes() {
    for (text, message) in [
        (
            "applyTo: \"日本/\\*.ts\"\n",
            "unknown or incomplete escape `\\*` in `applyTo`; use single quotes",
        ),
        ("applyTo: \"日本\\'s\"\n", "unknown or incomplete escape `\\'` in `applyTo`; write `'`"),
        (
            "applyTo: '日本\\'s'\n",
            "`\\'` ends the value of `applyTo` in single quotes; use double quotes",
        ),
        (
            "applyTo: \"a\" b\n",
            "text follows the closing quote in `applyTo`; put other quotes around the value",
        ),
    ] {
        assert_eq!(found(text)[0].message, message);
    }
}

#[test]
fn prose_below_a_description_becomes_one_block() {
    let text = "name: gardener\ndescription: Use for plants. Examples:\n\n<example>\nContext: The lawn is brown.\nuser: \"Help\"\n</example>\nmodel: sonnet\n";
    assert_eq!(found(text).len(), 1);
    let after = "name: gardener\ndescription: |-\n  Use for plants. Examples:\n\n  <example>\n  Context: The lawn is brown.\n  user: \"Help\"\n  </example>\nmodel: sonnet\n";
    assert_eq!(repaired(text), after);
    assert_eq!(repaired(&text.replace('\n', "\r\n")), after.replace('\n', "\r\n"));
    // Lines with a colon above the first line without one are prose as well.
    let below = "description: Use it.\nContext: A lawn.\nuser: \"Help\"\n<example>\nmodel: x\n";
    assert_eq!(
        repaired(below),
        "description: |-\n  Use it.\n  Context: A lawn.\n  user: \"Help\"\n  <example>\nmodel: x\n"
    );
    let header = "description: |\nUse it.\nSo: there\nmodel: x\n";
    assert_eq!(repaired(header), "description: |\n  Use it.\n  So: there\nmodel: x\n");
}

#[test]
fn a_lost_line_break_is_offered_first_and_nothing_is_safe() {
    let text = "name: a\ndescription: 何时使用。license: Apache-2.0\n";
    let all = found(text);
    assert_eq!(
        all[0]
            .repairs
            .iter()
            .map(|repair| (repair.title.as_str(), repair.safe))
            .collect::<Vec<_>>(),
        [("Start a new line before `license`", false), ("Quote the value", false)]
    );
    assert_eq!(
        text::apply(text, &all[0].repairs[0].edits).unwrap(),
        "name: a\ndescription: 何时使用。\nlicense: Apache-2.0\n"
    );
    assert_eq!(repaired(text), text);
}

#[test]
fn a_key_that_lost_its_space_or_its_line_is_not_buried() {
    let text = "name: ce\r\ndescription:Makes tea\r\n";
    let all = found(text);
    assert_eq!(all.len(), 1, "{all:#?}");
    assert_eq!(text.get(all[0].span.clone()), Some("description:"));
    assert_eq!(repaired(text), "name: ce\r\ndescription: Makes tea\r\n");
    let link = "description: See\nhttps://example.com: it\nname: x\n";
    assert!(found(link).iter().all(|broken| !broken.message.contains("no space")));

    let text = "name: ag description: Makes tea: green\n";
    let all = found(text);
    assert!(all[0].repairs.iter().all(|repair| !repair.safe), "{all:#?}");
    assert_eq!(
        text::apply(text, &all[0].repairs[0].edits).unwrap(),
        "name: ag\ndescription: \"Makes tea: green\"\n"
    );
    // In a sentence, the word is one of the sentence.
    let prose = "description: Give it a name: short\n";
    assert_eq!(repaired(prose), "description: \"Give it a name: short\"\n");
}

#[test]
fn a_key_with_a_space_or_a_wide_colon_is_not_buried() {
    for line in ["model : opus", "version：2"] {
        for end in ["\n", "\r\n"] {
            let lines = ["name: tea", "description: Brews 日本", "when asked", line, ""];
            let text = lines.join(end);
            assert_eq!(repaired(&text), text);
            assert!(!found(&text).is_empty(), "{text}");
        }
    }
    let prose = "description: Brews 日本\nwhen asked\nNote : hot, 注意：热\n";
    assert_ne!(repaired(prose), prose);
}

#[test]
fn several_values_are_safe_together_or_not_at_all() {
    let text = "description: a: b\nargument-hint: [x] y\nname: c\n";
    assert_eq!(found(text).len(), 2);
    assert_eq!(repaired(text), "description: \"a: b\"\nargument-hint: \"[x] y\"\nname: c\n");
    let hopeless = "description: a: b\ntools: [x, \"y\nname: c\n";
    assert!(found(hopeless).iter().all(|broken| broken.repairs.iter().all(|repair| !repair.safe)));
}

proptest::proptest! {
    #[test]
    fn safe_repairs_fix_everything(text in "((name|description|tools|x-y|Context): ?|[a-z]{1,4}|: |[\\[\\]{}'\"|>&*@`#,.-]|\\r?\\n|\\n  |\\t|🦆|。|日本| ){0,30}") {
        let all = found(&text);
        for broken in &all {
            proptest::prop_assert!(text.get(broken.span.clone()).is_some());
        }
        if all.iter().any(|broken| broken.repairs.iter().any(|repair| repair.safe)) {
            proptest::prop_assert_eq!(yaml::parse(&repaired(&text)).errors, []);
        }
    }
}
