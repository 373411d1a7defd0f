//! The rules of front matter: one file each, one line in the list.

mod bare_import;
mod circular_import;
mod coerced_scalar;
mod compat_dotdot_import;
pub(in crate::format) mod compat_lenient_delimiter;
mod delimiter;
mod disabled_server;
mod duplicate_import;
mod duplicate_key;
mod duplicate_server_name;
mod import_not_found;
mod invalid_config;
mod invalid_import;
mod invalid_name;
mod invalid_sample;
mod invalid_server_name;
mod mangled_tool_name;
mod missing_field;
mod missing_server_name;
mod missing_transport;
mod name_collision;
mod python_unavailable;
mod reserved_name;
mod schema;
mod server_url;
pub(super) mod skeleton;
mod stdlib_import;
mod string_boolean;
pub(in crate::format) mod suite;
mod context;
mod template;
mod tool_name_collision;
mod two_transports;
mod types;
mod unknown_field;
mod unknown_output_field;
mod unknown_server;
mod unknown_server_field;
mod unknown_transport;
mod unused_import;
mod wrong_type;
mod yaml_syntax;

use std::sync::Arc;

use super::program::Program;
use super::suite::Subject;
use crate::config::Config;
use crate::format::Context;
use crate::format::fences::rules::indented_fence;
use crate::rule::kept::Kept;
use crate::rule::{Diagnostic, Report, Rule};
use crate::source::Source;
use crate::text::Span;
use crate::world::Memory;
pub(super) use context::{RuleContext, is_tool_name, slug};
pub(super) use schema::weighed::Suggested;
use types::compat_sanitized_key;
pub(super) use types::unused_input::Unread;
pub(super) use unknown_output_field::{Fields, Named};

type Check = fn(&RuleContext, &mut Report);

/// The rules whose findings depend on the front matter alone. They see nothing else.
static FRONT_RULES: &[(&Rule, Check)] = &[
    (&yaml_syntax::RULE, yaml_syntax::check),
    (&duplicate_key::RULE, duplicate_key::check),
    (&unknown_field::RULE, unknown_field::check),
    (&wrong_type::RULE, wrong_type::check),
    (&coerced_scalar::RULE, coerced_scalar::check),
    (&invalid_config::RULE, invalid_config::check),
    (&invalid_sample::RULE, invalid_sample::check),
    (&string_boolean::RULE, string_boolean::check),
    (&invalid_name::RULE, invalid_name::check),
    (&reserved_name::RULE, reserved_name::check),
    (&stdlib_import::RULE, stdlib_import::check),
    (&missing_server_name::RULE, missing_server_name::check),
    (&invalid_server_name::RULE, invalid_server_name::check),
    (&duplicate_server_name::RULE, duplicate_server_name::check),
    (&missing_transport::RULE, missing_transport::check),
    (&two_transports::RULE, two_transports::check),
    (&server_url::RULE, server_url::check),
    (&unknown_transport::RULE, unknown_transport::check),
    (&unknown_server_field::RULE, unknown_server_field::check),
    (&compat_dotdot_import::RULE, compat_dotdot_import::check),
    (&compat_lenient_delimiter::RULE, compat_lenient_delimiter::check),
    (&compat_sanitized_key::RULE, compat_sanitized_key::check),
];

static RULES: &[(&Rule, Check)] = &[
    (&delimiter::RULE, delimiter::check),
    (&missing_field::RULE, missing_field::check),
    (&bare_import::RULE, bare_import::check),
    (&import_not_found::RULE, import_not_found::check),
    (&duplicate_import::RULE, duplicate_import::check),
    (&circular_import::RULE, circular_import::check),
    (&invalid_import::RULE, invalid_import::check),
    (&name_collision::RULE, name_collision::check),
    (&tool_name_collision::RULE, tool_name_collision::check),
    (&unused_import::RULE, unused_import::check),
    (&disabled_server::RULE, disabled_server::check),
    (&unknown_server::RULE, unknown_server::check),
    (&mangled_tool_name::RULE, mangled_tool_name::check),
    (&python_unavailable::RULE, python_unavailable::check),
    (&unknown_output_field::RULE, unknown_output_field::check),
    (&indented_fence::RULE, |context, report| indented_fence::check(context.cx, report)),
];

