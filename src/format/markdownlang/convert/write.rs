//! The front matter of a program.

use super::imports::Imports;
use super::parameter::Parameter;
use super::servers::Server;
use super::skill::Skill;
use crate::yaml;

/// The whole front matter, without its delimiters.
pub fn front_matter(
    skill: &Skill,
    input: &[Parameter],
    output: &[Parameter],
    servers: &[Server],
    imports: &Imports,
) -> String {
    let mut out = format!(
        "name: {}\ndescription: {}\n",
        yaml::print_scalar(&skill.name),
        yaml::print_scalar(&skill.description)
    );
    out.push_str(&format!("input:{}output:{}", schema(input), schema(output)));
    if !imports.programs.is_empty() {
        out.push_str("imports:\n");
        for path in &imports.programs {
            out.push_str(&format!("  - {}\n", yaml::print_scalar(path)));
        }
    }
    if !servers.is_empty() {
        out.push_str("mcp_servers:\n");
        servers.iter().for_each(|server| out.push_str(&server.item()));
    }
    if let Some(model) = &skill.model {
        out.push_str(&format!("model: {}\n", yaml::print_scalar(model)));
    }
    for (name, path) in &imports.skills {
        out.push_str(&format!("# {name} is the skill {path}: convert it, then import it.\n"));
    }
    if !skill.rest.is_empty() {
        out.push_str("# The front matter of the skill also contained:\n");
        skill.rest.iter().for_each(|line| out.push_str(&format!("# {}\n", printable(line))));
    }
    out
}

/// A YAML comment can't contain control characters.
fn printable(line: &str) -> String {
    line.chars()
        .map(|character| if character.is_control() && character != '\t' { ' ' } else { character })
        .collect()
}

fn schema(properties: &[Parameter]) -> String {
    if properties.is_empty() {
        return "\n  type: object\n  properties: {}\n".to_owned();
    }
    let mut out = "\n  type: object\n  properties:\n".to_owned();
    for property in properties {
        out.push_str(&format!(
            "    {}: {}\n",
            yaml::print_scalar(&property.property),
            property.schema()
        ));
    }
    let required: Vec<String> = properties
        .iter()
        .filter(|property| property.required)
        .map(|property| yaml::print_flow_scalar(&property.property))
        .collect();
    if !required.is_empty() {
        out.push_str(&format!("  required: [{}]\n", required.join(", ")));
    }
    out
}
