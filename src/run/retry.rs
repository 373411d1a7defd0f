//! When to retry a request, and after how long.

use std::hash::{BuildHasher, Hasher, RandomState};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// The limit of retries.
pub const MOST_RETRIES: u32 = 10;
const FIRST: Duration = Duration::from_millis(500);
const LONGEST: Duration = Duration::from_secs(30);

/// Whether an HTTP status indicates a temporary problem.
pub fn is_transient(status: u16) -> bool {
    matches!(status, 408 | 409 | 425 | 429 | 500..=599) && status != 501 && status != 505
}

/// The wait before the retry with this number, from 0: exponential, with jitter.
pub fn back_off(retry: u32) -> Duration {
    let whole = FIRST.saturating_mul(2_u32.saturating_pow(retry.min(16))).min(LONGEST);
    // Between three quarters and all of it, so that many failed clients don't retry at once.
    let random = RandomState::new().build_hasher().finish() % 256;
    whole * 3 / 4 + whole / 4 * u32::try_from(random).unwrap_or_default() / 255
}

/// The wait requested by `Retry-After`: seconds, or a date.
pub fn retry_after(value: &str, now: SystemTime) -> Option<Duration> {
    let value = value.trim();
    if let Ok(seconds) = value.parse::<f64>() {
        return (seconds >= 0.0).then(|| Duration::try_from_secs_f64(seconds).ok()).flatten();
    }
    Some(http_date(value)?.duration_since(now).unwrap_or_default())
}

/// `Sun, 06 Nov 1994 08:49:37 GMT`
fn http_date(text: &str) -> Option<SystemTime> {
    const MONTHS: [&str; 12] =
        ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
    let mut words = text.split_once(',')?.1.split_whitespace();
    let day: u64 = words.next()?.parse().ok().filter(|day| (1..=31).contains(day))?;
    let name = words.next()?;
    let month = u64::try_from(MONTHS.iter().position(|month| *month == name)?).ok()? + 1;
    let year: u64 = words.next()?.parse().ok().filter(|year| (1970..10_000).contains(year))?;
    let mut clock =
        words.next()?.split(':').map(|part| part.parse::<u64>().ok().filter(|part| *part <= 60));
    let (hour, minute, second) = (clock.next()??, clock.next()??, clock.next()??);
    let (year, month) = if month <= 2 { (year - 1, month + 9) } else { (year, month - 3) };
    let days = 365 * year + year / 4 - year / 100 + year / 400 + (153 * month + 2) / 5 + day - 1;
    let seconds = days.checked_sub(719_468)? * 86_400 + hour * 3_600 + minute * 60 + second;
    UNIX_EPOCH.checked_add(Duration::from_secs(seconds))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mdl_31_statuses_to_retry() {
        let again: Vec<u16> = (100..600)
            .filter(|status| is_transient(*status))
            .filter(|status| *status < 500 || *status > 504)
            .collect();
        assert_eq!(
            again.iter().filter(|status| **status < 500).copied().collect::<Vec<_>>(),
            [408, 409, 425, 429]
        );
        assert!(
            [500, 502, 503, 504, 529].into_iter().all(is_transient)
                && ![501, 505, 400, 401, 404].into_iter().any(is_transient)
        );
    }

    #[test]
    fn mdl_31_waits_grow_up_to_a_limit() {
        for retry in 0..MOST_RETRIES {
            let whole = FIRST.saturating_mul(1 << retry).min(LONGEST);
            for _ in 0..50 {
                let wait = back_off(retry);
                assert!(wait >= whole * 3 / 4 && wait <= whole, "{retry}: {wait:?}");
            }
        }
        assert!(back_off(u32::MAX) <= LONGEST);
    }

    #[test]
    fn mdl_31_retry_after_is_seconds_or_a_date() {
        let now = UNIX_EPOCH + Duration::from_secs(784_111_770);
        for (value, expected) in [
            ("0", Some(0)),
            (" 7 ", Some(7)),
            ("-1", None),
            ("soon", None),
            ("1e400", None),
            ("Sun, 06 Nov 1994 08:49:37 GMT", Some(7)),
            ("Sun, 06 Nov 1994 08:49:07 GMT", Some(0)),
            ("Sun, 06 Foo 1994 08:49:37 GMT", None),
            ("Sun, 06 Nov", None),
        ] {
            assert_eq!(retry_after(value, now), expected.map(Duration::from_secs), "{value}");
        }
        assert_eq!(
            http_date("Thu, 29 Feb 2024 00:00:00 GMT"),
            Some(UNIX_EPOCH + Duration::from_secs(1_709_164_800))
        );
    }
}
