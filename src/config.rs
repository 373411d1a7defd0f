//! Settings: severities of rules, formats of files. Their JSON Schema and their page in `docs/` are
//! generated from these types.

pub mod kinds;
pub mod overrides;
pub mod sync;
mod words;

use std::collections::{BTreeMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use globset::{Glob, GlobSet, GlobSetBuilder};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::client::Client;
use crate::rule::{Rule, Severity};
use crate::text::Span;
use kinds::{Kinds, OwnKind};
use sync::SyncEntry;

/// The file with a project's settings; searched from a document's folder upwards.
pub const FILE_NAME: &str = "agentmd.toml";

/// Settings of agentmd, from `agentmd.toml` or from an editor (section `agentmd`).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct Options {
    /// Rules to report, by code (`markdownlang/unknown-field`) or group (`markdownlang`). Empty:
    /// all that are on by default.
    pub select: Vec<String>,
    /// Rules not to report, by code or group.
    pub ignore: Vec<String>,
    /// The severity of single rules; `off` turns a rule off, any other value turns it on.
    pub rules: BTreeMap<String, Level>,
    /// Files and folders that `check` and the workspace index skip (globs relative to the folder of
    /// the settings file). `check` skips them in folders and in lists of `--files-from`; a file that
    /// is named as an argument is checked, unless you add `--force-exclude`.
    pub exclude: Vec<String>,
    /// The format of files whose path and content don't determine it: glob to format name.
    pub formats: BTreeMap<String, String>,
    /// The clients that your agent files are for (`claude-code`, `copilot`, `codex`, …): files are
    /// only checked for these. Empty: clients whose own folders or files are in the workspace.
    pub clients: Vec<String>,
    /// Kinds of files of your own, by glob, with a JSON Schema of their front matter.
    pub kinds: Vec<OwnKind>,
    /// How many tokens your agent files may cost.
    pub budget: Budget,
    /// Agent files that `agentmd sync` keeps in step with their copies for other clients.
    pub sync: Vec<SyncEntry>,
    /// Whether editors show the types of variables and of the dot in templates as inlay hints. On
    /// unless `false`.
    pub inlay_hints: bool,
    /// Whether editors show the selector of each heading after it. Off unless `true`.
    pub selector_hints: bool,
    /// Whether editors show above headings and programs how often they are referred to. Off unless
    /// `true`.
    pub reference_lenses: bool,
    /// Whether VS Code shows findings of agentmd that its own check of prompts, agents, instructions
    /// and skills reports as well.
    pub vscode_doubles: bool,
    /// The maximum number of findings per document in editors, errors first: 250 unless set, `0`
    /// for no limit. `agentmd check` reports all.
    pub max_findings: usize,
    /// Prices of models for `agentmd run`, by name, in dollars per million tokens. They take
    /// precedence over the list that agentmd knows.
    pub prices: BTreeMap<String, Price>,
    /// Settings for some files only; later ones take precedence.
    pub overrides: Vec<Override>,
}

/// Editors receive all of them again on every key press, which costs more than finding them.
const MAX_FINDINGS: usize = 250;

impl Default for Options {
    fn default() -> Self {
        Self {
            select: Vec::new(),
            ignore: Vec::new(),
            rules: BTreeMap::new(),
            exclude: Vec::new(),
            formats: BTreeMap::new(),
            clients: Vec::new(),
            kinds: Vec::new(),
            budget: Budget::default(),
            sync: Vec::new(),
            inlay_hints: true,
            selector_hints: false,
            reference_lenses: false,
            vscode_doubles: false,
            max_findings: MAX_FINDINGS,
            prices: BTreeMap::new(),
            overrides: Vec::new(),
        }
    }
}

/// How many tokens agent files may cost.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct Budget {
    /// The most tokens that any client may load before it does anything, counted as a quarter of
    /// the bytes; `0` for no limit.
    pub always: usize,
}

/// Settings for the files that match.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct Override {
    /// Globs relative to the folder of the settings file.
    pub files: Vec<String>,
    /// Rules not to report, by code or group.
    pub ignore: Vec<String>,
    /// The severity of single rules.
    pub rules: BTreeMap<String, Level>,
}

