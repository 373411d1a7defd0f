//! A path in a sentence that announces an edit: `In src/a.rs:`, ``Update `src/a.rs` as follows``.
//! Ambiguous sentences don't count.

use super::path::is_path;

/// Words before the name of a file to change.
const WORDS: &[&str] = &[
    "a",
    "add",
    "adding",
    "also",
    "and",
    "at",
    "change",
    "changed",
    "changes",
    "changing",
    "create",
    "created",
    "creating",
    "edit",
    "editing",
    "edits",
    "existing",
    "file",
    "finally",
    "first",
    "fix",
    "fixing",
    "following",
    "for",
    "here",
    "in",
    "inside",
    "is",
    "are",
    "modified",
    "modify",
    "modifying",
    "new",
    "next",
    "now",
    "of",
    "on",
    "our",
    "patch",
    "refactor",
    "replace",
    "rewrite",
    "second",
    "the",
    "then",
    "third",
    "this",
    "to",
    "update",
    "updated",
    "updates",
    "updating",
    "within",
    "your",
];

/// File extensions.
const EXTENSIONS: &[&str] = &[
    "adoc",
    "astro",
    "bat",
    "bzl",
    "c",
    "cc",
    "cfg",
    "clj",
    "cljs",
    "cmake",
    "conf",
    "cpp",
    "cs",
    "css",
    "csv",
    "cu",
    "cxx",
    "d",
    "dart",
    "diff",
    "dockerfile",
    "edn",
    "el",
    "elm",
    "env",
    "erb",
    "erl",
    "ex",
    "exs",
    "f90",
    "fish",
    "fs",
    "gd",
    "glsl",
    "go",
    "gql",
    "gradle",
    "graphql",
    "h",
    "hbs",
    "hcl",
    "hpp",
    "hrl",
    "hs",
    "htm",
    "html",
    "hxx",
    "ini",
    "ipynb",
    "java",
    "jl",
    "js",
    "json",
    "json5",
    "jsonc",
    "jsonl",
    "jsx",
    "kt",
    "kts",
    "less",
    "lhs",
    "lisp",
    "lock",
    "log",
    "lua",
    "m",
    "mak",
    "md",
    "mdx",
    "mjs",
    "cjs",
    "mk",
    "ml",
    "mli",
    "mod",
    "mts",
    "cts",
    "nim",
    "nix",
    "nu",
    "odin",
    "org",
    "pas",
    "patch",
    "php",
    "pl",
    "plist",
    "pm",
    "prisma",
    "properties",
    "proto",
    "ps1",
    "pug",
    "purs",
    "py",
    "pyi",
    "pyx",
    "qml",
    "r",
    "rake",
    "rb",
    "res",
    "rmd",
    "rs",
    "rst",
    "sass",
    "sbt",
    "scala",
    "scm",
    "scss",
    "sh",
    "sol",
    "spec",
    "sql",
    "styl",
    "sum",
    "sv",
    "svelte",
    "svg",
    "swift",
    "tcl",
    "tex",
    "tf",
    "tfvars",
    "toml",
    "ts",
    "tsv",
    "tsx",
    "twig",
    "txt",
    "v",
    "vb",
    "vhd",
    "vim",
    "vue",
    "wat",
    "wgsl",
    "xaml",
    "xml",
    "yaml",
    "yml",
    "zig",
    "zsh",
];

/// Whether this is a file extension, without the dot.
pub fn is_extension(text: &str) -> bool {
    text.len() <= 10 && EXTENSIONS.contains(&text.to_ascii_lowercase().as_str())
}

/// Whether files with this extension contain prose.
pub fn is_prose(extension: &str) -> bool {
    matches!(extension, "md" | "mdx" | "markdown" | "rst" | "txt" | "adoc" | "org" | "rmd")
}

/// Whether a sentence about an edit can begin with this word.
pub fn is_word(word: &str) -> bool {
    WORDS.contains(&word.trim_matches([':', ',', '*', '_']).to_ascii_lowercase().as_str())
}

/// The path that a line announces.
pub fn path(text: &str) -> Option<&str> {
    let mut rest = text.trim_start_matches(['#', '*', '-', '>', ' ']);
    let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
    rest = rest
        .get(digits..)
        .and_then(|rest| rest.strip_prefix(". ").or_else(|| rest.strip_prefix(") ")))
        .unwrap_or(rest);
    let mut words = 0;
    while let Some((_, after)) = rest.split_once(' ').filter(|(word, _)| is_word(word)) {
        rest = after.trim_start();
        words += 1;
    }
    let marked = ["**`", "`", "**"].into_iter().find_map(|mark| {
        let (name, after) = rest.strip_prefix(mark)?.split_once(mark.chars().next_back()?)?;
        Some((name, after))
    });
    let name = match marked {
        // More text may follow if it doesn't name another file.
        Some((name, after)) if words > 0 || after.trim_end().ends_with(':') => {
            Some(name).filter(|_| !names_another(after))
        }
        Some(_) => None,
        None if words > 0 => Some(rest.trim_end_matches([':', '.', '*'])),
        None => None,
    };
    // In a code span, a name may contain spaces.
    name.filter(|name| {
        (is_path(name) || marked.is_some() && !name.contains(['<', '>', '|', '"'])) && is_file(name)
    })
}

/// Another path in a code span after the first.
fn names_another(text: &str) -> bool {
    text.split('`').skip(1).step_by(2).any(|code| is_path(code) && is_file(code))
}

fn is_file(path: &str) -> bool {
    path.rsplit(['/', '\\'])
        .next()
        .and_then(|name| name.rsplit_once('.'))
        .is_some_and(|(_, extension)| is_extension(extension))
}
