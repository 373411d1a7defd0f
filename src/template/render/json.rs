//! `json`: a value as JSON.

use std::io;

use serde_json::Value as Json;

use super::number::Number;
use super::print::TooLong;
use super::value::Value;

/// The value on one line, at most `most` bytes; `None` if JSON has no such value.
pub fn text(value: &Value, most: usize) -> Result<Option<String>, TooLong> {
    let mut out = Bounded { bytes: Vec::new(), most };
    let written = match value {
        Value::Missing | Value::Null => out.json(&Json::Null),
        Value::Boolean(value) => out.json(value),
        Value::Number(Number::Float(value)) if !value.is_finite() => return Ok(None),
        Value::Number(Number::Float(value)) => out.json(value),
        Value::Number(Number::Constant(value)) => out.json(value),
        Value::Number(Number::Byte(value)) => out.json(value),
        Value::Number(Number::Integer(value)) => out.json(value),
        Value::Complex(..) => return Ok(None),
        Value::Text(text) => out.json::<str>(text),
        Value::List(items) => out.json(items),
        Value::Words(words) => out.json(&words.iter().map(|word| &**word).collect::<Vec<&str>>()),
        Value::Object(map) => out.json(map),
    };
    written.map_err(|_| TooLong)?;
    String::from_utf8(out.bytes).map(Some).map_err(|_| TooLong)
}

/// Rejects text above a length, before it takes memory.
struct Bounded {
    bytes: Vec<u8>,
    most: usize,
}

impl Bounded {
    fn json<T: serde::Serialize + ?Sized>(&mut self, value: &T) -> serde_json::Result<()> {
        serde_json::to_writer(self, value)
    }
}

impl io::Write for Bounded {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.bytes.len() + bytes.len() > self.most {
            return Err(io::ErrorKind::FileTooLarge.into());
        }
        self.bytes.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
