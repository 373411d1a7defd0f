//! Words that look like keywords: those of earlier drafts and those of OpenAPI.

/// A word that other dialects know and draft 2020-12 does not.
#[derive(Debug, PartialEq, Eq)]
pub struct Retired {
    pub name: &'static str,
    /// What to write instead, where the value can stay as it is.
    pub instead: Option<&'static str>,
    /// Where the word comes from and what to do, in one or two sentences.
    pub note: &'static str,
}

/// What there is to say about a word of another dialect.
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
        "It is the name that drafts before 2019-09 had for `$defs`; rename it, and the references to it.",
    ),
    word("id", Some("$id"), "It is draft 4's name for `$id`."),
    word(
        "dependencies",
        None,
        "Draft 2019-09 split it: use `dependentRequired` for lists of names and `dependentSchemas` for schemas.",
    ),
    word(
        "additionalItems",
        Some("items"),
        "Draft 2020-12 calls it `items`, and the list that stood in `items` is `prefixItems`.",
    ),
    word("$recursiveRef", None, "Draft 2020-12 replaced it by `$dynamicRef`."),
    word("$recursiveAnchor", None, "Draft 2020-12 replaced it by `$dynamicAnchor`."),
    word("divisibleBy", Some("multipleOf"), "It is draft 3's name for `multipleOf`."),
    word("extends", None, "It is draft 3's; use `allOf`."),
    word("disallow", None, "It is draft 3's; use `not`."),
    word(
        "nullable",
        None,
        "It is OpenAPI's; JSON Schema says it with the type: `type: [string, \"null\"]`.",
    ),
    word("example", None, "It is OpenAPI's; JSON Schema has a list of them, `examples`."),
    word(
        "discriminator",
        None,
        "It is OpenAPI's and checks nothing here; tell the variants apart with a `const` property in each.",
    ),
    word("xml", None, "It is OpenAPI's and has no effect here."),
    word(
        "externalDocs",
        None,
        "It is OpenAPI's and has no effect here; put the link into `description`.",
    ),
    word(
        "optional",
        None,
        "There is no such keyword: a property is optional unless `required` beside `properties` lists it.",
    ),
    word("options", Some("enum"), "The values that are allowed are listed under `enum`."),
    word("choices", Some("enum"), "The values that are allowed are listed under `enum`."),
    word("values", Some("enum"), "The values that are allowed are listed under `enum`."),
    word("min", None, "Use `minimum` for numbers, `minLength` for strings, `minItems` for arrays."),
    word("max", None, "Use `maximum` for numbers, `maxLength` for strings, `maxItems` for arrays."),
    word("length", None, "Use `minLength` and `maxLength`."),
    word("regex", Some("pattern"), "Regular expressions stand under `pattern`."),
    word("desc", Some("description"), "It is spelled out: `description`."),
    word("doc", Some("description"), "It is called `description`."),
    word("fields", Some("properties"), "The parts of an object stand under `properties`."),
    word("ref", Some("$ref"), "References begin with a dollar sign: `$ref`."),
    word("defs", Some("$defs"), "Definitions begin with a dollar sign: `$defs`."),
    word("schema", Some("$schema"), "The dialect begins with a dollar sign: `$schema`."),
    word("comment", Some("$comment"), "Comments begin with a dollar sign: `$comment`."),
];
