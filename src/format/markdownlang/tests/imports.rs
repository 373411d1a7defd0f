use super::*;
use crate::world::World;

const MISSING: &str = "markdownlang/import-not-found";

fn findings_in(world: &dyn crate::world::World, path: &str, text: &str) -> Vec<Diagnostic> {
    let (config, path) = (config(&[]), Some(Path::new(path)));
    let document = Document::new(text, path, &config);
    diagnostics(&document, &Context::new(document.source(), path, world, &config))
}

fn codes(found: &[Diagnostic]) -> Vec<&'static str> {
    found.iter().map(|finding| finding.rule.code).collect()
}

fn importing(item: &str) -> String {
    program(&format!("imports:\n  - {item}\n"))
}

#[test]
fn mdl_19_existing_imports() {
    for item in [
        "./helper.md",
        "tools/../helper.md".replace("tools", "./tools").as_str(),
        "/w/helper.md",
        "../up/above.md",
        "'./tools/analyzer.md'",
        "./tools/analyzer.md # why",
    ] {
        check(&importing(item), &[]);
    }
}

#[test]
fn mdl_19_missing_imports() {
    check(&importing("«./hepler.md»"), &[MISSING]);
    check(&importing("«\"./tools/analyser.md\"» # x"), &[MISSING]);
    check(&importing("«./tools»"), &[MISSING]);
    check(&importing("«./notes.txt»"), &[MISSING]);
    check(&importing("«/nowhere/x.md»"), &[MISSING]);
    check(&importing("«helper.md»"), &["markdownlang/bare-import"]);
    check(&importing("«tools/analyzer.md»"), &["markdownlang/bare-import"]);
    check(&importing("«stdlib:json-parser»"), &["markdownlang/stdlib-import"]);
    check(
        &program("imports: [./helper.md, «./tools/../helper.md»]\n"),
        &["markdownlang/duplicate-import"],
    );
    check(&importing("«../up/above.md»"), &["compat/dotdot-import"]);
    check(&importing("«~/helper.md»"), &["markdownlang/bare-import"]);
    check(&importing("«https://x.y/z.md»"), &["markdownlang/bare-import"]);
    fixes(&importing(".\\helper.md"), "Replace with `./helper.md`", &importing("./helper.md"));
    fixes(&importing("'./hepler.md'"), "Replace with `./helper.md`", &importing("'./helper.md'"));
    fixes(&importing("./hepler.md"), "Replace with `./helper.md`", &importing("./helper.md"));
    fixes(
        &importing("./tools"),
        "Replace with `./tools/analyzer.md`",
        &importing("./tools/analyzer.md"),
    );
    fixes(&importing("helper.md"), "Replace with `./helper.md`", &importing("./helper.md"));
    fixes(&importing(".helper.md"), "Replace with `./helper.md`", &importing("./helper.md"));
    fixes(&importing(".hidden.md"), "Replace with `./.hidden.md`", &importing("./.hidden.md"));
}

#[test]
fn mdl_21_two_tools_with_one_name() {
    const COLLISION: &str = "markdownlang/tool-name-collision";
    let both = program("imports:\n  - ./helper.md\n  - «./tools/analyzer.md»\n");
    check(&both, &[COLLISION]);
    assert_eq!(findings(&marked(&both).0)[0].severity, Severity::Error);
    let (text, _) = marked(&importing("./python.md"));
    let world = Memory::default().with("/w/other.md", &named("other", &[])).with(
        "/w/python.md",
        &text.replace("name: greet", "name: python").replace("./python.md", "./other.md"),
    );
    let found = findings_in(&world, PATH, &text);
    assert_eq!(codes(&found), [COLLISION], "{found:?}");
}

#[test]
fn mdl_06_names_that_collide_with_imported_programs() {
    const COLLISION: &str = "markdownlang/name-collision";
    let (text, _) = marked(&importing("./helper.md"));
    let world = Memory::default()
        .with("/w/other.md", &named("other", &[]))
        .with("/w/helper.md", &text.replace("./helper.md", "./other.md"));
    let found = findings_in(&world, PATH, &text);
    assert_eq!(codes(&found), [COLLISION], "{found:?}");
    assert_eq!(found[0].severity, Severity::Warning);
    assert_eq!(found[0].related[0].path.as_deref(), Some(Path::new("/w/helper.md")));
}

#[test]
fn mdl_19_without_a_folder_no_file_is_looked_up() {
    assert_eq!(findings_at(None, &importing("./nowhere.md"), &[]), []);
    assert_eq!(findings_at(None, &importing("./nowhere.txt"), &[]).len(), 1);
}

