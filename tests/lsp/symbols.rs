use serde_json::json;
use tower_lsp::gen_lsp_types::*;

use crate::client::{Client, Setup};
use crate::profile;

/// The outline as indented lines, with the text of each symbol's range.
fn outline(
    client: &Client,
    name: &str,
    symbols: &[DocumentSymbol],
    depth: usize,
    out: &mut Vec<String>,
) {
    for symbol in symbols {
        let (all, selected) =
            (client.text_at(name, symbol.range), client.text_at(name, symbol.selection_range));
        assert!(
            symbol.range.start <= symbol.selection_range.start
                && symbol.selection_range.end <= symbol.range.end,
            "{symbol:?}"
        );
        out.push(format!("{}{} {:?}", "  ".repeat(depth), symbol.name, all));
        assert_eq!(symbol.name, selected);
        outline(client, name, symbol.children.as_deref().unwrap_or_default(), depth + 1, out);
    }
}

#[test]
fn headings_contain_what_is_below_them() {
    let mut client =
        Setup::new("# A 🦆\n\ntext\n\n## B\n\n```\n# no heading\n```\n\n# C\n").start();
    client.open("doc.md");
    let params = json!({ "textDocument": client.document("doc.md") });
    let Some(DocumentSymbolResponse::DocumentSymbolList(symbols)) =
        client.request::<DocumentSymbolRequest>(params)
    else {
        panic!("no tree")
    };
    let mut lines = Vec::new();
    outline(&client, "doc.md", &symbols, 0, &mut lines);
    let expected = [
        r##"A 🦆 "# A 🦆\n\ntext\n\n## B\n\n```\n# no heading\n```\n\n""##,
        r###"  B "## B\n\n```\n# no heading\n```\n\n""###,
        r##"C "# C\n""##,
    ];
    assert_eq!(lines, expected);
}

#[test]
fn clients_without_trees_get_a_list() {
    let mut client = Setup::new("# A\n\n## B\n").capabilities(profile::minimal()).start();
    client.open("doc.md");
    let params = json!({ "textDocument": client.document("doc.md") });
    let Some(DocumentSymbolResponse::SymbolInformationList(symbols)) =
        client.request::<DocumentSymbolRequest>(params)
    else {
        panic!("no list")
    };
    let flat: Vec<_> = symbols
        .iter()
        .map(|symbol| {
            (
                symbol.base_symbol_information.name.as_str(),
                symbol.base_symbol_information.container_name.as_deref(),
            )
        })
        .collect();
    assert_eq!(flat, [("A", None), ("B", Some("A"))]);
}

/// The name, URI and line of each result of a workspace search.
pub fn search(client: &mut Client, query: &str) -> Vec<(String, String, u32)> {
    // Both shapes of the answer have all fields that are needed here, so the types can't tell
    // them apart.
    let found = client.ask("workspace/symbol", json!({ "query": query })).expect("an answer");
    let found: Vec<WorkspaceSymbol> = serde_json::from_value(found).expect("symbols");
    let read = |symbol: WorkspaceSymbol| {
        let WorkspaceSymbolLocation::Location(location) = symbol.location else {
            panic!("no place")
        };
        (symbol.base_symbol_information.name, location.uri.0, location.range.start.line)
    };
    found.into_iter().map(read).collect()
}

#[test]
fn a_workspace_search_prefers_open_buffers_to_the_disk() {
    let mut client = Setup::new(
        "//- a.md\n# Landing\n//- b/c.md\ntext\n\n# Landmark\n//- d.txt\n# Land of text\n",
    )
    .start();
    client.wait_for_index();
    let found = |name: &str, file: &str, line| (name.to_owned(), file.to_owned(), line);
    let (a, c) = (client.uri("a.md"), client.uri("b/c.md"));
    assert_eq!(search(&mut client, "land"), [found("Landing", &a, 0), found("Landmark", &c, 2)]);
    client.open_with("a.md", "\n\n\n# Landed\n");
    assert_eq!(search(&mut client, "land"), [found("Landed", &a, 3), found("Landmark", &c, 2)]);
    client.close("a.md");
    client.write("b/c.md", "# Landfill\n");
    let change = json!({ "changes": [{ "uri": c, "type": 2 }] });
    client.notify::<DidChangeWatchedFilesNotification>(change);
    // The file is read in the background, so ask until that's done.
    let end = std::time::Instant::now() + crate::client::DEADLINE;
    while search(&mut client, "land") != [found("Landing", &a, 0), found("Landfill", &c, 0)] {
        assert!(std::time::Instant::now() < end, "the changed file is never read");
    }
}
