//! Providers and servers that never stop sending.

use std::io::{Read, Write};
use std::net::TcpListener;
use std::time::Duration;

use serde_json::json;

use super::servers::{INPUT, good};
use super::{COUNT, Folder, KEY, Provider, answer, server, with_server};

/// A provider whose answers repeat `piece` and never end.
fn endless(piece: Vec<u8>, pause: Duration) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}/v1", listener.local_addr().unwrap());
    std::thread::spawn(move || {
        for mut stream in listener.incoming().flatten() {
            let piece = piece.clone();
            std::thread::spawn(move || -> std::io::Result<()> {
                // The request doesn't matter, but must be read.
                let mut buffer = [0; 65_536];
                let _ = stream.read(&mut buffer)?;
                stream.write_all(
                    b"HTTP/1.1 200 X\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n",
                )?;
                loop {
                    write!(stream, "{:x}\r\n", piece.len())?;
                    stream.write_all(&piece)?;
                    stream.write_all(b"\r\n")?;
                    stream.flush()?;
                    std::thread::sleep(pause);
                }
            });
        }
    });
    url
}

#[test]
fn mdl_31_an_endless_answer_of_the_provider_ends() {
    let folder = Folder::agreed(&[("count.md", COUNT)]);
    for (piece, pause, flags, expected) in [
        (vec![b' '; 1 << 16], Duration::ZERO, &[][..], "the provider's answer exceeds 16 MB"),
        (
            b" ".to_vec(),
            Duration::from_millis(50),
            &["--request-timeout", "1", "--timeout", "4"][..],
            "the run took more than 4s",
        ),
    ] {
        let url = endless(piece, pause);
        let arguments = [&["run"], &INPUT[..], flags].concat();
        let mut command = folder.at_home(&arguments);
        let found = answer(command.env("OPENAI_BASE_URL", url).env("OPENAI_API_KEY", KEY));
        assert_eq!(found.status, 1, "{found:?}");
        assert!(found.err.contains(expected), "{}", found.err);
    }
}

#[test]
fn mdl_25_a_run_continues_without_an_endless_server() {
    // Prints a message if Python is missing.
    let Some(_) = server() else { return };
    for code in [
        "while True: print('no message')",
        "import sys\nwhile True: sys.stdout.write('x' * 1000)",
        "import sys\nwhile True: sys.stderr.write('x' * 1000)",
    ] {
        let command = format!("command: python3, args: [\"-c\", {}]", json!(code));
        let folder = Folder::agreed(&[("count.md", &with_server(&command, ""))]);
        let flags = ["--mcp-start-timeout", "2"];
        let answer = folder.ask(&Provider::with([good()]), &[&INPUT[..], &flags].concat());
        assert_eq!(answer.status, 0, "{code}: {answer:?}");
        assert!(answer.err.starts_with("warning: "), "{code}: {}", answer.err);
        // The last five lines of its stderr, of at most 4 KiB each.
        assert!(answer.err.len() < 24 << 10, "{code}: {} bytes", answer.err.len());
    }
}
