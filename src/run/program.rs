//! A program and all of its imports, loaded and checked before anything runs.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde_json::Value;

use crate::config::Config;
use crate::format::markdownlang::mention::{self, MentionKind};
use crate::format::markdownlang::program::{Header, ImportKind, ModelConfig, Server};
use crate::format::markdownlang::{self, prompt};
use crate::format::{Context, FORMATS, Model};
use crate::rule::{Report, Severity};
use crate::schema::{self, Compiled};
use crate::source::Source;
use crate::template::render::{Limits, Rendered, render};
use crate::template::{self, node::Template, types::Types};
use crate::text::{Encoding, Span};
use crate::world::World;

/// A program that is ready to run.
#[derive(Debug)]
pub struct Program {
    /// As named by the call or the import.
    pub shown: String,
    pub path: PathBuf,
    pub name: String,
    pub description: String,
    pub model: Option<String>,
    pub input: Contract,
    pub output: Contract,
    pub imports: Vec<Arc<Program>>,
    pub servers: Vec<Server>,
    pub config: ModelConfig,
    /// An example of the input.
    pub sample: Option<Value>,
    /// Its body mentions the tool `python`.
    pub wants_python: bool,
    source: Source,
    template: Template,
    body: String,
    body_start: usize,
}

/// A schema, compiled for validation.
#[derive(Debug)]
pub struct Contract {
    pub schema: Value,
    compiled: Compiled,
}

/// Why a program can't run: `file:line:column: message [code]`.
pub type Flaw = String;

/// The loaded program, with warnings.
#[derive(Debug)]
pub struct Loaded {
    pub program: Arc<Program>,
    pub warnings: Vec<String>,
}

/// The limit of nested imports.
const DEEPEST: usize = 64;
/// The limit of reported errors.
const MOST_FLAWS: usize = 50;
/// Reported for the imported file itself, with its own line.
const TOLD_ELSEWHERE: &str = "markdownlang/invalid-import";

/// Loads a program and all of its imports.
///
/// # Errors
/// Every error that `check` would report, in any of the files. With `lenient`, descriptions are
/// optional.
pub fn load(
    path: &Path,
    shown: &str,
    world: &dyn World,
    lenient: bool,
) -> Result<Loaded, Vec<Flaw>> {
    let mut loader = Loader {
        world,
        lenient,
        open: Vec::new(),
        known: HashMap::new(),
        flaws: Vec::new(),
        warnings: Vec::new(),
    };
    let program = loader.load(path, shown);
    match program {
        Some(program) if loader.flaws.is_empty() => {
            Ok(Loaded { program, warnings: loader.warnings })
        }
        _ => Err(loader.flaws),
    }
}

struct Loader<'a> {
    world: &'a dyn World,
    lenient: bool,
    /// The chain of imports from the first file, by identity.
    open: Vec<PathBuf>,
    known: HashMap<PathBuf, Option<Arc<Program>>>,
    flaws: Vec<Flaw>,
    warnings: Vec<String>,
}

