use super::*;

#[test]
fn mdl_18_unknown_fields() {
    problems(
        "{{ .name }} {{ .Name }} {{ .user.nme }} {{ $.nam }} {{ (.user).nme }}",
        &["UnknownField Name", "UnknownField nme", "UnknownField nam", "UnknownField nme"],
    );
    problems("{{ .free.anything.at.all }} {{ .meta.x.y }} {{ index . \"foo-bar\" }}", &[]);
    problems("{{ index . \"foo-baz\" }}", &["UnknownField foo-baz"]);
}

#[test]
fn mdl_18_elements_and_scopes_are_followed() {
    problems(
        "{{ range .people }}{{ .name }}{{ .nme }}{{ $.count }}{{ .count }}{{ end }}",
        &["UnknownField nme", "UnknownField count"],
    );
    problems(
        "{{ range $i, $p := .people }}{{ $i }}{{ $p.name }}{{ $p.x }}{{ $i.x }}{{ end }}",
        &["UnknownField x", "NotAnObject x"],
    );
    problems(
        "{{ with .user }}{{ .name }}{{ .count }}{{ else }}{{ .count }}{{ .email }}{{ end }}",
        &["UnknownField count", "UnknownField email"],
    );
    problems(
        "{{ range $k, $v := .map }}{{ upper $k }}{{ printf \"%d\" $v }}{{ $v.x }}{{ end }}",
        &["NotAnObject x"],
    );
    problems(
        "{{ (index .people 0).name }}{{ (index .people 0).nam }}{{ (slice .people 1).name }}",
        &["UnknownField nam", "NotAnObject name"],
    );
    problems("{{ range slice .people 1 3 }}{{ .name }}{{ .nme }}{{ end }}", &["UnknownField nme"]);
    problems("{{ range split .name \",\" }}{{ .x }}{{ end }}", &["NotAnObject x"]);
    problems("{{ $u := .user }}{{ $u.name }}{{ $u.nam }}", &["UnknownField nam"]);
    problems("{{ define \"a\" }}{{ .x }}{{ end }}{{ block \"b\" . }}{{ .name }}{{ end }}", &[]);
}

#[test]
fn mdl_18_any_value_may_be_compared_with_nil() {
    problems("{{ if ne .tags nil }}{{ end }}{{ eq nil .user }}{{ eq .free .tags }}", &[]);
    problems("{{ eq .tags .note nil }}", &["WrongArgument .tags"]);
    problems(
        "{{ eq .tags .tags }}{{ eq .tags nil .name }}",
        &["WrongArgument .tags", "WrongArgument .tags", "WrongArgument .tags"],
    );
    problems("{{ lt .tags nil }}", &["WrongArgument .tags", "WrongArgument nil"]);
}

#[test]
fn mdl_18_fields_of_values_without_fields() {
    problems("{{ .name.first }}", &["NotAnObject first"]);
    problems("{{ .tags.first }}", &["NotAnObject first"]);
    problems("{{ (len .tags).x }}", &["NotAnObject x"]);
    problems("{{ index .name \"x\" }}", &["WrongArgument \"x\""]);
    // An element of a string is a byte.
    problems("{{ index .name 0 \"x\" }}", &["WrongArgument .name"]);
    problems("{{ index .name 0 }}{{ if eq (index .name 0) 97 }}{{ end }}", &[]);
}

#[test]
fn mdl_18_possibly_missing_values() {
    problems(
        "{{ .nick }} {{ .boss.name }} {{ .user.boss.boss.name }} {{ .note }}",
        &[
            "PossiblyMissing nick",
            "PossiblyMissing boss",
            "PossiblyMissing boss",
            "PossiblyMissing note",
        ],
    );
    problems(
        "{{ upper .nick }} {{ len .nick }}",
        &["PossiblyMissing nick", "PossiblyMissing nick"],
    );
    problems("{{ upper .note }}", &["WrongArgument .note"]);
    problems(
        "{{ .nick | default \"x\" }} {{ default .name .nick }} {{ or .nick \"x\" }} {{ if .nick }}{{ end }} {{ not .nick }} {{ eq .nick \"x\" }}",
        &[],
    );
    problems("{{ range .people }}{{ .email }}{{ end }}", &["PossiblyMissing email"]);
    problems("{{ $x := .nick }}{{ $x }}{{ if $x }}{{ $x }}{{ end }}", &["PossiblyMissing $x"]);
}

#[test]
fn mdl_18_arguments_have_kinds() {
    problems(
        "{{ upper .name }}{{ upper .count }}{{ upper .tags }}{{ .flag | lower }}",
        &["WrongArgument .tags", "WrongArgument .flag"],
    );
    problems(
        "{{ len .count }} {{ len .mixed }} {{ len .free }}",
        &["WrongArgument .count", "WrongArgument .mixed"],
    );
    problems(
        "{{ join .tags \", \" }}{{ join \", \" .tags }}{{ .tags | join \", \" }}{{ join .count \",\" }}",
        &["WrongArgument .count"],
    );
    problems(
        "{{ slice .tags 0 2 }}{{ slice .name 1 }}{{ .tags | slice 0 2 }}{{ slice .count 1 }}{{ slice .tags \"a\" }}",
        &["WrongArgument .count", "WrongArgument \"a\""],
    );
    problems(
        "{{ index .tags \"a\" }}{{ index .map \"a\" }}",
        &["WrongArgument \"a\"", "PossiblyMissing a"],
    );
    problems("{{ call .name }}", &["WrongArgument .name"]);
    problems("{{ split .tags \",\" }}", &["WrongArgument .tags"]);
}

