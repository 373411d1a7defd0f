//! `render`.

use super::{Folder, GOOD};

/// A program with this body, which takes any object as input.
fn program(body: &str) -> String {
    format!(
        "---\nname: p\ndescription: A program\ninput: {{ type: object }}\noutput: {{ type: object }}\n---\n{body}"
    )
}

/// Renders a program from stdin with this body and input.
fn render(body: &str, input: &str) -> super::Answer {
    Folder::empty().run_with(&["render", "-", "--input", input], program(body).as_bytes())
}

#[test]
fn the_body_is_filled_in() {
    let folder = Folder::with(&[("greet.md", GOOD), ("ann.json", "{\"who\": \"Ann\"}\n")]);
    let answer = folder.run(&["render", "greet.md", "--input", "{\"who\": \"Ann\"}"]);
    assert_eq!((answer.status, answer.out.as_str(), answer.err.as_str()), (0, "Greet Ann.\n", ""));
    assert_eq!(folder.run(&["render", "greet.md", "--input-file", "ann.json"]), answer);
    assert_eq!(
        folder.run_with(
            &["render", "greet.md", "--input-file", "-"],
            b"\xef\xbb\xbf{\"who\": \"Ann\"}"
        ),
        answer
    );
    assert_eq!(
        folder.run_with(&["render", "-", "--input", "{\"who\": \"Ann\"}"], GOOD.as_bytes()),
        answer
    );
}

#[test]
fn only_one_leading_blank_line_is_removed() {
    for (body, expected) in [
        ("\nA {{ 1 }}", "A 1"),
        ("\n\n\nA\n\n", "\n\nA\n\n"),
        ("A\n", "A\n"),
        ("  \t\nA\n", "A\n"),
        ("  A\n", "  A\n"),
        ("", ""),
        ("\n", ""),
        ("\n\n{{- 1 }}\n{{ 2 -}}\n \nB", "1\n2B"),
        ("\n---\n{{ 1 }}\n---\n", "---\n1\n---\n"),
    ] {
        let answer = render(body, "{}");
        assert_eq!((answer.status, answer.out.as_str()), (0, expected), "{body:?}");
    }
    let windows = format!("\u{feff}{}", program("\nA\n{{ .b }}\n")).replace('\n', "\r\n");
    let answer = Folder::empty()
        .run_with(&["render", "-", "--input", "{\"b\": \"x\\ny\"}"], windows.as_bytes());
    assert_eq!(answer.out, "A\r\nx\ny\r\n");
}

#[test]
fn the_default_input_is_an_empty_object() {
    let folder = Folder::with(&[("a.md", &program("\n{{ len . }}")), ("greet.md", GOOD)]);
    assert_eq!(folder.run(&["render", "a.md"]).out, "0");
    assert_eq!(folder.run(&["render", "a.md", "--input", " "]).out, "0");
    let answer = folder.run(&["render", "greet.md"]);
    assert_eq!(
        (answer.status, answer.out.as_str(), answer.err.as_str()),
        (1, "", "error: input: missing property `who`\n")
    );
}

#[test]
fn an_invalid_input_is_refused_with_every_reason() {
    let schema = "{ type: object, properties: { who: { type: string }, n: { type: array, items: { type: integer } } }, required: [who] }";
    let text = GOOD.replace(
        "{ type: object, properties: { who: { type: string } }, required: [who] }",
        schema,
    );
    let folder = Folder::with(&[("a.md", &text)]);
    let answer = folder.run(&["render", "a.md", "--input", "{\"n\": [1, \"x\", 2.5]}"]);
    assert_eq!((answer.status, answer.out.as_str()), (1, ""));
    for line in [
        "error: input: missing property `who`\n",
        "error: input/n/1: expected `integer`",
        "error: input/n/2: expected `integer`",
    ] {
        assert!(answer.err.contains(line), "{}", answer.err);
    }
    assert_eq!(answer.err.lines().count(), 3);
    // An input that isn't an object is validated against the schema like any other.
    assert_eq!(folder.run(&["render", "a.md", "--input", "[]"]).status, 1);
    let number = "---\nname: p\ndescription: d\ninput: { type: number }\noutput: { type: object }\n---\n{{ . }}";
    for (input, expected) in [("-1", "-1"), ("-2.5", "-2.5")] {
        let answer =
            Folder::empty().run_with(&["render", "-", "--input", input], number.as_bytes());
        assert_eq!((answer.status, answer.out.as_str()), (0, expected), "{answer:?}");
    }
    let any = program("\n{{ . }}").replace("input: { type: object }", "input: { type: array }");
    assert_eq!(
        Folder::empty().run_with(&["render", "-", "--input", "[1, 2]"], any.as_bytes()).out,
        "[1 2]"
    );
}