impl Loader<'_> {
    fn load(&mut self, path: &Path, shown: &str) -> Option<Arc<Program>> {
        let identity = self.world.identity(path);
        if let Some(known) = self.known.get(&identity) {
            return known.clone();
        }
        if self.open.contains(&identity) {
            self.flaws.push(format!(
                "{shown}: circular dependency detected: the program imports \
                itself"
            ));
            return None;
        }
        if self.open.len() >= DEEPEST {
            self.flaws.push(format!("{shown}: imports are nested more than {DEEPEST} levels deep"));
            return None;
        }
        self.open.push(identity.clone());
        let program = self.read(path, shown).map(Arc::new);
        self.open.pop();
        self.known.insert(identity, program.clone());
        program
    }

    fn read(&mut self, path: &Path, shown: &str) -> Option<Program> {
        let source = match self.world.read(path) {
            Ok(source) => source,
            Err(error) => {
                self.flaws.push(format!("{shown}: {error}"));
                return None;
            }
        };
        let header = markdownlang::header(&source);
        let is_program = FORMATS
            .iter()
            .any(|format| format.name == "markdownlang" && (format.recognise)(Some(path), &source));
        let Some((body_start, body)) = prompt::body(&source, &header).filter(|_| is_program) else {
            self.flaws.push(format!(
                "{shown}: not a markdownlang program; a program begins with front matter that has \
                    `name`, `description`, `input` and `output`"
            ));
            return None;
        };
        let before = self.flaws.len();
        self.check(path, shown, &source);
        let imports = self.imports(path, shown, &source, &header);
        if self.flaws.len() > before {
            return None;
        }
        let text = |text: &Option<markdownlang::program::Text>| {
            text.as_ref().map(|text| text.text.trim().to_owned()).unwrap_or_default()
        };
        let model = Some(text(&header.model)).filter(|model| !model.is_empty());
        let schemas = header.schemas();
        let (input, output) = (
            contract(schemas.input.as_ref()?.value.clone()),
            contract(schemas.output.as_ref()?.value.clone()),
        );
        let (Some(input), Some(output)) = (input, output) else {
            self.flaws.push(format!(
                "{shown}: its schemas can't be used; run `agentmd check` for \
                    details"
            ));
            return None;
        };
        let wants_python = mention::all(&source).any(|mention| mention.kind == MentionKind::Python);
        let template = template::parse(&body, &[]);
        let servers = header.servers.clone();
        let (name, description, shown) =
            (text(&header.name), text(&header.description), shown.to_owned());
        Some(Program {
            shown,
            path: self.world.identity(path),
            name,
            description,
            model,
            input,
            output,
            imports,
            servers,
            config: header.config.clone(),
            sample: header.sample(),
            wants_python,
            source,
            template,
            body,
            body_start,
        })
    }

    /// The findings of `check` that keep the program from running.
    fn check(&mut self, path: &Path, shown: &str, source: &Source) {
        let config = Config::default();
        let mut report = Report::default();
        let program = markdownlang::read(source, None);
        program.check(&Context::new(source, Some(path), self.world, &config), &mut report);
        report.diagnostics.sort_by_key(|finding| (finding.span.start, finding.span.end));
        for finding in report.diagnostics {
            let error = finding.severity == Severity::Error && !finding.rule.off;
            let tests = markdownlang::concerns_tests(finding.rule);
            if !error
                || tests
                || finding.rule.code == TOLD_ELSEWHERE
                || self.flaws.len() >= MOST_FLAWS
            {
                continue;
            }
            let message = format!(
                "{} [{}]",
                place(shown, source, &finding.span, &finding.message),
                finding.rule.code
            );
            let excused = self.lenient
                && finding.rule.code == "markdownlang/missing-field"
                && finding.message.contains("`description`");
            match excused {
                true => self.warnings.push(message),
                false => self.flaws.push(message),
            }
        }
    }

    fn imports(
        &mut self,
        path: &Path,
        shown: &str,
        source: &Source,
        header: &Header,
    ) -> Vec<Arc<Program>> {
        let mut found: Vec<Arc<Program>> = Vec::new();
        for import in &header.imports {
            match import.kind {
                ImportKind::Stdlib => {
                    let message = format!(
                        "can't import `{}`: there isn't a standard library yet",
                        import.text
                    );
                    self.flaws.push(place(shown, source, &import.span, &message));
                }
                // `check` reports its errors.
                ImportKind::Bare => {}
                ImportKind::Relative | ImportKind::Absolute => {
                    let Some(target) = import.path(path) else { continue };
                    let shown = Path::new(shown).parent().map_or_else(
                        || import.text.clone(),
                        |folder| shorten(&folder.join(&import.text)),
                    );
                    if !self
                        .world
                        .kind(&target)
                        .is_some_and(|kind| kind == crate::world::EntryKind::File)
                    {
                        continue;
                    }
                    if let Some(program) = self.load(&target, &shown)
                        && !found.iter().any(|known| Arc::ptr_eq(known, &program))
                    {
                        found.push(program);
                    }
                }
            }
        }
        found
    }
}

/// `folder/./helper.md` as `folder/helper.md`.
fn shorten(path: &Path) -> String {
    crate::world::slashed(
        &path
            .components()
            .filter(|part| *part != std::path::Component::CurDir)
            .collect::<PathBuf>(),
    )
}

/// `file:line:column: message`, counted from 1, in characters.
fn place(shown: &str, source: &Source, span: &Span, message: &str) -> String {
    let position = source.position(span.start, Encoding::Utf32);
    format!("{shown}:{}:{}: {message}", position.line + 1, position.column + 1)
}

fn contract(schema: Value) -> Option<Contract> {
    let compiled = schema::compile(&schema).ok()?;
    Some(Contract { schema, compiled })
}

impl Contract {
    /// Validation errors with their paths; empty if the value is valid.
    pub fn errors(&self, what: &str, value: &Value) -> Vec<String> {
        self.compiled
            .errors(value)
            .into_iter()
            .map(|error| format!("{what}{}: {}", error.pointer, error.message))
            .collect()
    }

    pub fn allows(&self, value: &Value) -> bool {
        self.compiled.allows(value)
    }
}

impl Program {
    /// The user message: the body rendered with an input. Also returns warnings about missing
    /// values.
    ///
    /// # Errors
    /// If the template can't be rendered.
    pub fn prompt(&self, input: &Value) -> Result<(String, Vec<String>), String> {
        let place = |span: &Span, message: &str| {
            place(
                &self.shown,
                &self.source,
                &(self.body_start + span.start..self.body_start + span.end),
                message,
            )
        };
        let input = Types::new(Some(&self.input.schema)).with_integers(input);
        let Rendered { text, missing } =
            render(&self.template, &self.body, &input, &Limits::default())
                .map_err(|error| place(&error.span, &error.message))?;
        let warnings = missing.iter().map(|span| {
            let pipeline = self
                .body
                .get(span.clone())
                .unwrap_or_default()
                .split_whitespace()
                .collect::<Vec<_>>()
                .join(" ");
            place(span, &format!("`{pipeline}` prints `<no value>`: the input has no value for it"))
        });
        Ok((text, warnings.collect()))
    }
}
