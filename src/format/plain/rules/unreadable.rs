use crate::declare_rule;

declare_rule! {
    /// The file cannot be read as text: it is not UTF-8, it is too large, or the system refuses to
    /// open it.
    ///
    /// Agents and editors read Markdown as UTF-8. In another encoding (Latin-1, UTF-16) letters
    /// turn into others or reading fails altogether, so nothing else in the file was checked. The
    /// message names the first byte that begins no character.
    ///
    /// Convert the file: `iconv -f LATIN1 -t UTF-8 old.md > new.md`, or "Save with Encoding" in
    /// your editor. If the file is not text at all, put it into `exclude` in `agentmd.toml`.
    ///
    /// This is found in files, not in text, so no example can be shown here.
    pub static UNREADABLE = "markdown/unreadable", Error, "The file cannot be read as UTF-8 text";
}
