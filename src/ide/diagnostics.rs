//! Findings: the results of the rules, filtered by the settings and by suppression comments.

use std::ops::Range;
use std::sync::Arc;

use parking_lot::Mutex;
use rustc_hash::FxHashMap;

use crate::document::Document;
use crate::format::{Context, selectors};
use crate::ide::opaque;
use crate::rule::kept::{Kept, sort};
use crate::rule::suppression::{is_used, suppress, suppress_yaml};
use crate::rule::{Diagnostic, Report, Rule, Severity};
use crate::text::Span;

/// Every visible finding of a document, in source order.
pub fn diagnostics(document: &Document, cx: &Context) -> Vec<Diagnostic> {
    let mut report = Report::default();
    check(document, cx, &mut report);
    visible(document, cx, report.diagnostics)
}

fn check(document: &Document, cx: &Context, report: &mut Report) {
    document.model().check(cx, report);
    selectors::check::check(cx, &|span| opaque::touches(document, span), report);
}

/// Applies the settings and the comments that suppress findings.
fn visible(document: &Document, cx: &Context, mut found: Vec<Diagnostic>) -> Vec<Diagnostic> {
    found.retain_mut(|diagnostic| {
        if let Some(severity) = cx.config.chosen_severity(diagnostic.rule, cx.path) {
            diagnostic.severity = severity;
        }
        cx.config.severity(diagnostic.rule, cx.path).is_some()
    });
    suppress(cx.source, || document.model().opaque(), &mut found);
    suppress_yaml(cx.source, document.model().yaml_comments(), &mut found);
    sort(&mut found);
    found
}

/// The findings to show, in source order, and the number of the others.
#[derive(Debug, Default)]
pub struct Shown {
    pub pieces: Vec<Piece>,
    pub rest: Option<Rest>,
}

/// Consecutive findings.
#[derive(Debug, Clone)]
pub enum Piece {
    One(Diagnostic),
    /// Findings of a part, most of which are the same after the next key press.
    Kept {
        found: Arc<Kept>,
        /// Where the part begins.
        start: usize,
        /// The configured severities, one for each of [`Kept::rules`].
        severities: Severities,
        which: Which,
    },
}

/// `None`: switched off.
type Severities = Arc<[Option<Severity>]>;

/// Findings of a part, by their indices.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Which {
    Range(Range<usize>),
    These(Arc<[usize]>),
}

/// The findings to show: at most `most`, unless that is 0. The same as [`diagnostics`] after
/// [`limit`], without visiting the findings of unchanged parts one by one.
pub fn shown(document: &Document, cx: &Context, most: usize) -> Shown {
    let mut report = Report::sharing();
    check(document, cx, &mut report);
    let kept = report.take_kept();
    if kept.is_empty() || is_used(cx.source) {
        let all = kept.iter().flat_map(|(start, found)| found.all(*start));
        let mut found = report.diagnostics;
        found.extend(all);
        let mut found = visible(document, cx, found);
        let rest = if most == 0 { None } else { limit(&mut found, most) };
        return Shown { rest, ..Shown::of(found) };
    }
    let pieces = merged(cx, visible(document, cx, report.diagnostics), kept);
    if most == 0 { Shown { pieces, rest: None } } else { limited(pieces, most) }
}

/// All pieces in source order.
fn merged(cx: &Context, own: Vec<Diagnostic>, kept: Vec<(usize, Arc<Kept>)>) -> Vec<Piece> {
    let mut known: Vec<(&'static Rule, Option<Severity>)> = Vec::new();
    let mut severity = |rule: &'static Rule| {
        let found = known.iter().find(|(other, _)| std::ptr::eq(*other, rule));
        found.map(|(_, severity)| *severity).unwrap_or_else(|| {
            let severity = cx.config.severity(rule, cx.path);
            known.push((rule, severity));
            severity
        })
    };
    let mut pieces = Vec::with_capacity(own.len() + kept.len());
    let mut own = own.into_iter().peekable();
    // Many parts have mistakes of the same kinds.
    let mut shared: FxHashMap<u64, (Arc<Kept>, Severities)> = FxHashMap::default();
    for (start, found) in kept {
        let same = shared.get(&found.rules_id()).filter(|(other, _)| other.has_rules_of(&found));
        let severities = same.map(|(_, known)| Arc::clone(known)).unwrap_or_else(|| {
            let new: Severities = found.rules().iter().map(|(rule, _)| severity(rule)).collect();
            shared.insert(found.rules_id(), (Arc::clone(&found), Arc::clone(&new)));
            new
        });
        let is_on = |index: &usize| severity_of(&found, &severities, *index).is_some();
        let piece = |range: Range<usize>| Piece::Kept {
            found: Arc::clone(&found),
            start,
            which: if severities.contains(&None) {
                Which::These(range.filter(is_on).collect())
            } else {
                Which::Range(range)
            },
            severities: Arc::clone(&severities),
        };
        let order = |one: &Diagnostic, index: usize| {
            let (Some(span), Some(item)) = (found.span(index, start), found.item(index)) else {
                return false;
            };
            (one.span.start, one.span.end, one.rule.code, &one.message)
                < (span.start, span.end, item.rule.code, &item.message)
        };
        let mut first = 0;
        while let Some(one) = own.next_if(|one| order(one, found.len() - 1)) {
            let mut next = first;
            while next < found.len() && !order(&one, next) {
                next += 1;
            }
            if next > first {
                pieces.push(piece(first..next));
            }
            pieces.push(Piece::One(one));
            first = next;
        }
        pieces.push(piece(first..found.len()));
    }
    pieces.extend(own.map(Piece::One));
    pieces
}

