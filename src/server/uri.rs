//! URIs and paths. A client's spelling of a URI is preserved in answers; documents are identified
//! by its meaning.

use std::path::{Path, PathBuf};

use percent_encoding::percent_decode_str;
use tower_lsp::gen_lsp_types::Uri;

use crate::world;

/// The identity of a document: the path of a file, or the URI of anything else.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum Key {
    File(PathBuf),
    Other(String),
}

impl Key {
    pub(super) fn new(uri: &Uri) -> Self {
        to_path(&uri.0).map_or_else(|| Self::Other(uri.0.clone()), Self::File)
    }

    pub(super) fn path(&self) -> Option<&Path> {
        match self {
            Self::File(path) => Some(path),
            Self::Other(_) => None,
        }
    }
}

/// The path of a `file:` URI; `None` for any other scheme, and for invalid URIs.
pub(super) fn to_path(uri: &str) -> Option<PathBuf> {
    let (scheme, rest) = uri.split_once(':')?;
    if !scheme.eq_ignore_ascii_case("file") {
        return None;
    }
    let (host, path) = match rest.strip_prefix("//") {
        Some(rest) => rest.split_at(rest.find('/')?),
        None => ("", rest),
    };
    if !path.starts_with('/') {
        return None;
    }
    let path = path.split(['?', '#']).next()?;
    let path = percent_decode_str(path).decode_utf8().ok()?;
    // `/c:/x` is a drive, on every system.
    let bytes = path.as_bytes();
    let drive = bytes.get(1).is_some_and(u8::is_ascii_alphabetic) && bytes.get(2) == Some(&b':');
    if drive {
        let letter = path.get(1..2)?.to_ascii_uppercase();
        return Some(native(format!("{letter}{}", path.get(2..)?)));
    }
    let local = host.is_empty() || host.eq_ignore_ascii_case("localhost");
    Some(native(if local { path.into_owned() } else { format!("//{host}{path}") }))
}

/// The path in the system's notation.
fn native(path: String) -> PathBuf {
    PathBuf::from(if cfg!(windows) { path.replace('/', "\\") } else { path })
}

/// The `file:` URI of an absolute path.
pub(super) fn from_path(path: &Path) -> Uri {
    Uri(world::uri(path))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn uris_become_paths() {
        let path = |uri: &str| to_path(uri).map(|path| world::slashed(&path));
        assert_eq!(path("file:///a%20b/%F0%9F%A6%86.md").as_deref(), Some("/a b/🦆.md"));
        assert_eq!(path("FILE:///a").as_deref(), Some("/a"));
        assert_eq!(path("file://localhost/a").as_deref(), Some("/a"));
        assert_eq!(path("file:///c%3A/x%20y/z.md").as_deref(), Some("C:/x y/z.md"));
        assert_eq!(path("file:///C:/x").as_deref(), Some("C:/x"));
        assert_eq!(path("file://server/share/x.md").as_deref(), Some("//server/share/x.md"));
        for other in [
            "untitled:Untitled-1",
            "not a uri",
            "",
            "git:/a.md?%7B%7D",
            "file:",
            "file:a",
            "file:///%ff",
        ] {
            assert_eq!(path(other), None, "{other}");
        }
    }

    #[test]
    fn paths_become_uris_and_back() {
        for path in [
            "/a b/🦆.md",
            "/:/a.md",
            "/x/100%.md",
            "/q?/#/[1].md",
            "C:/x y/z.md",
            "//server/share/x.md",
        ] {
            let uri = from_path(Path::new(path));
            assert!(uri.0.starts_with("file://") && uri.0.is_ascii(), "{}", uri.0);
            assert_eq!(to_path(&uri.0), Some(PathBuf::from(path)), "{}", uri.0);
        }
    }
}
