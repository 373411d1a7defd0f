//! Shell commands, which are never run: a command that only contains a patch is read as that patch,
//! and one that would write a file is an edit that can't be made.

use super::patch::{self, BEGIN, END};
use super::{Draft, Fault, Why};
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
/// System folders, and folders that users work in.
const SYSTEM: &[&str] =
    &["/etc/", "/home/", "/mnt/", "/opt/", "/root/", "/srv/", "/usr/", "/var/", "/Users/"];
const PATCH_COMMANDS: &[&str] = &["apply_patch", "applypatch"];

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

/// Whether a command runs a script: `/bin/bash`, `pwsh.exe`
fn is_shell(command: &str) -> bool {
    let name = command.rsplit(['/', '\\']).next().unwrap_or(command).to_ascii_lowercase();
    let name = name.strip_suffix(".exe").unwrap_or(&name);
    LANGUAGES.contains(&name) || matches!(name, "dash" | "ksh")
}

/// The script that a list of words runs: that of a shell, or the words themselves, in which signs of
/// the shell mean nothing.
fn script_of(words: &[String]) -> String {
    let sets = |word: &&String| *word == "env" || word.contains('=');
    let words: Vec<&String> = words.iter().skip_while(sets).collect();
    match words.as_slice() {
        [shell, .., script] if is_shell(shell) => (*script).clone(),
        words => {
            let signs = ['>', '<', '|', '&', ';'];
            let quoted = |word: &&String| {
                if word.contains(signs) { format!("'{word}'") } else { (*word).clone() }
            };
            words.iter().map(quoted).collect::<Vec<_>>().join(" ")
        }
    }
}

