//! Rename: a property in the schema and in the body, a definition, a variable, a template.

use super::{identifier, references, templates, variables};
use crate::answer::{FileEdit, Renamable};
use crate::format::Context;
use crate::format::markdownlang::Program;
use crate::format::markdownlang::subject::{self, Mention, MentionKind, Subject, SubjectKind};
use crate::schema::{pointer, renamed_reference};
use crate::template::part::PartKind;
use crate::text::{Edit, Span};
use crate::yaml::{self, Style};

mod expression;

type Refusal = String;

/// The name at `offset`, if it can be renamed.
pub fn renamable(program: &Program, cx: &Context, offset: usize) -> Option<Renamable> {
    let named = |span: Span| Renamable { name: cx.source.slice(span.clone()).into_owned(), span };
    if let Some((subject, span)) = subject::at(program, cx, offset) {
        let mention =
            subject.mentions(program, cx).into_iter().find(|mention| mention.span == span)?;
        let span = references::bare(cx, &mention);
        let whole = !span.is_empty() && span.start <= offset && offset <= span.end;
        // A name with escapes isn't literally in the text.
        return (whole && *cx.source.slice(span.clone()) == subject.name).then(|| named(span));
    }
    let found = program.part_at(offset)?;
    match found.kind {
        PartKind::Variable(..) if !variables::of(program, cx, offset).is_empty() => {
            Some(named(found.span))
        }
        PartKind::Template(name, _) => {
            let span = templates::inside(&found.span);
            let whole = span.start <= offset
                && offset <= span.end
                && *cx.source.slice(span.clone()) == name.value;
            (whole && !span.is_empty()).then(|| named(span))
        }
        _ => None,
    }
}

/// The edits that rename the thing at `offset`; `None` if `offset` is on something else.
pub fn rename(
    program: &Program,
    cx: &Context,
    offset: usize,
    name: &str,
) -> Option<Result<Vec<FileEdit>, Refusal>> {
    let edits = match subject::at(program, cx, offset) {
        Some((subject, _)) => return Some(subject_files(program, cx, &subject, name)),
        None => match program.part_at(offset)?.kind {
            PartKind::Variable(..) => variable_edits(program, cx, offset, name)?,
            PartKind::Template(old, _) => template_edits(program, cx, &old.value, name),
            _ => return None,
        },
    };
    Some(edits.map(|edits| vec![FileEdit { path: None, edits }]))
}

/// The edits of the program and of its tests.
fn subject_files(
    program: &Program,
    cx: &Context,
    subject: &Subject,
    name: &str,
) -> Result<Vec<FileEdit>, Refusal> {
    let edits = subject_edits(program, cx, subject, name)?;
    if edits.is_empty() {
        return Ok(Vec::new());
    }
    let mut files = vec![FileEdit { path: None, edits }];
    for file in subject.elsewhere(program, cx) {
        if file.others.contains(name) {
            return Err(taken(subject, name));
        }
        let own = Context { source: &file.source, path: Some(&file.path), ..*cx };
        let mut edits = Vec::new();
        for mention in &file.mentions {
            edits.extend(mention_edit(&own, mention, &subject.name, name)?);
        }
        files.push(FileEdit { path: Some(file.path), edits });
    }
    Ok(files)
}

fn taken(subject: &Subject, name: &str) -> Refusal {
    match subject.kind {
        SubjectKind::Property(_) => {
            format!("the property `{name}` already exists next to `{}`", subject.name)
        }
        SubjectKind::Definition(_) => format!("the definition `{name}` already exists"),
    }
}

fn subject_edits(
    program: &Program,
    cx: &Context,
    subject: &Subject,
    name: &str,
) -> Result<Vec<Edit>, Refusal> {
    let old = &subject.name;
    if name == old {
        return Ok(Vec::new());
    }
    if name.trim().is_empty() {
        return Err(format!("the new name of `{old}` must not be empty"));
    }
    if name.contains(|character: char| character.is_control()) {
        return Err("a name must not contain line breaks or other control characters".to_owned());
    }
    if subject.is_taken(program, name) || subject.is_taken_in_values(program, name) {
        return Err(taken(subject, name));
    }
    let mentions = subject.mentions(program, cx);
    let mut edits = Vec::new();
    for mention in &mentions {
        edits.extend(mention_edit(cx, mention, old, name)?);
    }
    let fields: Vec<Span> = mentions
        .into_iter()
        .filter(|mention| mention.kind == MentionKind::Use { quoted: false })
        .map(|mention| mention.span)
        .collect();
    match identifier(name) {
        true => edits.extend(fields.into_iter().map(|span| Edit::replace(span, name))),
        false => edits.extend(expression::indexed(program, &fields, name)),
    }
    Ok(edits)
}

