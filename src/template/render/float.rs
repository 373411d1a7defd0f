//! Formats floats like Go's `strconv.FormatFloat`.

use std::fmt::Write;

/// Rust's limit for digits at once; no float has more non-zero digits.
const MOST_DIGITS: usize = 1100;

/// `verb` is one of `e`, `E`, `f`, `g`, `G`, `b`, `x`, `X`; without a precision, uses the fewest
/// digits that round-trip.
pub fn format(value: f64, verb: char, precision: Option<usize>) -> String {
    if value.is_nan() {
        return "NaN".to_owned();
    }
    if value.is_infinite() {
        return if value > 0.0 { "+Inf" } else { "-Inf" }.to_owned();
    }
    let mut out = String::new();
    if value.is_sign_negative() {
        out.push('-');
    }
    let value = value.abs();
    match verb {
        'b' => binary(&mut out, value),
        'x' | 'X' => hexadecimal(&mut out, value, verb, precision),
        'f' => fixed(&mut out, &Digits::new(value, None), value, precision),
        'e' | 'E' => {
            let digits = Digits::new(value, precision.map(|precision| precision + 1));
            let precision = precision.unwrap_or(digits.count().saturating_sub(1));
            exponent(&mut out, &digits, precision, verb);
        }
        _ => general(&mut out, value, verb, precision),
    }
    out
}

/// Digits without trailing zeros, of `0.digits × 10^point`.
struct Digits {
    digits: Vec<u8>,
    point: i32,
}

impl Digits {
    fn new(value: f64, count: Option<usize>) -> Self {
        let written = match count {
            Some(count) => format!("{value:.*e}", count.clamp(1, MOST_DIGITS) - 1),
            None => shortest(value),
        };
        let (mantissa, exponent) = written.split_once('e').unwrap_or((&written, "0"));
        let mut digits: Vec<u8> = mantissa.bytes().filter(u8::is_ascii_digit).collect();
        while digits.last() == Some(&b'0') {
            digits.pop();
        }
        let point = if digits.is_empty() { 0 } else { exponent.parse::<i32>().unwrap_or(0) + 1 };
        Self { digits, point }
    }

    fn count(&self) -> usize {
        self.digits.len()
    }

    fn at(&self, index: i64) -> char {
        usize::try_from(index)
            .ok()
            .and_then(|index| self.digits.get(index))
            .map_or('0', |digit| char::from(*digit))
    }
}

/// The fewest digits that round-trip. Of two equally near ones, the even one.
fn shortest(value: f64) -> String {
    let written = format!("{value:e}");
    let digits =
        written.bytes().take_while(|byte| *byte != b'e').filter(u8::is_ascii_digit).count();
    let rounded = format!("{value:.*e}", digits.max(1) - 1);
    if rounded.parse() == Ok(value) { rounded } else { written }
}

fn exponent(out: &mut String, digits: &Digits, precision: usize, verb: char) {
    out.push(digits.at(0));
    if precision > 0 {
        out.push('.');
        out.extend((1..=length(precision)).map(|index| digits.at(index)));
    }
    out.push(verb);
    let exponent = if digits.count() == 0 { 0 } else { digits.point - 1 };
    push_exponent(out, exponent);
}

fn push_exponent(out: &mut String, exponent: i32) {
    let sign = if exponent < 0 { '-' } else { '+' };
    let _ = write!(out, "{sign}{:02}", exponent.abs());
}

fn fixed(out: &mut String, digits: &Digits, value: f64, precision: Option<usize>) {
    let Some(precision) = precision else {
        let precision = i64::try_from(digits.count()).unwrap_or(0) - i64::from(digits.point);
        return plain(out, digits, usize::try_from(precision).unwrap_or(0));
    };
    let written = format!("{value:.*}", precision.min(MOST_DIGITS));
    out.push_str(&written);
    out.extend(std::iter::repeat_n('0', precision.saturating_sub(MOST_DIGITS)));
}

/// Digits with a point and this many digits after it.
fn plain(out: &mut String, digits: &Digits, precision: usize) {
    let point = i64::from(digits.point);
    if point > 0 {
        out.extend((0..point).map(|index| digits.at(index)));
    } else {
        out.push('0');
    }
    if precision > 0 {
        out.push('.');
        out.extend((0..length(precision)).map(|index| digits.at(point + index)));
    }
}

fn general(out: &mut String, value: f64, verb: char, precision: Option<usize>) {
    let digits = Digits::new(value, precision.map(|precision| precision.max(1)));
    let (count, point) = (length(digits.count()), i64::from(digits.point));
    let places = precision.map_or(count, |precision| length(precision.max(1)));
    let threshold = match precision {
        None => 6,
        Some(_) if places > count && count >= point => count,
        Some(_) => places,
    };
    if (-4..threshold).contains(&(point - 1)) {
        let places = if places > point { count } else { places };
        plain(out, &digits, usize::try_from(places - point).unwrap_or(0));
    } else {
        let places = usize::try_from(places.min(count) - 1).unwrap_or(0);
        exponent(out, &digits, places, if verb == 'G' { 'E' } else { 'e' });
    }
}

