//! Words that look like keywords: from earlier drafts and from OpenAPI.

/// A keyword of other dialects that draft 2020-12 doesn't have.
#[derive(Debug, PartialEq, Eq)]
pub struct Retired {
    pub name: &'static str,
    /// What to write instead, if the value can stay the same.
    pub instead: Option<&'static str>,
    /// The word's origin and the remedy.
    pub note: &'static str,
}

/// The remedy for a word of another dialect.
pub fn retired(name: &str) -> Option<&'static Retired> {
    RETIRED.iter().find(|retired| retired.name == name)
}

const fn word(name: &'static str, instead: Option<&'static str>, note: &'static str) -> Retired {
    Retired { name, instead, note }
}

const RETIRED: &[Retired] = &[
    word(
        "definitions",
        Some("$defs"),
        "it is the name of `$defs` in drafts before 2019-09; rename it, and the references to it",
    ),
    word("id", Some("$id"), "it is draft 4's name for `$id`"),
    word(
        "dependencies",
        None,
        "draft 2019-09 split it; use `dependentRequired` for lists of names and \
            `dependentSchemas` for schemas",
    ),
    word(
        "additionalItems",
        Some("items"),
        "draft 2020-12 calls it `items`; the former list form of `items` is now `prefixItems`",
    ),
    word("$recursiveRef", None, "draft 2020-12 replaced it with `$dynamicRef`"),
    word("$recursiveAnchor", None, "draft 2020-12 replaced it with `$dynamicAnchor`"),
    word("divisibleBy", Some("multipleOf"), "it is draft 3's name for `multipleOf`"),
    word("extends", None, "it is from draft 3; use `allOf`"),
    word("disallow", None, "it is from draft 3; use `not`"),
    word("nullable", None, "it is from OpenAPI; in JSON Schema, use `type: [string, \"null\"]`"),
    word("example", None, "it is from OpenAPI; JSON Schema has a list, `examples`"),
    word(
        "discriminator",
        None,
        "it is from OpenAPI and isn't checked here; distinguish the variants with a `const` \
            property in each",
    ),
    word("xml", None, "it is from OpenAPI and has no effect here"),
    word(
        "externalDocs",
        None,
        "it is from OpenAPI and has no effect here; put the link into `description`",
    ),
    word(
        "optional",
        None,
        "a property is optional unless `required` next to `properties` lists it",
    ),
    word("options", Some("enum"), "list the allowed values under `enum`"),
    word("choices", Some("enum"), "list the allowed values under `enum`"),
    word("values", Some("enum"), "list the allowed values under `enum`"),
    word("min", None, "use `minimum` for numbers, `minLength` for strings, `minItems` for arrays"),
    word("max", None, "use `maximum` for numbers, `maxLength` for strings, `maxItems` for arrays"),
    word("length", None, "use `minLength` and `maxLength`"),
    word("regex", Some("pattern"), "use `pattern` for regular expressions"),
    word("desc", Some("description"), "use the full name `description`"),
    word("doc", Some("description"), "use `description`"),
    word("fields", Some("properties"), "list the properties of an object under `properties`"),
    word("ref", Some("$ref"), "references start with a dollar sign: `$ref`"),
    word("defs", Some("$defs"), "definitions start with a dollar sign: `$defs`"),
    word("schema", Some("$schema"), "the dialect starts with a dollar sign: `$schema`"),
    word("comment", Some("$comment"), "comments start with a dollar sign: `$comment`"),
];