fn front_rules() -> impl Iterator<Item = &'static (&'static Rule, Check)> {
    FRONT_RULES.iter().chain(schema::RULES)
}

fn rules() -> impl Iterator<Item = &'static (&'static Rule, Check)> {
    RULES.iter().chain(template::RULES).chain(types::RULES)
}

/// Every rule of the format.
pub fn all() -> Vec<&'static Rule> {
    let of_units = types::UNIT_RULES.iter().map(|(rule, _)| *rule);
    let of_front = front_rules().map(|(rule, _)| *rule);
    of_front.chain(rules().map(|(rule, _)| *rule)).chain(of_units).chain(suite::all()).collect()
}

/// Reports every finding of a program: YAML mistakes hide all others.
pub(super) fn check(program: &Program, cx: &Context, report: &mut Report) {
    if !program.header.read_schemas(cx.cancelled) {
        return;
    }
    let context = RuleContext::new(program, cx);
    let first = report.diagnostics.len();
    if !front(program, cx, report) {
        return;
    }
    for (_, check) in rules() {
        let before = report.diagnostics.len();
        check(&context, report);
        if (cx.cancelled)() {
            // The rule may have seen an incomplete analysis.
            report.diagnostics.truncate(before);
            return;
        }
    }
    types::check_units(&context, report);
    if let Some(subject) = Subject::of_program(cx, program) {
        suite::check(&subject, report);
    }
    for finding in
        report.diagnostics.iter_mut().skip(first).filter(|finding| finding.span.is_empty())
    {
        finding.span = visible(cx.source, finding.span.start);
    }
    let mut index = 0;
    report.diagnostics.retain(|finding| {
        index += 1;
        index <= first
            || *finding.rule == yaml_syntax::RULE
            || *finding.rule == delimiter::RULE
            || !context.is_broken(&finding.span)
    });
}

/// The findings of [`front_rules`], cached with the front matter.
#[derive(Debug)]
pub struct FrontFindings {
    found: Arc<Kept>,
    /// Findings with empty spans, for which editors may underline text after the front matter.
    loose: Vec<Diagnostic>,
}

/// Reports the findings about the front matter alone. Returns false if cancelled.
fn front(program: &Program, cx: &Context, report: &mut Report) -> bool {
    if program.header.front.is_none() {
        return true;
    }
    let findings = match program.header.found.get() {
        Some(known) => known,
        None => match FrontFindings::new(program, cx) {
            Some(new) => program.header.found.get_or_init(|| new),
            None => return false,
        },
    };
    report.keep(0, &findings.found);
    report.diagnostics.extend(findings.loose.iter().cloned());
    true
}

impl FrontFindings {
    /// `None` if cancelled.
    fn new(program: &Program, cx: &Context) -> Option<Self> {
        let source = cx.source.part(0..1);
        let (config, world) = (Config::default(), Memory::default());
        let alone = Program {
            header: Arc::clone(&program.header),
            body: Arc::default(),
            checked: Arc::default(),
        };
        let cx = Context {
            source: &source,
            path: None,
            world: &world,
            config: &config,
            cancelled: cx.cancelled,
        };
        let context = RuleContext::new(&alone, &cx);
        let mut report = Report::default();
        for (_, check) in front_rules() {
            check(&context, &mut report);
            if (cx.cancelled)() {
                return None;
            }
        }
        report
            .diagnostics
            .retain(|found| *found.rule == yaml_syntax::RULE || !context.is_broken(&found.span));
        let (loose, found) =
            report.diagnostics.into_iter().partition(|found| found.span.is_empty());
        Some(Self { found: Arc::new(Kept::new(0, found)), loose })
    }
}

/// A character to underline for an empty span: the one at `offset`, else the one before it.
fn visible(source: &Source, offset: usize) -> Span {
    let line = source.line_span(offset);
    let before = source.slice(line.start.min(offset)..offset);
    match source.slice(offset..line.end.max(offset)).chars().next() {
        Some(next) => offset..offset + next.len_utf8(),
        None => offset - before.chars().next_back().map_or(0, char::len_utf8)..offset,
    }
}
