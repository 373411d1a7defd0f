//! `textDocument/documentSymbol`: the outline, nested if the client supports it, otherwise flat.

use tower_lsp::gen_lsp_types::Uri;

use super::convert::{MOST_ITEMS, symbol_kind};
use super::json;
use super::places::Places;
use super::pool::Cancellation;
use super::session::Snapshot;
use crate::answer::Symbol;
use crate::ide;

pub(super) fn write(snapshot: &Snapshot, cancellation: &Cancellation, out: &mut String) {
    let found = snapshot.with(&|| cancellation.is_cancelled(), ide::symbols::symbols);
    let mut writer = Writer {
        places: Places::new(snapshot.source(), snapshot.encoding()),
        left: MOST_ITEMS,
        out,
    };
    if snapshot.client.hierarchical_symbols {
        writer.nested(&found);
    } else {
        let Uri(uri) = &snapshot.open.uri;
        writer.out.push('[');
        writer.flat(&found, uri, None);
        writer.out.push(']');
    }
}

struct Writer<'a> {
    places: Places<'a>,
    /// How many more symbols are written.
    left: usize,
    out: &'a mut String,
}

impl Writer<'_> {
    /// The name and the kind.
    fn begin(&mut self, symbol: &Symbol) {
        self.left -= 1;
        self.out.push_str(r#"{"name":"#);
        json::text(&symbol.name, self.out);
        self.out.push_str(r#","kind":"#);
        json::number(u32::from(symbol_kind(symbol.kind)), self.out);
    }

    fn nested(&mut self, symbols: &[Symbol]) {
        self.out.push('[');
        for (index, symbol) in symbols.iter().enumerate() {
            if self.left == 0 {
                break;
            }
            if index > 0 {
                self.out.push(',');
            }
            self.begin(symbol);
            if let Some(detail) = &symbol.detail {
                self.out.push_str(r#","detail":"#);
                json::text(detail, self.out);
            }
            self.out.push_str(r#","range":"#);
            self.places.range(&symbol.span, self.out);
            self.out.push_str(r#","selectionRange":"#);
            self.places.range(&symbol.selection, self.out);
            if !symbol.children.is_empty() && self.left > 0 {
                self.out.push_str(r#","children":"#);
                self.nested(&symbol.children);
            }
            self.out.push('}');
        }
        self.out.push(']');
    }

    fn flat(&mut self, symbols: &[Symbol], uri: &str, container: Option<&str>) {
        for symbol in symbols {
            if self.left == 0 {
                return;
            }
            if self.left < MOST_ITEMS {
                self.out.push(',');
            }
            self.begin(symbol);
            if let Some(container) = container {
                self.out.push_str(r#","containerName":"#);
                json::text(container, self.out);
            }
            self.out.push_str(r#","location":{"uri":"#);
            json::text(uri, self.out);
            self.out.push_str(r#","range":"#);
            self.places.range(&symbol.span, self.out);
            self.out.push_str("}}");
            self.flat(&symbol.children, uri, Some(&symbol.name));
        }
    }
}
