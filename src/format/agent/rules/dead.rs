//! Mentions without a target, which several rules report.

use crate::client::{Kind, Reads, Role};
use crate::format::Context;
use crate::format::agent::forbidden::{MOST_BEFORE, ends_with};
use crate::format::agent::names::{self, Index, Mention, Place, Word};
use crate::format::agent::reading::Read;
use crate::format::agent::subject::Subject;
use crate::format::agent::weight::{Claim, Sign};
use crate::format::agent::{conditions, files};
use crate::rule::{Diagnostic, Fix, Report, Rule, Severity};
use crate::suggestion::did_you_mean;
use crate::text::Edit;
use crate::world::{Knowledge, slashed};

/// A mention that no client of the document can resolve.
#[derive(Debug)]
pub struct Dead {
    pub mention: Mention,
    pub in_front: bool,
    /// The name that was probably meant.
    pub near: Option<String>,
    /// The path, relative to the workspace, of a file with that name that the clients don't read.
    pub elsewhere: Option<String>,
    /// What suggests that it should exist.
    pub sign: Sign,
}

/// The mentions without a target. Nothing is certain before all files are known, or if the name may
/// be in the home folder, in a plugin or in a file that isn't listed.
pub fn find(subject: &Subject, mentions: &[Mention]) -> Vec<Dead> {
    let cx = subject.cx;
    let roles = names::readers(&subject.file);
    let index = Index::of(cx.world);
    let mut found = Vec::new();
    let checked = mentions.iter().filter(|mention| is_checked(mention));
    let mut complete = None;
    let mut seen: Vec<&Word> = Vec::new();
    let mut plugins = names::Plugins::default();
    for mention in checked {
        if (cx.cancelled)() || found.len() >= MOST {
            break;
        }
        let in_front = matches!(mention.place, Place::Front(_));
        if !in_front && seen.contains(&&mention.word) || !is_read(subject, &roles, mention) {
            continue;
        }
        let mut resolved = names::resolve_among(cx, &roles, mention, &plugins);
        let exists = |resolved: &names::Resolved| !resolved.found.is_empty() || resolved.built_in;
        if exists(&resolved) {
            continue;
        }
        if complete.is_none() {
            complete = Some(index.is_complete() || cx.world.knowledge() == Knowledge::Some);
            // The last files may have been read since.
            plugins = names::Plugins::default();
            resolved = names::resolve_among(cx, &roles, mention, &plugins);
        }
        if complete == Some(false) {
            break;
        }
        if exists(&resolved) {
            continue;
        }
        seen.push(&mention.word);
        // If a file with exactly this name exists, it was meant, although the clients don't read
        // it.
        let is_exact = |name: &str| Some(name) == mention.word.name();
        let exact = resolved.elsewhere.iter().any(|declared| declared.names().any(is_exact));
        let similar = names::nearest(cx, &roles, &mention.word)
            .filter(|near| !exact && is_near(mention, near));
        let route = similar.is_some() && may_be_route(mention);
        let near = similar
            .or_else(|| own_name(subject, mention, mentions))
            .or_else(|| prefixed(cx, &roles, mention));
        let certain = match &mention.word {
            Word::Scoped(plugin, name) => {
                near.is_some()
                    || !resolved.elsewhere.is_empty()
                    || in_front && names::plugin_names(cx).contains(plugin)
                    || is_call(subject, mention) && names::lacks(cx, plugin, name)
            }
            Word::Skill(_) | Word::Agent(_) if in_front => {
                near.is_some() || names::has_own(cx, &roles, &mention.word, 1)
            }
            _ => near.is_some(),
        };
        // A skill of another client or project may be copied or linked on purpose.
        // Skills and agents of other plugins are found if those are installed.
        let is_elsewhere = near.is_none()
            && resolved.elsewhere.iter().any(|declared| {
                let plain = matches!(mention.word, Word::Skill(_) | Word::Agent(_));
                let reads = |role: &Role| {
                    role.plugin && roles.iter().any(|own| std::ptr::eq(own.client, role.client))
                };
                !in_front || plain && declared.roles.iter().any(reads)
            });
        if !certain
            || is_elsewhere
            || near.is_none() && is_example(subject, mention)
            || !in_front && is_rejected(subject, mention.span.start)
            || !in_front && files::is_shown(subject, &mention.span)
            || !in_front && files::is_struck(subject.cx.source, mention.span.start)
            || is_agent(cx, mention)
            || names::is_on_disk(cx, &roles, &mention.word)
        {
            continue;
        }
        let elsewhere = resolved.elsewhere.first().map(|declared| shown(cx, &declared.path));
        let others = has_others(cx, &roles, mention, mentions);
        let called = route && near.as_ref().is_some_and(|near| is_called(cx, near, mention));
        let sign = match called {
            true => Sign::None,
            false => Sign::of(near.is_some() && (others || !route), others),
        };
        found.push(Dead { mention: mention.clone(), in_front, near, elsewhere, sign });
    }
    found
}

