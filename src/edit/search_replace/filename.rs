//! Whether text that is shaped like a path is the name of a file, also of one that doesn't exist
//! yet: headings and labels contain products, symbols, routes and commands that look the same.

use super::announcement::is_extension;
use super::path::is_bare_name;

/// Calls that look like files.
const CALLS: &[&str] = &["console.log", "logger.log", "math.log"];
/// Names of products that look like files.
const PRODUCTS: &[&str] = &[
    ".net",
    "adonis.js",
    "alpine.js",
    "asp.net",
    "babylon.js",
    "backbone.js",
    "chart.js",
    "d3.js",
    "day.js",
    "discord.js",
    "ember.js",
    "ethers.js",
    "express.js",
    "fabric.js",
    "handlebars.js",
    "highlight.js",
    "leaflet.js",
    "matter.js",
    "mermaid.js",
    "meteor.js",
    "moment.js",
    "nest.js",
    "next.js",
    "node.js",
    "nuxt.js",
    "p5.js",
    "pdf.js",
    "phaser.js",
    "plotly.js",
    "react.js",
    "require.js",
    "sails.js",
    "solid.js",
    "tensorflow.js",
    "three.js",
    "underscore.js",
    "video.js",
    "vue.js",
    "web3.js",
];
/// Extensions that are only certain in a line by themselves; in a sentence, they may be something
/// else.
const RARE: &[&str] = &[
    "agda",
    "applescript",
    "asm",
    "asp",
    "aspx",
    "avsc",
    "awk",
    "bash",
    "bazel",
    "bib",
    "bicep",
    "cabal",
    "capnp",
    "coffee",
    "cppm",
    "cql",
    "cr",
    "csh",
    "cshtml",
    "csproj",
    "csx",
    "cue",
    "cuh",
    "cypher",
    "desktop",
    "dhall",
    "dtd",
    "dts",
    "dtsi",
    "ebnf",
    "editorconfig",
    "eex",
    "ejs",
    "entitlements",
    "fbs",
    "feature",
    "fnl",
    "frag",
    "fsproj",
    "fsx",
    "ftl",
    "g4",
    "gdshader",
    "gemspec",
    "geojson",
    "gni",
    "graphqls",
    "groovy",
    "gyp",
    "haml",
    "har",
    "heex",
    "hh",
    "hjson",
    "hlsl",
    "hx",
    "inl",
    "ino",
    "ipp",
    "iss",
    "ixx",
    "j2",
    "jinja",
    "jinja2",
    "jsonnet",
    "jsp",
    "jspx",
    "kdl",
    "ksh",
    "lalrpop",
    "lean",
    "leex",
    "libsonnet",
    "liquid",
    "luau",
    "markdown",
    "mdc",
    "metal",
    "mlir",
    "mmd",
    "mojo",
    "moon",
    "mustache",
    "nasm",
    "ndjson",
    "ninja",
    "njk",
    "nsi",
    "nuspec",
    "pde",
    "plantuml",
    "podspec",
    "pot",
    "psm1",
    "puml",
    "qmd",
    "qrc",
    "raku",
    "razor",
    "rego",
    "resx",
    "rkt",
    "rnc",
    "rng",
    "rockspec",
    "ron",
    "service",
    "sln",
    "smithy",
    "storyboard",
    "svh",
    "swiftinterface",
    "thrift",
    "tmpl",
    "topojson",
    "tpl",
    "tres",
    "tscn",
    "typ",
    "vbproj",
    "vbs",
    "vcxproj",
    "vert",
    "vhdl",
    "wast",
    "webmanifest",
    "wit",
    "wxs",
    "xcconfig",
    "xcstrings",
    "xib",
    "xq",
    "xquery",
    "xsd",
    "xsl",
    "xslt",
];
/// Folders of files without an extension.
const FOLDERS: &[&str] =
    &[".githooks", ".github", ".husky", "bin", "hooks", "libexec", "sbin", "script", "scripts"];
/// Files whose names only look like an attribute of something.
const NAMES: &[&str] = &[
    ".Rprofile",
    "MANIFEST.in",
    "Package.resolved",
    "configure.ac",
    "go.work",
    "meson.build",
    "meson.options",
    "py.typed",
];
/// The ends of names of hosts.
const DOMAINS: &[&str] =
    &["ai", "app", "co", "com", "de", "dev", "edu", "gov", "io", "net", "org", "uk"];
