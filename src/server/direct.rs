//! Requests that are answered with text: those that editors send after every key press, and those
//! whose answers grow with the document. The thread that finds an answer writes and sends it.

use std::collections::HashMap;
use std::sync::Arc;

use parking_lot::Mutex;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::json;
use serde_json::value::RawValue;
use tower_lsp::gen_lsp_types::{Position, TextDocumentIdentifier};
use tower_lsp::jsonrpc::Error;

use super::backend::{Backend, RECENT};
use super::message::Message;
use super::outgoing::Outgoing;
use super::params::{Actions, At, Document, In};
use super::pool::{self, Cancellation};
use super::session::Snapshot;
use super::transport::decode_text;
use super::{
    code_actions, code_lens, completion, definition, document_highlight, folding, hover,
    inlay_hints, json, links, outline, pull, signature_help, tokens,
};

/// The requests that have no answer yet, by their IDs as written.
#[derive(Debug, Default)]
pub(super) struct Direct(Mutex<HashMap<String, Cancellation>>);

#[derive(Deserialize)]
struct CancelParams<'a> {
    #[serde(borrow)]
    id: &'a RawValue,
}

/// A request, with everything needed to answer it.
pub(super) struct Asked<'a> {
    pub direct: &'a Arc<Direct>,
    pub backend: &'a Backend,
    pub id: &'a RawValue,
}

impl Direct {
    /// Takes a snapshot for a request, and answers it in the background. False if it's none of
    /// these requests.
    pub(super) fn take_in(
        self: &Arc<Self>,
        backend: &Backend,
        method: &str,
        id: &RawValue,
        params: Option<&RawValue>,
    ) -> bool {
        let asked = Asked { direct: self, backend, id };
        let params = params.map_or("null", RawValue::get);
        // Not before the answer: completion is asked for after every key press.
        if matches!(method, "textDocument/completion" | "textDocument/definition") {
            backend.invalidator().look_if_unwatched(RECENT);
        }
        match method {
            "textDocument/diagnostic" => read(params, |params| pull::ask(&asked, params)),
            "textDocument/documentSymbol" => asked.about_document(params, outline::write),
            "textDocument/foldingRange" => asked.about_document(params, folding::write),
            "textDocument/documentLink" => asked.about_document(params, links::write),
            "textDocument/completion" => read(params, |At { text_document, position }| {
                asked.of(&text_document, move |snapshot, cancellation, out| {
                    completion::write(snapshot, cancellation, position, out);
                });
            }),
            "textDocument/hover" => asked.about_position(params, hover::answer),
            "textDocument/definition" => asked.about_position(params, definition::answer),
            "textDocument/signatureHelp" => asked.about_position(params, signature_help::answer),
            "textDocument/documentHighlight" => {
                asked.about_position(params, document_highlight::answer)
            }
            "textDocument/codeAction" => {
                read(params, |Actions { text_document, range, context }| {
                    asked.value(&text_document, move |snapshot, cancellation| {
                        code_actions::answer(snapshot, cancellation, range, &context)
                    });
                })
            }
            "textDocument/codeLens" => read(params, |params| code_lens::ask(&asked, &params)),
            "textDocument/inlayHint" => read(params, |params| inlay_hints::ask(&asked, params)),
            "textDocument/semanticTokens/full" => {
                read(params, |Document { text_document, .. }| {
                    tokens::ask(&asked, &text_document, None);
                })
            }
            "textDocument/semanticTokens/full/delta" => {
                read(params, |Document { text_document, previous_result_id }| {
                    tokens::ask(&asked, &text_document, previous_result_id);
                })
            }
            "textDocument/semanticTokens/range" => read(params, |In { text_document, range }| {
                asked.of(&text_document, move |snapshot, cancellation, out| {
                    tokens::write_range(snapshot, cancellation, range, out);
                });
            }),
            _ => false,
        }
    }

    /// Whether a request has no answer yet.
    pub(super) fn is_waiting(&self, id: &RawValue) -> bool {
        self.0.lock().contains_key(id.get())
    }

    /// Cancels one of these requests. Returns false if it isn't one of them.
    pub(super) fn cancel(&self, params: Option<&RawValue>, outgoing: &Outgoing) -> bool {
        let params = params.map_or("null", RawValue::get);
        let Ok(CancelParams { id }) = serde_json::from_str(params) else { return false };
        let mut waiting = self.0.lock();
        let Some(cancellation) = waiting.remove(id.get()) else { return false };
        cancellation.cancel();
        drop(waiting);
        refuse(outgoing, id, &Error::request_cancelled());
        true
    }
}

