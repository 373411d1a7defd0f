//! Replies that are large, broken, truncated or binary: nothing is applied in part, and the program
//! never crashes.

use std::fmt::Write;

use serde_json::json;

use crate::construct::{self, Change, Construct, Kind};
use crate::tally::Tally;
use crate::workspace::{Answer, Files, Workspace, files};

const NOTES: &str = "one\ntwo\nthree\n";
const PAGE: &str = "top\nmiddle\nbottom\n";

/// A complete block for `notes.txt`.
const BLOCK: &str = "notes.txt\n```\n<<<<<<< SEARCH\ntwo\n=======\nzwei\n>>>>>>> REPLACE\n```\n";

fn notes_after() -> Files {
    files([("notes.txt", "one\nzwei\nthree\n")])
}

#[track_caller]
fn refused_in(workspace: &Workspace, reply: &[u8]) -> Answer {
    let before = workspace.files();
    let answer = workspace.apply(reply);
    assert!(workspace.files() == before, "something was written: {answer:?}");
    assert!(answer.status != 0, "exit status 0: {answer:?}");
    answer
}

/// Checks that nothing is written and that the exit status isn't 0.
#[track_caller]
fn refused(reply: &[u8]) -> Answer {
    refused_in(&Workspace::new(&files([("notes.txt", NOTES)])), reply)
}

/// Checks that a reply is applied as a whole or refused, and returns whether it was applied.
#[track_caller]
fn whole_or_refused(before: &Files, reply: &[u8], after: &Files) -> bool {
    let workspace = Workspace::new(before);
    let answer = workspace.apply(reply);
    let have = workspace.files();
    let applied = have == *after && answer.status == 0;
    assert!(
        applied || have == *before && answer.status != 0,
        "neither applied as a whole nor refused: {} {answer:?}",
        have == *before
    );
    applied
}

#[test]
fn ten_thousand_blocks() {
    let line = |number: usize, word: &str| format!("{word} number {number} of the list\n");
    let (mut text, mut after, mut reply) = (String::new(), String::new(), String::new());
    for number in 0..10_000 {
        text += &line(number, "old");
        after += &line(number, "new");
        let _ = write!(
            reply,
            "list.txt\n```\n<<<<<<< SEARCH\n{}=======\n{}>>>>>>> REPLACE\n```\n\n",
            line(number, "old"),
            line(number, "new")
        );
    }
    let before = files([("list.txt", text.as_str())]);
    assert!(
        whole_or_refused(&before, reply.as_bytes(), &files([("list.txt", after.as_str())])),
        "refused"
    );
    // Now the last block doesn't match.
    let broken = reply.replace("old number 9999 of", "no such number of");
    assert!(!whole_or_refused(&before, broken.as_bytes(), &Files::new()));
}

#[test]
fn twenty_megabytes() {
    let before = files([("notes.txt", NOTES)]);
    let prose = "The tide comes in twice a day, and the log says when.\n".repeat(400_000);
    assert!(prose.len() > 20_000_000);
    assert!(
        whole_or_refused(&before, format!("{prose}\n{BLOCK}").as_bytes(), &notes_after()),
        "prose above a block was refused"
    );
    whole_or_refused(
        &before,
        format!("{}\n\n{BLOCK}", prose.replace('\n', " ")).as_bytes(),
        &notes_after(),
    );
    let call = json!({"type": "tool_use", "id": "t", "name": "Write", "input": {"file_path": "log.txt", "content": prose}}).to_string();
    let mut written = before.clone();
    written.insert("log.txt".to_owned(), prose.clone().into_bytes());
    whole_or_refused(&before, call.as_bytes(), &written);
    refused(&call.as_bytes()[..call.len() - 4]);
}

