//! The data is sound: every file is parsed, every glob and schema is valid, and every fact has a
//! source.

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
fn names_of_folders_are_read() {
    let names = catalog::folder_names();
    for list in [
        &names.fixtures,
        &names.forms,
        &names.examples,
        &names.documents,
        &names.archives,
        &names.foreign,
        &names.made,
        &names.pages,
        &names.descriptions,
    ] {
        assert!(!list.is_empty(), "{names:?}");
    }
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
fn loading_has_sources_and_globs_have_keys() {
    use loading::Mode;
    for client in &catalog().clients {
        let name = &client.name;
        assert!(client.sources.contains_key(&client.loading.source), "{name}");
        let loading = &client.loading;
        let settings = loading.excludes.iter().map(|excludes| &excludes.source);
        let settings = settings.chain(loading.instructions.iter().map(|it| &it.source));
        assert!(settings.into_iter().all(|source| client.sources.contains_key(source)), "{name}");
        for source in client.settings.iter().flat_map(|settings| &settings.sources) {
            assert!(client.sources.contains_key(source), "{name}: {source}");
        }
        for manifest in &client.manifests {
            assert!(client.sources.contains_key(&manifest.source), "{name}");
            assert!(!manifest.paths.is_empty(), "{name}");
        }
        for reads in &client.reads {
            let source = reads.globs.source.as_ref();
            assert!(source.is_none_or(|source| client.sources.contains_key(source)), "{name}");
            for when in &reads.when {
                let keys = when.key.iter().chain(&when.globs);
                assert!(keys.clone().all(|key| reads.key(key).is_some()), "{name}: {when:?}");
                assert!(when.mode != Mode::Match || when.key.is_some(), "{name}");
            }
            // The last condition is always true.
            assert!(reads.when.last().is_none_or(|when| when.key.is_none()), "{name}");
        }
        for listing in &client.loading.listings {
            assert!(listing.line.contains("{description}"), "{name}");
            assert!(!listing.bare.contains("{description}"), "{name}");
        }
    }
}

#[test]
fn every_schema_is_valid() {
    for client in &catalog().clients {
        let all = client.reads.iter().chain(&client.toml_files);
        for reads in all.filter(|reads| !reads.keys.is_null()) {
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
        "x-optional-in" => assert!(
            value.as_array().unwrap().iter().all(|spared| {
                let known = client.sources.contains_key(spared["source"].as_str().unwrap());
                known && spared["glob"].is_string() && effect(&spared["effect"]).is_some()
            }),
            "{place}"
        ),
        "x-ignored" | "x-ignored-in-plugin" => assert!(effect(value).is_some(), "{place}"),
        "x-names" => assert!(
            matches!(
                value.as_str(),
                Some("tool" | "model" | "skill" | "agent" | "glob" | "server")
            ),
            "{place}"
        ),
        "x-only-with" | "x-not-with" => {
            assert!(effect(&value["effect"]).is_some(), "{place}");
            assert!(reads.key(value["key"].as_str().unwrap()).is_some(), "{place}");
            assert!(value.get("is").is_some() != value.get("has").is_some(), "{place}");
        }
        "x-required-with" | "x-optional-with" => assert!(
            value
                .as_array()
                .unwrap()
                .iter()
                .all(|condition| reads.key(condition["key"].as_str().unwrap()).is_some()),
            "{place}"
        ),
        "x-new" => assert!(value.is_string() || value.is_boolean(), "{place}"),
        "x-none" => assert!(value.is_array(), "{place}"),
        "x-default" => assert!(value.is_array(), "{place}"),
        "x-advised" => assert!(value.as_u64().is_some(), "{place}"),
        "x-since" => assert!(value.as_str().unwrap().contains('.'), "{place}"),
        "x-renamed" => assert!(reads.key(value.as_str().unwrap()).is_some(), "{place}"),
        "x-mistaken" => assert!(
            value.as_array().unwrap().iter().all(|key| reads.key(key.as_str().unwrap()).is_none()),
            "{place}"
        ),
        "x-source" => assert!(client.sources.contains_key(value.as_str().unwrap()), "{place}"),
        "x-boolean" | "x-commands" => assert!(value.is_boolean(), "{place}"),
        "x-denies" => {
            let tools = value.as_object().unwrap().values();
            assert!(
                tools.flat_map(|tools| tools.as_array().unwrap()).all(Value::is_string),
                "{place}"
            );
        }
        "x-means" => assert!(value.as_str().is_some_and(|word| !word.is_empty()), "{place}"),
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
        for reads in client.reads.iter().chain(&client.toml_files) {
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
        let writes = &client.writes;
        assert!(writes.names.is_empty() || client.sources.contains_key(&writes.source));
        for name in writes.names.values().flatten().filter(|_| !client.tools.names.is_empty()) {
            assert!(client.tools.names.contains_key(name), "{}: {name}", client.name);
        }
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
fn each_path_has_its_readers() {
    assert_eq!(readers("/w/.roo/skills-code/x/SKILL.md"), ["spec skill", "roo skill"]);
    // A skill may have the name of a folder with another purpose.
    assert_eq!(
        readers("/w/.gemini/skills/docs/SKILL.md"),
        ["spec skill", "claude-code* skill", "gemini skill"]
    );
    assert_eq!(readers("/w/skills/archive/SKILL.md"), ["spec skill", "claude-code* skill"]);
    assert_eq!(readers("/w/.cursor/rules/a/b.mdc"), ["cursor rule"]);
    assert_eq!(readers("/w/p/agents/x.md"), ["claude-code* agent"]);
    // In a plugin, such a name is Copilot's.
    assert_eq!(readers("/w/.github/agents/x.agent.md"), ["copilot agent"]);
    assert_eq!(readers("/w/app/x.agent.md"), ["copilot agent"]);
    // In another client's folder, it's that client's.
    assert_eq!(readers("/w/.opencode/agents/x.agent.md"), ["opencode agent"]);
    assert!(
        readers("/w/.opencode/agents/x.instructions.md")
            .contains(&"copilot instructions".to_owned())
    );
    assert_eq!(readers("/w/.github/agents/x.md"), ["claude-code* agent", "copilot agent"]);
    for other in [
        "/w/a.md",
        "/w/.github/ISSUE_TEMPLATE/bug.md",
        "/w/.claude/skills/x/references/a.md",
        "/w/.claude/agents/README.md",
        "/w/a/fixtures/SKILL.md",
        "/w/docs/agents/x.md",
        "/w/docs/skills/x/SKILL.md",
        "/w/p/agents/docs/x.md",
        "/w/agents.md",
    ] {
        assert_eq!(readers(other), [""; 0], "{other}");
    }
    // The name of a skill doesn't matter, nor does the category that it is in.
    assert_eq!(readers("/w/.agents/skills/common/documentation/SKILL.md").len(), 3);
}

#[test]
fn archives_are_recognised_by_folder_names() {
    for (path, archived) in [
        ("skills/.archived/x/SKILL.md", true),
        ("instructions/_Archive/x.instructions.md", true),
        ("docs/legacy-archive/.claude/agents/x.md", true),
        ("skills/archive/SKILL.md", false),
        ("skills/backup/references/x.md", true),
        ("archiver/agents/x.md", false),
        ("vendor/skills/x/SKILL.md", true),
        ("legacy/.claude/agents/x.md", true),
        ("skills/legacy/SKILL.md", false),
        ("services/legacy-billing/CLAUDE.md", false),
        ("AGENTS.md", false),
    ] {
        assert_eq!(is_archived(std::path::Path::new(path)), archived, "{path}");
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

#[test]
fn conditions_of_rules_name_their_keys() {
    for client in &catalog().clients {
        for reads in &client.reads {
            let needs = reads.loads.iter().filter_map(|loads| loads.needs.as_deref());
            let set = reads.loads.iter().flat_map(|loads| loads.with.iter().chain(&loads.set));
            for key in needs.chain(set.map(|(key, _)| key.as_str())) {
                assert!(reads.key(key).is_some(), "{} {key}", client.name);
            }
        }
        for reads in &client.toml_files {
            let text = reads.text_key.as_deref().expect("the key of the text");
            assert!(reads.key(text).is_some(), "{} {text}", client.name);
            assert!(reads.places.iter().all(|place| place.ends_with(".toml")));
        }
    }
}

#[test]
fn folders_above_a_workspace_are_ignored() {
    use std::path::Path;
    for (root, path, left) in [
        ("/a/docs/w", "/a/docs/w/skills/x/SKILL.md", "w/skills/x/SKILL.md"),
        ("/docs/test/w/.claude", "/docs/test/w/.claude/x.md", "w/.claude/x.md"),
        ("/a/docs", "/a/docs/docs/x.md", "docs/x.md"),
        ("/a/my-fixtures/w", "/a/my-fixtures/w/x.md", "w/x.md"),
        ("/a/w", "/a/w/docs/x.md", "/a/w/docs/x.md"),
        // A folder with the name of one in plugins, unless it belongs to a client.
        ("/a/agents/w", "/a/agents/w/skills/x/SKILL.md", "w/skills/x/SKILL.md"),
        ("/a/.claude/agents", "/a/.claude/agents/x.md", "/a/.claude/agents/x.md"),
        ("/a/agents/.claude", "/a/agents/.claude/skills/x.md", ".claude/skills/x.md"),
        ("/a/docs", "/b/docs/x.md", "/b/docs/x.md"),
        ("", "/docs/x.md", "/docs/x.md"),
    ] {
        assert_eq!(below(Path::new(root), Path::new(path)), Path::new(left), "{root} {path}");
    }
}
