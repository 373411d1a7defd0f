//! Values as text, as Go's `fmt` prints its JSON decoder's values; except that integers stay
//! integers (MDL-15c).

use serde_json::Value as Json;

use super::escape;
use super::float;
use super::number::Number;
use super::value::{Value, sorted};

/// Values parsed from JSON text are never nested deeper.
const DEEPEST: usize = 512;

/// The flags of a verb: everything between `%` and the verb.
#[derive(Debug, Clone, Copy, Default)]
pub struct Flags {
    pub width: Option<usize>,
    pub precision: Option<usize>,
    pub minus: bool,
    pub plus: bool,
    pub sharp: bool,
    pub space: bool,
    pub zero: bool,
    /// `%#v`: Go syntax.
    pub go_syntax: bool,
}

/// Text being produced, up to a length. Anything after that is dropped, and reported at the end.
#[derive(Debug)]
pub struct Printer {
    pub(super) out: String,
    pub(super) flags: Flags,
    most: usize,
    full: bool,
}

/// The text would exceed the limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TooLong;

/// Like `fmt.Sprint`: spaces between operands when neither is a string.
pub fn print(values: &[Value], most: usize) -> Result<String, TooLong> {
    let mut printer = Printer::new(most);
    let mut after_text = true;
    for value in values {
        let is_text = value.as_text().is_some();
        if !is_text && !after_text {
            printer.push(" ");
        }
        printer.value(value, 'v');
        after_text = is_text;
        if printer.full {
            break;
        }
    }
    printer.finish()
}

/// Like `fmt.Sprintln`.
pub fn print_line(values: &[Value], most: usize) -> Result<String, TooLong> {
    let mut printer = Printer::new(most);
    for (index, value) in values.iter().enumerate() {
        if index > 0 {
            printer.push(" ");
        }
        printer.value(value, 'v');
    }
    printer.push("\n");
    printer.finish()
}

impl Printer {
    pub fn new(most: usize) -> Self {
        Self { out: String::new(), flags: Flags::default(), most, full: false }
    }

    pub fn finish(self) -> Result<String, TooLong> {
        if self.full { Err(TooLong) } else { Ok(self.out) }
    }

    pub fn push(&mut self, text: &str) {
        if self.full || self.out.len() + text.len() > self.most {
            self.full = true;
        } else {
            self.out.push_str(text);
        }
    }

    fn fill(&mut self, count: usize) {
        if self.full || self.out.len() + count > self.most {
            self.full = true;
        } else {
            self.out.extend(std::iter::repeat_n(if self.flags.zero { '0' } else { ' ' }, count));
        }
    }

    /// The text, padded to the width.
    fn pad(&mut self, text: &str) {
        let missing =
            self.flags.width.map_or(0, |width| width.saturating_sub(text.chars().count()));
        if self.flags.minus {
            self.push(text);
            self.fill(missing);
        } else {
            self.fill(missing);
            self.push(text);
        }
    }

    fn pad_with_blanks(&mut self, text: &str) {
        let zero = std::mem::take(&mut self.flags.zero);
        self.pad(text);
        self.flags.zero = zero;
    }

    /// A value as a separate argument.
    pub fn value(&mut self, value: &Value, verb: char) {
        match (value, verb) {
            (Value::Missing | Value::Null, 'T' | 'v') => self.pad("<nil>"),
            (_, 'T') => self.text(value.go_type(), 's'),
            // Nothing here has an address.
            (Value::List(_) | Value::Words(_) | Value::Object(_), 'p' | 'w') => {
                self.bad_verb(value, verb)
            }
            _ => self.inner(value, verb, 0),
        }
    }

    fn inner(&mut self, value: &Value, verb: char, depth: usize) {
        if self.full || depth > DEEPEST {
            self.full = true;
            return;
        }
        match value {
            Value::Missing | Value::Null if depth == 0 => self.bad_verb(value, verb),
            Value::Missing | Value::Null => {
                self.push(if self.flags.go_syntax { "interface {}(nil)" } else { "<nil>" })
            }
            Value::Boolean(truth) if matches!(verb, 't' | 'v') => {
                self.pad(if *truth { "true" } else { "false" })
            }
            Value::Number(number) => self.number(*number, verb),
            Value::Complex(real, imaginary)
                if matches!(verb, 'v' | 'b' | 'g' | 'G' | 'x' | 'X' | 'f' | 'F' | 'e' | 'E') =>
            {
                let plus = self.flags.plus;
                self.push("(");
                self.float(*real, verb);
                self.flags.plus = true;
                self.float(*imaginary, verb);
                self.push("i)");
                self.flags.plus = plus;
            }
            Value::Text(text) if matches!(verb, 'v' | 's' | 'x' | 'X' | 'q') => {
                self.text(text, verb)
            }
            Value::Boolean(_) | Value::Complex(..) | Value::Text(_) => self.bad_verb(value, verb),
            Value::List(items) => self.list(value, items.iter().map(Value::of), verb, depth),
            Value::Words(words) => {
                self.list(value, words.iter().map(|word| Value::Text(word.clone())), verb, depth)
            }
            Value::Object(map) => {
                let syntax = self.flags.go_syntax;
                self.push(if syntax { "map[string]interface {}{" } else { "map[" });
                for (index, (key, item)) in sorted(map).into_iter().enumerate() {
                    if index > 0 {
                        self.push(if syntax { ", " } else { " " });
                    }
                    self.inner(&Value::Text(super::value::Text::Borrowed(key)), verb, depth + 1);
                    self.push(":");
                    self.element(item, verb, depth);
                }
                self.push(if syntax { "}" } else { "]" });
            }
        }
    }

