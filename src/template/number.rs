//! Number constants, parsed as in Go.

use super::lex::quote;
use super::node::Number;

/// The value of a number constant, or its error.
pub(super) fn read(text: &str) -> Result<Number, String> {
    if let Some(imaginary) = text.strip_suffix('i')
        && let Some(value) = float(imaginary)
    {
        return Ok(complex(0.0, value));
    }
    let unsigned = unsigned(text);
    let integer = signed(text);
    if let Some(integer) = integer {
        let unsigned = unsigned.or_else(|| u64::try_from(integer).ok());
        return Ok(Number {
            integer: Some(integer),
            unsigned,
            float: Some(integer as f64),
            ..Number::default()
        });
    }
    if let Some(unsigned) = unsigned {
        return Ok(Number {
            unsigned: Some(unsigned),
            float: Some(unsigned as f64),
            ..Number::default()
        });
    }
    match float(text) {
        Some(_) if !text.contains(['.', 'e', 'E', 'p', 'P']) => {
            Err(format!("integer overflow: {}", quote(text)))
        }
        Some(value) => Ok(whole(value)),
        None => Err(format!("illegal number syntax: {}", quote(text))),
    }
}

/// The value of `1+2i`: the second part begins at `split`.
pub(super) fn read_complex(text: &str) -> Result<Number, String> {
    let exponent = |at: usize| {
        text.as_bytes()
            .get(at.wrapping_sub(1))
            .is_some_and(|byte| matches!(byte, b'e' | b'E' | b'p' | b'P'))
    };
    let hexadecimal =
        text.trim_start_matches(['+', '-']).starts_with(['0']) && text.contains(['x', 'X']);
    let splits = |at: &usize| {
        !exponent(*at)
            || hexadecimal
                && !text
                    .as_bytes()
                    .get(at.wrapping_sub(1))
                    .is_some_and(|byte| matches!(byte, b'p' | b'P'))
    };
    let split = text
        .char_indices()
        .skip(1)
        .filter(|(_, character)| matches!(character, '+' | '-'))
        .map(|(at, _)| at)
        .find(splits);
    let parts = split
        .and_then(|at| Some((float(text.get(..at)?)?, float(text.get(at..)?.strip_suffix('i')?)?)));
    parts
        .map(|(real, imaginary)| complex(real, imaginary))
        .ok_or_else(|| format!("illegal number syntax: {}", quote(text)))
}

/// The value of a character constant.
pub(super) fn of_character(character: char) -> Number {
    let code = u32::from(character);
    Number {
        integer: Some(i64::from(code)),
        unsigned: Some(u64::from(code)),
        float: Some(f64::from(code)),
        complex: None,
        character: true,
    }
}

fn complex(real: f64, imaginary: f64) -> Number {
    let plain = if imaginary == 0.0 { whole(real) } else { Number::default() };
    Number { complex: Some((real, imaginary)), ..plain }
}

/// A float, and the integers equal to it.
fn whole(value: f64) -> Number {
    let integer = (value.fract() == 0.0
        && (-9_223_372_036_854_775_808.0..9_223_372_036_854_775_808.0).contains(&value))
    .then_some(value as i64);
    let unsigned = (value.fract() == 0.0 && (0.0..18_446_744_073_709_551_616.0).contains(&value))
        .then_some(value as u64);
    Number { integer, unsigned, float: Some(value), ..Number::default() }
}

fn signed(text: &str) -> Option<i64> {
    let magnitude = i128::from(unsigned(text.strip_prefix(['+', '-']).unwrap_or(text))?);
    i64::try_from(if text.starts_with('-') { -magnitude } else { magnitude }).ok()
}

/// An unsigned integer: the prefix gives its base, and a leading zero alone means octal.
fn unsigned(text: &str) -> Option<u64> {
    if !underscores_separate_digits(text) {
        return None;
    }
    let lower = text.to_ascii_lowercase();
    let (digits, base) = match lower.as_bytes() {
        [b'0', b'x', ..] => (lower.get(2..)?, 16),
        [b'0', b'o', ..] => (lower.get(2..)?, 8),
        [b'0', b'b', ..] => (lower.get(2..)?, 2),
        [b'0', _, ..] => (lower.get(1..)?, 8),
        _ => (lower.as_str(), 10),
    };
    let digits = digits.replace('_', "");
    let plain = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_alphanumeric());
    plain.then(|| u64::from_str_radix(&digits, base).ok()).flatten()
}

/// A decimal or hexadecimal float; `None` if it's invalid or too large.
fn float(text: &str) -> Option<f64> {
    if !underscores_separate_digits(text.trim_start_matches(['+', '-'])) {
        return None;
    }
    let text = text.replace('_', "").to_ascii_lowercase();
    let (negative, magnitude) = match text.as_bytes().first()? {
        b'-' => (true, text.get(1..)?),
        b'+' => (false, text.get(1..)?),
        _ => (false, text.as_str()),
    };
    let value = match magnitude.strip_prefix("0x") {
        Some(hexadecimal) => hexadecimal_float(hexadecimal)?,
        None if magnitude
            .bytes()
            .all(|byte| byte.is_ascii_digit() || matches!(byte, b'.' | b'e' | b'+' | b'-')) =>
        {
            magnitude.parse().ok()?
        }
        None => return None,
    };
    value.is_finite().then_some(if negative { -value } else { value })
}

