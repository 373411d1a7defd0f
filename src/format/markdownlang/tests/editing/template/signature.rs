use super::*;
use crate::ide::signature_help::signature;

/// The parameter at the cursor, and all of the label.
#[track_caller]
fn check(body: &str, label: &str, active: &str) {
    for text in variants(&program(body)) {
        let (text, offset) = cursor(&text);
        let found = ask(&text, |document, cx| signature(document, cx, offset))
            .unwrap_or_else(|| panic!("nothing in {body}"));
        assert!(found.label.starts_with(label), "{}", found.label);
        let shown =
            found.active.map_or("", |active| &found.label[found.parameters[active].clone()]);
        assert!(
            shown.starts_with(active) && shown.is_empty() == active.is_empty(),
            "{body}: {shown}"
        );
    }
}

#[track_caller]
fn silent(body: &str) {
    let (text, offset) = cursor(&program(body));
    assert_eq!(ask(&text, |document, cx| signature(document, cx, offset)), None, "{body}");
}

#[test]
fn the_current_parameter() {
    check("日本 {{ split $0 }}", "split text: string, separator: string → list", "text");
    check("{{ split .kind$0 }}", "split", "text");
    check("{{ split .kind $0 }}", "split", "separator");
    check("{{ split .kind \",$0\" }}", "split", "separator");
    check("{{ split .kind \",\" $0 }}", "split", "");
    check("{{ split $0.kind \",\" }}", "split", "text");
    check("{{ slice .items 1 $0", "slice", "[end");
    check("{{ if eq .kind \"a\" \"b\" $0 }}", "eq", "more…");
    check("{{ upper (lower $0) }}", "lower", "text");
    check("{{ upper (lower .kind) $0 }}", "upper", "");
    check("{{ printf \"%s\" $0 }}", "printf", "value…");
}

#[test]
fn the_piped_value_is_counted() {
    check("{{ .kind | default $0 }}", "default", "fallback");
    check("{{ .items | slice $0 }}", "slice", "[start");
    check("{{ .items | join $0 }}", "join", "separator");
    let (text, offset) = cursor(&program("{{ .kind | default $0 }}"));
    let found = ask(&text, |document, cx| signature(document, cx, offset)).expect("a signature");
    assert!(found.documentation.expect("documentation").starts_with("The piped value is `value`."));
}

#[test]
fn nothing_is_shown_outside_calls() {
    for body in [
        "{{ upp$0er .kind }}",
        "{{ .kind $0 }}",
        "text $0",
        "{{ upper .kind }}$0",
        "{{ nothing $0 }}",
        "{{/* upper $0 */}}",
    ] {
        silent(body);
    }
}
