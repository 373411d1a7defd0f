//! Reasons to ask the author before a reply changes a file. Each kind has a name, so you can
//! consent to one kind and not to the others.

use std::path::{Path, PathBuf};

use super::{FileChange, names};
use crate::world::World;

/// A kind of doubt.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// The match is likely, not exact.
    Fuzzy,
    /// The file is executable.
    Program,
    /// Git ignores the file.
    Ignored,
    /// The file may contain secrets.
    Secret,
    /// The file runs automatically: on a push, a commit or an install.
    Ci,
    /// The user of the conversation didn't agree to the edits.
    Declined,
}

impl Kind {
    pub const ALL: [Self; 6] =
        [Self::Fuzzy, Self::Program, Self::Ignored, Self::Secret, Self::Ci, Self::Declined];

    /// Its name in `--allow`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Fuzzy => "fuzzy",
            Self::Program => "program",
            Self::Ignored => "ignored",
            Self::Secret => "secret",
            Self::Ci => "ci",
            Self::Declined => "declined",
        }
    }

    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }
}

/// The kinds of doubt that an author has accepted.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Consent(Vec<Kind>);

impl Consent {
    pub fn to_all() -> Self {
        Kind::ALL.into_iter().collect()
    }

    pub fn covers(&self, kind: Kind) -> bool {
        self.0.contains(&kind)
    }

    pub fn kinds(&self) -> &[Kind] {
        &self.0
    }
}

impl FromIterator<Kind> for Consent {
    fn from_iter<T: IntoIterator<Item = Kind>>(kinds: T) -> Self {
        Self(kinds.into_iter().collect())
    }
}

/// One reason to ask about a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Doubt {
    pub kind: Kind,
    /// A property of the file, such as "is executable".
    pub what: &'static str,
}

/// A question about a change that wasn't made.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Ask {
    pub doubts: Vec<Doubt>,
    /// The change as a unified diff.
    pub diff: String,
}

impl Ask {
    /// The kinds of doubt as `--allow` takes them.
    pub fn kinds(&self) -> String {
        let mut kinds: Vec<Kind> = self.doubts.iter().map(|doubt| doubt.kind).collect();
        kinds.sort_unstable();
        kinds.dedup();
        kinds.into_iter().map(Kind::name).collect::<Vec<_>>().join(",")
    }
}

impl Doubt {
    pub const LIKELY: Self =
        Self { kind: Kind::Fuzzy, what: "has only a likely place for this edit" };
    pub const INFERRED: Self = Self {
        kind: Kind::Fuzzy,
        what: "has no undo record, so its previous content is inferred from the reply",
    };
    pub const DECLINED: Self =
        Self { kind: Kind::Declined, what: "is edited by a turn that the user declined" };
    pub const PROGRAM: Self = Self { kind: Kind::Program, what: "is executable" };
    const IGNORED: Self =
        Self { kind: Kind::Ignored, what: "is ignored by git, which cannot restore it" };
    const SECRET: Self = Self { kind: Kind::Secret, what: "may contain secrets" };
}

const WORKFLOW: &str = "is a CI workflow";
const HOOK: &str = "is a git hook";
const SETUP: &str = "runs when the package is installed or built";
const SCRIPTS: &str = "changes package scripts";
const EDITOR: &str = "starts programs when the folder is opened";
const AGENT: &str = "starts programs for coding agents";

