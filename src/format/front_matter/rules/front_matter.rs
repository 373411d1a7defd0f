use crate::client::{is_another_programs, is_aside, is_left_alone, is_made};
use crate::declare_rule;
use crate::format::front_matter::{broken, unclosed};
use crate::format::{Context, front_matter};
use crate::markdown::front::Delimiters;
use crate::rule::{Report, Severity};
use crate::source::FrontMatter;

declare_rule! {
    /// The front matter isn't YAML, so tools read the file without it, or not at all.
    ///
    /// Most tools say nothing. By far the most common cause is a value that contains a colon
    /// followed by a space, such as `description: Use when: …`. Next come values that start with
    /// `@`, `*`, `` ` ``, `%` or `{{`, and lists with text after them, as in `argument-hint: [file]
    /// [line]`. Quote such a value.
    ///
    /// Front matter that contains a `name` and a `description` and is never closed is reported too,
    /// unless a template language fills it in.
    ///
    /// In agent files, [agent/front-matter](../agent/front-matter.md) reports the same and says
    /// which clients are affected. In folders of documents, templates, assets and archives this is a hint, as
    /// it is in folders that something fills when it runs, such as `cache`, Claude Code's `agent-memory` or
    /// Cursor's `.cursor/plans`, in hidden files and folders that none of the clients has, and for a value such as `{root}/docs`: another
    /// program reads these files in its own way.
    /// Front matter of Cursor and Windsurf rules and of Codex prompts isn't YAML and is never reported.
    ///
    /// ````markdown bad
    /// ---
    /// name: review
    /// description: Use when: the user asks for a review
    /// ---
    ///
    /// Review the change.
    /// ````
    ///
    /// ````markdown good
    /// ---
    /// name: review
    /// description: "Use when: the user asks for a review"
    /// ---
    ///
    /// Review the change.
    /// ````
    pub static RULE = "markdown/front-matter", Warning, "Front matter is not YAML";
}

/// Reports YAML mistakes in text that is certainly meant as front matter.
pub fn check(cx: &Context, report: &mut Report) {
    let Some(front) = cx.source.front_matter() else { return };
    if front.delimiters == Delimiters::Unclosed {
        return check_end(cx, &front, report);
    }
    if front.tree.errors.is_empty() || front.delimiters != Delimiters::Complete {
        return;
    }
    let text = cx.source.slice(front.yaml_span.clone());
    if !looks_like_front_matter(&text) {
        return;
    }
    let keys: Vec<&str> = text.lines().filter_map(key).collect();
    // Cursor's and Windsurf's rules aren't YAML, regardless of the file's name.
    if keys.contains(&"globs") && keys.iter().all(|key| RULE_KEYS.contains(key)) {
        return;
    }
    let aside = is_for_others(cx);
    let known = |word: &str| COMMON.contains(&word);
    if let Some(mut end) = unclosed::mistyped_dashes(&text, front.yaml_span.start, true, &known) {
        let above = text.get(..end.span.start - front.yaml_span.start).unwrap_or_default();
        end.fix.safe &= broken::repaired(above, &known).is_some();
        let finding = report.add(&RULE, end.span, end.message);
        if aside {
            finding.severity = Severity::Hint;
        }
        finding.fix(end.fix);
        return;
    }
    for broken in broken::broken(&text, &front.tree.errors, &known) {
        // Files of site generators and templates of front matter become YAML later.
        let line = line_of(&text, broken.span.start);
        if is_filled_in(line) {
            continue;
        }
        let finding = report.add(
            &RULE,
            front_matter::shift(&broken.span, front.yaml_span.start),
            broken.message,
        );
        if aside || begins_with_placeholder(line) {
            finding.severity = Severity::Hint;
        }
        front_matter::offer(finding, broken.repairs, front.yaml_span.start);
    }
}

