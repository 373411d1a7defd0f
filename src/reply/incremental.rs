//! Reads an edited document part by part, and reuses the parts that an edit doesn't touch.
//!
//! A part starts after a construct and ends with a section; if something is still open there, it
//! includes more sections. After a construct, earlier text has no effect, so a part depends only on
//! its own characters.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::{Arc, LazyLock, OnceLock, Weak};

use parking_lot::Mutex;

use super::markdown::{self, Part};
use super::{Draft, Grammar, Step, container, ending, wrapper};
use crate::markdown::Section;
use crate::source::{Placed, Source};
use crate::text::Span;

/// Longer prose names a file only in its last sections.
const LONGEST_PROSE: usize = 8 << 10;
/// Shorter prose is read again with every section after it.
const SHORT_PROSE: usize = 512;

/// The parts that end with a section.
#[derive(Debug, Default)]
struct Remembered(Mutex<Vec<Known>>);

#[derive(Debug)]
struct Known {
    sections: Vec<Weak<Section>>,
    /// The start of the part in its first section.
    offset: usize,
    part: Arc<Part>,
}

/// Few parts end with the same section at once.
const MOST_KNOWN: usize = 2;

/// How a section affects the parts of its document.
#[derive(Debug, Clone, Copy)]
struct Signs {
    /// It belongs to a conversation.
    conversation: bool,
    /// A part ends with it, even if the prose goes on. Only its own text decides, so an edit
    /// elsewhere changes no other part; on average, this happens once per [`LONGEST_PROSE`].
    ends: bool,
}

impl Signs {
    fn of(text: &str) -> Self {
        let mut hasher = DefaultHasher::new();
        text.hash(&mut hasher);
        let ends = hasher.finish() % (LONGEST_PROSE as u64) < text.len() as u64;
        Self { conversation: markdown::is_conversation(text), ends }
    }
}

/// All possible signs, shared between sections.
static SIGNS: LazyLock<[Arc<Signs>; 4]> = LazyLock::new(|| {
    [(false, false), (false, true), (true, false), (true, true)]
        .map(|(conversation, ends)| Arc::new(Signs { conversation, ends }))
});

/// The signs of a section.
fn signs(source: &Source, placed: &Placed) -> Signs {
    *placed.section.memo.share(|| {
        let signs = Signs::of(&source.section_text(*placed));
        let same = |known: &&Arc<Signs>| {
            known.conversation == signs.conversation && known.ends == signs.ends
        };
        SIGNS.iter().find(same).map_or_else(|| Arc::new(signs), Arc::clone)
    })
}

/// The parsed reply, cached with its text.
#[derive(Debug, Default)]
struct Read(OnceLock<Arc<Draft>>);

/// Parses a document as a reply.
pub fn read(source: &Source, grammars: &[&dyn Grammar]) -> Arc<Draft> {
    Arc::clone(source.memo().get::<Read>().0.get_or_init(|| Arc::new(assemble(source, grammars))))
}

fn assemble(source: &Source, grammars: &[&dyn Grammar]) -> Draft {
    let whole = || source.slice(0..source.len());
    if may_be_container(source) {
        let text = whole();
        let draft = container::read(&text, grammars);
        if let Some(draft) = draft.or_else(|| wrapper::unwrapped(&text, grammars)) {
            return draft.sorted();
        }
    }
    let Some(parts) = parts(source, grammars) else {
        return markdown::scan(&whole(), grammars).sorted();
    };
    let mut draft = Draft::default();
    let mut resume = 0;
    for (start, new, part) in parts {
        resume = (start + part.resume).min(source.len());
        take(&mut draft, &part, start, new);
    }
    ending::check(&source.slice(resume..source.len()), resume, &mut draft);
    draft.free = !draft.steps.is_empty() || !draft.faults.is_empty();
    draft.sorted()
}

