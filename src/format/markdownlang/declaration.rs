//! Adds a server to `mcp_servers`.

use super::known::{self, Start};
use super::program::Header;
use crate::format::{front_matter, snippet};
use crate::rule::Fix;
use crate::yaml;

/// The placeholder endpoint of an unknown server.
const ENDPOINT: &str = "http://localhost:3000/mcp";

/// Declares a server: with the known command for its name, or else with a placeholder endpoint.
/// `text` is the YAML of the front matter. `None` if `mcp_servers` isn't a list, or if the document
/// has no front matter.
pub fn declare(text: &str, header: &Header, name: &str) -> Option<Fix> {
    let front = header.front.as_ref()?;
    let known = known::named(name);
    let entries =
        known.map_or_else(|| Start::Url { url: ENDPOINT }.entries(), |known| known.start.entries());
    let block = format!("name: {}\n{entries}", yaml::print_scalar(name));
    let flow =
        format!("{{ name: {}, {} }}", yaml::print_flow_scalar(name), entries.replace('\n', ", "));
    let edits = front_matter::shifted(
        yaml::append_item(text, header.tree(), "mcp_servers", &block, &flow),
        front.yaml.start,
    );
    let marked =
        snippet::escape(&edits.first()?.text).replace(ENDPOINT, &format!("${{1:{ENDPOINT}}}"));
    let fix = Fix::suggestion(format!("Declare the server `{name}`"), edits);
    Some(if known.is_some() { fix } else { fix.with_snippet(marked) })
}