/// Whether a client that reads the key of a mention uses it: Claude Code runs a skill in an `agent`
/// only with `context: fork`.
fn is_read(subject: &Subject, roles: &[Role], mention: &Mention) -> bool {
    let Place::Front(key) = &mention.place else { return true };
    let mut readers = roles.iter().filter_map(|role| Some((role, role.reads.key(key)?))).peekable();
    readers.peek().is_none()
        || readers.any(|(role, schema)| match &*subject.read(role.reads.reading) {
            Read::Keys(keys) => conditions::unmet(schema, &|key| keys.values.get(key)).is_none(),
            _ => true,
        })
}

/// Whether another name in the same list exists, or another item of the same plugin.
fn has_others(cx: &Context, roles: &[Role], mention: &Mention, all: &[Mention]) -> bool {
    let alike = |other: &&Mention| match (&mention.word, &other.word) {
        (Word::Scoped(plugin, _), Word::Scoped(another, _)) => plugin == another,
        (Word::Skill(_), Word::Skill(_)) | (Word::Agent(_), Word::Agent(_)) => {
            mention.place == other.place
        }
        (Word::Slash(_), Word::Slash(_)) => true,
        _ => false,
    };
    let exists = |other: &Mention| !names::resolve(cx, roles, other).found.is_empty();
    // A project with several agents hands over to its own agents.
    let is_agent = matches!((&mention.word, &mention.place), (Word::Agent(_), Place::Front(_)));
    if is_agent && names::has_own(cx, roles, &mention.word, LEAST_AGENTS) {
        return true;
    }
    // The plugin itself is in the workspace.
    let of_plugin = matches!((&mention.word, &mention.place), (Word::Scoped(..), Place::Front(_)));
    of_plugin || all.iter().filter(alike).take(MOST).any(exists)
}

/// Whether a word after a slash may be the path of a page or a command of a program. This applies
/// to a single word: `/preview` isn't a mistyped `/review` unless the text names other existing
/// commands.
fn may_be_route(mention: &Mention) -> bool {
    matches!((&mention.word, &mention.place), (Word::Slash(name), Place::Body { .. }) if !name.contains('-'))
}

/// Whether the file of a name gives itself the mentioned one: the skill `final-copy` says when to use it as `/finalcopy`.
fn is_called(cx: &Context, name: &str, mention: &Mention) -> bool {
    let Word::Slash(written) = &mention.word else { return false };
    let written = format!("/{written}");
    let mut named = Index::of(cx.world).declarers(cx.world, name).into_iter();
    named.any(|declared| {
        cx.world.read(&declared.path).is_ok_and(|source| {
            let front = source.front_matter().map(|front| source.slice(front.yaml_span));
            front.is_some_and(|text| text.contains(&written))
        })
    })
}

