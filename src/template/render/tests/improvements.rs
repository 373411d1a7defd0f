//! MDL-15, one letter at a time.

use super::{check, refuse};

#[test]
fn mdl_15_a_join_takes_any_list_in_any_order() {
    let input =
        r#"{"l": ["a", 1, 1000000, 2.5, true, null, ["b"], {"k": 1}], "s": "x y", "e": []}"#;
    check(r#"{{ join .l ", " }}"#, input, "a, 1, 1000000, 2.5, true, <nil>, [b], map[k:1]");
    check(
        r#"{{ join ", " .l }}|{{ .l | join "-" }}"#,
        input,
        "a, 1, 1000000, 2.5, true, <nil>, [b], map[k:1]|a-1-1000000-2.5-true-<nil>-[b]-map[k:1]",
    );
    check(
        r#"{{ join (split .s " ") "+" }}{{ split .s " " | join "-" }}{{ join .e "," }}"#,
        input,
        "x+yx-y",
    );
    check(r#"[{{ join .missing "," }}{{ .missing | join "," }}]"#, input, "[]");
    refuse(r#"{{ join .s "," }}"#, input, ".s", "wrong type for value; expected list; got string");
    refuse(r#"{{ join .l 1 }}"#, input, "1", "wrong type for value; expected string; got number");
    refuse(r#"{{ join .l .l }}"#, input, ".l", "wrong type for value; expected string; got list");
    check(
        r#"[{{ join nil "," }}{{ join .missing "," }}{{ join (index . "no") "," }}]"#,
        input,
        "[]",
    );
    refuse(r#"{{ join .l nil }}"#, input, "nil", "cannot assign nil to string");
}

#[test]
fn mdl_15_b_slice_takes_both_orders_and_needs_no_end() {
    let input = r#"{"l": [1, 2, 3], "s": "héllo🦆", "n": 2, "f": 2.0, "h": 1.5}"#;
    check("{{ slice .l 1 2 }}{{ .l | slice 1 2 }}{{ slice 1 2 .l }}", input, "[2][2][2]");
    check(
        "{{ slice .l 1 }}{{ .l | slice 1 }}{{ slice .l }}{{ slice .s 1 }}{{ .s | slice 4 }}",
        input,
        "[2 3][2 3][1 2 3]éllo🦆o🦆",
    );
    check(
        "{{ slice .l 0 .n }}{{ slice .l .f }}{{ slice .l 3 }}{{ slice .l 1 2 3 }}",
        input,
        "[1 2][3][][2]",
    );
    check(
        r#"{{ slice (split "a,b,c" ",") 1 }}{{ slice (slice (split "a,b,c" ",") 1) 1 2 }}{{ slice (print .s "x") 5 }}"#,
        input,
        "[b c][c]🦆x",
    );
    refuse(
        "{{ slice .l 0 5 }}",
        input,
        "slice .l 0 5",
        "error calling slice: index out of range: 5",
    );
    refuse(
        "{{ slice .s 2 1 }}",
        input,
        "slice .s 2 1",
        "error calling slice: invalid slice index: 2 > 1",
    );
    refuse(
        "{{ slice .l 0 -1 }}",
        input,
        "slice .l 0 -1",
        "error calling slice: index out of range: -1",
    );
    refuse(
        "{{ slice .l 1 3 2 }}",
        input,
        "slice .l 1 3 2",
        "error calling slice: invalid slice index: 3 > 2",
    );
    refuse(
        "{{ slice .s 1 2 3 }}",
        input,
        "slice .s 1 2 3",
        "error calling slice: cannot 3-index slice a string",
    );
    refuse(
        "{{ slice .l .h }}",
        input,
        "slice .l .h",
        "error calling slice: cannot index list with 1.5",
    );
    refuse(
        "{{ slice .n 1 }}",
        input,
        "slice .n 1",
        "error calling slice: can't slice item of type number",
    );
    refuse("{{ slice .x 1 }}", input, "slice .x 1", "error calling slice: slice of untyped nil");
}

#[test]
fn mdl_15_c_integers_print_as_integers() {
    let input = r#"{"a": 1000000, "b": 20999999, "c": 9007199254740993, "d": 18446744073709551615, "e": -9223372036854775808, "f": 1e6, "g": 1000000.5, "h": 100000000000000000000}"#;
    check(
        "{{ .a }} {{ .b }} {{ .c }} {{ .d }} {{ .e }}",
        input,
        "1000000 20999999 9007199254740993 18446744073709551615 -9223372036854775808",
    );
    // Numbers not written as integers print as in Go.
    check("{{ .f }} {{ .g }} {{ .h }} {{ 1e6 }}", input, "1e+06 1.0000005e+06 1e+20 1e+06");
    check(
        r#"{{ printf "%v %d %5d|%x|%c|%s" .a .a 42 255 65 .a }}"#,
        input,
        "1000000 1000000    42|ff|A|%!s(float64=1000000)",
    );
    check(
        r#"{{ printf "%.2f %e %g %T %.3v %*d" .a .a .a .a .a 3 5 }}"#,
        input,
        "1000000.00 1.000000e+06 1e+06 float64 1e+06   5",
    );
    check("{{ range $k, $v := . }}{{ print $v 1 }};{{ end }}", r#"{"a": 1000000}"#, "1000000 1;");
}

#[test]
fn mdl_15_d_numbers_compare_regardless_of_their_types() {
    let input = r#"{"i": 1, "f": 1.5, "w": 1.0, "big": 9007199254740993}"#;
    check(
        "{{ eq .i 1 }} {{ eq .i 1.0 }} {{ eq .w .i }} {{ eq .f 1 }} {{ ne .i 2.5 }}",
        input,
        "true true true false true",
    );
    check(
        "{{ lt .i .f }} {{ gt .f 1 }} {{ le .i 1 }} {{ ge .i 1.5 }} {{ eq .i 3 2 1 }}",
        input,
        "true true true false true",
    );
    check(
        "{{ eq .big 9007199254740992.0 }} {{ gt .big 9007199254740992.0 }} {{ eq .big 9007199254740993 }} {{ eq .big 9007199254740992 }}",
        input,
        "false true true false",
    );
    check(
        r#"{{ eq (len "ab") 2.0 }} {{ eq (index "a" 0) 97 }} {{ eq 2i 2i }}"#,
        input,
        "true true true",
    );
    refuse(
        r#"{{ eq .i "1" }}"#,
        input,
        r#"eq .i "1""#,
        "error calling eq: incompatible types for comparison: number and string",
    );
    refuse(
        "{{ lt .i true }}",
        input,
        "lt .i true",
        "error calling lt: incompatible types for comparison: number and boolean",
    );
}

#[test]
fn mdl_15_e_case_of_a_number_but_not_of_nothing() {
    let input = r#"{"n": 5, "m": 1000000, "f": 0.5, "b": true, "z": null, "l": []}"#;
    check(
        "{{ upper .n }} {{ .m | lower }} {{ title .f }} {{ upper 1e21 }}",
        input,
        "5 1000000 0.5 1E+21",
    );
    refuse("{{ upper .missing }}", input, ".missing", "invalid value; expected string");
    refuse("{{ .missing | title }}", input, ".missing", "invalid value; expected string");
    refuse("{{ lower .z }}", input, ".z", "wrong type for value; expected string; got null");
    refuse("{{ lower nil }}", input, "nil", "cannot assign nil to string");
    refuse("{{ title .b }}", input, ".b", "wrong type for value; expected string; got boolean");
    refuse("{{ upper .l }}", input, ".l", "wrong type for value; expected string; got list");
}

#[test]
fn mdl_15_f_len_counts_characters_as_slice_does() {
    let input = r#"{"s": "héllo🦆é", "l": [1, 2], "o": {"a": 1}, "n": 5}"#;
    check(
        "{{ len .s }} {{ slice .s 0 (len .s) }} {{ .l | len }} {{ len .o }} {{ len (split .s \"l\") }}",
        input,
        "7 héllo🦆é 2 1 3",
    );
    refuse("{{ len .n }}", input, "len .n", "error calling len: len of type number");
    refuse("{{ len .missing }}", input, "len .missing", "error calling len: len of nil pointer");
}

#[test]
fn mdl_15_g_split_keeps_its_order_in_a_pipe() {
    let input = r#"{"x": "b a", "e": "", "n": 5}"#;
    check(r#"{{ .x | split " " }}"#, input, "[ ]");
    check(
        r#"{{ split .x " " }} {{ split .x "" }} {{ len (split .e "") }} {{ len (split .e ",") }}"#,
        input,
        "[b a] [b   a] 0 1",
    );
    check(
        r#"{{ range $i, $w := split .x " " }}{{ $i }}{{ $w }}{{ end }}{{ index (split .x " ") 1 }}"#,
        input,
        "0b1aa",
    );
    refuse(
        r#"{{ split .n "," }}"#,
        input,
        ".n",
        "wrong type for value; expected string; got number",
    );
    refuse(r#"{{ split .x .none }}"#, input, ".none", "invalid value; expected string");
}

#[test]
fn json_writes_any_value() {
    let input = r#"{"o": {"b": [1, 2.5, "é\"\n"], "a": null}, "n": 1e6, "s": "<x>", "big": 18446744073709551615}"#;
    check(
        "{{ json .o }} {{ .s | json }} {{ json .missing }} {{ json nil }}",
        input,
        r#"{"b":[1,2.5,"é\"\n"],"a":null} "<x>" null null"#,
    );
    check(
        "{{ json .n }} {{ json .big }} {{ json true }} {{ json 0x10 }}",
        input,
        "1000000.0 18446744073709551615 true 16",
    );
    check(r#"{{ split "a,b" "," | json }}{{ json (slice .o.b 0 1) }}"#, input, r#"["a","b"][1]"#);
    refuse("{{ json 2i }}", input, "json 2i", "error calling json: JSON has no complex number");
}
