//! Shell commands, which are never run: a command that only contains a patch is read as that patch,
//! and one that would write a file is an edit that can't be made.

use super::{Draft, Why, markdown};
use crate::edit::Reason;
use crate::text::Span;

pub const LANGUAGES: &[&str] = &[
    "bash",
    "sh",
    "shell",
    "zsh",
    "fish",
    "console",
    "shell-session",
    "terminal",
    "cmd",
    "bat",
    "batch",
    "powershell",
    "pwsh",
    "ps1",
];
/// Extensions of scripts in these languages.
const EXTENSIONS: &[&str] = &["sh", "bash", "zsh", "fish", "cmd", "bat", "ps1", "psm1"];
const PATCH_COMMANDS: &[&str] = &["apply_patch", "applypatch"];
const BEGIN: &str = "*** Begin Patch";
const END: &str = "*** End Patch";

/// Whether a file may contain commands, by its name.
pub(super) fn is_script(path: &str) -> bool {
    let name = path.rsplit(['/', '\\']).next().unwrap_or(path);
    name.rsplit_once('.').is_none_or(|(_, extension)| EXTENSIONS.contains(&extension))
}

pub(super) fn holds_patch(text: &str) -> bool {
    text.lines().any(|line| line.trim() == BEGIN)
}

/// The patch in a script: alone, in a heredoc, or as a command's argument. `None` if it has no end,
/// or if the script does anything else.
pub(super) fn without_heredoc(text: &str) -> Option<&str> {
    let text = text.trim();
    if let Some(rest) = text.strip_prefix(BEGIN) {
        return (rest.starts_with(['\n', '\r', ' '])
            && text.lines().next_back().map(str::trim_end) == Some(END))
        .then_some(text);
    }
    if let Some(rest) = text.strip_prefix("<<") {
        return heredoc(rest);
    }
    let rest = PATCH_COMMANDS.iter().find_map(|command| text.strip_prefix(command))?.trim_start();
    match rest.strip_prefix("<<") {
        Some(rest) => heredoc(rest),
        None => {
            let quote = rest.chars().next().filter(|quote| matches!(quote, '\'' | '"'))?;
            without_heredoc(rest.strip_prefix(quote)?.strip_suffix(quote)?)
        }
    }
}

/// The body of a heredoc, from after its `<<`: the delimiter must be the last line.
fn heredoc(rest: &str) -> Option<&str> {
    let (word, body) = rest.split_once('\n')?;
    let word = word.trim().trim_start_matches('-').trim().trim_matches(['\'', '"']);
    let body = body.trim_end();
    let inner = body.strip_suffix(word)?;
    let patch = inner.trim();
    let ended = inner.ends_with('\n') && patch.lines().next_back().map(str::trim_end) == Some(END);
    (!word.is_empty() && patch.starts_with(BEGIN) && ended).then_some(patch)
}

/// A command as a list of words, of which the last may be a script.
pub(super) fn of_command(words: &[String], folder: &str, span: &Span, draft: &mut Draft) {
    let script = match words {
        [command, patch] if PATCH_COMMANDS.contains(&command.as_str()) => {
            format!("{command} '{patch}'")
        }
        [.., script] => script.clone(),
        [] => return draft.skip(span.clone(), Why::Example),
    };
    of_script(&script, folder, span, draft);
}

/// A script: a patch, a command that writes files, or an irrelevant one.
pub(super) fn of_script(script: &str, folder: &str, span: &Span, draft: &mut Draft) {
    let script = script.trim();
    let (inner, command) = match script.strip_prefix("cd ").and_then(|rest| rest.split_once("&&")) {
        Some((folder, rest)) => (folder.trim().trim_matches(['\'', '"']), rest.trim()),
        None => ("", script),
    };
    if holds_patch(script) {
        let alone = PATCH_COMMANDS.iter().any(|name| command.starts_with(name));
        let Some(patch) = without_heredoc(command).filter(|_| alone) else {
            let message = "the command does more than apply a patch, and commands are never run";
            return draft.fault(span.clone(), Reason::CommandNotRun, message);
        };
        let base: Vec<&str> =
            [folder, inner].into_iter().filter(|part| !part.is_empty() && *part != ".").collect();
        let mut read = Draft::default();
        markdown::patch(patch, span, &mut read);
        for step in &mut read.steps {
            step.block.inside_folder(&base.join("/"));
        }
        return draft.extend(read);
    }
    if let Some(file) = writes(script) {
        let message = format!("a command would write `{file}`, and commands are never run");
        return draft.fault(span.clone(), Reason::CommandNotRun, message);
    }
    draft.skip(span.clone(), Why::Example);
}