/// A command as a list of words, of which the last may be a script.
pub(super) fn of_command(words: &[String], folder: &str, span: &Span, draft: &mut Draft) {
    let script = match words {
        [command, patch] if PATCH_COMMANDS.contains(&command.as_str()) => {
            format!("{command} <<'PATCH'\n{}\nPATCH", patch.trim_end())
        }
        [script] => script.clone(),
        [_, ..] => script_of(words),
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
    let alone = PATCH_COMMANDS.iter().any(|name| command.starts_with(name));
    if holds_patch(script) || alone && script.contains(BEGIN) {
        let Some(patch) = without_heredoc(command).filter(|_| alone) else {
            let message = "the command does more than apply a patch, and commands are never run";
            return draft.fault(span.clone(), Reason::CommandNotRun, message);
        };
        let base: Vec<&str> =
            [folder, inner].into_iter().filter(|part| !part.is_empty() && *part != ".").collect();
        let mut read = Draft::default();
        patch::of_call(patch, span, &mut read);
        for step in &mut read.steps {
            step.block.inside_folder(&base.join("/"));
        }
        return draft.extend(read);
    }
    if applies_diff(script) {
        let message = "a command would apply a patch, and commands are never run";
        return draft.fault(span.clone(), Reason::CommandNotRun, message);
    }
    if let Some(file) = writes(script) {
        let message = format!("a command would write `{file}`, and commands are never run");
        let fault = Fault::new(span.clone(), Reason::CommandNotRun, message);
        // In these folders, only a file in the workspace counts as an edit.
        let file = SYSTEM.iter().any(|folder| file.starts_with(folder)).then_some(file);
        return draft.faults.push(Fault { file, ..fault });
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
        let mut targets: Vec<&str> = Vec::new();
        if literal {
            targets.extend(redirects(line));
        }
        for (index, word) in words.iter().enumerate() {
            let rest = words.get(index + 1..).unwrap_or_default();
            match *word {
                "tee" if literal => targets.extend(rest.iter().find(|word| !word.starts_with('-'))),
                "sed" | "gsed" | "perl" => {
                    let ends = |word: &&&str| matches!(**word, "&&" | "||" | "|" | ";");
                    let own = rest.iter().position(|word| ends(&word)).unwrap_or(rest.len());
                    let own = rest.get(..own).unwrap_or_default();
                    if own.iter().any(|word| edits_in_place(word)) {
                        targets.extend(own.last());
                    }
                }
                _ if is_cmdlet(word) => {
                    targets.extend(rest.iter().find(|word| !word.starts_with('-')));
                }
                _ => {}
            }
        }
        let name = |target: &str| {
            let name = target.trim_matches(['\'', '"', ';', ')']);
            name.strip_prefix("$PWD/").unwrap_or(name).to_owned()
        };
        let is_name = |name: &String| {
            !name.is_empty()
                && !name.starts_with(['~', '$', '&', '<', '>', '|', '-', '(', '='])
                && !["/dev/", "/tmp/", "/proc/"].iter().any(|folder| name.starts_with(folder))
                && name.contains(char::is_alphanumeric)
        };
        if let Some(name) = targets.into_iter().map(name).find(is_name) {
            return Some(name);
        }
    }
    None
}

/// Whether this is a command of PowerShell that writes a file.
fn is_cmdlet(word: &str) -> bool {
    ["Set-Content", "Add-Content", "Out-File"].iter().any(|name| name.eq_ignore_ascii_case(word))
}

/// Whether an option of `sed` or `perl` makes it change its files: `-i`, `-Ei`, `--in-place`.
fn edits_in_place(word: &str) -> bool {
    let short = word.strip_prefix('-').filter(|rest| !rest.starts_with(['-', 'M', 'I', 'e', 'f']));
    word.starts_with("--in-place")
        || short.is_some_and(|rest| {
            rest.chars().take_while(|letter| letter.is_alphanumeric()).any(|letter| letter == 'i')
        })
}

/// The files that the redirections of a line write, except for those of errors.
fn redirects(line: &str) -> Vec<&str> {
    let mut found = Vec::new();
    // An arithmetic comparison.
    if line.contains("((") {
        return found;
    }
    let mut quote = None;
    let mut last = ' ';
    // The sign after it may end a placeholder: `<value>.txt`.
    let mut placeholder = false;
    for (at, letter) in line.char_indices() {
        match (quote, letter) {
            (None, '\'' | '"') => quote = Some(letter),
            (Some(open), letter) if open == letter => quote = None,
            (None, '>') if placeholder && last != ' ' => {}
            (None, '>') if !matches!(last, '2' | '&' | '-' | '=' | '>') => {
                let rest = line.get(at + 1..).unwrap_or_default();
                let rest = rest.strip_prefix(['>', '|']).unwrap_or(rest).trim_start();
                found.extend(rest.split([' ', '\t', ';', '&', '|', '<', '>']).next());
            }
            _ => {}
        }
        placeholder = match letter {
            '<' => last != '<',
            _ => placeholder && (letter.is_alphanumeric() || matches!(letter, '-' | '_' | ' ')),
        };
        last = letter;
    }
    found
}

/// Whether a script applies a patch that it contains, with Git or `patch`.
fn applies_diff(script: &str) -> bool {
    let starts = |line: &str| {
        let line = line.trim_start().trim_start_matches("$ ");
        ["git apply", "git am", "patch "].iter().any(|command| line.starts_with(command))
    };
    script.lines().any(|line| starts(line) && line.contains("<<"))
}

/// Whether text without a language begins with a command that writes a file.
pub(super) fn is_script_text(first: &str) -> bool {
    let command = first.trim_start().split(' ').next().unwrap_or_default();
    match command {
        "cat" | "tee" | "git" | "patch" => first.contains("<<"),
        "sed" | "gsed" | "perl" => first.split(' ').any(edits_in_place),
        _ => false,
    }
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
    fn a_line_of_many_redirections_is_read_in_linear_time() {
        let line = format!("echo {}", "a>".repeat(50_000));
        assert!(redirects(&line).iter().map(|target| target.len()).sum::<usize>() <= line.len());
    }

    #[test]
    fn commands_that_write_files() {
        for (script, file) in [
            ("cat > src/a.py <<'EOF'\nx > 3\nEOF", Some("src/a.py")),
            ("echo x >>notes.md", Some("notes.md")),
            ("sed -i 's/a/b/' src/a.py", Some("src/a.py")),
            ("tee src/a.py <<'EOF'\nx\nEOF", Some("src/a.py")),
            ("sed -Ei 's/a/b/' src/a.py", Some("src/a.py")),
            ("gsed --in-place=.bak 's/a/b/' src/a.py && pytest -i", Some("src/a.py")),
            ("sed -e 's/i/j/' src/a.py", None),
            ("perl -Mstrict -e 'print 1' a.pl", None),
            ("echo x>a.py", Some("a.py")),
            ("echo x >| a.py", Some("a.py")),
            ("echo 'a > b'", None),
            ("echo <value>.txt", None),
            ("echo <your name>.txt >a.txt", Some("a.txt")),
            ("cat <<EOF>a.py\nx\nEOF", Some("a.py")),
            ("echo x >&2", None),
            ("echo x 2> errors.txt", None),
            ("cat > /w/a.py <<'EOF'\nx\nEOF", Some("/w/a.py")),
            ("cat > \"$PWD/a.py\" <<'EOF'\nx\nEOF", Some("a.py")),
            ("cat > /tmp/a.py <<'EOF'\nx\nEOF", None),
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
