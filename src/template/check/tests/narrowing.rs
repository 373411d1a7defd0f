use super::*;

#[test]
fn mdl_18_conditions_guard() {
    problems(
        "{{ if .nick }}{{ .nick }}{{ else }}{{ .nick }}{{ end }}{{ .nick }}",
        &["PossiblyMissing nick", "PossiblyMissing nick"],
    );
    problems("{{ if not .nick }}none{{ else }}{{ .nick }}{{ end }}", &[]);
    problems("{{ if and .nick .boss }}{{ .nick }}{{ .boss.name }}{{ end }}", &[]);
    problems(
        "{{ if or .nick .boss }}{{ .nick }}{{ end }}{{ if or (not .nick) .flag }}{{ else }}{{ .nick }}{{ end }}",
        &["PossiblyMissing nick"],
    );
    problems("{{ if or (and .nick .flag) .nick }}{{ .nick }}{{ end }}", &[]);
    problems("{{ with .nick }}{{ . }}{{ $.nick }}{{ end }}", &[]);
    problems(
        "{{ with .boss }}{{ .name }}{{ with .boss }}{{ .name }}{{ $.boss.boss.name }}{{ end }}{{ end }}",
        &[],
    );
    problems("{{ if .boss.boss }}{{ .boss.boss.name }}{{ $.boss.name }}{{ end }}", &[]);
    problems(
        "{{ if eq .nick \"x\" }}{{ .nick }}{{ end }}{{ if ne .nick \"x\" }}{{ .nick }}{{ else }}{{ .nick }}{{ end }}",
        &["PossiblyMissing nick"],
    );
    problems(
        "{{ if .nick | eq \"x\" }}{{ .nick }}{{ end }}{{ if .nick | not }}{{ else }}{{ .nick }}{{ end }}",
        &[],
    );
    problems(
        "{{ if (.nick) }}{{ .nick }}{{ end }}{{ if ((.boss).name) }}{{ .boss.name }}{{ end }}",
        &[],
    );
    problems(
        "{{ if .note }}{{ .note }}{{ upper .note }}{{ end }}{{ if ne .note nil }}{{ .note }}{{ end }}",
        &[],
    );
    problems("{{ if $n := .nick }}{{ $n }}{{ .nick }}{{ end }}", &[]);
    problems(
        "{{ if .flag }}{{ else if .nick }}{{ .nick }}{{ else }}{{ .nick }}{{ end }}",
        &["PossiblyMissing nick"],
    );
    problems("{{ if not .nick }}{{ else if .flag }}{{ .nick }}{{ else }}{{ .nick }}{{ end }}", &[]);
    problems(
        "{{ range .people }}{{ if .email }}{{ .email }}{{ end }}{{ .email }}{{ end }}",
        &["PossiblyMissing email"],
    );
    problems("{{ and .nick (upper .nick) }}", &["PossiblyMissing nick"]);
    problems(
        "{{ if and .nick (eq (upper .nick) \"X\") }}{{ end }}{{ if or (not .nick) (eq (upper .nick) \"X\") }}{{ end }}",
        &[],
    );
    problems("{{ if index .map \"a\" }}{{ index .map \"a\" }}{{ .map.a }}{{ end }}", &[]);
    // Elements, too: by a constant, by a variable, by a field.
    for index in ["0", "$i", ".count"] {
        let text = |condition: &str| {
            let element = format!("(index .people {index}).email");
            let other = "(index .people 1).email";
            format!("{{{{ $i := .count }}}}{{{{ if {condition} }}}}{{{{ {element} }}}}{{{{ {other} }}}}{{{{ end }}}}")
                .replace("ELEMENT", &element)
        };
        problems(&text("ELEMENT"), &["PossiblyMissing email"]);
        problems(&text("and .flag ELEMENT"), &["PossiblyMissing email"]);
        let keys = format!("index .people {index} \"email\"");
        problems(&text(&keys), &["PossiblyMissing email"]);
        problems(&text(".flag"), &["PossiblyMissing email", "PossiblyMissing email"]);
    }
    // Another element, after the variable has changed.
    problems(
        "{{ $i := 0 }}{{ if (index .people $i).email }}{{ $i = 1 }}{{ (index .people $i).email }}{{ end }}",
        &["PossiblyMissing email"],
    );
}

