//! The words of the format (Appendix A and B of the specification, DUCK-12).

/// A section of free text.
#[derive(Debug)]
pub struct SectionName {
    pub name: &'static str,
    pub documentation: &'static str,
}

pub static SECTIONS: &[SectionName] = &[
    SectionName {
        name: "REASONING",
        documentation: "Why the reply does what it does, as free text of any length. It comes first.",
    },
    SectionName { name: "PLANNING", documentation: "A high-level plan. Optional." },
    SectionName { name: "NOTES", documentation: "Any other remarks. Optional." },
];

/// A number from 0 to 1 that says how the agent feels.
#[derive(Debug)]
pub struct VitalName {
    pub name: &'static str,
    pub documentation: &'static str,
    pub low: &'static str,
    pub high: &'static str,
}

pub static VITALS: &[VitalName] = &[
    VitalName {
        name: "CONFIDENCE",
        documentation: "How sure the agent is of its plan.",
        low: "uncertain",
        high: "certain",
    },
    VitalName {
        name: "MOOD",
        documentation: "How the agent feels.",
        low: "frustrated",
        high: "excited",
    },
    VitalName {
        name: "FOCUS",
        documentation: "How concentrated the agent is.",
        low: "distracted",
        high: "focused on this task alone",
    },
    VitalName {
        name: "STAMINA",
        documentation: "How much energy the agent has left.",
        low: "exhausted",
        high: "full of energy",
    },
];

/// What an action does.
#[derive(Debug)]
pub struct ActionType {
    pub name: &'static str,
    pub documentation: &'static str,
    pub required: &'static [&'static str],
    pub optional: &'static [&'static str],
    pub content: Content,
}

/// Whether an action has a content block.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Content {
    /// The action does little without it.
    Wanted,
    Allowed,
    Unused,
}

pub static ACTION_TYPES: &[ActionType] = &[
    ActionType {
        name: "create_file",
        documentation: "Creates a file with the content.",
        required: &["PATH"],
        optional: &["DESCRIPTION"],
        content: Content::Wanted,
    },
    ActionType {
        name: "edit_file",
        documentation: "Edits a file: the content is the new contents of the whole file, or SEARCH/REPLACE blocks.",
        required: &["PATH"],
        optional: &["DESCRIPTION", "EXPLANATION"],
        content: Content::Allowed,
    },
    ActionType {
        name: "delete_file",
        documentation: "Deletes a file.",
        required: &["PATH"],
        optional: &["DESCRIPTION"],
        content: Content::Unused,
    },
    ActionType {
        name: "run_command",
        documentation: "Runs a shell command. agentmd never runs it.",
        required: &["COMMAND"],
        optional: &["WORKING_DIR", "TIMEOUT", "DESCRIPTION"],
        content: Content::Unused,
    },
    ActionType {
        name: "search_code",
        documentation: "Searches the code base.",
        required: &["QUERY"],
        optional: &["CONTEXT", "MAX_RESULTS", "DESCRIPTION"],
        content: Content::Unused,
    },
    ActionType {
        name: "read_file",
        documentation: "Reads a file.",
        required: &["PATH"],
        optional: &["DESCRIPTION"],
        content: Content::Unused,
    },
    ActionType {
        name: "finish",
        documentation: "Ends the task.",
        required: &["RESULT"],
        optional: &["NEXT_STEPS", "DESCRIPTION"],
        content: Content::Unused,
    },
];

/// The meaning of a parameter.
#[derive(Debug)]
pub struct ParameterName {
    pub name: &'static str,
    pub documentation: &'static str,
    pub kind: ParameterKind,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ParameterKind {
    Text,
    Path,
    Number,
    Integer,
}

pub static PARAMETERS: &[ParameterName] = &[
    ParameterName {
        name: "TYPE",
        documentation: "What the action does. Every action has one.",
        kind: ParameterKind::Text,
    },
    ParameterName {
        name: "PATH",
        documentation: "The file, relative to the workspace.",
        kind: ParameterKind::Path,
    },
    ParameterName {
        name: "DESCRIPTION",
        documentation: "What the action is for, in plain words.",
        kind: ParameterKind::Text,
    },
    ParameterName {
        name: "EXPLANATION",
        documentation: "Why the file is edited this way.",
        kind: ParameterKind::Text,
    },
    ParameterName {
        name: "COMMAND",
        documentation: "The shell command.",
        kind: ParameterKind::Text,
    },
    ParameterName {
        name: "WORKING_DIR",
        documentation: "Where the command runs.",
        kind: ParameterKind::Path,
    },
    ParameterName {
        name: "TIMEOUT",
        documentation: "How many seconds the command may take.",
        kind: ParameterKind::Number,
    },
    ParameterName { name: "QUERY", documentation: "The search query.", kind: ParameterKind::Text },
    ParameterName {
        name: "CONTEXT",
        documentation: "What the search is about.",
        kind: ParameterKind::Text,
    },
    ParameterName {
        name: "MAX_RESULTS",
        documentation: "The maximum number of results.",
        kind: ParameterKind::Integer,
    },
    ParameterName { name: "RESULT", documentation: "The outcome.", kind: ParameterKind::Text },
    ParameterName {
        name: "NEXT_STEPS",
        documentation: "Possible next steps.",
        kind: ParameterKind::Text,
    },
    ParameterName {
        name: "CONTENT_START",
        documentation: "The content follows, byte for byte, up to `CONTENT_END`.",
        kind: ParameterKind::Text,
    },
    ParameterName {
        name: "CONTENT_END",
        documentation: "Ends the content.",
        kind: ParameterKind::Text,
    },
];

pub fn action_type(name: &str) -> Option<&'static ActionType> {
    ACTION_TYPES.iter().find(|action| action.name == name)
}

pub fn parameter(name: &str) -> Option<&'static ParameterName> {
    PARAMETERS.iter().find(|parameter| parameter.name == name)
}
