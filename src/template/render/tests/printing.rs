//! Results of running Go itself.

use super::check;

const INPUT: &str = r#"{"s": "héllo", "f": 2.5, "n": 42, "b": true, "z": null, "l": [1.5, "a", null, true, [2]], "o": {"b": {"c": null}, "a": "x"}, "e": []}"#;

#[test]
fn mdl_14_print_puts_spaces_between_two_non_strings() {
    check(
        "{{ print .f .b \"x\" .b .f .l }}|{{ print }}|{{ print .z .z }}",
        INPUT,
        "2.5 truextrue 2.5 [1.5 a <nil> true [2]]||<nil> <nil>",
    );
    check(
        "{{ println .s 1 }}|{{ println }}|{{ html .f .b }}|{{ js \"a\" .z }}",
        INPUT,
        "héllo 1\n|\n|2.5 true|a\\u003Cno value\\u003E",
    );
}

#[test]
fn mdl_14_printf_takes_every_verb() {
    let rows = [
        (
            r#""%v %+v %#v" .o .l .o"#,
            r#"map[a:x b:map[c:<nil>]] [1.5 a <nil> true [2]] map[string]interface {}{"a":"x", "b":map[string]interface {}{"c":interface {}(nil)}}"#,
        ),
        (
            r#""%#v %#v %#v" .l .s (split "a b" " ")"#,
            r#"[]interface {}{1.5, "a", interface {}(nil), true, []interface {}{2}} "héllo" []string{"a", "b"}"#,
        ),
        (
            r#""%T %T %T %T %T %T %T" .s .f .b .z .l .o 1"#,
            "string float64 bool <nil> []interface {} map[string]interface {} int",
        ),
        (
            r#""%q %+q %#q %q %x %X % x %# x" .s .s .s 120 .s .s "ab" "ab""#,
            r#""héllo" "h\u00e9llo" `héllo` 'x' 68c3a96c6c6f 68C3A96C6C6F 61 62 0x61 0x62"#,
        ),
        (
            r#""%d %+d %05d %-5d| %x %#x %X %b %o %#o %O %c %U %#U" 42 42 42 42 255 255 255 5 8 8 8 233 233 233"#,
            "42 +42 00042 42   | ff 0xff FF 101 10 010 0o10 é U+00E9 U+00E9 'é'",
        ),
        (
            r#""%e %E %f %F %g %G %.1f %8.2f|%-8.2f|%+.0f %08.3f" .f .f .f .f .f .f .f .f .f .f -2.5"#,
            "2.500000e+00 2.500000E+00 2.500000 2.500000 2.5 2.5 2.5     2.50|2.50    |+2 -002.500",
        ),
        (
            r#""%t %5t|%s %10s|%-10s|%.2s|%010s" .b .b .s .s .s .s .s"#,
            "true  true|héllo      héllo|héllo     |hé|00000héllo",
        ),
        (
            r#""%#g %#.3g %#x %x %b % d %v" .f 1.0 1.0 .f 1.0 5 2i"#,
            "2.50000 1.00 0x1.0000p+00 0x1.4p+01 4503599627370496p-52  5 (0+2i)",
        ),
        (r#""%%|%d%%" 5"#, "%|5%"),
        (
            r#""%s %v %d" .l .z (index .s 1)"#,
            "[%!s(float64=1.5) a <nil> %!s(bool=true) [%!s(float64=2)]] <nil> 195",
        ),
        (
            r#""%6.2f|%-8q|%x" .l .e .e"#,
            "[  1.50 %!f(string=     a) <nil> %!f(bool=  true) [  2.00]]|[]|[]",
        ),
    ];
    for (arguments, expected) in rows {
        check(&format!("{{{{ printf {arguments} }}}}"), INPUT, expected);
    }
}

#[test]
fn mdl_14_printf_chooses_widths_and_arguments() {
    let rows = [
        (r#""%[2]d %[1]d" 1 2"#, "2 1"),
        (r#""%[2]*[1]d|%-*d|" 5 3"#, "  5|%!d(MISSING)|"),
        (r#""%*d|%-*d|%.*f" 5 1 5 1 2 1.5"#, "    1|1    |1.50"),
        (r#""%*d" "a" 1"#, "%!(BADWIDTH)1"),
        (r#""%.*d" -1 1"#, "%!(BADPREC)1"),
        (r#""%[3]d" 1"#, "%!d(BADINDEX)"),
        (r#""%[x]d %[1]2d" 1"#, "%!d(BADINDEX) %!d(BADINDEX)"),
        (r#""%d %d" 1"#, "1 %!d(MISSING)"),
        (r#""%d" 1 "x" nil"#, "1%!(EXTRA string=x, <nil>)"),
        (r#""%""#, "%!(NOVERB)"),
        (
            r#""%d %s %t %z %é" "x" 1 2.5 true nil"#,
            "%!d(string=x) %!s(int=1) %!t(float64=2.5) %!z(bool=true) %!é(<nil>)",
        ),
        (r#""%!" 1"#, "%!!(int=1)"),
        (r#""%w %w" "x" .l"#, "%!w(string=x) %!w([]interface {}=[1.5 a <nil> true [2]])"),
        (r#""%99999999999999d" 1"#, "%!(NOVERB)%!(EXTRA int=1)"),
        (r#""%5v|%05v|%-5v|%5T" nil 1.5 true 1"#, "<nil>|001.5|true |  int"),
        (r#""% 0.2z" .f"#, "%!z(float64= 2.5)"),
        (
            r#""%+.3e %x %.1x % X" 1234.5 -1.0 1.9375 .f"#,
            "+1.234e+03 -0x1p+00 0x1.fp+00  0X1.4P+01",
        ),
    ];
    for (arguments, expected) in rows {
        check(&format!("{{{{ printf {arguments} }}}}"), INPUT, expected);
    }
}

#[test]
fn mdl_14_constants_have_the_type_of_their_notation() {
    check(
        "{{ 1_000 }} {{ 0x1F }} {{ 0b11 }} {{ 0o17 }} {{ 'a' }} {{ 1e3 }} {{ 1e6 }} {{ .5 }} {{ 0x1p4 }} {{ 1+2i }} {{ +3 }}",
        "{}",
        "1000 31 3 15 97 1000 1e+06 0.5 16 (1+2i) 3",
    );
    check(
        r#"{{ printf "%T %T %T %T %T" 1 1.0 'a' 0x1e 1e2 }}"#,
        "{}",
        "int float64 int int float64",
    );
}
