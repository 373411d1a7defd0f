use crate::declare_rule;
use crate::format::agent::file::File;
use crate::format::agent::subject::Subject;
use crate::format::agent::weight::{Claim, of_outcome};
use crate::rule::Report;
use std::cell::LazyCell;
use std::collections::HashSet;

use crate::client::{self, Kind, Outcome, Reading};
use crate::format::agent::commented;
use crate::format::agent::problem::{Cause, Problem};
use crate::format::agent::reading::{self, Front, Read};
use crate::format::agent::tags;
use crate::format::front_matter::broken::{self, Broken};
use crate::format::front_matter::{self, unclosed};
use crate::markdown::front::Delimiters;
use crate::rule::{Fix, Severity};
use crate::source::FrontMatter;
use crate::text::{self, Edit, Span};
use crate::yaml;

declare_rule! {
    /// Clients read front matter as YAML, each with its own parser. One of them repairs a mistake,
    /// another one skips the file, and hardly any of them reports it. The message names the clients
    /// that are judged and what each of them does.
    ///
    /// By far the most common cause is a value that contains a colon followed by a space. Next come
    /// prose that goes on below its key without being indented, and lists with text after them.
    /// Quote a value; make prose a block (`description: |-`, each line indented).
    ///
    /// Some mistakes are YAML. A sentence such as `Use when: …` that isn't indented below a description becomes a
    /// key, a value that begins with `!` becomes a tag without text, and `description = …` isn't a key at all. From a word
    /// such as `#1` on, the rest of a description is a comment.
    ///
    /// A fix is safe if the result is YAML, every key is still there, and every judged client reads
    /// it.
    ///
    /// ````markdown bad path=.claude/skills/brew-tea/SKILL.md clients=codex,claude-code,cline
    /// ---
    /// name: brew-tea
    /// description: Brews tea. Triggers on: kettle, pot
    /// ---
    ///
    /// Brew it.
    /// ````
    ///
    /// ````markdown good path=.claude/skills/brew-tea/SKILL.md clients=codex,claude-code,cline
    /// ---
    /// name: brew-tea
    /// description: "Brews tea. Triggers on: kettle, pot"
    /// ---
    ///
    /// Brew it.
    /// ````
    pub static RULE = "agent/front-matter", Warning, "Front matter is not YAML";
}

pub fn check(subject: &Subject, report: &mut Report) {
    let Some(front) = subject.front.as_ref() else { return };
    if front.delimiters == Delimiters::Unclosed {
        return unclosed(subject, report);
    }
    let group: Vec<_> =
        subject.problems.iter().filter(|problem| problem.cause == Cause::Unreadable).collect();
    let parsed = subject
        .file
        .judged
        .iter()
        .map(|role| role.reads.reading)
        .any(|reading| reading != Reading::None && !reading.is_by_line());
    if front.tree.errors.is_empty() {
        let (spaced, group): (Vec<_>, Vec<_>) =
            group.into_iter().partition(|problem| problem.span.start >= front.yaml_span.end);
        spaces(subject, &spaced, report);
        if !parsed || !misread(subject, &group, report) && !tagged(subject, &group, report) {
            duplicates(subject, &with_missing(subject, &group), report);
        }
        if parsed {
            cut(subject, report);
        }
        return;
    }
    if !parsed {
        if subject.file.judged.is_empty() {
            as_markdown(subject, report);
        }
        return;
    }
    let worst = group.iter().map(|problem| problem.effect.outcome).max().unwrap_or(Outcome::Loaded);
    let strict = if worst == Outcome::Loaded && subject.file.kind == Kind::Skill {
        strict(subject, front)
    } else {
        None
    };
    let told: Vec<&Problem> = if subject.file.guess {
        Vec::new()
    } else {
        group.iter().copied().chain(&strict).collect()
    };
    // Broken YAML is certain, even if the kind of file is a guess. If every judged client can read
    // it, it's a hint, except in a skill, which other clients should be able to read.
    let shared = subject.file.kind == Kind::Skill && !group.is_empty();
    let is_read = worst == Outcome::Loaded && !shared && !subject.file.guess;
    let severity = if subject.file.form || is_read {
        Severity::Hint
    } else if subject.file.guess {
        Severity::Warning
    } else {
        subject.weigh(Claim::Text, of_outcome(worst.max(Outcome::Partly)))
    };
    let known = subject.file.known_keys();
    let known = |word: &str| known.contains(word);
    let end = unclosed::mistyped_dashes(&subject.yaml, front.yaml_span.start, true, &known);
    if let Some(mut end) = end {
        let above = end.span.start - front.yaml_span.start;
        let above = subject.yaml.get(..above).unwrap_or_default();
        end.fix.safe &= is_read_repaired(subject, above, &known);
        let finding = subject.report(&RULE, &told, end.span, &end.message, report);
        finding.severity = severity;
        finding.fix(end.fix);
        return;
    }
    let broken = broken::broken(&subject.yaml, &front.tree.errors, &known);
    add(subject, broken, &told, severity, report);
}

