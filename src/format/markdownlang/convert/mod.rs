//! From a skill (`SKILL.md`) to a program (MDL-35): the skill's prose about its parameters, its
//! result, its tools and the skills that it calls becomes front matter; the text stays, with values
//! in place of its placeholders.
//!
//! Nothing of a skill is lost: text that fits no key of the front matter becomes a comment.

mod body;
mod imports;
mod infer;
mod item;
mod output;
mod parameter;
mod parameters;
mod servers;
mod skill;
mod write;

use std::path::Path;

use super::recognise;
use crate::format::front_matter;
use crate::source::Source;
use crate::text::Edit;
use crate::world::World;
use skill::Skill;

/// A program that was converted from a skill.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Conversion {
    /// The edits of the skill's text, in order.
    pub edits: Vec<Edit>,
    /// Notes for the author, in the form of messages.
    pub notes: Vec<String>,
}

/// Converts a skill. `path` is its path, `target` that of the program: its imports are relative to
/// that.
///
/// # Errors
/// If the text isn't a skill; the error says why.
pub fn convert(
    source: &Source,
    path: Option<&Path>,
    target: Option<&Path>,
    world: &dyn World,
) -> Result<Conversion, String> {
    if recognise::recognise(path, source) {
        return Err("this is already a markdownlang program".to_owned());
    }
    let skill = Skill::read(source, path);
    let mut notes = Vec::new();
    let found = parameters::find(&skill);
    if found.guessed {
        notes
            .push("the skill doesn't say what it takes: `input` is `request`, a string".to_owned());
    }
    let output = output::find(&skill, &mut notes);
    let servers = servers::find(&skill, &mut notes);
    let imports = imports::find(&skill, target.or(path), world, &mut notes);
    let keys = skill.dropped();
    if !keys.is_empty() {
        notes.push(format!("no counterpart, kept as comments: `{}`", keys.join("`, `")));
    }
    let front = write::front_matter(&skill, &found.parameters, &output, &servers, &imports);
    let mut front = format!("---\n{front}---\n").replace('\n', skill.newline);
    if !skill.body.is_empty() && !skill.body.starts_with(['\n', '\r']) {
        front.push_str(skill.newline);
    }
    let mut edits = vec![Edit::replace(0..skill.start, front)];
    edits.extend(front_matter::shifted(body::edits(&skill, &found), skill.start));
    Ok(Conversion { edits, notes })
}

#[cfg(test)]
mod tests;
