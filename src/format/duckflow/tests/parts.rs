//! A reply that is checked part by part has the same findings as one checked as a whole, however it
//! was edited.

use std::path::Path;
use std::sync::LazyLock;

use proptest::prelude::*;

use super::super::Response;
use super::super::part::{PlacedGroup, PlacedPart};
use super::super::rules::{self, facts};
use crate::config::Config;
use crate::format::Context;
use crate::rule::{Diagnostic, Report};
use crate::source::Source;
use crate::text::Edit;
use crate::world::Memory;

/// A line that begins a section after any whitespace: one in eight is indented, and trailing
/// whitespace has no meaning.
fn landmark(line: &str) -> String {
    let begins = |line: &String| Source::new(&format!("a\n\n{line}\n")).sections().count() == 2;
    let blanks = |number: u32| {
        (0..10).map(|bit| if number >> bit & 1 == 0 { ' ' } else { '\t' }).collect::<String>()
    };
    (0..1024).map(|number| format!("{line}{}", blanks(number))).find(begins).unwrap()
}

fn action(index: u64) -> String {
    let begin = landmark(&format!("[ACTION_{index}_TYPE] create_file"));
    format!(
        "\n{begin}\n[ACTION_{index}_PATH] src/{index}.py\n[ACTION_{index}_CONTENT_START]\nprint({index})\n[ACTION_{index}_CONTENT_END]\n\n"
    )
}

const HEAD: &str =
    "[REASONING]\nMuch.\n\n[CONFIDENCE] 0.9\n[MOOD] 0.8\n[FOCUS] 0.9\n[STAMINA] 0.7\n\n";

fn reply(actions: u64) -> String {
    let finish = landmark(&format!("[ACTION_{actions}_TYPE] finish"));
    let actions_: String = (0..actions).map(action).collect();
    format!("{HEAD}{actions_}\n{finish}\n[ACTION_{actions}_RESULT] Done.\n")
}

fn pieces() -> Vec<String> {
    static PIECES: LazyLock<Vec<String>> = LazyLock::new(all_pieces);
    PIECES.clone()
}

fn all_pieces() -> Vec<String> {
    let own = [
        HEAD,
        "[REASONING]\n",
        "[MOOD] 85%\n",
        "[NOTES]\nn\n",
        "[notes]\n",
        "[SUMMARY]\n",
        "[CONFIDEN\n",
        "[reasoning]\n",
        "\n",
        "text\n",
        "```\n",
        "[ACTION_1_PATH] b\n",
        "[ACTION_1_path] c\n",
        "[ACTION_02_PATH] d\n",
        "[ACTION_9_PATH] e\n",
        "[ACTION_1_CONTENT_START]\n",
        "[ACTION_1_CONTENT_END]\n",
        "[ACTION_2_CONTENT_END]\n",
        "[ACTION_1_TYPE] read_file\n",
        "[ACTION_1_CONTENT_EN\n",
        "[ACTION_3_TYP\n",
        "[action_2_path] x\n",
        "[ACTION_PATH] x\n",
        "[ACTION_2_COMAND] x\n",
        "  [ACTION_2_PATH] y\n",
        "\r\n",
        "🦆\n",
        "    [NOTES]\n",
    ];
    let lines = (0..4).flat_map(|index| {
        ["create_file", "finish", "delete_file", "finsh"]
            .map(|kind| format!("\n{}\n", landmark(&format!("[ACTION_{index}_TYPE] {kind}"))))
    });
    own.map(str::to_owned).into_iter().chain(lines).chain((0..4).map(action)).collect()
}

fn sorted(mut report: Report) -> Vec<Diagnostic> {
    report.diagnostics.sort_by(|a, b| {
        (a.span.start, a.span.end, a.rule.code, &a.message).cmp(&(
            b.span.start,
            b.span.end,
            b.rule.code,
            &b.message,
        ))
    });
    report.diagnostics
}

fn parts_of(response: &Response) -> Vec<PlacedPart> {
    response.parts().groups().iter().flat_map(PlacedGroup::parts).collect()
}

/// Both ways of checking; the second is `None` if the reply isn't checked in parts.
fn both(response: &Response, source: &Source) -> (Vec<Diagnostic>, Option<Vec<Diagnostic>>) {
    let (world, config) = (Memory::default().with("/w/src/1.py", "x"), Config::default());
    let cx = Context::new(source, Some(Path::new("/w/reply.md")), &world, &config);
    let mut whole = Report::default();
    rules::check_whole(response, &cx, &mut whole);
    let mut parts = Report::default();
    let done = facts::check_parts(response.parts(), &cx, &mut parts);
    (sorted(whole), done.then(|| sorted(parts)))
}

