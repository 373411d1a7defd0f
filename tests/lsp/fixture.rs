//! Several files in one string: `//- name.md` begins a file, `$0` marks a cursor, `«…»` a range.

use std::ops::Range;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct File {
    pub name: String,
    pub text: String,
    pub cursors: Vec<usize>,
    pub ranges: Vec<Range<usize>>,
}

/// The files of a fixture. Text before the first `//-` line is a file named `doc.md`.
pub fn parse(source: &str) -> Vec<File> {
    let mut files: Vec<(String, String)> = Vec::new();
    for line in source.split_inclusive('\n') {
        match (line.strip_prefix("//- "), files.last_mut()) {
            (Some(name), _) => files.push((name.trim().to_owned(), String::new())),
            (None, Some((_, text))) => text.push_str(line),
            (None, None) => files.push(("doc.md".to_owned(), line.to_owned())),
        }
    }
    files.into_iter().map(|(name, text)| marks(name, &text)).collect()
}

fn marks(name: String, marked: &str) -> File {
    let mut file = File { name, text: String::new(), cursors: Vec::new(), ranges: Vec::new() };
    let mut open = None;
    let mut rest = marked;
    while let Some(character) = rest.chars().next() {
        let width = match character {
            '$' if rest.starts_with("$0") => {
                file.cursors.push(file.text.len());
                2
            }
            '«' => {
                open = Some(file.text.len());
                character.len_utf8()
            }
            '»' => {
                file.ranges.push(open.take().expect("a `»` without `«`")..file.text.len());
                character.len_utf8()
            }
            _ => {
                file.text.push(character);
                character.len_utf8()
            }
        };
        rest = &rest[width..];
    }
    assert!(open.is_none(), "a `«` without `»`");
    file
}

/// A markdownlang program without mistakes, with more lines of front matter.
pub fn program(more: &str) -> String {
    let input = "input: { type: object, properties: { who: { type: string, description: Who } }, required: [who] }";
    let output = "output: { type: object, properties: { text: { type: string, description: What } }, required: [text] }";
    format!(
        "---\nname: greet\ndescription: Greets a person\n{input}\n{output}\n{more}---\n\nGreet {{{{ .who }}}}.\n"
    )
}

#[test]
fn fixtures_have_files_and_marks() {
    let (whole, empty) = (5..8, 3..3);
    let files = parse("one $0 «two»\n//- a/b.md\n# x«»\n");
    assert_eq!(
        files[0],
        File {
            name: "doc.md".into(),
            text: "one  two\n".into(),
            cursors: vec![4],
            ranges: vec![whole]
        }
    );
    assert_eq!(
        files[1],
        File { name: "a/b.md".into(), text: "# x\n".into(), cursors: vec![], ranges: vec![empty] }
    );
}
