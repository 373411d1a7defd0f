//! Why a block isn't applied, and warnings for applied ones: closed lists with stable names.

/// Why a block isn't applied.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Reason {
    AlreadyApplied,
    NoOp,
    NotFound,
    Ambiguous,
    Overlap,
    UnterminatedBlock,
    MissingDivider,
    MismatchedEnd,
    MissingPath,
    FileMissing,
    FileExists,
    EmptySearchOnNonemptyFile,
    WhitespaceOnlySearch,
    ElisionInReplace,
    ElisionUnpaired,
    SplitAmbiguous,
    NeedsConfirmation,
    TooLarge,
    AmbiguousPath,
    SeveralVersions,
    WarnedOf,
    Declined,
    CutOff,
    InvalidJson,
    UnknownCall,
    FenceAmbiguous,
    LinesByNumber,
    LineOutOfRange,
    CommandNotRun,
    StrayMarker,
    MalformedPatch,
    UnsupportedChange,
    Escaped,
    NoEdits,
}

impl Reason {
    /// Every reason, for lists.
    pub const ALL: [Self; 34] = [
        Self::AlreadyApplied,
        Self::NoOp,
        Self::NotFound,
        Self::Ambiguous,
        Self::Overlap,
        Self::UnterminatedBlock,
        Self::MissingDivider,
        Self::MismatchedEnd,
        Self::MissingPath,
        Self::FileMissing,
        Self::FileExists,
        Self::EmptySearchOnNonemptyFile,
        Self::WhitespaceOnlySearch,
        Self::ElisionInReplace,
        Self::ElisionUnpaired,
        Self::SplitAmbiguous,
        Self::NeedsConfirmation,
        Self::TooLarge,
        Self::AmbiguousPath,
        Self::SeveralVersions,
        Self::WarnedOf,
        Self::Declined,
        Self::CutOff,
        Self::InvalidJson,
        Self::UnknownCall,
        Self::FenceAmbiguous,
        Self::LinesByNumber,
        Self::LineOutOfRange,
        Self::CommandNotRun,
        Self::StrayMarker,
        Self::MalformedPatch,
        Self::UnsupportedChange,
        Self::Escaped,
        Self::NoEdits,
    ];

    /// The name in JSON and in the docs.
    pub fn name(self) -> &'static str {
        match self {
            Self::AlreadyApplied => "already_applied",
            Self::NoOp => "no_op",
            Self::NotFound => "not_found",
            Self::Ambiguous => "ambiguous",
            Self::Overlap => "overlap",
            Self::UnterminatedBlock => "unterminated_block",
            Self::MissingDivider => "missing_divider",
            Self::MismatchedEnd => "mismatched_end",
            Self::MissingPath => "missing_path",
            Self::FileMissing => "file_missing",
            Self::FileExists => "file_exists",
            Self::EmptySearchOnNonemptyFile => "empty_search_on_nonempty_file",
            Self::WhitespaceOnlySearch => "whitespace_only_search",
            Self::ElisionInReplace => "elision_in_replace",
            Self::ElisionUnpaired => "elision_unpaired",
            Self::SplitAmbiguous => "split_ambiguous",
            Self::NeedsConfirmation => "needs_confirmation",
            Self::TooLarge => "too_large",
            Self::AmbiguousPath => "ambiguous_path",
            Self::SeveralVersions => "several_versions",
            Self::WarnedOf => "warned_of",
            Self::Declined => "declined",
            Self::CutOff => "cut_off",
            Self::InvalidJson => "invalid_json",
            Self::UnknownCall => "unknown_call",
            Self::FenceAmbiguous => "fence_ambiguous",
            Self::LinesByNumber => "lines_by_number",
            Self::LineOutOfRange => "line_out_of_range",
            Self::CommandNotRun => "command_not_run",
            Self::StrayMarker => "stray_marker",
            Self::MalformedPatch => "malformed_patch",
            Self::UnsupportedChange => "unsupported_change",
            Self::Escaped => "escaped",
            Self::NoEdits => "no_edits",
        }
    }
}

