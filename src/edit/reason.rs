//! Why a block is not applied, and what is odd about one that is: closed lists, stable names.

/// Why a block is not applied.
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
    PathOutsideRoot,
    FileMissing,
    FileExists,
    EmptySearchOnNonemptyFile,
    WhitespaceOnlySearch,
    ElisionInReplace,
    ElisionUnpaired,
    SplitAmbiguous,
    NeedsConfirmation,
    TooLarge,
}

impl Reason {
    /// As it stands in JSON and in documentation.
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
            Self::PathOutsideRoot => "path_outside_root",
            Self::FileMissing => "file_missing",
            Self::FileExists => "file_exists",
            Self::EmptySearchOnNonemptyFile => "empty_search_on_nonempty_file",
            Self::WhitespaceOnlySearch => "whitespace_only_search",
            Self::ElisionInReplace => "elision_in_replace",
            Self::ElisionUnpaired => "elision_unpaired",
            Self::SplitAmbiguous => "split_ambiguous",
            Self::NeedsConfirmation => "needs_confirmation",
            Self::TooLarge => "too_large",
        }
    }
}

/// What is odd about a block that can be read all the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Warning {
    /// A marker was misspelt, and what it means is evident.
    RecoveredMarker,
    /// The path is that of the block before it.
    InheritedPath,
    /// A divider too many stands before the end.
    ExtraDivider,
    /// The line that the block names is not where its text was found.
    HintDrift,
    /// Numbers, escapes or a fence were taken off.
    Repaired,
}