/// Whether a document is a page, a form, a test or an unused file of a project, or is written or
/// read by another program.
fn is_for_others(cx: &Context) -> bool {
    let root = cx.root();
    let below = cx.path.map(|path| {
        let inside = root.as_ref().and_then(|root| path.strip_prefix(root).ok());
        inside.unwrap_or(path)
    });
    cx.place().is_some_and(is_aside)
        || below.is_some_and(|below| {
            is_left_alone(cx.world, root.as_deref(), below)
                || is_made(below)
                || is_another_programs(below)
        })
}

/// Whether text has actions of a template language, so another program fills it in.
fn is_filled_in(text: &str) -> bool {
    ["{{", "{%", "<%"].iter().any(|mark| text.contains(mark))
}

/// The keys of Cursor's and Windsurf's rules.
const RULE_KEYS: &[&str] = &["description", "globs", "alwaysApply", "trigger"];

/// Whether a value begins with a placeholder in braces and goes on: `path: {root}/docs`.
fn begins_with_placeholder(line: &str) -> bool {
    let value = line.split_once(": ").map(|(_, value)| value.trim_start());
    let inside = value.and_then(|value| value.strip_prefix('{')?.split_once('}'));
    inside.is_some_and(|(name, rest)| {
        let is_name = |letter: char| letter.is_alphanumeric() || matches!(letter, '-' | '_');
        !name.is_empty() && name.chars().all(is_name) && rest.starts_with(['/', '-', '_', '.'])
    })
}

/// Keys that many kinds of files have.
const COMMON: &[&str] = &[
    "name",
    "description",
    "title",
    "license",
    "version",
    "author",
    "tools",
    "model",
    "metadata",
    "tags",
    "date",
    "allowed-tools",
    "argument-hint",
    "origin",
    "color",
    "globs",
    "alwaysApply",
    "applyTo",
    "category",
    "layout",
    "draft",
    "slug",
];

/// Anything may follow a thematic break; only the keys that such files begin with are taken as
/// front matter.
fn check_end(cx: &Context, front: &FrontMatter, report: &mut Report) {
    let text = cx.source.slice(front.yaml_span.clone());
    let has = |wanted: &str| text.lines().filter_map(key).any(|key| key == wanted);
    let begins = text.lines().next().and_then(key).is_some();
    let next = cx.source.slice(cx.source.line_span(front.span.end));
    let keys = || text.lines().take_while(|line| !line.trim().is_empty()).take(MOST_KEYS);
    let filled_in = || is_filled_in(&next) || keys().any(is_filled_in);
    if !begins || !has("name") || !has("description") || filled_in() {
        return;
    }
    let known = |word: &str| COMMON.contains(&word);
    let is_read = |above: &str| broken::repaired(above, &known).is_some();
    let (span, mut message, fix) = unclosed::finding(cx.source, front, &known, &is_read);
    if span == front.opening {
        message.push_str("; end it with a line that is exactly `---`");
    }
    let finding = report.add(&RULE, span, message);
    if let Some(fix) = fix {
        finding.fix(fix);
    }
    if is_for_others(cx) {
        finding.severity = Severity::Hint;
    }
}

/// How many lines of unclosed front matter are searched for template actions.
const MOST_KEYS: usize = 24;

/// Whether the first line with content is a key, as it never is between two thematic breaks.
fn looks_like_front_matter(text: &str) -> bool {
    let mut lines = text.lines().filter(|line| !line.trim().is_empty() && !line.starts_with('#'));
    lines.next().is_some_and(|line| key(line).is_some())
        || text.lines().filter(|line| key(line).is_some()).count() >= 2
}

/// The key that a line at column 0 begins with.
fn key(line: &str) -> Option<&str> {
    let (key, rest) = line.split_once(':')?;
    let named = !key.is_empty()
        && key.chars().all(|character| {
            character.is_alphanumeric() || matches!(character, '-' | '_' | '.' | '"' | '\'')
        });
    (named && (rest.is_empty() || rest.starts_with([' ', '\t', '\r']))).then_some(key)
}

