use super::*;
use crate::growth;

fn scope(text: &str) -> (String, Vec<(String, String)>) {
    let offset = text.find('@').unwrap();
    let text = text.replacen('@', "", 1);
    let types = Types::new(Some(&schema()));
    let environment = Environment {
        definitions: [("d".to_owned(), types.element(&types.root()))].into(),
        ..Environment::default()
    };
    let scope = scope_at(&parse(&text, &[]), &types, &environment, offset);
    let brief = |kind: &Type| types.summary(kind).split(" {").next().unwrap_or_default().to_owned();
    (
        brief(&scope.dot),
        scope.variables.iter().map(|(name, kind)| (name.clone(), brief(kind))).collect(),
    )
}

#[track_caller]
fn dot(text: &str, expected: &str) {
    assert_eq!(scope(text).0, expected, "{text}");
}

#[test]
fn mdl_18_type_of_dot_at_an_offset() {
    dot("{{ @ }}", "object");
    dot("a@b {{ .name }}", "object");
    dot("{{ range .tags }}{{ @ }}{{ end }}", "string");
    dot("{{ range .tags }}@{{ end }}", "string");
    dot("{{ range .tags }}{{ end }}{{ .@ }}", "object");
    dot("{{ range @.tags }}{{ end }}", "object");
    dot("{{ range .tags }}{{ else }}{{ .@ }}{{ end }}", "object");
    dot("{{ with .count }}{{ if . }}{{ @ }}{{ end }}{{ end }}", "integer");
    dot("{{ with .count }}{{ else with .tags }}{{ @ }}{{ end }}", "array of string");
    dot("{{ range .tags }}{{ @", "string");
    dot("{{ define \"x\" }}{{ @ }}{{ end }}", "any");
}

#[test]
fn mdl_18_variables_at_an_offset() {
    let names = |text: &str| {
        scope(text)
            .1
            .into_iter()
            .map(|(name, kind)| format!("{name}: {kind}"))
            .collect::<Vec<_>>()
            .join(", ")
    };
    assert_eq!(names("{{ $a := 1 }}{{ @ }}"), "$: object, $a: integer");
    assert_eq!(names("{{ @ }}{{ $a := 1 }}"), "$: object");
    assert_eq!(
        names("{{ range $i, $t := .tags }}{{ @ }}{{ end }}"),
        "$: object, $i: integer, $t: string"
    );
    assert_eq!(names("{{ range $i, $t := .tags }}{{ end }}@"), "$: object");
    assert_eq!(
        names("{{ if $x := .nick }}{{ $y := $x }}{{ $@ }}{{ end }}"),
        "$: object, $x: string, $y: string"
    );
}

#[test]
fn mdl_18_names_and_their_types() {
    let text = "{{ $u := .user }}{{ $u.name }}{{ range $i, $t := .tags }}{{ $t }}{{ $.count }}{{ end }}{{ index . \"foo-bar\" }}";
    let found = checked(text);
    let types = Types::new(Some(&schema()));
    let uses: Vec<_> = found
        .uses
        .iter()
        .map(|used| (text.get(used.span.clone()).unwrap(), types.places(&used.kind).join(" ")))
        .collect();
    let expected = [
        ("user", "/properties/user"),
        ("name", "/$defs/user/properties/name"),
        ("tags", "/properties/tags"),
        ("count", "/properties/count"),
        ("foo-bar", "/properties/foo-bar"),
    ];
    assert_eq!(
        uses.iter().map(|(name, places)| (*name, places.as_str())).collect::<Vec<_>>(),
        expected
    );
    let at = |span: &Span| text.get(span.clone()).unwrap_or_default();
    let variables: Vec<_> = found
        .variables
        .iter()
        .map(|variable| {
            (
                variable.name.as_str(),
                variable.declaration().map(at),
                variable.uses.len(),
                variable.local,
            )
        })
        .collect();
    assert_eq!(
        variables,
        [
            ("$u", Some("$u"), 1, false),
            ("$i", Some("$i"), 0, true),
            ("$t", Some("$t"), 1, true),
            ("$", None, 1, false)
        ]
    );
    assert_eq!(found.outer.len(), 1);
    assert!(!found.uses_everything);
}

