//! Messages take effect in the order in which they arrive, no matter how many arrive at once.

use serde_json::json;
use tower_lsp::gen_lsp_types::*;

use crate::client::{Client, Pending, Setup};

/// The expected outline of a text that contains only headings and plain lines.
fn headings(text: &str) -> Vec<(String, u32)> {
    let lines = text
        .lines()
        .enumerate()
        .filter_map(|(line, text)| Some((text.strip_prefix("# ")?.trim().to_owned(), line as u32)));
    lines.collect()
}

fn outline(answer: Option<DocumentSymbolResponse>) -> Vec<(String, u32)> {
    let Some(DocumentSymbolResponse::DocumentSymbolList(symbols)) = answer else {
        panic!("no tree: {answer:?}")
    };
    symbols.into_iter().map(|symbol| (symbol.name, symbol.selection_range.start.line)).collect()
}

struct Random(u32);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (self.0 >> 8) as usize % limit
    }
}

/// Inserts or deletes a whole line, so that the model above stays true.
fn change_a_line(client: &mut Client, random: &mut Random, number: usize) {
    let text = client.text("doc.md");
    let starts: Vec<usize> =
        std::iter::once(0).chain(text.match_indices('\n').map(|(at, _)| at + 1)).collect();
    let at = random.below(starts.len());
    let start = starts[at];
    if starts.len() > 30 && at + 1 < starts.len() {
        let end = starts[at + 1];
        client.edit("doc.md", start..end, "");
    } else {
        let line = if random.below(2) == 0 {
            format!("# 🦆 t{number}\n")
        } else {
            format!("plain {number}\n")
        };
        client.edit("doc.md", start..start, &line);
    }
}

#[test]
fn every_answer_equals_the_text_at_its_place_in_the_stream() {
    let mut client = Setup::new("# start\n").start();
    client.open("doc.md");
    client.sync();
    let mut random = Random(7);
    let mut expected = Vec::new();
    client.hold();
    for number in 0..5000 {
        change_a_line(&mut client, &mut random, number);
        if number % 5 == 4 {
            let params = json!({ "textDocument": client.document("doc.md") });
            let pending = client.begin::<DocumentSymbolRequest>(params);
            expected.push((pending, headings(client.text("doc.md"))));
        }
    }
    client.release();
    assert_eq!(expected.len(), 1000);
    for (number, (pending, expected)) in expected.into_iter().enumerate() {
        let answer = client.finish(pending).expect("an outline");
        assert_eq!(outline(answer), expected, "request {number}");
    }
    // The last publication is for the last version.
    client.diagnostics("doc.md");
}

#[test]
fn a_change_and_the_request_after_it_belong_together_in_every_document() {
    let mut client = Setup::new("").start();
    for document in 0..20 {
        client.open_with(&format!("d{document}.md"), "# 0\n");
    }
    client.hold();
    let mut expected = Vec::new();
    for round in 1..=20 {
        for document in 0..20 {
            let name = format!("d{document}.md");
            client.replace(&name, &format!("# {document} {round}\n"));
            let params = json!({ "textDocument": client.document(&name) });
            expected.push((
                client.begin::<DocumentSymbolRequest>(params),
                format!("{document} {round}"),
            ));
        }
    }
    client.release();
    for (pending, expected) in expected {
        assert_eq!(outline(client.finish(pending).unwrap()), [(expected, 0)]);
    }
}

#[test]
fn the_servers_own_requests_do_not_block_the_queue() {
    let mut client = Setup::new("# start\n").start();
    client.open("doc.md");
    client.hold();
    let mut expected = Vec::new();
    for number in 0..300 {
        // Each of these makes the server ask for the settings and wait for them.
        client.notify::<DidChangeConfigurationNotification>(json!({ "settings": null }));
        client.replace("doc.md", &format!("# t{number}\n"));
        let params = json!({ "textDocument": client.document("doc.md") });
        expected
            .push((client.begin::<DocumentSymbolRequest>(params), vec![(format!("t{number}"), 0)]));
    }
    client.release();
    for (pending, expected) in expected {
        assert_eq!(outline(client.finish(pending).unwrap()), expected);
    }
    for _ in 0..300 {
        client.wait_for_question("workspace/configuration");
    }
}