/// Reports broken values. The first finding describes what clients do.
fn add(
    subject: &Subject,
    mut broken: Vec<Broken>,
    told: &[&Problem],
    severity: Severity,
    report: &mut Report,
) {
    let start = subject.front.as_ref().map_or(0, |front| front.yaml_span.start);
    if !every_client_reads(subject, &broken::safe_edits(&broken)) {
        broken
            .iter_mut()
            .flat_map(|broken| &mut broken.repairs)
            .for_each(|repair| repair.safe = false);
    }
    for (index, broken) in broken.into_iter().enumerate() {
        let told: &[&Problem] = if index == 0 { told } else { &[] };
        let finding =
            subject.report(&RULE, told, subject.place(&broken.span), &broken.message, report);
        finding.severity = severity;
        front_matter::offer(finding, broken.repairs, start);
    }
}

/// Reports broken YAML as in any Markdown file: no judged client reads this file, but others read
/// it as YAML.
fn as_markdown(subject: &Subject, report: &mut Report) {
    // If the place belongs to one client, others that read it don't count.
    let owned = subject.file.readers.iter().any(|role| role.own);
    let readers = subject.file.readers.iter().filter(|role| role.own == owned);
    let file = File { judged: readers.copied().collect(), ..subject.file.clone() };
    let place = subject.cx.place().map(client::misplaced).unwrap_or_default();
    let reads = file.judged.iter().map(|role| role.reads).chain(place.iter().map(|place| place.1));
    let readings: Vec<Reading> = reads.map(|reads| reads.reading).collect();
    let is_yaml = readings.iter().any(|reading| *reading != Reading::None);
    if !is_yaml || readings.iter().any(|reading| reading.is_by_line()) {
        return;
    }
    let is_skill = file.kind == Kind::Skill;
    let read = Subject::of_keys(subject.cx, file);
    let mut unread = read.problems.iter().filter(|problem| problem.cause == Cause::Unreadable);
    let is_read =
        place.is_empty() && unread.all(|problem| problem.effect.outcome == Outcome::Loaded);
    let mut found = Report::default();
    front_matter::rules::front_matter::check(subject.cx, &mut found);
    report.diagnostics.extend(found.diagnostics.into_iter().map(|mut finding| {
        if subject.file.form || is_read && !is_skill {
            finding.severity = Severity::Hint;
        }
        finding
    }));
}

/// Reports spaces after the closing `---`.
fn spaces(subject: &Subject, group: &[&Problem], report: &mut Report) {
    let Some(first) = group.first() else { return };
    let span = first.span.start + 3..first.span.end;
    let words = "spaces after the closing `---`";
    let finding = subject.report(&RULE, group, span.clone(), words, report);
    finding.fix(Fix::safe("Remove the spaces", vec![Edit::delete(span)]));
}

/// Reports keys that YAML reads as text, and sentences that it reads as keys; returns whether there
/// were any.
fn misread(subject: &Subject, group: &[&Problem], report: &mut Report) -> bool {
    let Some(front) = subject.front.as_ref() else { return false };
    let known = LazyCell::new(|| subject.file.known_keys());
    let broken = broken::misread(&subject.yaml, front.tree, &|word| known.contains(word));
    if broken.is_empty() {
        return false;
    }
    let told = with_missing(subject, group);
    let severity = severity(subject, &told);
    add(subject, broken, &told, severity, report);
    true
}

