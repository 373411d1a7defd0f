use super::*;

const UNKNOWN: &str = "markdownlang/unknown-server";
const MANGLED: &str = "markdownlang/mangled-tool-name";

fn with_server(fields: &str, body: &str) -> String {
    program(fields) + "\n" + body + "\n"
}

const PEOPLE: &str = "mcp_servers:\n  - name: people\n    url: http://localhost:3000/mcp\n";

#[test]
fn mdl_24_tools_of_undeclared_servers() {
    check(
        &with_server(PEOPLE, "Call `mcp__people__find`, mcp__people and «mcp__places__find»."),
        &[UNKNOWN],
    );
    check(&with_server("", "日本「«mcp__fetch__fetch»」🙂\t«mcp__people»."), &[UNKNOWN; 2]);
    check(
        &with_server("", "```\n«mcp__places__find»\n```\n\n# More\n\n<!-- «mcp__places__find» -->"),
        &[UNKNOWN; 2],
    );
    check(
        &with_server(
            "",
            "Names are mcp__server__tool or mcp__{server}__{tool}. {{/* mcp__a__b */}}",
        ),
        &[],
    );
}

#[test]
fn mdl_24_a_broken_list_of_servers_makes_no_tool_unknown() {
    let found =
        findings(&with_server("mcp_servers:\n  - name: \"people\n", "Call mcp__people__find."));
    assert!(found.iter().all(|finding| finding.rule.code != UNKNOWN), "{found:#?}");
}

#[test]
fn mdl_24_the_intended_name_of_an_unknown_server() {
    let at = |name: &str| with_server(PEOPLE, &format!("Call {name}."));
    fixes(&at("mcp__poeple__find"), "Replace with `mcp__people__find`", &at("mcp__people__find"));
    fixes(&at("mcp__people_find"), "Replace with `mcp__people__find`", &at("mcp__people__find"));
    fixes(&at("mcp__People"), "Replace with `mcp__people`", &at("mcp__people"));
    fixes(&at("mcp__python__run"), "Use the built-in `python` tool", &at("python"));
    let titles = |text: &str| {
        findings(text)
            .iter()
            .flat_map(|finding| finding.fixes.clone())
            .map(|fix| fix.title)
            .collect::<Vec<_>>()
    };
    assert_eq!(titles(&at("mcp__elsewhere__find")), ["Declare the server `elsewhere`"]);
}

#[test]
fn mdl_24_servers_are_declared_by_a_fix() {
    let body = "Call mcp__fetch__fetch.";
    let fetch = "command: uvx\n    args: [\"mcp-server-fetch\"]\n";
    let title = "Declare the server `fetch`";
    fixes(
        &with_server("", body),
        title,
        &with_server(&format!("mcp_servers:\n  - name: fetch\n    {fetch}"), body),
    );
    fixes(
        &with_server(PEOPLE, body),
        title,
        &with_server(&format!("{PEOPLE}  - name: fetch\n    {fetch}"), body),
    );
    fixes(
        &with_server("mcp_servers:\n", body),
        title,
        &with_server(&format!("mcp_servers:\n  - name: fetch\n    {fetch}"), body),
    );
    let flow = "{ name: fetch, command: uvx, args: [\"mcp-server-fetch\"] }";
    fixes(
        &with_server("mcp_servers: []\n", body),
        title,
        &with_server(&format!("mcp_servers: [{flow}]\n"), body),
    );
    fixes(
        &with_server("mcp_servers: [{ name: a, command: b }]\n", body),
        title,
        &with_server(&format!("mcp_servers: [{{ name: a, command: b }}, {flow}]\n"), body),
    );
    let unknown = "Call mcp__places__find.";
    let found = findings(&with_server(PEOPLE, unknown));
    let fix = found
        .iter()
        .flat_map(|finding| &finding.fixes)
        .find(|fix| fix.title == "Declare the server `places`")
        .expect("the fix");
    assert_eq!(
        fix.edits.first().map(|edit| edit.text.as_str()),
        Some("\n  - name: places\n    url: http://localhost:3000/mcp")
    );
    assert_eq!(
        fix.snippet.as_deref(),
        Some("\n  - name: places\n    url: ${1:http://localhost:3000/mcp}")
    );
    assert!(!fix.safe);
}

#[test]
fn mdl_18_mangled_names_are_hints_with_a_safe_fix() {
    let files = "mcp_servers:\n  - name: filesystem\n    command: npx\n";
    let text = |name: &str| {
        with_server(
            files,
            &format!("Read the file {{{{ .who }}}} using the {name} tool\nand return its content."),
        )
    };
    check(&text("«mcp**filesystem**read_file»"), &[MANGLED]);
    check(&text("«mcp\\_\\_filesystem\\_\\_read\\_file»"), &[MANGLED]);
    check(&text("`mcp__filesystem__read_file`"), &[]);
    fixes(
        &text("mcp**filesystem**read_file"),
        "Replace with `mcp__filesystem__read_file`",
        &text("mcp__filesystem__read_file"),
    );
    let found = findings(&text("mcp**filesystem**read_file"));
    assert!(
        found.iter().all(|finding| finding.severity == Severity::Hint
            && finding.fixes.iter().all(|fix| fix.safe)),
        "{found:#?}"
    );
}

#[test]
fn mdl_18_a_mangled_name_of_an_unknown_server_is_both() {
    let found = findings(&with_server("", "Use mcp**places**find."));
    let codes: Vec<_> = found.iter().map(|finding| finding.rule.code).collect();
    assert_eq!(codes, [MANGLED, UNKNOWN]);
}

#[test]
fn mdl_24_the_python_tool_needs_no_server() {
    check(&with_server("", "Use the python tool, or `python`."), &[]);
}

#[test]
fn many_mentions_are_checked_in_linear_time() {
    let body = "mcp__places__find mcp**a**b {{ .who }} ".repeat(20_000);
    let found = findings(&with_server("", &body));
    assert_eq!(found.iter().filter(|finding| finding.rule.code == MANGLED).count(), 20_000);
}