impl Piece {
    /// The number of findings by severity.
    fn count(&self, by_severity: &mut [usize; 4]) {
        let mut add = |severity: Option<Severity>, count: usize| {
            if let Some(number) =
                severity.and_then(|severity| by_severity.get_mut(severity as usize))
            {
                *number += count;
            }
        };
        match self {
            Self::One(one) => add(Some(one.severity), 1),
            Self::Kept { found, severities, which: Which::Range(range), .. }
                if range.len() == found.len() =>
            {
                for ((_, count), severity) in found.rules().iter().zip(severities.iter()) {
                    add(*severity, *count);
                }
            }
            Self::Kept { found, severities, which, .. } => {
                which.for_each(|index| add(severity_of(found, severities, index), 1));
            }
        }
    }
}

impl Which {
    pub fn for_each(&self, mut take: impl FnMut(usize)) {
        match self {
            Self::Range(range) => range.clone().for_each(take),
            Self::These(these) => these.iter().for_each(|index| take(*index)),
        }
    }
}

/// The findings of a part with severities for which there is room. After most key presses, they are
/// the same as before.
struct Choice {
    severities: Severities,
    room: [bool; 4],
    these: Arc<[usize]>,
    /// The first of the others that aren't switched off.
    first_left_out: Option<usize>,
}

/// The last choice.
#[derive(Default)]
struct Slot(Mutex<Option<Arc<Choice>>>);

impl Slot {
    fn choose(&self, found: &Kept, severities: &Severities, room: [bool; 4]) -> Arc<Choice> {
        let mut slot = self.0.lock();
        let same = |known: &&Arc<Choice>| known.room == room && known.severities == *severities;
        if let Some(known) = slot.as_ref().filter(same) {
            return Arc::clone(known);
        }
        let (mut these, mut first_left_out) = (Vec::new(), None);
        for index in 0..found.len() {
            match severity_of(found, severities, index) {
                Some(severity) if room.get(severity as usize) == Some(&true) => these.push(index),
                Some(_) => first_left_out = first_left_out.or(Some(index)),
                None => {}
            }
        }
        let severities = Arc::clone(severities);
        let new = Arc::new(Choice { severities, room, these: these.into(), first_left_out });
        *slot = Some(Arc::clone(&new));
        new
    }
}

fn severity_of(found: &Kept, severities: &[Option<Severity>], index: usize) -> Option<Severity> {
    severities.get(found.rule(index)?).copied().flatten()
}

