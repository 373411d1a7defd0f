//! The agreement: how to accept it, and which commands don't need it.

use std::io::Write;
use std::process::Stdio;

use super::{COUNT, Folder, Provider, Reply, answer};
use crate::Answer;

const FILE: &str = ".markdownlang-agreement.json";

/// Calls `agentmd agree` and types what `typed` makes of the phrase that is shown.
fn agree(folder: &Folder, arguments: &[&str], typed: impl Fn(&str) -> String) -> Answer {
    use std::io::Read;
    let mut child = folder
        .at_home(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut shown = String::new();
    let mut out = child.stdout.take().unwrap();
    let mut byte = [0];
    while !shown.ends_with("Type the above phrase exactly to accept: ")
        && out.read(&mut byte).unwrap() > 0
    {
        shown.push(char::from(byte[0]));
    }
    let phrase = shown.lines().nth(4).unwrap_or_default().to_owned();
    child.stdin.take().unwrap().write_all(typed(&phrase).as_bytes()).unwrap();
    out.read_to_string(&mut shown).unwrap();
    let output = child.wait_with_output().unwrap();
    Answer {
        status: output.status.code().unwrap(),
        out: shown,
        err: String::from_utf8(output.stderr).unwrap(),
    }
}

#[test]
fn mdl_34_exactly_the_phrase_that_is_shown_is_accepted() {
    for end in ["", "\n", "\r\n"] {
        let folder = Folder::empty();
        let answer = agree(&folder, &["agree"], |phrase| format!("{phrase}{end}"));
        assert_eq!((answer.status, answer.err.as_str()), (0, ""), "{answer:?}");
        assert!(
            answer
                .out
                .starts_with("markdownlang Trans Rights Agreement\n\nBefore using markdownlang"),
            "{}",
            answer.out
        );
        assert!(
            answer.out.ends_with("\nAgreement accepted. You can now use markdownlang.\n"),
            "{}",
            answer.out
        );
        let said: serde_json::Value = serde_json::from_str(&folder.read(FILE)).unwrap();
        assert!(
            said["phrase_index"].as_u64().unwrap() < 16 && said.as_object().unwrap().len() == 2
        );
        let time = said["agreed_at"].as_str().unwrap();
        assert!(time.len() == 20 && time.ends_with('Z') && time.starts_with("20"), "{time}");
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            assert_eq!(
                std::fs::metadata(folder.path(FILE)).unwrap().permissions().mode() & 0o777,
                0o600
            );
        }
        assert_eq!(std::fs::read_dir(folder.root()).unwrap().count(), 1);
    }
}

#[test]
fn mdl_34_anything_else_is_refused_and_changes_nothing() {
    for typed in [
        |phrase: &str| format!("{phrase} \n"),
        |phrase: &str| phrase.to_uppercase(),
        |_: &str| String::new(),
        |_: &str| "yes\n".to_owned(),
    ] {
        for before in [None, Some("{\"agreed\": false}")] {
            let folder = Folder::empty();
            before.into_iter().for_each(|before| folder.write(FILE, before));
            let answer = agree(&folder, &["agree"], typed);
            assert_eq!(
                (answer.status, answer.err.as_str()),
                (1, "error: the text does not match the phrase; nothing was accepted\n")
            );
            assert_eq!(std::fs::read_to_string(folder.path(FILE)).ok().as_deref(), before);
        }
    }
}

#[test]
fn mdl_34_nothing_runs_without_an_agreement() {
    let folder = Folder::with(&[("count.md", COUNT)]);
    let arguments = ["run", "count.md", "--input", r#"{"text": "a"}"#];
    let provider = Provider::always(Reply::text("{\"n\": 1}"));
    let run = || answer(folder.at_home(&arguments).env("OPENAI_BASE_URL", &provider.url));
    let refused = run();
    assert_eq!((refused.status, refused.out.as_str(), provider.asked().len()), (1, "", 0));
    assert_eq!(
        refused.err,
        "error: the agreement has not been accepted yet\n\nTo accept the agreement, run: agentmd agree\n"
    );
    folder.write(FILE, "{\"agreed_at\": \"yesterday\", \"phrase_index\": 3}");
    let refused = run();
    assert!(
        refused.status == 1
            && refused.err.contains("is not a valid agreement: `agreed_at` is not a time"),
        "{refused:?}"
    );
    // A file in the format of the original program.
    folder.write(FILE, "{\"agreed\":true,\"agreed_at\":\"whenever\"}");
    assert_eq!(run().status, 0);
    // The old flag also asks, and running works afterwards.
    std::fs::remove_file(folder.path(FILE)).unwrap();
    let agreed = agree(&folder, &["-agree"], |phrase| phrase.to_owned());
    assert_eq!(agreed.status, 0, "{agreed:?}");
    assert_eq!(run().status, 0);
}

#[test]
fn mdl_34_other_commands_need_no_agreement() {
    let folder = Folder::with(&[("count.md", COUNT)]);
    for arguments in [
        &["check", "count.md"][..],
        &["render", "count.md", "--input", r#"{"text": "a"}"#],
        &["parse", "count.md"],
    ] {
        assert_eq!(answer(&mut folder.at_home(arguments)).status, 0, "{arguments:?}");
    }
}

#[test]
fn mdl_34_a_missing_home_is_reported() {
    let folder = Folder::with(&[("count.md", COUNT)]);
    for arguments in [&["agree"][..], &["run", "count.md", "-base-url", "http://127.0.0.1:9"]] {
        for home in [None, Some("")] {
            let mut command = folder.at_home(arguments);
            command.env_remove("HOME").env_remove("USERPROFILE");
            home.into_iter().for_each(|home| _ = command.env("HOME", home));
            let answer = answer(&mut command);
            assert_eq!(answer.status, 2);
            assert!(
                answer.err.contains("is not set; it names the folder of the agreement file"),
                "{}",
                answer.err
            );
        }
    }
    // A home that can't be written to.
    let mut command = folder.at_home(&["agree"]);
    let mut child = command
        .env("HOME", folder.path("none"))
        .env("USERPROFILE", folder.path("none"))
        .stdin(Stdio::piped())
        .stderr(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take();
    assert_eq!(child.wait_with_output().unwrap().status.code(), Some(1));
}
