//! The types of items, how their names are written, and the language of their fences.

/// The types that Agent-Q defines, with their JSON names.
pub const KINDS: [&str; 6] = ["code", "text", "file", "repl-history", "error", "custom"];

/// How each type is displayed: see [`capitalize`].
pub const NAMES: [&str; 6] = ["Code", "Text", "File", "Repl-History", "Error", "Custom"];

/// The purpose of each type, in the order of [`KINDS`].
pub const ABOUT: [&str; 6] = [
    "Lines of a program.",
    "Text of any kind.",
    "A whole file.",
    "Input at a prompt, with its output.",
    "An error message.",
    "Anything else.",
];

/// The displayed form of a type: the first letter of every word in upper case, all others in lower
/// case (AQ-2). Separators stay.
pub fn capitalize(kind: &str) -> String {
    let mut out = String::with_capacity(kind.len());
    let mut inside = false;
    for character in kind.chars() {
        match (character.is_alphanumeric(), inside) {
            (true, false) => out.extend(character.to_uppercase()),
            (true, true) => out.extend(character.to_lowercase()),
            (false, _) => out.push(character),
        }
        inside = character.is_alphanumeric();
    }
    out
}

/// The type that a header shows as `shown`; `None` if Agent-Q has no such type.
pub fn named(shown: &str) -> Option<&'static str> {
    NAMES.into_iter().zip(KINDS).find(|(name, _)| *name == shown).map(|(_, kind)| kind)
}

/// Whether an item of this type has the text of the file that it names. An error only happened
/// there.
pub fn quotes_its_file(kind: &str) -> bool {
    matches!(kind, "code" | "text" | "file")
}

/// The language of an item (AQ-5): that of the file it names, else that of its type.
pub fn language(kind: &str, filename: Option<&str>) -> &'static str {
    let by_file = filename.filter(|_| quotes_its_file(kind) && kind != "text").and_then(of_file);
    by_file.unwrap_or(match kind {
        "code" | "repl-history" => "lisp",
        _ => "text",
    })
}

/// The language of a file, by its name.
pub fn of_file(filename: &str) -> Option<&'static str> {
    let name = filename.rsplit(['/', '\\']).next()?.to_ascii_lowercase();
    let extension = match name.rsplit_once('.') {
        Some((_, extension)) => extension,
        None => name.as_str(),
    };
    LANGUAGES
        .iter()
        .find(|(_, extensions)| extensions.contains(&extension))
        .map(|(language, _)| *language)
}

const LANGUAGES: &[(&str, &[&str])] = &[
    ("lisp", &["lisp", "lsp", "cl", "asd"]),
    ("elisp", &["el"]),
    ("clojure", &["clj", "cljs", "cljc", "edn"]),
    ("scheme", &["scm", "ss", "rkt"]),
    ("bash", &["sh", "bash", "zsh"]),
    ("c", &["c", "h"]),
    ("cpp", &["cpp", "cc", "cxx", "hpp", "hh"]),
    ("csharp", &["cs"]),
    ("css", &["css"]),
    ("diff", &["diff", "patch"]),
    ("dockerfile", &["dockerfile"]),
    ("elixir", &["ex", "exs"]),
    ("erlang", &["erl"]),
    ("go", &["go"]),
    ("haskell", &["hs"]),
    ("html", &["html", "htm"]),
    ("java", &["java"]),
    ("javascript", &["js", "mjs", "cjs"]),
    ("json", &["json"]),
    ("jsx", &["jsx"]),
    ("julia", &["jl"]),
    ("kotlin", &["kt", "kts"]),
    ("lua", &["lua"]),
    ("makefile", &["mk", "makefile"]),
    ("markdown", &["md", "markdown", "mdc", "llmd"]),
    ("nix", &["nix"]),
    ("ocaml", &["ml", "mli"]),
    ("perl", &["pl", "pm"]),
    ("php", &["php"]),
    ("python", &["py", "pyi"]),
    ("r", &["r"]),
    ("ruby", &["rb"]),
    ("rust", &["rs"]),
    ("scala", &["scala"]),
    ("sql", &["sql"]),
    ("swift", &["swift"]),
    ("toml", &["toml"]),
    ("tsx", &["tsx"]),
    ("typescript", &["ts", "mts", "cts"]),
    ("xml", &["xml", "svg"]),
    ("yaml", &["yaml", "yml"]),
    ("zig", &["zig"]),
];
