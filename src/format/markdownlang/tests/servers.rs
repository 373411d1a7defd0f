use super::*;

fn server(lines: &str) -> String {
    program(&format!("mcp_servers:\n{lines}"))
}

#[test]
fn mdl_23_valid_servers() {
    check(
        &server(
            "  - name: filesystem\n    command: npx\n    args: [\"-y\", \"@modelcontextprotocol/server-filesystem\", \".\"]\n    env: { A: b }\n    disabled: true\n",
        ),
        &[],
    );
    check(
        &server(
            "  # over HTTP\n  - name: python-interpreter\n    url: \"http://localhost:3000/mcp\"\n    transport: sse\n",
        ),
        &[],
    );
    check(&server("  - { name: a, url: HTTPS://x.y/z }\n  - {name: b_2, command: c}\n"), &[]);
    check(&program("mcp_servers: []\n"), &[]);
    check(&program("mcp_servers:\n"), &[]);
    check(
        &program("x-base: &base { command: npx }\nmcp_servers:\n  - name: a\n    <<: *base\n"),
        &[],
    );
}

#[test]
fn mdl_23_names() {
    check(&server("  - «command»: npx\n"), &["markdownlang/missing-server-name"]);
    check(&server("  - «name»:\n    command: npx\n"), &["markdownlang/missing-server-name"]);
    check(
        &server("  - name: «file system»\n    command: npx\n"),
        &["markdownlang/invalid-server-name"],
    );
    check(
        &server("  - name: a\n    command: b\n  - name: «a»\n    url: http://x\n"),
        &["markdownlang/duplicate-server-name"],
    );
    check(&server("  - name: «7»\n    command: npx\n"), &["markdownlang/wrong-type"]);
    fixes(
        &server("  - command: npx\n    args: [-y, \"@modelcontextprotocol/server-filesystem\"]\n"),
        "Name it `filesystem`",
        &server(
            "  - name: filesystem\n    command: npx\n    args: [-y, \"@modelcontextprotocol/server-filesystem\"]\n",
        ),
    );
    fixes(
        &server("  - { url: \"http://search.example/mcp\" }\n"),
        "Name it `search-example`",
        &server("  - { name: search-example, url: \"http://search.example/mcp\" }\n"),
    );
    fixes(
        &server("  - name: a\n    command: b\n  - name: a\n    url: http://x\n"),
        "Rename to `a-2`",
        &server("  - name: a\n    command: b\n  - name: a-2\n    url: http://x\n"),
    );
}

#[test]
fn mdl_23_one_transport() {
    let (missing, two) = ("markdownlang/missing-transport", "markdownlang/two-transports");
    check(&server("  - name: «a»\n"), &[missing]);
    check(&server("  - name: «a»\n    command:\n"), &[missing]);
    check(&server("  - name: a\n    «commnd»: b\n"), &[missing]);
    check(&server("  - name: a\n    «uri»: http://x\n"), &[missing]);
    check(&server("  - name: a\n    command: b\n    transport: «sse»\n"), &[missing]);
    check(&server("  - name: a\n    «command»: b\n    url: http://x\n"), &[two]);
    check(
        &server("  - name: a\n    command: b\n    «url»: http://x\n    transport: command\n"),
        &[two],
    );
    check(&server("  - { name: a, «command»: b, url: \"http://x\" }\n"), &[two]);
    assert_eq!(
        findings(&server("  - name: a\n    command: b\n    url: http://x\n"))[0].severity,
        Severity::Warning
    );
    fixes(&server("  - name: a\n"), "Add a `command`", &server("  - name: a\n    command: npx\n"));
    fixes(
        &server("  - name: a\n    command: b\n    args: [c]\n    url: http://x\n"),
        "Remove `command`",
        &server("  - name: a\n    url: http://x\n"),
    );
}

#[test]
fn mdl_23_urls() {
    let code = "markdownlang/server-url";
    for (url, severity) in [
        ("localhost:3000/mcp", Severity::Error),
        ("ftp://x/y", Severity::Error),
        ("\"http://\"", Severity::Error),
        ("ws://x/y", Severity::Warning),
        ("'wss://x/y'", Severity::Warning),
        ("//x/y", Severity::Error),
    ] {
        check(&server(&format!("  - name: a\n    url: «{url}»\n")), &[code]);
        assert_eq!(
            findings(&server(&format!("  - name: a\n    url: {url}\n")))[0].severity,
            severity,
            "{url}"
        );
    }
    fixes(
        &server("  - name: a\n    url: 'wss://x/y'\n"),
        "Replace with `https://x/y`",
        &server("  - name: a\n    url: 'https://x/y'\n"),
    );
    fixes(
        &server("  - name: a\n    url: localhost:3\n"),
        "Replace with `http://localhost:3`",
        &server("  - name: a\n    url: http://localhost:3\n"),
    );
}

#[test]
fn mdl_23_keys_and_words() {
    check(
        &server("  - name: a\n    command: b\n    «arg»: [c]\n"),
        &["markdownlang/unknown-server-field"],
    );
    check(
        &server("  - name: a\n    command: b\n    «wait»: 30\n"),
        &["markdownlang/unknown-server-field"],
    );
    check(
        &server("  - name: a\n    command: b\n    transport: «stdio»\n"),
        &["markdownlang/unknown-transport"],
    );
    check(
        &server("  - name: a\n    url: http://b\n    transport: «htpp»\n"),
        &["markdownlang/unknown-transport"],
    );
    check(
        &server("  - name: a\n    command: b\n    disabled: «yes»\n"),
        &["markdownlang/string-boolean"],
    );
    check(
        &server("  - name: a\n    command: b\n    disabled: «maybe»\n"),
        &["markdownlang/wrong-type"],
    );
    fixes(
        &server("  - name: a\n    command: b\n    type: stdio\n"),
        "Rename to `transport`",
        &server("  - name: a\n    command: b\n    transport: stdio\n"),
    );
    fixes(
        &server("  - name: a\n    command: b\n    transport: stdio\n"),
        "Replace with `command`",
        &server("  - name: a\n    command: b\n    transport: command\n"),
    );
}

#[test]
fn mdl_23_disabled_servers_have_no_tools() {
    let text = server(
        "  - name: fs\n    command: npx\n    disabled: true\n  - name: fs__on\n    command: npx\n",
    );
    check(
        &(text.clone()
            + "\n# Use\n\nCall `«mcp__fs__read_file»`, mcp__fs__on and mcp__fs__on__y.\n"),
        &["markdownlang/disabled-server"],
    );
    check(
        &(text.clone() + "\n日本 «mcp__fs__a»🙂\n\n# Two\n\n_«mcp__fs»_\n"),
        &["markdownlang/disabled-server"; 2],
    );
    check(&text, &[]);
}

#[test]
fn servers_by_merge_keys_and_aliases() {
    let text = program(
        "x-base: &base { command: npx, env: &env { A: b } }\nx-name: &name fs\nmcp_servers:\n  - name: *name\n    <<: *base\n  - { name: two, url: \"http://x\", env: *env }\n",
    );
    check(&text, &[]);
    let program = super::super::read(&crate::source::Source::new(&text), None);
    let first = program.servers.first().unwrap();
    assert_eq!(first.name.as_ref().map(|name| name.text.as_str()), Some("fs"));
    assert_eq!(first.command.as_ref().map(|command| command.text.as_str()), Some("npx"));
    assert_eq!(
        first.env.first().map(|(name, value)| (name.text.as_str(), value.text.as_str())),
        Some(("A", "b"))
    );
}