/// A complete block, then every construct truncated after each of its lines.
#[test]
fn cut_off_at_every_line() {
    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
    enum Cut {
        Fine,
        Unreported,
        Unplaced,
        Wrong,
    }
    let mut tally = Tally::new("cut off");
    for construct in construct::ALL {
        let (reply, before, after) = cut_reply(construct);
        let lines: Vec<&str> = reply.split_inclusive('\n').collect();
        for kept in 1..lines.len() {
            let workspace = Workspace::new(&before);
            let answer = workspace.apply(
                format!("{BLOCK}\nThe second one:\n\n{}", lines[..kept].concat()).as_bytes(),
            );
            let have = workspace.files();
            let mut prefix = before.clone();
            prefix.extend(notes_after());
            let cut = if have == before && answer.status != 0 {
                if answer.names_a_line() { Cut::Fine } else { Cut::Unplaced }
            } else if answer.status == 0
                && (have == after && construct.name != "named-fence"
                    || kept < construct.opened_by && have == prefix)
            {
                // Only a closing fence around a whole construct is missing, or nothing was opened.
                Cut::Fine
            } else if have == before {
                Cut::Unreported
            } else {
                Cut::Wrong
            };
            tally.add(construct.name, cut, &kept.to_string());
        }
    }
    tally.report(Cut::Fine, |cut| match cut {
        Cut::Fine => "fine",
        Cut::Unreported => "EXIT STATUS 0, nothing written",
        Cut::Unplaced => "refused without a line",
        Cut::Wrong => "WRITTEN, by lines kept",
    });
    let bad = tally.all() - tally.count(Cut::Fine);
    assert!(bad == 0, "{bad} of {} replies", tally.all());
}

/// A construct for a second file, with the files before, and the files after both the block and
/// the complete construct.
fn cut_reply(construct: Construct) -> (String, Files, Files) {
    let mut before = files([("notes.txt", NOTES)]);
    let mut after = notes_after();
    let new = "middle of the page\nand more of it\n";
    let change = match construct.kind {
        Kind::Edits => {
            before.insert("page.txt".to_owned(), PAGE.as_bytes().to_vec());
            after.insert("page.txt".to_owned(), PAGE.replace("middle\n", new).into_bytes());
            Change { path: "page.txt", before: PAGE, old: "middle\n", new, number: 0 }
        }
        Kind::Creates => {
            after.insert("page.txt".to_owned(), new.as_bytes().to_vec());
            Change { path: "page.txt", before: "", old: "", new, number: 0 }
        }
    };
    ((construct.write)(change), before, after)
}

#[test]
fn tool_calls_of_invalid_json() {
    let calls = [
        r#"{"name": "Write", "input": {"file_path": "new.txt", "content": "half"#,
        r#"{"name": "Write", "input": {"file_path": "new.txt", "content": "half"}"#,
        r#"{"name": "Write", "input": {"file_path": "new.txt" "content": "no comma"}}"#,
        r#"{"name": "Write", "input": {"file_path": "new.txt", "content": "bad \q escape"}}"#,
        r#"{"name": "Write", "input": {"file_path": "new.txt", "content": "half a surrogate \ud800"}}"#,
        r#"{'name': 'Write', 'input': {'file_path': 'new.txt', 'content': 'text'}}"#,
        "{\"name\": \"Write\", \"input\": {\"file_path\": \"new.txt\", \"content\": \"a raw\0zero\"}}",
        r#"{"name": "Write", "arguments": "{\"file_path\": \"new.txt\", \"content\": \"half"}"#,
        r#"{"name": "Edit", "input": {"file_path": "notes.txt", "old_string": 1, "new_string": 2}}"#,
        r#"{"name": "Write", "input": {"file_path": ["new.txt"], "content": "text"}}"#,
        r#"{"name": "Write", "input": {"file_path": "", "content": "text"}}"#,
        r#"{"name": "Write", "input": {"file_path": "new\u0000.txt", "content": "text"}}"#,
    ];
    let mut silent = Vec::new();
    for call in calls {
        for reply in [
            format!("{BLOCK}\n```json\n{call}\n```\n"),
            format!("{BLOCK}\n<tool_call>\n{call}\n</tool_call>\n"),
        ] {
            let workspace = Workspace::new(&files([("notes.txt", NOTES)]));
            let answer = workspace.apply(reply.as_bytes());
            if workspace.files() != files([("notes.txt", NOTES)]) || answer.status == 0 {
                silent.push(reply[BLOCK.len()..].to_owned());
            } else {
                assert!(answer.names_a_line(), "{answer:?}");
            }
        }
    }
    assert!(silent.is_empty(), "the block was applied without its call: {silent:#?}");
}

