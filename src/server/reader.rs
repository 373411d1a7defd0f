//! Reads framed messages from a stream, and tolerates mistakes of clients: the case of header
//! names, missing carriage returns, unknown headers.

use std::io::{self, BufRead, Read};

/// One message, or an error.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Frame {
    Body(Vec<u8>),
    /// A header block without a usable length, so the body can't be found.
    NoLength,
}

/// Room for a message of up to this length is allocated before it arrives.
const SHORT: u64 = 1 << 16;

/// Longer messages are skipped: documents are never that long.
const LONGEST: u64 = 1 << 31;

/// The next message; `None` at the end of the stream, even in the middle of a message.
pub(super) fn read_frame(input: &mut impl BufRead) -> io::Result<Option<Frame>> {
    let mut length = None;
    let mut line = Vec::new();
    let mut any = false;
    loop {
        line.clear();
        // Header lines are short: a longer line isn't one, and is skipped without storing it.
        if input.by_ref().take(64 * 1024).read_until(b'\n', &mut line)? == 0 {
            return Ok(None);
        }
        let text = String::from_utf8_lossy(&line);
        let text = text.trim();
        if text.is_empty() {
            match length {
                Some(length) => return read_body(input, length),
                None if any => return Ok(Some(Frame::NoLength)),
                None => continue,
            }
        }
        any = true;
        if let Some(value) = content_length(text) {
            length = value.parse::<u64>().ok();
        }
    }
}

/// The value of the header in a line. Text before it is the rest of a message with a wrong length:
/// the stream is in sync again here.
fn content_length(line: &str) -> Option<&str> {
    let lower = line.to_ascii_lowercase();
    let at = lower.rfind("content-length")? + "content-length".len();
    Some(line.get(at..)?.trim_start().strip_prefix(':')?.trim())
}

fn read_body(input: &mut impl BufRead, length: u64) -> io::Result<Option<Frame>> {
    if length > LONGEST {
        io::copy(&mut input.take(length), &mut io::sink())?;
        return Ok(Some(Frame::NoLength));
    }
    // Grows as bytes arrive beyond this: the length is only what the client claims.
    let mut body = Vec::with_capacity(length.min(SHORT) as usize);
    let read = input.take(length).read_to_end(&mut body)?;
    Ok((read as u64 == length).then_some(Frame::Body(body)))
}

/// Replaces escapes of lone surrogates, which aren't characters, by U+FFFD, so that the rest of the
/// message can be read. `None` if there are none.
pub(super) fn repair_surrogates(body: &[u8]) -> Option<Vec<u8>> {
    let mut out = body.to_vec();
    let mut changed = false;
    let mut at = 0;
    while let Some(found) = memchr::memchr(b'\\', body.get(at..)?) {
        let start = at + found;
        let Some(unit) = surrogate(body, start) else {
            at = (start + 2).min(body.len());
            continue;
        };
        let low = surrogate(body, start + 6).filter(|low| (0xdc00..0xe000).contains(low));
        if unit < 0xdc00 && low.is_some() {
            at = start + 12;
            continue;
        }
        out.get_mut(start..start + 6)?.copy_from_slice(b"\\ufffd");
        changed = true;
        at = start + 6;
    }
    changed.then_some(out)
}

/// The escaped surrogate at `at`.
fn surrogate(body: &[u8], at: usize) -> Option<u32> {
    let digits = body.get(at..at + 6)?.strip_prefix(b"\\u")?;
    let unit = u32::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok()?;
    (0xd800..0xe000).contains(&unit).then_some(unit)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn frames(input: &[u8]) -> Vec<Frame> {
        let mut input = input;
        std::iter::from_fn(|| read_frame(&mut input).unwrap()).collect()
    }

    #[test]
    fn malformed_headers_are_tolerated() {
        let body = |text: &str| Frame::Body(text.as_bytes().to_vec());
        assert_eq!(
            frames(b"content-length: 2\r\n\r\n{}Content-Length:3\n\n{ }"),
            [body("{}"), body("{ }")]
        );
        assert_eq!(
            frames(b"Content-Type: x; charset=utf-8\r\nCONTENT-LENGTH : 2\r\n\r\n{}"),
            [body("{}")]
        );
        assert_eq!(frames(b"\r\n\r\nContent-Length: 2\r\n\r\n{}"), [body("{}")]);
        assert_eq!(
            frames(b"Nonsense\r\n\r\nContent-Length: 2\r\n\r\n{}"),
            [Frame::NoLength, body("{}")]
        );
        assert_eq!(
            frames(b"Content-Length: -2\r\n\r\nContent-Length: 2\r\n\r\n{}"),
            [Frame::NoLength, body("{}")]
        );
        assert_eq!(frames(b"Content-Length: 20\r\n\r\n{}"), []);
        assert_eq!(frames(b"rest of something}Content-Length: 2\r\n\r\n{}"), [body("{}")]);
    }

    #[test]
    fn lone_surrogates_become_replacement_characters() {
        let repaired = |text: &str| {
            repair_surrogates(text.as_bytes()).map(|bytes| String::from_utf8(bytes).unwrap())
        };
        assert_eq!(repaired(r#""a\ud800b""#).as_deref(), Some(r#""a\ufffdb""#));
        assert_eq!(
            repaired(r#""\udc00\ud83e\udd86\ud800""#).as_deref(),
            Some(r#""\ufffd\ud83e\udd86\ufffd""#)
        );
        assert_eq!(repaired(r#""\\ud800 \ud83e\udd86 \u00e9""#), None);
    }
}
