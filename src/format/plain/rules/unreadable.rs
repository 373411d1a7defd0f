use crate::declare_rule;

declare_rule! {
    /// The file cannot be read as text: it is not UTF-8, it is too large, or the system refuses to
    /// open it.
    ///
    /// Agents and editors read Markdown as UTF-8. In another encoding (Latin-1, UTF-16), characters
    /// are garbled or reading fails, so agentmd didn't check the rest of the file. The message
    /// gives the first invalid byte. UTF-16 is a hint in files that no agent reads.
    ///
    /// Convert the file: `iconv -f LATIN1 -t UTF-8 old.md > new.md`, or "Save with Encoding" in
    /// your editor. If the file isn't text, add it to `exclude` in `agentmd.toml`.
    ///
    /// This rule checks files, not text, so it has no example.
    pub static UNREADABLE = "markdown/unreadable", Error, "File is not readable as UTF-8 text";
}
