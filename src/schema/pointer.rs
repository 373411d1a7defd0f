//! JSON pointers (RFC 6901): `/properties/a~1b/items/0`.

/// The pointer to the entry `segment` of the value at `pointer`.
pub fn join(pointer: &str, segment: &str) -> String {
    let mut joined = String::with_capacity(pointer.len() + segment.len() + 1);
    joined.push_str(pointer);
    joined.push('/');
    match segment.contains(['~', '/']) {
        true => joined.push_str(&segment.replace('~', "~0").replace('/', "~1")),
        false => joined.push_str(segment),
    }
    joined
}

/// The pointer to the item `index` of the value at `pointer`.
pub fn item(pointer: &str, index: usize) -> String {
    format!("{pointer}/{index}")
}

/// The pointer for a path of unescaped keys and indices.
pub fn from_path<S: AsRef<str>>(path: &[S]) -> String {
    path.iter().fold(String::new(), |pointer, segment| join(&pointer, segment.as_ref()))
}

/// The unescaped keys and indices of a pointer.
pub fn to_path(pointer: &str) -> Vec<String> {
    pointer
        .split('/')
        .skip(1)
        .map(|segment| segment.replace("~1", "/").replace("~0", "~"))
        .collect()
}

/// The parent of the value at the pointer, and its unescaped key there; `None` for the root.
pub fn split_last(pointer: &str) -> Option<(&str, String)> {
    let (parent, last) = pointer.rsplit_once('/')?;
    Some((parent, last.replace("~1", "/").replace("~0", "~")))
}
