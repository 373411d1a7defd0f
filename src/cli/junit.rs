//! JUnit XML, as test reports of CI systems read it.

use std::fmt::Write;

use crate::text::is_unprintable;

/// Comes before the suites.
pub const BEGIN: &str =
    "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"agentmd\">\n";
/// Comes after the suites.
pub const END: &str = "</testsuites>\n";

/// One test case; without a failure, it passed.
#[derive(Debug, Default)]
pub struct Case {
    pub name: String,
    pub class: String,
    pub seconds: Option<f64>,
    pub failure: Option<Failure>,
}

#[derive(Debug)]
pub struct Failure {
    pub kind: String,
    pub message: String,
    pub text: String,
}

/// A `testsuite` element with its cases.
pub fn suite(name: &str, cases: &[Case]) -> String {
    let failures = cases.iter().filter(|case| case.failure.is_some()).count();
    let mut out = format!(
        "  <testsuite name=\"{}\" tests=\"{}\" failures=\"{failures}\" errors=\"0\">\n",
        escape(name),
        cases.len()
    );
    for case in cases {
        let (name, class) = (escape(&case.name), escape(&case.class));
        let _ = write!(out, "    <testcase name=\"{name}\" classname=\"{class}\"");
        if let Some(seconds) = case.seconds {
            let _ = write!(out, " time=\"{seconds:.3}\"");
        }
        match &case.failure {
            None => out.push_str("/>\n"),
            Some(failure) => {
                let _ = write!(
                    out,
                    ">\n      <failure type=\"{}\" message=\"{}\">{}</failure>\n    </testcase>\n",
                    escape(&failure.kind),
                    escape(&failure.message),
                    escape(&failure.text)
                );
            }
        }
    }
    out.push_str("  </testsuite>\n");
    out
}

/// XML 1.0 has no notation for most control characters: they become U+FFFD.
pub fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\n' => out.push_str("&#10;"),
            '\r' => out.push_str("&#13;"),
            '\t' => out.push_str("&#9;"),
            '\0'..='\u{1f}' | '\u{fffe}' | '\u{ffff}' => out.push(char::REPLACEMENT_CHARACTER),
            character if is_unprintable(character) => {
                let _ = write!(out, "&#x{:x};", u32::from(character));
            }
            character => out.push(character),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_character_is_valid_xml() {
        assert_eq!(
            escape("a<b>&\"\u{1}\n\u{1f986}\u{9b}\u{202e}"),
            "a&lt;b&gt;&amp;&quot;\u{fffd}&#10;\u{1f986}&#x9b;&#x202e;"
        );
        let failure = Failure { kind: "error".into(), message: "x".into(), text: "y".into() };
        let cases = [
            Case { name: "a".into(), class: "f".into(), seconds: Some(0.5), failure: None },
            Case { name: "b".into(), class: "f".into(), seconds: None, failure: Some(failure) },
        ];
        let text = suite("f", &cases);
        assert!(text.contains("tests=\"2\" failures=\"1\""), "{text}");
        assert!(text.contains("<testcase name=\"a\" classname=\"f\" time=\"0.500\"/>"), "{text}");
    }
}