/// Those that also occur in names of folders: `Tool.app/Info.plist`
const BUNDLES: &[&str] = &["app"];
/// What media types begin with.
const MEDIA: &[&str] =
    &["application", "audio", "font", "image", "message", "model", "multipart", "text", "video"];
/// Programs: a path after one is an argument.
const COMMANDS: &[&str] = &[
    "awk",
    "bash",
    "black",
    "bun",
    "bundle",
    "cargo",
    "cat",
    "cd",
    "chmod",
    "clang",
    "code",
    "composer",
    "cp",
    "curl",
    "deno",
    "docker",
    "dotnet",
    "echo",
    "eslint",
    "flask",
    "g++",
    "gcc",
    "git",
    "go",
    "gradle",
    "grep",
    "gunicorn",
    "head",
    "helm",
    "java",
    "javac",
    "jest",
    "julia",
    "kubectl",
    "less",
    "ls",
    "lua",
    "make",
    "mix",
    "mkdir",
    "mocha",
    "mv",
    "mvn",
    "mypy",
    "mysql",
    "nano",
    "node",
    "nodemon",
    "npm",
    "npx",
    "open",
    "perl",
    "php",
    "pip",
    "pip3",
    "pnpm",
    "poetry",
    "prettier",
    "psql",
    "py",
    "pytest",
    "python",
    "python3",
    "rm",
    "rscript",
    "ruby",
    "ruff",
    "run",
    "rustc",
    "scala",
    "sed",
    "sh",
    "source",
    "sqlite3",
    "streamlit",
    "sudo",
    "swift",
    "tail",
    "tee",
    "terraform",
    "touch",
    "ts-node",
    "tsc",
    "tsx",
    "uv",
    "uvicorn",
    "vim",
    "vitest",
    "wget",
    "yarn",
    "zig",
    "zsh",
];
/// Parts of names that documentation uses.
const PLACEHOLDERS: &[&str] = &["path/to/", "…", "...", "{{"];
/// Names that it uses.
const STANDINS: &[&str] = &["your_file", "your-file", "yourfile"];
/// Words of a label that isn't about the content of a file.
const SHOWS: &[&str] = &[
    "before",
    "call",
    "calling",
    "command",
    "current",
    "currently",
    "error",
    "errors",
    "example",
    "excerpt",
    "from",
    "how",
    "import",
    "importing",
    "install",
    "log",
    "logs",
    "never",
    "old",
    "original",
    "output",
    "outputs",
    "previous",
    "previously",
    "printed",
    "prints",
    "result",
    "run",
    "running",
    "test",
    "tip",
    "usage",
    "use",
    "used",
    "uses",
    "using",
    "when",
    "why",
];

/// Whether documentation uses this in the place of a file's name: `path/to/file.py`
pub fn is_placeholder(path: &str) -> bool {
    // `app/[...slug]/page.tsx`
    let name = path.to_ascii_lowercase().replace("[...", "[");
    let last = split(&name).1;
    let stem = last.rsplit_once('.').map_or(last, |(stem, _)| stem);
    matches!(&*name, "filepath" | "file_path")
        || STANDINS.contains(&stem)
        || PLACEHOLDERS.iter().any(|part| name.contains(part))
}

/// Whether this is a product or a call, and not a file that would be created.
pub fn is_product(text: &str) -> bool {
    let lower = text.to_ascii_lowercase();
    PRODUCTS.contains(&&*lower) || CALLS.contains(&&*lower)
}

/// Whether this is spelled like the name of a product: a file is `video.js`, the product `Video.js`.
pub(super) fn is_title(text: &str) -> bool {
    is_product(text)
        && (text.contains(|letter: char| letter.is_ascii_uppercase()) || CALLS.contains(&text))
}

/// Whether some words call what follows an example, an output or another state of a file.
pub fn shows(words: &str) -> bool {
    words
        .split(|letter: char| !letter.is_alphanumeric())
        .any(|word| SHOWS.contains(&word.to_lowercase().as_str()))
}

/// Whether a path without spaces names a file, even if it doesn't exist yet.
pub fn is_certain(path: &str) -> bool {
    !is_product(path) && is_formed(path)
}