/// The edit of a mention other than a field after a dot.
fn mention_edit(
    cx: &Context,
    mention: &Mention,
    old: &str,
    name: &str,
) -> Result<Option<Edit>, Refusal> {
    let edit = |text: String| Ok(Some(Edit::replace(mention.span.clone(), text)));
    match &mention.kind {
        MentionKind::Alias => {
            Err(format!("the name `{old}` comes from an alias; change it at the anchor"))
        }
        MentionKind::Scalar { style, flow, .. } => edit(scalar(name, *style, *flow)?),
        MentionKind::Reference { text, target, depth, style, flow } => {
            match renamed_reference(text, target, *depth, name) {
                Some(text) => edit(scalar(&text, *style, *flow)?),
                None => Ok(None),
            }
        }
        MentionKind::Pointer { text, depths, style } => {
            let mut steps = pointer::to_path(text);
            for depth in depths {
                if let Some(step) = steps.get_mut(*depth) {
                    name.clone_into(step);
                }
            }
            edit(scalar(&pointer::from_path(&steps), *style, true)?)
        }
        MentionKind::Use { quoted: false } => Ok(None),
        MentionKind::Use { quoted: true } => {
            let raw = mention.span.start > 0
                && cx.source.text().get_byte(mention.span.start - 1) == Some(b'`');
            if raw && name.contains('`') {
                return Err(
                    "a name with a backtick cannot be written between the backticks of the body"
                        .to_owned(),
                );
            }
            let quoted = go_string(name);
            edit(if raw {
                name.to_owned()
            } else {
                quoted.get(1..quoted.len() - 1).unwrap_or_default().to_owned()
            })
        }
    }
}

/// A name in YAML, with its previous quotes or the ones that it needs.
fn scalar(name: &str, style: Style, flow: bool) -> Result<String, Refusal> {
    Ok(match style {
        Style::SingleQuoted => format!("'{}'", name.replace('\'', "''")),
        Style::DoubleQuoted => match yaml::quote(name) {
            quoted if quoted.starts_with('"') => quoted,
            _ => format!("\"{}\"", name.replace('\\', "\\\\").replace('"', "\\\"")),
        },
        Style::Plain if flow => yaml::print_flow_scalar(name),
        Style::Plain => yaml::print_scalar(name),
        Style::Literal | Style::Folded => {
            return Err(
                "the name is a block of text in the schema; write it on one line first".to_owned()
            );
        }
    })
}

/// A string constant of Go.
pub fn go_string(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

fn variable_edits(
    program: &Program,
    cx: &Context,
    offset: usize,
    name: &str,
) -> Option<Result<Vec<Edit>, Refusal>> {
    let mentions = variables::of(program, cx, offset);
    let old = mentions.first()?.name.clone();
    let new = format!("${}", name.strip_prefix('$').unwrap_or(name));
    if new == old {
        return Some(Ok(Vec::new()));
    }
    if !new
        .strip_prefix('$')
        .is_some_and(|name| !name.is_empty() && name.chars().all(super::is_name_character))
    {
        return Some(Err(format!(
            "`{new}` is not a valid variable name; use letters, digits and `_`"
        )));
    }
    let renamed =
        |span: &Span| mentions.iter().any(|mention| mention.span == *span).then_some(new.as_str());
    let (before, after) = (variables::all(program, cx), variables::renamed(program, cx, &renamed));
    let same =
        before.iter().zip(&after).all(|(before, after)| before.declaration == after.declaration);
    Some(match same {
        true => Ok(mentions
            .iter()
            .map(|mention| Edit::replace(mention.span.clone(), new.clone()))
            .collect()),
        false => Err(format!("the variable `{new}` already exists where `{old}` is used")),
    })
}

fn template_edits(
    program: &Program,
    cx: &Context,
    old: &str,
    name: &str,
) -> Result<Vec<Edit>, Refusal> {
    if name == old {
        return Ok(Vec::new());
    }
    if name.is_empty() || name.contains(|character: char| character.is_control()) {
        return Err("the name of a template must be on one line".to_owned());
    }
    if templates::names(program, cx).iter().any(|other| other == name) {
        return Err(format!("the template `{name}` already exists"));
    }
    let edit = |(span, _): (Span, bool)| {
        let raw = cx.source.slice(span.clone()).starts_with('`') && !name.contains('`');
        Edit::replace(span, if raw { format!("`{name}`") } else { go_string(name) })
    };
    Ok(templates::mentions(program, cx, old).into_iter().map(edit).collect())
}
