//! Cases in a file, one JSON object per line: files, a reply, and the expected files.
//!
//! `AGENTMD_CASES=word` prints the program's messages for the cases whose `id` contains the word.

use std::collections::BTreeMap;

use serde::Deserialize;

use crate::tally::{Tally, report};
use crate::workspace::{Answer, Files, Workspace, same};

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    id: String,
    files: BTreeMap<String, String>,
    reply: String,
    expect: Expect,
    why: String,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Expect {
    /// The changed files; null for those that are deleted.
    After(BTreeMap<String, Option<String>>),
    Refused(String),
    Ignored(bool),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Verdict {
    Expected,
    /// Nothing was written, although the reply should be applied.
    NotApplied,
    /// Nothing was written, but exit status 0 hides that something should have been refused.
    NotReported,
    /// Something was refused, although the reply contains no edit.
    Reported,
    Wrong,
}

fn label(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Expected => "as expected",
        Verdict::NotApplied => "refused but should apply",
        Verdict::NotReported => "not written but exit status 0",
        Verdict::Reported => "refused but should be ignored",
        Verdict::Wrong => "WRITTEN WRONG",
    }
}

fn bytes(files: &BTreeMap<String, String>) -> Files {
    files.iter().map(|(path, text)| (path.clone(), text.clone().into_bytes())).collect()
}

fn judge(case: &Case, shown: Option<&str>) -> Verdict {
    let before = bytes(&case.files);
    let workspace = Workspace::new(&before);
    let Answer { status, messages } = workspace.apply(case.reply.as_bytes());
    let have = workspace.files();
    if shown.is_some_and(|word| case.id.contains(word)) {
        report(&format!("{}: exit status {status}\n{messages}\n", case.id));
    }
    let untouched = have == before;
    match &case.expect {
        Expect::After(changes) => {
            let mut want = before.clone();
            for (path, text) in changes {
                match text {
                    Some(text) => drop(want.insert(path.clone(), text.clone().into_bytes())),
                    None => drop(want.remove(path)),
                }
            }
            if untouched {
                Verdict::NotApplied
            } else if same(&before, &have, &want) && status == 0 {
                Verdict::Expected
            } else {
                Verdict::Wrong
            }
        }
        _ if !untouched => Verdict::Wrong,
        Expect::Refused(_) if status == 0 => Verdict::NotReported,
        Expect::Refused(_) => Verdict::Expected,
        Expect::Ignored(ignored) => {
            assert!(ignored, "{}: `ignored` must be true", case.id);
            if status == 1 { Verdict::Reported } else { Verdict::Expected }
        }
    }
}

impl Case {
    fn reason(&self) -> String {
        match &self.expect {
            Expect::Refused(reason) => format!("{}: {}: {reason}", self.id, self.why),
            Expect::After(_) | Expect::Ignored(_) => format!("{}: {}", self.id, self.why),
        }
    }
}

/// At least `least` percent of the cases must be as expected, and none may be written wrong.
#[track_caller]
pub fn check(title: &str, text: &str, least: usize) {
    let shown = std::env::var("AGENTMD_CASES").ok().filter(|word| !word.is_empty());
    let mut tally = Tally::new(title);
    let mut wrong = Vec::new();
    for line in text.lines() {
        let case: Case =
            serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line}"));
        let (section, name) = case.id.split_once('/').unwrap_or(("", &case.id));
        let verdict = judge(&case, shown.as_deref());
        tally.add(section, verdict, name);
        if verdict == Verdict::Wrong {
            wrong.push(case.reason());
        }
    }
    tally.report(Verdict::Expected, label);
    assert!(wrong.is_empty(), "written wrong: {wrong:#?}");
    let expected = tally.count(Verdict::Expected);
    assert!(expected * 100 >= tally.all() * least, "{expected} of {} as expected", tally.all());
}
