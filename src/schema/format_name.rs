//! The formats of strings that the standard defines.

/// A format that the standard defines.
#[derive(Debug, PartialEq, Eq)]
pub struct FormatName {
    pub name: &'static str,
    /// One sentence of Markdown.
    pub documentation: &'static str,
    /// A string in this format.
    pub example: &'static str,
}

/// All formats, those that programs use most first.
pub fn formats() -> &'static [FormatName] {
    FORMATS
}

/// The format with this name.
pub fn format_name(name: &str) -> Option<&'static FormatName> {
    FORMATS.iter().find(|format| format.name == name)
}

/// The standard's name for a format that other tools call by another name.
pub(super) fn format_alias(name: &str) -> Option<&'static str> {
    Some(match name.to_ascii_lowercase().as_str() {
        "url" | "http" | "https" | "link" => "uri",
        "datetime" | "timestamp" | "date_time" | "iso8601" | "rfc3339" => "date-time",
        "ip" | "ip-address" | "ipaddress" => "ipv4",
        "guid" => "uuid",
        "e-mail" | "mail" => "email",
        "host" | "host-name" | "domain" => "hostname",
        "regexp" | "regular-expression" => "regex",
        "jsonpointer" => "json-pointer",
        _ => return None,
    })
}

/// Whether OpenAPI defines the format. JSON Schema validators don't check those.
pub(super) fn is_open_api_format(name: &str) -> bool {
    const NAMES: &[&str] = &[
        "int32", "int64", "int8", "int16", "uint8", "uint16", "uint32", "uint64", "float",
        "double", "decimal", "byte", "binary", "password", "char", "markdown", "html",
    ];
    NAMES.contains(&name)
}

const fn format(
    name: &'static str,
    example: &'static str,
    documentation: &'static str,
) -> FormatName {
    FormatName { name, documentation, example }
}

const FORMATS: &[FormatName] = &[
    format("date-time", "2025-01-31T08:30:00Z", "A date and a time with a zone (RFC 3339)."),
    format("date", "2025-01-31", "A date: year, month, day (RFC 3339)."),
    format("time", "08:30:00Z", "A time of day with a zone (RFC 3339)."),
    format("duration", "P3DT4H", "A length of time (ISO 8601)."),
    format("uri", "https://example.com/page", "A full URI with its scheme (RFC 3986)."),
    format("email", "ada@example.com", "An e-mail address (RFC 5321)."),
    format("uuid", "123e4567-e89b-12d3-a456-426614174000", "A UUID (RFC 4122)."),
    format("hostname", "example.com", "A hostname (RFC 1123)."),
    format("ipv4", "192.0.2.1", "An IPv4 address with four numbers."),
    format("ipv6", "2001:db8::1", "An IPv6 address (RFC 4291)."),
    format("uri-reference", "../page#part", "A URI, or a path relative to one (RFC 3986)."),
    format(
        "uri-template",
        "https://example.com/{name}",
        "A URI with placeholders in braces (RFC 6570).",
    ),
    format("regex", "^[a-z]+$", "A regular expression (ECMA 262)."),
    format("json-pointer", "/items/0/name", "The path to a value in a JSON document (RFC 6901)."),
    format(
        "relative-json-pointer",
        "1/name",
        "The path to a value from another value in the same document.",
    ),
    format("iri", "https://example.com/größe", "A URI that may contain any letters (RFC 3987)."),
    format("iri-reference", "../größe", "An IRI, or a path relative to one (RFC 3987)."),
    format(
        "idn-email",
        "ada@größe.example",
        "An e-mail address that may contain any letters (RFC 6531).",
    ),
    format("idn-hostname", "größe.example", "A hostname that may contain any letters (RFC 5890)."),
];
