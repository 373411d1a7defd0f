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
        &[],
    );
    problems(
        "{{ .name | default .nick }}{{ or \"\" .nick }}",
        &["PossiblyMissing nick", "PossiblyMissing nick"],
    );
}