#[test]
fn an_import_leads_to_the_name_of_its_program() {
    let (text, spans) = marked(&importing("«'./tools/../helper.md'»"));
    let (config, world) = (config(&[]), world());
    let path = Some(Path::new(PATH));
    let document = Document::new(&text, path, &config);
    let cx = Context::new(document.source(), path, &world, &config);
    let origin = spans[0].clone();
    for offset in [origin.start, origin.end] {
        let found = crate::ide::definition::definition(&document, &cx, offset);
        let [target] = found.as_slice() else { panic!("{found:?}") };
        assert_eq!(
            (target.path.as_deref(), &target.origin),
            (Some(Path::new("/w/helper.md")), &origin)
        );
        assert_eq!(target.selection, "---\nname: ".len().."---\nname: helper".len());
    }
    assert_eq!(crate::ide::definition::definition(&document, &cx, origin.end + 1), []);
    let links = crate::ide::links::links(&document, &cx);
    assert_eq!(
        links.iter().map(|link| link.span.clone()).collect::<Vec<_>>(),
        std::slice::from_ref(&(origin.start + 1..origin.end - 1))
    );
}

const CIRCULAR: &str = "markdownlang/circular-import";
const INVALID: &str = "markdownlang/invalid-import";

/// A program of this name that imports these.
fn named(name: &str, imports: &[&str]) -> String {
    let list: String = imports.iter().map(|import| format!("  - {import}\n")).collect();
    let fields = if imports.is_empty() { String::new() } else { format!("imports:\n{list}") };
    program(&fields).replace("name: greet", &format!("name: {name}"))
}

fn world_of(files: &[(&str, &[&str])]) -> Memory {
    let name = |path: &str| path.trim_start_matches('/').replace(['/', '.'], "-");
    files.iter().fold(Memory::default(), |world, (path, imports)| {
        world.with(*path, &named(&name(path), imports))
    })
}

/// The findings of a file of the world: code, marked text, and the related locations as
/// `path text`.
fn told(world: &dyn World, path: &str) -> Vec<(String, String, Vec<String>)> {
    let source = world.read(Path::new(path)).unwrap();
    let text = source.slice(0..source.len()).into_owned();
    let related = |finding: &Diagnostic| {
        let place = |related: &crate::rule::Related| {
            let path = related.path.clone().unwrap_or_else(|| path.into());
            let text = world.read(&path).unwrap().slice(related.span.clone()).into_owned();
            format!("{} {text}", crate::world::slashed(&path))
        };
        finding.related.iter().map(place).collect()
    };
    let found = findings_in(world, path, &text);
    found
        .iter()
        .map(|finding| {
            (finding.rule.code.to_owned(), text[finding.span.clone()].to_owned(), related(finding))
        })
        .collect()
}

fn circular(text: &str, related: &[&str]) -> (String, String, Vec<String>) {
    (CIRCULAR.to_owned(), text.to_owned(), related.iter().map(|item| (*item).to_owned()).collect())
}

#[test]
fn mdl_20_a_program_that_imports_itself() {
    let world = world_of(&[("/w/a.md", &["./a.md", "../w/./a.md"])]);
    let found = told(&world, "/w/a.md");
    assert_eq!(found[0], circular("./a.md", &[]));
    assert_eq!(found.iter().filter(|(code, ..)| code == CIRCULAR).count(), 2, "{found:?}");
}

#[test]
fn mdl_20_every_edge_of_a_ring_names_the_whole_ring() {
    let world = world_of(&[
        ("/w/a.md", &["./other.md", "./sub/b.md"]),
        ("/w/sub/b.md", &["../c.md"]),
        ("/w/c.md", &["/w/a.md"]),
        ("/w/other.md", &["./leaf.md"]),
        ("/w/leaf.md", &[]),
        ("/w/outside.md", &["./a.md"]),
    ]);
    assert_eq!(
        told(&world, "/w/a.md"),
        [circular("./sub/b.md", &["/w/sub/b.md ../c.md", "/w/c.md /w/a.md"])]
    );
    assert_eq!(
        told(&world, "/w/sub/b.md"),
        [circular("../c.md", &["/w/c.md /w/a.md", "/w/a.md ./sub/b.md"])]
    );
    assert_eq!(
        told(&world, "/w/c.md"),
        [circular("/w/a.md", &["/w/a.md ./sub/b.md", "/w/sub/b.md ../c.md"])]
    );
    let outside = told(&world, "/w/outside.md");
    assert_eq!(
        outside,
        [(INVALID.to_owned(), "./a.md".to_owned(), vec!["/w/a.md ./sub/b.md".to_owned()])],
        "it imports a program of a ring that it isn't in"
    );
    assert_eq!(told(&world, "/w/other.md"), []);
}

