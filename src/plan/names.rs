//! Names of new files: valid on every system, and no two that some systems treat as equal.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use super::Reason;
use super::path::Refused;
use crate::world::World;

/// The names in each folder, including those that a plan adds.
#[derive(Debug, Default)]
pub struct Names {
    /// By their folded form, which is equal for names that some systems treat as equal.
    folders: HashMap<PathBuf, HashMap<String, String>>,
}

impl Names {
    /// Reserves the path of a new file. `leaves`: whether the file at a path gives up its name.
    ///
    /// # Errors
    /// If a file shouldn't have this name.
    pub fn take(
        &mut self,
        world: &dyn World,
        root: &Path,
        path: &Path,
        written: &str,
        leaves: &dyn Fn(&Path) -> bool,
    ) -> Result<(), Refused> {
        let mut folder = root.to_owned();
        let mut there = true;
        for part in path.strip_prefix(root).unwrap_or(path) {
            let name = part.to_string_lossy();
            let next = folder.join(part);
            there = there && world.kind(&next).is_some();
            if !there {
                if name.contains(':') {
                    return Err((
                        Reason::PathForbidden,
                        format!(
                            "`{name}` contains a `:`, which file names can't contain on every system"
                        ),
                    ));
                }
                if is_device(&name) {
                    return Err((
                        Reason::PathForbidden,
                        format!(
                            "`{name}` is a device on some systems, so files can't have that name"
                        ),
                    ));
                }
                let list = || {
                    world
                        .list(&folder)
                        .into_iter()
                        .map(|entry| (fold(&entry.name), entry.name))
                        .collect()
                };
                let names = self.folders.entry(folder.clone()).or_insert_with(list);
                let twin = names.entry(fold(&name)).or_insert_with(|| name.to_string());
                if *twin != name && next == path && leaves(&folder.join(&**twin)) {
                    *twin = name.to_string();
                }
                if *twin != name {
                    let message = format!(
                        "`{written}` would exist next to `{twin}`, which is the same name on some systems"
                    );
                    return Err((Reason::CaseTwin, message));
                }
            }
            folder = next;
        }
        Ok(())
    }
}

/// A name's form for comparison: equal for names that some systems treat as equal.
fn fold(name: &str) -> String {
    use unicode_normalization::UnicodeNormalization;
    name.nfkc().flat_map(char::to_lowercase).collect()
}

/// Whether Windows reads a name as a device, ignoring its extension.
pub fn is_device(name: &str) -> bool {
    let stem = name
        .split(['.', ':'])
        .next()
        .unwrap_or_default()
        .trim_end_matches(' ')
        .to_ascii_uppercase();
    let numbered = |port: &str| {
        let mut rest = stem.strip_prefix(port).unwrap_or_default().chars();
        matches!((rest.next(), rest.next()), (Some('0'..='9' | '¹' | '²' | '³'), None))
    };
    matches!(stem.as_str(), "CON" | "PRN" | "AUX" | "NUL" | "CONIN$" | "CONOUT$" | "CLOCK$")
        || numbered("COM")
        || numbered("LPT")
}

/// Whether a file with this name may contain secrets.
pub fn is_secret(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    let example = [".example", ".sample", ".template", ".dist", ".defaults"]
        .iter()
        .any(|end| name.ends_with(end));
    let dotenv = name == ".env" || name.starts_with(".env.") || name.ends_with(".env");
    let known = [
        ".envrc",
        ".netrc",
        "_netrc",
        ".npmrc",
        ".pypirc",
        ".htpasswd",
        ".pgpass",
        ".git-credentials",
    ]
    .contains(&name.as_str());
    let key =
        [".pem", ".key", ".p12", ".pfx", ".jks", ".keystore"].iter().any(|end| name.ends_with(end))
            || ["id_rsa", "id_dsa", "id_ecdsa", "id_ed25519"].contains(&name.as_str());
    (dotenv && !example) || known || key
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::world::Memory;

    #[test]
    fn llmd_20_names_of_new_files_are_valid_on_every_system() {
        let world = Memory::default()
            .with("/w/Read.md", "")
            .with("/w/src/b.md", "")
            .with("/w/aux.c", "")
            .with("/w/caf\u{e9}", "");
        let reason = |written: &str| {
            Names::default()
                .take(&world, Path::new("/w"), &Path::new("/w").join(written), written, &|_| false)
                .err()
                .map(|(reason, _)| reason)
        };
        for good in [
            "a",
            "aux.c",
            "auxiliary",
            "src/aux1",
            "com",
            "com10",
            "console.rs",
            "nul_",
            "Read.md/x",
            "src/Read.md",
            "new/b.md",
        ] {
            assert_eq!(reason(good), None, "{good}");
        }
        for device in [
            "CON",
            "con.txt",
            "src/aux.rs",
            "nul",
            "NUL .txt",
            "com1",
            "COM9.log",
            "lpt\u{b9}",
            "new/prn/x",
            "conin$",
            "a:b",
            "b.md::$DATA",
        ] {
            assert_eq!(reason(device), Some(Reason::PathForbidden), "{device}");
        }
        for twin in
            ["read.md", "READ.MD", "Src/new.rs", "src/B.md", "SRC/x/y", "cafe\u{301}", "CAF\u{c9}"]
        {
            assert_eq!(reason(twin), Some(Reason::CaseTwin), "{twin}");
        }
        // Two new files of one reply can also collide.
        let mut names = Names::default();
        let mut reason = |written: &str| {
            names
                .take(&world, Path::new("/w"), &Path::new("/w").join(written), written, &|_| false)
                .err()
                .map(|(reason, _)| reason)
        };
        let found = ["new/x", "new/y", "New/z", "new/X", "n"].map(&mut reason);
        assert_eq!(found, [None, None, Some(Reason::CaseTwin), Some(Reason::CaseTwin), None]);
    }

    #[test]
    fn llmd_20_names_of_secrets() {
        for secret in
            [".env", ".env.local", "prod.env", ".ENV", ".envrc", "server.pem", "id_rsa", ".npmrc"]
        {
            assert!(is_secret(secret), "{secret}");
        }
        for plain in [".env.example", "env", "environment.ts", "key.rs", "id_rsa.pub", ".gitignore"]
        {
            assert!(!is_secret(plain), "{plain}");
        }
    }
}
