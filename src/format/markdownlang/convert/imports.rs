//! The programs that a skill calls: `/other-skill`, or a link to one.

use std::path::{Component, Path, PathBuf};

use super::skill::Skill;
use crate::format::agent;
use crate::format::markdownlang::{read, recognise};
use crate::markdown::BlockKind;
use crate::world::{self, World};

/// At most this many files are looked up.
const MOST: usize = 50;

/// The calls of a skill.
#[derive(Debug, Default)]
pub struct Imports {
    /// Paths of programs, in the form of imports.
    pub programs: Vec<String>,
    /// Skills that aren't programs yet: their names and paths.
    pub skills: Vec<(String, String)>,
}

/// The existing files that the skill calls; paths are relative to `from`.
pub fn find(
    skill: &Skill,
    from: Option<&Path>,
    world: &dyn World,
    notes: &mut Vec<String>,
) -> Imports {
    let mut found = Imports::default();
    let Some(from) = from else { return found };
    let mut names = vec![skill.name.clone()];
    let linked = links(&skill.body)
        .into_iter()
        .map(|path| (path.clone(), vec![world::resolve(from, &path)]));
    let called = calls(skill).into_iter().map(|name| {
        let places = ["./{}.md", "./{}/SKILL.md", "../{}/SKILL.md", "../{}/{}.md", "../{}.md"];
        (
            format!("/{name}"),
            places
                .iter()
                .map(|place| world::resolve(from, &place.replace("{}", &name)))
                .collect::<Vec<PathBuf>>(),
        )
    });
    for (name, places) in called.chain(linked).take(MOST) {
        let there = places
            .into_iter()
            .filter(|path| path != from)
            .find_map(|path| Some((world.read(&path).ok()?, path)));
        let Some((source, path)) = there else { continue };
        let Some(written) = relative(from, &path) else { continue };
        // This path may be a skill rather than a program.
        let skill = (agent::FORMAT.recognise)(Some(&path), &source);
        let program =
            (!skill && recognise::recognise(Some(&path), &source)).then(|| read(&source, None));
        match program.and_then(|program| program.name.clone()) {
            Some(own) if names.contains(&own.text) => {}
            Some(own) => {
                names.push(own.text);
                found.programs.push(written);
            }
            None if is_skill(&path) && found.skills.iter().all(|(_, known)| *known != written) => {
                notes.push(format!("it calls `{name}`, but `{written}` is not a program yet; convert that too, then import it"));
                found.skills.push((name, written));
            }
            None => {}
        }
    }
    found
}

fn is_skill(path: &Path) -> bool {
    path.file_name().is_some_and(|name| name.eq_ignore_ascii_case("SKILL.md"))
}

/// The names after `/` in calls of commands: at the start of a word, outside code blocks.
fn calls(skill: &Skill) -> Vec<String> {
    let code: Vec<_> = skill
        .blocks
        .iter()
        .filter(|block| matches!(block.kind, BlockKind::Code { .. }))
        .map(|block| block.span.clone())
        .collect();
    let mut found: Vec<String> = Vec::new();
    for at in memchr::memchr_iter(b'/', skill.body.as_bytes()) {
        let before = skill.body.get(..at).and_then(|before| before.chars().next_back());
        if !before.is_none_or(|before| {
            before.is_whitespace() || matches!(before, '`' | '(' | '"' | '\'' | '*')
        }) {
            continue;
        }
        let rest = skill.body.get(at + 1..).unwrap_or_default();
        let length = rest
            .find(|next: char| {
                !(next.is_ascii_lowercase()
                    || next.is_ascii_digit()
                    || matches!(next, '-' | '_' | ':'))
            })
            .unwrap_or(rest.len());
        let name = rest.get(..length).unwrap_or_default().trim_end_matches([':', '-']);
        let behind = rest.get(name.len()..).and_then(|behind| behind.chars().next());
        let path = behind.is_some_and(|next| {
            matches!(next, '/' | '.')
                && !rest
                    .get(name.len() + 1..)
                    .is_none_or(|rest| rest.starts_with([' ', '\n', '\r']))
        });
        let fits = name.len() > 1
            && name.len() <= 64
            && !path
            && name.starts_with(|first: char| first.is_ascii_lowercase());
        let index = code.partition_point(|span| span.end <= at);
        let in_code = code.get(index).is_some_and(|span| span.start <= at);
        if fits && !in_code && found.len() < MOST && found.iter().all(|known| known != name) {
            found.push(name.to_owned());
        }
    }
    found
}

/// Relative paths to Markdown files in links.
fn links(body: &str) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    for (at, _) in body.match_indices("](") {
        let rest = body.get(at + 2..).unwrap_or_default();
        let near = rest.get(..rest.floor_char_boundary(300)).unwrap_or_default();
        let Some((target, _)) = near.split_once(')') else { continue };
        let target = target.split('#').next().unwrap_or_default().trim();
        let relative = !target.contains("://")
            && !target.starts_with('/')
            && !target.contains(char::is_whitespace);
        if relative
            && Path::new(target).extension().is_some_and(|end| end.eq_ignore_ascii_case("md"))
            && found.len() < MOST
            && !found.iter().any(|known| known == target)
        {
            found.push(target.to_owned());
        }
    }
    found
}

/// The path of a file in the form of an import in the file `from`.
fn relative(from: &Path, to: &Path) -> Option<String> {
    let folder: Vec<Component> = from.parent()?.components().collect();
    let target: Vec<Component> = to.components().collect();
    let shared = folder.iter().zip(&target).take_while(|(a, b)| a == b).count();
    let up = folder.len() - shared;
    let mut parts: Vec<String> = vec![if up == 0 { ".".to_owned() } else { "..".to_owned() }];
    parts.extend(std::iter::repeat_n("..".to_owned(), up.saturating_sub(1)));
    for part in target.get(shared..)? {
        let Component::Normal(name) = part else { return None };
        parts.push(name.to_str()?.to_owned());
    }
    Some(parts.join("/"))
}
