//! The agreement to accept before the first run, and the file that records it.

use std::fs;
use std::hash::{BuildHasher, Hasher, RandomState};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use serde_json::Value;

/// The possible phrases, verbatim.
pub const PHRASES: [&str; 16] = [
    "Trans rights are human rights",
    "Trans women are women",
    "Trans men are men",
    "I support transgender people",
    "Trans rights are human rights. I will not harm transgender people.",
    "Non-binary people are who they say they are",
    "I will not use this software to harm transgender people",
    "Transgender people deserve safety and respect",
    "Trans people belong everywhere, in software too",
    "I call people by their own names and pronouns",
    "Trans kids deserve to grow up loved and safe",
    "Everyone may say for themselves who they are",
    "I stand with transgender people and will do them no harm",
    "Transgender people deserve good health care",
    "The rights of trans people are not up for debate",
    "Trans lives matter, and I will not act against them",
];

/// The file in the user's home folder.
const FILE: &str = ".markdownlang-agreement.json";

/// Why the agreement isn't valid.
#[derive(Debug, thiserror::Error)]
pub enum Missing {
    #[error("the agreement has not been accepted yet")]
    NotYet,
    #[error("{} is not a valid agreement: {reason}", path.display())]
    Unreadable { path: PathBuf, reason: String },
}

/// The path of the file.
pub fn file(home: &Path) -> PathBuf {
    home.join(FILE)
}

/// Whether the agreement was accepted.
///
/// # Errors
/// If it wasn't, or if its file can't be read.
pub fn check(home: &Path) -> Result<(), Missing> {
    let path = file(home);
    let unreadable = |reason: String| Missing::Unreadable { path: path.clone(), reason };
    let text = match fs::read_to_string(&path) {
        Ok(text) => text,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Err(Missing::NotYet),
        Err(error) => return Err(unreadable(error.to_string())),
    };
    let value: Value = serde_json::from_str(text.trim_start_matches('\u{feff}'))
        .map_err(|_| unreadable("it is not JSON".to_owned()))?;
    // The format of the original.
    if value.get("agreed") == Some(&Value::Bool(true)) {
        return Ok(());
    }
    let index = value.get("phrase_index").and_then(Value::as_u64);
    let phrase =
        index.is_some_and(|index| usize::try_from(index).is_ok_and(|index| index < PHRASES.len()));
    let time = value.get("agreed_at").and_then(Value::as_str).is_some_and(is_time);
    match (time, phrase) {
        (true, true) => Ok(()),
        (false, _) => Err(unreadable("`agreed_at` is not a time".to_owned())),
        (true, false) => Err(unreadable(format!(
            "`phrase_index` is not a number from 0 to {}",
            PHRASES.len() - 1
        ))),
    }
}

/// A random phrase: its index.
pub fn draw() -> usize {
    let random = RandomState::new().build_hasher().finish();
    usize::try_from(random % PHRASES.len() as u64).unwrap_or_default()
}

/// Whether a typed line equals the phrase exactly, except for its line ending.
pub fn is_accepted(index: usize, typed: &str) -> bool {
    let typed = typed.strip_suffix('\n').unwrap_or(typed);
    let typed = typed.strip_suffix('\r').unwrap_or(typed);
    PHRASES.get(index) == Some(&typed)
}

/// Writes the file that records acceptance now. Only its owner can read it.
///
/// # Errors
/// If it can't be written.
pub fn accept(home: &Path, index: usize) -> std::io::Result<()> {
    let path = file(home);
    let temporary = home.join(format!("{FILE}.{}.tmp", std::process::id()));
    let mut options = fs::OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let text =
        serde_json::json!({ "agreed_at": rfc3339(SystemTime::now()), "phrase_index": index });
    // Left over by an earlier process with the same number.
    let _ = fs::remove_file(&temporary);
    let written = (|| {
        let mut file = options.open(&temporary)?;
        file.write_all(format!("{text:#}\n").as_bytes())?;
        file.sync_all()?;
        drop(file);
        fs::rename(&temporary, &path)
    })();
    if written.is_err() {
        // The failure was already reported.
        let _ = fs::remove_file(&temporary);
    }
    written
}