fn line_of(text: &str, offset: usize) -> &str {
    text.get(line_start(text, offset)..).and_then(|rest| rest.lines().next()).unwrap_or_default()
}

fn line_start(text: &str, offset: usize) -> usize {
    text.get(..offset).and_then(|before| before.rfind('\n')).map_or(0, |at| at + 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Config;
    use crate::source::Source;
    use crate::text::apply;
    use crate::world::Memory;

    fn mended(text: &str) -> Option<String> {
        let (source, world, config) = (Source::new(text), Memory::default(), Config::default());
        let mut report = Report::default();
        check(&Context::new(&source, None, &world, &config), &mut report);
        let finding = report.diagnostics.first()?;
        let marked = source.slice(finding.span.clone());
        assert!(marked.chars().all(|dash| dash == '-'), "{marked}");
        Some(apply(text, &finding.fixes[0].edits).unwrap())
    }

    #[test]
    fn hidden_files_are_written_by_another_program() {
        let (source, world) = (Source::new("---\ntopic: 日本: a\n---\n"), Memory::default());
        let config = Config::default();
        for (path, expected) in
            [("specs/log.md", Severity::Warning), ("specs/.log.md", Severity::Hint)]
        {
            let mut report = Report::default();
            check(&Context::new(&source, Some(path.as_ref()), &world, &config), &mut report);
            let found: Vec<_> = report.diagnostics.iter().map(|found| found.severity).collect();
            assert_eq!(found, [expected], "{path}");
        }
    }

    #[test]
    fn plans_are_written_by_an_agent() {
        let source = Source::new("---\noverview: 日本: a\n---\n");
        let (world, config) = (Memory::default().in_folder("/w"), Config::default());
        for (path, expected) in [
            ("/w/.cursor/plans/tea.md", Severity::Hint),
            ("/w/web/.cursor/plans/old/tea.plan.md", Severity::Hint),
            ("/w/.cursor/plan/tea.md", Severity::Warning),
            ("/w/plans/tea.md", Severity::Warning),
        ] {
            let mut report = Report::default();
            check(&Context::new(&source, Some(path.as_ref()), &world, &config), &mut report);
            let found: Vec<_> = report.diagnostics.iter().map(|found| found.severity).collect();
            assert_eq!(found, [expected], "{path}");
        }
    }

    #[test]
    fn front_matter_of_a_skill_that_is_never_closed() {
        assert_eq!(
            mended("---\nname: x\ndescription: y\n\nText.\n").as_deref(),
            Some("---\nname: x\ndescription: y\n---\n\nText.\n")
        );
        assert_eq!(
            mended("\u{feff}---\r\nname: x\r\ndescription: y\r\n\r\nX\r\n").as_deref(),
            Some("\u{feff}---\r\nname: x\r\ndescription: y\r\n---\r\n\r\nX\r\n")
        );
        // Another number of dashes is replaced, but not those that make a sentence a heading.
        let text = |end: &str, body: &str| {
            format!("---\r\nname: 日本\r\ndescription: 🦆\r\n{end}\r\n{body}\r\n----\r\n\r\nX\r\n")
        };
        for dashes in ["--", "-----"] {
            assert_eq!(mended(&text(dashes, "You.")).unwrap(), text("---", "You."));
        }
        let heading = mended(&text("You.", "You.")).unwrap();
        assert!(heading.contains("You.\r\n----\r\n"), "{heading:?}");
        for other in [
            "---\nname: x\n---\n",
            "---\nNote: this\n\nText.\n",
            "---\nname: x\n\nText.\n",
            "---\n\nname: x\ndescription: y\n\nText.\n",
            "name: x\n",
            "---\n# X\n",
            "---\n",
        ] {
            if let Some(mended) = mended(other) {
                panic!("{other:?}: {mended:?}");
            }
        }
    }
}