#[test]
fn targets_that_are_not_text() {
    for (name, bytes) in [
        ("latin-1", b"caf\xe9\nmiddle\n".as_slice()),
        ("utf-16", b"\xff\xfem\0i\0d\0d\0l\0e\0\n\0".as_slice()),
        ("binary", b"\x7fELF\x02\x01\0\0\0middle\n\xf0\x9f\n".as_slice()),
    ] {
        let mut before = files([("notes.txt", NOTES)]);
        before.insert("page.txt".to_owned(), bytes.to_vec());
        for construct in
            construct::ALL.into_iter().filter(|construct| construct.kind == Kind::Edits)
        {
            let second = (construct.write)(Change {
                path: "page.txt",
                before: PAGE,
                old: "middle\n",
                new: "centre\n",
                number: 0,
            });
            let workspace = Workspace::new(&before);
            let answer = workspace.apply(format!("{BLOCK}\n{second}").as_bytes());
            assert!(
                workspace.files() == before && answer.status != 0,
                "{name}, {}: {answer:?}",
                construct.name
            );
        }
    }
}

#[test]
fn replies_that_are_not_text() {
    let before = files([("notes.txt", NOTES)]);
    let after = notes_after();
    // Bytes outside the block may be ignored, but those inside must not be replaced.
    for byte in [b"\xe9".as_slice(), b"\0", b"\xff\xfe", b"\xed\xa0\x80", b"\x1b[31m"] {
        whole_or_refused(&before, &[byte, b"\n\n", BLOCK.as_bytes()].concat(), &after);
    }
    for byte in [b"\xe9".as_slice(), b"\xff\xfe", b"\xed\xa0\x80"] {
        let parts: Vec<&str> = BLOCK.split("zwei").collect();
        refused(&[parts[0].as_bytes(), b"zw", byte, b"ei", parts[1].as_bytes()].concat());
    }
    let utf_16: Vec<u8> =
        std::iter::once(0xfeff).chain(BLOCK.encode_utf16()).flat_map(u16::to_le_bytes).collect();
    whole_or_refused(&before, &utf_16, &after);
    let noise: Vec<u8> =
        (0..200_000_u32).map(|n| (n.wrapping_mul(2_654_435_761) >> 13) as u8).collect();
    let workspace = Workspace::new(&before);
    workspace.apply(&noise);
    assert_eq!(workspace.files(), before);
}

#[test]
fn deep_and_repeated_marks() {
    let before = files([("notes.txt", NOTES)]);
    let many = 5_000;
    for noise in [
        "[".repeat(many),
        "{\"a\":".repeat(many),
        "<content>\n".repeat(many),
        "<function_calls>".repeat(many),
        "<think>\n".repeat(many),
        "> ".repeat(many),
        "```\n".repeat(many + 1),
        "<<<<<<< SEARCH\n".repeat(many),
        "=======\n".repeat(many),
        ">>>>>>> REPLACE\n".repeat(many),
        "*** Begin Patch\n".repeat(many),
        "@@ -1 +1 @@\n".repeat(many),
        "--- a/notes.txt\n+++ b/notes.txt\n".repeat(many),
        "[ACTION_0_TYPE] create_file\n".repeat(many),
        "- ".repeat(many),
        "`".repeat(many),
        "<".repeat(many),
    ] {
        // By itself, the noise writes nothing. Next to a block, the block is applied as a whole or
        // the reply is refused.
        let workspace = Workspace::new(&before);
        workspace.apply(noise.as_bytes());
        assert_eq!(workspace.files(), before, "{}", &noise[..20]);
        whole_or_refused(&before, format!("{BLOCK}\n{noise}\n").as_bytes(), &notes_after());
    }
}

