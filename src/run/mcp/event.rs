//! Server-sent events, read from chunks of bytes.

/// One event.
#[derive(Debug, PartialEq, Eq)]
pub struct Event {
    pub name: String,
    pub data: String,
}

/// The next event so far.
#[derive(Debug, Default)]
pub struct Reader {
    line: Vec<u8>,
    after_return: bool,
    name: String,
    data: String,
    has_data: bool,
}

/// The event is too long.
#[derive(Debug, PartialEq, Eq)]
pub struct TooLong;

/// The limit of bytes per event.
pub const LONGEST: usize = 16 << 20;

impl Reader {
    /// Adds bytes, and returns the events that end in them.
    ///
    /// # Errors
    /// If an event is too long.
    pub fn feed(&mut self, bytes: &[u8]) -> Result<Vec<Event>, TooLong> {
        let mut found = Vec::new();
        for byte in bytes {
            let is_second =
                std::mem::replace(&mut self.after_return, *byte == b'\r') && *byte == b'\n';
            match byte {
                b'\n' if is_second => {}
                b'\n' | b'\r' => found.extend(self.end_line()),
                byte => self.line.push(*byte),
            }
            if self.line.len() + self.data.len() > LONGEST {
                return Err(TooLong);
            }
        }
        Ok(found)
    }

    /// Adds bytes of a stream of lines, and returns those that end in them as events.
    ///
    /// # Errors
    /// If a line is too long.
    pub fn lines(&mut self, bytes: &[u8]) -> Result<Vec<Event>, TooLong> {
        let mut found = Vec::new();
        for byte in bytes {
            if *byte != b'\n' {
                self.line.push(*byte);
            } else if !self.line.is_empty() {
                let data = String::from_utf8_lossy(&self.line).into_owned();
                self.line.clear();
                found.push(Event { name: String::new(), data });
            }
        }
        if self.line.len() > LONGEST { Err(TooLong) } else { Ok(found) }
    }

    fn end_line(&mut self) -> Option<Event> {
        let line = String::from_utf8_lossy(&self.line).into_owned();
        self.line.clear();
        if line.is_empty() {
            let (name, data) = (std::mem::take(&mut self.name), std::mem::take(&mut self.data));
            return std::mem::take(&mut self.has_data).then(|| Event {
                name: if name.is_empty() { "message".to_owned() } else { name },
                data,
            });
        }
        let (field, value) = line.split_once(':').unwrap_or((&line, ""));
        let value = value.strip_prefix(' ').unwrap_or(value);
        match field.trim_start_matches('\u{feff}') {
            "event" => value.clone_into(&mut self.name),
            "data" => {
                if self.has_data {
                    self.data.push('\n');
                }
                self.data.push_str(value);
                self.has_data = true;
            }
            _ => {}
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn event(name: &str, data: &str) -> Event {
        Event { name: name.to_owned(), data: data.to_owned() }
    }

    #[test]
    fn mdl_24_events_are_read_from_any_chunks() {
        let text = "\u{feff}event: endpoint\ndata: /messages?id=1\n\n: a comment\r\nid: 3\r\ndata:{\"日本\":\r\ndata: 1}\r\n\r\ndata\rretry: 1\r\revent: empty\n\n";
        let expected = [
            event("endpoint", "/messages?id=1"),
            event("message", "{\"日本\":\n1}"),
            event("message", ""),
        ];
        for size in 1..text.len() {
            let mut reader = Reader::default();
            let found: Vec<Event> = text
                .as_bytes()
                .chunks(size)
                .flat_map(|chunk| reader.feed(chunk).unwrap())
                .collect();
            assert_eq!(found, expected, "{size}");
        }
    }

    #[test]
    fn an_endless_event_is_not_kept() {
        let mut reader = Reader::default();
        let piece = vec![b'x'; 1 << 20];
        assert!((0..16).all(|_| reader.feed(&piece).is_ok()));
        assert_eq!(reader.feed(&piece), Err(TooLong));
        let mut reader = Reader::default();
        let line = [b"data: ".as_slice(), &piece, b"\n"].concat();
        assert!((0..17).any(|_| reader.feed(&line).is_err()));
    }
}
