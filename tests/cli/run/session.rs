//! The session in `docs/run.md`, from an empty folder to a tested program.

use super::{Folder, KEY, Provider, Reply, answer};

/// The info string and content of each fence of the page, in order.
fn fences(page: &str) -> Vec<(String, String)> {
    let mut found = Vec::new();
    let mut open: Option<(String, String, String)> = None;
    for line in page.lines() {
        match &mut open {
            None if line.starts_with("```") => {
                let info = line.trim_start_matches('`');
                let fence = line[..line.len() - info.len()].to_owned();
                open = Some((fence, info.to_owned(), String::new()));
            }
            Some((fence, _, _)) if line == fence.as_str() => {
                let (_, info, content) = open.take().unwrap();
                found.push((info, content));
            }
            Some((_, _, content)) => *content += &format!("{line}\n"),
            None => {}
        }
    }
    found
}

#[test]
fn the_session_of_the_page_works() {
    let page = include_str!("../../../docs/run.md");
    let folder = Folder::agreed(&[]);
    let replies = ["{\"n\": 2}", "{\"n\": 2}", "{\"n\": 0}"].map(Reply::text);
    let provider = Provider::with(replies);
    let mut commands = Vec::new();
    for (info, content) in fences(page) {
        if let Some((_, name)) = info.split_once("file=") {
            folder.write(name, content);
        } else if info == "sh session" {
            for line in content.lines() {
                let words: Vec<&str> = line.split(' ').collect();
                let (program, arguments) = words.split_first().unwrap();
                assert_eq!(*program, "agentmd");
                let mut command = folder.at_home(arguments);
                command.env("OPENAI_BASE_URL", &provider.url).env("OPENAI_API_KEY", KEY);
                let answer = answer(&mut command);
                assert_eq!(answer.status, 0, "{line}: {answer:?}");
                commands.push((line.to_owned(), answer.out));
            }
        }
    }
    let out = |line: &str| commands.iter().find(|(command, _)| command == line).unwrap().1.as_str();
    assert_eq!(out("agentmd render count.md --sample"), "Count the words of one two\n");
    assert_eq!(out("agentmd run count.md --sample"), "{\n  \"n\": 2\n}\n");
    assert!(out("agentmd test").ends_with("\n2 passed\n"), "{}", out("agentmd test"));
    assert!(out("agentmd test --format junit").contains("failures=\"0\""));
    // Only three commands have called the model.
    assert_eq!(provider.asked().len(), 3);
}