/// Reports values that begin with `!`, which is a tag in YAML; returns whether there were any.
fn tagged(subject: &Subject, group: &[&Problem], report: &mut Report) -> bool {
    let Some(front) = subject.front.as_ref() else { return false };
    let nodes = tags::find(front.tree);
    let texts = nodes.iter().filter(|node| node.as_str().is_some());
    let quotes = texts.filter_map(|node| tags::quoted(&subject.yaml, node));
    let quotes: Vec<Edit> = quotes.collect();
    let safe = quotes.len() == nodes.len() && every_client_reads(subject, &quotes);
    let told = with_missing(subject, group);
    let severity = severity(subject, &told);
    for (index, node) in nodes.iter().enumerate() {
        let Some((tag, span)) = &node.tag else { continue };
        let told: &[&Problem] = if index == 0 { &told } else { &[] };
        let words = format!("`{tag}` is a tag to YAML, not text; quote the value");
        let finding = subject.report(&RULE, told, subject.place(span), &words, report);
        finding.severity = severity;
        if let Some(edit) = tags::quoted(&subject.yaml, node) {
            let edits = front_matter::shifted(vec![edit], front.yaml_span.start);
            let title = "Quote the value";
            finding.fix(match safe {
                true => Fix::safe(title, edits),
                false => Fix::suggestion(title, edits),
            });
        }
    }
    !nodes.is_empty()
}

/// These problems, and those of keys that are missing for the same reason.
fn with_missing<'s>(subject: &'s Subject, group: &[&'s Problem<'s>]) -> Vec<&'s Problem<'s>> {
    let missing = subject.problems.iter().filter(|problem| {
        problem.cause == Cause::MissingKey
            && problem.key().is_some_and(|key| explains(subject, key))
    });
    group.iter().copied().chain(missing).collect()
}

fn severity(subject: &Subject, group: &[&Problem]) -> Severity {
    match group.is_empty() {
        true => subject.weigh(Claim::Text, Severity::Warning),
        false => subject.severity(group),
    }
}

/// Reports prose that ends at a `#`.
fn cut(subject: &Subject, report: &mut Report) {
    for (value, comment) in subject.entries().filter_map(|entry| commented::cut(subject, entry)) {
        let text = subject.cx.source.slice(comment.clone());
        let word = text.split_whitespace().next().unwrap_or_default();
        let words = format!("YAML reads a comment from `{word}` on; quote the value");
        let finding = subject.report(&RULE, &[], comment.clone(), &words, report);
        finding.severity = subject.weigh(Claim::Text, Severity::Warning);
        let whole = value.start..comment.end;
        let lines = subject.cx.source.slice(whole.clone());
        let lines: Vec<&str> = lines.lines().map(str::trim).collect();
        let quoted = yaml::quote(&lines.join(" "));
        finding.fix(Fix::suggestion("Quote the value", vec![Edit::replace(whole, quoted)]));
    }
}

/// Whether front matter with content is a mapping.
fn is_mapping(subject: &Subject) -> bool {
    let root = subject.front.as_ref().and_then(|front| front.tree.root.as_ref());
    root.is_none_or(|root| root.as_mapping().is_some())
}

/// Whether a missing key is the result of a problem reported here: the front matter isn't a
/// mapping, or YAML reads the value as a tag or as a key.
pub(super) fn explains(subject: &Subject, key: &str) -> bool {
    let Some(front) = &subject.front else { return false };
    let closed = front.delimiters == Delimiters::Complete && front.tree.errors.is_empty();
    let mut entries = subject.entries().skip_while(|entry| entry.key.as_str() != Some(key));
    let tagged = entries.next().is_some_and(|entry| tags::is_one(&entry.value));
    let below = entries.next().and_then(|entry| entry.key.as_str());
    let spoken = front_matter::takes_prose(key) && below.is_some_and(|key| key.contains(' '));
    closed && (!is_mapping(subject) || tagged || spoken)
}

/// The problem that the open specification has with a skill that every judged client reads, because
/// other clients may not read it.
fn strict<'a>(subject: &Subject, front: &FrontMatter) -> Option<Problem<'a>> {
    let front = Front { mark: false, yaml: &subject.yaml, tree: front.tree };
    let client = client::catalog().named("spec")?;
    let reads = client.reads.iter().find(|reads| reads.kind == Kind::Skill)?;
    let refused = matches!(reading::read(reads.reading, front), Read::Refused);
    let effect = reads.unreadable.as_ref().filter(|_| refused)?;
    Some(Problem::new(Cause::Unreadable, client, None, subject.first_line(), effect.clone()))
}

/// Whether every judged client reads all keys of the front matter after these edits.
fn every_client_reads(subject: &Subject, edits: &[Edit]) -> bool {
    text::apply(&subject.yaml, edits)
        .is_ok_and(|repaired| is_read_by_every_client(subject, &repaired))
}

