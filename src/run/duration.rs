//! Durations as Go prints them: `1.2s`, `350ms`, `2m0.5s`.

use std::time::Duration;

/// A duration as Go prints it, to the millisecond; below one, to the microsecond.
pub fn format(duration: Duration) -> String {
    let nanos = duration.as_nanos();
    if nanos < 1_000_000 {
        let micros = (nanos + 500) / 1_000;
        return if micros == 0 { "0s".to_owned() } else { format!("{micros}µs") };
    }
    let millis = (nanos + 500_000) / 1_000_000;
    if millis < 1_000 {
        return format!("{millis}ms");
    }
    let (hours, minutes, millis) = (millis / 3_600_000, millis / 60_000 % 60, millis % 60_000);
    let mut seconds = (millis / 1_000).to_string();
    let fraction = format!("{:03}", millis % 1_000);
    let fraction = fraction.trim_end_matches('0');
    if !fraction.is_empty() {
        seconds = format!("{seconds}.{fraction}");
    }
    match (hours, minutes) {
        (0, 0) => format!("{seconds}s"),
        (0, _) => format!("{minutes}m{seconds}s"),
        _ => format!("{hours}h{minutes}m{seconds}s"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mdl_33_durations_are_printed_as_in_go() {
        for (micros, expected) in [
            (0, "0s"),
            (7, "7µs"),
            (999, "999µs"),
            (1_000, "1ms"),
            (350_000, "350ms"),
            (999_400, "999ms"),
            (999_500, "1s"),
            (1_040_000, "1.04s"),
            (1_200_000, "1.2s"),
            (12_500_000, "12.5s"),
            (60_000_000, "1m0s"),
            (59_999_900, "1m0s"),
            (90_005_000, "1m30.005s"),
            (3_600_000_000, "1h0m0s"),
            (90_061_100_000, "25h1m1.1s"),
        ] {
            assert_eq!(format(Duration::from_micros(micros)), expected);
        }
    }
}
