//! `printf`: formatted text, like Go's `fmt.Sprintf`, including its error notes.

use super::print::{Flags, Printer, TooLong};
use super::value::Value;

/// Larger widths and precisions are refused, as in Go.
const LARGEST: usize = 1_000_000;

pub fn print_format(format: &str, values: &[Value], most: usize) -> Result<String, TooLong> {
    let mut formatter = Formatter {
        format,
        at: 0,
        values,
        next: 0,
        reordered: false,
        good_index: true,
        printer: Printer::new(most),
    };
    formatter.run();
    formatter.printer.finish()
}

struct Formatter<'f, 'a> {
    format: &'f str,
    at: usize,
    values: &'f [Value<'a>],
    /// The index of the argument for the next verb.
    next: usize,
    /// A verb chose its argument by number, so unused ones are not reported.
    reordered: bool,
    /// The argument numbers of the current verb are valid.
    good_index: bool,
    printer: Printer,
}

impl Formatter<'_, '_> {
    fn run(&mut self) {
        while let Some(rest) = self.format.get(self.at..).filter(|rest| !rest.is_empty()) {
            match rest.find('%') {
                None => {
                    self.printer.push(rest);
                    break;
                }
                Some(length) => {
                    self.printer.push(rest.get(..length).unwrap_or(""));
                    self.at += length + 1;
                    self.verb();
                }
            }
        }
        if !self.reordered {
            self.extra();
        }
    }

    fn peek(&self) -> Option<u8> {
        self.format.as_bytes().get(self.at).copied()
    }

    fn eat(&mut self, byte: u8) -> bool {
        let there = self.peek() == Some(byte);
        self.at += usize::from(there);
        there
    }

    /// Everything after a `%`.
    fn verb(&mut self) {
        self.good_index = true;
        self.printer.flags = Flags::default();
        self.flags();
        let mut indexed = self.index();
        if self.eat(b'*') {
            let width = self.star();
            let flags = &mut self.printer.flags;
            flags.width =
                width.map(i64::unsigned_abs).and_then(|width| usize::try_from(width).ok());
            if width.is_some_and(|width| width < 0) {
                (flags.minus, flags.zero) = (true, false);
            }
            if width.is_none() {
                self.printer.push("%!(BADWIDTH)");
            }
            indexed = false;
        } else {
            let width = self.number();
            self.printer.flags.width = width;
            self.good_index &= !(indexed && width.is_some());
        }
        if self.peek() == Some(b'.') && self.at + 1 < self.format.len() {
            self.at += 1;
            self.good_index &= !indexed;
            indexed = self.index();
            if self.eat(b'*') {
                let precision = self.star().and_then(|precision| usize::try_from(precision).ok());
                self.printer.flags.precision = precision;
                if precision.is_none() {
                    self.printer.push("%!(BADPREC)");
                }
                indexed = false;
            } else {
                self.printer.flags.precision = Some(self.number().unwrap_or(0));
            }
        }
        if !indexed {
            self.index();
        }
        let Some(verb) = self.format.get(self.at..).and_then(|rest| rest.chars().next()) else {
            self.at = self.format.len();
            self.printer.push("%!(NOVERB)");
            return;
        };
        self.at += verb.len_utf8();
        match self.values.get(self.next) {
            _ if verb == '%' => self.printer.push("%"),
            _ if !self.good_index => self.printer.push(&format!("%!{verb}(BADINDEX)")),
            None => self.printer.push(&format!("%!{verb}(MISSING)")),
            Some(value) => {
                if verb == 'v' {
                    let flags = &mut self.printer.flags;
                    flags.go_syntax = std::mem::take(&mut flags.sharp);
                    flags.plus = false;
                }
                self.printer.value(value, verb);
                self.next += 1;
            }
        }
    }

    fn flags(&mut self) {
        let flags = &mut self.printer.flags;
        while let Some(byte) = self.format.as_bytes().get(self.at) {
            match byte {
                b'#' => flags.sharp = true,
                b'0' => flags.zero = !flags.minus,
                b'+' => flags.plus = true,
                b'-' => (flags.minus, flags.zero) = (true, false),
                b' ' => flags.space = true,
                _ => break,
            }
            self.at += 1;
        }
    }

    /// Decimal digits. A number that is far too large consumes the rest of the format.
    fn number(&mut self) -> Option<usize> {
        let mut number = None;
        while let Some(digit @ b'0'..=b'9') = self.peek() {
            if number.is_some_and(|number| number > LARGEST) {
                self.at = self.format.len();
                return None;
            }
            number = Some(number.unwrap_or(0) * 10 + usize::from(digit - b'0'));
            self.at += 1;
        }
        number
    }

    /// `[3]`: chooses the next argument. Returns whether it was readable.
    fn index(&mut self) -> bool {
        if self.peek() != Some(b'[') {
            return false;
        }
        self.reordered = true;
        let rest = self.format.get(self.at..).unwrap_or("");
        let Some((inside, length)) = rest
            .find(']')
            .filter(|_| rest.len() >= 3)
            .and_then(|end| Some((rest.get(1..end)?, end + 1)))
        else {
            self.at += 1;
            self.good_index = false;
            return false;
        };
        self.at += length;
        let digits = !inside.is_empty() && inside.bytes().all(|byte| byte.is_ascii_digit());
        let number = inside.parse::<usize>().ok().filter(|number| digits && number / 10 <= LARGEST);
        match number {
            Some(number @ 1..) if number <= self.values.len() => self.next = number - 1,
            _ => self.good_index = false,
        }
        number.is_some()
    }

    /// The integer argument for `*`.
    fn star(&mut self) -> Option<i64> {
        let value = self.values.get(self.next)?;
        self.next += 1;
        let Value::Number(number) = value else { return None };
        let number = number.integer()?;
        i64::try_from(number).ok().filter(|number| number.unsigned_abs() <= LARGEST as u64)
    }

    /// Arguments that no verb used.
    fn extra(&mut self) {
        let Some(values) = self.values.get(self.next..).filter(|values| !values.is_empty()) else {
            return;
        };
        self.printer.flags = Flags::default();
        self.printer.push("%!(EXTRA ");
        for (index, value) in values.iter().enumerate() {
            if index > 0 {
                self.printer.push(", ");
            }
            if value.is_nothing() {
                self.printer.push("<nil>");
            } else {
                self.printer.push(value.go_type());
                self.printer.push("=");
                self.printer.value(value, 'v');
            }
        }
        self.printer.push(")");
    }
}
