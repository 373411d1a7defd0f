//! `apply` keeps a file's metadata: access control lists, extended attributes, mode, hard links.

#![cfg(target_os = "linux")]

use std::fs::{self, File, Permissions};
use std::os::unix::fs::{MetadataExt, PermissionsExt};

use rustix::fs::{XattrFlags, fgetxattr, fsetxattr};
use serde_json::json;

use super::Folder;

const LIST: &str = "system.posix_acl_access";
const DEFAULT: &str = "system.posix_acl_default";

fn edit(path: &str) -> String {
    json!({ "reasoning": "r", "actions": [{ "type": "edit_file", "path": path, "content": "new\n" }] }).to_string()
}

/// An access control list in the kernel's format: a version, then entries of a tag, permissions
/// and a name.
fn list(entries: &[(u16, u16, u32)]) -> Vec<u8> {
    let mut bytes = 2u32.to_le_bytes().to_vec();
    for (tag, permissions, name) in entries {
        bytes.extend(tag.to_le_bytes());
        bytes.extend(permissions.to_le_bytes());
        bytes.extend(name.to_le_bytes());
    }
    bytes
}

const NOBODY: u32 = u32::MAX;

/// The owner and one other user may read and write; the group may only read.
fn shared() -> Vec<u8> {
    list(&[(1, 6, NOBODY), (2, 6, 12_345), (4, 4, NOBODY), (16, 6, NOBODY), (32, 0, NOBODY)])
}

/// Whether the file system of the tests accepts an attribute.
fn takes(file: &File, name: &str, value: &[u8]) -> bool {
    match fsetxattr(file, name, value, XattrFlags::empty()) {
        Ok(()) => true,
        Err(error) => {
            println!("skipped: this file system does not take `{name}`: {error}");
            false
        }
    }
}

fn attribute(folder: &Folder, path: &str, name: &str) -> Option<Vec<u8>> {
    let mut buffer = vec![0; 4096];
    let length = fgetxattr(File::open(folder.path(path)).unwrap(), name, &mut buffer[..]).ok()?;
    buffer.truncate(length);
    Some(buffer)
}

#[test]
fn an_access_control_list_stays_and_the_group_gains_nothing() {
    let folder = Folder::with(&[("a", "old\n")]);
    fs::set_permissions(folder.path("a"), Permissions::from_mode(0o640)).unwrap();
    if !takes(&File::open(folder.path("a")).unwrap(), LIST, &shared()) {
        return;
    }
    let mode = fs::metadata(folder.path("a")).unwrap().mode() & 0o7777;
    assert_eq!(mode, 0o660, "the group bits of the mode are the mask of the list");
    assert_eq!(folder.run_with(&["apply", "-"], edit("a").as_bytes()).status, 0);
    assert_eq!(
        (folder.read("a").as_str(), attribute(&folder, "a", LIST)),
        ("new\n", Some(shared()))
    );
    assert_eq!(fs::metadata(folder.path("a")).unwrap().mode() & 0o7777, mode);
}

#[test]
fn a_file_without_a_list_gets_none_from_its_folder() {
    let folder = Folder::with(&[("in/a", "old\n")]);
    fs::set_permissions(folder.path("in/a"), Permissions::from_mode(0o640)).unwrap();
    if !takes(&File::open(folder.path("in")).unwrap(), DEFAULT, &shared()) {
        return;
    }
    assert_eq!(folder.run_with(&["apply", "-"], edit("in/a").as_bytes()).status, 0);
    assert_eq!((folder.read("in/a").as_str(), attribute(&folder, "in/a", LIST)), ("new\n", None));
    assert_eq!(fs::metadata(folder.path("in/a")).unwrap().mode() & 0o7777, 0o640);
}

#[test]
fn extended_attributes_stay() {
    let folder = Folder::with(&[("a", "old\n")]);
    let long = vec![b'x'; 3000];
    for (name, value) in
        [("user.origin", &b"https://example.org"[..]), ("user.empty", b""), ("user.long", &long)]
    {
        if !takes(&File::options().write(true).open(folder.path("a")).unwrap(), name, value) {
            return;
        }
    }
    assert_eq!(folder.run_with(&["apply", "-"], edit("a").as_bytes()).status, 0);
    assert_eq!(folder.read("a"), "new\n");
    assert_eq!(
        attribute(&folder, "a", "user.origin").as_deref(),
        Some(&b"https://example.org"[..])
    );
    assert_eq!(
        (attribute(&folder, "a", "user.empty"), attribute(&folder, "a", "user.long")),
        (Some(Vec::new()), Some(long))
    );
}

#[test]
fn a_moved_file_keeps_its_attributes_there_and_back() {
    let folder = Folder::with(&[("a", "one  \n")]);
    fs::set_permissions(folder.path("a"), Permissions::from_mode(0o600)).unwrap();
    let marked =
        takes(&File::options().write(true).open(folder.path("a")).unwrap(), "user.origin", b"x");
    let reply =
        "*** Begin Patch\n*** Update File: a\n*** Move to: in/b\n@@\n-one\n+two\n*** End Patch\n";
    for (more, path, text) in [(&[][..], "in/b", "two\n"), (&["--reverse"], "a", "one  \n")] {
        let answer = folder.run_with(&[&["apply", "-"], more].concat(), reply.as_bytes());
        assert_eq!((answer.status, folder.read(path).as_str()), (0, text), "{answer:?}");
        assert_eq!(fs::metadata(folder.path(path)).unwrap().mode() & 0o7777, 0o600, "{path}");
        assert!(
            !marked || attribute(&folder, path, "user.origin").as_deref() == Some(b"x"),
            "{path}"
        );
    }
    fs::hard_link(folder.path("a"), folder.path("other")).unwrap();
    let answer = folder.run_with(&["apply", "-"], reply.as_bytes());
    assert!(
        answer.status == 1 && answer.err.contains("[hard_link]") && folder.path("a").exists(),
        "{answer:?}"
    );
}

#[test]
fn a_file_with_other_hard_links_is_refused() {
    let folder = Folder::with(&[("root/a", "old\n"), ("root/b", "old\n"), ("away/x", "x\n")]);
    fs::hard_link(folder.path("root/a"), folder.path("away/a")).unwrap();
    for more in [&[][..], &["--check"], &["--dry-run"], &["--yes"]] {
        let answer = folder
            .run_with(&[&["apply", "-", "--root", "root"], more].concat(), edit("a").as_bytes());
        assert!(
            answer.status == 1
                && answer.err.contains("[hard_link]")
                && answer.err.contains("hard links"),
            "{answer:?}"
        );
    }
    assert_eq!(
        (folder.read("root/a").as_str(), folder.read("away/a").as_str()),
        ("old\n", "old\n")
    );
    assert_eq!(fs::metadata(folder.path("root/a")).unwrap().nlink(), 2);
    // Deleting one of several hard links is fine, since the others keep the content.
    let delete = json!({ "reasoning": "r", "actions": [{ "type": "delete_file", "path": "a" }] })
        .to_string();
    assert_eq!(folder.run_with(&["apply", "-", "--root", "root"], delete.as_bytes()).status, 0);
    assert_eq!((folder.path("root/a").exists(), folder.read("away/a").as_str()), (false, "old\n"));
}
