//! Text in code that is still open at the end of a fence, so that the fence may end in the middle of
//! it: a string of several lines, a comment, a heredoc.

use std::collections::HashSet;

/// Whether the last line of some code is within a string, a comment or a heredoc of its language.
/// Other languages have other signs, and `/*` is often a pattern in them.
pub(super) fn is_open<'t>(language: &str, lines: impl Iterator<Item = &'t str>) -> bool {
    let has = |known: &str| known.split(' ').any(|known| known == language);
    let pairs: Vec<(&str, &str)> = PAIRS
        .iter()
        .filter(|(_, _, languages)| has(languages))
        .map(|(open, end, _)| (*open, *end))
        .collect();
    let signs = Signs { pairs, heredocs: has(HEREDOCS), ticks: has(TICKS), ruby: has(RUBY) };
    let mut state = State::Code;
    let mut variables = HashSet::new();
    for line in lines {
        if signs.ruby && state == State::Code {
            variables.extend(variables_in(line));
        }
        state = signs.after(state, line, &variables);
    }
    state != State::Code
}

/// The signs of a language that open strings and comments of several lines.
struct Signs {
    pairs: Vec<(&'static str, &'static str)>,
    heredocs: bool,
    /// Whether backquotes enclose strings.
    ticks: bool,
    ruby: bool,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum State<'t> {
    Code,
    /// Up to this end.
    Until(&'static str),
    /// Up to a line with only this word.
    Heredoc(&'t str),
}

/// The signs, and the languages that have them.
const PAIRS: &[(&str, &str, &str)] = &[
    (
        "\"\"\"",
        "\"\"\"",
        "c# cs csharp dart elixir ex exs gd gdscript gql graphql groovy java jl julia kotlin kt kts \
         mojo nim py py3 pyi python python3 scala starlark swift toml",
    ),
    ("'''", "'''", "coffee dart groovy mojo py py3 pyi python python3 starlark toml"),
    (
        "/*",
        "*/",
        "apex astro c c# c++ cc cpp cs csharp css cts cu cuda d dart glsl go golang groovy h hcl hlsl \
         hpp java javascript js json5 jsonc jsx kotlin kt kts less mjs mm mts nix objc objective-c php \
         proto protobuf rs rust scala scss sol solidity sql svelte swift systemverilog terraform tf \
         thrift ts tsx typescript verilog vue wgsl",
    ),
    (
        "<!--",
        "-->",
        "astro cshtml ejs erb hbs heex htm html jinja php razor svelte svg twig vue xaml xhtml xml",
    ),
    ("r#\"", "\"#", "rs rust"),
];
const HEREDOCS: &str = "bash console docker dockerfile fish hcl ksh make makefile perl pl rb ruby sh \
                        shell terraform tf yaml yml zsh";
const RUBY: &str = "rb ruby";
const TICKS: &str = "cts go golang javascript js jsx mjs mts svelte ts tsx typescript vue";

impl Signs {
    fn after<'t>(
        &self,
        mut state: State<'t>,
        line: &'t str,
        variables: &HashSet<&str>,
    ) -> State<'t> {
        let mut rest = line;
        loop {
            match state {
                State::Heredoc(word) => {
                    return if line.trim().trim_end_matches([';', ',', ')']) == word {
                        State::Code
                    } else {
                        state
                    };
                }
                State::Until(end) => match rest.split_once(end) {
                    Some((_, after)) => (state, rest) = (State::Code, after),
                    None => return state,
                },
                State::Code => {
                    let Some((at, end, length)) = self.opening(rest) else {
                        let appends = self.ruby && appends(line, variables);
                        let word = if self.heredocs && !appends { heredoc(line) } else { None };
                        return word.map_or(State::Code, State::Heredoc);
                    };
                    (state, rest) =
                        (State::Until(end), rest.get(at + length..).unwrap_or_default());
                }
            }
        }
    }

    /// The first sign in a line that opens a string or comment of several lines, outside of other
    /// strings and comments: its position, the sign that ends it, and its length.
    fn opening(&self, line: &str) -> Option<(usize, &'static str, usize)> {
        let mut at = 0;
        while let Some(rest) = line.get(at..).filter(|rest| !rest.is_empty()) {
            let begins = self.pairs.iter().find(|(open, _)| rest.starts_with(open));
            // `src/*` is a pattern.
            let pattern = |open: &str| {
                open == "/*"
                    && line.get(..at).is_some_and(|b| {
                        b.ends_with(|c: char| c.is_alphanumeric() || matches!(c, '*' | '/' | '.'))
                    })
            };
            if let Some((open, end)) = begins.filter(|(open, _)| !pattern(open)) {
                return Some((at, end, open.len()));
            }
            let comment =
                rest.starts_with("//") || rest.starts_with("# ") || rest.starts_with("-- ");
            if comment && line.get(..at).is_none_or(|before| !before.ends_with(':')) {
                return None;
            }
            let first = rest.chars().next()?;
            at += match first {
                '"' | '\'' => quoted(rest, first),
                '`' if self.ticks => quoted(rest, first),
                _ => first.len_utf8(),
            };
        }
        None
    }
}