/// What a model costs, in dollars per million tokens.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Price {
    /// For the prompt.
    #[schemars(range(min = 0))]
    pub input: f64,
    /// For the reply.
    #[schemars(range(min = 0))]
    pub output: f64,
}

/// The severity of a rule, or `off`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Level {
    Off,
    Hint,
    Info,
    Warning,
    Error,
}

impl Level {
    fn severity(self) -> Option<Severity> {
        match self {
            Self::Off => None,
            Self::Hint => Some(Severity::Hint),
            Self::Info => Some(Severity::Info),
            Self::Warning => Some(Severity::Warning),
            Self::Error => Some(Severity::Error),
        }
    }
}

/// Loaded settings with compiled globs, for the documents of one folder.
#[derive(Debug, Clone, Default)]
pub struct Config {
    /// The base folder of globs.
    root: PathBuf,
    options: Options,
    select: HashSet<String>,
    ignore: HashSet<String>,
    exclude: GlobSet,
    formats: Vec<(GlobSet, String)>,
    overrides: Vec<Overriding>,
    kinds: Kinds,
    /// The file that the settings come from.
    file: Option<PathBuf>,
}

/// A compiled [`Override`].
#[derive(Debug, Clone)]
struct Overriding {
    files: GlobSet,
    ignore: HashSet<String>,
    rules: BTreeMap<String, Level>,
}

/// Every path is matched against every glob.
const MOST_GLOBS: usize = 1000;
/// Every rule consults every override.
const MOST_OVERRIDES: usize = 200;

/// Why settings can't be used.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum ConfigError {
    #[error("{}: {message}", path.display())]
    File { path: PathBuf, message: String },
    #[error("`{glob}` is not a glob: {message}")]
    Glob { glob: String, message: String },
    #[error("the settings are not valid: {0}")]
    Options(String),
    #[error("the price {price} of `{model}` must be a number of dollars, 0 or more")]
    Price { model: String, price: f64 },
    #[error("more than {most} {what}")]
    TooMany { what: &'static str, most: usize },
}

impl Config {
    /// # Errors
    /// If a glob is invalid, or there are too many of them.
    pub fn new(root: PathBuf, options: Options) -> Result<Self, ConfigError> {
        let count = options.exclude.len()
            + options.formats.len()
            + options.kinds.iter().map(|item| item.files.len()).sum::<usize>()
            + options.overrides.iter().map(|item| item.files.len()).sum::<usize>();
        if count > MOST_GLOBS {
            return Err(ConfigError::TooMany { what: "globs", most: MOST_GLOBS });
        }
        if options.overrides.len() > MOST_OVERRIDES {
            return Err(ConfigError::TooMany { what: "overrides", most: MOST_OVERRIDES });
        }
        for (model, price) in &options.prices {
            let usable = |price: &f64| price.is_finite() && *price >= 0.0;
            if let Some(price) =
                [price.input, price.output].into_iter().find(|price| !usable(price))
            {
                return Err(ConfigError::Price { model: model.clone(), price });
            }
        }
        let names = |list: &[String]| list.iter().cloned().collect();
        let (select, ignore) = (names(&options.select), names(&options.ignore));
        let exclude = globs(&options.exclude)?;
        let formats = options
            .formats
            .iter()
            .map(|(glob, format)| Ok((globs(std::slice::from_ref(glob))?, format.clone())))
            .collect::<Result<_, _>>()?;
        let overriding = |item: &Override| {
            Ok(Overriding {
                files: globs(&item.files)?,
                ignore: names(&item.ignore),
                rules: item.rules.clone(),
            })
        };
        let overrides = options.overrides.iter().map(overriding).collect::<Result<_, _>>()?;
        let read = |path: &Path| crate::world::read_rules(path).map_err(|error| error.to_string());
        let kinds = Kinds::new(&root, &options.kinds, &read);
        Ok(Self { root, options, select, ignore, exclude, formats, overrides, kinds, file: None })
    }

    /// Parses settings from an editor: JSON in the shape of [`Options`]; `null` means none.
    ///
    /// # Errors
    /// If the shape or a glob is wrong.
    pub fn from_json(root: PathBuf, value: serde_json::Value) -> Result<Self, ConfigError> {
        let options = if value.is_null() {
            Options::default()
        } else {
            serde_json::from_value(value)
                .map_err(|error| ConfigError::Options(words::plain(&error.to_string(), "")))?
        };
        Self::new(root, options)
    }

