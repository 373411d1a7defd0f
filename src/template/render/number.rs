//! Numbers: those of the input, where integers stay integers, and constants.

use std::cmp::Ordering;

#[derive(Debug, Clone, Copy)]
pub enum Number {
    /// A number of the input without fraction and exponent.
    Integer(i128),
    /// Any other number of the input, or a constant with a fraction or an exponent.
    Float(f64),
    /// An integer constant, a length or a position: Go's `int`.
    Constant(i64),
    /// A byte of a string: Go's `uint8`.
    Byte(u8),
}

impl Number {
    pub fn of(number: &serde_json::Number) -> Self {
        if let Some(value) = number.as_i64() {
            Self::Integer(value.into())
        } else if let Some(value) = number.as_u64() {
            Self::Integer(value.into())
        } else {
            Self::Float(number.as_f64().unwrap_or(0.0))
        }
    }

    /// As an integer, if written as one.
    pub fn integer(self) -> Option<i128> {
        match self {
            Self::Integer(value) => Some(value),
            Self::Constant(value) => Some(value.into()),
            Self::Byte(value) => Some(value.into()),
            Self::Float(_) => None,
        }
    }

    /// As an integer, if it is one: `2.0` is.
    pub fn whole(self) -> Option<i128> {
        match self {
            Self::Float(value) => {
                (value.fract() == 0.0 && value.abs() < 1e30).then_some(value as i128)
            }
            _ => self.integer(),
        }
    }

    pub fn float(self) -> f64 {
        match self {
            Self::Float(value) => value,
            Self::Integer(value) => value as f64,
            Self::Constant(value) => value as f64,
            Self::Byte(value) => value.into(),
        }
    }

    pub fn is_zero(self) -> bool {
        match self {
            Self::Float(value) => value == 0.0,
            _ => self.integer() == Some(0),
        }
    }

    pub fn go_type(self) -> &'static str {
        match self {
            Self::Integer(_) | Self::Float(_) => "float64",
            Self::Constant(_) => "int",
            Self::Byte(_) => "uint8",
        }
    }

    /// Compares exactly, across types; `None` if one is NaN.
    pub fn compare(self, other: Self) -> Option<Ordering> {
        match (self.integer(), other.integer()) {
            (Some(a), Some(b)) => Some(a.cmp(&b)),
            (Some(a), None) => compare_exactly(a, other.float()),
            (None, Some(b)) => compare_exactly(b, self.float()).map(Ordering::reverse),
            (None, None) => self.float().partial_cmp(&other.float()),
        }
    }
}

/// Compares an integer with a float that may have a fraction, or more digits.
fn compare_exactly(integer: i128, float: f64) -> Option<Ordering> {
    let floor = Number::Float(float.floor());
    match floor.whole() {
        Some(below) => Some(integer.cmp(&below).then(if float.fract() == 0.0 {
            Ordering::Equal
        } else {
            Ordering::Less
        })),
        None if float.is_nan() => None,
        None => Some(if float > 0.0 { Ordering::Less } else { Ordering::Greater }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mdl_15_d_numbers_compare_by_value() {
        let cases = [
            (Number::Integer(1), Number::Constant(1), Ordering::Equal),
            (Number::Integer(1), Number::Float(1.0), Ordering::Equal),
            (Number::Integer(1), Number::Float(1.5), Ordering::Less),
            (Number::Integer(-1), Number::Float(-1.5), Ordering::Greater),
            (Number::Integer(2), Number::Float(1.5), Ordering::Greater),
            (
                Number::Integer(9_007_199_254_740_993),
                Number::Float(9_007_199_254_740_992.0),
                Ordering::Greater,
            ),
            (Number::Integer(u64::MAX.into()), Number::Float(1e300), Ordering::Less),
            (Number::Integer(i64::MIN.into()), Number::Float(-1e300), Ordering::Greater),
            (Number::Float(0.5), Number::Float(0.25), Ordering::Greater),
            (Number::Byte(104), Number::Integer(104), Ordering::Equal),
        ];
        for (a, b, order) in cases {
            assert_eq!(a.compare(b), Some(order), "{a:?} {b:?}");
            assert_eq!(b.compare(a), Some(order.reverse()), "{b:?} {a:?}");
        }
        assert_eq!(Number::Integer(1).compare(Number::Float(f64::NAN)), None);
    }
}
