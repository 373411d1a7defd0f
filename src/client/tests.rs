//! The data is sound: every file is read, every glob is one, every schema is valid, every fact has
//! a source.

use std::path::Path;

use serde_json::Value;

use super::*;

#[test]
fn every_file_is_read() {
    let names: Vec<&str> = catalog().clients.iter().map(|client| client.name.as_str()).collect();
    let files = std::fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("src/client/clients"))
        .unwrap();
    let mut count = 0;
    for file in files {
        let path = file.unwrap().path();
        let text = std::fs::read_to_string(&path).unwrap();
        let client: Client = serde_json::from_str(&text)
            .unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        assert_eq!(path.file_stem().unwrap().to_str().unwrap(), client.name);
        assert!(names.contains(&client.name.as_str()), "{} is not in the list", client.name);
        count += 1;
    }
    assert_eq!(names.len(), count);
}

#[test]
fn names_and_aliases_are_unique() {
    let mut names: Vec<&str> = catalog().names().collect();
    names.sort_unstable();
    let count = names.len();
    names.dedup();
    assert_eq!(names.len(), count);
    assert_eq!(catalog().named("vscode").map(|client| client.name.as_str()), Some("copilot"));
    assert!(catalog().named("nobody").is_none());
}

#[test]
fn every_schema_is_one() {
    for client in &catalog().clients {
        for reads in client.reads.iter().filter(|reads| !reads.keys.is_null()) {
            let errors = crate::schema::check_schema(&reads.keys);
            assert!(errors.is_empty(), "{} {}: {errors:#?}", client.name, reads.kind.name());
            assert!(reads.compiled().is_some());
            for (key, schema) in reads.properties() {
                for (annotation, value) in schema
                    .as_object()
                    .into_iter()
                    .flatten()
                    .filter(|(name, _)| name.starts_with("x-"))
                {
                    annotated(
                        client,
                        reads,
                        annotation,
                        value,
                        &format!("{} {} {key} {annotation}", client.name, reads.kind.name()),
                    );
                }
            }
        }
    }
}

fn annotated(client: &Client, reads: &Reads, annotation: &str, value: &Value, place: &str) {
    match annotation {
        "x-effect" => assert!(
            value.as_object().unwrap().values().all(|value| effect(value).is_some()),
            "{place}"
        ),
        "x-ignored" | "x-ignored-in-plugin" => assert!(effect(value).is_some(), "{place}"),
        "x-names" => assert!(
            matches!(value.as_str(), Some("tool" | "model" | "skill" | "agent" | "glob")),
            "{place}"
        ),
        "x-only-with" | "x-not-with" => {
            assert!(effect(&value["effect"]).is_some(), "{place}");
            assert!(reads.key(value["key"].as_str().unwrap()).is_some(), "{place}");
            assert!(value.get("is").is_some() != value.get("has").is_some(), "{place}");
        }
        "x-new" => assert!(value.is_string() || value.is_boolean(), "{place}"),
        "x-advised" => assert!(value.as_u64().is_some(), "{place}"),
        "x-since" => assert!(value.as_str().unwrap().contains('.'), "{place}"),
        "x-renamed" => assert!(reads.key(value.as_str().unwrap()).is_some(), "{place}"),
        "x-mistaken" => assert!(
            value.as_array().unwrap().iter().all(|key| reads.key(key.as_str().unwrap()).is_none()),
            "{place}"
        ),
        "x-source" => assert!(client.sources.contains_key(value.as_str().unwrap()), "{place}"),
        "x-boolean" => assert!(value.is_boolean(), "{place}"),
        _ => panic!("{place}: unknown annotation"),
    }
}

#[test]
fn every_fact_has_a_source() {
    for client in &catalog().clients {
        for source in client.sources.values() {
            assert!(
                source.url.starts_with("https://") && !source.title.is_empty(),
                "{}",
                client.name
            );
            let date: Vec<&str> = source.date.split('-').collect();
            assert!(
                matches!(date.as_slice(), [year, month, day] if year.len() == 4 && month.len() == 2 && day.len() == 2),
                "{}",
                source.date
            );
        }
        for reads in &client.reads {
            assert!(
                client.sources.contains_key(&reads.source),
                "{} {}",
                client.name,
                reads.kind.name()
            );
        }
        assert!(
            client.tools.names.is_empty() || client.sources.contains_key(&client.tools.source),
            "{}",
            client.name
        );
    }
}

/// A path that a glob names.
fn example(glob: &str) -> String {
    glob.split('/')
        .map(|part| if part == "**" { "deep/er".to_owned() } else { part.replace('*', "one") })
        .collect::<Vec<_>>()
        .join("/")
}

#[test]
fn every_place_is_recognised_and_every_glob_is_well_formed() {
    for client in &catalog().clients {
        for reads in &client.reads {
            assert!(!reads.places.is_empty(), "{}", client.name);
            for glob in reads.places.iter().chain(&reads.plugin_places) {
                assert!(globset::Glob::new(glob).is_ok(), "{glob}");
                let path = format!("/work/{}", example(glob));
                assert!(may_be_read(Path::new(&path)), "{path}");
                let found = roles(Path::new(&path));
                assert!(
                    found.iter().any(|role| role.client.name == client.name),
                    "{}: {path}",
                    client.name
                );
            }
            for wrong in &reads.misplaced {
                let path = format!("/work/{}", example(&wrong.glob));
                assert!(
                    misplaced(Path::new(&path))
                        .iter()
                        .any(|(other, _, _)| other.name == client.name),
                    "{path}"
                );
            }
        }
    }
}

fn readers(path: &str) -> Vec<String> {
    roles(Path::new(path))
        .iter()
        .map(|role| {
            format!(
                "{}{} {}",
                role.client.name,
                if role.plugin { "*" } else { "" },
                role.reads.kind.name()
            )
        })
        .collect()
}

#[test]
fn a_path_has_its_readers() {
    assert_eq!(readers("/w/.roo/skills-code/x/SKILL.md"), ["spec skill", "roo skill"]);
    assert_eq!(readers("/w/.cursor/rules/a/b.mdc"), ["cursor rule"]);
    assert_eq!(readers("/w/p/agents/x.md"), ["claude-code* agent"]);
    // In a plugin, such a name is Copilot's.
    assert_eq!(readers("/w/.github/agents/x.agent.md"), ["copilot agent"]);
    assert_eq!(readers("/w/.github/agents/x.md"), ["claude-code* agent", "copilot agent"]);
    for other in [
        "/w/a.md",
        "/w/.github/ISSUE_TEMPLATE/bug.md",
        "/w/.claude/skills/x/references/a.md",
        "/w/.claude/agents/README.md",
        "/w/a/fixtures/SKILL.md",
        "/w/docs/agents/x.md",
        "/w/agents.md",
    ] {
        assert_eq!(readers(other), [""; 0], "{other}");
    }
}

#[test]
fn a_page_names_every_key() {
    for client in &catalog().clients {
        let page = page(client);
        for reads in &client.reads {
            assert!(
                reads.properties().all(|(key, _)| page.contains(&format!("| `{key}` |"))),
                "{}",
                client.name
            );
        }
        assert!(page.contains("## Sources"));
    }
}
