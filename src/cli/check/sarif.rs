//! SARIF 2.1.0, the OASIS standard for code scanning.

use std::collections::HashMap;
use std::path::Path;

use serde::Serialize;

use super::json::to_string;
use super::report::{Checked, Range, Reporter, Summary, related_source};
use crate::format;
use crate::rule::{Diagnostic, Rule, Severity};
use crate::source::Source;
use crate::text::Span;

/// A log with one run. The tool is written first, so that results can be streamed.
pub struct Sarif {
    rules: Vec<&'static Rule>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Tool<'a> {
    driver: Driver<'a>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Driver<'a> {
    name: &'a str,
    semantic_version: &'a str,
    information_uri: &'a str,
    rules: Vec<ReportingDescriptor<'a>>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ReportingDescriptor<'a> {
    id: &'a str,
    name: &'a str,
    short_description: Text<'a>,
    help: Text<'a>,
    help_uri: String,
    default_configuration: Configuration,
    properties: Properties<'a>,
}

#[derive(Serialize)]
struct Configuration {
    enabled: bool,
    level: &'static str,
}

#[derive(Serialize)]
struct Properties<'a> {
    tags: [&'a str; 1],
}

/// A `message` or a `multiformatMessageString`: both have plain text, the second may also have
/// Markdown.
#[derive(Serialize)]
struct Text<'a> {
    text: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    markdown: Option<&'a str>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct SarifResult<'a> {
    rule_id: &'a str,
    rule_index: usize,
    level: &'static str,
    message: Text<'a>,
    locations: [Location<'a>; 1],
    partial_fingerprints: Fingerprints,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    related_locations: Vec<Location<'a>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    fixes: Vec<SarifFix<'a>>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Fingerprints {
    primary_location_line_hash: String,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Location<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<usize>,
    physical_location: PhysicalLocation,
    #[serde(skip_serializing_if = "Option::is_none")]
    message: Option<Text<'a>>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct PhysicalLocation {
    artifact_location: Artifact,
    #[serde(skip_serializing_if = "Option::is_none")]
    region: Option<Region>,
}

#[derive(Clone, Serialize)]
#[serde(rename_all = "camelCase")]
struct Artifact {
    uri: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    uri_base_id: Option<&'static str>,
}

/// The end column is exclusive, as here.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Region {
    start_line: usize,
    start_column: usize,
    end_line: usize,
    end_column: usize,
    byte_offset: usize,
    byte_length: usize,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct SarifFix<'a> {
    description: Text<'a>,
    artifact_changes: [ArtifactChange<'a>; 1],
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ArtifactChange<'a> {
    artifact_location: Artifact,
    replacements: Vec<Replacement<'a>>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Replacement<'a> {
    deleted_region: Region,
    inserted_content: Text<'a>,
}

impl<'a> Text<'a> {
    fn plain(text: &'a str) -> Self {
        Self { text, markdown: None }
    }
}

impl Region {
    fn of(source: &Source, span: &Span) -> Self {
        let Range { start, end } = Range::of(source, span);
        Self {
            start_line: start.line,
            start_column: start.column,
            end_line: end.line,
            end_column: end.column,
            byte_offset: start.offset,
            byte_length: end.offset.saturating_sub(start.offset),
        }
    }
}

impl Sarif {
    pub fn new() -> Self {
        Self { rules: format::rules() }
    }

    fn result<'a>(
        &self,
        checked: &'a Checked,
        found: &'a Diagnostic,
        fingerprint: String,
    ) -> SarifResult<'a> {
        let here = artifact(checked.file.nameless, &super::report::relative(&checked.file.path));
        let location = |artifact_location, region| PhysicalLocation { artifact_location, region };
        let related = found.related.iter().enumerate().filter_map(|(index, related)| {
            let (source, _) = related_source(checked, related)?;
            let artifact = related.path.as_deref().map_or_else(
                || here.clone(),
                |path| artifact(false, &super::report::relative(path)),
            );
            let physical_location = location(artifact, Some(Region::of(&source, &related.span)));
            Some(Location {
                id: Some(index + 1),
                physical_location,
                message: Some(Text::plain(&related.message)),
            })
        });
        let fixes = found.fixes.iter().filter(|fix| !fix.edits.is_empty()).map(|fix| SarifFix {
            description: Text::plain(&fix.title),
            artifact_changes: [ArtifactChange {
                artifact_location: here.clone(),
                replacements: fix
                    .edits
                    .iter()
                    .map(|edit| Replacement {
                        deleted_region: Region::of(&checked.source, &edit.span),
                        inserted_content: Text::plain(&edit.text),
                    })
                    .collect(),
            }],
        });
        SarifResult {
            rule_id: found.rule.code,
            rule_index: self.rules.iter().position(|rule| *rule == found.rule).unwrap_or_default(),
            level: level(found.severity),
            message: Text::plain(&found.message),
            locations: [Location {
                id: None,
                physical_location: location(
                    here.clone(),
                    Some(Region::of(&checked.source, &found.span)),
                ),
                message: None,
            }],
            partial_fingerprints: Fingerprints { primary_location_line_hash: fingerprint },
            related_locations: related.collect(),
            fixes: fixes.collect(),
        }
    }
}

impl Reporter for Sarif {
    fn begin(&self) -> String {
        let pages: Vec<String> =
            self.rules.iter().map(|rule| crate::rule::page::standalone(rule)).collect();
        let rules = self.rules.iter().zip(&pages).map(|(rule, page)| ReportingDescriptor {
            id: rule.code,
            name: rule.code,
            short_description: Text::plain(rule.summary),
            help: Text { text: page, markdown: Some(page) },
            help_uri: rule.url(),
            default_configuration: Configuration {
                enabled: !rule.off,
                level: level(rule.severity),
            },
            properties: Properties { tags: [rule.group()] },
        });
        let driver = Driver {
            name: "agentmd",
            semantic_version: env!("CARGO_PKG_VERSION"),
            information_uri: env!("CARGO_PKG_REPOSITORY"),
            rules: rules.collect(),
        };
        format!(
            "{{\"$schema\":\"https://json.schemastore.org/sarif-2.1.0.json\",\"version\":\"2.1.0\",\"runs\":[{{\"tool\":{},\n\"columnKind\":\"unicodeCodePoints\",\"results\":[\n",
            to_string(&Tool { driver })
        )
    }

    fn file(&self, checked: &Checked) -> String {
        let mut seen: HashMap<u64, usize> = HashMap::new();
        // A line may be long and have thousands of findings.
        let (mut line, mut hashes) = (0..0, HashMap::new());
        let results = checked.diagnostics.iter().map(|found| {
            if !line.contains(&found.span.start) {
                line = checked.source.line_span(found.span.start);
                hashes.clear();
            }
            let hash =
                *hashes.entry(found.rule.code).or_insert_with(|| line_hash(&checked.source, found));
            let number = seen.entry(hash).or_default();
            *number += 1;
            to_string(&self.result(checked, found, format!("{hash:016x}:{number}")))
        });
        results.collect::<Vec<_>>().join(",\n")
    }

    fn between(&self) -> &'static str {
        ",\n"
    }

    fn end(&self, _: &Summary) -> String {
        "\n]}]}\n".to_owned()
    }
}

fn level(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Info | Severity::Hint => "note",
    }
}

/// A file as a URI: relative to the source root if it's below it. Text without a file only has a
/// name.
fn artifact(nameless: bool, path: &str) -> Artifact {
    use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
    const KEPT: &AsciiSet =
        &NON_ALPHANUMERIC.remove(b'/').remove(b'-').remove(b'.').remove(b'_').remove(b'~');
    if nameless {
        return Artifact { uri: "stdin".to_owned(), uri_base_id: None };
    }
    if Path::new(path).is_absolute() {
        return Artifact { uri: crate::world::uri(Path::new(path)), uri_base_id: None };
    }
    Artifact { uri: utf8_percent_encode(path, KEPT).to_string(), uri_base_id: Some("%SRCROOT%") }
}

/// A fingerprint that survives moved lines: the code and the text of the line (FNV-1a, the same
/// everywhere).
fn line_hash(source: &Source, found: &Diagnostic) -> u64 {
    let line = source.slice(source.line_span(found.span.start));
    let bytes = found.rule.code.bytes().chain([b'\n']).chain(line.trim().bytes());
    bytes.fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_becomes_a_uri() {
        assert_eq!(artifact(false, "a b/é#1%.md").uri, "a%20b/%C3%A9%231%25.md");
        assert_eq!(
            artifact(false, if cfg!(windows) { "D:/x/a.md" } else { "/x/a.md" }).uri,
            if cfg!(windows) { "file:///d%3A/x/a.md" } else { "file:///x/a.md" }
        );
        assert_eq!(artifact(true, "<stdin>").uri, "stdin");
    }
}