#[test]
fn mdl_13_every_mistake_of_the_template_has_its_place() {
    let folder = Folder::with(&[("a.md", &program("\n🦆 é{{ nofunc }}\n\t{{ end }}\n{{ .a }"))]);
    let answer = folder.run(&["render", "a.md"]);
    assert_eq!((answer.status, answer.out.as_str()), (1, ""));
    assert_eq!(answer.err.lines().count(), 3, "{}", answer.err);
    for (line, start) in answer.err.lines().zip([
        "error: a.md:8:7: function \"nofunc\" not defined",
        "error: a.md:9:2: unexpected {{end}}",
        "error: a.md:10:1: ",
    ]) {
        assert!(line.starts_with(start), "{line}");
    }
}

#[test]
fn mdl_15_an_unsuitable_value_is_reported_with_its_place() {
    let answer = render("\n🦆 {{ .a.b }}", "{\"a\": \"x\"}");
    assert_eq!(
        (answer.status, answer.out.as_str(), answer.err.as_str()),
        (1, "", "error: <stdin>:8:9: can't evaluate field b in type string\n")
    );
    let answer = render("\n{{ range .l }}\n{{ index . 5 }}{{ end }}", "{\"l\": [[1]]}");
    assert_eq!(answer.err, "error: <stdin>:9:4: error calling index: index out of range: 5\n");
}

#[test]
fn mdl_16_a_missing_value_is_rendered_and_warned_about() {
    let answer = render(
        "\n{{ .a }} {{ .b }}{{ range .l }} {{ .c | print }}{{ .d }}{{ end }}",
        "{\"b\": 1, \"l\": [{}, {}]}",
    );
    assert_eq!(
        (answer.status, answer.out.as_str()),
        (0, "<no value> 1 <nil><no value> <nil><no value>")
    );
    let warnings = "warning: <stdin>:8:4: `.a` prints `<no value>`: the input has no value for it\nwarning: <stdin>:8:52: `.d` prints `<no value>`: the input has no value for it\n";
    assert_eq!(answer.err, warnings);
    let long = render(&format!("{{{{ default .{}\n.y }}}}", "x".repeat(100)), "{}");
    assert_eq!(
        long.err,
        format!(
            "warning: <stdin>:7:4: `default .{}…` prints `<no value>`: the input has no value for it\n",
            "x".repeat(51)
        )
    );
    let quiet = Folder::empty().run_with(&["render", "-q", "-"], program("{{ .a }}").as_bytes());
    assert_eq!((quiet.out.as_str(), quiet.err.as_str()), ("<no value>", ""));
}

#[test]
fn mdl_17_an_input_is_not_a_template() {
    let answer = render("{{ .x }}", "{\"x\": \"{{ .y }}\", \"y\": \"secret\"}");
    assert_eq!((answer.out.as_str(), answer.err.as_str()), ("{{ .y }}", ""));
}

#[test]
fn front_matter_with_mistakes_is_read_as_far_as_possible() {
    let text =
        GOOD.replace("description: Greets a person", "description: Use when: somebody comes");
    let answer = Folder::empty()
        .run_with(&["render", "-", "--input", "{\"who\": \"Ann\"}"], text.as_bytes());
    assert_eq!((answer.status, answer.out.as_str()), (0, "Greet Ann.\n"));
    assert_eq!(
        answer.err,
        "warning: <stdin>: the front matter has YAML errors; run `agentmd check` for details\n"
    );
    let text = program("{{ .a }}").replace("input: { type: object }\n", "");
    let answer =
        Folder::empty().run_with(&["render", "-", "--input", "{\"a\": 1}"], text.as_bytes());
    assert_eq!(
        (answer.out.as_str(), answer.err.as_str()),
        ("1", "warning: <stdin>: the program has no `input` schema, so the input is not checked\n")
    );
}

#[test]
fn an_invalid_input_schema_is_reported() {
    let text = program("{{ .a }}").replace("{ type: object }\noutput", "{ type: objct }\noutput");
    let answer = Folder::empty().run_with(&["render", "-"], text.as_bytes());
    assert_eq!((answer.status, answer.out.as_str()), (1, ""));
    assert!(
        answer.err.starts_with(
            "error: <stdin>:4:10: the `input` schema is not valid: unknown type `objct`"
        ),
        "{}",
        answer.err
    );
    let text = text.replace("{ type: objct }", "some text");
    let answer = Folder::empty().run_with(&["render", "-"], text.as_bytes());
    assert_eq!(
        (answer.status, answer.err.as_str()),
        (
            1,
            "error: <stdin>:4:8: `input` is not a valid JSON Schema; run `agentmd check` for details\n"
        )
    );
}