#[test]
fn a_good_reply_is_checked_in_parts() {
    let source = Source::new(&reply(5));
    let response = Response::new(&source, None);
    assert_eq!(parts_of(&response).len(), 7);
    let (whole, parts) = both(&response, &source);
    assert_eq!(parts.as_ref(), Some(&whole));
    assert_eq!(whole.len(), 1, "one path is there already: {whole:?}");
}

#[test]
fn a_key_only_reads_the_part_that_it_touches() {
    let text = reply(50);
    let source = Source::new(&text);
    let before = Response::new(&source, None);
    both(&before, &source);
    let source = source.edit(&Edit::insert(text.find("print(20)").unwrap(), "x"));
    let after = Response::new(&source, Some(&before));
    let (new, old) = (parts_of(&after), parts_of(&before));
    let same = new.iter().zip(&old).filter(|(new, old)| new.same_as(old)).count();
    assert_eq!((new.len(), same), (old.len(), old.len() - 1));
    let (new, old) = (after.parts().groups(), before.parts().groups());
    let same = new.iter().zip(old).filter(|(new, old)| new.same_as(old)).count();
    assert_eq!((new.len(), same), (old.len(), old.len() - 1), "one group is read again");
    let (whole, parts) = both(&after, &source);
    assert_eq!(parts, Some(whole));
}

#[test]
fn a_reply_that_streams_in_is_checked_in_parts() {
    let text = reply(6);
    let (mut source, mut response, mut in_parts) =
        (Source::new(""), Response::new(&Source::new(""), None), 0);
    let characters: Vec<char> = text.chars().collect();
    for piece in characters.chunks(5) {
        source = source.edit(&Edit::insert(source.len(), piece.iter().collect::<String>()));
        response = Response::new(&source, Some(&response));
        let (whole, parts) = both(&response, &source);
        if let Some(parts) = parts {
            assert_eq!(parts, whole, "{}", source.slice(0..source.len()));
            in_parts += 1;
        }
    }
    assert!(in_parts > characters.len() / 5 * 9 / 10, "{in_parts} of {}", characters.len() / 5);
}

#[test]
fn a_line_meant_as_a_section_affects_all_parts() {
    let text = format!("[notes]\n{}", reply(3))
        .replace("\n[ACTION_1_TYPE]", "[NOTES]\nMine.\n\n[ACTION_1_TYPE]");
    let source = Source::new(&text);
    let response = Response::new(&source, None);
    assert!(parts_of(&response).len() > 2, "{text}");
    let (whole, parts) = both(&response, &source);
    assert!(parts.is_none_or(|parts| parts == whole), "{text}");
    assert!(
        whole
            .iter()
            .any(|finding| finding.rule.code == "duckflow/marker-case" && !finding.fixes[0].safe),
        "{whole:?}"
    );
}

fn any_reply() -> impl Strategy<Value = String> {
    let pieces = pieces();
    let inserted =
        prop::collection::vec((any::<prop::sample::Index>(), prop::sample::select(pieces)), 0..4);
    (2_u64..6, inserted).prop_map(|(actions, inserted)| {
        let mut lines: Vec<String> =
            reply(actions).split_inclusive('\n').map(str::to_owned).collect();
        for (at, piece) in inserted {
            let at = at.index(lines.len() + 1);
            lines.insert(at, piece);
        }
        lines.concat()
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: std::env::var("PART_CASES").ok().and_then(|cases| cases.parse().ok()).unwrap_or(512), ..ProptestConfig::default() })]

    #[test]
    fn parts_have_the_findings_of_the_whole(text in any_reply(), at in any::<prop::sample::Index>(), length in 0_usize..30, new in prop::sample::select(pieces())) {
        let source = Source::new(&text);
        let response = Response::new(&source, None);
        let (whole, parts) = both(&response, &source);
        if let Some(parts) = parts {
            prop_assert_eq!(parts, whole);
        }
        let floor = |at: usize| (0..=at.min(text.len())).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0);
        let start = floor(at.index(text.len() + 1));
        let edited = source.edit(&Edit::replace(start..floor(start + length), new));
        let response = Response::new(&edited, Some(&response));
        let (whole, parts) = both(&response, &edited);
        if let Some(parts) = parts {
            prop_assert_eq!(parts, whole);
        }
    }
}
