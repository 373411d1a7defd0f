//! Definition and links: the file, or the place in one, that a mention leads to.

use std::sync::Arc;

use super::declared::{self, Declaration};
use super::mentions::{self, Place, Word};
use super::paths;
use super::references::own_name;
use super::resolve::{Target as Meant, readers, resolve};
use crate::answer::{Link, LinkTarget, Target};
use crate::client::Role;
use crate::format::Context;
use crate::format::agent::file::File;

/// The definitions of the name at an offset.
pub fn definition(cx: &Context, offset: usize) -> Vec<Target> {
    let Some(file) = File::of(cx) else { return Vec::new() };
    let roles = readers(&file);
    let Some(mention) = mentions::at(cx.source, &roles, offset) else { return Vec::new() };
    // Links with their headings are followed in every kind of file.
    if matches!(&mention.word, Word::File(path) if path.contains('#')) {
        return Vec::new();
    }
    let resolved = resolve(cx, &roles, &mention);
    let (origin, _) = own_name(cx, &mention);
    let mut meant: Vec<Meant> = resolved.found;
    if meant.is_empty() && !resolved.built_in && !mention.word.is_prose() {
        meant.extend(resolved.elsewhere.into_iter().map(Meant::Declared));
    }
    if meant.is_empty() && !resolved.built_in {
        meant.extend(unlisted(cx, &roles, &mention.word).map(Meant::Declared));
    }
    let targets = meant.into_iter().filter_map(|target| {
        let path = target.path().filter(|path| cx.path != Some(*path)).map(ToOwned::to_owned);
        let (span, selection) = match &target {
            Meant::Server { span, .. } => (span.clone(), span.clone()),
            Meant::Declared(declared) => {
                let own = cx.path == Some(&declared.path);
                let source =
                    if own { cx.source.clone() } else { cx.world.look(&declared.path).ok()? };
                declared::place(&source)
            }
            Meant::File(path) => {
                if !paths::is_file(cx, path) {
                    return None;
                }
                (0..0, 0..0)
            }
        };
        Some(Target { path, span, selection, origin: origin.clone() })
    });
    targets.collect()
}

/// A file with a name in the places of a document's clients. Clients load files that Git ignores,
/// which the index doesn't contain.
fn unlisted(cx: &Context, roles: &[Role], word: &Word) -> Option<Arc<Declaration>> {
    let name = word.name().filter(|name| !name.contains(['/', '\\', ':', '*']) && *name != "..")?;
    let document = cx.path?;
    let places = roles.iter().flat_map(|role| {
        let reads = role.client.reads.iter().filter(|reads| word.kinds().contains(&reads.kind));
        let places = reads.flat_map(|reads| match role.plugin {
            true => &reads.plugin_places,
            false => &reads.places,
        });
        places.map(|place| (declared::base(document, role), place))
    });
    places.into_iter().find_map(|(base, place)| {
        let path = base.join(place.replace("**/", "").replacen('*', name, 1));
        if place.contains('!') || path.to_string_lossy().contains('*') || !paths::is_file(cx, &path)
        {
            return None;
        }
        let source = cx.world.look(&path).ok()?;
        let declared = declared::of(cx.world, &path, &source)?;
        let is_it = declared.names().any(|own| own == name);
        is_it.then(|| Arc::new(declared))
    })
}

/// Links for mentions by name, or by a path that isn't a Markdown link. Running text gets none.
pub fn links(cx: &Context) -> Vec<Link> {
    let Some(file) = File::of(cx) else { return Vec::new() };
    let roles = readers(&file);
    let mut found = Vec::new();
    for mention in mentions::of(cx.source, &roles) {
        let is_link =
            matches!((&mention.word, &mention.place), (Word::File(_), Place::Body { code: false }))
                && cx.source.slice(mention.span.start.saturating_sub(2)..mention.span.start)
                    == "](";
        if is_link || mention.word.is_prose() {
            continue;
        }
        let resolved = resolve(cx, &roles, &mention);
        let Some(path) = resolved.found.first().and_then(Meant::path) else { continue };
        if cx.path == Some(path) || !paths::is_file(cx, path) {
            continue;
        }
        found.push(Link {
            span: mention.span,
            target: LinkTarget::File { path: path.to_owned(), fragment: None },
            tooltip: None,
        });
    }
    found
}
