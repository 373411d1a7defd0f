//! Servers of plugins: names of tools contain both the plugin and the server.

use super::*;
use crate::format::agent::names::plugin_servers;

const MANIFEST: &str = "plugins/tea/.claude-plugin/plugin.json";
const SERVERS: &str = "plugins/tea/.mcp.json";
const COOK: &str = "plugins/tea/agents/cook.md";
const MEMORY: &str = "CLAUDE.md";
const SETTINGS: &str = ".claude/settings.json";

fn world() -> Memory {
    Memory::default()
        .in_folder("/w")
        .with(
            "/w/.claude-plugin/marketplace.json",
            "{\"name\": \"m\", \"plugins\": [{\"name\": \"tea\", \"source\": \"./plugins/tea\"}]}",
        )
        .with(format!("/w/{MANIFEST}"), "{\"name\": \"tea\"}")
        .with(format!("/w/{SERVERS}"), "{\"mcpServers\": {\"ket_tle\": {}, \"cup\": {}}}")
        .with(
            format!("/w/{COOK}"),
            "---\nname: cook\ndescription: 日本 🦆\ntools: mcp__plugin_tea_ket_tle__boil, mcp__plugin_tea_kettle__boil\n---\nmcp__ket_tle__boil\n",
        )
        .with(
            format!("/w/{MEMORY}"),
            "Call mcp__plugin_tea_ket_tle__boil, mcp__plugin_tea_cup, mcp__plugin_other_ket_tle__x, mcp__ket_tle__x.\n",
        )
        .with("/w/.mcp.json", "{\"mcpServers\": {\"ket_tle\": {}}}")
        .with(
            format!("/w/{SETTINGS}"),
            "{\"permissions\": {\"allow\": [\"mcp__plugin_tea_ket_tle__boil\", \"mcp__ket_tle__x\"]}}",
        )
}

#[test]
fn a_plugin_and_its_server_are_renamed_in_names_of_tools() {
    let world = world();
    for (name, word, new, old, text) in [
        (MANIFEST, ": \"te", "cha", "plugin_tea_", "plugin_cha_"),
        (MEMORY, "mcp__plugin_te", "cha", "plugin_tea_", "plugin_cha_"),
        (SETTINGS, "mcp__plugin_te", "cha", "plugin_tea_", "plugin_cha_"),
        (SERVERS, "{\"ket", "pot", "tea_ket_tle", "tea_pot"),
        (MEMORY, "plugin_tea_ket", "pot", "tea_ket_tle", "tea_pot"),
        (COOK, "plugin_tea_ket", "pot", "tea_ket_tle", "tea_pot"),
        (SETTINGS, "plugin_tea_ket", "pot", "tea_ket_tle", "tea_pot"),
    ] {
        let renaming = ask(&world, name, &["claude-code"], |document, cx, text| {
            let offset = after(text, word);
            assert!(ide::rename::prepare(document, cx, offset).is_some(), "{name}: {word}");
            ide::rename::rename(document, cx, offset, new).unwrap()
        });
        let after = applied(&world, &renaming);
        for file in [COOK, MEMORY, SETTINGS] {
            let source = world.read(&Path::new("/w").join(file)).unwrap();
            let mut expected = source.slice(0..source.len()).replace(old, text);
            // A server of the plugin itself.
            if file == COOK && new == "pot" {
                expected = expected.replace("\nmcp__ket_tle__", "\nmcp__pot__");
            }
            let found = after.iter().find(|(name, _)| name == file);
            assert_eq!(found.map(|(_, text)| text), Some(&expected), "{name}: {word}");
        }
        assert!(!after.iter().any(|(name, _)| name == ".mcp.json"), "{name}: {word}");
        assert_eq!(after.iter().any(|(name, _)| name == SERVERS), new == "pot", "{name}: {word}");
    }
}

#[test]
fn servers_of_a_plugin_are_found_or_reported_as_missing() {
    let world = world();
    let found = ask(&world, MEMORY, &["claude-code"], |document, cx, text| {
        ide::definition::definition(document, cx, after(text, "mcp__plugin_tea_cu"))
    });
    assert_eq!(short(found[0].path.as_ref().unwrap()), SERVERS);
    let messages = ask(&world, COOK, &["claude-code"], |document, cx, _| {
        let all = ide::diagnostics::diagnostics(document, cx).into_iter();
        let all = all.filter(|found| found.rule.code == "agent/unknown-server");
        all.map(|found| found.message).collect::<Vec<String>>()
    });
    assert_eq!(
        messages,
        ["the plugin `tea` has no MCP server `kettle`; did you mean `plugin_tea_ket_tle`?"]
    );
}

#[test]
fn servers_are_found_where_a_manifest_or_a_list_declares_them() {
    for (manifest, servers, all) in [
        ("{\"name\": \"tea\", \"mcpServers\": {\"a\": {}}}", "{\"b\": {}}", true),
        (
            "{\"name\": \"tea\", \"mcpServers\": \"./servers.json\"}",
            "{\"mcpServers\": {\"b\": {}}}",
            true,
        ),
        ("{\"name\": \"tea\", \"mcpServers\": [\"./more.json\"]}", "{}", false),
        ("{\"name\": \"tea\", \"mcpServers\": \"./a.mcpb\"}", "{}", false),
    ] {
        let world = world()
            .with(format!("/w/{MANIFEST}"), manifest)
            .with(format!("/w/{SERVERS}"), servers)
            .with("/w/plugins/tea/servers.json", "{\"mcpServers\": {\"a\": {}}}");
        ask(&world, MEMORY, &[], |_, cx, _| {
            let known = plugin_servers::split(cx, "plugin_tea_a").unwrap();
            assert_eq!(known.is_complete, all, "{manifest}");
            assert_eq!(!known.declared.is_empty(), all, "{manifest}");
            let b = plugin_servers::split(cx, "plugin_tea_b").unwrap();
            assert_eq!(!b.declared.is_empty(), all, "{manifest}");
        });
    }
}