/// Files that run automatically, by the end of their paths: `*` matches any name, `**` any path
/// below. Letter case is ignored.
const RUNS: &[(&str, &str)] = &[
    (".github/workflows/**", WORKFLOW),
    (".github/actions/**", WORKFLOW),
    // An action has this name in any folder.
    ("action.yml", WORKFLOW),
    ("action.yaml", WORKFLOW),
    (".gitea/workflows/**", WORKFLOW),
    (".forgejo/workflows/**", WORKFLOW),
    (".gitlab-ci.yml", WORKFLOW),
    (".gitlab-ci.yaml", WORKFLOW),
    (".gitlab/ci/**", WORKFLOW),
    (".circleci/**", WORKFLOW),
    ("azure-pipelines.yml", WORKFLOW),
    ("azure-pipelines.yaml", WORKFLOW),
    (".azure-pipelines/**", WORKFLOW),
    ("jenkinsfile", WORKFLOW),
    (".buildkite/**", WORKFLOW),
    ("bitbucket-pipelines.yml", WORKFLOW),
    (".travis.yml", WORKFLOW),
    ("appveyor.yml", WORKFLOW),
    (".appveyor.yml", WORKFLOW),
    (".drone.yml", WORKFLOW),
    (".woodpecker.yml", WORKFLOW),
    (".woodpecker.yaml", WORKFLOW),
    (".woodpecker/**", WORKFLOW),
    (".cirrus.yml", WORKFLOW),
    (".semaphore/**", WORKFLOW),
    (".teamcity/**", WORKFLOW),
    (".builds/*.yml", WORKFLOW),
    (".build.yml", WORKFLOW),
    ("cloudbuild.yaml", WORKFLOW),
    ("buildspec.yml", WORKFLOW),
    (".husky/**", HOOK),
    (".githooks/**", HOOK),
    (".git-hooks/**", HOOK),
    ("lefthook.yml", HOOK),
    ("lefthook.yaml", HOOK),
    ("lefthook.toml", HOOK),
    ("lefthook.json", HOOK),
    (".lefthook.yml", HOOK),
    (".lefthook.yaml", HOOK),
    (".lefthook/**", HOOK),
    (".pre-commit-config.yaml", HOOK),
    (".pre-commit-config.yml", HOOK),
    (".overcommit.yml", HOOK),
    (".lintstagedrc", HOOK),
    (".lintstagedrc.*", HOOK),
    ("lint-staged.config.*", HOOK),
    (".simple-git-hooks.*", HOOK),
    ("simple-git-hooks.*", HOOK),
    ("build.rs", SETUP),
    ("setup.py", SETUP),
    ("binding.gyp", SETUP),
    (".pnpmfile.cjs", SETUP),
    (".cargo/config.toml", SETUP),
    (".cargo/config", SETUP),
    (".vscode/tasks.json", EDITOR),
    (".devcontainer.json", EDITOR),
    (".devcontainer/**", EDITOR),
    (".mcp.json", AGENT),
    (".vscode/mcp.json", AGENT),
    (".cursor/mcp.json", AGENT),
    (".cursor/hooks.json", AGENT),
    (".gemini/settings.json", AGENT),
    (".claude/settings.json", AGENT),
    (".claude/settings.local.json", AGENT),
    (".github/hooks/**", AGENT),
    (".codex/config.toml", AGENT),
];

/// Names that git runs from a hooks folder.
const HOOKS: &[&str] = &[
    "applypatch-msg",
    "commit-msg",
    "fsmonitor-watchman",
    "post-applypatch",
    "post-checkout",
    "post-commit",
    "post-merge",
    "post-receive",
    "post-rewrite",
    "post-update",
    "pre-applypatch",
    "pre-auto-gc",
    "pre-commit",
    "pre-merge-commit",
    "pre-push",
    "pre-rebase",
    "pre-receive",
    "prepare-commit-msg",
    "push-to-checkout",
    "reference-transaction",
    "sendemail-validate",
    "update",
];

/// Manifests, and their fields whose commands run automatically: some on an install, others when CI
/// calls them. The file doesn't show which.
const MANIFESTS: &[(&str, &[&str])] = &[
    (
        "package.json",
        &["scripts", "husky", "lint-staged", "simple-git-hooks", "pre-commit", "gypfile"],
    ),
    ("composer.json", &["scripts"]),
];

/// Every reason to ask before making a change.
pub fn of(world: &dyn World, root: &Path, change: &FileChange) -> Vec<Doubt> {
    let mut found = Vec::new();
    // A symlink hides its target, and the root itself may be a workflows folder.
    let real = world.real(&change.path).ok();
    let root = world.real(root).unwrap_or_else(|_| root.to_owned());
    let written = root.join(&change.name);
    let mut paths: Vec<&PathBuf> = [&written, &change.path].into_iter().chain(&real).collect();
    paths.dedup();
    if paths
        .iter()
        .any(|path| path.file_name().is_some_and(|name| names::is_secret(&name.to_string_lossy())))
    {
        found.push(Doubt::SECRET);
    }
    let protection = world.protection(&change.path);
    let elsewhere = real.as_ref().filter(|real| **real != change.path);
    if protection.ignored || elsewhere.is_some_and(|real| world.protection(real).ignored) {
        found.push(Doubt::IGNORED);
    }
    if protection.executable || change.executable {
        found.push(Doubt::PROGRAM);
    }
    let runs = paths
        .iter()
        .find_map(|path| runs(path))
        .or_else(|| paths.iter().any(|path| touches_scripts(path, change)).then_some(SCRIPTS));
    found.extend(runs.map(|what| Doubt { kind: Kind::Ci, what }));
    found
}

/// What runs the file automatically, if anything.
fn runs(path: &Path) -> Option<&'static str> {
    let parts: Vec<String> =
        path.iter().map(|part| part.to_string_lossy().to_lowercase()).collect();
    let hook = match parts.as_slice() {
        [.., folder, name] => {
            matches!(folder.as_str(), "hooks" | ".hooks" | "git-hooks" | "githooks")
                && HOOKS.contains(&name.as_str())
        }
        _ => false,
    };
    let known = RUNS.iter().find(|(pattern, _)| ends_like(&parts, pattern)).map(|(_, what)| *what);
    known.or_else(|| hook.then_some(HOOK))
}