#[test]
fn messages_cut_off_anywhere() {
    let edit = |id: &str, old: &str, new: &str| json!({"type": "tool_use", "id": id, "name": "Edit", "input": {"file_path": "notes.txt", "old_string": old, "new_string": new}});
    let message = json!({
        "type": "message",
        "role": "assistant",
        "content": [{"type": "text", "text": format!("Three changes.\n\n{BLOCK}")}, edit("a", "one\n", "eins\n"), edit("b", "three\n", "drei\n")],
        "stop_reason": "tool_use",
    });
    for text in [message.to_string(), serde_json::to_string_pretty(&message).unwrap()] {
        for kept in (1..text.len())
            .step_by(23)
            .chain([text.len() - 1])
            .filter(|kept| text.is_char_boundary(*kept))
        {
            let workspace = Workspace::new(&files([("notes.txt", NOTES)]));
            let answer = workspace.apply(&text.as_bytes()[..kept]);
            assert_eq!(
                workspace.files(),
                files([("notes.txt", NOTES)]),
                "written after {kept} of {} bytes",
                text.len()
            );
            assert!(
                answer.status != 0,
                "exit status 0 after {kept} of {} bytes: {answer:?}",
                text.len()
            );
        }
    }
}

#[test]
fn streams_cut_off_at_every_event() {
    let arguments =
        json!({"file_path": "notes.txt", "old_string": "three\n", "new_string": "drei\n"})
            .to_string();
    let (one, two) = arguments.split_at(arguments.len() / 2);
    let events = [
        json!({"type": "message_start", "message": {"type": "message", "role": "assistant", "content": []}}),
        json!({"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}}),
        json!({"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": &BLOCK[..30]}}),
        json!({"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": &BLOCK[30..]}}),
        json!({"type": "content_block_stop", "index": 0}),
        json!({"type": "content_block_start", "index": 1, "content_block": {"type": "tool_use", "id": "t", "name": "Edit", "input": {}}}),
        json!({"type": "content_block_delta", "index": 1, "delta": {"type": "input_json_delta", "partial_json": one}}),
        json!({"type": "content_block_delta", "index": 1, "delta": {"type": "input_json_delta", "partial_json": two}}),
        json!({"type": "content_block_stop", "index": 1}),
        json!({"type": "message_delta", "delta": {"stop_reason": "tool_use"}}),
        json!({"type": "message_stop"}),
    ];
    let stream: Vec<String> = events
        .iter()
        .map(|event| format!("event: {}\ndata: {event}\n\n", event["type"].as_str().unwrap()))
        .collect();
    for kept in 1..stream.len() {
        let answer = refused(stream[..kept].concat().as_bytes());
        assert!(kept < 4 || answer.names_a_line(), "after {kept} events: {answer:?}");
    }
    let after = files([("notes.txt", "one\nzwei\ndrei\n")]);
    assert!(
        whole_or_refused(&files([("notes.txt", NOTES)]), stream.concat().as_bytes(), &after),
        "the whole stream was refused"
    );
}

#[test]
fn a_refusal_names_a_line() {
    for reply in [
        format!("{BLOCK}\nnotes.txt\n```\n<<<<<<< SEARCH\nthree\n=======\ndr"),
        format!(
            "{BLOCK}\nnotes.txt\n```\n<<<<<<< SEARCH\nfour\n=======\nvier\n>>>>>>> REPLACE\n```\n"
        ),
        format!("{BLOCK}\n<write_to_file>\n<path>new.txt</path>\n<content>\nhal"),
        format!("{BLOCK}\n*** Begin Patch\n*** Update File: notes.txt\n@@\n-three\n+drei\n"),
        format!("{BLOCK}\nnew.txt\n```\nhalf of a fi"),
        format!(
            "{BLOCK}\n```json\n{{\"name\": \"Write\", \"input\": {{\"file_path\": \"new.txt\", \"content\": \"ha"
        ),
    ] {
        let answer = refused(reply.as_bytes());
        assert!(answer.status == 1 && answer.names_a_line(), "{answer:?}\n{reply}");
    }
}