#[test]
fn mdl_18_arguments_are_counted() {
    problems(
        "{{ upper }}{{ upper .name .name }}{{ default .name }}{{ eq .name }}{{ lt 1 2 3 }}{{ print }}{{ not }}",
        &[
            "ArgumentCount upper",
            "ArgumentCount upper .name .name",
            "ArgumentCount default .name",
            "ArgumentCount eq .name",
            "ArgumentCount lt 1 2 3",
            "ArgumentCount not",
        ],
    );
    problems(
        "{{ .name .count }}{{ .name | .count }}{{ $x := .name }}{{ $x 1 }}",
        &["NotAFunction .name", "NotAFunction .count", "NotAFunction $x"],
    );
    problems("{{ slice .tags 0 1 2 3 }}", &["ArgumentCount slice .tags 0 1 2 3"]);
}

#[test]
fn mdl_18_nil_is_not_a_command() {
    problems(
        "{{ nil }}{{ if nil }}{{ end }}{{ $x := nil }}{{ $x }}{{ eq (nil) .note }}{{ with nil }}{{ end }}",
        &["NilAlone nil"; 5],
    );
    problems("{{ if eq .note nil }}{{ end }}{{ print nil }}", &[]);
}

#[test]
fn mdl_18_range_needs_elements() {
    problems(
        "{{ range .count }}{{ end }}{{ range .name }}{{ end }}{{ range .tags }}{{ end }}{{ range .map }}{{ end }}{{ range .boss }}{{ end }}",
        &["NotIterable .count", "NotIterable .name"],
    );
    problems("{{ range $i, $n := 3 }}{{ $i }}{{ $n }}{{ end }}", &["NotIterable 3"]);
    problems(
        "{{ range 3 }}{{ . }}{{ end }}{{ range len .tags }}{{ end }}{{ range .free }}{{ .x.y }}{{ end }}",
        &[],
    );
}

#[test]
fn mdl_18_comparisons_that_never_hold() {
    problems(
        "{{ eq .kind \"xml\" }}{{ eq .kind \"xlm\" }}{{ ne \"jsn\" .kind }}{{ eq .kind \"text\" \"txt\" }}",
        &["ImpossibleValue \"xlm\"", "ImpossibleValue \"jsn\"", "ImpossibleValue \"txt\""],
    );
    problems(
        "{{ if eq .count \"1\" }}{{ end }}{{ eq .name 1 }}{{ lt .name 1 }}{{ gt .flag true }}",
        &[
            "Incomparable \"1\"",
            "Incomparable 1",
            "Incomparable 1",
            "WrongArgument .flag",
            "WrongArgument true",
        ],
    );
    problems(
        "{{ eq .mixed .mixed }}{{ eq .tags \"x\" }}{{ eq .mixed \"x\" }}{{ eq .price 1 }}{{ lt .price 1.5 }}{{ eq .note nil }}{{ eq .free 1 }}",
        &["WrongArgument .tags", "Incomparable \"x\""],
    );
}

#[test]
fn mdl_15_split_after_a_pipe() {
    problems("{{ .name | split \",\" }}", &["PipedSplit split \",\""]);
    problems("{{ split .name \",\" }}{{ \",\" | split .name }}", &[]);
}

#[test]
fn mdl_14_verbs_have_values() {
    problems(
        "{{ printf \"%s\" }}{{ printf \"%s %d%%\" .name .count }}{{ printf \"x\" 1 }}{{ .name | printf \"%s\" }}",
        &["FormatCount printf \"%s\"", "FormatCount printf \"x\" 1"],
    );
    problems(
        "{{ printf \"%d\" .name }}{{ printf \"%*d\" 3 .count }}{{ printf \"%[1]d\" }}{{ printf \"%.2f\" .price }}{{ printf \"%y\" .name }}{{ printf \"%v\" .tags }}",
        &["FormatVerb .name", "FormatVerb .name"],
    );
    problems("{{ printf .count }}", &["WrongArgument .count"]);
}

#[test]
fn an_unreadable_action_has_no_other_problem() {
    let text = "{{ .nme | nofunc }}{{ .nme }}{{ $x.nme }}{{ .nme | | }}";
    let template = parse(text, &[]);
    let found = check(&template, &Types::new(Some(&schema())), &Environment::default());
    assert_eq!(
        found.problems.iter().map(|problem| problem.span.clone()).collect::<Vec<_>>(),
        vec![23..26]
    );
}
