use tower_lsp::gen_lsp_types::*;

use crate::client::{Client, Setup};
use crate::profile;

fn define(client: &mut Client) -> Option<DefinitionResponse> {
    let params = client.cursor("doc.md");
    client.request::<DefinitionRequest>(params)
}

const FILES: &str = "//- doc.md\n🦆 [x](other.md#o$0ne)\n//- other.md\ntext\n\n## «One»\n";

#[test]
fn a_link_leads_to_the_heading_as_it_is_in_the_editor() {
    let mut client = Setup::new(FILES).start();
    client.open("doc.md");
    client.open_with("other.md", "\n\n\n\n# One\n");
    let Some(DefinitionResponse::DefinitionLinkList(links)) = define(&mut client) else {
        panic!("no links")
    };
    assert_eq!(links.len(), 1);
    assert_eq!(links[0].target_uri.0, client.uri("other.md"));
    assert_eq!(client.text_at("other.md", links[0].target_selection_range).trim(), "# One");
    assert_eq!(
        client.text_at("doc.md", links[0].origin_selection_range.unwrap()),
        "[x](other.md#one)"
    );
}

#[test]
fn plain_places_for_clients_without_links() {
    let mut client = Setup::new(FILES).capabilities(profile::minimal()).start();
    client.open("doc.md");
    let Some(DefinitionResponse::Definition(Definition::LocationList(places))) =
        define(&mut client)
    else {
        panic!("no places")
    };
    assert_eq!((places[0].uri.0.clone(), places[0].range.start.line), (client.uri("other.md"), 2));
}

#[test]
fn a_dead_link_has_no_definition() {
    let mut client = Setup::new("[x](gone.m$0d)\n").start();
    client.open("doc.md");
    assert!(define(&mut client).is_none());
}