/// The length of a string that begins here, or of its quote if the line doesn't end it.
fn quoted(text: &str, quote: char) -> usize {
    let mut escaped = false;
    for (at, letter) in text.char_indices().skip(1) {
        if escaped {
            escaped = false;
        } else if letter == '\\' {
            escaped = true;
        } else if letter == quote {
            return at + 1;
        }
    }
    1
}

fn is_name(letter: char) -> bool {
    letter.is_alphanumeric() || letter == '_'
}

/// The names of local variables that a line of Ruby may set.
fn variables_in<'l>(line: &'l str) -> impl Iterator<Item = &'l str> {
    let set = line.split_once('=').map(|(names, _)| names);
    let given = line.trim_start().strip_prefix("def ");
    let given = given.and_then(|rest| rest.split_once(['(', ' '])).map(|(_, given)| given);
    let block = line.split('|').skip(1).step_by(2);
    let names = |part: &'l str| part.split(|sign| !is_name(sign));
    let set = set.into_iter().flat_map(|names| names.split(',')).map(str::trim);
    let set = set.filter(|name| name.chars().all(is_name));
    set.chain(given.into_iter().chain(block).flat_map(names))
}

/// Whether `<<WORD` adds to a list in a line of Ruby: after a variable or a bracket, as in Ruby.
fn appends(line: &str, variables: &HashSet<&str>) -> bool {
    let Some((before, after)) = line.split_once("<<") else { return false };
    let spaced = before.ends_with([' ', '\t']);
    let before = before.trim_end();
    let rest = before.trim_end_matches(is_name);
    let name = before.get(rest.len()..).unwrap_or_default();
    let plain = after.starts_with(is_name);
    let variable = variables.contains(name) && !rest.ends_with('.')
        || rest.ends_with(['@', '$'])
        || name.starts_with(char::is_uppercase);
    plain && (before.ends_with([')', ']', '}']) || !name.is_empty() && (!spaced || variable))
}

/// The word that ends the heredoc that a line begins: `cat > a.md <<'EOF'`
fn heredoc(line: &str) -> Option<&str> {
    let (before, rest) = line.split_once("<<")?;
    let rest = rest.trim_start_matches(['-', '~']);
    let writes = before.contains("cat ") || before.contains("tee ");
    let rest = if writes { rest.trim_start() } else { rest };
    let word = rest.strip_prefix(['\'', '"']).unwrap_or(rest);
    let length = word.bytes().take_while(|byte| byte.is_ascii_uppercase() || *byte == b'_').count();
    // `x<<SHIFT` isn't one.
    let command = before.trim_start().len() > 1
        && before.trim_start().bytes().all(|byte| byte.is_ascii_lowercase());
    let begins = command || before.is_empty() || before.ends_with([' ', '\t', '=', '(', ',']);
    let comment = before.trim_start().starts_with('#');
    word.get(..length).filter(|word| word.len() > 1 && begins && !comment)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_open_at_the_end_of_code() {
        for (language, text) in [
            ("python", "P = \"\"\"\nFormat:\n"),
            ("py", "def f():\n    '''Doc.\n"),
            ("js", "/**\n * Doc\n"),
            ("sh", "cat > a.md <<'EOF'\n# Title\n"),
            ("sh", "cat<<EOF\n# Title\n"),
            ("ruby", "TEXT = <<~EOS\n# Title\n"),
            ("ruby", "xs = []\nputs <<EOS\n# Title\n"),
            ("rb", "io = f\nio.puts <<EOS\n# Title\n"),
            ("hcl", "user_data=<<EOF\n# Title\n"),
            ("python", "x = 'a' + \"\"\"b"),
            ("html", "<!-- a\n"),
        ] {
            assert!(is_open(language, text.lines()), "{text}");
        }
        for (language, text) in [
            ("python", "P = \"\"\"\nFormat:\n\"\"\"\n"),
            ("python", "q = '\"\"\"'\nr = \"'''\"\n"),
            ("js", "glob = 'src/*'\nlet a = 1 << N_BITS;\n// it's /* fine\n"),
            ("sh", "cat <<EOF\nx\nEOF\n"),
            ("python", "it's\nx = 1\n"),
            ("yaml", "url = http://a.b/*c*/\npaths: src/*\n"),
            ("cpp", "cout << \"OK\";\n"),
            ("gitignore", "/*\n!/src\n"),
            ("codeowners", "/* @team\n"),
            ("nginx", "location ~ /* {\n"),
            ("dockerfile", "COPY /* /app\n"),
            ("go", "const pattern = `/*`\n"),
            ("c", "x<<SHIFT;\nx <<SHIFT;\n"),
            ("sh", "x=$((FLAG<<SHIFT))\n# cat <<EOF\n"),
            ("ruby", "xs = []\nxs <<ITEM\n"),
            ("ruby", "def add(xs)\n  xs <<ITEM\nend\n"),
            ("rb", "xs<<ITEM\n@xs <<ITEM\nys[0] <<ITEM\nALL <<ITEM\n"),
            ("rb", "each { |xs, y| xs <<ITEM }\n"),
            ("", ""),
        ] {
            assert!(!is_open(language, text.lines()), "{text}");
        }
    }
}
