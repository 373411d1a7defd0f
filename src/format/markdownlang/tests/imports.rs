use super::*;

const MISSING: &str = "markdownlang/import-not-found";

fn importing(item: &str) -> String {
    program(&format!("imports:\n  - {item}\n"))
}

#[test]
fn mdl_19_imports_that_are_there() {
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
fn mdl_19_imports_that_are_not() {
    check(&importing("«./hepler.md»"), &[MISSING]);
    check(&importing("«\"./tools/analyser.md\"» # x"), &[MISSING]);
    check(&importing("«./tools»"), &[MISSING]);
    check(&importing("«./notes.txt»"), &[MISSING]);
    check(&importing("«/nowhere/x.md»"), &[MISSING]);
    check(&importing("«helper.md»"), &["markdownlang/bare-import"]);
    check(&importing("«tools/analyzer.md»"), &["markdownlang/bare-import"]);
    check(&importing("«stdlib:json-parser»"), &["markdownlang/stdlib-import"]);
    check(&program("imports: [./helper.md, «./tools/../helper.md»]\n"), &["markdownlang/duplicate-import"]);
    check(&importing("«../up/above.md»"), &["compat/dotdot-import"]);
    check(&importing("«~/helper.md»"), &["markdownlang/bare-import"]);
    check(&importing("«https://x.y/z.md»"), &["markdownlang/bare-import"]);
    fixes(&importing(".\\helper.md"), "Replace with `./helper.md`", &importing("./helper.md"));
    fixes(&importing("'./hepler.md'"), "Replace with `./helper.md`", &importing("'./helper.md'"));
    fixes(&importing("./hepler.md"), "Replace with `./helper.md`", &importing("./helper.md"));
    fixes(&importing("./tools"), "Replace with `./tools/analyzer.md`", &importing("./tools/analyzer.md"));
    fixes(&importing("helper.md"), "Replace with `./helper.md`", &importing("./helper.md"));
}

#[test]
fn mdl_06_names_that_collide_with_imported_programs() {
    const COLLISION: &str = "markdownlang/name-collision";
    let both = program("imports:\n  - ./helper.md\n  - «./tools/analyzer.md»\n");
    check(&both, &[COLLISION]);
    let (text, _) = marked(&importing("./helper.md"));
    let world = Memory::default().with("/w/helper.md", &text.replace("./helper.md", "./other.md"));
    let config = config(&[]);
    let path = Some(Path::new(PATH));
    let document = Document::new(&text, path, &config);
    let found = crate::ide::diagnostics::diagnostics(&document, &Context::new(document.source(), path, &world, &config));
    assert_eq!(found.iter().map(|finding| finding.rule.code).collect::<Vec<_>>(), [COLLISION], "{found:?}");
    assert_eq!(found[0].related[0].path.as_deref(), Some(Path::new("/w/helper.md")));
}

#[test]
fn mdl_19_without_a_folder_nothing_is_looked_for() {
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
        assert_eq!((target.path.as_deref(), &target.origin), (Some(Path::new("/w/helper.md")), &origin));
        assert_eq!(target.selection, "---\nname: ".len().."---\nname: helper".len());
    }
    assert_eq!(crate::ide::definition::definition(&document, &cx, origin.end + 1), []);
    let links = crate::ide::links::links(&document, &cx);
    assert_eq!(links.iter().map(|link| link.span.clone()).collect::<Vec<_>>(), std::slice::from_ref(&(origin.start + 1..origin.end - 1)));
}