/// `2024-01-15T10:30:00Z`
pub fn rfc3339(time: SystemTime) -> String {
    let seconds = time.duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
    let (days, second) = (seconds / 86_400, seconds % 86_400);
    // Days since 0000-03-01, in eras of 400 years: February, whose length changes, comes last.
    let days = days + 719_468;
    let (era, day_of_era) = (days / 146_097, days % 146_097);
    let year_of_era =
        (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month_from_march = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month_from_march + 2) / 5 + 1;
    let month = if month_from_march < 10 { month_from_march + 3 } else { month_from_march - 9 };
    let year = year_of_era + era * 400 + u64::from(month <= 2);
    format!(
        "{year:04}-{month:02}-{day:02}T{:02}:{:02}:{:02}Z",
        second / 3_600,
        second / 60 % 60,
        second % 60
    )
}

/// Whether `text` looks like an RFC 3339 time.
fn is_time(text: &str) -> bool {
    let bytes = text.as_bytes();
    let separators = [(4, b'-'), (7, b'-'), (13, b':'), (16, b':')];
    bytes.len() >= 20
        && separators.iter().all(|(at, byte)| bytes.get(*at) == Some(byte))
        && matches!(bytes.get(10), Some(b'T' | b't' | b' '))
        && bytes.iter().take(4).all(u8::is_ascii_digit)
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn mdl_34_there_are_sixteen_phrases_with_the_four_of_the_specification() {
        let different: std::collections::HashSet<_> = PHRASES.iter().collect();
        assert_eq!(different.len(), 16);
        for phrase in [
            "Trans rights are human rights",
            "Trans women are women",
            "Trans men are men",
            "I support transgender people",
        ] {
            assert!(PHRASES.contains(&phrase));
        }
        let drawn: std::collections::HashSet<_> = (0..2_000).map(|_| draw()).collect();
        assert_eq!(drawn.len(), 16);
    }

    #[test]
    fn mdl_34_a_phrase_must_match_exactly() {
        for (typed, expected) in [
            ("Trans women are women", true),
            ("Trans women are women\n", true),
            ("Trans women are women\r\n", true),
            ("Trans women are women \n", false),
            (" Trans women are women\n", false),
            ("trans women are women\n", false),
            ("Trans women are women\n\n", false),
            ("Trans men are men\n", false),
            ("", false),
        ] {
            assert_eq!(is_accepted(1, typed), expected, "{typed:?}");
        }
        assert!(!is_accepted(16, ""));
    }

    #[test]
    fn mdl_34_times_are_written_as_rfc_3339() {
        for (seconds, expected) in [
            (0, "1970-01-01T00:00:00Z"),
            (951_782_399, "2000-02-28T23:59:59Z"),
            (951_782_400, "2000-02-29T00:00:00Z"),
            (951_868_800, "2000-03-01T00:00:00Z"),
            (1_705_314_600, "2024-01-15T10:30:00Z"),
            (1_735_689_599, "2024-12-31T23:59:59Z"),
            (4_107_542_400, "2100-03-01T00:00:00Z"),
        ] {
            let text = rfc3339(UNIX_EPOCH + Duration::from_secs(seconds));
            assert_eq!(text, expected);
            assert!(is_time(&text));
        }
    }

    #[test]
    fn mdl_34_valid_and_invalid_files() {
        let home = tempfile::tempdir().unwrap();
        let check_with = |text: &str| {
            fs::write(file(home.path()), text).unwrap();
            check(home.path()).is_ok()
        };
        assert!(check_with(r#"{"agreed_at": "2024-01-15T10:30:00Z", "phrase_index": 15}"#));
        assert!(check_with(
            r#"{"agreed_at": "2024-01-15T10:30:00.123+02:00", "phrase_index": 0, "more": 1}"#
        ));
        assert!(check_with(r#"{"agreed":true,"timestamp":"whenever"}"#));
        for wrong in [
            "",
            "{}",
            "true",
            "{\"agreed\":false}",
            r#"{"agreed_at":"2024-01-15T10:30:00Z","phrase_index":16}"#,
            r#"{"phrase_index":1}"#,
        ] {
            assert!(!check_with(wrong), "{wrong}");
        }
    }
}
