use tower_lsp::gen_lsp_types::*;

use crate::client::{Client, Setup};
use crate::profile;

fn hover(client: &mut Client) -> Option<(MarkupContent, String)> {
    let params = client.cursor("doc.md");
    let hover = client.request::<HoverRequest>(params)?;
    let Contents::MarkupContent(content) = hover.contents else { panic!("no markup: {hover:?}") };
    Some((content, client.text_at("doc.md", hover.range.expect("a range")).to_owned()))
}

#[test]
fn a_link_shows_its_target() {
    let mut client =
        Setup::new("//- doc.md\n日本 [🦆](oth$0er.md#two) x\n//- other.md\n# One\n\n## Two\n")
            .start();
    client.open("doc.md");
    let (content, range) = hover(&mut client).expect("a hover");
    assert_eq!((content.kind, range.as_str()), (MarkupKind::Markdown, "[🦆](other.md#two)"));
    assert_eq!(content.value, "**Two**\n\nin `other.md#two`");
}

#[test]
fn text_without_meaning_shows_nothing() {
    let mut client = Setup::new("no$0thing\n").start();
    client.open("doc.md");
    assert_eq!(hover(&mut client), None);
}

#[test]
fn clients_that_list_no_markdown_get_plain_text() {
    let mut client =
        Setup::new("[x](https://ex$0ample.org)\n").capabilities(profile::minimal()).start();
    client.open("doc.md");
    let (content, _) = hover(&mut client).expect("a hover");
    assert_eq!(
        (content.kind, content.value.as_str()),
        (MarkupKind::PlainText, "https://example.org")
    );
}