    fn element(&mut self, item: &Json, verb: char, depth: usize) {
        self.inner(&Value::of(item), verb, depth + 1);
    }

    fn list<'a>(
        &mut self,
        value: &Value,
        items: impl Iterator<Item = Value<'a>>,
        verb: char,
        depth: usize,
    ) {
        let syntax = self.flags.go_syntax;
        if syntax {
            self.push(value.go_type());
        }
        self.push(if syntax { "{" } else { "[" });
        for (index, item) in items.enumerate() {
            if self.full {
                return;
            }
            if index > 0 {
                self.push(if syntax { ", " } else { " " });
            }
            self.inner(&item, verb, depth + 1);
        }
        self.push(if syntax { "}" } else { "]" });
    }

    /// Go's note when a verb doesn't fit its value: `%!d(string=x)`.
    fn bad_verb(&mut self, value: &Value, verb: char) {
        self.push(&format!("%!{verb}("));
        if value.is_nothing() {
            self.push("<nil>");
        } else {
            self.push(value.go_type());
            self.push("=");
            self.inner(value, 'v', 0);
        }
        self.push(")");
    }

    fn number(&mut self, number: Number, verb: char) {
        match (number, verb) {
            (Number::Float(value), 'v' | 'b' | 'g' | 'G' | 'x' | 'X' | 'f' | 'F' | 'e' | 'E') => {
                self.float(value, verb)
            }
            (Number::Integer(_), 'g' | 'G' | 'f' | 'F' | 'e' | 'E') => {
                self.float(number.float(), verb)
            }
            (Number::Integer(_), 'v') if self.flags.precision.is_some() => {
                self.float(number.float(), verb)
            }
            (Number::Integer(value), _) => self.integer(number, value, verb),
            (Number::Constant(value), _) => self.integer(number, value.into(), verb),
            (Number::Byte(value), 'v') if self.flags.go_syntax => {
                self.digits(value.into(), 16, 'v', true)
            }
            (Number::Byte(value), _) => self.integer(number, value.into(), verb),
            (Number::Float(_), _) => self.bad_verb(&Value::Number(number), verb),
        }
    }

    fn integer(&mut self, number: Number, value: i128, verb: char) {
        let sharp = self.flags.sharp;
        match verb {
            'v' | 'd' => self.digits(value, 10, verb, sharp),
            'b' => self.digits(value, 2, verb, sharp),
            'o' | 'O' => self.digits(value, 8, verb, sharp),
            'x' | 'X' => self.digits(value, 16, verb, sharp),
            'c' => self.pad(character(value).encode_utf8(&mut [0; 4])),
            'q' => {
                let quoted = escape::quote_char(character(value), self.flags.plus);
                self.pad(&quoted);
            }
            'U' => self.code_point(value),
            _ => self.bad_verb(&Value::Number(number), verb),
        }
    }

    /// An integer in a base, with sign, prefix and leading zeros.
    fn digits(&mut self, value: i128, base: u8, verb: char, sharp: bool) {
        let Flags { width, precision, plus, space, zero, .. } = self.flags;
        if precision == Some(0) && value == 0 {
            return self.pad_with_blanks("");
        }
        let sign = if value < 0 {
            "-"
        } else if plus {
            "+"
        } else if space {
            " "
        } else {
            ""
        };
        let magnitude = value.unsigned_abs();
        let digits = match base {
            2 => format!("{magnitude:b}"),
            8 => format!("{magnitude:o}"),
            16 if verb == 'X' => format!("{magnitude:X}"),
            16 => format!("{magnitude:x}"),
            _ => magnitude.to_string(),
        };
        let least = match (precision, width) {
            (Some(precision), _) => precision,
            (None, Some(width)) if zero => width - sign.len().min(width),
            _ => 0,
        };
        let zeros = least.saturating_sub(digits.len());
        if zeros > self.most {
            self.full = true;
            return;
        }
        let mut prefix = match (base, sharp) {
            (2, true) => "0b",
            (8, true) if zeros == 0 && !digits.starts_with('0') => "0",
            (16, true) if verb == 'X' => "0X",
            (16, true) => "0x",
            _ => "",
        }
        .to_owned();
        if verb == 'O' {
            prefix.insert_str(0, "0o");
        }
        self.pad_with_blanks(&format!("{sign}{prefix}{}{digits}", "0".repeat(zeros)));
    }

    /// `U+0078`, and with `#` the character.
    fn code_point(&mut self, value: i128) {
        let code = wrapped(value);
        let precision = self.flags.precision.unwrap_or(4).max(4);
        if precision > self.most {
            self.full = true;
            return;
        }
        let digits = format!("{code:X}");
        let mut text = format!("U+{}{digits}", "0".repeat(precision.saturating_sub(digits.len())));
        let char = u32::try_from(code).ok().and_then(char::from_u32);
        if let Some(char) = char.filter(|char| self.flags.sharp && escape::is_printable(*char)) {
            text.push_str(&format!(" '{char}'"));
        }
        self.pad_with_blanks(&text);
    }

    fn float(&mut self, value: f64, verb: char) {
        let (verb, precision) = match verb {
            'v' => ('g', None),
            'F' | 'f' => ('f', Some(6)),
            'e' | 'E' => (verb, Some(6)),
            _ => (verb, None),
        };
        let precision = self.flags.precision.or(precision);
        if precision.is_some_and(|precision| precision > self.most) {
            self.full = true;
            return;
        }
        let mut number = float::format(value, verb, precision);
        if !number.starts_with(['-', '+']) {
            number.insert(0, '+');
        }
        if number.starts_with('+') && self.flags.space && !self.flags.plus {
            number.replace_range(..1, " ");
        }
        if self.flags.sharp && verb != 'b' && value.is_finite() {
            number = with_point(&number, verb, precision);
        }
        let signed = self.flags.plus || !number.starts_with('+');
        let (sign, unsigned) = number.split_at(1);
        match self.flags.width {
            _ if !value.is_finite() => {
                self.pad_with_blanks(if signed { &number } else { unsigned })
            }
            Some(width) if signed && self.flags.zero && width > number.len() => {
                self.push(sign);
                self.fill(width - number.len());
                self.push(unsigned);
            }
            _ => self.pad(if signed { &number } else { unsigned }),
        }
    }

    fn text(&mut self, text: &str, verb: char) {
        if matches!(verb, 'x' | 'X') {
            return self.bytes(text.as_bytes(), verb);
        }
        let text = match self.flags.precision {
            Some(most) => {
                text.char_indices().nth(most).and_then(|(end, _)| text.get(..end)).unwrap_or(text)
            }
            None => text,
        };
        if verb == 'q' || self.flags.go_syntax && verb == 'v' {
            if text.len() > self.most {
                self.full = true;
            } else if self.flags.sharp && escape::can_backquote(text) {
                self.pad(&format!("`{text}`"));
            } else {
                self.pad(&escape::quote(text, self.flags.plus));
            }
        } else {
            self.pad(text);
        }
    }

    /// Bytes in hexadecimal, without or with spaces between them.
    fn bytes(&mut self, bytes: &[u8], verb: char) {
        let bytes = bytes.get(..self.flags.precision.unwrap_or(bytes.len())).unwrap_or(bytes);
        if bytes.len() > self.most {
            self.full = true;
            return;
        }
        let upper = verb == 'X';
        let byte = |byte: &u8| if upper { format!("{byte:02X}") } else { format!("{byte:02x}") };
        let prefix = match (self.flags.sharp, upper) {
            (false, _) => "",
            (true, false) => "0x",
            (true, true) => "0X",
        };
        let text = if bytes.is_empty() {
            String::new()
        } else if self.flags.space {
            bytes.iter().map(|each| format!("{prefix}{}", byte(each))).collect::<Vec<_>>().join(" ")
        } else {
            prefix.to_owned() + &bytes.iter().map(byte).collect::<String>()
        };
        self.pad(&text);
    }
}

