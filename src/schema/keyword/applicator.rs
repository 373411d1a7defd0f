//! Keywords with subschemas.

use super::{Keyword, row};

pub(super) const KEYWORDS: &[Keyword] = &[
    row!(
        "properties",
        Applicator,
        OBJECT,
        SchemaMap,
        "reference/object#properties",
        "\n  ${1:name}:\n    type: ${2:string}",
        "The properties of an object, each with its schema. A property is optional unless `required` lists it, and others are allowed unless `additionalProperties` is `false`.",
        "type: object\nproperties:\n  url: { type: string, format: uri }\nrequired: [url]"
    ),
    row!(
        "items",
        Applicator,
        ARRAY,
        Schema,
        "reference/array#items",
        "\n  type: ${1:string}",
        "The schema of every item of an array; after `prefixItems`, of every further item.",
        "type: array\nitems: { type: string }"
    ),
    row!(
        "additionalProperties",
        Applicator,
        OBJECT,
        Schema,
        "reference/object#additionalproperties",
        "${1|false,true|}",
        "The schema of all properties that neither `properties` nor `patternProperties` of this \
            schema names. `false` forbids them; strict mode of providers requires that.",
        "type: object\nproperties:\n  url: { type: string }\nadditionalProperties: false"
    ),
    row!(
        "patternProperties",
        Applicator,
        OBJECT,
        PatternMap,
        "reference/object#patternProperties",
        "\n  '${1:^x-}':\n    type: ${2:string}",
        "Schemas for all properties whose names match a regular expression.",
        "type: object\npatternProperties:\n  '^x-': { type: string }"
    ),
    row!(
        "propertyNames",
        Applicator,
        OBJECT,
        Schema,
        "reference/object#propertyNames",
        "\n  pattern: '${1:^[a-z_]+\\$}'",
        "A schema that the name of every property must match. Names are strings, so no `type` is needed.",
        "type: object\npropertyNames:\n  pattern: '^[a-z_]+$'"
    ),
    row!(
        "prefixItems",
        Applicator,
        ARRAY,
        Schemas,
        "reference/array#tupleValidation",
        "\n  - type: ${1:string}",
        "The schemas of the first items, one for each position. `items` is for those that follow; `items: false` allows none.",
        "type: array\nprefixItems:\n  - { type: number }\n  - { type: string }\nitems: false"
    ),
    row!(
        "contains",
        Applicator,
        ARRAY,
        Schema,
        "reference/array#contains",
        "\n  type: ${1:string}",
        "A schema that at least one item must match, or as many as `minContains` and `maxContains` say.",
        "type: array\ncontains: { const: done }"
    ),
    row!(
        "allOf",
        Applicator,
        ANY,
        Schemas,
        "reference/combining#allOf",
        "\n  - ${1}",
        "The value must match every one of these schemas.",
        "allOf:\n  - { $ref: '#/$defs/base' }\n  - { required: [name] }"
    ),
    row!(
        "anyOf",
        Applicator,
        ANY,
        Schemas,
        "reference/combining#anyOf",
        "\n  - type: ${1:string}\n  - type: ${2:\"null\"}",
        "The value must match at least one of these schemas.",
        "anyOf:\n  - { type: string }\n  - { type: number }"
    ),
    row!(
        "oneOf",
        Applicator,
        ANY,
        Schemas,
        "reference/combining#oneOf",
        "\n  - ${1}",
        "The value must match exactly one of these schemas. If they exclude each other, `anyOf` \
            has the same effect at a lower cost, and strict mode supports only that.",
        "oneOf:\n  - { type: string, maxLength: 5 }\n  - { type: number }"
    ),
    row!(
        "not",
        Applicator,
        ANY,
        Schema,
        "reference/combining#not",
        "\n  ${1}",
        "The value must not match this schema.",
        "not: { type: 'null' }"
    ),
    row!(
        "if",
        Applicator,
        ANY,
        Schema,
        "reference/conditionals#ifthenelse",
        "\n  ${1}",
        "A condition: values that match this schema must match `then` as well, all others `else`.",
        "if: { properties: { kind: { const: card } } }\nthen: { required: [number] }"
    ),
    row!(
        "then",
        Applicator,
        ANY,
        Schema,
        "reference/conditionals#ifthenelse",
        "\n  ${1}",
        "The schema for values that match `if`; without `if` it has no effect.",
        "if: { type: string }\nthen: { minLength: 1 }"
    ),
    row!(
        "else",
        Applicator,
        ANY,
        Schema,
        "reference/conditionals#ifthenelse",
        "\n  ${1}",
        "The schema for values that don't match `if`; without `if` it has no effect.",
        "if: { type: string }\nelse: { minimum: 0 }"
    ),
    row!(
        "dependentSchemas",
        Applicator,
        OBJECT,
        SchemaMap,
        "reference/conditionals#dependentSchemas",
        "\n  ${1:name}:\n    required: [${2:other}]",
        "Schemas that the whole object must match whenever a certain property is present.",
        "dependentSchemas:\n  credit_card:\n    required: [billing_address]"
    ),
    row!(
        "unevaluatedProperties",
        Unevaluated,
        OBJECT,
        Schema,
        "reference/object#unevaluatedproperties",
        "${1|false,true|}",
        "Like `additionalProperties`, but it also knows the properties that `allOf`, `$ref`, `if` and the like have named.",
        "allOf: [{ $ref: '#/$defs/base' }]\nunevaluatedProperties: false"
    ),
    row!(
        "unevaluatedItems",
        Unevaluated,
        ARRAY,
        Schema,
        "reference/array#unevaluateditems",
        "${1|false,true|}",
        "Like `items`, but it also knows the items that `allOf`, `$ref`, `contains` and the like have looked at.",
        "prefixItems: [{ type: string }]\nunevaluatedItems: false"
    ),
];