#[test]
fn mdl_18_break_and_continue_guard_the_rest() {
    problems(
        "{{ range .people }}{{ if not .email }}{{ continue }}{{ end }}{{ .email }}{{ end }}",
        &[],
    );
    problems(
        "{{ range .people }}{{ if .email }}{{ continue }}{{ end }}{{ .email }}{{ end }}",
        &["PossiblyMissing email"],
    );
    problems(
        "{{ range .people }}{{ if .boss }}{{ else if not .email }}{{ break }}{{ end }}{{ .email }}{{ end }}",
        &["PossiblyMissing email"],
    );
}

#[test]
fn variables_have_the_type_of_their_last_assignment() {
    problems(
        "{{ $x := 1 }}{{ $x = .name }}{{ $x.y }}{{ lt $x 1 }}",
        &["NotAnObject y", "Incomparable 1"],
    );
    problems(
        "{{ $x := 1 }}{{ if .flag }}{{ $x = .name }}{{ end }}{{ lt $x 1 }}",
        &["Incomparable 1"],
    );
    problems("{{ $x := .nick }}{{ if not $x }}{{ $x = \"none\" }}{{ end }}{{ upper $x }}", &[]);
    problems(
        "{{ $x := .nick }}{{ if .flag }}{{ $x = \"a\" }}{{ else }}{{ $x = \"b\" }}{{ end }}{{ $x }}",
        &[],
    );
    problems(
        "{{ $x := \"\" }}{{ range .people }}{{ $x }}{{ $x = .email }}{{ end }}",
        &["PossiblyMissing $x"],
    );
    problems(
        "{{ $x := true }}{{ range .people }}{{ if $x }}{{ $x = false }}{{ else }}, {{ end }}{{ .name }}{{ end }}{{ eq $x true }}",
        &[],
    );
    problems(
        "{{ range .people }}{{ $x := 1 }}{{ range .name }}{{ $x = .q }}{{ end }}{{ $x }}{{ end }}",
        &["NotIterable .name"],
    );
    problems(
        "{{ $x := 1 }}{{ $x := .tags }}{{ range $x }}{{ end }}{{ if .flag }}{{ $x := 1 }}{{ lt $x 2 }}{{ end }}{{ join $x \",\" }}",
        &[],
    );
}

#[test]
fn mdl_18_a_never_empty_value_needs_no_default() {
    problems(
        "{{ .kind | default .nick }}{{ .flag | default .nick }}{{ or \"x\" .nick }}{{ default .nick \"x\" }}",
        &["SwappedDefault .nick \"x\""],
    );
    problems(
        "{{ .name | default .nick }}{{ or \"\" .nick }}",
        &["PossiblyMissing nick", "PossiblyMissing nick"],
    );
}

/// An issue of one of two kinds, and values of limited length.
fn limited() -> Types {
    Types::new(Some(&json!({
        "type": "object",
        "properties": {
            "issue": { "oneOf": [
                { "type": "object", "properties": { "kind": { "const": "bug" }, "steps": { "type": "string" } }, "required": ["kind", "steps"] },
                { "type": "object", "properties": { "kind": { "const": "idea" }, "votes": { "type": "integer" } }, "required": ["kind", "votes"] },
            ] },
            "text": { "type": "string" },
            "code": { "type": "string", "minLength": 3, "maxLength": 8 },
            "items": { "type": "array", "items": { "type": "string" } },
            "pair": { "type": "array", "items": { "type": "string" }, "minItems": 2, "maxItems": 2 },
            "size": { "enum": ["small", "large"] },
            "lang": { "type": "string" },
            "people": { "type": "array", "items": { "type": "object", "properties": { "name": { "type": "string" } } } },
            "loose": { "type": "array" },
        },
        "required": ["issue", "text", "code", "items", "pair", "size", "lang", "people", "loose"],
    })))
}

#[track_caller]
fn finds(text: &str, expected: &[&str]) {
    let template = parse(text, &[]);
    assert_eq!(template.errors, [], "{text}");
    let checked = check(&template, &limited(), &Environment::default());
    let found: Vec<String> = checked.problems.iter().map(|problem| short(text, problem)).collect();
    assert_eq!(found, expected, "{text}");
}