/// The same, regardless of products that have such names.
pub(super) fn is_formed(path: &str) -> bool {
    let (folders, name) = split(path);
    let pattern = path.contains(['*', '?', '"', '|']);
    if pattern || path.contains("//") || name.contains(['(', ')', '=', ',']) || is_hosted(path) {
        return false;
    }
    let first = first(folders);
    // `Dockerfile.dev`, `config.toml.example`
    let stem = name.rsplit_once('.').map_or("", |(stem, _)| stem);
    let longer = is_bare_name(stem)
        || stem.rsplit_once('.').is_some_and(|(first, end)| !first.is_empty() && is_extension(end));
    if is_bare_name(name) || NAMES.contains(&name) || is_hidden(name) || longer {
        return true;
    }
    match name.rsplit_once('.') {
        Some((stem, end)) if !stem.is_empty() => {
            is_extension(end)
                || RARE.contains(&end)
                || !folders.is_empty() && !first.starts_with('@') && is_ending(end)
        }
        _ if path.starts_with('/') => false,
        _ => !name.is_empty() && folders.split(['/', '\\']).any(|part| FOLDERS.contains(&part)),
    }
}

/// Whether this may be the name of a file that doesn't exist yet, or of something else.
pub(super) fn is_possible(path: &str) -> bool {
    let (folders, name) = split(path);
    let odd = ['(', ')', '[', ']', '{', '}', ':', '@', '*', '&', '?', '%', '$', '#', '\''];
    if path.contains("//") || path.contains("..") || path.contains(odd) || is_title(path) {
        return false;
    }
    let plain = |part: &str| {
        part.starts_with(|letter: char| letter.is_ascii_lowercase())
            && part
                .bytes()
                .all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b"._-".contains(&b))
    };
    match name.rsplit_once('.') {
        Some((stem, end)) if !stem.is_empty() => {
            let page = matches!(end, "html" | "htm" | "php");
            let file = is_known(name);
            let told = !name.contains(['=', ',']) && !DOMAINS.contains(&end) && is_ending(end);
            file && !(page && is_hosted(path)) || told && !is_hosted(path)
        }
        _ => {
            let parts = || folders.split(['/', '\\']);
            !folders.is_empty()
                && !is_hosted(path)
                && !MEDIA.contains(&first(folders))
                && parts().all(plain)
                && plain(name)
        }
    }
}

/// Whether a name has an extension that we know.
pub fn is_known(name: &str) -> bool {
    let end = split(name).1.rsplit_once('.').map(|(_, end)| end);
    end.is_some_and(|end| is_extension(end) || RARE.contains(&end))
}

/// Whether code uses a name as a symbol, so that it isn't the name of the file with the code.
pub fn is_used(name: &str, code: &str) -> bool {
    let end = split(name).1.rsplit_once('.').map(|(_, end)| end);
    code.contains(name) || end.is_some_and(|end| code.contains(&format!(".{end}(")))
}

/// The folders and the name of a path.
fn split(path: &str) -> (&str, &str) {
    path.rsplit_once(['/', '\\']).unwrap_or(("", path))
}

fn first(folders: &str) -> &str {
    folders.split(['/', '\\']).next().unwrap_or_default()
}

/// Whether this is an address without its scheme: `example.com/index.html`
fn is_hosted(path: &str) -> bool {
    let (folders, name) = split(path);
    let page = matches!(name.rsplit_once('.'), None | Some((_, "html" | "htm" | "php")));
    first(folders).rsplit_once('.').is_some_and(|(stem, end)| {
        !stem.is_empty() && DOMAINS.contains(&end) && (page || !BUNDLES.contains(&end))
    })
}

/// Whether this can be an extension that we don't know.
fn is_ending(end: &str) -> bool {
    end.len() <= 10
        && end.starts_with(|letter: char| letter.is_ascii_lowercase())
        && end.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit())
}

/// `.gitignore`, but not `.NET`
fn is_hidden(name: &str) -> bool {
    name.strip_prefix('.').is_some_and(|rest| {
        rest.starts_with(|letter: char| letter.is_ascii_lowercase())
            && !rest.ends_with('.')
            && rest
                .bytes()
                .all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b"._-".contains(&b))
    })
}