impl Reason {
    /// The cause and the remedy, in one clause.
    pub fn message(self) -> &'static str {
        match self {
            Self::AlreadyApplied => "the file already contains the new text",
            Self::NoOp => "the old and the new text are the same, so nothing would change",
            Self::NotFound => {
                "the SEARCH text isn't in the file; copy the lines as they are now in the file"
            }
            Self::Ambiguous => {
                "the SEARCH text matches several places; add the lines around the one you mean"
            }
            Self::Overlap => "two blocks change the same lines; combine them into one block",
            Self::UnterminatedBlock => "the block has no end marker and may have been cut off",
            Self::MissingDivider => "the block has no `=======` between the old and the new text",
            Self::MismatchedEnd => "the end marker belongs to another kind of block",
            Self::MissingPath => "the block doesn't name its file; write the path above it",
            Self::FileMissing => "the file to edit or delete doesn't exist; correct its path",
            Self::FileExists => "the file to create already exists with other content",
            Self::EmptySearchOnNonemptyFile => {
                "the SEARCH text is empty but the file isn't; copy the line before the new text \
                 into both parts"
            }
            Self::WhitespaceOnlySearch => {
                "the SEARCH text is blank and matches everywhere; copy the lines to replace into it"
            }
            Self::ElisionInReplace => {
                "the new text has a placeholder in place of lines, which would be lost; write them out"
            }
            Self::ElisionUnpaired => {
                "the SEARCH text has a `...` that the new text lacks, so unseen lines would be lost; \
                 write them out"
            }
            Self::SplitAmbiguous => {
                "the block can be divided in two ways with different results; choose one"
            }
            Self::NeedsConfirmation => "the place is likely but not certain; confirm it",
            Self::TooLarge => "the file is too large to search",
            Self::AmbiguousPath => {
                "several files are named and any of them could be meant; write the path on the \
                 line above the block"
            }
            Self::SeveralVersions => {
                "the reply shows more than one version of the change; keep the one you want"
            }
            Self::WarnedOf => "the sentence above the block warns against it",
            Self::Declined => {
                "the user didn't agree to the edits of the last turn; `--allow declined` applies \
                 them anyway"
            }
            Self::CutOff => "the reply was cut off and can't be trusted; ask the model to continue",
            Self::InvalidJson => "the call isn't valid JSON",
            Self::UnknownCall => {
                "the call isn't one of a known editing tool, or its arguments contradict each other"
            }
            Self::FenceAmbiguous => {
                "fences in the file's content make its end unclear; use a longer fence around it"
            }
            Self::LinesByNumber => {
                "the edit gives line numbers or a description instead of the old text; ask for a \
                 SEARCH/REPLACE block"
            }
            Self::LineOutOfRange => {
                "the file has fewer lines than the edit names; read the file again"
            }
            Self::CommandNotRun => "a command would write the file, and commands are never run",
            Self::StrayMarker => "the marker doesn't belong to a block that can be parsed",
            Self::MalformedPatch => {
                "the patch has a section without changes, or a line that belongs to none; begin \
                 the lines of a new file with `+`, and those of an update with `+`, `-` or a space"
            }
            Self::UnsupportedChange => {
                "the diff changes permissions, a link or a binary file, or copies a file, which \
                 agentmd doesn't do; make that change yourself and take it out of the diff"
            }
            Self::Escaped => {
                "the file's text seems to be escaped: it has `\\n` in place of every line break, or \
                 `&lt;` in place of every `<`; write the characters themselves"
            }
            Self::NoEdits => "the message contains no edits",
        }
    }
}

impl Reason {
    /// Whether the edit is described in prose, which counts only next to other edits or a file.
    pub fn is_told(self) -> bool {
        matches!(self, Self::LinesByNumber)
    }
}

/// A warning about a block that can still be applied.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Warning {
    /// A marker was misspelt, but unambiguous.
    RecoveredMarker,
    /// The path is inherited from the block before it.
    InheritedPath,
    /// There is a second divider before the end.
    ExtraDivider,
    /// The text wasn't found at the line that the block names.
    HintDrift,
    /// Line numbers, escapes or a fence were removed.
    Repaired,
    /// Another marker is in the place of its divider or end: the author decides.
    UnclearMarker,
}
