//! A parameter: a property of the input, and how a template prints it.

use crate::yaml;

/// An input or an output of a skill.
#[derive(Debug, Clone, PartialEq)]
pub struct Parameter {
    /// As spelled in the skill.
    pub written: String,
    /// As used in templates: letters, digits and `_`.
    pub property: String,
    pub kind: Kind,
    /// A `format` of JSON Schema.
    pub format: Option<&'static str>,
    /// The only allowed values.
    pub values: Vec<String>,
    /// YAML, of the right type.
    pub default: Option<String>,
    pub required: bool,
    pub description: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Text,
    Integer,
    Number,
    Boolean,
    List,
    Object,
}

impl Kind {
    pub fn name(self) -> &'static str {
        match self {
            Self::Text => "string",
            Self::Integer => "integer",
            Self::Number => "number",
            Self::Boolean => "boolean",
            Self::List => "array",
            Self::Object => "object",
        }
    }

    /// Whether YAML reads the text as a value of this kind.
    pub fn accepts(self, text: &str) -> bool {
        match self {
            Self::Text => true,
            Self::Integer => text.parse::<i64>().is_ok(),
            Self::Number => text.parse::<f64>().is_ok_and(f64::is_finite) && !text.starts_with('+'),
            Self::Boolean => matches!(text, "true" | "false"),
            Self::List | Self::Object => false,
        }
    }
}

impl Parameter {
    /// A required string.
    pub fn text(written: &str) -> Option<Self> {
        Some(Self {
            written: written.to_owned(),
            property: property(written)?,
            kind: Kind::Text,
            format: None,
            values: Vec::new(),
            default: None,
            required: true,
            description: String::new(),
        })
    }

    /// The schema on one line.
    pub fn schema(&self) -> String {
        let mut parts = vec![format!("type: {}", self.kind.name())];
        if self.kind == Kind::List {
            parts.push("items: { type: string }".to_owned());
        }
        if let Some(format) = self.format {
            parts.push(format!("format: {format}"));
        }
        if !self.values.is_empty() {
            let values: Vec<String> = self.values.iter().map(|value| self.print(value)).collect();
            parts.push(format!("enum: [{}]", values.join(", ")));
        }
        if let Some(default) = &self.default {
            parts.push(format!("default: {}", self.print(default)));
        }
        if !self.description.is_empty() {
            parts.push(format!("description: {}", yaml::print_flow_scalar(&self.description)));
        }
        format!("{{ {} }}", parts.join(", "))
    }

    fn print(&self, value: &str) -> String {
        if self.kind == Kind::Text { yaml::print_flow_scalar(value) } else { value.to_owned() }
    }

    /// The action that prints the value; empty if the parameter has none.
    pub fn action(&self) -> String {
        let name = &self.property;
        match (self.kind, self.required, &self.default) {
            (Kind::List, true, _) => format!("{{{{ join .{name} \", \" }}}}"),
            (Kind::List, false, _) => {
                format!("{{{{ with .{name} }}}}{{{{ join . \", \" }}}}{{{{ end }}}}")
            }
            (_, true, _) => format!("{{{{ .{name} }}}}"),
            (Kind::Text, false, default) => format!(
                "{{{{ .{name} | default {} }}}}",
                quote(default.as_deref().unwrap_or_default())
            ),
            (_, false, Some(default)) => format!("{{{{ .{name} | default {default} }}}}"),
            (_, false, None) => format!("{{{{ with .{name} }}}}{{{{ . }}}}{{{{ end }}}}"),
        }
    }

    /// The value in a few words: the description's first sentence without brackets, or else the
    /// name.
    pub fn label(&self) -> String {
        let mut text = String::new();
        let mut depth = 0_usize;
        for character in self.description.chars() {
            match character {
                '(' => depth += 1,
                ')' if depth > 0 => depth -= 1,
                _ if depth == 0 => text.push(character),
                _ => {}
            }
        }
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        let text = text.split(". ").next().unwrap_or_default();
        let text = text.trim_end_matches(['.', ':', ',', ';', ' ']);
        let words = self.written.replace(['_', '-'], " ");
        let text = if text.is_empty() { words.trim() } else { text };
        let mut letters = text.chars();
        letters
            .next()
            .map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
    }
}

/// A string constant of a template.
fn quote(text: &str) -> String {
    format!(
        "\"{}\"",
        text.replace('\\', "\\\\").replace('"', "\\\"").replace(['\n', '\r', '\t'], " ")
    )
}

/// A name that a template can read after a dot: `target-file` becomes `target_file`.
pub fn property(name: &str) -> Option<String> {
    let mut out = String::new();
    for character in name.trim_start_matches(['-', '$', '@', '/']).chars() {
        match character {
            _ if character.is_alphanumeric() || character == '_' => out.push(character),
            _ if out.is_empty() || out.ends_with('_') => {}
            _ => out.push('_'),
        }
    }
    let out = out.trim_end_matches('_');
    let first = out.chars().next()?;
    // Go doesn't accept combining vowel marks in identifiers.
    let readable = out.chars().all(|character| {
        character == '_' || character.is_ascii_alphanumeric() || character.is_alphabetic()
    });
    (readable && out.len() <= 64)
        .then(|| if first.is_numeric() { format!("argument_{out}") } else { out.to_owned() })
}