/// Whether the text writes the name of an agent like a command.
fn is_agent(cx: &Context, mention: &Mention) -> bool {
    let Word::Slash(name) = &mention.word else { return false };
    let mut named = Index::of(cx.world).declarers(cx.world, name).into_iter();
    named.any(|declared| declared.kind == Kind::Agent)
}

/// Whether the body writes `/plugin:name` like a command to run, or both names have several words.
/// Others, such as `status:done`, may mean anything.
fn is_call(subject: &Subject, mention: &Mention) -> bool {
    let (Word::Scoped(plugin, name), Place::Body { .. }) = (&mention.word, &mention.place) else {
        return false;
    };
    let start = mention.span.start;
    let slash = start > 0 && subject.cx.source.slice(start - 1..start) == "/";
    slash || plugin.contains('-') && name.contains('-')
}

/// Whether the words around a mention in the body make it an example, or a plan for later.
fn is_example(subject: &Subject, mention: &Mention) -> bool {
    let source = subject.cx.source;
    let line = source.line_span(mention.span.start);
    let after = source.slice(mention.span.end..line.end).to_lowercase();
    let after = after.get(..after.floor_char_boundary(MOST_AFTER)).unwrap_or_default();
    let coming = ["future", "deferred", "planned", "not yet", "upcoming"];
    // `/tea:command` means any command of `tea`.
    let stands_in =
        |word: &Word| matches!(word, Word::Scoped(_, name) if STAND_INS.contains(&name.as_str()));
    matches!(mention.place, Place::Body { .. })
        && (is_introduced(subject, mention.span.start)
            || stands_in(&mention.word)
            || coming.iter().any(|word| after.contains(word)))
}

/// Placeholders for names.
const STAND_INS: &[&str] = &["agent", "command", "command-name", "name", "skill", "skill-name"];

/// Whether the words right before a place introduce an example.
pub fn is_introduced(subject: &Subject, at: usize) -> bool {
    let before = words_before(subject, at);
    let shown = ["e.g.", "e.g", "example", "for instance", "such as", "like"];
    shown.iter().any(|word| before.ends_with(word)) || is_in_example_column(subject, at)
}

/// Whether a place is in a table column whose header says that it has examples.
fn is_in_example_column(subject: &Subject, at: usize) -> bool {
    let source = subject.cx.source;
    let mut line = source.line_span(at);
    let row = source.slice(line.start..at);
    if !row.trim_start().starts_with('|') {
        return false;
    }
    let column = cells(&row).count() - 1;
    let mut head = String::new();
    for _ in 0..MOST_ROWS {
        let text = source.slice(line.clone());
        if !text.trim_start().starts_with('|') {
            break;
        }
        head = text.into_owned();
        let Some(above) = line.start.checked_sub(1) else { break };
        line = source.line_span(above);
    }
    let named = |cell: &str| {
        let cell = cell.to_lowercase();
        ["example", "sample"].iter().any(|word| cell.contains(word))
    };
    cells(&head).nth(column).is_some_and(named)
}

/// The cells of a row, after the text before the first `|`.
fn cells(row: &str) -> impl Iterator<Item = &str> {
    let mut escaped = false;
    row.split(move |letter: char| {
        let ends = letter == '|' && !escaped;
        escaped = letter == '\\' && !escaped;
        ends
    })
}

/// At most this many rows of a table are searched for its header.
const MOST_ROWS: usize = 200;

/// Whether the words right before the path of a file tell the model to write it, so that it need
/// not exist.
pub fn is_output(subject: &Subject, at: usize) -> bool {
    let before = words_before(subject, at);
    WRITES.iter().any(|word| ends_with(&before, word))
        || WRITES_UNSPACED.iter().any(|word| before.ends_with(word))
}

/// Words that tell a model to write a file.
const WRITES: &[&str] = &[
    "output",
    "output file",
    "output to",
    "save to",
    "saved to",
    "save it to",
    "save as",
    "saved as",
    "write to",
    "written to",
    "written as",
    "writes to",
];