#[test]
fn mdl_18_the_input_as_a_whole() {
    for text in [
        "{{ . }}",
        "{{ $ }}",
        "{{ printf \"%v\" . }}",
        "{{ range . }}{{ end }}",
        "{{ $x := . }}{{ print $x }}",
        "{{ index . .name }}",
        "{{ with . }}{{ len $ }}{{ end }}",
    ] {
        assert!(checked(text).uses_everything, "{text}");
    }
    for text in [
        "{{ with . }}{{ .name }}{{ end }}",
        "{{ $x := . }}{{ $x.name }}",
        "{{ if . }}{{ end }}",
        "{{ range .people }}{{ . }}{{ end }}",
        "{{ template \"x\" . }}",
    ] {
        assert!(!checked(text).uses_everything, "{text}");
    }
}

#[test]
fn mdl_18_definitions_know_their_callers_arguments() {
    let types = Types::new(Some(&schema()));
    let text = "{{ define \"d\" }}{{ .nme }}{{ $.name }}{{ end }}{{ template \"d\" .user }}{{ block \"e\" .tags }}{{ end }}";
    let template = parse(text, &[]);
    let calls: Vec<_> = check(&template, &types, &Environment::default()).calls;
    assert_eq!(
        calls
            .iter()
            .map(|call| (call.name.as_str(), types.summary(&call.argument).len() > 3))
            .collect::<Vec<_>>(),
        [("d", true), ("e", true)]
    );
    let definitions = calls.into_iter().map(|call| (call.name, call.argument)).collect();
    let found = check(&template, &types, &Environment { definitions, ..Environment::default() });
    assert_eq!(
        found.problems.iter().map(|problem| short(text, problem)).collect::<Vec<_>>(),
        ["UnknownField nme"]
    );
    assert_eq!(found.definitions.len(), 2);
}

#[test]
fn deep_templates_are_checked_in_time() {
    // Loops are checked twice; nested loops must not be checked four times.
    let ranges = format!(
        "{{{{ $x := 1 }}}}{}{{{{ $x = .a }}}}{}",
        "{{ range .tags }}".repeat(100),
        "{{ end }}".repeat(100)
    );
    let nested = |count: usize| ranges.repeat(count);
    let long = |count: usize| {
        "{{ if .nick }}{{ .nick }}{{ .boss.boss.boss.name | default \"x\" }}{{ end }}{{ $x := .name }}\n".repeat(count)
    };
    let grouped =
        |depth: usize| format!("{{{{ {}.name{} }}}}", "(".repeat(depth), ")".repeat(depth));
    let types = Types::new(Some(&schema()));
    let linear = |what: &str, size: usize, text: &dyn Fn(usize) -> String| {
        growth::is_linear(
            what,
            size,
            |size| parse(&text(size), &[]),
            |template| _ = check(&template, &types, &Environment::default()),
        );
    };
    linear("nested", 8, &nested);
    linear("long", 20_000, &long);
    linear("grouped", 100_000, &grouped);
}

#[test]
fn mdl_18_scope_after_very_many_variables() {
    let text = |count: usize| {
        (0..count).map(|index| format!("{{{{ $v{index} := .count }}}}\n")).collect::<String>()
    };
    let types = Types::new(Some(&schema()));
    growth::is_linear(
        "variables",
        20_000,
        |count| (count, text(count)),
        |(count, text)| {
            let scope = scope_at(&parse(&text, &[]), &types, &Environment::default(), text.len());
            let last = scope.variables.last().map(|(name, _)| name.clone());
            assert_eq!(
                (scope.variables.len(), last),
                (count + 1, Some(format!("$v{}", count - 1)))
            );
        },
    );
}

#[test]
fn a_cancelled_check_stops_promptly() {
    let types = Types::new(Some(&schema()));
    let nested = format!(
        "{}{}",
        "{{ range .tags }}{{ $x := . }}".repeat(60),
        "{{ $x = . }}{{ end }}".repeat(60)
    );
    for text in [
        "{{ if .nick }}{{ .nick }}{{ end }}\n".repeat(5_000),
        format!("{{{{ print {} }}}}", ".name ".repeat(20_000)),
        nested.repeat(20),
    ] {
        let template = parse(&text, &[]);
        let checked = |last: usize| {
            let asked = std::cell::Cell::new(0);
            let cancelled = || {
                asked.set(asked.get() + 1);
                asked.get() >= last
            };
            (
                check_unless(&template, &types, &Environment::default(), &cancelled).is_some(),
                asked.get(),
            )
        };
        let (finished, questions) = checked(usize::MAX);
        assert!(finished && questions > 2, "{questions}");
        for last in [1, 2, questions] {
            assert_eq!(checked(last), (false, last));
        }
    }
}
