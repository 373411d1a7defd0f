use super::super::field::{FIELDS, Holds, Key};
use super::super::program::Field;
use super::RuleContext;
use super::context::is_null;
use super::skeleton;
use crate::declare_rule;
use crate::rule::{Fix, Report};
use crate::suggestion::closest;
use crate::text::Edit;
use crate::yaml::{self, ErrorKind};

declare_rule! {
    /// A required field is missing or empty.
    ///
    /// A program needs four fields: `name` and `description` identify it for other programs and the
    /// model, `input` is the schema of its input, `output` the schema of its result. Without one of
    /// them it doesn't run. The fix takes the name from the file and the description from the first
    /// sentence of the body.
    ///
    /// ````markdown bad
    /// ---
    /// name: greet
    /// input: { type: object, properties: { who: { type: string } }, required: [who] }
    /// output: { type: object, properties: { text: { type: string } }, required: [text] }
    /// ---
    ///
    /// Greet {{ .who }}.
    /// ````
    ///
    /// ````markdown good
    /// ---
    /// name: greet
    /// description: Greets a person
    /// input: { type: object, properties: { who: { type: string } }, required: [who] }
    /// output: { type: object, properties: { text: { type: string } }, required: [text] }
    /// ---
    ///
    /// Greet {{ .who }}.
    /// ````
    pub static RULE = "markdownlang/missing-field", Error, "Missing or empty required field";
}

pub fn check(context: &RuleContext, report: &mut Report) {
    // Other rules report values that aren't mappings, and empty front matter.
    if context.root().is_none() {
        return;
    }
    for key in FIELDS.iter().filter(|key| key.required) {
        match (context.field(key.name), stands_for(context, key)) {
            (Some(field), _) => empty(context, key, field, report),
            (None, Some(field)) => misspelt(key, field, report),
            (None, None) if !is_begun(context, key) => missing(context, key, report),
            (None, None) => {}
        }
    }
}

/// The unknown field that was probably meant as this missing one.
pub fn stands_for<'a>(context: &'a RuleContext, key: &Key) -> Option<&'a Field> {
    if !key.required || context.field(key.name).is_some() {
        return None;
    }
    let absent = absent(context);
    let mut unknown = context.fields.iter().filter(|field| {
        FIELDS.iter().all(|known| known.name != field.key.text) && !field.key.text.starts_with("x-")
    });
    unknown.find(|field| closest(&field.key.text, absent.iter().copied()) == Some(key.name))
}

/// The names of the missing fields.
pub fn absent(context: &RuleContext) -> Vec<&'static str> {
    FIELDS
        .iter()
        .filter(|known| context.field(known.name).is_none())
        .map(|known| known.name)
        .collect()
}

/// Whether a line that isn't valid YAML is the start of this field.
fn is_begun(context: &RuleContext, key: &Key) -> bool {
    context.tree().errors.iter().any(|error| {
        let line = context.text(&error.span).lines().next().unwrap_or_default();
        let word = line.split(':').next().unwrap_or_default().trim();
        error.kind == ErrorKind::MissingColon
            && closest(word, FIELDS.iter().map(|known| known.name)) == Some(key.name)
    })
}

fn misspelt(key: &Key, field: &Field, report: &mut Report) {
    let name = key.name;
    let message = format!("unknown field `{}`; did you mean `{name}`?", field.key.text);
    let finding = report.add(&RULE, field.key.span.clone(), message);
    finding.fix(Fix::suggestion(
        format!("Rename to `{name}`"),
        vec![Edit::replace(field.key.span.clone(), name)],
    ));
}

fn missing(context: &RuleContext, key: &Key, report: &mut Report) {
    let name = key.name;
    let message = format!("missing field `{name}`; {}", advice(key));
    let finding = report.add(&RULE, context.opening(), message);
    let (value, snippet) = value(context, key);
    let insert = |value: &str| context.edits(insertion(context, name, value));
    let (edits, snippets) = (insert(&value), insert(&snippet));
    if let ([edit], [snippet]) = (edits.as_slice(), snippets.as_slice()) {
        finding.fix(
            Fix::suggestion(format!("Insert `{name}`"), vec![edit.clone()])
                .with_snippet(snippet.text.clone()),
        );
    }
}

fn empty(context: &RuleContext, key: &Key, field: &Field, report: &mut Report) {
    let Some(entry) = context.entry(key.name) else { return };
    let Some(node) = context.anchors.follow(&entry.value) else { return };
    let blank =
        key.holds == Holds::Text && node.as_str().is_some_and(|text| text.trim().is_empty());
    if !is_null(node) && !blank {
        return;
    }
    let span = if field.value.is_empty() { field.key.span.clone() } else { field.value.clone() };
    let finding = report.add(&RULE, span, format!("empty field `{}`; {}", key.name, advice(key)));
    let value = match key.holds {
        Holds::Text => value(context, key).0.trim_start().to_owned(),
        _ => "{ type: object, properties: {} }".to_owned(),
    };
    let edits = match entry.value.is_absent() {
        true => vec![Edit::insert(entry.value.span.start, format!(" {value}"))],
        false => yaml::replace_value(entry, &value),
    };
    finding.fix(Fix::suggestion(format!("Fill in `{}`", key.name), context.edits(edits)));
}

fn advice(key: &Key) -> &'static str {
    match key.name {
        "name" => "add the program's name",
        "description" => "add one sentence about the program",
        "input" => "add the JSON Schema of the input",
        _ => "add the JSON Schema of the result",
    }
}

/// The value for the field, and the same with placeholders.
fn value(context: &RuleContext, key: &Key) -> (String, String) {
    let body = context.front.as_ref().map_or(0, |front| front.span.end);
    match key.name {
        "name" => {
            let name = skeleton::name(context.cx.path);
            let snippet = format!("${{1:{name}}}");
            (name, snippet)
        }
        "description" => {
            let text = yaml::print_scalar(&skeleton::description(context.cx.source));
            let snippet = format!("${{1:{}}}", skeleton::escape(&text));
            (text, snippet)
        }
        "input" => {
            let schema = skeleton::schema(&skeleton::variables(context.cx.source, body));
            let snippet = format!("{}$0", skeleton::escape(&schema));
            (schema, snippet)
        }
        _ => {
            let snippet = "\n  type: object\n  properties:\n    ${1:result}: { type: ${2:string} \\}\n  required: [${1:result}]".to_owned();
            (skeleton::schema(&["result".to_owned()]), snippet)
        }
    }
}

/// Inserts a field after those that usually come before it.
fn insertion(context: &RuleContext, name: &str, value: &str) -> Vec<Edit> {
    let Some(root) = context.root() else { return Vec::new() };
    let before = FIELDS
        .iter()
        .take_while(|field| field.name != name)
        .filter(|field| root.get(field.name).is_some())
        .last();
    if let (None, false, Some(first)) = (before, root.flow, root.entries.first()) {
        let space = if value.starts_with('\n') { "" } else { " " };
        let line = context
            .yaml
            .get(..first.span.start)
            .and_then(|text| text.rfind('\n'))
            .map_or(0, |at| at + 1);
        let indent = context.yaml.get(line..first.span.start).unwrap_or_default();
        let newline = context.cx.source.line_break();
        return vec![Edit::insert(
            first.span.start,
            format!("{name}:{space}{value}\n{indent}").replace('\n', newline),
        )];
    }
    yaml::insert_entry(
        &context.yaml,
        context.tree(),
        &[],
        name,
        value,
        before.map(|field| field.name),
    )
}