#[test]
fn documents_that_cannot_be_rendered_are_usage_errors() {
    let folder = Folder::with(&[
        ("a.md", "# A heading\n"),
        ("SKILL.md", "---\nname: s\ndescription: A skill\n---\ntext\n"),
        ("good.md", GOOD),
    ]);
    folder.write("bytes.md", b"a\xff");
    for (arguments, message) in [
        (&["render", "a.md"][..], "a.md: not a markdownlang program"),
        (&["render", "SKILL.md"], "SKILL.md: not a markdownlang program"),
        (&["render", "none.md"], "cannot read none.md: "),
        (&["render", "bytes.md"], "bytes.md is not UTF-8: invalid byte at offset 1"),
        (
            &["render", "good.md", "--input", "{who: 1}"],
            "`--input` is not JSON: key must be a string at line 1 column 2",
        ),
        (&["render", "good.md", "--input-file", "none.json"], "cannot read none.json: "),
        (&["render", "good.md", "--input-file", "a.md"], "a.md is not JSON"),
        (&["render", "-", "--input-file", "-"], "stdin can't be both the program and the input"),
        (&["render", "good.md", "--input", "{}", "--input-file", "x"], "cannot be used with"),
        (&["render"], "required"),
    ] {
        let answer = folder.run(arguments);
        assert_eq!((answer.status, answer.out.as_str()), (2, ""), "{arguments:?}");
        assert!(answer.err.contains(message), "{arguments:?}: {}", answer.err);
    }
}

#[test]
fn hostile_bodies_end_soon() {
    let endless = "{{ define \"t\" }}{{ template \"t\" . }}{{ end }}{{ template \"t\" . }}";
    for (body, message) in [
        (endless.to_owned(), "exceeded maximum template depth"),
        (format!("{{{{ {}1{} }}}}", "(".repeat(100_000), ")".repeat(100_000)), "error: <stdin>:7:"),
        (
            "{{ range 100000 }}{{ printf \"%1000000d\" 1 }}{{ end }}".to_owned(),
            "the text grows longer than",
        ),
        ("{{ range 1000000000000 }}{{ end }}".to_owned(), "does too much"),
    ] {
        let answer = render(&body, "{}");
        assert_eq!((answer.status, answer.out.as_str()), (1, ""));
        assert!(answer.err.contains(message) && answer.err.len() < 1000, "{}", answer.err);
    }
    let long = render(&format!("{}{{{{ .a }}}}\n", "x".repeat(100)).repeat(100_000), "{\"a\": 1}");
    assert_eq!((long.status, long.out.len()), (0, 100_000 * 102));
}

#[test]
fn a_watched_program_is_rendered_again_after_every_change() {
    use std::io::{BufRead, BufReader};
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("p.md");
    let program = |greeting: &str| {
        format!(
            "---\nname: p\ndescription: d\ninput: {{ type: object }}\noutput: {{ type: object }}\n---\n\n{greeting} {{{{ .who }}}}\n"
        )
    };
    // Written atomically, so that the watcher never sees half of it.
    let write = |greeting: &str| {
        let whole = folder.path().join("whole");
        std::fs::write(&whole, program(greeting)).expect("written");
        std::fs::rename(&whole, &path).expect("renamed");
    };
    write("Hello");
    let mut child = std::process::Command::new(env!("CARGO_BIN_EXE_agentmd"))
        .args(["render", "--quiet", "--watch", "--input", "{\"who\":\"Ada\"}"])
        .arg(&path)
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::piped())
        .spawn()
        .expect("the program");
    let mut lines = BufReader::new(child.stdout.take().expect("stdout")).lines();
    let mut errors = BufReader::new(child.stderr.take().expect("stderr")).lines();
    let mut next = || lines.next().expect("a line").expect("text");
    assert_eq!(next(), "Hello Ada");
    // A mistake is reported and doesn't end the watch.
    write("Hello {{ if }}");
    let error = errors.next().expect("a line").expect("text");
    assert!(error.contains("p.md:8:"), "{error}");
    write("Good evening");
    assert_eq!(next(), "Good evening Ada");
    child.kill().expect("ended");
    child.wait().expect("ended");
}