/// As 64 bits; a negative number becomes a very large one.
fn wrapped(value: i128) -> u64 {
    value as u64
}

/// The character with a code point; the replacement character if invalid.
fn character(value: i128) -> char {
    u32::try_from(value).ok().and_then(char::from_u32).unwrap_or(char::REPLACEMENT_CHARACTER)
}

/// A signed float with a decimal point, and with the trailing zeros that `%g` drops.
fn with_point(number: &str, verb: char, precision: Option<usize>) -> String {
    let mut lacking = match verb {
        'g' | 'G' | 'x' => precision.unwrap_or(6),
        _ => 0,
    };
    let tail = number
        .find(if matches!(verb, 'x' | 'X') { ['p', 'P'] } else { ['e', 'E'] })
        .unwrap_or(number.len());
    let (head, tail) = number.split_at(tail);
    let mut seen = false;
    for char in head.chars().skip(1).filter(|char| *char != '.') {
        seen |= char != '0';
        lacking = lacking.saturating_sub(usize::from(seen));
    }
    let mut out = head.to_owned();
    if !head.contains('.') {
        if head.get(1..) == Some("0") {
            lacking = lacking.saturating_sub(1);
        }
        out.push('.');
    }
    out.extend(std::iter::repeat_n('0', lacking));
    out + tail
}