fn length(count: usize) -> i64 {
    i64::try_from(count).unwrap_or(i64::MAX)
}

const MANTISSA_BITS: u32 = 52;

/// The mantissa as an integer and its binary exponent.
fn parts(value: f64) -> (u64, i32) {
    let bits = value.to_bits();
    let mantissa = bits & ((1 << MANTISSA_BITS) - 1);
    match i32::try_from(bits >> MANTISSA_BITS & 0x7ff).unwrap_or(0) {
        0 => (mantissa, -1022),
        exponent => (mantissa | 1 << MANTISSA_BITS, exponent - 1023),
    }
}

fn binary(out: &mut String, value: f64) {
    let (mantissa, exponent) = parts(value);
    let exponent = exponent - 52;
    let sign = if exponent < 0 { '-' } else { '+' };
    let _ = write!(out, "{mantissa}p{sign}{}", exponent.abs());
}

fn hexadecimal(out: &mut String, value: f64, verb: char, precision: Option<usize>) {
    /// The leading digit is one bit, the 15 after it are four bits each.
    const TOP: u32 = 60;
    let (mantissa, mut exponent) = parts(value);
    let mut mantissa = mantissa << (TOP - MANTISSA_BITS);
    if mantissa == 0 {
        exponent = 0;
    }
    while mantissa != 0 && mantissa & (1 << TOP) == 0 {
        mantissa <<= 1;
        exponent -= 1;
    }
    if let Some(places @ 0..15) = precision {
        let kept = TOP - 4 * places as u32;
        let (rest, half) = (mantissa & ((1 << kept) - 1), 1 << (kept - 1));
        mantissa >>= kept;
        if rest > half || (rest == half && mantissa & 1 == 1) {
            mantissa += 1;
        }
        mantissa <<= kept;
        if mantissa & (1 << (TOP + 1)) != 0 {
            mantissa >>= 1;
            exponent += 1;
        }
    }
    let upper = verb == 'X';
    let leading = mantissa >> TOP & 1;
    let digits = format!("{:015x}", mantissa & ((1 << TOP) - 1));
    let shown = match precision {
        None => digits.trim_end_matches('0').to_owned(),
        Some(places) => digits.chars().chain(std::iter::repeat('0')).take(places).collect(),
    };
    let point = if shown.is_empty() { "" } else { "." };
    let mut written = format!("0x{leading}{point}{shown}p");
    push_exponent(&mut written, exponent);
    out.push_str(&if upper { written.to_ascii_uppercase() } else { written });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn floats_are_written_as_in_go() {
        let cases: &[(f64, char, Option<usize>, &str)] = &[
            (15.0, 'g', None, "15"),
            (0.1, 'g', None, "0.1"),
            (1e6, 'g', None, "1e+06"),
            (999_999.0, 'g', None, "999999"),
            (2.099_999_9e7, 'g', None, "2.0999999e+07"),
            (1e21, 'g', None, "1e+21"),
            (1e-7, 'g', None, "1e-07"),
            (0.0001, 'g', None, "0.0001"),
            (0.00001, 'g', None, "1e-05"),
            (-0.0, 'g', None, "-0"),
            (0.0, 'e', Some(2), "0.00e+00"),
            (1234.5678, 'g', Some(3), "1.23e+03"),
            (1234.5678, 'g', Some(6), "1234.57"),
            (100_000.0, 'g', Some(3), "1e+05"),
            (100.0, 'G', Some(0), "1E+02"),
            (2.5, 'f', Some(0), "2"),
            (3.5, 'f', Some(0), "4"),
            (1.005, 'f', Some(2), "1.00"),
            (1e22, 'f', Some(1), "10000000000000000000000.0"),
            (5e-324, 'e', None, "5e-324"),
            (1.0, 'b', None, "4503599627370496p-52"),
            (1.0, 'x', None, "0x1p+00"),
            (255.0, 'x', None, "0x1.fep+07"),
            (255.0, 'X', Some(1), "0X1.0P+08"),
            (0.0, 'x', Some(2), "0x0.00p+00"),
            (f64::INFINITY, 'g', None, "+Inf"),
            (602_810_397_652_096.2, 'g', None, "6.028103976520962e+14"),
        ];
        for (value, verb, precision, expected) in cases {
            assert_eq!(
                format(*value, *verb, *precision),
                *expected,
                "{value} {verb} {precision:?}"
            );
        }
        let long = format(0.1, 'f', Some(100_000));
        assert!(long.starts_with("0.1000000000000000055511151231257827") && long.len() == 100_002);
        assert_eq!(format(0.1, 'e', Some(5000)).len(), 5006);
    }
}