/// The same for languages without spaces between words, or with inflected endings.
const WRITES_UNSPACED: &[&str] = &[
    "输出",
    "输出文件",
    "输出到",
    "保存到",
    "保存为",
    "写入",
    "生成",
    "出力",
    "出力先",
    "保存先",
    "출력",
    "출력 파일",
    "저장",
    "저장 위치",
];

/// Whether the words right before a place reject what follows, or call it outdated: `tea:brew`, not
/// `tea:tea-brew`; formerly `/tea`.
fn is_rejected(subject: &Subject, at: usize) -> bool {
    let before = words_before(subject, at);
    let words =
        ["not", "never", "instead of", "rather than", "formerly", "previously", "renamed from"];
    words.iter().any(|word| ends_with(&before, word))
}

/// The words of a line right before a place, without the text of a link.
fn words_before(subject: &Subject, at: usize) -> String {
    let source = subject.cx.source;
    let line = source.line_span(at);
    let before = source.slice(line.start.max(at.saturating_sub(MOST_BEFORE))..at).to_lowercase();
    let before = match before.strip_suffix("](").and_then(|text| text.rsplit_once('[')) {
        Some((before, _)) => before,
        None => before.as_str(),
    };
    before.trim_end_matches([' ', '`', '/', '(', '"', ',', ':', '*', '[']).to_owned()
}

/// This many bytes after a mention are searched for words such as `planned`.
const MOST_AFTER: usize = 80;

/// The name of an item that begins with the name of its plugin: `tea:tea-brew`, if the text says
/// `tea:brew`.
fn prefixed(cx: &Context, roles: &[Role], mention: &Mention) -> Option<String> {
    let Word::Scoped(plugin, name) = &mention.word else { return None };
    let whole = format!("{plugin}-{name}");
    let word = Word::Scoped(plugin.clone(), whole.clone());
    let meant = Mention { word, ..mention.clone() };
    (!names::resolve(cx, roles, &meant).found.is_empty()).then_some(whole)
}

/// The name of the document as a command, if it calls itself by another name throughout:
/// `/ai-report` in `report.md`, `/partition` in `partitioning.md`.
fn own_name(subject: &Subject, mention: &Mention, all: &[Mention]) -> Option<String> {
    let (Word::Slash(name), Place::Body { code: true }) = (&mention.word, &mention.place) else {
        return None;
    };
    let own = subject.file.stem().filter(|_| subject.file.kind == Kind::Command)?;
    let longer = name.strip_suffix(own).is_some_and(|before| before.ends_with('-'));
    let shorter = own.strip_prefix(name.as_str()).is_some_and(|rest| !rest.starts_with('-'));
    let times = || all.iter().filter(|other| other.word == mention.word).count();
    (shorter || longer && times() > 1).then(|| own.to_owned())
}

/// With fewer agents, others may come from elsewhere.
const LEAST_AGENTS: usize = 3;

/// At most this many mentions are reported in one file.
const MOST: usize = 50;

fn is_checked(mention: &Mention) -> bool {
    match (&mention.word, &mention.place) {
        (Word::Skill(name) | Word::Agent(name), Place::Front(_)) => {
            !name.contains(['*', '$', '{', '<', '/'])
        }
        (Word::Scoped(..), Place::Front(_)) => true,
        (Word::Scoped(..), Place::Body { code }) => *code,
        // Short words are often paths of URLs or something else.
        (Word::Slash(name) | Word::Dollar(name), Place::Body { code }) => {
            name.len() >= SHORTEST && (name.contains('-') || *code)
        }
        _ => false,
    }
}

/// Shorter words after a slash are similar to too many names.
const SHORTEST: usize = 5;