/// Whether every judged client reads all keys of this front matter.
pub(super) fn is_read_by_every_client(subject: &Subject, yaml: &str) -> bool {
    let tree = yaml::parse(yaml);
    let keys: Vec<&str> = tree.entries().filter_map(|entry| entry.key.as_str()).collect();
    let front = Front { mark: false, yaml, tree: &tree };
    subject.file.judged.iter().all(|role| match reading::read(role.reads.reading, front) {
        Read::Keys(read) => !read.partly && keys.iter().all(|key| read.values.contains_key(*key)),
        Read::Nothing => role.reads.reading == Reading::None,
        Read::Refused => false,
    })
}

/// Whether every judged client reads all keys of this front matter after safe fixes.
fn is_read_repaired(subject: &Subject, yaml: &str, known: &dyn Fn(&str) -> bool) -> bool {
    broken::repaired(yaml, known).is_some_and(|yaml| is_read_by_every_client(subject, &yaml))
}

/// Reports duplicate keys, and other valid YAML that some clients reject.
fn duplicates(subject: &Subject, group: &[&Problem], report: &mut Report) {
    let mut seen = HashSet::new();
    let second =
        subject.entries().find(|entry| entry.key.as_str().is_some_and(|key| !seen.insert(key)));
    if group.is_empty() && second.is_none() {
        return;
    }
    let (span, words) = match second {
        Some(entry) => (
            subject.place(&entry.key.span),
            format!("duplicate key `{}`", entry.key.as_str().unwrap_or_default()),
        ),
        None => unread(subject),
    };
    let finding = subject.report(&RULE, group, span, &words, report);
    if group.is_empty() {
        // Every client that reads it loses a value.
        finding.severity = subject.weigh(Claim::Text, Severity::Warning);
    }
}

/// Why a client can't read valid YAML without duplicate top-level keys.
fn unread(subject: &Subject) -> (Span, String) {
    let root = subject.front.as_ref().and_then(|front| front.tree.root.as_ref());
    let Some(root) = root.filter(|root| root.as_mapping().is_some()) else {
        return (
            subject.first_line(),
            "front matter must be a mapping of keys to values".to_owned(),
        );
    };
    let mut open = vec![(root, 0)];
    let mut count = 0;
    while let Some((node, depth)) = open.pop() {
        count += 1;
        if depth > reading::DEPTH {
            let start = node.span.start;
            let span = start..subject.yaml.ceil_char_boundary(start + 1);
            return (
                subject.place(&span),
                format!("nested more than {} levels deep", reading::DEPTH),
            );
        }
        if count > reading::MOST {
            break;
        }
        if let Some(mapping) = node.as_mapping() {
            let mut seen = HashSet::new();
            let mut keys = mapping.entries.iter();
            if let Some((entry, key)) = keys.find_map(|entry| {
                Some((entry, entry.key.as_str().filter(|key| !seen.insert(*key))?))
            }) {
                return (subject.place(&entry.key.span), format!("duplicate key `{key}`"));
            }
            let parts = mapping.entries.iter().flat_map(|entry| [&entry.key, &entry.value]);
            open.extend(parts.rev().map(|part| (part, depth + 1)));
        } else if let Some(list) = node.as_sequence() {
            open.extend(list.items.iter().rev().map(|item| (item, depth + 1)));
        }
    }
    let message = match count > reading::MOST {
        true => format!("front matter has more than {} values", reading::MOST),
        false => "front matter has keys or aliases that JSON has no place for".to_owned(),
    };
    (subject.first_line(), message)
}

/// Reports unclosed front matter, if it's meant as front matter.
fn unclosed(subject: &Subject, report: &mut Report) {
    let Some(front) = subject.front.as_ref() else { return };
    let group: Vec<_> =
        subject.problems.iter().filter(|problem| problem.cause == Cause::Unreadable).collect();
    let known = subject.file.known_keys();
    let has_known =
        front.tree.entries().any(|entry| entry.key.as_str().is_some_and(|key| known.contains(key)));
    if group.is_empty() && !has_known {
        return;
    }
    let known = |word: &str| known.contains(word);
    let is_above_read = |above: &str| is_read_repaired(subject, above, &known);
    let (span, message, fix) = unclosed::finding(subject.cx.source, front, &known, &is_above_read);
    let is_read = subject
        .file
        .judged
        .iter()
        .all(|role| matches!(*subject.read(role.reads.reading), Read::Keys(_)));
    let finding = subject.report(&RULE, &group, span, &message, report);
    if group.is_empty() {
        finding.severity = match is_read {
            true => Severity::Hint,
            false => subject.weigh(Claim::Text, Severity::Warning),
        };
    }
    if let Some(fix) = fix {
        finding.fix(fix);
    }
}
