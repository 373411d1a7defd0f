//! Keywords about schemas themselves: identity, references, comments.

use super::{Keyword, row};

pub(super) const KEYWORDS: &[Keyword] = &[
    row!(
        "$ref",
        Core,
        ANY,
        Reference,
        "structuring#dollarref",
        "'#/\\$defs/${1:name}'",
        "Uses another schema, usually one under `$defs`. Quote it: `#` begins a comment in YAML. \
            Nothing outside the program is ever fetched.",
        "home: { $ref: '#/$defs/address' }"
    ),
    row!(
        "$defs",
        Core,
        ANY,
        SchemaMap,
        "structuring#defs",
        "\n  ${1:name}:\n    type: ${2:object}",
        "Schemas with names, for `$ref` to use. They check nothing by themselves.",
        "$defs:\n  address:\n    type: object"
    ),
    row!(
        "$schema",
        Core,
        ANY,
        Dialect,
        "reference/schema#schema",
        "https://json-schema.org/draft/2020-12/schema",
        "The dialect of the schema. Optional; programs support draft 2020-12 only.",
        "$schema: https://json-schema.org/draft/2020-12/schema"
    ),
    row!(
        "$comment",
        Core,
        ANY,
        Text,
        "reference/comments",
        "${1:note}",
        "A note for maintainers of the schema. It has no effect; a YAML comment is often better.",
        "$comment: Keep in step with the importer"
    ),
    row!(
        "$id",
        Core,
        ANY,
        Identifier,
        "structuring#id",
        "${1:https://example.com/name}",
        "The URI of the schema, the base of references inside it. Nothing is fetched from it.",
        "$id: https://example.com/address"
    ),
    row!(
        "$anchor",
        Core,
        ANY,
        Anchor,
        "structuring#anchor",
        "${1:name}",
        "A name for this place, so that `$ref: '#name'` finds it wherever it moves.",
        "$defs:\n  address:\n    $anchor: address"
    ),
    row!(
        "$dynamicRef",
        Core,
        ANY,
        Reference,
        "structuring",
        "'#${1:name}'",
        "A reference that the schema that uses this one may redirect with a `$dynamicAnchor`. For extensible recursive schemas; a plain `$ref` is nearly always enough.",
        "children:\n  items: { $dynamicRef: '#node' }"
    ),
    row!(
        "$dynamicAnchor",
        Core,
        ANY,
        Anchor,
        "structuring",
        "${1:name}",
        "A name for this place that a `$dynamicRef` finds, and that the schema that uses this one may override.",
        "$dynamicAnchor: node"
    ),
    row!(
        "$vocabulary",
        Core,
        ANY,
        Vocabularies,
        "reference/schema",
        "\n  ${1:uri}: true",
        "In a meta-schema only: its vocabularies, and whether they must be understood.",
        "$vocabulary:\n  https://json-schema.org/draft/2020-12/vocab/core: true"
    ),
];
