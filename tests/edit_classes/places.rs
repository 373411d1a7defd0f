//! Which place a text means, and when it means none.

use super::Case;
use super::Want::{After, Asked, Refused};

macro_rules! edit {
    ($search:expr, $replace:expr) => {
        concat!("f.md\n<<<<<<< SEARCH\n", $search, "=======\n", $replace, ">>>>>>> REPLACE\n\n")
    };
}

const TWICE: Option<&str> = Some("head\n\nfoo()\nbar()\n\nmid\n\nfoo()\nbar()\n");
const CALLS: Option<&str> = Some("fn a() {\n    one();\n    two();\n}\n\nfn b() {\n    one();\n    three();\n}\n");

#[rustfmt::skip]
pub const CASES: &[Case] = &[
    Case("two_places", "f.md", TWICE, edit!("foo()\nbar()\n", "x\n"), Refused("ambiguous")),
    Case("two_places_once_trimmed", "f.md", Some("  foo()\nx\n    foo()\n"), edit!("foo()\n", "bar()\n"), Refused("ambiguous")),
    Case("two_places_with_blanks_behind", "f.md", Some("foo() \nx\nfoo()\t\n"), edit!("foo()\n", "bar()\n"), Refused("ambiguous")),
    Case("exact_beats_indented", "f.md", Some("    foo()\nx\nfoo()\n"), edit!("foo()\n", "bar()\n"), After("    foo()\nx\nbar()\n")),
    Case("three_blocks_for_two_places", "f.md", TWICE, concat!(edit!("foo()\nbar()\n", "1\n"), edit!("foo()\nbar()\n", "2\n"), edit!("foo()\nbar()\n", "3\n")), Refused("ambiguous")),
    Case("two_blocks_for_three_places", "f.md", Some("a\nx\na\ny\na\n"), concat!(edit!("a\n", "1\n"), edit!("a\n", "2\n")), Refused("ambiguous")),
    Case("line_tells_two_apart", "f.md", TWICE, "f.md\n<<<<<<< SEARCH line=8\nfoo()\nbar()\n=======\nx\n>>>>>>> REPLACE\n", After("head\n\nfoo()\nbar()\n\nmid\n\nx\n")),
    Case("line_off_by_one", "f.md", TWICE, "f.md\n<<<<<<< SEARCH line=7\nfoo()\nbar()\n=======\nx\n>>>>>>> REPLACE\n", After("head\n\nfoo()\nbar()\n\nmid\n\nx\n")),
    Case("line_in_the_middle", "f.md", Some("a\nx\na\n"), "f.md\n<<<<<<< SEARCH line=2\na\n=======\nb\n>>>>>>> REPLACE\n", Refused("ambiguous")),
    Case("line_among_places_that_overlap", "f.md", Some("a1\na1\na1\na1\na1\na1\nb\n"), "f.md\n<<<<<<< SEARCH line=3\na1 \na1\na1\n=======\na1 \nx\na1\n>>>>>>> REPLACE\n", Refused("ambiguous")),
    Case("line_is_wrong_and_place_is_one", "f.md", Some("a\nb\nc\n"), "f.md\n<<<<<<< SEARCH line=99\nb\n=======\nB\n>>>>>>> REPLACE\n", After("a\nB\nc\n")),
    Case("context_tells_apart", "f.md", CALLS, edit!("    one();\n    three();\n", "    one();\n    four();\n"), After("fn a() {\n    one();\n    two();\n}\n\nfn b() {\n    one();\n    four();\n}\n")),
    Case("overlapping_copies", "f.md", Some("x\nx\nx\n"), edit!("x\nx\n", "y\n"), Refused("ambiguous")),
    Case("first_line", "f.md", Some("a\nb\n"), edit!("a\n", "A\n"), After("A\nb\n")),
    Case("last_line", "f.md", Some("a\nb\n"), edit!("b\n", "B\n"), After("a\nB\n")),
    Case("last_line_without_break", "f.md", Some("a\nb"), edit!("b\n", "B\n"), After("a\nB")),
    Case("appended_behind_the_last", "f.md", Some("a\nb"), edit!("b\n", "b\nc\n"), After("a\nb\nc")),
    Case("whole_file", "f.md", Some("a\nb\n"), edit!("a\nb\n", "c\n"), After("c\n")),
    Case("whole_file_is_emptied", "f.md", Some("a\nb\n"), edit!("a\nb\n", ""), After("")),
    Case("rests_on_the_first", "f.md", Some("a\n"), concat!(edit!("a\n", "b\nc\n"), edit!("c\n", "d\n")), After("b\nd\n")),
    Case("first_moves_the_second", "f.md", Some("a\nx\nz\n"), concat!(edit!("a\n", "1\n2\n3\n"), edit!("z\n", "Z\n")), After("1\n2\n3\nx\nZ\n")),
    Case("next_to_each_other", "f.md", Some("a\nb\nc\n"), concat!(edit!("a\n", "A\n"), edit!("b\n", "B\n"), edit!("c\n", "C\n")), After("A\nB\nC\n")),
    Case("context_shared_by_two", "f.md", Some("a\nb\nc\n"), concat!(edit!("a\nb\n", "A\nb\n"), edit!("b\nc\n", "b\nC\n")), After("A\nb\nC\n")),
    Case("overlap", "f.md", Some("a\nb\nc\n"), concat!(edit!("a\nb\n", "x\n"), edit!("b\nc\n", "y\n")), Refused("overlap")),
    Case("same_twice", "f.md", Some("a\nb\n"), concat!(edit!("a\n", "A\n"), edit!("a\n", "A\n")), After("A\nb\n")),
    Case("there_already", "f.md", Some("A\nb\n"), edit!("a\n", "A\n"), Refused("already_applied")),
    Case("insertion_there_already", "f.md", Some("a\nnew\nb\n"), edit!("a\nb\n", "a\nnew\nb\n"), Refused("already_applied")),
    Case("insertion_before_there_already", "f.md", Some("new\na\n"), edit!("a\n", "new\na\n"), Refused("already_applied")),
    Case("indented_edit_there_already", "f.py", Some("class A:\n    def f(self):\n        return 2\n"), "f.py\n<<<<<<< SEARCH\ndef f(self):\n    return 1\n=======\ndef f(self):\n    return 2\n>>>>>>> REPLACE\n", Refused("already_applied")),
    Case("wrap_there_already", "f.md", Some("if x {\n    a();\n}\n"), edit!("a();\n", "if x {\n    a();\n}\n"), Refused("already_applied")),
    Case("deletion_there_already_beside_another_edit", "f.md", Some("A\nb\nc\n"), concat!(edit!("a\n", "A\n"), edit!("something else entirely\n", "")), Refused("already_applied")),
    Case("deletion_of_lines_that_are_otherwise", "f.md", Some("A\nb\nsomething else entirely here\n"), concat!(edit!("a\n", "A\n"), edit!("something else entirely there\n", "")), Refused("not_found")),
    Case("deletion_that_was_never_there", "f.md", Some("a\nb\n"), edit!("something else entirely\n", ""), Refused("not_found")),
    Case("deletion_beside_an_edit_to_be_made", "f.md", Some("a\nb\n"), concat!(edit!("a\n", "A\n"), edit!("something else entirely\n", "")), Refused("not_found")),
    Case("no_change", "f.md", Some("a\n"), edit!("a\n", "a\n"), Refused("no_op")),
    Case("no_change_of_what_is_not_there", "f.md", Some("a\n"), edit!("z\n", "z\n"), Refused("no_op")),
    Case("nowhere", "f.md", Some("a\n"), edit!("z\n", "y\n"), Refused("not_found")),
    Case("file_is_empty", "f.md", Some(""), edit!("z\n", "y\n"), Refused("not_found")),
    Case("no_file", "f.md", None, edit!("z\n", "y\n"), Refused("file_missing")),
    Case("no_file_nothing_sought", "f.md", None, edit!("", "y\n"), After("y\n")),
    Case("empty_file_nothing_sought", "f.md", Some(""), edit!("", "y\n"), After("y\n")),
    Case("blank_file_nothing_sought", "f.md", Some("\n\n"), edit!("", "y\n"), After("y\n")),
    Case("nothing_sought_in_a_text", "f.md", Some("a\n"), edit!("", "y\n"), Refused("empty_search_on_nonempty_file")),
    Case("blank_line_sought", "f.md", Some("a\n\nb\n"), edit!("\n", "y\n"), Refused("whitespace_only_search")),
    Case("nothing_sought_and_the_text_is_there", "f.md", Some("y\n"), edit!("", "y\n"), Refused("already_applied")),
    Case("nothing_at_all", "f.md", Some("a\n"), edit!("", ""), Refused("no_op")),
    Case("one_letter_differs", "f.md", Some("alpha one two\n"), edit!("alpha one twa\n", "x\n"), Refused("not_found")),
    Case("typo_beside_the_change", "f.md", Some("fn compute_total(items: &[Item]) -> u32 {\n    let mut sum = 0;\n    sum += 1;\n    sum\n}\n"), edit!( "fn compute_totl(items: &[Item]) -> u32 {\n    let mut sum = 0;\n    sum += 1;\n", "fn compute_totl(items: &[Item]) -> u32 {\n    let mut sum = 0;\n    sum += 2;\n" ), Asked("fn compute_total(items: &[Item]) -> u32 {\n    let mut sum = 0;\n    sum += 2;\n    sum\n}\n")),
    Case("typo_in_the_change", "f.md", Some("fn compute_total(items: &[Item]) -> u32 {\n    let mut sum = 0;\n    sum += amount_of_item;\n    sum\n}\n"), edit!( "fn compute_total(items: &[Item]) -> u32 {\n    let mut sum = 0;\n    sum += amount_of_itm;\n", "fn compute_total(items: &[Item]) -> u32 {\n    let mut sum = 0;\n    sum += 2;\n" ), Refused("not_found")),
    Case("sibling", "f.md", Some("fn get_name(&self) -> &str {\n    &self.name\n}\n"), edit!("fn get_path(&self) -> &str {\n    &self.path\n}\n", "fn get_path(&self) -> &Path {\n    &self.path\n}\n"), Refused("not_found")),
    Case("first_and_last_line_alone", "f.md", Some("fn a() {\n    x();\n    y();\n}\n"), edit!("fn a() {\n    p();\n    q();\n}\n", "fn a() {\n    r();\n}\n"), Refused("not_found")),
    Case("whole_line_in_a_longer_one", "f.md", Some("let total = price * count; // euros\n"), edit!("price * count\n", "price * amount\n"), After("let total = price * amount; // euros\n")),
    Case("part_of_a_word", "f.md", Some("counter = 1\n"), edit!("count\n", "amount\n"), Refused("not_found")),
    Case("part_twice", "f.md", Some("a = f(x) + f(x)\n"), edit!("f(x)\n", "g(x)\n"), Refused("ambiguous")),
    Case("sign_alone", "f.md", Some("x;\ny,\n"), edit!(";\n", ":\n"), Refused("not_found")),
    Case("last_line_cut", "f.md", Some("one two three\nfour five six\nend\n"), edit!("one two three\nfour five\n", "one two 3\nfour five\n"), After("one two 3\nfour five six\nend\n")),
    Case("first_line_cut", "f.md", Some("one two three\nfour five six\nend\n"), edit!("three\nfour five six\n", "three\nfour five 6\n"), After("one two three\nfour five 6\nend\n")),
    Case("elision_on_both_sides", "f.md", Some("a();\nb();\nc();\nd();\n"), edit!("a();\n...\nd();\n", "A();\n...\nD();\n"), Asked("A();\nb();\nc();\nD();\n")),
    Case("elision_only_in_new", "f.md", Some("a();\nb();\nc();\n"), edit!("a();\nb();\nc();\n", "A();\n// ... rest of the code ...\n"), Refused("elision_in_replace")),
    Case("elision_only_in_old", "f.md", Some("a();\nb();\nc();\n"), edit!("a();\n...\nc();\n", "x();\n"), Refused("elision_unpaired")),
    Case("elision_that_is_text", "f.md", Some("a\n...\nb\n"), edit!("a\n...\nb\n", "a\n...\nc\n"), After("a\n...\nc\n")),
    Case("elision_twice", "f.md", Some("a();\n1\nb();\n2\nc();\n"), edit!("a();\n...\nb();\n...\nc();\n", "a();\n...\nB();\n...\nc();\n"), Asked("a();\n1\nB();\n2\nc();\n")),
    Case("spread_is_no_elision", "f.js", Some("f(a);\n"), "f.js\n<<<<<<< SEARCH\nf(a);\n=======\nf(\n  ...args,\n);\n>>>>>>> REPLACE\n", After("f(\n  ...args,\n);\n")),
    Case("stub_is_no_elision", "f.py", Some("def f():\n    pass\n"), "f.py\n<<<<<<< SEARCH\ndef f():\n    pass\n=======\ndef f() -> int:\n    ...\n>>>>>>> REPLACE\n", After("def f() -> int:\n    ...\n")),
    Case("capitals", "f.md", Some("Select\n"), edit!("select\n", "x\n"), Refused("not_found")),
    Case("digits", "f.md", Some("version = 1.2.3\n"), edit!("version = 1.2.4\n", "version = 1.2.5\n"), Refused("not_found")),
    Case("second_fails", "f.md", Some("a\nb\n"), concat!(edit!("a\n", "A\n"), edit!("z\n", "Z\n")), Refused("not_found")),
];