/// `1.8p-2` of `0x1.8p-2`: the exponent is required.
fn hexadecimal_float(text: &str) -> Option<f64> {
    let (mantissa, exponent) = text.split_once('p')?;
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    if whole.len() + fraction.len() == 0 || exponent.trim_start_matches(['+', '-']).is_empty() {
        return None;
    }
    let exponent: i64 = match exponent.parse::<i64>() {
        Ok(exponent) => exponent.clamp(-1_000_000, 1_000_000),
        Err(_) => return None,
    };
    // Sixty-four bits and a sticky bit for the rest, so that rounding is exact.
    let (mut bits, mut shift, mut rest) = (0_u128, 0_i64, false);
    for (index, digit) in whole.bytes().chain(fraction.bytes()).enumerate() {
        let digit = u128::from((digit as char).to_digit(16)?);
        let behind_point = i64::from(index >= whole.len()) * 4;
        if bits >> 64 == 0 {
            bits = bits << 4 | digit;
            shift -= behind_point;
        } else {
            rest |= digit != 0;
            shift += 4 - behind_point;
        }
    }
    if bits == 0 {
        return Some(0.0);
    }
    Some(scale(bits << 1 | u128::from(rest), exponent + shift - 1))
}

/// `bits × 2^exponent`, rounded once, to even.
fn scale(bits: u128, exponent: i64) -> f64 {
    let length = 128 - i64::from(bits.leading_zeros());
    // The exponent of the last bit kept: 53 of them, fewer near zero.
    let last = (exponent + length - 53).max(-1074);
    let drop = last - exponent;
    let kept = if drop <= 0 {
        bits << (-drop).min(64)
    } else if drop > 127 {
        0
    } else {
        let half = 1_u128 << (drop - 1);
        let (whole, below) = (bits >> drop, bits & ((half << 1) - 1));
        whole + u128::from(below > half || below == half && whole & 1 == 1)
    };
    let exponent = if drop <= 0 { exponent - (-drop).min(64) } else { last };
    // Two exact steps, because a power of two far below zero isn't a normal number.
    let half = (exponent / 2).clamp(-1000, 1000);
    kept as f64 * 2_f64.powi(half as i32) * 2_f64.powi((exponent - half).clamp(-1074, 2000) as i32)
}

/// An underscore must be between digits, or between the prefix of a base and a digit.
fn underscores_separate_digits(text: &str) -> bool {
    if !text.contains('_') {
        return true;
    }
    let bytes = text.as_bytes();
    let prefixed = matches!(bytes, [b'0', b'x' | b'X' | b'o' | b'O' | b'b' | b'B', ..]);
    let hexadecimal = matches!(bytes, [b'0', b'x' | b'X', ..]);
    let octal_or_prefixed = prefixed;
    let (mut digit, mut underscore) = (octal_or_prefixed, false);
    for byte in bytes.iter().skip(if prefixed { 2 } else { 0 }) {
        match byte {
            b'0'..=b'9' => (digit, underscore) = (true, false),
            b'a'..=b'f' | b'A'..=b'F' if hexadecimal => (digit, underscore) = (true, false),
            b'_' if digit => (digit, underscore) = (false, true),
            b'_' => return false,
            _ if underscore => return false,
            _ => digit = false,
        }
    }
    !underscore
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mdl_13_numbers_of_every_form_are_read() {
        let integers = [
            ("0", 0),
            ("15", 15),
            ("1_000", 1000),
            ("0x1F", 31),
            ("0b101", 5),
            ("0o17", 15),
            ("017", 15),
            ("-3", -3),
            ("+4", 4),
        ];
        for (text, value) in integers {
            assert_eq!(read(text).unwrap().integer, Some(value), "{text}");
        }
        let floats = [
            (".5", 0.5),
            ("1.", 1.0),
            ("1e3", 1000.0),
            ("1E-2", 0.01),
            ("0x1p-2", 0.25),
            ("0x1.8p1", 3.0),
            ("-0x.8p0", -0.5),
            ("1_0.2_5", 10.25),
            ("0x1p-1074", 5e-324),
            ("0x1.fffffffffffffp1023", f64::MAX),
            ("0x1.00000000000008p0", 1.0),
            ("0x1.00000000000018p0", 1.000_000_000_000_000_4),
            (
                "0x123456789abcdef01234567p-90",
                0x0123_4567_89ab_cdef_0123_4567_u128 as f64 / 2_f64.powi(90),
            ),
        ];
        for (text, value) in floats {
            assert_eq!(read(text).unwrap().float, Some(value), "{text}");
        }
        assert_eq!(read("1e3").unwrap().integer, Some(1000));
        assert_eq!(read("1.5").unwrap().integer, None);
        assert_eq!(
            read("18446744073709551615").unwrap(),
            Number { unsigned: Some(u64::MAX), float: Some(u64::MAX as f64), ..Number::default() }
        );
        assert_eq!(read("2i").unwrap().complex, Some((0.0, 2.0)));
        assert_eq!(read("0i").unwrap().integer, Some(0));
        assert_eq!(read_complex("1+2i").unwrap().complex, Some((1.0, 2.0)));
        assert_eq!(read_complex("-1e+2-.5i").unwrap().complex, Some((-100.0, -0.5)));
        assert_eq!(
            read_complex("0xe+0x1p+2i").map(|number| number.complex),
            Err("illegal number syntax: \"0xe+0x1p+2i\"".to_owned())
        );
    }

    #[test]
    fn invalid_numbers_are_refused() {
        for text in
            ["1__0", "_1", "1_", "0x", "-", "+", "1e", "0b", "0x1.8", "0x_", "1e400", "0_x1"]
        {
            assert!(read(text).unwrap_err().starts_with("illegal number syntax"), "{text}");
        }
        for text in ["08", "99999999999999999999", "-9223372036854775809"] {
            assert!(read(text).unwrap_err().starts_with("integer overflow"), "{text}");
        }
    }
}