/// The file below the folder that a script writes, if any.
pub(super) fn writes(script: &str) -> Option<String> {
    let mut heredoc: Option<String> = None;
    for line in script.lines() {
        if let Some(word) = &heredoc {
            if line.trim() == *word {
                heredoc = None;
            }
            continue;
        }
        let line = line.trim().trim_start_matches("$ ").trim_start_matches("> ");
        if line.starts_with('#') {
            continue;
        }
        if let Some((_, rest)) = line.split_once("<<").filter(|(_, rest)| !rest.starts_with('<')) {
            let word = rest
                .trim_start_matches('-')
                .split_whitespace()
                .next()
                .unwrap_or_default()
                .trim_matches(['\'', '"']);
            heredoc = (!word.is_empty()).then(|| word.to_owned());
        }
        let words: Vec<&str> = line.split_whitespace().collect();
        // A program's output isn't an edit: a log may go anywhere.
        let literal =
            line.contains("<<") || words.iter().any(|word| matches!(*word, "echo" | "printf"));
        for (index, word) in words.iter().enumerate() {
            let next = || words.get(index + 1).copied();
            let target = match *word {
                ">" | ">>" | "1>" if literal => next(),
                "tee" if literal => words
                    .get(index + 1..)
                    .and_then(|rest| rest.iter().copied().find(|word| !word.starts_with('-'))),
                "sed" | "perl"
                    if words.iter().any(|word| word.starts_with("-i") || *word == "-pi") =>
                {
                    words.last().copied()
                }
                word if literal => word
                    .strip_prefix(">>")
                    .or_else(|| word.strip_prefix('>'))
                    .filter(|path| !path.is_empty() && !path.starts_with(['=', '&', '('])),
                _ => None,
            };
            let name = target.map(|target| target.trim_matches(['\'', '"', ';'])).filter(|name| {
                !name.is_empty()
                    && !name.starts_with(['/', '~', '$', '&', '<', '>', '|', '-', '('])
                    && name.contains(char::is_alphanumeric)
            });
            if let Some(name) = name {
                return Some(name.to_owned());
            }
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_patch_is_the_only_thing_that_its_command_does() {
        let patch = "*** Begin Patch\n*** Delete File: a\n*** End Patch";
        for text in [
            patch.to_owned(),
            format!("<<'EOF'\n{patch}\nEOF\n"),
            format!("apply_patch <<EOF\n{patch}\nEOF"),
            format!("apply_patch '{patch}'"),
        ] {
            assert_eq!(without_heredoc(&text), Some(patch), "{text}");
        }
        for text in [
            format!("apply_patch <<'EOF'\n{patch}\nEOF\nls"),
            patch.replace("*** End Patch", ""),
            "ls".to_owned(),
        ] {
            assert_eq!(without_heredoc(&text), None, "{text}");
        }
    }

    #[test]
    fn commands_that_write_files() {
        for (script, file) in [
            ("cat > src/a.py <<'EOF'\nx > 3\nEOF", Some("src/a.py")),
            ("echo x >>notes.md", Some("notes.md")),
            ("sed -i 's/a/b/' src/a.py", Some("src/a.py")),
            ("tee src/a.py <<'EOF'\nx\nEOF", Some("src/a.py")),
            ("ls | tee out.txt", None),
            ("pytest -q > out.txt 2>&1", None),
            ("pytest 2>&1 | tail", None),
            ("cmd >/dev/null", None),
            ("git commit -m 'a -> b'", None),
        ] {
            assert_eq!(writes(script).as_deref(), file, "{script}");
        }
    }
}