/// Keeps the `most` most severe findings, earlier ones first.
fn limited(pieces: Vec<Piece>, most: usize) -> Shown {
    let mut left = [0; 4];
    pieces.iter().for_each(|piece| piece.count(&mut left));
    let total: usize = left.iter().sum();
    let mut room = most;
    for number in left.iter_mut().rev() {
        *number = room.min(*number);
        room -= *number;
    }
    let mut shown = Vec::new();
    let mut first = None;
    for piece in pieces {
        if first.is_some() && left == [0; 4] {
            break;
        }
        let mut own = [0; 4];
        piece.count(&mut own);
        let fits = own.iter().zip(&left).all(|(own, left)| own <= left);
        // Almost always there is room for all findings of a severity, or for none.
        let is_clear = own.iter().zip(&left).all(|(own, left)| own <= left || *left == 0);
        match piece {
            piece if fits && is_whole(&piece, &own) => {
                left.iter_mut().zip(&own).for_each(|(left, own)| *left -= own);
                shown.push(piece);
            }
            Piece::One(one) => first = first.or(Some(one.span)),
            Piece::Kept { found, start, severities, which: Which::Range(range) }
                if is_clear && range.len() == found.len() =>
            {
                let room = std::array::from_fn(|severity| {
                    let is_wanted = own.get(severity).is_some_and(|own| *own > 0);
                    is_wanted && left.get(severity).is_some_and(|left| *left > 0)
                });
                let choice = found.memo().get::<Slot>().choose(&found, &severities, room);
                for ((left, own), room) in left.iter_mut().zip(own).zip(room) {
                    *left -= if room { own } else { 0 };
                }
                first = first.or_else(|| found.span(choice.first_left_out?, start));
                if !choice.these.is_empty() {
                    let which = Which::These(Arc::clone(&choice.these));
                    shown.push(Piece::Kept { found, start, severities, which });
                }
            }
            Piece::Kept { found, start, severities, which } => {
                let mut these = Vec::new();
                let some = own.iter().zip(&left).any(|(own, left)| *own > 0 && *left > 0);
                if some || first.is_none() {
                    which.for_each(|index| {
                        let Some(severity) = severity_of(&found, &severities, index) else {
                            return;
                        };
                        match left.get_mut(severity as usize).filter(|left| **left > 0) {
                            Some(left) => {
                                *left -= 1;
                                these.push(index);
                            }
                            None if first.is_none() => first = found.span(index, start),
                            None => {}
                        }
                    });
                }
                if !these.is_empty() {
                    let which = Which::These(these.into());
                    shown.push(Piece::Kept { found, start, severities, which });
                }
            }
        }
    }
    let rest = total.checked_sub(most).filter(|count| *count > 0);
    let rest = rest.and_then(|count| Some(Rest { span: first?, count }));
    Shown { pieces: shown, rest }
}

/// Whether no finding of a piece is switched off.
fn is_whole(piece: &Piece, counted: &[usize; 4]) -> bool {
    match piece {
        Piece::One(_) => true,
        Piece::Kept { which: Which::Range(range), .. } => {
            counted.iter().sum::<usize>() == range.len()
        }
        Piece::Kept { which: Which::These(these), .. } => {
            counted.iter().sum::<usize>() == these.len()
        }
    }
}

impl Shown {
    /// These findings, in source order.
    pub fn of(found: Vec<Diagnostic>) -> Self {
        Self { pieces: found.into_iter().map(Piece::One).collect(), rest: None }
    }

    /// The findings one by one.
    pub fn list(&self) -> Vec<Diagnostic> {
        self.those(|_| true)
    }

    /// The findings that meet the characters of `span`, or touch them.
    pub fn near(&self, span: &Span) -> Vec<Diagnostic> {
        self.those(|found| found.start <= span.end && span.start <= found.end)
    }

    fn those(&self, is_wanted: impl Fn(&Span) -> bool) -> Vec<Diagnostic> {
        let mut list = Vec::new();
        for piece in &self.pieces {
            match piece {
                Piece::One(one) if is_wanted(&one.span) => list.push(one.clone()),
                Piece::One(_) => {}
                Piece::Kept { found, start, severities, which } => which.for_each(|index| {
                    if !found.span(index, *start).is_some_and(|span| is_wanted(&span)) {
                        return;
                    }
                    let severity = severity_of(found, severities, index);
                    let item = found.get(index, *start).zip(severity);
                    list.extend(item.map(|(item, severity)| Diagnostic { severity, ..item }));
                }),
            }
        }
        list
    }

    /// Whether a finding has a safe fix.
    pub fn can_be_fixed(&self) -> bool {
        self.pieces.iter().any(|piece| match piece {
            Piece::One(one) => one.has_safe_fix(),
            Piece::Kept { found, severities, which, .. } => {
                let mut fixed = false;
                if found.has_safe_fix() {
                    which.for_each(|index| {
                        fixed |= severity_of(found, severities, index).is_some()
                            && found.item(index).is_some_and(Diagnostic::has_safe_fix);
                    });
                }
                fixed
            }
        })
    }
}

/// The number of findings over the limit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rest {
    /// The span of the first one.
    pub span: Span,
    pub count: usize,
}

