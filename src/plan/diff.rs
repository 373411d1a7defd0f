//! Changes to files as unified diffs that `git apply` accepts.

use super::FileChange;
use crate::text::is_unprintable;
use crate::text::lines::unified;

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

/// The lines of a unified diff that name the changed file.
pub fn names(name: &str) -> String {
    let [old, new] = ["a/", "b/"].map(|side| ended(quoted(side, name)));
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
    let escape = |character: char| match character {
        '"' | '\\' => format!("\\{character}"),
        character if is_unprintable(character) => {
            let mut bytes = [0; 4];
            character.encode_utf8(&mut bytes).bytes().map(|byte| format!("\\{byte:03o}")).collect()
        }
        character => character.to_string(),
    };
    format!("\"{side}{}\"", name.chars().map(escape).collect::<String>())
}