/// Whether `params` could be decoded.
fn read<P: DeserializeOwned>(params: &str, answer: impl FnOnce(P)) -> bool {
    decode_text(params).map(answer).is_ok()
}

impl Asked<'_> {
    fn about_document(
        &self,
        params: &str,
        write: fn(&Snapshot, &Cancellation, &mut String),
    ) -> bool {
        read(params, |Document { text_document, .. }| self.of(&text_document, write))
    }

    fn about_position<T: Serialize + 'static>(
        &self,
        params: &str,
        answer: fn(&Snapshot, &Cancellation, Position) -> T,
    ) -> bool {
        read(params, |At { text_document, position }| {
            self.value(&text_document, move |snapshot, cancellation| {
                answer(snapshot, cancellation, position)
            });
        })
    }

    /// Answers with a value, from a snapshot of a document.
    pub(super) fn value<T: Serialize>(
        &self,
        document: &TextDocumentIdentifier,
        answer: impl FnOnce(&Snapshot, &Cancellation) -> T + Send + 'static,
    ) {
        self.of(document, move |snapshot, cancellation, out| {
            json::value(&answer(snapshot, cancellation), out);
        });
    }

    /// Answers from a snapshot of a document; `write` appends the result.
    pub(super) fn of(
        &self,
        document: &TextDocumentIdentifier,
        write: impl FnOnce(&Snapshot, &Cancellation, &mut String) + Send + 'static,
    ) {
        self.or(document, "null", false, |snapshot, cancellation, out| {
            out.write(|out| write(snapshot, cancellation, out));
        });
    }

    /// The same; `missing` is the result for a document that isn't open. `whole` if the answer waits
    /// until the workspace has been read, within limits.
    pub(super) fn or(
        &self,
        document: &TextDocumentIdentifier,
        missing: &str,
        whole: bool,
        write: impl FnOnce(&Snapshot, &Cancellation, &mut Message) + Send + 'static,
    ) {
        let session = Arc::clone(&self.backend.session);
        let mut out = Message::from(format!(r#"{{"jsonrpc":"2.0","id":{},"result":"#, self.id));
        let Some(snapshot) = session.snapshot(&document.uri) else {
            out.push_str(missing);
            out.push_str("}");
            return session.outgoing.send_written(out);
        };
        let cancellation = Cancellation::default();
        self.direct.0.lock().insert(self.id.get().to_owned(), cancellation.clone());
        let (direct, id) = (Arc::clone(self.direct), self.id.to_owned());
        let (outgoing, missing) = (session.outgoing.clone(), missing.to_owned());
        let start = move |snapshot: Option<Snapshot>| {
            let own = cancellation.clone();
            let asked = outgoing.clone();
            let work = move |cancellation: &Cancellation| {
                if asked.is_choked() {
                    return Err(pool::unread());
                }
                match snapshot {
                    Some(snapshot) => write(&snapshot, cancellation, &mut out),
                    None => out.push_str(&missing),
                }
                out.push_str("}");
                Ok(out)
            };
            let done = move |answer: Result<Result<Message, Error>, Error>| {
                let mut waiting = direct.0.lock();
                // A cancelled request has already been answered, and its ID may have been reused.
                if own.is_cancelled() {
                    return;
                }
                if waiting.get(id.get()).is_some_and(|other| other.is_same(&own)) {
                    waiting.remove(id.get());
                }
                drop(waiting);
                match answer.flatten() {
                    Ok(answer) => outgoing.deliver(answer),
                    Err(error) => refuse(&outgoing, &id, &error),
                }
            };
            pool::ask_there(cancellation, work, done);
        };
        if !whole || self.backend.index.is_ready() {
            return start(Some(snapshot));
        }
        drop(snapshot);
        let (index, uri) = (Arc::clone(&self.backend.index), document.uri.clone());
        tokio::spawn(async move {
            index.wait_briefly().await;
            // The document and the settings as they are now.
            start(session.snapshot(&uri));
        });
    }
}

fn refuse(outgoing: &Outgoing, id: &RawValue, error: &Error) {
    outgoing.send(&json!({ "jsonrpc": "2.0", "id": id, "error": error }));
}