    /// Reads a settings file; its globs are relative to its folder.
    ///
    /// # Errors
    /// If the file can't be read or its content is invalid.
    pub fn from_file(path: &Path) -> Result<Self, ConfigError> {
        let text = crate::world::read_rules(path).map_err(|error| ConfigError::File {
            path: path.to_owned(),
            message: error.to_string(),
        })?;
        Self::from_text(path, &text)
    }

    /// The settings in the text of a settings file.
    ///
    /// # Errors
    /// If the content is invalid.
    pub fn from_text(path: &Path, text: &str) -> Result<Self, ConfigError> {
        let wrong = |message: String| ConfigError::File { path: path.to_owned(), message };
        let options = toml::from_str(text).map_err(|error| wrong(complaint(text, &error)))?;
        let root = path.parent().unwrap_or(Path::new("")).to_owned();
        let mut config = Self::new(root, options).map_err(|error| wrong(error.to_string()))?;
        config.file = Some(path.to_owned());
        Ok(config)
    }

    /// The same settings file with other options.
    ///
    /// # Errors
    /// As [`Config::new`].
    pub fn with(&self, options: Options) -> Result<Self, ConfigError> {
        Ok(Self { file: self.file.clone(), ..Self::new(self.root.clone(), options)? })
    }

    /// The user's own prices of models.
    pub fn prices(&self) -> &BTreeMap<String, Price> {
        &self.options.prices
    }

    /// The file that the settings come from.
    pub fn file(&self) -> Option<&Path> {
        self.file.as_deref()
    }

    /// The user's own kinds: the files that they depend on, and their mistakes.
    pub fn kinds(&self) -> &Kinds {
        &self.kinds
    }

    /// The user's own kinds that a file belongs to.
    pub fn own_kinds<'a>(&'a self, path: &Path) -> impl Iterator<Item = &'a Client> + use<'a> {
        self.kinds.of(path.strip_prefix(&self.root).unwrap_or(path))
    }

    /// The settings file for the documents of `folder`: the nearest one upwards.
    pub fn find(folder: &Path) -> Option<PathBuf> {
        Self::candidates(folder).find(|path| path.is_file())
    }

    /// The possible places of a settings file, nearest first.
    pub fn candidates(folder: &Path) -> impl Iterator<Item = PathBuf> {
        folder.ancestors().map(|folder| folder.join(FILE_NAME))
    }

    /// The folder of the settings; empty if unknown.
    pub fn root(&self) -> &Path {
        &self.root
    }

    fn relative<'a>(&self, path: &'a Path) -> &'a Path {
        path.strip_prefix(&self.root).unwrap_or(path)
    }

    /// Whether `check` and the index skip this file or folder.
    pub fn excludes(&self, path: &Path) -> bool {
        self.exclude.is_match(self.relative(path))
    }

    /// Whether a walk skips a file or folder: the settings of the folder around it decide.
    pub fn skips(path: &Path, of: impl FnOnce(&Path) -> Option<Arc<Self>>) -> bool {
        path.parent().and_then(of).is_some_and(|config| config.excludes(path))
    }

    /// The format that the settings assign to a file.
    pub fn format_of(&self, path: &Path) -> Option<&str> {
        let relative = self.relative(path);
        self.formats
            .iter()
            .rev()
            .find(|(globs, _)| globs.is_match(relative))
            .map(|(_, format)| format.as_str())
            // Files of the user's own kinds have the front matter of agent files.
            .or_else(|| self.kinds.of(relative).next().map(|_| "agent"))
    }

    /// The severity of a rule's findings in a file; `None` if they are not reported.
    pub fn severity(&self, rule: &Rule, path: Option<&Path>) -> Option<Severity> {
        match self.level(rule, path) {
            Some(level) => level.severity(),
            None => Some(rule.severity),
        }
    }

    /// The severity that the settings give a rule's findings in a file; `None` if they leave it to the
    /// rule, or turn it off. A rule may give single findings another severity than its own.
    pub fn chosen_severity(&self, rule: &Rule, path: Option<&Path>) -> Option<Severity> {
        self.level(rule, path)?.severity()
    }

    /// The level that the settings give a rule in a file; `None` if they don't mention it and it's
    /// on.
    fn level(&self, rule: &Rule, path: Option<&Path>) -> Option<Level> {
        let names =
            |list: &HashSet<String>| list.contains(rule.code) || list.contains(rule.group());
        let selected = if self.select.is_empty() { !rule.off } else { names(&self.select) };
        let of = |rules: &BTreeMap<String, Level>| {
            rules.get(rule.code).or_else(|| rules.get(rule.group())).copied()
        };
        let on = selected && !names(&self.ignore);
        let mut level = of(&self.options.rules).or((!on).then_some(Level::Off));
        let Some(path) = path.map(|path| self.relative(path)) else { return level };
        for item in self.overrides.iter().filter(|item| item.files.is_match(path)) {
            if names(&item.ignore) {
                level = Some(Level::Off);
            }
            level = of(&item.rules).or(level);
        }
        level
    }

    pub fn options(&self) -> &Options {
        &self.options
    }

    /// The JSON Schema of [`Options`], for editors and for `docs/`.
    pub fn schema() -> serde_json::Value {
        // A comment's line breaks aren't part of the description.
        let join = |schema: &mut schemars::Schema| {
            if let Some(serde_json::Value::String(description)) = schema.get_mut("description") {
                let paragraphs = description.split("\n\n").map(|text| text.replace('\n', " "));
                *description = paragraphs.collect::<Vec<_>>().join("\n\n");
            }
        };
        let deeply = schemars::transform::RecursiveTransform(join);
        let settings = schemars::generate::SchemaSettings::default().with_transform(deeply);
        settings.into_generator().into_root_schema_for::<Options>().into()
    }
}