/// The parts of a document, with the places where they begin and where they are new; `None` if the
/// document must be read as a whole.
fn parts(source: &Source, grammars: &[&dyn Grammar]) -> Option<Vec<(usize, usize, Arc<Part>)>> {
    let sections: Vec<Placed> = source.sections().collect();
    if sections.iter().any(|placed| signs(source, placed).conversation) {
        return None;
    }
    let mut found = Vec::new();
    let (mut resume, mut first, mut next) = (0, 0, 0);
    while next < sections.len() {
        let mut end = next + 1;
        let part = loop {
            let part = part(source, sections.get(first..end).unwrap_or_default(), resume, grammars);
            if part.marked {
                return None;
            }
            let last = sections.get(end - 1);
            let prose = last.map_or(0, |last| last.span().end).saturating_sub(resume + part.resume);
            let ends = prose <= SHORT_PROSE || last.is_none_or(|last| signs(source, last).ends);
            if end >= sections.len() || !part.open && ends {
                break part;
            }
            end = if part.open {
                next + 2 * (end - next)
            } else {
                let rest = sections.get(end..).unwrap_or_default();
                let more = rest.iter().position(|placed| signs(source, placed).ends);
                end + more.unwrap_or(rest.len()) + 1
            }
            .min(sections.len());
        };
        let start = resume;
        let limit = sections.get(end - 1).map_or(0, |placed| placed.span().end);
        resume = (resume + part.resume).min(limit);
        found.push((start, sections.get(next).map_or(0, |placed| placed.start), part));
        first = sections.partition_point(|placed| placed.span().end <= resume);
        // In long prose, only the last sections count.
        while limit.saturating_sub(resume) > LONGEST_PROSE && first + 1 < end {
            first += 1;
            resume = sections.get(first).map_or(limit, |placed| placed.start);
        }
        next = end;
    }
    Some(found)
}

/// Adds the contents of a part from `new` on; an earlier part covered the rest.
fn take(draft: &mut Draft, part: &Part, start: usize, new: usize) {
    let fresh = |span: &Span| span.start + start >= new;
    let place = |span: &Span| span.start + start..span.end + start;
    if let Some(why) = part.draft.retracted {
        draft.retract(why);
    }
    let own = Draft {
        steps: part
            .draft
            .steps
            .iter()
            .filter(|step: &&Step| fresh(&step.block.span))
            .cloned()
            .collect(),
        skipped: part
            .draft
            .skipped
            .iter()
            .filter(|skipped| fresh(&skipped.span))
            .cloned()
            .collect(),
        faults: part.draft.faults.iter().filter(|fault| fresh(&fault.span)).cloned().collect(),
        notices: part.draft.notices.iter().filter(|notice| fresh(&notice.span)).cloned().collect(),
        ..Draft::default()
    };
    draft.extend(own.placed(&place));
}

/// The part that begins at `start` and covers the rest of these sections.
fn part(
    source: &Source,
    sections: &[Placed],
    start: usize,
    grammars: &[&dyn Grammar],
) -> Arc<Part> {
    let (Some(first), Some(last)) = (sections.first(), sections.last()) else {
        return Arc::new(markdown::scan_part("", grammars));
    };
    let memo = last.section.memo.get::<Remembered>();
    let offset = start.saturating_sub(first.start);
    let same = |known: &Known| {
        let sections_match = || {
            known
                .sections
                .iter()
                .zip(sections)
                .all(|(known, placed)| known.as_ptr() == Arc::as_ptr(placed.section))
        };
        known.offset == offset && known.sections.len() == sections.len() && sections_match()
    };
    let known = || memo.0.lock();
    if let Some(known) = known().iter().find(|known| same(known)) {
        return Arc::clone(&known.part);
    }
    let part = Arc::new(markdown::scan_part(&source.slice(start..last.span().end), grammars));
    let mut known = known();
    if known.len() >= MOST_KNOWN {
        known.remove(0);
    }
    known.push(Known {
        sections: sections.iter().map(|placed| Arc::downgrade(placed.section)).collect(),
        offset,
        part: Arc::clone(&part),
    });
    part
}

