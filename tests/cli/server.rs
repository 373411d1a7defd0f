//! `server` starts and ends as editors expect. Its answers are tested in `tests/lsp`.

use super::Folder;

#[test]
fn the_flags_that_editors_pass_are_accepted() {
    let folder = Folder::empty();
    let message = |body: &str| format!("Content-Length: {}\r\n\r\n{body}", body.len());
    let session = [
        r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"processId":null,"rootUri":null,"capabilities":{}}}"#,
        r#"{"jsonrpc":"2.0","method":"initialized","params":{}}"#,
        r#"{"jsonrpc":"2.0","id":2,"method":"shutdown"}"#,
        r#"{"jsonrpc":"2.0","method":"exit"}"#,
    ]
    .map(message)
    .concat();
    for arguments in [
        &["server"] as &[&str],
        &["server", "--stdio"],
        &["server", "--stdio", "--clientProcessId", "1"],
        &["server", "--clientProcessId=1"],
    ] {
        let answer = folder.run_with(arguments, session.as_bytes());
        assert_eq!(answer.status, 0, "{arguments:?} {}", answer.err);
        assert!(answer.out.contains("\"capabilities\""), "{arguments:?} {}", answer.out);
    }
    assert_eq!(folder.run(&["server", "--nope"]).status, 2);
}