/// The span of a value or an entry, cut to its first line.
fn first_line(text: &str, span: Span) -> Span {
    let end = text.get(span.clone()).and_then(|value| value.find('\n'));
    span.start..end.map_or(span.end, |length| span.start + length)
}

/// The error in a file, on one line, with its position.
fn complaint(text: &str, error: &toml::de::Error) -> String {
    let written = error.span().and_then(|span| text.get(span)).unwrap_or_default();
    let message = words::plain(error.message().trim_end_matches('.'), written).replace('\n', ", ");
    let Some(span) = error.span() else { return message };
    let before = text.get(..span.start).unwrap_or_default();
    let line = before.matches('\n').count() + 1;
    let column = before.chars().rev().take_while(|character| *character != '\n').count() + 1;
    format!("line {line}, column {column}: {message}")
}

/// A glob below the folder of the settings file: `./docs`, `/docs` and `docs` mean the same.
fn rooted(pattern: &str) -> Result<&str, ConfigError> {
    let mut glob = pattern;
    while let Some(rest) = glob.strip_prefix("./").or_else(|| glob.strip_prefix('/')) {
        glob = rest;
    }
    let mut depth = 0_usize;
    let leads_out = glob.split('/').any(|part| match part {
        ".." => depth.checked_sub(1).map(|less| depth = less).is_none(),
        _ => {
            depth += 1;
            false
        }
    });
    let message = match glob {
        "" | "." => "it names no files",
        _ if glob.starts_with('!') => "a glob can't be an exception",
        _ if leads_out => "leads out of the folder of the settings",
        _ => return Ok(glob),
    };
    Err(ConfigError::Glob { glob: pattern.to_owned(), message: message.to_owned() })
}

fn globs(patterns: &[String]) -> Result<GlobSet, ConfigError> {
    let mut set = GlobSetBuilder::new();
    for written in patterns {
        let pattern = rooted(written)?;
        let glob = Glob::new(pattern).map_err(|error| ConfigError::Glob {
            glob: written.clone(),
            message: error.kind().to_string(),
        })?;
        set.add(glob);
        // `vendor` and `vendor/` mean the folder and everything in it.
        if !pattern.ends_with('*')
            && let Ok(below) = Glob::new(&format!("{}/**", pattern.trim_end_matches('/')))
        {
            set.add(below);
        }
    }
    set.build().map_err(|error| ConfigError::Glob {
        glob: patterns.join(", "),
        message: error.to_string(),
    })
}
