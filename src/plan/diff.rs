//! Changes to files as unified diffs that `git apply` accepts.

use std::path::Path;

use super::FileChange;
use crate::text::is_unprintable;
use crate::text::lines::unified;
use crate::world::slashed;

impl FileChange {
    /// The change as a unified diff with git's extended header.
    pub fn diff(&self) -> String {
        self.diff_as(if self.executable { "100755" } else { "100644" })
    }

    /// The same for a deleted symlink: to git, its content is its target.
    pub fn diff_of_link(&self, target: &str) -> String {
        Self { before: Some(target.to_owned()), after: None, ..self.clone() }.diff_as("120000")
    }

    fn diff_as(&self, mode: &str) -> String {
        let (old, new) = (quoted("a/", &self.name), quoted("b/", &self.name));
        let header = match (&self.before, &self.after) {
            (None, _) => format!("new file mode {mode}\n"),
            (_, None) => format!("deleted file mode {mode}\n"),
            _ => String::new(),
        };
        let hunks = self.hunks();
        let mut out = format!("diff --git {old} {new}\n{header}");
        // An empty file has no lines to show when it's created or deleted.
        if !hunks.is_empty() {
            let side = |name: String, there: bool| match there {
                true => ended(name),
                false => "/dev/null".to_owned(),
            };
            out.push_str(&format!(
                "--- {}\n+++ {}\n{hunks}",
                side(old, self.before.is_some()),
                side(new, self.after.is_some())
            ));
        }
        out
    }

    /// The changed lines and their context, from the first `@@` on.
    pub fn hunks(&self) -> String {
        unified(
            self.before.as_deref().unwrap_or_default(),
            self.after.as_deref().unwrap_or_default(),
        )
    }
}

/// The lines of a unified diff that name the changed file, by its path below the folder in which the
/// diff is applied.
pub fn names(path: &Path) -> String {
    let names = ["a/", "b/"].map(|side| {
        ended(match path.to_str() {
            Some(_) => quoted(side, &slashed(path)),
            None => escaped(side, path.as_os_str().as_encoded_bytes()),
        })
    });
    let [old, new] = names;
    format!("--- {old}\n+++ {new}\n")
}

/// A name with the tab that marks its end if it contains spaces.
fn ended(name: String) -> String {
    if name.contains(' ') && !name.starts_with('"') { format!("{name}\t") } else { name }
}

/// A name as git writes it: quoted if it contains special characters.
fn quoted(side: &str, name: &str) -> String {
    let name =
        name.split('/').filter(|part| !matches!(*part, "" | ".")).collect::<Vec<_>>().join("/");
    if !name.contains(['"', '\\']) && !name.chars().any(is_unprintable) {
        return format!("{side}{name}");
    }
    escaped(side, name.as_bytes())
}

/// A name in quotes, with escapes for everything that isn't a printable character.
fn escaped(side: &str, name: &[u8]) -> String {
    let octal = |bytes: &[u8]| bytes.iter().map(|byte| format!("\\{byte:03o}")).collect::<String>();
    let mut out = format!("\"{side}");
    for chunk in name.utf8_chunks() {
        for character in chunk.valid().chars() {
            match character {
                '"' | '\\' => out.extend(['\\', character]),
                character if is_unprintable(character) => {
                    out.push_str(&octal(character.encode_utf8(&mut [0; 4]).as_bytes()));
                }
                character => out.push(character),
            }
        }
        out.push_str(&octal(chunk.invalid()));
    }
    out + "\""
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_those_of_git() {
        let of = |name: &str| names(Path::new(name));
        assert_eq!(of("日本/🦆.md"), "--- a/日本/🦆.md\n+++ b/日本/🦆.md\n");
        assert_eq!(of("a b.md"), "--- a/a b.md\t\n+++ b/a b.md\t\n");
        assert_eq!(of("q\" \n日.md"), "--- \"a/q\\\" \\012日.md\"\n+++ \"b/q\\\" \\012日.md\"\n");
        assert_eq!(escaped("a/", b"x\xff\xc2\x9b\xe6"), "\"a/x\\377\\302\\233\\346\"");
    }
}