/// Whether a document begins like JSON or an event stream, possibly in a fence.
fn may_be_container(source: &Source) -> bool {
    let skipped = |byte: &u8| byte.is_ascii_whitespace() || matches!(byte, 0xef | 0xbb | 0xbf);
    let mut head =
        (0..source.len()).filter_map(|at| source.text().get_byte(at)).skip_while(skipped);
    matches!(head.next(), Some(b'{' | b'[' | b'`' | b'~' | b':' | b'd' | b'e' | b'i'))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::GRAMMARS;
    use crate::growth;
    use crate::text::Edit;

    #[test]
    fn a_key_in_a_long_reply_reads_its_own_part() {
        let block = |index: usize| {
            format!(
                "## Part {index}\n\nsrc/f{index}.rs\n<<<<<<< SEARCH\nold\n=======\nnew {index}\n>>>>>>> REPLACE\n\n"
            )
        };
        let text: String = (0..500).map(block).collect();
        let source = Source::new(&text);
        let before = parts(&source, GRAMMARS).unwrap();
        let after = parts(&source.edit(&Edit::insert(text.len() / 2, "x")), GRAMMARS).unwrap();
        let same = before.iter().zip(&after).filter(|((.., a), (.., b))| Arc::ptr_eq(a, b)).count();
        assert_eq!(before.len(), after.len());
        assert!(same >= before.len() - 4, "{same} of {}", before.len());
    }

    #[test]
    fn samples_below_headings_and_sentences_are_read_in_linear_time() {
        for (start, end) in
            [("## Part ", ""), ("Create `src/m", ".py`:"), ("Then, in `src/m", ".py`:"), ("", "")]
        {
            let sample = |part: usize| format!("{start}{part}{end}\n\n```python\nx = 1\n```\n\n");
            let input = |parts: usize| Source::new(&(0..parts).map(sample).collect::<String>());
            growth::is_linear(start, 600, input, |source| {
                std::hint::black_box(read(&source, GRAMMARS).resolve(&|_| false));
            });
        }
    }

    #[test]
    fn samples_are_read_a_few_times() {
        let sample = |part: usize| format!("## Part {part}\n\nSo.\n\n```python\nx = 1\n```\n\n");
        let source = Source::new(&(0..2_000).map(sample).collect::<String>());
        let parts = parts(&source, GRAMMARS).unwrap();
        let ends = parts.iter().skip(1).map(|(_, new, _)| *new).chain([source.len()]);
        let read: usize = parts.iter().zip(ends).map(|((start, ..), end)| end - start).sum();
        assert!(read < 4 * source.len(), "{read} for {}", source.len());
    }

    #[test]
    fn a_reply_read_part_by_part_equals_one_read_at_once() {
        let block = "src/a.rs\n```rust\n<<<<<<< SEARCH\na\n=======\n# b\n>>>>>>> REPLACE\n```\n\n";
        let element = "<write_to_file>\n<path>b.md</path>\n<content>\n# Title\n\n## More\n</content>\n</write_to_file>\n\n";
        let text = format!(
            "Intro\n\n{block}## 2. Update (`src/b.rs`)\n\n### Why\n\nSo.\n\n{element}## Then\n\n{}",
            block.replacen("src/a.rs\n", "", 1)
        );
        let spans = |draft: &Draft| {
            draft.steps.iter().map(|step| step.block.span.clone()).collect::<Vec<_>>()
        };
        let (parts, whole) =
            (read(&Source::new(&text), GRAMMARS), super::super::read(&text, GRAMMARS));
        assert_eq!((spans(&parts), spans(&whole).len()), (spans(&whole), 3));
        assert_eq!(parts.resolve(&|_| true), whole.resolve(&|_| true));
    }
}