#[test]
fn mdl_20_rings_that_share_a_program_are_distinguished() {
    let world = world_of(&[
        ("/w/a.md", &["./b.md", "./c.md"]),
        ("/w/b.md", &["./a.md"]),
        ("/w/c.md", &["./d.md"]),
        ("/w/d.md", &["./a.md", "./c.md"]),
    ]);
    let found = told(&world, "/w/a.md");
    assert_eq!(
        found,
        [
            circular("./b.md", &["/w/b.md ./a.md"]),
            circular("./c.md", &["/w/c.md ./d.md", "/w/d.md ./a.md"])
        ]
    );
    assert_eq!(told(&world, "/w/d.md")[1], circular("./c.md", &["/w/c.md ./d.md"]));
}

/// A ring of this many programs.
fn ring(length: usize) -> Memory {
    let one = |world: Memory, number: usize| {
        let next = format!("./{}.md", (number + 1) % length);
        world.with(format!("/w/{number}.md"), &named(&format!("n{number}"), &[&next]))
    };
    (0..length).fold(Memory::default(), one)
}

#[test]
fn mdl_20_long_rings_are_truncated_and_use_no_stack() {
    for (length, message) in
        [(100, "100 imports lead back here"), (3_000, "3000 programs import each other")]
    {
        let world = ring(length);
        let found = told(&world, "/w/5.md");
        assert_eq!((found.len(), found[0].0.as_str(), found[0].2.len()), (1, CIRCULAR, 31));
        assert_eq!(found[0].2[0], "/w/6.md ./7.md");
        let first = &findings_in(&world, "/w/5.md", &{
            let source = world.read(Path::new("/w/5.md")).unwrap();
            source.slice(0..source.len()).into_owned()
        })[0];
        assert!(first.message.contains(message), "{}", first.message);
        assert_eq!(
            first.related[30].message.ends_with("and 68 more"),
            length == 100,
            "{}",
            first.related[30].message
        );
    }
}

#[test]
fn mdl_21_mistakes_in_an_imported_program() {
    let world = Memory::default()
        .with("/w/plain.md", "# Notes\n")
        .with("/w/no-name.md", &named("x", &[]).replace("name: x\n", ""))
        .with("/w/broken.md", "---\nname: [broken\ndescription: B\ninput: {}\noutput: {}\n---\n")
        .with("/w/body.md", &named("body", &[]).replace("{{ .who }}", "{{ .who "))
        .with(
            "/w/warned.md",
            &named("warned", &[]).replace("name: warned", "name: warned\nmodle: x"),
        )
        .with(
            "/w/silenced.md",
            &named("silenced", &[])
                .replace("---\nname", "---\n# agentmd-disable-file\nname")
                .replace("type: string", "type: strin"),
        )
        .with("/w/deep.md", &named("deep", &["./broken.md"]))
        .with(
            "/w/main.md",
            &named(
                "main",
                &[
                    "./plain.md",
                    "./no-name.md",
                    "./broken.md",
                    "./body.md",
                    "./warned.md",
                    "./silenced.md",
                    "./deep.md",
                ],
            ),
        );
    let found = told(&world, "/w/main.md");
    let imports: Vec<&str> = found.iter().map(|(_, text, _)| text.as_str()).collect();
    assert!(found.iter().all(|(code, ..)| code == INVALID), "{found:#?}");
    assert_eq!(imports, ["./plain.md", "./no-name.md", "./broken.md", "./body.md"], "{found:#?}");
    assert_eq!(found[0].2, ["/w/plain.md # Notes"]);
    assert_eq!(found[1].2, ["/w/no-name.md ---"]);
    assert!(found[3].2[0].starts_with("/w/body.md {{"), "{found:#?}");
    // The same as the first finding of `check` for the file.
    let source = world.read(Path::new("/w/broken.md")).unwrap();
    let text = source.slice(0..source.len()).into_owned();
    let own = &findings_in(&world, "/w/broken.md", &text)[0];
    let source = world.read(Path::new("/w/main.md")).unwrap();
    let main = findings_in(&world, "/w/main.md", &source.slice(0..source.len()));
    assert!(
        main[2].message.ends_with(&own.message) && main[2].related[0].span == own.span,
        "{main:#?}"
    );
}

/// The messages about imports of a file that can't be called.
fn invalid(world: &dyn World, path: &str) -> Vec<(Severity, String)> {
    let source = world.read(Path::new(path)).unwrap();
    findings_in(world, path, &source.slice(0..source.len()))
        .into_iter()
        .filter(|finding| finding.rule.code == INVALID)
        .map(|finding| (finding.severity, finding.message))
        .collect()
}