/// Whether a similar name is close enough: in running text, names of several words with a wrong
/// letter or a wrong end of a word.
fn is_near(mention: &Mention, near: &str) -> bool {
    let (Place::Body { code }, Some(name)) = (&mention.place, mention.word.name()) else {
        return true;
    };
    if matches!(mention.word, Word::Scoped(..)) {
        return true;
    }
    let joined = name.contains('-') && near.contains('-') && is_mistyped(name, near);
    let distance = strsim::damerau_levenshtein(name, near);
    // If `/plugin` exists, `/plugins` may still be a path.
    let plural = name.strip_suffix('s') == Some(near) || near.strip_suffix('s') == Some(name);
    joined && distance <= 2 || *code && name.len() > SHORTEST && distance <= 1 && !plural
}

/// Whether each word of one name is similar to that of the other: `ci-flow` isn't a `git-flow`.
fn is_mistyped(name: &str, near: &str) -> bool {
    if name.matches('-').count() != near.matches('-').count() {
        return true;
    }
    name.split('-').zip(near.split('-')).all(|(word, other)| {
        let distance = strsim::damerau_levenshtein(word, other);
        distance == 0 || word.len().min(other.len()) > 2 * distance
    })
}

fn shown(cx: &Context, path: &std::path::Path) -> String {
    let root = cx.root();
    slashed(root.as_ref().and_then(|root| path.strip_prefix(root).ok()).unwrap_or(path))
}

/// Whether a client of the document may find a file with this name in a folder that is missing
/// because Git ignores it. In the body, this includes all clients that read the document.
fn is_kept_out(subject: &Subject, dead: &Dead) -> bool {
    let word = &dead.mention.word;
    let (Some(name), Some(root)) = (word.name(), subject.cx.root()) else { return false };
    let of_kind = |reads: &&Reads| word.kinds().contains(&reads.kind);
    let file = &subject.file;
    let readers = if dead.in_front { &file.judged } else { &file.readers };
    let mut places = readers
        .iter()
        .flat_map(|role| role.client.reads.iter().filter(of_kind))
        .flat_map(|reads| &reads.places);
    !matches!(word, Word::Scoped(..))
        && places.any(|place| {
            let folder = place.split_once("/*").map_or("", |(folder, _)| folder);
            let file = place.replace("**/", "").replacen('*', name, 1);
            !folder.is_empty()
                && subject.cx.world.kind(&root.join(folder)).is_none()
                && files::is_ignored_by_git(subject, &root.join(file))
        })
}

/// Reports a mention without a target.
pub fn report<'r>(
    subject: &Subject,
    rule: &'static Rule,
    what: &str,
    dead: &Dead,
    report: &'r mut Report,
) -> &'r mut Diagnostic {
    let written = subject.cx.source.slice(dead.mention.span.clone()).into_owned();
    let mut words = match &dead.mention.word {
        Word::Scoped(plugin, name) => {
            format!("the plugin `{plugin}` has no skill, command or agent `{name}`")
        }
        _ => format!("unknown {what} `{written}`"),
    };
    if let (Some(path), None) = (&dead.elsewhere, &dead.near) {
        words.push_str(&format!(" (the clients of this file don't read `{path}`)"));
    }
    words.push_str(&did_you_mean(dead.near.as_deref()));
    let finding = report.add(rule, dead.mention.span.clone(), words);
    // A file elsewhere in the workspace may be installed where the client reads it.
    let installed = dead.near.is_none() && dead.elsewhere.is_some();
    let uncertain = installed || is_kept_out(subject, dead);
    let claim = if dead.in_front { Claim::Name(dead.sign) } else { Claim::Mention(dead.sign) };
    let severity = if uncertain { Severity::Hint } else { Severity::Warning };
    finding.severity = subject.weigh(claim, severity);
    if let Some(near) = &dead.near {
        let start = match &dead.mention.word {
            Word::Scoped(plugin, _) => dead.mention.span.start + plugin.len() + 1,
            _ => dead.mention.span.start,
        };
        let edits = vec![Edit::replace(start..dead.mention.span.end, near.as_str())];
        finding.fix(Fix::suggestion(format!("Change to `{near}`"), edits));
    }
    finding
}