/// Keeps the `most` most severe findings, earlier ones first, and returns the rest.
pub fn limit(found: &mut Vec<Diagnostic>, most: usize) -> Option<Rest> {
    let count = found.len().checked_sub(most).filter(|count| *count > 0)?;
    let mut by_severity = [0; 4];
    found.iter().for_each(|diagnostic| by_severity[diagnostic.severity as usize] += 1);
    let mut room = most;
    for number in by_severity.iter_mut().rev() {
        *number = room.min(*number);
        room -= *number;
    }
    let mut first = None;
    found.retain(|diagnostic| {
        let left = &mut by_severity[diagnostic.severity as usize];
        let kept = *left > 0;
        *left = left.saturating_sub(1);
        if !kept && first.is_none() {
            first = Some(diagnostic.span.clone());
        }
        kept
    });
    Some(Rest { span: first?, count })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Config;
    use crate::source::Source;
    use crate::text::Edit;
    use crate::world::Memory;

    crate::declare_rule! {
        /// A rule for this test.
        static RULE = "plain/test", Warning, "Test";
    }

    fn found(severities: &[Severity]) -> Vec<Diagnostic> {
        let mut report = Report::default();
        for (at, severity) in severities.iter().enumerate() {
            report.add(&RULE, at..at + 1, "").severity = *severity;
        }
        report.diagnostics
    }

    /// The files in a reply may contain such comments, which apply to those files.
    #[test]
    fn comments_in_the_content_of_a_document_suppress_nothing() {
        const LLMD: &str = "# Project: D\n\n## Meta: LLMD\n\nx\n\n## Mission\n\nM.\n\n## Code Context\n\n### a.py\n```\none\n```\n\n## Changelog\n\n- i\n\n## Conversation Thread\n\n### Entry 2\n\n**Human:** 日本\n\n**Assistant:** ok\n\nzz\n<<<<<< SEARCH\none\n=======\n@\n>>>>>> REPLACE\n\n%\n";
        let texts = [
            "[REASONING]\n日本\n[CONFIDENCE] 2\n[ACTION_0_TYPE] create_file\n[ACTION_0_PATH] /etc/x.md\n[ACTION_0_CONTENT_START]\n@\n[ACTION_0_CONTENT_END]\n\n[PLANNING]\n%\n",
            "日本\n\n../x.py\n<<<<<<< SEARCH\n@\n=======\nb\n>>>>>>> REPLACE\n\n%\n",
            "日本\n\n*** Begin Patch\n*** Add File: ../x.py\n+@\n*** End Patch\n\n%\n",
            LLMD,
        ];
        let (config, world) = (Config::default(), Memory::default().in_folder("/w"));
        let path = Some(std::path::Path::new("/w/a.md"));
        let count = |text: &str| {
            let document = Document::new(text, path, &config);
            diagnostics(&document, &Context::new(document.source(), path, &world, &config)).len()
        };
        let comment = "<!-- agentmd-disable-file -->";
        for text in texts {
            for text in [text.to_owned(), text.replace('\n', "\r\n")] {
                let with = |content, prose| text.replace('@', content).replace('%', prose);
                let all = count(&with("x", "y"));
                assert_ne!(all, 0, "{text}");
                assert_eq!(count(&with(comment, "y")), all, "{text}");
                assert_eq!(count(&with("x", comment)), 0, "{text}");
            }
        }
    }

    #[test]
    fn comments_disable_findings_in_linear_time() {
        let text = |count: usize| {
            "<!-- agentmd-disable-next-line plain/test -->\n`x` y\n".repeat(count) + "\nz\n"
        };
        crate::growth::is_linear("comments that disable findings", 1_000, text, |text| {
            let source = Source::new(&text);
            let mut report = Report::default();
            for (at, _) in text.match_indices(['y', 'z']) {
                report.add(&RULE, at..at + 1, "");
            }
            let mut found = report.diagnostics;
            suppress(&source, || &[], &mut found);
            assert_eq!(found.len(), 1);
        });
    }

    /// After another key press, the findings of all other parts are the same objects, with
    /// everything cached for them.
    #[test]
    fn findings_of_other_parts_are_kept() {
        let many = |start: &str, part: &dyn Fn(usize) -> String| {
            start.to_owned() + &(0..1000).map(part).collect::<String>()
        };
        let program = "---\nname: a\ndescription: A.\ninput: { type: object, properties: { who: { type: string } } }\noutput: { type: object }\n---\n\n";
        let texts = [
            many("[REASONING]\n\n", &|at| format!("[ACTION_{at}_TYPE] run_command\n\n")),
            many("## Context\n\n### Code\n```\nx\n```\n\n", &|at| {
                format!("### Thing (from src/{at}.py)\n```\nx\n\n```\n\n")
            }),
            many(program, &|at| format!("## Part {at}\n\nGreet {{{{ .nobody }}}}.\n\n")),
        ];
        let (config, world) = (Config::default(), Memory::default());
        let path = Some(std::path::Path::new("/w/a.md"));
        let kept = |document: &Document| {
            let cx = Context::new(document.source(), path, &world, &config);
            let pieces = shown(document, &cx, 0).pieces.into_iter();
            let kept = pieces.filter_map(|piece| match piece {
                Piece::Kept { found, .. } => Some(found),
                Piece::One(_) => None,
            });
            kept.collect::<Vec<_>>()
        };
        for text in texts {
            let opened = Document::new(&text, path, &config);
            kept(&opened);
            let at = text.len() / 2 + text[text.len() / 2..].find("\n\n").unwrap();
            let key = Edit::insert(at, "x");
            let before = opened.edit(std::slice::from_ref(&key), path, &config);
            let old = kept(&before);
            let after = before.edit(&[key], path, &config);
            let new = kept(&after);
            let same = |new: &&Arc<Kept>| old.iter().any(|old| Arc::ptr_eq(old, new));
            let count = new.iter().filter(same).count();
            let head = &text[..40];
            assert!(new.len() > 8 && count + 3 >= new.len(), "{count} of {}: {head}", new.len());
        }
    }

    /// Code actions see the same findings whether those are cached or not.
    #[test]
    fn findings_near_a_place_are_those_of_the_whole_list() {
        let part = |at: usize| format!("[ACTION_{at}_TYPE] run_comand\n  [ACTION_{at}_PATH] a\n\n");
        let text = "[REASONING]\n\n".to_owned() + &(0..200).map(part).collect::<String>();
        let (config, world) = (Config::default(), Memory::default());
        for text in [text.as_str(), "[REASONING]\n\n[ACTION_0_TYPE] finish\n", "# Plain\n"] {
            let document = Document::new(text, None, &config);
            let cx = Context::new(document.source(), None, &world, &config);
            let (all, shown) = (diagnostics(&document, &cx), shown(&document, &cx, 0));
            assert_eq!(shown.list(), all);
            assert_eq!(shown.can_be_fixed(), all.iter().any(Diagnostic::has_safe_fix));
            for at in (0..text.len()).step_by(7) {
                let (near, span) = (shown.near(&(at..at + 3)), at..at + 3);
                let meets = |found: &&Diagnostic| {
                    found.span.start <= span.end && span.start <= found.span.end
                };
                assert_eq!(near, all.iter().filter(meets).cloned().collect::<Vec<_>>());
            }
        }
    }

    /// The choice of findings that fit the limit is cached with their part, but not for another
    /// limit or other settings.
    #[test]
    fn a_limit_keeps_the_same_findings_with_and_without_parts() {
        let front = "---\nname: a\ndescription: A.\ninput: { type: object, properties: { who: { type: string } } }\noutput: { type: object }\n---\n\n";
        let part = "## Part\n\nGreet {{ .who }} and {{ .nobody }}.\n\n{{ add .who 1 }}\n\n";
        let text = front.to_owned() + &part.repeat(60);
        let path = Some(std::path::Path::new("/w/a.md"));
        let world = Memory::default();
        let document = Document::new(&text, path, &Config::default());
        for off in ["unknown-variable", "possibly-missing", "wrong-argument"] {
            let rules = format!("[rules]\n\"markdownlang/{off}\" = \"off\"\n");
            let config =
                Config::from_text(std::path::Path::new("/w/agentmd.toml"), &rules).unwrap();
            for config in [Config::default(), config] {
                let cx = Context::new(document.source(), path, &world, &config);
                let all = diagnostics(&document, &cx);
                let severities: Vec<_> = all.iter().map(|found| found.severity).collect();
                assert!(
                    severities.len() > 100 && severities.iter().any(|one| *one != severities[0])
                );
                for most in (1..all.len() + 2).step_by(7) {
                    let (mut expected, shown) = (all.clone(), shown(&document, &cx, most));
                    assert_eq!(shown.rest, limit(&mut expected, most), "{most}");
                    assert_eq!(shown.list(), expected, "{most}");
                }
            }
        }
    }

    #[test]
    fn the_most_severe_and_earliest_findings_are_kept() {
        use Severity::{Error, Hint, Warning};
        let all = [Hint, Warning, Error, Warning, Hint, Error, Warning];
        let left = |most: usize| {
            let mut found = found(&all);
            let rest = limit(&mut found, most);
            (found.iter().map(|diagnostic| diagnostic.span.start).collect::<Vec<_>>(), rest)
        };
        assert_eq!(left(3), (vec![1, 2, 5], Some(Rest { span: 0..1, count: 4 })));
        assert_eq!(left(1), (vec![2], Some(Rest { span: 0..1, count: 6 })));
        assert_eq!(left(6), ((0..=3).chain(5..=6).collect(), Some(Rest { span: 4..5, count: 1 })));
        assert_eq!(left(7), ((0..7).collect(), None));
    }
}