/// Whether a path ends as a pattern of [`RUNS`] requires.
fn ends_like(parts: &[String], pattern: &str) -> bool {
    let (pattern, below) =
        pattern.strip_suffix("/**").map_or((pattern, false), |folder| (folder, true));
    let length = pattern.split('/').count();
    let like = |window: &[String]| {
        window.iter().zip(pattern.split('/')).all(|(part, wanted)| match wanted.split_once('*') {
            None => part == wanted,
            Some((start, end)) => {
                part.len() >= start.len() + end.len()
                    && part.starts_with(start)
                    && part.ends_with(end)
            }
        })
    };
    if below {
        // The folder itself isn't one of its files.
        let folders = parts.split_last().map_or(&[][..], |(_, folders)| folders);
        folders.windows(length).any(like)
    } else {
        parts.len().checked_sub(length).and_then(|first| parts.get(first..)).is_some_and(like)
    }
}

/// Whether a change to a manifest affects commands that run automatically.
fn touches_scripts(path: &Path, change: &FileChange) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy().to_lowercase();
    let Some((_, fields)) = MANIFESTS.iter().find(|(manifest, _)| *manifest == name) else {
        return false;
    };
    let read = |text: &Option<String>| match text {
        None => Some(serde_json::Value::Null),
        Some(text) => {
            serde_json::from_str::<serde_json::Value>(text.trim_start_matches('\u{feff}')).ok()
        }
    };
    match (read(&change.before), read(&change.after)) {
        // A deleted package doesn't run anything.
        _ if change.after.is_none() => false,
        (Some(before), Some(after)) => {
            fields.iter().any(|field| before.get(field) != after.get(field))
        }
        // Other parsers may accept a file that this one rejects.
        _ => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::world::Memory;

    fn change(name: &str, before: Option<&str>, after: Option<&str>) -> FileChange {
        FileChange::new(Path::new("/w").join(name), name, before, after)
    }

    fn kinds(name: &str, before: Option<&str>, after: Option<&str>) -> Vec<Kind> {
        of(&Memory::default(), Path::new("/w"), &change(name, before, after))
            .into_iter()
            .map(|doubt| doubt.kind)
            .collect()
    }

    #[test]
    fn files_that_run_automatically_need_consent() {
        for name in [
            ".github/workflows/ci.yml",
            ".GitHub/Workflows/deep/ci.yml",
            ".github/actions/setup/index.js",
            "packages/a/.circleci/config.yml",
            ".gitlab-ci.yml",
            "azure-pipelines.yml",
            "Jenkinsfile",
            ".buildkite/pipeline.yml",
            "bitbucket-pipelines.yml",
            ".husky/pre-commit",
            ".githooks/x",
            "tools/hooks/pre-push",
            "lefthook.yml",
            ".pre-commit-config.yaml",
            "crates/a/build.rs",
            "setup.py",
            "lint-staged.config.js",
            ".vscode/tasks.json",
            "api/.devcontainer/Dockerfile",
            ".mcp.json",
            ".claude/settings.local.json",
            ".cargo/config.toml",
        ] {
            assert_eq!(kinds(name, None, Some("x")), [Kind::Ci], "{name}");
        }
        for name in [
            "src/hooks/useThing.ts",
            "hooks/README.md",
            ".github/CODEOWNERS",
            ".github/workflows",
            "workflows/ci.yml",
            "Makefile",
            "src/build.rs.md",
            "my-setup.py",
            "circleci/x",
            ".vscode/settings.json",
            ".claude/skills/a/SKILL.md",
            "mcp.json",
        ] {
            assert_eq!(kinds(name, None, Some("x")), [], "{name}");
        }
    }

    #[test]
    fn changed_package_scripts_need_consent() {
        let manifest = |scripts: &str, version: &str| {
            format!("{{\"version\":\"{version}\",\"scripts\":{{{scripts}}}}}")
        };
        let old = manifest("\"test\":\"x\"", "1");
        for (before, after, asked) in [
            (Some(old.as_str()), Some(manifest("\"test\":\"x\"", "2")), false),
            (Some(&old), Some(manifest("\"test\":\"x\",\"postinstall\":\"curl\"", "1")), true),
            (Some(&old), Some("{}".to_owned()), true),
            (Some(&old), Some("{ not json".to_owned()), true),
            (Some(&old), None, false),
            (None, Some("{\"name\":\"a\"}".to_owned()), false),
            (None, Some(old.clone()), true),
        ] {
            assert_eq!(
                !kinds("sub/package.json", before, after.as_deref()).is_empty(),
                asked,
                "{after:?}"
            );
        }
        assert_eq!(kinds("package-lock.json", None, Some(&old)), []);
    }
}
