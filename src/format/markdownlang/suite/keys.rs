//! The keys of tests: their meaning and their snippets.

use crate::format::markdownlang::field::{Holds, Key};

/// The keys of a test file.
pub static FILE: &[Key] = &[
    Key {
        name: "program",
        holds: Holds::Text,
        required: false,
        documentation: "The path of the program, relative to this file. Without it, `name.test.yaml` tests `name.md` in the same folder.\n\n```yaml\nprogram: ./triage.md\n```",
        snippet: "program: ./${1:program.md}",
    },
    Key {
        name: "model",
        holds: Holds::Text,
        required: false,
        documentation: "The model of all cases that don't name one, if the program doesn't name one either.\n\n```yaml\nmodel: gpt-4o-mini\n```",
        snippet: "model: ${1:gpt-4o}",
    },
    Key {
        name: "cases",
        holds: Holds::Cases,
        required: true,
        documentation: "**Required.** The cases, each an input and the expected output.\n\n```yaml\ncases:\n  - name: a crash is a bug\n    input: { text: The app crashes on start }\n    expect: { at: { /kind: bug } }\n```",
        snippet: "cases:\n  - name: ${1:case}\n    input: { ${2} }\n    expect: { ${3} }",
    },
];

/// The keys of a case.
pub static CASE: &[Key] = &[
    Key {
        name: "name",
        holds: Holds::Text,
        required: true,
        documentation: "**Required.** The name of the case in reports, unique in the file. Its recording is in a folder with this name.\n\n```yaml\nname: a crash is a bug\n```",
        snippet: "name: ${1:case}",
    },
    Key {
        name: "input",
        holds: Holds::Anything,
        required: false,
        documentation: "The input of the run. Without it, the case runs with the program's `sample`, or with `{}`.\n\n```yaml\ninput: { text: The app crashes on start }\n```",
        snippet: "input: { ${1} }",
    },
    Key {
        name: "model",
        holds: Holds::Text,
        required: false,
        documentation: "The model of this case, if the program doesn't name one.\n\n```yaml\nmodel: gpt-4o-mini\n```",
        snippet: "model: ${1:gpt-4o}",
    },
    Key {
        name: "expect",
        holds: Holds::Expect,
        required: true,
        documentation: "**Required.** Everything that must be true of the output.\n\n```yaml\nexpect:\n  at:\n    /kind: bug\n    /reply: { contains: sorry }\n```",
        snippet: "expect: { ${1} }",
    },
];

/// The keys of `expect`; those that also apply to a part of the output first.
pub static EXPECT: &[Key] = &[
    Key {
        name: "equals",
        holds: Holds::Anything,
        required: false,
        documentation: "The output is this value. `1` equals `1.0`; the order of an object's entries doesn't matter.\n\n```yaml\nequals: { kind: bug }\n```",
        snippet: "equals: ${1}",
    },
    Key {
        name: "schema",
        holds: Holds::Schema,
        required: false,
        documentation: "The output validates against this JSON Schema.\n\n```yaml\nschema: { required: [kind] }\n```",
        snippet: "schema: { ${1} }",
    },
    Key {
        name: "contains",
        holds: Holds::Anything,
        required: false,
        documentation: "The output contains this text, this item, or these entries of an object. A list: all of them.\n\n```yaml\ncontains: [sorry, update]\n```",
        snippet: "contains: ${1:text}",
    },
    Key {
        name: "matches",
        holds: Holds::Text,
        required: false,
        documentation: "The output, as text, matches this regular expression. A list: all of them.\n\n```yaml\nmatches: \"(?i)^hello\"\n```",
        snippet: "matches: \"${1}\"",
    },
    Key {
        name: "at",
        holds: Holds::Pointers,
        required: false,
        documentation: "What parts of the output are: each [JSON Pointer](https://www.rfc-editor.org/rfc/rfc6901) has a value, or a mapping of expectations.\n\n```yaml\nat:\n  /kind: bug\n  /reply: { contains: sorry }\n```",
        snippet: "at:\n  /${1:field}: ${2}",
    },
    Key {
        name: "judge",
        holds: Holds::Text,
        required: false,
        documentation: "A program that decides: its input is `{\"input\": …, \"output\": …, \"criteria\": …}`, and its output has `pass`, `true` or `false`, and possibly `reason`. It runs only if everything else is true.\n\n```yaml\njudge: { program: ./polite.md, criteria: The reply is polite. }\n```",
        snippet: "judge: { program: ./${1:judge.md}, criteria: ${2} }",
    },
    Key {
        name: "error",
        holds: Holds::Text,
        required: false,
        documentation: "The run fails with a message that contains this text. Nothing else can be expected then.\n\n```yaml\nerror: the input does not match\n```",
        snippet: "error: ${1:the input does not match}",
    },
];

/// The keys of `judge`.
pub static JUDGE: &[Key] = &[
    Key {
        name: "program",
        holds: Holds::Text,
        required: true,
        documentation: "**Required.** The path of the judge, relative to this file.\n\n```yaml\nprogram: ./polite.md\n```",
        snippet: "program: ./${1:judge.md}",
    },
    Key {
        name: "criteria",
        holds: Holds::Text,
        required: false,
        documentation: "What the judge should look at: the `criteria` of its input.\n\n```yaml\ncriteria: The reply is polite.\n```",
        snippet: "criteria: ${1}",
    },
];
