//! Templates and inputs that would never end, or use too much memory.

use std::cell::Cell;

use serde_json::{Value, json};

use crate::template::parse;
use crate::template::render::{Limits, RenderError, Rendered, render};

const SMALL: Limits<'static> =
    Limits { output: 1 << 20, memory: 4 << 20, steps: 2_000_000, cancelled: &|| false };

fn run(template: &str, input: &Value) -> Result<Rendered, RenderError> {
    render(&parse(template, &[]), template, input, &SMALL)
}

/// The template is stopped with a span and a reason.
#[track_caller]
fn stopped(template: &str, input: &Value, place: &str, reason: &str) {
    let error = run(template, input).expect_err(template);
    assert_eq!(&template[error.span], place);
    assert!(error.message.contains(reason), "{}", error.message);
}

#[test]
fn a_template_that_calls_itself_is_stopped() {
    stopped(
        "{{ define \"t\" }}{{ template \"t\" . }}{{ end }}{{ template \"t\" . }}",
        &json!({}),
        "\"t\"",
        "exceeded maximum template depth (100000)",
    );
    let nested = format!(
        "{{{{ define \"t\" }}}}{}{{{{ template \"t\" . }}}}{}{{{{ end }}}}{{{{ template \"t\" . }}}}",
        "{{ if true }}".repeat(100),
        "{{ end }}".repeat(100)
    );
    assert!(
        run(&nested, &json!({}))
            .unwrap_err()
            .message
            .starts_with("exceeded maximum template depth")
    );
    let deep = "{{ define \"t\" }}{{ if .n }}{{ template \"t\" .n }}{{ else }}end{{ end }}{{ end }}{{ template \"t\" . }}";
    let input = (0..100).fold(json!({}), |inner, _| json!({ "n": inner }));
    assert_eq!(run(deep, &input).unwrap().text, "end");
}

#[test]
fn giant_widths_stay_within_the_limits() {
    assert_eq!(run("{{ printf \"%1000000d\" 1 | len }}", &json!({})).unwrap().text, "1000000");
    assert_eq!(
        run("{{ printf \"%1000001d\" 1 | len }}{{ printf \"%*d\" 1000001 1 }}", &json!({}))
            .unwrap()
            .text,
        "1000001%!(BADWIDTH)1"
    );
    stopped(
        "{{ range 10 }}{{ $x := printf \"%1000000d\" 1 }}{{ end }}",
        &json!({}),
        "printf \"%1000000d\" 1",
        "more than",
    );
    for verb in [
        "%.1000000d",
        "%.1000000f",
        "%.1000000g",
        "%.1000000e",
        "%.1000000x",
        "%.1000000U",
        "%1000000q",
        "%#.1000000g",
    ] {
        for value in ["1", "1.5", "\"x\"", "nil", "true", ".l"] {
            let _ = run(
                &format!(
                    "{{{{ printf \"{verb}{verb}{verb}{verb}{verb}\" {value} {value} {value} {value} {value} }}}}"
                ),
                &json!({ "l": ["a", 1, 2.5] }),
            );
        }
    }
}

#[test]
fn doubling_text_is_stopped() {
    let input = json!({ "l": vec![1; 100], "s": "<".repeat(100_000) });
    stopped(
        "{{ $x := \"ab\" }}{{ range .l }}{{ $x = print $x $x }}{{ end }}",
        &input,
        "print $x $x",
        "more than 4194304 bytes",
    );
    stopped(
        "{{ $x := .s }}{{ range .l }}{{ $x = html $x }}{{ end }}",
        &input,
        "html $x",
        "more than 4194304 bytes",
    );
    stopped(
        "{{ range .l }}{{ join $.l $.s }}{{ end }}",
        &input,
        "join $.l $.s",
        "more than 4194304 bytes",
    );
    stopped(
        "{{ range .l }}{{ split $.s \"\" | len }}{{ end }}",
        &input,
        "split $.s \"\"",
        "more than 4194304 bytes",
    );
    stopped("{{ range .l }}{{ $.s }}{{ end }}", &input, "$.s", "longer than 1048576 bytes");
    stopped(
        "{{ range .l }}{{ range $.l }}{{ $ }}{{ end }}{{ end }}",
        &input,
        "$",
        "longer than 1048576 bytes",
    );
}

#[test]
fn long_loops_are_stopped() {
    stopped(
        "{{ range 9223372036854775807 }}{{ end }}",
        &json!({}),
        "9223372036854775807",
        "does too much",
    );
    let input = json!({ "l": vec![1; 1000], "s": "é".repeat(1_000_000) });
    stopped(
        "{{ range .l }}{{ range $.l }}{{ range $.l }}{{ end }}{{ end }}{{ end }}",
        &input,
        "$.l",
        "does too much",
    );
    stopped("{{ range .l }}{{ $x := len $.s }}{{ end }}", &input, "len $.s", "does too much");
    stopped("{{ range .l }}{{ $x := eq $.s $.s }}{{ end }}", &input, "eq $.s $.s", "does too much");
}

#[test]
fn a_cancelled_rendering_stops() {
    let asked = Cell::new(0);
    let cancelled = || {
        asked.set(asked.get() + 1);
        asked.get() == 3
    };
    let template = "{{ range 9223372036854775807 }}{{ end }}";
    let error = render(
        &parse(template, &[]),
        template,
        &json!({}),
        &Limits { cancelled: &cancelled, ..Limits::default() },
    )
    .unwrap_err();
    assert_eq!((error.message.as_str(), asked.get()), ("cancelled", 3));
}

#[test]
fn nested_inputs_and_expressions_end() {
    let deep = (0..100_000).fold(json!(1), |inner, _| Value::Array(vec![inner]));
    assert!(run("{{ . }}", &deep).unwrap_err().message.contains("longer than"));
    assert!(run("{{ printf \"%d\" . }}", &deep).is_err());
    // Dropping such a value recurses, which isn't under test.
    std::mem::forget(deep);
    let parentheses = format!("{{{{ {}1{} }}}}", "(".repeat(100), ")".repeat(100));
    assert_eq!(run(&parentheses, &json!({})).unwrap().text, "1");
    let too_many = format!("{{{{ {}1{} }}}}", "(".repeat(100_000), ")".repeat(100_000));
    assert!(run(&too_many, &json!({})).is_err());
}

#[test]
fn a_template_with_errors_is_not_rendered() {
    for template in [
        "a{{ .b",
        "{{ nofunc }}",
        "{{ if }}{{ end }}",
        "{{ $x }}",
        "{{ end }}",
        "{{ | .a }}",
        "{{ ( }}",
    ] {
        let found = parse(template, &[]);
        let error = render(&found, template, &json!({}), &SMALL).unwrap_err();
        assert_eq!(
            (&error.span, &error.message),
            (&found.errors[0].span, &found.errors[0].message)
        );
    }
}

#[test]
fn many_variables_do_not_take_long() {
    let template = (0..3000)
        .fold(String::new(), |text, number| text + &format!("{{{{ $v{number} := {number} }}}}"))
        + "{{ range 1000000 }}{{ $x := $v0 }}{{ end }}";
    assert!(run(&template, &json!({})).unwrap_err().message.contains("does too much"));
}