#[test]
fn mdl_18_a_compared_field_decides_the_shape() {
    finds(
        "{{ if eq .issue.kind \"bug\" }}{{ .issue.steps }}{{ .issue.votes }}{{ else }}{{ .issue.votes }}{{ .issue.steps }}{{ end }}",
        &["PossiblyMissing votes", "PossiblyMissing steps"],
    );
    finds(
        "{{ with .issue }}{{ if eq .kind \"idea\" }}{{ .votes }}{{ $.issue.steps }}{{ end }}{{ end }}",
        &["PossiblyMissing steps"],
    );
    finds("{{ $i := .issue }}{{ if ne $i.kind \"bug\" }}{{ $i.votes }}{{ end }}", &[]);
    finds(
        "{{ if and (eq .issue.kind \"bug\") .issue.steps }}{{ .issue.steps }}{{ end }}{{ .issue.steps }}",
        &["PossiblyMissing steps"],
    );
    let text = "{{ if eq .issue.kind \"bug\" }}{{ with .issue }}{{ . }}{{ end }}{{ end }}";
    let types = limited();
    let scope = scope_at(&parse(text, &[]), &types, &Environment::default(), text.len() - 23);
    let names: Vec<String> = types.fields(&scope.dot).into_iter().map(|(name, _)| name).collect();
    assert_eq!(names, ["kind", "steps"]);
}

#[test]
fn mdl_18_positions_are_in_range() {
    finds("{{ slice .text 0 200 }}{{ slice .text 0 }}", &["OutOfRange slice .text 0 200"]);
    finds(
        "{{ slice .code 0 3 }}{{ slice .code 0 5 }}{{ slice .code 0 9 }}",
        &["OutOfRange slice .code 0 5", "OutOfRange slice .code 0 9"],
    );
    finds("{{ .code | slice 2 }}{{ .code | slice 4 }}", &["OutOfRange slice 4"]);
    finds(
        "{{ index .items 0 }}{{ index .pair 1 }}{{ index .pair 2 }}",
        &["OutOfRange 0", "OutOfRange 2"],
    );
    finds(
        "{{ slice .text -1 }}{{ slice .text 3 1 }}",
        &["OutOfRange slice .text -1", "OutOfRange slice .text 3 1"],
    );
    finds("{{ slice .size 0 5 }}{{ slice .size 0 6 }}", &["OutOfRange slice .size 0 6"]);
    finds("{{ slice \"ab🦆\" 0 3 }}{{ slice \"ab🦆\" 0 4 }}", &["OutOfRange slice \"ab🦆\" 0 4"]);
    // The length is known where a condition checks it.
    finds("{{ if .items }}{{ index .items 0 }}{{ index .items 1 }}{{ end }}", &["OutOfRange 1"]);
    finds(
        "{{ range .items }}{{ index $.items 0 }}{{ end }}{{ with .items }}{{ index . 0 }}{{ end }}",
        &[],
    );
    finds(
        "{{ if ge (len .text) 200 }}{{ slice .text 0 200 }}{{ else }}{{ slice .text 0 200 }}{{ end }}",
        &["OutOfRange slice .text 0 200"],
    );
    finds(
        "{{ if lt (.text | len) 200 }}{{ .text }}{{ else }}{{ slice .text 0 200 }}{{ end }}",
        &[],
    );
    finds(
        "{{ if gt (len .items) 1 }}{{ index .items 1 }}{{ index .items 2 }}{{ end }}",
        &["OutOfRange 2"],
    );
    finds(
        "{{ if and .items (eq (index .items 0) \"x\") }}{{ end }}{{ if eq 3 (len .items) }}{{ index .items 2 }}{{ end }}",
        &[],
    );
    finds("{{ if eq (len .items) 0 }}none{{ else }}{{ index .items 0 }}{{ end }}", &[]);
    finds("{{ index (split .text \",\") 0 }}{{ index .loose 0 }}", &["OutOfRange 0"]);
}

#[test]
fn mdl_18_defaults_and_fields_of_the_input() {
    finds(
        "{{ default .text \"x\" }}{{ default \"x\" .text }}{{ .text | default \"x\" }}",
        &["SwappedDefault .text \"x\""],
    );
    finds("{{ default .text .lang }}{{ default \"a\" \"b\" }}", &[]);
    finds("{{ range .items }}{{ .lang }}{{ $.lang }}{{ end }}", &["NotAnObject lang"]);
    finds(
        "{{ range .people }}{{ .lang }}{{ end }}{{ range .loose }}{{ .lang }}{{ .name }}{{ end }}",
        &["UnknownField lang", "MaybeRoot lang"],
    );
    let template = parse("{{ range .people }}{{ .lang }}{{ .nmae }}{{ end }}", &[]);
    let checked = check(&template, &limited(), &Environment::default());
    let roots = checked.problems.iter().filter_map(|problem| match problem.kind {
        ProblemKind::UnknownField { root, .. } => Some(root),
        _ => None,
    });
    assert_eq!(roots.collect::<Vec<bool>>(), [true, false]);
}
