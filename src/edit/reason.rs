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
    CutOff,
    InvalidJson,
    UnknownCall,
    FenceAmbiguous,
    LinesByNumber,
    CommandNotRun,
    StrayMarker,
    NoEdits,
}

impl Reason {
    /// Every reason, for lists.
    pub const ALL: [Self; 29] = [
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
        Self::CutOff,
        Self::InvalidJson,
        Self::UnknownCall,
        Self::FenceAmbiguous,
        Self::LinesByNumber,
        Self::CommandNotRun,
        Self::StrayMarker,
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
            Self::CutOff => "cut_off",
            Self::InvalidJson => "invalid_json",
            Self::UnknownCall => "unknown_call",
            Self::FenceAmbiguous => "fence_ambiguous",
            Self::LinesByNumber => "lines_by_number",
            Self::CommandNotRun => "command_not_run",
            Self::StrayMarker => "stray_marker",
            Self::NoEdits => "no_edits",
        }
    }
}

impl Reason {
    /// The explanation and the remedy, in a sentence or two.
    pub fn documentation(self) -> &'static str {
        match self {
            Self::AlreadyApplied => "The file has the new text already.",
            Self::NoOp => "The old and the new text are the same: nothing would change.",
            Self::NotFound => {
                "The SEARCH text is nowhere in the file. Copy the lines as they are now in the file."
            }
            Self::Ambiguous => {
                "The SEARCH text is at several places, and nothing says which is meant. Add lines around it."
            }
            Self::Overlap => "Two blocks change the same lines. Make one block of both.",
            Self::UnterminatedBlock => "The block has no end marker: it may have been cut off.",
            Self::MissingDivider => "The block has no `=======` between the old and the new text.",
            Self::MismatchedEnd => "The end marker is that of another kind of block.",
            Self::MissingPath => "The block does not say which file it is about.",
            Self::FileMissing => "The file to be edited or deleted is not there. Mend its path.",
            Self::FileExists => "The file to be created is there already, with another text.",
            Self::EmptySearchOnNonemptyFile => {
                "The SEARCH text is empty, and the file is not: nothing says where the new text goes. Copy the line that it follows into both texts."
            }
            Self::WhitespaceOnlySearch => {
                "The SEARCH text is blank: it is everywhere and nowhere. Put the lines into it that are to go."
            }
            Self::ElisionInReplace => "The new text says `...` for lines that would be lost.",
            Self::ElisionUnpaired => {
                "The SEARCH text says `...` where the new text does not: lines would be lost that nobody has seen."
            }
            Self::SplitAmbiguous => {
                "The block can be divided in two ways that fit alike, and would put different texts there: an author decides."
            }
            Self::NeedsConfirmation => {
                "The place is likely, but not beyond doubt: an author decides."
            }
            Self::TooLarge => "The file is larger than what is searched.",
            Self::AmbiguousPath => {
                "Several files are named, and nothing says which one the block is about. Write the path on a line of its own above the block."
            }
            Self::SeveralVersions => {
                "The reply shows more than one version, and nothing says which one is meant."
            }
            Self::WarnedOf => "The sentence above the block warns of it.",
            Self::CutOff => {
                "The reply was cut off, so that nothing of it can be trusted. Ask the model to go on."
            }
            Self::InvalidJson => "The call is not valid JSON.",
            Self::UnknownCall => {
                "The call is not one of a known editing tool, or its arguments contradict each other."
            }
            Self::FenceAmbiguous => {
                "Fences in the file's text leave open where it ends. Use a longer fence around it."
            }
            Self::LinesByNumber => {
                "The edit is told by line numbers or in prose, without the old text. Ask for a SEARCH/REPLACE block."
            }
            Self::CommandNotRun => "A command would write the file, and commands are never run.",
            Self::StrayMarker => "A marker belongs to no block that can be read.",
            Self::NoEdits => "The message holds no edit.",
        }
    }
}

impl Reason {
    /// Whether it is about an edit that is told in prose, which counts only where other edits or a
    /// file stand beside it.
    pub fn is_told(self) -> bool {
        matches!(self, Self::LinesByNumber)
    }
}

/// A warning about a block that can still be applied.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Warning {
    /// A marker was misspelt, but unambiguous.
    RecoveredMarker,
    /// The path is that of the block before it.
    InheritedPath,
    /// There is a second divider before the end.
    ExtraDivider,
    /// The text wasn't found at the line that the block names.
    HintDrift,
    /// Numbers, escapes or a fence were taken off.
    Repaired,
    /// Another marker stands where its divider or end should be: an author decides.
    UnclearMarker,
}