/// Whether a line runs a program: `$ ls`, `python main.py`, `./build`
pub fn is_program(line: &str) -> bool {
    let line = line.trim_start();
    let first = line.split_whitespace().next().unwrap_or_default();
    line.starts_with("$ ") || first.starts_with("./") || COMMANDS.contains(&first)
}

/// Whether code begins with a command, so that the path at its end is an argument.
pub(super) fn is_command(code: &str) -> bool {
    let mut words = code.trim_start_matches(['$', '>', ' ']).split_whitespace();
    let first = words.next().unwrap_or_default();
    COMMANDS.contains(&first.to_ascii_lowercase().as_str())
        || first.starts_with("./")
        || first.contains('=')
        || words.any(|word| word.starts_with('-') && word.len() > 1)
}

/// The path at the end of a label: `Backend – src/server.js`. Labels of outputs and usage have none.
pub(super) fn labelled(text: &str) -> Option<&str> {
    let (label, path) = text.rsplit_once(char::is_whitespace)?;
    let mut words = label.split_whitespace();
    let other = label.split_whitespace().any(|word| {
        is_certain(word.trim_matches(|sign: char| !sign.is_alphanumeric() && sign != '.'))
    });
    (is_certain(path) && !other && words.nth(8).is_none() && !shows(label) && !is_command(text))
        .then_some(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn certain_file_names() {
        for name in [
            "src/app.py",
            "App.js",
            "Makefile",
            "docker/Dockerfile",
            ".env",
            ".eslintrc.json",
            "bin/deploy",
            "src/Foo.csproj",
            "App.csproj",
            "src/shaders/a.frag2",
            "README.md",
            "Dockerfile.dev",
            "config.toml.example",
            "@/components/a.tsx",
            "C:\\proj\\a.py",
            ".github/workflows/ci.yml",
            "Tool.app/Info.plist",
            "go.work",
        ] {
            assert!(is_certain(name), "{name}");
        }
        for name in [
            "Node.js",
            "ASP.NET",
            ".NET",
            "v1.2.0",
            "Request/Response",
            "/api/users",
            "np.array",
            "Promise.all",
            "example.com/index.html",
            "github.com/a/b",
            "s3://b/k.txt",
            "10.0.0.1",
            "Math.random()",
            "application/json",
            "@angular/core",
            "React.memo",
            "1/2",
            "lodash/fp",
        ] {
            assert!(!is_certain(name), "{name}");
        }
    }

    #[test]
    fn possible_file_names() {
        for name in ["video.js", "debian/rules", "app.xyz", "github.com/a/b.go", "a=b.py"] {
            assert!(!is_certain(name) && is_possible(name), "{name}");
        }
        for name in [
            "Node.js",
            "console.log",
            "v1.2.0",
            "Request/Response",
            "/api/users",
            "example.com/index.html",
            "api.example.com",
            "s3://b/k.txt",
            "10.0.0.1",
            "Math.random()",
            "application/json",
            "@angular/core",
            "users/:id",
        ] {
            assert!(!is_possible(name), "{name}");
        }
    }

    #[test]
    fn placeholders_of_documentation() {
        for name in ["path/to/a.py", "filepath", "src/your_file.js", "src/...", "{{name}}.md"] {
            assert!(is_placeholder(name), "{name}");
        }
        for name in [
            "app/[...slug]/page.tsx",
            "app/[[...slug]]/page.tsx",
            "src/filepath.rs",
            "filepath.go",
            "src/upload_your_file.py",
        ] {
            assert!(!is_placeholder(name), "{name}");
        }
    }

    #[test]
    fn lines_that_run_programs() {
        for line in ["$ tea", "python main.py", "  ./build.sh", "docker build ."] {
            assert!(is_program(line), "{line}");
        }
        for line in ["DEBUG=1", "FROM node:22", "flask==2", "all:", "RUN npm ci", ""] {
            assert!(!is_program(line), "{line}");
        }
    }

    #[test]
    fn names_in_labels() {
        assert_eq!(labelled("Backend – src/server.js"), Some("src/server.js"));
        assert_eq!(labelled("修改 src/app.py"), Some("src/app.py"));
        for label in [
            "Output of main.py",
            "python src/app.py README.md",
            "Hello.java and Main.java",
            "Using Node.js",
            "Run node src/server.js",
        ] {
            assert_eq!(labelled(label), None, "{label}");
        }
    }
}
