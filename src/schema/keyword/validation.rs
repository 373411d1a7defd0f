//! Keywords about values: types, limits, meaning.

use super::{Keyword, row};

pub(super) const KEYWORDS: &[Keyword] = &[
    row!(
        "type",
        Validation,
        ANY,
        Types,
        "reference/type",
        "${1|string,integer,number,boolean,object,array,null|}",
        "The allowed kind of value: `string`, `number`, `integer`, `boolean`, `object`, `array` \
            or `null`. A list allows any of its types. Every schema of a program should have one: \
            without it, any value passes.",
        "type: string"
    ),
    row!(
        "enum",
        Validation,
        ANY,
        Values,
        "reference/enum",
        "[${1:value}]",
        "The only allowed values, of any type. Best combined with `type`, and with at least one \
            value.",
        "type: string\nenum: [json, xml, text]"
    ),
    row!(
        "const",
        Validation,
        ANY,
        Data,
        "reference/const",
        "${1:value}",
        "The only allowed value. The same as an `enum` with a single value.",
        "type: string\nconst: ok"
    ),
    row!(
        "description",
        MetaData,
        ANY,
        Text,
        "reference/annotations",
        "${1:What this is}",
        "What the value means. It has no effect on validation, but models read it: describe the \
            content, its unit or format.",
        "url:\n  type: string\n  description: The page to fetch, with its scheme"
    ),
    row!(
        "title",
        MetaData,
        ANY,
        Text,
        "reference/annotations",
        "${1:Title}",
        "A short name for the value. It has no effect on validation.",
        "title: Web address"
    ),
    row!(
        "default",
        MetaData,
        ANY,
        Data,
        "reference/annotations",
        "${1:value}",
        "The value to assume if it's missing. It has no effect on validation and isn't filled in; \
            it should match the schema itself.",
        "format:\n  type: string\n  enum: [json, xml]\n  default: json"
    ),
    row!(
        "examples",
        MetaData,
        ANY,
        Values,
        "reference/annotations",
        "[${1:value}]",
        "Examples of allowed values. They have no effect on validation.",
        "type: string\nexamples: [Ada, Grace]"
    ),
    row!(
        "required",
        Validation,
        OBJECT,
        Names,
        "reference/object#required",
        "[${1:name}]",
        "The properties that must be present. It's a list of names next to `properties`; \
            properties not listed are optional.",
        "type: object\nproperties:\n  url: { type: string }\nrequired: [url]"
    ),
    row!(
        "format",
        Format,
        STRING,
        Format,
        "reference/string#format",
        "${1|date-time,date,time,duration,email,hostname,ipv4,ipv6,uri,uri-reference,uuid,regex|}",
        "The kind of string: a date, a URI, an e-mail address. In this draft, a format is an \
            annotation first; not every validator checks it.",
        "type: string\nformat: uri"
    ),
    row!(
        "pattern",
        Validation,
        STRING,
        Regex,
        "reference/string#regexp",
        "'${1:^[a-z]+\\$}'",
        "A regular expression (ECMA 262) that must match somewhere in the string. Anchor it with \
            `^` and `$` to match the whole string, and put it in quotes for YAML.",
        "type: string\npattern: '^[a-z0-9-]+$'"
    ),
    row!(
        "minLength",
        Validation,
        STRING,
        Size,
        "reference/string#length",
        "${1:1}",
        "The least number of characters in a string.",
        "type: string\nminLength: 1"
    ),
    row!(
        "maxLength",
        Validation,
        STRING,
        Size,
        "reference/string#length",
        "${1:100}",
        "The greatest number of characters in a string.",
        "type: string\nmaxLength: 100"
    ),
    row!(
        "minimum",
        Validation,
        NUMBER,
        Number,
        "reference/numeric#range",
        "${1:0}",
        "The smallest allowed number.",
        "type: integer\nminimum: 1"
    ),
    row!(
        "maximum",
        Validation,
        NUMBER,
        Number,
        "reference/numeric#range",
        "${1:100}",
        "The greatest allowed number.",
        "type: integer\nmaximum: 10"
    ),
    row!(
        "exclusiveMinimum",
        Validation,
        NUMBER,
        Number,
        "reference/numeric#range",
        "${1:0}",
        "A number that every value must be greater than. It's a number, not `true` as in draft 4.",
        "type: number\nexclusiveMinimum: 0"
    ),
    row!(
        "exclusiveMaximum",
        Validation,
        NUMBER,
        Number,
        "reference/numeric#range",
        "${1:100}",
        "A number that every value must be less than. It's a number, not `true` as in draft 4.",
        "type: number\nexclusiveMaximum: 1"
    ),
    row!(
        "multipleOf",
        Validation,
        NUMBER,
        Positive,
        "reference/numeric#multiples",
        "${1:1}",
        "A positive number that every value must be a multiple of.",
        "type: integer\nmultipleOf: 5"
    ),
    row!(
        "minItems",
        Validation,
        ARRAY,
        Size,
        "reference/array#length",
        "${1:1}",
        "The least number of items in an array.",
        "type: array\nminItems: 1"
    ),
    row!(
        "maxItems",
        Validation,
        ARRAY,
        Size,
        "reference/array#length",
        "${1:10}",
        "The greatest number of items in an array.",
        "type: array\nmaxItems: 10"
    ),
    row!(
        "uniqueItems",
        Validation,
        ARRAY,
        Boolean,
        "reference/array#uniqueItems",
        "${1|true,false|}",
        "With `true`, no two items of the array may be equal.",
        "type: array\nitems: { type: string }\nuniqueItems: true"
    ),
    row!(
        "minContains",
        Validation,
        ARRAY,
        Size,
        "reference/array#mincontains-maxcontains",
        "${1:1}",
        "The minimum number of items that match `contains`; without `contains` it has no effect.",
        "contains: { type: number }\nminContains: 2"
    ),
    row!(
        "maxContains",
        Validation,
        ARRAY,
        Size,
        "reference/array#mincontains-maxcontains",
        "${1:1}",
        "The maximum number of items that match `contains`; without `contains` it has no effect.",
        "contains: { type: number }\nmaxContains: 3"
    ),
    row!(
        "minProperties",
        Validation,
        OBJECT,
        Size,
        "reference/object#size",
        "${1:1}",
        "The least number of properties in an object.",
        "type: object\nminProperties: 1"
    ),
    row!(
        "maxProperties",
        Validation,
        OBJECT,
        Size,
        "reference/object#size",
        "${1:10}",
        "The greatest number of properties in an object.",
        "type: object\nmaxProperties: 5"
    ),
    row!(
        "dependentRequired",
        Validation,
        OBJECT,
        NamesMap,
        "reference/conditionals#dependentRequired",
        "\n  ${1:name}: [${2:other}]",
        "Properties that must be present whenever another property is.",
        "dependentRequired:\n  credit_card: [billing_address]"
    ),
    row!(
        "deprecated",
        MetaData,
        ANY,
        Boolean,
        "reference/annotations",
        "${1|true,false|}",
        "The value should no longer be used. It has no effect on validation.",
        "type: string\ndeprecated: true"
    ),
    row!(
        "readOnly",
        MetaData,
        ANY,
        Boolean,
        "reference/annotations",
        "${1|true,false|}",
        "The value can't be set: a change is ignored or refused. It has no effect on validation.",
        "type: string\nreadOnly: true"
    ),
    row!(
        "writeOnly",
        MetaData,
        ANY,
        Boolean,
        "reference/annotations",
        "${1|true,false|}",
        "The value can be set but not read, like a password. It has no effect on validation.",
        "type: string\nwriteOnly: true"
    ),
    row!(
        "contentEncoding",
        Content,
        STRING,
        Text,
        "reference/non_json_data",
        "${1:base64}",
        "How a string encodes bytes: `base64`, `base16`. An annotation; most validators don't \
            check it.",
        "type: string\ncontentEncoding: base64"
    ),
    row!(
        "contentMediaType",
        Content,
        STRING,
        Text,
        "reference/non_json_data",
        "${1:text/html}",
        "The media type of a string's content. An annotation; most validators don't check it.",
        "type: string\ncontentMediaType: text/html"
    ),
    row!(
        "contentSchema",
        Content,
        STRING,
        Schema,
        "reference/non_json_data",
        "\n  type: ${1:object}",
        "The schema of the JSON inside a string, next to a `contentMediaType` of \
            `application/json`.",
        "type: string\ncontentMediaType: application/json\ncontentSchema:\n  type: object"
    ),
];