#[test]
fn slow_requests_delay_no_change() {
    let mut client =
        Setup::new("//- doc.md\n# old\n//- slow.md\n[agentmd-test-wait](x)\n//- gate\n")
            .pull()
            .environment("AGENTMD_TEST_GATE", "{folder}/gate")
            .start();
    client.open("doc.md");
    client.open("slow.md");
    let params = client.at("slow.md", 3);
    let slow: Vec<Pending<HoverRequest>> = (0..64).map(|_| client.begin(params.clone())).collect();
    client.replace("doc.md", "# new\n");
    // The change is processed even though every analysis thread is busy until the gate is gone.
    client.sync();
    for pending in &slow {
        client.cancel(pending.id);
    }
    for pending in slow {
        assert_eq!(client.finish(pending).map_err(|error| error.code), Err(-32800));
    }
    let params = json!({ "textDocument": client.document("doc.md") });
    assert_eq!(outline(client.request::<DocumentSymbolRequest>(params)), [("new".to_owned(), 0)]);
    assert!(client.path("gate").exists());
}

/// Opens many documents, so that applying other settings to all of them takes a while.
fn many(name: &str) -> Client {
    let mut client = Setup::new("").pull().start();
    for number in 0..100 {
        client.open_with(&format!("{name}{number}.md"), "# t\n");
    }
    client.wait_for_question("workspace/configuration");
    client
}

/// Changes the settings. The server processes the answer while it reads the following messages.
fn other_settings(client: &mut Client, number: usize) {
    client.set_settings(json!({ "exclude": [format!("nowhere/{number}")] }));
    client.notify::<DidChangeConfigurationNotification>(json!({ "settings": null }));
    client.wait_for_question("workspace/configuration");
}

#[test]
fn settings_that_arrive_between_keys_undo_none() {
    let mut client = many("x");
    client.open_with("doc.md", "# \n");
    for number in 0..3000 {
        if number % 20 == 0 {
            other_settings(&mut client, number);
        }
        client.edit("doc.md", 2..2, "a");
    }
    let params = json!({ "textDocument": client.document("doc.md") });
    assert_eq!(outline(client.request::<DocumentSymbolRequest>(params)), [("a".repeat(3000), 0)]);
}

#[test]
fn settings_that_arrive_between_openings_undo_none() {
    let mut client = many("x");
    for number in 0..200 {
        other_settings(&mut client, number);
        client.open_with(&format!("o{number}.md"), "# o\n");
    }
    for number in 0..200 {
        let params = json!({ "textDocument": client.document(&format!("o{number}.md")) });
        assert_eq!(
            outline(client.request::<DocumentSymbolRequest>(params)),
            [("o".to_owned(), 0)],
            "document {number}"
        );
    }
}

#[test]
fn a_search_of_the_workspace_sees_the_text_at_its_place_in_the_stream() {
    let mut client = Setup::new("").pull().start();
    client.open_with("doc.md", "# mark\n");
    client.wait_for_index();
    client.hold();
    let mut expected = Vec::new();
    for number in 0..200 {
        client.replace("doc.md", &format!("# mark {number}\n"));
        expected.push((
            client.send_request("workspace/symbol", json!({ "query": "mark" })),
            format!("mark {number}"),
        ));
    }
    client.replace("doc.md", "# nothing\n");
    client.release();
    for (id, expected) in expected {
        let found = client.wait_for_answer(id).expect("symbols");
        assert_eq!(
            (found[0]["name"].as_str(), found.as_array().map(Vec::len)),
            (Some(&*expected), Some(1))
        );
    }
}