#[test]
fn mdl_21_imports_of_an_imported_program_that_fail() {
    for end in ["\n", "\r\n"] {
        let child = |imports: &[&str]| named("child", imports).replace('\n', end);
        let world = |imports: &[&str]| {
            Memory::default()
                .with("/w/leaf.md", &child(&[]))
                .with("/w/x.txt", "x")
                .with("/w/日本🦆.md", &child(imports))
                .with("/w/main.md", &named("main", &["./日本🦆.md"]).replace('\n', end))
        };
        for (imports, severity, said) in [
            (&["./leaf.md", "./missing.md"][..], Severity::Error, "file `./missing.md` not found"),
            (&["./e\u{301}.md", "stdlib:web"], Severity::Error, "file `./e\u{301}.md` not found"),
            (&["./x.txt"], Severity::Error, "`./x.txt` is not a Markdown file"),
            (&["../w"], Severity::Error, "`../w` is a folder"),
            (&["stdlib:web"], Severity::Warning, "`stdlib:` is reserved"),
            (&["./日本🦆.md"], Severity::Error, "Circular dependency detected"),
        ] {
            let found = invalid(&world(imports), "/w/main.md");
            let [(level, message)] = found.as_slice() else { panic!("{imports:?}: {found:?}") };
            assert_eq!(*level, severity, "{imports:?}");
            assert!(message.contains(said), "{imports:?}: {message}");
        }
        for imports in [&["./leaf.md"][..], &[], &["./main.md"]] {
            assert_eq!(invalid(&world(imports), "/w/main.md"), [], "{imports:?}");
        }
    }
}

#[test]
fn mdl_21_the_first_error_of_an_imported_program_is_quoted() {
    let broken = named("child", &["./missing.md"]).replace("type: string", "type: strin");
    let silenced =
        named("child", &["./missing.md"]).replace("---\nname", "---\n# agentmd-disable-file\nname");
    for (child, said) in [(&*broken, Some("strin")), (&*silenced, None)] {
        let world = Memory::default()
            .with("/w/child.md", child)
            .with("/w/main.md", &named("main", &["./child.md"]));
        let found = invalid(&world, "/w/main.md");
        assert_eq!(found.len(), usize::from(said.is_some()), "{found:?}");
        assert!(said.is_none_or(|said| found[0].1.contains(said)), "{found:?}");
    }
}

#[test]
fn mdl_21_errors_that_the_settings_switch_off_do_not_count() {
    let world = Memory::default()
        .with("/w/bad.md", &named("bad", &[]).replace("type: string", "type: strin"));
    let text = named("main", &["./bad.md"]);
    let mut options = Options::default();
    assert_eq!(codes(&findings_in(&world, PATH, &text)), [INVALID]);
    options.rules.insert("schema".to_owned(), Level::Off);
    options.rules.insert("markdownlang".to_owned(), Level::Off);
    options.rules.insert(INVALID.to_owned(), Level::Error);
    let config = Config::new("/w".into(), options).unwrap();
    let document = Document::new(&text, Some(Path::new(PATH)), &config);
    let found = diagnostics(
        &document,
        &Context::new(document.source(), Some(Path::new(PATH)), &world, &config),
    );
    assert_eq!(codes(&found), [""; 0]);
}

#[test]
fn unused_imports_are_hints_if_the_body_mentions_others() {
    const UNUSED: &str = "markdownlang/unused-import";
    let world = world_of(&[("/w/code-review.md", &[]), ("/w/b.md", &[]), ("/w/c.md", &[])]);
    let unused = |body: &str| {
        let text =
            named("main", &["./code-review.md", "./b.md"]).replace("Greet {{ .who }}.", body);
        let found = findings_in(&world, PATH, &text);
        let of_rule = found.into_iter().filter(|finding| finding.rule.code == UNUSED);
        of_rule.map(|finding| text[finding.span.clone()].to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(unused("Greet {{ .who }}."), [""; 0], "the model chooses");
    assert_eq!(unused("{{ .who }}: use `w-b-md`."), ["./code-review.md"]);
    assert_eq!(unused("{{ .who }}: use **w_b_md** and the W code review md tool."), [""; 0]);
    assert_eq!(
        unused("{{ .who }}: use mcp__a__b."),
        [""; 0],
        "and of the programs, the model chooses"
    );
    assert_eq!(unused("{{ .who }}: use w-b-md2, then w-code-review-md."), ["./b.md"]);
}
